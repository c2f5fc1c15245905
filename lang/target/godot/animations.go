package godot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/direct"
)

// player is the node whose animations the script plays. It does not play by
// itself: the script steps them with the time of the program.
const player = "Animations"

// animations writes the key-frame animations as those of a player, which the
// editor shows and changes. What has no form there stays in the script.
func (w *writer) animations() {
	w.keyed = map[int]string{}
	taken := map[string]bool{}
	var names, refs []string
	for i := range w.s.Animations {
		a := &w.s.Animations[i]
		n, ok := w.index[a.Node]
		if !ok || len(a.Keys) == 0 {
			continue
		}
		resource := w.animation(a, n)
		if resource == nil {
			continue
		}
		base := direct.Identifier(strings.ToLower(or(w.s.Nodes[n].Name, w.s.Nodes[n].Kind) + "_" + a.Property))
		name := base
		for k := 2; taken[name]; k++ {
			name = fmt.Sprintf("%s_%d", base, k)
		}
		taken[name] = true
		w.keyed[i] = name
		names = append(names, name)
		refs = append(refs, w.d.resource("Animation", append([]string{"resource_name = " + quoted(name)}, resource...)...))
	}
	if len(names) == 0 {
		return
	}
	if w.d.version == 4 {
		data := make([]string, len(names))
		for i := range names {
			data[i] = quoted(names[i]) + ": " + refs[i]
		}
		library := w.d.resource("AnimationLibrary", "_data = {\n"+strings.Join(data, ",\n")+"\n}")
		w.raw("AnimationPlayer", player, "", "callback_mode_process = 2", "libraries = {\n\"\": "+library+"\n}")
		return
	}
	p := []string{"playback_process_mode = 2"}
	for i := range names {
		p = append(p, "anims/"+names[i]+" = "+refs[i])
	}
	w.raw("AnimationPlayer", player, "", p...)
}

// animation is an animation of one track; none where the engine has no track for it.
func (w *writer) animation(a *scene.Animation, n int) []string {
	kind, path := "value", w.path[n]
	var value func(k []float64) string
	numbers := len(a.Keys[0]) - 1
	place := map[int]string{3: ":translation", 4: ":position"}[w.d.version]
	vector := func(k []float64) string { return w.d.vector(k[0], k[1], k[2]) }
	single := func(k []float64) string { return float(k[0]) }
	part, axis, _ := strings.Cut(a.Property, ".")
	look := map[string]string{"opacity": "albedo_color:a", "metallic": "metallic", "roughness": "roughness", "emissive_intensity": w.d.name("emission_energy")}
	mesh := w.inner[n] + "/Mesh"
	shown := slices.ContainsFunc(w.d.nodes, func(r *record) bool { return r.path == mesh })
	light := slices.ContainsFunc(w.d.nodes, func(r *record) bool { return r.path == w.inner[n]+"/Light" })
	switch {
	case part == "t" && axis == "" && numbers == 3:
		path, value = path+place, vector
	case part == "s" && axis == "" && numbers == 3:
		path, value = path+":scale", vector
	case (part == "t" || part == "s") && len(axis) == 1 && numbers == 1:
		path, value = path+map[string]string{"t": place, "s": ":scale"}[part]+":"+axis, single
	case a.Property == "r" && numbers == 4:
		return w.turning(a, n)
	case a.Property == "color" && numbers == 3 && shown:
		path, value = mesh+":material_override:albedo_color", func(k []float64) string { return w.d.call("Color", k[0], k[1], k[2], 1) }
	case look[a.Property] != "" && numbers == 1 && shown:
		path, value = mesh+":material_override:"+look[a.Property], single
	case a.Property == "intensity" && numbers == 1 && light:
		path, value = w.inner[n]+"/Light:light_energy", single
	default:
		return nil
	}
	var times, transitions []float64
	var values []string
	for _, k := range a.Keys {
		times, transitions = append(times, k[0]), append(transitions, 1)
		values = append(values, value(k[1:]))
	}
	keys := fmt.Sprintf("tracks/0/keys = {\n\"times\": %s,\n\"transitions\": %s,\n\"update\": 0,\n\"values\": [ %s ]\n}", w.d.call("Reals", times...), w.d.call("Reals", transitions...), strings.Join(values, ", "))
	return append(w.track(a, kind, path), keys)
}

// track is what all animations have in common.
func (w *writer) track(a *scene.Animation, kind, path string) []string {
	loop := ""
	switch {
	case a.Loop == 0 && !a.PingPong:
	case w.d.version == 3:
		loop = "loop = true"
	case a.PingPong:
		loop = "loop_mode = 2"
	default:
		loop = "loop_mode = 1"
	}
	return []string{
		"length = " + float(max(a.Keys[len(a.Keys)-1][0], 0.001)), loop, "tracks/0/type = " + quoted(kind), "tracks/0/path = NodePath(" + quoted(path) + ")",
		"tracks/0/interp = 1", "tracks/0/loop_wrap = true", "tracks/0/imported = false", "tracks/0/enabled = true",
	}
}

// turning is an animation of a node's turn, in quaternions: where the third version
// has them, they come with a place and a scale.
func (w *writer) turning(a *scene.Animation, i int) []string {
	n := &w.s.Nodes[i]
	var keys []float64
	for _, k := range a.Keys {
		keys = append(keys, k[0], 1)
		if w.d.version == 3 {
			keys = append(keys, n.T[0], n.T[1], n.T[2])
		}
		keys = append(keys, k[1], k[2], k[3], k[4])
		if w.d.version == 3 {
			keys = append(keys, n.S[0], n.S[1], n.S[2])
		}
	}
	kind := map[int]string{3: "transform", 4: "rotation_3d"}[w.d.version]
	return append(w.track(a, kind, w.path[i]), "tracks/0/keys = "+w.d.call("Reals", keys...))
}
