package aframe

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/picture/staging"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// neutral is what the library takes for a light of intensity 1: it divides by pi
// where light meets a surface.
const neutral = math.Pi

// writer writes the entities. Elements of a page do not end by themselves, so
// each has an end tag.
type writer struct {
	in     *artefact.Input
	s      *scene.Scene
	stage  *staging.Staging
	d      artefact.XML
	below  [][]int
	places []artefact.Place
}

var f = artefact.Float

func numbers(list ...float64) string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return strings.Join(out, " ")
}

// properties are those of a component, as pairs of name and value. No value
// contains a semicolon: texts stand in attributes of their own.
func properties(pairs ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(pairs[i] + ": " + pairs[i+1])
	}
	return b.String()
}

// colour is what the library reads of a colour: six digits.
func colour(c string) string {
	if len(c) < 7 {
		return "#ffffff"
	}
	return c[:7]
}

// degrees are the angles of a unit quaternion in the order of the library: Ry·Rx·Rz.
func degrees(q scene.Quat) [3]float64 {
	x, y, z, w := q[0], q[1], q[2], q[3]
	twice := func(a, b, c, d float64) float64 { return 2 * (float64(a*b) + float64(c*d)) }
	m13, m23, m33 := twice(x, z, w, y), twice(y, z, -w, x), 1-twice(x, x, y, y)
	m21, m22 := twice(x, y, w, z), 1-twice(x, x, z, z)
	level := math.Sqrt(float64(m21*m21) + float64(m22*m22)) // the cosine of the pitch, exact where the arc sine is not
	pitch := math.Atan2(-m23, level)
	var yaw, roll float64
	if level > 1e-6 {
		yaw, roll = math.Atan2(m13, m33), math.Atan2(m21, m22)
	} else { // straight up or down, where yaw and roll are one
		yaw = math.Atan2(-twice(x, z, -w, y), 1-twice(y, y, z, z))
	}
	out := [3]float64{pitch, yaw, roll}
	for i := range out {
		out[i] = math.Round(out[i]*180e5/math.Pi) / 1e5 // where two machines agree
	}
	return out
}

// entity writes an element without anything below it.
func (w *writer) entity(attributes ...string) {
	w.d.Open("a-entity", attributes...)
	w.d.Close("a-entity")
}

func (w *writer) scene() {
	var roots []int
	w.below, roots = artefact.Tree(w.s)
	e := &w.s.Environment
	set := []string{"running", "", "xr-mode-ui", "XRMode: xr", "loading-screen", "enabled: false", "keyboard-shortcuts", "enterVR: false"}
	background := "#dfe5ec"
	if n := len(e.Sky.Colors); n > 0 {
		background = colour(e.Sky.Colors[n-1])
	}
	set = append(set, "background", "color: "+background)
	if e.Fog != nil && e.Fog.Density > 0 {
		set = append(set, "fog", properties("type", "exponential", "color", colour(e.Fog.Color), "density", f(w.stage.FogDensity(w.s))))
	}
	curve := "neutral"
	switch e.ToneMapping {
	case "aces":
		curve = "ACESFilmic"
	case "linear":
		curve = "linear"
	}
	set = append(set, "renderer", properties("toneMapping", curve, "exposure", f(float64(e.Exposure)), "sortTransparentObjects", "true"), "shadow", "type: pcf")
	w.d.Open("a-scene", set...)
	w.surroundings()
	w.view()
	for _, i := range roots {
		w.node(i)
	}
	w.d.Close("a-scene")
}

// surroundings are the sky and the lights that no node has.
func (w *writer) surroundings() {
	e := &w.s.Environment
	if len(e.Sky.Colors) > 1 {
		colors := make([]string, len(e.Sky.Colors))
		for i, c := range e.Sky.Colors {
			colors[i] = colour(c)
		}
		w.entity("dome", strings.Join(colors, ", "), "hide-on-enter-ar", "")
	}
	a := w.stage.Everywhere()
	w.entity("light", properties("type", "hemisphere", "color", a.Sky, "groundColor", a.Ground, "intensity", f(float64(a.Intensity)*neutral)))
	if w.stage.Sun {
		at := w.stage.SunAt()
		turned := degrees(staging.SunTurn())
		set := append([]string{"type", "directional", "intensity", f(staging.SunIntensity * w.stage.Gain * neutral)}, w.shadow(true)...)
		w.entity("light", properties(set...), "ahead", "", "position", numbers(at.X, at.Y, at.Z), "rotation", numbers(turned[:]...))
	}
}

