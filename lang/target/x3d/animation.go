package x3d

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/gltf"
)

// bakeSteps is into how many straight pieces an eased one is cut.
const bakeSteps = 12

// route is how an animated property is written: the interpolator, the DEF name
// and the field it drives, and a value of it.
type route struct {
	interpolator, def, field string
	value                    func(k []float64) string
}

// animations writes a clock, an interpolator and two routes for each animation.
func (w *writer) animations() {
	index := make(map[string]int, len(w.s.Nodes))
	for i := range w.s.Nodes {
		index[w.s.Nodes[i].ID] = i
	}
	started := false
	for i := range w.s.Animations {
		a := &w.s.Animations[i]
		k, ok := index[a.Node]
		if !ok {
			continue
		}
		n := &w.s.Nodes[k]
		r, ok := w.route(a, n)
		keys := straight(a)
		if !ok || len(keys) < 2 || keys[len(keys)-1][0] <= 0 {
			w.tally.Drop(artefact.Animations, n, "only places, turns, sizes, colours and strengths of light move in the format")
			continue
		}
		if a.Loop > 1 {
			w.tally.Approximate(artefact.Animations, n, "animations run once or for ever")
		}
		if r.interpolator == "ColorInterpolator" {
			w.tally.Approximate(artefact.Animations, n, "colours pass through the hues between two keys")
		}
		once := a.Loop >= 0
		if once && a.Autoplay && !started { // a clock without end runs by itself, another one has to be started
			started = true
			w.d.Empty("ProximitySensor", "DEF", "entered", "size", "1000000 1000000 1000000")
		}
		w.clock(i, keys, r, once, a.Autoplay)
	}
}

func (w *writer) clock(i int, keys [][]float64, r route, once, autoplay bool) {
	id := strconv.Itoa(i)
	length := keys[len(keys)-1][0]
	var at, values []string
	for _, k := range keys {
		at = append(at, f(k[0]/length))
		values = append(values, r.value(k[1:]))
	}
	w.d.Empty("TimeSensor", "DEF", "clock_"+id, "cycleInterval", f(length), "loop", strconv.FormatBool(!once), "enabled", strconv.FormatBool(autoplay || once))
	w.d.Empty(r.interpolator, "DEF", "track_"+id, "key", strings.Join(at, " "), "keyValue", strings.Join(values, " "))
	if once && autoplay {
		w.d.Empty("ROUTE", "fromNode", "entered", "fromField", "enterTime", "toNode", "clock_"+id, "toField", "startTime")
	}
	w.d.Empty("ROUTE", "fromNode", "clock_"+id, "fromField", "fraction_changed", "toNode", "track_"+id, "toField", "set_fraction")
	w.d.Empty("ROUTE", "fromNode", "track_"+id, "fromField", "value_changed", "toNode", r.def, "toField", r.field)
}

// route is that of the property of an animation.
func (w *writer) route(a *scene.Animation, n *scene.Node) (route, bool) {
	moving := func(field string, base [3]float64) (route, bool) {
		return route{"PositionInterpolator", n.ID, field, func(k []float64) string { return numbers(axis(a.Property, base, k)...) }}, true
	}
	surface := "surface_" + n.ID
	painted := n.Material != nil && (n.Geometry != nil && w.s.Geometries[*n.Geometry].Kind != "model" || n.Text != nil)
	switch property := a.Property; {
	case property[0] == 't':
		return moving("set_translation", n.T)
	case property[0] == 's':
		return moving("set_scale", n.S)
	case property == "r":
		return route{"OrientationInterpolator", n.ID, "set_rotation", func(k []float64) string { return turned(unit(k)) }}, true
	case property == "opacity" && painted:
		return route{"ScalarInterpolator", surface, "set_transparency", func(k []float64) string { return f(1 - min(max(k[0], 0), 1)) }}, true
	case property == "base_color" && painted && !w.s.Materials[*n.Material].Unlit:
		return route{"ColorInterpolator", surface, "set_baseColor", func(k []float64) string { return numbers(clip(k)...) }}, true
	case property == "emissive_intensity" && painted && w.s.Materials[*n.Material].Emissive != "":
		c := scene.LinearRGBA(w.s.Materials[*n.Material].Emissive)
		return route{"ColorInterpolator", surface, "set_emissiveColor", func(k []float64) string {
			return numbers(clip([]float64{c[0] * k[0], c[1] * k[0], c[2] * k[0]})...)
		}}, true
	case property == "intensity" && n.Light != nil && n.Light.Type != "ambient" && n.Light.Type != "hemisphere":
		return route{"ScalarInterpolator", "light_" + n.ID, "set_intensity", func(k []float64) string { return f(max(k[0], 0)) }}, true
	}
	return route{}, false
}

// axis widens a value of one axis to three.
func axis(property string, base [3]float64, k []float64) []float64 {
	if len(k) == 3 {
		return k
	}
	out := base
	if len(property) == 3 && property[2] >= 'x' && property[2] <= 'z' {
		out[property[2]-'x'] = k[0]
	}
	return out[:]
}

func clip(k []float64) []float64 {
	out := make([]float64, 3)
	for i := range out {
		if i < len(k) {
			out[i] = min(max(k[i], 0), 1)
		}
	}
	return out
}

func unit(k []float64) [4]float64 {
	var q [4]float64
	sum := 0.0
	for i := range min(len(k), 4) {
		q[i] = k[i]
		sum += float64(k[i] * k[i])
	}
	if sum <= 0 {
		return [4]float64{3: 1}
	}
	for i := range q {
		q[i] /= math.Sqrt(sum)
	}
	return q
}

// straight are the keys with easing baked in, steps as two keys, and back again
// where the animation goes both ways.
func straight(a *scene.Animation) [][]float64 {
	if len(a.Keys) == 0 {
		return nil
	}
	out := [][]float64{a.Keys[0]}
	for i := 1; i < len(a.Keys); i++ {
		p, q := a.Keys[i-1], a.Keys[i]
		switch a.Easing {
		case "":
		case "step":
			hold := slices.Clone(p)
			hold[0] = q[0]
			out = append(out, hold)
		default:
			for s := 1; s < bakeSteps; s++ {
				u := float64(s) / bakeSteps
				e := gltf.Ease(a.Easing, u)
				k := []float64{p[0] + float64((q[0]-p[0])*u)}
				for c := 1; c < len(p) && c < len(q); c++ {
					k = append(k, p[c]+float64((q[c]-p[c])*e))
				}
				out = append(out, k)
			}
		}
		out = append(out, q)
	}
	if !a.PingPong {
		return out
	}
	end := out[len(out)-1][0]
	for i := len(out) - 2; i >= 0; i-- {
		k := slices.Clone(out[i])
		k[0] = 2*end - k[0]
		out = append(out, k)
	}
	return out
}
