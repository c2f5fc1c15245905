package scene

import (
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/trait"
)

// workOf is what building a text counts as work, in units, and the traits of its nodes.
func workOf(t *testing.T, text string) (work, traits int) {
	t.Helper()
	f, found := parse.File("main.holo", []byte(text), ast.Holo)
	if len(found) > 0 {
		t.Fatal(found[0])
	}
	b := newBuilder(f, nil, Options{})
	b.build(f, nil)
	for i := range b.scene.Nodes {
		traits += len(b.scene.Nodes[i].Traits)
	}
	if b.stopped {
		t.Fatal("building ended early")
	}
	return b.work, traits
}

// TestTraitsCostTheirNumber: n traits on one object, one on each of n objects, and those
// of a template with as many of its instance take work as their number does.
func TestTraitsCostTheirNumber(t *testing.T) {
	t.Parallel()
	list := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, of := range map[string]func(n int) string{
		"on one object":        func(n int) string { return "object \"a\" {\n" + list(n, "@t%d(a: 1)\n") + "}" },
		"a list on one object": func(n int) string { return "object \"a\" { traits: [" + list(n, "\"t%d\", ") + "] }" },
		"of many objects":      func(n int) string { return list(n, "object \"a%d\" { @grabbable(a: 1) }\n") },
		"merging ones among others": func(n int) string {
			return "object \"a\" {\n" + list(n-2, "@t%d(a: 1)\n@author(name: \"x\")\n") + "}"
		},
		"of a template": func(n int) string {
			return "template \"T\" {\n" + list(n/2, "@t%d(a: 1)\n") + "}\nobject \"a\" using \"T\" {\n" + list(n/2, "@u%d(a: 1)\n") + "}"
		},
	} {
		few, n := workOf(t, of(trait.MaxUses/4))
		if n < trait.MaxUses/4-2 {
			t.Fatalf("%s: %d traits", name, n)
		}
		many, _ := workOf(t, of(trait.MaxUses))
		if many > 5*few {
			t.Errorf("%s: %d traits are %d units of work, %d are %d", name, trait.MaxUses/4, few, trait.MaxUses, many)
		}
	}
}

// TestLookingUpATrait: the index finds what looking through the traits does.
func TestLookingUpATrait(t *testing.T) {
	t.Parallel()
	d := &decl{}
	for i := range 40 {
		name := fmt.Sprintf("t%d", i%25)
		d.traits = append(d.traits, use{Name: name})
		for k := range 27 {
			want := k
			if k > i || k >= 25 {
				want = -1
			}
			if got := d.traitAt(fmt.Sprintf("t%d", k)); got != want {
				t.Fatalf("of %d traits t%d is at %d, want %d", i+1, k, got, want)
			}
		}
	}
}
