package godot

import (
	"fmt"
	"math"
	"strconv"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// particles writes the emitter of a node.
func (w *writer) particles(n *scene.Node, parent string) {
	e := artefact.EmissionOf(n)
	aim, speed := e.Aim, e.Speed
	mode := w.d.name("additive")
	if !e.Glows {
		mode = ""
	}
	look := w.d.resource("Material", w.d.name("blended"), w.d.name("unshaded"), mode, "vertex_color_use_as_albedo = true", w.d.name("billboard"))
	ramp := w.d.resource("Gradient", "offsets = "+w.d.call("Reals", 0, 1), "colors = "+w.colors(e.Start, e.End))
	most := max(e.From, e.To, 0.001)
	curve := w.d.resource("Curve", curveOf(w.d.version, e.From/most, e.To/most))
	p := []string{
		fmt.Sprintf("amount = %d", int(e.Count)), "lifetime = " + float(e.Lifetime), "preprocess = " + float(e.Lifetime), "local_coords = true",
		"mesh = " + w.d.resource("QuadMesh", "material = "+look, "size = "+w.d.call("Vector2", 1, 1)),
		"direction = " + w.d.vector(aim[0], aim[1], aim[2]), "spread = " + float(min(180, degrees(math.Atan2(e.Spread, max(speed, 0.0001))))),
		"gravity = " + w.d.vector(0, -e.Gravity, 0), "color_ramp = " + ramp, "scale_amount_curve = " + curve,
	}
	fast, slow := float64(speed+e.Spread/2), max(0, float64(speed-e.Spread/2))
	if w.d.version == 4 {
		p = append(p, "lifetime_randomness = "+float(1-e.Shortest/e.Lifetime), "initial_velocity_min = "+float(slow), "initial_velocity_max = "+float(fast),
			"scale_amount_min = "+float(most), "scale_amount_max = "+float(most))
	} else {
		p = append(p, "initial_velocity = "+float(fast), "initial_velocity_random = "+float(1-slow/max(fast, 0.0001)), "scale_amount = "+float(most))
	}
	if e.Width > 0 {
		shape := map[int]int{3: 2, 4: 3}[w.d.version]
		p = append(p, fmt.Sprintf("emission_shape = %d", shape), "emission_box_extents = "+w.d.vector(e.Width/2, 0, e.Width/2))
	}
	w.d.node("Particles", "Particles", parent, p...)
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
