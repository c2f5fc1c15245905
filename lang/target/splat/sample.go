package splat

import (
	"math"

	"github.com/meshd/meshd/lang/raster/vec"
)

// sample appends the splats of a solid. Every triangle is cut by the lines of a
// grid of cells that lies along the axes of the world, seen along the axis that it
// faces most; each line that meets the middle of a cell on it makes a splat. The
// middles belong to one of two triangles that share an edge, so that none is
// missing or there twice. A triangle without any is one splat by itself when its
// solid has none at all.
func (s *solid) sample(out []Splat, cell float64) []Splat {
	cell = max(min(cell, s.width/2), s.size/maxCells)
	flip := s.World.Det() < 0
	before := len(out)
	for i := 0; i+2 < len(s.Mesh.Indices) && len(out) <= MaxSplats; i += 3 {
		a, b, c := s.triangle(i)
		if flip {
			b, c = c, b
		}
		out = s.raster(out, a, b, c, cell)
	}
	if len(out) > before {
		return out
	}
	for i := 0; i+2 < len(s.Mesh.Indices) && len(out) < before+perSolid; i += 3 {
		a, b, c := s.triangle(i)
		if flip {
			b, c = c, b
		}
		n := b.Sub(a).Cross(c.Sub(a))
		if size := math.Sqrt(n.Len() / 2); size > 0 {
			out = append(out, s.splat(a.Add(b).Add(c).Scale(1.0/3), n.Unit(), size))
		}
	}
	return out
}

// axes are the two axes across each, so that the three turn to the right.
var axes = [3][2]int{{1, 2}, {2, 0}, {0, 1}}

func parts(v vec.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// raster appends the splats of a triangle.
func (s *solid) raster(out []Splat, a, b, c vec.Vec, cell float64) []Splat {
	n := b.Sub(a).Cross(c.Sub(a)).Unit()
	ns := parts(n)
	facing := 0
	for k := 1; k < 3; k++ {
		if math.Abs(ns[k]) > math.Abs(ns[facing]) {
			facing = k
		}
	}
	if ns[facing] == 0 {
		return out // no area
	}
	u, v := axes[facing][0], axes[facing][1]
	corners := [3][3]float64{parts(a), parts(b), parts(c)}
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range corners {
		low, high = min(low, p[v]), max(high, p[v])
	}
	for row := math.Floor(low/cell - 0.5); ; row++ {
		at := float64(row+0.5) * cell
		if at >= high {
			return out
		}
		left, right := math.Inf(1), math.Inf(-1)
		for k := range corners { // where the edges cross the row; each includes its lower end
			p, q := corners[k], corners[(k+1)%3]
			if p[v] > q[v] {
				p, q = q, p
			}
			if p[v] > at || q[v] <= at {
				continue
			}
			x := p[u] + float64((q[u]-p[u])*((at-p[v])/(q[v]-p[v])))
			left, right = min(left, x), max(right, x)
		}
		if left > right {
			continue // below the triangle
		}
		for column := math.Floor(left/cell - 0.5); ; column++ {
			x := float64(column+0.5) * cell
			if x >= right {
				break
			}
			if x < left { // of two triangles with this edge the other has it
				continue
			}
			if len(out) > MaxSplats {
				return out
			}
			var p [3]float64
			p[u], p[v] = x, at
			// On the plane of the triangle.
			away := float64(ns[u]*(x-corners[0][u])) + float64(ns[v]*(at-corners[0][v]))
			p[facing] = corners[0][facing] - away/ns[facing]
			out = append(out, s.splat(vec.At(p[0], p[1], p[2]), n, cell))
		}
	}
}

// splat is an ellipse on a plane. The grid is seen along an axis: up the slope of
// the plane a cell is longer, and so is the ellipse.
func (s *solid) splat(at, n vec.Vec, cell float64) Splat {
	ns := parts(n)
	facing := 0
	for k := 1; k < 3; k++ {
		if math.Abs(ns[k]) > math.Abs(ns[facing]) {
			facing = k
		}
	}
	var axis [3]float64
	axis[facing] = 1
	across := vec.At(axis[0], axis[1], axis[2]).Cross(n)
	if across.Len() < 1e-6 { // it faces the axis: any two directions do
		axis = [3]float64{}
		axis[axes[facing][0]] = 1
		across = n.Cross(vec.At(axis[0], axis[1], axis[2]))
	}
	across = across.Unit()
	return Splat{
		At: narrow(at), Normal: narrow(n), Color: s.color, Opacity: s.opacity,
		Scale:    [3]float32{float32(cell * spread), float32(cell * spread / math.Abs(ns[facing])), float32(cell * thick)},
		Rotation: turn(across, n.Cross(across), n),
	}
}

func narrow(v vec.Vec) [3]float32 {
	return [3]float32{float32(v.X) + 0, float32(v.Y) + 0, float32(v.Z) + 0}
}

// turn is the quaternion that takes the axes to three directions at right angles.
func turn(x, y, z vec.Vec) [4]float32 {
	var q [4]float64
	switch trace := x.X + y.Y + z.Z; {
	case trace > 0:
		w := math.Sqrt(1+trace) * 2
		q = [4]float64{(y.Z - z.Y) / w, (z.X - x.Z) / w, (x.Y - y.X) / w, w / 4}
	case x.X > y.Y && x.X > z.Z:
		w := math.Sqrt(1+x.X-y.Y-z.Z) * 2
		q = [4]float64{w / 4, (x.Y + y.X) / w, (z.X + x.Z) / w, (y.Z - z.Y) / w}
	case y.Y > z.Z:
		w := math.Sqrt(1+y.Y-x.X-z.Z) * 2
		q = [4]float64{(x.Y + y.X) / w, w / 4, (y.Z + z.Y) / w, (z.X - x.Z) / w}
	default:
		w := math.Sqrt(1+z.Z-x.X-y.Y) * 2
		q = [4]float64{(z.X + x.Z) / w, (y.Z + z.Y) / w, w / 4, (x.Y - y.X) / w}
	}
	sign := 1.0
	if q[3] < 0 {
		sign = -1
	}
	var out [4]float32
	for k := range q {
		out[k] = float32(sign*q[k]) + 0
	}
	return out
}
