// Package x3d writes scenes as X3D 4.0 in its XML encoding: a tree of Transforms
// that have the ids of the nodes as their DEF names.
package x3d

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// farthest is the reach of a light that names none, in metres.
const farthest = 100

// Text makes scene.x3d.
func Text(in *artefact.Input) (*artefact.Output, error) {
	w := &writer{in: in, s: in.Scene, tally: artefact.NewTally(in), world: artefact.World(in.Scene), meshes: map[int]*shape.Mesh{}}
	var roots []int
	w.below, roots = artefact.Tree(in.Scene)
	w.d.Begin(in.Header())
	w.d.Open("X3D", "profile", "Full", "version", "4.0", "xmlns:xsd", "http://www.w3.org/2001/XMLSchema-instance",
		"xsd:noNamespaceSchemaLocation", "https://www.web3d.org/specifications/x3d-4.0.xsd")
	w.d.Open("head")
	w.d.Empty("meta", "name", "title", "content", artefact.OneLine(cmp.Or(w.s.Name, "scene")))
	w.d.Empty("meta", "name", "generator", "content", in.Header())
	w.d.Close("head")
	w.d.Open("Scene")
	w.surroundings()
	for _, i := range roots {
		if err := w.node(i); err != nil {
			return nil, err
		}
	}
	w.animations()
	w.d.Close("Scene")
	w.d.Close("X3D")
	if len(w.s.Timelines) > 0 {
		w.tally.Drop(artefact.Animations, nil, "timelines are left out")
	}
	return &artefact.Output{
		Files:  []artefact.File{{Path: "scene.x3d", MediaType: "model/x3d+xml", Data: w.d.Bytes()}},
		Places: w.places, Losses: w.tally.All(), Notes: w.notes,
	}, nil
}

type writer struct {
	in     *artefact.Input
	s      *scene.Scene
	d      artefact.XML
	tally  *artefact.Tally
	world  []vec.Mat
	below  [][]int
	meshes map[int]*shape.Mesh
	places []artefact.Place
	notes  []artefact.Note
}

var f = artefact.Float

func numbers(list ...float64) string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return strings.Join(out, " ")
}

// strings in a field of several are quoted.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(artefact.OneLine(s)) + `"`
}

// shown is a colour as it is seen, linear one as it is reckoned with.
func shown(c string) string {
	b := scene.RGBA(c)
	return numbers(float64(b[0])/255, float64(b[1])/255, float64(b[2])/255)
}

func linear(c string, k float64) string {
	l := scene.LinearRGBA(c)
	return numbers(min(l[0]*k, 1), min(l[1]*k, 1), min(l[2]*k, 1))
}

// turned is a unit quaternion as axis and angle.
func turned(q [4]float64) string {
	long := math.Sqrt(float64(q[0]*q[0]) + float64(q[1]*q[1]) + float64(q[2]*q[2]))
	if long < 1e-9 {
		return "0 0 1 0"
	}
	angle := math.Round(2*math.Atan2(long, q[3])*1e6) / 1e6 // where two machines agree
	return numbers(q[0]/long, q[1]/long, q[2]/long, angle)
}

func (w *writer) surroundings() {
	e := &w.s.Environment
	lit := false
	for i := range w.s.Nodes {
		lit = lit || w.s.Nodes[i].Light != nil
	}
	w.d.Empty("NavigationInfo", "type", `"EXAMINE" "WALK" "ANY"`, "headlight", strconv.FormatBool(!lit))
	switch n := len(e.Sky.Colors); {
	case n == 1:
		w.d.Empty("Background", "skyColor", shown(e.Sky.Colors[0]))
	case n > 1:
		var colors, angles []string
		for i, c := range e.Sky.Colors {
			colors = append(colors, shown(c))
			if i > 0 {
				angles = append(angles, f(math.Pi*float64(i)/float64(n-1)))
			}
		}
		w.d.Empty("Background", "skyColor", strings.Join(colors, " "), "skyAngle", strings.Join(angles, " "))
	}
	if e.Fog != nil && e.Fog.Density > 0 {
		w.d.Empty("Fog", "fogType", "EXPONENTIAL", "color", shown(e.Fog.Color), "visibilityRange", f(2/e.Fog.Density))
	}
}

