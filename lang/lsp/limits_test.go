package lsp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/module"
)

// Answers end where they would be of no use any more.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	c := dial(t, files)
	ref := map[string]any{"textDocument": map[string]any{"uri": base + "a.holo"}}
	c.open("a.holo", "object A { colors: ["+strings.Repeat("#fff, ", maxColors+1)+"] }")
	var colors []colorInformation
	if c.ask("textDocument/documentColor", ref, &colors); len(colors) != maxColors {
		t.Errorf("%d colours", len(colors))
	}
	c.open("a.holo", "object A {\n"+strings.Repeat("  @image(\"a\")\n", maxHints+1)+"}")
	var found []inlayHint
	ref["range"] = lines(0, maxHints+9)
	if c.ask("textDocument/inlayHint", ref, &found); len(found) != maxHints {
		t.Errorf("%d hints", len(found))
	}
	var text strings.Builder
	for i := range maxSignatures + 1 {
		fmt.Fprintf(&text, "object \"A%d\" { function go(a) { } }\n", i)
	}
	var help signatureHelp
	if c.ask("textDocument/signatureHelp", c.open("b.hs", text.String()+"execute go(‸)"), &help); len(help.Signatures) != maxSignatures {
		t.Errorf("%d signatures", len(help.Signatures))
	}
	root := module.Memory{}
	size := 1 << 20
	for i := range MaxWorkspaceBytes/size + 2 {
		root[fmt.Sprintf("f%02d.holo", i)] = []byte("/*" + strings.Repeat(" ", size) + "*/ object \"Far\" { }")
	}
	c = dial(t, root)
	c.ask("workspace/symbol", map[string]any{"query": "far"}, nil)
	if len(c.s.closed) != MaxWorkspaceBytes/size || len(c.others) != 1 {
		t.Errorf("%d files are read: %v", len(c.s.closed), c.others)
	}
}
