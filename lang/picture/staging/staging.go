// Package staging decides how a scene is shown where its source does not say:
// what of it is framed, where the camera stands, which walls it looks through,
// which light falls on it, and what stands for a model file that is not there.
// The viewer has the same rules in staging.ts; a test gives both the same scenes.
//
// What counts. Solids, texts and stand-ins count by the boxes around them. The
// following are surroundings, compared with the box of the things that are less than
// 0.6 times as large ("the rest"): a solid that contains the rest and is 1.3 times as
// large (a sky, a room in one piece; a little larger than three or more is enough); a lying sheet below or above the middle of
// the rest, 1.3 times as large (a floor, a ceiling), or a block twice as large and
// half as high as wide that two or more stand on; a solid twelve times as large
// as a rest of three or more; a standing sheet twice as large (a backdrop). What
// is twenty times as far from the origin as all else is (stars) does not count either,
// nor what is astray: a tenth of all at most, far from the others.
package staging

import (
	"cmp"
	"math"
	"slices"

	"github.com/meshd/meshd/lang/picture/standin"
	"github.com/meshd/meshd/lang/picture/swarm"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// Role is what a solid is for the frame.
type Role uint8

// The roles.
const (
	Thing    Role = iota // counts
	Ground               // lies under or over the things
	Shell                // contains the things
	Backdrop             // stands behind the things, or is far larger
	Astray               // is far from everything else
)

// Solid is the box around what a node shows.
type Solid struct {
	Node   int
	Lo, Hi vec.Vec
	Role   Role
	Text   bool
	Clear  bool // can be seen through
	Moving bool // is moved by physics
	Emits  bool // its particles
}

// FOV is the vertical angle of a camera that finds its own place, in radians.
const FOV = 50 * math.Pi / 180

// Staging is how a scene is shown.
type Staging struct {
	Solids   []Solid
	Lo, Hi   vec.Vec      // the box of the things
	Room     bool         // walls or a shell are around the things
	Floating map[int]bool // nodes whose texts turn to the viewer
	Gain     float64      // multiplies all light
	Sun      bool         // a key light is wanted
	Ambient  Ambient      // light from everywhere
	Shadow   int          // node whose directional light throws a shadow besides those that the source names; -1
	World    []vec.Mat
	walls    []int
	named    map[string]int
}

// Ambient is light from above and below, as light.
type Ambient struct{ Above, Below vec.Vec }

// SunWay is where the key light shines to, and SunIntensity how strongly.
var SunWay = vec.At(-3, -6, -4).Unit()

// SunIntensity is that of the key light.
const SunIntensity = 0.8

// Of looks at a scene.
func Of(s *scene.Scene) *Staging {
	g := &Staging{World: make([]vec.Mat, len(s.Nodes)), Floating: map[int]bool{}, Shadow: -1}
	hidden := make([]bool, len(s.Nodes))
	for i := range s.Nodes {
		n := &s.Nodes[i]
		m := vec.TRS(vec.At(n.T[0], n.T[1], n.T[2]), vec.Quat(n.R), vec.At(n.S[0], n.S[1], n.S[2]))
		hidden[i] = !bool(n.Visible) || n.Prototype != ""
		if n.Parent >= 0 {
			m = g.World[n.Parent].Mul(m)
			hidden[i] = hidden[i] || hidden[n.Parent]
		}
		g.World[i] = m
	}
	for i := range s.Nodes {
		if !hidden[i] {
			g.take(s, i)
		}
	}
	g.sortOut()
	g.frame()
	g.findWalls()
	g.float(s)
	g.lights(s, hidden)
	return g
}

// Aim is the way from a node to others by their names, in the space of the node.
func (g *Staging) Aim(s *scene.Scene, i int) func(string) (vec.Vec, bool) {
	return func(name string) (vec.Vec, bool) {
		if g.named == nil {
			g.named = map[string]int{}
			for k := range s.Nodes {
				if _, there := g.named[s.Nodes[k].Name]; !there && s.Nodes[k].Prototype == "" {
					g.named[s.Nodes[k].Name] = k
				}
			}
		}
		k, there := g.named[name]
		if !there {
			return vec.Vec{}, false
		}
		m := &g.World[i]
		way := g.World[k].Point(vec.Vec{}).Sub(m.Point(vec.Vec{}))
		along := func(x, y, z float64) float64 { return way.Dot(m.Dir(vec.At(x, y, z)).Unit()) }
		return vec.At(along(1, 0, 0), along(0, 1, 0), along(0, 0, 1)), true
	}
}

// take notes the box of what a node shows.
func (g *Staging) take(s *scene.Scene, i int) {
	n := &s.Nodes[i]
	var half, centre vec.Vec
	o := Solid{Node: i, Moving: n.Body != nil && n.Body.Type == "dynamic"}
	switch {
	case n.Geometry != nil && s.Geometries[*n.Geometry].Kind == "model":
		lo, hi := standin.Of(s, n).Box()
		half, centre = hi.Sub(lo).Scale(0.5), lo.Add(hi).Scale(0.5)
	case n.Geometry != nil:
		b := s.Geometries[*n.Geometry].Bounds()
		half = vec.At(b[0]/2, b[1]/2, b[2]/2)
		o.Clear = n.Material != nil && s.Materials[*n.Material].Alpha == "blend"
	case n.Text != nil && n.Text.Value != "":
		w, h := Extent(n.Text.Value, n.Text.Size)
		half, o.Text = vec.At(w/2, h/2, 0.001), true
		switch n.Text.Align {
		case "left":
			centre.X = w / 2
		case "right":
			centre.X = -w / 2
		}
	}
	if half != (vec.Vec{}) || n.Geometry != nil {
		g.add(o, half, centre)
	}
	if n.Particle.Kind != trait.Map {
		return
	}
	if e := swarm.Of(n.Particle, g.Aim(s, i)); !e.Weather() {
		lo, hi := e.Box()
		g.add(Solid{Node: i, Clear: true, Emits: true}, hi.Sub(lo).Scale(0.5), lo.Add(hi).Scale(0.5))
	}
}

// add notes a box below the node of a solid.
func (g *Staging) add(o Solid, half, centre vec.Vec) {
	m := &g.World[o.Node]
	c := m.Point(centre)
	x, y, z := m.Dir(vec.At(half.X, 0, 0)), m.Dir(vec.At(0, half.Y, 0)), m.Dir(vec.At(0, 0, half.Z))
	r := vec.At(math.Abs(x.X)+math.Abs(y.X)+math.Abs(z.X), math.Abs(x.Y)+math.Abs(y.Y)+math.Abs(z.Y), math.Abs(x.Z)+math.Abs(y.Z)+math.Abs(z.Z))
	o.Lo, o.Hi = c.Sub(r), c.Add(r)
	if o.Lo.Finite() && o.Hi.Finite() {
		g.Solids = append(g.Solids, o)
	}
}

// Extent is how wide and high a text is taken to be, whatever the letters.
func Extent(text string, size float64) (w, h float64) {
	long, line, lines := 0, 0, 1
	for _, r := range text {
		if r == '\n' {
			lines++
			line = 0
			continue
		}
		line++
		long = max(long, line)
	}
	return float64(float64(long)*size) * 0.8, float64(float64(lines)*size) * 1.8
}

func (o *Solid) size() float64 { return o.Hi.Sub(o.Lo).Len() }

func (o *Solid) centre() vec.Vec { return o.Lo.Add(o.Hi).Scale(0.5) }

// part is one of the three coordinates.
func part(v vec.Vec, k int) float64 { return [3]float64{v.X, v.Y, v.Z}[k] }

// sheet is the axis that a solid is thin along, -1 for what is no sheet.
func (o *Solid) sheet() int {
	e := o.Hi.Sub(o.Lo)
	axis := 0
	for k := 1; k < 3; k++ {
		if part(e, k) < part(e, axis) {
			axis = k
		}
	}
	middle := e.X + e.Y + e.Z - max(e.X, e.Y, e.Z) - min(e.X, e.Y, e.Z)
	if part(e, axis) <= float64(0.12*middle) {
		return axis
	}
	return -1
}

// box is a range along three axes.
type box struct{ lo, hi vec.Vec }

func nothing() box {
	inf := math.Inf(1)
	return box{vec.At(inf, inf, inf), vec.At(-inf, -inf, -inf)}
}

func (b box) with(o *Solid) box { return box{b.lo.Min(o.Lo), b.hi.Max(o.Hi)} }

func (b box) size() float64 { return b.hi.Sub(b.lo).Len() }

func (b box) inside(o *Solid, slack float64) bool {
	for k := range 3 {
		if part(b.lo, k) < part(o.Lo, k)-slack || part(b.hi, k) > part(o.Hi, k)+slack {
			return false
		}
	}
	return true
}

// sortOut gives each solid its role.
func (g *Staging) sortOut() {
	order := make([]int, len(g.Solids))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(g.Solids[a].size(), g.Solids[b].size()) })
	rest, count, members := nothing(), 0, 0 // the things that are smaller by far
	for _, i := range order {
		o := &g.Solids[i]
		size := o.size()
		for count < len(order) && g.Solids[order[count]].size() < float64(0.6*size) {
			if small := &g.Solids[order[count]]; small.Role == Thing {
				rest = rest.with(small)
				members++
			}
			count++
		}
		if members == 0 || o.Text {
			continue
		}
		e := o.Hi.Sub(o.Lo)
		d, c := rest.size(), rest.lo.Add(rest.hi).Scale(0.5)
		axis := o.sheet()
		over := c.X >= o.Lo.X && c.X <= o.Hi.X && c.Z >= o.Lo.Z && c.Z <= o.Hi.Z
		switch {
		case axis < 0 && (size > float64(1.3*d) || members >= 3 && size > float64(1.02*d)) && rest.inside(o, float64(0.02*d)):
			o.Role = Shell
		case axis == 1 && over && size > float64(1.3*d):
			o.Role = Ground
		case axis < 0 && over && members >= 2 && o.Hi.Y <= rest.lo.Y+float64(0.25*(rest.hi.Y-rest.lo.Y)) && size > float64(2*d) && e.Y <= float64(0.5*min(e.X, e.Z)):
			o.Role = Ground
		case axis >= 0 && axis != 1 && size > float64(2*d), members >= 3 && size > float64(12*d):
			o.Role = Backdrop
		}
	}
	g.beyond()
	g.strays()
}

