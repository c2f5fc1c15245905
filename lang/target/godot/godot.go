// Package godot writes a scene for the Godot engine, in its third or its fourth
// version: scene.tscn with the nodes, their shapes, lights, bodies, texts, sounds
// and animations, a scene for each template that is placed, scene.gd, the script of
// its root, and a script for each node or template that does something.
//
// What package direct translates stands in those scripts. The rest is program/1 as
// data of the root's script, with its interpreter written in the language of the
// engine, which also brings the events: the same text for both versions, so that
// what runs in one is what runs in the other. Put all files into the folder of a
// project, with the files that the source names, and instance scene.tscn.
package godot

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/direct"
	"github.com/meshd/meshd/lang/trait"
)

type writer struct {
	in    *artefact.Input
	s     *scene.Scene
	d     *document
	tally *artefact.Tally
	world []vec.Mat
	scale []vec.Vec // of the world, along the node's own axes
	kind  []string  // what bodyOf says
	path  []string  // of the node
	inner []string  // where what belongs to it goes
	index map[string]int

	meshes   map[int]int // geometry → number of its triangles in the script
	drawn    []string
	shaped   [][2]string // paths of meshes that the script makes, and which
	files    [][2]string // paths below which a model file goes, and its asset
	touches  [][2]string // ids and what the pointer finds of them
	textured map[int]bool
	ambient  [3]float64
	seen     bool // a camera is looked through
	lit      bool
	traits   *trait.Registry
	actors   *actors
	c        *run.Compiled
	keyed    map[int]string // animations that the player has, by their names
}

// Scene makes scene.tscn and scene.gd.
func Scene(in *artefact.Input) (*artefact.Output, error) {
	d := fourth
	if in.Options.Text("version") == "3" {
		d = third
	}
	s := in.Scene
	c, err := in.Behaviour()
	if err != nil {
		return nil, err
	}
	w := &writer{
		in: in, s: s, d: newDocument(d), tally: artefact.NewTally(in), world: artefact.World(s), index: map[string]int{}, meshes: map[int]int{},
		textured: map[int]bool{}, shaped: [][2]string{}, files: [][2]string{}, touches: [][2]string{}, c: c,
	}
	w.actors = newActors(w, direct.Plan(in, c))
	w.d.below("", "controls", "origin", strings.ToLower(player)) // what the script makes
	root := w.d.unique("/", cmp.Or(s.Name, "Scene"))
	for i := range s.Nodes {
		w.index[s.Nodes[i].ID] = i
	}
	if slices.ContainsFunc(s.Nodes, inert) {
		w.d.node("Node", prototypes, "", "visible = false")
	}
	for i := range s.Nodes {
		if err := w.node(i); err != nil {
			return nil, err
		}
	}
	for i := range s.Nodes {
		w.joint(i)
	}
	if !w.lit {
		w.d.node("Sun", "Daylight", "", w.d.transform(looking(vec.At(3, 6, 4), vec.Vec{})), "light_energy = 0.8")
	}
	if !w.seen {
		w.overview()
	}
	w.surroundings()
	for _, x := range w.actors.order { // of the scene and of modules
		if _, ok := w.index[x.script.Owner]; !ok {
			x.path = w.d.node("Node", x.script.Name, "")
		}
	}
	if err := w.actors.fill(); err != nil {
		return nil, err
	}
	w.animations()
	subscenes := w.subscenes()
	meta, err := w.d.meta("id", `"scene"`, "source", mustJSON(s.SourceSHA256))
	if err != nil {
		return nil, err
	}
	script, err := w.script(c)
	if err != nil {
		return nil, err
	}
	out := &artefact.Output{Files: []artefact.File{
		{Path: "scene.tscn", MediaType: "text/plain", Data: w.d.bytes(in, root, []string{meta})},
		{Path: "scene.gd", MediaType: "text/plain", Data: []byte(script)},
	}}
	out.Files = append(append(out.Files, subscenes...), w.actors.files...)
	for i := range s.Nodes {
		if s.Nodes[i].Prototype == "" {
			out.Places = append(out.Places, artefact.Place{ID: s.Nodes[i].ID, Place: w.path[i]})
		}
	}
	for i := range s.Assets {
		a := &s.Assets[i]
		if len(a.Data) == 0 {
			out.Notes = append(out.Notes, artefact.Note{Code: "TGT006", Src: scene.Src{0, 1, 1}, Slots: []string{a.Path}})
		} else if path, ok := artefact.ProjectPath(a.Path); ok && !strings.HasSuffix(path, ".gd") && !strings.HasSuffix(path, ".tscn") {
			out.Files = append(out.Files, artefact.File{Path: path, MediaType: a.MediaType, Data: a.Data})
		}
	}
	w.actors.all.Report(w.tally, w.s)
	out.Losses = w.tally.All()
	return out, nil
}

