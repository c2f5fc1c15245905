package android

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/meshd/meshd/lang/target/artefact"
)

// chunk is how many signs a literal has at most: a class has no room for texts of
// more than 65,535 bytes.
const chunk = 8000

// quoted is a text of one literal. What is not ASCII is escaped, and so is what
// would begin a template.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\' || r == '$':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// document is a JSON document as an expression that gives its text.
func document(doc []byte) string {
	doc = artefact.ASCII(doc, "")
	if len(doc) <= chunk {
		return quoted(string(doc))
	}
	var b strings.Builder
	b.WriteString("listOf(\n")
	for len(doc) > 0 {
		n := min(chunk, len(doc))
		end := ",\n"
		if n == len(doc) {
			end = "\n"
		}
		b.WriteString("    " + quoted(string(doc[:n])) + end)
		doc = doc[n:]
	}
	b.WriteString(`).joinToString("")`)
	return b.String()
}

// number is a literal of the type Double.
func number(x float64) string {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return "0.0"
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if abs := math.Abs(x); abs >= 1e15 || abs < 1e-6 {
		s = strconv.FormatFloat(x, 'e', -1, 64)
	}
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

func vector(name string, v ...float64) string {
	parts := make([]string, len(v))
	for i, x := range v {
		parts[i] = number(x)
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}

func xyz(v [3]float64) string { return vector("xyz", v[0], v[1], v[2]) }
