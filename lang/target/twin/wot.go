package twin

import (
	"cmp"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// description is a Thing Description 1.1.
type description struct {
	Context             []any               `json:"@context"`
	ID                  string              `json:"id"`
	Title               string              `json:"title"`
	Generated           string              `json:"meshd:generated"`
	Base                string              `json:"base"`
	SecurityDefinitions map[string]security `json:"securityDefinitions"`
	Security            []string            `json:"security"`
	Properties          map[string]member   `json:"properties,omitempty"`
	Actions             map[string]member   `json:"actions,omitempty"`
	Events              map[string]member   `json:"events,omitempty"`
}

type security struct {
	Scheme string `json:"scheme"`
	In     string `json:"in,omitempty"`
}

// shape is a data schema of the description.
type shape struct {
	Type       string           `json:"type,omitempty"`
	Enum       []string         `json:"enum,omitempty"`
	Items      *shape           `json:"items,omitempty"`
	Properties map[string]shape `json:"properties,omitempty"`
	Required   []string         `json:"required,omitempty"`
	Default    *scene.Value     `json:"default,omitempty"`
	ReadOnly   bool             `json:"readOnly,omitempty"`
}

// member is a property, an action or an event.
type member struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	Source      string `json:"meshd:source"`
	shape
	Input  *shape `json:"input,omitempty"`
	Output *shape `json:"output,omitempty"`
	Data   *shape `json:"data,omitempty"`
	Forms  []form `json:"forms"`
}

type form struct {
	Href string   `json:"href"`
	Op   []string `json:"op"`
}

// WoT makes thing.td.json: one Thing with what all things of the source have.
// Where there are several, the name of each stands before what is its.
func WoT(in *artefact.Input) (*artefact.Output, error) {
	things, err := build(in)
	if err != nil {
		return nil, err
	}
	title := cmp.Or(in.Scene.Name, "scene")
	if len(things) == 1 {
		title = things[0].title
	}
	scheme := in.Options.Text("security")
	w := &wot{taken: names{}, parts: names{}, alone: len(things) == 1, doc: description{
		Context: []any{"https://www.w3.org/2022/wot/td/v1.1", map[string]string{"meshd": "urn:meshd:terms:"}},
		ID:      "urn:meshd:thing:" + plain(title, maxName), Title: short(title, MaxTitle),
		Generated: in.Header(), Base: in.Options.Text("base"), SecurityDefinitions: map[string]security{scheme + "_sc": {Scheme: scheme}},
		Security: []string{scheme + "_sc"}, Properties: map[string]member{}, Actions: map[string]member{}, Events: map[string]member{},
	}}
	out := &artefact.Output{}
	for _, t := range things {
		w.thing(t)
		if t.node != nil {
			out.Places = append(out.Places, artefact.Place{ID: t.node.ID, Place: "/"})
		}
	}
	raw, err := artefact.JSON(w.doc)
	if err != nil {
		return nil, err
	}
	out.Files = []artefact.File{{Path: "thing.td.json", MediaType: "application/td+json", Data: raw}}
	return out, nil
}

type wot struct {
	doc   description
	taken names // of properties, actions and events, which are one space here
	parts names
	alone bool
}

func (w *wot) thing(t thing) {
	part := ""
	if !w.alone {
		part = t.id
		if t.node != nil {
			part = t.node.Path
		}
		part = w.parts.name(part) + "_"
	}
	put := func(list map[string]member, place, name, note string, m member, op ...string) {
		key := w.taken.name(part + name)
		m.Title, m.Description, m.Source = short(cmp.Or(name, key), MaxTitle), short(note, MaxComment), t.source
		m.Forms = []form{{place + "/" + key, op}}
		list[key] = m
	}
	for _, p := range t.properties {
		sh := shapeOf(p.kind)
		if v := p.value; v.Kind != trait.Unknown && v.Kind != trait.Null && p.kind.of != "" {
			sh.Default = &v
		}
		sh.ReadOnly = !p.writable
		op := []string{"readproperty"}
		if p.writable {
			op = append(op, "writeproperty")
		}
		put(w.doc.Properties, "properties", p.name, p.note, member{shape: sh}, op...)
	}
	for _, p := range t.readings {
		sh := shapeOf(p.kind)
		sh.ReadOnly = true
		put(w.doc.Properties, "properties", p.name, p.note, member{shape: sh}, "readproperty")
	}
	for _, a := range t.actions {
		m := member{}
		if len(a.params) > 0 {
			in := object(a.params)
			m.Input = &in
		}
		if a.result != nil {
			out := shapeOf(*a.result)
			m.Output = &out
		}
		put(w.doc.Actions, "actions", a.name, cmp.Or(a.about, a.note), m, "invokeaction")
	}
	for _, e := range t.events {
		m := member{}
		if e.kind != nil {
			data := shapeOf(*e.kind)
			m.Data = &data
		}
		put(w.doc.Events, "events", e.name, "", m, "subscribeevent", "unsubscribeevent")
	}
}

var wotTypes = map[string]string{"bool": "boolean", "number": "number", "text": "string", "list": "array", "object": "object"}

func shapeOf(k kind) shape {
	if k.of == "object" && len(k.fields) > 0 {
		return object(k.fields)
	}
	s := shape{Type: wotTypes[k.of], Enum: k.words}
	if k.whole {
		s.Type = "integer"
	}
	if k.elem != nil && k.of == "list" {
		e := shapeOf(*k.elem)
		s.Items = &e
	}
	return s
}

// object is the schema of an object; a field that may be left out, or has a
// first value, is not required.
func object(fields []property) shape {
	s := shape{Type: "object", Properties: map[string]shape{}}
	for _, f := range fields {
		s.Properties[f.name] = shapeOf(f.kind)
		if !f.writable {
			s.Required = append(s.Required, f.name)
		}
	}
	return s
}
