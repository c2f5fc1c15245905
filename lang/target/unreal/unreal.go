// Package unreal writes a scene for the Unreal Engine, from version 5.3: the source
// of a module with one actor. Scene.h says what the scene is made of, Scene.cpp
// has it as data, MeshdScene.h and MeshdScene.cpp are the actor that shows it,
// Program.h and Program.cpp run its program/1 in standard C++, Scene.Build.cs says
// what the module needs.
//
// Nobody has built it with the engine here: it is checked for syntax against
// signatures of the engine that we wrote ourselves, and the program's interpreter,
// which needs nothing of the engine, is run.
package unreal

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

//go:embed stage
var stage embed.FS

var stageParts = []string{"things", "looks", "air", "stage", "copies", "bodies", "pointer", "sparks", "play", "controls"}

// notice is what a reader of the files must know.
const notice = `// Checked for syntax only, against signatures that we wrote ourselves; never built
// with the engine. What its header tool makes of the reflection macros is unproven.
`

type writer struct {
	in    *artefact.Input
	s     *scene.Scene
	out   sheet
	tally *artefact.Tally
	world []vec.Mat
	first int       // of the nodes that belong to prototypes; they are the last ones
	shift int       // rows that stand before those and are not of nodes
	scale []vec.Vec // of the world, along the node's own axes
	index map[string]int

	meshes   []string
	solid    map[int]int // geometry → row of Meshes
	bodies   []string
	body     []string // kind of each node
	shines   []string
	cameras  []string
	sounds   []string
	texts    []string
	sparks   []string
	joints   []string
	above    [3]float64 // light from everywhere, by where it comes from
	below    [3]float64
	immerses bool
}

// Module makes the files of the module.
func Module(in *artefact.Input) (*artefact.Output, error) {
	c, err := in.Behaviour()
	if err != nil {
		return nil, err
	}
	s := in.Scene
	w := &writer{in: in, s: s, tally: artefact.NewTally(in), world: artefact.World(s), index: map[string]int{}, solid: map[int]int{}}
	for i := range s.Nodes {
		in.Pause()
		w.index[s.Nodes[i].ID] = i
	}
	w.first = slices.IndexFunc(s.Nodes, func(n scene.Node) bool { return n.Prototype != "" })
	if w.first < 0 {
		w.first = len(s.Nodes)
	}
	for i := range s.Nodes {
		w.bodyOf(i)
	}
	var things []string
	for i := range w.first {
		things = append(things, w.thing(i))
	}
	for i := range s.Nodes {
		w.joint(i)
	}
	w.overview(&things)
	w.shift = len(things) - w.first
	for i := w.first; i < len(s.Nodes); i++ {
		things = append(things, w.thing(i))
	}
	if err := w.tables(c, things); err != nil {
		return nil, err
	}
	return w.files(), nil
}

func (w *writer) files() *artefact.Output {
	header := w.in.Header()
	program, body := programFiles(header)
	scene := "// " + header + "\n" + notice + "#include \"Scene.h\"\n\n#include \"Modules/ModuleManager.h\"\n\nIMPLEMENT_MODULE(FDefaultModuleImpl, Scene);\n\nnamespace meshd\n{\nnamespace\n{\n" +
		w.out.b.String() + "} // namespace\n\n" + "const FSceneData SceneData = {\n\t" + strings.Join(w.out.fields, ",\n\t") + ",\n};\n} // namespace meshd\n"
	out := &artefact.Output{Files: []artefact.File{
		{Path: "Scene.h", MediaType: "text/x-c++", Data: []byte("// " + header + "\n" + notice + staged("Scene.h"))},
		{Path: "Scene.cpp", MediaType: "text/x-c++", Data: []byte(scene)},
		{Path: "Scene.Build.cs", MediaType: "text/x-csharp", Data: []byte("// " + header + "\n" + notice + staged("Scene.Build.cs"))},
		{Path: "MeshdScene.h", MediaType: "text/x-c++", Data: []byte("// " + header + "\n" + notice + staged("MeshdScene.h"))},
		{Path: "MeshdScene.cpp", MediaType: "text/x-c++", Data: []byte("// " + header + "\n" + notice + actor())},
		{Path: "Program.h", MediaType: "text/x-c++", Data: []byte(program)},
		{Path: "Program.cpp", MediaType: "text/x-c++", Data: []byte(body)},
	}}
	for i := range w.first {
		out.Places = append(out.Places, artefact.Place{ID: w.s.Nodes[i].ID, Place: fmt.Sprintf("Things[%d]", i)})
	}
	for i := range w.s.Assets {
		a := &w.s.Assets[i]
		if len(a.Data) == 0 {
			out.Notes = append(out.Notes, artefact.Note{Code: "TGT006", Src: scene0, Slots: []string{a.Path}})
		} else if path, ok := artefact.ProjectPath(a.Path); ok {
			out.Files = append(out.Files, artefact.File{Path: "Content/Scene/" + path, MediaType: a.MediaType, Data: a.Data})
		}
	}
	out.Losses = w.tally.All()
	return out
}

