package run

import (
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// behind is what follows a transition a -> b : event in its line: [guard], after 6s.
type behind struct{ guard, after ast.Node }

// lines are the items of a machine or a state without what belongs to the transition
// before it in its line, which is kept for that one.
func (k *machineMaker) lines(items []ast.Node) []ast.Node {
	var out []ast.Node
	var last *ast.Mapping
	for _, it := range items {
		if s, ok := it.(*ast.ExprStmt); ok && last != nil && !strings.Contains(k.code.File.Text()[last.Span().Start:s.Span().Start], "\n") {
			if k.behind == nil {
				k.behind = map[ast.Node]behind{}
			}
			b := k.behind[last]
			if a, ok := s.X.(*ast.Array); ok && len(a.Elements) == 1 && b.guard == nil {
				b.guard = a.Elements[0]
				k.behind[last] = b
				continue
			}
			if n := len(last.Calls); n > 0 && wordOf(last.Calls[n-1]) == "after" && b.after == nil {
				b.after = s.X
				k.behind[last] = b
				continue
			}
		}
		last, _ = it.(*ast.Mapping)
		out = append(out, it)
	}
	return out
}

// trailing gives a transition what stands behind it in its line. The first bare word
// behind a colon is its event, where it has none yet, the next one what it does.
func (k *machineMaker) trailing(e *edge, m *ast.Mapping) {
	b := k.behind[m]
	if b.guard != nil {
		e.guard = b.guard
	}
	e.after = b.after
	for i, c := range m.Calls {
		word := wordOf(c)
		switch {
		case word == "" || b.after != nil && i == len(m.Calls)-1:
		case e.event == "":
			e.event = eventOf(word)
		case e.doing == nil:
			e.doing = c
		default:
			k.refuse(k.code.File, c, "'"+word+"' behind a transition")
		}
	}
}

// lasts is how many seconds a written duration is: a number, or the name of a constant.
func (k *machineMaker) lasts(n ast.Node) (float64, bool) {
	switch n := n.(type) {
	case *ast.Number:
		return k.seconds(n), true
	case *ast.String:
		if number, unit := token.SplitNumber(n.Value()); number != "" {
			return duration(token.NumberValue(number), unit), true
		}
	case *ast.Ident:
		if v, ok := k.code.Const(n.Name); ok && v.Kind == trait.Number {
			return duration(v.Num, v.Unit), true
		}
	}
	k.refuse(k.code.File, n, "a duration that is not known when the scene begins")
	return 0, false
}

// every runs a body again and again while a state lasts: tick(1s) { … }.
func (k *machineMaker) every(state string, n *ast.Block) bool {
	if n.BlockKind != "tick" && n.BlockKind != "every" || len(n.Heading().Args) != 1 || n.Body == nil {
		return false
	}
	args, ok := n.Heading().Args[0].(*ast.Args)
	if !ok || len(args.Args) != 1 {
		return false
	}
	period, ok := k.lasts(args.Args[0])
	if !ok { // which says so
		return true
	}
	if period <= 0 || k.more {
		k.refuse(k.code.File, n, "'"+n.BlockKind+"' of no time or of a second machine")
		return true
	}
	base := n.Base
	in := &ast.Binary{Base: base, Op: "==", X: &ast.Path{Base: base, Raw: "this.current_state"}, Y: &ast.String{Base: base, Raw: strconv.Quote(state)}}
	body := &ast.Body{Base: base, Items: []ast.Node{&ast.If{Base: base, Branches: []*ast.Branch{{Base: base, Cond: in, Body: n.Body}}}}}
	k.p.Schedules = append(k.p.Schedules, Schedule{Fn: k.later(k.id, state+" "+n.BlockKind, k.code, body), After: period, Every: period})
	return true
}
