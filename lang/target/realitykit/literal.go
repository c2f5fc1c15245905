package realitykit

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// quoted is a text as Swift writes it, in ASCII: nothing in it ends the literal,
// begins an interpolation or turns the order of what a reader sees.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u{%x}`, r) // what is no UTF-8 is U+FFFD here
		}
	}
	b.WriteByte('"')
	return b.String()
}

// comment is a text for the end of a line comment, in ASCII.
func comment(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f {
			return '?'
		}
		return r
	}, s)
}

// document is a JSON document as a text of several lines, with a line for what is
// less deep than levels. In JSON three quotes never stand side by side, so that
// nothing ends the literal but its end.
func document(doc []byte, levels int) string {
	var b strings.Builder
	b.WriteString("\"\"\"\n")
	depth, inside := 0, false
	ascii := artefact.ASCII(bytes.TrimSpace(doc), "")
	for i := 0; i < len(ascii); i++ {
		c := ascii[i]
		switch {
		case inside && c == '\\':
			b.WriteString(`\\`)
			if i++; ascii[i] == '\\' {
				b.WriteByte('\\')
			}
			c = ascii[i]
		case c == '"':
			inside = !inside
		case inside:
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
		b.WriteByte(c)
		if !inside && c == ',' && depth <= levels {
			b.WriteByte('\n')
		}
	}
	b.WriteString("\n\"\"\"")
	return b.String()
}

func float(x float64) string { return artefact.Float(x) }

// triple, four and ink are vectors of the language.
func triple(v scene.Vec) string {
	return fmt.Sprintf("SIMD3<Float>(%s, %s, %s)", float(v[0]), float(v[1]), float(v[2]))
}

func four(q scene.Quat) string {
	return fmt.Sprintf("SIMD4<Float>(%s, %s, %s, %s)", float(q[0]), float(q[1]), float(q[2]), float(q[3]))
}

func ink(color string) string { return inkOf(scene.RGBA(color)) }

func inkOf(c [4]uint8) string {
	return fmt.Sprintf("Ink(%s, %s, %s, %s)", float(float64(c[0])/255), float(float64(c[1])/255), float(float64(c[2])/255), float(float64(c[3])/255))
}

// points are numbers in single precision, the least byte first, in base 64.
func points[T [2]float32 | [3]float32](list []T) string {
	var out []byte
	for _, p := range list {
		switch p := any(p).(type) {
		case [2]float32:
			for _, x := range p {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x+0)) // no -0
			}
		case [3]float32:
			for _, x := range p {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x+0))
			}
		}
	}
	return base64.StdEncoding.EncodeToString(out)
}

func order(list []uint32) string {
	var out []byte
	for _, x := range list {
		out = binary.LittleEndian.AppendUint32(out, x)
	}
	return base64.StdEncoding.EncodeToString(out)
}

// xmlText is what a property list may contain of a text.
func xmlText(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	return artefact.Readable(s)
}
