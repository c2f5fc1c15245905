package run

import (
	"fmt"
	"math"

	"github.com/meshd/meshd/lang/run/table"
)

// Verify checks a program as a whole: every index, every instruction, and that
// the stack has one height wherever paths meet.
func (p *Program) Verify() error {
	if p.V != Version {
		return fmt.Errorf("version %.40q", p.V)
	}
	if p.Rates.Spatial < 60 || p.Rates.Spatial > 90 || p.Rates.Cognitive < 2 || p.Rates.Cognitive > 10 {
		return fmt.Errorf("rates %d and %d", p.Rates.Spatial, p.Rates.Cognitive)
	}
	if len(p.Consts) > MaxConsts || len(p.Functions) > MaxFunctions {
		return fmt.Errorf("too many constants or functions")
	}
	for name, n := range map[string]int{
		"host": len(p.Host), "state": len(p.State), "computed": len(p.Computed), "watches": len(p.Watches), "binds": len(p.Binds),
		"handlers": len(p.Handlers), "subscriptions": len(p.Subscriptions), "wires": len(p.Wires), "schedules": len(p.Schedules),
		"timelines": len(p.Timelines), "machines": len(p.Machines), "trees": len(p.Trees),
	} {
		if n > MaxEntries {
			return fmt.Errorf("more than %d %s", MaxEntries, name)
		}
	}
	for i, c := range p.Consts {
		switch c := c.(type) {
		case nil, bool:
		case float64:
			if math.IsNaN(c) || math.IsInf(c, 0) {
				return fmt.Errorf("constant %d is no number", i)
			}
		case string:
			if len(c) > MaxText {
				return fmt.Errorf("constant %d is longer than %d bytes", i, MaxText)
			}
		default:
			return fmt.Errorf("constant %d is neither null, boolean, number nor text", i)
		}
	}
	total := 0
	captured := make([]int, len(p.Functions))
	for i := range p.Functions {
		f := &p.Functions[i]
		if total += len(f.Code); total > MaxTotalCode || len(f.Code) > MaxCode {
			return fmt.Errorf("too much code")
		}
		if err := p.verifyFunction(f, captured); err != nil {
			return fmt.Errorf("function %d %.60q: %w", i, f.Name, err)
		}
	}
	for i, n := range captured {
		if f := &p.Functions[i]; f.Params+n > f.Locals {
			return fmt.Errorf("function %d has no room for its %d boxes", i, n)
		}
	}
	return p.verifyTables()
}

// fn checks the index of a function; most is -1 where none is right too.
func (p *Program) fn(i int, optional bool) error {
	if i == -1 && optional || i >= 0 && i < len(p.Functions) {
		return nil
	}
	return fmt.Errorf("there is no function %d", i)
}

func (p *Program) verifyTables() error {
	seconds := func(v float64) bool { return v >= 0 && v <= 1e9 }
	for i, s := range p.State {
		if s.Init.Fn < 0 && (s.Init.Const < 0 || s.Init.Const >= len(p.Consts)) || s.Init.Fn >= len(p.Functions) {
			return fmt.Errorf("state %d has no first value", i)
		}
	}
	for _, c := range p.Computed {
		if err := p.fn(c.Fn, false); err != nil {
			return err
		}
	}
	for _, w := range p.Watches {
		if w.State < 0 || w.State >= len(p.State) {
			return fmt.Errorf("a watch on state %d", w.State)
		}
		if err := p.fn(w.Fn, false); err != nil {
			return err
		}
	}
	for _, b := range p.Binds {
		if err := p.fn(b.Fn, false); err != nil {
			return err
		}
	}
	for _, h := range p.Handlers {
		if err := p.fn(h.Fn, false); err != nil {
			return err
		}
	}
	for _, s := range p.Subscriptions {
		if err := p.fn(s.Fn, false); err != nil {
			return err
		}
	}
	for i, w := range p.Wires {
		if w.Set != nil && (*w.Set < 0 || *w.Set >= len(p.State)) {
			return fmt.Errorf("wire %d sets state %d", i, *w.Set)
		}
		for _, a := range w.Args {
			if a < 0 || a >= len(p.Consts) {
				return fmt.Errorf("wire %d passes constant %d", i, a)
			}
		}
		if len(w.Args) > MaxStack/2 {
			return fmt.Errorf("wire %d passes too much", i)
		}
		if err := p.fn(w.Fn, false); err != nil {
			return err
		}
	}
	for i, s := range p.Schedules {
		if !seconds(s.After) || !seconds(s.Every) {
			return fmt.Errorf("schedule %d has a wrong time", i)
		}
		if err := p.fn(s.Fn, false); err != nil {
			return err
		}
	}
	for i, t := range p.Timelines {
		if len(t.Steps) > MaxEntries {
			return fmt.Errorf("timeline %d is too long", i)
		}
		for j, s := range t.Steps {
			if !seconds(s[0]) || s[1] != math.Trunc(s[1]) || s[1] < 0 || s[1] >= float64(len(p.Functions)) || j > 0 && s[0] < t.Steps[j-1][0] {
				return fmt.Errorf("timeline %d has a wrong step", i)
			}
		}
	}
	for i := range p.Machines {
		if err := p.verifyMachine(&p.Machines[i]); err != nil {
			return fmt.Errorf("machine %d: %w", i, err)
		}
	}
	for i := range p.Trees {
		t := &p.Trees[i]
		if !(t.Rate > 0 && t.Rate <= 60) {
			return fmt.Errorf("tree %d has rate %v", i, t.Rate)
		}
		left := MaxEvents
		if err := p.verifyTree(&t.Root, 0, &left); err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
	}
	return p.verifyTemplates()
}

