package unity

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// The parts of what runs in Udon, and of what builds a world in the editor.
//
//go:embed udon/*.cs
var udonParts embed.FS

func udonPart(name string) string {
	raw, err := udonParts.ReadFile("udon/" + name + ".cs")
	if err != nil {
		panic("unity: no part " + name) // a test reads all of them
	}
	return strings.TrimRight(string(raw), "\n") + "\n"
}

const (
	udonUsing = "using System.Globalization;\nusing UdonSharp;\nusing UnityEngine;\nusing VRC.SDKBase;\nusing VRC.Udon;\n"
	// udonUnproven is what a user reads first.
	udonUnproven = "Checked by a compiler of C# against signatures of the platform's interface and by rules of what UdonSharp takes; never built with its SDK, nothing was seen in a world."
)

// World makes the files of a world: Scene.cs, which runs its program in Udon, a
// behaviour for each template, and below Editor what builds it: UdonSharp makes no
// objects while a world runs.
func World(in *artefact.Input) (*artefact.Output, error) {
	w, err := newWriter(in)
	if err != nil {
		return nil, err
	}
	w.worlds = true
	w.build()
	for i := range w.s.Nodes {
		n := &w.s.Nodes[i]
		if slices.Contains(n.Interact, "grab") {
			w.say("Grab(at[%d]);", i)
		}
		if slices.Contains(n.Interact, "grab") || slices.Contains(w.lowering("network"), any(n.ID)) {
			w.say("Share(at[%d]);", i)
		}
	}
	w.controls()
	u := &udon{w: w, p: w.program.Program, why: limits(w.program.Program), shared: w.lowering("network")}
	writes := u.writes()
	u.reportWritten(writes)
	u.reportMaterials(writes)
	lettered := u.lettered(writes)
	w.letter(lettered)
	behaviour, ids := u.behaviour()
	out := &artefact.Output{Files: []artefact.File{{Path: "Scene.cs", MediaType: mediaType, Data: behaviour}, {Path: "Actor.cs", MediaType: mediaType, Data: u.actor()}}}
	for _, t := range w.order {
		out.Files = append(out.Files, artefact.File{Path: w.class[t] + ".cs", MediaType: mediaType, Data: u.template(t)})
	}
	using := []string{"System", "System.Collections.Generic", "System.Globalization", "System.Text", "UnityEngine", "UnityEngine.Rendering"}
	spoken := w.labels()
	if len(lettered) > 0 {
		if spoken, err = w.program.Program.Encode(); err != nil {
			return nil, err
		}
	}
	out.Files = append(out.Files,
		artefact.File{Path: "Editor/Builder.cs", MediaType: mediaType, Data: code(in.Header(), using, "chars", "things", "builder", "shapes", "surfaces", "lights", "bodies", "emitters")},
		artefact.File{Path: "Editor/SceneBuilder.cs", MediaType: mediaType, Data: w.editor(ids, spoken)},
	)
	w.finish(out)
	return out, nil
}

// controls writes the buttons and texts of the scene as things to press.
func (w *writer) controls() {
	height := 2.0
	var walk func(list []scene.Widget)
	walk = func(list []scene.Widget) {
		for i := range list {
			c := &list[i]
			label := cmp.Or(c.Label, c.Value.Str, c.ID)
			switch c.Kind {
			case "button":
				w.say("Control(%s, %s, %s);", float(height), quoted(cmp.Or(label, "Button")), quoted(cmp.Or(c.ID, c.Label, "button")))
				height -= 0.2
			case "text":
				if c.Bind != "" || strings.Contains(label, "${") {
					w.tally.Drop(artefact.UI, nil, "buttons and unchanging texts are built; what shows or takes values is not")
					continue
				}
				w.say("Control(%s, %s, \"\");", float(height), quoted(label))
				height -= 0.2
			case "panel", "section":
				walk(c.Children)
			default:
				w.tally.Drop(artefact.UI, nil, "buttons and unchanging texts are built; what shows or takes values is not")
			}
		}
	}
	walk(w.s.UI)
}

