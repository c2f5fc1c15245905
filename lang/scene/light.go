package scene

import (
	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/trait"
)

var lightTypes = map[string]string{
	"ambient": "ambient", "directional": "directional", "sun": "directional", "point": "point", "spot": "spot", "spotlight": "spot",
	"hemisphere": "hemisphere", "area": "area", "rect": "area",
}

// lights reads a light of a node of that kind or of its traits.
func (l *lowering) lights(d *decl, n *Node) {
	setting := func(names ...string) Value { return d.value(names...) }
	kind := ""
	if n.Kind == "light" {
		kind = lightTypes[nodeName(d.value("type", "light_type"))]
	} else {
		u, ok := d.find("lighting", "point_light")
		if !ok {
			if u, ok = d.find("emissive"); !ok || !truthy(u.param("cast_light")) {
				return
			}
		}
		setting = func(names ...string) Value {
			for _, name := range names {
				if v := u.param(name); known(v) {
					return v
				}
			}
			return Value{}
		}
		kind = lightTypes[nodeName(setting("type"))]
	}
	if kind == "" {
		kind = "point"
	}
	light := &Light{Type: kind, Color: White, Intensity: 1}
	if c, ok := colorOf(setting("color", "sky_color")); ok {
		light.Color = c
	}
	if c, ok := colorOf(setting("ground_color", "ground")); ok {
		light.Ground = c
	} else if kind == "hemisphere" {
		light.Ground = "#443c34ff"
	}
	if v := setting("intensity"); isNumber(v) {
		light.Intensity = One(min(max(number(v, "", 1), 0), 1000))
	}
	if kind == "point" || kind == "spot" {
		light.Range = max(number(setting("range", "distance"), "m", 0), 0)
	}
	if kind == "spot" {
		light.Angle = min(max(radians(setting("angle"), toRadians(30)), 0.01), 1.5)
		light.Penumbra = min(max(number(setting("penumbra"), "", 0), 0), 1)
	}
	if kind == "area" {
		light.Width, light.Height = positive(number(setting("width"), "m", 1), 1), positive(number(setting("height"), "m", 1), 1)
	}
	light.Shadow = truthy(setting("cast_shadow", "shadow", "shadows", "cast_shadows")) || d.has("shadow_caster") && n.Geometry == nil
	n.Light = light
	if (kind == "directional" || kind == "spot" || kind == "area") && n.R == Identity && n.Kind == "light" {
		if _, turned := d.prop("rotation", "direction", "target", "look_at", "transform"); turned {
			return
		}
		// A light that is only put somewhere shines at the origin.
		to := vec.At(-n.T[0], -n.T[1], -n.T[2])
		if to.Len() == 0 {
			to = vec.At(0, -1, 0)
		}
		n.R = facing(to)
	}
}

// cameras reads a camera.
func (l *lowering) cameras(d *decl, n *Node, index int) {
	if n.Kind != "camera" {
		return
	}
	c := &Camera{
		FOV:  min(max(radians(d.value("fov", "field_of_view"), toRadians(60)), 0.0175), 2.9),
		Near: positive(number(d.value("near"), "m", 0.05), 0.05), Far: positive(number(d.value("far"), "m", 1000), 1000),
	}
	if t := nodeName(d.value("type", "projection")); t == "orthographic" || t == "ortho" {
		c.Ortho = positive(number(d.value("size", "ortho", "height"), "m", 10), 10)
	}
	if c.Far <= c.Near {
		c.Far = c.Near + 1000
	}
	if active, ok := d.flag("active", "default", "primary"); ok {
		c.Resting = !active
		if active && n.Prototype == "" && l.active == 0 {
			l.active = index + 1
		}
	}
	n.Camera = c
}

// oneCamera lets all cameras rest but the one that is active.
func (b *builder) oneCamera() {
	for i := range b.scene.Nodes {
		if c := b.scene.Nodes[i].Camera; c != nil && b.active > 0 {
			c.Resting = i != b.active-1
		}
	}
}

