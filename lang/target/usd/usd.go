// Package usd writes USD as text (scene.usda) and as a package of one layer
// (scene.usdz): a tree of Xforms in metres with Y up, meshes with bound preview
// surfaces, lights, cameras, rigid bodies and the movement of nodes.
package usd

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// framesPerSecond is the time code of the layer.
const framesPerSecond = 60

// Text makes scene.usda.
func Text(in *artefact.Input) (*artefact.Output, error) {
	w, err := write(in)
	if err != nil {
		return nil, err
	}
	return w.output(artefact.File{Path: "scene.usda", MediaType: "model/vnd.usda", Data: w.b.Bytes()}), nil
}

type writer struct {
	in       *artefact.Input
	s        *scene.Scene
	b        bytes.Buffer
	depth    int
	children [][]int
	hidden   []bool
	tally    *artefact.Tally
	places   []artefact.Place
	notes    []artefact.Note
	tracks   map[int][]*scene.Animation
	end      float64 // seconds of the longest animation
}

func write(in *artefact.Input) (*writer, error) {
	w := &writer{in: in, s: in.Scene, tally: artefact.NewTally(in), tracks: map[int][]*scene.Animation{}}
	if len(w.s.Nodes) == 0 {
		return nil, artefact.Nothing(in.Target, "at least one node")
	}
	children, roots := artefact.Tree(w.s)
	w.children, w.hidden = children, artefact.Hidden(w.s)
	w.animations()
	w.raw("#usda 1.0\n(\n")
	w.raw("    defaultPrim = \"World\"\n    doc = %s\n    metersPerUnit = 1\n    upAxis = \"Y\"\n", quote(in.Header()))
	if w.end > 0 {
		w.raw("    startTimeCode = 0\n    endTimeCode = %s\n    timeCodesPerSecond = %d\n", num(w.end*framesPerSecond), framesPerSecond)
	}
	w.raw(")\n\n")
	w.line(`def Xform "World" (`)
	w.line(`    kind = "assembly"`)
	w.line(`)`)
	w.open()
	w.materials()
	if g := w.s.Environment.Gravity; g != nil || w.anyBody() {
		v := scene.DefaultGravity
		if g != nil {
			v = *g
		}
		size := math.Sqrt(float64(v[0]*v[0]) + float64(v[1]*v[1]) + float64(v[2]*v[2]))
		w.line(`def PhysicsScene "Physics"`)
		w.open()
		if size > 0 {
			w.line(`vector3f physics:gravityDirection = (%s, %s, %s)`, num(v[0]/size), num(v[1]/size), num(v[2]/size))
		}
		w.line(`float physics:gravityMagnitude = %s`, num(size))
		w.close()
	}
	w.sky()
	names := namer{}
	for _, i := range roots {
		if err := w.node(i, "/World", names); err != nil {
			return nil, err
		}
	}
	w.close()
	return w, nil
}

func (w *writer) anyBody() bool {
	return slices.ContainsFunc(w.s.Nodes, func(n scene.Node) bool { return n.Body != nil })
}

func (w *writer) output(files ...artefact.File) *artefact.Output {
	return &artefact.Output{Files: files, Places: w.places, Losses: w.tally.All(), Notes: w.notes}
}

func (w *writer) raw(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

func (w *writer) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("    ", w.depth))
	fmt.Fprintf(&w.b, format+"\n", args...)
}

func (w *writer) open() { w.line("{"); w.depth++ }

func (w *writer) close() { w.depth--; w.line("}") }

func num(x float64) string { return artefact.Float(x) }

// quote writes a string literal.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ' || r == 0x7f:
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// namer makes names of prims that are free among their siblings.
type namer map[string]int

func (t namer) name(s, fallback string) string {
	var b strings.Builder
	for _, r := range s {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
		}
	}
	name := b.String()
	if strings.Trim(name, "_") == "" {
		name = fallback
	}
	if name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	free := name
	for t[free] > 0 { // the lower numbers were taken before
		t[name]++
		free = name + "_" + strconv.Itoa(t[name])
	}
	t[free]++
	return free
}