// view is the camera: in the place of the first node that has one, or where
// everything is seen. It moves by keys unless the scene handles them.
func (w *writer) view() {
	near, far := w.stage.Planes()
	rig, camera := "", properties("fov", "50", "near", f(near), "far", f(far))
	for i := range w.s.Nodes {
		n := &w.s.Nodes[i]
		c := n.Camera
		if c == nil || c.Resting {
			continue
		}
		rig = "node: " + n.ID
		if c.Ortho > 0 {
			rig += "; height: " + f(c.Ortho)
		}
		camera = properties("fov", f(math.Round(c.FOV*1.8e6/math.Pi)/1e4), "near", f(c.Near), "far", f(c.Far))
		break
	}
	walk := "enabled: true"
	if bytes.Contains(w.s.Program, []byte(`"key_`)) {
		walk = "enabled: false"
	}
	w.d.Open("a-entity", "rig", rig)
	w.entity("camera", camera, "look-controls", "", "wasd-controls", walk, "position", "0 0 0")
	w.d.Close("a-entity")
}

func (w *writer) node(i int) {
	w.in.Pause()
	n := &w.s.Nodes[i]
	w.places = append(w.places, artefact.Place{ID: n.ID, Place: "#" + n.ID})
	w.d.Comment(w.in.Source(n.Src))
	set := []string{"id", n.ID, "data-path", artefact.Readable(n.Path)}
	for _, t := range [][2]string{{"data-name", n.Name}, {"data-label", n.Label}, {"data-alt", n.Alt}} {
		if t[1] != "" {
			set = append(set, t[0], artefact.Readable(t[1]))
		}
	}
	if n.T != (scene.Vec{}) {
		set = append(set, "position", numbers(n.T[:]...))
	}
	if r := degrees(n.R); r != [3]float64{} {
		set = append(set, "rotation", numbers(r[:]...))
	}
	if n.S != (scene.UnitVec{1, 1, 1}) {
		set = append(set, "scale", numbers(n.S[:]...))
	}
	if !bool(n.Visible) {
		set = append(set, "visible", "false")
	}
	set = append(set, w.solid(n)...)
	set = append(set, w.letters(n)...)
	set = append(set, w.light(n.Light, i)...)
	w.d.Open("a-entity", set...)
	for _, k := range w.below[i] {
		w.node(k)
	}
	w.d.Close("a-entity")
}

// solid are the components of what a node looks like.
func (w *writer) solid(n *scene.Node) []string {
	if n.Geometry == nil || n.Material == nil {
		return nil
	}
	g, m := &w.s.Geometries[*n.Geometry], &w.s.Materials[*n.Material]
	if g.Kind == "model" {
		if g.Asset == nil {
			return nil
		}
		return []string{"model-file", properties("asset", strconv.Itoa(*g.Asset), "look", strconv.Itoa(*n.Material)), "shadow", "cast: true; receive: true"}
	}
	return []string{"geometry", geometry(g, m), "material", w.material(m), "shadow", "cast: true; receive: true"}
}

// geometry is one of the library where it has the same solid. Where a picture
// lies on a round one, its own start elsewhere.
func geometry(g *scene.Geometry, m *scene.Material) string {
	plain, around, along := g.Stretch == (scene.UnitVec{1, 1, 1}), 32, 0
	if len(g.Segments) > 0 && g.Segments[0] > 0 {
		around = g.Segments[0]
	}
	if len(g.Segments) > 1 {
		along = g.Segments[1]
	}
	mapped := m.Maps != (scene.Maps{})
	switch {
	case plain && g.Kind == "box" && g.Size != nil:
		return properties("primitive", "box", "width", f(g.Size[0]), "height", f(g.Size[1]), "depth", f(g.Size[2]))
	case plain && g.Kind == "sphere" && !mapped:
		return properties("primitive", "sphere", "radius", f(g.Radius), "segmentsWidth", strconv.Itoa(around), "segmentsHeight", strconv.Itoa(max(2, around/2)))
	case plain && g.Kind == "cylinder" && !mapped:
		return properties("primitive", "cylinder", "radius", f(g.Radius), "height", f(g.Height), "segmentsRadial", strconv.Itoa(around), "segmentsHeight", "1")
	case plain && g.Kind == "cone" && !mapped:
		return properties("primitive", "cone", "radiusBottom", f(g.Radius), "radiusTop", "0", "height", f(g.Height), "segmentsRadial", strconv.Itoa(around), "segmentsHeight", "1")
	}
	set := []string{"primitive", "solid", "kind", g.Kind}
	if g.Size != nil {
		set = append(set, "size", numbers(g.Size[:]...))
	}
	for _, v := range []struct {
		name string
		x    float64
	}{{"radius", g.Radius}, {"tube", g.Tube}, {"height", g.Height}} {
		if v.x != 0 {
			set = append(set, v.name, f(v.x))
		}
	}
	set = append(set, "around", strconv.Itoa(around))
	if along > 0 {
		set = append(set, "along", strconv.Itoa(along))
	}
	if !plain {
		set = append(set, "stretch", numbers(g.Stretch[:]...))
	}
	return properties(set...)
}

