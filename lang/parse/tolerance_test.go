package parse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/meshd/meshd/lang/ast"
)

// tolerated are the rows of testdata/tolerance.txtar by rule, and those whose
// bytes a text file cannot show.
func tolerated(tb testing.TB) map[string][]string {
	tb.Helper()
	archive, err := txtar.ParseFile("testdata/tolerance.txtar")
	if err != nil {
		tb.Fatal(err)
	}
	rules := map[string][]string{
		"T39": {
			"\ufeffobject \"A\" { x: 1 }",
			"object \"A\" {\r\n  x: 1\r\n  y: 2\r\n}\r\n",
			"object \"A\" {\r  x: 1\r}\r",
			"\xff\xfeo\x00r\x00b\x00 \x00{\x00}\x00",
			"\xfe\xff\x00o\x00r\x00b\x00 \x00{\x00}",
		},
	}
	for _, f := range archive.Files {
		rule, _, _ := strings.Cut(f.Name, "/")
		rules[rule] = append(rules[rule], string(f.Data))
	}
	return rules
}

// Each rule applies in every format: the extension selects no other parser.
func TestToleratedSourcesParse(t *testing.T) {
	t.Parallel()
	rules := tolerated(t)
	for n := 1; n <= 62; n++ {
		rule := fmt.Sprintf("T%02d", n)
		if len(rules[rule]) < 3 {
			t.Errorf("%s has %d sources, want 3", rule, len(rules[rule]))
		}
	}
	for rule, sources := range rules {
		for _, text := range sources {
			for _, format := range []ast.Format{ast.Holo, ast.HS, ast.HSPlus} {
				f, found := parseText("main."+format.String(), text)
				checkTree(t, f, found)
				for _, d := range errorsOf(found) {
					t.Errorf("%s %q: %v", rule, text, d)
				}
			}
		}
	}
}
