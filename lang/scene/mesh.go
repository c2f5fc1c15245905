package scene

import (
	"math"
	"sync"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
)

func sinCos(x float64) (float64, float64) { return vec.SinCos(x) }

// Mesh makes the triangles of a solid; nil for a model file. It is the one
// tessellator: every target that writes triangles uses it.
func (g *Geometry) Mesh() *shape.Mesh {
	var m *shape.Mesh
	around, sides := 32, 16
	if len(g.Segments) > 0 {
		around = g.Segments[0]
	}
	if len(g.Segments) > 1 {
		sides = g.Segments[1]
	}
	size := Vec{1, 1, 1}
	if g.Size != nil {
		size = *g.Size
	}
	switch g.Kind {
	case "box":
		m = shape.Box(size[0], size[1], size[2])
	case "plane":
		m = shape.Plane(size[0], size[2])
	case "sphere":
		m = shape.Sphere(g.Radius, around)
	case "cylinder":
		m = shape.Cylinder(g.Radius, g.Radius, g.Height, around)
	case "cone":
		m = shape.Cone(g.Radius, g.Height, around)
	case "capsule":
		m = shape.Capsule(g.Radius, g.Height, around)
	case "torus":
		m = shape.Torus(g.Radius, g.Tube, around, sides)
	case "ring":
		m = shape.Ring(g.Radius-g.Tube, g.Radius, around)
	case "disc":
		m = shape.Disc(g.Radius, around)
	case "model", "text":
		return nil
	default:
		m = figure(g.Kind)
		stretch(m, UnitVec(size))
	}
	if !g.Stretch.IsZero() {
		stretch(m, g.Stretch)
	}
	return m
}

// Triangles is the number of triangles of Mesh, and Vertices that of its corners,
// without making it: exact but for a torus whose tube meets in its middle, which
// has fewer triangles.
func (g *Geometry) Triangles() int { t, _ := g.size(); return t }

// Vertices: see Triangles.
func (g *Geometry) Vertices() int { _, v := g.size(); return v }

func (g *Geometry) size() (triangles, vertices int) {
	around, sides := 32, 16
	if len(g.Segments) > 0 {
		around = g.Segments[0]
	}
	if len(g.Segments) > 1 {
		sides = g.Segments[1]
	}
	around, sides = shape.Segments(around), shape.Segments(sides)
	rings := max(2, around/2)
	turned := func(faces, points int) (int, int) { return faces * around, points * (around + 1) }
	switch g.Kind {
	case "model", "text":
		return 0, 0
	case "box":
		return 12, 24
	case "plane":
		return 2, 4
	case "sphere":
		return turned(2*rings-2, rings+1)
	case "cylinder":
		return turned(4, 6)
	case "cone":
		return turned(2, 4)
	case "capsule": // a sphere when it is no higher than wide
		rings += rings % 2
		return turned(2*rings, rings+2)
	case "torus":
		return turned(2*sides, sides+1)
	case "ring":
		return turned(2, 2)
	case "disc":
		return turned(1, 2)
	}
	n, known := figureSizes()[g.Kind]
	if !known {
		n = figureSizes()["star"]
	}
	return n, 3 * n
}

// figureSizes are the triangles of the decorative solids.
var figureSizes = sync.OnceValue(func() map[string]int {
	sizes := map[string]int{}
	for _, kind := range []string{"pyramid", "crystal", "gem", "wedge", "arrow", "gear", "heart", "star"} {
		sizes[kind] = figure(kind).Triangles()
	}
	return sizes
})

// stretch scales a mesh along its axes and turns its normals accordingly.
func stretch(m *shape.Mesh, by UnitVec) {
	for i := range m.Positions {
		for k := range 3 {
			m.Positions[i][k] = float32(float64(m.Positions[i][k]) * by[k])
		}
		n := m.Normals[i]
		u := vec.At(float64(n[0])/by[0], float64(n[1])/by[1], float64(n[2])/by[2]).Unit()
		m.Normals[i] = [3]float32{float32(u.X), float32(u.Y), float32(u.Z)}
	}
}

// figure is a decorative solid in a box of one metre around the origin.
func figure(kind string) *shape.Mesh {
	switch kind {
	case "pyramid":
		return flat(lathe([]ring{{-0.5, 0}, {-0.5, 0.70710678118654752}, {0.5, 0}}, 4, math.Pi/4))
	case "crystal":
		return flat(lathe([]ring{{-0.5, 0}, {-0.1, 0.5}, {0.5, 0}}, 6, 0))
	case "gem":
		return flat(lathe([]ring{{-0.5, 0}, {0.15, 0.5}, {0.5, 0.3}, {0.5, 0}}, 8, 0))
	case "wedge":
		return extrude([][2]float64{{-0.5, -0.5}, {0.5, -0.5}, {-0.5, 0.5}}, [2]float64{-0.2, -0.2})
	case "arrow": // along +X
		return extrude([][2]float64{{-0.5, -0.15}, {0.1, -0.15}, {0.1, -0.4}, {0.5, 0}, {0.1, 0.4}, {0.1, 0.15}, {-0.5, 0.15}}, [2]float64{0.12, 0})
	case "gear":
		return extrude(toothed(12, 0.5, 0.38), [2]float64{})
	case "heart":
		return extrude(heart(), [2]float64{0, 0.05})
	}
	return extrude(star(5, 0.5, 0.2), [2]float64{})
}

