// Package unity writes a scene for the Unity engine: Scene.prefab has its objects,
// Scene.cs builds what is not there, a component for each node or template does what
// package direct translates, Runtime.cs is an interpreter of program/1 in plain C#,
// for the rest and for the events, and Stage.cs shows in the engine what happens. The files are a package of the engine: put their folder below
// Packages, and the component Scene on an object.
//
// The axes of the engine are left-handed: places have their Z turned round, turns
// their X and Y, triangles their order. Lights and cameras, which look along -Z in
// the model, thereby look along +Z, as those of the engine do.
package unity

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// unproven is what a user reads first.
const unproven = "Checked by a compiler of C# against signatures of the engine's interface: the program runs as everywhere, nothing was seen in the engine."

// alwaysIncluded says what a project must do before it is built: only code asks for
// the shaders of a scene, so a build would leave them out.
const alwaysIncluded = `// Before a build, put the shaders of the project's pipeline among Always Included Shaders (Project Settings, Graphics):
// only code asks for them, and a build leaves such shaders out.
// Built-in: Standard, Unlit/Color, Sprites/Default, Particles/Standard Unlit. Built-in and universal, for the sky: Skybox/Panoramic, Skybox/Cubemap.
// Universal: Universal Render Pipeline/Lit, Universal Render Pipeline/Unlit, Universal Render Pipeline/Particles/Unlit. High definition: HDRP/Lit, HDRP/Unlit.
`

type writer struct {
	in      *artefact.Input
	s       *scene.Scene
	tally   *artefact.Tally
	program *run.Compiled
	world   []vec.Mat
	kind    []string // what bodyOf says
	index   map[string]int
	lines   []string   // statements that build the scene
	made    [][]string // those that make a node of a prototype
	meshes  map[int]int
	drawn   []string
	class   map[string]string // of a template
	used    names             // of classes
	order   []string          // templates in the order of the source
	seen    bool              // a camera is looked through
	lit     bool
	scripts *scripts // nil in worlds
	worlds  bool     // for Udon: the platform brings the eye, and bodies hang on nothing
}

// Scene makes the package.
func Scene(in *artefact.Input) (*artefact.Output, error) {
	w, err := newWriter(in)
	if err != nil {
		return nil, err
	}
	w.scripts = newScripts(w, w.used)
	w.build()
	data, err := w.data()
	if err != nil {
		return nil, err
	}
	header := in.Header() + "\n// " + unproven
	out := &artefact.Output{Files: []artefact.File{{Path: "Scene.cs", MediaType: mediaType, Data: w.scene(header)}}}
	for _, t := range w.order {
		if !slices.ContainsFunc(w.scripts.list, func(c *component) bool { return c.class == w.class[t] }) {
			out.Files = append(out.Files, artefact.File{Path: w.class[t] + ".cs", MediaType: mediaType, Data: w.component(t)})
		}
	}
	out.Files = append(out.Files, w.scripts.files()...)
	out.Files = append(out.Files,
		artefact.File{Path: "Data.cs", MediaType: mediaType, Data: data},
		artefact.File{Path: "Runtime.cs", MediaType: mediaType, Data: runtime(in.Header())},
		artefact.File{Path: "Stage.cs", MediaType: mediaType, Data: stage(in.Header())},
	)
	pkg, err := w.pack()
	if err != nil {
		return nil, err
	}
	out.Files = append(append(append(append(out.Files, w.prefab()...), w.lookFiles()...), w.shapeFiles()...), pkg...)
	out.Files = append(out.Files, w.metas(out.Files)...)
	w.finish(out)
	return out, nil
}

const mediaType = "text/x-csharp"

func newWriter(in *artefact.Input) (*writer, error) {
	c, err := in.Behaviour()
	if err != nil {
		return nil, err
	}
	w := &writer{
		in: in, s: in.Scene, tally: artefact.NewTally(in), program: c, world: artefact.World(in.Scene), index: map[string]int{}, meshes: map[int]int{}, class: map[string]string{},
	}
	used := names{"behaviours": true, "scene": true, "stage": true, "data": true, "runtime": true}
	for i := range w.s.Nodes {
		n := &w.s.Nodes[i]
		w.index[n.ID] = i
		w.kind = append(w.kind, bodyOf(n))
		if n.Template != "" && w.class[n.Template] == "" {
			w.class[n.Template] = used.class(n.Template)
			w.order = append(w.order, n.Template)
		}
	}
	w.used = used
	return w, nil
}

// finish adds places, files of the source and losses.
func (w *writer) finish(out *artefact.Output) {
	for i := range w.things() {
		out.Places = append(out.Places, artefact.Place{ID: w.s.Nodes[i].ID, Place: fmt.Sprintf("at[%d]", i)})
	}
	for i := range w.s.Assets {
		a := &w.s.Assets[i]
		if len(a.Data) == 0 {
			out.Notes = append(out.Notes, artefact.Note{Code: "TGT006", Src: scene.Src{0, 1, 1}, Slots: []string{a.Path}})
		} else if path := resource(a.Path); path != "" {
			out.Files = append(out.Files, artefact.File{Path: "Resources/" + path, MediaType: a.MediaType, Data: a.Data})
		}
	}
	if w.scripts != nil {
		w.scripts.all.Report(w.tally, w.s)
	}
	out.Losses = w.tally.All()
}

