package scene

import (
	"maps"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/trait"
)

// environmentTraits are the traits of the scene that become its environment.
var environmentTraits = map[string]bool{
	"world": true, "environment": true, "skybox": true, "post_process": true, "post_processing": true,
}

// environment reads what surrounds the scene, from its block, its traits and the
// settings of the scene itself; the most particular wins.
func (b *builder) environment(root *decl) {
	b.unpack(root)
	var v Value
	for _, name := range []string{"world", "environment"} {
		if u, ok := root.find(name); ok {
			v = deepMerge(v, mapOf(u.args...))
			if v.Kind != trait.Map {
				v = mapOf(u.args...)
			}
		}
	}
	for i := range root.props {
		p := &root.props[i]
		if (p.key == "environment" || p.key == "world") && p.v.Kind == trait.Map {
			p.from.Use()
			if b.tick(len(p.v.Fields)); !b.stopped {
				p.v = unfolded(p.v)
			}
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
	b.sky(root, setting)
	if p := setting("preset", "environment_preset"); known(p) && p.Kind != trait.Map {
		b.surround(root, nodeName(p))
	} else if named, ok := root.prop("environment"); ok && (named.v.Kind == trait.Text || named.v.Kind == trait.Word) {
		b.surround(root, named.v.Str)
	}
	e.ambient(setting("ambient_light", "ambient"))
	b.ambience(root, setting)
	if word := e.fog(setting); word != "" {
		if setting("fog").Kind == trait.Map {
			b.unknownWord(root.environmentAt("fog"), "kind of fog", word, "it grows with the square of the distance", []string{"linear", "exponential", "exp2"})
		} else {
			b.unknownWord(root.environmentAt("fog"), "fog", word, "there is none", sortedKeys(idiom.FogWords))
		}
	}
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
	if word := e.tone(setting("tone_mapping")); word != "" {
		b.unknownWord(root.environmentAt("tone_mapping"), "tone mapping", word, "there is none", sortedKeys(idiom.ToneWords))
	}
	if s := setting("shadows"); s.Kind == trait.Bool {
		e.Shadows = s.Bool
	} else if s.Kind == trait.Map {
		on, given := get(s, "enabled")
		e.Shadows = !given || truthy(on)
	}
	b.post(root, setting)
}

// sky reads the background of the scene, and reports a word that is no preset.
func (b *builder) sky(root *decl, setting func(...string) Value) {
	e := &b.scene.Environment
	word := ""
	e.Sky, word = sky(setting("skybox", "sky", "background", "background_color"))
	if e.Sky.Kind == "" || word != "" || e.Sky.Preset == "gradient" { // top and bottom beside it
		top, above := colorOf(setting("sky_top", "sky_color_top", "sky_top_color", "zenith_color", "sky_color"))
		bottom, below := colorOf(setting("sky_bottom", "sky_color_bottom", "sky_bottom_color", "horizon_color", "ground_color"))
		switch {
		case above && below:
			e.Sky = Sky{Kind: "gradient", Colors: []string{top, bottom}}
		case above && e.Sky.Kind == "":
			e.Sky = Sky{Kind: "color", Colors: []string{top}}
		}
	}
	if u, ok := root.find("skybox"); ok && e.Sky.Kind == "" {
		e.Sky, word = sky(mapOf(u.args...))
	}
	if word != "" {
		b.unknownWord(root.environmentAt(), "sky", word, "the sky of a day is used", idiom.AllSkies())
	}
}

// environmentAt is where the environment of a scene is written, for findings.
func (d *decl) environmentAt(keys ...string) prop {
	for _, key := range append(keys, []string{"skybox", "sky", "background", "environment", "world"}...) {
		if i, ok := d.byKey[key]; ok && d.props[i].at != nil {
			return d.props[i]
		}
	}
	if u, ok := d.find("skybox", "environment", "world"); ok {
		return prop{file: u.file, at: u.at}
	}
	return prop{file: d.file}
}

// surround takes sky, ambient light and fog from a preset (M08); what the source
// sets itself wins.
func (b *builder) surround(root *decl, word string) {
	p, ok := idiom.SurroundingsOf(word)
	if !ok {
		b.unknownWord(root.environmentAt(), "environment", word, "the plain one is used", idiom.AllSkies())
		return
	}
	e := &b.scene.Environment
	if e.Sky.Kind == "" {
		e.Sky = Sky{Kind: "preset", Preset: word, Colors: p.Sky[:]}
	}
	e.Ambient = &Ambient{p.Tint, p.Ambient}
	if p.Fog > 0 {
		e.Fog = &Fog{p.FogTint, p.Fog}
	}
}

// ambience reads what is said of the light from everywhere with a key of its own, and a
// word for the lighting as a whole.
func (b *builder) ambience(root *decl, setting func(...string) Value) {
	e := &b.scene.Environment
	if w := setting("lighting", "lighting_preset"); w.Kind == trait.Text || w.Kind == trait.Word {
		if p, ok := idiom.SurroundingsOf(w.Str); ok && e.Ambient == nil {
			e.Ambient = &Ambient{p.Tint, p.Ambient}
		} else if !ok {
			b.unknownWord(root.environmentAt("lighting"), "lighting", w.Str, "that of the sky is used", idiom.AllSkies())
		}
	}
	strength, tint := setting("ambient_intensity"), setting("ambient_color")
	c, colored := colorOf(tint)
	if !isNumber(strength) && !colored {
		return
	}
	a := DefaultAmbient
	if e.Ambient != nil {
		a = *e.Ambient
	}
	if colored {
		a.Color = c
	}
	a.Intensity = min(max(number(strength, "", a.Intensity), 0), 1000)
	e.Ambient = &a
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

// fog reads the fog. unknown is a word that says no density.
func (e *Environment) fog(setting func(...string) Value) (unknown string) {
	v := setting("fog")
	f := Fog{Color: "#ccd3dbff", Density: 0.02}
	switch {
	case v.Kind == trait.Bool && v.Bool:
	case v.Kind == trait.Bool:
		e.Fog = nil
		return ""
	case isNumber(v):
		f.Density = number(v, "", f.Density)
	case v.Kind == trait.Text || v.Kind == trait.Word || v.Kind == trait.Color:
		if c, ok := colorOf(v); ok {
			f.Color = c
			break
		}
		d, ok := idiom.FogWords[strings.ToLower(v.Str)]
		if !ok {
			return v.Str
		}
		f.Density = d
	case v.Kind == trait.Map:
		if c, ok := colorOf(pick(v, "color")); ok {
			f.Color = c
		}
		if on := pick(v, "enabled"); on.Kind == trait.Bool && !on.Bool {
			e.Fog = nil
			return ""
		}
		given := pick(v, "density", "intensity", "amount", "strength")
		f.Density = number(given, "", f.Density)
		way := nodeName(pick(v, "type", "mode"))
		switch strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(way)) {
		case "", "linear", "exp2", "exponential2", "exponentialsquared":
		case "exp", "exponential": // as thick where half of it is fog
			if isNumber(given) {
				f.Density = derived(1.2 * f.Density)
			}
		default:
			unknown = way
		}
		far, near := pick(v, "far", "end", "max"), pick(v, "near", "start", "min")
		if isNumber(far) && !isNumber(given) { // half of it is fog midway between them
			f.Density = derived(1.7 / positive(number(far, "m", 50)+max(number(near, "m", 0), 0), 50))
		}
	default:
		d := setting("fog_density")
		if !isNumber(d) {
			return ""
		}
		f.Density = number(d, "", 0)
		if c, ok := colorOf(setting("fog_color")); ok {
			f.Color = c
		}
	}
	if f.Density = min(max(f.Density, 0), 10); f.Density > 0 {
		e.Fog = &f
	}
	return unknown
}

// tone reads how tones are mapped. unknown is a word that says no way.
func (e *Environment) tone(v Value) (unknown string) {
	word := nodeName(v)
	if v.Kind == trait.Map {
		if on := pick(v, "enabled"); on.Kind == trait.Bool && !on.Bool {
			return ""
		}
		word = nodeName(pick(v, "type", "mode", "name", "operator"))
		if x := pick(v, "exposure"); isNumber(x) {
			e.Exposure = One(min(max(number(x, "", 1), 0), 100))
		}
	}
	if word == "" {
		return ""
	}
	t, ok := idiom.ToneOf(word)
	if !ok {
		return word
	}
	e.ToneMapping = t
	return ""
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// sky reads a background. word is what it says where that is no preset.
func sky(v Value) (out Sky, word string) {
	switch v.Kind {
	case trait.Color:
		if c, ok := Color(v.Str); ok {
			return Sky{Kind: "color", Colors: []string{c}}, ""
		}
	case trait.Text, trait.Word:
		if c, ok := Color(v.Str); ok {
			return Sky{Kind: "color", Colors: []string{c}}, ""
		}
		if v.Str == "none" || v.Str == "" {
			return Sky{}, ""
		}
		if strings.HasPrefix(mediaType(v.Str), "image/") && strings.Contains(v.Str, ".") {
			return Sky{Kind: "asset", Preset: v.Str}, ""
		}
		p, ok := idiom.SurroundingsOf(v.Str)
		if !ok {
			p, _ = idiom.SurroundingsOf("day")
			word = v.Str
		}
		return Sky{Kind: "preset", Preset: v.Str, Colors: p.Sky[:]}, word
	case trait.Map:
		var colors []string
		for _, names := range [][]string{{"top", "zenith", "up", "sky"}, {"middle"}, {"bottom", "horizon", "down", "ground", "nadir"}} {
			if c, ok := colorOf(pick(v, names...)); ok {
				colors = append(colors, c)
			}
		}
		if len(colors) > 1 {
			return Sky{Kind: "gradient", Colors: colors}, ""
		}
		if c, ok := colorOf(pick(v, "color")); ok {
			return Sky{Kind: "color", Colors: []string{c}}, ""
		}
		if len(colors) == 1 {
			return Sky{Kind: "color", Colors: colors}, ""
		}
		for _, key := range []string{"src", "source", "preset", "type", "name"} {
			if f, ok := get(v, key); ok && nodeName(f) != "gradient" {
				return sky(f)
			}
		}
	}
	return Sky{}, ""
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
			if on := pick(v, "enabled"); on.Kind == trait.Bool {
				if !on.Bool {
					return
				}
				v = mapOf(slices.DeleteFunc(slices.Clone(v.Fields), func(f field) bool { return trait.FoldKey(f.Key) == "enabled" })...)
			}
			e.Params = b.kept(b.wholeOf(v, idiom.Effects[kind]))
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
			switch k := trait.FoldKey(f.Key); {
			case slices.Contains(effects, k):
				f.From.Use()
				add(k, f.Value)
			case k == "tone_mapping" && b.scene.Environment.ToneMapping == "":
				f.From.Use()
				b.scene.Environment.tone(f.Value)
			case effectLists[k] && f.Value.Kind == trait.List:
				f.From.Use()
				b.effectList(f.Value.List, add)
			}
		}
	}
}

// effectLists are settings of what follows the drawing that list effects in their order.
var effectLists = map[string]bool{"effects": true, "steps": true, "passes": true, "stack": true, "chain": true}

// effectList reads effects as a list: ["bloom"], [{ effect: "bloom", intensity: 0.5 }].
func (b *builder) effectList(list []Value, add func(string, Value)) {
	for _, v := range list {
		if b.tick(1 + len(v.Fields)); b.stopped {
			return
		}
		if v.Kind == trait.Text || v.Kind == trait.Word {
			if k := trait.FoldKey(v.Str); slices.Contains(effects, k) {
				add(k, boolOf(true))
			}
			continue
		}
		i := slices.IndexFunc(v.Fields, func(f field) bool { return effectNames[trait.FoldKey(f.Key)] })
		if i < 0 || v.Fields[i].Value.Kind != trait.Text && v.Fields[i].Value.Kind != trait.Word {
			continue
		}
		name := trait.FoldKey(v.Fields[i].Value.Str)
		if !slices.Contains(effects, name) && name != "tone_mapping" {
			continue
		}
		v.Fields[i].From.Use()
		rest := slices.Delete(slices.Clone(v.Fields), i, i+1)
		if name != "tone_mapping" {
			add(name, mapOf(rest...))
			continue
		}
		for _, f := range rest {
			if k := trait.FoldKey(f.Key); (k == "mode" || k == "method" || k == "operator" || k == "curve") && b.scene.Environment.ToneMapping == "" {
				f.From.Use()
				b.scene.Environment.tone(f.Value)
			}
			if k := trait.FoldKey(f.Key); k == "exposure" && isNumber(f.Value) && b.scene.Environment.Exposure == 0 {
				f.From.Use()
				b.scene.Environment.Exposure = One(min(max(number(f.Value, "", 1), 0), 100))
			}
		}
	}
}

// effectNames are the settings of an effect in a list that name it.
var effectNames = map[string]bool{"effect": true, "type": true, "kind": true, "name": true, "pass": true}