func mustJSON(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic("godot: " + err.Error()) // texts and lists of them have a form
	}
	return string(out)
}

// node writes a node with what belongs to it.
func (w *writer) node(i int) error {
	w.in.Pause()
	n := &w.s.Nodes[i]
	parent, above := "", vec.At(1, 1, 1)
	if n.Parent >= 0 {
		parent, above = w.inner[n.Parent], w.scale[n.Parent]
	}
	if inert(*n) {
		parent, n = prototypes, w.prototype(n)
	}
	own := vec.At(n.S[0], n.S[1], n.S[2])
	scale := above.Mul(own)
	kind := bodyOf(n)
	w.scale, w.kind = append(w.scale, scale), append(w.kind, kind)
	place := own
	if kind != plainNode { // bodies have no scale: what belongs to them has
		place = vec.At(inverse(above.X), inverse(above.Y), inverse(above.Z))
		if n.Parent >= 0 && uneven(above) && vec.Quat(n.R) != (vec.Quat{3: 1}) {
			w.tally.Approximate(artefact.Physics, n, "bodies that are turned below unevenly scaled nodes are scaled along their own axes")
		}
	}
	meta, err := w.metadata(n)
	if err != nil {
		return err
	}
	p := []string{w.d.transform(vec.TRS(vec.At(n.T[0], n.T[1], n.T[2]), vec.Quat(n.R), place))}
	if !bool(n.Visible) {
		p = append(p, "visible = false")
	}
	if kind != plainNode {
		p = append(p, w.body(n, kind)...)
	}
	class := cmp.Or(kind, "Node")
	path := w.d.node(class, or(n.Name, n.Kind), parent, append(p, meta)...)
	if x := w.actors.by[n.ID]; x != nil {
		x.path = path
	}
	inner := path
	if kind != plainNode {
		w.form(n, kind, path, scale)
		w.touches = append(w.touches, [2]string{n.ID, path})
		if scale != vec.At(1, 1, 1) {
			inner = w.d.node("Node", "Form", path, w.d.transform(vec.TRS(vec.Vec{}, vec.Quat{3: 1}, scale)))
		}
	}
	w.path, w.inner = append(w.path, path), append(w.inner, inner)
	w.d.below(inner, "letters", "sound") // what the script makes
	w.visible(n, inner)
	if kind == plainNode && w.listens(i) {
		w.touch(n, inner)
	}
	return nil
}

func inverse(x float64) float64 {
	if x == 0 {
		return 1
	}
	return 1 / x
}

func uneven(s vec.Vec) bool { return s.X != s.Y || s.Y != s.Z }

// metadata is what a node keeps as data.
func (w *writer) metadata(n *scene.Node) (string, error) {
	pairs := []string{"id", mustJSON(n.ID), "source", mustJSON(w.in.Source(n.Src))}
	if n.Label != "" {
		pairs = append(pairs, "label", mustJSON(n.Label))
	}
	if n.Alt != "" {
		pairs = append(pairs, "alt", mustJSON(n.Alt))
	}
	if len(n.Traits) > 0 {
		pairs = append(pairs, "traits", mustJSON(n.Traits))
	}
	return w.d.meta(pairs...)
}

// visible writes what is seen and heard of a node.
func (w *writer) visible(n *scene.Node, inner string) {
	if n.Geometry != nil && n.Material != nil {
		w.geometry(n, inner)
	}
	if n.Light != nil {
		w.light(n, inner)
		w.lit = w.lit || n.Light.Type != "ambient" && !inert(*n)
	}
	if n.Camera != nil {
		w.camera(n, inner)
	}
	if n.Particle.Kind == trait.Map {
		w.particles(n, inner)
	}
	if n.Text != nil {
		w.text(n, inner)
	}
	if n.Audio != nil {
		w.sounding(n, inner)
	}
}