func (w *writer) material(m *scene.Material) string {
	set := []string{"shader", "surface", "color", colour(m.BaseColor)}
	if m.Unlit {
		set = append(set, "unlit", "true")
	} else {
		set = append(set, "metalness", f(m.Metallic), "roughness", f(float64(m.Roughness)))
		if m.Emissive != "" {
			set = append(set, "emissive", colour(m.Emissive), "emissiveIntensity", f(float64(m.EmissiveIntensity)))
		}
		if m.IOR != 1.5 {
			set = append(set, "ior", f(float64(m.IOR)))
		}
	}
	if a := float64(scene.RGBA(m.BaseColor)[3]) / 255; a < 1 {
		set = append(set, "opacity", f(a))
	}
	switch m.Alpha {
	case "blend":
		set = append(set, "transparent", "true", "depthWrite", "false")
	case "mask":
		set = append(set, "alphaTest", "0.5")
	}
	if m.DoubleSided {
		set = append(set, "side", "double")
	}
	for _, p := range []struct {
		name string
		at   *int
	}{{"picture", m.Maps.BaseColor}, {"normal", m.Maps.Normal}, {"orm", m.Maps.ORM}, {"glow", m.Maps.Emissive}} {
		if p.at != nil && len(w.s.Assets[*p.at].Data) > 0 {
			set = append(set, p.name, strconv.Itoa(*p.at))
		}
	}
	return properties(set...)
}

func (w *writer) letters(n *scene.Node) []string {
	t := n.Text
	if t == nil || t.Value == "" {
		return nil
	}
	set := []string{"size", f(t.Size)}
	if t.Align != "" {
		set = append(set, "align", t.Align)
	}
	if n.Material != nil {
		set = append(set, "ink", colour(w.s.Materials[*n.Material].BaseColor))
	}
	if n.Geometry != nil {
		set = append(set, "front", f(w.s.Geometries[*n.Geometry].Bounds()[2]/2+0.002))
	}
	return []string{"lettering", properties(set...), "data-text", t.Value}
}

// shadow are the settings of a light that throws one; that of a light from far away
// is as wide as what counts.
func (w *writer) shadow(far bool) []string {
	if !far {
		return []string{"castShadow", "true", "shadowMapWidth", "1024", "shadowMapHeight", "1024"}
	}
	r := w.stage.Reach()
	return []string{
		"castShadow", "true", "shadowMapWidth", "2048", "shadowMapHeight", "2048", "shadowNormalBias", f(6 * r / 2048), "shadowCameraLeft", f(-r), "shadowCameraBottom", f(-r),
		"shadowCameraRight", f(r), "shadowCameraTop", f(r), "shadowCameraNear", f(-4 * r), "shadowCameraFar", f(8 * r),
	}
}

func (w *writer) light(l *scene.Light, i int) []string {
	if l == nil {
		return nil
	}
	set := []string{"type", l.Type, "color", colour(l.Color), "intensity", f(float64(l.Intensity) * w.stage.Gain * neutral)}
	shadow := func() {
		if l.Shadow || i == w.stage.Shadow {
			set = append(set, w.shadow(l.Type == "directional")...)
		}
	}
	switch l.Type {
	case "ambient":
		return []string{"light", properties(set...)}
	case "hemisphere":
		return []string{"light", properties(append(set, "groundColor", colour(l.Ground))...)}
	case "directional":
		shadow()
		return []string{"light", properties(set...), "ahead", ""}
	case "spot", "area": // an area is a wide spot, as the renderer has it
		angle, soft := l.Angle, l.Penumbra
		if l.Type == "area" {
			angle, soft = 1.4, 0.6
		} else if angle == 0 {
			angle = 0.5
		}
		set[1] = "spot"
		set = append(set, "angle", f(math.Round(angle*1.8e6/math.Pi)/1e4), "penumbra", f(soft), "distance", f(l.Range), "decay", "2")
		shadow()
		return []string{"light", properties(set...), "ahead", ""}
	}
	set[1] = "point"
	set = append(set, "distance", f(l.Range), "decay", "2")
	shadow()
	return []string{"light", properties(set...)}
}
