// Package pipeline writes pipelines as programs that need nothing but their
// language: the same plan as data, and a runner for Node or for Python.
package pipeline

import (
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// plan are the pipelines of a source as the runners read them, and what of them
// no runner carries out.
func plan(in *artefact.Input) ([]scene.Value, []scene.Loss, error) {
	s := in.Scene
	if len(s.Pipelines) == 0 {
		return nil, nil, artefact.Nothing(in.Target, "a pipeline")
	}
	list := make([]scene.Value, len(s.Pipelines))
	tally := artefact.NewTally(in)
	for i, p := range s.Pipelines {
		v := p.Data
		v.Fields = append([]trait.Field{{Key: "name", Value: scene.Value{Kind: trait.Text, Str: p.Name}}, {Key: "source", Value: scene.Value{Kind: trait.Text, Str: in.Source(p.Src)}}}, v.Fields...)
		list[i] = v
		stages, _ := scene.Get(p.Data, "stages")
		for _, st := range stages.List {
			kind, _ := scene.Get(st, "type")
			role, _ := scene.Get(st, "stage")
			switch kind.Str {
			case "mcp", "database":
				tally.Drop(artefact.Pipelines, nil, "connectors of type "+kind.Str+" need a server that the program does not have; it says so when it runs")
			}
			if c, ok := scene.Get(st, "where"); ok && role.Str == "filter" {
				if _, ok := scene.Get(c, "tree"); !ok {
					tally.Drop(artefact.Pipelines, nil, "a condition that is more than fields, values, operators and calls stops the run")
				}
			}
		}
	}
	return list, tally.All(), nil
}
