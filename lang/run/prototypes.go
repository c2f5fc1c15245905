package run

import (
	"fmt"
	"slices"
)

// Template is what spawn makes nodes of. Its nodes are a prototype, the root
// first and parents before their children: nothing of it runs, and every row that
// belongs to one of them is a row of what is spawned.
type Template struct {
	Name  string   `json:"name"`
	Nodes []string `json:"nodes"`
}

// spawns says whether a node is one of a prototype.
func (p *Program) spawns(id string) bool {
	return slices.ContainsFunc(p.Templates, func(t Template) bool { return slices.Contains(t.Nodes, id) })
}

// verifyTemplates wants names and nodes that are there once.
func (p *Program) verifyTemplates() error {
	if len(p.Templates) > MaxEntries {
		return fmt.Errorf("more than %d templates", MaxEntries)
	}
	names, nodes := map[string]bool{}, map[string]bool{SceneOwner: true, Everywhere: true, "": true}
	for i, t := range p.Templates {
		if t.Name == "" || names[t.Name] {
			return fmt.Errorf("template %d %.60q has no name of its own", i, t.Name)
		}
		names[t.Name] = true
		if len(t.Nodes) == 0 {
			return fmt.Errorf("template %d has no nodes", i)
		}
		for _, id := range t.Nodes {
			if nodes[id] {
				return fmt.Errorf("template %d has a wrong node %.60q", i, id)
			}
			if nodes[id] = true; len(nodes)-3 > MaxEntries {
				return fmt.Errorf("more than %d nodes of templates", MaxEntries)
			}
		}
	}
	return nil
}

// rows are the tables of a program that work without being called.
type rows struct {
	handlers      []Handler
	subscriptions []Subscription
	wires         []Wire
	watches       []Watch
	binds         []Bind
	schedules     []Schedule
	timelines     []Timeline
	machines      []StateMachine
	trees         []*Tree
}

// prototype is a template with the rows that belong to it.
type prototype struct {
	name    string
	nodes   []Info
	parents []int // places in nodes, -1 of the root
	rows    rows
	size    int // rows of all kinds, which what is spawned is measured by

	state, computed, functions part
	free                       []block
}

// part is what a prototype has of a table whose rows are known by their place.
type part struct {
	places []int       // in the program, ascending
	of     map[int]int // a place to its rank
}

func (p *part) add(place int) {
	if p.of == nil {
		p.of = map[int]int{}
	}
	p.of[place] = len(p.places)
	p.places = append(p.places, place)
}

// block is where the rows of an instance begin.
type block struct{ state, computed, functions int }

// instance is what spawn made of a template.
type instance struct {
	block
	of   *prototype
	ids  map[string]string // of the prototype's nodes
	root string
	gone bool // its rows are another's now
}

// own is the place of a row in an instance whose rows begin at first.
func (p *part) own(first, i int) int {
	if rank, ok := p.of[i]; ok {
		return first + rank
	}
	return i
}

// slot, comp, fn and node are what the code of the prototype means in an
// instance: its own where the prototype has it. Without an instance code means
// what it says.
func (in *instance) slot(i int) int {
	if in == nil {
		return i
	}
	return in.of.state.own(in.block.state, i)
}

func (in *instance) comp(i int) int {
	if in == nil {
		return i
	}
	return in.of.computed.own(in.block.computed, i)
}

func (in *instance) fn(i int) int {
	if in == nil || i < 0 {
		return i
	}
	return in.of.functions.own(in.block.functions, i)
}

func (in *instance) node(id string) string {
	if in == nil {
		return id
	}
	if own, ok := in.ids[id]; ok {
		return own
	}
	return id
}

// ownerOf is the owner of a timeline: that of its first step.
func (p *Program) ownerOf(t *Timeline) string {
	if len(t.Steps) == 0 {
		return ""
	}
	return p.Functions[int(t.Steps[0][1])].Owner
}

// prototypes takes the rows of templates out of the tables: the machine's own
// program has what is at work, its prototypes have the others.
func (m *Machine) prototypes(infos []Info) {
	p := m.p
	m.templates, m.inert = map[string]*prototype{}, map[string]*prototype{}
	if len(p.Templates) == 0 {
		return
	}
	p.State, p.Computed, p.Functions = slices.Clip(p.State), slices.Clip(p.Computed), slices.Clip(p.Functions) // others run it too
	known := make(map[string]*Info, len(infos))
	for i := range infos {
		known[infos[i].ID] = &infos[i]
	}
	for _, t := range p.Templates {
		at := &prototype{name: t.Name}
		rank := map[string]int{}
		for i, id := range t.Nodes {
			n, parent := Info{ID: id, Name: id}, min(i, 1)-1
			if k := known[id]; k != nil {
				n = *k
				if r, ok := rank[k.Parent]; ok {
					parent = r
				}
			}
			rank[id] = i
			at.nodes, at.parents = append(at.nodes, n), append(at.parents, parent)
			m.inert[id] = at
		}
		at.nodes[0].Name = t.Name
		at.size = len(t.Nodes)
		m.templates[t.Name] = at
	}
	count := func(t *prototype) { t.size++ }
	for i, s := range p.State {
		if t := m.inert[s.Owner]; t != nil {
			t.state.add(i)
			count(t)
		}
	}
	for i, c := range p.Computed {
		if t := m.inert[c.Owner]; t != nil {
			t.computed.add(i)
			count(t)
		}
	}
	for i := range p.Functions {
		if t := m.inert[p.Functions[i].Owner]; t != nil {
			t.functions.add(i)
			count(t)
		}
	}
	owner := func(fn int) string { return p.Functions[fn].Owner }
	p.Handlers = sorted(m, p.Handlers, func(h *Handler) string { return h.Node }, func(r *rows, h Handler) { r.handlers = append(r.handlers, h) })
	p.Subscriptions = sorted(m, p.Subscriptions, func(s *Subscription) string { return s.Owner }, func(r *rows, s Subscription) { r.subscriptions = append(r.subscriptions, s) })
	p.Wires = sorted(m, p.Wires, func(w *Wire) string { return owner(w.Fn) }, func(r *rows, w Wire) { r.wires = append(r.wires, w) })
	p.Watches = sorted(m, p.Watches, func(w *Watch) string { return owner(w.Fn) }, func(r *rows, w Watch) { r.watches = append(r.watches, w) })
	p.Binds = sorted(m, p.Binds, func(b *Bind) string { return b.Node }, func(r *rows, b Bind) { r.binds = append(r.binds, b) })
	p.Schedules = sorted(m, p.Schedules, func(s *Schedule) string { return owner(s.Fn) }, func(r *rows, s Schedule) { r.schedules = append(r.schedules, s) })
	p.Timelines = sorted(m, p.Timelines, p.ownerOf, func(r *rows, t Timeline) { r.timelines = append(r.timelines, t) })
	p.Machines = sorted(m, p.Machines, func(s *StateMachine) string { return s.Node }, func(r *rows, s StateMachine) { r.machines = append(r.machines, s) })
	p.Trees = sorted(m, p.Trees, func(t *Tree) string { return t.Node }, func(r *rows, t Tree) { r.trees = append(r.trees, &t) })
}

// sorted gives the rows that belong to a prototype to it, and leaves the others.
func sorted[T any](m *Machine, table []T, owner func(*T) string, to func(*rows, T)) []T {
	var kept []T
	for i := range table {
		t := m.inert[owner(&table[i])]
		if t == nil {
			kept = append(kept, table[i])
			continue
		}
		to(&t.rows, table[i])
		t.size++
	}
	return kept
}