func (w *writer) geometry(n *scene.Node, inner string) {
	g := &w.s.Geometries[*n.Geometry]
	look := "material_override = " + w.material(*n.Material)
	if g.Kind == "model" {
		if g.Asset == nil {
			return
		}
		a := &w.s.Assets[*g.Asset]
		path, ok := artefact.ProjectPath(a.Path)
		if !ok || !imported(path) {
			w.tally.Drop(artefact.Models, n, "the engine takes glTF, OBJ and Collada files of the project")
			return
		}
		w.files = append(w.files, [2]string{inner, path})
		return
	}
	if mesh, at, ok := w.solid(g); ok {
		w.d.node("Mesh", "Mesh", inner, w.d.transform(at), "mesh = "+mesh, look)
		return
	}
	k, ok := w.meshes[*n.Geometry]
	if !ok {
		m := g.Mesh()
		if m == nil {
			return
		}
		if w.d.version == 3 {
			w.d.node("Mesh", "Mesh", inner, "mesh = "+w.triangles(m), look)
			return
		}
		k = len(w.drawn)
		w.meshes[*n.Geometry] = k
		w.drawn = append(w.drawn, drawn(m))
	}
	path := w.d.node("Mesh", "Mesh", inner, look)
	w.shaped = append(w.shaped, [2]string{path, fmt.Sprint(k)})
}

// imported says whether the engine imports a model file.
func imported(path string) bool {
	for _, end := range []string{".glb", ".gltf", ".obj", ".dae"} {
		if strings.HasSuffix(strings.ToLower(path), end) {
			return true
		}
	}
	return false
}

// listens says whether a node, or one above it, waits for the pointer.
func (w *writer) listens(i int) bool {
	for ; i >= 0; i = w.s.Nodes[i].Parent {
		if len(w.s.Nodes[i].Interact) > 0 {
			return true
		}
	}
	return false
}

// overview is a camera that sees the whole scene, where the source has none.
func (w *writer) overview() {
	lo, hi := vec.At(-1, -1, -1), vec.At(1, 1, 1)
	for i := range w.s.Nodes {
		if inert(w.s.Nodes[i]) {
			continue
		}
		p := vec.At(w.world[i][12], w.world[i][13], w.world[i][14])
		reach := vec.At(0.5, 0.5, 0.5)
		if g := w.s.Nodes[i].Geometry; g != nil {
			b := w.s.Geometries[*g].Bounds()
			s := w.scale[i]
			reach = vec.At(float64(b[0]*s.X)/2, float64(b[1]*s.Y)/2, float64(b[2]*s.Z)/2)
			reach = reach.Max(reach.Scale(-1))
		}
		lo, hi = lo.Min(p.Sub(reach)), hi.Max(p.Add(reach))
	}
	middle := lo.Add(hi).Scale(0.5)
	far := min(hi.Sub(lo).Len(), 1000)
	eye := middle.Add(vec.At(0.5, 0.4, 0.8).Unit().Scale(far))
	w.d.node("Camera", "Overview", "", w.d.transform(looking(eye, middle)), "current = true", "fov = 60", "far = "+float(max(100, 4*far)))
}

// looking is a place from which -Z points to another, with Y as far up as can be.
func looking(from, to vec.Vec) vec.Mat {
	m := vec.Move(from)
	right, up, back := vec.Basis(to.Sub(from), vec.At(0, 1, 0))
	for c, x := range []vec.Vec{right, up, back} {
		m[4*c], m[4*c+1], m[4*c+2] = x.X, x.Y, x.Z
	}
	return m
}

// extent is how wide and tall a lettering is.
func extent(t *scene.Text) (wide, tall float64) { return shape.Extent(t.Value, t.Size) }

// registry is the set of traits that the scene was built with.
func (w *writer) registry() *trait.Registry {
	if w.traits == nil {
		w.traits = trait.Builtin()
	}
	return w.traits
}
