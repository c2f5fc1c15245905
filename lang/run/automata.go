package run

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
)

// stateWords are the words for the state that a machine is in: Door.lock.current.
var stateWords = map[string]bool{"state": true, "current": true, "current_state": true, "currentState": true, "value": true}

// sending and asking are what may be called at a machine.
var (
	sending = map[string]bool{"send": true, "fire": true, "trigger": true, "dispatch": true, "raise": true}
	asking  = map[string]bool{"is": true, "in": true, "matches": true, "is_in": true, "isIn": true}
)

// automaton is the owner of the machine that a path begins with by name, and how many
// segments name it; 0 for none. The program has a name for the state of an owner's first machine alone.
func (f *maker) automaton(segments []string) (string, int) {
	if f.isLocal(segments[0]) {
		return "", 0
	}
	named := func(owner, name string) bool {
		i := f.automata[slotKey{owner, name}]
		return i > 0 && f.firstMachine(owner) == i-1
	}
	if owner, used := f.find(f.owner, segments); owner != "" && used < len(segments) {
		if named(owner, segments[used]) {
			return owner, used + 1
		}
		return "", 0
	}
	for _, o := range f.above(f.owner) {
		if named(o, segments[0]) {
			return o, 1
		}
	}
	return "", 0
}

// firstMachine is the index of the first machine of an owner, -1 for none.
func (b *builder) firstMachine(owner string) int {
	for i, m := range b.p.Machines {
		if m.Node == owner {
			return i
		}
	}
	return -1
}

// ownMachine is the nearest owner around with a machine.
func (f *maker) ownMachine() string {
	for _, o := range f.above(f.owner) {
		if f.firstMachine(o) >= 0 {
			return o
		}
	}
	return ""
}

// askMachine compiles a call at a machine or at an owner that has one: Door.send("open"),
// Door.lock.is("shut").
func (f *maker) askMachine(n ast.Node, prefix []string, last string, args []ast.Node) bool {
	if !sending[last] && !asking[last] || len(args) == 0 || f.isLocal(prefix[0]) {
		return false
	}
	owner, used := f.automaton(prefix)
	if used == 0 {
		if prefix[0] == "this" || prefix[0] == "self" {
			owner, used = f.owner, 1
		} else {
			owner, used = f.find(f.owner, prefix)
		}
	}
	if owner == "" || used != len(prefix) || f.firstMachine(owner) < 0 {
		return false
	}
	if sending[last] {
		f.sendTo(owner, n, args)
		return true
	}
	name := wordOf(args[0])
	if s, ok := args[0].(*ast.String); ok {
		name = s.Value()
	}
	f.op(opNode, f.constant(owner))
	f.op(opMem, f.constant("current_state"))
	within := f.statesWithin(owner, name)
	if len(within) == 0 {
		f.value(args[0])
		f.op(opEq)
		return true
	}
	for _, s := range within {
		f.op(opConst, f.constant(s))
	}
	f.op(opArr, len(within))
	f.line(n)
	f.op(opIn)
	return true
}

// statesWithin are the names of a state and of those in it.
func (f *maker) statesWithin(owner, name string) []string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	m := &f.p.Machines[f.firstMachine(owner)]
	var out []string
	for i := range m.States {
		for _, s := range m.chain(i) {
			if m.States[s].Name == name {
				out = append(out, m.States[i].Name)
				break
			}
		}
	}
	return out
}

// sendTo raises an event at the owner of a machine.
func (f *maker) sendTo(owner string, n ast.Node, args []ast.Node) {
	f.op(opNode, f.constant(owner))
	switch x := args[0].(type) {
	case *ast.String:
		f.op(opConst, f.constant(eventOf(x.Value())))
	case *ast.Ident:
		if f.named(x.Name) {
			f.expr(x)
			break
		}
		f.op(opConst, f.constant(eventOf(x.Name)))
	default:
		f.expr(x)
	}
	count := 1
	if len(args) > 1 {
		count += f.arguments(args[1:2], false)
	}
	f.line(n)
	f.op(opMethod, f.constant("emit"), count)
}

// handlerOf is the handler of an owner that a call by the name of its event runs:
// Guard.damage(30, "sword") where on damage(amount, from) stands.
func (f *maker) handlerOf(owner, name string) (int, bool) {
	switch name {
	case "emit", "show", "hide", "set_text", "play", "stop", "destroy":
		return 0, false
	}
	event := eventOf(name)
	for _, h := range f.p.Handlers {
		if h.Node == owner && h.Event == event {
			return h.Fn, true
		}
	}
	return 0, false
}
