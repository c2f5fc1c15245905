package artefact

import (
	"slices"

	"github.com/meshd/meshd/lang/scene"
)

// Standing is the scene without the prototypes of templates, which stand behind
// its own nodes for spawn to copy.
func Standing(s *scene.Scene) *scene.Scene {
	i := slices.IndexFunc(s.Nodes, func(n scene.Node) bool { return n.Prototype != "" })
	if i < 0 {
		return s
	}
	out := *s
	out.Nodes = s.Nodes[:i:i]
	return &out
}

// Running is the scene as targets write it that bring an interpreter: with its
// behaviour as program/1 where anything would ever run, and without the data
// that only other tools read. Settings of nodes that the model has no place for
// stay where a program may ask for them.
func Running(in *Input) (*scene.Scene, error) {
	c, err := in.Behaviour()
	if err != nil {
		return nil, err
	}
	s := *in.Scene
	s.Domain, s.Pipelines, s.Losses, s.Program = nil, nil, nil, nil
	s.Nodes = slices.Clone(s.Nodes)
	runs := !c.Program.Empty()
	for i := range s.Nodes {
		in.Pause()
		s.Nodes[i].Traits = nil
		if !runs {
			s.Nodes[i].Extras = scene.Value{}
		}
	}
	if runs {
		if s.Program, err = c.Program.Encode(); err != nil {
			return nil, err
		}
	}
	return &s, nil
}