func (w *writer) node(i int) error {
	w.in.Pause()
	n := &w.s.Nodes[i]
	w.places = append(w.places, artefact.Place{ID: n.ID, Place: "DEF " + n.ID})
	w.d.Comment(w.in.Source(n.Src))
	if !bool(n.Visible) {
		w.d.Open("Switch", "whichChoice", "-1")
	}
	set := []string{"DEF", n.ID}
	if n.T != (scene.Vec{}) {
		set = append(set, "translation", numbers(n.T[:]...))
	}
	if r := turned(n.R); r != "0 0 1 0" {
		set = append(set, "rotation", r)
	}
	if n.S != (scene.UnitVec{1, 1, 1}) {
		set = append(set, "scale", numbers(n.S[:]...))
	}
	w.d.Open("Transform", set...)
	if err := w.facts(n); err != nil {
		return err
	}
	if len(n.Interact) > 0 {
		w.d.Empty("TouchSensor", "description", artefact.OneLine(cmp.Or(n.Label, n.Alt, n.Name, n.Path)))
	}
	if err := w.solids(n, i); err != nil {
		return err
	}
	w.light(n)
	w.camera(n)
	w.sound(n)
	for _, k := range w.below[i] {
		if err := w.node(k); err != nil {
			return err
		}
	}
	w.d.Close("Transform")
	if !bool(n.Visible) {
		w.d.Close("Switch")
	}
	return nil
}

// facts are the path and the traits of a node as metadata.
func (w *writer) facts(n *scene.Node) error {
	w.d.Open("MetadataSet", "name", "meshd", "containerField", "metadata")
	say := func(name, value string) {
		w.d.Empty("MetadataString", "name", name, "value", quoted(value), "containerField", "value")
	}
	say("path", n.Path)
	if n.Text != nil {
		say("text", n.Text.Value)
	}
	for _, t := range n.Traits {
		params, err := json.Marshal(t.Params)
		if err != nil {
			return fmt.Errorf("encode trait %s: %w", t.Name, err)
		}
		say("@"+t.Name, string(params))
	}
	w.d.Close("MetadataSet")
	return nil
}

// solids are the body of a node and the letters on it.
func (w *writer) solids(n *scene.Node, i int) error {
	if n.Material == nil {
		return nil
	}
	m := &w.s.Materials[*n.Material]
	solid := strconv.FormatBool(!m.DoubleSided && w.world[i].Det() > 0)
	if n.Geometry != nil {
		g := &w.s.Geometries[*n.Geometry]
		if g.Kind == "model" {
			path := w.s.Assets[*g.Asset].Path
			w.d.Empty("Inline", "url", quoted(path))
			w.notes = append(w.notes, artefact.Note{Code: "TGT006", Src: n.Src, Slots: []string{path}})
		} else {
			w.d.Open("Shape")
			w.appearance(n.ID, m)
			if err := w.geometry(*n.Geometry, g, solid); err != nil {
				return err
			}
			w.d.Close("Shape")
		}
	}
	if n.Text != nil {
		mesh, ink := w.s.Letters(n)
		if mesh == nil || len(mesh.Indices) == 0 {
			return nil
		}
		w.d.Open("Shape")
		if n.Geometry == nil {
			w.appearance(n.ID, m)
		} else {
			w.d.Open("Appearance")
			w.d.Empty("UnlitMaterial", "emissiveColor", linear(ink, 1))
			w.d.Close("Appearance")
		}
		if err := w.mesh(mesh, "false"); err != nil {
			return err
		}
		w.d.Close("Shape")
	}
	return nil
}

// appearance is the surface of a node. Each has its own, so that an animation
// changes no other.
func (w *writer) appearance(id string, m *scene.Material) {
	c := scene.LinearRGBA(m.BaseColor)
	w.d.Open("Appearance")
	set := []string{"DEF", "surface_" + id}
	if m.Unlit {
		set = append(set, "emissiveColor", linear(m.BaseColor, 1))
	} else {
		set = append(set, "baseColor", linear(m.BaseColor, 1), "metallic", f(m.Metallic), "roughness", f(float64(m.Roughness)))
		if m.Emissive != "" {
			set = append(set, "emissiveColor", linear(m.Emissive, float64(m.EmissiveIntensity)))
		}
	}
	if clear := 1 - float64(c[3])*(1-min(max(m.Transmission, 0), 1)); clear > 0 {
		set = append(set, "transparency", f(clear))
	}
	if m.Unlit {
		w.d.Empty("UnlitMaterial", set...)
	} else {
		w.d.Empty("PhysicalMaterial", set...)
	}
	if k := m.Maps.BaseColor; k != nil {
		w.texture(*k)
	}
	w.d.Close("Appearance")
}

// texture is the picture of a surface; one that came with the source stands in
// the file itself.
func (w *writer) texture(k int) {
	a := &w.s.Assets[k]
	url := a.Path
	if len(a.Data) > 0 && (a.MediaType == "image/png" || a.MediaType == "image/jpeg") {
		url = "data:" + a.MediaType + ";base64," + base64.StdEncoding.EncodeToString(a.Data)
	} else {
		w.notes = append(w.notes, artefact.Note{Code: "TGT006", Src: scene.Src{0, 1, 1}, Slots: []string{url}})
	}
	w.d.Empty("ImageTexture", "url", quoted(url))
}

