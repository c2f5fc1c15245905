// Package obj writes meshes in the world: Wavefront OBJ with its material
// library, and binary STL.
package obj

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// solids are the meshes of a scene; without any there is nothing to write.
func solids(in *artefact.Input, tally *artefact.Tally) ([]artefact.Solid, error) {
	list := artefact.Solids(in, func(n *scene.Node) {
		tally.Drop(artefact.Models, n, "model files are not merged into the mesh")
	})
	if len(list) == 0 {
		return nil, artefact.Nothing(in.Target, "at least one solid")
	}
	return list, nil
}

// Text makes scene.obj and scene.mtl.
func Text(in *artefact.Input) (*artefact.Output, error) {
	tally := artefact.NewTally(in)
	list, err := solids(in, tally)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n# Metres, Y up, right-handed.\nmtllib scene.mtl\n", in.Header())
	out := &artefact.Output{}
	base := 0
	inks := []string{}
	for _, s := range list {
		group := s.Node.ID
		if s.Color != "" {
			group += "_letters"
		} else {
			out.Places = append(out.Places, artefact.Place{ID: s.Node.ID, Place: "g " + group})
		}
		fmt.Fprintf(&b, "# %s, %s\ng %s\n", comment(s.Node.Path), comment(in.Source(s.Node.Src)), group)
		normals := s.World.Normals()
		for _, p := range s.Mesh.Positions {
			w := s.World.Point(wide(p))
			fmt.Fprintf(&b, "v %s %s %s\n", artefact.Float(w.X), artefact.Float(w.Y), artefact.Float(w.Z))
		}
		hasUV := len(s.Mesh.UVs) == len(s.Mesh.Positions)
		if hasUV {
			for _, t := range s.Mesh.UVs {
				fmt.Fprintf(&b, "vt %s %s\n", artefact.Float(float64(t[0])), artefact.Float(float64(t[1])))
			}
		} else {
			for range s.Mesh.Positions {
				b.WriteString("vt 0 0\n")
			}
		}
		for _, n := range s.Mesh.Normals {
			w := normals.Dir(wide(n)).Unit()
			fmt.Fprintf(&b, "vn %s %s %s\n", artefact.Float(w.X), artefact.Float(w.Y), artefact.Float(w.Z))
		}
		material := "m" + strconv.Itoa(*s.Node.Material)
		if s.Color != "" {
			material = "ink" + s.Color[1:7]
			inks = append(inks, s.Color)
		}
		fmt.Fprintf(&b, "usemtl %s\n", material)
		flip := s.World.Det() < 0
		for i := 0; i < len(s.Mesh.Indices); i += 3 {
			t := [3]int{int(s.Mesh.Indices[i]), int(s.Mesh.Indices[i+1]), int(s.Mesh.Indices[i+2])}
			if flip {
				t[1], t[2] = t[2], t[1]
			}
			b.WriteByte('f')
			for _, k := range t {
				fmt.Fprintf(&b, " %d/%d/%d", base+k+1, base+k+1, base+k+1)
			}
			b.WriteByte('\n')
		}
		base += len(s.Mesh.Positions)
	}
	out.Files = []artefact.File{
		{Path: "scene.obj", MediaType: "model/obj", Data: b.Bytes()}, {Path: "scene.mtl", MediaType: "model/mtl", Data: library(in, inks)},
	}
	out.Losses = tally.All()
	return out, nil
}

// library is the material library.
func library(in *artefact.Input, inks []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n", in.Header())
	for i := range in.Scene.Materials {
		m := &in.Scene.Materials[i]
		c := scene.LinearRGBA(m.BaseColor)
		f := artefact.Float
		fmt.Fprintf(&b, "newmtl m%d\nKd %s %s %s\nKs %s %s %s\nNs %s\nd %s\nNi %s\nPr %s\nPm %s\nillum 2\n", i,
			f(c[0]), f(c[1]), f(c[2]), f(0.04), f(0.04), f(0.04), f(2+(1-float64(m.Roughness))*(1-float64(m.Roughness))*900), f(c[3]), f(float64(m.IOR)), f(float64(m.Roughness)), f(m.Metallic))
		if m.Emissive != "" {
			e := scene.LinearRGBA(m.Emissive)
			k := float64(m.EmissiveIntensity)
			fmt.Fprintf(&b, "Ke %s %s %s\n", f(e[0]*k), f(e[1]*k), f(e[2]*k))
		}
	}
	said := map[string]bool{}
	for _, ink := range inks {
		if !said[ink] {
			said[ink] = true
			c := scene.LinearRGBA(ink)
			fmt.Fprintf(&b, "newmtl ink%s\nKd %s %s %s\nillum 0\n", ink[1:7], artefact.Float(c[0]), artefact.Float(c[1]), artefact.Float(c[2]))
		}
	}
	return b.Bytes()
}

// comment is a text that stays on its line.
func comment(s string) string {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		if r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029 || r == '\\' {
			r = ' '
		}
		out = append(out, r)
	}
	return string(out)
}

func wide(p [3]float32) vec.Vec { return vec.At(float64(p[0]), float64(p[1]), float64(p[2])) }

// Binary makes scene.stl: all meshes in one, in millimetres with Z up, as the
// printers that read it expect.
func Binary(in *artefact.Input) (*artefact.Output, error) {
	tally := artefact.NewTally(in)
	list, err := solids(in, tally)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	head := [80]byte{}
	copy(head[:], in.Header())
	b.Write(head[:])
	n := 0
	for _, s := range list {
		n += s.Mesh.Triangles()
	}
	_ = binary.Write(&b, binary.LittleEndian, uint32(n)) // a bytes.Buffer does not fail
	var record [50]byte
	out := &artefact.Output{}
	for _, s := range list {
		if s.Color == "" {
			out.Places = append(out.Places, artefact.Place{ID: s.Node.ID, Place: "triangle " + strconv.Itoa((b.Len()-84)/50)})
		}
		flip := s.World.Det() < 0
		for i := 0; i < len(s.Mesh.Indices); i += 3 {
			var c [3]vec.Vec
			for k := range 3 {
				w := s.World.Point(wide(s.Mesh.Positions[s.Mesh.Indices[i+k]]))
				c[k] = vec.At(-w.Z, -w.X, w.Y).Scale(1000)
			}
			if flip {
				c[1], c[2] = c[2], c[1]
			}
			normal := c[1].Sub(c[0]).Cross(c[2].Sub(c[0])).Unit()
			at := 0
			for _, v := range [4]vec.Vec{normal, c[0], c[1], c[2]} {
				for _, x := range [3]float64{v.X, v.Y, v.Z} {
					binary.LittleEndian.PutUint32(record[at:], math.Float32bits(float32(x)+0))
					at += 4
				}
			}
			b.Write(record[:])
		}
	}
	out.Files = []artefact.File{{Path: "scene.stl", MediaType: "model/stl", Data: b.Bytes()}}
	out.Losses = tally.All()
	return out, nil
}