// resource is where a file of the source lies among those of a project; empty for
// what lies elsewhere.
func resource(path string) string {
	path, ok := artefact.ProjectPath(path)
	if !ok || strings.Contains(path, `\`) {
		return ""
	}
	return path
}

func (w *writer) file(asset *int) string {
	if asset == nil {
		return ""
	}
	return resource(w.s.Assets[*asset].Path)
}

func (w *writer) say(format string, a ...any) { w.lines = append(w.lines, fmt.Sprintf(format, a...)) }

func (w *writer) gravity() scene.Vec {
	if w.s.Environment.Gravity != nil {
		return *w.s.Environment.Gravity
	}
	return scene.DefaultGravity
}

// build writes the statements that make the scene.
func (w *writer) build() {
	g := w.gravity()
	w.say("builder.Gravity = %s;", place(g[0], g[1], g[2]))
	for i := range w.s.Materials {
		w.say("looks[%d] = %s;", i, w.material(&w.s.Materials[i]))
	}
	for i := range w.s.Nodes {
		if w.s.Nodes[i].Prototype == "" {
			w.node(i)
		}
	}
	w.prototypes()
	for i := range w.s.Nodes {
		if !w.worlds {
			w.joint(i)
		}
	}
	if !w.lit {
		w.say("builder.Light(builder.Place(\"\", \"Daylight\", null, %s, Quaternion.LookRotation(%s, Vector3.up), Vector3.one, true), LightType.Directional, Color.white, 0.8f, 0f, false);",
			place(3, 6, 4), place(-3, -6, -4))
	}
	if !w.seen && !w.worlds {
		w.overview()
	}
	w.surroundings()
}

// node writes a node with what belongs to it.
func (w *writer) node(i int) {
	w.in.Pause()
	n := &w.s.Nodes[i]
	to, id, name, above := w.at(i), quoted(n.ID), quoted(cmp.Or(n.Name, n.Kind)), "null"
	switch {
	case n.Prototype != "":
		to, id, name, above = "var "+to, "id", "name", "above"
	case n.Parent >= 0:
		above = w.at(n.Parent)
	}
	w.say("%s = builder.Place(%s, %s, %s, %s, %s, %s, %s);", to, id, name, above,
		place(n.T[0], n.T[1], n.T[2]), turn(n.R), extent(n.S[0], n.S[1], n.S[2]), yes(bool(n.Visible)))
	if n.Geometry != nil && n.Material != nil {
		w.geometry(i)
	}
	if n.Text != nil {
		w.letters(i)
	}
	if n.Light != nil {
		w.light(i)
		w.lit = w.lit || n.Light.Type != "ambient" && n.Prototype == ""
	}
	if n.Camera != nil && !w.worlds {
		c := n.Camera
		w.say("builder.Camera(%s, %s);", w.at(i), floats(degrees(c.FOV), max(c.Near, 0.001), c.Far, c.Ortho))
		w.seen = w.seen || n.Prototype == ""
	}
	if n.Particle.Kind == trait.Map {
		w.particles(i)
	}
	if n.Audio != nil {
		a := n.Audio
		w.say("builder.Sound(%s, %s, %s, %s, %s, %s);", w.at(i), quoted(w.file(a.Asset)), float(float64(a.Volume)), yes(a.Loop), yes(a.Autoplay), floats(cmp.Or(a.Min, 1), cmp.Or(a.Max, 30)))
	}
	w.form(i)
	w.listen(i)
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

// scripted is the component that does what a node does.
func (w *writer) scripted(id string) *component {
	if w.scripts == nil {
		return nil
	}
	return w.scripts.by[id]
}

// listen puts the component on a node that handles events.
func (w *writer) listen(i int) {
	n := &w.s.Nodes[i]
	switch c := w.scripted(n.ID); {
	case c != nil && n.Prototype == "":
		w.say("Listen<%s>(%s);", c.class, w.at(i))
	case n.Template != "":
		w.say("Listen<%s>(%s);", w.class[n.Template], w.at(i))
	case w.listens(i) || w.kind[i] != "":
		w.say("Listen(%s);", w.at(i))
	}
	if !w.listens(i) || n.Collider != nil {
		return
	}
	switch {
	case n.Geometry != nil:
		size := w.s.Geometries[*n.Geometry].Bounds()
		w.say("builder.Touch(%s, %s);", w.at(i), extent(max(size[0], 0.01), max(size[1], 0.01), max(size[2], 0.01)))
	case n.Text != nil:
		wide, tall := letterSize(n.Text)
		w.say("builder.Touch(%s, %s);", w.at(i), extent(max(wide, 0.01), max(tall, 0.01), 0.01))
	}
}

// overview is a camera that sees the whole scene, where the source has none.
func (w *writer) overview() {
	lo, hi := vec.At(-1, -1, -1), vec.At(1, 1, 1)
	for i := range w.things() {
		p := vec.At(w.world[i][12], w.world[i][13], w.world[i][14])
		reach := vec.At(0.5, 0.5, 0.5)
		if g := w.s.Nodes[i].Geometry; g != nil {
			b := w.s.Geometries[*g].Bounds()
			for k, m := 0, w.world[i]; k < 3; k++ {
				reach = reach.Max(vec.At(m[4*k], m[4*k+1], m[4*k+2]).Scale(b[k] / 2))
			}
		}
		lo, hi = lo.Min(p.Sub(reach)), hi.Max(p.Add(reach))
	}
	middle := lo.Add(hi).Scale(0.5)
	far := min(hi.Sub(lo).Len(), 1000)
	eye := middle.Add(vec.At(0.5, 0.4, 0.8).Unit().Scale(far))
	way := middle.Sub(eye)
	w.say("builder.Camera(builder.Place(\"\", \"Overview\", null, %s, Quaternion.LookRotation(%s, Vector3.up), Vector3.one, true), 60f, 0.05f, %s, 0f);",
		place(eye.X, eye.Y, eye.Z), place(way.X, way.Y, way.Z), float(max(100, 4*far)))
}

// scene is Scene.cs. The statements stand in methods of their own, so that none is
// too long.
func (w *writer) scene(header string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n// Put this folder below Packages of a project and the component Scene on an object. Files of the source lie in Resources.\n", header)
	b.WriteString(alwaysIncluded)
	b.WriteString("using UnityEngine;\n\nnamespace MeshdScene {\n\tpublic sealed class Scene : Stage {\n")
	for _, t := range []string{"Program", "Nodes", "Tracks", "Widgets", "Grabs", "Networked"} {
		fmt.Fprintf(&b, "\t\tprotected override string %sText { get { return Data.%s; } }\n", t, t)
	}
	fmt.Fprintf(&b, "\n\t\tprotected override void Build() {\n\t\t\tlooks = new Material[%d];\n\t\t\tat = new Thing[%d];\n", len(w.s.Materials), w.things())
	fmt.Fprintf(&b, "\t\t\timmersive = %s;\n\t\t\tbuilder.Drawn = Data.Drawn;\n\t\t\tbuilder.Glyphs = Data.Glyphs;\n", yes(w.immersive()))
	w.methods(&b, "")
	w.copies(&b)
	b.WriteString("\n\t\tprotected override void Bind(Machine machine) { Behaviours.Bind(machine, Scripted); }\n")
	b.WriteString("\t\tprotected override void Beginning(string id, Script made) { Behaviours.Begin(id, made); }\n")
	b.WriteString("\t}\n}\n")
	return []byte(b.String())
}

// methods ends the method that builds the scene with calls of others, which have
// its statements.
func (w *writer) methods(b *strings.Builder, static string) {
	const most = 200
	pieces := slices.Collect(slices.Chunk(w.lines, most))
	for k := range pieces {
		fmt.Fprintf(b, "\t\t\tBuild%d();\n", k)
	}
	b.WriteString("\t\t}\n")
	for k, p := range pieces {
		fmt.Fprintf(b, "\n\t\t%svoid Build%d() {\n", static, k)
		for _, l := range p {
			b.WriteString("\t\t\t" + l + "\n")
		}
		b.WriteString("\t\t}\n")
	}
}

// component is the file of a template.
func (w *writer) component(template string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\nnamespace MeshdScene {\n\t// What was placed with the template %s.\n\tpublic sealed class %s : Actor {\n", w.in.Header(), quoted(template), w.class[template])
	of := map[string]bool{}
	for i := range w.s.Nodes {
		of[w.s.Nodes[i].ID] = w.s.Nodes[i].Template == template
	}
	used := names{strings.ToLower(w.class[template]): true}
	said := map[string]bool{}
	for _, s := range w.program.Program.State {
		if of[s.Owner] && !said["s"+s.Key] {
			said["s"+s.Key] = true
			fmt.Fprintf(&b, "\t\tpublic object %s { get { return State(%s); } set { State(%s, value); } }\n", used.class(s.Key), quoted(s.Key), quoted(s.Key))
		}
	}
	for _, h := range w.program.Program.Handlers {
		if of[h.Node] && !said["h"+h.Event] {
			said["h"+h.Event] = true
			fmt.Fprintf(&b, "\t\tpublic void %s(object payload = null) { Raise(%s, payload); }\n", used.class("Raise "+h.Event), quoted(h.Event))
		}
	}
	b.WriteString("\t}\n}\n")
	return []byte(b.String())
}

// compact is data as JSON in one line.
func compact(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSpace(b.String()), err
}