var scene0 = scene.Src{0, 1, 1}

// staged is a file of the stage.
func staged(name string) string {
	raw, err := stage.ReadFile("stage/" + name)
	if err != nil {
		panic("unreal: no file " + name) // a test reads all of them
	}
	return string(raw)
}

// actor is MeshdScene.cpp.
func actor() string {
	var b strings.Builder
	b.WriteString(staged("includes.cpp"))
	for _, name := range stageParts {
		b.WriteString("\n" + staged(name+".cpp"))
	}
	return b.String()
}

// asset is what the engine calls an imported file.
func asset(path string) (string, bool) {
	path, ok := artefact.ProjectPath(path)
	if !ok {
		return "", false
	}
	dir, file := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, file = path[:i+1], path[i+1:]
	}
	if i := strings.LastIndexByte(file, '.'); i > 0 {
		file = file[:i]
	}
	name := word(file)
	return "/Game/Scene/" + strings.Join(cleaned(strings.Split(dir, "/")), "/") + name + "." + name, true
}

func cleaned(parts []string) []string {
	for i := range parts {
		parts[i] = word(parts[i])
	}
	return parts
}

// row is where a node stands among the things; -1 is none.
func (w *writer) row(i int) int {
	if i >= w.first {
		return i + w.shift
	}
	return i
}

