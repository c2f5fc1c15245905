package check

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/parse"
)

// project opens a folder of the tree as a project.
func project(tb testing.TB, dir string) *module.Project {
	tb.Helper()
	p, found, err := module.Open(os.DirFS(dir))
	if err != nil || len(found) > 0 {
		tb.Fatalf("open %s: %v %v", dir, err, found)
	}
	return p
}

// judgeText parses and judges a text without the net that catches faults.
func judgeText(tb testing.TB, p *module.Project, path, text string) *Result {
	tb.Helper()
	format, ok := ast.FormatOf(path)
	if !ok {
		tb.Fatalf("%s has no format", path)
	}
	f, found := parse.File(path, []byte(text), format)
	return run(f, found, Options{Project: p})
}

// Every example is clean: no error and no warning.
func TestExamplesAreClean(t *testing.T) {
	t.Parallel()
	dir := "../../examples"
	files, err := filepath.Glob(dir + "/*.h*")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples")
	}
	p := project(t, dir)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range judgeText(t, p, filepath.Base(file), string(raw)).Diagnostics {
			if d.Severity <= diag.Warning {
				t.Errorf("%v", d)
			} else {
				t.Logf("%v", d)
			}
		}
	}
}

// A test at the top of a file sees what its compositions share, and a slip in it
// is still a slip.
func TestTestsSeeTheScene(t *testing.T) {
	t.Parallel()
	const scene = "composition \"A\" { state { lit: false } computed { dark: !state.lit } function light() { state.lit = true } }\n"
	for text, want := range map[string]string{
		"@test { name: \"a\" setup: { light() } assert: { !dark state.lit !state.lit } }":                         "",
		"@test { name: \"a\" setup: { ligth() } assert: { state.lit } }":                                          "NAM005",
		"@test { name: \"a\" setup: { light() } assert: { state.ltt } }":                                          "NAM007",
		"composition \"B\" { state { b: 1 } }\n@test { name: \"b\" setup: { light() } assert: { state.b == 1 } }": "",
	} {
		tree, found := parse.File("main.holo", []byte(scene+text), ast.Holo)
		got := ""
		for _, d := range run(tree, found, Options{}).Diagnostics {
			if d.Severity <= diag.Warning {
				got += string(d.Code)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
