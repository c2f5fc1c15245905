package raster

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/raster/vec"
)

// PlanOptions say how large a plan is.
type PlanOptions struct {
	Width, Height int    // pixels, within the limits of a picture
	Title         string // for screen readers; the first 200 characters
}

// Limits of a plan.
const (
	MaxOutline    = 64 // points of an outline; a finer one is thinned
	MaxPlanName   = 40 // characters of a name that are shown
	MaxPlanLabels = 400
	planMargin    = 24.0 // pixels
)

// Plan draws what stands where, seen from above, as SVG: the outline of every
// object in its colour, its name, the lights, the camera, a grid and a scale.
// -Z is up on the page and X to the right. An outline is the convex hull of the
// object's vertices; higher objects lie over lower ones. Every outline carries
// the object's name for screen readers; names are drawn where there is room, at
// most MaxPlanLabels of them. The bytes are equal everywhere.
func Plan(s *Scene, o PlanOptions) ([]byte, error) {
	if err := s.validate(&Options{Width: o.Width, Height: o.Height}); err != nil {
		return nil, err
	}
	camera, bad := s.Camera.complete()
	if bad != nil {
		return nil, bad
	}
	p := &plan{width: float64(o.Width), height: float64(o.Height)}
	shapes := p.gather(s, camera)
	p.head(o)
	p.grid()
	for i := range shapes {
		p.outline(&shapes[i])
	}
	for i := range s.Lights {
		p.light(&s.Lights[i])
	}
	p.camera(camera)
	p.names(shapes, s.Labels)
	p.scaleBar()
	p.b.WriteString("</svg>\n")
	return []byte(p.b.String()), nil
}

// plan is an SVG in the making.
type plan struct {
	b             strings.Builder
	width, height float64
	lo            [2]float64 // world X and Z of the picture's upper left corner
	scale         float64    // pixels a metre
}

// footprint is an object seen from above.
type footprint struct {
	name  string
	fill  Color
	top   float64
	hull  [][2]float64 // in pixels
	index int
}

// gather finds the outlines and fits the picture around everything.
func (p *plan) gather(s *Scene, camera Camera) []footprint {
	all := emptyBox()
	var shapes []footprint
	for i := range s.Objects {
		o := &s.Objects[i]
		m := o.matrix()
		f := footprint{name: o.Name, fill: o.Material.Base, top: math.Inf(-1), index: i}
		points := make([][2]float64, 0, len(o.Mesh.Positions))
		for _, v := range o.Mesh.Positions {
			w := m.Point(wide(v))
			all.add(w)
			f.top = max(f.top, w.Y)
			points = append(points, [2]float64{w.X, w.Z})
		}
		if f.hull = hull(points); len(f.hull) > 0 {
			shapes = append(shapes, f)
		}
	}
	for i := range s.Labels {
		all.add(s.Labels[i].Position)
	}
	for i := range s.Lights {
		if l := &s.Lights[i]; l.Kind == Point || l.Kind == Spot {
			all.add(l.Position)
		}
	}
	if all.empty() {
		all.add(camera.Target)
	}
	w, d := max(all.hi.X-all.lo.X, 1), max(all.hi.Z-all.lo.Z, 1)
	margin := min(planMargin, p.width/8, p.height/8)
	p.scale = min((p.width-margin-margin)/w, (p.height-margin-margin)/d)
	p.lo[0] = float64((all.lo.X+all.hi.X)*0.5) - p.width/p.scale/2
	p.lo[1] = float64((all.lo.Z+all.hi.Z)*0.5) - p.height/p.scale/2
	for i := range shapes {
		f := &shapes[i]
		for k, q := range f.hull {
			f.hull[k] = p.at(q[0], q[1])
		}
		f.hull = thin(f.hull)
	}
	slices.SortStableFunc(shapes, func(a, b footprint) int { return cmp.Compare(a.top, b.top) })
	return shapes
}

func (p *plan) at(x, z float64) [2]float64 {
	return [2]float64{float64((x - p.lo[0]) * p.scale), float64((z - p.lo[1]) * p.scale)}
}

