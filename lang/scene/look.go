package scene

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/trait"
)

// solids are the words for geometry with the kind that they mean.
var solids = map[string]string{
	"box": "box", "cube": "box", "sphere": "sphere", "orb": "sphere", "ball": "sphere", "cylinder": "cylinder", "cone": "cone", "plane": "plane",
	"quad": "plane", "torus": "torus", "capsule": "capsule", "ring": "ring", "disc": "disc", "circle": "disc", "text": "text",
	"heart": "heart", "star": "star", "crystal": "crystal", "gem": "gem", "gear": "gear", "pyramid": "pyramid", "arrow": "arrow", "wedge": "wedge",
}

// Solids are the kinds of geometry that Mesh can make, apart from text.
var Solids = []string{
	"box", "sphere", "cylinder", "cone", "plane", "torus", "capsule", "ring", "disc",
	"heart", "star", "crystal", "gem", "gear", "pyramid", "arrow", "wedge",
}

// ownScale keeps the scale of a solid for the solid, where it has children: their
// places are as written (M13). A scale that moves or is bound, and that of a model,
// stays one of the node and all below it.
func (l *lowering) ownScale(d *decl, n *Node) {
	if n.S.IsZero() || len(d.children) == 0 || !d.shaped() && d.kind != "orb" {
		return
	}
	for _, key := range []string{"animation", "animate", "animations"} {
		if i, ok := d.byKey[key]; ok && d.props[i].v.Kind != trait.Null {
			return
		}
	}
	for _, b := range d.owner.Binds {
		if b.Property == "scale" {
			return
		}
	}
	if p, ok := d.prop("geometry", "mesh", "shape", "primitive", "model"); ok && (p.v.Kind == trait.Text || p.v.Kind == trait.Word) && isModel(p.v.Str) {
		return
	}
	for _, s := range n.S {
		if s <= 0 {
			return
		}
	}
	d.ownScale, n.S = n.S, UnitVec{1, 1, 1}
}

// look reads geometry and material.
func (l *lowering) look(d *decl, n *Node) {
	g, ok := l.geometry(d, n)
	if !ok {
		return
	}
	if d.ownScale != (UnitVec{}) { // the solid's alone
		for i := range g.Stretch {
			g.Stretch[i] = short(g.Stretch[i] * d.ownScale[i])
		}
	}
	n.Geometry = intern(&l.scene.Geometries, l.geometries, g)
	n.Material = intern(&l.scene.Materials, l.materials, l.material(d))
}

func (l *lowering) geometry(d *decl, n *Node) (Geometry, bool) {
	g := Geometry{Stretch: UnitVec{1, 1, 1}}
	word := ""
	setting := func(name string) Value { return d.value(name) }
	p, has := d.prop("geometry", "mesh", "shape", "primitive", "model", "src")
	if u, ok := d.find("mesh"); ok && !has {
		if v := u.param("primitive"); known(v) {
			has, p = true, &prop{v: v, file: u.file, at: u.at}
		} else if v := u.param("source"); known(v) {
			has, p = true, &prop{v: v, file: u.file, at: u.at}
		}
	}
	switch {
	case has && p.v.Kind == trait.Map:
		shape := p.v
		for _, k := range []string{"type", "kind", "shape", "primitive", "src", "model", "name"} {
			if v, ok := get(shape, k); ok && word == "" {
				word = nodeName(v)
			}
		}
		setting = func(name string) Value {
			if v, ok := get(shape, name); ok {
				return v
			}
			return d.value(name)
		}
	case has:
		word = nodeName(p.v)
		if p.key == "src" && !isModel(word) {
			word, has = "", false
		}
	}
	if word == "" {
		switch {
		case n.Kind == "orb":
			word = "sphere"
		case n.Kind == "panel":
			return l.panel(d), true
		case d.kind == "entity" && d.has("mesh"), has:
			word = "box"
		default:
			return g, false
		}
	}
	if isModel(word) || idiom.Figure(word) || p != nil && p.key == "model" && solids[strings.ToLower(word)] == "" { // what it is called is drawn in its place
		g.Kind, g.Asset = "model", l.asset(word)
		return g, true
	}
	g.Kind = solids[strings.ToLower(word)]
	if g.Kind == "" {
		g.Kind = "box"
		at := p.at
		hint := ""
		if near, ok := trait.Nearest(word, append(Solids, "text", "cube")); ok {
			hint = " Did you mean '" + near + "'?"
		}
		l.report("BLK005", p.file, at, word, hint)
	}
	if g.Kind == "text" { // the letters are the node's text
		return g, false
	}
	g.measure(setting)
	return g, true
}

