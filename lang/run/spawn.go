package run

import "slices"

// spawn makes a node of a template's name; where the program has the template,
// with all nodes and the behaviour of its prototype. What is made works from the
// end of the turn on.
func (m *Machine) spawn(owner, name string, place, overrides Value) (Value, *Fault) {
	t, nodes, size := m.templates[name], 1, 0
	if t != nil {
		nodes, size = len(t.nodes), t.size
	}
	if len(m.spawned)+nodes > MaxSpawned {
		return nil, fault(FaultSize, "more than %d nodes", MaxSpawned)
	}
	if m.rows+size > m.hosted.rows {
		return nil, fault(FaultSize, "more than %d rows are spawned", m.hosted.rows)
	}
	m.charge(size / ChargeRows)
	parent := ""
	if owner != SceneOwner && m.nodes[owner] != nil {
		parent = m.nodes[owner].Parent
	}
	before, changes := len(m.undo), len(m.changed)
	root, f := m.make(t, name, parent, place, overrides)
	if f != nil { // a catch may go on, without half a node
		for i := len(m.undo) - 1; i >= before; i-- {
			m.undo[i]()
		}
		m.undo, m.changed = m.undo[:before], m.changed[:changes]
		return nil, f
	}
	return Node(root), nil
}

func (m *Machine) make(t *prototype, name, parent string, place, overrides Value) (string, *Fault) {
	if t == nil {
		root := m.arrive(&Info{Name: name, Parent: parent})
		return root, m.dress(root, place, overrides)
	}
	in := m.instantiate(t, parent)
	if f := m.dress(in.root, place, overrides); f != nil {
		return "", f
	}
	if f := m.firstValues(in); f != nil {
		return "", f
	}
	if o, ok := overrides.(*Object); ok {
		for _, k := range o.Keys {
			if at, ok := m.slotOf[slotKey{in.root, k}]; ok {
				m.set(at, o.Values[k])
			}
		}
	}
	return in.root, nil
}

// dress puts a node in its place and sets its properties; those that are state
// come after the first values, which may read the others.
func (m *Machine) dress(node string, place, overrides Value) *Fault {
	if place != nil {
		if f := m.setProperty(node, "position", place); f != nil {
			return f
		}
	}
	o, ok := overrides.(*Object)
	if !ok {
		return nil
	}
	for _, k := range o.Keys {
		if has(m.slotOf, slotKey{node, k}) {
			continue
		}
		if f := m.setProperty(node, k, o.Values[k]); f != nil {
			return f
		}
	}
	return nil
}

// arrive gives a node a new id.
func (m *Machine) arrive(n *Info) string {
	m.serial++
	n.ID = "s" + FormatNumber(float64(m.serial))
	id := n.ID
	m.spawned[id] = true
	m.nodes[id] = n
	m.order = append(m.order, id)
	m.undo = append(m.undo, func() {
		delete(m.nodes, id)
		m.order = m.order[:len(m.order)-1]
		delete(m.spawned, id)
	})
	m.note(Entry{Kind: "spawn", Node: id, Name: n.Name})
	return id
}

// instantiate makes the nodes of an instance and gives it slots, computed values
// and its own functions. They are taken back with the turn.
func (m *Machine) instantiate(t *prototype, parent string) *instance {
	in := &instance{of: t, ids: map[string]string{}}
	for i := range t.nodes {
		n := Info{Name: t.nodes[i].Name, Parent: parent}
		if at := t.parents[i]; at >= 0 {
			n.Parent = in.ids[t.nodes[at].ID]
		}
		id := m.arrive(&n)
		in.ids[t.nodes[i].ID] = id
		if props := t.nodes[i].Props; props != nil {
			for _, k := range props.Keys {
				m.props[slotKey{id, k}] = copyValue(props.Values[k], MaxDepth)
			}
		}
		m.undo = append(m.undo, func() { // what the turn set on it was taken back before
			if props := t.nodes[i].Props; props != nil {
				for _, k := range props.Keys {
					delete(m.props, slotKey{id, k})
				}
			}
		})
	}
	in.root = in.ids[t.nodes[0].ID]
	m.settle(in)
	m.rows += t.size
	m.born = append(m.born, in)
	m.instances[in.root] = in
	m.undo = append(m.undo, func() {
		m.born = slices.DeleteFunc(m.born, func(o *instance) bool { return o == in })
		delete(m.instances, in.root)
		m.unsettle(in)
	})
	return in
}

