package direct

import (
	"fmt"
	"slices"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/run/table"
)

// failure is why a function does not translate.
type failure struct {
	reason string
	line   [2]int
}

// again says that a value has to become a local of its own.
type again struct{ local int }

// entry is an expression on the stack, with the number of statements before it.
type entry struct {
	*Expr
	since int
}

// reader makes statements of the code of a function.
type reader struct {
	*planner
	fn     int
	f      *run.Function
	labels *labels
	held   map[int]bool // locals without a name that become locals nevertheless

	stack    []entry
	out      []*Stmt
	effects  int
	env      map[int]entry // what locals without a name stand for
	declared map[int]bool
	start    int // of the statement
	exit     int // where a branch of a switch leaves to
	faults   bool
	gives    bool
	literal  bool // it gives a list or an object that it makes
}

func (r *reader) fail(pc int, reason string) {
	panic(failure{reason, lineAt(r.f, pc)})
}

func (r *reader) push(e *Expr) { r.stack = append(r.stack, entry{e, r.effects}) }

// pop takes an expression; it must not have waited for statements that change it.
func (r *reader) pop(pc int) *Expr {
	e := r.stack[len(r.stack)-1]
	r.stack = r.stack[:len(r.stack)-1]
	if e.since != r.effects && (e.reads || e.calls) {
		r.fail(pc, "an assignment within an expression")
	}
	return e.Expr
}

func (r *reader) take(pc, n int) []*Expr {
	out := make([]*Expr, n)
	for i := n - 1; i >= 0; i-- {
		out[i] = r.pop(pc)
	}
	return out
}

func (r *reader) op(pc int) string { return opNames[r.f.Code[pc]] }

func (r *reader) next(pc int) int { return pc + 1 + len(table.Ops[r.f.Code[pc]].Args) }

// before is the instruction that ends where another begins.
func (r *reader) before(from, at int) int {
	last := -1
	for pc := from; pc < at; pc = r.next(pc) {
		last = pc
	}
	return last
}

// uses are the loads of a local whose value is not dropped at once.
func (r *reader) uses(local int) int {
	n := 0
	for pc := 0; pc < len(r.f.Code); pc = r.next(pc) {
		if r.op(pc) == "Load" && r.f.Code[pc+1] == local {
			if after := r.next(pc); after >= len(r.f.Code) || r.op(after) != "Pop" {
				n++
			}
		}
	}
	return n
}

// emit adds a statement; what may fail in it comes first, with a guard.
func (r *reader) emit(s *Stmt) {
	at := lineAt(r.f, r.start)
	if s.Line == 0 {
		s.Line, s.Column = at[0], at[1]
	}
	if s.X != nil && s.X.Fails {
		s.X = r.split(s.X)
	}
	if s.X != nil && s.X.Fails {
		place := failing(s.X)
		r.faults = true
		guard := &Stmt{Kind: Guard, Line: place[0], Column: place[1]}
		switch s.Kind {
		case Let, Assign, Do:
			r.out = append(r.out, s, guard)
			if s.Kind != Let || s.X.calls {
				r.effects++
			}
			return
		}
		name := r.labels.fresh("value")
		r.out = append(r.out, &Stmt{Kind: Let, Name: name, X: s.X, Line: s.Line, Column: s.Column}, guard)
		s.X = &Expr{Kind: Local, Name: name, Type: s.X.Type}
	}
	if s.Kind == Branch {
		s.X = truth(s.X)
	}
	r.out = append(r.out, s)
	r.effects++
}

// split leaves one thing in an expression that may fail; what may fail before it
// is worked out in statements of its own.
func (r *reader) split(e *Expr) *Expr {
	if len(placesOf(e)) < 2 {
		return e
	}
	if e.calls || e.Kind == And || e.Kind == Or || e.Kind == Cond {
		panic(failure{"more than one thing that may fail in an expression", placesOf(e)[1]})
	}
	out := *e
	out.Args = slices.Clone(e.Args)
	for i, a := range out.Args {
		if !a.Fails {
			continue
		}
		a = r.split(a)
		if a.Kind == Array || a.Kind == Dict {
			panic(failure{"more than one thing that may fail in an expression", placesOf(e)[1]})
		}
		name, place := r.labels.fresh("value"), failing(a)
		at := lineAt(r.f, r.start)
		r.out = append(r.out, &Stmt{Kind: Let, Name: name, X: a, Line: at[0], Column: at[1]}, &Stmt{Kind: Guard, Line: place[0], Column: place[1]})
		r.faults = true
		out.Args[i] = &Expr{Kind: Local, Name: name, Type: a.Type}
	}
	out.Fails = out.line != [2]int{}
	return &out
}

// placesOf are the places of what may fail in an expression.
func placesOf(e *Expr) [][2]int {
	var places [][2]int
	var walk func(e *Expr)
	walk = func(e *Expr) {
		if e.line != ([2]int{}) && !slices.Contains(places, e.line) {
			places = append(places, e.line)
		}
		for _, a := range e.Args {
			if a.Fails {
				walk(a)
			}
		}
	}
	walk(e)
	return places
}