// panel is an upright plate.
func (l *lowering) panel(d *decl) Geometry {
	size := func(name string, fallback float64) float64 {
		v := d.value(name)
		switch v.Unit {
		case "px":
			return short(v.Num / 100)
		case "%": // of a metre
			return positive(short(v.Num/100), fallback)
		}
		return positive(number(v, "m", fallback), fallback)
	}
	w, h := size("width", 1), size("height", 0.6)
	if s, ok := vector(d.value("size"), "m", 0.02); ok {
		w, h = positive(s[0], w), positive(s[1], h)
	}
	return Geometry{Kind: "box", Size: &Vec{w, h, 0.02}, Stretch: UnitVec{1, 1, 1}}
}

func positive(n, fallback float64) float64 {
	if n > 0 {
		return n
	}
	return fallback
}

// measure reads the sizes of a solid.
func (g *Geometry) measure(setting func(string) Value) {
	size, has := Vec{1, 1, 1}, false
	var radius Value
	hasRadius := false
	switch g.Kind {
	case "sphere", "torus", "ring", "disc", "cylinder", "cone", "capsule": // a radius goes before all sizes
		radius = setting("radius")
		hasRadius = isNumber(radius)
	}
	whole := hasRadius && g.Kind != "cylinder" && g.Kind != "cone" && g.Kind != "capsule"
	if whole {
		setting = only(setting, "segments", "tube", "thickness", "inner_radius")
	}
	if v := setting("size"); isNumber(v) {
		n := positive(number(v, "m", 1), 1)
		size, has = Vec{n, n, n}, true
	} else if s, ok := vector(v, "m", 1); ok {
		if g.Kind == "plane" && flat2(v) { // width and depth
			s = Vec{s[0], 1, s[1]}
		}
		if g.Kind == "torus" && isSet3(v) { // how wide it is all in all, and how thick
			g.Tube = short(min(positive(s[1], 0.3)/2, positive(s[0], 1)/4))
		}
		for i := range s {
			size[i] = positive(s[i], 1)
		}
		has = true
	}
	for i, key := range [3]string{"width", "height", "depth"} {
		if v := setting(key); isNumber(v) {
			size[i] = positive(number(v, "m", size[i]), size[i])
			if g.Kind == "plane" && key == "height" {
				size[2] = size[1]
			}
			has = true
		}
	}
	around := 0
	switch g.Kind {
	case "sphere", "torus", "ring", "disc", "cylinder", "cone", "capsule":
	default:
		setting = except(setting, "segments")
	}
	if v := setting("segments"); isNumber(v) {
		around = int(min(max(v.Num, 3), MaxSegments))
	}
	switch g.Kind {
	case "box", "pyramid", "wedge", "heart", "star", "crystal", "gem", "gear", "arrow":
		if !has {
			if radius := setting("radius"); isNumber(radius) {
				r := short(positive(number(radius, "m", 0.5), 0.5) * 2)
				size = Vec{r, r, r}
			}
		}
		g.Size = &size
		return
	case "plane":
		g.Size = &Vec{size[0], 0, size[2]}
		return
	}
	g.Radius = 0.5
	if has {
		g.Radius = short(size[0] / 2)
	}
	if hasRadius {
		g.Radius = positive(number(radius, "m", 0.5), 0.5)
	}
	g.Segments = []int{32}
	switch g.Kind {
	case "cylinder", "cone", "capsule":
		g.Height = size[1]
		if g.Kind == "capsule" && !has && !isNumber(setting("height")) {
			g.Height = 2
		}
	case "torus":
		if g.Tube > 0 {
			g.Radius = positive(short(g.Radius-g.Tube), g.Radius)
			if size[2] != size[0] {
				g.Stretch = UnitVec{1, 1, short(size[2] / size[0])}
			}
		}
		g.Tube = positive(number(firstNumber(setting, "tube", "thickness"), "m", g.Tube), short(g.Radius*0.3))
		g.Segments = []int{32, 16}
	case "ring":
		inner := number(setting("inner_radius"), "m", short(g.Radius*0.6))
		g.Tube = short(positive(g.Radius-inner, g.Radius*0.4))
	case "sphere":
		if has && !hasRadius && (size[1] != size[0] || size[2] != size[0]) {
			g.Stretch = UnitVec{1, short(size[1] / size[0]), short(size[2] / size[0])}
		}
	}
	if (g.Kind == "cylinder" || g.Kind == "cone" || g.Kind == "capsule") && has && !hasRadius && size[2] != size[0] && isSet3(setting("size")) {
		g.Stretch = UnitVec{1, 1, short(size[2] / size[0])}
	}
	if around > 0 {
		g.Segments[0] = around
		if len(g.Segments) > 1 {
			g.Segments[1] = max(3, around/2)
		}
	}
}

