package run

import (
	"slices"

	"github.com/meshd/meshd/lang/run/table"
)

// Effect is something that a function does to what is outside of it, or asks of
// it. Which fields count depends on its kind.
type Effect struct {
	Kind  EffectKind
	Index int    // of the slot, the computed value, the function or the operation of the host
	Name  string // of the event, the member or the template; of an event, empty when only a run knows it
	Owner string // of the event or the member: the id of a node; empty when only a run knows whose it is
	Own   bool   // the event or the member is that of the function's own owner
}

// EffectKind says what an Effect is.
type EffectKind uint8

// The kinds of effects.
const (
	ReadsState EffectKind = iota
	WritesState
	ReadsComputed
	ReadsMember  // of a node
	WritesMember // of a node or of any other object
	Raises
	Calls       // a function, or makes a closure of it
	CallsMember // a function of a node by its name, or what its node offers instead
	CallsHost
	Spawns
)

// origin is where a value on the stack came from, as far as the code alone says.
type origin struct {
	kind  originKind
	value int // the constant
}

type originKind uint8

const (
	fromElsewhere originKind = iota
	fromConst
	fromNode
	fromSelf
)

// cell is a stack: its top, and the stack below, which others share.
type cell struct {
	origin
	below *cell
}

// Effects are the effects of a function in the order of its code, each once.
// The program must be one that Verify takes.
func (p *Program) Effects(fn int) []Effect {
	code := p.Functions[fn].Code
	stacks := p.stacks(code)
	var out []Effect
	seen := map[Effect]bool{}
	add := func(e Effect) {
		if !seen[e] {
			seen[e] = true
			out = append(out, e)
		}
	}
	for pc := 0; pc < len(code); pc += 1 + len(shapes[code[pc]].Args) {
		stack, reached := stacks[pc]
		if !reached {
			continue
		}
		switch Op(code[pc]) {
		case opGet:
			add(Effect{Kind: ReadsState, Index: code[pc+1]})
		case opSet:
			add(Effect{Kind: WritesState, Index: code[pc+1]})
		case opComp:
			add(Effect{Kind: ReadsComputed, Index: code[pc+1]})
		case opMem:
			if e := p.owned(Effect{Kind: ReadsMember, Name: p.Consts[code[pc+1]].(string)}, stack.origin); e.Own || e.Owner != "" {
				add(e)
			}
		case opPutMem:
			add(p.owned(Effect{Kind: WritesMember, Name: p.Consts[code[pc+1]].(string)}, stack.below.origin))
		case opEmit:
			add(Effect{Kind: Raises, Name: p.known(stack.under(code[pc+1] - 1).origin), Own: true})
		case opCall, opFn:
			add(Effect{Kind: Calls, Index: code[pc+1]})
		case opMethod:
			first := origin{}
			if n := code[pc+2]; n > 0 {
				first = stack.under(n - 1).origin
			}
			p.method(p.Consts[code[pc+1]].(string), stack.under(code[pc+2]).origin, first, add)
		case opMethods:
			p.method(p.Consts[code[pc+1]].(string), stack.below.origin, origin{}, add)
		case opHost, opHosts:
			add(Effect{Kind: CallsHost, Index: code[pc+1]})
			if p.Host[code[pc+1]] == "transition" {
				add(Effect{Kind: Raises, Name: "transition"}) // what the machines of a node take
			}
		case opSpawn:
			add(Effect{Kind: Spawns, Name: p.Consts[code[pc+1]].(string)})
		}
	}
	return out
}

// under is the cell so many below the top.
func (c *cell) under(n int) *cell {
	for range n {
		c = c.below
	}
	return c
}

// owned is an effect with the node that a value is, where the code names it.
func (p *Program) owned(e Effect, o origin) Effect {
	switch o.kind {
	case fromSelf:
		e.Own = true
	case fromNode:
		e.Owner = p.Consts[o.value].(string)
	}
	return e
}

// known is a text that stands in the code, or nothing.
func (p *Program) known(o origin) string {
	if o.kind != fromConst {
		return ""
	}
	s, _ := p.Consts[o.value].(string)
	return s
}

// method is the effect of a call on a value. On what is no node by the look of
// the code, it counts where a node could have it.
func (p *Program) method(name string, on, first origin, add func(Effect)) {
	e := p.owned(Effect{Kind: CallsMember, Name: name}, on)
	switch {
	case name == "emit":
		e.Kind, e.Name = Raises, p.known(first)
	case name == "show" || name == "hide":
		e.Kind, e.Name = WritesMember, "visible"
	case name == "set_text":
		e.Kind, e.Name = WritesMember, "text"
	case e.Own || e.Owner != "":
	case !slices.ContainsFunc(p.Functions, func(f Function) bool { return f.Name == name }):
		return // a built-in of lists, texts and the like
	}
	add(e)
}

// stacks are the stacks before every instruction that a run can come to.
func (p *Program) stacks(code []int) map[int]*cell {
	out := map[int]*cell{0: nil}
	work := []int{0}
	reach := func(pc int, stack *cell) {
		old, seen := out[pc]
		if !seen {
			out[pc] = stack
			work = append(work, pc)
		} else if both, changed := meet(old, stack); changed {
			out[pc] = both
			work = append(work, pc)
		}
	}
	for len(work) > 0 {
		pc := work[len(work)-1]
		work = work[:len(work)-1]
		stack := out[pc]
		s := &shapes[code[pc]]
		next := pc + 1 + len(s.Args)
		after := stack
		for range taken(code, pc) {
			after = after.below
		}
		for range s.Push {
			after = &cell{below: after}
		}
		switch Op(code[pc]) {
		case opConst:
			after.origin = origin{fromConst, code[pc+1]}
		case opNode:
			after.origin = origin{fromNode, code[pc+1]}
		case opSelf:
			after.origin = origin{kind: fromSelf}
		case opDup:
			after = &cell{stack.origin, stack}
		}
		if s.Flow == table.Jump || s.Flow == table.Branch {
			landed := after
			for range max(s.Land, 0) {
				landed = &cell{below: landed}
			}
			for range max(-s.Land, 0) {
				landed = landed.below
			}
			reach(code[pc+1], landed)
		}
		if s.Flow == table.Jump || s.Flow == table.End {
			continue
		}
		reach(next, after)
	}
	return out
}

// meet is what two stacks of one height have in common, and whether that is less
// than a has.
func meet(a, b *cell) (*cell, bool) {
	if a == b {
		return a, false
	}
	var unlike []bool
	less := false
	x, y := a, b
	for ; x != y; x, y = x.below, y.below {
		differs := x.origin != y.origin && x.kind != fromElsewhere
		unlike = append(unlike, differs)
		less = less || differs
	}
	if !less {
		return a, false
	}
	top := &cell{}
	at := top
	x = a
	for _, differs := range unlike {
		at.below = &cell{origin: x.origin}
		if at = at.below; differs {
			at.origin = origin{}
		}
		x = x.below
	}
	at.below = x
	return top.below, true
}