func (w *writer) materials() {
	if len(w.s.Materials) == 0 {
		return
	}
	w.line(`def Scope "Materials"`)
	w.open()
	for i := range w.s.Materials {
		m := &w.s.Materials[i]
		c := scene.LinearRGBA(m.BaseColor)
		w.line(`def Material "m%d"`, i)
		w.open()
		w.line(`token outputs:surface.connect = </World/Materials/m%d/surface.outputs:surface>`, i)
		w.line(`def Shader "surface"`)
		w.open()
		w.line(`uniform token info:id = "UsdPreviewSurface"`)
		w.line(`color3f inputs:diffuseColor = (%s, %s, %s)`, num(c[0]), num(c[1]), num(c[2]))
		w.line(`float inputs:metallic = %s`, num(m.Metallic))
		w.line(`float inputs:roughness = %s`, num(float64(m.Roughness)))
		w.line(`float inputs:opacity = %s`, num(c[3]))
		w.line(`float inputs:ior = %s`, num(float64(m.IOR)))
		if m.Emissive != "" {
			e := scene.LinearRGBA(m.Emissive)
			k := float64(m.EmissiveIntensity)
			w.line(`color3f inputs:emissiveColor = (%s, %s, %s)`, num(e[0]*k), num(e[1]*k), num(e[2]*k))
		}
		w.line(`token outputs:surface`)
		w.close()
		w.close()
		for _, a := range []*int{m.Maps.BaseColor, m.Maps.Normal, m.Maps.ORM, m.Maps.Emissive} {
			if a != nil {
				w.notes = append(w.notes, artefact.Note{Code: "TGT006", Src: scene.Src{0, 1, 1}, Slots: []string{w.s.Assets[*a].Path}})
			}
		}
	}
	w.close()
}

func (w *writer) sky() {
	a := scene.DefaultAmbient
	if w.s.Environment.Ambient != nil {
		a = *w.s.Environment.Ambient
	}
	if a.Intensity <= 0 {
		return
	}
	c := scene.LinearRGBA(a.Color)
	w.line(`def DomeLight "Ambient"`)
	w.open()
	w.line(`color3f inputs:color = (%s, %s, %s)`, num(c[0]), num(c[1]), num(c[2]))
	w.line(`float inputs:intensity = %s`, num(a.Intensity))
	w.close()
}

