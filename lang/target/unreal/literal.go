package unreal

import (
	"fmt"
	"math"
	"strings"

	"github.com/meshd/meshd/lang/target/artefact"
)

// Some compilers take no longer literals: so many characters of a piece, and of
// all pieces that make one text of the engine.
const (
	mostPiece = 8000
	mostWide  = 10000
)

// wide is a text as a literal of the engine's characters. It ends after so many
// characters.
func wide(s string) string {
	var b strings.Builder
	n, line := 0, 0
	b.WriteString(`TEXT("`)
	for _, r := range s {
		if n == mostWide {
			break
		}
		n++
		piece := ""
		switch {
		case r == '"' || r == '\\' || r == '?':
			piece = "\\" + string(r)
		case r >= ' ' && r < 0x7f:
			piece = string(r)
		case r < 0xa0: // has no name among universal characters
			piece = fmt.Sprintf(`\%03o`, r)
		case r > 0xffff:
			piece = fmt.Sprintf(`\U%08X`, r)
		default:
			piece = fmt.Sprintf(`\u%04X`, r)
		}
		if line += len(piece); line > mostPiece {
			b.WriteString(`") TEXT("`)
			line = len(piece)
		}
		b.WriteString(piece)
	}
	b.WriteString(`")`)
	return b.String()
}

// word is a name for the engine: letters, digits and lines of ASCII.
func word(s string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, s)
	return clean[:min(len(clean), 60)]
}

func yes(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// doubles and floats are numbers in braces.
func doubles(v ...float64) string { return braces(artefact.CDouble, v) }
func floats(v ...float64) string  { return braces(artefact.CFloat, v) }

func braces(print func(float64) string, v []float64) string {
	out := make([]string, len(v))
	for i, x := range v {
		out[i] = print(x)
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// The engine's axes: X ahead, Y to the right, Z up, in centimetres. A program and
// the model look along -Z with Y up, in metres.
func place(v [3]float64) [3]float64 {
	return [3]float64{float64(-100 * v[2]), float64(100 * v[0]), float64(100 * v[1])}
}
func direction(v [3]float64) [3]float64 { return [3]float64{-v[2], v[0], v[1]} }
func factors(v [3]float64) [3]float64   { return [3]float64{v[2], v[0], v[1]} }
func sizes(v [3]float64) [3]float64 {
	return [3]float64{math.Abs(float64(100 * v[2])), math.Abs(float64(100 * v[0])), math.Abs(float64(100 * v[1]))}
}
func turn(q [4]float64) [4]float64 { return [4]float64{q[2], -q[0], -q[1], q[3]} }
