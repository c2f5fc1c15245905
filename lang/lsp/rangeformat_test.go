package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/parse"
)

func lines(first, last int) map[string]any {
	return map[string]any{"start": map[string]any{"line": first, "character": 0}, "end": map[string]any{"line": last + 1, "character": 0}}
}

func TestRangeFormatting(t *testing.T) {
	t.Parallel()
	const text = "object \"A\" @grabbable{ x:1,y:2 }\nobject 'B' {\r\n      color: 'red';\n  # why\n  size:[1,2,\n 3]\n\n\n\n on_click() { log  1 }}\ntemplate \"T\" { }"
	for _, row := range []struct {
		first, last int
		want        string
	}{
		{0, 0, strings.Replace(text, "object \"A\" @grabbable{ x:1,y:2 }\n", "object \"A\" @grabbable {\n  x: 1\n  y: 2\n}\n", 1)},
		{2, 2, strings.Replace(text, "      color: 'red';\n", "  color: \"red\"\n", 1)},
		{2, 3, strings.Replace(text, "      color: 'red';\n  # why\n", "  color: \"red\"\n  // why\n", 1)},
		{4, 4, text}, // half of a list
		{4, 5, strings.Replace(text, "size:[1,2,\n 3]", "size: [1, 2, 3]", 1)},
		{10, 10, strings.Replace(text, "template \"T\" { }", "template \"T\" {}\n", 1)},
		{6, 8, strings.Replace(text, "\n\n\n\n on", "\n\n on", 1)},
		{0, 99, "object \"A\" @grabbable {\n  x: 1\n  y: 2\n}\n\nobject \"B\" {\n  color: \"red\"\n  // why\n  size: [1, 2, 3]\n\n  on_click() {\n    log 1\n  }\n}\n\ntemplate \"T\" {}\n"},
	} {
		c := dial(t, files)
		c.open("a.holo", text)
		var edits []textEdit
		if fault := c.ask("textDocument/rangeFormatting", map[string]any{"textDocument": map[string]any{"uri": base + "a.holo"}, "range": lines(row.first, row.last)}, &edits); fault != "" || edits == nil {
			t.Fatal(fault)
		}
		for _, e := range edits {
			if e.Range.Start.Line < row.first || e.Range.End.Line > row.last+1 {
				t.Errorf("%d to %d: %+v", row.first, row.last, e)
			}
		}
		if got := apply(c, "a.holo", edits); got != row.want {
			t.Errorf("%d to %d:\n%q\nwant\n%q", row.first, row.last, got, row.want)
		}
	}
}

// Of every example, written badly: a range changes its own lines only and no meaning,
// all lines are the whole form, and one item after the other comes to the same.
func TestRangeFormattingOfExamples(t *testing.T) {
	t.Parallel()
	paths, _ := filepath.Glob("../../examples/*.h*")
	if len(paths) == 0 {
		t.Fatal("no examples")
	}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		text := strings.ReplaceAll(strings.ReplaceAll(string(raw), "\n  ", "\n   "), ": ", ":  ")
		c := dial(t, files)
		c.open(name, text)
		whole, ranged := []textEdit{}, []textEdit{}
		ref := map[string]any{"uri": base + name}
		d := c.s.docs[base+name]
		c.ask("textDocument/formatting", map[string]any{"textDocument": ref}, &whole)
		c.ask("textDocument/rangeFormatting", map[string]any{"textDocument": ref, "range": lines(0, len(d.starts))}, &ranged)
		want := apply(c, name, whole)
		if got := apply(c, name, ranged); got != want {
			t.Errorf("%s: all lines are not the whole form", name)
		}
		items := d.parsed().Items()
		for i := len(items) - 1; i >= 0; i-- { // from below, so that places stay
			at := items[i].Span()
			first, last := d.position(int(at.Start)).Line, d.position(int(at.End)).Line
			var edits []textEdit
			c.ask("textDocument/rangeFormatting", map[string]any{"textDocument": ref, "range": lines(first, last)}, &edits)
			for _, e := range edits {
				if e.Range.Start.Line < first || e.Range.End.Line > last+1 {
					t.Fatalf("%s: %d to %d: %+v", name, first, last, e)
				}
			}
			after := apply(c, name, edits)
			f, _ := parse.File(name, []byte(after), d.format)
			if !ast.Equal(f, d.parsed()) {
				t.Fatalf("%s: %d to %d changes the meaning", name, first, last)
			}
			if once := f.Items()[i].Span(); strings.TrimSpace(want) != "" && !strings.Contains(want, after[once.Start:once.End]) {
				t.Errorf("%s: %d to %d: %s", name, first, last, fmt.Sprintf("%.400q", after[once.Start:once.End]))
			}
		}
	}
}
