package check

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
)

// sound checks what is true for every result.
func sound(tb testing.TB, text string, r *Result) {
	tb.Helper()
	lines := map[int]bool{}
	last := 0
	for _, d := range r.Diagnostics {
		if d.Offset < 0 || d.EndOffset < d.Offset || d.EndOffset > len(text) || d.Offset < last && d.Code != diag.LIM009 {
			tb.Fatalf("%q: misplaced %v at %d-%d behind %d", text, d, d.Offset, d.EndOffset, last)
		}
		last = d.Offset
		if d.Message == "" {
			tb.Fatalf("%q: %s without a message", text, d.Code)
		}
		if d.Severity == diag.Error && d.Code != diag.LIM009 {
			if lines[d.Line] {
				tb.Fatalf("%q: two errors on line %d", text, d.Line)
			}
			lines[d.Line] = true
		}
		for _, f := range d.Fixes {
			if f.Apply(d.File, text) == text {
				tb.Fatalf("%q: fix %q of %v changes nothing", text, f.Title, d)
			}
		}
	}
	for _, s := range r.References {
		if s.Symbol == nil || int(s.At.End) > len(text) || s.At.End < s.At.Start {
			tb.Fatalf("%q: reference at %v", text, s.At)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, c := range diagnosed[:40] {
		f.Add(c.text, uint8(0))
	}
	files, err := filepath.Glob("../../examples/*.h*")
	if err != nil || len(files) == 0 {
		f.Fatal("no examples")
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		format, _ := ast.FormatOf(file)
		f.Add(string(raw), uint8(format))
	}
	f.Fuzz(func(t *testing.T, text string, format uint8) {
		if len(text) > 20_000 {
			return
		}
		tree, found := parse.File("main.holo", []byte(text), ast.Format(format%3))
		sound(t, tree.Text(), run(tree, found, Options{}))
	})
}

// Examples with a token left out, doubled or replaced are judged without a
// fault, and every fix of what is found changes the text.
func TestDamagedSources(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../examples/*.h*")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 7))
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(raw) > longest {
			continue
		}
		format, _ := ast.FormatOf(file)
		whole, _ := parse.File(file, raw, format)
		text, toks := whole.Text(), whole.Stream.Tokens
		for i := 0; i < len(toks)-1; i += 1 + random.IntN(4) {
			k := toks[i]
			other := toks[random.IntN(len(toks)-1)]
			for _, damaged := range []string{
				text[:k.Start] + text[k.End:],
				text[:k.Start] + text[other.Start:other.End] + text[k.End:],
				text[:k.End],
			} {
				tree, found := parse.File("main.x", []byte(damaged), format)
				sound(t, damaged, run(tree, found, Options{}))
			}
		}
	}
}

// The same source gives the same findings, whatever the order of maps.
func TestFindingsAreRepeatable(t *testing.T) {
	t.Parallel()
	for _, c := range diagnosed {
		path := "main." + c.format
		first := inProject(t, path, c.text)
		for range 3 {
			next := inProject(t, path, c.text)
			if len(next.Diagnostics) != len(first.Diagnostics) {
				t.Fatalf("%q: %v and %v", c.text, first.Diagnostics, next.Diagnostics)
			}
			for i := range next.Diagnostics {
				if next.Diagnostics[i].String() != first.Diagnostics[i].String() {
					t.Errorf("%q: %v and %v", c.text, first.Diagnostics[i], next.Diagnostics[i])
				}
			}
		}
	}
}