// flat2 says whether a size has two numbers: of a list, or x and y of a map.
func flat2(v Value) bool {
	if v.Kind == trait.Map {
		_, has := get(v, "z")
		return !has
	}
	return v.Kind == trait.List && len(v.List) == 2
}

// only are the settings of some names.
func only(setting func(string) Value, names ...string) func(string) Value {
	return func(name string) Value {
		if slices.Contains(names, name) {
			return setting(name)
		}
		return Value{}
	}
}

// except are all settings but one.
func except(setting func(string) Value, not string) func(string) Value {
	return func(name string) Value {
		if name == not {
			return Value{}
		}
		return setting(name)
	}
}

func isSet3(v Value) bool { return v.Kind == trait.List && len(v.List) > 2 || v.Kind == trait.Map }

func firstNumber(setting func(string) Value, names ...string) Value {
	for _, n := range names {
		if v := setting(n); isNumber(v) {
			return v
		}
	}
	return Value{}
}

// finish is the material of a word.
func finish(word string) (Material, bool) {
	f, ok := idiom.FinishOf(word)
	if !ok {
		return Material{}, false
	}
	m := NewMaterial(f.Color)
	m.Metallic, m.Roughness, m.Transmission, m.Emissive, m.Unlit = f.Metallic, Half(f.Roughness), f.Transmission, f.Emissive, f.Unlit
	if f.IOR > 0 {
		m.IOR = Glass(f.IOR)
	}
	if f.EmissiveIntensity > 0 {
		m.EmissiveIntensity = One(f.EmissiveIntensity)
	}
	if f.Blend {
		m.Alpha = "blend"
	}
	return m, true
}

// material is how a node looks: a preset, then its material, then its traits,
// then the flat keys.
func (l *lowering) material(d *decl) Material {
	m := NewMaterial("#c8c8c8ff")
	m.lay(l, func(name string) Value { return d.traitValue(name, "material", "pbr", "pbr_material", "advanced_pbr") })
	at, _ := d.prop("material")
	switch v := d.value("material"); v.Kind {
	case trait.Text, trait.Word, trait.Color:
		if p, ok := finish(v.Str); ok {
			m = p
		} else if c, isColor := colorOf(v); isColor {
			m.BaseColor = c
		} else if v.Str != "" {
			l.unknownWord(*at, "material", v.Str, "a plain one is used", idiom.AllFinishes())
		}
	case trait.Map:
		for _, key := range []string{"preset", "type", "name", "kind"} {
			if w, ok := get(v, key); ok && nodeName(w) != "" {
				if p, known := finish(nodeName(w)); known {
					m = p
					break
				}
				if key == "preset" || key == "type" {
					l.unknownWord(*at, "material", nodeName(w), "a plain one is used", idiom.AllFinishes())
				}
			}
		}
		if t := pick(v, "texture", "map"); nodeName(t) != "" && !strings.ContainsAny(nodeName(t), "./:") { // a word, not a file
			if p, known := finish(nodeName(t)); known {
				m = p
			} else {
				l.unknownWord(*at, "texture", nodeName(t), "a plain material is used", idiom.AllFinishes())
			}
			v.Fields = slices.DeleteFunc(slices.Clone(v.Fields), func(f field) bool { k := trait.FoldKey(f.Key); return k == "texture" || k == "map" })
		}
		m.lay(l, func(name string) Value { f, _ := get(v, name); return f })
	}
	if u, ok := d.find("emissive", "glowing", "glow"); ok {
		own, _ := d.prop("material")
		set := func(key string) bool { // by the material, against which a default does not count
			_, given := u.given(key)
			return !given && own != nil && hasAny(own.v, "emissive", "emissive_color")
		}
		if c, ok := colorOf(u.param("color")); ok && !set("color") {
			if _, own := u.given("color"); !own {
				if base, set := colorOf(d.value("color")); set {
					c = base
				}
			}
			m.Emissive = c
		}
		if !set("intensity") {
			m.EmissiveIntensity = One(max(number(u.param("intensity"), "", 1), 0))
		}
	}
	if u, ok := d.find("transparent"); ok {
		m.opacity(number(u.param("opacity"), "", 0.5))
	}
	m.lay(l, func(name string) Value { return d.value(name) })
	return m
}

