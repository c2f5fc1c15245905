package scene

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/trait"
)

// environmentTraits are the traits of the scene that become its environment.
var environmentTraits = map[string]bool{
	"world": true, "environment": true, "skybox": true, "post_process": true, "post_processing": true,
}

// environment reads what surrounds the scene, from its block, its traits and the
// settings of the scene itself; the most particular wins.
func (b *builder) environment(root *decl) {
	var v Value
	for _, name := range []string{"world", "environment"} {
		if u, ok := root.find(name); ok {
			v = deepMerge(v, mapOf(u.args...))
			if v.Kind != trait.Map {
				v = mapOf(u.args...)
			}
		}
	}
	for _, p := range root.props {
		if (p.key == "environment" || p.key == "world") && p.v.Kind == trait.Map {
			p.from.Use()
			v = deepMerge(v, p.v)
			if v.Kind != trait.Map {
				v = p.v
			}
		}
	}
	setting := func(names ...string) Value {
		for _, n := range names {
			if own := root.value(n); known(own) {
				return own
			}
		}
		for _, n := range names {
			if f, ok := get(v, n); ok {
				return f
			}
		}
		return Value{}
	}
	e := &b.scene.Environment
	e.Sky = sky(setting("skybox", "sky", "background", "background_color"))
	if u, ok := root.find("skybox"); ok && e.Sky.Kind == "" {
		e.Sky = sky(mapOf(u.args...))
	}
	e.ambient(setting("ambient_light", "ambient"))
	e.fog(setting)
	switch g := setting("gravity"); {
	case isNumber(g):
		n := number(g, "m/s²", 9.81)
		e.Gravity = &Vec{0, zero(-n), 0}
	default:
		if p, ok := vector(g, "m/s²", 0); ok {
			e.Gravity = &p
		}
	}
	if x := setting("exposure"); isNumber(x) {
		e.Exposure = One(min(max(number(x, "", 1), 0), 100))
	}
	e.tone(setting("tone_mapping"))
	if s := setting("shadows"); s.Kind == trait.Bool {
		e.Shadows = s.Bool
	} else if s.Kind == trait.Map {
		on, given := get(s, "enabled")
		e.Shadows = !given || truthy(on)
	}
	b.post(root, setting)
}

func (e *Environment) ambient(v Value) {
	switch {
	case isNumber(v):
		e.Ambient = &Ambient{White, min(max(number(v, "", 0.3), 0), 1000)}
	case v.Kind == trait.Map:
		a := DefaultAmbient
		if c, ok := colorOf(pick(v, "color")); ok {
			a.Color = c
		}
		a.Intensity = max(number(pick(v, "intensity"), "", a.Intensity), 0)
		e.Ambient = &a
	default:
		if c, ok := colorOf(v); ok {
			e.Ambient = &Ambient{c, DefaultAmbient.Intensity}
		}
	}
}

func (e *Environment) fog(setting func(...string) Value) {
	v := setting("fog")
	f := Fog{Color: "#ccd3dbff", Density: 0.02}
	switch {
	case v.Kind == trait.Bool && v.Bool:
	case v.Kind == trait.Map:
		if c, ok := colorOf(pick(v, "color")); ok {
			f.Color = c
		}
		f.Density = number(pick(v, "density"), "", f.Density)
		if far := pick(v, "far", "end"); isNumber(far) && !isNumber(pick(v, "density")) {
			f.Density = derived(1.7 / positive(number(far, "m", 50), 50))
		}
	default:
		d := setting("fog_density")
		if !isNumber(d) {
			return
		}
		f.Density = number(d, "", 0)
		if c, ok := colorOf(setting("fog_color")); ok {
			f.Color = c
		}
	}
	if f.Density = min(max(f.Density, 0), 10); f.Density > 0 {
		e.Fog = &f
	}
}

func (e *Environment) tone(v Value) {
	word := strings.ToLower(nodeName(v))
	if v.Kind == trait.Map {
		word = strings.ToLower(nodeName(pick(v, "type", "mode", "name")))
	}
	switch word {
	case "aces", "filmic", "aces_filmic":
		e.ToneMapping = "aces"
	case "linear":
		e.ToneMapping = "linear"
	}
}

