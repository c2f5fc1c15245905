package run

import (
	"math"
	"slices"

	"github.com/meshd/meshd/lang/sfc32"
)

// Info is what a machine has to know of a node of the scene.
type Info struct {
	ID, Parent, Name string // Parent is empty for a node at the top
	Props            *Object
}

// Host answers calls that leave the program. known is false for an operation
// that it does not have; then the program goes on with null.
type Host interface {
	Call(name string, args []Value) (v Value, known bool)
}

// Options say how a program runs. The zero value is a run of a viewer.
type Options struct {
	Nodes []Info
	Host  Host
	// Seed replaces the seed of the program.
	Seed *[4]uint32
	// Hosted lowers the instructions of a step to those of a hosted run.
	Hosted bool
	// Long raises the instructions of a turn to those of tests, and of a hosted
	// run those of a step as well.
	Long bool
	// Hz are the steps of a second: 60 to 90, or 2 to 10 for what thinks rather
	// than moves. 0 leaves the program its own.
	Hz int
	// Interrupted is asked again and again while a hosted run works; true stops
	// it for good, since what it left undone depends on the clock.
	Interrupted func() bool
	// First gives a state key another first value than the program does. Nil: none.
	First func(owner, key string) (Value, bool)
	// Visited is told of every node of a tree that a tick has come to, children
	// before their parents. Nil: nobody.
	Visited func(Visit)
}

// Event is something that happened at a node. Everywhere as the node reaches
// all that know its name.
type Event struct {
	Node, Name string
	Payload    Value
}

// Everywhere is the node of an event that belongs to no place.
const Everywhere = "*"

type slotKey struct{ owner, key string }

type cached struct {
	v       Value
	fresh   bool
	busy    bool
	version int
}

// Machine runs a program. It is not for several goroutines.
type Machine struct {
	p      *Program
	host   Host
	random sfc32.Rand
	nodes  map[string]*Info
	order  []string

	slots   []Value
	slotOf  map[slotKey]int
	byName  map[slotKey]int // functions
	caches  []cached
	props   map[slotKey]Value
	version int // grows with every write

	steps     int
	queue     []Event
	waiting   []waiting
	ready     []*thread
	schedules []schedule
	timelines []timeline
	machines  []running
	tweens    []*tween
	trees     []walking
	first     func(owner, key string) (Value, bool)
	visited   func(Visit)

	depth, budget, turnLimit, spent, stepLimit int
	turn, made, held, cascade, serial          int
	handler                                    bool // a turn is under way
	stop                                       bool // the event under way goes no further
	undo                                       []func()
	changed                                    []change
	faulted                                    bool
	unknown                                    map[string]bool
	spawned, gone                              map[string]bool // nodes
	trace                                      []Entry
	dropped                                    int
	caught                                     map[int]bool // entries of faults that an on_error was told
	hosted                                     hosting
	calls                                      map[string]int
}

type change struct {
	slot int
	old  Value
}

type waiting struct {
	at     int
	thread *thread
	owner  string
}

// New makes a machine for a program that Verify accepts; others are refused.
func New(p *Program, o Options) (*Machine, error) {
	if err := p.Verify(); err != nil {
		return nil, err
	}
	m := &Machine{
		p: p, host: o.Host, nodes: map[string]*Info{}, slotOf: map[slotKey]int{}, byName: map[slotKey]int{}, props: map[slotKey]Value{},
		unknown: map[string]bool{}, spawned: map[string]bool{}, gone: map[string]bool{}, calls: map[string]int{}, caught: map[int]bool{}, turnLimit: MaxTurn, stepLimit: MaxStep,
	}
	if o.Long {
		m.turnLimit = MaxLong
	}
	if err := m.hostFor(o); err != nil {
		return nil, err
	}
	seed := p.Seed
	if o.Seed != nil {
		seed = *o.Seed
	}
	m.random = sfc32.New(seed)
	m.first, m.visited = o.First, o.Visited
	for i := range o.Nodes {
		n := o.Nodes[i]
		m.nodes[n.ID] = &n
		m.order = append(m.order, n.ID)
		if n.Props != nil {
			for _, k := range n.Props.Keys {
				m.props[slotKey{n.ID, k}] = copyValue(n.Props.Values[k], MaxDepth)
			}
		}
	}
	for i, s := range p.State {
		if _, there := m.slotOf[slotKey{s.Owner, s.Key}]; !there {
			m.slotOf[slotKey{s.Owner, s.Key}] = i
		}
	}
	for i, f := range p.Functions {
		if _, there := m.byName[slotKey{f.Owner, f.Name}]; !there {
			m.byName[slotKey{f.Owner, f.Name}] = i
		}
	}
	m.slots = make([]Value, len(p.State))
	m.caches = make([]cached, len(p.Computed))
	return m, nil
}

