package shape

import (
	"math"

	"github.com/meshd/meshd/lang/raster/vec"
)

// Box is a box of a width (X), height (Y) and depth (Z).
func Box(width, height, depth float64) *Mesh {
	x, y, z := size(width)/2, size(height)/2, size(depth)/2
	m := &Mesh{}
	m.box(vec.At(-x, -y, -z), vec.At(x, y, z))
	return m
}

// box appends an upright box between two corners.
func (m *Mesh) box(lo, hi vec.Vec) {
	at := func(i, j, k int) vec.Vec {
		c := [2]vec.Vec{lo, hi}
		return vec.At(c[i].X, c[j].Y, c[k].Z)
	}
	m.flat(at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)) // front
	m.flat(at(1, 0, 0), at(0, 0, 0), at(0, 1, 0), at(1, 1, 0)) // back
	m.flat(at(1, 0, 1), at(1, 0, 0), at(1, 1, 0), at(1, 1, 1)) // right
	m.flat(at(0, 0, 0), at(0, 0, 1), at(0, 1, 1), at(0, 1, 0)) // left
	m.flat(at(0, 1, 1), at(1, 1, 1), at(1, 1, 0), at(0, 1, 0)) // top
	m.flat(at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1)) // bottom
}

// Plane lies in XZ and faces up.
func Plane(width, depth float64) *Mesh {
	x, z := size(width)/2, size(depth)/2
	m := &Mesh{}
	m.flat(vec.At(-x, 0, z), vec.At(x, 0, z), vec.At(x, 0, -z), vec.At(-x, 0, -z))
	return m
}

// point is a point of a profile: its distance from the Y axis, its height, and
// the normal in that plane.
type point struct{ r, y, nr, ny, v float64 }

// turn sweeps a profile, given from the bottom up, around the Y axis. Two
// points at one place with different normals make a sharp edge.
func (m *Mesh) turn(profile []point, around int) {
	base := uint32(len(m.Positions))
	for i := range around + 1 {
		s, c := vec.SinCos(float64(2 * math.Pi * (float64(i%around) / float64(around))))
		u := float64(i) / float64(around)
		for _, p := range profile {
			m.add(vec.At(float64(p.r*s), p.y, float64(p.r*c)), vec.At(float64(p.nr*s), p.ny, float64(p.nr*c)), u, p.v)
		}
	}
	n := uint32(len(profile))
	for i := range uint32(around) {
		for j := range n - 1 {
			a, b := base+i*n+j, base+(i+1)*n+j
			lower, upper := profile[j], profile[j+1]
			if lower.r == upper.r && lower.y == upper.y {
				continue // a sharp edge, no face
			}
			if lower.r > 0 {
				m.Indices = append(m.Indices, a, b, b+1)
			}
			if upper.r > 0 {
				m.Indices = append(m.Indices, a, b+1, a+1)
			}
		}
	}
}

// Sphere has around segments by half as many from pole to pole.
func Sphere(radius float64, around int) *Mesh {
	r, n := size(radius), segments(around, MinSegments)
	rings := max(2, n/2)
	m := &Mesh{}
	m.turn(arc(r, 0, 0, rings, 0, 1), n)
	return m
}

// arc is a half circle from the bottom pole to the top one; the parts from
// ring half on are lifted, which makes a capsule.
func arc(r, below, above float64, rings int, v0, v1 float64) []point {
	var out []point
	for i := range rings + 1 {
		s, c := vec.SinCos(float64(math.Pi * (float64(i) / float64(rings))))
		if i == 0 || i == rings {
			s = 0 // the poles are points
		}
		v := v0 + float64((v1-v0)*(float64(i)/float64(rings)))
		p := point{r: float64(r * s), y: -float64(r * c), nr: s, ny: -c, v: v}
		switch {
		case 2*i < rings:
			p.y += below
		case 2*i > rings:
			p.y += above
		default:
			p.y = below
			out = append(out, p)
			if below == above {
				continue
			}
			p.y = above
		}
		out = append(out, p)
	}
	return out
}

// Capsule stands upright: a cylinder with a half ball on either end, height
// metres from tip to tip and at least a ball.
func Capsule(radius, height float64, around int) *Mesh {
	r, n := size(radius), segments(around, MinSegments)
	half := max(size(height)/2-r, 0)
	rings := max(2, n/2)
	rings += rings % 2
	m := &Mesh{}
	m.turn(arc(r, -half, half, rings, 0, 1), n)
	return m
}

// Cylinder stands upright. With a top of 0 it is a cone with its tip up.
func Cylinder(bottom, top, height float64, around int) *Mesh {
	rb, h, n := size(bottom), size(height), segments(around, MinSegments)
	rt := 0.0
	if top > 0 {
		rt = size(top)
	}
	// The side's normal leans by the slope.
	slope := vec.At(h, rb-rt, 0).Unit()
	profile := []point{
		{0, -h / 2, 0, -1, 0.5}, {rb, -h / 2, 0, -1, 0},
		{rb, -h / 2, slope.X, slope.Y, 0}, {rt, h / 2, slope.X, slope.Y, 1},
	}
	if rt > 0 {
		profile = append(profile, point{rt, h / 2, 0, 1, 1}, point{0, h / 2, 0, 1, 0.5})
	}
	m := &Mesh{}
	m.turn(profile, n)
	return m
}

// Cone stands upright, the tip up.
func Cone(radius, height float64, around int) *Mesh { return Cylinder(radius, 0, height, around) }

// Torus lies in XZ. Radius goes to the middle of the tube.
func Torus(radius, tube float64, around, sides int) *Mesh {
	t := size(tube)
	r, n, k := max(size(radius), t), segments(around, MinSegments), segments(sides, MinSegments)
	profile := make([]point, 0, k+1)
	for i := range k + 1 {
		// Backwards around the tube, so that the outside is on the right of the way.
		s, c := vec.SinCos(float64(2 * math.Pi * (float64(i%k) / float64(k))))
		profile = append(profile, point{r + float64(t*c), float64(t * s), c, s, float64(i) / float64(k)})
	}
	m := &Mesh{}
	m.turn(profile, n)
	return m
}

// Disc lies in XZ and faces up.
func Disc(radius float64, around int) *Mesh { return Ring(0, radius, around) }

// Ring is a disc with a round hole; an inner radius of 0 leaves none, and the
// ring is at least a thousandth of its radius wide.
func Ring(inner, outer float64, around int) *Mesh {
	n, ro := segments(around, MinSegments), size(outer)
	ri := 0.0
	if inner > 0 {
		ri = min(size(inner), float64(ro*0.999))
	}
	m := &Mesh{}
	m.turn([]point{{ro, 0, 0, 1, 0}, {ri, 0, 0, 1, 1}}, n)
	return m
}
