package realitykit

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// looks writes the materials, which nodes name by their number.
func (w *writer) looks() {
	for i := range w.s.Materials {
		m := &w.s.Materials[i]
		p := []string{"color: " + ink(m.BaseColor)}
		add := func(key, value string) { p = append(p, key+": "+value) }
		if !m.Unlit {
			add("metallic", float(m.Metallic))
			add("roughness", float(float64(m.Roughness)))
			if m.Emissive != "" {
				add("glow", ink(m.Emissive))
				add("glows", float(float64(m.EmissiveIntensity)))
			}
			if ior := float64(m.IOR); ior > 0 && ior != 1.5 {
				f := (ior - 1) / (ior + 1)
				add("specular", float(min(1, float64(f*f)/0.08)))
			}
		}
		switch {
		case m.Alpha == "blend" || m.Transmission > 0:
			add("blend", "true")
		case m.Alpha == "mask":
			add("mask", "true")
		}
		if m.DoubleSided {
			add("twoSided", "true")
		}
		if m.Unlit {
			add("unlit", "true")
		}
		for _, t := range []struct {
			key   string
			asset *int
		}{{"colorPicture", m.Maps.BaseColor}, {"normalPicture", m.Maps.Normal}, {"surfacePicture", m.Maps.ORM}, {"glowPicture", m.Maps.Emissive}} {
			if t.asset == nil {
				continue
			}
			if file, ok := artefact.ProjectPath(w.s.Assets[*t.asset].Path); ok {
				add(t.key, quoted(file))
			}
		}
		if m.Transmission > 0 && m.Alpha != "blend" { // what is seen through
			c := scene.RGBA(m.BaseColor)
			c[3] = uint8(255 * max(0.1, float64(1-float64(0.8*min(1, m.Transmission)))))
			p[0] = "color: " + inkOf(c)
		}
		w.line("s.look(%s)", strings.Join(p, ", "))
	}
	w.flush()
}

// shapes writes the solids that the engine does not have, once each.
func (w *writer) shapes() {
	for i := range w.s.Nodes {
		n := &w.s.Nodes[i]
		if n.Geometry == nil || n.Material == nil {
			continue
		}
		g := &w.s.Geometries[*n.Geometry]
		if _, there := w.forms[*n.Geometry]; there || plain(g) || g.Kind == "model" {
			continue
		}
		m := g.Mesh()
		if m == nil {
			continue
		}
		w.forms[*n.Geometry] = len(w.forms)
		w.line("s.form(")
		w.line("    points: %q,", points(m.Positions))
		w.line("    normals: %q,", points(m.Normals))
		w.line("    places: %q,", points(m.UVs))
		w.line("    order: %q)", order(m.Indices))
	}
	w.flush()
}

// plain says whether the engine has a built-in shape for a geometry.
func plain(g *scene.Geometry) bool {
	return g.Stretch.IsZero() && (g.Kind == "box" || g.Kind == "sphere")
}

func (w *writer) geometry(n *scene.Node) {
	g := &w.s.Geometries[*n.Geometry]
	if m := &w.s.Materials[*n.Material]; m.Transmission > 0 {
		w.tally.Approximate(artefact.Materials, n, "glass is seen through without bending light")
	}
	switch {
	case g.Kind == "model":
		w.model(n, g)
	case plain(g) && g.Kind == "box":
		size := scene.Vec{1, 1, 1}
		if g.Size != nil {
			size = *g.Size
		}
		w.line("s.box(%s, size: %s, look: %d)", w.id(n), triple(size), *n.Material)
	case plain(g):
		w.line("s.ball(%s, radius: %s, look: %d)", w.id(n), float(g.Radius), *n.Material)
	default:
		if k, ok := w.forms[*n.Geometry]; ok {
			w.line("s.shape(%s, form: %d, look: %d)", w.id(n), k, *n.Material)
		}
	}
}

