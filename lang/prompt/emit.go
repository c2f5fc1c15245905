package prompt

import (
	"math"
	"slices"

	"github.com/meshd/meshd/lang/edit"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

func textValue(s string) trait.Value { return trait.Value{Kind: trait.Text, Str: s} }
func numValue(n float64) trait.Value { return trait.Value{Kind: trait.Number, Num: round(n)} }
func boolValue(b bool) trait.Value   { return trait.Value{Kind: trait.Bool, Bool: b} }
func exprValue(source string) trait.Value {
	return mapValue(trait.Field{Key: "expr", Value: textValue(source)})
}
func mapValue(fs ...trait.Field) trait.Value { return trait.Value{Kind: trait.Map, Fields: fs} }
func listValue(ns ...float64) trait.Value {
	v := trait.Value{Kind: trait.List}
	for _, n := range ns {
		v.List = append(v.List, numValue(n))
	}
	return v
}
func vecValue(v vec) trait.Value                 { return listValue(v[0], v[1], v[2]) }
func prop(key string, v trait.Value) trait.Field { return trait.Field{Key: key, Value: v} }
func set(node, key string, v trait.Value) edit.Op {
	return edit.Op{Op: "set", Node: node, Key: key, Value: v}
}

// ops are the operations that make what was planned: first on what was there,
// then what is new, wholes before their parts, so that they are read in few
// steps.
func (w *world) ops(model *scene.Scene, bare bool) []edit.Op {
	var out, parts []edit.Op
	for _, key := range w.sets {
		out = append(out, surroundOps(key, model)...)
	}
	if !bare {
		out = append(out, w.groundOps()...)
	}
	for _, it := range w.items {
		switch {
		case it.node == nil && !it.removed:
			whole, inner := it.addOps()
			out, parts = append(out, whole...), append(parts, inner...)
		case it.node != nil:
			out = append(out, it.changeOps()...)
		}
	}
	out = append(out, parts...)
	if !bare {
		out = append(out, w.eyeOps()...)
	}
	var renames []edit.Op
	for _, it := range w.items {
		if it.called != "" && it.node != nil && !it.copied && !it.removed {
			renames = append(renames, edit.Op{Op: "rename", Node: it.node.Path, Name: it.called})
		}
	}
	return append(out, renames...)
}

// look are the settings of a surface.
func (it *item) look(p part) []trait.Field {
	color, material := p.color, p.material
	if p.main {
		if it.material != "" {
			color, material = "", it.material
		}
		if it.color != "" && it.node == nil {
			color = it.color
		}
		if it.coat != "" {
			color, material = "", it.coat
		}
		if it.paint != "" {
			color = it.paint
		}
	}
	var out []trait.Field
	if material != "" {
		out = append(out, prop("material", textValue(material)))
	}
	if color == "" && material == "" {
		color = "#c8c8c8"
	}
	if color != "" {
		out = append(out, prop("color", textValue(color)))
	}
	return out
}

// shapeOf are the settings of a solid.
func shapeOf(p part) []trait.Field {
	out := []trait.Field{prop("geometry", textValue(p.geometry))}
	if p.geometry == "torus" {
		return append(out, prop("radius", numValue((p.size[0]-p.size[1])/2)), prop("tube", numValue(p.size[1]/2)))
	}
	return append(out, prop("size", vecValue(p.size)))
}

// addOps adds a planned item, and its parts.
func (it *item) addOps() (whole, inner []edit.Op) {
	lift := 0.0
	if slices.Contains(it.does, "fall") {
		lift = 2
	}
	at := it.at.plus(vec{0, lift, 0})
	if len(it.parts) == 1 && !it.parts[0].lettering {
		p := it.parts[0]
		at = at.plus(p.at)
		op := edit.Op{Op: "add", Kind: "object", Name: it.name, Properties: append(shapeOf(p), prop("position", vecValue(at)))}
		if turn := (vec{p.turn[0], it.yaw + p.turn[1], p.turn[2]}); turn != (vec{}) {
			op.Properties = append(op.Properties, prop("rotation", vecValue(turn)))
		}
		op.Properties = append(op.Properties, it.look(p)...)
		traits, props, words := it.behave(it.name, at, it.tint(p), true)
		op.Traits, op.Properties = traits, append(op.Properties, props...)
		return append([]edit.Op{op}, words...), nil
	}
	op := edit.Op{Op: "add", Kind: "spatial_group", Name: it.name, Properties: []trait.Field{prop("position", vecValue(at))}}
	if it.yaw != 0 {
		op.Properties = append(op.Properties, prop("rotation", vecValue(vec{0, it.yaw, 0})))
	}
	traits, props, words := it.behave(it.name, at, "", false)
	op.Traits, op.Properties = traits, append(op.Properties, props...)
	whole = append([]edit.Op{op}, words...)
	for _, p := range it.parts {
		inner = append(inner, it.partOp(p))
	}
	return whole, inner
}

// tint is the colour that an item glows in.
func (it *item) tint(p part) string {
	for _, c := range []string{it.paint, it.color, p.color} {
		if len(c) >= 7 {
			return c[:7]
		}
	}
	return "#ffffff"
}

func (it *item) partOp(p part) edit.Op {
	op := edit.Op{Op: "add", Parent: it.name, Kind: "object", Name: p.name}
	switch {
	case p.light:
		op.Kind = "point_light"
		op.Properties = []trait.Field{prop("position", vecValue(p.at)), prop("color", textValue(p.color)), prop("intensity", numValue(0.8)), prop("range", exprValue("6m"))}
		return op
	case p.lettering:
		words := it.text
		if words == "" {
			words = it.noun.name
		}
		high := min(p.size[1], 1.6*p.size[0]/float64(max(len([]rune(words)), 1)))
		op.Kind = "text"
		op.Properties = []trait.Field{prop("text", textValue(words)), prop("size", numValue(max(high, 0.01))), prop("position", vecValue(p.at)), prop("color", textValue(p.color))}
		return op
	}
	op.Properties = append(shapeOf(p), prop("position", vecValue(p.at)))
	if p.turn != (vec{}) {
		op.Properties = append(op.Properties, prop("rotation", vecValue(p.turn)))
	}
	op.Properties = append(op.Properties, it.look(p)...)
	if p.main && (slices.Contains(it.does, "glow") || slices.Contains(it.does, "pulse")) || p.glow {
		op.Traits = []edit.Trait{glowing(it.tint(p), p.main && slices.Contains(it.does, "pulse"))}
	}
	return op
}

func glowing(color string, pulse bool) edit.Trait {
	fs := []trait.Field{prop("color", textValue(color)), prop("intensity", numValue(1.5))}
	if pulse {
		fs = append(fs, prop("pulse", boolValue(true)))
	}
	return edit.Trait{Name: "glowing", Params: fs}
}

// behave are the traits and settings of what an item does. surface says that the
// node itself has a surface that can glow.
func (it *item) behave(name string, at vec, tint string, surface bool) (traits []edit.Trait, props []trait.Field, words []edit.Op) {
	has := map[string]bool{}
	for _, d := range it.does {
		has[d] = true
	}
	if len(it.click) > 0 {
		has["click"] = true
	}
	if has["throw"] {
		has["grab"] = true
	}
	if has["click"] {
		traits = append(traits, edit.Trait{Name: "clickable"})
	}
	if has["grab"] || has["throw"] {
		traits = append(traits, edit.Trait{Name: "collidable"}, edit.Trait{Name: "grabbable"})
	}
	if has["throw"] {
		traits = append(traits, edit.Trait{Name: "throwable"})
	}
	if has["fall"] {
		traits = append(traits, edit.Trait{Name: "physics", Params: []trait.Field{prop("type", textValue("dynamic"))}})
	}
	if surface && (has["glow"] || has["pulse"]) {
		traits = append(traits, glowing(tint, has["pulse"]))
	}
	var moves []trait.Value
	motion := func(property, seconds, easing string, keys ...float64) {
		fs := []trait.Field{prop("property", textValue(property)), prop("keyframes", listValue(keys...)), prop("duration", exprValue(seconds)), prop("loop", boolValue(true))}
		if easing != "" {
			fs = append(fs, prop("easing", textValue(easing)))
		}
		moves = append(moves, mapValue(fs...))
	}
	y := at[1]
	if has["spin"] {
		motion("rotation.y", "4s", "", it.yaw, it.yaw+90, it.yaw+180, it.yaw+270, it.yaw+360)
	}
	if has["bounce"] {
		motion("position.y", "1.2s", "ease-in-out", y, y+0.6, y)
	}
	if has["float"] {
		motion("position.y", "4s", "ease-in-out", y+0.2, y+0.4, y+0.2)
	}
	switch len(moves) {
	case 0:
	case 1:
		props = append(props, prop("animation", moves[0]))
	default:
		props = append(props, prop("animation", trait.Value{Kind: trait.List, List: moves}))
	}
	if len(it.click) > 0 {
		code := ""
		for i, e := range it.click {
			if i > 0 {
				code += "; "
			}
			switch e.what {
			case "color":
				code += `this.color = "` + e.arg + `"`
			case "hide":
				code += "this.visible = false"
			case "up":
				code += "this.position.y += 0.5"
			case "say":
				label := name + " Words"
				words = append(words, edit.Op{Op: "add", Kind: "text", Name: label, Properties: []trait.Field{
					prop("text", textValue(e.arg)), prop("size", numValue(0.2)), prop("position", vecValue(vec{it.at[0], it.whole().max[1] + 0.4, it.at[2]})),
					prop("color", textValue("#1a1a1a")), prop("visible", boolValue(false)),
				}})
				code += "show(" + textValue(label).Source() + ")"
			}
		}
		props = append(props, prop("on_click", exprValue("() => { "+code+" }")))
	}
	return traits, props, words
}

// changeOps changes an item that was there.
func (it *item) changeOps() []edit.Op {
	path := it.node.Path
	if it.copied {
		if it.removed {
			return nil
		}
		n := vec(it.node.T)
		return append([]edit.Op{{Op: "duplicate", Node: path, Name: it.name, Shift: [3]float64{round(it.at[0] - n[0]), round(it.at[1] - n[1]), round(it.at[2] - n[2])}}}, it.paintOps(it.name, path)...)
	}
	if it.removed {
		return []edit.Op{{Op: "delete", Node: path}}
	}
	var out []edit.Op
	if it.moved {
		out = append(out, set(path, "position", vecValue(it.at)))
	}
	if it.yaw != 0 {
		out = append(out, set(path, "rotation", turnOf(it.node.R, it.yaw)))
	}
	if it.factor != (vec{1, 1, 1}) {
		out = append(out, set(path, "scale", vecValue(vec{it.factor[0] * it.node.S[0], it.factor[1] * it.node.S[1], it.factor[2] * it.node.S[2]})))
	}
	out = append(out, it.paintOps(path, path)...)
	surface := it.node.Geometry != nil
	traits, props, words := it.behave(it.name, it.at, it.tint(part{}), surface)
	for _, t := range traits {
		if !slices.ContainsFunc(it.node.Traits, func(u scene.TraitUse) bool { return u.Name == t.Name }) {
			out = append(out, edit.Op{Op: "trait_add", Node: path, Trait: t.Name, Value: paramsOf(t)})
		}
	}
	for _, p := range props {
		out = append(out, set(path, p.Key, p.Value))
	}
	if !surface && (slices.Contains(it.does, "glow") || slices.Contains(it.does, "pulse")) {
		for _, n := range it.surfaces() {
			if !slices.ContainsFunc(n.Traits, func(u scene.TraitUse) bool { return u.Name == "glowing" }) {
				out = append(out, edit.Op{Op: "trait_add", Node: n.Path, Trait: "glowing", Value: paramsOf(glowing(it.tint(part{}), slices.Contains(it.does, "pulse")))})
			}
		}
	}
	return append(out, words...)
}

func paramsOf(t edit.Trait) trait.Value {
	if len(t.Params) == 0 {
		return trait.Value{}
	}
	return mapValue(t.Params...)
}

// turnOf is a rotation turned further around the vertical.
func turnOf(q scene.Quat, yaw float64) trait.Value {
	if q[0] == 0 && q[2] == 0 {
		return vecValue(vec{0, math.Atan2(q[1], q[3])*360/math.Pi + yaw, 0})
	}
	s, c := math.Sincos(yaw * math.Pi / 360)
	v := trait.Value{Kind: trait.List}
	for _, n := range []float64{c*q[0] + s*q[2], c*q[1] + s*q[3], c*q[2] - s*q[0], c*q[3] - s*q[1]} {
		v.List = append(v.List, trait.Value{Kind: trait.Number, Num: math.Round(n*1e6) / 1e6})
	}
	return v
}

// surfaces are the parts of an item that are painted: those that the vocabulary
// paints, else all solids.
func (it *item) surfaces() []scene.Node {
	main := map[string]bool{}
	if it.noun != nil && it.noun.parts != nil {
		for _, p := range it.noun.parts() {
			if p.main {
				main[p.name] = true
			}
		}
	}
	var some, all []scene.Node
	for _, n := range it.inside {
		if n.Geometry == nil {
			continue
		}
		all = append(all, n)
		if main[n.Name] {
			some = append(some, n)
		}
	}
	if len(some) > 0 {
		return some
	}
	return all
}

// paintOps gives an item another colour and material; from is the path that the
// nodes were read under.
func (it *item) paintOps(path, from string) []edit.Op {
	if it.paint == "" && it.coat == "" {
		return nil
	}
	var out []edit.Op
	one := func(node string) {
		if it.coat != "" {
			out = append(out, set(node, "material", textValue(it.coat)))
		}
		if it.paint != "" {
			out = append(out, set(node, "color", textValue(it.paint)))
		}
	}
	if it.node.Geometry != nil {
		one(path)
		return out
	}
	for _, n := range it.surfaces() {
		one(path + n.Path[len(from):])
	}
	return out
}

// groundOps makes or paints the ground.
func (w *world) groundOps() []edit.Op {
	g := w.ground
	if g == nil {
		return nil
	}
	look := []trait.Field{prop("color", textValue("#9aa58c"))}
	if w.cover != "" {
		look = []trait.Field{prop("color", textValue(w.cover))}
		if name, ok := cutPrefix(w.cover, "material:"); ok {
			look = []trait.Field{prop("material", textValue(name))}
		}
	}
	if g.paint != "" {
		look = []trait.Field{prop("color", textValue(g.paint))}
	}
	if g.node != nil {
		if g.removed {
			return []edit.Op{{Op: "delete", Node: g.node.Path}}
		}
		if w.cover == "" && g.paint == "" {
			return nil
		}
		return []edit.Op{set(g.node.Path, look[0].Key, look[0].Value)}
	}
	if g.removed {
		return nil
	}
	side := 20.0
	for _, it := range w.items {
		if b := it.whole(); !it.removed {
			for _, k := range []int{0, 2} {
				side = max(side, 2*(math.Abs(b.min[k])+2), 2*(math.Abs(b.max[k])+2))
			}
		}
	}
	side = math.Ceil(side)
	return []edit.Op{{Op: "add", Kind: "object", Name: g.name, Traits: []edit.Trait{{Name: "static"}, {Name: "collidable"}},
		Properties: append([]trait.Field{prop("geometry", textValue("plane")), prop("size", listValue(side, 1, side))}, look...)}}
}

func cutPrefix(s, prefix string) (string, bool) {
	if len(s) > len(prefix) && s[:len(prefix)] == prefix {
		return s[len(prefix):], true
	}
	return s, false
}

// eyeOps gives the scene a camera and a light when it has none.
func (w *world) eyeOps() []edit.Op {
	var out []edit.Op
	if !w.light {
		night := slices.Contains(w.sets, "night")
		color, strength := "#fff6e5", 1.2
		if night {
			color, strength = "#9db4e8", 0.4
		}
		out = append(out, edit.Op{Op: "add", Kind: "directional_light", Name: w.called("Sun"), Properties: []trait.Field{
			prop("direction", listValue(-0.5, -1, -0.4)), prop("color", textValue(color)), prop("intensity", numValue(strength)), prop("cast_shadow", boolValue(true)),
		}})
	}
	if w.camera {
		return out
	}
	all, some := bounds{}, false
	for _, it := range w.items {
		if it.removed || len(it.local) == 0 {
			continue
		}
		if b := it.whole(); some {
			all = all.join(b)
		} else {
			all, some = b, true
		}
	}
	if !some {
		all = bounds{vec{-1, 0, -1}, vec{1, 1, 1}}
	}
	m := all.middle()
	r := max(1, math.Sqrt(math.Pow(all.max[0]-m[0], 2)+math.Pow(all.max[1]-m[1], 2)+math.Pow(all.max[2]-m[2], 2)))
	d := r / math.Sin(math.Pi/6) * 1.05
	return append(out, edit.Op{Op: "add", Kind: "camera", Name: w.called("Camera"), Properties: []trait.Field{
		prop("position", vecValue(vec{m[0] + 0.45*d, max(m[1]+0.4*d, 0.5), m[2] + 0.8*d})), prop("look_at", vecValue(m)),
	}})
}

// surroundOps changes the environment.
func surroundOps(set string, model *scene.Scene) []edit.Op {
	env := func(key string, v trait.Value) edit.Op { return edit.Op{Op: "env_set", Key: key, Value: v} }
	sky := func(top, bottom string, ambient float64) []edit.Op {
		return []edit.Op{
			env("skybox", mapValue(prop("top", textValue(top)), prop("bottom", textValue(bottom)))), env("ambient_light", numValue(ambient)),
		}
	}
	sun := func(ops []edit.Op, color string, strength float64) []edit.Op {
		for i := range model.Nodes {
			if n := &model.Nodes[i]; n.Light != nil && n.Light.Type == "directional" && n.Parent < 0 && n.Name != "" {
				return append(ops, edit.Op{Op: "set", Node: n.Path, Key: "intensity", Value: numValue(strength)}, edit.Op{Op: "set", Node: n.Path, Key: "color", Value: textValue(color)})
			}
		}
		return ops
	}
	switch set {
	case "day":
		return sun(sky("#4a90d9", "#dfeaf5", 0.5), "#fff6e5", 1.2)
	case "night":
		return sun(sky("#060a1f", "#1b2547", 0.25), "#9db4e8", 0.4)
	case "sunset":
		return sun(sky("#2b3a67", "#f28a4b", 0.4), "#ffb27a", 0.9)
	case "fog":
		return []edit.Op{env("fog", mapValue(prop("color", textValue("#c9d1d6")), prop("density", trait.Value{Kind: trait.Number, Num: 0.06})))}
	case "bright":
		return []edit.Op{env("ambient_light", numValue(0.9)), env("exposure", numValue(1.3))}
	case "dark":
		return []edit.Op{env("ambient_light", numValue(0.12)), env("exposure", numValue(0.7))}
	case "moon":
		return []edit.Op{env("gravity", numValue(1.62))}
	}
	return nil
}
