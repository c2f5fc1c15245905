package raster

import (
	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
)

// prepareLabels makes surfaces of the labels: strokes, and a plate behind them,
// turned to the camera.
func (r *renderer) prepareLabels(s *Scene) *Error {
	triangles := 0
	for i := range r.surfaces {
		triangles += r.surfaces[i].mesh.Triangles()
	}
	v := r.view
	for i := range s.Labels {
		l := &s.Labels[i]
		if l.Height == 0 {
			continue
		}
		text, unknown := shape.Text(l.Text, l.Height, 0, shape.Center)
		if unknown > 0 {
			r.warn("text_unknown", "label %d: %d characters are drawn as a frame or left out", i, unknown)
		}
		if triangles += text.Triangles() + 2; triangles > MaxTriangles {
			return refuse(TooManyTriangles, "the scene has more than %d triangles with its labels", MaxTriangles)
		}
		facing := func(at vec.Vec) vec.Mat {
			return vec.Mat{
				v.right.X, v.right.Y, v.right.Z, 0, v.up.X, v.up.Y, v.up.Z, 0, v.back.X, v.back.Y, v.back.Z, 0, at.X, at.Y, at.Z, 1,
			}
		}
		add := func(m *shape.Mesh, c Color, at vec.Vec) {
			if c.A == 0 || m.Triangles() == 0 {
				return
			}
			sf := surface{mesh: m, place: facing(at), base: light(c), opacity: float64(c.A) / 255, alpha: Opaque, both: true, unlit: true}
			if c.A < 255 {
				sf.alpha = Blend
			}
			r.surfaces = append(r.surfaces, sf)
		}
		w, h := shape.Extent(l.Text, l.Height)
		plate := shape.Plane(w+float64(l.Height*0.5), h+float64(l.Height*0.5))
		add(stand(plate), l.Plate, l.Position.Sub(v.back.Scale(float64(l.Height*0.05))))
		add(text, l.Color, l.Position)
	}
	return nil
}

// stand turns a mesh that lies and faces up so that it stands and faces +Z.
func stand(m *shape.Mesh) *shape.Mesh {
	for i, p := range m.Positions {
		m.Positions[i] = [3]float32{p[0], -p[2], p[1]}
		m.Normals[i] = [3]float32{0, 0, 1}
	}
	return m
}