// SkyPresets are the gradients of the named skies, from above to below.
var SkyPresets = map[string][2]string{
	"day": {"#4a90d9ff", "#cfe5f7ff"}, "dusk": {"#1f2a52ff", "#f0985cff"}, "dawn": {"#3b4a7aff", "#f6c49aff"},
	"night": {"#05070fff", "#141b2dff"}, "sunset": {"#28315cff", "#f2784bff"}, "studio": {"#f2f2f2ff", "#c9c9c9ff"},
	"space": {"#000000ff", "#07070fff"}, "overcast": {"#aab4bdff", "#d5d9dcff"}, "forest": {"#7fa8b8ff", "#5b7a4aff"}, "city": {"#7d93a8ff", "#c5c0b4ff"},
}

func sky(v Value) Sky {
	switch v.Kind {
	case trait.Color:
		if c, ok := Color(v.Str); ok {
			return Sky{Kind: "color", Colors: []string{c}}
		}
	case trait.Text, trait.Word:
		if c, ok := Color(v.Str); ok {
			return Sky{Kind: "color", Colors: []string{c}}
		}
		if v.Str == "none" {
			return Sky{}
		}
		if strings.HasPrefix(mediaType(v.Str), "image/") && strings.Contains(v.Str, ".") {
			return Sky{Kind: "asset", Preset: v.Str}
		}
		s := Sky{Kind: "preset", Preset: v.Str}
		if p, ok := SkyPresets[strings.ToLower(v.Str)]; ok {
			s.Colors = p[:]
		} else {
			p := SkyPresets["day"]
			s.Colors = p[:]
		}
		return s
	case trait.Map:
		var colors []string
		for _, names := range [][]string{{"top", "zenith", "up", "sky"}, {"middle"}, {"bottom", "horizon", "down", "ground", "nadir"}} {
			if c, ok := colorOf(pick(v, names...)); ok {
				colors = append(colors, c)
			}
		}
		if len(colors) > 1 {
			return Sky{Kind: "gradient", Colors: colors}
		}
		if c, ok := colorOf(pick(v, "color")); ok {
			return Sky{Kind: "color", Colors: []string{c}}
		}
		if len(colors) == 1 {
			return Sky{Kind: "color", Colors: colors}
		}
		for _, key := range []string{"src", "source", "preset", "type", "name"} {
			if f, ok := get(v, key); ok && nodeName(f) != "gradient" {
				return sky(f)
			}
		}
	}
	return Sky{}
}

// effects are the image effects that sources name as settings of the scene.
var effects = []string{
	"bloom", "vignette", "depth_of_field", "chromatic_aberration", "ambient_occlusion", "film_grain", "ssao", "motion_blur", "color_grading",
}

func (b *builder) post(root *decl, setting func(...string) Value) {
	add := func(kind string, v Value) {
		if v.Kind == trait.Bool && !v.Bool || v.Kind == trait.Null || !known(v) {
			return
		}
		if slices.ContainsFunc(b.scene.Post, func(e Effect) bool { return e.Kind == kind }) {
			return
		}
		e := Effect{Kind: kind}
		if v.Kind == trait.Map {
			e.Params = b.kept(whole(v))
		} else if isNumber(v) {
			e.Params = mapOf(field{Key: "intensity", Value: numOf(v.Num)})
		}
		b.scene.Post = append(b.scene.Post, e)
	}
	for _, k := range effects {
		add(k, setting(k))
	}
	sets := []Value{setting("post_processing", "post")}
	if u, ok := root.find("post_process", "post_processing"); ok {
		sets = append(sets, mapOf(u.args...))
	}
	for _, s := range sets {
		for _, f := range s.Fields {
			if k := trait.FoldKey(f.Key); slices.Contains(effects, k) {
				add(k, f.Value)
			} else if k == "tone_mapping" && b.scene.Environment.ToneMapping == "" {
				b.scene.Environment.tone(f.Value)
			}
		}
	}
}
