package artefact

import (
	"strconv"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
)

// Solid is a mesh of a node: its body, or the letters on it.
type Solid struct {
	Node  *scene.Node
	Index int // of the node
	Mesh  *shape.Mesh
	World vec.Mat
	// Color paints letters; it is empty for a body, whose material the node names.
	Color string
}

// World are the transforms of all nodes to the world.
func World(s *scene.Scene) []vec.Mat {
	out := make([]vec.Mat, len(s.Nodes))
	for i := range s.Nodes {
		n := &s.Nodes[i]
		m := vec.TRS(vec.At(n.T[0], n.T[1], n.T[2]), vec.Quat(n.R), vec.At(n.S[0], n.S[1], n.S[2]))
		if n.Parent >= 0 {
			m = out[n.Parent].Mul(m)
		}
		out[i] = m
	}
	return out
}

// Solids are the meshes of all visible nodes, in their order. A node whose model
// file cannot be merged is reported to skipped.
func Solids(in *Input, skipped func(*scene.Node)) []Solid {
	s := in.Scene
	world, hidden := World(s), Hidden(s)
	meshes := make([]*shape.Mesh, len(s.Geometries))
	var out []Solid
	put := func(n *scene.Node, i int, m *shape.Mesh, color string) {
		if m != nil && len(m.Indices) > 0 {
			out = append(out, Solid{n, i, m, world[i], color})
		}
	}
	for i := range s.Nodes {
		in.Pause()
		n := &s.Nodes[i]
		if hidden[i] || n.Material == nil {
			continue
		}
		if n.Geometry != nil {
			g := &s.Geometries[*n.Geometry]
			if g.Kind == "model" {
				skipped(n)
				continue
			}
			if meshes[*n.Geometry] == nil {
				meshes[*n.Geometry] = g.Mesh()
			}
			put(n, i, meshes[*n.Geometry], "")
		}
		if n.Text != nil {
			m, ink := s.Letters(n)
			if n.Geometry == nil {
				ink = ""
			}
			put(n, i, m, ink)
		}
	}
	return out
}

// Float prints a number as every text artefact does: rounded to single
// precision, in its shortest form, without an exponent for usual sizes.
func Float(x float64) string {
	f := float32(x)
	if f == 0 || f != f {
		return "0"
	}
	if abs := max(f, -f); abs >= 1e21 || abs < 1e-6 {
		return strconv.FormatFloat(float64(f), 'g', -1, 32)
	}
	return strconv.FormatFloat(float64(f), 'f', -1, 32)
}
