package run

// drain runs turns until none is left, or the step has used up its instructions.
func (m *Machine) drain() {
	for m.spent < m.stepLimit && !m.halted() {
		if len(m.born) > 0 {
			if !m.cascades() {
				return
			}
			in := m.born[0]
			m.born = m.born[1:]
			m.birth(in)
			m.flush()
			continue
		}
		if len(m.ready) > 0 {
			t := m.ready[0]
			m.ready = m.ready[1:]
			m.goOn(t)
			m.flush()
			continue
		}
		if len(m.queue) == 0 {
			if len(m.ending) > 0 {
				m.bury()
			}
			m.cascade = 0
			return
		}
		if !m.cascades() {
			return
		}
		e := m.queue[0]
		m.queue = m.queue[1:]
		m.turnOf(e)
	}
}

// cascades counts an event or a birth; with too many in a row all that are left
// are dropped.
func (m *Machine) cascades() bool {
	if m.cascade++; m.cascade <= MaxEvents {
		return true
	}
	m.report(SceneOwner, fault(FaultEvents, "more than %d events follow from each other", MaxEvents))
	m.queue, m.born, m.cascade = nil, nil, 0
	return false
}

// inside says whether a node is another or lies below it.
func (m *Machine) inside(node, root string) bool {
	for node != "" && node != root {
		node = m.parent(node)
	}
	return node != ""
}

// turnOf runs the handlers of one event.
func (m *Machine) turnOf(e Event) {
	m.note(Entry{Kind: "event", Node: e.Node, Name: e.Name, Value: e.Payload})
	m.stop = false
	m.budget = m.turnLimit
	m.handler = true
	defer func() { m.handler = false }()
	if e.within {
		m.handlers(e, func(node string) bool { return m.inside(node, e.Node) })
		m.machineEvent(e)
		m.flush()
		return
	}
	everywhere := e.Node == Everywhere
	m.handlers(e, func(node string) bool { return everywhere || node == e.Node })
	for i, w := range m.p.Wires {
		if w.Event == e.Name && (everywhere || w.From == e.Node) {
			m.wire(i, e)
		}
	}
	if !everywhere {
		for at := m.parent(e.Node); at != "" && !m.stop; at = m.parent(at) {
			m.handlers(e, func(node string) bool { return node == at })
		}
	}
	if !m.stop {
		for _, s := range m.p.Subscriptions {
			if s.Event == e.Name && (everywhere || s.From == e.Node) {
				m.begin(s.Owner, s.Fn, []Value{e.Payload})
			}
		}
	}
	m.machineEvent(e)
	m.flush()
}

func (m *Machine) handlers(e Event, at func(string) bool) {
	for _, h := range m.p.Handlers {
		if h.Event == e.Name && at(h.Node) {
			m.begin(h.Node, h.Fn, []Value{e.Payload})
		}
	}
}

// parent is the node above; above the topmost nodes and modules is the scene.
func (m *Machine) parent(node string) string {
	if node == SceneOwner || node == Everywhere {
		return ""
	}
	if n := m.nodes[node]; n != nil && n.Parent != "" {
		return n.Parent
	}
	return SceneOwner
}

func (m *Machine) wire(i int, e Event) {
	w := &m.p.Wires[i]
	if w.Set != nil {
		m.atomically(m.p.Functions[w.Fn].Owner, func() *Fault {
			v, f := m.call(w.Fn, []Value{e.Payload}, nil)
			if f == nil {
				m.set(*w.Set, v)
			}
			return f
		})
		return
	}
	var args []Value
	for _, a := range w.Args {
		args = append(args, m.p.Consts[a])
	}
	m.begin(m.p.Functions[w.Fn].Owner, w.Fn, append(args, e.Payload))
}

// begin runs a function as a turn that may wait.
func (m *Machine) begin(owner string, fn int, args []Value) {
	if !m.handler {
		m.budget = m.turnLimit
	}
	depth := m.depth
	m.depth = 0
	t := m.thread(fn, args, nil)
	m.depth = depth
	m.carry(owner, t)
}

// goOn takes a thread up that waited.
func (m *Machine) goOn(t *thread) {
	m.budget = m.turnLimit
	m.carry(t.frames[0].fn.Owner, t)
}

func (m *Machine) carry(owner string, t *thread) {
	m.atomically(owner, func() *Fault {
		_, wait, f := m.resume(t)
		if f == nil && wait != nil {
			if len(m.waiting)+len(m.ready) >= MaxWaiting {
				return fault(FaultEvents, "more than %d turns wait", MaxWaiting)
			}
			m.waiting = append(m.waiting, waiting{m.after(wait.seconds), t, owner})
		}
		return f
	})
}

// atomically runs a handler: when it faults, nothing that it wrote stays.
func (m *Machine) atomically(owner string, work func() *Fault) bool {
	m.turn++
	m.made = 0
	m.undo = m.undo[:0]
	events, changes, waits := len(m.queue), len(m.changed), len(m.waiting)
	if !m.handler {
		m.budget = m.turnLimit
	}
	f := work()
	if f == nil {
		m.held += m.made
		if m.held > m.hosted.held {
			if m.held = m.measure(); m.held > m.hosted.held {
				f = fault(FaultSize, "the state is too large")
			}
		}
	}
	if f == nil {
		for _, c := range m.changed[changes:] {
			s := m.p.State[c.slot]
			m.note(Entry{Kind: "set", Node: s.Owner, Name: s.Key, Value: m.slots[c.slot]})
		}
		return true
	}
	for i := len(m.undo) - 1; i >= 0; i-- {
		m.undo[i]()
	}
	m.undo = m.undo[:0]
	m.version++
	m.queue, m.changed, m.waiting = m.queue[:min(events, len(m.queue))], m.changed[:changes], m.waiting[:min(waits, len(m.waiting))]
	m.report(owner, f)
	return false
}

// report brings a fault to the nearest on_error.
func (m *Machine) report(owner string, f *Fault) {
	at := len(m.trace)
	m.note(Entry{Kind: "fault", Node: owner, Name: f.Code, Value: f.Message, Function: f.Function, Line: f.Line, Column: f.Column})
	if m.faulted { // a fault of on_error itself
		return
	}
	m.faulted = true
	defer func() { m.faulted = false }()
	for node := owner; node != ""; node = m.parent(node) {
		for _, h := range m.p.Handlers {
			if h.Event == "error" && h.Node == node {
				if at < len(m.trace) {
					m.caught[at] = true
				}
				budget := m.budget
				m.budget = m.turnLimit
				m.carry(node, m.thread(h.Fn, []Value{f.value()}, nil))
				m.budget = budget
				return
			}
		}
	}
}
