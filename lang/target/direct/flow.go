package direct

import (
	"slices"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/run/table"
)

// stack is a stack of values; what is pushed shares what lies below.
type stack struct {
	value
	below *stack
	depth int
}

func (s *stack) push(v value) *stack {
	d := 1
	if s != nil {
		d = s.depth + 1
	}
	return &stack{v, s, d}
}

func (s *stack) drop(n int) *stack {
	for range n {
		s = s.below
	}
	return s
}

// top are the upper values, the lowest first.
func (s *stack) top(n int) []value {
	out := make([]value, n)
	for i := n - 1; i >= 0; i-- {
		out[i] = s.value
		s = s.below
	}
	return out
}

// meet joins two stacks of one height; false when the first says all.
func meet(a, b *stack) (*stack, bool) {
	if a == b || a == nil || b == nil {
		return a, false
	}
	below, more := meet(a.below, b.below)
	v := value{t: a.t | b.t, node: a.node, text: a.text}
	if a.node != b.node {
		v.node = ""
	}
	if a.text != b.text {
		v.text = ""
	}
	if more || v != a.value {
		return below.push(v), true
	}
	return a, false
}

// function works out what the instructions of a function make of what is known.
func (w *types) function(fn int) {
	code := w.p.Functions[fn].Code
	at := map[int]*stack{}
	seen := map[int]bool{}
	var work []int
	reach := func(pc int, s *stack) {
		if !seen[pc] {
			seen[pc], at[pc] = true, s
			work = append(work, pc)
		} else if both, more := meet(at[pc], s); more {
			at[pc] = both
			work = append(work, pc)
		}
	}
	reach(0, nil)
	for len(work) > 0 {
		pc := work[len(work)-1]
		work = work[:len(work)-1]
		op := &table.Ops[code[pc]]
		next := pc + 1 + len(op.Args)
		s := at[pc]
		after := w.step(fn, op.Name, code[pc+1:next], s)
		if op.Flow == table.Jump || op.Flow == table.Branch {
			landed := after
			if op.Land > 0 {
				landed = landed.push(value{t: Any})
			} else if op.Land < 0 {
				landed = landed.drop(-op.Land)
			}
			reach(code[next-1], landed)
		}
		if op.Flow != table.Jump && op.Flow != table.End {
			reach(next, after)
		}
	}
}

var changing = table.ListMethods(func(m table.Method) bool { return m.Changes })

// step is the stack behind an instruction.
func (w *types) step(fn int, name string, a []int, s *stack) *stack {
	p := w.p
	text := func(i int) string { t, _ := p.Consts[i].(string); return t }
	result := func(n int, t Type) *stack { return s.drop(n).push(value{t: t}) }
	switch name {
	case "Const":
		return s.push(value{t: typeOf(p.Consts[a[0]]), text: text(a[0])})
	case "Pop":
		return s.below
	case "Dup":
		return s.push(s.value)
	case "Load":
		return s.push(value{t: w.locals[fn][a[0]]})
	case "Store":
		w.join(&w.locals[fn][a[0]], s.t)
		return s.below
	case "Cell":
		w.join(&w.locals[fn][a[0]], Any)
		return s.push(value{t: Other})
	case "Self":
		return s.push(value{t: Node, node: p.Functions[fn].Owner})
	case "Node":
		return s.push(value{t: Node, node: text(a[0])})
	case "Get":
		return s.push(value{t: w.slots[a[0]]})
	case "Set":
		w.join(&w.slots[a[0]], s.t)
		return s.below
	case "Comp":
		return s.push(value{t: w.results[p.Computed[a[0]].Fn]})
	case "Mem":
		return result(1, w.member(s.value, text(a[0])))
	case "PutMem":
		w.putMember(s.below.value, text(a[0]), s.t)
		return s.drop(2)
	case "Idx":
		return result(2, Any)
	case "PutIdx":
		target, index := s.below.below.value, s.below.value
		if target.t&Vec != 0 {
			w.spoil()
		}
		if target.t&(Node|Other) != 0 && !index.t.Is(Num) {
			w.anything()
		}
		return s.drop(3)
	case "Arr":
		t := List
		if a[0] >= 3 && a[0] <= 4 && !slices.ContainsFunc(s.top(a[0]), func(v value) bool { return !v.t.Is(Num) }) {
			t = Vec
		}
		return result(a[0], t)
	case "Obj":
		return result(2*a[0], Obj)
	case "Concat", "Range":
		return result(2, List)
	case "Merge":
		return result(2, Obj)
	case "Tpl":
		return result(a[0], Text)
	case "Add":
		x, y := s.below.t, s.t
		switch {
		case x == Text || y == Text:
			return result(2, Text)
		case x&Text == 0 && y&Text == 0:
			return result(2, Num)
		}
		return result(2, Num|Text)
	case "Sub", "Mul", "Div", "Mod", "Pow", "And", "Or", "Xor", "Shl", "Shr":
		return result(2, Num)
	case "Neg", "Compl":
		return result(1, Num)
	case "Not":
		return result(1, Bool)
	case "Eq", "Ne", "Lt", "Le", "Gt", "Ge", "In":
		return result(2, Bool)
	case "Jmp", "Jnull", "Try", "EndTry":
		return s
	case "Jz", "Jnz", "Throw":
		return s.below
	case "Ret":
		w.join(&w.results[fn], s.t)
		return s.below
	case "Call":
		w.arguments(a[0], s.top(a[1]))
		return result(a[1], w.results[a[0]])
	case "Host":
		w.host(p.Host[a[0]], s.top(a[1]))
		return result(a[1], w.answer(p.Host[a[0]]))
	case "Hosts":
		w.anything()
		return result(1, Any)
	case "Method":
		args := s.top(a[1] + 1)
		w.method(args[0], text(a[0]), args[1:])
		return result(a[1]+1, w.methodType(args[0].t, text(a[0])))
	case "Methods":
		w.spoil()
		w.anything()
		return result(2, Any)
	case "Fn":
		w.unknown(a[0])
		return result(a[1], Other)
	case "Callv":
		return result(a[0]+1, Any)
	case "Calls":
		return result(2, Any)
	case "Emit":
		return s.drop(a[0])
	case "Await":
		return result(1, Any)
	case "Spawn":
		return result(2, Node|Null)
	case "Iter":
		return result(1, Other)
	case "Next":
		return s.push(value{t: Any})
	}
	panic("direct: no such instruction: " + name) // the table has them all, and a test runs them
}

