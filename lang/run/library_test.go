package run

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/run/table"
)

// TestTheLibraryIsTheTable: every row has a body, and every body a row. That the
// viewer has the same ones is for its compiler to say.
func TestTheLibraryIsTheTable(t *testing.T) {
	for _, o := range table.Operations {
		if !IsLibrary(o.Name) {
			t.Errorf("%s has a row and no body", o.Name)
		}
		if _, ok := numeric[o.Name]; ok != (o.Numbers() > 0) {
			t.Errorf("%s takes %q, and its body does not", o.Name, o.Params)
		}
	}
	if len(library) != len(table.Operations) {
		t.Errorf("%d bodies and %d rows", len(library), len(table.Operations))
	}
}

// TestMethodsAreTheTable: what a kind of value can do is what its row says, in both
// interpreters.
func TestMethodsAreTheTable(t *testing.T) {
	viewer, err := os.ReadFile("../target/html/viewer/src/run/methods.ts")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile(`"([A-Za-z_]+)"`)
	for kind, function := range map[string]string{"list": "listMethod", "object": "objectMethod", "node": "nodeMethod", "string": "textMethod"} {
		names := map[string]bool{}
		for _, m := range table.Methods {
			if m.Of == kind {
				for _, name := range strings.Fields(m.Names) {
					names[name] = true
				}
			}
		}
		m := &Machine{p: &Program{}, turn: 1, budget: 1 << 20}
		for name := range names {
			if kind == "node" || name == "sort" {
				continue
			}
			value := map[string]Value{"list": &List{Items: []Value{1.0}}, "object": NewObject("a", 1.0), "string": "a"}[kind]
			if _, f := m.method(value, name, nil); f != nil && strings.Contains(f.Message, "has no method") {
				t.Errorf("Go: a %s has no method %s", kind, name)
			}
		}
		theirs := map[string]bool{}
		for _, function := range append([]string{function}, map[string][]string{"list": {"changeList"}}[kind]...) {
			_, text, ok := strings.Cut(string(viewer), "\nfunction "+function+"(")
			if !ok {
				t.Fatalf("the viewer has no %s", function)
			}
			text, _, _ = strings.Cut(text, "\n}\n")
			for line := range strings.Lines(text) {
				if !strings.Contains(line, "case ") {
					continue
				}
				for _, word := range regexp.MustCompile(`case "[A-Za-z_]+":`).FindAllString(line, -1) {
					theirs[quoted.FindStringSubmatch(word)[1]] = true
				}
			}
		}
		for name := range names {
			if !theirs[name] {
				t.Errorf("viewer: a %s has no method %s", kind, name)
			}
		}
		for name := range theirs {
			if !names[name] {
				t.Errorf("viewer: the method %s of a %s has no row", name, kind)
			}
		}
	}
}
