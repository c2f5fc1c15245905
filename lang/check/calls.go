package check

import (
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/run/table"
	"github.com/meshd/meshd/lang/trait"
)

// call looks at f(…).
func (c *checker) call(n *ast.Call, p place) *Type {
	name := ""
	at := n.Fn.Span()
	foreign := false // of another file
	var t *Type
	switch fn := n.Fn.(type) {
	case *ast.Ident:
		name = fn.Name
		if s := c.known(name, p); s != nil {
			c.refer(at, s)
			t, foreign = s.typ, s.Kind == Imported
			if f, ok := s.decl.(*ast.Func); ok && t == nil && s.File == c.f.Path() {
				t = c.funcType(f, s)
			}
			if s.Kind == TypeDecl || s.Kind == Template {
				t = nil
			}
		} else if !standard[name] && !p.data {
			c.undeclaredName(at, name, p)
		}
		if name == "emit" && len(n.Args) > 0 {
			for _, a := range n.Args[1:] {
				c.value(a, p, nil)
			}
			return nil
		}
		switch {
		case name == "set_trait" && len(n.Args) > 1:
			c.setTrait(n.Args[1:])
		case name == "get_node" && len(n.Args) == 1:
			if s, ok := n.Args[0].(*ast.String); ok && !strings.ContainsAny(s.Value(), "/.") && c.named[s.Value()] == nil && !c.open {
				c.noNode(s.At, s.Value(), diag.Warning)
			}
		}
	default:
		t = c.exprOf(n.Fn, p, nil)
		name = lastName(n.Fn)
	}
	if t == nil || t.form != funcType {
		c.arguments(n.Args, p)
		return resultOf(name, n.Fn)
	}
	c.passArguments(n, name, t, !foreign, p)
	return t.result
}

// setTrait reports a trait that a running scene cannot give a node.
func (c *checker) setTrait(args []ast.Node) {
	name, ok := args[0].(*ast.String)
	if !ok {
		return
	}
	key := strings.TrimPrefix(name.Value(), "@")
	if _, ok := trait.Settable(key, ""); !ok {
		c.add("BLK006", name.At, "@"+key, "set_trait")
		return
	}
	if len(args) < 2 {
		return
	}
	if o, ok := args[1].(*ast.Object); ok {
		for _, it := range o.Body.Items {
			if q, ok := it.(*ast.Property); ok {
				if _, ok := trait.Settable(key, q.Key.Name()); !ok {
					c.add("BLK006", q.Key.At, q.Key.Name(), "set_trait")
				}
			}
		}
	}
}

// resultOf is the type that a function of the library returns.
func resultOf(name string, fn ast.Node) *Type {
	path, ok := fn.(*ast.Path)
	switch {
	case ok && strings.HasPrefix(path.Raw, "Math."):
		return numberT
	case ok:
		return nil
	}
	o := table.OperationOf(name)
	switch {
	case o == nil:
		return nil
	case o.Result == "number":
		return numberT
	case o.Result == "string":
		return stringT
	}
	return nil
}

func (c *checker) arguments(args []ast.Node, p place) {
	for _, a := range args {
		c.value(a, p, nil)
	}
}

// passArguments checks arguments against the parameters of a function, of this file or
// another.
func (c *checker) passArguments(n *ast.Call, name string, t *Type, own bool, p place) {
	need, most, rest, typed := 0, len(t.params), false, false
	for i, q := range t.params {
		typed = typed || q.typ != nil
		if q.rest {
			rest, most = true, 1<<30
			continue
		}
		if !q.optional {
			need = i + 1
		}
	}
	spread := false
	for i, a := range n.Args {
		var want *Type
		switch {
		case i < len(t.params) && !t.params[i].rest:
			want = t.params[i].typ
		case rest:
			if list := c.look(t.params[len(t.params)-1].typ); list != nil && list.form == listType {
				want = list.elem
			}
		}
		switch a := a.(type) {
		case *ast.Spread:
			spread = true
			c.expr(a.X, p)
		case *ast.Property:
			spread = true
			c.value(a.Value, p, nil)
		default:
			found := c.value(a, p, want)
			if !spread && want != nil && !c.fits(found, want) {
				f := c.addAs(c.enforced(own, want), "TYP002", a.Span()).Second(strconv.Itoa(i+1), want.String())
				c.convert(f, a, found, want)
			}
		}
	}
	if got := len(n.Args); !spread && (got < need || got > most) {
		count := strconv.Itoa(need)
		switch {
		case rest:
			count = "at least " + count
		case most > need:
			count += " to " + strconv.Itoa(most)
		}
		c.addAs(c.enforced(typed && own), "TYP002", n.Fn.Span(), name, count, strconv.Itoa(got))
	}
}
