package direct

import (
	"slices"

	"github.com/meshd/meshd/lang/run/table"
)

var operators = map[string]string{
	"Add": "+", "Sub": "-", "Mul": "*", "Div": "/", "Mod": "%", "Pow": "**", "And": "&", "Or": "|", "Xor": "^", "Shl": "<<", "Shr": ">>",
	"Eq": "==", "Ne": "!=", "Lt": "<", "Le": "<=", "Gt": ">", "Ge": ">=", "In": "in", "Idx": "[]",
}

// refused are the instructions that are left to the interpreter, and what they are
// in a source.
var refused = map[string]string{
	"Cell": "a closure", "Fn": "a function as a value", "Callv": "a call of a value", "Calls": "a call with a list of arguments", "Methods": "a call with a list of arguments",
	"Hosts": "a call with a list of arguments", "Throw": "throw", "Try": "try", "EndTry": "try", "Await": "await", "Spawn": "spawn", "Iter": "a loop", "Next": "a loop",
	"PutIdx": "an assignment to an element", "Concat": "a spread list", "Merge": "a spread object", "Range": "a range",
}

// simple reads an instruction that is no jump.
func (r *reader) simple(pc int, name string, a []int) {
	if what, ok := refused[name]; ok {
		r.fail(pc, what)
	}
	switch name {
	case "Const":
		v := r.p.Consts[a[0]]
		r.push(&Expr{Kind: Const, Value: v, Type: typeOf(v)})
	case "Self":
		r.push(&Expr{Kind: Self, Type: Node, Owner: r.f.Owner})
	case "Node":
		id := r.text(a[0])
		if !r.known(id) {
			r.fail(pc, "a node of a template")
		}
		r.push(&Expr{Kind: NodeOf, Type: Node, Owner: id})
	case "Get":
		s := r.p.State[a[0]]
		r.push(&Expr{Kind: Get, Owner: s.Owner, Name: s.Key, Index: a[0], Type: r.slots[a[0]], reads: true})
	case "Set":
		s := r.p.State[a[0]]
		if !r.known(s.Owner) {
			r.fail(pc, "state of a template")
		}
		r.emit(&Stmt{Kind: SetState, Owner: s.Owner, Name: s.Key, Slot: a[0], X: r.pop(pc)})
	case "Comp":
		c := r.p.Computed[a[0]]
		r.push(&Expr{Kind: Computed, Owner: c.Owner, Name: c.Key, Index: a[0], Type: r.results[c.Fn], Fails: true, reads: true})
	case "Mem":
		r.push(r.memberOf(pc, r.pop(pc), r.text(a[0])))
	case "PutMem":
		r.putMember(pc, r.text(a[0]))
	case "Arr":
		args := r.take(pc, a[0])
		t := List
		if len(args) >= 3 && len(args) <= 4 && !slices.ContainsFunc(args, func(e *Expr) bool { return !e.sure(Num) }) {
			t = Vec
		}
		r.push(combine(&Expr{Kind: Array, Type: t}, args...))
	case "Obj":
		pairs := r.take(pc, 2*a[0])
		e := &Expr{Kind: Dict, Type: Obj}
		var args []*Expr
		for i := 0; i < len(pairs); i += 2 {
			key, ok := pairs[i].Value.(string)
			if !ok || slices.Contains(e.Keys, key) {
				r.fail(pc, "a key that is worked out")
			}
			e.Keys, args = append(e.Keys, key), append(args, pairs[i+1])
		}
		r.push(combine(e, args...))
	case "Tpl":
		r.push(combine(&Expr{Kind: Join, Type: Text}, r.take(pc, a[0])...))
	case "Neg", "Not", "Compl":
		r.unary(pc, name, r.pop(pc))
	case "Call":
		r.call(pc, a[0], r.take(pc, a[1]))
	case "Host":
		r.host(pc, r.p.Host[a[0]], r.take(pc, a[1]))
	case "Method":
		args := r.take(pc, a[1]+1)
		r.method(pc, r.text(a[0]), args[0], args[1:])
	case "Emit":
		args := r.take(pc, a[0])
		r.raise(pc, &Expr{Kind: Self, Type: Node, Owner: r.f.Owner}, args)
	default:
		if _, ok := operators[name]; !ok {
			r.fail(pc, "an instruction of its own kind")
		}
		y := r.pop(pc)
		r.binary(pc, name, r.pop(pc), y)
	}
}

