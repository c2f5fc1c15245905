// Package data writes the forms of a source that programs read: the scene, the
// syntax tree, its state and machines, and the source itself in its canonical
// form.
package data

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/format"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

func pretty(doc []byte) ([]byte, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, doc, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// Scene makes scene.json, the document scene/1 with the behaviour of the source as
// its program.
func Scene(in *artefact.Input) (*artefact.Output, error) {
	s, tally := *in.Scene, artefact.NewTally(in)
	var program []byte
	c, err := in.Compiled()
	switch {
	case err != nil:
		tally.Drop(artefact.Behaviour, nil, "the behaviour does not fit into one program; the document has none")
	case !c.Program.Empty():
		if program, err = c.Program.Encode(); err != nil {
			return nil, err
		}
		s.Program = []byte("0")
		for range c.Left {
			tally.Drop(artefact.Behaviour, nil, "what has no form in a program is not in it")
		}
	}
	doc, err := s.Encode()
	if err != nil {
		return nil, err
	}
	if doc, err = pretty(doc); err != nil {
		return nil, err
	}
	// The program stands in one line: its code would take one for each number. No text of
	// a document has a line's end in it.
	doc = bytes.Replace(doc, []byte("\n  \"program\": 0"), append([]byte("\n  \"program\": "), program...), 1)
	return &artefact.Output{
		Files:  []artefact.File{{Path: "scene.json", MediaType: "application/json", Data: doc}},
		Places: in.Places(func(i int) string { return "/nodes/" + strconv.Itoa(i) }), Losses: tally.All(),
	}, nil
}

// Tree makes ast.json, the syntax tree of the main file.
func Tree(in *artefact.Input) (*artefact.Output, error) {
	doc, err := pretty(ast.AppendJSON(nil, in.Files[0]))
	if err != nil {
		return nil, err
	}
	return &artefact.Output{Files: []artefact.File{{Path: "ast.json", MediaType: "application/json", Data: doc}}}, nil
}

// Source makes the formatted source under its own name.
func Source(in *artefact.Input) (*artefact.Output, error) {
	f := in.Files[0]
	return &artefact.Output{Files: []artefact.File{{Path: "main." + f.Format.String(), MediaType: "text/plain", Data: []byte(format.File(f))}}}, nil
}

// stateDocument is state.json.
type stateDocument struct {
	V         string         `json:"v"`
	Generated string         `json:"generated"`
	Owners    []owner        `json:"owners"`
	Machines  []scene.Domain `json:"machines"`
	Trees     []scene.Domain `json:"trees"`
	Wires     []wire         `json:"wires"`
	Schedules []schedule     `json:"schedules"`
}

type owner struct {
	Node      string      `json:"node,omitempty"`
	Name      string      `json:"name"`
	State     scene.Value `json:"state"`
	Computed  []string    `json:"computed"`
	Watches   []string    `json:"watches"`
	Functions []string    `json:"functions"`
	Handlers  []handler   `json:"handlers"`
	Binds     []string    `json:"binds"`
	Persist   []string    `json:"persist"`
}

type handler struct {
	Event  string `json:"event"`
	From   string `json:"from,omitempty"`
	Source string `json:"source"`
}

type wire struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Source string `json:"source"`
}

type schedule struct {
	Run    string `json:"run"`
	Source string `json:"source"`
}

// State makes state.json: what the source keeps, which events it handles, its
// machines and trees.
func State(in *artefact.Input) (*artefact.Output, error) {
	s := in.Scene
	doc := stateDocument{V: "state/1", Generated: in.Header(), Owners: []owner{}, Machines: []scene.Domain{}, Trees: []scene.Domain{}, Wires: []wire{}, Schedules: []schedule{}}
	b := s.Behaviour
	for i := range b.Owners {
		if o := &b.Owners[i]; !o.Empty() {
			doc.Owners = append(doc.Owners, ownerOf(o))
		}
	}
	for i := range s.Domain {
		switch s.Domain[i].Kind {
		case "state_machine", "machine", "fsm":
			doc.Machines = append(doc.Machines, s.Domain[i])
		case "behavior_tree", "behaviour_tree", "bt":
			doc.Trees = append(doc.Trees, s.Domain[i])
		}
	}
	for i := range s.Nodes {
		in.Pause()
		for _, t := range s.Nodes[i].Traits {
			if t.Name == "state_machine" {
				doc.Machines = append(doc.Machines, scene.Domain{Kind: t.Name, Name: s.Nodes[i].Name, Owner: s.Nodes[i].ID, Data: t.Params, Src: s.Nodes[i].Src})
			}
		}
	}
	for _, w := range b.Wires {
		doc.Wires = append(doc.Wires, wire{nameOf(w.Code.File, w.Wire.From), nameOf(w.Code.File, w.Wire.To), place(w.Code)})
	}
	for _, r := range b.Runs {
		doc.Schedules = append(doc.Schedules, schedule{nameOf(r.Code.File, r.Code.Node), place(r.Code)})
	}
	if len(doc.Owners)+len(doc.Machines)+len(doc.Trees)+len(doc.Wires)+len(doc.Schedules) == 0 {
		return nil, artefact.Nothing(in.Target, "state, handlers, machines or trees")
	}
	raw, err := artefact.JSON(doc)
	if err != nil {
		return nil, err
	}
	out := &artefact.Output{Files: []artefact.File{{Path: "state.json", MediaType: "application/json", Data: raw}}}
	for i, o := range doc.Owners {
		if o.Node != "" {
			out.Places = append(out.Places, artefact.Place{ID: o.Node, Place: "/owners/" + strconv.Itoa(i)})
		}
	}
	return out, nil
}

func nameOf(f *ast.File, n ast.Node) string { return f.Slice(n.Span()) }

func place(c scene.Code) string {
	line, column := c.File.Stream.Source.Position(int(c.Node.Span().Start))
	return fmt.Sprintf("%s:%d:%d", c.File.Path(), line, column)
}

func ownerOf(o *scene.Owner) owner {
	out := owner{
		Node: o.Node, Name: o.Name, Computed: keys(o.Computed), Watches: keys(o.Watches), Functions: keys(o.Functions), Handlers: []handler{},
		Binds: []string{}, Persist: append([]string{}, o.Persist...), State: scene.Value{Kind: trait.Map},
	}
	if out.Name == "" && o.Node == "" {
		out.Name = "scene"
	}
	for _, s := range o.State {
		out.State.Fields = append(out.State.Fields, trait.Field{Key: s.Key, Value: scene.Data(s.Init)})
	}
	for _, h := range o.Handlers {
		from := ""
		if h.From != nil {
			from = nameOf(h.File, h.From)
		}
		out.Handlers = append(out.Handlers, handler{h.Name, from, place(h)})
	}
	for _, b := range o.Binds {
		out.Binds = append(out.Binds, b.Property)
	}
	return out
}

func keys(list []scene.Code) []string {
	out := []string{}
	for _, c := range list {
		out = append(out, c.Name)
	}
	return out
}
