package pipeline

import (
	"bytes"
	_ "embed" // the runner
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

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
	// JSON in ASCII holds no three quotes in a row, and a raw text keeps its
	// backslashes: nothing in it ends the text.
	fmt.Fprintf(&b, "\n\nPIPELINES = json.loads(r\"\"\"\n%s\n\"\"\")\n\n", ascii(doc))
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

// ascii is a JSON document with escapes for all that is not ASCII, so that no
// sign can turn the order of what a reader sees.
func ascii(doc []byte) []byte {
	out := make([]byte, 0, len(doc))
	for len(doc) > 0 {
		r, n := utf8.DecodeRune(doc)
		doc = doc[n:]
		switch {
		case r < utf8.RuneSelf && r != 0x7f:
			out = append(out, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}
