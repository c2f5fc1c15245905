// Package threejs writes a scene as a JavaScript module for three: scene.js with
// the scene, runtime.js that shows it, and package.json that pins the library,
// which the host's page brings.
package threejs

import (
	"cmp"
	_ "embed" // the runtime
	"fmt"
	"strings"

	"github.com/meshd/meshd/lang/target/artefact"
)

// Three is the version of the library that the runtime is made for.
const Three = "0.187.0"

//go:embed runtime.js
var runtime []byte

// Module makes scene.js, runtime.js and package.json.
func Module(in *artefact.Input) (*artefact.Output, error) {
	s, err := artefact.Running(in)
	if err != nil {
		return nil, err
	}
	doc, err := s.Encode()
	if err != nil {
		return nil, err
	}
	// JSON is JavaScript but for two line ends, which the encoder has escaped.
	main := fmt.Sprintf(`// %s
import { create } from "./runtime.js";

export const scene = %s;

// createScene shows the scene on a canvas and returns { scene, camera, update(dt), emit, dispose }.
export function createScene(canvas, options) {
  return create(scene, canvas, options);
}
`, in.Header(), doc)
	pkg, err := artefact.JSON(struct {
		Name         string            `json:"name"`
		Version      string            `json:"version"`
		Private      bool              `json:"private"`
		Type         string            `json:"type"`
		Main         string            `json:"main"`
		Description  string            `json:"description"`
		Dependencies map[string]string `json:"dependencies"`
	}{"scene", "1.0.0", true, "module", "scene.js", strings.TrimSpace(cmp.Or(s.Name, "Scene") + ". " + in.Header()), map[string]string{"three": Three}})
	if err != nil {
		return nil, err
	}
	out := &artefact.Output{Files: []artefact.File{
		{Path: "scene.js", MediaType: "text/javascript", Data: []byte(main)},
		{Path: "runtime.js", MediaType: "text/javascript", Data: runtime},
		{Path: "package.json", MediaType: "application/json", Data: pkg},
	}}
	for i := range s.Nodes {
		out.Places = append(out.Places, artefact.Place{ID: s.Nodes[i].ID, Place: fmt.Sprintf("scene.nodes[%d]", i)})
	}
	out.Notes = artefact.Outside(s)
	out.Losses = artefact.UnshownModels(in)
	return out, nil
}
