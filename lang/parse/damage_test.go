package parse

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
)

// mutations calls try for variants of a text: each token left out, doubled, or
// replaced by another token of the text, and the text cut behind it.
func mutations(f *ast.File, seed uint64, try func(string)) {
	text := f.Text()
	toks := f.Stream.Tokens
	random := rand.New(rand.NewPCG(seed, 1))
	for i, t := range toks[:len(toks)-1] {
		before, token, after := text[:t.Start], text[t.Start:t.End], text[t.End:]
		try(before + after)
		try(before + token + " " + token + after)
		try(before + token)
		other := f.Stream.Text(random.IntN(len(toks) - 1))
		try(before + other + after)
		if i%3 == 0 {
			try(before + []string{"{", "}", "(", ")", "[", "]", "`", "\"", "${", "/*", "@", "#", "~", "\\"}[random.IntN(14)] + after)
		}
	}
}

func TestDamagedSourcesKeepTheShapeOfTrees(t *testing.T) {
	t.Parallel()
	for i, s := range samples(t) {
		f, _ := parseText(s.path, s.text)
		if len(f.Stream.Tokens) > 250 {
			continue
		}
		mutations(f, uint64(i), func(text string) {
			g, found := parseText(s.path, text)
			checkTree(t, g, found)
		})
	}
}

// What is whole outside of a damage is still found.
func TestDamageStaysLocal(t *testing.T) {
	t.Parallel()
	cases := []struct {
		text string
		want []string // names of the blocks that must be found
	}{
		{"object \"A\" { x: 1 + }\nobject \"B\" { }", []string{"A", "B"}},
		{"object \"A\" { x: ] }\nobject \"B\" { y: 2 }", []string{"A", "B"}},
		{"object \"A\" {\n  foo(\n  x: 2\n}\nobject \"B\" { }", []string{"A", "B"}},
		{"object \"A\" {\n  object \"C\" { x: = 3\n  y: 2 }\n  object \"D\" { }\n}", []string{"A", "C", "D"}},
		{"object \"A\" {\n  text: \"never closed\n  object \"C\" { }\n}\nobject \"B\" { }", []string{"A", "C", "B"}},
		{"connect a ->\nobject \"B\" { }", []string{"B"}},
		{"on_x { if a > 3:\n  go()\n}\nobject \"B\" { }", []string{"B"}},
		{"object \"A\" {\n  switch (x) { case 1: go( }\n}\nobject \"B\" { }", []string{"A", "B"}},
	}
	for _, c := range cases {
		f, found := parseText("main.holo", c.text)
		checkTree(t, f, found)
		if len(errorsOf(found)) == 0 {
			t.Errorf("%q: no error", c.text)
		}
		var names []string
		ast.Walk(f, func(n ast.Node) bool {
			if b, ok := n.(*ast.Block); ok {
				names = append(names, b.NameText())
			}
			return true
		})
		if got, want := strings.Join(names, " "), strings.Join(c.want, " "); got != want {
			t.Errorf("%q: blocks %q, want %q\n%v", c.text, got, want, found)
		}
	}
}
