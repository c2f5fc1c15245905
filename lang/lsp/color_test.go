package lsp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/trait"
)

func TestDocumentColors(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ text, want string }{
		{"object A { color: #3af }", "#3af 33aaffff"},
		{"object A { color: \"#3af8\" }", "#3af8 33aaff88"},
		{"object A { emissive: '#112233' }", "#112233 112233ff"},
		{"object A { base_color: \"#11223344\" }", "#11223344 11223344"},
		{"object A { color: \"red\" }", "red ff0000ff"},
		{"object A { color: DarkOrange }", "DarkOrange ff8c00ff"},
		{"object A { color: \" navy \" }", "navy 000080ff"},
		{"object A { color: \"transparent\" }", "transparent 00000000"},
		{"object A @glowing(color: \"red\") { }", "red ff0000ff"},
		{"object A { @glowing { color: lime } }", "lime 00ff00ff"},
		{"object A { glow: { color: \"#fff\", size: 2 } }", "#fff ffffffff"},
		{"environment { sky: { top: \"#000000\", colors: [\"red\", blue] } }", "#000000 000000ff, red ff0000ff, blue 0000ffff"},
		{"environment { background: \"navy\" }", "navy 000080ff"},
		{"object A { state { tint: \"red\" }\n on_click() { this.color = \"blue\"\n let c: color = \"lime\" } }", "red ff0000ff, blue 0000ffff, lime 00ff00ff"},
		{"object A { color: lit ? \"red\" : #00f }", "red ff0000ff, #00f 0000ffff"},
		{"object A { label: \"#123\" text: \"red\" name: red }", ""},
		{"object red { position: [1, 2, 3] }", ""},
		{"object A { color: \"#12\" }", ""},
		{"{ \"color\": \"#ff0000\", \"n\": 1 }", "#ff0000 ff0000ff"},
		{"// color: #fff\nobject A { color: \"redd\" }", ""},
	} {
		c := dial(t, files)
		c.open("a.holo", row.text)
		d := c.s.docs[base+"a.holo"]
		var got []colorInformation
		if fault := c.ask("textDocument/documentColor", map[string]any{"textDocument": map[string]any{"uri": base + "a.holo"}}, &got); fault != "" || got == nil {
			t.Fatal(fault)
		}
		var words []string
		for _, one := range got {
			text := d.text[d.offset(one.Range.Start):d.offset(one.Range.End)]
			words = append(words, fmt.Sprintf("%s %02x%02x%02x%02x", text, int(one.Color.Red*255+.5), int(one.Color.Green*255+.5), int(one.Color.Blue*255+.5), int(one.Color.Alpha*255+.5)))
		}
		if text := strings.Join(words, ", "); text != row.want {
			t.Errorf("%q: %s, want %s", row.text, text, row.want)
		}
	}
}

// A colour that is changed is a colour: what is presented is read again as the same.
func TestColorPresentation(t *testing.T) {
	t.Parallel()
	c := dial(t, files)
	for _, row := range []struct {
		text  string
		color rgba
		want  string
	}{
		{"object A { color: red }", rgba{0, 0, 1, 1}, "#0000ff blue"},
		{"object A { color: \"red\" }", rgba{0, 0.5, 1, 0.5}, "#0080ff80"},
		{"object A { color: #3af }", rgba{1, 1, 1, 1}, "#ffffff white"},
		{"object A { color: \"#3af\" }", rgba{0, 0, 0, 0}, "#00000000 transparent"},
		{"object A { color: \"#3af\" }", rgba{7, -1, 0, 1}, "#ff0000 red"},
	} {
		c.open("a.holo", row.text)
		ref := map[string]any{"uri": base + "a.holo"}
		var found []colorInformation
		c.ask("textDocument/documentColor", map[string]any{"textDocument": ref}, &found)
		if len(found) != 1 {
			t.Fatalf("%q: %v", row.text, found)
		}
		var got []colorPresentation
		c.ask("textDocument/colorPresentation", map[string]any{"textDocument": ref, "color": row.color, "range": found[0].Range}, &got)
		var labels []string
		for _, one := range got {
			labels = append(labels, one.Label)
			c.open("b.holo", apply(c, "a.holo", []textEdit{one.TextEdit}))
			var again []colorInformation
			c.ask("textDocument/documentColor", map[string]any{"textDocument": map[string]any{"uri": base + "b.holo"}}, &again)
			if len(again) != 1 || len(c.codes("b.holo")) > 0 {
				t.Errorf("%q: %q is no colour: %v %v", row.text, one.Label, again, c.codes("b.holo"))
			}
		}
		if text := strings.Join(labels, " "); text != row.want {
			t.Errorf("%q: %s, want %s", row.text, text, row.want)
		}
	}
	for _, name := range trait.ColorNames() {
		c.open("a.holo", "object A { color: "+name+" }")
		var found []colorInformation
		if c.ask("textDocument/documentColor", map[string]any{"textDocument": map[string]any{"uri": base + "a.holo"}}, &found); len(found) != 1 {
			t.Errorf("%s is no colour", name)
		}
	}
}
