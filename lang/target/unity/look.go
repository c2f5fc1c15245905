package unity

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// material is the expression of a material.
func (w *writer) material(m *scene.Material) string {
	alpha, c := m.Alpha, scene.RGBA(m.BaseColor)
	if alpha == "opaque" {
		alpha = ""
	}
	base := m.BaseColor
	if m.Transmission > 0 && alpha == "" {
		w.tally.Approximate(artefact.Materials, nil, "glass is seen through without bending light")
		alpha = "blend"
		base = fmt.Sprintf("#%02x%02x%02x%02x", c[0], c[1], c[2], uint8(math.Round(255*(1-float64(0.9*m.Transmission)))))
	}
	glow := 0.0
	if m.Emissive != "" {
		glow = float64(m.EmissiveIntensity)
	}
	out := fmt.Sprintf("builder.Surface(%s, %s, %s, %s, %s, %s, %s)", color(base), floats(m.Metallic, float64(m.Roughness)), color(cmp.Or(m.Emissive, scene.Black)),
		float(glow), quoted(alpha), yes(m.DoubleSided), yes(m.Unlit))
	if m.Maps == (scene.Maps{}) {
		return out
	}
	p := m.Maps
	return fmt.Sprintf("builder.Pictures(%s, %s, %s, %s, %s)", out, quoted(w.file(p.BaseColor)), quoted(w.file(p.Normal)), quoted(w.file(p.ORM)), quoted(w.file(p.Emissive)))
}

// geometry shows the shape or the model of a node.
func (w *writer) geometry(i int) {
	n := &w.s.Nodes[i]
	g, m := &w.s.Geometries[*n.Geometry], &w.s.Materials[*n.Material]
	if g.Kind == "model" {
		if g.Asset == nil {
			return
		}
		path := w.file(g.Asset)
		if path == "" || !imported(path) {
			w.tally.Drop(artefact.Models, n, "the engine imports glTF (by its package), FBX, OBJ and Collada files of the project")
			return
		}
		w.say("builder.Model(%s, %s);", w.at(i), quoted(path))
		return
	}
	if kind, size := solid(g); kind != "" && m.Maps == (scene.Maps{}) && !m.DoubleSided {
		w.say("builder.Solid(%s, PrimitiveType.%s, %s, looks[%d]);", w.at(i), kind, extent(size[0], size[1], size[2]), *n.Material)
		return
	}
	if k, ok := w.drawing(*n.Geometry); ok {
		w.say("builder.Solid(%s, %d, %s, looks[%d]);", w.at(i), k, yes(m.DoubleSided), *n.Material)
	}
}

// imported says whether projects import a model file.
func imported(path string) bool {
	for _, end := range []string{".glb", ".gltf", ".fbx", ".obj", ".dae"} {
		if strings.HasSuffix(strings.ToLower(path), end) {
			return true
		}
	}
	return false
}

// solid is a shape of the engine's own for a geometry, with its scale; empty where
// it has none. Its balls and cylinders are one wide, cylinders two high, planes ten
// wide.
func solid(g *scene.Geometry) (string, scene.Vec) {
	s := scene.Vec{1, 1, 1}
	if !g.Stretch.IsZero() {
		s = scene.Vec(g.Stretch)
	}
	if len(g.Segments) > 0 {
		return "", s
	}
	size := scene.Vec{1, 1, 1}
	if g.Size != nil {
		size = *g.Size
	}
	by := func(x, y, z float64) scene.Vec {
		return scene.Vec{float64(s[0] * x), float64(s[1] * y), float64(s[2] * z)}
	}
	switch g.Kind {
	case "box":
		return "Cube", by(size[0], size[1], size[2])
	case "plane":
		return "Plane", by(size[0]/10, 1, size[2]/10)
	case "sphere":
		return "Sphere", by(2*g.Radius, 2*g.Radius, 2*g.Radius)
	case "cylinder":
		return "Cylinder", by(2*g.Radius, g.Height/2, 2*g.Radius)
	}
	return "", s
}

// drawing is the number of a mesh of the scene's own.
func (w *writer) drawing(geometry int) (int, bool) {
	if k, ok := w.meshes[geometry]; ok {
		return k, true
	}
	m := w.s.Geometries[geometry].Mesh()
	if m == nil {
		return 0, false
	}
	k := len(w.drawn)
	w.meshes[geometry] = k
	w.drawn = append(w.drawn, drawn(m))
	return k, true
}

// drawn are the triangles of a mesh in the axes of the engine, where they turn the
// other way.
func drawn(m *shape.Mesh) string {
	var at, up, uv, order []float64
	for i := range m.Positions {
		p, n := m.Positions[i], m.Normals[i]
		at = append(at, float64(p[0]), float64(p[1]), -float64(p[2]))
		up = append(up, float64(n[0]), float64(n[1]), -float64(n[2]))
	}
	for _, p := range m.UVs {
		uv = append(uv, float64(p[0]), float64(p[1]))
	}
	for i := range m.Indices {
		order = append(order, float64(m.Indices[i-i%3+(3-i%3)%3]))
	}
	var b strings.Builder
	b.WriteString("new[] { ")
	for i, list := range [][]float64{at, up, uv, order} {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("new float[] { " + floats(list...) + " }")
	}
	return b.String() + " }"
}

func letterSize(t *scene.Text) (wide, tall float64) { return shape.Extent(t.Value, t.Size) }