// read are the model files that the application reads.
var read = []string{".glb", ".gltf", ".usd", ".usda", ".usdc", ".usdz", ".reality", ".obj", ".stl", ".ply"}

func (w *writer) model(n *scene.Node, g *scene.Geometry) {
	if g.Asset == nil {
		return
	}
	file, ok := artefact.ProjectPath(w.s.Assets[*g.Asset].Path)
	end := strings.ToLower(path.Ext(file))
	switch {
	case !ok:
		w.tally.Drop(artefact.Models, n, "the application asks no network for files")
		return
	case !slices.Contains(read, end):
		w.tally.Drop(artefact.Models, n, "USD, glTF, OBJ, STL and PLY files are shown")
		return
	case end == ".glb" || end == ".gltf":
		w.tally.Approximate(artefact.Models, n, "skins, morphs and animations of glTF files are left out")
	case end == ".obj" || end == ".stl" || end == ".ply":
		w.tally.Approximate(artefact.Models, n, "OBJ and STL files keep their shape, not their materials")
	}
	show := fmt.Sprintf("await s.model(%s, file: %s)", w.id(n), quoted(file))
	if n.Prototype != "" {
		w.line("Task { @MainActor in %s }", show)
	} else {
		w.later = append(w.later, show)
	}
}

// letters writes a text. On a solid it stands in front, in black or white.
func (w *writer) letters(n *scene.Node) {
	color := w.s.Ink(n)
	front := 0.0
	if n.Geometry != nil {
		front = float64(float32(w.s.Geometries[*n.Geometry].Bounds()[2]/2 + 0.001))
	}
	w.line("s.letters(%s, text: %s, size: %s, align: %s, ink: %s, front: %s, unlit: true)", w.id(n), quoted(n.Text.Value), float(n.Text.Size),
		quoted(cmp.Or(n.Text.Align, "center")), ink(color), float(front))
}

// light writes a light; those that come from everywhere are part of the
// surroundings.
func (w *writer) light(n *scene.Node) {
	l := n.Light
	if l.Type == "ambient" || l.Type == "hemisphere" {
		return
	}
	reach := l.Range
	if reach <= 0 {
		reach = 50
	}
	angle, soft := cmp.Or(l.Angle, 0.5), l.Penumbra
	if l.Type == "area" { // a wide spot, as the viewer has it
		angle, soft = 1.4, 0.6
	}
	w.line("s.light(%s, kind: %s, color: %s, intensity: %s, range: %s, angle: %s, soft: %s, shadow: %t)", w.id(n), quoted(l.Type),
		ink(cmp.Or(l.Color, scene.White)), float(float64(l.Intensity)), float(reach), float(degrees(angle)), float(min(1, max(0, soft))), l.Shadow)
	if l.Shadow && l.Type != "directional" && l.Type != "spot" && l.Type != "area" {
		w.tally.Approximate(artefact.Lights, n, "points shine without shadows")
	}
}

// degrees are as people wrote them: to a ten thousandth.
func degrees(radians float64) float64 {
	return math.Round(float64(radians*1800000)/math.Pi) / 10000
}

// surroundings are the colours that light everything, above first, and how strong
// they are; none where the room's own light does.
func (w *writer) surroundings() (colors []string, strength float64) {
	e := &w.s.Environment
	given := e.Ambient != nil || w.full()
	var above, below [3]float64
	add := func(to *[3]float64, color string, by float64) {
		c := scene.RGBA(color)
		for k := range 3 {
			to[k] += float64(float64(c[k]) / 255 * by)
		}
	}
	if given {
		a := scene.DefaultAmbient
		if e.Ambient != nil {
			a = *e.Ambient
		}
		add(&above, a.Color, a.Intensity)
		add(&below, a.Color, a.Intensity)
	}
	for i := range w.s.Nodes {
		l := w.s.Nodes[i].Light
		if w.s.Nodes[i].Prototype != "" || l == nil || l.Type != "ambient" && l.Type != "hemisphere" {
			continue
		}
		given = true
		color := cmp.Or(l.Color, scene.White)
		add(&above, color, float64(l.Intensity))
		if l.Type == "hemisphere" {
			color = cmp.Or(l.Ground, scene.Black)
		}
		add(&below, color, float64(l.Intensity))
	}
	strength = max(above[0], above[1], above[2], below[0], below[1], below[2])
	if !given || strength <= 0 {
		return nil, 0
	}
	for _, c := range [][3]float64{above, below} {
		colors = append(colors, fmt.Sprintf("Ink(%s, %s, %s, 1)", float(c[0]/strength), float(c[1]/strength), float(c[2]/strength)))
	}
	return colors, strength
}

