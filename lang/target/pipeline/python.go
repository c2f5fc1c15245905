package pipeline

import (
	"bytes"
	_ "embed" // the runner
	"encoding/json"
	"fmt"

	"github.com/meshd/meshd/lang/target/artefact"
)

//go:embed runtime.py
var pythonRunner string

// Python makes pipeline.py: the pipelines as data, and the runner. Secrets come
// from the environment when it runs; none stands in it.
func Python(in *artefact.Input) (*artefact.Output, error) {
	list, losses, err := plan(in)
	if err != nil {
		return nil, err
	}
	doc, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		return nil, fmt.Errorf("encode pipelines: %w", err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "#!/usr/bin/env python3\n# %s\n# Run once: python3 pipeline.py [--dry-run] [name...]. By its schedule: python3 pipeline.py --schedule.\n", in.Header())
	b.WriteString(pythonRunner)
	// JSON in ASCII contains no three quotes in a row, and a raw text keeps its
	// backslashes: nothing in it ends the text.
	fmt.Fprintf(&b, "\n\nPIPELINES = json.loads(r\"\"\"\n%s\n\"\"\")\n\n", artefact.ASCII(doc, ""))
	b.WriteString(`if __name__ == "__main__":
    try:
        main(PIPELINES, sys.argv[1:])
    except FAILURES as e:
        print(e, file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
`)
	return &artefact.Output{Files: []artefact.File{{Path: "pipeline.py", MediaType: "text/x-python", Data: b.Bytes()}}, Losses: losses}, nil
}
