package nir

import (
	"fmt"

	"github.com/meshd/meshd/lang/run"
)

// behaviour puts the program into the graph: first everything that has a name of
// its own, then what the functions do, then what starts them.
func (g *graph) behaviour() {
	p := g.program
	for i, s := range p.State {
		n := g.add(node{Type: "state", Kind: "slot", Owner: s.Owner, Name: s.Key, Index: &i, Persist: s.Persist})
		g.slots = append(g.slots, n)
		if key := [2]string{s.Owner, s.Key}; g.kept[key] == nil {
			g.kept[key] = n
		}
	}
	for i, c := range p.Computed {
		g.computed = append(g.computed, g.add(node{Type: "state", Kind: "computed", Owner: c.Owner, Name: c.Key, Index: &i}))
		if key := [2]string{c.Owner, c.Key}; g.kept[key] == nil {
			g.kept[key] = g.computed[i]
		}
	}
	for i, f := range p.Functions {
		g.functions = append(g.functions, g.add(node{Type: "function", Kind: "function", Owner: f.Owner, Name: f.Name, Index: &i}))
	}
	for i, s := range p.State {
		if s.Init.Fn >= 0 {
			g.call(g.slots[i].ID, s.Init.Fn, "init", "", "")
		}
	}
	for i, c := range p.Computed {
		g.call(g.computed[i].ID, c.Fn, "computed", "", "")
	}
	for i := range p.Functions {
		g.effects(i)
	}
	for _, w := range p.Watches {
		g.call(g.slots[w.State].ID, w.Fn, "watch", "", "")
	}
	for _, b := range p.Binds {
		to := g.member(b.Node, b.Property)
		g.connect(edge{From: g.functions[b.Fn].ID, To: to.ID, Type: "writes", Via: "bind"})
	}
	for _, h := range p.Handlers {
		g.call(g.event(h.Event).ID, h.Fn, "handler", h.Node, "")
	}
	for _, s := range p.Subscriptions {
		g.call(g.event(s.Event).ID, s.Fn, "subscription", s.From, "")
	}
	for _, w := range p.Wires {
		g.call(g.event(w.Event).ID, w.Fn, "wire", w.From, "")
		if w.Set != nil {
			g.connect(edge{From: g.functions[w.Fn].ID, To: g.slots[*w.Set].ID, Type: "writes", Via: "wire"})
		}
	}
	for i, s := range p.Schedules {
		n := g.add(node{Type: "function", Kind: "schedule", Owner: run.SceneOwner, Name: fmt.Sprintf("schedule %d", i+1), After: &s.After, Every: &s.Every, Forever: s.Forever})
		g.call(n.ID, s.Fn, "schedule", "", "")
	}
	for i, t := range p.Timelines {
		name := t.ID
		if name == "" {
			name = fmt.Sprintf("timeline %d", i+1)
		}
		n := g.add(node{Type: "function", Kind: "timeline", Owner: run.SceneOwner, Name: name, Loop: t.Loop, Autoplay: t.Autoplay})
		for _, s := range t.Steps {
			g.connect(edge{From: n.ID, To: g.functions[int(s[1])].ID, Type: "calls", Via: "step", At: &s[0]})
		}
	}
	for i := range p.Machines {
		g.machine(i)
	}
	for i := range p.Trees {
		t := &p.Trees[i]
		n := g.add(node{Type: "function", Kind: "tree", Owner: t.Node, Name: fmt.Sprintf("tree %d", i+1), Rate: t.Rate})
		g.tree(n, &t.Root)
	}
}

func (g *graph) call(from string, fn int, via, at, event string) {
	if fn >= 0 {
		g.connect(edge{From: from, To: g.functions[fn].ID, Type: "calls", Via: via, Node: at, Event: event})
	}
}