// hull is the convex hull by Andrew's monotone chain, at least one point.
func hull(points [][2]float64) [][2]float64 {
	slices.SortFunc(points, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	points = slices.Compact(points)
	if len(points) < 3 {
		return points
	}
	turn := func(a, b, c [2]float64) float64 {
		return float64((b[0]-a[0])*(c[1]-a[1])) - float64((b[1]-a[1])*(c[0]-a[0]))
	}
	half := func(out [][2]float64, next [2]float64, from int) [][2]float64 {
		for len(out)-from >= 2 && turn(out[len(out)-2], out[len(out)-1], next) <= 0 {
			out = out[:len(out)-1]
		}
		return append(out, next)
	}
	var out [][2]float64
	for _, q := range points {
		out = half(out, q, 0)
	}
	from := len(out) - 1
	for i := len(points) - 2; i >= 0; i-- {
		out = half(out, points[i], from)
	}
	return out[:len(out)-1]
}

// thin leaves out points that come within half a pixel of the one before, and
// then evenly what is over MaxOutline.
func thin(points [][2]float64) [][2]float64 {
	var out [][2]float64
	for _, q := range points {
		if n := len(out); n > 0 && math.Abs(q[0]-out[n-1][0]) < 0.5 && math.Abs(q[1]-out[n-1][1]) < 0.5 {
			continue
		}
		out = append(out, q)
	}
	if n := len(out); n > MaxOutline {
		for i := range MaxOutline {
			out[i] = out[i*n/MaxOutline]
		}
		out = out[:MaxOutline]
	}
	return out
}

func (p *plan) head(o PlanOptions) {
	w, h := strconv.Itoa(o.Width), strconv.Itoa(o.Height)
	p.b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="` + w + `" height="` + h + `" viewBox="0 0 ` + w + ` ` + h + `" role="img" font-family="sans-serif">` + "\n")
	if o.Title != "" {
		p.b.WriteString("<title>" + escape(o.Title, 200) + "</title>\n")
	}
	p.b.WriteString(`<rect width="` + w + `" height="` + h + `" fill="#fbfbf8"/>` + "\n")
}

// step is a round length of 1, 2 or 5 times a power of ten that takes at least
// so many pixels.
func (p *plan) step(pixels float64) (metres float64, text string) {
	for e := -6; e <= 9; e++ {
		for _, digit := range []string{"1", "2", "5"} {
			metres, err := strconv.ParseFloat(digit+"e"+strconv.Itoa(e), 64)
			if err == nil && float64(metres*p.scale) >= pixels {
				return metres, strconv.FormatFloat(metres, 'f', -1, 64) + " m"
			}
		}
	}
	return 1e9, "1000000000 m"
}

func (p *plan) grid() {
	step, _ := p.step(40)
	p.b.WriteString(`<path stroke="#e3e3da" fill="none" d="`)
	for axis := range 2 {
		size := [2]float64{p.width, p.height}
		first := math.Ceil(p.lo[axis] / step)
		for k := range 200 {
			at := float64((float64((first+float64(k))*step) - p.lo[axis]) * p.scale)
			if at > size[axis] {
				break
			}
			if axis == 0 {
				p.b.WriteString("M" + fixed(at) + " 0V" + fixed(p.height))
			} else {
				p.b.WriteString("M0 " + fixed(at) + "H" + fixed(p.width))
			}
		}
	}
	p.b.WriteString(`"/>` + "\n")
}

func (p *plan) outline(f *footprint) {
	p.b.WriteString(`<path fill="` + webColor(f.fill) + `" fill-opacity="` + fixed(float64(float64(f.fill.A)*0.85)/255) + `" stroke="` + webColor(darker(f.fill)) + `" d="`)
	for i, q := range f.hull {
		if i == 0 {
			p.b.WriteByte('M')
		} else {
			p.b.WriteByte('L')
		}
		p.b.WriteString(fixed(q[0]) + " " + fixed(q[1]))
	}
	p.b.WriteString(`Z">`)
	if f.name != "" {
		p.b.WriteString("<title>" + escape(f.name, 200) + "</title>")
	}
	p.b.WriteString("</path>\n")
}

func (p *plan) light(l *Light) {
	if l.Kind != Point && l.Kind != Spot {
		return
	}
	q := p.at(l.Position.X, l.Position.Z)
	p.b.WriteString(`<circle cx="` + fixed(q[0]) + `" cy="` + fixed(q[1]) + `" r="5" fill="` + webColor(l.Color) + `" stroke="#8a6d00" stroke-dasharray="2 2"><title>light</title></circle>` + "\n")
}

// camera draws where the camera stands and looks, if it is in the picture.
func (p *plan) camera(c Camera) {
	q := p.at(c.Position.X, c.Position.Z)
	if q[0] < 0 || q[1] < 0 || q[0] > p.width || q[1] > p.height {
		return
	}
	dir := vec.At(c.Target.X-c.Position.X, 0, c.Target.Z-c.Position.Z).Unit()
	if dir == (vec.Vec{}) {
		dir = vec.At(0, 0, -1)
	}
	tip := func(along, aside float64) string {
		x := q[0] + float64(dir.X*along) - float64(dir.Z*aside)
		y := q[1] + float64(dir.Z*along) + float64(dir.X*aside)
		return fixed(x) + " " + fixed(y)
	}
	p.b.WriteString(`<path fill="#1d4ed8" stroke="#fff" d="M` + tip(-6, 0) + "L" + tip(9, -6) + "L" + tip(9, 6) + `Z"><title>camera</title></path>` + "\n")
}

// names writes the labels, then the names of what is large enough to carry one.
// A text that would lie over another one is left out.
func (p *plan) names(shapes []footprint, labels []Label) {
	p.b.WriteString(`<g font-size="11" text-anchor="middle" fill="#1b1b1b" stroke="#fff" stroke-width="3" paint-order="stroke">` + "\n")
	var taken [][4]float64 // what the texts so far cover, roughly
	write := func(q [2]float64, text string) {
		wide := float64(3.1 * float64(min(len([]rune(text)), MaxPlanName)))
		at := [4]float64{q[0] - wide, q[1] - 6, q[0] + wide, q[1] + 6}
		covered := func(o [4]float64) bool { return at[0] < o[2] && o[0] < at[2] && at[1] < o[3] && o[1] < at[3] }
		if len(taken) == MaxPlanLabels || slices.ContainsFunc(taken, covered) {
			return
		}
		taken = append(taken, at)
		p.b.WriteString(`<text x="` + fixed(q[0]) + `" y="` + fixed(q[1]+4) + `">` + escape(text, MaxPlanName) + "</text>\n")
	}
	for i := range labels {
		if l := &labels[i]; strings.TrimSpace(l.Text) != "" {
			write(p.at(l.Position.X, l.Position.Z), strings.Join(strings.Fields(l.Text), " "))
		}
	}
	for i := range shapes {
		f := &shapes[i]
		lo, hi := f.hull[0], f.hull[0]
		for _, q := range f.hull {
			for k := range 2 {
				lo[k], hi[k] = min(lo[k], q[k]), max(hi[k], q[k])
			}
		}
		if f.name == "" || max(hi[0]-lo[0], hi[1]-lo[1]) < 8 {
			continue
		}
		at := [2]float64{float64((lo[0] + hi[0]) * 0.5), float64((lo[1] + hi[1]) * 0.5)}
		if hi[0]-lo[0] > p.width/2 {
			at[1] = lo[1] + 14 // a ground carries its name at its upper edge
		}
		write(at, f.name)
	}
	p.b.WriteString("</g>\n")
}

func (p *plan) scaleBar() {
	metres, text := p.step(60)
	length := float64(metres * p.scale)
	if length > p.width-20 {
		return
	}
	y := fixed(p.height - 10)
	p.b.WriteString(`<path stroke="#1b1b1b" stroke-width="2" d="M10 ` + y + "h" + fixed(length) + `"/><text x="10" y="` + fixed(p.height-15) + `" font-size="11">` + text + "</text>\n")
}

// fixed prints a number with two digits behind the point at most.
func fixed(x float64) string {
	n := int64(math.Floor(float64(x*100) + 0.5))
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	s := sign + strconv.FormatInt(n/100, 10)
	if r := n % 100; r > 0 {
		s += "." + string([]byte{byte('0' + r/10)})
		if r%10 > 0 {
			s += string([]byte{byte('0' + r%10)})
		}
	}
	return s
}

func webColor(c Color) string {
	const digits = "0123456789abcdef"
	return string([]byte{'#', digits[c.R>>4], digits[c.R&15], digits[c.G>>4], digits[c.G&15], digits[c.B>>4], digits[c.B&15]})
}

func darker(c Color) Color {
	return Color{uint8(int(c.R) * 6 / 10), uint8(int(c.G) * 6 / 10), uint8(int(c.B) * 6 / 10), 255}
}

// escape writes text for XML, cut at so many characters. What XML cannot contain
// and what would turn the direction of the text around is left out.
func escape(s string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > most {
			b.WriteRune('…')
			break
		}
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&quot;")
		case r == '\t' || r == '\n' || r == '\r':
			b.WriteByte(' ')
		case r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0xd800 && r < 0xe000 || r == 0xfffe || r == 0xffff:
		case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f:
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
