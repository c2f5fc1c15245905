package language

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// editor is a session with a real server, one message after the other.
type editor struct {
	t  *testing.T
	in io.Writer
	r  *bufio.Reader
	n  int
}

func (e *editor) send(method string, params any, id any) {
	e.t.Helper()
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if id == nil {
		raw, err = json.Marshal(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
	}
	if err != nil {
		e.t.Fatal(err)
	}
	if _, err := io.WriteString(e.in, framed(string(raw))); err != nil {
		e.t.Fatal(err)
	}
}

// until reads messages up to one with a text in it.
func (e *editor) until(text string) string {
	e.t.Helper()
	for {
		m, err := readFrame(e.r)
		if err != nil {
			e.t.Fatalf("no %s: %v", text, err)
		}
		if strings.Contains(string(m), text) {
			return string(m)
		}
	}
}

func (e *editor) ask(method string, params any) string {
	e.t.Helper()
	e.n++
	e.send(method, params, e.n)
	return e.until(fmt.Sprintf(`"id":%d,`, e.n))
}

// A session from opening to a preview's worth of answers: every new request through
// the real program, and what the target of the settings leaves out when it rests.
func TestEditorAnswers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "far.holo"), []byte("object \"Faraway\" { }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	root := "file://" + filepath.ToSlash(dir)
	typed, in := io.Pipe()
	shown, out := io.Pipe()
	p := &session.Session{In: typed, Out: out, Err: io.Discard}
	ended := make(chan error, 1)
	go func() {
		ended <- serveEditor(t.Context(), p)
		_ = out.Close()
	}()
	e := &editor{t: t, in: in, r: bufio.NewReader(shown)}
	hello := e.ask("initialize", map[string]any{"rootUri": root, "initializationOptions": map[string]any{"target": "gltf"},
		"capabilities": map[string]any{"workspace": map[string]any{"inlayHint": map[string]any{"refreshSupport": true}}}})
	for _, able := range []string{"signatureHelpProvider", "documentHighlightProvider", "workspaceSymbolProvider", "documentRangeFormattingProvider", "colorProvider", "inlayHintProvider"} {
		if !strings.Contains(hello, able) {
			t.Errorf("no %s", able)
		}
	}
	const text = "object \"Lamp\" @glowing(color: \"red\") {\n geometry: \"sphere\"\n on_click() { emit \"lit\"\n clamp(1, 2 } }\nlight Sun { type: point }\n"
	doc := map[string]any{"uri": root + "/a.holo"}
	e.send("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": root + "/a.holo", "languageId": "holo", "version": 1, "text": text}}, nil)
	e.until("publishDiagnostics")
	at := func(line, character int) map[string]any {
		return map[string]any{"textDocument": doc, "position": map[string]any{"line": line, "character": character}}
	}
	rows := map[string]any{"start": map[string]any{"line": 1, "character": 0}, "end": map[string]any{"line": 1, "character": 9}}
	for _, row := range []struct {
		method string
		params any
		want   string
	}{
		{"textDocument/signatureHelp", at(3, 11), `clamp(value: number, low: number, high: number): number`},
		{"textDocument/documentHighlight", at(0, 16), `"kind":1`},
		{"workspace/symbol", map[string]any{"query": "fara"}, `far.holo`},
		{"textDocument/documentColor", map[string]any{"textDocument": doc}, `"red":1`},
		{"textDocument/colorPresentation", map[string]any{"textDocument": doc, "color": map[string]any{"red": 0, "green": 0, "blue": 1, "alpha": 1}, "range": rows}, `"#0000ff"`},
		{"textDocument/completion", at(2, 20), `"lit"`},
	} {
		if got := e.ask(row.method, row.params); !strings.Contains(got, row.want) {
			t.Errorf("%s: %s", row.method, got)
		}
	}
	// The source is made whole; then the target has losses.
	whole := strings.Replace(text, "clamp(1, 2 } }", "clamp(1, 2, 3) } }", 1)
	e.send("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": root + "/a.holo", "version": 2}, "contentChanges": []any{map[string]any{"text": whole}}}, nil)
	e.until("workspace/inlayHint/refresh")
	got := e.ask("textDocument/inlayHint", map[string]any{"textDocument": doc, "range": map[string]any{"start": map[string]any{"line": 0, "character": 0}, "end": map[string]any{"line": 9, "character": 0}}})
	if !strings.Contains(got, "gltf leaves out events, behaviour") || !strings.Contains(got, `"line":0,"character":38`) {
		t.Errorf("losses: %s", got)
	}
	if got := e.ask("textDocument/rangeFormatting", map[string]any{"textDocument": doc, "range": rows}); !strings.Contains(got, `"newText":"  geometry: \"sphere\"`) {
		t.Errorf("a line: %s", got)
	}
	e.send("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"meshd": map[string]any{"target": "gtlf"}}}, nil)
	e.until("Did you mean 'gltf'?")
	e.ask("shutdown", nil)
	e.send("exit", nil, nil)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// What building a document finds is published when the editor rests, and before the
// server ends when the editor goes; both are what a check of the file finds.
func TestEditorBuilds(t *testing.T) {
	t.Parallel()
	const text = "object \"Post\" {\n geometry: \"box\"\n rougness: 0.4\n on_start { let m = new Widget() log m }\n}\nconst spare = 3\n"
	begin := func(e *editor) {
		e.ask("initialize", map[string]any{"capabilities": map[string]any{}})
		e.send("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": "x:a.holo", "languageId": "holo", "version": 1, "text": text}}, nil)
	}
	want := func(message string) {
		t.Helper()
		for _, code := range []string{"BLK002", "FLO012", "LNT015"} {
			if strings.Count(message, code) != 1 {
				t.Errorf("no %s, or twice: %s", code, message)
			}
		}
	}
	for _, leaves := range []bool{false, true} {
		typed, in := io.Pipe()
		shown, out := io.Pipe()
		p := &session.Session{In: typed, Out: out, Err: io.Discard}
		ended := make(chan error, 1)
		go func() {
			ended <- serveEditor(t.Context(), p)
			_ = out.Close()
		}()
		e := &editor{t: t, in: in, r: bufio.NewReader(shown)}
		begin(e)
		e.until("publishDiagnostics")
		if leaves {
			_ = in.Close()
		}
		want(e.until("LNT015"))
		if !leaves {
			got := e.ask("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": "x:a.holo"}, "range": map[string]any{"start": map[string]any{"line": 2, "character": 1}, "end": map[string]any{"line": 2, "character": 2}}})
			if !strings.Contains(got, "Replace with 'roughness'") {
				t.Errorf("no fix: %s", got)
			}
			_ = in.Close()
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
