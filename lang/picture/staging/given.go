package staging

import (
	"fmt"
	"math"
	"slices"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/srgb"
)

// Everywhere is light from everywhere as a light of an engine.
type Everywhere struct {
	Sky, Ground string // #rrggbb
	Intensity   scene.One
}

// Everywhere is the light from above and below, with its gain.
func (g *Staging) Everywhere() Everywhere {
	a := &g.Ambient
	most := max(a.Above.X, a.Above.Y, a.Above.Z, a.Below.X, a.Below.Y, a.Below.Z)
	if most <= 0 {
		return Everywhere{"#000000", "#000000", 0}
	}
	hex := func(c vec.Vec) string {
		return fmt.Sprintf("#%02x%02x%02x", encoded(c.X/most), encoded(c.Y/most), encoded(c.Z/most))
	}
	return Everywhere{hex(a.Above), hex(a.Below), scene.One(rounded(most * g.Gain))}
}

// Target is the middle of what counts.
func (g *Staging) Target() vec.Vec { return g.Lo.Add(g.Hi).Scale(0.5) }

// SunAt is a place for the key light, from which it shines at the target.
func (g *Staging) SunAt() vec.Vec {
	at := g.Target().Sub(SunWay.Scale(g.Hi.Sub(g.Lo).Len() + 1))
	return vec.At(rounded(at.X), rounded(at.Y), rounded(at.Z))
}

// SunTurn turns what looks along -Z to where the key light shines.
func SunTurn() scene.Quat {
	w := SunWay
	axis, c := vec.At(0, 0, -1).Cross(w), 1-w.Z
	n := math.Sqrt(float64(axis.Dot(axis)) + float64(c*c))
	return scene.Quat{rounded(axis.X / n), rounded(axis.Y / n), rounded(axis.Z / n), rounded(c / n)}
}

// Reach is half of how wide the map of a shadow has to be.
func (g *Staging) Reach() float64 { return rounded(max(g.Hi.Sub(g.Lo).Len()*0.75, 0.05)) }

// distance is how far a camera that finds its own place is from the target.
func (g *Staging) distance() float64 {
	v := g.View(16.0/9, FOV)
	return v.Target.Sub(v.Eye).Len()
}

// Planes are the near and the far one of such a camera.
func (g *Staging) Planes() (near, far float64) {
	d := g.distance()
	return rounded(max(min(0.05, d*0.01), 1e-3)), rounded(max(5000, d*50))
}

// FogDensity is how dense the fog of a scene is: as its source says for a camera of
// its own, and else so that half of what counts is seen.
func (g *Staging) FogDensity(s *scene.Scene) float64 {
	if s.Environment.Fog == nil {
		return 0
	}
	for i := range s.Nodes {
		if c := s.Nodes[i].Camera; c != nil && !c.Resting {
			return s.Environment.Fog.Density
		}
	}
	return rounded(Fog(s.Environment.Fog.Density, g.distance()))
}

// encoded is the byte of sRGB that is nearest to an amount of light.
func encoded(light float64) int {
	i, _ := slices.BinarySearch(srgb.Linear[:], light)
	if i > 0 && (i == len(srgb.Linear) || light-srgb.Linear[i-1] < srgb.Linear[i]-light) {
		i--
	}
	return i
}

func rounded(x float64) float64 { return math.Round(float64(x*1e5)) / 1e5 }
