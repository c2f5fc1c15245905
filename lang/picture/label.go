package picture

import (
	"github.com/meshd/meshd/lang/picture/label"
	"github.com/meshd/meshd/lang/picture/staging"
	"github.com/meshd/meshd/lang/picture/standin"
	"github.com/meshd/meshd/lang/raster"
	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
)

// standIn draws what stands for a model file, whose triangles are not drawn.
func (d *drawing) standIn(n *scene.Node, m vec.Mat) {
	asset := &d.s.Assets[*d.s.Geometries[*n.Geometry].Asset]
	d.warn("model_not_drawn", "model file '%s' is not drawn, a stand-in is in its place", asset.Path)
	t := standin.Of(d.s, n)
	for i := range t.Parts {
		p := &t.Parts[i]
		d.out.Objects = append(d.out.Objects, raster.Object{
			Name: n.Path, Mesh: p.Geometry().Mesh(), Material: raster.Paint(color(p.Color + "ff")), Transform: m.Mul(vec.Move(p.At)),
		})
	}
}

// caption is a text that turns to the camera.
type caption struct {
	label.Label
	mesh *shape.Mesh
	name string
	text string
	ink  string
	size float64 // metres of a letter of height 1 in the mesh
	at   vec.Vec
}

// labels puts the texts that turn to the camera into the picture: the names of
// stand-ins and the texts that stand by themselves. Those that would lie over
// nearer ones are left out.
func (d *drawing) labels(aspect float64) {
	c := d.out.Camera
	up := c.Up
	if up == (vec.Vec{}) {
		up = vec.At(0, 1, 0)
	}
	right, up, back := vec.Basis(c.Target.Sub(c.Position), up)
	half := c.Ortho / 2
	if c.Ortho == 0 {
		half = vec.Tan(c.FOV / 2)
	}
	var all []caption
	var rooms []label.Label
	add := func(i int, text *scene.Text, ink string, at vec.Vec, size float64) {
		if text.Value == "" || size <= 0 {
			return
		}
		w, h := staging.Extent(text.Value, size)
		seen, ok := label.Seen(at, c.Position, right, up, back, half, aspect, c.Ortho > 0, w, h)
		if !ok {
			return
		}
		letter := seen.Height / 2 / (h / size)
		grown := label.Growth(letter)
		seen.Key, seen.Width, seen.Height, seen.First = len(all), float64(seen.Width*grown), float64(seen.Height*grown), d.s.Nodes[i].Text != nil
		mesh, _ := shape.Text(text.Value, 1, 0, shape.Center)
		all = append(all, caption{seen, mesh, d.s.Nodes[i].Path, text.Value, ink, float64(size * grown), at})
		rooms = append(rooms, seen)
	}
	hidden := map[int]bool{}
	for i := range d.s.Nodes {
		hidden[i] = d.cuts[i] == staging.Away
	}
	for k := range d.stage.Solids {
		o := &d.stage.Solids[k]
		n := &d.s.Nodes[o.Node]
		if hidden[o.Node] {
			continue
		}
		if n.Geometry != nil && d.s.Geometries[*n.Geometry].Kind == "model" {
			lo, hi := standin.Of(d.s, n).Box()
			high, top := float64(0.1*hi.Sub(lo).Len()), lo.Add(hi).Scale(0.5)
			top.Y = hi.Y + high
			add(o.Node, &scene.Text{Value: standin.Called(d.s, n)}, "", d.world[o.Node].Point(top), float64(high*d.world[o.Node].Dir(vec.At(0, 1, 0)).Len()))
		}
		if o.Text && d.stage.Floating[o.Node] && n.Material != nil {
			add(o.Node, n.Text, d.s.Ink(n), o.Lo.Add(o.Hi).Scale(0.5), float64(n.Text.Size*d.world[o.Node].Dir(vec.At(0, 1, 0)).Len()))
		}
	}
	shown := label.Shown(rooms)
	for i := range all {
		l := &all[i]
		if !shown[i] || len(l.mesh.Indices) == 0 {
			continue
		}
		x, y, z := right.Scale(l.size), up.Scale(l.size), back.Scale(l.size)
		m := vec.Mat{x.X, x.Y, x.Z, 0, y.X, y.Y, y.Z, 0, z.X, z.Y, z.Z, 0, l.at.X, l.at.Y, l.at.Z, 1}
		ink := l.ink
		if ink == "" {
			ink = d.readable()
		}
		d.plate(l.name, l.text, ink, m)
		d.letters(l.name, l.mesh, ink, m)
	}
	if left := len(all) - len(shown); left > 0 {
		d.warn("labels_left_out", "%d texts would lie over others and are left out", left)
	}
}

// plate is half clear behind a text, so that it can be read before anything.
func (d *drawing) plate(name, text, ink string, m vec.Mat) {
	w, h := shape.Extent(text, 1)
	mesh := shape.Box(w+0.5, h+0.5, 0.001)
	c := raster.Color{R: 0x0f, G: 0x13, B: 0x19, A: 128}
	if dark(ink) {
		c = raster.Color{R: 255, G: 255, B: 255, A: 128}
	}
	paint := raster.Paint(c)
	paint.Unlit, paint.Alpha = true, raster.Blend
	d.out.Objects = append(d.out.Objects, raster.Object{Name: name, Mesh: mesh, Material: paint, Transform: m.Mul(vec.Move(vec.At(0, 0, -0.05))), NoShadow: true})
}

// dark says whether a colour is nearer to black than to white.
func dark(c string) bool {
	l := scene.LinearRGBA(c)
	return float64(0.2126*l[0])+float64(0.7152*l[1])+float64(0.0722*l[2]) <= 0.18
}

// readable is black or white, whichever can be read before the sky.
func (d *drawing) readable() string {
	sky := "#dfe5ecff"
	if c := d.s.Environment.Sky.Colors; len(c) > 0 {
		sky = c[len(c)-1]
	}
	if dark(sky) {
		return scene.White
	}
	return scene.Black
}

// turned is a mesh whose faces show their other side.
func turned(m *shape.Mesh) *shape.Mesh {
	out := &shape.Mesh{Positions: m.Positions, UVs: m.UVs, Normals: make([][3]float32, len(m.Normals)), Indices: make([]uint32, len(m.Indices))}
	for i, n := range m.Normals {
		out.Normals[i] = [3]float32{-n[0], -n[1], -n[2]}
	}
	for i := 0; i+2 < len(m.Indices); i += 3 {
		out.Indices[i], out.Indices[i+1], out.Indices[i+2] = m.Indices[i], m.Indices[i+2], m.Indices[i+1]
	}
	return out
}