func (w *writer) geometry(k int, g *scene.Geometry, solid string) error {
	if g.Stretch == (scene.UnitVec{1, 1, 1}) {
		switch {
		case g.Kind == "box" && g.Size != nil && min(g.Size[0], g.Size[1], g.Size[2]) > 0:
			w.d.Empty("Box", "size", numbers(g.Size[:]...), "solid", solid)
			return nil
		case g.Kind == "sphere" && g.Radius > 0:
			w.d.Empty("Sphere", "radius", f(g.Radius), "solid", solid)
			return nil
		case g.Kind == "cylinder" && g.Radius > 0 && g.Height > 0:
			w.d.Empty("Cylinder", "radius", f(g.Radius), "height", f(g.Height), "solid", solid)
			return nil
		case g.Kind == "cone" && g.Radius > 0 && g.Height > 0:
			w.d.Empty("Cone", "bottomRadius", f(g.Radius), "height", f(g.Height), "solid", solid)
			return nil
		}
	}
	if w.meshes[k] == nil {
		w.meshes[k] = g.Mesh()
	}
	return w.mesh(w.meshes[k], solid)
}

func (w *writer) mesh(m *shape.Mesh, solid string) error {
	if m == nil {
		return nil
	}
	index := make([]string, len(m.Indices))
	for i, k := range m.Indices {
		index[i] = strconv.Itoa(int(k))
	}
	w.d.Open("IndexedTriangleSet", "solid", solid, "index", strings.Join(index, " "))
	w.d.Empty("Coordinate", "point", triples(m.Positions))
	w.d.Empty("Normal", "vector", triples(m.Normals))
	if len(m.UVs) == len(m.Positions) {
		var b strings.Builder
		for i, t := range m.UVs {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(numbers(float64(t[0]), float64(t[1])))
		}
		w.d.Empty("TextureCoordinate", "point", b.String())
	}
	w.d.Close("IndexedTriangleSet")
	return nil
}

func triples(list [][3]float32) string {
	var b strings.Builder
	for i, p := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(numbers(float64(p[0]), float64(p[1]), float64(p[2])))
	}
	return b.String()
}

func (w *writer) light(n *scene.Node) {
	l := n.Light
	if l == nil {
		return
	}
	set := []string{"DEF", "light_" + n.ID, "color", shown(l.Color), "intensity", f(float64(l.Intensity)), "global", "true"}
	reach := l.Range
	if reach <= 0 {
		reach = farthest
	}
	switch l.Type {
	case "directional":
		w.d.Empty("DirectionalLight", append(set, "direction", "0 0 -1")...)
	case "spot":
		edge := l.Angle
		if edge <= 0 || edge > 1.57 {
			edge = 1.57
		}
		w.d.Empty("SpotLight", append(set, "direction", "0 0 -1", "attenuation", "0 0 1", "radius", f(reach), "cutOffAngle", f(edge), "beamWidth", f(edge*(1-min(max(l.Penumbra, 0), 1))))...)
	case "ambient", "hemisphere":
		w.tally.Drop(artefact.Lights, n, "light from everywhere is left out")
	default:
		if l.Type == "area" {
			w.tally.Approximate(artefact.Lights, n, "area lights become point lights")
		}
		w.d.Empty("PointLight", append(set, "attenuation", "0 0 1", "radius", f(reach))...)
	}
}

func (w *writer) camera(n *scene.Node) {
	c := n.Camera
	if c == nil {
		return
	}
	set := []string{"description", artefact.OneLine(cmp.Or(n.Label, n.Name, "camera")), "position", "0 0 0", "nearDistance", f(c.Near), "farDistance", f(c.Far)}
	if c.Ortho > 0 {
		h := c.Ortho / 2
		w.d.Empty("OrthoViewpoint", append(set, "fieldOfView", numbers(-h, -h, h, h))...)
		return
	}
	w.d.Empty("Viewpoint", append(set, "fieldOfView", f(c.FOV))...)
}

func (w *writer) sound(n *scene.Node) {
	a := n.Audio
	if a == nil || a.Asset == nil {
		return
	}
	path := w.s.Assets[*a.Asset].Path
	near, far := max(a.Min, 0.01), max(a.Max, a.Min, 0.02)
	w.d.Open("Sound", "intensity", f(min(float64(a.Volume), 1)), "minFront", f(near), "minBack", f(near), "maxFront", f(far), "maxBack", f(far))
	w.d.Empty("AudioClip", "url", quoted(path), "loop", strconv.FormatBool(a.Loop), "description", artefact.OneLine(cmp.Or(n.Label, n.Name, n.Path)))
	w.d.Close("Sound")
	w.notes = append(w.notes, artefact.Note{Code: "TGT006", Src: n.Src, Slots: []string{path}})
}
