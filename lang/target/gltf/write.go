// Package gltf writes glTF 2.0: one binary file (glb), or JSON beside a buffer
// (gltf). Metres, Y up and right-handed as in the model; colours become linear
// factors; traits, ids and what glTF has no place for stand in extras.
package gltf

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// Binary makes scene.glb.
func Binary(in *artefact.Input) (*artefact.Output, error) {
	w, err := write(in)
	if err != nil {
		return nil, err
	}
	if w.bin.Len() > 0 {
		w.doc.Buffers = []buffer{{ByteLength: w.bin.Len()}}
	}
	doc, err := w.doc.encode()
	if err != nil {
		return nil, fmt.Errorf("encode glb: %w", err)
	}
	for len(doc)%4 != 0 {
		doc = append(doc, ' ')
	}
	total := 12 + 8 + len(doc)
	if w.bin.Len() > 0 {
		total += 8 + w.bin.Len()
	}
	var out bytes.Buffer
	word := func(n uint32) { _ = binary.Write(&out, binary.LittleEndian, n) }
	word(0x46546C67)
	word(2)
	word(uint32(total))
	word(uint32(len(doc)))
	word(0x4E4F534A)
	out.Write(doc)
	if w.bin.Len() > 0 {
		word(uint32(w.bin.Len()))
		word(0x004E4942)
		out.Write(w.bin.Bytes())
	}
	return w.output(artefact.File{Path: "scene.glb", MediaType: "model/gltf-binary", Data: out.Bytes()}), nil
}

// Text makes scene.gltf, with scene.bin unless the option embed puts the buffer
// into the JSON.
func Text(in *artefact.Input) (*artefact.Output, error) {
	w, err := write(in)
	if err != nil {
		return nil, err
	}
	files := []artefact.File{{Path: "scene.gltf", MediaType: "model/gltf+json"}}
	if n := w.bin.Len(); n > 0 {
		b := buffer{ByteLength: n, URI: "scene.bin"}
		if in.Options.Flag("embed") {
			b.URI = "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(w.bin.Bytes())
		} else {
			files = append(files, artefact.File{Path: "scene.bin", MediaType: "application/octet-stream", Data: w.bin.Bytes()})
		}
		w.doc.Buffers = []buffer{b}
	}
	if files[0].Data, err = artefact.JSON(w.doc); err != nil {
		return nil, fmt.Errorf("encode gltf: %w", err)
	}
	return w.output(files...), nil
}

type writer struct {
	in     *artefact.Input
	s      *scene.Scene
	doc    document
	bin    bytes.Buffer
	tally  *artefact.Tally
	notes  []artefact.Note
	places []artefact.Place
	used   map[string]bool
	lights []map[string]any

	meshes   map[[2]int]int // geometry and material
	shapes   map[int]primitive
	textures map[int]int
	inks     map[string]int // materials of letters
}

func write(in *artefact.Input) (*writer, error) {
	if len(in.Scene.Nodes) == 0 {
		return nil, artefact.Nothing(in.Target, "at least one node")
	}
	w := &writer{
		in: in, s: in.Scene, tally: artefact.NewTally(in), used: map[string]bool{},
		meshes: map[[2]int]int{}, shapes: map[int]primitive{}, textures: map[int]int{}, inks: map[string]int{},
	}
	w.doc.Asset = asset{Version: "2.0", Generator: "meshd " + in.Version, Extras: map[string]any{
		"source": in.Scene.SourceSHA256[:16], "target": in.Target,
	}}
	for i := range w.s.Materials {
		w.material(&w.s.Materials[i])
	}
	children, roots := artefact.Tree(w.s)
	hidden := artefact.Hidden(w.s)
	for i := range w.s.Nodes {
		if err := w.node(&w.s.Nodes[i], children[i], hidden[i]); err != nil {
			return nil, err
		}
	}
	w.doc.Scenes = []root{{Name: w.s.Name, Nodes: roots, Extras: w.sceneExtras()}}
	w.animations()
	if w.lights != nil {
		w.doc.Extensions = map[string]any{"KHR_lights_punctual": map[string]any{"lights": w.lights}}
	}
	for _, name := range []string{
		"KHR_lights_punctual", "KHR_materials_emissive_strength", "KHR_materials_ior", "KHR_materials_transmission", "KHR_materials_unlit",
	} {
		if w.used[name] {
			w.doc.ExtensionsUsed = append(w.doc.ExtensionsUsed, name)
		}
	}
	return w, nil
}