// mayFail lets an expression fail here.
func (r *reader) mayFail(e *Expr, pc int) *Expr {
	e.Fails, e.line = true, lineAt(r.f, pc)
	return e
}

func (r *reader) memberOf(pc int, x *Expr, name string) *Expr {
	e := combine(&Expr{Kind: Member, Name: name, reads: true}, x)
	v := value{t: x.Type}
	switch {
	case x.Kind == Self || x.Kind == NodeOf:
		e.Kind, v.node = Property, x.Owner
	case x.sure(Vec) && len(name) == 1 && r.member(v, name) == Num:
		e.Kind = Axis
	}
	e.Type, e.reads = r.member(v, name), true
	if x.Type&Null != 0 {
		return r.mayFail(e, pc)
	}
	return e
}

func (r *reader) putMember(pc int, name string) {
	v := r.pop(pc)
	to := r.pop(pc)
	switch {
	case to.Kind == Self || to.Kind == NodeOf:
		if n := len(r.out); n > 0 && r.out[n-1].Kind == PutAxis && r.out[n-1].Name == name && v.Kind == Property && v.Name == name && v.Args[0].Owner == to.Owner {
			return // the property whose axis was put
		}
		r.emit(&Stmt{Kind: Put, Node: to, Name: name, X: v})
	case to.Kind == Property && to.sure(Vec) && len(name) == 1:
		r.emit(&Stmt{Kind: PutAxis, Node: to.Args[0], Name: to.Name, Axis: name, X: v})
		if next := r.next(pc); next >= len(r.f.Code) || r.op(next) != "Self" && r.op(next) != "Node" {
			r.fail(pc, "an axis of a value")
		}
	default:
		r.fail(pc, "an assignment to a member of a value")
	}
}

func (r *reader) unary(pc int, name string, x *Expr) {
	switch {
	case name == "Not":
		r.push(combine(&Expr{Kind: Unary, Name: "not", Type: Bool, Plain: true}, truth(x)))
	case name == "Neg" && x.Kind == Const && x.Type == Num:
		r.push(&Expr{Kind: Const, Value: -x.Value.(float64), Type: Num})
	case name == "Neg" && x.sure(Num):
		r.push(combine(&Expr{Kind: Unary, Name: "-", Type: Num, Plain: true}, x))
	default:
		r.fail(pc, "a number that need not be one")
	}
}

func (r *reader) binary(pc int, name string, x, y *Expr) {
	e := combine(&Expr{Kind: Binary, Name: operators[name], Type: Num}, x, y)
	numbers := x.sure(Num) && y.sure(Num)
	fails := !x.Type.Is(counts) || !y.Type.Is(counts)
	switch name {
	case "Add":
		switch {
		case numbers || x.sure(Text) && y.sure(Text):
			e.Plain, e.Type, fails = true, x.Type, false
		case x.Type == Text || y.Type == Text:
			e.Kind, e.Type, fails = Join, Text, false
			flat(e)
		case x.Type&Text != 0 || y.Type&Text != 0:
			e.Type = Num | Text
		}
	case "Sub", "Mul":
		e.Plain = numbers
	case "Div":
		d, ok := y.Value.(float64)
		e.Plain = numbers && ok && d != 0
	case "Mod":
		d, ok := y.Value.(float64)
		e.Plain = numbers && ok && d != 0
	case "Eq", "Ne":
		e.Type, fails = Bool, false
		one := x.Type == Bool || x.Type == Num || x.Type == Text
		e.Plain = x.Type == y.Type && one && !x.Fails && !y.Fails || (x.Kind == Const && x.Type == Null || y.Kind == Const && y.Type == Null)
	case "Lt", "Le", "Gt", "Ge":
		e.Type, e.Plain = Bool, numbers
		fails = fails && !(x.Type.Is(Text) && y.Type.Is(Text))
	case "In":
		e.Type, fails = Bool, !y.Type.Is(Text|Vec|List|Obj)
	case "Idx":
		e.Type, e.reads, fails = Any, true, x.Type&Null != 0
	}
	if fails {
		r.mayFail(e, pc)
	}
	r.push(e)
}

