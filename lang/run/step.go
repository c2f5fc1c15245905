package run

// step is one instruction with its operands.
type step struct {
	op   Op
	a, b int
}

// A body does what an instruction says. The frame stands at the next instruction
// already; a jump moves it. What the table of instructions has no row for does not
// reach a body: Verify refused it.
type body func(m *Machine, t *thread, fr *frame, s step) *Fault

// instruction runs one instruction of a thread. A thread that ends has no frames, and
// its value on the stack.
func (m *Machine) instruction(t *thread) *Fault {
	if m.halted() {
		return fault(FaultTurn, "the run was stopped")
	}
	m.charge(1)
	if f := m.overdrawn(); f != nil {
		return f
	}
	fr := &t.frames[len(t.frames)-1]
	code, pc := fr.fn.Code, fr.pc
	s := step{op: Op(code[pc])}
	width := int(widths[s.op])
	switch width {
	case 2:
		s.b = code[pc+2]
		fallthrough
	case 1:
		s.a = code[pc+1]
	}
	if len(t.stack) >= MaxStack {
		return fault(FaultSize, "stack of more than %d values", MaxStack)
	}
	fr.pc = pc + 1 + width
	f := bodies[s.op](m, t, fr, s)
	if f != nil {
		fr.pc = pc // what faults has its place; it entered no frame
	}
	return f
}