// full says whether the scene hides the room.
func (w *writer) full() bool { return w.vision && w.in.Options.Text("immersion") == "full" }

// backdrop is the statement that shows the sky.
func (w *writer) backdrop() string {
	sky := &w.s.Environment.Sky
	if sky.Asset != nil {
		if file, ok := artefact.ProjectPath(w.s.Assets[*sky.Asset].Path); ok {
			return fmt.Sprintf("s.backdrop(s.picture(%s))", quoted(file))
		}
	}
	colors := sky.Colors
	if len(colors) == 0 {
		colors = []string{"#dfe5ecff"}
	}
	var list []string
	for _, c := range colors {
		list = append(list, ink(c))
	}
	return fmt.Sprintf("s.backdrop(s.gradient([%s]))", strings.Join(list, ", "))
}

// particles writes the emitter of a node.
func (w *writer) particles(n *scene.Node) {
	if n.Particle.Kind != trait.Map {
		return
	}
	e := artefact.EmissionOf(n)
	life := (e.Lifetime + e.Shortest) / 2
	spread := math.Atan2(e.Spread, max(e.Speed, 0.0001))
	length := math.Sqrt(float64(e.Aim[0]*e.Aim[0]) + float64(e.Aim[1]*e.Aim[1]) + float64(e.Aim[2]*e.Aim[2]))
	aim := scene.Vec{0, 1, 0}
	if length > 0 {
		aim = scene.Vec{e.Aim[0] / length, e.Aim[1] / length, e.Aim[2] / length}
	}
	rate := min(e.Rate, e.Count/e.Lifetime)
	w.line("s.particles(")
	w.line("    %s, rate: %s, life: %s, lifeVaries: %s, direction: %s, speed: %s, speedVaries: %s, spread: %s, fall: %s,", w.id(n), float(rate), float(life),
		float((e.Lifetime-e.Shortest)/2), triple(aim), float(e.Speed), float(e.Spread/2), float(spread), float(e.Gravity))
	w.line("    from: %s, to: %s, start: %s, end: %s, width: %s, glows: %t)", float(e.From), float(e.To), ink(e.Start), ink(e.End), float(e.Width), e.Glows)
}

// played are the sounds that the system plays.
var played = []string{".mp3", ".m4a", ".aac", ".wav", ".aif", ".aiff", ".caf", ".flac", ".mp4"}

func (w *writer) sound(n *scene.Node) {
	a := n.Audio
	if a.Asset == nil {
		return
	}
	file, ok := artefact.ProjectPath(w.s.Assets[*a.Asset].Path)
	switch {
	case !ok:
		w.tally.Drop(artefact.Audio, n, "the application asks no network for files")
		return
	case !slices.Contains(played, strings.ToLower(path.Ext(file))):
		w.tally.Drop(artefact.Audio, n, "MP3, AAC, WAV, AIFF, CAF and FLAC files are played")
		return
	}
	w.line("s.sound(%s, file: %s, volume: %s, loop: %t, autoplay: %t)", w.id(n), quoted(file), float(float64(a.Volume)), a.Loop, a.Autoplay)
}
