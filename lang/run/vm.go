package run

import (
	"fmt"
	"slices"
	"sort"
	"unicode/utf8"
)

// Fault ends a handler. It has the place in the source where it happened.
type Fault struct {
	Code     string
	Message  string
	Function string
	Line     int
	Column   int
	Thrown   Value // of FaultThrown
}

// Error implements error.
func (f *Fault) Error() string {
	return fmt.Sprintf("%s %s in %s at %d:%d", f.Code, f.Message, f.Function, f.Line, f.Column)
}

func fault(code, format string, args ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, args...)}
}

type frame struct {
	fn     *Function
	pc     int
	locals []Value
	base   int // height of the stack below it
	tries  []try
}

type try struct{ pc, height int }

// thread is a turn with what it has on its stack.
type thread struct {
	frames []frame
	stack  []Value
	depth  int // calls below it that belong to other threads
	wait   *asleep
}

func (t *thread) push(v Value) { t.stack = append(t.stack, v) }

func (t *thread) top() Value { return t.stack[len(t.stack)-1] }

func (t *thread) pop() Value {
	v := t.stack[len(t.stack)-1]
	t.stack = t.stack[:len(t.stack)-1]
	return v
}

// two are the two values on top of the stack, the lower one first.
func (t *thread) two() (x, y Value) {
	n := len(t.stack)
	x, y = t.stack[n-2], t.stack[n-1]
	t.stack = t.stack[:n-2]
	return x, y
}

// take are so many values on top of the stack, in their order.
func (t *thread) take(n int) []Value {
	out := slices.Clone(t.stack[len(t.stack)-n:])
	t.stack = t.stack[:len(t.stack)-n]
	return out
}

// give pushes what a fault may stand beside.
func (t *thread) give(v Value, f *Fault) *Fault {
	t.push(v)
	return f
}

// asleep is what a thread waits for.
type asleep struct{ seconds float64 }

func (m *Machine) thread(fn int, args []Value, boxes []*box) *thread {
	t := &thread{depth: m.depth}
	t.enter(&m.p.Functions[fn], args, boxes)
	return t
}

func (t *thread) enter(f *Function, args []Value, boxes []*box) {
	locals := make([]Value, f.Locals)
	fixed := f.Params
	if f.Rest {
		fixed--
		locals[fixed] = &List{Items: slices.Clone(args[min(fixed, len(args)):])}
	}
	copy(locals[:fixed], args)
	for i, b := range boxes {
		locals[f.Params+i] = b
	}
	t.frames = append(t.frames, frame{fn: f, locals: locals, base: len(t.stack)})
}

// call runs a function to its end; it may not wait.
func (m *Machine) call(fn int, args []Value, boxes []*box) (Value, *Fault) {
	if m.depth >= MaxCalls {
		return nil, fault(FaultCalls, "more than %d calls within calls", MaxCalls)
	}
	m.depth++
	defer func() { m.depth-- }()
	t := m.thread(fn, args, boxes)
	v, wait, f := m.resume(t)
	if f == nil && wait != nil {
		f = fault(FaultKind, "await is not allowed here")
	}
	return v, f
}

// invoke calls a value.
func (m *Machine) invoke(v Value, args ...Value) (Value, *Fault) {
	c, ok := v.(*Closure)
	if !ok {
		return nil, fault(FaultKind, "%s is not a function", typeName(v))
	}
	if c.dead() {
		return nil, nil
	}
	return m.call(c.fn, args, c.boxes)
}

// resume runs a thread until it ends, waits or faults.
func (m *Machine) resume(t *thread) (Value, *asleep, *Fault) {
	outer := m.depth
	defer func() { m.depth = outer }()
	for {
		m.depth = t.depth + len(t.frames)
		f := m.instruction(t)
		switch {
		case f != nil:
			top := &t.frames[len(t.frames)-1]
			if f.Function == "" {
				f.Function = top.fn.Name
				f.Line, f.Column = top.fn.place(top.pc)
			}
			if f.Code == FaultTurn || !t.catch(f) {
				return nil, nil, f
			}
		case t.wait != nil:
			wait := t.wait
			t.wait = nil
			return nil, wait, nil
		case len(t.frames) == 0:
			return t.pop(), nil, nil
		}
	}
}

