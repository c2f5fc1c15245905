// Package shape builds the triangle meshes of the simple solids and of text.
//
// A mesh is centred on the origin unless its builder says otherwise, its
// triangles turn counter-clockwise seen from outside, and every vertex has a
// normal of length 1. Sizes are metres. A size that is no positive number and a
// count of segments out of range are brought into range, so that a builder
// always gives a mesh that can be drawn.
package shape

import (
	"math"

	"github.com/meshd/meshd/lang/raster/vec"
)

// Limits of what a builder makes.
const (
	MinSegments = 3
	MaxSegments = 256  // around; as many along
	MaxSize     = 1e6  // metres
	MinSize     = 1e-6 // metres
	MaxText     = 1000 // characters of a text
)

// Mesh is a list of triangles. Positions, Normals and UVs run in step;
// Normals and UVs may be empty. Three Indices make a triangle.
type Mesh struct {
	Positions [][3]float32
	Normals   [][3]float32
	UVs       [][2]float32
	Indices   []uint32
}

// Triangles is the number of triangles.
func (m *Mesh) Triangles() int { return len(m.Indices) / 3 }

// add appends a vertex and returns its index.
func (m *Mesh) add(p, n vec.Vec, u, v float64) uint32 {
	m.Positions = append(m.Positions, narrow(p))
	m.Normals = append(m.Normals, narrow(n))
	m.UVs = append(m.UVs, [2]float32{float32(u), float32(v)})
	return uint32(len(m.Positions) - 1)
}

func narrow(v vec.Vec) [3]float32 { return [3]float32{float32(v.X), float32(v.Y), float32(v.Z)} }

// quad appends two triangles; a, b, c, d go around counter-clockwise.
func (m *Mesh) quad(a, b, c, d uint32) { m.Indices = append(m.Indices, a, b, c, a, c, d) }

// flat appends a flat four-sided face with its own vertices.
func (m *Mesh) flat(a, b, c, d vec.Vec) {
	n := b.Sub(a).Cross(c.Sub(a)).Unit()
	m.quad(m.add(a, n, 0, 0), m.add(b, n, 1, 0), m.add(c, n, 1, 1), m.add(d, n, 0, 1))
}

// Append adds the triangles of another mesh of the same make, moved.
func (m *Mesh) Append(o *Mesh, move vec.Vec) {
	base := uint32(len(m.Positions))
	d := narrow(move)
	for _, p := range o.Positions {
		m.Positions = append(m.Positions, [3]float32{p[0] + d[0], p[1] + d[1], p[2] + d[2]})
	}
	m.Normals = append(m.Normals, o.Normals...)
	m.UVs = append(m.UVs, o.UVs...)
	for _, i := range o.Indices {
		m.Indices = append(m.Indices, base+i)
	}
}

func size(x float64) float64 {
	if math.IsNaN(x) {
		return 1
	}
	return min(max(x, MinSize), MaxSize)
}

// Segments is a count of segments brought into range.
func Segments(n int) int { return segments(n, MinSegments) }

func segments(n, least int) int { return min(max(n, least), MaxSegments) }
