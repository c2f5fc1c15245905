package lsp

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/lang/module"
)

// client is a scripted editor.
type client struct {
	t      testing.TB
	s      *Server
	id     int
	typing bool                    // without a pause
	found  map[string][]diagnostic // the last published, by URI
	others []string                // other notifications
}

func dial(t testing.TB, files module.Memory) *client {
	c := &client{t: t, found: map[string][]diagnostic{}}
	c.s = New(Config{Name: "meshd", Version: "test", Open: func(folder string) (fs.FS, error) {
		if folder != "/home/ada" {
			return nil, fmt.Errorf("no folder %s", folder)
		}
		return files, nil
	}})
	var r struct{ Capabilities map[string]any }
	c.ask("initialize", map[string]any{"rootUri": "file:///home/ada", "capabilities": map[string]any{}}, &r)
	for _, able := range []string{"completionProvider", "hoverProvider", "definitionProvider", "renameProvider", "documentFormattingProvider",
		"codeActionProvider", "documentSymbolProvider", "foldingRangeProvider", "semanticTokensProvider", "referencesProvider"} {
		if r.Capabilities[able] == nil {
			t.Errorf("no %s", able)
		}
	}
	c.notify("initialized", map[string]any{})
	return c
}

func (c *client) handle(m map[string]any) json.RawMessage {
	c.t.Helper()
	raw, err := json.Marshal(m)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.take(c.s.Handle(raw))
}

// take keeps what the server says, and returns its answer.
func (c *client) take(messages [][]byte) json.RawMessage {
	c.t.Helper()
	var answer json.RawMessage
	for _, out := range messages {
		var got struct {
			ID     json.RawMessage
			Method string
			Params json.RawMessage
		}
		if err := json.Unmarshal(out, &got); err != nil {
			c.t.Fatalf("%s: %v", out, err)
		}
		switch {
		case got.Method == "textDocument/publishDiagnostics":
			var p struct {
				URI         string
				Diagnostics []diagnostic
			}
			if err := json.Unmarshal(got.Params, &p); err != nil {
				c.t.Fatal(err)
			}
			c.found[p.URI] = p.Diagnostics
		case got.Method != "":
			c.others = append(c.others, got.Method+string(got.Params))
		default:
			answer = out
		}
	}
	return answer
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	if out := c.handle(map[string]any{"jsonrpc": "2.0", "method": method, "params": params}); out != nil {
		c.t.Fatalf("%s is answered: %s", method, out)
	}
	c.pause()
}

// pause is that of a person who looks at the text.
func (c *client) pause() {
	c.t.Helper()
	for !c.typing && c.s.Waits() {
		c.take(c.s.Publish())
	}
}

