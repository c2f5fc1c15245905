package lsp

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/scene"
)

// hints are the hints of a document as line:character label.
func hints(c *client, name string) string {
	c.t.Helper()
	var got []inlayHint
	if fault := c.ask("textDocument/inlayHint", map[string]any{"textDocument": map[string]any{"uri": base + name}, "range": lines(0, 99)}, &got); fault != "" || got == nil {
		c.t.Fatal(fault)
	}
	var out []string
	for _, h := range got {
		out = append(out, fmt.Sprintf("%d:%d %s", h.Position.Line, h.Position.Character, h.Label))
	}
	return strings.Join(out, "; ")
}

func TestArgumentHints(t *testing.T) {
	t.Parallel()
	c := dial(t, files)
	c.open("a.holo", "object \"é\" @image(\"a.png\") @glowing(color: red) {\n  @alt_text(\"a lamp\")\n  @if(x) { a: 1 }\n  @nosuch(1)\n}\n")
	if got, want := hints(c, "a.holo"), "0:18 src:; 1:12 text:"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var got []inlayHint
	c.ask("textDocument/inlayHint", map[string]any{"textDocument": map[string]any{"uri": base + "a.holo"}, "range": lines(1, 1)}, &got)
	if len(got) != 1 || got[0].Kind != hintParameter || !got[0].PaddingRight {
		t.Errorf("of one line: %+v", got)
	}
}

// What the target leaves out is asked for at rest, stays with its line while somebody
// types, and goes with the target.
func TestLossHints(t *testing.T) {
	t.Parallel()
	root := module.Memory{"lamp.holo": []byte("template \"Lamp\" { }\n")}
	var asked []Compiling
	c := &client{t: t, found: map[string][]diagnostic{}}
	c.s = New(Config{Open: func(string) (fs.FS, error) { return root, nil }, Losses: func(source Compiling) ([]scene.Loss, error) {
		asked = append(asked, source)
		if source.Target == "nowhere" {
			return nil, errors.New("there is no target nowhere")
		}
		node := scene.LossNode{File: source.Name, Line: 1 + strings.Count(source.Text[:strings.Index(source.Text, "object")], "\n")}
		return []scene.Loss{
			{Code: "TGT002", Target: source.Target, Feature: "audio", Reason: "no sound", Nodes: []scene.LossNode{node, {File: "lamp.holo", Line: 1}, {File: source.Name, Line: 999}}},
			{Code: "TGT002", Target: source.Target, Feature: "traits", Trait: "weather", Reason: "data", Nodes: []scene.LossNode{node, node}},
			{Code: "TGT003", Target: source.Target, Feature: "fog", Reason: "no curve", Nodes: []scene.LossNode{node}},
		}, nil
	}})
	c.ask("initialize", map[string]any{"rootUri": "file:///home/ada", "capabilities": map[string]any{"workspace": map[string]any{"inlayHint": map[string]any{"refreshSupport": true}}}}, nil)
	c.open("a.holo", "// one\nobject \"A\" { }  \n// two\n")
	if c.s.Idle() || len(asked) > 0 {
		t.Fatal("a document is compiled though no target is chosen")
	}
	c.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"meshd": map[string]any{"target": "unity"}}})
	if !c.s.Idle() || hints(c, "a.holo") != "" || len(asked) > 0 {
		t.Fatal("a question compiles")
	}
	c.others = nil
	c.take(c.s.Rest())
	if c.s.Idle() || len(asked) != 1 || asked[0].Name != "a.holo" || !strings.HasPrefix(strings.Join(c.others, " "), "workspace/inlayHint/refresh") {
		t.Fatalf("%v, %v", asked, c.others)
	}
	if text, err := fs.ReadFile(asked[0].Root, "lamp.holo"); err != nil || !strings.Contains(string(text), "Lamp") {
		t.Errorf("its modules: %s %v", text, err)
	}
	const says = " unity leaves out audio, @weather, approximates fog"
	if got := hints(c, "a.holo"); got != "1:14"+says {
		t.Errorf("%s", got)
	}
	edit := func(version, line, from, to int, text string) {
		c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": base + "a.holo", "version": version},
			"contentChanges": []any{map[string]any{"range": map[string]any{"start": map[string]any{"line": line, "character": from}, "end": map[string]any{"line": line, "character": to}}, "text": text}}})
	}
	edit(2, 0, 0, 0, "\n\n")
	if got := hints(c, "a.holo"); got != "3:14"+says || len(asked) != 1 {
		t.Errorf("behind two lines: %s", got)
	}
	edit(3, 5, 0, 0, "x")
	if got := hints(c, "a.holo"); got != "" && got != "3:14"+says || len(asked) != 1 {
		t.Errorf("behind two edits: %s", got)
	}
	c.others = nil
	c.take(c.s.Rest())
	if got := hints(c, "a.holo"); got != "3:14"+says || len(asked) != 2 || c.s.Idle() {
		t.Errorf("after a rest: %s", got)
	}
	c.open("lamp.holo", "template \"Lamp\" { x: 1 }\n")
	if !c.s.Idle() {
		t.Error("what a document imports has changed, and it is not compiled again")
	}
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": base + "lamp.holo"}})
	for c.s.Idle() {
		c.take(c.s.Rest())
	}
	c.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"target": "nowhere"}})
	c.others = nil
	c.take(c.s.Rest())
	if got := hints(c, "a.holo"); got != "" || !strings.Contains(strings.Join(c.others, " "), "no target nowhere") {
		t.Errorf("an unknown target: %q %v", got, c.others)
	}
	c.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"target": ""}})
	if c.s.Idle() {
		t.Error("without a target there is something to compile")
	}
}

// The server declares what it answers, and answers what it declares.
func TestCapabilities(t *testing.T) {
	t.Parallel()
	declares := map[string]string{
		"textDocument/completion": "completionProvider", "textDocument/hover": "hoverProvider", "textDocument/signatureHelp": "signatureHelpProvider",
		"textDocument/definition": "definitionProvider", "textDocument/references": "referencesProvider", "textDocument/documentHighlight": "documentHighlightProvider",
		"textDocument/prepareRename": "renameProvider", "textDocument/rename": "renameProvider", "textDocument/formatting": "documentFormattingProvider",
		"textDocument/rangeFormatting": "documentRangeFormattingProvider", "textDocument/codeAction": "codeActionProvider", "textDocument/documentSymbol": "documentSymbolProvider",
		"textDocument/foldingRange": "foldingRangeProvider", "textDocument/semanticTokens/full": "semanticTokensProvider", "textDocument/documentColor": "colorProvider",
		"textDocument/colorPresentation": "colorProvider", "textDocument/inlayHint": "inlayHintProvider",
	}
	c := &client{t: t, s: New(Config{}), found: map[string][]diagnostic{}}
	var r struct{ Capabilities map[string]any }
	c.ask("initialize", map[string]any{}, &r)
	able := map[string]bool{"positionEncoding": true, "textDocumentSync": true, "experimental": true, "workspaceSymbolProvider": true}
	for method := range answers {
		if declares[method] == "" || r.Capabilities[declares[method]] == nil {
			t.Errorf("%s is answered and not declared", method)
		}
		able[declares[method]] = true
	}
	for name := range r.Capabilities {
		if !able[name] {
			t.Errorf("%s is declared and not answered", name)
		}
	}
	if r.Capabilities["workspaceSymbolProvider"] != true {
		t.Error("symbols of the workspace are not declared")
	}
}
