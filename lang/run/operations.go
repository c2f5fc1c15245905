package run

import (
	"math"
	"strconv"
)

// The operations of the library that take more than a line.

func lerped(m *Machine, _ string, a []Value) (Value, *Fault) {
	n, f := numbers(a[min(2, len(a)):], 1)
	if f != nil {
		return nil, f
	}
	return m.between(first(a), at(a, 1), n[0])
}

func randomized(m *Machine, _ string, a []Value) (Value, *Fault) {
	if len(a) == 0 {
		return m.random.Float(), nil
	}
	if len(a) == 1 {
		n, f := numbers(a, 1)
		return float64(m.random.Float() * n[0]), f
	}
	n, f := numbers(a, 2)
	return n[0] + float64(m.random.Float()*(n[1]-n[0])), f
}

func chosen(m *Machine, _ string, a []Value) (Value, *Fault) {
	if len(a) == 1 {
		if l, ok := a[0].(*List); ok {
			a = l.Items
		}
	}
	if len(a) == 0 {
		return nil, nil
	}
	return a[int(m.random.Float()*float64(len(a)))], nil
}

func later(m *Machine, owner string, a []Value) (Value, *Fault) {
	var c *Closure
	seconds := 0.0
	for _, v := range a {
		switch v := v.(type) {
		case *Closure:
			c = v
		case float64:
			seconds = v
		}
	}
	if c == nil {
		return nil, fault(FaultKind, "set_timeout needs a function")
	}
	if len(m.waiting) >= MaxWaiting {
		return nil, fault(FaultEvents, "more than %d turns wait", MaxWaiting)
	}
	if c.dead() {
		return nil, nil
	}
	t, fn := &thread{}, m.p.Functions[c.fn] // a copy: an instance that failed gives its place to the next
	t.enter(&fn, nil, c.boxes)
	if math.IsNaN(seconds) {
		seconds = 0
	}
	m.waiting = append(m.waiting, waiting{m.after(math.Min(math.Max(seconds, 0), 1e9)), t, owner})
	return nil, nil
}

func nodeNamed(m *Machine, _ string, a []Value) (Value, *Fault) {
	name := m.printed(first(a))
	for _, id := range m.order {
		if n := m.nodes[id]; (n.Name == name || id == name) && !m.gone[id] {
			return Node(id), nil
		}
	}
	return nil, nil
}

func nodesNamed(m *Machine, _ string, a []Value) (Value, *Fault) {
	name := m.printed(first(a))
	var out []Value
	for _, id := range m.order {
		if m.nodes[id].Name == name && !m.gone[id] {
			out = append(out, Node(id))
		}
	}
	return m.list(out)
}

func destroyed(m *Machine, owner string, a []Value) (Value, *Fault) {
	if len(a) > 0 {
		n, ok := a[0].(Node)
		if !ok { // what is not there
			return nil, nil
		}
		owner = string(n)
	}
	return nil, m.destroy(owner)
}

func hypot(_ *Machine, _ string, a []Value) (Value, *Fault) {
	n, f := numbers(a, len(a))
	sum := 0.0
	for _, x := range n {
		sum += float64(x * x)
	}
	return math.Sqrt(sum), f
}

func movedTo(m *Machine, owner string, a []Value) (Value, *Fault) {
	node, rest := target(owner, a)
	return nil, m.tween(node, append([]Value{"position"}, rest...))
}

func changedState(m *Machine, owner string, a []Value) (Value, *Fault) {
	node, rest := target(owner, a)
	return nil, m.emit(node, "transition", first(rest)) // the machines of the node take it
}

func freshID(m *Machine, _ string, _ []Value) (Value, *Fault) {
	m.serial++
	return "id" + strconv.Itoa(m.serial), nil
}
