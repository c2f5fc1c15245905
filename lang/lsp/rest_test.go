package lsp

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
)

// judging is a client whose server builds: every word "lost" of a text is a finding.
func judging(t *testing.T, fails func() error) (*client, *int) {
	asked := 0
	c := &client{t: t, found: map[string][]diagnostic{}}
	c.s = New(Config{Open: func(string) (fs.FS, error) { return module.Memory{}, nil }, Judge: func(j Judging) ([]diag.Diagnostic, error) {
		asked++
		if err := fails(); err != nil {
			return nil, err
		}
		if j.Project == nil {
			t.Error("a document below the root is judged without its project")
		}
		out := append([]diag.Diagnostic{{Code: "BLK011", File: "other.holo", Offset: 1, EndOffset: 2}}, j.Checked.Diagnostics...)
		text := j.File.Text()
		for at := 0; ; {
			i := strings.Index(text[at:], "lost")
			if i < 0 {
				return out, nil
			}
			out = append(out, diag.Diagnostic{Code: "BLK011", Severity: diag.Info, Message: "lost", File: j.File.Path(), Offset: at + i, EndOffset: at + i + 4})
			at += i + 4
		}
	}})
	c.ask("initialize", map[string]any{"rootUri": "file:///home/ada", "capabilities": map[string]any{}}, nil)
	return c, &asked
}

// built are the places of what building found, as the client sees them.
func built(c *client) (out []position) {
	for _, d := range c.found[base+"a.holo"] {
		if d.Code == "BLK011" {
			out = append(out, d.Range.Start)
		}
	}
	return out
}

// What building finds is shown when the client rests, moves with the text, goes with what
// was there, and is asked for once a text.
func TestBuildingIsJudged(t *testing.T) {
	t.Parallel()
	c, asked := judging(t, func() error { return nil })
	c.open("a.holo", "// lost\nobject \"A\" { nmae: 1 }\n// lost\n")
	if len(built(c)) != 0 || !c.s.Idle() || *asked != 0 {
		t.Fatal("opening a document builds it")
	}
	c.take(c.s.Rest())
	if got := built(c); len(got) != 2 || got[0] != (position{0, 3}) || got[1] != (position{2, 3}) || *asked != 1 || c.s.Idle() {
		t.Fatalf("after a rest: %v", got)
	}
	edit := func(version, line, from, to int, text string) {
		c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": base + "a.holo", "version": version},
			"contentChanges": []any{map[string]any{"range": map[string]any{"start": map[string]any{"line": line, "character": from}, "end": map[string]any{"line": line, "character": to}}, "text": text}}})
	}
	edit(2, 1, 0, 0, "\n\n")
	if got := built(c); len(got) != 2 || got[0] != (position{0, 3}) || got[1] != (position{4, 3}) || *asked != 1 {
		t.Fatalf("behind two lines: %v, asked %d", got, *asked)
	}
	edit(3, 0, 4, 5, "a")
	if got := built(c); len(got) != 0 && len(got) != 1 || *asked != 1 {
		t.Fatalf("one is written over: %v", got)
	}
	c.take(c.s.Rest())
	if got := built(c); len(got) != 1 || got[0] != (position{4, 3}) || *asked != 2 {
		t.Fatalf("after another rest: %v", got)
	}
	if c.s.Idle() || c.s.Rest() != nil || *asked != 2 {
		t.Error("a document is built again though nothing has changed")
	}
}

// A message that waits ends the work, which is done at the next rest; what takes too long
// is said and not tried again.
func TestBuildingGivesWay(t *testing.T) {
	t.Parallel()
	fault := ErrWaits
	c, asked := judging(t, func() error { return fault })
	c.open("a.holo", "// lost\n")
	c.take(c.s.Rest())
	if !c.s.Idle() || len(built(c)) != 0 || *asked != 1 {
		t.Fatal("an end before time counts")
	}
	fault = nil
	c.take(c.s.Rest())
	if c.s.Idle() || len(built(c)) != 1 || *asked != 2 {
		t.Fatal("what gave way is not done later")
	}
	fault = errors.New("a.holo takes longer than 2s")
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": base + "a.holo", "version": 2}, "contentChanges": []any{map[string]any{"text": "// lost lost\n"}}})
	c.take(c.s.Rest())
	if c.s.Idle() || !strings.Contains(strings.Join(c.others, " "), "takes longer") {
		t.Errorf("%v", c.others)
	}
}
