package r3f

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/picture/staging"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// neutral is what the library takes for a light of intensity 1: it divides by pi
// where light meets a surface.
const neutral = math.Pi

// maxIndent is the level from which lines are indented no further.
const maxIndent = 40

// writer writes the tree of groups. What it uses of the libraries it keeps.
type writer struct {
	in                   *artefact.Input
	s                    *scene.Scene
	stage                *staging.Staging
	b                    bytes.Buffer
	below                [][]int
	depth                int
	three, drei, runtime []string
	looks                bool // a camera has been written
	tall                 bool // a camera needs the height of the picture
}

var f = artefact.Float

func use(list *[]string, name string) string {
	if !slices.Contains(*list, name) {
		*list = append(*list, name)
	}
	return name
}

func (w *writer) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", min(w.depth, maxIndent)+3))
	fmt.Fprintf(&w.b, format+"\n", args...)
}

// text is a string as an expression of the language.
func text(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(artefact.ASCII(raw, ""))
}

func list(numbers ...float64) string {
	out := make([]string, len(numbers))
	for i, x := range numbers {
		out[i] = f(x)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// colour is what the library reads of a colour: six digits.
func colour(c string) string {
	if len(c) < 7 {
		return "#ffffff"
	}
	return c[:7]
}

// lights are those that no node has: the light from everywhere, and a sun where
// nothing else shines.
func (w *writer) lights() {
	a := w.stage.Everywhere()
	w.line(`<hemisphereLight color=%s groundColor=%s intensity={%s} />`, text(a.Sky), text(a.Ground), f(float64(a.Intensity)*neutral))
	if w.stage.Sun && len(w.stage.Solids) > 0 {
		at := w.stage.SunAt()
		q := staging.SunTurn()
		w.line(`<group position={%s} quaternion={%s}>`, list(at.X, at.Y, at.Z), list(q[:]...))
		w.line(`  <directionalLight ref={%s} position={[0, 0, 0]} intensity={%s}%s />`, use(&w.runtime, "ahead"), f(staging.SunIntensity*w.stage.Gain*neutral), w.shadow(true))
		w.line(`</group>`)
	}
}

// shadow are the settings of a light that throws one; that of a light from far away
// is as wide as what counts.
func (w *writer) shadow(far bool) string {
	if !far {
		return " castShadow shadow-mapSize={[1024, 1024]} shadow-normalBias={0.02}"
	}
	r := w.stage.Reach()
	return fmt.Sprintf(" castShadow shadow-mapSize={[2048, 2048]} shadow-normalBias={%s} shadow-camera-left={%[2]s} shadow-camera-right={%[3]s} shadow-camera-top={%[3]s} shadow-camera-bottom={%[2]s} shadow-camera-near={%[4]s} shadow-camera-far={%[5]s}",
		f(6*r/2048), f(-r), f(r), f(-4*r), f(8*r))
}

func (w *writer) node(i int) {
	w.in.Pause()
	n := &w.s.Nodes[i]
	w.line("{/* %s */}", strings.ReplaceAll(artefact.OneLine(string(artefact.ASCII([]byte(w.in.Source(n.Src)), ""))), "*/", "* /"))
	facts := "id: " + text(n.ID)
	if n.Label != "" {
		facts += ", label: " + text(n.Label)
	}
	if n.Alt != "" {
		facts += ", alt: " + text(n.Alt)
	}
	set := fmt.Sprintf("userData={{ %s }}", facts)
	if n.Name != "" {
		set = fmt.Sprintf("name={%s} %s", text(n.Name), set)
	}
	if n.T != (scene.Vec{}) {
		set += " position={" + list(n.T[:]...) + "}"
	}
	if n.R != (scene.Quat{0, 0, 0, 1}) {
		set += " quaternion={" + list(n.R[:]...) + "}"
	}
	if n.S != (scene.UnitVec{1, 1, 1}) {
		set += " scale={" + list(n.S[:]...) + "}"
	}
	if !bool(n.Visible) {
		set += " visible={false}"
	}
	w.line("<group %s>", set)
	w.depth++
	w.solid(n)
	w.letters(n)
	w.light(n.Light, i)
	w.camera(n.Camera)
	for _, k := range w.below[i] {
		w.node(k)
	}
	w.depth--
	w.line("</group>")
}

func (w *writer) solid(n *scene.Node) {
	if n.Geometry == nil || n.Material == nil {
		return
	}
	g, m := &w.s.Geometries[*n.Geometry], &w.s.Materials[*n.Material]
	if g.Kind == "model" {
		if g.Asset != nil {
			w.line("<modelFile args={[assets[%d], materials[%d], assets]} />", *g.Asset, *n.Material)
		}
		return
	}
	w.line("<mesh castShadow receiveShadow>")
	w.depth++
	w.geometry(g, m)
	w.material(m)
	w.depth--
	w.line("</mesh>")
}

// geometry is an element of the library where it has the same solid. Where a
// picture lies on a round one, its own start elsewhere.
func (w *writer) geometry(g *scene.Geometry, m *scene.Material) {
	plain, around := g.Stretch == (scene.UnitVec{1, 1, 1}), 32
	if len(g.Segments) > 0 && g.Segments[0] > 0 {
		around = g.Segments[0]
	}
	mapped := m.Maps != (scene.Maps{})
	switch {
	case plain && g.Kind == "box" && g.Size != nil:
		w.line("<boxGeometry args={%s} />", list(g.Size[:]...))
	case plain && g.Kind == "sphere" && !mapped:
		w.line("<sphereGeometry args={[%s, %d, %d]} />", f(g.Radius), around, max(2, around/2))
	case plain && g.Kind == "cylinder" && !mapped:
		w.line("<cylinderGeometry args={[%s, %s, %s, %d]} />", f(g.Radius), f(g.Radius), f(g.Height), around)
	case plain && g.Kind == "cone" && !mapped:
		w.line("<coneGeometry args={[%s, %s, %d]} />", f(g.Radius), f(g.Height), around)
	default:
		shape := "kind: " + text(g.Kind)
		if g.Size != nil {
			shape += ", size: " + list(g.Size[:]...)
		}
		for _, v := range []struct {
			name string
			x    float64
		}{{"radius", g.Radius}, {"tube", g.Tube}, {"height", g.Height}} {
			if v.x != 0 {
				shape += ", " + v.name + ": " + f(v.x)
			}
		}
		if len(g.Segments) > 0 {
			shape += ", segments: " + strings.ReplaceAll(fmt.Sprint(g.Segments), " ", ", ")
		}
		if !plain {
			shape += ", stretch: " + list(g.Stretch[:]...)
		}
		w.line("<solidGeometry args={[{ %s }]} />", shape)
	}
}

func (w *writer) material(m *scene.Material) {
	set := "color=" + text(colour(m.BaseColor))
	if a := float64(scene.RGBA(m.BaseColor)[3]) / 255; a < 1 {
		set += " opacity={" + f(a) + "}"
	}
	switch m.Alpha {
	case "blend":
		set += " transparent depthWrite={false}"
	case "mask":
		set += " alphaTest={0.5}"
	}
	if m.DoubleSided {
		set += " side={" + use(&w.three, "DoubleSide") + "}"
	}
	if m.Unlit && w.s.Environment.ToneMapping == "" {
		set += " toneMapped={false}"
	}
	kind, maps := "meshBasicMaterial", [][2]any{{"map", m.Maps.BaseColor}}
	if !m.Unlit {
		kind = "meshStandardMaterial"
		set += fmt.Sprintf(" metalness={%s} roughness={%s}", f(m.Metallic), f(float64(m.Roughness)))
		if m.Emissive != "" {
			set += fmt.Sprintf(" emissive=%s emissiveIntensity={%s}", text(colour(m.Emissive)), f(float64(m.EmissiveIntensity)))
		}
		if m.IOR != 1.5 {
			kind = "meshPhysicalMaterial"
			set += " ior={" + f(float64(m.IOR)) + "}"
		}
		set += " onBeforeCompile={" + use(&w.runtime, "mirror") + "}"
		maps = append(maps, [2]any{"normalMap", m.Maps.Normal}, [2]any{"metalnessMap", m.Maps.ORM}, [2]any{"roughnessMap", m.Maps.ORM}, [2]any{"emissiveMap", m.Maps.Emissive})
	}
	var pictures []string
	for _, p := range maps {
		name, at := p[0].(string), p[1].(*int)
		if at == nil || len(w.s.Assets[*at].Data) == 0 {
			continue
		}
		pictures = append(pictures, fmt.Sprintf("<assetTexture attach=%q args={[assets[%d], %t]} />", name, *at, name == "map" || name == "emissiveMap"))
	}
	if len(pictures) == 0 {
		w.line("<%s %s />", kind, set)
		return
	}
	w.line("<%s %s>", kind, set)
	w.depth++
	for _, p := range pictures {
		w.line("%s", p)
	}
	w.depth--
	w.line("</%s>", kind)
}

func (w *writer) letters(n *scene.Node) {
	t := n.Text
	if t == nil || t.Value == "" {
		return
	}
	ink, front := "#ffffff", ""
	if n.Material != nil {
		ink = colour(w.s.Materials[*n.Material].BaseColor)
	}
	if n.Geometry != nil {
		front = ", " + f(w.s.Geometries[*n.Geometry].Bounds()[2]/2+0.002)
	}
	value := "value: " + text(t.Value) + ", size: " + f(t.Size)
	if t.Align != "" {
		value += ", align: " + text(t.Align)
	}
	w.line("<lettering args={[{ %s }, %s%s]} />", value, text(ink), front)
}

func (w *writer) light(l *scene.Light, i int) {
	if l == nil {
		return
	}
	strength := float64(l.Intensity) * w.stage.Gain * neutral
	set := fmt.Sprintf("color=%s intensity={%s}", text(colour(l.Color)), f(strength))
	shadow := ""
	if l.Shadow || i == w.stage.Shadow {
		shadow = w.shadow(l.Type == "directional")
	}
	ahead := func() string { return " ref={" + use(&w.runtime, "ahead") + "} position={[0, 0, 0]}" }
	switch l.Type {
	case "ambient":
		w.line("<ambientLight %s />", set)
	case "hemisphere":
		w.line("<hemisphereLight color=%s groundColor=%s intensity={%s} position={[0, 0, 0]} />", text(colour(l.Color)), text(colour(l.Ground)), f(strength))
	case "directional":
		w.line("<directionalLight%s %s%s />", ahead(), set, shadow)
	case "spot", "area": // an area is a wide spot, as the renderer has it
		angle, soft := l.Angle, l.Penumbra
		if l.Type == "area" {
			angle, soft = 1.4, 0.6
		} else if angle == 0 {
			angle = 0.5
		}
		w.line("<spotLight%s %s distance={%s} angle={%s} penumbra={%s}%s />", ahead(), set, f(l.Range), f(angle), f(soft), shadow)
	default:
		w.line("<pointLight %s distance={%s}%s />", set, f(l.Range), shadow)
	}
}

// camera is the view of the scene, the first one; the others are kept.
func (w *writer) camera(c *scene.Camera) {
	if c == nil {
		return
	}
	first := ""
	if c.Resting {
		first = " userData={{ resting: true }}"
	} else if !w.looks {
		first = ` makeDefault={view === "scene"}`
		w.looks = true
	}
	planes := fmt.Sprintf("near={%s} far={%s}", f(c.Near), f(c.Far))
	if c.Ortho > 0 {
		w.tall = true
		w.line("<%s%s zoom={height / %s} %s />", use(&w.drei, "OrthographicCamera"), first, f(c.Ortho), planes)
		return
	}
	w.line("<%s%s fov={%s} %s />", use(&w.drei, "PerspectiveCamera"), first, f(math.Round(c.FOV*1.8e6/math.Pi)/1e4), planes)
}