// flat puts the parts of texts that are joined into one list.
func flat(e *Expr) {
	if e.Args[0].Kind == Join {
		e.Args = append(slices.Clone(e.Args[0].Args), e.Args[1])
	}
}

// lift lets what may fail among arguments be worked out before the call.
func (r *reader) lift(pc int, args []*Expr) {
	for i, a := range args {
		if !a.Fails {
			continue
		}
		if slices.ContainsFunc(args[:i+1], func(e *Expr) bool { return e.calls }) {
			r.fail(pc, "an argument that may fail behind one that does something")
		}
		name := r.labels.fresh("value")
		r.emit(&Stmt{Kind: Let, Name: name, X: a})
		args[i] = &Expr{Kind: Local, Name: name, Type: a.Type}
	}
}

func (r *reader) call(pc, fn int, args []*Expr) {
	r.lift(pc, args)
	to := r.p.Functions[fn]
	f, reason := r.translated(fn)
	switch {
	case f == nil:
		if reason == recursive {
			r.fail(pc, recursive)
		}
		r.fail(pc, "a call of "+to.Name+left)
	case to.Rest:
		r.fail(pc, "a call with a rest")
	case r.literals[fn]:
		r.fail(pc, "a call of what makes a list")
	}
	for len(args) < len(f.Params) {
		args = append(args, &Expr{Kind: Const, Type: Null})
	}
	if slices.ContainsFunc(args, func(e *Expr) bool { return e.Kind == Array || e.Kind == Dict }) {
		r.fail(pc, "a list or an object that is passed on")
	}
	if slices.ContainsFunc(args[len(f.Params):], func(e *Expr) bool { return e.calls }) {
		r.fail(pc, "an argument that nobody takes")
	}
	e := combine(&Expr{Kind: Call, Index: fn, Owner: to.Owner, Name: f.Name, Type: r.results[fn]}, args[:len(f.Params)]...)
	e.calls, e.Fails = true, e.Fails || f.Faults
	r.push(e)
}

// silent are operations that give nothing.
var silent = []string{"log", "print", "console.log", "tween", "move_to", "transition", "show", "hide", "set_text", "destroy"}

// safe are operations that take anything.
var safe = []string{
	"now", "current_time", "generate_id", "typeof", "String", "Boolean", "Number", "parseFloat", "parse_number", "parseInt", "choose", "JSON.stringify",
	"get_node", "find_all", "instances", "calls", "play", "stop", "llm_call", "Math.random",
}

func (r *reader) host(pc int, name string, args []*Expr) {
	r.lift(pc, args)
	if r.said(name, args) {
		r.push(&Expr{Kind: Const, Type: Null})
		return
	}
	op := table.OperationOf(name)
	e := combine(&Expr{Kind: Host, Name: name, Type: r.answer(name), Plain: op != nil}, args...)
	e.calls, e.reads = true, true
	numbers := !slices.ContainsFunc(args, func(a *Expr) bool { return !a.sure(counts) })
	switch {
	case slices.Contains(silent, name):
		r.emit(&Stmt{Kind: Do, X: e})
		r.push(&Expr{Kind: Const, Type: Null})
		return
	case op == nil || slices.Contains(safe, name):
	case name == "set_timeout" || name == "wait":
		r.fail(pc, name)
	case numbers && (op.Numbers() == len(args) || name == "random" || name == "lerp" && len(args) == 3 && all(args, Num) || op.Params == "…values"):
		if name == "lerp" {
			e.Type = Num
		}
		e.calls = name == "random" || name == "random_int"
	default:
		r.mayFail(e, pc)
	}
	r.push(e)
}

func all(args []*Expr, t Type) bool {
	return !slices.ContainsFunc(args, func(a *Expr) bool { return !a.sure(t) })
}

