package target

import (
	"errors"
	"slices"
	"strings"
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

// TestTooMuchCodeIsAFault: behaviour larger than an interpreter takes is a fault of
// the source with each target that carries it, never an error of the compiler.
func TestTooMuchCodeIsAFault(t *testing.T) {
	source := `state { n: 0 } @for i in 0..3000 { object "a" { geometry: "box" on_click: { ` + strings.Repeat("state.n = state.n + 1; ", 1000) + "} } }"
	src := Load(nil, "main.holo", []byte(source), ast.Holo)
	for _, id := range []string{"godot", "html", "unity"} {
		_, err := Compile(src, onServer(id))
		var bad *SourceError
		if !errors.As(err, &bad) || !slices.ContainsFunc(bad.All, func(d diag.Diagnostic) bool { return d.Code == "TGT005" }) {
			t.Errorf("%s: %v", id, err)
		}
	}
}
