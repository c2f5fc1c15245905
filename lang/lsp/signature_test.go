package lsp

import (
	"strconv"
	"strings"
	"testing"
)

func TestSignatureHelp(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text, label string
		active      string // the parameter, empty for none
	}{
		{"module M {\n  action go() {\n    clamp(1, ‸\n  }\n}", "clamp(value: number, low: number, high: number): number", "low: number"},
		{"module M {\n  action go() {\n    clamp(‸)\n  }\n}", "clamp(value: number, low: number, high: number): number", "value: number"},
		{"let a = Math.atan2(1, [2, 3‸", "Math.atan2(y: number, x: number): number", "x: number"},
		{"let a = Math.max(1, 2, 3‸)", "Math.max(...values): number", "...values"},
		{"let a = random(‸)", "random(low?: number, high?: number): number", "low?: number"},
		{"// Goes up.\naction call(level: number, why = \"a, b\"): void { log level }\naction go() { call(1, ‸) }", "action call(level: number, why = \"a, b\"): void", "why = \"a, b\""},
		{"action call(pair: Map<string, number>, f: (a: number) => void) { }\naction go() { call({}, ‸) }", "action call(pair: Map<string, number>, f: (a: number) => void)", "f: (a: number) => void"},
		{"import { clamp } from \"./num\"\nlet a = clamp(1, 2, ‸", "function clamp(value: number, low: number, high: number): number", "high: number"},
		{"module A { action go(first) { } }\nmodule B {\n  action go(second) { }\n  action run() { A.go(‸) }\n}", "action go(first)", "first"},
		{"module A { action go(first) { } }\nmodule B {\n  action go(second) { }\n  action run() { go(‸) }\n}", "action go(second)", "second"},
		{"action go() {\n  const twice = (a: number, b) => a * 2\n  twice(1, ‸)\n}", "twice(a: number, b)", "b"},
		{"action go() { emit(\"x\", {a: 1, b: ‸}) }", "emit(event: string, payload?)", "payload?"},
		{"object \"A\" @grabbable(‸) { }", "@grabbable(", ""},
		{"object \"A\" @image(‸) { }", "@image(", "src"},
		{"object \"A\" {\n  @grabbable(hand: \"left\", snap_distance: ‸)\n}", "@grabbable(", "snap_distance"},
		{"object \"A\" {\n  @grabbable {\n    hand: ‸\n  }\n}", "@grabbable(", "hand"},
		{"object \"A\" { @glowing(\"red\", ‸) }", "@glowing(", ""},
		{"action go() { clamp(1, clamp(1, 2, 3), ‸ }", "clamp(", "high: number"},
		{"action go() { log clamp(1, \"a, (b\", ‸) }", "clamp(", "high: number"},
		{"action call(le‸vel) { }", "", ""},
		{"object \"A\" {\n  on_click(‸) { }\n}", "", ""},
		{"action go() { list.forEach((x) => { ‸ }) }", "", ""},
		{"object \"A\" { x: (1 + ‸) }", "", ""},
		{"action go() { unknown(‸) }", "", ""},
		{"// clamp(‸", "", ""},
	} {
		c := dial(t, files)
		var got *signatureHelp
		if fault := c.ask("textDocument/signatureHelp", c.open("a.hsplus", row.text), &got); fault != "" {
			t.Fatalf("%q: %s", row.text, fault)
		}
		if row.label == "" || got == nil {
			if row.label != "" || got != nil {
				t.Errorf("%q: %+v", row.text, got)
			}
			continue
		}
		one := got.Signatures[got.ActiveSignature]
		if !strings.HasPrefix(one.Label, row.label) {
			t.Errorf("%q: %q", row.text, one.Label)
		}
		active := ""
		if got.ActiveParameter < len(one.Parameters) {
			at := one.Parameters[got.ActiveParameter].Label
			active = one.Label[at[0]:at[1]]
		}
		if active != row.active && !strings.HasPrefix(active, row.active+":") {
			t.Errorf("%q: the parameter is %q of %s", row.text, active, one.Label)
		}
	}
	c := dial(t, files)
	var got signatureHelp
	c.ask("textDocument/signatureHelp", c.open("a.hsplus", "// Goes up.\naction call(level) { log level }\naction go() { call(‸) }"), &got)
	if got.Signatures[0].Documentation == nil || got.Signatures[0].Documentation.Value != "Goes up." {
		t.Errorf("%+v", got)
	}
}

func TestDocumentHighlight(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ text, want string }{
		{"object A { state { ‸lit: 1 }\n on_click() { state.lit = 2\n log state.lit } visible: $lit }", "W0:19 W1:20 R2:11 R2:27"},
		{"let count = 1\naction go() { cou‸nt++\n count += 2\n log count }", "W0:4 W1:14 W2:1 R3:5"},
		{"template \"T\" { x: 1 }\norb a using \"‸T\" { }", "W0:9 R1:12"},
		{"import { clamp } from \"./num\"\nlet a = cla‸mp(1, 2, 3)", "W0:9 R1:8"},
		{"object A @glo‸wing { }\nobject B { @glowing }\nobject C @glow", "T0:9 T1:11"},
		{"// ‸here", ""},
	} {
		c := dial(t, files)
		var got []documentHighlight
		if fault := c.ask("textDocument/documentHighlight", c.open("a.hs", row.text), &got); fault != "" || got == nil {
			t.Errorf("%q: %s", row.text, fault)
		}
		var words []string
		for _, h := range got {
			words = append(words, string(" TRW"[h.Kind])+strconv.Itoa(h.Range.Start.Line)+":"+strconv.Itoa(h.Range.Start.Character))
		}
		if text := strings.Join(words, " "); text != row.want {
			t.Errorf("%q: %s, want %s", row.text, text, row.want)
		}
	}
}