// said writes operations on nodes as what they are: properties and events.
func (r *reader) said(name string, args []*Expr) bool {
	if slices.Contains(r.p.Host, "calls") { // which counts them
		return false
	}
	node := &Expr{Kind: Self, Type: Node, Owner: r.f.Owner}
	if len(args) > 0 && (args[0].Kind == Self || args[0].Kind == NodeOf) {
		node, args = args[0], args[1:]
	} else if len(args) > 0 && args[0].Type&Node != 0 {
		return false
	}
	switch {
	case (name == "show" || name == "hide") && len(args) == 0:
		r.emit(&Stmt{Kind: Put, Node: node, Name: "visible", X: &Expr{Kind: Const, Type: Bool, Value: name == "show"}})
	case name == "set_text" && len(args) == 1:
		r.emit(&Stmt{Kind: Put, Node: node, Name: "text", X: args[0]})
	case name == "transition" && len(args) == 1:
		r.emit(&Stmt{Kind: Raise, Node: node, Name: "transition", X: args[0]})
	default:
		return false
	}
	return true
}

// listed are methods that every list takes with any value.
var listed = []string{"push", "append", "add", "pop", "shift", "unshift", "clear", "includes", "contains", "has", "indexOf", "index_of", "first", "last", "reverse"}

// asked are methods of a text with another text.
var asked = []string{"includes", "contains", "startsWith", "starts_with", "endsWith", "ends_with"}

// dropped says whether the value on the stack is dropped behind what writes a state
// key back.
func (r *reader) dropped(pc int) bool {
	for pc < len(r.f.Code) {
		switch r.op(pc) {
		case "Get", "Set":
			pc = r.next(pc)
		default:
			return r.op(pc) == "Pop"
		}
	}
	return false
}

func (r *reader) method(pc int, name string, x *Expr, args []*Expr) {
	if x.Kind == Self || x.Kind == NodeOf {
		if len(r.byName[name]) > 0 {
			r.fail(pc, "a call by name")
		}
		null := &Expr{Kind: Const, Type: Null}
		switch {
		case name == "emit" && len(args) > 0:
			r.raise(pc, x, args)
		case name == "show" || name == "hide":
			r.emit(&Stmt{Kind: Put, Node: x, Name: "visible", X: &Expr{Kind: Const, Type: Bool, Value: name == "show"}})
		case name == "set_text" && len(args) == 1:
			r.emit(&Stmt{Kind: Put, Node: x, Name: "text", X: args[0]})
		default:
			r.fail(pc, "the method "+name+" of a node")
		}
		r.push(null)
		return
	}
	if x.Kind == Array {
		r.fail(pc, "a method of a list that is made here")
	}
	e := combine(&Expr{Kind: Method, Name: name, reads: true, Type: r.methodType(x.Type, name)}, append([]*Expr{x}, args...)...)
	fixed := name == "toFixed" || name == "to_fixed"
	switch {
	case x.sure(Vec|List) && slices.Contains(listed, name) && len(args) <= 1:
		r.lift(pc, args)
		e.calls = changing[name]
	case x.sure(Text) && slices.Contains(asked, name) && len(args) == 1 && args[0].sure(Text):
	case x.sure(Num) && fixed && len(args) == 1 && args[0].sure(Num), x.sure(Num) && !fixed && e.Type == Text, x.sure(Text) && e.Type == Text && len(args) == 0:
	default:
		r.fail(pc, "the method "+name+" of a value")
	}
	if e.calls && changing[name] { // the state that the list is in is written next
		if r.dropped(r.next(pc)) {
			r.emit(&Stmt{Kind: Do, X: e})
			e = &Expr{Kind: Const, Type: Null}
		} else {
			value := r.labels.fresh("value")
			r.emit(&Stmt{Kind: Let, Name: value, X: e})
			e = &Expr{Kind: Local, Name: value, Type: Any}
		}
	}
	r.push(e)
}

// raise reads an event that is raised.
func (r *reader) raise(pc int, at *Expr, args []*Expr) {
	name, ok := args[0].Value.(string)
	if !ok || args[0].Kind != Const {
		r.fail(pc, "an event whose name is worked out")
	}
	s := &Stmt{Kind: Raise, Node: at, Name: name}
	if len(args) > 1 {
		s.X = args[1]
	}
	r.emit(s)
}
