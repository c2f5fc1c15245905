package artefact

import (
	"cmp"
	"math"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// MostParticles is as many as one emitter has.
const MostParticles = 2000

// Emission is what an emitter gives out: particles a second, seconds, metres and
// metres a second. Gravity pulls down; Spread is a speed to all sides.
type Emission struct {
	Rate, Lifetime, Shortest, Speed, Spread, Gravity, From, To, Width, Count float64
	Aim                                                                      [3]float64 // need not be of length 1
	Start, End                                                               string     // colours
	Glows                                                                    bool       // adds to what is behind; else it covers it
}

// presets are the emitters by the name of their preset, as the viewer has them.
var presets = map[string]Emission{
	"fire":   {Rate: 60, Lifetime: 1.2, Speed: 1.2, Spread: 0.3, Gravity: -0.6, From: 0.18, To: 0.02, Start: "#ffd27aff", End: "#d0290000", Glows: true},
	"smoke":  {Rate: 20, Lifetime: 4, Speed: 0.5, Spread: 0.2, Gravity: -0.1, From: 0.1, To: 0.6, Start: "#8888889f", End: "#44444400"},
	"sparks": {Rate: 80, Lifetime: 0.8, Speed: 2.4, Spread: 1.2, Gravity: 6, From: 0.03, To: 0.01, Start: "#ffe9a8ff", End: "#ff6a0000", Glows: true},
	"rain":   {Rate: 200, Lifetime: 1.5, Speed: -6, Spread: 0.1, From: 0.02, To: 0.02, Start: "#a8c4e0b0", Width: 4},
	"snow":   {Rate: 80, Lifetime: 5, Speed: -0.6, Spread: 0.3, From: 0.04, To: 0.04, Start: "#ffffffff", End: "#ffffff80", Width: 4},
	"dust":   {Rate: 15, Lifetime: 6, Speed: 0.05, Spread: 0.1, From: 0.02, To: 0.02, Start: "#e8dcc080", End: "#e8dcc000", Width: 3},
	"magic":  {Rate: 40, Lifetime: 2, Speed: 0.6, Spread: 0.5, Gravity: -0.2, From: 0.05, Start: "#c9a0ffff", End: "#4060ff00", Glows: true},
}

// Field is a setting of a map by its name.
func Field(v scene.Value, key string) (scene.Value, bool) {
	for _, f := range v.Fields {
		if f.Key == key {
			return f.Value, true
		}
	}
	return scene.Value{}, false
}

// EmissionOf reads the emitter of a node, which has one.
func EmissionOf(n *scene.Node) Emission {
	text := func(keys ...string) string {
		for _, k := range keys {
			if v, ok := Field(n.Particle, k); ok && v.Str != "" {
				return v.Str
			}
		}
		return ""
	}
	e, preset := presets[text("preset")]
	if !preset {
		e = Emission{Rate: 10, Lifetime: 2, Speed: 1, Spread: 0.3, From: 0.05, To: 0.05, Start: scene.White, Glows: true}
	}
	num := func(otherwise float64, keys ...string) float64 {
		for _, k := range keys {
			if v, ok := Field(n.Particle, k); ok && v.Kind == trait.Number && !math.IsInf(v.Num, 0) && !math.IsNaN(v.Num) {
				return v.Num
			}
		}
		return otherwise
	}
	life := max(0.05, num(e.Lifetime, "lifetime"))
	e.Lifetime = max(0.05, num(life, "lifetime_max"))
	e.Shortest = min(e.Lifetime, max(0.05, num(life, "lifetime_min")))
	e.Rate = max(0, num(e.Rate, "rate", "emission_rate"))
	e.Count = min(MostParticles, max(1, math.Round(num(float64(e.Rate*e.Lifetime)+1, "max_count", "count"))))
	e.Spread = num(e.Spread, "velocity_spread", "spread")
	e.Gravity = num(e.Gravity, "gravity")
	e.Aim, e.Speed = [3]float64{0, 1, 0}, num(e.Speed, "speed")
	if v, ok := Field(n.Particle, "velocity"); ok && v.Kind == trait.List && len(v.List) >= 3 {
		e.Aim = [3]float64{v.List[0].Num, v.List[1].Num, v.List[2].Num}
		if e.Speed = math.Sqrt(float64(e.Aim[0]*e.Aim[0]) + float64(e.Aim[1]*e.Aim[1]) + float64(e.Aim[2]*e.Aim[2])); e.Speed == 0 {
			e.Aim = [3]float64{0, 1, 0}
		}
	}
	if e.Speed < 0 {
		e.Speed = -e.Speed
		e.Aim = [3]float64{-e.Aim[0], -e.Aim[1], -e.Aim[2]}
	}
	e.From = num(e.From, "size_start", "size")
	to := num(e.To, "size_end")
	if _, given := Field(n.Particle, "size_start"); !given && !preset {
		to = num(e.From, "size_end")
	}
	e.To = to
	e.Width = max(0, num(e.Width, "width", "radius"))
	start := cmp.Or(colorOf(text("color_start", "color")), e.Start)
	e.Start, e.End = start, cmp.Or(colorOf(text("color_end")), e.End, start[:7]+"00")
	switch text("blend_mode") {
	case "":
	case "normal":
		e.Glows = false
	default:
		e.Glows = true
	}
	return e
}

// colorOf is a colour of a setting, empty where it is none.
func colorOf(s string) string {
	c, ok := scene.Color(s)
	if !ok {
		return ""
	}
	return c
}
