package staging

import (
	"math"

	"github.com/meshd/meshd/lang/raster/vec"
)

// View is where a camera stands and what it looks at.
type View struct{ Eye, Target vec.Vec }

// View is the place of a camera from which all that counts is seen: in front, a
// little from the right and above; more from above where things lie flat or a room
// is looked into; nearly straight in front of what stands flat, such as an interface. It
// is never inside of a solid. Aspect is width over height, fov the vertical angle.
func (g *Staging) View(aspect, fov float64) View {
	e := g.Hi.Sub(g.Lo)
	way := vec.At(0.55, 0.45, 1)
	switch {
	case e.Z < float64(0.25*max(e.X, e.Y)) && e.Y >= float64(0.12*e.X):
		way = vec.At(0.1, 0.12, 1)
	case e.Y < float64(0.12*max(e.X, e.Z)):
		way = vec.At(0.3, 0.9, 1)
	case g.Room:
		way = vec.At(0.5, 0.75, 1)
	}
	var v View
	for range 8 {
		v = g.fit(way, aspect, fov)
		if !g.blocked(v.Eye) {
			break
		}
		way.Y += 0.4
	}
	return v
}

// fit goes back until every corner of the box is seen.
func (g *Staging) fit(way vec.Vec, aspect, fov float64) View {
	centre, from := g.Lo.Add(g.Hi).Scale(0.5), way.Unit()
	right, up, back := vec.Basis(from.Scale(-1), vec.At(0, 1, 0))
	half := vec.Tan(fov / 2)
	distance := 0.1
	for k := range 8 {
		p := g.Lo
		if k&1 == 1 {
			p.X = g.Hi.X
		}
		if k&2 == 2 {
			p.Y = g.Hi.Y
		}
		if k&4 == 4 {
			p.Z = g.Hi.Z
		}
		d := p.Sub(centre)
		wide, tall := math.Abs(d.Dot(right))/float64(half*max(aspect, 0.1)), math.Abs(d.Dot(up))/half
		distance = max(distance, d.Dot(back)+max(wide, tall))
	}
	return View{centre.Add(from.Scale(float64(distance * 1.05))), centre}
}

// Beside is View for a picture whose right part, a share of it, is covered by
// controls: all that counts is in the rest.
func (g *Staging) Beside(aspect, fov, covered float64) View {
	v := g.View(float64(aspect*(1-covered)), fov)
	right, _, back := vec.Basis(v.Target.Sub(v.Eye), vec.At(0, 1, 0))
	far := v.Eye.Sub(v.Target).Dot(back)
	by := right.Scale(float64(float64(covered*vec.Tan(fov/2)) * float64(aspect*far)))
	return View{v.Eye.Add(by), v.Target.Add(by)}
}

// blocked says whether a place is inside of something that hides the things.
func (g *Staging) blocked(p vec.Vec) bool {
	for i := range g.Solids {
		o := &g.Solids[i]
		if o.Clear || o.Text || o.Role == Shell {
			continue
		}
		in := true
		for k := range 3 {
			in = in && part(p, k) > part(o.Lo, k) && part(p, k) < part(o.Hi, k)
		}
		if in {
			return true
		}
	}
	return false
}

// findWalls notes the standing sheets of a room: there is a floor under the things, two
// or more walls stand on it, and something that is no sheet is inside.
func (g *Staging) findWalls() {
	e := g.Hi.Sub(g.Lo)
	floor, inside := false, false
	var walls []int
	for i := range g.Solids {
		o := &g.Solids[i]
		if o.Text || o.Clear {
			continue
		}
		if o.Role == Shell {
			g.Room = true
		}
		d := o.Hi.Sub(o.Lo)
		switch o.sheet() {
		case -1:
			inside = inside || o.Role == Thing
		case 1:
			low := o.Hi.Y <= g.Lo.Y+float64(0.2*e.Y)
			floor = floor || low && d.X >= float64(0.6*e.X) && d.Z >= float64(0.6*e.Z)
		case 0:
			if d.Y >= float64(0.4*e.Y) && d.Z >= float64(0.25*e.Z) {
				walls = append(walls, i)
			}
		case 2:
			if d.Y >= float64(0.4*e.Y) && d.X >= float64(0.25*e.X) {
				walls = append(walls, i)
			}
		}
	}
	if floor && inside && len(walls) >= 2 {
		g.Room, g.walls = true, walls
	}
}

// Cut is how a solid is drawn for an eye that found its own place.
type Cut uint8

// The ways of drawing.
const (
	Whole Cut = iota
	Open      // its faces that are turned away, so that one looks into it
	Away      // not at all
)

// Cuts opens what is around the things like a doll's house: of shells the far side
// is drawn, and of a room neither the walls and the ceiling between the eye and the
// middle nor what hangs on them. The key is a node.
func (g *Staging) Cuts(eye vec.Vec) map[int]Cut {
	out := map[int]Cut{}
	for i := range g.Solids {
		if o := &g.Solids[i]; o.Role == Shell && !o.Clear {
			out[o.Node] = Open
		}
	}
	if g.walls == nil {
		return out
	}
	e, c := g.Hi.Sub(g.Lo), g.Lo.Add(g.Hi).Scale(0.5)
	cut := func(w *Solid, axis int) {
		side := part(w.centre(), axis) - part(c, axis)
		if math.Abs(side) <= float64(0.25*part(e, axis)) || float64((part(eye, axis)-part(w.centre(), axis))*side) <= 0 {
			return
		}
		out[w.Node] = Away
		slack := float64(0.04 * part(e, axis))
		for i := range g.Solids {
			o := &g.Solids[i]
			if o.Node == w.Node || o.size() > w.size() || o.Role == Ground {
				continue
			}
			at, on := o.centre(), true
			for k := range 3 {
				if k != axis {
					on = on && part(at, k) >= part(w.Lo, k) && part(at, k) <= part(w.Hi, k)
				}
			}
			inner := part(w.Lo, axis) - slack
			if side < 0 {
				inner = -(part(w.Hi, axis) + slack)
			}
			deep := part(o.Hi, axis) - part(o.Lo, axis)
			if p := part(at, axis) * math.Copysign(1, side); on && p >= inner && deep < float64(0.15*part(e, axis)) {
				out[o.Node] = Away
			}
		}
	}
	for _, i := range g.walls {
		cut(&g.Solids[i], g.Solids[i].sheet())
	}
	for i := range g.Solids {
		o := &g.Solids[i]
		d := o.Hi.Sub(o.Lo)
		high := o.Lo.Y >= g.Lo.Y+float64(0.7*e.Y)
		if o.sheet() == 1 && high && !o.Text && d.X >= float64(0.5*e.X) && d.Z >= float64(0.5*e.Z) {
			cut(o, 1)
		}
	}
	return out
}
