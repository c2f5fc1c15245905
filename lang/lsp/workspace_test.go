package lsp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/module"
)

func TestWorkspaceSymbols(t *testing.T) {
	t.Parallel()
	root := module.Memory{
		"num.hsplus":          []byte("export function clamp(value: number): number { return value }\n"),
		"far/lamp.holo":       []byte("// \U0001F600\ntemplate \"Lamp\" { state { lit: 1 } }\n"),
		"broken.holo":         []byte("object \"Halved\" {\n"),
		".git/hidden.holo":    []byte("object \"Hidden\" { }\n"),
		"node_modules/x.holo": []byte("object \"Packaged\" { }\n"),
		"notes.md":            []byte("object \"Noted\" { }\n"),
	}
	c := dial(t, root)
	ask := func(query string) string {
		var got []symbolInformation
		if fault := c.ask("workspace/symbol", map[string]any{"query": query}, &got); fault != "" || got == nil {
			t.Fatalf("%q: %s", query, fault)
		}
		var out []string
		for _, one := range got {
			out = append(out, fmt.Sprintf("%s/%s %s:%d:%d", one.Container, one.Name, strings.TrimPrefix(one.Location.URI, base), one.Location.Range.Start.Line, one.Location.Range.Start.Character))
		}
		return strings.Join(out, ", ")
	}
	for query, want := range map[string]string{
		"lamp": "far/lamp.holo/Lamp far/lamp.holo:1:9, num.hsplus/clamp num.hsplus:0:16",
		"LMP":  "far/lamp.holo/Lamp far/lamp.holo:1:9, num.hsplus/clamp num.hsplus:0:16",
		"lit":  "Lamp/lit far/lamp.holo:1:26",
		"Halv": "broken.holo/Halved broken.holo:0:7",
		"d":    "broken.holo/Halved broken.holo:0:7",
		"zz":   "",
	} {
		if got := ask(query); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	// What is open is as it stands in the editor, and once.
	c.open("num.hsplus", "\nexport function clampDown(value: number): number { return value }\nlet later = 1\n")
	if got := ask("clamp"); got != "num.hsplus/clampDown num.hsplus:1:16" {
		t.Errorf("an open document: %s", got)
	}
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": base + "num.hsplus"}})
	if got := ask("clamp"); got != "num.hsplus/clamp num.hsplus:0:16" {
		t.Errorf("a closed document: %s", got)
	}
	root["new.holo"] = []byte("object \"Newcomer\" { }\n")
	if got := ask("newcomer"); got != "" {
		t.Errorf("nobody said that there is a file: %s", got)
	}
	c.notify("workspace/didChangeWatchedFiles", map[string]any{})
	if got := ask("newcomer"); got != "new.holo/Newcomer new.holo:0:7" {
		t.Errorf("a new file: %s", got)
	}
	alone := New(Config{})
	alone.Handle([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`))
	if out := alone.Handle([]byte(`{"jsonrpc":"2.0","id":2,"method":"workspace/symbol","params":{"query":""}}`)); len(out) != 1 || !strings.Contains(string(out[0]), `"result":[]`) {
		t.Errorf("without a root: %s", out)
	}
}

func TestWorkspaceSymbolsAreBounded(t *testing.T) {
	t.Parallel()
	root := module.Memory{}
	for i := range MaxWorkspaceFiles + 1 {
		root[fmt.Sprintf("f%04d.holo", i)] = []byte(fmt.Sprintf("object \"One%04d\" { }\n", i))
	}
	c := dial(t, root)
	var got []symbolInformation
	c.ask("workspace/symbol", map[string]any{"query": "one"}, &got)
	if len(got) != MaxWorkspaceSymbols {
		t.Errorf("%d symbols", len(got))
	}
	if len(c.s.closed) != MaxWorkspaceFiles || !strings.Contains(strings.Join(c.others, " "), "more sources than are searched") {
		t.Errorf("%d files are read; %v", len(c.s.closed), c.others)
	}
	if c.ask("workspace/symbol", map[string]any{"query": "one0511"}, &got); len(got) != 1 {
		t.Errorf("%v", got)
	}
	if c.ask("workspace/symbol", map[string]any{"query": "one0512"}, &got); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
