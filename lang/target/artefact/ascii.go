package artefact

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ASCII is a JSON document with escapes for all that is not ASCII, so that no
// sign can turn the order of what a reader sees, and for the signs in also: those
// that end the text of the language it stands in.
func ASCII(doc []byte, also string) []byte {
	out := make([]byte, 0, len(doc))
	for len(doc) > 0 {
		r, n := utf8.DecodeRune(doc)
		doc = doc[n:]
		switch {
		case r < 0x7f && !strings.ContainsRune(also, r):
			out = append(out, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}