// copyValue is a deep copy of lists and objects.
func copyValue(v Value, depth int) Value {
	if depth < 0 {
		return nil
	}
	switch v := v.(type) {
	case *List:
		out := &List{Items: make([]Value, len(v.Items))}
		for i, e := range v.Items {
			out.Items[i] = copyValue(e, depth-1)
		}
		return out
	case *Object:
		out := &Object{Values: make(map[string]Value, len(v.Keys))}
		for _, k := range v.Keys {
			out.put(k, copyValue(v.Values[k], depth-1))
		}
		return out
	}
	return v
}

// Start gives the state its first values, enters the machines, raises mount and
// start, and lets the schedules begin.
func (m *Machine) Start() {
	limit := m.turnLimit
	m.turnLimit = MaxLong
	for i, s := range m.p.State {
		if m.first != nil {
			if v, given := m.first(s.Owner, s.Key); given {
				m.slots[i] = copyValue(v, MaxDepth)
				continue
			}
		}
		if s.Init.Fn < 0 {
			m.slots[i] = m.p.Consts[s.Init.Const]
			continue
		}
		if m.spent > m.hosted.init {
			m.report(s.Owner, fault(FaultTurn, "the first values take more than %d instructions", m.hosted.init))
			break
		}
		m.atomically(s.Owner, func() *Fault {
			v, f := m.call(s.Init.Fn, nil, nil)
			m.slots[i] = v
			return f
		})
	}
	m.changed = nil
	m.bindAll()
	m.turnLimit = limit
	for i := range m.p.Machines {
		m.machines = append(m.machines, running{state: -1})
		m.enterInitial(i)
	}
	for i := range m.p.Trees {
		m.trees = append(m.trees, newWalk(&m.p.Trees[i]))
	}
	for _, s := range m.p.Schedules {
		m.schedules = append(m.schedules, schedule{due: m.after(s.After), on: true})
	}
	for _, t := range m.p.Timelines {
		m.timelines = append(m.timelines, timeline{on: t.Autoplay})
	}
	for _, name := range []string{"init", "mount", "start"} {
		if m.heard(name) {
			m.queue = append(m.queue, Event{Everywhere, name, nil})
		}
	}
	m.drain()
}

// heard says whether a handler of any kind has the name of an event.
func (m *Machine) heard(name string) bool {
	return slices.ContainsFunc(m.p.Handlers, func(h Handler) bool { return h.Event == name })
}

// Time is the simulated time in seconds.
func (m *Machine) Time() float64 { return float64(m.steps) / float64(m.p.Rates.Spatial) }

// after is the step that comes so many seconds from now.
func (m *Machine) after(seconds float64) int {
	return m.steps + int(math.Ceil(seconds*float64(m.p.Rates.Spatial)-1e-9))
}

// Inject raises an event from outside; it is taken up by the next step.
func (m *Machine) Inject(e Event) {
	if len(m.queue) < MaxEvents {
		m.queue = append(m.queue, e)
	}
}

// Busy says whether turns are left over for the next step.
func (m *Machine) Busy() bool { return len(m.queue) > 0 || len(m.ready) > 0 }

// Step advances the time by one spatial step.
func (m *Machine) Step() {
	if m.hosted.stopped {
		return
	}
	m.steps++
	m.spent, m.cascade = 0, 0
	m.runSchedules()
	m.runTimelines()
	kept := m.waiting[:0]
	var due []*thread
	for _, w := range m.waiting {
		if w.at <= m.steps {
			due = append(due, w.thread)
		} else {
			kept = append(kept, w)
		}
	}
	clear(m.waiting[len(kept):])
	m.waiting = kept
	m.ready = append(m.ready, due...)
	m.runMachineTimers()
	m.drain()
	m.runTweens()
	m.runTrees()
	if m.heard("update") && m.spent < m.stepLimit && !slices.ContainsFunc(m.queue, func(e Event) bool { return e.Name == "update" && e.Node == Everywhere }) {
		m.queue = append(m.queue, Event{Everywhere, "update", 1 / float64(m.p.Rates.Spatial)})
	}
	m.drain()
}

// Run advances by so many seconds.
func (m *Machine) Run(seconds float64) {
	for end := m.after(seconds); m.steps < end; {
		m.Step()
	}
}