// settle finds room for the rows of an instance that are known by their place.
func (m *Machine) settle(in *instance) {
	t, p := in.of, m.p
	if n := len(t.free); n > 0 {
		in.block, t.free = t.free[n-1], t.free[:n-1]
	} else {
		in.block = block{len(p.State), len(p.Computed), len(p.Functions)}
		p.State = append(p.State, make([]Slot, len(t.state.places))...)
		m.slots = append(m.slots, make([]Value, len(t.state.places))...)
		p.Computed = append(p.Computed, make([]Computed, len(t.computed.places))...)
		m.caches = append(m.caches, make([]cached, len(t.computed.places))...)
		p.Functions = append(p.Functions, make([]Function, len(t.functions.places))...)
	}
	for i, from := range t.state.places {
		s := p.State[from]
		s.Owner, s.Init.Fn = in.node(s.Owner), in.fn(s.Init.Fn)
		p.State[in.block.state+i] = s
		if key := (slotKey{s.Owner, s.Key}); !has(m.slotOf, key) {
			m.slotOf[key] = in.block.state + i
		}
	}
	for i, from := range t.computed.places {
		c := p.Computed[from]
		c.Owner, c.Fn = in.node(c.Owner), in.fn(c.Fn)
		p.Computed[in.block.computed+i] = c
	}
	for i, from := range t.functions.places {
		f := p.Functions[from]
		f.Owner, f.in = in.node(f.Owner), in
		p.Functions[in.block.functions+i] = f
		if key := (slotKey{f.Owner, f.Name}); !has(m.byName, key) {
			m.byName[key] = in.block.functions + i
		}
	}
}

func has(index map[slotKey]int, key slotKey) bool {
	_, there := index[key]
	return there
}

// unsettle gives the room of an instance back.
func (m *Machine) unsettle(in *instance) {
	t, p := in.of, m.p
	in.gone = true
	m.rows -= t.size
	for i := range t.state.places {
		at := in.block.state + i
		delete(m.slotOf, slotKey{p.State[at].Owner, p.State[at].Key})
		m.slots[at], p.State[at] = nil, Slot{}
	}
	for i := range t.computed.places {
		m.caches[in.block.computed+i], p.Computed[in.block.computed+i] = cached{}, Computed{}
	}
	for i := range t.functions.places {
		// The function stays until another takes its place: a turn that a spawn
		// left waiting before it failed may still call it.
		f := &p.Functions[in.block.functions+i]
		delete(m.byName, slotKey{f.Owner, f.Name})
	}
	t.free = append(t.free, in.block)
}

// firstValues gives the state of an instance its first values.
func (m *Machine) firstValues(in *instance) *Fault {
	for i := range in.of.state.places {
		at := in.block.state + i
		s := &m.p.State[at]
		if s.Init.Fn < 0 {
			m.slots[at] = m.p.Consts[s.Init.Const]
			continue
		}
		v, f := m.call(s.Init.Fn, nil, nil)
		if f != nil {
			return f
		}
		m.slots[at] = v
	}
	return nil
}

// birth sets an instance to work: its rows join the tables, its machines enter
// their first states, and it gets the events init, mount and start.
func (m *Machine) birth(in *instance) {
	if m.gone[in.root] {
		return
	}
	m.handler = false
	p, r := m.p, &in.of.rows
	for _, h := range r.handlers {
		p.Handlers = append(p.Handlers, Handler{in.node(h.Node), h.Event, in.fn(h.Fn)})
	}
	for _, s := range r.subscriptions {
		p.Subscriptions = append(p.Subscriptions, Subscription{in.node(s.From), s.Event, in.node(s.Owner), in.fn(s.Fn)})
	}
	for _, w := range r.wires {
		w.From, w.Fn = in.node(w.From), in.fn(w.Fn)
		if w.Set != nil {
			slot := in.slot(*w.Set)
			w.Set = &slot
		}
		p.Wires = append(p.Wires, w)
	}
	for _, w := range r.watches {
		p.Watches = append(p.Watches, Watch{in.slot(w.State), in.fn(w.Fn)})
	}
	binds := len(p.Binds)
	for _, b := range r.binds {
		p.Binds = append(p.Binds, Bind{in.node(b.Node), b.Property, in.fn(b.Fn)})
	}
	m.bind(p.Binds[binds:])
	for _, s := range r.machines {
		p.Machines = append(p.Machines, in.machine(s))
		m.machines = append(m.machines, running{state: -1})
		m.enterInitial(len(m.machines) - 1)
	}
	for _, t := range r.trees {
		own := Tree{Node: in.node(t.Node), Rate: t.Rate, Restart: t.Restart, Root: in.tree(t.Root)}
		m.trees = append(m.trees, newWalk(&own))
	}
	for _, s := range r.schedules {
		s.Fn = in.fn(s.Fn)
		p.Schedules = append(p.Schedules, s)
		m.schedules = append(m.schedules, schedule{due: m.after(s.After), on: true})
	}
	for _, t := range r.timelines {
		t.Steps = slices.Clone(t.Steps)
		for i := range t.Steps {
			t.Steps[i][1] = float64(in.fn(int(t.Steps[i][1])))
		}
		p.Timelines = append(p.Timelines, t)
		m.timelines = append(m.timelines, timeline{on: t.Autoplay, since: m.steps})
	}
	for _, name := range []string{"init", "mount", "start"} {
		m.confine(in.root, name)
	}
}

