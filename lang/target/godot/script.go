package godot

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// The parts of the script. The interpreter of program/1 and the stage that shows
// what it does are the same text for both versions of the engine; what each says
// in words of its own is in three.gd and four.gd.
//
//go:embed gd/*.gd
var parts embed.FS

var (
	interpreterParts = []string{
		"limits", "values", "plain", "numbers", "json", "operators", "methods", "texts", "library", "machine", "prototypes", "turns", "births", "members", "outside", "work", "instructions", "states", "trees", "clock",
	}
	stageParts = []string{"stage", "show", "bodies", "pointer", "player", "sounds", "letters", "controls", "hands", "host", "copies", "direct"}
)

// part is the text of a part of the script.
func part(name string) string {
	raw, err := parts.ReadFile("gd/" + name + ".gd")
	if err != nil {
		panic("godot: no part " + name) // a test reads all of them
	}
	return strings.TrimSpace(string(raw)) + "\n"
}

// join puts parts one behind the other.
func join(names ...string) string {
	var b strings.Builder
	for _, n := range names {
		b.WriteString("\n" + part(n))
	}
	return b.String()
}

// script is scene.gd: what the scene is, as data, and what runs it.
func (w *writer) script(c *run.Compiled) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", w.in.Header())
	if w.d.version == 4 {
		b.WriteString("# Checked by syntax; the same text was run in version 3 of the engine.\n")
	}
	if left := w.actors.all.Left; len(w.actors.all.Rows)+len(left) > 0 {
		fmt.Fprintf(&b, "# Scripts of nodes do %d of the %d functions of the source.\n", len(w.actors.all.Rows), len(w.actors.all.Rows)+len(left))
		for _, l := range left {
			fmt.Fprintf(&b, "# Left to the interpreter in here: %s\n", comment(fmt.Sprintf("%s (%s:%d), for it has %s.", l.Name, l.File, l.Line, l.Reason)))
		}
	}
	fmt.Fprintf(&b, "extends %s\n\n", w.d.name("Node"))
	tables, err := w.tables(c)
	if err != nil {
		return "", err
	}
	for _, t := range tables {
		doc, err := plain(t.data)
		if err != nil {
			return "", err
		}
		text, err := literal(doc, t.levels)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "# %s\nconst %s = %s\n\n", t.about, t.name, text)
	}
	fmt.Fprintf(&b, "# Triangles of the shapes that the engine does not have: corners, normals and their order.\nconst SHAPES = [\n")
	for _, d := range w.drawn {
		b.WriteString("\t" + d + ",\n")
	}
	b.WriteString("]\n")
	b.WriteString(join(map[int]string{3: "three", 4: "four"}[w.d.version]))
	b.WriteString(join(interpreterParts...))
	b.WriteString(join(stageParts...))
	return b.String(), nil
}

