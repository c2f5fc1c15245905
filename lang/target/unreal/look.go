package unreal

import (
	"encoding/json"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// lightScale is what a light of strength 1 has: lux where it comes from a side,
// candela where it comes from a place.
const lightScale = 8

// linear are the parts of an sRGB colour as light.
func linear(c string) []float64 {
	v := scene.LinearRGBA(c)
	return v[:3]
}

// sights writes what is seen and heard of a node.
func (w *writer) sights(i int) {
	n := &w.s.Nodes[i]
	if n.Light != nil {
		w.light(i)
	}
	if n.Camera != nil {
		w.camera(w.row(i), n.Camera)
		if n.Camera.Far != 1000 {
			w.tally.Approximate(artefact.Cameras, n, "the engine draws what is farther than a camera sees, too")
		}
	}
	if n.Text != nil {
		ink := w.s.Ink(n)
		front := 0.0
		if n.Geometry != nil {
			front = w.s.Geometries[*n.Geometry].Bounds()[2]/2 + 0.001
		}
		if utf8.RuneCountInString(n.Text.Value) > mostWide {
			w.tally.Approximate(artefact.Geometry, n, fmt.Sprintf("texts end after %d letters", mostWide))
		}
		align := map[string]int{"left": 1, "right": 2}[n.Text.Align]
		w.texts = append(w.texts, fmt.Sprintf("{%d, %s, %s, %s, %d, %s}", w.row(i), wide(n.Text.Value), artefact.CFloat(float64(100*n.Text.Size)), artefact.CFloat(float64(100*front)), align, floats(linear(ink)...)))
	}
	if n.Audio != nil && n.Audio.Asset != nil {
		path, ok := asset(w.s.Assets[*n.Audio.Asset].Path)
		if !ok {
			w.tally.Drop(artefact.Audio, n, "sounds from elsewhere are not imported")
		} else {
			a := n.Audio
			w.sounds = append(w.sounds, fmt.Sprintf("{%d, %s, %s, %s, %s, %s, %s}", w.row(i), wide(path), artefact.CFloat(float64(a.Volume)), artefact.CFloat(float64(100*a.Min)),
				artefact.CFloat(float64(100*max(a.Max, a.Min+0.01))), yes(a.Loop), yes(a.Autoplay)))
		}
	}
	if n.Particle.Kind == trait.Map {
		w.emitter(i)
	}
}

func (w *writer) light(i int) {
	n := &w.s.Nodes[i]
	l := n.Light
	color, strength := or(l.Color, scene.White), float64(l.Intensity)
	shine := func(to *[3]float64, color string) {
		for k, c := range linear(color) {
			to[k] += float64(c * strength)
		}
	}
	if i >= w.first && (l.Type == "ambient" || l.Type == "hemisphere") {
		w.tally.Drop(artefact.Lights, n, "light from everywhere is that of the scene; what a program spawns has none")
		return
	}
	kind, outer, inner, reach := "Point", 0.0, 0.0, l.Range
	switch l.Type {
	case "ambient":
		shine(&w.above, color)
		shine(&w.below, color)
		return
	case "hemisphere":
		shine(&w.above, color)
		shine(&w.below, or(l.Ground, scene.Black))
		return
	case "directional":
		kind = "Directional"
	case "spot":
		angle := l.Angle
		if angle == 0 {
			angle = 0.5
		}
		kind, outer = "Spot", degrees(angle)
		inner = float64(outer * (1 - l.Penumbra))
		if outer > 80 {
			w.tally.Approximate(artefact.Lights, n, "cones of light are no wider than 80 degrees to each side")
			outer, inner = 80, min(inner, 80)
		}
	case "area":
		kind = "Area"
	}
	if reach <= 0 {
		reach = 50
	}
	w.shines = append(w.shines, fmt.Sprintf("{%d, EShineKind::%s, %s, %s, %s, %s, %s, %s, %s, %s}", w.row(i), kind, floats(linear(color)...), artefact.CFloat(float64(lightScale*strength)),
		artefact.CFloat(float64(100*reach)), artefact.CFloat(outer), artefact.CFloat(inner), artefact.CFloat(float64(100*l.Width)), artefact.CFloat(float64(100*l.Height)), yes(l.Shadow)))
}

// camera writes a camera. The engine counts the horizontal angle of a picture of 16
// to 9, and keeps the vertical one.
func (w *writer) camera(i int, c *scene.Camera) {
	wide := float64(2 * math.Atan(float64(math.Tan(c.FOV/2)*16/9)))
	w.cameras = append(w.cameras, fmt.Sprintf("{%d, %s, %s, %s}", i, artefact.CFloat(degrees(wide)), artefact.CFloat(float64(100*c.Ortho)*16/9), artefact.CFloat(float64(100*max(c.Near, 0.001)))))
}

// surfaces are the materials.
func (w *writer) surfaces() []string {
	var out []string
	for i := range w.s.Materials {
		m := &w.s.Materials[i]
		c, e := scene.LinearRGBA(m.BaseColor), []float64{0, 0, 0}
		if m.Emissive != "" {
			e = linear(m.Emissive)
			for k := range e {
				e[k] = float64(e[k] * float64(m.EmissiveIntensity))
			}
		}
		blend := "Opaque"
		switch {
		case m.Alpha == "blend":
			blend = "Blended"
		case m.Alpha == "mask":
			blend = "Masked"
		case m.Transmission > 0:
			blend = "Glass"
			c[3] = min(c[3], 1-float64(0.8*m.Transmission))
		}
		ior := float64(m.IOR)
		f := (ior - 1) / (ior + 1)
		maps := ""
		for _, a := range []*int{m.Maps.BaseColor, m.Maps.Normal, m.Maps.ORM, m.Maps.Emissive} {
			named := "nullptr"
			if a != nil {
				if path, ok := artefact.ProjectPath(w.s.Assets[*a].Path); ok {
					named = wide(path)
				} else {
					w.tally.Approximate(artefact.Materials, nil, "pictures from elsewhere are not loaded")
				}
			}
			maps += ", " + named
		}
		out = append(out, fmt.Sprintf("{%s, %s, %s, %s, %s, %s, EBlendKind::%s, %s, %s%s}", floats(c[:]...), floats(e...), artefact.CFloat(m.Metallic), artefact.CFloat(float64(m.Roughness)),
			artefact.CFloat(min(1, float64(f*f)/0.08)), artefact.CFloat(ior), blend, yes(m.Unlit), yes(m.DoubleSided), maps))
	}
	return out
}

// emitter writes the particles of a node.
func (w *writer) emitter(i int) {
	e := artefact.EmissionOf(&w.s.Nodes[i])
	aim := vec.At(e.Aim[0], e.Aim[1], e.Aim[2]).Unit()
	to := direction([3]float64{aim.X, aim.Y, aim.Z})
	cm := func(x float64) string { return artefact.CDouble(float64(100 * x)) }
	color := func(c string) string {
		v := scene.LinearRGBA(c)
		return floats(v[:]...)
	}
	w.sparks = append(w.sparks, fmt.Sprintf("{%d, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %d, %s}", w.row(i), artefact.CDouble(e.Rate), artefact.CDouble(e.Shortest), artefact.CDouble(e.Lifetime),
		cm(e.Speed), cm(float64(2*e.Spread)), cm(e.Gravity), cm(e.From), cm(e.To), cm(e.Width), doubles(to[:]...), color(e.Start), color(e.End), int(e.Count), yes(e.Glows)))
}

// tracks are the key-frame animations.
func (w *writer) tracks() []string {
	var out []string
	for i := range w.s.Animations {
		a := &w.s.Animations[i]
		if _, ok := w.index[a.Node]; !ok || len(a.Keys) == 0 || len(a.Keys[0]) < 2 {
			continue
		}
		var keys []string
		for _, k := range a.Keys {
			for _, x := range k {
				keys = append(keys, artefact.CDouble(x))
			}
		}
		name := w.out.numbers(fmt.Sprintf("Keys%d", i), "double", 16, keys)
		out = append(out, fmt.Sprintf("{%s, %s, %s, %d, %d, %s, %d, %s, %s}", artefact.CString(a.Node), artefact.CString(a.Property), name, len(a.Keys[0]), len(a.Keys),
			artefact.CString(or(a.Easing, "linear")), a.Loop, yes(a.Autoplay), yes(a.PingPong)))
	}
	return out
}

// overview adds a camera that sees the whole scene and a light, where the source
// has none.
func (w *writer) overview(things *[]string) {
	add := func(name string, from, to vec.Vec) int {
		m := looking(from, to)
		at, r := place([3]float64{from.X, from.Y, from.Z}), turn(m)
		*things = append(*things, fmt.Sprintf("{%s, %s, -1, %s, %s, {1.0, 1.0, 1.0}, true, EBodyKind::None, -1, {1.0, 1.0, 1.0}, -1, -1, {0.0, 0.0, 0.0}, false, false, false, nullptr}",
			wide(name), wide(name), doubles(at[:]...), doubles(r[:]...)))
		return len(*things) - 1
	}
	if len(w.shines) == 0 && !w.shone() {
		i := add("Daylight", vec.At(3, 6, 4), vec.Vec{})
		w.shines = append(w.shines, fmt.Sprintf("{%d, EShineKind::Directional, {1.0f, 1.0f, 1.0f}, %s, 5000.0f, 0.0f, 0.0f, 0.0f, 0.0f, false}", i, artefact.CFloat(0.8*lightScale)))
	}
	if len(w.cameras) > 0 {
		return
	}
	lo, hi := vec.At(-1, -1, -1), vec.At(1, 1, 1)
	for i := range w.first {
		p := vec.At(w.world[i][12], w.world[i][13], w.world[i][14])
		reach := vec.At(0.5, 0.5, 0.5)
		if g := w.s.Nodes[i].Geometry; g != nil {
			b, s := w.s.Geometries[*g].Bounds(), w.scale[i]
			reach = vec.At(float64(b[0]*s.X)/2, float64(b[1]*s.Y)/2, float64(b[2]*s.Z)/2)
			reach = reach.Max(reach.Scale(-1))
		}
		lo, hi = lo.Min(p.Sub(reach)), hi.Max(p.Add(reach))
	}
	middle := lo.Add(hi).Scale(0.5)
	eye := middle.Add(vec.At(0.5, 0.4, 0.8).Unit().Scale(min(hi.Sub(lo).Len(), 1000)))
	w.camera(add("Overview", eye, middle), &scene.Camera{FOV: math.Pi / 3, Near: 0.05, Far: 1000})
}

// shone says whether the source has light from above and below, if nothing else.
func (w *writer) shone() bool {
	for i := range w.first {
		if l := w.s.Nodes[i].Light; l != nil && l.Type == "hemisphere" {
			return true
		}
	}
	return false
}

// looking is the turn by which -Z points from one place to another, with Y as far
// up as can be.
func looking(from, to vec.Vec) [4]float64 {
	x, y, z := vec.Basis(to.Sub(from), vec.At(0, 1, 0))
	w := math.Sqrt(max(0, 1+x.X+y.Y+z.Z)) / 2
	if w < 1e-6 { // half a turn around Y
		return [4]float64{0, 1, 0, 0}
	}
	return [4]float64{(y.Z - z.Y) / (4 * w), (z.X - x.Z) / (4 * w), (x.Y - y.X) / (4 * w), w}
}

// air is what surrounds all nodes.
func (w *writer) air() string {
	e := &w.s.Environment
	gravity := scene.DefaultGravity
	if e.Gravity != nil {
		gravity = *e.Gravity
	}
	g := place(gravity)
	colors := e.Sky.Colors
	if len(colors) == 0 {
		colors = []string{"#dfe5ecff"}
	}
	var sky []string
	for _, c := range colors {
		v := linear(c)
		sky = append(sky, fmt.Sprintf("FLinearColor(%s, %s, %s, 1.0f)", artefact.CFloat(v[0]), artefact.CFloat(v[1]), artefact.CFloat(v[2])))
	}
	picture := "nullptr"
	if e.Sky.Asset != nil {
		if path, ok := artefact.ProjectPath(w.s.Assets[*e.Sky.Asset].Path); ok {
			picture = wide(path)
		}
	}
	ambient := scene.DefaultAmbient
	if e.Ambient != nil {
		ambient = *e.Ambient
	}
	for k, c := range linear(ambient.Color) {
		w.above[k] += float64(c * ambient.Intensity)
		w.below[k] += float64(c * ambient.Intensity)
	}
	fog, density := []float64{1, 1, 1}, 0.0
	if e.Fog != nil {
		// Half of the light is through at the same distance: the engine lets
		// 2^-(density·d/1000) through at d centimetres.
		fog, density = linear(e.Fog.Color), float64(0.8326*e.Fog.Density)*10/math.Ln2
	}
	return fmt.Sprintf("{%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s}", doubles(g[:]...), w.out.rows("SkyColors", "FLinearColor", "The sky, from above to below.", sky), picture,
		floats(w.above[:]...), floats(w.below[:]...), yes(density > 0), floats(fog...), artefact.CFloat(density), artefact.CFloat(float64(e.Exposure)), yes(e.ToneMapping == "aces"),
		w.effects(), yes(w.immerses))
}

// effects are those of the picture, in the order of FAirRow.
func (w *writer) effects() string {
	v := map[string]float64{"threshold": -1, "saturation": 1, "contrast": 1, "gain": 1}
	for _, e := range w.s.Post {
		num := func(key string, otherwise float64) float64 {
			if f, ok := artefact.Field(e.Params, key); ok && f.Kind == trait.Number {
				return f.Num
			}
			return otherwise
		}
		switch e.Kind {
		case "bloom":
			v["bloom"], v["threshold"] = num("intensity", num("strength", 0.8)), num("threshold", 1)
		case "vignette":
			v["vignette"] = num("intensity", num("darkness", 0.5))
		case "film_grain":
			v["grain"] = num("intensity", 0.2)
		case "chromatic_aberration":
			v["fringe"] = float64(5 * num("intensity", num("offset", 0.5)))
		case "color_grading":
			v["gain"], v["contrast"], v["saturation"] = num("brightness", 1), num("contrast", 1), num("saturation", 1)
		case "ssao", "ambient_occlusion":
			v["occlusion"] = num("intensity", 0.5)
		case "motion_blur":
			v["blur"] = num("intensity", 0.5)
		case "ssr", "screen_space_reflections":
			v["reflections"] = 100
		default:
			w.tally.Drop(artefact.Effects, nil, "depth of field is not shown, nor are effects of other names than those of the language")
		}
	}
	out := ""
	for i, key := range []string{"bloom", "threshold", "vignette", "grain", "fringe", "occlusion", "reflections", "blur", "saturation", "contrast", "gain"} {
		if i > 0 {
			out += ", "
		}
		out += artefact.CFloat(v[key])
	}
	return out
}

// controls are those of the flat interface, each after what it stands in.
func (w *writer) controls() []string {
	var out []string
	var put func(list []scene.Widget, above int)
	put = func(list []scene.Widget, above int) {
		for i := range list {
			c := &list[i]
			out = append(out, w.control(c, above))
			put(c.Children, len(out)-1)
		}
	}
	put(w.s.UI, -1)
	return out
}

func (w *writer) control(c *scene.Widget, above int) string {
	num := func(key string, otherwise float64) string {
		if f, ok := artefact.Field(c.Params, key); ok && f.Kind == trait.Number {
			otherwise = f.Num
		}
		return artefact.CDouble(otherwise)
	}
	flag := func(key string, otherwise bool) bool {
		if f, ok := artefact.Field(c.Params, key); ok && f.Kind == trait.Bool {
			return f.Bool
		}
		return otherwise
	}
	doc := func(v scene.Value) string {
		if v.Kind == trait.Unknown {
			return ""
		}
		raw, err := json.Marshal(v)
		if err != nil {
			return ""
		}
		return string(raw)
	}
	label, id := or(c.Label, c.ID), or(c.ID, c.Label)
	switch c.Kind {
	case "button":
		label = or(label, "Button")
	case "text":
		if c.Bind != "" {
			label = ""
		} else if label == "" {
			label = c.Value.Str
		}
	case "image":
		label = or(label, "Picture")
	}
	options, _ := artefact.Field(c.Params, "options")
	kind, _ := artefact.Field(c.Params, "type")
	return fmt.Sprintf("{%d, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s}", above, wide(c.Kind), wide(id), wide(label), wide(c.Bind), wide(doc(c.Value)), wide(doc(options)),
		num("min", 0), num("max", 100), num("step", 0.001), yes(!flag("disabled", false) && flag("enabled", true)), yes(kind.Str == "number"))
}
