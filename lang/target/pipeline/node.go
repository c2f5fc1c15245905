// Package pipeline writes pipelines as programs that need nothing but their
// language.
package pipeline

import (
	"bytes"
	_ "embed" // the runner
	"encoding/json"
	"fmt"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

//go:embed runtime.mjs
var runner string

// Node makes pipeline.mjs: the pipelines as data, and the runner. Secrets come
// from the environment when it runs; none stands in it.
func Node(in *artefact.Input) (*artefact.Output, error) {
	s := in.Scene
	if len(s.Pipelines) == 0 {
		return nil, artefact.Nothing(in.Target, "a pipeline")
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
	doc, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("encode pipelines: %w", err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "#!/usr/bin/env node\n// %s\n// Run once: node pipeline.mjs [--dry-run] [name…]. By its schedule: node pipeline.mjs --schedule.\n", in.Header())
	b.WriteString(runner)
	fmt.Fprintf(&b, "\nexport const pipelines = %s;\n\n", doc)
	b.WriteString(`if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) {
  main(pipelines, process.argv.slice(2)).catch((e) => { console.error(e.message); process.exitCode = 1; });
}
`)
	return &artefact.Output{
		Files: []artefact.File{{Path: "pipeline.mjs", MediaType: "text/javascript", Data: b.Bytes()}}, Losses: tally.All(),
	}, nil
}
