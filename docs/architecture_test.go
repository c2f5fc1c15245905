package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestArchitectureNamesWhatIsThere looks for every function that the page names in the
// package that it names, and counts the steps of each way.
func TestArchitectureNamesWhatIsThere(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:cmd|gateway|node|p2p|crdt|lang|identity)(?:/[a-z0-9]+)*)\\.([A-Z]\\w*)(?:\\.(\\w+))?`")
	ways := 0
	for _, part := range strings.Split(string(raw), "\n## The way")[1:] {
		ways++
		steps := regexp.MustCompile(`(?m)^\d+\. `).FindAllString(part, -1)
		if len(steps) == 0 || len(steps) > 9 {
			t.Errorf("The way%s has %d steps, of at most nine", strings.SplitN(part, "\n", 2)[0], len(steps))
		}
		for _, line := range strings.Split(part, "\n") {
			if regexp.MustCompile(`^\d+\. `).MatchString(line) && !named.MatchString(line) {
				t.Errorf("%q names no function", line)
			}
		}
	}
	if ways != 4 {
		t.Errorf("%d ways, want those of a contribution, a peer's change, a compile and a claim", ways)
	}
	for _, m := range named.FindAllStringSubmatch(string(raw), -1) {
		receiver, name := m[2], m[3]
		if name == "" {
			receiver, name = "", m[2]
		}
		if !declares(t, m[1], receiver, name) {
			t.Errorf("%s is not there", m[0])
		}
	}
}

// declares reports whether a package has a function, or a method of a type.
func declares(t *testing.T, pkg, receiver, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(pkg), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Name.Name != name || (fn.Recv == nil) != (receiver == "") {
				continue
			}
			if receiver == "" {
				return true
			}
			of := fn.Recv.List[0].Type
			if p, ok := of.(*ast.StarExpr); ok {
				of = p.X
			}
			if id, ok := of.(*ast.Ident); ok && id.Name == receiver {
				return true
			}
		}
	}
	return false
}
