package target

import (
	"errors"
	"slices"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/target/artefact"
)

// TestFaultOfAWriter: a fault of our own is INT001 and names the stage.
func TestFaultOfAWriter(t *testing.T) {
	html, _ := Find("html")
	broken := *html
	broken.emit = func(*artefact.Input) (*artefact.Output, error) { panic("out of luck") }
	c := &compile{source: Load(nil, "main.holo", []byte(`object "A" { }`), ast.Holo), target: &broken}
	_, err := c.run(Request{})
	var bad *SourceError
	if !errors.As(err, &bad) || !slices.ContainsFunc(bad.All, func(d diag.Diagnostic) bool {
		return d.Code == diag.INT001 && d.Message == "Internal fault while writing html (out of luck); please report it."
	}) {
		t.Errorf("%v", err)
	}
}
