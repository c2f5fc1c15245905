package edit

import (
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/ast"
)

// Any text and any list of operations end in a result whose inverse restores the
// text, or in a refusal.
func FuzzApply(f *testing.F) {
	f.Add(harbour, `[{"op":"set","node":"Lamp","key":"position.y","value":7},{"op":"delete","node":"Channel/North"}]`)
	f.Add("object A { }\r\nobject \"B\" { // x\r\n}\r\n", `[{"op":"move","node":"A","parent":"B","keep_world":true},{"op":"duplicate","node":"B/A","offset":[1,2,3]}]`)
	f.Add(`{"entities":[{"name":"A","x":1},{"name":"B"}]}`, `[{"op":"unset","node":"A","key":"x"},{"op":"delete","node":"B"}]`)
	f.Add("object A { object B {", `[{"op":"add","parent":"A","kind":"object","name":"C"},{"op":"env_set","key":"fog.density","value":1}]`)
	f.Add("@grabbable object A { traits: [physics, glowing] } ", `[{"op":"trait_remove","node":"A","trait":"physics"},{"op":"trait_set","node":"A","trait":"glowing","param":"color","value":"red"},{"op":"rename","node":"A","name":"ä"}]`)
	f.Fuzz(func(t *testing.T, src, list string) {
		ops, err := ReadOps([]byte(list))
		if err != nil || len(src) > 4096 || len(ops) > 8 || !utf8.ValidString(src) {
			return
		}
		s := Source{Path: "main.holo", Text: src, Format: ast.Holo}
		r, err := Apply(s, ops)
		if err != nil {
			var refusal *Refusal
			if !errors.As(err, &refusal) {
				t.Fatalf("the error is no refusal: %v", err)
			}
			return
		}
		if Patch(src, r.Edits) != r.Text {
			t.Fatal("the edits do not make the text")
		}
		s.Text = r.Text
		if back, err := Apply(s, r.Inverse); err != nil || back.Text != src {
			t.Fatalf("the inverse does not restore %q (%v)", src, err)
		}
	})
}
