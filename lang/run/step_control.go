package run

import "math"

// The bodies of instructions that jump, call, end, wait, and ask the world.

func doJmp(_ *Machine, _ *thread, fr *frame, s step) *Fault {
	fr.pc = s.a
	return nil
}

func doJz(_ *Machine, t *thread, fr *frame, s step) *Fault {
	if !Truthy(t.pop()) {
		fr.pc = s.a
	}
	return nil
}

func doJnz(_ *Machine, t *thread, fr *frame, s step) *Fault {
	if Truthy(t.pop()) {
		fr.pc = s.a
	}
	return nil
}

func doJnull(_ *Machine, t *thread, fr *frame, s step) *Fault {
	if t.top() == nil {
		fr.pc = s.a
	}
	return nil
}

// deeper is the fault of a call too deep.
func (m *Machine) deeper() *Fault {
	if m.depth >= MaxCalls {
		return fault(FaultCalls, "more than %d calls within calls", MaxCalls)
	}
	return nil
}

func doCall(m *Machine, t *thread, fr *frame, s step) *Fault {
	if f := m.deeper(); f != nil {
		return f
	}
	t.enter(&m.p.Functions[fr.fn.in.fn(s.a)], t.take(s.b), nil)
	return nil
}

func doHost(m *Machine, t *thread, fr *frame, s step) *Fault {
	return t.give(m.hostCall(fr.fn, m.p.Host[s.a], t.take(s.b)))
}

func doHosts(m *Machine, t *thread, fr *frame, s step) *Fault {
	in, f := spreadArgs(t.pop())
	if f != nil {
		return f
	}
	return t.give(m.hostCall(fr.fn, m.p.Host[s.a], in))
}

func doMethod(m *Machine, t *thread, _ *frame, s step) *Fault {
	in := t.take(s.b)
	return t.give(m.method(t.pop(), m.p.Consts[s.a].(string), in))
}

func doMethods(m *Machine, t *thread, _ *frame, s step) *Fault {
	v, list := t.two()
	in, f := spreadArgs(list)
	if f != nil {
		return f
	}
	return t.give(m.method(v, m.p.Consts[s.a].(string), in))
}

func doCallv(m *Machine, t *thread, _ *frame, s step) *Fault {
	in := t.take(s.a)
	return m.enterValue(t, t.pop(), in)
}

func doCalls(m *Machine, t *thread, _ *frame, _ step) *Fault {
	v, list := t.two()
	in, f := spreadArgs(list)
	if f != nil {
		return f
	}
	return m.enterValue(t, v, in)
}

// enterValue calls a value. What belonged to an instance that is no more gives null.
func (m *Machine) enterValue(t *thread, v Value, in []Value) *Fault {
	c, ok := v.(*Closure)
	if !ok {
		return fault(FaultKind, "%s is not a function", typeName(v))
	}
	if c.dead() {
		t.push(nil)
		return nil
	}
	if f := m.deeper(); f != nil {
		return f
	}
	t.enter(&m.p.Functions[c.fn], in, c.boxes)
	return nil
}

func doRet(_ *Machine, t *thread, fr *frame, _ step) *Fault {
	v := t.pop()
	t.stack = append(t.stack[:fr.base], v)
	t.frames = t.frames[:len(t.frames)-1]
	return nil
}

func doThrow(m *Machine, t *thread, _ *frame, _ step) *Fault {
	v := t.pop()
	f := fault(FaultThrown, "%s", clip(m.printed(v)))
	f.Thrown = v
	if o, ok := v.(*Object); ok {
		if text, ok := o.Values["message"].(string); ok {
			f.Message = clip(text)
		}
	}
	return f
}

func doTry(_ *Machine, t *thread, fr *frame, s step) *Fault {
	fr.tries = append(fr.tries, try{s.a, len(t.stack)})
	return nil
}

func doEndTry(_ *Machine, _ *thread, fr *frame, _ step) *Fault {
	fr.tries = fr.tries[:len(fr.tries)-1]
	return nil
}

func doEmit(m *Machine, t *thread, fr *frame, s step) *Fault {
	in := t.take(s.a)
	var payload Value
	if s.a == 2 {
		payload = in[1]
	}
	return m.emit(fr.fn.Owner, m.printed(in[0]), payload)
}

func doAwait(_ *Machine, t *thread, _ *frame, _ step) *Fault {
	n, _ := t.pop().(float64)
	t.push(nil)
	if !(n >= 0) {
		n = 0
	}
	t.wait = &asleep{math.Min(n, 1e9)}
	return nil
}

func doSpawn(m *Machine, t *thread, fr *frame, s step) *Fault {
	place, overrides := t.two()
	return t.give(m.spawn(fr.fn.Owner, m.p.Consts[s.a].(string), place, overrides))
}

func doIter(m *Machine, t *thread, _ *frame, _ step) *Fault {
	return t.give(m.iterate(t.pop()))
}

func doNext(_ *Machine, t *thread, fr *frame, s step) *Fault {
	it, ok := t.top().(*iterator)
	switch {
	case !ok:
		return fault(FaultKind, "nothing to walk over")
	case it.at < len(it.items):
		t.push(it.items[it.at])
		it.at++
	default:
		t.pop()
		fr.pc = s.a
	}
	return nil
}
