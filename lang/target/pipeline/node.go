package pipeline

import (
	"bytes"
	_ "embed" // the runner
	"encoding/json"
	"fmt"

	"github.com/meshd/meshd/lang/target/artefact"
)

//go:embed runtime.mjs
var nodeRunner string

// Node makes pipeline.mjs: the pipelines as data, and the runner. Secrets come
// from the environment when it runs; none stands in it.
func Node(in *artefact.Input) (*artefact.Output, error) {
	list, losses, err := plan(in)
	if err != nil {
		return nil, err
	}
	doc, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("encode pipelines: %w", err)
	}
	return &artefact.Output{Files: []artefact.File{{Path: "pipeline.mjs", MediaType: "text/javascript", Data: program(in, doc)}}, Losses: losses}, nil
}

// program is pipeline.mjs with the pipelines as a JSON document.
func program(in *artefact.Input, doc []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "#!/usr/bin/env node\n// %s\n// Run once: node pipeline.mjs [--dry-run] [name…]. By its schedule: node pipeline.mjs --schedule.\n", in.Header())
	b.WriteString(nodeRunner)
	fmt.Fprintf(&b, "\nexport const pipelines = %s;\n\n", doc)
	b.WriteString(`if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) {
  main(pipelines, process.argv.slice(2)).catch((e) => { console.error(e.message); process.exitCode = 1; });
}
`)
	return b.Bytes()
}