// letters writes the text of a node. On a solid it stands in front, in black or
// white.
func (w *writer) letters(i int) {
	n := &w.s.Nodes[i]
	ink := w.s.Ink(n)
	front := 0.0
	if n.Geometry != nil {
		front = w.s.Geometries[*n.Geometry].Bounds()[2]/2 + 0.001
	}
	w.say("%s.LetterSize = %s;", w.at(i), float(n.Text.Size))
	w.say("%s.LetterFront = %s;", w.at(i), float(front))
	w.say("%s.LetterSide = %s;", w.at(i), quoted(cmp.Or(n.Text.Align, "center")))
	w.say("%s.LetterColor = %s;", w.at(i), color(ink))
	w.say("builder.Write(%s, %s);", w.at(i), quoted(n.Text.Value))
}

// degrees are as people wrote them: to a ten thousandth.
func degrees(radians float64) float64 {
	return math.Round(float64(radians*1800000)/math.Pi) / 10000
}

func (w *writer) light(i int) {
	l := w.s.Nodes[i].Light
	c, strength, reach := color(cmp.Or(l.Color, scene.White)), float(float64(l.Intensity)), cmp.Or(max(l.Range, 0), 50)
	switch {
	case w.s.Nodes[i].Prototype == "":
	case l.Type == "ambient":
		w.say("builder.Ambient(%s, %s, Color.black, Color.black, %s);", w.at(i), c, strength)
		return
	case l.Type == "hemisphere":
		w.say("builder.Ambient(%s, Color.black, %s, %s, %s);", w.at(i), c, color(cmp.Or(l.Ground, scene.Black)), strength)
		return
	}
	switch l.Type {
	case "ambient":
		w.say("builder.Ambient(%s, Color.black, Color.black, %s);", c, strength)
	case "hemisphere":
		w.say("builder.Ambient(Color.black, %s, %s, %s);", c, color(cmp.Or(l.Ground, scene.Black)), strength)
	case "directional":
		w.say("builder.Light(%s, LightType.Directional, %s, %s, 0f, %s);", w.at(i), c, strength, yes(l.Shadow))
	case "spot", "area": // an area is a wide spot, as the viewer has it
		angle, soft := cmp.Or(l.Angle, 0.5), l.Penumbra
		if l.Type == "area" {
			angle, soft = 1.4, 0.6
		}
		wide := min(179, 2*degrees(angle))
		w.say("builder.Spot(%s, %s, %s, %s, %s);", w.at(i), c, strength, floats(reach, wide, wide*max(0, 1-soft)), yes(l.Shadow))
	default:
		w.say("builder.Light(%s, LightType.Point, %s, %s, %s, %s);", w.at(i), c, strength, float(reach), yes(l.Shadow))
	}
}

// surroundings writes sky, fog, light from everywhere and image effects.
func (w *writer) surroundings() {
	e := &w.s.Environment
	ambient := scene.DefaultAmbient
	if e.Ambient != nil {
		ambient = *e.Ambient
	}
	w.say("builder.Ambient(%s, Color.black, Color.black, %s);", color(ambient.Color), float(ambient.Intensity))
	if e.Fog != nil && e.Fog.Density > 0 {
		w.say("builder.Fog(%s, %s);", color(e.Fog.Color), float(e.Fog.Density))
	}
	sky := slices.Clone(e.Sky.Colors)
	if len(sky) == 0 {
		sky = []string{"#dfe5ecff"}
	}
	for i := range sky {
		sky[i] = color(sky[i])
	}
	if w.worlds && len(sky) == 1 { // there is no camera to clear
		sky = append(sky, sky[0])
	}
	w.say("builder.Around(new[] { %s }, %s);", strings.Join(sky, ", "), quoted(w.file(e.Sky.Asset)))
	if w.worlds {
		return
	}
	if exposure := float64(e.Exposure); exposure != 1 || e.ToneMapping != "" && e.ToneMapping != "none" && e.ToneMapping != "linear" {
		w.tally.Approximate(artefact.Environment, nil, "exposure and the curve of tones are set under the universal pipeline")
		w.say("builder.Tones(%s, %s);", quoted(e.ToneMapping), float(exposure))
	}
	w.effects()
}

// effects are those of the picture that the engine has.
func (w *writer) effects() {
	for _, e := range w.s.Post {
		num := func(key string, otherwise float64) float64 {
			if v, ok := artefact.Field(e.Params, key); ok && v.Kind == trait.Number {
				return v.Num
			}
			return otherwise
		}
		switch e.Kind {
		case "bloom":
			w.say("builder.Bloom(%s);", floats(num("intensity", num("strength", 0.8)), num("threshold", 1)))
		case "vignette":
			w.say("builder.Vignette(%s);", float(num("intensity", num("darkness", 0.5))))
		case "chromatic_aberration":
			w.say("builder.Fringes(%s);", float(min(1, 100*num("offset", num("intensity", 0.005)))))
		case "film_grain", "grain", "noise":
			w.say("builder.Grain(%s);", float(num("intensity", 0.3)))
		case "color_grading":
			w.say("builder.Grading(%s);", floats(num("brightness", 1), num("contrast", 1), num("saturation", 1)))
		default:
			w.tally.Drop(artefact.Effects, nil, "of the image effects bloom, vignette, colour fringes, grain and grading are shown")
		}
	}
}

// particles writes the emitter of a node.
func (w *writer) particles(i int) {
	e := artefact.EmissionOf(&w.s.Nodes[i])
	cone := degrees(math.Atan2(e.Spread, max(e.Speed, 0.0001)))
	w.say("builder.Particles(%s, %d, %s, %s, %s, %s, %s, %s);", w.at(i), int(e.Count), floats(e.Rate, e.Shortest, e.Lifetime), place(e.Aim[0], e.Aim[1], e.Aim[2]),
		floats(max(0, e.Speed-e.Spread/2), e.Speed+e.Spread/2, cone, e.Gravity, e.From, e.To, e.Width), color(e.Start), color(e.End), yes(e.Glows))
}
