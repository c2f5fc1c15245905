package run

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// keeps says how long a state lasts: a number, or the name of one that is fixed.
func (k *machineMaker) keeps(state int, n ast.Node) {
	if s, ok := k.fixed(n); ok {
		k.m.States[state].After = []float64{s, -1}
		return
	}
	switch n.(type) {
	case *ast.Ident, *ast.Path, *ast.Member, *ast.Binary, *ast.Ternary, *ast.Call:
		if k.timed == nil {
			k.timed = map[int]ast.Node{}
		}
		k.timed[state] = n
	default:
		k.refuse(k.code.File, n, "a time that is not fixed")
	}
}

// waits lets states last as long as an expression says when they are entered: they
// raise timeout at their node, where they are still entered.
func (k *machineMaker) waits() {
	for i := range k.m.States {
		n, ok := k.timed[i]
		if !ok {
			continue
		}
		at := *n.Common()
		word := func(name string) ast.Node { return &ast.Ident{Base: at, Name: name} }
		text := func(s string) ast.Node { return &ast.String{Base: at, Raw: quoted(s)} }
		now := &ast.Binary{Base: at, Op: "==", X: &ast.Path{Base: at, Raw: "this.current_state"}, Y: text(k.m.States[i].Name)}
		raise := &ast.If{Base: at, Branches: []*ast.Branch{{Base: at, Cond: now, Body: &ast.Body{Base: at, Items: []ast.Node{&ast.Emit{Base: at, Args: []ast.Node{text("timeout")}}}}}}}
		later := &ast.Call{Base: at, Fn: word("set_timeout"), Args: []ast.Node{&ast.Arrow{Base: at, Body: &ast.Body{Base: at, Items: []ast.Node{raise}}}, n}}
		body := &ast.Body{Base: at}
		if e := bodyOf(k.entered[i]); e != nil {
			if x, ok := e.(*ast.Body); ok {
				body.Items = append(body.Items, x.Items...)
			} else if o, ok := e.(*ast.Object); ok {
				body.Items = append(body.Items, o.Body.Items...)
			} else {
				body.Items = append(body.Items, e)
			}
		}
		body.Items = append(body.Items, &ast.ExprStmt{Base: at, X: later})
		k.m.States[i].Entry = k.later(k.id, k.m.States[i].Name+" entry", k.code, &ast.Arrow{Base: at, Body: body})
	}
}

// fixed is a time in seconds that is known before the run.
func (k *machineMaker) fixed(n ast.Node) (float64, bool) {
	switch n := n.(type) {
	case *ast.Number:
		return k.seconds(n), true
	case *ast.Ident, *ast.Path:
		segments := pathOf(n)
		name := segments[len(segments)-1]
		if v, ok := k.code.Const(name); ok && len(segments) == 1 && v.Kind == trait.Number {
			return k.seconds(&ast.Number{Base: *n.Common(), Raw: FormatNumber(v.Num) + v.Unit}), true
		}
		for _, o := range k.above(k.id) {
			fd := k.fields[o][segments[0]]
			for _, s := range segments[1:] {
				in, ok := fd.value.(*ast.Object)
				if !ok {
					return 0, false
				}
				fd.value = nil
				for _, it := range in.Body.Items {
					if p, ok := it.(*ast.Property); ok && p.Key.Name() == s {
						fd.value = p.Value
					}
				}
			}
			if num, ok := fd.value.(*ast.Number); ok && !k.changes()[segments[0]] {
				return k.seconds(num), true
			}
		}
	}
	return 0, false
}

// whensOf are the conditions behind transitions in their line: idle -> open when level > 3.
func whensOf(f *ast.File, items []ast.Node) map[ast.Node]ast.Node {
	var out map[ast.Node]ast.Node
	for i, it := range items {
		c, ok := it.(*ast.Command)
		if !ok || i == 0 || c.Verb != "when" && c.Verb != "if" || len(c.Args) != 1 {
			continue
		}
		m, ok := items[i-1].(*ast.Mapping)
		if !ok || strings.Contains(f.Text()[m.Span().Start:c.Span().Start], "\n") {
			continue
		}
		if out == nil {
			out = map[ast.Node]ast.Node{}
		}
		out[m] = c.Args[0]
	}
	return out
}
