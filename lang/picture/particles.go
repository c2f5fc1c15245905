package picture

import (
	"math"

	"github.com/meshd/meshd/lang/picture/swarm"
	"github.com/meshd/meshd/lang/raster"
	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

const (
	mostPoints = 20_000 // of all emitters of a picture
	ages       = 6      // points of about one age are drawn as one object
)

// particles draws the points of all emitters as the first picture of the page has
// them: round, turned to the camera, and each of its own size.
func (d *drawing) particles(hidden []bool) {
	c := d.out.Camera
	up := c.Up
	if up == (vec.Vec{}) {
		up = vec.At(0, 1, 0)
	}
	right, up, _ := vec.Basis(c.Target.Sub(c.Position), up)
	triangles, points := 0, 0
	for i := range d.out.Objects {
		triangles += d.out.Objects[i].Mesh.Triangles()
	}
	var spot *raster.Texture
	for i := range d.s.Nodes {
		n := &d.s.Nodes[i]
		if n.Particle.Kind != trait.Map || hidden[i] {
			continue
		}
		e := swarm.Of(n.Particle, d.stage.Aim(d.s, i))
		if points += e.Count; points > mostPoints || triangles+2*points > raster.MaxTriangles-1000 || len(d.out.Objects)+ages > raster.MaxObjects-500 {
			d.warn("particles_left_out", "more than %d particles; the rest is left out", mostPoints)
			return
		}
		if spot == nil {
			spot = dot()
		}
		var made [ages]*shape.Mesh
		for _, p := range e.Begin(n.ID) {
			k := min(int(float64(p.Age*ages)), ages-1)
			if made[k] == nil {
				made[k] = &shape.Mesh{}
			}
			put(made[k], d.world[i].Point(p.At), right.Scale(p.Size/2), up.Scale(p.Size/2))
		}
		for k, m := range made {
			if m == nil {
				continue
			}
			age := (float64(k) + 0.5) / ages
			from, to := scene.LinearRGBA(e.Start), scene.LinearRGBA(e.End)
			ink := vec.At(from[0], from[1], from[2]).Lerp(vec.At(to[0], to[1], to[2]), age)
			paint := raster.Paint(raster.RGB(0, 0, 0))
			paint.Base.A = uint8(float64(255*(from[3]+float64((to[3]-from[3])*age))) + 0.5)
			paint.Emissive, paint.EmissiveIntensity = raster.Shade(ink), min(e.Glow, 100)
			paint.Unlit, paint.DoubleSided, paint.Alpha, paint.Adds, paint.Texture = true, true, raster.Blend, e.Adds, spot
			d.out.Objects = append(d.out.Objects, raster.Object{Name: n.Path, Mesh: m, Material: paint, NoShadow: true})
		}
	}
}

// put adds a square.
func put(m *shape.Mesh, at, right, up vec.Vec) {
	first := uint32(len(m.Positions))
	for _, k := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		p := at.Add(right.Scale(k[0])).Add(up.Scale(k[1]))
		m.Positions = append(m.Positions, [3]float32{float32(p.X), float32(p.Y), float32(p.Z)})
		m.Normals = append(m.Normals, [3]float32{0, 0, 1})
		m.UVs = append(m.UVs, [2]float32{float32(k[0]+1) / 2, float32(k[1]+1) / 2})
	}
	m.Indices = append(m.Indices, first, first+1, first+2, first, first+2, first+3)
}

// dot is a round spot that is softer at its edge.
func dot() *raster.Texture {
	const side = 16
	t := &raster.Texture{Width: side, Height: side, Pix: make([]byte, 0, 4*side*side)}
	for y := range side {
		for x := range side {
			dx, dy := (float64(x)+0.5)/side-0.5, (float64(y)+0.5)/side-0.5
			u := min(max((0.5-math.Sqrt(float64(dx*dx)+float64(dy*dy)))/0.3, 0), 1)
			t.Pix = append(t.Pix, 255, 255, 255, uint8(float64(255*float64(float64(u*u)*(3-float64(2*u))))+0.5))
		}
	}
	return t
}