// thing is the row of a node.
func (w *writer) thing(i int) string {
	n := &w.s.Nodes[i]
	mesh, surface, model := -1, -1, ""
	if n.Geometry != nil && n.Material != nil {
		g := &w.s.Geometries[*n.Geometry]
		if g.Kind == "model" {
			if g.Asset != nil {
				path, ok := asset(w.s.Assets[*g.Asset].Path)
				if !ok {
					w.tally.Drop(artefact.Models, n, "model files from elsewhere are not imported")
				}
				model = path
			}
		} else {
			mesh = w.mesh(*n.Geometry)
		}
		surface = *n.Material
	}
	touch := [3]float64{}
	if w.body[i] == "None" && w.listens(i) {
		switch {
		case n.Geometry != nil:
			touch = w.s.Geometries[*n.Geometry].Bounds()
		case n.Text != nil:
			wide, tall := shape.Extent(n.Text.Value, n.Text.Size)
			touch = [3]float64{wide, tall, 0.01}
		}
		if touch != ([3]float64{}) {
			for k := range touch {
				touch[k] = max(touch[k], 0.01) / 2
			}
		}
	}
	inside, body := [3]float64{1, 1, 1}, -1
	if w.body[i] != "None" {
		s := w.scale[i]
		inside = [3]float64{s.X, s.Y, s.Z}
		body = w.form(i)
	}
	shared := false
	for _, t := range n.Traits {
		if e, ok := w.registry().Lookup(t.Name); ok {
			w.immerses = w.immerses || slices.Contains(e.Lowers, "xr")
			shared = shared || slices.Contains(e.Lowers, "network")
		}
	}
	w.sights(i)
	named := "nullptr"
	if model != "" {
		named = wide(model)
	}
	at, r, size, in, t := place(n.T), turn(n.R), factors(n.S), factors(inside), sizes(touch)
	name := or(word(or(n.Name, n.Kind)), "Node")
	return fmt.Sprintf("{%s, %s, %d, %s, %s, %s, %s, EBodyKind::%s, %d, %s, %d, %d, %s, %s, %s, %s, %s} /* %s */", wide(n.ID), wide(fmt.Sprintf("%s_%d", name, i)), w.row(n.Parent),
		doubles(at[:]...), doubles(r[:]...), doubles(size[:]...), yes(bool(n.Visible)), w.body[i], body, doubles(in[:]...), mesh, surface, doubles(t[:]...),
		yes(slices.Contains(n.Interact, "grab")), yes(shared), yes(i >= w.first), named, strings.ReplaceAll(artefact.CComment(w.in.Source(n.Src)), "*/", "* /"))
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
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

// registry is the set of traits that the scene was built with.
func (w *writer) registry() *trait.Registry {
	if w.in.Registry == nil {
		return trait.Builtin()
	}
	return w.in.Registry
}

// mesh is the row of a geometry's triangles, -1 without any.
func (w *writer) mesh(geometry int) int {
	if k, ok := w.solid[geometry]; ok {
		return k
	}
	m := w.s.Geometries[geometry].Mesh()
	if m == nil || len(m.Indices) == 0 {
		w.solid[geometry] = -1
		return -1
	}
	w.solid[geometry] = w.triangles(m, [3]float64{1, 1, 1}, [3]float64{})
	return w.solid[geometry]
}

// triangles writes a mesh, scaled and moved in the model's axes, and gives its row.
//
// The mirrored axes turn every triangle around, seen as a product of its edges.
// That is what the engine takes for its front: in its own boxes the product of
// two edges points against the normal. So the order of the corners stays.
func (w *writer) triangles(m *shape.Mesh, by, move [3]float64) int {
	var corners, order []string
	for i, p := range m.Positions {
		v := [3]float64{}
		for k := range 3 {
			v[k] = float64(float64(p[k])*by[k]) + move[k]
		}
		at := place(v)
		out := [3]float64{}
		if i < len(m.Normals) {
			n := m.Normals[i]
			out = direction([3]float64{float64(n[0]), float64(n[1]), float64(n[2])})
		}
		uv := [2]float64{}
		if i < len(m.UVs) {
			uv = [2]float64{float64(m.UVs[i][0]), float64(m.UVs[i][1])}
		}
		for _, x := range []float64{at[0], at[1], at[2], out[0], out[1], out[2], uv[0], uv[1]} {
			corners = append(corners, artefact.CFloat(x))
		}
	}
	for _, i := range m.Indices {
		order = append(order, fmt.Sprint(i))
	}
	k := len(w.meshes)
	c := w.out.numbers(fmt.Sprintf("Corners%d", k), "float", 16, corners)
	o := w.out.numbers(fmt.Sprintf("Order%d", k), "int32", 24, order)
	w.meshes = append(w.meshes, fmt.Sprintf("{%s, %d, %s, %d}", c, len(m.Positions), o, len(m.Indices)))
	return k
}

// tables writes everything but the triangles, in the order of FSceneData.
func (w *writer) tables(c *run.Compiled, things []string) error {
	w.out.table("Things", "FThingRow", "The nodes.", things)
	w.out.table("Bodies", "FBodyRow", "How nodes move and bump.", w.bodies)
	w.out.table("Meshes", "FMeshRow", "Triangles.", w.meshes)
	w.out.table("Surfaces", "FSurfaceRow", "Materials.", w.surfaces())
	w.out.table("Shines", "FShineRow", "Lights.", w.shines)
	w.out.table("Cameras", "FCameraRow", "Cameras; the first is looked through.", w.cameras)
	w.out.table("Sounds", "FSoundRow", "Sounds.", w.sounds)
	w.out.table("Texts", "FTextRow", "Letters.", w.texts)
	w.out.table("Joints", "FJointRow", "What holds bodies.", w.joints)
	w.out.table("Sparks", "FSparkRow", "Particles.", w.sparks)
	w.out.table("Controls", "FControlRow", "Controls.", w.controls())
	w.out.table("Tracks", "FTrackRow", "Key-frame animations.", w.tracks())
	w.out.fields = append(w.out.fields, w.air())
	program, nodes := "", []any{}
	if !c.Program.Empty() {
		raw, err := c.Program.Encode()
		if err != nil {
			return err
		}
		program = string(raw)
		for _, n := range c.Nodes {
			nodes = append(nodes, []any{n.ID, n.Parent, n.Name, json.RawMessage(run.Show(n.Props))})
		}
	}
	w.out.pieces("ProgramText", "What happens, as program/1.", program)
	doc, err := plain(nodes)
	if err != nil {
		return err
	}
	w.out.pieces("NodesText", "The nodes as a program sees them: id, id above, name, properties.", doc)
	if doc, err = w.notes(); err != nil {
		return err
	}
	w.out.pieces("NotesText", "What only other tools read of nodes, by their ids.", doc)
	if doc, err = w.kept(); err != nil {
		return err
	}
	w.out.pieces("KeptText", "Agents, pipelines and other blocks that nothing here runs.", doc)
	return nil
}

// plain is JSON whose texts are as they are: nothing here stands in a page.
func plain(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// notes is what nodes keep as data.
func (w *writer) notes() (string, error) {
	type note struct {
		Source string           `json:"source"`
		Path   string           `json:"path"`
		Label  string           `json:"label,omitempty"`
		Alt    string           `json:"alt,omitempty"`
		Traits []scene.TraitUse `json:"traits,omitempty"`
	}
	out := map[string]note{}
	for i := range w.first {
		n := &w.s.Nodes[i]
		out[n.ID] = note{w.in.Source(n.Src), n.Path, n.Label, n.Alt, n.Traits}
	}
	return plain(out)
}

func (w *writer) kept() (string, error) {
	out := slices.Concat(w.s.Agents, w.s.Pipelines, w.s.Domain)
	if len(out) == 0 {
		return "", nil
	}
	return plain(out)
}
