package run

import (
	"slices"
	"strings"
)

// The bodies of instructions that move and make values.

func doConst(m *Machine, t *thread, _ *frame, s step) *Fault {
	t.push(m.p.Consts[s.a])
	return nil
}

func doPop(_ *Machine, t *thread, _ *frame, _ step) *Fault {
	t.pop()
	return nil
}

func doDup(_ *Machine, t *thread, _ *frame, _ step) *Fault {
	t.push(t.top())
	return nil
}

func doLoad(_ *Machine, t *thread, fr *frame, s step) *Fault {
	v := fr.locals[s.a]
	if bx, ok := v.(*box); ok {
		v = bx.v
	}
	t.push(v)
	return nil
}

func doStore(m *Machine, t *thread, fr *frame, s step) *Fault {
	v := t.pop()
	if bx, ok := fr.locals[s.a].(*box); ok {
		m.touchBox(bx)
		bx.v = v
	} else {
		fr.locals[s.a] = v
	}
	return nil
}

func doCell(m *Machine, t *thread, fr *frame, s step) *Fault {
	bx, ok := fr.locals[s.a].(*box)
	if !ok {
		bx = &box{v: fr.locals[s.a], turn: m.turn}
		fr.locals[s.a] = bx
	}
	t.push(bx)
	return nil
}

func doSelf(_ *Machine, t *thread, fr *frame, _ step) *Fault {
	t.push(Node(fr.fn.Owner))
	return nil
}

func doNode(m *Machine, t *thread, fr *frame, s step) *Fault {
	t.push(Node(fr.fn.in.node(m.p.Consts[s.a].(string))))
	return nil
}

func doGet(m *Machine, t *thread, fr *frame, s step) *Fault {
	t.push(m.get(fr.fn.in.slot(s.a)))
	return nil
}

func doSet(m *Machine, t *thread, fr *frame, s step) *Fault {
	m.set(fr.fn.in.slot(s.a), t.pop())
	return nil
}

func doComp(m *Machine, t *thread, fr *frame, s step) *Fault {
	return t.give(m.computedValue(fr.fn.in.comp(s.a)))
}

func doMem(m *Machine, t *thread, _ *frame, s step) *Fault {
	return t.give(m.member(t.pop(), m.p.Consts[s.a].(string)))
}

func doPutMem(m *Machine, t *thread, _ *frame, s step) *Fault {
	x, v := t.two()
	return m.putMember(x, m.p.Consts[s.a].(string), v)
}

func doIdx(m *Machine, t *thread, _ *frame, _ step) *Fault {
	x, i := t.two()
	return t.give(m.index(x, i))
}

func doPutIdx(m *Machine, t *thread, _ *frame, _ step) *Fault {
	i, v := t.two()
	return m.putIndex(t.pop(), i, v)
}

func doArr(m *Machine, t *thread, _ *frame, s step) *Fault {
	return t.give(m.list(t.take(s.a)))
}

func doObj(m *Machine, t *thread, _ *frame, s step) *Fault {
	pairs := t.take(2 * s.a)
	o := &Object{Values: make(map[string]Value, s.a)}
	for i := 0; i < len(pairs); i += 2 {
		o.put(m.printed(pairs[i]), pairs[i+1])
	}
	t.push(o)
	return m.alloc(s.a + 1)
}

func doConcat(m *Machine, t *thread, _ *frame, _ step) *Fault {
	x, y := t.two()
	xs, ok := x.(*List)
	ys, okay := y.(*List)
	if !ok || !okay {
		return fault(FaultKind, "only a list can be spread into a list, not %s", typeName(y))
	}
	return t.give(m.list(append(slices.Clone(xs.Items), ys.Items...)))
}

func doMerge(m *Machine, t *thread, _ *frame, _ step) *Fault {
	x, y := t.two()
	return t.give(m.merge(x, y))
}

func doTpl(m *Machine, t *thread, _ *frame, s step) *Fault {
	var text strings.Builder
	for _, v := range t.take(s.a) {
		text.WriteString(m.printed(v))
		if text.Len() > MaxText {
			break
		}
	}
	return t.give(m.text(text.String()))
}

func doFn(m *Machine, t *thread, fr *frame, s step) *Fault {
	fn := fr.fn.in.fn(s.a)
	c := &Closure{fn: fn, in: m.p.Functions[fn].in}
	for _, v := range t.take(s.b) {
		bx, ok := v.(*box)
		if !ok {
			bx = &box{v: v, turn: m.turn}
		}
		c.boxes = append(c.boxes, bx)
	}
	t.push(c)
	return m.alloc(s.b + 1)
}