// drain runs turns until none is left, or the step has used up its instructions.
func (m *Machine) drain() {
	for m.spent < m.stepLimit && !m.halted() {
		if len(m.ready) > 0 {
			t := m.ready[0]
			m.ready = m.ready[1:]
			m.goOn(t)
			m.flush()
			continue
		}
		if len(m.queue) == 0 {
			m.cascade = 0
			return
		}
		if m.cascade++; m.cascade > MaxEvents {
			m.report(SceneOwner, fault(FaultEvents, "more than %d events follow from each other", MaxEvents))
			m.queue, m.cascade = nil, 0
			return
		}
		e := m.queue[0]
		m.queue = m.queue[1:]
		m.turnOf(e)
	}
}

// turnOf runs the handlers of one event.
func (m *Machine) turnOf(e Event) {
	m.note(Entry{Kind: "event", Node: e.Node, Name: e.Name, Value: e.Payload})
	m.stop = false
	m.budget = m.turnLimit
	m.handler = true
	defer func() { m.handler = false }()
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

func (m *Machine) get(slot int) Value { return m.slots[slot] }

func (m *Machine) set(slot int, v Value) {
	old := m.slots[slot]
	m.undo = append(m.undo, func() { m.slots[slot] = old })
	m.slots[slot] = v
	m.version++
	switch v.(type) {
	case *List, *Object:
	default:
		if Equal(old, v) {
			return
		}
	}
	for _, c := range m.changed {
		if c.slot == slot {
			return
		}
	}
	m.changed = append(m.changed, change{slot, old})
}

// touch saves a list or an object before it changes, once in a turn.
func (m *Machine) touch(v Value) {
	m.version++
	switch v := v.(type) {
	case *List:
		if v.turn != m.turn {
			v.turn = m.turn
			old := slices.Clone(v.Items)
			m.made += len(old)
			m.undo = append(m.undo, func() { v.Items = old })
		}
	case *Object:
		if v.turn != m.turn {
			v.turn = m.turn
			keys, values := slices.Clone(v.Keys), make(map[string]Value, len(v.Keys))
			for k, e := range v.Values {
				values[k] = e
			}
			m.made += len(keys)
			m.undo = append(m.undo, func() { v.Keys, v.Values = keys, values })
		}
	}
}

func (m *Machine) touchBox(b *box) {
	if b.turn != m.turn {
		b.turn = m.turn
		old := b.v
		m.undo = append(m.undo, func() { b.v = old })
	}
}

// computedValue works a computed value out when something was written since.
func (m *Machine) computedValue(i int) (Value, *Fault) {
	c := &m.caches[i]
	if c.fresh && c.version == m.version {
		return c.v, nil
	}
	if c.busy {
		return nil, fault(FaultCalls, "computed '%s' needs itself", m.p.Computed[i].Key)
	}
	c.busy = true
	v, f := m.call(m.p.Computed[i].Fn, nil, nil)
	c = &m.caches[i]
	c.busy = false
	if f == nil {
		*c = cached{v: v, fresh: true, version: m.version}
	}
	return v, f
}

// flush runs the watches of what changed, and then the bound properties.
func (m *Machine) flush() {
	if len(m.changed) == 0 {
		return
	}
	changed := m.changed
	m.changed = nil
	for _, w := range m.p.Watches {
		for _, c := range changed {
			if c.slot == w.State {
				m.handler = false
				m.begin(m.p.Functions[w.Fn].Owner, w.Fn, []Value{m.slots[w.State], c.old})
			}
		}
	}
	m.bindAll()
	again := m.changed
	m.changed = nil
	if len(again) > 0 { // what watches wrote is seen by the next flush, as an event behind the others
		m.bindAll()
	}
}

// bindAll sets the bound properties that changed.
func (m *Machine) bindAll() {
	for _, b := range m.p.Binds {
		m.handler = false
		m.atomically(b.Node, func() *Fault {
			v, f := m.call(b.Fn, nil, nil)
			if f != nil || Equal(m.props[slotKey{b.Node, b.Property}], v) {
				return f
			}
			return m.setProperty(b.Node, b.Property, v)
		})
	}
}

func (m *Machine) setProperty(node, name string, v Value) *Fault {
	key := slotKey{node, name}
	old, there := m.props[key]
	if !there && len(m.props) >= MaxItems*4 {
		return fault(FaultSize, "too many properties")
	}
	m.version++
	m.undo = append(m.undo, func() {
		if there {
			m.props[key] = old
		} else {
			delete(m.props, key)
		}
	})
	m.props[key] = v
	m.note(Entry{Kind: "property", Node: trimState(node), Name: name, Value: v})
	return m.alloc(1)
}

func trimState(node string) string {
	for i := range node {
		if node[i] == 0 {
			return node[:i]
		}
	}
	return node
}

func (m *Machine) extraState(node, name string) Value {
	return m.props[slotKey{node + "\x00state", name}]
}

// nodeMember is node.name: what every node has, a property, then its state.
func (m *Machine) nodeMember(node, name string) (Value, *Fault) {
	switch name {
	case "id":
		return node, nil
	case "name":
		if n := m.nodes[node]; n != nil {
			return n.Name, nil
		}
		return node, nil
	case "state":
		return stateOf(node), nil
	case "parent":
		if p := m.parent(node); p != "" {
			return Node(p), nil
		}
		return nil, nil
	case "current_state":
		for i, s := range m.p.Machines {
			if s.Node == node && i < len(m.machines) && m.machines[i].state >= 0 {
				return s.States[m.machines[i].state].Name, nil
			}
		}
	}
	if v, ok := m.props[slotKey{node, name}]; ok {
		return v, nil
	}
	if i, ok := m.slotOf[slotKey{node, name}]; ok {
		return m.get(i), nil
	}
	for i, c := range m.p.Computed {
		if c.Owner == node && c.Key == name {
			return m.computedValue(i)
		}
	}
	if n := m.nodes[node]; n != nil && name == "instances" {
		return m.instances(n.Name)
	}
	return nil, nil
}

func (m *Machine) emit(node, name string, payload Value) *Fault {
	if len(m.queue) >= MaxEvents {
		return fault(FaultEvents, "more than %d events wait", MaxEvents)
	}
	m.queue = append(m.queue, Event{node, name, payload})
	return m.alloc(1)
}

// spawn makes a node of a template's name.
func (m *Machine) spawn(owner, name string, place, overrides Value) (Value, *Fault) {
	if len(m.spawned) >= MaxSpawned {
		return nil, fault(FaultSize, "more than %d nodes", MaxSpawned)
	}
	m.serial++
	id := "s" + FormatNumber(float64(m.serial))
	m.spawned[id] = true
	n := &Info{ID: id, Name: name}
	if owner != SceneOwner && m.nodes[owner] != nil {
		n.Parent = m.nodes[owner].Parent
	}
	m.nodes[id] = n
	m.order = append(m.order, id)
	m.undo = append(m.undo, func() {
		delete(m.nodes, id)
		m.order = m.order[:len(m.order)-1]
		delete(m.spawned, id)
	})
	m.note(Entry{Kind: "spawn", Node: id, Name: name})
	if place != nil {
		if f := m.setProperty(id, "position", place); f != nil {
			return nil, f
		}
	}
	if o, ok := overrides.(*Object); ok {
		for _, k := range o.Keys {
			if f := m.setProperty(id, k, o.Values[k]); f != nil {
				return nil, f
			}
		}
	}
	return Node(id), nil
}

// destroy hides a node; then it is no longer found.
func (m *Machine) destroy(node string) *Fault {
	if f := m.setProperty(node, "visible", false); f != nil || m.gone[node] {
		return f
	}
	m.gone[node] = true
	m.undo = append(m.undo, func() { delete(m.gone, node) })
	return nil
}

// instances are the nodes that spawn made of a template and that are still there.
func (m *Machine) instances(name string) (Value, *Fault) {
	var out []Value
	for _, id := range m.order {
		if m.spawned[id] && !m.gone[id] && m.nodes[id].Name == name {
			out = append(out, Node(id))
		}
	}
	return m.list(out)
}

// measure counts what state, properties and waiting turns hold.
func (m *Machine) measure() int {
	seen := map[any]bool{}
	n := 0
	var visit func(v Value, depth int)
	visit = func(v Value, depth int) {
		if n > MaxHeld {
			return
		}
		n++
		switch v := v.(type) {
		case string:
			n += len(v)
		case *List:
			if !seen[v] {
				seen[v] = true
				for _, e := range v.Items {
					visit(e, depth+1)
				}
			}
		case *Object:
			if !seen[v] {
				seen[v] = true
				for _, k := range v.Keys {
					n += len(k)
					visit(v.Values[k], depth+1)
				}
			}
		case *Closure:
			if !seen[v] {
				seen[v] = true
				for _, b := range v.boxes {
					visit(b.v, depth+1)
				}
			}
		case *box:
			if !seen[v] {
				seen[v] = true
				visit(v.v, depth+1)
			}
		case *iterator:
			for _, e := range v.items {
				visit(e, depth+1)
			}
		}
	}
	for _, v := range m.slots {
		visit(v, 0)
	}
	for _, v := range m.props {
		visit(v, 0)
	}
	for _, e := range m.queue {
		visit(e.Payload, 0)
	}
	for _, w := range m.waiting {
		for _, f := range w.thread.frames {
			for _, v := range f.locals {
				visit(v, 0)
			}
		}
		for _, v := range w.thread.stack {
			visit(v, 0)
		}
	}
	return n
}