// member is a property of a node, or the state of that name that the node has.
func (g *graph) member(owner, name string) *node {
	if n := g.kept[[2]string{owner, name}]; n != nil && owner != "" {
		return n
	}
	kind := "property"
	if owner == "" {
		kind = "member" // of whatever the function has in hand
	}
	return g.shared(node{Type: "state", Kind: kind, Owner: owner, Name: name})
}

// effects are the edges of what a function does.
func (g *graph) effects(fn int) {
	p, from := g.program, g.functions[fn].ID
	for _, e := range p.Effects(fn) {
		owner := e.Owner
		if e.Own {
			owner = p.Functions[fn].Owner
		}
		switch e.Kind {
		case run.ReadsState:
			g.connect(edge{From: from, To: g.slots[e.Index].ID, Type: "reads"})
		case run.WritesState:
			g.connect(edge{From: from, To: g.slots[e.Index].ID, Type: "writes"})
		case run.ReadsComputed:
			g.connect(edge{From: from, To: g.computed[e.Index].ID, Type: "reads"})
		case run.ReadsMember:
			g.connect(edge{From: from, To: g.member(owner, e.Name).ID, Type: "reads"})
		case run.WritesMember:
			g.connect(edge{From: from, To: g.member(owner, e.Name).ID, Type: "writes"})
		case run.Raises:
			g.connect(edge{From: from, To: g.event(e.Name).ID, Type: "raises", Node: owner})
		case run.Calls:
			g.connect(edge{From: from, To: g.functions[e.Index].ID, Type: "calls"})
		case run.CallsMember:
			g.method(from, owner, e.Name)
		case run.CallsHost:
			g.connect(edge{From: from, To: g.shared(node{Type: "function", Kind: "host", Name: p.Host[e.Index]}).ID, Type: "calls"})
		case run.Spawns:
			g.connect(edge{From: from, To: g.shared(node{Type: "function", Kind: "template", Name: e.Name}).ID, Type: "calls", Via: "spawn"})
		}
	}
}

// method connects a call of a node's function by its name: with the one that the
// node has, with all of that name when the node is known to a run only, else with
// the host.
func (g *graph) method(from, owner, name string) {
	found := false
	for i, f := range g.program.Functions {
		if f.Name == name && (owner == "" || f.Owner == owner) {
			found = true
			g.connect(edge{From: from, To: g.functions[i].ID, Type: "calls", Via: "member"})
		}
	}
	if !found {
		g.connect(edge{From: from, To: g.shared(node{Type: "function", Kind: "host", Name: name}).ID, Type: "calls", Via: "member"})
	}
}

// machine puts the states of a machine in, and the ways between them.
func (g *graph) machine(i int) {
	m := &g.program.Machines[i]
	states := make([]*node, len(m.States))
	for k, s := range m.States {
		states[k] = g.add(node{Type: "state", Kind: "machine", Owner: m.Node, Name: s.Name, Initial: k == m.Initial})
		if s.Parent >= 0 {
			states[k].Parent = states[s.Parent].ID
		}
	}
	for k, s := range m.States {
		from := states[k].ID
		g.call(from, s.Entry, "entry", "", "")
		g.call(from, s.Exit, "exit", "", "")
		if len(s.After) == 2 {
			to := from
			if s.After[1] >= 0 {
				to = states[int(s.After[1])].ID
			}
			g.connect(edge{From: from, To: to, Type: "flows", Via: "after", Event: g.event("timeout").ID, At: &s.After[0]})
		}
		for _, t := range s.On {
			event := g.event(t.Event).ID
			g.connect(edge{From: from, To: states[t.To].ID, Type: "flows", Via: "transition", Event: event})
			g.call(from, t.Guard, "guard", "", event)
			g.call(from, t.Action, "action", "", event)
		}
	}
}

// tree connects a behaviour tree with the functions of its leaves.
func (g *graph) tree(n *node, t *run.TreeNode) {
	g.call(n.ID, t.Fn, t.Type, "", "")
	for i := range t.Children {
		g.tree(n, &t.Children[i])
	}
}