// ask sends a request and decodes its result. It returns the error's message.
func (c *client) ask(method string, params, result any) string {
	c.t.Helper()
	c.id++
	out := c.handle(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	var r struct {
		ID     int
		Result json.RawMessage
		Error  *rpcError
	}
	if err := json.Unmarshal(out, &r); err != nil || r.ID != c.id {
		c.t.Fatalf("%s: %s %v", method, out, err)
	}
	if r.Error != nil {
		return r.Error.Message
	}
	if result != nil {
		if err := json.Unmarshal(r.Result, result); err != nil {
			c.t.Fatalf("%s: %s: %v", method, r.Result, err)
		}
	}
	return ""
}

const base = "file:///home/ada/"

// open opens a text in which a bar is the cursor, and returns its place.
func (c *client) open(name, text string) map[string]any {
	c.t.Helper()
	at := strings.Index(text, "‸")
	text = strings.Replace(text, "‸", "", 1)
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": base + name, "languageId": "holo", "version": 1, "text": text}})
	if at < 0 {
		return nil
	}
	line := strings.Count(text[:at], "\n")
	column := len([]rune(text[strings.LastIndex(text[:at], "\n")+1 : at]))
	return map[string]any{"textDocument": map[string]any{"uri": base + name}, "position": map[string]any{"line": line, "character": column}}
}

func (c *client) codes(name string) []string {
	out := []string{}
	for _, d := range c.found[base+name] {
		out = append(out, d.Code)
	}
	return out
}

var files = module.Memory{
	"num.hsplus":    []byte("// Keeps a number in its range.\nexport function clamp(value: number, low: number, high: number): number { return value }\n"),
	"far/lamp.holo": []byte("template \"Lamp\" { color: \"red\" }\n"),
}

func TestDiagnosticsFollowTheText(t *testing.T) {
	t.Parallel()
	c := dial(t, files)
	c.open("a.holo", "object \"A\" @grabable {\n  x: }\n")
	if got := c.codes("a.holo"); !slices.Equal(got, []string{"TRT001", "SYN008"}) {
		t.Errorf("%v", got)
	}
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": base + "a.holo", "version": 2},
		"contentChanges": []any{
			map[string]any{"range": map[string]any{"start": map[string]any{"line": 1, "character": 5}, "end": map[string]any{"line": 1, "character": 5}}, "text": "1 "},
			map[string]any{"range": map[string]any{"start": map[string]any{"line": 0, "character": 12}, "end": map[string]any{"line": 0, "character": 20}}, "text": "glowing"},
		}})
	if got := c.codes("a.holo"); len(got) != 0 {
		t.Errorf("%v in %q", got, c.s.docs[base+"a.holo"].text)
	}
	c.open("b.hsplus", "import { clmap } from \"./num\"\n")
	if got := c.codes("b.hsplus"); !slices.Equal(got, []string{"IMP002"}) {
		t.Errorf("%v", got)
	}
	c.open("num.hsplus", "export function clmap(value: number): number { return value }\n")
	c.notify("workspace/didChangeWatchedFiles", map[string]any{})
	if got := c.codes("b.hsplus"); !slices.Equal(got, []string{"LNT001"}) {
		t.Errorf("behind a change of the module: %v", got)
	}
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": base + "a.holo"}})
	if got := c.found[base+"a.holo"]; len(got) != 0 {
		t.Errorf("a closed document has %v", got)
	}
}

