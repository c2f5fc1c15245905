package run

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
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
		done, v, wait, f := m.instruction(t)
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
		case wait != nil:
			return nil, wait, nil
		case done:
			return v, nil, nil
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

// instruction runs one instruction of a thread.
func (m *Machine) instruction(t *thread) (done bool, result Value, wait *asleep, f *Fault) {
	if m.halted() {
		return false, nil, nil, fault(FaultTurn, "the run was stopped")
	}
	m.charge(1)
	if f := m.overdrawn(); f != nil {
		return false, nil, nil, f
	}
	fr := &t.frames[len(t.frames)-1]
	code := fr.fn.Code
	op := Op(code[fr.pc])
	s := &shapes[op]
	var a, b int
	switch len(s.Args) {
	case 2:
		b = code[fr.pc+2]
		fallthrough
	case 1:
		a = code[fr.pc+1]
	}
	next := fr.pc + 1 + len(s.Args)
	push := func(v Value) { t.stack = append(t.stack, v) }
	pop := func() Value {
		v := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		return v
	}
	args := func(n int) []Value {
		out := slices.Clone(t.stack[len(t.stack)-n:])
		t.stack = t.stack[:len(t.stack)-n]
		return out
	}
	give := func(v Value, err *Fault) {
		push(v)
		f = err
	}
	if len(t.stack) >= MaxStack {
		return false, nil, nil, fault(FaultSize, "stack of more than %d values", MaxStack)
	}
	p := m.p
	switch op {
	case opConst:
		push(p.Consts[a])
	case opPop:
		pop()
	case opDup:
		push(t.stack[len(t.stack)-1])
	case opLoad:
		v := fr.locals[a]
		if bx, ok := v.(*box); ok {
			v = bx.v
		}
		push(v)
	case opStore:
		v := pop()
		if bx, ok := fr.locals[a].(*box); ok {
			m.touchBox(bx)
			bx.v = v
		} else {
			fr.locals[a] = v
		}
	case opCell:
		bx, ok := fr.locals[a].(*box)
		if !ok {
			bx = &box{v: fr.locals[a], turn: m.turn}
			fr.locals[a] = bx
		}
		push(bx)
	case opSelf:
		push(Node(fr.fn.Owner))
	case opNode:
		push(Node(fr.fn.in.node(p.Consts[a].(string))))
	case opGet:
		push(m.get(fr.fn.in.slot(a)))
	case opSet:
		m.set(fr.fn.in.slot(a), pop())
	case opComp:
		give(m.computedValue(fr.fn.in.comp(a)))
	case opMem:
		give(m.member(pop(), p.Consts[a].(string)))
	case opPutMem:
		v := pop()
		f = m.putMember(pop(), p.Consts[a].(string), v)
	case opIdx:
		i := pop()
		give(m.index(pop(), i))
	case opPutIdx:
		v, i := pop(), pop()
		f = m.putIndex(pop(), i, v)
	case opArr:
		give(m.list(args(a)))
	case opObj:
		pairs := args(2 * a)
		o := &Object{Values: make(map[string]Value, a)}
		for i := 0; i < len(pairs); i += 2 {
			o.put(m.printed(pairs[i]), pairs[i+1])
		}
		push(o)
		f = m.alloc(a + 1)
	case opConcat:
		y, x := pop(), pop()
		xs, ok := x.(*List)
		ys, okay := y.(*List)
		if !ok || !okay {
			f = fault(FaultKind, "only a list can be spread into a list, not %s", typeName(y))
			break
		}
		give(m.list(append(slices.Clone(xs.Items), ys.Items...)))
	case opMerge:
		y, x := pop(), pop()
		give(m.merge(x, y))
	case opTpl:
		var text strings.Builder
		for _, v := range args(a) {
			text.WriteString(m.printed(v))
			if text.Len() > MaxText {
				break
			}
		}
		give(m.text(text.String()))
	case opAdd:
		y, x := pop(), pop()
		_, left := x.(string)
		_, right := y.(string)
		if left || right {
			give(m.text(m.printed(x) + m.printed(y)))
			break
		}
		give(arithmetic(op, x, y))
	case opSub, opMul, opDiv, opMod, opPow:
		y, x := pop(), pop()
		give(arithmetic(op, x, y))
	case opNeg:
		v := pop()
		n, ok := number(v)
		if !ok {
			f = fault(FaultKind, "- needs a number, not %s", typeName(v))
		}
		push(-n)
	case opAnd, opOr, opXor, opShl, opShr:
		y, x := pop(), pop()
		give(bits(op, x, y))
	case opCompl:
		v := pop()
		n, ok := number(v)
		if !ok {
			f = fault(FaultKind, "~ needs a number, not %s", typeName(v))
		}
		push(float64(^toInt32(n)))
	case opNot:
		push(!Truthy(pop()))
	case opEq, opNe:
		y, x := pop(), pop()
		push(m.same(x, y) == (op == opEq))
	case opLt, opLe, opGt, opGe:
		y, x := pop(), pop()
		give(m.compare(op, x, y))
	case opIn:
		y, x := pop(), pop()
		give(m.within(x, y))
	case opRange:
		y, x := pop(), pop()
		give(m.rangeOf(x, y))
	case opJmp:
		next = a
	case opJz:
		if !Truthy(pop()) {
			next = a
		}
	case opJnz:
		if Truthy(pop()) {
			next = a
		}
	case opJnull:
		if t.stack[len(t.stack)-1] == nil {
			next = a
		}
	case opCall:
		if m.depth >= MaxCalls {
			f = fault(FaultCalls, "more than %d calls within calls", MaxCalls)
			break
		}
		in := args(b)
		fr.pc = next
		t.enter(&p.Functions[fr.fn.in.fn(a)], in, nil)
		return false, nil, nil, nil
	case opHost:
		give(m.hostCall(fr.fn, p.Host[a], args(b)))
	case opMethod:
		in := args(b)
		give(m.method(pop(), p.Consts[a].(string), in))
	case opFn:
		fn := fr.fn.in.fn(a)
		c := &Closure{fn: fn, in: p.Functions[fn].in}
		for _, v := range args(b) {
			bx, ok := v.(*box)
			if !ok {
				bx = &box{v: v, turn: m.turn}
			}
			c.boxes = append(c.boxes, bx)
		}
		push(c)
		f = m.alloc(b + 1)
	case opHosts:
		var in []Value
		if in, f = spreadArgs(pop()); f == nil {
			give(m.hostCall(fr.fn, p.Host[a], in))
		}
	case opMethods:
		var in []Value
		in, f = spreadArgs(pop())
		if v := pop(); f == nil {
			give(m.method(v, p.Consts[a].(string), in))
		}
	case opCallv, opCalls:
		var in []Value
		if op == opCallv {
			in = args(a)
		} else if in, f = spreadArgs(pop()); f != nil {
			break
		}
		v := pop()
		c, ok := v.(*Closure)
		if !ok {
			f = fault(FaultKind, "%s is not a function", typeName(v))
			break
		}
		if c.dead() {
			push(nil)
			break
		}
		if m.depth >= MaxCalls {
			f = fault(FaultCalls, "more than %d calls within calls", MaxCalls)
			break
		}
		fr.pc = next
		t.enter(&p.Functions[c.fn], in, c.boxes)
		return false, nil, nil, nil
	case opRet:
		v := pop()
		t.stack = t.stack[:fr.base]
		t.frames = t.frames[:len(t.frames)-1]
		if len(t.frames) == 0 {
			return true, v, nil, nil
		}
		push(v)
		return false, nil, nil, nil
	case opThrow:
		v := pop()
		f = fault(FaultThrown, "%s", clip(m.printed(v)))
		f.Thrown = v
		if o, ok := v.(*Object); ok {
			if text, ok := o.Values["message"].(string); ok {
				f.Message = clip(text)
			}
		}
	case opTry:
		fr.tries = append(fr.tries, try{a, len(t.stack)})
	case opEndTry:
		fr.tries = fr.tries[:len(fr.tries)-1]
	case opEmit:
		in := args(a)
		var payload Value
		if a == 2 {
			payload = in[1]
		}
		f = m.emit(fr.fn.Owner, m.printed(in[0]), payload)
	case opAwait:
		v := pop()
		push(nil)
		fr.pc = next
		n, _ := v.(float64)
		if !(n >= 0) {
			n = 0
		}
		return false, nil, &asleep{math.Min(n, 1e9)}, nil
	case opSpawn:
		overrides, place := pop(), pop()
		give(m.spawn(fr.fn.Owner, p.Consts[a].(string), place, overrides))
	case opIter:
		give(m.iterate(pop()))
	case opNext:
		it, ok := t.stack[len(t.stack)-1].(*iterator)
		switch {
		case !ok:
			f = fault(FaultKind, "nothing to walk over")
		case it.at < len(it.items):
			push(it.items[it.at])
			it.at++
		default:
			pop()
			next = a
		}
	}
	if f != nil {
		return false, nil, nil, f
	}
	fr.pc = next
	return false, nil, nil, nil
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
