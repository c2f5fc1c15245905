package lsp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/module"
)

func TestStudio(t *testing.T) {
	c := dial(t, module.Memory{"frame.holo": []byte("template \"Frame\" { geometry: \"box\" }\n")})
	text := "import \"./frame.holo\"\ncomposition \"X\" {\n  // größe 🎈\n  object \"Lamp\" { position: [1, 2, 3] }\n  object \"F\" using \"Frame\" {}\n}\n"
	c.open("main.holo", text)
	uri := "file:///home/ada/main.holo"

	var edited struct {
		Edits []struct {
			Range   span
			NewText string
		}
		Diagnostics []diagnostic
		Inverse     []json.RawMessage
	}
	ops := []any{map[string]any{"op": "set", "node": "Lamp", "key": "position.y", "value": 7}}
	if fault := c.ask("studio/edit", map[string]any{"uri": uri, "ops": ops}, &edited); fault != "" {
		t.Fatal(fault)
	}
	if len(edited.Edits) != 1 || edited.Edits[0].NewText != "7" || edited.Edits[0].Range.Start != (position{3, 32}) || len(edited.Inverse) != 1 {
		t.Errorf("studio/edit: %+v", edited)
	}
	for bad, want := range map[string]any{
		"no node":         map[string]any{"uri": uri, "ops": []any{map[string]any{"op": "delete", "node": "Lump"}}},
		"another version": map[string]any{"uri": uri, "version": 99, "ops": ops},
		"no operation":    map[string]any{"uri": uri, "ops": []any{map[string]any{"op": "burn"}}},
		"not open":        map[string]any{"uri": "file:///home/ada/other.holo", "ops": ops},
		"takes":           map[string]any{"uri": uri},
	} {
		if fault := c.ask("studio/edit", want, nil); !strings.Contains(fault, bad) {
			t.Errorf("want %q, got %q", bad, fault)
		}
	}

	var scene struct {
		V     string
		Nodes []struct{ Name, ID, Template string }
	}
	if fault := c.ask("studio/scene", map[string]any{"uri": uri}, &scene); fault != "" || scene.V != "scene/1" || len(scene.Nodes) != 2 || scene.Nodes[1].Template != "Frame" {
		t.Errorf("studio/scene: %s %+v", fault, scene)
	}
	var at location
	if fault := c.ask("studio/source_of", map[string]any{"uri": uri, "node": scene.Nodes[0].ID}, &at); fault != "" || at.URI != uri || at.Range != (span{position{3, 2}, position{3, 39}}) {
		t.Errorf("studio/source_of: %s %+v", fault, at)
	}
	if fault := c.ask("studio/source_of", map[string]any{"uri": uri, "node": "gone"}, &at); !strings.Contains(fault, "no node") {
		t.Errorf("an unknown node: %q", fault)
	}
	c.open("broken.holo", "composition \"X\" {")
	if fault := c.ask("studio/scene", map[string]any{"uri": "file:///home/ada/broken.holo"}, &scene); !strings.Contains(fault, "errors") {
		t.Errorf("a broken source: %q", fault)
	}
}
