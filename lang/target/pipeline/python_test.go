package pipeline

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/target/artefact"
)

// FuzzLiteral: no text ends the raw text that the pipelines stand in, nothing in
// it is more than ASCII, and it says what it said.
func FuzzLiteral(f *testing.F) {
	for _, s := range []string{`"""`, `\`, `"""); import os #`, "\u202eabc\u2028", "\x00\x7f\n\r", `'''${x}`, "😀\ufffd", `\"\"\"`} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) {
			return
		}
		list := []any{map[string]any{a: b}, "", a}
		doc, err := json.MarshalIndent(list, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		out := string(artefact.ASCII(doc, ""))
		if strings.Contains(out, `"""`) {
			t.Fatalf("%q ends the text: %s", []string{a, b}, out)
		}
		for i := range len(out) {
			if out[i] >= 0x7f {
				t.Fatalf("%q leaves %x", []string{a, b}, out[i])
			}
		}
		var back []any
		if err := json.Unmarshal([]byte(out), &back); err != nil {
			t.Fatal(err)
		}
		if again, err := json.MarshalIndent(back, "", " "); err != nil || string(again) != string(doc) {
			t.Fatalf("%s became %s", doc, again)
		}
	})
}
