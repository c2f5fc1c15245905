package check

import (
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
)

// danglingNames are errors that a row of the tolerance table may have: it is cut
// out of its surroundings, so that what it names is not there.
var danglingNames = map[diag.Code]bool{"NAM004": true, "NAM006": true, "NAM011": true, "FLO003": true, "FLO004": true, "FLO005": true}

// Habits that the parser takes are no errors for the checker.
func TestToleratedSourcesAreNoErrors(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile("../parse/testdata/tolerance.txtar")
	if err != nil || len(archive.Files) < 160 {
		t.Fatal(err, len(archive.Files))
	}
	for _, f := range archive.Files {
		for _, format := range []ast.Format{ast.Holo, ast.HS, ast.HSPlus} {
			tree, found := parse.File("main."+format.String(), f.Data, format)
			r := run(tree, found, Options{})
			sound(t, tree.Text(), r)
			for _, d := range r.Diagnostics {
				if d.Severity == diag.Error && !danglingNames[d.Code] {
					t.Errorf("%s %q: %v", f.Name, f.Data, d)
				}
			}
		}
	}
}

// Components of a vector may have the unit of what they say, in every format.
func TestVectorsHaveUnits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]diag.Code{
		`object "A" { rotation: [0, 22.5°, -90°] position: [10cm, 0, 1m] }`: "",
		`object "A" { rotation: { y: 90deg } }`:                             "",
		`object "A" { position: "0 1.6 -2" scale: "1, 2, 1" }`:              "",
		`object "A" { position: "here" }`:                                   "TYP004",
		`object "A" { rotation: [0, 2m, 0] }`:                               "TYP004",
		`object "A" { position: [0, 90°, 0] }`:                              "TYP004",
	} {
		for _, format := range []ast.Format{ast.Holo, ast.HS, ast.HSPlus} {
			tree, found := parse.File("main."+format.String(), []byte(text), format)
			var got diag.Code
			for _, d := range run(tree, found, Options{}).Diagnostics {
				if got = d.Code; d.Severity != diag.Warning {
					t.Errorf("%s %q: %v", format, text, d)
				}
			}
			if got != want {
				t.Errorf("%s %q: %q, want %q", format, text, got, want)
			}
		}
	}
}

// A pipeline without stages describes something else; one that is empty wants its stages.
func TestPipelinesWithoutStagesDescribeSomething(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		`pipeline "Terrain" { noise { octaves: 6 } seed: 4 }`: 0,
		`pipeline p { enabled: true }`:                        1,
		`pipeline p { }`:                                      1,
	} {
		tree, found := parse.File("main.holo", []byte(text), ast.Holo)
		got := 0
		for _, d := range run(tree, found, Options{}).Diagnostics {
			if d.Code == "FLO003" || d.Code == "FLO004" {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: %d errors of stages, want %d", text, got, want)
		}
	}
}