// strays finds what is far from everything else.
func (g *Staging) strays() {
	var things []int
	var xs, ys, zs []float64
	for i := range g.Solids {
		if o := &g.Solids[i]; o.Role == Thing {
			c := o.centre()
			things, xs, ys, zs = append(things, i), append(xs, c.X), append(ys, c.Y), append(zs, c.Z)
		}
	}
	if len(things) < 10 {
		return
	}
	for _, v := range [][]float64{xs, ys, zs} {
		slices.Sort(v)
	}
	middle := vec.At(xs[len(xs)/2], ys[len(ys)/2], zs[len(zs)/2])
	far := make([]float64, len(things))
	for k, i := range things {
		far[k] = g.Solids[i].centre().Sub(middle).Len() + g.Solids[i].size()/2
	}
	sorted := slices.Clone(far)
	slices.Sort(sorted)
	limit := float64(4 * sorted[len(sorted)*9/10-1])
	for k, i := range things {
		if far[k]-g.Solids[i].size() > limit {
			g.Solids[i].Role = Astray
		}
	}
}

// beyond finds what stands behind a gap: a distance from the origin twenty times
// that of three or more things within it, as of stars around planets.
func (g *Staging) beyond() {
	var far []float64
	for i := range g.Solids {
		if o := &g.Solids[i]; o.Role == Thing {
			far = append(far, o.centre().Len()+o.size()/2)
		}
	}
	slices.Sort(far)
	for k := 3; k < len(far); k++ {
		if far[k] <= float64(20*far[k-1]) {
			continue
		}
		for i := range g.Solids {
			if o := &g.Solids[i]; o.Role == Thing && o.centre().Len()+o.size()/2 >= far[k] {
				o.Role = Backdrop
			}
		}
		return
	}
}

// frame is the box of the things.
func (g *Staging) frame() {
	b := nothing()
	for i := range g.Solids {
		if g.Solids[i].Role == Thing {
			b = b.with(&g.Solids[i])
		}
	}
	if b.lo.X > b.hi.X {
		for i := range g.Solids {
			b = b.with(&g.Solids[i])
		}
	}
	if b.lo.X > b.hi.X {
		b = box{vec.At(-1, -1, -1), vec.At(1, 1, 1)}
	}
	g.Lo, g.Hi = b.lo, b.hi
}
