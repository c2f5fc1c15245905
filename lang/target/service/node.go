package service

import (
	"bytes"
	"cmp"
	_ "embed" // the server and what it runs
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/pipeline"
	"github.com/meshd/meshd/lang/trait"
)

//go:embed server.mjs
var server string

// runtime is the interpreter of the viewer with what answers calls; make viewer builds it.
//
//go:embed runtime.mjs
var runtime []byte

// Node makes server.mjs, runtime.mjs and package.json: a server of the routes that
// OpenAPI lists, which checks what it is given and runs the actions of the source.
func Node(in *artefact.Input) (*artefact.Output, error) {
	all, err := routes(in)
	if err != nil {
		return nil, err
	}
	out := &artefact.Output{}
	doc, err := program(in, all.list)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	imports := "const pipelines = [], runOnce = undefined; // no route runs one"
	if slices.ContainsFunc(all.list, func(r route) bool { return r.Call != nil && r.Call.Pipeline != "" }) {
		lines, err := pipeline.Node(in)
		if err != nil {
			return nil, err
		}
		out.Files, out.Losses = lines.Files, lines.Losses
		imports = `import { pipelines, runOnce } from "./pipeline.mjs";`
	}
	port := cmp.Or(all.port, 8080)
	fmt.Fprintf(&b, "// %s\n", in.Header())
	b.WriteString(strings.Replace(server, "//PIPELINES", imports, 1))
	fmt.Fprintf(&b, "\nconst listens = %d; // without PORT\n\n", port)
	for _, part := range []struct {
		comment, name string
		value         any
	}{
		{"", "routes", all.list},
		{"The types of the source.\n", "schemas", all.types.All()},
		{"What the source keeps, by the names of its owners.\n", "initialState", states(in.Scene)},
		{"The owners as the program names them.\n", "owners", owners(in.Scene)},
		{"The program, and the nodes that it speaks of.\n", "scene", doc},
	} {
		text, err := parsed(part.value)
		if err != nil {
			return nil, err
		}
		if part.comment != "" {
			part.comment = "// " + part.comment
		}
		fmt.Fprintf(&b, "%sexport const %s = %s;\n\n", part.comment, part.name, text)
	}
	b.WriteString("if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) await main();\n")
	pack, err := artefact.JSON(project{
		Name: cmp.Or(slug(in.Scene.Name), "service"), Version: "1.0.0", Description: in.Header(), Private: true, Type: "module", Main: "server.mjs",
		Scripts: map[string]string{"start": "node server.mjs"}, Engines: map[string]string{"node": ">=20.11"},
	})
	if err != nil {
		return nil, err
	}
	out.Files = append([]artefact.File{
		{Path: "server.mjs", MediaType: "text/javascript", Data: b.Bytes()},
		{Path: "runtime.mjs", MediaType: "text/javascript", Data: runtime},
		{Path: "package.json", MediaType: "application/json", Data: pack},
	}, out.Files...)
	tally, nodes := artefact.NewTally(in), map[string]*scene.Node{}
	for i := range in.Scene.Nodes {
		nodes[in.Scene.Nodes[i].ID] = &in.Scene.Nodes[i]
	}
	for _, r := range all.list {
		if r.Call == nil {
			tally.Approximate(artefact.Behaviour, nodes[r.node], "a route without an action of the source answers 501; handlers.mjs may say what it does")
		}
		if r.node != "" {
			out.Places = append(out.Places, artefact.Place{ID: r.node, Place: "route " + r.ID})
		}
	}
	out.Losses = append(out.Losses, tally.All()...)
	return out, nil
}

type project struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	Private     bool              `json:"private"`
	Type        string            `json:"type"`
	Main        string            `json:"main"`
	Scripts     map[string]string `json:"scripts"`
	Engines     map[string]string `json:"engines"`
}

// program is what the service runs: scene/1 with the nodes and the program, and
// nothing that is only seen. It numbers what the routes call.
func program(in *artefact.Input, list []route) (json.RawMessage, error) {
	c, err := in.Behaviour()
	if err != nil {
		return nil, err
	}
	number(list, c.Program)
	s := scene.Scene{V: in.Scene.V, Name: in.Scene.Name, Nodes: slices.Clone(in.Scene.Nodes), Materials: in.Scene.Materials}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		n.Traits, n.Geometry, n.Camera, n.Audio, n.Body, n.Collider, n.Joint, n.Particle, n.Interact = nil, nil, nil, nil, nil, nil, nil, scene.Value{}, nil
	}
	if s.Program, err = c.Program.Encode(); err != nil {
		return nil, err
	}
	return s.Encode()
}

// parsed is a value as JavaScript that parses its JSON: in an object of the
// language itself the key __proto__ would mean something.
func parsed(v any) (string, error) {
	var doc []byte
	var err error
	if raw, ok := v.(json.RawMessage); ok {
		doc = raw
	} else if doc, err = json.MarshalIndent(v, "", "  "); err != nil {
		return "", fmt.Errorf("encode the service: %w", err)
	}
	return "JSON.parse(String.raw`\n" + string(artefact.ASCII(doc, "`$")) + "\n`)", nil
}

// ownerName is the name of an owner in the tables of a service.
func ownerName(o *scene.Owner) string { return cmp.Or(o.Name, "scene") }

// states are the first values of all state, by owner.
func states(s *scene.Scene) scene.Value {
	out := scene.Value{Kind: trait.Map}
	if s.Behaviour == nil {
		return out
	}
	for i := range s.Behaviour.Owners {
		o := &s.Behaviour.Owners[i]
		if len(o.State) == 0 || o.Prototype != "" {
			continue
		}
		own := scene.Value{Kind: trait.Map}
		for _, st := range o.State {
			own.Fields = append(own.Fields, trait.Field{Key: st.Key, Value: scene.Data(st.Init)})
		}
		out.Fields = append(out.Fields, trait.Field{Key: ownerName(o), Value: own})
	}
	return out
}

// owners are the ids of the owners that have state.
func owners(s *scene.Scene) scene.Value {
	out := scene.Value{Kind: trait.Map}
	if s.Behaviour == nil {
		return out
	}
	for i := range s.Behaviour.Owners {
		if o := &s.Behaviour.Owners[i]; len(o.State) > 0 && o.Prototype == "" {
			out.Fields = append(out.Fields, trait.Field{Key: ownerName(o), Value: scene.Value{Kind: trait.Text, Str: artefact.OwnerID(i, o)}})
		}
	}
	return out
}
