package unity

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// quoted is a text of the language; all that is not printable ASCII is escaped.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= 0x20 && r < 0x7f:
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

// longText is a text of any length, in lines.
func longText(s string) string {
	const most = 4000
	if len(s) <= most {
		return quoted(s)
	}
	var b strings.Builder
	b.WriteString("string.Concat(new[] {\n")
	runes := []rune(s)
	for len(runes) > 0 {
		n := min(len(runes), most)
		fmt.Fprintf(&b, "\t\t%s,\n", quoted(string(runes[:n])))
		runes = runes[n:]
	}
	b.WriteString("\t})")
	return b.String()
}

func float(x float64) string { return artefact.Float(x) + "f" }

func floats(xs ...float64) string {
	list := make([]string, len(xs))
	for i, x := range xs {
		list[i] = float(x)
	}
	return strings.Join(list, ", ")
}

func yes(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// place is a place, a size of the model in the axes of the engine: left-handed,
// its Z points the other way.
func place(x, y, z float64) string { return "new Vector3(" + floats(x, y, -z) + ")" }

// extent is a size, which has no direction.
func extent(x, y, z float64) string { return "new Vector3(" + floats(x, y, z) + ")" }

// turn is a turn of the model in the axes of the engine.
func turn(q scene.Quat) string {
	return "new Quaternion(" + floats(-q[0], -q[1], q[2], q[3]) + ")"
}

// axis is what something turns around: a turn by an angle stays one by the same
// angle.
func axis(v vec.Vec) string { return "new Vector3(" + floats(-v.X, -v.Y, v.Z) + ")" }

// color is an sRGB colour.
func color(c string) string {
	b := scene.RGBA(c)
	return "Builder.Ink(" + floats(float64(b[0])/255, float64(b[1])/255, float64(b[2])/255, float64(b[3])/255) + ")"
}
