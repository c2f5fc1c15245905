package artefact

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"github.com/meshd/meshd/lang/scene"
)

// PagePolicy is the content security policy of a page that runs one script and
// shows what is inside of it: it requests nothing but the sources that
// are named, and sends nothing.
func PagePolicy(script string, connect ...string) string {
	sum := sha256.Sum256([]byte(script))
	return fmt.Sprintf("default-src 'none'; script-src 'sha256-%s'; style-src 'unsafe-inline'; img-src data: blob:; media-src data: blob:; "+
		"connect-src %s; base-uri 'none'; form-action 'none'", base64.StdEncoding.EncodeToString(sum[:]), cmp.Or(strings.Join(connect, " "), "'none'"))
}

// Markup escapes what an author wrote for the text of a page and for attributes
// in double quotes; characters that turn the direction of reading or that end
// lines are left out.
func Markup(s string) string { return html.EscapeString(Readable(s)) }

// Readable is a text of one line without the characters that turn the direction
// of reading or that end lines.
func Readable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < ' ' || r == 0x7f:
			return -1
		case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x2028 || r == 0x2029:
			return -1
		}
		return r
	}, s)
}

// Contents is a list of what is in the scene, for people who cannot see or use the
// picture of a page.
func Contents(s *scene.Scene) string {
	var b strings.Builder
	b.WriteString("<div id=\"list\">\n")
	if len(s.Nodes) == 0 {
		b.WriteString("<p>This scene is empty.</p>\n")
	} else {
		b.WriteString("<h2>In this scene</h2>\n<ul>\n")
		for i := range s.Nodes {
			n := &s.Nodes[i]
			if n.Kind == "light" || n.Kind == "camera" || n.Kind == "group" || n.Prototype != "" {
				continue
			}
			fmt.Fprintf(&b, "<li>%s", Markup(cmp.Or(n.Label, n.Name, n.Path)))
			if n.Alt != "" {
				fmt.Fprintf(&b, ": %s", Markup(n.Alt))
			}
			if n.Text != nil && n.Text.Value != "" {
				fmt.Fprintf(&b, ", “%s”", Markup(n.Text.Value))
			}
			b.WriteString("</li>\n")
		}
		b.WriteString("</ul>\n")
	}
	b.WriteString("</div>\n")
	return b.String()
}

// Outside are the notes of a page: assets that are named and not inside of it.
func Outside(s *scene.Scene) []Note {
	var out []Note
	for i := range s.Assets {
		if len(s.Assets[i].Data) == 0 {
			out = append(out, Note{Code: "TGT006", Src: scene.Src{0, 1, 1}, Slots: []string{s.Assets[i].Path}})
		}
	}
	return out
}
