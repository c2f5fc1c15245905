package android

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// crowd is how many things one class makes: the size of a class is bounded.
const crowd = 40

type list = []any

// data is SceneData.kt: the things of the scene and the documents beside them.
func (w *writer) data(c *run.Compiled, name string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport meshd.stage.*\n\n", name)
	docs, err := w.documents(c)
	if err != nil {
		return "", err
	}
	gravity := scene.DefaultGravity
	if w.s.Environment.Gravity != nil {
		gravity = *w.s.Environment.Gravity
	}
	fmt.Fprintf(&b, "/** The scene that MainActivity shows. */\nval sceneData = SceneData(\n    name = %s,\n    things = %s,\n    prototypes = %s,\n    gravity = %s,\n",
		quoted(cmp.Or(w.s.Name, "Scene")), grouped("Things", w.shown), grouped("Prototypes", len(w.s.Nodes)-w.shown), xyz(gravity))
	fmt.Fprint(&b, "    program = Documents.program,\n    nodes = Documents.nodes,\n    tracks = Documents.tracks,\n    controls = Documents.controls,\n    glyphs = Documents.glyphs\n)\n")
	if err := w.things(&b, "Things", w.s.Nodes[:w.shown]); err != nil {
		return "", err
	}
	if err := w.things(&b, "Prototypes", w.s.Nodes[w.shown:]); err != nil {
		return "", err
	}
	b.WriteString("\n/** What happens, as program/1; the nodes as it sees them; key-frame animations; controls; letters by their numbers. */\nprivate object Documents {\n")
	for _, d := range docs {
		fmt.Fprintf(&b, "    val %s: String = %s\n", d.name, d.text)
	}
	b.WriteString("}\n")
	return b.String(), nil
}

// grouped is the list of all things of the objects of a name.
func grouped(name string, n int) string {
	var parts []string
	for g := range (n + crowd - 1) / crowd {
		parts = append(parts, fmt.Sprintf("%s%d.all", name, g))
	}
	return cmp.Or(strings.Join(parts, " +\n        "), "emptyList<Thing>()")
}

// things writes nodes into objects of a name.
func (w *writer) things(b *strings.Builder, name string, nodes []scene.Node) error {
	for i := range nodes {
		if i%crowd == 0 {
			fmt.Fprintf(b, "\nprivate object %s%d {\n    val all: List<Thing> = listOf(\n", name, i/crowd)
		}
		text, err := w.thing(&nodes[i])
		if err != nil {
			return err
		}
		end := ","
		if i%crowd == crowd-1 || i == len(nodes)-1 {
			end = "\n    )\n}"
		}
		fmt.Fprintf(b, "        // %s\n        %s%s\n", artefact.Readable(w.in.Source(nodes[i].Src)), text, end)
	}
	return nil
}

type named struct{ name, text string }

// documents are the tables that the program and the stage read.
func (w *writer) documents(c *run.Compiled) ([]named, error) {
	var program json.RawMessage
	nodes := list{}
	if !c.Program.Empty() {
		raw, err := c.Program.Encode()
		if err != nil {
			return nil, fmt.Errorf("encode program: %w", err)
		}
		program = raw
		for _, n := range c.Nodes {
			nodes = append(nodes, list{n.ID, n.Parent, n.Name, json.RawMessage(run.Show(n.Props))})
		}
	}
	tracks := list{}
	for i := range w.s.Animations {
		a := &w.s.Animations[i]
		if _, ok := w.index[a.Node]; ok && len(a.Keys) > 0 {
			tracks = append(tracks, list{a.Node, a.Property, a.Keys, a.Easing, a.Loop, a.Autoplay, a.PingPong})
		}
	}
	glyphs, err := w.glyphs(program)
	if err != nil {
		return nil, err
	}
	out := []named{{"program", `""`}, {"nodes", `""`}, {"tracks", `""`}, {"controls", `""`}, {"glyphs", `""`}}
	if program != nil {
		out[0].text = document(program)
	}
	for i, v := range map[int]any{1: nodes, 2: tracks, 3: w.s.UI, 4: glyphs} {
		if i == 1 && program == nil || i == 2 && len(tracks) == 0 || i == 3 && len(w.s.UI) == 0 || i == 4 && glyphs == nil {
			continue
		}
		var doc bytes.Buffer
		e := json.NewEncoder(&doc)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			return nil, fmt.Errorf("encode %s: %w", out[i].name, err)
		}
		out[i].text = document(bytes.TrimSpace(doc.Bytes()))
	}
	return out, nil
}

