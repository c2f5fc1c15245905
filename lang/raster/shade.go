package raster

import "github.com/meshd/meshd/lang/raster/vec"

// share is what a place of the picture is of a triangle of the mesh.
type share struct{ b0, b1, b2 float64 }

// share works out, with perspective, the barycentric share of a place given in
// grid units.
func (p *place) share(x, y float64) share {
	a, b, c := &p.s[0], &p.s[1], &p.s[2]
	ax, ay := float64(a.x)-x, float64(a.y)-y
	bx, by := float64(b.x)-x, float64(b.y)-y
	cx, cy := float64(c.x)-x, float64(c.y)-y
	qa := float64((float64(bx*cy) - float64(by*cx)) * float64(a.inv))
	qb := float64((float64(cx*ay) - float64(cy*ax)) * float64(b.inv))
	qc := float64((float64(ax*by) - float64(ay*bx)) * float64(c.inv))
	sum := qa + qb + qc
	if sum == 0 {
		return share{b0: 1}
	}
	b1 := (float64(qa*float64(a.b1)) + float64(qb*float64(b.b1)) + float64(qc*float64(c.b1))) / sum
	b2 := (float64(qa*float64(a.b2)) + float64(qb*float64(b.b2)) + float64(qc*float64(c.b2))) / sum
	return share{1 - b1 - b2, b1, b2}
}

func (s share) mix3(a, b, c [3]float32) vec.Vec {
	return wide(a).Scale(s.b0).Add(wide(b).Scale(s.b1)).Add(wide(c).Scale(s.b2))
}

func (s share) mix2(a, b, c [2]float32) (u, v float64) {
	u = float64(s.b0*float64(a[0])) + float64(s.b1*float64(b[0])) + float64(s.b2*float64(c[0]))
	v = float64(s.b0*float64(a[1])) + float64(s.b1*float64(b[1])) + float64(s.b2*float64(c[1]))
	return u, v
}

// skin is the colour and opacity of a surface before it is lit.
func (sf *surface) skin(p *place, x, y float64, s share) (colour vec.Vec, opacity float64) {
	colour, opacity = sf.base, sf.opacity
	if sf.texture == nil {
		return colour, opacity
	}
	m := sf.mesh
	if len(m.UVs) == 0 {
		t, a := sf.texture.at(0, 0, 0)
		return colour.Mul(t), float64(opacity * a)
	}
	i := m.Indices[p.first : p.first+3]
	ua, ub, uc := m.UVs[i[0]], m.UVs[i[1]], m.UVs[i[2]]
	u, v := s.mix2(ua, ub, uc)
	// How far the next pixels are on the texture says how much of it one shows.
	foot := 0.0
	for k := range 2 {
		n := p.share(x+float64(gridUnit*(1-k)), y+float64(gridUnit*k))
		nu, nv := n.mix2(ua, ub, uc)
		foot = max(foot, float64((nu-u)*(nu-u))+float64((nv-v)*(nv-v)))
	}
	t, a := sf.texture.at(u, v, foot)
	return colour.Mul(t), float64(opacity * a)
}

// shade is the light that a triangle sends to the camera from a place given in
// grid units, and how opaque it is there.
func (r *renderer) shade(p *place, x, y float64) (colour vec.Vec, opacity float64) {
	sf := &r.surfaces[p.object]
	s := p.share(x, y)
	colour, opacity = sf.skin(p, x, y, s)
	m := sf.mesh
	i := m.Indices[p.first : p.first+3]
	a, b, c := m.Positions[i[0]], m.Positions[i[1]], m.Positions[i[2]]
	at := sf.place.Point(s.mix3(a, b, c))
	toEye := r.view.position.Sub(at)
	depth := toEye.Dot(r.view.back)
	if !sf.unlit {
		var n vec.Vec
		if len(m.Normals) > 0 {
			n = s.mix3(m.Normals[i[0]], m.Normals[i[1]], m.Normals[i[2]])
		} else {
			n = wide(b).Sub(wide(a)).Cross(wide(c).Sub(wide(a)))
		}
		n = sf.normal.Dir(n).Unit()
		if p.back {
			n = n.Scale(-1)
		}
		if r.view.ortho {
			toEye = r.view.back
		}
		h := hit{at: at, normal: n, toEye: toEye.Unit(), base: colour, metallic: sf.metallic, gloss: sf.gloss}
		colour = r.lit(&h)
	}
	colour = colour.Add(sf.glow)
	if r.tone == Neutral && !sf.unlit {
		colour = neutral(colour.Scale(r.exposure))
	}
	if r.fogDensity > 0 {
		d := float64(r.fogDensity * depth)
		colour = r.fog.Lerp(colour, vec.Fade(float64(d*d)))
	}
	return colour, opacity
}

// skyAt is what is behind everything at a pixel.
func (r *renderer) skyAt(x, y int) vec.Vec {
	if r.skyTop == r.skyBottom {
		return r.skyTop
	}
	up := r.view.ray(float64(x)+0.5, float64(y)+0.5).Y
	return r.skyBottom.Lerp(r.skyTop, float64((up+1)*0.5))
}

// neutral is the curve of lit surfaces: light below 0.8 stays as it is; above, the
// strongest part comes near to 1, and what is far brighter becomes white. It is the
// shoulder of Khronos PBR Neutral, without the foot, which takes from dark scenes
// what little light there is.
func neutral(c vec.Vec) vec.Vec {
	peak := max(c.X, c.Y, c.Z)
	if peak < 0.8 {
		return c
	}
	top := 1 - 0.04/(peak-0.6)
	white := 1 - 1/(float64(0.15*(peak-top))+1)
	return c.Scale(top/peak).Lerp(vec.At(top, top, top), white)
}

// screen brings light into the range 0 to 1.
func (r *renderer) screen(c float64) float64 {
	if r.tone != Neutral {
		c = float64(c * r.exposure)
	}
	if r.tone == Filmic {
		// Narkowicz 2015, a fit to the reference rendering transform of ACES.
		c = float64(c*(float64(2.51*c)+0.03)) / (float64(c*(float64(2.43*c)+0.59)) + 0.14)
	}
	return min(max(c, 0), 1)
}
