package artefact

import (
	"cmp"
	"fmt"
	"strings"
)

// Module is the scene as a JavaScript module for a canvas of a host: scene.js
// with the scene, the runtime.js that shows it, and package.json that pins the
// libraries, which the host's page brings.
func Module(in *Input, runtime []byte, libraries map[string]string) (*Output, error) {
	s, err := Running(in)
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

// createScene shows the scene on a canvas and returns { scene, update(dt), emit, dispose }.
export function createScene(canvas, options) {
  return create(scene, canvas, options);
}
`, in.Header(), doc)
	pkg, err := JSON(struct {
		Name         string            `json:"name"`
		Version      string            `json:"version"`
		Private      bool              `json:"private"`
		Type         string            `json:"type"`
		Main         string            `json:"main"`
		Description  string            `json:"description"`
		Dependencies map[string]string `json:"dependencies"`
	}{"scene", "1.0.0", true, "module", "scene.js", strings.TrimSpace(cmp.Or(s.Name, "Scene") + ". " + in.Header()), libraries})
	if err != nil {
		return nil, err
	}
	out := &Output{Files: []File{
		{Path: "scene.js", MediaType: "text/javascript", Data: []byte(main)},
		{Path: "runtime.js", MediaType: "text/javascript", Data: runtime},
		{Path: "package.json", MediaType: "application/json", Data: pkg},
	}}
	for i := range s.Nodes {
		out.Places = append(out.Places, Place{ID: s.Nodes[i].ID, Place: fmt.Sprintf("scene.nodes[%d]", i)})
	}
	out.Notes = Outside(s)
	out.Losses = PageLosses(in)
	return out, nil
}
