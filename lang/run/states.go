package run

// running is a state machine at work.
type running struct {
	state int
	since int
	fired bool // the time-out of the state came
}

// chain is a state with those around it, innermost first.
func (s *StateMachine) chain(state int) []int {
	var out []int
	for ; state >= 0; state = s.States[state].Parent {
		out = append(out, state)
	}
	return out
}

func (m *Machine) enterInitial(i int) { m.move(i, m.p.Machines[i].Initial, -1) }

// move leaves the states that are not around the new one, runs the action of the
// transition and enters, the outer states first.
func (m *Machine) move(i, to, action int) {
	d := &m.p.Machines[i]
	r := &m.machines[i]
	from := r.state
	old, now := d.chain(from), d.chain(to)
	common := 0
	if from != to {
		for common < len(old) && common < len(now) && old[len(old)-1-common] == now[len(now)-1-common] {
			common++
		}
	}
	act := func(fn int) {
		if fn >= 0 {
			m.begin(d.Node, fn, nil)
		}
	}
	if from == to {
		common = max(0, len(now)-1)
	}
	for _, s := range old[:len(old)-common] {
		act(d.States[s].Exit)
	}
	act(action)
	r.state, r.since, r.fired = to, m.steps, false
	for j := len(now) - 1 - common; j >= 0; j-- {
		act(d.States[now[j]].Entry)
	}
	m.note(Entry{Kind: "state", Node: d.Node, Name: d.States[to].Name})
	if from >= 0 && m.handles("state_exit") {
		m.queue = append(m.queue, Event{Node: d.Node, Name: "state_exit", Payload: d.States[from].Name})
	}
	if m.handles("state_enter") {
		m.queue = append(m.queue, Event{Node: d.Node, Name: "state_enter", Payload: d.States[to].Name})
	}
}

// machineEvent offers an event to the machines of its node and of those above.
func (m *Machine) machineEvent(e Event) {
	for i := range m.machines {
		node := m.p.Machines[i].Node
		concerned := e.Node == Everywhere || e.within && m.inside(node, e.Node)
		for at := e.Node; at != "" && !concerned && !e.within; at = m.parent(at) {
			concerned = at == node
		}
		if concerned {
			m.offer(i, e)
		}
	}
}

// offer takes the first transition whose guard is true: of the state, of the
// states around it, and of those that apply in all.
func (m *Machine) offer(i int, e Event) bool {
	d := &m.p.Machines[i]
	places := d.chain(m.machines[i].state)
	for j, s := range d.States {
		if s.Name == "*" {
			places = append(places, j)
		}
	}
	for _, s := range places {
		for _, t := range d.States[s].On {
			if t.Event != e.Name {
				continue
			}
			if t.Guard >= 0 && !m.met(d.Node, t.Guard, e.Payload) {
				continue
			}
			m.move(i, t.To, t.Action)
			return true
		}
	}
	if name, ok := e.Payload.(string); ok && e.Name == "transition" && name != "*" { // transition("open")
		for j, s := range d.States {
			if s.Name == name {
				m.move(i, j, -1)
				return true
			}
		}
	}
	return false
}

// met evaluates a guard or a condition; what it writes stays undone when it faults.
func (m *Machine) met(owner string, fn int, payload Value) bool {
	yes := false
	held := m.atomically(owner, func() *Fault {
		v, f := m.call(fn, []Value{payload}, nil)
		yes = Truthy(v)
		return f
	})
	return held && yes
}

// runMachineTimers lets the states time out that lasted long enough.
func (m *Machine) runMachineTimers() {
	for i := range m.machines {
		r := &m.machines[i]
		d := &m.p.Machines[i]
		for _, s := range d.chain(r.state) {
			after := d.States[s].After
			if len(after) == 0 || r.fired || float64(m.steps-r.since)/float64(m.p.Rates.Spatial) < after[0]-1e-9 {
				continue
			}
			r.fired = true
			m.handler = false
			if !m.offer(i, Event{Node: d.Node, Name: "timeout"}) && after[1] >= 0 {
				m.move(i, int(after[1]), -1)
			}
			m.flush()
			break
		}
	}
}