// catch goes on behind the innermost try.
func (t *thread) catch(f *Fault) bool {
	for len(t.frames) > 0 {
		top := &t.frames[len(t.frames)-1]
		if n := len(top.tries); n > 0 {
			at := top.tries[n-1]
			top.tries = top.tries[:n-1]
			t.stack = append(t.stack[:at.height], f.value())
			top.pc = at.pc
			return true
		}
		t.stack = t.stack[:top.base]
		t.frames = t.frames[:len(t.frames)-1]
	}
	return false
}

// value is what a catch sees: what was thrown, or the fault with its message.
func (f *Fault) value() Value {
	if f.Code == FaultThrown {
		if _, ok := f.Thrown.(string); !ok {
			return f.Thrown
		}
	}
	return NewObject("message", f.Message, "code", f.Code)
}

// place is the line of an instruction.
func (f *Function) place(pc int) (line, column int) {
	i := sort.Search(len(f.Lines), func(i int) bool { return f.Lines[i][0] > pc })
	if i == 0 {
		return 0, 0
	}
	return f.Lines[i-1][1], f.Lines[i-1][2]
}

// charge counts work beyond one instruction.
func (m *Machine) charge(n int) {
	m.budget -= n
	m.spent += n
}

// overdrawn is the fault of a turn that used up its instructions.
func (m *Machine) overdrawn() *Fault {
	if m.budget < 0 {
		return fault(FaultTurn, "the turn takes more than %d instructions", m.turnLimit)
	}
	return nil
}

// printed is a value as text; printing a large one is work.
func (m *Machine) printed(v Value) string {
	s := Text(v)
	switch v.(type) {
	case *List, *Object:
		m.charge(len(s) / ChargeBytes)
	}
	return s
}

// shown is a value as JSON; as with printed, a large one is work.
func (m *Machine) shown(v Value) string {
	if s, ok := v.(string); ok {
		return quote(s)
	}
	return m.printed(v)
}

// same compares by content.
func (m *Machine) same(x, y Value) bool {
	left := MaxItems
	yes := equal(x, y, MaxDepth, &left)
	m.charge((MaxItems - left) / ChargeElements)
	return yes
}

// find is the place of a value in a list, -1 without one.
func (m *Machine) find(items []Value, x Value) (int, *Fault) {
	for i, v := range items {
		if i%ChargeElements == ChargeElements-1 {
			m.charge(1)
		}
		if m.same(v, x) {
			return i, nil
		}
		if f := m.overdrawn(); f != nil {
			return -1, f
		}
	}
	return -1, nil
}

// alloc counts what a turn makes.
func (m *Machine) alloc(n int) *Fault {
	m.made += n
	m.charge(n / ChargeBytes)
	if m.made > MaxAlloc {
		return fault(FaultSize, "a turn makes more than %d", MaxAlloc)
	}
	return nil
}

func (m *Machine) text(s string) (Value, *Fault) {
	if len(s) > MaxText {
		return nil, fault(FaultSize, "text of %d bytes", len(s))
	}
	return s, m.alloc(len(s))
}

func (m *Machine) list(items []Value) (Value, *Fault) {
	if len(items) > MaxItems {
		return nil, fault(FaultSize, "list of %d elements", len(items))
	}
	return &List{Items: items}, m.alloc(len(items) + 1)
}

// spreadArgs are the arguments that the elements of a list make.
func spreadArgs(v Value) ([]Value, *Fault) {
	l, ok := v.(*List)
	if !ok {
		return nil, fault(FaultKind, "only a list can be spread into arguments, not %s", typeName(v))
	}
	if len(l.Items) > MaxStack {
		return nil, fault(FaultSize, "more than %d arguments", MaxStack)
	}
	return slices.Clone(l.Items), nil
}

// clip shortens a text for a message.
func clip(s string) string {
	if utf8.RuneCountInString(s) <= 200 {
		return s
	}
	return string([]rune(s)[:200]) + "…"
}
