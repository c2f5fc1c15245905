package unity

import (
	"slices"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/target/artefact"
)

// written are properties of nodes that the program writes while it runs.
type written struct {
	node, property string // node: empty when only a run knows
	by             string // who writes
}

// writes are the properties that functions write which Udon runs, each once. What is
// state of its owner is none, nor what the scene itself has: nothing shows it.
func (u *udon) writes() []written {
	slots := map[[2]string]bool{}
	for _, s := range u.p.State {
		slots[[2]string{s.Owner, s.Key}] = true
	}
	var out []written
	add := func(w written) {
		if _, there := u.w.index[w.node]; (there || w.node == "") && !slots[[2]string{w.node, w.property}] && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	for fn := range u.p.Functions {
		if u.why[fn] != "" {
			continue
		}
		by := u.p.Functions[fn].Owner
		for _, e := range u.p.Effects(fn) {
			switch {
			case e.Kind == run.WritesMember:
				add(written{ownerOf(u.p, fn, e), e.Name, by})
			case e.Kind == run.CallsHost && u.p.Host[e.Index] == "set_text":
				add(written{"", "text", by})
			}
		}
	}
	return out
}

// reportWritten reports which written properties are not shown. On a value that only a
// run knows, a member is reported where it is a property of some node.
func (u *udon) reportWritten(writes []written) {
	known := map[string]bool{}
	for _, n := range u.w.program.Nodes {
		if n.Props == nil {
			continue
		}
		for _, key := range n.Props.Keys {
			known[key] = true
		}
	}
	reported := map[written]bool{}
	for _, w := range writes {
		node, reason := w.node, "a change of the property '"+w.property+"' is kept and not shown"
		if node == "" {
			node, reason = w.by, "a change of the property '"+w.property+"' of a node that only a run knows is kept and not shown"
		}
		if key := (written{node: node, property: reason}); !slices.Contains(properties, w.property) && (w.node != "" || known[w.property]) && !reported[key] {
			reported[key] = true
			u.w.tally.Approximate(artefact.Behaviour, u.node(node), reason)
		}
	}
}

// reportMaterials reports where glow or opacity comes to a material that has none at the
// start: builds keep the forms of a shader that materials have then.
func (u *udon) reportMaterials(writes []written) {
	for _, b := range u.p.Binds {
		if u.why[b.Fn] == "" {
			writes = append(writes, written{node: b.Node, property: b.Property})
		}
	}
	reported := map[written]bool{}
	for _, w := range writes {
		what := ""
		switch w.property {
		case "opacity":
			what = "opacity"
		case "emissive", "emissive_intensity":
			what = "glow"
		}
		n := u.node(w.node)
		if what == "" || n == nil || n.Material == nil {
			continue
		}
		m := &u.w.s.Materials[*n.Material]
		has := m.Emissive != ""
		if what == "opacity" {
			has = m.Alpha == "blend" || m.Transmission > 0
		}
		if key := (written{node: w.node, property: what}); !has && !reported[key] {
			reported[key] = true
			u.w.tally.Approximate(artefact.Behaviour, n, what+" that comes to a material without it needs the shader's form for it, which a build leaves out where no material has it")
		}
	}
}

// lettered says which nodes need room for a text that the program writes: all that
// can be seen where only a run knows which.
func (u *udon) lettered(writes []written) map[string]bool {
	out := map[string]bool{}
	for _, b := range u.p.Binds {
		if b.Property == "text" && u.why[b.Fn] == "" {
			out[b.Node] = true
		}
	}
	for _, w := range writes {
		if w.property != "text" {
			continue
		}
		for i := range u.w.s.Nodes {
			n := &u.w.s.Nodes[i]
			if n.ID == w.node || w.node == "" && (n.Text != nil || n.Geometry != nil) {
				out[n.ID] = true
			}
		}
	}
	return out
}

// letter prepares the nodes whose text changes. A text on a solid stands in front of
// it.
func (w *writer) letter(nodes map[string]bool) {
	for i := range w.s.Nodes {
		n := &w.s.Nodes[i]
		if !nodes[n.ID] {
			continue
		}
		if n.Text == nil && n.Geometry != nil {
			w.say("at[%d].LetterFront = %s;", i, float(w.s.Geometries[*n.Geometry].Bounds()[2]/2+0.001))
		}
		w.say("Lettered(at[%d]);", i)
	}
}