func TestPositionsCountUTF16(t *testing.T) {
	t.Parallel()
	c := dial(t, files)
	c.open("a.holo", "object \"A\" { label: \"😀é\" geometry: \"bxo\" }\n")
	d := c.found[base+"a.holo"]
	if len(d) != 1 || d[0].Range.Start.Character != 36 || d[0].Range.End.Character != 41 {
		t.Fatalf("%+v", d)
	}
	utf8 := New(Config{})
	utf8.Handle([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"general":{"positionEncodings":["utf-8"]}}}}`))
	out := utf8.Handle([]byte(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"x:a","languageId":"holo","version":1,"text":"object \"A\" { label: \"😀é\" geometry: \"bxo\" }"}}}`))
	if len(out) != 1 || !strings.Contains(string(out[0]), `"character":39`) {
		t.Errorf("%s", out)
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text       string
		want, none string
	}{
		{"object \"A\" @grab‸ { }", "grabbable", "glowing"},
		{"object \"A\" {\n  @grabbable(ha‸)\n}", "hand", "geometry"},
		{"object \"A\" {\n  @grabbable { hand: \"‸\" }\n}", "left", ""},
		{"object \"A\" {\n  geo‸\n}", "geometry", "position"},
		{"object \"A\" {\n  geometry: \"sp‸\"\n}", "sphere", "box"},
		{"fog {\n  type: \"‸\"\n}", "linear", ""},
		{"object \"A\" {\n  on_hov‸\n}", "on_hover_enter", "on_click"},
		{"template \"Buoy\" { x: 1 }\nobject \"A\" using ‸ { }", "Buoy", "object"},
		{"object \"A\" {\n  state { lit: true, far: 1 }\n  on_click() {\n    log state.‸\n  }\n}", "lit", "log"},
		{"object \"A\" {\n  state { lit: true }\n  visible: $‸\n}", "lit", ""},
		{"module M {\n  action serve() { }\n  action go() {\n    ser‸\n  }\n}", "serve", "object"},
		{"module M {\n  action go(level) {\n    cl‸\n  }\n}", "clamp", "object"},
		{"#ver‸", "version", ""},
		{"‸", "composition", ""},
		{"// object ‸", "", "composition"},
		{"object \"A\" @gra‸bbable { }", "grabbable", "glowing"},
		{"environment {\n  sky: \"su‸\"\n}", "sunset", "night"},
		{"environment {\n  skybox: ‸\n}", "studio", "composition"},
		{"environment {\n  sky: { preset: \"‸\" }\n}", "dusk", "chrome"},
		{"skybox {\n  preset: \"‸\"\n}", "overcast", ""},
		{"object \"A\" {\n  material: \"‸\"\n}", "chrome", "dusk"},
		{"object \"A\" {\n  material: {\n    preset: gl‸\n  }\n}", "glass", "wood"},
		{"environment {\n  preset: \"‸\"\n}", "underwater", "chrome"},
		{"light \"A\" {\n  preset: \"‸\"\n}", "candle", "sunset"},
		{"object \"A\" {\n  animate: \"‸\"\n}", "bounce", "sunset"},
		{"object \"A\" {\n  type: \"dir‸\"\n}", "directionallight", "box"},
		{"object \"A\" {\n  physics: { type: \"‸\" }\n}", "", "directionallight"},
		{"environment {\n  fog: \"‸\"\n}", "dense", "sunset"},
		{"object \"A\" {\n  color: \"dark‸\"\n}", "darkorange", "red"},
		{"object \"A\" @glowing(color: ‸) { }", "red", "intensity"},
		{"light \"A\" {\n  type: \"‸\"\n}", "spot", ""},
		{"object \"A\" {\n  on ‸\n}", "hover_enter", "position"},
		{"object \"A\" {\n  on hov‸\n}", "hover_exit", "click"},
		{"object \"A\" {\n  on \"‸\" { }\n}\nobject \"B\" { on_click() { emit \"door opened\" } }", "door opened", "position"},
		{"object \"A\" {\n  on \"door o‸\" { }\n}\nobject \"B\" { on_click() { emit(\"door opened\") } }", "door opened", "click"},
		{"object \"A\" {\n  on_d‸\n}\nobject \"B\" { on_click() { this.emit(\"door opened\") } }", "on_door_opened", "on_click"},
		{"object \"A\" {\n  onHov‸\n}", "onHoverEnter", "on_hover_enter"},
		{"object \"A\" {\n  on_click() {\n    emit \"‸\"\n  }\n}\nobject \"B\" { on drained { } }", "drained", "hover_enter"},
		{"object \"A\" {\n  on_click() {\n    emit(\"‸\n  }\n}\nobject \"B\" { on_tap() { emit \"lift off\" } }", "lift off", "hover_enter"},
		{"object \"A\" {\n  on_click() {\n    emit dr‸\n  }\n}\nobject \"B\" { on drained { } }", "drained", "log"},
		{"object \"Door\" { on_click() { emit \"opened\" } }\non Door.‸", "opened", ""},
		{"object \"Door\" { on_click() { emit \"opened\" } }\nconnect Door.op‸", "opened", "click"},
		{"object \"A\" {\n  label: \"on ‸\"\n}", "", "hover_enter"},
	} {
		c := dial(t, files)
		var got completionList
		if fault := c.ask("textDocument/completion", c.open("a.hsplus", row.text), &got); fault != "" {
			t.Errorf("%q: %s", row.text, fault)
		}
		labels := []string{}
		for _, i := range got.Items {
			labels = append(labels, i.Label)
		}
		if row.want != "" && !slices.Contains(labels, row.want) {
			t.Errorf("%q lacks %s: %.300v", row.text, row.want, labels)
		}
		if row.none != "" && slices.Contains(labels, row.none) {
			t.Errorf("%q has %s", row.text, row.none)
		}
	}
}

