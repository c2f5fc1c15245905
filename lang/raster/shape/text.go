package shape

import (
	"strings"
	"unicode"

	"github.com/meshd/meshd/lang/raster/vec"
)

// Align says where the origin is on a line of text.
type Align uint8

// The alignments.
const (
	Center Align = iota
	Left
	Right
)

// Text is a text in the plane XY that is read from +Z, in strokes. Height is
// that of a capital letter in metres, depth how thick it is; a depth of 0 gives
// a flat text. Lines are parted by \n; the text is centred on the origin from
// top to bottom. Characters the font lacks are drawn as a frame and counted;
// what is beyond MaxText characters is left out and counted too.
func Text(s string, height, depth float64, align Align) (m *Mesh, unknown int) {
	unit := size(height) / capHeight
	half := 0.0
	if depth > 0 {
		half = size(depth) / 2
	}
	m = &Mesh{}
	lines, unknown := layout(s)
	top := (float64((len(lines)-1)*lineHeight) + capHeight) / 2
	for i, l := range lines {
		shift := map[Align]float64{Center: -l.width / 2, Left: 0, Right: -l.width}[align]
		base := top - capHeight - float64(i*lineHeight)
		for _, st := range l.strokes {
			a := vec.At(st.from[0]+shift, st.from[1]+base, 0).Scale(unit)
			b := vec.At(st.to[0]+shift, st.to[1]+base, 0).Scale(unit)
			m.stroke(a, b, float64(unit*boldness)/2, half, st.before, st.behind)
		}
	}
	return m, unknown
}

// TextTriangles is the number of triangles of a flat Text, without making it; it
// has twice as many corners.
func TextTriangles(s string) int {
	n, triangles := 0, 0
	for _, r := range s {
		if n++; n > MaxText {
			break
		}
		if r == '\n' || unicode.IsSpace(r) || unicode.In(r, unicode.Mn, unicode.Cc, unicode.Cf) {
			continue
		}
		strokes, _ := glyph(r)
		for poly := range strings.FieldsSeq(strokes) {
			triangles += 2 * max(len(poly)/2-1, 0)
		}
	}
	return triangles
}

// Extent is the width and height in metres that Text takes, half a stroke
// around it included.
func Extent(s string, height float64) (width, tall float64) {
	unit := size(height) / capHeight
	lines, _ := layout(s)
	for _, l := range lines {
		width = max(width, l.width)
	}
	tall = float64((len(lines)-1)*lineHeight) + capHeight
	return float64((width + boldness) * unit), float64((tall + boldness) * unit)
}

// line is a line of text in units of the grid.
type line struct {
	strokes []stroke
	width   float64
}

// stroke is a straight piece of a glyph. Before and behind say by how many half
// widths it goes on past its ends: 1 at the end of a polyline, and where it bends
// as much as makes the outer edges of the two pieces meet.
type stroke struct {
	from, to       [2]float64
	before, behind float64
}

// bend is how far two pieces go on where they meet: the tangent of half the turn.
func bend(a, b, c [2]float64) float64 {
	p := vec.At(b[0]-a[0], b[1]-a[1], 0).Unit()
	q := vec.At(c[0]-b[0], c[1]-b[1], 0).Unit()
	turn := p.Dot(q)
	if turn < 1e-9 {
		return 1 // a right angle or sharper
	}
	return p.Cross(q).Len() / (1 + turn)
}

func layout(s string) (lines []line, unknown int) {
	n := 0
	for i := range s {
		if n++; n > MaxText {
			unknown += len([]rune(s[i:]))
			s = s[:i]
			break
		}
	}
	for part := range strings.SplitSeq(s, "\n") {
		var l line
		x := 0.0
		for _, r := range part {
			if unicode.IsSpace(r) {
				x += wordGap
				continue
			}
			if unicode.In(r, unicode.Mn, unicode.Cc, unicode.Cf) {
				continue // marks and controls take no place
			}
			strokes, known := glyph(r)
			if !known {
				unknown++
			}
			wide := 0.0
			for poly := range strings.FieldsSeq(strokes) {
				before := 1.0
				for k := 0; k+4 <= len(poly); k += 2 {
					a, b := gridPoint(poly[k:]), gridPoint(poly[k+2:])
					wide = max(wide, a[0], b[0])
					st := stroke{from: [2]float64{a[0] + x, a[1]}, to: [2]float64{b[0] + x, b[1]}, before: before, behind: 1}
					if k+6 <= len(poly) {
						st.behind = bend(a, b, gridPoint(poly[k+4:]))
					}
					before = st.behind
					l.strokes = append(l.strokes, st)
				}
			}
			x += wide + letterGap
			l.width = x - letterGap
		}
		lines = append(lines, l)
	}
	return lines, unknown
}

func gridPoint(s string) [2]float64 {
	y := float64(s[1]) - '0'
	if s[1] >= 'a' {
		y = 'a' - 1 - float64(s[1])
	}
	return [2]float64{float64(s[0]) - '0', y}
}

// stroke appends a straight stroke, a bar or, when half is 0, a flat rectangle.
// It goes on past its ends by so many half widths.
func (m *Mesh) stroke(a, b vec.Vec, radius, half, before, behind float64) {
	along := b.Sub(a).Unit()
	if along == (vec.Vec{}) {
		along = vec.At(1, 0, 0)
	}
	along = along.Scale(radius)
	side := vec.At(-along.Y, along.X, 0)
	front, back := vec.At(0, 0, half), vec.At(0, 0, -half)
	a, b = a.Sub(along.Scale(before)), b.Add(along.Scale(behind))
	c := [4]vec.Vec{a.Sub(side), b.Sub(side), b.Add(side), a.Add(side)}
	m.flat(c[0].Add(front), c[1].Add(front), c[2].Add(front), c[3].Add(front))
	if half == 0 {
		return
	}
	m.flat(c[3].Add(back), c[2].Add(back), c[1].Add(back), c[0].Add(back))
	for i := range 4 {
		p, q := c[i], c[(i+1)%4]
		m.flat(p.Add(back), q.Add(back), q.Add(front), p.Add(front))
	}
}
