package openxr

import (
	"strings"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/target/artefact"
)

// literal is a text as a string literal of C++. What is not printable ASCII
// becomes octal escapes of its bytes, which end after three digits; question
// marks are escaped, since two of them could begin a trigraph.
func literal(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '?':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= ' ' && c < 0x7f:
			b.WriteByte(c)
		default:
			b.WriteByte('\\')
			b.WriteByte('0' + c>>6)
			b.WriteByte('0' + c>>3&7)
			b.WriteByte('0' + c&7)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// comment is a text that may stand after two slashes: nothing ends the line, and
// no backslash joins it with the next one.
func comment(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\\' || r == '?' || r == utf8.RuneError || r > 0x7e {
			return '.'
		}
		return r
	}, s)
}

// number is a constant of type float.
func number(x float64) string {
	s := artefact.Float(x)
	if strings.ContainsAny(s, ".e") {
		return s + "f"
	}
	return s + ".0f"
}

func numbers(list []float64) string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = number(x)
	}
	return strings.Join(out, ",")
}

func floats(list ...float32) string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = number(float64(x))
	}
	return strings.Join(out, ",")
}
