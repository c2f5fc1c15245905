package scene

import (
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/parse"
)

// A dialogue is a panel with what is said and a button for each option, wherever it
// stands, and data for who reads it; maps of texts are data.
func TestDialoguesAreShown(t *testing.T) {
	for _, text := range []string{
		`dialogue "elder" { speaker: "Elder" text: "Hello" option "Leave" -> @close option "Buy" -> { log "x" } }`,
		`composition "x" { dialog "elder" { title: "Elder" text "Hello"; option "Leave" -> @close option "Buy" -> { log "x" } } }`,
		`composition "x" { object "npc" { dialogue "elder" { label: "Elder" says: "Hello" choice "Leave" -> "next" reply "Buy" -> { log "x" } } } }`,
	} {
		for _, format := range []ast.Format{ast.Holo, ast.HS, ast.HSPlus} {
			f, _ := parse.File("main."+format.String(), []byte(text), format)
			s, _ := Build(f, nil, Options{})
			if len(s.UI) != 1 || len(s.UI[0].Children) != 3 {
				t.Fatalf("%s %s: %+v", format, text, s.UI)
			}
			w := s.UI[0]
			if w.Kind != "panel" || w.ID != "elder" || w.Label != "Elder" || w.Bind == "" || w.Children[0].Label != "Hello" ||
				w.Children[1].Kind != "button" || w.Children[1].Label != "Leave" || w.Children[2].ID != "elder: Buy" {
				t.Errorf("%s %s: %+v", format, text, w)
			}
			if len(s.Domain) != 1 || s.Domain[0].Name != "elder" {
				t.Errorf("%s %s: %+v", format, text, s.Domain)
			}
		}
	}
	f, _ := parse.File("main.holo", []byte(`composition "x" { signals "s" { "depth:near" -> { fog: true } "a" -> 4 "b" -> "c" "d" -> [1, 2] } }`), ast.Holo)
	s, _ := Build(f, nil, Options{})
	if got, want := s.Domain[0].Data.Source(), `{ depth:near: { fog: true }, a: 4, b: "c", d: [1, 2] }`; got != want && got != `{ "depth:near": { fog: true }, a: 4, b: "c", d: [1, 2] }` {
		t.Errorf("%s, want %s", got, want)
	}
}
