package raster

import (
	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
)

// surface is an object made ready to be drawn.
type surface struct {
	mesh          *shape.Mesh
	place, normal vec.Mat // mesh to world, for points and for normals
	mirrored      bool    // the transform turns its triangles around
	base          vec.Vec // light, not sRGB
	opacity       float64
	glow          vec.Vec
	metallic      float64
	gloss         float64 // roughness squared
	alpha         Alpha   // Opaque, Blend or Mask
	both          bool    // both sides are seen
	unlit         bool
	adds          bool
	throws        bool // a shadow
	texture       *pyramid
}

func light(c Color) vec.Vec { return vec.At(linear[c.R], linear[c.G], linear[c.B]) }

func (r *renderer) prepareSurfaces(s *Scene) {
	r.surfaces = make([]surface, 0, len(s.Objects)+2*len(s.Labels))
	made := map[*Texture]*pyramid{}
	for i := range s.Objects {
		o := &s.Objects[i]
		m := &o.Material
		t := m.Texture
		if t != nil && made[t] == nil {
			made[t] = newPyramid(t)
		}
		sf := surface{
			mesh: o.Mesh, place: o.matrix(), base: light(m.Base), opacity: float64(m.Base.A) / 255,
			glow: light(m.Emissive).Scale(m.EmissiveIntensity), metallic: m.Metallic, alpha: m.Alpha, both: m.DoubleSided, unlit: m.Unlit, adds: m.Adds,
			texture: made[t],
		}
		sf.normal, sf.mirrored = sf.place.Normals(), sf.place.Det() < 0
		rough := max(m.Roughness, 0.0525) // a highlight smaller than this is smaller than a pixel
		sf.gloss = float64(rough * rough)
		if sf.alpha == Auto {
			sf.alpha = Opaque
			if m.Base.A < 255 || sf.texture != nil && sf.texture.clear {
				sf.alpha = Blend
			}
		}
		sf.throws = !o.NoShadow && sf.alpha != Blend
		r.surfaces = append(r.surfaces, sf)
	}
}

// corners returns the three corners of a triangle in the world.
func (sf *surface) corners(first int) (a, b, c vec.Vec) {
	at := func(i int) vec.Vec { return sf.place.Point(wide(sf.mesh.Positions[sf.mesh.Indices[i]])) }
	return at(first), at(first + 1), at(first + 2)
}

// cutter is the room that setting up triangles for a view works in.
type cutter struct {
	view    *view
	planes  [6]plane
	corners [2][9]corner
	places  [7]place
}

func newCutter(v *view) *cutter { return &cutter{view: v, planes: v.planes()} }

// setUp cuts a triangle of a surface to the view and returns what is left, turned
// clockwise. The result lives until the next call.
func (k *cutter) setUp(sf *surface, first int, cull bool) []place {
	v := k.view
	a, b, c := sf.corners(first)
	t := [3]corner{v.corner(a), v.corner(b), v.corner(c)}
	if v.outside(&t) {
		return nil
	}
	t[1].b1, t[2].b2 = 1, 1
	poly := v.clip(&t, &k.planes, &k.corners)
	out := k.places[:0]
	for i := 2; i < len(poly); i++ {
		p := place{s: [3]spot{v.spot(&poly[0]), v.spot(&poly[i-1]), v.spot(&poly[i])}, first: int32(first)}
		area := p.area()
		if area == 0 {
			continue
		}
		// Counter-clockwise in the world is a negative area where y goes down.
		p.back = area > 0 != sf.mirrored
		if p.back && cull && !sf.both {
			continue
		}
		if area < 0 {
			p.s[1], p.s[2] = p.s[2], p.s[1]
		}
		out = append(out, p)
	}
	return out
}