func TestHover(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ text, want string }{
		{"object \"A\" @grab‸bable { }", "The user can pick the object up"},
		{"object \"A\" @nosuch‸trait { }", "kept as data"},
		{"object \"A\" { @grabbable { ha‸nd: \"left\" } }", "parameter of `@grabbable`"},
		{"object \"A\" { opac‸ity: 1 }", "setting of `object`"},
		{"fo‸g { density: 1 }", "settings: `color`"},
		{"// Goes up.\naction call(level: number): void { log level }\naction go() { ca‸ll(1) }", "action call(level: number): void\n```\n\nGoes up."},
		{"object \"A\" { state { lit: true }\n on_click() { state.l‸it = false } }", "state lit: boolean"},
		{"import { clamp } from \"./num\"\nlet a = cla‸mp(1, 2, 3)", "clamp(value: number, low: number, high: number): number"},
	} {
		c := dial(t, files)
		var got hover
		c.ask("textDocument/hover", c.open("a.hsplus", row.text), &got)
		if !strings.Contains(got.Contents.Value, row.want) {
			t.Errorf("%q: %q lacks %q", row.text, got.Contents.Value, row.want)
		}
	}
}

func TestDefinitionAndReferences(t *testing.T) {
	t.Parallel()
	c := dial(t, files)
	at := c.open("a.hsplus", "import { clamp } from \"./num\"\nlet a = cla‸mp(1, 2, 3)\n")
	var got location
	if c.ask("textDocument/definition", at, &got); got.URI != base+"a.hsplus" && got.URI != base+"num.hsplus" {
		t.Errorf("%+v", got)
	}
	at = c.open("b.hsplus", "import { cl‸amp } from \"./num\"\nlet a = clamp(1, 2, 3)\n")
	if c.ask("textDocument/definition", at, &got); got.URI != base+"num.hsplus" || got.Range.Start != (position{1, 16}) {
		t.Errorf("%+v", got)
	}
	at = c.open("c.hsplus", "import { clamp } from \"./n‸um\"\nlet a = clamp(1, 2, 3)\n")
	if c.ask("textDocument/definition", at, &got); got.URI != base+"num.hsplus" {
		t.Errorf("%+v", got)
	}
	at = c.open("d.holo", "template \"T\" { x: 1 }\norb a using \"‸T\" { }\norb b using T { }\n")
	if c.ask("textDocument/definition", at, &got); got.Range.Start != (position{0, 9}) {
		t.Errorf("%+v", got)
	}
	var all []location
	at["context"] = map[string]any{"includeDeclaration": true}
	if c.ask("textDocument/references", at, &all); len(all) != 3 {
		t.Errorf("%+v", all)
	}
}

