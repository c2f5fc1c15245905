package raster

import (
	"math"

	"github.com/meshd/meshd/lang/raster/vec"
)

// lamp is a light made ready.
type lamp struct {
	kind         LightKind
	colour       vec.Vec // with its intensity
	ground       vec.Vec
	position     vec.Vec
	toLight      vec.Vec // from a surface to a directional light; against the axis of a spot
	reach        float64 // range to the power of -4; 0 is without end
	outer, inner float64 // cosines of a spot's cone
	shadow       *depthMap
}

func newLamp(l *Light) lamp {
	down := vec.At(0, -1, 0)
	dir := l.Direction.Unit()
	if dir == (vec.Vec{}) {
		dir = down
	}
	p := lamp{kind: l.Kind, colour: light(l.Color).Scale(l.Intensity), ground: light(l.Ground).Scale(l.Intensity), position: l.Position, toLight: dir.Scale(-1)}
	if l.Range > 0 {
		r2 := float64(l.Range * l.Range)
		p.reach = 1 / float64(r2*r2)
	}
	angle := l.angle()
	_, p.outer = vec.SinCos(angle)
	_, p.inner = vec.SinCos(float64(angle * (1 - l.Penumbra)))
	return p
}

// angle is the half angle of a spot.
func (l *Light) angle() float64 {
	if l.Angle == 0 {
		return 30 * degree
	}
	return max(l.Angle, 0.1*degree)
}

// shine is the light that arrives at a point and where it comes from, before
// shadows and before the angle to the surface is looked at.
func (p *lamp) shine(at vec.Vec) (colour, toLight vec.Vec) {
	if p.kind == Directional {
		return p.colour, p.toLight
	}
	d := p.position.Sub(at)
	d2 := max(d.Dot(d), 1e-4) // a centimetre off, so that it stays finite
	toLight = d.Scale(1 / math.Sqrt(d2))
	strength := 1 / d2
	if p.reach > 0 {
		fall := max(0, 1-float64(float64(d2*d2)*p.reach))
		strength = float64(strength * float64(fall*fall))
	}
	if p.kind == Spot {
		c := toLight.Dot(p.toLight)
		switch {
		case c <= p.outer:
			return vec.Vec{}, toLight
		case c < p.inner:
			t := (c - p.outer) / (p.inner - p.outer)
			strength = float64(strength * float64(float64(t*t)*(3-float64(2*t))))
		}
	}
	return p.colour.Scale(strength), toLight
}

// hit is a point of a surface that is to be lit.
type hit struct {
	at, normal, toEye vec.Vec
	base              vec.Vec
	metallic, gloss   float64
}

// lit adds up what all lights make of a point.
func (r *renderer) lit(h *hit) vec.Vec {
	matt := h.base.Scale(1 - h.metallic)
	mirror := vec.At(0.04, 0.04, 0.04).Lerp(h.base, h.metallic)
	var sum vec.Vec
	for i := range r.lamps {
		l := &r.lamps[i]
		switch l.kind {
		case Ambient:
			sum = sum.Add(matt.Add(mirror).Mul(l.colour))
		case Hemisphere:
			half := float64((h.normal.Y + 1) * 0.5)
			sum = sum.Add(matt.Add(mirror).Mul(l.ground.Lerp(l.colour, half)))
		default:
			colour, toLight := l.shine(h.at)
			facing := h.normal.Dot(toLight)
			if facing <= 0 || colour == (vec.Vec{}) {
				continue
			}
			if l.shadow != nil {
				free := l.shadow.free(h.at, h.normal)
				if free == 0 {
					continue
				}
				colour = colour.Scale(free)
			}
			sum = sum.Add(matt.Add(highlight(h, mirror, toLight, facing)).Mul(colour).Scale(facing))
		}
	}
	return sum
}

// highlight is the gloss of a surface: the distribution of Trowbridge and Reitz,
// the height-correlated visibility of Smith, Fresnel by Schlick; times π, because
// the intensity of light is relative.
func highlight(h *hit, mirror, toLight vec.Vec, facing float64) vec.Vec {
	half := toLight.Add(h.toEye).Unit()
	nh := max(h.normal.Dot(half), 0)
	nv := max(h.normal.Dot(h.toEye), 1e-3)
	vh := max(h.toEye.Dot(half), 0)
	a2 := float64(h.gloss * h.gloss)
	d := float64(float64(nh*nh)*(a2-1)) + 1
	spread := a2 / float64(d*d)
	gl := float64(facing * math.Sqrt(a2+float64((1-a2)*float64(nv*nv))))
	gv := float64(nv * math.Sqrt(a2+float64((1-a2)*float64(facing*facing))))
	strength := float64(spread * (0.5 / max(gl+gv, 1e-6)))
	m := 1 - vh
	m2 := float64(m * m)
	fresnel := mirror.Lerp(vec.At(1, 1, 1), float64(float64(m2*m2)*m))
	return fresnel.Scale(strength)
}
