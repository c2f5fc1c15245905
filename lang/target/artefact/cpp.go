package artefact

import (
	"math"
	"strings"
	"unicode/utf8"
)

// CString is a text as a string literal of C++. What is not printable ASCII
// becomes octal escapes of its bytes, which end after three digits; question
// marks are escaped, since two of them could begin a trigraph.
func CString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		b.WriteString(cByte(s[i]))
	}
	b.WriteByte('"')
	return b.String()
}

func cByte(c byte) string {
	switch {
	case c == '"' || c == '\\' || c == '?':
		return "\\" + string(rune(c))
	case c >= ' ' && c < 0x7f:
		return string(rune(c))
	}
	return string([]byte{'\\', '0' + c>>6, '0' + c>>3&7, '0' + c&7})
}

// CStrings are a text as literals of at most so many characters between their
// quotes: some compilers take no longer ones.
func CStrings(s string, most int) []string {
	var out []string
	var b strings.Builder
	for i := range len(s) {
		c := cByte(s[i])
		if b.Len()+len(c) > most {
			out = append(out, `"`+b.String()+`"`)
			b.Reset()
		}
		b.WriteString(c)
	}
	if b.Len() > 0 {
		out = append(out, `"`+b.String()+`"`)
	}
	return out
}

// CComment is a text that may stand after two slashes: nothing ends the line, and
// no backslash joins it with the next one.
func CComment(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\\' || r == '?' || r == utf8.RuneError || r > 0x7e {
			return '.'
		}
		return r
	}, s)
}

// CFloat is a constant of type float.
func CFloat(x float64) string { return CDouble(x) + "f" }

// CDouble is a constant of type double, as exact as Float is.
func CDouble(x float64) string {
	s := Float(max(-math.MaxFloat32, min(math.MaxFloat32, x)))
	if strings.ContainsAny(s, ".e") {
		return s
	}
	return s + ".0"
}