func TestRename(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ text, name, want, fault string }{
		{"template \"T\" { x: 1 }\norb a using \"‸T\" { }\norb b using T { }\n", "Buoy", "template \"Buoy\" { x: 1 }\norb a using \"Buoy\" { }\norb b using Buoy { }\n", ""},
		{"template \"T\" { x: 1 }\norb b using ‸T { }\n", "Big Buoy", "template \"Big Buoy\" { x: 1 }\norb b using \"Big Buoy\" { }\n", ""},
		{"object A { state { ‸lit: 1 }\n on_click() { state.lit = 2 } visible: $lit }", "on", "object A { state { on: 1 }\n on_click() { state.on = 2 } visible: $on }", ""},
		{"object probe { function ‸go() { emit(\"x\") } }\nexecute probe.go() every 2s\n", "run", "object probe { function run() { emit(\"x\") } }\nexecute probe.run() every 2s\n", ""},
		{"object ‸probe { function go() { emit(\"x\") } }\nexecute probe.go() every 2s\nconnect probe.x -> probe.go()", "dip stick", "", "a path cannot hold it"},
		{"object A { function go(‸n) { let m = n\n return m + n } }\nexecute A.go(1)", "k", "object A { function go(k) { let m = k\n return m + k } }\nexecute A.go(1)", ""},
		{"object A { state { a: 1, ‸b: 2 }\n on_click() { log state.a + state.b } }", "a", "", "would mean something else"},
		{"object ‸A { x: 1 }", "a\"b", "", "without quotes"},
		{"object A { // ‸here\n x: 1 }", "b", "", "no name here"},
	} {
		c := dial(t, files)
		at := c.open("a.hs", row.text)
		at["newName"] = row.name
		var edit workspaceEdit
		fault := c.ask("textDocument/rename", at, &edit)
		if row.fault != "" {
			if !strings.Contains(fault, row.fault) {
				t.Errorf("%q: %q", row.text, fault)
			}
			continue
		}
		if got := apply(c, "a.hs", edit.Changes[base+"a.hs"]); got != row.want || fault != "" {
			t.Errorf("%q becomes %q %s", row.text, got, fault)
		}
	}
}

// apply carries out edits on an open document.
func apply(c *client, name string, edits []textEdit) string {
	c.t.Helper()
	d := c.s.docs[base+name]
	text := d.text
	slices.SortFunc(edits, func(a, b textEdit) int { return d.offset(b.Range.Start) - d.offset(a.Range.Start) })
	for _, e := range edits {
		text = text[:d.offset(e.Range.Start)] + e.NewText + text[d.offset(e.Range.End):]
	}
	return text
}

func TestFormatAndActions(t *testing.T) {
	t.Parallel()
	c := dial(t, files)
	c.open("a.holo", "object \"é😀\" @grabable{ x:1,y:2 }\r\n\r\n\r\nobject B { geometry: \"shpere\" }")
	var edits []textEdit
	c.ask("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": base + "a.holo"}}, &edits)
	if got, want := apply(c, "a.holo", edits), "object \"é😀\" @grabable {\n  x: 1\n  y: 2\n}\n\nobject B {\n  geometry: \"sphere\"\n}\n"; got != strings.Replace(want, "sphere", "shpere", 1) {
		t.Errorf("%q", got)
	}
	whole := map[string]any{"textDocument": map[string]any{"uri": base + "a.holo"}, "context": map[string]any{"diagnostics": []any{}},
		"range": map[string]any{"start": map[string]any{"line": 0, "character": 0}, "end": map[string]any{"line": 9, "character": 0}}}
	var actions []codeAction
	c.ask("textDocument/codeAction", whole, &actions)
	titles := []string{}
	for _, a := range actions {
		titles = append(titles, a.Kind+" "+a.Title)
	}
	if !slices.Equal(titles, []string{"quickfix Replace with '@grabbable'", "quickfix Replace with 'sphere'", "source.fixAll Fix all"}) {
		t.Fatalf("%q", titles)
	}
	got := apply(c, "a.holo", actions[2].Edit.Changes[base+"a.holo"])
	if !strings.Contains(got, "@grabbable{") || !strings.Contains(got, "\"sphere\"") {
		t.Errorf("%q", got)
	}
}

