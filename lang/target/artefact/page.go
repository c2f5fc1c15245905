package artefact

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"github.com/meshd/meshd/lang/scene"
)

// PagePolicy is the content security policy of a page that runs one script and
// shows what is inside of it: it asks nobody for anything and sends nothing.
func PagePolicy(script string) string {
	sum := sha256.Sum256([]byte(script))
	return fmt.Sprintf("default-src 'none'; script-src 'sha256-%s'; style-src 'unsafe-inline'; img-src data: blob:; media-src data: blob:; "+
		"connect-src 'none'; base-uri 'none'; form-action 'none'", base64.StdEncoding.EncodeToString(sum[:]))
}

// Markup escapes what an author wrote for the text of a page and for attributes
// in double quotes; characters that turn the direction of reading or that end
// lines are left out.
func Markup(s string) string {
	s = html.EscapeString(s)
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
