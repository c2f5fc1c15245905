package staging

import (
	"math"
	"slices"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
)

// What the light that meets the things is brought to, 1 showing white as white.
const (
	dim, bright     = 0.5, 1.3
	mostGain        = 3.0
	leastGain       = 0.1
	ambientStrength = 0.36 // of a source that says nothing of it
	skyShare        = 0.35 // of the colour of the sky in that light
	mostJudged      = 200  // things
)

func light(c string) vec.Vec {
	l := scene.LinearRGBA(c)
	return vec.At(l[0], l[1], l[2])
}

func luminance(c vec.Vec) float64 {
	return float64(0.2126*c.X) + float64(0.7152*c.Y) + float64(0.0722*c.Z)
}

// lights decides what the source does not say of light. Without a light from
// somewhere there is a sun, with a shadow. Light from everywhere has the tint of
// the sky. A source that names no shadow gets that of its first directional light.
// Where no exposure is set, all light is brought to what can be seen.
func (g *Staging) lights(s *scene.Scene, hidden []bool) {
	e := &s.Environment
	white := vec.At(1, 1, 1)
	if a := e.Ambient; a != nil {
		c := light(a.Color).Scale(a.Intensity)
		g.Ambient = Ambient{c, c}
	} else {
		above, below := white, vec.At(0.8, 0.76, 0.7)
		if c := e.Sky.Colors; len(c) > 0 {
			above, below = tint(light(c[0])), tint(light(c[len(c)-1])).Mul(vec.At(0.8, 0.76, 0.7))
		}
		g.Ambient = Ambient{above.Scale(ambientStrength), below.Scale(ambientStrength)}
	}
	var shining []int
	shadows, first := false, -1
	for i := range s.Nodes {
		l := s.Nodes[i].Light
		if l == nil || hidden[i] {
			continue
		}
		shining = append(shining, i)
		g.Sun = g.Sun || l.Type != "ambient"
		shadows = shadows || l.Shadow
		if l.Type == "directional" && first < 0 {
			first = i
		}
	}
	g.Sun = !g.Sun
	if !shadows {
		g.Shadow = first
	}
	g.Gain = 1
	if e.Exposure != 0 && e.Exposure != 1 {
		return
	}
	var met []float64
	for i := range g.Solids {
		if o := &g.Solids[i]; o.Role == Thing && !o.Text && !o.Emits && len(met) < mostJudged {
			met = append(met, g.meets(s, o, shining))
		}
	}
	if len(met) == 0 {
		return
	}
	slices.Sort(met)
	switch m := met[len(met)/2]; {
	case m < dim:
		g.Gain = min(dim/max(m, 0.01), mostGain)
	case m > bright:
		g.Gain = max(bright/m, leastGain)
	}
	g.Gain = math.Floor(float64(g.Gain*1000)+0.5) / 1000 // the same everywhere
}

// tint is a colour of which as much is left as light from everywhere has.
func tint(c vec.Vec) vec.Vec {
	white := vec.At(1, 1, 1)
	if y := luminance(c); y > 1e-4 {
		c = c.Scale(1 / y)
		c = c.Scale(1 / max(c.X, c.Y, c.Z, 1))
	} else {
		c = white
	}
	return white.Lerp(c, skyShare)
}

// meets estimates the light that meets a solid.
func (g *Staging) meets(s *scene.Scene, o *Solid, shining []int) float64 {
	sum := (luminance(g.Ambient.Above) + luminance(g.Ambient.Below)) / 2
	if g.Sun {
		sum += float64(0.6 * SunIntensity)
	}
	at, reach := o.centre(), o.size()/2
	for _, i := range shining {
		l := s.Nodes[i].Light
		m := &g.World[i]
		power := float64(luminance(light(l.Color)) * float64(l.Intensity))
		switch l.Type {
		case "ambient":
			sum += power
		case "hemisphere":
			sum += (power + float64(luminance(light(l.Ground))*float64(l.Intensity))) / 2
		case "directional":
			sum += float64(0.6 * power)
		default:
			to := at.Sub(m.Point(vec.Vec{}))
			far := max(to.Len(), reach, 0.1)
			angle := 4.0
			if l.Type == "spot" {
				angle = l.Angle + math.Asin(min(reach/far, 1))
			} else if l.Type == "area" {
				angle = 1.4
			}
			if axis := m.Dir(vec.At(0, 0, -1)).Unit(); angle < math.Pi && axis.Dot(to.Unit()) < cosine(angle) {
				continue
			}
			share := float64(0.6*power) / float64(far*far)
			if l.Range > 0 {
				f := far / l.Range
				f2 := float64(f * f)
				fall := max(0, 1-float64(f2*f2))
				share = float64(share * float64(fall*fall))
			}
			sum += share
		}
	}
	return sum
}

func cosine(x float64) float64 { _, c := vec.SinCos(x); return c }

// Fog is how dense the fog of a scene is where the camera found its own place:
// as the source says, but so that half of what counts is seen through it.
func Fog(density, distance float64) float64 {
	if distance > 0 {
		return min(density, 0.8/distance)
	}
	return density
}