// thing is the expression that makes a node.
func (w *writer) thing(n *scene.Node) (string, error) {
	above := ""
	if n.Parent >= 0 {
		above = w.s.Nodes[n.Parent].ID
	}
	if w.d.immersed && n.S[0] != n.S[1] && !n.R.IsZero() {
		w.tally.Approximate(artefact.Nodes, n, "what is turned below unevenly scaled nodes is scaled along its own axes")
	}
	p := []string{quoted(n.ID), quoted(above), quoted(n.Name), xyz(n.T), vector("xyzw", n.R[0], n.R[1], n.R[2], n.R[3]), xyz(n.S)}
	set := func(key, text string) { p = append(p, key+" = "+text) }
	model, err := w.model(n)
	if err != nil {
		return "", err
	}
	if model != "" {
		set("model", quoted(model))
	}
	written, err := w.words(n)
	if err != nil {
		return "", err
	}
	if written != "" {
		set("words", quoted(written))
	}
	if !bool(n.Visible) {
		set("visible", "false")
	}
	if label := cmp.Or(n.Label, n.Alt); label != "" {
		set("label", quoted(label))
	}
	if low, high, ok := w.box(n); ok {
		set("box", vector("doubleArrayOf", append(low[:], high[:]...)...))
	}
	if len(n.Interact) > 0 {
		set("interact", quoted(strings.Join(n.Interact, " ")))
	}
	if n.Material != nil {
		m := &w.s.Materials[*n.Material]
		set("look", fmt.Sprintf("Look(%s, %s, %s, %s, %s)", quoted(m.BaseColor), quoted(cmp.Or(m.Emissive, scene.Black)), number(float64(m.EmissiveIntensity)), number(m.Metallic), number(float64(m.Roughness))))
	}
	if l := n.Light; l != nil {
		set("lamp", fmt.Sprintf("Lamp(%s, %s, %s, %s, %s, %s, %t)", quoted(l.Type), quoted(cmp.Or(l.Color, scene.White)), number(float64(l.Intensity)), number(l.Range), number(cmp.Or(l.Angle, 0.5)), number(l.Penumbra), l.Shadow))
	}
	if a := n.Audio; a != nil && a.Asset != nil {
		if path, ok := w.asset(*a.Asset); ok {
			set("sound", fmt.Sprintf("Sound(%s, %s, %t, %t, %s, %s)", quoted(path), number(float64(a.Volume)), a.Loop, a.Autoplay, number(a.Min), number(cmp.Or(a.Max, 30))))
		}
	}
	if b := body(n); b != "" {
		set("body", b)
	}
	if t := n.Text; t != nil {
		ink := w.s.Ink(n)
		set("letters", fmt.Sprintf("Letters(%s, %s, %s, %s)", number(t.Size), quoted(cmp.Or(t.Align, "center")), quoted(ink), number(w.front(n))))
	}
	if kind := w.surface(n); kind != "" {
		set("anchor", quoted(kind))
	}
	return "Thing(" + strings.Join(p, ", ") + ")", nil
}

// body is what bumps of a node.
func body(n *scene.Node) string {
	c := n.Collider
	if c == nil {
		return ""
	}
	kind, friction, bounce, weight, mass := "static", 0.5, 0.0, 1.0, 1.0
	if b := n.Body; b != nil {
		kind, friction, bounce, weight, mass = b.Type, float64(b.Friction), b.Restitution, float64(b.Gravity), float64(b.Mass)
	}
	if n.Joint != nil {
		kind = "kinematic" // what hangs on a joint is held in its place
	}
	return fmt.Sprintf("Body(%s, %s, %s, %t, %t, %s, %s, %s, %s)", quoted(kind), xyz(c.Size), xyz(c.Center), c.Trigger, c.Shape == "plane", number(friction), number(bounce), number(weight), number(mass))
}

// front is how far before the middle of a node its letters stand.
func (w *writer) front(n *scene.Node) float64 {
	if n.Geometry == nil {
		return 0
	}
	return short(w.s.Geometries[*n.Geometry].Bounds()[2]/2 + 0.001)
}

// box is what a pointer finds of a node: the box around what is seen of it.
func (w *writer) box(n *scene.Node) (low, high [3]float64, ok bool) {
	var size scene.Vec
	switch {
	case n.Geometry != nil:
		size = w.s.Geometries[*n.Geometry].Bounds()
	case n.Text != nil:
		wide, tall := shape.Extent(n.Text.Value, n.Text.Size)
		size = scene.Vec{wide, tall, 0.01}
	default:
		return low, high, false
	}
	for k := range 3 {
		high[k] = short(max(size[k], 0.01) / 2)
		low[k] = -high[k]
	}
	return low, high, true
}

// surface is the kind of surface in the room that a node asks to stand on.
func (w *writer) surface(n *scene.Node) string {
	for _, t := range n.Traits {
		switch e, ok := w.in.Registry.Lookup(t.Name); {
		case !ok || !slices.Contains(e.Lowers, "xr"):
			continue
		case t.Name != "anchor":
			if strings.HasSuffix(t.Name, "_only") {
				continue // was judged when the scene was built
			}
			w.tally.Approximate(artefact.XR, n, "surfaces, pointing and grabbing are the device's; ways to walk about and things that follow a hand are kept in the program only")
			continue
		}
		switch kind := field(t.Params, "type"); kind {
		case "plane":
			w.anchor = true
			switch side := field(t.Params, "plane", "alignment", "surface"); side {
			case "vertical", "wall":
				return "vertical"
			case "ceiling":
				return "ceiling"
			case "any":
				return "any"
			}
			return "horizontal"
		case "image", "face", "geo":
			w.tally.Approximate(artefact.XR, n, "anchors on pictures, faces and places of the earth stand where the scene has them")
		}
	}
	return ""
}

func field(v scene.Value, keys ...string) string {
	for _, k := range keys {
		for _, f := range v.Fields {
			if f.Key == k && (f.Value.Kind == trait.Text || f.Value.Kind == trait.Word) {
				return f.Value.Str
			}
		}
	}
	return ""
}
