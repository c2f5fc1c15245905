package parse

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// sample is a source that parses without an error.
type sample struct{ path, text string }

// samples are the examples, the sources of the specification and the rows of
// the tolerance table.
func samples(tb testing.TB) []sample {
	tb.Helper()
	var out []sample
	for _, pattern := range []string{"../../examples/*", "testdata/spec/*"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			tb.Fatalf("no files match %s: %v", pattern, err)
		}
		for _, f := range files {
			if _, ok := ast.FormatOf(f); !ok || strings.Contains(f, "_broken") {
				continue
			}
			raw, err := os.ReadFile(f)
			if err != nil {
				tb.Fatal(err)
			}
			out = append(out, sample{filepath.Base(f), string(raw)})
		}
	}
	rules := tolerated(tb)
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		for _, text := range rules[rule] {
			out = append(out, sample{rule + ".holo", text})
		}
	}
	return out
}

// parseText parses without the net that catches faults.
func parseText(path, text string) (*ast.File, []diag.Diagnostic) {
	format, ok := ast.FormatOf(path)
	if !ok {
		format = ast.GuessFormat(text)
	}
	return parseSource(token.Decode(path, []byte(text)), format)
}

func errorsOf(found []diag.Diagnostic) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, d := range found {
		if d.Severity == diag.Error {
			out = append(out, d)
		}
	}
	return out
}

// checkTree checks what is true for every tree.
func checkTree(tb testing.TB, f *ast.File, found []diag.Diagnostic) {
	tb.Helper()
	checkTrivia(tb, f)
	checkSpans(tb, f, f)
	checkComments(tb, f)
	lines := map[int]bool{}
	failures := errorsOf(found)
	for _, d := range failures {
		if d.Offset < 0 || d.EndOffset < d.Offset || d.EndOffset > len(f.Text()) {
			tb.Fatalf("diagnostic outside of the text: %+v", d)
		}
		if d.Code != diag.LIM009 && lines[d.Line] {
			tb.Fatalf("two errors on line %d", d.Line)
		}
		lines[d.Line] = true
	}
	if len(failures) > diag.MaxErrors+1 {
		tb.Fatalf("%d errors", len(failures))
	}
	if len(failures) == 0 && f.HasError() {
		tb.Fatalf("damage without a diagnostic:\n%s", f.Text())
	}
	bad := false
	ast.Walk(f, func(n ast.Node) bool {
		bad = bad || n.Kind() == ast.KindBad
		return true
	})
	if bad && !f.HasError() {
		tb.Fatal("a Bad node without HasError")
	}
}

// checkTrivia proves that tokens, comments and white space are the source.
func checkTrivia(tb testing.TB, f *ast.File) {
	tb.Helper()
	text := f.Text()
	at, c := uint32(0), 0
	gap := func(to uint32) {
		white := strings.TrimPrefix(text[at:to], "\uFEFF")
		if strings.Trim(white, " \t\r\n") != "" {
			tb.Fatalf("text between tokens: %q", white)
		}
	}
	comments := f.Stream.Comments
	for _, t := range f.Stream.Tokens {
		for c < len(comments) && comments[c].Start < t.Start {
			gap(comments[c].Start)
			at = comments[c].End
			c++
		}
		if t.Start < at || t.End < t.Start {
			tb.Fatalf("token %d-%d overlaps what ends at %d", t.Start, t.End, at)
		}
		gap(t.Start)
		at = t.End
	}
	for ; c < len(comments); c++ {
		gap(comments[c].Start)
		at = comments[c].End
	}
	gap(uint32(len(text)))
	if last := f.Stream.Tokens[len(f.Stream.Tokens)-1]; last.Kind != token.EOF {
		tb.Fatal("no EOF")
	}
}

// checkSpans proves that children lie inside their parents and do not overlap.
func checkSpans(tb testing.TB, f *ast.File, n ast.Node) {
	tb.Helper()
	s := n.Span()
	if s.End < s.Start || int(s.End) > len(f.Text()) {
		tb.Fatalf("%s at %d-%d", n.Kind(), s.Start, s.End)
	}
	var spans []token.Span
	ast.Children(n, func(c ast.Node) {
		cs := c.Span()
		if cs.Start < s.Start || cs.End > s.End {
			tb.Fatalf("%s %d-%d reaches out of %s %d-%d\n%s", c.Kind(), cs.Start, cs.End, n.Kind(), s.Start, s.End, f.Text())
		}
		spans = append(spans, cs)
		checkSpans(tb, f, c)
	})
	// A configuration in parentheses shares them with the positional arguments.
	if n.Kind() == ast.KindAttribute {
		return
	}
	for i := range spans {
		for j := range spans[:i] {
			if len(spans) < 200 && spans[i].Start < spans[j].End && spans[j].Start < spans[i].End {
				tb.Fatalf("children of %s overlap\n%s", n.Kind(), f.Text())
			}
		}
	}
}

// checkComments proves that every comment hangs on exactly one node.
func checkComments(tb testing.TB, f *ast.File) {
	tb.Helper()
	seen := map[uint32]int{}
	note := func(n ast.Node) {
		if c := f.Comments(n); c != nil {
			for _, list := range [][]token.Comment{c.Leading, c.Trailing, c.Inner} {
				for _, one := range list {
					seen[one.Start]++
				}
			}
		}
	}
	note(&f.Body)
	ast.Walk(f, func(n ast.Node) bool {
		note(n)
		switch n := n.(type) {
		case *ast.Switch:
			note(&n.Body)
		case *ast.Match:
			note(&n.Body)
		}
		return true
	})
	for _, c := range f.Stream.Comments {
		if seen[c.Start] != 1 {
			tb.Fatalf("comment %q hangs on %d nodes\n%s", f.Text()[c.Start:c.End], seen[c.Start], f.Text())
		}
	}
}
