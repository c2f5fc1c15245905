package check

import (
	"os"
	"path/filepath"
	"slices"
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

// examples are the sources of the examples, of projects the main file.
func examples(tb testing.TB) []string {
	tb.Helper()
	files, err := filepath.Glob("../../examples/*.h*")
	if err != nil || len(files) == 0 {
		tb.Fatal("no examples")
	}
	projects, err := filepath.Glob("../../examples/*/main.h*")
	if err != nil || len(projects) == 0 {
		tb.Fatal("no project among the examples")
	}
	return append(files, projects...)
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

// noisy are the warnings that belong to an example: it shows what they are about.
var noisy = map[string][]diag.Code{"habits.holo": {"BLK001", "LNT005"}}

// Every example is clean: no error and no warning.
func TestExamplesAreClean(t *testing.T) {
	t.Parallel()
	for _, file := range examples(t) {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p := project(t, filepath.Dir(file))
		for _, d := range judgeText(t, p, filepath.Base(file), string(raw)).Diagnostics {
			if d.Severity <= diag.Warning && !slices.Contains(noisy[filepath.Base(file)], d.Code) {
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

// A definition with a value that is missing is reported by the parser and read
// as far as it goes.
func TestDefinitionWithoutAValue(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"name", "category", "extends", "props", "events"} {
		tree, found := parse.File("main.holo", []byte("@trait { "+key+": , description: \"x\" }"), ast.Holo)
		if r := run(tree, found, Options{}); len(r.Diagnostics) == 0 || r.Diagnostics[0].Code != "SYN008" {
			t.Errorf("%s: %v", key, r.Diagnostics)
		}
	}
}
