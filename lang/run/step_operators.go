package run

// The bodies of operators.

func doAdd(m *Machine, t *thread, _ *frame, s step) *Fault {
	x, y := t.two()
	_, left := x.(string)
	_, right := y.(string)
	if left || right {
		return t.give(m.text(m.printed(x) + m.printed(y)))
	}
	return t.give(arithmetic(s.op, x, y))
}

func doArithmetic(_ *Machine, t *thread, _ *frame, s step) *Fault {
	x, y := t.two()
	return t.give(arithmetic(s.op, x, y))
}

func doNeg(_ *Machine, t *thread, _ *frame, _ step) *Fault {
	v := t.pop()
	n, ok := number(v)
	if !ok {
		return fault(FaultKind, "- needs a number, not %s", typeName(v))
	}
	t.push(-n)
	return nil
}

func doBits(_ *Machine, t *thread, _ *frame, s step) *Fault {
	x, y := t.two()
	return t.give(bits(s.op, x, y))
}

func doCompl(_ *Machine, t *thread, _ *frame, _ step) *Fault {
	v := t.pop()
	n, ok := number(v)
	if !ok {
		return fault(FaultKind, "~ needs a number, not %s", typeName(v))
	}
	t.push(float64(^toInt32(n)))
	return nil
}

func doNot(_ *Machine, t *thread, _ *frame, _ step) *Fault {
	t.push(!Truthy(t.pop()))
	return nil
}

func doSame(m *Machine, t *thread, _ *frame, s step) *Fault {
	x, y := t.two()
	t.push(m.same(x, y) == (s.op == opEq))
	return nil
}

func doOrder(m *Machine, t *thread, _ *frame, s step) *Fault {
	x, y := t.two()
	return t.give(m.compare(s.op, x, y))
}

func doIn(m *Machine, t *thread, _ *frame, _ step) *Fault {
	x, y := t.two()
	return t.give(m.within(x, y))
}

func doRange(m *Machine, t *thread, _ *frame, _ step) *Fault {
	x, y := t.two()
	return t.give(m.rangeOf(x, y))
}