// plain is JSON whose texts are as they are: nothing here stands in a page.
func plain(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

type table struct {
	name, about string
	data        any
	levels      int // in which entries have lines of their own
}

type list = []any

// tables are the data of the script.
func (w *writer) tables(c *run.Compiled) ([]table, error) {
	var program any
	nodes, places, bodies := list{}, list{}, list{}
	letters, sounds, grabs := list{}, list{}, list{}
	runs := !c.Program.Empty()
	if runs {
		raw, err := w.rest(c).Encode()
		if err != nil {
			return nil, err
		}
		program = json.RawMessage(raw)
		for _, n := range c.Nodes {
			nodes = append(nodes, list{n.ID, n.Parent, n.Name, json.RawMessage(run.Show(n.Props))})
		}
	}
	prototypes := list{}
	networked := list{}
	immersive := false
	for i := range w.s.Nodes {
		n := &w.s.Nodes[i]
		above := ""
		if n.Parent >= 0 {
			above = w.s.Nodes[n.Parent].ID
		}
		if inert(*n) {
			prototypes = append(prototypes, list{n.ID, w.path[i], strings.TrimPrefix(strings.TrimPrefix(w.inner[i], w.path[i]), "/"), n.S})
		} else {
			places = append(places, list{n.ID, above, n.Name, w.path[i], w.inner[i], n.S})
		}
		if w.kind[i] != plainNode {
			bodies = append(bodies, list{n.ID, w.kind[i], loose(n)})
		}
		if n.Text != nil {
			letters = append(letters, w.letters(n))
		}
		if n.Audio != nil {
			sounds = append(sounds, w.sound(n))
		}
		if slices.Contains(n.Interact, "grab") {
			grabs = append(grabs, n.ID)
		}
		for _, t := range n.Traits {
			if e, ok := w.registry().Lookup(t.Name); ok {
				immersive = immersive || slices.Contains(e.Lowers, "xr")
				if slices.Contains(e.Lowers, "network") && !inert(*n) {
					networked = append(networked, n.ID)
				}
			}
		}
	}
	gravity := scene.DefaultGravity
	if w.s.Environment.Gravity != nil {
		gravity = *w.s.Environment.Gravity
	}
	out := []table{
		{"PROGRAM", "What happens, as program/1; null where nothing does.", program, 2},
		{"NODES", "The nodes as a program sees them: id, parent, name, properties.", nodes, 1},
		{"PLACES", "Where nodes are: id, id above, name, path, path of what belongs to them, scale.", places, 1},
		{"SCRIPTS", "Nodes with a script of their own: id, path, variables: place in the state, name.", w.scripts(), 1},
		{"DIRECT", "Functions that are those of a script: place in the program, id, name there, how many values it takes, whether they are numbers.", w.does(), 1},
		{"PROTOTYPES", "What spawn copies: id, path, what belongs to it below that, scale.", prototypes, 1},
		{"BODIES", "Nodes that are bodies: id, kind, whether they move by themselves.", bodies, 1},
		{"TOUCHES", "What the pointer finds: id, path.", w.touches, 1},
		{"GRABS", "Nodes that a hand can take.", grabs, 0},
		{"GRAVITY", "Metres a second, a second.", gravity, 0},
		{"TRACKS", "Key-frame animations: id, property, keys or an animation of the player, easing, how often, whether by itself, back and forth.", w.tracks(), 1},
		{"LETTERS", "Texts: path, id, value, size, where they begin, colour, height over the node.", letters, 1},
		{"GLYPHS", "Letters as triangles in a plane, capitals six high: width, corners.", w.glyphs(program), 1},
		{"SOUNDS", "Sounds: id, path, file, volume, again and again, from the start, near, far.", sounds, 1},
		{"MODELS", "Model files: path of the node, file.", w.files, 1},
		{"SHAPED", "Meshes that are made of SHAPES: path, which.", w.shaped, 1},
		{"TEXTURES", "Textures of materials: path of the mesh, key, file.", w.textures(), 1},
		{"WIDGETS", "Controls.", w.widgets(), 1},
		{"NETWORKED", "Nodes whose state other players see.", networked, 0},
		{"IMMERSIVE", "Whether the scene asks for a headset.", immersive, 0},
		{"SKY", "A picture of the sky, where there is one.", w.sky(), 0},
	}
	return out, nil
}

// rest is the program without the code of what scripts do.
func (w *writer) rest(c *run.Compiled) *run.Program {
	p := *c.Program
	p.Functions = slices.Clone(p.Functions)
	if w.actors != nil {
		for _, r := range w.actors.all.Rows {
			p.Functions[r.Fn].Code, p.Functions[r.Fn].Lines = []int{}, [][3]int{}
		}
	}
	return &p
}

// functionName is what a function is called in messages.
func (w *writer) functionName(fn int) string { return w.c.Program.Functions[fn].Name }

func (w *writer) scripts() list {
	out := list{}
	if w.actors == nil {
		return out
	}
	for _, x := range w.actors.order {
		vars := list{}
		for _, v := range x.script.State {
			vars = append(vars, list{v.Slot, w.actors.vars[v.Slot]})
		}
		out = append(out, list{x.script.Owner, x.path, vars})
	}
	return out
}

func (w *writer) does() list {
	out := list{}
	if w.actors == nil {
		return out
	}
	for _, r := range w.actors.all.Rows {
		out = append(out, list{r.Fn, r.Owner, w.actors.funcs[r.Fn], len(r.Func.Params), slices.Contains(r.Func.Numbers, true)})
	}
	return out
}

func (w *writer) sky() string {
	if a := w.s.Environment.Sky.Asset; a != nil {
		if path, ok := artefact.ProjectPath(w.s.Assets[*a].Path); ok {
			return path
		}
	}
	return ""
}

func (w *writer) widgets() list {
	out := list{}
	for i := range w.s.UI {
		out = append(out, &w.s.UI[i])
	}
	return out
}

func (w *writer) tracks() list {
	out := list{}
	for i := range w.s.Animations {
		a := &w.s.Animations[i]
		if _, ok := w.index[a.Node]; ok && len(a.Keys) > 0 {
			var keys any = a.Keys
			if name, ok := w.keyed[i]; ok {
				keys = name
			}
			out = append(out, list{a.Node, a.Property, keys, a.Easing, a.Loop, a.Autoplay, a.PingPong})
		}
	}
	return out
}

func (w *writer) sound(n *scene.Node) list {
	file := ""
	if n.Audio.Asset != nil {
		file, _ = artefact.ProjectPath(w.s.Assets[*n.Audio.Asset].Path)
	}
	return list{n.ID, w.inner[w.index[n.ID]], file, n.Audio.Volume, n.Audio.Loop, n.Audio.Autoplay, n.Audio.Min, n.Audio.Max}
}

// letters is a text of a node. On a solid it stands in front, in black or white.
func (w *writer) letters(n *scene.Node) list {
	ink := w.s.Ink(n)
	front := 0.0
	if n.Geometry != nil {
		front = float64(float32(w.s.Geometries[*n.Geometry].Bounds()[2]/2 + 0.001))
	}
	return list{w.inner[w.index[n.ID]], n.ID, n.Text.Value, n.Text.Size, or(n.Text.Align, "center"), ink, front}
}

// glyphs are the letters that texts of the scene may need.
func (w *writer) glyphs(program any) map[string]list {
	out := map[string]list{}
	raw, _ := program.(json.RawMessage)
	for letter, g := range artefact.Glyphs(w.s, raw) {
		corners := list{}
		for _, x := range g.Corners {
			corners = append(corners, json.RawMessage(float(x)))
		}
		out[letter] = list{json.RawMessage(float(g.Width)), corners}
	}
	return out
}

// textures are the pictures of materials.
func (w *writer) textures() list {
	out := list{}
	for i := range w.s.Nodes {
		n := &w.s.Nodes[i]
		if n.Material == nil || n.Geometry == nil || !w.textured[*n.Material] {
			continue
		}
		maps := w.s.Materials[*n.Material].Maps
		for _, m := range []struct {
			key   string
			asset *int
		}{{"albedo", maps.BaseColor}, {"normal", maps.Normal}, {"orm", maps.ORM}, {"emission", maps.Emissive}} {
			if m.asset == nil {
				continue
			}
			if path, ok := artefact.ProjectPath(w.s.Assets[*m.asset].Path); ok {
				out = append(out, list{w.inner[i] + "/Mesh", m.key, path})
			}
		}
	}
	return out
}