type ring struct{ y, r float64 }

type face [3]vec.Vec

// lathe are the triangles of rings around the Y axis, from the bottom up.
func lathe(rings []ring, n int, turn float64) []face {
	at := func(g ring, i int) vec.Vec {
		s, c := sinCos(turn + float64(2*math.Pi*(float64(i%n)/float64(n))))
		return vec.At(float64(g.r*s), g.y, float64(g.r*c))
	}
	var out []face
	for k := range len(rings) - 1 {
		lo, hi := rings[k], rings[k+1]
		for i := range n {
			a, b, c, d := at(lo, i), at(lo, i+1), at(hi, i+1), at(hi, i)
			if lo.r > 0 {
				out = append(out, face{a, b, c})
			}
			if hi.r > 0 {
				out = append(out, face{a, c, d})
			}
		}
	}
	return out
}

// flat gives every triangle its own corners and normal.
func flat(faces []face) *shape.Mesh {
	m := &shape.Mesh{}
	for _, f := range faces {
		n := f[1].Sub(f[0]).Cross(f[2].Sub(f[0])).Unit()
		for i, p := range f {
			add(m, p, n, [2]float64{[3]float64{0, 1, 0.5}[i], [3]float64{0, 0, 1}[i]})
		}
	}
	return m
}

func add(m *shape.Mesh, p, n vec.Vec, uv [2]float64) {
	m.Indices = append(m.Indices, uint32(len(m.Positions)))
	m.Positions = append(m.Positions, [3]float32{float32(p.X), float32(p.Y), float32(p.Z)})
	m.Normals = append(m.Normals, [3]float32{float32(n.X), float32(n.Y), float32(n.Z)})
	m.UVs = append(m.UVs, [2]float32{float32(uv[0]), float32(uv[1])})
}

// extrude makes a plate one metre thick of an outline in XY that goes around
// counter-clockwise and that all of is seen from its middle.
func extrude(outline [][2]float64, middle [2]float64) *shape.Mesh {
	const half = 0.5
	var faces []face
	for i, p := range outline {
		q := outline[(i+1)%len(outline)]
		pf, qf, mf := vec.At(p[0], p[1], half), vec.At(q[0], q[1], half), vec.At(middle[0], middle[1], half)
		pb, qb, mb := vec.At(p[0], p[1], -half), vec.At(q[0], q[1], -half), vec.At(middle[0], middle[1], -half)
		faces = append(faces, face{mf, pf, qf}, face{mb, qb, pb}, face{pf, pb, qb}, face{pf, qb, qf})
	}
	return flat(faces)
}

func star(points int, outer, inner float64) [][2]float64 {
	var out [][2]float64
	for i := range 2 * points {
		r := outer
		if i%2 == 1 {
			r = inner
		}
		s, c := sinCos(math.Pi * (float64(i) / float64(points)))
		out = append(out, [2]float64{float64(-r * s), float64(r * c)})
	}
	return out
}

func toothed(teeth int, outer, inner float64) [][2]float64 {
	var out [][2]float64
	for i := range 4 * teeth {
		r := outer
		if i%4 > 1 {
			r = inner
		}
		s, c := sinCos(2 * math.Pi * (float64(i) / float64(4*teeth)))
		out = append(out, [2]float64{float64(r * c), float64(r * s)})
	}
	return out
}

// heart is the curve 16 sin³t, 13 cos t - 5 cos 2t - 2 cos 3t - cos 4t, brought
// into a square of one metre.
func heart() [][2]float64 {
	var out [][2]float64
	const n = 32
	for i := range n {
		t := -2 * math.Pi * (float64(i) / n)
		s, c := sinCos(t)
		_, c2 := sinCos(2 * t)
		_, c3 := sinCos(3 * t)
		_, c4 := sinCos(4 * t)
		x := 16 * s * s * s
		y := float64(13*c) - float64(5*c2) - float64(2*c3) - c4
		out = append(out, [2]float64{x / 34, (y + 2.5) / 34})
	}
	return out
}

// Letters are the mesh of the text of a node in the node's own space, read from
// +Z, and the colour of its ink. Where the node has a solid the letters stand in
// front of it, in black or white, whichever is easier to read.
func (s *Scene) Letters(n *Node) (*shape.Mesh, string) {
	t := n.Text
	align := shape.Center
	switch t.Align {
	case "left":
		align = shape.Left
	case "right":
		align = shape.Right
	}
	m, _ := shape.Text(t.Value, t.Size, 0, align)
	if n.Geometry != nil {
		front := float32(s.Geometries[*n.Geometry].Bounds()[2]/2 + 0.001)
		for i := range m.Positions {
			m.Positions[i][2] += front
		}
	}
	return m, s.Ink(n)
}

// Ink is the colour of the text of a node; see Letters.
func (s *Scene) Ink(n *Node) string {
	ink := White
	if n.Material != nil {
		ink = s.Materials[*n.Material].BaseColor
	}
	if n.Geometry == nil {
		return ink
	}
	c := LinearRGBA(ink)
	if float64(0.2126*c[0])+float64(0.7152*c[1])+float64(0.0722*c[2]) > 0.18 {
		return Black
	}
	return White
}