func (w *writer) output(files ...artefact.File) *artefact.Output {
	return &artefact.Output{Files: files, Places: w.places, Losses: w.tally.All(), Notes: w.notes}
}

// sceneExtras keeps what surrounds the scene and what happens in it.
func (w *writer) sceneExtras() map[string]any {
	e := map[string]any{"environment": w.s.Environment}
	if w.s.Metadata.Kind != trait.Unknown {
		e["metadata"] = w.s.Metadata
	}
	if len(w.s.Timelines) > 0 {
		e["timelines"] = w.s.Timelines
	}
	if len(w.s.UI) > 0 {
		e["ui"] = w.s.UI
	}
	if len(w.s.Post) > 0 {
		e["post"] = w.s.Post
	}
	return e
}

func (w *writer) node(n *scene.Node, children []int, hidden bool) error {
	w.in.Pause()
	out := node{Name: n.Name, Children: children, Extras: extras(n)}
	if out.Name == "" {
		out.Name = n.Path
	}
	if n.T != (scene.Vec{}) {
		t := [3]float64(n.T)
		out.Translation = &t
	}
	if !n.R.IsZero() {
		r := [4]float64(n.R)
		out.Rotation = &r
	}
	if !n.S.IsZero() {
		s := [3]float64(n.S)
		out.Scale = &s
	}
	if !hidden {
		if err := w.look(n, &out); err != nil {
			return err
		}
		w.light(n, &out)
	}
	if c := n.Camera; c != nil {
		k := len(w.doc.Cameras)
		out.Camera = &k
		if c.Ortho > 0 {
			w.doc.Cameras = append(w.doc.Cameras, camera{Type: "orthographic", Orthographic: &orthographic{
				XMag: c.Ortho / 2, YMag: c.Ortho / 2, ZNear: c.Near, ZFar: c.Far,
			}})
		} else {
			w.doc.Cameras = append(w.doc.Cameras, camera{Type: "perspective", Perspective: &perspective{YFOV: c.FOV, ZNear: c.Near, ZFar: c.Far}})
		}
	}
	w.places = append(w.places, artefact.Place{ID: n.ID, Place: "/nodes/" + strconv.Itoa(len(w.doc.Nodes))})
	w.doc.Nodes = append(w.doc.Nodes, out)
	return nil
}

// extras are the data of a node that glTF has no field for.
func extras(n *scene.Node) map[string]any {
	e := map[string]any{"id": n.ID, "kind": n.Kind}
	set := func(key string, yes bool, v any) {
		if yes {
			e[key] = v
		}
	}
	set("traits", len(n.Traits) > 0, n.Traits)
	set("template", n.Template != "", n.Template)
	set("visible", !bool(n.Visible), false)
	set("body", n.Body != nil, n.Body)
	set("collider", n.Collider != nil, n.Collider)
	set("joint", n.Joint != nil, n.Joint)
	set("audio", n.Audio != nil, n.Audio)
	set("text", n.Text != nil, n.Text)
	set("label", n.Label != "", n.Label)
	set("alt", n.Alt != "", n.Alt)
	set("interact", len(n.Interact) > 0, n.Interact)
	set("particles", n.Particle.Kind != trait.Unknown, n.Particle)
	set("data", n.Extras.Kind != trait.Unknown, n.Extras)
	return e
}

// look gives a node its mesh.
func (w *writer) look(n *scene.Node, out *node) error {
	if n.Material == nil {
		return nil
	}
	if n.Geometry == nil {
		if n.Text == nil {
			return nil
		}
		if p := w.letters(n); p != nil {
			k := len(w.doc.Meshes)
			out.Mesh = &k
			w.doc.Meshes = append(w.doc.Meshes, mesh{Name: "text", Primitives: []primitive{*p}})
		}
		return nil
	}
	g := &w.s.Geometries[*n.Geometry]
	if g.Kind == "model" {
		path := w.s.Assets[*g.Asset].Path
		out.Extras["model"] = path
		w.tally.Approximate(artefact.Models, n, "model files are named in extras and not merged into the file")
		w.notes = append(w.notes, artefact.Note{Code: "TGT006", Src: n.Src, Slots: []string{path}})
		return nil
	}
	p, err := w.shape(*n.Geometry)
	if err != nil || p.Attributes == nil {
		return err
	}
	p.Material = n.Material
	m := mesh{Name: g.Kind, Primitives: []primitive{p}}
	key := [2]int{*n.Geometry, *n.Material}
	k, there := w.meshes[key]
	if n.Text != nil { // letters in front of a plate are the node's own
		if l := w.letters(n); l != nil {
			m.Primitives = append(m.Primitives, *l)
			there = false
		}
	}
	if !there {
		k = len(w.doc.Meshes)
		w.doc.Meshes = append(w.doc.Meshes, m)
		if len(m.Primitives) == 1 {
			w.meshes[key] = k
		}
	}
	out.Mesh = &k
	return nil
}

