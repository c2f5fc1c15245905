package godot

import (
	"fmt"
	"math"
	"strconv"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// mostParticles is as many as one emitter has.
const mostParticles = 2000

// stream is what an emitter gives out.
type stream struct {
	rate, lifetime, speed, spread, gravity, from, to, width float64
	start, end                                              string
	normal                                                  bool // covers what is behind; else it glows
}

// streams are the emitters by the name of their preset, as the viewer has them.
var streams = map[string]stream{
	"fire":   {rate: 60, lifetime: 1.2, speed: 1.2, spread: 0.3, gravity: -0.6, from: 0.18, to: 0.02, start: "#ffd27aff", end: "#d0290000"},
	"smoke":  {rate: 20, lifetime: 4, speed: 0.5, spread: 0.2, gravity: -0.1, from: 0.1, to: 0.6, start: "#8888889f", end: "#44444400", normal: true},
	"sparks": {rate: 80, lifetime: 0.8, speed: 2.4, spread: 1.2, gravity: 6, from: 0.03, to: 0.01, start: "#ffe9a8ff", end: "#ff6a0000"},
	"rain":   {rate: 200, lifetime: 1.5, speed: -6, spread: 0.1, from: 0.02, to: 0.02, start: "#a8c4e0b0", width: 4, normal: true},
	"snow":   {rate: 80, lifetime: 5, speed: -0.6, spread: 0.3, from: 0.04, to: 0.04, start: "#ffffffff", end: "#ffffff80", width: 4, normal: true},
	"dust":   {rate: 15, lifetime: 6, speed: 0.05, spread: 0.1, from: 0.02, to: 0.02, start: "#e8dcc080", end: "#e8dcc000", width: 3, normal: true},
	"magic":  {rate: 40, lifetime: 2, speed: 0.6, spread: 0.5, gravity: -0.2, from: 0.05, start: "#c9a0ffff", end: "#4060ff00"},
}

// field is a setting of a map by its name.
func field(v scene.Value, key string) (scene.Value, bool) {
	for _, f := range v.Fields {
		if f.Key == key {
			return f.Value, true
		}
	}
	return scene.Value{}, false
}

// particles writes the emitter of a node.
func (w *writer) particles(n *scene.Node, parent string) {
	text := func(keys ...string) string {
		for _, k := range keys {
			if v, ok := field(n.Particle, k); ok && v.Str != "" {
				return v.Str
			}
		}
		return ""
	}
	s, preset := streams[text("preset")]
	if !preset {
		s = stream{rate: 10, lifetime: 2, speed: 1, spread: 0.3, from: 0.05, to: 0.05, start: scene.White}
	}
	num := func(otherwise float64, keys ...string) float64 {
		for _, k := range keys {
			if v, ok := field(n.Particle, k); ok && v.Kind == trait.Number && !math.IsInf(v.Num, 0) && !math.IsNaN(v.Num) {
				return v.Num
			}
		}
		return otherwise
	}
	life := max(0.05, num(s.lifetime, "lifetime"))
	long := max(0.05, num(life, "lifetime_max"))
	short := min(long, max(0.05, num(life, "lifetime_min")))
	rate := max(0, num(s.rate, "rate", "emission_rate"))
	count := min(mostParticles, max(1, math.Round(num(float64(rate*long)+1, "max_count", "count"))))
	spread := num(s.spread, "velocity_spread", "spread")
	aim, speed := [3]float64{0, 1, 0}, num(s.speed, "speed")
	if v, ok := field(n.Particle, "velocity"); ok && v.Kind == trait.List && len(v.List) >= 3 {
		aim = [3]float64{v.List[0].Num, v.List[1].Num, v.List[2].Num}
		if speed = math.Sqrt(float64(aim[0]*aim[0]) + float64(aim[1]*aim[1]) + float64(aim[2]*aim[2])); speed == 0 {
			aim = [3]float64{0, 1, 0}
		}
	}
	if speed < 0 {
		speed = -speed
		aim = [3]float64{-aim[0], -aim[1], -aim[2]}
	}
	from := num(s.from, "size_start", "size")
	to := num(s.to, "size_end")
	if _, given := field(n.Particle, "size_start"); !given && !preset {
		to = num(from, "size_end")
	}
	width := max(0, num(s.width, "width", "radius"))
	start := or(colorOf(text("color_start", "color")), s.start)
	end := or(colorOf(text("color_end")), or(s.end, start[:7]+"00"))
	mode := w.d.name("additive")
	if m := text("blend_mode"); m == "normal" || m == "" && s.normal {
		mode = ""
	}
	look := w.d.resource("Material", w.d.name("blended"), w.d.name("unshaded"), mode, "vertex_color_use_as_albedo = true", w.d.name("billboard"))
	ramp := w.d.resource("Gradient", "offsets = "+w.d.call("Reals", 0, 1), "colors = "+w.colors(start, end))
	most := max(from, to, 0.001)
	curve := w.d.resource("Curve", curveOf(w.d.version, from/most, to/most))
	p := []string{
		fmt.Sprintf("amount = %d", int(count)), "lifetime = " + float(long), "preprocess = " + float(long), "local_coords = true",
		"mesh = " + w.d.resource("QuadMesh", "material = "+look, "size = "+w.d.call("Vector2", 1, 1)),
		"direction = " + w.d.vector(aim[0], aim[1], aim[2]), "spread = " + float(min(180, degrees(math.Atan2(spread, max(speed, 0.0001))))),
		"gravity = " + w.d.vector(0, -num(s.gravity, "gravity"), 0), "color_ramp = " + ramp, "scale_amount_curve = " + curve,
	}
	fast, slow := float64(speed+spread/2), max(0, float64(speed-spread/2))
	if w.d.version == 4 {
		p = append(p, "lifetime_randomness = "+float(1-short/long), "initial_velocity_min = "+float(slow), "initial_velocity_max = "+float(fast),
			"scale_amount_min = "+float(most), "scale_amount_max = "+float(most))
	} else {
		p = append(p, "initial_velocity = "+float(fast), "initial_velocity_random = "+float(1-slow/max(fast, 0.0001)), "scale_amount = "+float(most))
	}
	if width > 0 {
		shape := map[int]int{3: 2, 4: 3}[w.d.version]
		p = append(p, fmt.Sprintf("emission_shape = %d", shape), "emission_box_extents = "+w.d.vector(width/2, 0, width/2))
	}
	w.d.node("Particles", "Particles", parent, p...)
}

// colorOf is a colour of a setting, empty where it is none.
func colorOf(s string) string {
	c, ok := scene.Color(s)
	if !ok {
		return ""
	}
	return c
}

func (w *writer) colors(list ...string) string {
	var v []float64
	for _, c := range list {
		for _, b := range scene.RGBA(c) {
			v = append(v, float64(b)/255)
		}
	}
	return w.d.call("Colors", v...)
}

// curveOf is the line of a straight curve between two values.
func curveOf(version int, from, to float64) string {
	// Slopes have a point: the third version takes nothing else for a number there.
	slope := strconv.FormatFloat(float64(float32(to-from)), 'f', 6, 64)
	if version == 4 {
		return fmt.Sprintf("_data = [Vector2(0, %s), 0.0, %s, 0, 0, Vector2(1, %s), %s, 0.0, 0, 0]\npoint_count = 2", float(from), slope, float(to), slope)
	}
	return fmt.Sprintf("_data = [ Vector2( 0, %s ), 0.0, %s, 0, 0, Vector2( 1, %s ), %s, 0.0, 0, 0 ]", float(from), slope, float(to), slope)
}