func TestOutline(t *testing.T) {
	t.Parallel()
	c := dial(t, files)
	c.open("a.hsplus", "import { clamp } from \"./num\"\nimport \"./far/lamp\"\n\nmodule Lift {\n  state { floor: 0 }\n  /*\n   * up\n   */\n  action call(level: number): void {\n    state.floor = clamp(level, 0, 3)\n  }\n  exports { call }\n}\n")
	ref := map[string]any{"textDocument": map[string]any{"uri": base + "a.hsplus"}}
	var symbols []*documentSymbol
	c.ask("textDocument/documentSymbol", ref, &symbols)
	if len(symbols) != 1 || symbols[0].Name != "Lift" || len(symbols[0].Children) != 2 || symbols[0].Children[1].Name != "call" {
		raw, _ := json.Marshal(symbols)
		t.Errorf("%s", raw)
	}
	var folds []foldingRange
	c.ask("textDocument/foldingRange", ref, &folds)
	want := []foldingRange{{3, 11, ""}, {8, 9, ""}, {5, 7, "comment"}, {0, 1, "imports"}}
	if !slices.Equal(folds, want) {
		t.Errorf("%+v", folds)
	}
	var tokens struct{ Data []int }
	c.ask("textDocument/semanticTokens/full", ref, &tokens)
	if len(tokens.Data)%5 != 0 || len(tokens.Data) < 100 {
		t.Errorf("%v", tokens.Data)
	}
	// The third token of the fourth line is the name of the module.
	painted := c.s.paint(c.s.docs[base+"a.hsplus"])
	kinds := map[string]string{}
	for _, p := range painted {
		kinds[c.s.docs[base+"a.hsplus"].text[p.at.Start:p.at.End]] = tokenTypes[p.kind]
	}
	for text, want := range map[string]string{"module": "keyword", "Lift": "namespace", "call": "function", "level": "parameter", "floor": "property", "number": "type", "0": "number", "\"./num\"": "string"} {
		if kinds[text] != want {
			t.Errorf("%s is %s, want %s", text, kinds[text], want)
		}
	}
}

func TestProtocol(t *testing.T) {
	t.Parallel()
	s := New(Config{})
	for _, row := range []struct{ in, want string }{
		{`{`, `"code":-32700`},
		{`[1]`, `"code":-32600`},
		{`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover"}`, `"code":-32002`},
		{`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}`, `"semanticTokensProvider"`},
		{`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}}`, `"code":-32600`},
		{`{"jsonrpc":"2.0","id":4,"method":"textDocument/hover","params":{"textDocument":{"uri":"x:y"}}}`, `"code":-32602`},
		{`{"jsonrpc":"2.0","id":5,"method":"textDocument/dance","params":{}}`, `"code":-32601`},
		{`{"jsonrpc":"2.0","method":"textDocument/dance","params":{}}`, ``},
		{`{"jsonrpc":"2.0","id":6,"method":"shutdown"}`, `"result":null`},
		{`{"jsonrpc":"2.0","id":7,"method":"textDocument/hover","params":{}}`, `"code":-32600`},
		{`{"jsonrpc":"2.0","method":"exit"}`, ``},
	} {
		out := s.Handle([]byte(row.in))
		got := ""
		if len(out) > 0 {
			got = string(out[0])
		}
		if row.want == "" && got != "" || !strings.Contains(got, row.want) {
			t.Errorf("%s: %s", row.in, got)
		}
	}
	if ended, inOrder := s.Ended(); !ended || !inOrder {
		t.Error("the server goes on")
	}
}

// Whatever a client sends, the server answers and goes on.
func FuzzHandle(f *testing.F) {
	f.Add("object \"A\" @grab {\n x: 1 }", 1, 3, "textDocument/completion", "x")
	f.Add("object \"A\" @image(\"a\") { on \"x\" { emit \"y z\" } color: red sky: \"#fff\" }", 0, 14, "", "A")
	f.Add("let f = (a) => clamp(a, [1, { b: ", 0, 32, "textDocument/signatureHelp", "")
	f.Add("import { a } from \"./num\"\nlet b = a", 0, 10, "textDocument/rename", "c")
	f.Fuzz(func(t *testing.T, text string, line, column int, method, name string) {
		if len(text) > 4000 {
			return
		}
		c := &client{t: t, found: map[string][]diagnostic{}}
		c.s = New(Config{Open: func(string) (fs.FS, error) { return files, nil }})
		c.ask("initialize", map[string]any{"rootUri": "file:///home/ada"}, nil)
		c.open("a.hsplus", text)
		for m := range answers {
			if strings.HasPrefix(m, method) || method == "" {
				fault := c.ask(m, map[string]any{"textDocument": map[string]any{"uri": base + "a.hsplus"}, "newName": name,
					"position": map[string]any{"line": line, "character": column},
					"color":    map[string]any{"red": 0.5, "alpha": 1},
					"range":    map[string]any{"start": map[string]any{"line": line, "character": column}, "end": map[string]any{"line": line + 1, "character": 0}}}, nil)
				if strings.Contains(fault, "internal fault") {
					t.Fatalf("%s: %s", m, fault)
				}
			}
		}
		if fault := c.ask("workspace/symbol", map[string]any{"query": name}, nil); fault != "" {
			t.Fatal(fault)
		}
	})
}

