package unity

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

type list = []any

// data is Data.cs: what the scene is apart from its objects.
func (w *writer) data() ([]byte, error) {
	nodes := list{}
	var raw []byte
	if runs := !w.program.Program.Empty(); runs {
		var err error
		if w.scripts != nil {
			raw, err = w.scripts.rest()
		} else {
			raw, err = w.program.Program.Encode()
		}
		if err != nil {
			return nil, err
		}
		for _, n := range w.program.Nodes {
			nodes = append(nodes, list{n.ID, n.Parent, n.Name, json.RawMessage(run.Show(n.Props))})
		}
	}
	tables := []struct {
		name, about string
		data        any
	}{
		{"Program", "What happens, as program/1; empty where nothing does.", nil},
		{"Nodes", "The nodes as a program sees them: id, parent, name, properties.", nodes},
		{"Tracks", "Key-frame animations: node, property, keys, easing, how often again, from the start, there and back.", w.tracks()},
		{"Widgets", "Controls.", w.widgets()},
		{"Grabs", "Nodes that a hand can take.", w.grabs()},
		{"Networked", "Nodes whose state other players see.", w.lowering("network")},
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\nusing System.Collections.Generic;\n\nnamespace MeshdScene {\npublic static class Data {\n", w.in.Header())
	for _, t := range tables {
		text := string(raw)
		if t.data != nil {
			var err error
			if text, err = compact(t.data); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(&b, "\t// %s\n\tpublic static readonly string %s = %s;\n\n", t.about, t.name, longText(text))
	}
	b.WriteString("\t// Corners, normals, places in a picture, and the order of shapes that the engine does not have.\n\tpublic static readonly float[][][] Drawn = {\n")
	for _, d := range w.drawn {
		b.WriteString("\t\t" + d + ",\n")
	}
	b.WriteString("\t};\n\n\t// Letters as triangles in a plane, capitals six high: width, corners.\n\tpublic static readonly Dictionary<string, float[]> Glyphs = new Dictionary<string, float[]> {\n")
	w.letterTable(&b, raw)
	b.WriteString("\t};\n}\n}\n")
	return []byte(b.String()), nil
}

// letterTable writes the letters that texts may need.
func (w *writer) letterTable(b *strings.Builder, program []byte) {
	glyphs := artefact.Glyphs(w.s, program)
	for _, letter := range slices.Sorted(maps.Keys(glyphs)) {
		g := glyphs[letter]
		fmt.Fprintf(b, "\t\t{ %s, new float[] { %s } },\n", quoted(letter), floats(append([]float64{g.Width}, g.Corners...)...))
	}
}

func (w *writer) tracks() list {
	out := list{}
	for i := range w.s.Animations {
		a := &w.s.Animations[i]
		if _, ok := w.index[a.Node]; ok && len(a.Keys) > 0 {
			out = append(out, list{a.Node, a.Property, a.Keys, a.Easing, a.Loop, a.Autoplay, a.PingPong})
		}
	}
	return out
}

func (w *writer) widgets() list {
	out := list{}
	for i := range w.s.UI {
		out = append(out, &w.s.UI[i])
	}
	return out
}

func (w *writer) grabs() list {
	out := list{}
	for i := range w.s.Nodes {
		if slices.Contains(w.s.Nodes[i].Interact, "grab") {
			out = append(out, w.s.Nodes[i].ID)
		}
	}
	return out
}

// lowering are the nodes with a trait of a capability.
func (w *writer) lowering(capability trait.Capability) list {
	out := list{}
	for i := range w.s.Nodes {
		for _, t := range w.s.Nodes[i].Traits {
			if e, ok := w.in.Registry.Lookup(t.Name); ok && slices.Contains(e.Lowers, capability) {
				out = append(out, w.s.Nodes[i].ID)
				break
			}
		}
	}
	return out
}

// immersive says whether the source asks for a headset.
func (w *writer) immersive() bool { return len(w.lowering("xr")) > 0 }
