package run

import (
	"cmp"
	"math"
	"slices"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// flows compiles wires, schedules and timelines.
func (b *builder) flows() {
	for _, w := range b.scene.Behaviour.Wires {
		b.wire(w)
	}
	for _, x := range b.scene.Behaviour.Runs {
		e := x.Execute
		d := Schedule{Forever: e.Forever, After: b.seconds(e.After), Every: b.seconds(e.Every)}
		d.Fn = b.later(cmp.Or(x.Owner, SceneOwner), "execute", x.Code, &ast.Call{Base: e.Base, Fn: e.Target, Args: e.Args})
		b.p.Schedules = append(b.p.Schedules, d)
	}
	for i := range b.scene.Timelines {
		b.timeline(&b.scene.Timelines[i])
	}
}

// seconds is a written duration.
func (b *builder) seconds(n ast.Node) float64 {
	num, ok := n.(*ast.Number)
	if !ok {
		return 0
	}
	return duration(num.Value(), num.Unit())
}

// duration is a number of a unit in seconds; without one those from 20 on are milliseconds.
func duration(v float64, unit string) float64 {
	if unit == "" && v >= 20 {
		v /= 1000
	}
	return math.Min(math.Max(0, inUnits(v, unit)), 1e9)
}

func (b *builder) wire(w scene.Wire) {
	n := w.Wire
	from, to := pathOf(n.From), pathOf(n.To)
	if len(from) == 0 || len(to) == 0 {
		return
	}
	self := cmp.Or(w.Owner, SceneOwner)
	source, event := self, from[len(from)-1]
	if len(from) > 1 {
		owner, used := b.find(self, from)
		if owner == "" || used >= len(from) {
			b.refuse(w.Code.File, n, "a wire from an unknown node")
			return
		}
		source, event = owner, from[used]
	}
	event = trait.FoldKey(event)
	owner, used := b.find(self, to)
	if owner == "" {
		owner = self
	}
	rest := to[used:]
	if n.Assign != nil {
		if len(rest) > 1 && rest[0] == "state" {
			rest = rest[1:]
		}
		slot, ok := 0, false
		if len(rest) == 1 {
			slot, ok = b.visible(owner, rest[0])
		}
		if !ok {
			b.refuse(w.Code.File, n, "a wire to an unknown state key")
			return
		}
		fn := b.later(owner, "wire", w.Code, &ast.Arrow{Base: n.Base, Params: []*ast.Param{{Name: "event"}}, Body: n.Assign})
		b.p.Wires = append(b.p.Wires, Wire{From: source, Event: event, Set: &slot, Fn: fn})
		return
	}
	fn, ok := 0, false
	if len(rest) == 1 {
		for _, o := range b.above(owner) {
			if fn, ok = b.functions[slotKey{o, rest[0]}]; ok {
				break
			}
		}
	}
	if !ok { // an event of the same name is raised there
		call := &ast.Call{Base: n.Base, Fn: n.To, Args: append(slices.Clone(n.Args), &ast.Ident{Base: n.Base, Name: "event"})}
		fn = b.later(owner, "wire", w.Code, &ast.Arrow{Base: n.Base, Params: []*ast.Param{{Name: "event"}}, Body: call})
		b.p.Wires = append(b.p.Wires, Wire{From: source, Event: event, Fn: fn})
		return
	}
	wire := Wire{From: source, Event: event, Fn: fn}
	for _, a := range n.Args {
		switch a := a.(type) {
		case *ast.String:
			wire.Args = append(wire.Args, b.constant(a.Value()))
		case *ast.Number:
			wire.Args = append(wire.Args, b.constant(inUnits(a.Value(), a.Unit())))
		case *ast.Bool:
			wire.Args = append(wire.Args, b.constant(a.Value))
		case *ast.Ident:
			wire.Args = append(wire.Args, b.constant(a.Name))
		default:
			b.refuse(w.Code.File, a, "an argument of a wire that is no literal")
			wire.Args = append(wire.Args, b.constant(nil))
		}
	}
	b.p.Wires = append(b.p.Wires, wire)
}

// pathOf is a name as its segments.
func pathOf(n ast.Node) []string {
	switch n := n.(type) {
	case *ast.Ident:
		return []string{n.Name}
	case *ast.Path:
		return n.Segments()
	case *ast.String:
		return []string{n.Value()}
	case *ast.Member:
		if x := pathOf(n.X); x != nil {
			return append(x, n.Name)
		}
	}
	return nil
}