// A stroke is a key that is pressed: where, and what comes of it.
type stroke struct {
	line, character int
	text            string
}

// anywhere is the stroke number i of somebody who presses keys all over a file, so
// that soon most of it is damaged.
func anywhere(i int) stroke { return stroke{200 + i%50, 0, string("  label: \"x\"\n"[i%13])} }

// writing is the stroke number i of somebody who writes lines, one behind the other.
func writing(i int) stroke {
	const line = "    label: \"x\""
	n := len(line) + 1
	if i%n == 0 {
		return stroke{200 + i/n, 0, "\n"}
	}
	return stroke{200 + i/n, i%n - 1, string(line[i%n-1])}
}

// typing is a session of keystrokes in a file of 100 kB: how long the server takes
// for each change with a completion behind it, and to publish the findings when the
// keys rest.
func typing(tb testing.TB, strokes int, key func(i int) stroke) (answers, findings []time.Duration) {
	tb.Helper()
	c := dial(tb, files)
	c.open("big.holo", large(tb))
	c.typing = true
	for i := range strokes {
		k := key(i)
		at := map[string]any{"line": k.line, "character": k.character}
		start := time.Now()
		c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": base + "big.holo", "version": i + 2},
			"contentChanges": []any{map[string]any{"range": map[string]any{"start": at, "end": at}, "text": k.text}}})
		c.ask("textDocument/completion", map[string]any{"textDocument": map[string]any{"uri": base + "big.holo"}, "position": at}, nil)
		answered := time.Now()
		if !c.s.Waits() {
			tb.Fatal("nothing waits behind a change")
		}
		c.take(c.s.Publish())
		answers, findings = append(answers, answered.Sub(start)), append(findings, time.Since(answered))
	}
	slices.Sort(answers)
	slices.Sort(findings)
	return answers, findings
}

func BenchmarkTyping(b *testing.B) { benchmarkTyping(b, anywhere) }

func BenchmarkWriting(b *testing.B) { benchmarkTyping(b, writing) }

func benchmarkTyping(b *testing.B, key func(i int) stroke) {
	answers, findings := typing(b, max(b.N, 20), key)
	notify := func(name string, took []time.Duration) {
		b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, name+"-p95-ms")
		b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, name+"-p50-ms")
	}
	notify("answer", answers)
	notify("findings", findings)
}

