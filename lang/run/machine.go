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
	// Visited is called with every node of a tree that a tick has come to, children
	// before their parents. Nil: nobody.
	Visited func(Visit)
}

// Event is something that happened at a node. Everywhere as the node reaches
// all that know its name.
type Event struct {
	Node, Name string
	Payload    Value

	within bool // only the node and those below it receive it
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
	spawned, gone                              map[string]bool       // nodes
	templates, inert                           map[string]*prototype // by name, by node
	instances                                  map[string]*instance  // by root
	born                                       []*instance           // that do not work yet
	ending                                     []string              // nodes that were destroyed
	rows                                       int                   // of the instances
	trace                                      []Entry
	dropped                                    int
	caught                                     map[int]bool // entries of faults that an on_error got
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
	own := *p
	m := &Machine{
		p: &own, host: o.Host, nodes: map[string]*Info{}, slotOf: map[slotKey]int{}, byName: map[slotKey]int{}, props: map[slotKey]Value{},
		unknown: map[string]bool{}, spawned: map[string]bool{}, gone: map[string]bool{}, instances: map[string]*instance{}, calls: map[string]int{}, caught: map[int]bool{}, turnLimit: MaxTurn, stepLimit: MaxStep,
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
	m.prototypes(o.Nodes)
	for i := range o.Nodes {
		n := o.Nodes[i]
		if m.inert[n.ID] != nil {
			continue
		}
		m.nodes[n.ID] = &n
		m.order = append(m.order, n.ID)
		if n.Props != nil {
			for _, k := range n.Props.Keys {
				m.props[slotKey{n.ID, k}] = copyValue(n.Props.Values[k], MaxDepth)
			}
		}
	}
	for i, s := range p.State {
		if m.inert[s.Owner] != nil {
			continue
		}
		if _, there := m.slotOf[slotKey{s.Owner, s.Key}]; !there {
			m.slotOf[slotKey{s.Owner, s.Key}] = i
		}
	}
	for i, f := range p.Functions {
		if m.inert[f.Owner] != nil {
			continue
		}
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
		if m.inert[s.Owner] != nil {
			continue
		}
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
		if m.handles(name) {
			m.queue = append(m.queue, Event{Node: Everywhere, Name: name})
		}
	}
	m.drain()
}

// handles says whether a handler of any kind has the name of an event.
func (m *Machine) handles(name string) bool {
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
	e.within = false
	if len(m.queue) < MaxEvents {
		m.queue = append(m.queue, e)
	}
}

// Busy says whether turns are left over for the next step.
func (m *Machine) Busy() bool { return len(m.queue) > 0 || len(m.ready) > 0 || len(m.born) > 0 }

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
	if m.handles("update") && m.spent < m.stepLimit && !slices.ContainsFunc(m.queue, func(e Event) bool { return e.Name == "update" && e.Node == Everywhere }) {
		m.queue = append(m.queue, Event{Node: Everywhere, Name: "update", Payload: 1 / float64(m.p.Rates.Spatial)})
	}
	m.drain()
}

// Run advances by so many seconds.
func (m *Machine) Run(seconds float64) {
	for end := m.after(seconds); m.steps < end; {
		m.Step()
	}
}

// measure counts what state, properties and waiting turns use.
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