// confine raises an event for a node and those below it alone.
func (m *Machine) confine(node, name string) {
	if m.handles(name) {
		m.queue = append(m.queue, Event{Node: node, Name: name, within: true})
	}
}

// machine is a state machine of the prototype as the instance has it.
func (in *instance) machine(s StateMachine) StateMachine {
	s.Node, s.States = in.node(s.Node), slices.Clone(s.States)
	for i := range s.States {
		st := &s.States[i]
		st.Entry, st.Exit, st.On = in.fn(st.Entry), in.fn(st.Exit), slices.Clone(st.On)
		for j := range st.On {
			st.On[j].Guard, st.On[j].Action = in.fn(st.On[j].Guard), in.fn(st.On[j].Action)
		}
	}
	return s
}

func (in *instance) tree(n TreeNode) TreeNode {
	n.Fn, n.Children = in.fn(n.Fn), slices.Clone(n.Children)
	for i := range n.Children {
		n.Children[i] = in.tree(n.Children[i])
	}
	return n
}

// destroy hides a node. It is no longer found, and when the step has no more
// events it ends with all below it.
func (m *Machine) destroy(node string) *Fault {
	if f := m.setProperty(node, "visible", false); f != nil || m.gone[node] {
		return f
	}
	m.gone[node] = true
	m.ending = append(m.ending, node)
	m.undo = append(m.undo, func() {
		delete(m.gone, node)
		m.ending = m.ending[:len(m.ending)-1]
	})
	m.confine(node, "unmount")
	return nil
}

// bury ends what was destroyed: rows, turns that wait, properties on their way.
// What was spawned is forgotten.
func (m *Machine) bury() {
	dead := map[string]bool{}
	for _, id := range m.ending {
		dead[id] = true
	}
	m.ending = nil
	for _, id := range m.order {
		if dead[m.nodes[id].Parent] {
			dead[id] = true
		}
	}
	p := m.p
	of := func(fn int) bool { return dead[p.Functions[fn].Owner] }
	p.Handlers = living(p.Handlers, func(h *Handler) bool { return dead[h.Node] })
	p.Subscriptions = living(p.Subscriptions, func(s *Subscription) bool { return dead[s.Owner] })
	p.Wires = living(p.Wires, func(w *Wire) bool { return of(w.Fn) })
	p.Watches = living(p.Watches, func(w *Watch) bool { return of(w.Fn) })
	p.Binds = living(p.Binds, func(b *Bind) bool { return dead[b.Node] })
	p.Schedules, m.schedules = livingPairs(p.Schedules, m.schedules, func(s *Schedule) bool { return of(s.Fn) })
	p.Timelines, m.timelines = livingPairs(p.Timelines, m.timelines, func(t *Timeline) bool { return dead[p.ownerOf(t)] })
	p.Machines, m.machines = livingPairs(p.Machines, m.machines, func(s *StateMachine) bool { return dead[s.Node] })
	m.trees = living(m.trees, func(w *walking) bool { return dead[w.tree.Node] && m.spawned[w.tree.Node] })
	for i := range m.trees { // those of the scene keep their places
		m.trees[i].over = m.trees[i].over || dead[m.trees[i].tree.Node]
	}
	m.waiting = living(m.waiting, func(w *waiting) bool { // also one that called what is dead
		return slices.ContainsFunc(w.thread.frames, func(f frame) bool { return dead[f.fn.Owner] })
	})
	m.tweens = living(m.tweens, func(t **tween) bool { return dead[(*t).node] })
	for key := range m.props {
		if id := trimState(key.owner); dead[id] && m.spawned[id] {
			delete(m.props, key)
		}
	}
	for key := range m.slotOf {
		if dead[key.owner] && m.spawned[key.owner] {
			delete(m.slotOf, key)
		}
	}
	for key := range m.byName {
		if dead[key.owner] && m.spawned[key.owner] {
			delete(m.byName, key)
		}
	}
	for i := range p.Computed {
		if c := &p.Computed[i]; dead[c.Owner] && m.spawned[c.Owner] {
			c.Owner = "" // nobody finds it
		}
	}
	m.order = slices.DeleteFunc(m.order, func(id string) bool { return dead[id] && m.spawned[id] })
	for id := range dead {
		if in := m.instances[id]; in != nil {
			m.unsettle(in)
			delete(m.instances, id)
		}
		if m.spawned[id] {
			delete(m.nodes, id)
			delete(m.gone, id)
			delete(m.spawned, id)
		}
	}
}

// living are the rows that are not dead, in a table of their own.
func living[T any](table []T, dead func(*T) bool) []T {
	var kept []T
	for i := range table {
		if !dead(&table[i]) {
			kept = append(kept, table[i])
		}
	}
	return kept
}

// livingPairs are the rows that are not dead with what runs of each.
func livingPairs[T, R any](table []T, running []R, dead func(*T) bool) ([]T, []R) {
	var kept []T
	var runs []R
	for i := range table {
		if !dead(&table[i]) {
			kept, runs = append(kept, table[i]), append(runs, running[i])
		}
	}
	return kept, runs
}