// However a text came about, by edits here and there or all at once, the server says
// the same of it.
func TestEditedTextIsLikeAnOpenedOne(t *testing.T) {
	t.Parallel()
	const name = "museum.holo"
	raw, err := os.ReadFile("../../examples/" + name)
	if err != nil {
		t.Fatal(err)
	}
	c := dial(t, files)
	c.open(name, string(raw))
	text := string(raw)
	for i, k := range []struct{ at, old, new string }{
		{"@glowing(color: \"#44ccff\")", "ff", "ee"}, {"mass: 40kg", "40", "4"}, {"physics:", "", "tint: \"ü\" // why\n    "}, {"geometry: \"cylinder\"", "\"cylinder\"", ""},
		{"geometry: \n", "\n", "\"box\"\n"}, {"on \"hover enter\"", "on \"hover enter\" {", "on \"hover enter\" {\n      log \"x\""}, {"gravity", "gravity", "\"gravity"},
		{"\"gravity", "\"", ""}, {"onHoverExit: () => this.dim()", "onHoverExit: () => this.dim()", ""},
	} {
		at := strings.Index(text, k.at)
		if at < 0 {
			t.Fatalf("no %q in the text", k.at)
		}
		at += strings.Index(k.at, k.old)
		d := c.s.docs[base+name]
		where := d.span(at, at+len(k.old))
		text = text[:at] + k.new + text[at+len(k.old):]
		c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": base + name, "version": i + 2},
			"contentChanges": []any{map[string]any{"range": where, "text": k.new}}})
		fresh := dial(t, files)
		fresh.open(name, text)
		for _, method := range []string{"semanticTokens/full", "documentSymbol", "foldingRange", "formatting"} {
			var got, want any
			ask := map[string]any{"textDocument": map[string]any{"uri": base + name}}
			c.ask("textDocument/"+method, ask, &got)
			fresh.ask("textDocument/"+method, ask, &want)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("edit %d: %s is %v, want %v", i, method, got, want)
			}
		}
		if got, want := c.found[base+name], fresh.found[base+name]; !reflect.DeepEqual(got, want) {
			t.Errorf("edit %d: findings %v, want %v", i, got, want)
		}
	}
}

// Between two keystrokes nothing is judged, and completion still knows what was
// just declared, in functions too, and of what type a state is.
func TestTypingWithoutAPause(t *testing.T) {
	t.Parallel()
	c := dial(t, files)
	c.open("a.hsplus", "module M {\n  state { count: 3 }\n  action go(speed: number) {\n  }\n}\n")
	c.typing = true
	insert := func(version, line int, text string) {
		at := map[string]any{"line": line, "character": 0}
		c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": base + "a.hsplus", "version": version},
			"contentChanges": []any{map[string]any{"range": map[string]any{"start": at, "end": at}, "text": text}}})
	}
	complete := func(line, character int) map[string]string {
		var got completionList
		c.ask("textDocument/completion", map[string]any{"textDocument": map[string]any{"uri": base + "a.hsplus"},
			"position": map[string]any{"line": line, "character": character}}, &got)
		out := map[string]string{}
		for _, i := range got.Items {
			out[i.Label] = i.Detail
		}
		return out
	}
	insert(2, 3, "    const fresh = sped\n    const other = fre\n")
	if got := complete(4, 21); got["fresh"] == "" {
		t.Errorf("no variable: %v", got)
	}
	insert(3, 4, "    const more = state.\n")
	if got := complete(4, 23); got["count"] != "integer" {
		t.Errorf("keys of the state: %v", got)
	}
	insert(4, 7, "function other(hidden) {\n  const early = (deep) => dee\n  const late = 1\n}\n")
	got := complete(8, 29)
	if got["deep"] == "" || complete(8, 27)["late"] != "" {
		t.Errorf("names around an arrow: %v", got)
	}
	insert(5, 9, "  e\n  h\n  s\n")
	if got := complete(9, 3); got["early"] == "" {
		t.Errorf("a name of the function: %v", got)
	}
	if got := complete(10, 3); got["hidden"] == "" {
		t.Errorf("a parameter: %v", got)
	}
	if got := complete(11, 3); got["speed"] != "" {
		t.Errorf("a parameter of another function: %v", got)
	}
	if !c.s.Waits() {
		t.Fatal("nothing waits")
	}
	before := len(c.codes("a.hsplus"))
	c.typing = false
	c.pause()
	if got := c.codes("a.hsplus"); len(got) <= before || c.s.Waits() {
		t.Errorf("behind the pause: %v", got)
	}
}
