package artefact

import (
	"encoding/json"
	"fmt"

	"github.com/meshd/meshd/lang/run"
)

// Program is the behaviour of the scene as program/1, for artefacts that bring
// an interpreter; nil when nothing would ever run.
func Program(in *Input) (json.RawMessage, error) {
	c, err := run.Compile(in.Scene, in.Files, false)
	if err != nil {
		return nil, fmt.Errorf("compile behaviour: %w", err)
	}
	if c.Program.Empty() {
		return nil, nil
	}
	return c.Program.Encode()
}
