package service

import (
	"bytes"
	"cmp"
	_ "embed" // the server
	"encoding/json"
	"fmt"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

//go:embed server.mjs
var server string

// Node makes server.mjs and package.json: a server of the routes that OpenAPI
// lists, which checks what it is given. What a route does is not in the source;
// its author writes it in handlers.mjs.
func Node(in *artefact.Input) (*artefact.Output, error) {
	list, err := routes(in)
	if err != nil {
		return nil, err
	}
	table, err := parsed(list)
	if err != nil {
		return nil, err
	}
	state, err := parsed(states(in.Scene))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "// %s\n", in.Header())
	b.WriteString(server)
	fmt.Fprintf(&b, "\nexport const routes = %s;\n\n// What the source keeps, by the names of its owners.\nexport const initialState = %s;\n\n", table, state)
	b.WriteString("if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) await main();\n")
	pack, err := artefact.JSON(project{
		Name: cmp.Or(slug(in.Scene.Name), "service"), Version: "1.0.0", Description: in.Header(), Private: true, Type: "module", Main: "server.mjs",
		Scripts: map[string]string{"start": "node server.mjs"}, Engines: map[string]string{"node": ">=20.11"},
	})
	if err != nil {
		return nil, err
	}
	out := &artefact.Output{Files: []artefact.File{
		{Path: "server.mjs", MediaType: "text/javascript", Data: b.Bytes()}, {Path: "package.json", MediaType: "application/json", Data: pack},
	}}
	for _, r := range list {
		if r.node != "" {
			out.Places = append(out.Places, artefact.Place{ID: r.node, Place: "route " + r.ID})
		}
	}
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

// parsed is a value as JavaScript that parses its JSON: in an object of the
// language itself the key __proto__ would mean something.
func parsed(v any) (string, error) {
	doc, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return "", fmt.Errorf("encode the service: %w", err)
	}
	return "JSON.parse(String.raw`\n" + string(artefact.ASCII(doc, "`$")) + "\n`)", nil
}

// states are the first values of all state, by owner.
func states(s *scene.Scene) scene.Value {
	out := scene.Value{Kind: trait.Map}
	if s.Behaviour == nil {
		return out
	}
	for _, o := range s.Behaviour.Owners {
		if len(o.State) == 0 {
			continue
		}
		own := scene.Value{Kind: trait.Map}
		for _, st := range o.State {
			own.Fields = append(own.Fields, trait.Field{Key: st.Key, Value: scene.Data(st.Init)})
		}
		out.Fields = append(out.Fields, trait.Field{Key: cmp.Or(o.Name, "scene"), Value: own})
	}
	return out
}