func (w *writer) node(i int, above string, names namer) error {
	w.in.Pause()
	n := &w.s.Nodes[i]
	name := names.name(n.Name, n.Kind)
	path := above + "/" + name
	w.places = append(w.places, artefact.Place{ID: n.ID, Place: path})
	if n.Name != "" && n.Name != name {
		w.notes = append(w.notes, artefact.Note{Code: "TGT007", Src: n.Src, Slots: []string{n.Name, name, w.in.Target}})
	}
	var schemas []string
	if n.Body != nil && n.Body.Type != "static" {
		schemas = append(schemas, "PhysicsRigidBodyAPI", "PhysicsMassAPI")
	}
	w.line(`def Xform "%s" (`, name)
	w.line(`    customData = {`)
	w.line(`        string id = %s`, quote(n.ID))
	w.line(`        string source = %s`, quote(w.in.Source(n.Src)))
	if len(n.Traits) > 0 {
		var t []string
		for _, u := range n.Traits {
			t = append(t, quote(u.Name))
		}
		w.line(`        string[] traits = [%s]`, strings.Join(t, ", "))
	}
	w.line(`    }`)
	if schemas != nil {
		w.line(`    prepend apiSchemas = ["%s"]`, strings.Join(schemas, `", "`))
	}
	w.line(`)`)
	w.open()
	if !bool(n.Visible) {
		w.line(`token visibility = "invisible"`)
	}
	if schemas != nil {
		w.line(`bool physics:kinematicEnabled = %s`, strconv.Itoa(flag(n.Body.Type == "kinematic")))
		w.line(`float physics:mass = %s`, num(float64(n.Body.Mass)))
	}
	w.transform(i, n)
	inner := namer{}
	if err := w.solid(n, inner); err != nil {
		return err
	}
	w.light(n, inner)
	w.camera(n, inner)
	for _, c := range w.children[i] {
		if err := w.node(c, path, inner); err != nil {
			return err
		}
	}
	w.close()
	return nil
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (w *writer) transform(i int, n *scene.Node) {
	var ops []string
	var moves, turns, sizes *scene.Animation
	for _, a := range w.tracks[i] {
		switch a.Property[0] {
		case 't':
			moves = a
		case 'r':
			turns = a
		case 's':
			sizes = a
		}
	}
	if n.T != (scene.Vec{}) || moves != nil {
		ops = append(ops, `"xformOp:translate"`)
		w.line(`double3 xformOp:translate = (%s, %s, %s)`, num(n.T[0]), num(n.T[1]), num(n.T[2]))
		w.samples("double3 xformOp:translate", moves, [3]float64(n.T))
	}
	if !n.R.IsZero() || turns != nil {
		ops = append(ops, `"xformOp:orient"`)
		w.line(`quatf xformOp:orient = (%s, %s, %s, %s)`, num(n.R[3]), num(n.R[0]), num(n.R[1]), num(n.R[2]))
		w.samples("quatf xformOp:orient", turns, [3]float64{})
	}
	if !n.S.IsZero() || sizes != nil {
		ops = append(ops, `"xformOp:scale"`)
		w.line(`float3 xformOp:scale = (%s, %s, %s)`, num(n.S[0]), num(n.S[1]), num(n.S[2]))
		w.samples("float3 xformOp:scale", sizes, [3]float64(n.S))
	}
	if ops != nil {
		w.line(`uniform token[] xformOpOrder = [%s]`, strings.Join(ops, ", "))
	}
}

// samples are the keys of a movement as time samples.
func (w *writer) samples(what string, a *scene.Animation, base [3]float64) {
	if a == nil {
		return
	}
	w.line(`%s.timeSamples = {`, what)
	for _, k := range a.Keys {
		v := base
		switch {
		case a.Property == "r":
			w.line(`    %s: (%s, %s, %s, %s),`, num(k[0]*framesPerSecond), num(k[4]), num(k[1]), num(k[2]), num(k[3]))
			continue
		case len(k) == 4:
			v = [3]float64{k[1], k[2], k[3]}
		case len(a.Property) == 3:
			v[a.Property[2]-'x'] = k[1]
		}
		w.line(`    %s: (%s, %s, %s),`, num(k[0]*framesPerSecond), num(v[0]), num(v[1]), num(v[2]))
	}
	w.line(`}`)
}

// animations sorts what moves by node.
func (w *writer) animations() {
	index := map[string]int{}
	for i := range w.s.Nodes {
		index[w.s.Nodes[i].ID] = i
	}
	for k := range w.s.Animations {
		a := &w.s.Animations[k]
		i, ok := index[a.Node]
		if !ok {
			continue
		}
		n := &w.s.Nodes[i]
		if !strings.ContainsRune("trs", rune(a.Property[0])) || len(a.Property) == 2 || len(a.Property) > 3 {
			w.tally.Drop(artefact.Animations, n, "only places, turns and sizes move")
			continue
		}
		if slices.ContainsFunc(w.tracks[i], func(o *scene.Animation) bool { return o.Property[0] == a.Property[0] }) {
			w.tally.Drop(artefact.Animations, n, "two animations of one property cannot be in one file")
			continue
		}
		if a.Easing != "" {
			w.tally.Approximate(artefact.Animations, n, "eased movements become straight ones between their keys")
		}
		w.tracks[i] = append(w.tracks[i], a)
		w.end = max(w.end, a.Keys[len(a.Keys)-1][0])
	}
}

func (w *writer) solid(n *scene.Node, names namer) error {
	if n.Material == nil {
		return nil
	}
	if n.Geometry != nil {
		g := &w.s.Geometries[*n.Geometry]
		if g.Kind == "model" {
			path := w.s.Assets[*g.Asset].Path
			w.line(`custom string model = %s`, quote(path))
			w.tally.Approximate(artefact.Models, n, "model files are named and not merged into the layer")
			w.notes = append(w.notes, artefact.Note{Code: "TGT006", Src: n.Src, Slots: []string{path}})
			return nil
		}
		m := g.Mesh()
		w.mesh(n, m, names.name("Mesh", "Mesh"), n.Collider != nil, "")
	}
	if n.Text != nil {
		m, ink := w.s.Letters(n)
		if n.Geometry == nil {
			ink = ""
		}
		if len(m.Indices) > 0 {
			w.mesh(n, m, names.name("Letters", "Letters"), false, ink)
		}
	}
	return nil
}

func (w *writer) mesh(n *scene.Node, m *shape.Mesh, name string, collides bool, ink string) {
	schemas := []string{}
	if ink == "" {
		schemas = append(schemas, "MaterialBindingAPI")
	}
	if collides {
		schemas = append(schemas, "PhysicsCollisionAPI", "PhysicsMeshCollisionAPI")
	}
	if len(schemas) > 0 {
		w.line(`def Mesh "%s" (`, name)
		w.line(`    prepend apiSchemas = ["%s"]`, strings.Join(schemas, `", "`))
		w.line(`)`)
	} else {
		w.line(`def Mesh "%s"`, name)
	}
	w.open()
	w.line(`uniform token subdivisionScheme = "none"`)
	if w.s.Materials[*n.Material].DoubleSided {
		w.line(`uniform bool doubleSided = 1`)
	}
	if collides {
		w.line(`uniform token physics:approximation = "convexHull"`)
	}
	lo, hi := m.Positions[0], m.Positions[0]
	for _, p := range m.Positions {
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	w.line(`float3[] extent = [%s, %s]`, triple(lo), triple(hi))
	w.list("int[] faceVertexCounts", m.Triangles(), func(int) string { return "3" })
	w.list("int[] faceVertexIndices", len(m.Indices), func(i int) string { return strconv.Itoa(int(m.Indices[i])) })
	w.list("point3f[] points", len(m.Positions), func(i int) string { return triple(m.Positions[i]) })
	w.list("normal3f[] normals", len(m.Normals), func(i int) string { return triple(m.Normals[i]) })
	w.b.Truncate(w.b.Len() - 1)
	w.raw(" (\n")
	w.line(`    interpolation = "vertex"`)
	w.line(`)`)
	if len(m.UVs) == len(m.Positions) {
		w.list("texCoord2f[] primvars:st", len(m.UVs), func(i int) string {
			return "(" + num(float64(m.UVs[i][0])) + ", " + num(float64(m.UVs[i][1])) + ")"
		})
		w.b.Truncate(w.b.Len() - 1)
		w.raw(" (\n")
		w.line(`    interpolation = "vertex"`)
		w.line(`)`)
	}
	if ink == "" {
		w.line(`rel material:binding = </World/Materials/m%d>`, *n.Material)
	} else {
		c := scene.LinearRGBA(ink)
		w.line(`color3f[] primvars:displayColor = [(%s, %s, %s)]`, num(c[0]), num(c[1]), num(c[2]))
	}
	w.close()
}

func triple(p [3]float32) string {
	return "(" + num(float64(p[0])) + ", " + num(float64(p[1])) + ", " + num(float64(p[2])) + ")"
}

func (w *writer) list(what string, n int, at func(int) string) {
	w.b.WriteString(strings.Repeat("    ", w.depth) + what + " = [")
	for i := range n {
		if i > 0 {
			w.b.WriteString(", ")
		}
		w.b.WriteString(at(i))
	}
	w.b.WriteString("]\n")
}

func (w *writer) light(n *scene.Node, names namer) {
	l := n.Light
	if l == nil {
		return
	}
	kind := map[string]string{"directional": "DistantLight", "point": "SphereLight", "spot": "SphereLight", "area": "RectLight", "ambient": "DomeLight", "hemisphere": "DomeLight"}[l.Type]
	c := scene.LinearRGBA(l.Color)
	if l.Type == "spot" {
		w.line(`def %s "%s" (`, kind, names.name("Light", "Light"))
		w.line(`    prepend apiSchemas = ["ShapingAPI"]`)
		w.line(`)`)
	} else {
		w.line(`def %s "%s"`, kind, names.name("Light", "Light"))
	}
	w.open()
	w.line(`color3f inputs:color = (%s, %s, %s)`, num(c[0]), num(c[1]), num(c[2]))
	w.line(`float inputs:intensity = %s`, num(float64(l.Intensity)*lightScale))
	switch l.Type {
	case "point", "spot":
		w.line(`float inputs:radius = 0.05`)
		w.line(`bool treatAsPoint = 1`)
	case "area":
		w.line(`float inputs:width = %s`, num(l.Width))
		w.line(`float inputs:height = %s`, num(l.Height))
	case "hemisphere":
		w.tally.Approximate(artefact.Lights, n, "the light from below has the colour of that from above")
	}
	if l.Type == "spot" {
		w.line(`float inputs:shaping:cone:angle = %s`, num(l.Angle*180/math.Pi))
		w.line(`float inputs:shaping:cone:softness = %s`, num(l.Penumbra))
	}
	w.close()
}

// lightScale brings relative intensities to those of the format.
const lightScale = 3

func (w *writer) camera(n *scene.Node, names namer) {
	c := n.Camera
	if c == nil {
		return
	}
	w.line(`def Camera "%s"`, names.name("Camera", "Camera"))
	w.open()
	w.line(`float2 clippingRange = (%s, %s)`, num(c.Near), num(c.Far))
	if c.Ortho > 0 {
		w.line(`token projection = "orthographic"`)
		w.line(`float verticalAperture = %s`, num(c.Ortho*10))
		w.line(`float horizontalAperture = %s`, num(c.Ortho*10*16/9))
	} else {
		const aperture = 24.0
		half := c.FOV / 2
		w.line(`token projection = "perspective"`)
		w.line(`float focalLength = %s`, num(aperture/2/vec.Tan(half)))
		w.line(`float verticalAperture = %s`, num(aperture))
		w.line(`float horizontalAperture = %s`, num(aperture*16/9))
	}
	w.close()
}
