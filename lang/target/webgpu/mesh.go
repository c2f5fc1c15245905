package webgpu

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// meshes writes the solid of every geometry; a model file has none.
func meshes(b *bytes.Buffer, in *artefact.Input, s *scene.Scene) {
	b.WriteString("const meshes: (Mesh | null)[] = [\n")
	for i := range s.Geometries {
		in.Pause()
		g := &s.Geometries[i]
		m := g.Mesh()
		if m == nil || len(m.Indices) == 0 {
			b.WriteString("  null,\n")
			continue
		}
		low, high := box(m)
		fmt.Fprintf(b, "  { // %d: %s\n    low: [%s], high: [%s],\n    vertices: \"%s\",\n    indices: \"%s\",\n  },\n",
			i, artefact.OneLine(g.Kind), floats(low), floats(high), base64.StdEncoding.EncodeToString(vertices(m)), base64.StdEncoding.EncodeToString(indices(m)))
	}
	b.WriteString("];\n")
}

// vertices are the corners as eight float32 each: place, normal, place on a picture.
func vertices(m *shape.Mesh) []byte {
	out := make([]byte, 0, 32*len(m.Positions))
	put := func(list ...float32) {
		for _, v := range list {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
		}
	}
	for i := range m.Positions {
		put(m.Positions[i][:]...)
		put(m.Normals[i][:]...)
		put(m.UVs[i][:]...)
	}
	return out
}

func indices(m *shape.Mesh) []byte {
	out := make([]byte, 0, 4*len(m.Indices))
	for _, i := range m.Indices {
		out = binary.LittleEndian.AppendUint32(out, i)
	}
	return out
}

func box(m *shape.Mesh) (low, high [3]float32) {
	low, high = m.Positions[0], m.Positions[0]
	for _, p := range m.Positions {
		for k := range p {
			low[k], high[k] = min(low[k], p[k]), max(high[k], p[k])
		}
	}
	return low, high
}

func floats(v [3]float32) string {
	return artefact.Float(float64(v[0])) + ", " + artefact.Float(float64(v[1])) + ", " + artefact.Float(float64(v[2]))
}