// traitValue is a parameter that one of the traits gives.
func (d *decl) traitValue(param string, traits ...string) Value {
	for _, t := range traits {
		if u, ok := d.find(t); ok {
			if v, given := u.given(param); given {
				return v
			}
		}
	}
	return Value{}
}

func (m *Material) opacity(n float64) {
	m.BaseColor = withAlpha(m.BaseColor, n)
	if n < 1 {
		m.Alpha = "blend"
	}
}

// lay sets what a source of settings has.
func (m *Material) lay(l *lowering, setting func(string) Value) {
	first := func(names ...string) Value {
		for _, n := range names {
			if v := setting(n); known(v) && v.Kind != trait.Null {
				return v
			}
		}
		return Value{}
	}
	if c, ok := colorOf(first("base_color", "color", "albedo", "diffuse")); ok {
		m.BaseColor = c
		if c[7:] != "ff" {
			m.Alpha = "blend"
		}
	}
	share := func(to *float64, v Value) {
		if isNumber(v) {
			*to = min(max(number(v, "", *to), 0), 1)
		}
	}
	share(&m.Metallic, first("metallic", "metalness"))
	rough := float64(m.Roughness)
	share(&rough, first("roughness"))
	m.Roughness = Half(rough)
	share(&m.Transmission, first("transmission"))
	if c, ok := colorOf(first("emissive", "emissive_color")); ok {
		m.Emissive = c
	}
	if v := first("emissive_intensity"); isNumber(v) {
		m.EmissiveIntensity = One(min(max(number(v, "", 1), 0), 1000))
		if m.Emissive == "" {
			m.Emissive = m.BaseColor[:7] + "ff"
		}
	}
	if v := first("ior"); isNumber(v) {
		m.IOR = Glass(min(max(number(v, "", 1.5), 1), 3))
	}
	if v := first("opacity"); isNumber(v) {
		m.opacity(number(v, "", 1))
	}
	if v := first("double_sided"); v.Kind == trait.Bool {
		m.DoubleSided = v.Bool
	}
	if v := first("unlit"); v.Kind == trait.Bool {
		m.Unlit = v.Bool
	}
	texture := func(to **int, v Value) {
		if path := nodeName(v); strings.HasPrefix(mediaType(path), "image/") {
			*to = l.asset(path)
		}
	}
	if v := first("transparent"); v.Kind == trait.Bool {
		if m.Alpha = "blend"; !v.Bool {
			m.Alpha, m.BaseColor = "", withAlpha(m.BaseColor, 1)
		}
	}
	texture(&m.Maps.BaseColor, first("texture", "map", "base_color_map"))
	texture(&m.Maps.Normal, first("normal_map"))
	texture(&m.Maps.ORM, first("orm_map", "roughness_map"))
	texture(&m.Maps.Emissive, first("emissive_map"))
}

func colorOf(v Value) (string, bool) {
	switch v.Kind {
	case trait.Color, trait.Text, trait.Word:
		return Color(v.Str)
	case trait.Number: // 0xff8800
		if v.Unit == "" && v.Num == math.Floor(v.Num) && v.Num >= 0 && v.Num <= 0xffffff {
			return fmt.Sprintf("#%06xff", int(v.Num)), true
		}
	case trait.List: // [1, 0.5, 0] or [255, 128, 0]
		if n := len(v.List); n == 3 || n == 4 {
			return components255(v.List)
		}
	case trait.Map: // { r, g, b }
		if r, g, b := pick(v, "r", "red"), pick(v, "g", "green"), pick(v, "b", "blue"); isNumber(r) && isNumber(g) && isNumber(b) {
			list := []Value{r, g, b}
			if a := pick(v, "a", "alpha"); isNumber(a) {
				list = append(list, a)
			}
			return components255(list)
		}
	}
	return "", false
}

// components255 is a colour of three or four numbers (M09): shares of one when
// none of the first three is above one, else of 255. Alpha is a share unless it is above one.
func components255(list []Value) (string, bool) {
	scale := 255.0
	for i, v := range list {
		if !isNumber(v) || v.Num < 0 || v.Num > 255 {
			return "", false
		}
		if i < 3 && v.Num > 1 {
			scale = 1
		}
	}
	out := "#"
	for i, v := range list {
		by := scale
		if i == 3 {
			if by = 255; v.Num > 1 {
				by = 1
			}
		}
		out += fmt.Sprintf("%02x", int(min(v.Num*by, 255)+0.5))
	}
	if len(list) == 3 {
		out += "ff"
	}
	return out, true
}
