package twin

import (
	"cmp"
	"strconv"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// MaxComment and MaxTitle are the most signs of a comment and of a displayName
// in DTDL.
const (
	MaxComment = 512
	MaxTitle   = 64
)

// DTDL makes interfaces.json: an interface of DTDL version 3 for every thing.
// State is a Property, a reading or an event is Telemetry, a function is a
// Command, and a thing below another a Relationship.
func DTDL(in *artefact.Input) (*artefact.Output, error) {
	things, err := build(in)
	if err != nil {
		return nil, err
	}
	w := &dtdl{in: in, tally: artefact.NewTally(in)}
	out := &artefact.Output{}
	taken := names{}
	var ids []string
	for _, t := range things {
		name := t.title
		if t.node != nil {
			name = t.node.Path
		}
		name = taken.name(name)
		out.Notes = append(out.Notes, renamed(in, t.node, name)...)
		ids = append(ids, "dtmi:meshd:"+plain(cmp.Or(in.Scene.Name, "scene"), 24)+":"+name+";1")
	}
	var doc []entity
	for i, t := range things {
		doc = append(doc, w.face(t, ids, i))
		if t.node != nil {
			out.Places = append(out.Places, artefact.Place{ID: t.node.ID, Place: "/" + strconv.Itoa(i)})
		}
	}
	raw, err := artefact.JSON(doc)
	if err != nil {
		return nil, err
	}
	out.Files = []artefact.File{{Path: "interfaces.json", MediaType: "application/json", Data: raw}}
	out.Losses = w.tally.All()
	return out, nil
}

// entity is an element of a model, its keys in their usual order.
type entity struct {
	Context     string   `json:"@context,omitempty"`
	ID          string   `json:"@id,omitempty"`
	Type        string   `json:"@type,omitempty"`
	Name        string   `json:"name,omitempty"`
	DisplayName string   `json:"displayName,omitempty"`
	Comment     string   `json:"comment,omitempty"`
	Description string   `json:"description,omitempty"`
	Target      string   `json:"target,omitempty"`
	Most        int      `json:"maxMultiplicity,omitempty"`
	Schema      any      `json:"schema,omitempty"`
	Element     any      `json:"elementSchema,omitempty"`
	ValueSchema string   `json:"valueSchema,omitempty"`
	EnumValue   string   `json:"enumValue,omitempty"`
	EnumValues  []entity `json:"enumValues,omitempty"`
	Fields      []entity `json:"fields,omitempty"`
	Writable    bool     `json:"writable,omitempty"`
	Request     *entity  `json:"request,omitempty"`
	Response    *entity  `json:"response,omitempty"`
	MapKey      *entity  `json:"mapKey,omitempty"`
	MapValue    *entity  `json:"mapValue,omitempty"`
	Contents    []entity `json:"contents,omitempty"`
}

type dtdl struct {
	in    *artefact.Input
	tally *artefact.Tally
	node  *scene.Node
}

// face is the interface of a thing.
func (w *dtdl) face(t thing, ids []string, at int) entity {
	w.node = t.node
	e := entity{
		Context: "dtmi:dtdl:context;3", ID: ids[at], Type: "Interface", DisplayName: short(t.title, MaxTitle), Comment: short(w.in.Header()+"; "+t.source, MaxComment),
	}
	taken := names{}
	content := func(kind, from, note string) entity {
		c := entity{Type: kind, Name: taken.name(from), Comment: short(note, MaxComment)}
		if c.Name != from {
			c.DisplayName = short(from, MaxTitle)
		}
		return c
	}
	for _, p := range t.properties {
		c := content("Property", p.name, p.note)
		c.Schema, c.Writable = w.schema(p.kind), p.writable
		e.Contents = append(e.Contents, c)
	}
	for _, p := range t.readings {
		c := content("Telemetry", p.name, p.note)
		c.Schema = w.schema(p.kind)
		e.Contents = append(e.Contents, c)
	}
	for _, ev := range t.events {
		c := content("Telemetry", ev.name, "event")
		if c.Schema = "string"; ev.kind != nil {
			c.Schema = w.schema(*ev.kind)
		}
		e.Contents = append(e.Contents, c)
	}
	for _, a := range t.actions {
		c := content("Command", a.name, a.note)
		c.Description = short(a.about, MaxComment)
		if len(a.params) > 0 {
			c.Request = &entity{Name: "request", Schema: w.object(a.params)}
		}
		if a.result != nil {
			c.Response = &entity{Name: "response", Schema: w.schema(*a.result)}
		}
		e.Contents = append(e.Contents, c)
	}
	for _, k := range t.parts {
		c := content("Relationship", lastName(ids[k]), "part")
		c.Target, c.Most = ids[k], 1
		e.Contents = append(e.Contents, c)
	}
	return e
}

// lastName is the name at the end of an id.
func lastName(id string) string {
	start, end := 0, len(id)
	for i := range id {
		switch id[i] {
		case ':':
			start = i + 1
		case ';':
			end = i
		}
	}
	return id[start:end]
}

// schema is the type of a value in DTDL. What may be any value is text.
func (w *dtdl) schema(k kind) any {
	switch k.of {
	case "bool":
		return "boolean"
	case "number":
		if k.whole {
			return "long"
		}
		return "double"
	case "text":
		if len(k.words) == 0 || len(k.words) > MaxWords {
			return "string"
		}
		e := entity{Type: "Enum", ValueSchema: "string"}
		taken := names{}
		for _, word := range k.words {
			e.EnumValues = append(e.EnumValues, entity{Name: taken.name(word), EnumValue: short(word, MaxComment)})
		}
		return e
	case "list":
		if k.elem != nil {
			return entity{Type: "Array", Element: w.schema(*k.elem)}
		}
		return entity{Type: "Array", Element: w.anything()}
	case "object":
		if len(k.fields) > 0 {
			return w.object(k.fields)
		}
		if k.elem != nil {
			return entity{Type: "Map", MapKey: &entity{Name: "key", Schema: "string"}, MapValue: &entity{Name: "value", Schema: w.schema(*k.elem)}}
		}
		return entity{Type: "Map", MapKey: &entity{Name: "key", Schema: "string"}, MapValue: &entity{Name: "value", Schema: w.anything()}}
	}
	return w.anything()
}

func (w *dtdl) anything() string {
	w.tally.Approximate(artefact.Behaviour, w.node, "values whose type is known at run time only are described as text")
	return "string"
}

func (w *dtdl) object(fields []property) entity {
	e := entity{Type: "Object"}
	taken := names{}
	for _, f := range fields {
		e.Fields = append(e.Fields, entity{Name: taken.name(f.name), Schema: w.schema(f.kind)})
	}
	return e
}