func (w *types) putMember(to value, key string, t Type) {
	if to.t&(Vec|List) != 0 && len(key) == 1 && !t.Is(Num) {
		w.spoil()
	}
	if to.t&(Node|Other) != 0 {
		w.put(key, t)
	}
}

// answer is the kind of what an operation gives.
func (w *types) answer(name string) Type {
	if t, ok := w.hosts[name]; ok && t != 0 {
		return t
	}
	return Any
}

// host is what an operation writes.
func (w *types) host(name string, args []value) {
	rest := args
	if len(args) > 0 && args[0].t&Node != 0 {
		rest = args[1:]
	}
	switch name {
	case "tween":
		if len(rest) < 2 || rest[0].text == "" || len(args) > 0 && args[0].t&Node != 0 && !args[0].t.Is(Node) {
			w.anything()
			return
		}
		w.put(rest[0].text, w.moved(rest[1].t))
	case "move_to":
		t := Any
		if len(rest) > 0 {
			t = w.moved(rest[0].t)
		}
		w.put("position", t)
	case "show", "hide", "destroy":
		w.put("visible", Bool)
	case "set_text":
		t := Null
		if len(rest) > 0 {
			t = rest[0].t
		}
		w.put("text", t|Null)
	case "set_trait", "assign":
		w.anything()
	}
}

// moved is what a property may be on its way to a value.
func (w *types) moved(to Type) Type {
	if to&(Vec|List) != 0 && !to.Is(Vec) {
		return to | List
	}
	return to
}

func (w *types) method(on value, name string, args []value) {
	if on.t&(Vec|List) != 0 && on.t&Vec != 0 && changing[name] {
		w.spoil()
	}
	if on.t&(Node|Other) == 0 {
		return
	}
	for _, fn := range w.byName[name] {
		w.unknown(fn)
	}
	switch name {
	case "show", "hide":
		w.put("visible", Bool)
	case "set_text":
		t := Null
		if len(args) > 0 {
			t = args[0].t
		}
		w.put("text", t|Null)
	}
}

// textual are the methods that give a text of a text.
var textual = []string{"toUpperCase", "uppercase", "upper", "to_upper", "toLowerCase", "lowercase", "lower", "to_lower", "trim", "toString", "to_string"}

func (w *types) methodType(on Type, name string) Type {
	switch {
	case on.Is(Num) && slices.Contains([]string{"toFixed", "to_fixed", "toString", "to_string"}, name):
		return Text
	case on.Is(Text) && slices.Contains(textual, name):
		return Text
	}
	return Any
}

// lineAt is the place in the source of an instruction.
func lineAt(f *run.Function, pc int) [2]int {
	var out [2]int
	for _, l := range f.Lines {
		if l[0] > pc {
			break
		}
		out = [2]int{l[1], l[2]}
	}
	return out
}