func (p *Program) verifyMachine(m *StateMachine) error {
	if m.Initial < 0 || m.Initial >= len(m.States) || len(m.States) > MaxEntries {
		return fmt.Errorf("no initial state")
	}
	for i, s := range m.States {
		if s.Parent < -1 || s.Parent >= i {
			return fmt.Errorf("state %d lies in state %d", i, s.Parent)
		}
		if n := len(s.After); n != 0 && n != 2 || n == 2 && (!(s.After[0] >= 0 && s.After[0] <= 1e9) || s.After[1] != math.Trunc(s.After[1]) || s.After[1] < -1 || s.After[1] >= float64(len(m.States))) {
			return fmt.Errorf("state %d has a wrong time-out", i)
		}
		for _, f := range []int{s.Entry, s.Exit} {
			if err := p.fn(f, true); err != nil {
				return err
			}
		}
		for _, t := range s.On {
			if t.To < 0 || t.To >= len(m.States) {
				return fmt.Errorf("state %d leads to state %d", i, t.To)
			}
			for _, f := range []int{t.Guard, t.Action} {
				if err := p.fn(f, true); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (p *Program) verifyTree(n *TreeNode, depth int, left *int) error {
	if *left--; *left < 0 || depth > MaxNesting {
		return fmt.Errorf("too many or too deep")
	}
	row := table.TreeNodeOf(n.Type)
	if row == nil {
		return fmt.Errorf("a node %.40q", n.Type)
	}
	switch {
	case row.Children == "some" && len(n.Children) == 0, row.Children == "one" && len(n.Children) != 1, row.Children == "none" && len(n.Children) != 0:
		return fmt.Errorf("%s with %d children", n.Type, len(n.Children))
	case !(n.Params.Duration >= 0 && n.Params.Duration <= 1e9) || n.Params.Times < 0:
		return fmt.Errorf("%s with wrong settings", n.Type)
	case n.Params.Policy != "" && n.Params.Policy != "all" && n.Params.Policy != "any":
		return fmt.Errorf("policy %.40q", n.Params.Policy)
	}
	if err := p.fn(n.Fn, !row.Fn); err != nil {
		return err
	}
	for i := range n.Children {
		if err := p.verifyTree(&n.Children[i], depth+1, left); err != nil {
			return err
		}
	}
	return nil
}

// verifyFunction walks all paths through a function. The height of the stack and
// of the tries is known at every place.
func (p *Program) verifyFunction(f *Function, captured []int) error {
	if f.Rest && f.Params == 0 {
		return fmt.Errorf("a rest without a parameter")
	}
	if f.Params < 0 || f.Locals < f.Params || f.Locals > MaxLocals || len(f.Code) == 0 {
		return fmt.Errorf("%d parameters, %d locals, %d code", f.Params, f.Locals, len(f.Code))
	}
	for i, l := range f.Lines {
		if l[0] < 0 || l[0] >= len(f.Code) || i > 0 && l[0] < f.Lines[i-1][0] {
			return fmt.Errorf("lines out of order")
		}
	}
	starts, err := p.verifyCode(f)
	if err != nil {
		return err
	}
	w := walk{f: f, starts: starts, seen: make([]meeting, len(f.Code))}
	for i := range w.seen {
		w.seen[i].height = -1
	}
	return w.run(captured)
}

// verifyCode finds where instructions begin, and checks their operands.
func (p *Program) verifyCode(f *Function) ([]bool, error) {
	starts := make([]bool, len(f.Code))
	for pc := 0; pc < len(f.Code); {
		if f.Code[pc] < 0 || f.Code[pc] >= int(opCount) {
			return nil, fmt.Errorf("no instruction %d at %d", f.Code[pc], pc)
		}
		starts[pc] = true
		s := &shapes[f.Code[pc]]
		if pc+len(s.Args) >= len(f.Code) {
			return nil, fmt.Errorf("code ends within an instruction")
		}
		for i := range len(s.Args) {
			if err := p.verifyOperand(f, s.Args[i], f.Code[pc+1+i]); err != nil {
				return nil, fmt.Errorf("at %d: %w", pc, err)
			}
		}
		pc += 1 + len(s.Args)
	}
	return starts, nil
}

// meeting is what is known where ways through a function meet.
type meeting struct{ height, tries int }

// walk is the walk over all paths through a function.
type walk struct {
	f      *Function
	starts []bool
	seen   []meeting
	work   []int
}

func (w *walk) reach(pc, height, tries int) error {
	switch {
	case pc < 0 || pc >= len(w.f.Code) || !w.starts[pc]:
		return fmt.Errorf("a way leads to %d, where no instruction begins", pc)
	case height > MaxStack:
		return fmt.Errorf("stack too high at %d", pc)
	case tries > MaxCalls:
		return fmt.Errorf("tries too deep at %d", pc)
	case w.seen[pc].height < 0:
		w.seen[pc] = meeting{height, tries}
		w.work = append(w.work, pc)
	case w.seen[pc] != meeting{height, tries}:
		return fmt.Errorf("ways with unlike stacks meet at %d", pc)
	}
	return nil
}

func (w *walk) run(captured []int) error {
	if err := w.reach(0, 0, 0); err != nil {
		return err
	}
	for len(w.work) > 0 {
		pc := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		if err := w.follow(pc, captured); err != nil {
			return err
		}
	}
	return nil
}

// follow goes from an instruction to where its flow leads. The table says all but what
// closures capture and how many values an event has.
func (w *walk) follow(pc int, captured []int) error {
	code, at := w.f.Code, w.seen[pc]
	s, pop := &shapes[code[pc]], taken(code, pc)
	if at.height < pop {
		return fmt.Errorf("stack too low at %d", pc)
	}
	switch Op(code[pc]) {
	case opFn:
		captured[code[pc+1]] = max(captured[code[pc+1]], code[pc+2])
	case opEmit:
		if n := code[pc+1]; n != 1 && n != 2 {
			return fmt.Errorf("emit of %d values", n)
		}
	}
	h := at.height - pop + s.Push
	if s.Flow == table.Jump || s.Flow == table.Branch {
		if err := w.reach(code[pc+1], h+s.Land, at.tries); err != nil {
			return err
		}
	}
	tries := at.tries + s.Tries
	switch {
	case tries < 0:
		return fmt.Errorf("endtry without try at %d", pc)
	case s.Flow == table.Jump || s.Flow == table.End:
		return nil
	}
	return w.reach(pc+1+len(s.Args), h, tries)
}

func (p *Program) verifyOperand(f *Function, a byte, v int) error {
	most := 0
	switch a {
	case table.Const, table.Text:
		most = len(p.Consts)
	case table.Local:
		most = f.Locals
	case table.Slot:
		most = len(p.State)
	case table.Computed:
		most = len(p.Computed)
	case table.Place:
		most = len(f.Code)
	case table.Fn:
		most = len(p.Functions)
	case table.Host:
		most = len(p.Host)
	case table.Count:
		most = MaxStack
	}
	if v < 0 || v >= most {
		return fmt.Errorf("operand %d out of range", v)
	}
	if a == table.Text {
		if _, ok := p.Consts[v].(string); !ok {
			return fmt.Errorf("constant %d is no text", v)
		}
	}
	return nil
}