// behaviour is Scene.cs, and how many ids it knows.
func (u *udon) behaviour() ([]byte, int) {
	var ids, titles, parents []string
	for i := range u.w.s.Nodes {
		n := &u.w.s.Nodes[i]
		above := ""
		if n.Parent >= 0 {
			above = u.w.s.Nodes[n.Parent].ID
		}
		ids, titles, parents = append(ids, n.ID), append(titles, n.Name), append(parents, above)
	}
	for _, n := range u.w.program.Nodes {
		if _, there := u.w.index[n.ID]; !there {
			ids, titles, parents = append(ids, n.ID), append(titles, n.Name), append(parents, n.Parent)
		}
	}
	u.texts("ids", ids)
	u.texts("names", titles)
	u.texts("parents", parents)
	u.tables()
	u.tracks()
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n// %s\n", u.w.in.Header(), udonUnproven)
	b.WriteString("// Put this folder below Assets of a world's project, let UdonSharp make its program assets, and choose Tools, Build meshd scene.\n")
	b.WriteString(udonUsing + "\nnamespace MeshdScene {\n[UdonBehaviourSyncMode(BehaviourSyncMode.Manual)]\npublic class Scene : UdonSharpBehaviour {\n")
	b.WriteString("\t[UdonSynced] public string shared = \"\"; // state of networked nodes\n\tpublic GameObject[] objects;\n\tpublic AudioSource[] sounds;\n\tpublic string[] soundFiles;\n\tpublic Color[] glow;\n" +
		"\tpublic string glyphs = \"\"; // letters of texts that change, how wide each is, and its triangles\n\tpublic float[] glyphWide;\n\tpublic int[] glyphFrom;\n\tpublic float[] glyphCorners;\n" +
		"\tpublic float[] letterSize;\n\tpublic float[] letterFront;\n\tpublic string[] letterSide;\n\n")
	b.WriteString("\t// What the scene is: its nodes, program/1 in flat lists, key frames.\n" + u.b.String())
	for _, name := range []string{"values", "machine", "instructions", "library", "show", "letters", "shared"} {
		b.WriteString("\n" + udonPart(name))
	}
	b.WriteString("}\n}\n")
	return []byte(b.String()), len(ids)
}

func (u *udon) actor() []byte {
	return []byte("// " + u.w.in.Header() + "\n" + strings.Replace(udonUsing, "using System.Globalization;\n", "", 1) + "\nnamespace MeshdScene {\n" + udonPart("actor") + "}\n")
}

// template is the behaviour of a template.
func (u *udon) template(name string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\nusing UdonSharp;\n\nnamespace MeshdScene {\n// What was placed with the template %s.\n[UdonBehaviourSyncMode(BehaviourSyncMode.None)]\npublic class %s : Actor {\n",
		u.w.in.Header(), quoted(name), u.w.class[name])
	used := names{strings.ToLower(u.w.class[name]): true}
	said := map[string]bool{}
	for _, h := range u.p.Handlers {
		if i, ok := u.w.index[h.Node]; ok && u.w.s.Nodes[i].Template == name && !said[h.Event] {
			said[h.Event] = true
			fmt.Fprintf(&b, "\tpublic void %s() { Raise(%s, null); }\n", used.class("Raise "+h.Event), quoted(h.Event))
		}
	}
	b.WriteString("}\n}\n")
	return []byte(b.String())
}

// editor is what builds the world from the menu of the editor; spoken is a program
// whose texts are shown.
func (w *writer) editor(ids int, spoken []byte) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n", w.in.Header())
	b.WriteString("using System.Collections.Generic;\nusing UdonSharpEditor;\nusing UnityEditor;\nusing UnityEngine;\nusing VRC.SDK3.Components;\n\nnamespace MeshdScene {\npublic static class SceneBuilder {\n")
	b.WriteString(udonPart("builder"))
	fmt.Fprintf(&b, "\n\t\t[MenuItem(\"Tools/Build meshd scene\")]\n\t\tpublic static void Build() {\n\t\t\tBegin(%s, %d, %d);\n", quoted(cmp.Or(w.s.Name, "Scene")), len(w.s.Nodes), len(w.s.Materials))
	b.WriteString("\t\t\tbuilder.Drawn = drawn;\n\t\t\tbuilder.Glyphs = glyphs;\n")
	w.say("End(%d);", ids)
	w.methods(&b, "static ")
	b.WriteString("\n\tstatic readonly float[][][] drawn = {\n")
	for _, d := range w.drawn {
		b.WriteString("\t\t" + d + ",\n")
	}
	b.WriteString("\t};\n\n\tstatic readonly Dictionary<string, float[]> glyphs = new Dictionary<string, float[]> {\n")
	w.letterTable(&b, spoken)
	b.WriteString("\t};\n}\n}\n")
	return []byte(b.String())
}

// labels are texts that controls show, as data of a program would contain them.
func (w *writer) labels() []byte {
	if len(w.s.UI) == 0 {
		return nil
	}
	return []byte(`{"consts":["text"],"text":""}`)
}