// letters are the text of a node in its ink, nil for an empty one.
func (w *writer) letters(n *scene.Node) *primitive {
	m, ink := w.s.Letters(n)
	if len(m.Indices) == 0 {
		return nil
	}
	p := w.primitive(m)
	p.Material = n.Material
	if n.Geometry != nil {
		k, there := w.inks[ink]
		if !there {
			k = len(w.doc.Materials)
			w.inks[ink] = k
			paint := scene.NewMaterial(ink)
			paint.Unlit = true
			w.material(&paint)
		}
		p.Material = &k
	}
	return &p
}

// shape is the mesh of a geometry, written once.
func (w *writer) shape(i int) (primitive, error) {
	if p, there := w.shapes[i]; there {
		return p, nil
	}
	m := w.s.Geometries[i].Mesh()
	if m == nil || len(m.Indices) == 0 {
		return primitive{}, nil
	}
	p := w.primitive(m)
	w.shapes[i] = p
	return p, nil
}

func (w *writer) primitive(m *shape.Mesh) primitive {
	lo, hi := m.Positions[0], m.Positions[0]
	for _, p := range m.Positions {
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	p := primitive{Attributes: map[string]int{
		"POSITION": w.accessor(m.Positions, arrayBuffer, accessor{ComponentType: typeFloat, Count: len(m.Positions), Type: "VEC3", Min: wide(lo), Max: wide(hi)}),
		"NORMAL":   w.accessor(m.Normals, arrayBuffer, accessor{ComponentType: typeFloat, Count: len(m.Normals), Type: "VEC3"}),
	}}
	if len(m.UVs) == len(m.Positions) {
		uvs := slices.Clone(m.UVs)
		for i := range uvs {
			uvs[i][1] = 1 - uvs[i][1] // glTF counts from the top
		}
		p.Attributes["TEXCOORD_0"] = w.accessor(uvs, arrayBuffer, accessor{ComponentType: typeFloat, Count: len(uvs), Type: "VEC2"})
	}
	if len(m.Positions) < 65535 {
		small := make([]uint16, len(m.Indices))
		for i, x := range m.Indices {
			small[i] = uint16(x)
		}
		p.Indices = w.accessor(small, indexBuffer, accessor{ComponentType: typeUint16, Count: len(small), Type: "SCALAR"})
	} else {
		p.Indices = w.accessor(m.Indices, indexBuffer, accessor{ComponentType: typeUint32, Count: len(m.Indices), Type: "SCALAR"})
	}
	return p
}

func wide(v [3]float32) []float64 { return []float64{float64(v[0]), float64(v[1]), float64(v[2])} }

// accessor appends numbers to the buffer, aligned to four bytes.
func (w *writer) accessor(data any, target int, a accessor) int {
	a.BufferView = w.view(data, target)
	w.doc.Accessors = append(w.doc.Accessors, a)
	return len(w.doc.Accessors) - 1
}

func (w *writer) view(data any, target int) int {
	start := w.bin.Len()
	_ = binary.Write(&w.bin, binary.LittleEndian, data) // a bytes.Buffer does not fail
	v := bufferView{ByteOffset: start, ByteLength: w.bin.Len() - start, Target: target}
	for w.bin.Len()%4 != 0 {
		w.bin.WriteByte(0)
	}
	w.doc.BufferViews = append(w.doc.BufferViews, v)
	return len(w.doc.BufferViews) - 1
}

func (w *writer) material(m *scene.Material) {
	c := scene.LinearRGBA(m.BaseColor)
	out := material{
		PBR:         pbr{BaseColorFactor: rounded(c), MetallicFactor: m.Metallic, RoughnessFactor: float64(m.Roughness)},
		DoubleSided: m.DoubleSided,
	}
	switch m.Alpha {
	case "blend":
		out.AlphaMode = "BLEND"
	case "mask":
		out.AlphaMode = "MASK"
	}
	use := func(name string, v map[string]any) {
		if out.Extensions == nil {
			out.Extensions = map[string]any{}
		}
		out.Extensions[name] = v
		w.used[name] = true
	}
	if m.Emissive != "" && m.EmissiveIntensity > 0 {
		e := scene.LinearRGBA(m.Emissive)
		k := min(float64(m.EmissiveIntensity), 1)
		out.EmissiveFactor = &[3]float64{narrow(e[0] * k), narrow(e[1] * k), narrow(e[2] * k)}
		if m.EmissiveIntensity > 1 {
			use("KHR_materials_emissive_strength", map[string]any{"emissiveStrength": float64(m.EmissiveIntensity)})
		}
	}
	if m.Transmission > 0 && !m.Unlit {
		use("KHR_materials_transmission", map[string]any{"transmissionFactor": m.Transmission})
	}
	if m.IOR != 1.5 && !m.Unlit {
		use("KHR_materials_ior", map[string]any{"ior": float64(m.IOR)})
	}
	if m.Unlit {
		use("KHR_materials_unlit", map[string]any{})
	}
	out.PBR.BaseColorTexture = w.texture(m.Maps.BaseColor)
	out.PBR.ORMTexture = w.texture(m.Maps.ORM)
	out.NormalTexture = w.texture(m.Maps.Normal)
	out.EmissiveTexture = w.texture(m.Maps.Emissive)
	w.doc.Materials = append(w.doc.Materials, out)
}

// texture embeds an image; one whose bytes are not there is named in a note.
func (w *writer) texture(asset *int) *textureRef {
	if asset == nil {
		return nil
	}
	a := &w.s.Assets[*asset]
	if len(a.Data) == 0 || a.MediaType != "image/png" && a.MediaType != "image/jpeg" {
		w.notes = append(w.notes, artefact.Note{Code: "TGT006", Src: scene.Src{0, 1, 1}, Slots: []string{a.Path}})
		return nil
	}
	i, there := w.textures[*asset]
	if !there {
		if w.doc.Samplers == nil {
			w.doc.Samplers = []sampler{{MagFilter: 9729, MinFilter: 9987}}
		}
		w.doc.Images = append(w.doc.Images, image{BufferView: w.view(a.Data, 0), MimeType: a.MediaType, Name: a.Path})
		i = len(w.doc.Textures)
		w.doc.Textures = append(w.doc.Textures, texture{Source: len(w.doc.Images) - 1})
		w.textures[*asset] = i
	}
	return &textureRef{i}
}

func rounded(c [4]float64) *[4]float64 {
	for i := range c {
		c[i] = narrow(c[i])
	}
	if c == [4]float64{1, 1, 1, 1} {
		return nil
	}
	return &c
}

// narrow rounds a derived number to single precision, printed short.
func narrow(f float64) float64 {
	s, err := strconv.ParseFloat(strconv.FormatFloat(float64(float32(f)), 'g', -1, 32), 64)
	if err != nil || math.IsInf(s, 0) || s == 0 {
		return 0
	}
	return s
}

// scale of relative intensities: 1 is neutral, which real units reach at about 3
// lux on a white surface, and as many candela at one metre.
const lightScale = 3

func (w *writer) light(n *scene.Node, out *node) {
	l := n.Light
	if l == nil {
		return
	}
	kind := l.Type
	switch kind {
	case "ambient", "hemisphere":
		w.tally.Drop(artefact.Lights, n, "light from everywhere has no place in the format; it is kept in extras")
		out.Extras["light"] = l
		return
	case "area":
		w.tally.Approximate(artefact.Lights, n, "area lights become spot lights")
		kind = "spot"
	}
	c := scene.LinearRGBA(l.Color)
	v := map[string]any{"type": kind, "intensity": narrow(float64(l.Intensity) * lightScale), "color": []float64{narrow(c[0]), narrow(c[1]), narrow(c[2])}}
	if n.Name != "" {
		v["name"] = n.Name
	}
	if l.Range > 0 && kind != "directional" {
		v["range"] = l.Range
	}
	if kind == "spot" {
		outer := l.Angle
		if l.Type == "area" {
			outer = 1.4
		}
		v["spot"] = map[string]any{"innerConeAngle": narrow(outer * (1 - l.Penumbra) * 0.999), "outerConeAngle": narrow(outer)}
	}
	out.Extensions = map[string]any{"KHR_lights_punctual": map[string]any{"light": len(w.lights)}}
	w.lights = append(w.lights, v)
	w.used["KHR_lights_punctual"] = true
}
