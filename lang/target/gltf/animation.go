package gltf

import (
	"math"
	"slices"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// track is the movement of one property of one node.
type track struct {
	node int
	path string
	step bool
	keys [][]float64 // time, then the components
	from *scene.Animation
}

// animations writes what moves nodes; what changes materials and lights has no
// place in the format.
func (w *writer) animations() {
	index := make(map[string]int, len(w.s.Nodes))
	for i := range w.s.Nodes {
		index[w.s.Nodes[i].ID] = i
	}
	taken := map[[2]any]bool{}
	for i := range w.s.Animations {
		a := &w.s.Animations[i]
		k, ok := index[a.Node]
		if !ok {
			continue
		}
		n := &w.s.Nodes[k]
		t, ok := newTrack(a, n, k)
		if !ok {
			w.tally.Drop(artefact.Animations, n, "only places, turns and sizes move in the format")
			continue
		}
		if taken[[2]any{k, t.path}] {
			w.tally.Drop(artefact.Animations, n, "two animations of one property cannot be in one file")
			continue
		}
		taken[[2]any{k, t.path}] = true
		w.track(t, n)
	}
}

// newTrack widens an animation of one axis to three and bakes its easing.
func newTrack(a *scene.Animation, n *scene.Node, node int) (*track, bool) {
	t := &track{node: node, step: a.Easing == "step", from: a}
	base := [3]float64(n.T)
	switch a.Property[:1] {
	case "t":
		t.path = "translation"
	case "s":
		t.path, base = "scale", [3]float64(n.S)
	case "r":
		t.path = "rotation"
	default:
		return nil, false
	}
	for _, k := range a.Keys {
		switch {
		case len(a.Property) == 1:
			t.keys = append(t.keys, slices.Clone(k))
		case len(a.Property) == 3 && len(k) == 2:
			v := base
			v[a.Property[2]-'x'] = k[1]
			t.keys = append(t.keys, append([]float64{k[0]}, v[:]...))
		default:
			return nil, false
		}
	}
	t.keys = bake(t.keys, a.Easing)
	return t, len(t.keys) > 1
}

// bakeSteps is into how many straight pieces an eased one is cut.
const bakeSteps = 12

// bake replaces eased pieces by straight ones.
func bake(keys [][]float64, easing string) [][]float64 {
	if easing == "" || easing == "step" {
		return keys
	}
	out := [][]float64{keys[0]}
	for i := 1; i < len(keys); i++ {
		a, b := keys[i-1], keys[i]
		for s := 1; s <= bakeSteps; s++ {
			u := float64(s) / bakeSteps
			e := Ease(easing, u)
			k := []float64{a[0] + float64((b[0]-a[0])*u)}
			for c := 1; c < len(a); c++ {
				k = append(k, a[c]+float64((b[c]-a[c])*e))
			}
			out = append(out, k)
		}
	}
	return out
}

// Ease is the share of the way at a share of the time.
func Ease(easing string, u float64) float64 {
	switch easing {
	case "ease-in":
		return float64(u * u)
	case "ease-out":
		return 1 - float64((1-u)*(1-u))
	case "ease-in-out":
		return float64(u*u) * (3 - float64(2*u))
	}
	return u
}

func (w *writer) track(t *track, n *scene.Node) {
	times := make([]float32, len(t.keys))
	var values []float32
	for i, k := range t.keys {
		times[i] = float32(k[0])
		v := k[1:]
		if t.path == "rotation" {
			v = unit(v)
		}
		for _, c := range v {
			values = append(values, float32(c))
		}
	}
	for i := 1; i < len(times); i++ { // single precision may join two keys
		if times[i] <= times[i-1] {
			w.tally.Drop(artefact.Animations, n, "keys that are too close together for single precision")
			return
		}
	}
	kind := "VEC3"
	if t.path == "rotation" {
		kind = "VEC4"
	}
	s := animator{
		Input: w.accessor(times, 0, accessor{
			ComponentType: typeFloat, Count: len(times), Type: "SCALAR", Min: []float64{float64(times[0])}, Max: []float64{float64(times[len(times)-1])},
		}),
		Output: w.accessor(values, 0, accessor{ComponentType: typeFloat, Count: len(times), Type: kind}),
	}
	if t.step {
		s.Interpolation = "STEP"
	}
	w.doc.Animations = append(w.doc.Animations, animation{
		Name: n.Name, Channels: []channel{{0, target{t.node, t.path}}}, Samplers: []animator{s},
		Extras: map[string]any{"loop": t.from.Loop, "autoplay": t.from.Autoplay},
	})
}

// unit brings a blended rotation back to length 1.
func unit(q []float64) []float64 {
	sum := 0.0
	for _, c := range q {
		sum += float64(c * c)
	}
	if sum <= 0 {
		return []float64{0, 0, 0, 1}
	}
	n := math.Sqrt(sum)
	out := make([]float64, len(q))
	for i, c := range q {
		out[i] = c / n
	}
	return out
}