// sounds reads a sound of a node of that kind, of its setting or its traits.
func (l *lowering) sounds(d *decl, n *Node) {
	setting := func(name string) Value { return d.value(name) }
	if n.Kind != "audio" {
		v := d.value("audio")
		u, ok := d.find("spatial_audio", "spatial", "audio", "ambient_audio")
		switch {
		case v.Kind == trait.Map:
			setting = func(name string) Value { f, _ := get(v, name); return f }
		case v.Kind == trait.Text:
			setting = func(name string) Value {
				if name == "src" {
					return v
				}
				return Value{}
			}
		case ok:
			setting = u.param
		default:
			return
		}
	}
	a := &Audio{Volume: One(min(max(number(setting("volume"), "", 1), 0), 10)), Loop: truthy(setting("loop")), Autoplay: truthy(setting("autoplay"))}
	for _, key := range []string{"src", "clip", "source", "file", "sound"} {
		if path := nodeName(setting(key)); path != "" {
			a.Asset = l.asset(path)
			break
		}
	}
	a.Min, a.Max = number(either(setting, "min_distance", "min", "ref_distance"), "m", 1), number(either(setting, "max_distance", "max", "range"), "m", 30)
	n.Audio = a
}

func either(setting func(string) Value, names ...string) Value {
	for _, n := range names {
		if v := setting(n); known(v) {
			return v
		}
	}
	return Value{}
}

// lettering reads text of a node.
func (l *lowering) lettering(d *decl, n *Node) {
	u, has := d.find("text")
	if n.Kind != "text" && n.Kind != "panel" && !has && nodeName(d.value("geometry")) != "text" {
		if _, ok := d.prop("text"); !ok {
			return
		}
	}
	v := d.value("text", "content", "value")
	if !known1(v) && (n.Kind == "text" || nodeName(d.value("geometry")) == "text") {
		v = d.value("label", "string", "message", "caption", "title")
	}
	if has && !known(v) {
		v = u.param("content")
	}
	text, ok := plainText(v)
	if !ok {
		if n.Kind != "text" {
			return
		}
		text = n.Name
	}
	size := d.value("font_size", "text_size")
	if !isNumber(size) && n.Kind != "panel" {
		size = d.value("size")
	}
	if has && !known(size) {
		size = u.param("size")
	}
	t := &Text{Value: text, Size: letterSize(size)}
	if n.Kind == "panel" && !isNumber(size) {
		t.Size = 0.08
	}
	if a := nodeName(d.value("align", "text_align", "anchor")); a == "left" || a == "right" {
		t.Align = a
	}
	n.Text = t
	if n.Kind == "text" { // whatever the setting was called, what shows is the text
		for i, bind := range d.owner.Binds {
			if bind.Property == "value" || bind.Property == "content" {
				d.owner.Binds[i].Property = "text"
			}
		}
	}
	if n.Material == nil {
		n.Material = intern(&l.scene.Materials, l.materials, l.material(d))
	}
}

// letterSize is the height of a capital letter (M12): lengths as they are; px, pt and
// a bare number of 4 or more, which nobody means in metres, a hundredth of a metre
// each; em and rem 16 of these.
func letterSize(v Value) float64 {
	const usual = 0.1
	if !isNumber(v) {
		return usual
	}
	switch {
	case v.Unit == "px", v.Unit == "pt", v.Unit == "" && v.Num >= 4:
		return positive(short(near(v.Num/100)), usual)
	case v.Unit == "em", v.Unit == "rem":
		return positive(short(near(v.Num*16/100)), usual)
	}
	return positive(number(v, "m", usual), usual)
}

// interaction lists what a visitor can do with a node.
func (l *lowering) interaction(d *decl, n *Node) {
	add := func(what string, yes bool) {
		if yes {
			n.Interact = append(n.Interact, what)
		}
	}
	handles := func(events ...string) bool {
		for _, h := range d.owner.Handlers {
			for _, e := range events {
				if h.Name == e && h.From == nil {
					return true
				}
			}
		}
		return false
	}
	add("click", d.has("clickable", "interactable", "interactive", "pressable", "touchable", "pointable", "button") || handles("click", "tap", "press"))
	add("hover", d.has("hoverable", "pointable", "tooltip") || handles("hover_enter", "hover_exit"))
	add("grab", d.has("grabbable", "throwable", "draggable") || handles("grab", "drag"))
}

// particles keeps an emitter as the data that viewers read.
func (l *lowering) particles(d *decl, n *Node) {
	if v := d.value("particles"); v.Kind == trait.Map {
		n.Particle = l.kept(l.wholeOf(v, idiom.Emitters))
		return
	}
	if u, ok := d.find("particle", "particles", "particle_system", "particle_emitter"); ok {
		n.Particle = l.kept(mapOf(u.fields()...))
	}
}