// failing is the place of what may fail in an expression, none where a function
// that it calls says so.
func failing(e *Expr) [2]int {
	places := placesOf(e)
	switch len(places) {
	case 0:
		return [2]int{}
	case 1:
		return places[0]
	}
	panic(failure{"more than one thing that may fail in an expression", places[1]})
}

// part reads a range into statements of their own.
func (r *reader) part(from, to int) []*Stmt {
	out := r.out
	r.out = nil
	r.read(from, to)
	part := r.out
	r.out = out
	return part
}

// value reads a range that leaves one value and does nothing else.
func (r *reader) value(from, to int) *Expr {
	depth := len(r.stack)
	if stmts := r.part(from, to); len(stmts) > 0 || len(r.stack) != depth+1 {
		r.fail(from, "statements within an expression")
	}
	return r.pop(from)
}

// read reads the instructions of a range.
func (r *reader) read(pc, end int) {
	base := len(r.stack)
	for pc < end {
		if len(r.stack) == base {
			r.start = pc
		}
		next := r.next(pc)
		a := r.f.Code[pc+1 : next]
		switch name := r.op(pc); name {
		case "Dup":
			next = r.shortCut(pc, next, end)
		case "Jz":
			next = r.branch(pc, next, end)
		case "Jnz":
			next = r.cases(pc, next, end)
		case "Jnull":
			next = r.otherwise(pc, next, end)
		case "Jmp":
			if a[0] <= pc {
				r.fail(pc, "a loop")
			}
			if a[0] != r.exit || next != end {
				r.fail(pc, "a jump out of a block")
			}
		case "Ret":
			x := r.pop(pc)
			if x.Kind != Const || x.Value != nil || next < len(r.f.Code) {
				if x.Kind == Array || x.Kind == Dict {
					r.literal = true
				}
				if x.Kind == Call && !r.funcs[x.Index].Gives && end == len(r.f.Code) {
					r.emit(&Stmt{Kind: Do, X: x})
					return
				}
				r.gives = r.gives || x.Kind != Const || x.Value != nil
				r.emit(&Stmt{Kind: Return, X: x})
			}
			return // what follows in the range is never reached
		case "Load":
			if next < len(r.f.Code) && r.op(next) == "Pop" && len(r.stack) == base {
				next = r.next(next)
				break
			}
			r.load(pc, a[0])
		case "Store":
			r.store(pc, a[0])
		case "Pop":
			if x := r.pop(pc); x.calls || x.Fails {
				r.emit(&Stmt{Kind: Do, X: x})
			}
		default:
			r.simple(pc, name, a)
		}
		pc = next
	}
}

func (r *reader) load(pc, local int) {
	if e, ok := r.env[local]; ok {
		if e.since != r.effects && (e.reads || e.calls) {
			panic(again{local})
		}
		r.push(e.Expr)
		return
	}
	if !r.declared[local] && local >= r.f.Params {
		r.fail(pc, "a name before its value")
	}
	r.push(&Expr{Kind: Local, Name: r.labels.of(local), Type: r.locals[r.fn][local], reads: true})
}

func (r *reader) store(pc, local int) {
	x := r.pop(pc)
	named := r.labels.named(local) || local < r.f.Params
	if !named && !r.held[local] {
		uses := r.uses(local)
		switch {
		case uses == 0 && (x.calls || x.Fails):
			r.emit(&Stmt{Kind: Do, X: x})
			return
		case uses > 1 && (x.Kind == Array || x.Kind == Dict):
			r.fail(pc, "a list or an object that is used twice")
		case uses <= 1 || !x.calls && !x.Fails:
			r.env[local] = entry{x, r.effects}
			return
		}
	}
	if x.Kind == Array || x.Kind == Dict {
		r.fail(pc, "a list or an object in a local")
	}
	kind := Assign
	if !r.declared[local] && local >= r.f.Params {
		kind = Let
		r.declared[local] = true
	}
	r.emit(&Stmt{Kind: kind, Name: r.labels.of(local), X: x})
}

// combine gives an expression its parts and what follows from them.
func combine(e *Expr, args ...*Expr) *Expr {
	e.Args = args
	for _, a := range args {
		e.Fails, e.calls, e.reads = e.Fails || a.Fails, e.calls || a.calls, e.reads || a.reads
	}
	return e
}

// truth is whether a value counts as true.
func truth(e *Expr) *Expr {
	if e.Type.Is(Bool) && !e.Fails {
		return e
	}
	return combine(&Expr{Kind: Truth, Type: Bool}, e)
}

func (e *Expr) sure(t Type) bool { return e.Type.Is(t) && !e.Fails }

func (r *reader) text(i int) string {
	s, ok := r.p.Consts[i].(string)
	if !ok {
		panic(failure{reason: fmt.Sprintf("the constant %v for a name", r.p.Consts[i])})
	}
	return s
}
