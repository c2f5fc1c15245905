package check

import (
	"strconv"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// statement looks at a statement.
func (c *checker) statement(n ast.Node, p place, broken bool) {
	if broken {
		c.bodiesOnly(n, p)
		return
	}
	switch n := n.(type) {
	case *ast.VarDecl:
		for _, d := range n.Decls {
			c.variable(d, p)
		}
	case *ast.If:
		for _, b := range n.Branches {
			c.condition(b.Cond, p)
			c.guarded(b.Body, p)
		}
		c.guarded(n.Else, p)
	case *ast.For:
		q := p.inner()
		q.loop = true
		if n.Init != nil {
			c.judge(n.Init, q, &ast.Body{}, 0)
		}
		if n.Cond != nil {
			c.condition(n.Cond, q)
		}
		if n.Step != nil {
			c.expr(n.Step, q)
		}
		c.guarded(n.Body, q)
	case *ast.ForIn:
		t := c.look(c.expr(n.Subject, p))
		var elem *Type
		if t != nil && t.form == listType {
			elem = t.elem
		}
		q := p.inner()
		q.loop = true
		c.bindNames(n.Name, n.Pattern, n.At, q, elem)
		c.guarded(n.Body, q)
	case *ast.While:
		c.condition(n.Cond, p)
		p.loop = true
		c.guarded(n.Body, p)
	case *ast.DoWhile:
		q := p
		q.loop = true
		c.guarded(n.Body, q)
		c.condition(n.Cond, p)
	case *ast.Switch:
		c.expr(n.Subject, p)
		q := p
		q.choice = true
		for _, k := range n.Cases {
			for _, v := range k.Values {
				c.value(v, p, nil)
			}
			c.guarded(k.Body, q)
		}
	case *ast.Try:
		c.guarded(n.Body, p)
		if n.Catch != nil {
			q := p.inner()
			if n.CatchName != "" {
				at := c.wordIn(token.Span{Start: n.Body.At.End, End: n.Catch.At.Start}, n.CatchName, 1)
				q.locals.names[n.CatchName] = c.local(Variable, n.CatchName, at, n)
			}
			c.guarded(n.Catch, q)
		}
		if n.Finally != nil {
			c.guarded(n.Finally, p)
		}
	case *ast.Return:
		c.returns(n, p)
	case *ast.Throw:
		c.value(n.X, p, nil)
	case *ast.Break:
		if !p.loop && !p.choice && !p.data {
			c.add("BLK009", n.At, "break", "a loop or a switch")
		}
	case *ast.Continue:
		if !p.loop && !p.data {
			c.add("BLK009", n.At, "continue", "a loop")
		}
	case *ast.Emit:
		for i, a := range n.Args {
			if _, word := a.(*ast.Ident); word && i == 0 {
				continue
			}
			c.value(a, p, nil)
		}
		if n.Body != nil {
			c.judgeBody(n.Body, p)
		}
	case *ast.Command:
		c.command(n, p)
	case *ast.Assign:
		c.assign(n, p)
	case *ast.ExprStmt:
		if p.data {
			return
		}
		if id, ok := n.X.(*ast.Ident); ok && p.fn == nil { // a flag: object { grabbable }
			if s := c.known(id.Name, p); s != nil {
				c.refer(id.At, s)
			}
			return
		}
		c.expr(n.X, p)
	}
}

// bodiesOnly looks at the bodies below a statement that could not be read whole.
func (c *checker) bodiesOnly(n ast.Node, p place) {
	ast.Children(n, func(child ast.Node) {
		switch child := child.(type) {
		case *ast.Body:
			q := p
			q.loop, q.choice = true, true
			c.judgeBody(child, q)
		case *ast.Branch, *ast.Case:
			c.bodiesOnly(child, p)
		}
	})
}

// guarded looks at the body or the statement behind a condition.
func (c *checker) guarded(n ast.Node, p place) {
	switch n := n.(type) {
	case nil:
	case *ast.Body:
		if n != nil {
			c.judgeBody(n, p)
		}
	default:
		c.judge(n, p, &ast.Body{}, 0)
	}
}

// local is a name of a function. It is no symbol of the file's outline, so its
// declaration is kept among the references.
func (c *checker) local(kind SymbolKind, name string, at token.Span, decl ast.Node) *Symbol {
	s := &Symbol{Name: name, Kind: kind, At: at, Full: decl.Span(), File: c.f.Path(), decl: decl, Detail: kind.String() + " " + name}
	c.refer(at, s)
	return s
}

// variable looks at one name of let, const or var.
func (c *checker) variable(d *ast.Declarator, p place) {
	want := c.typeOf(d.Type)
	var t *Type
	if d.Value != nil {
		if d.Type != nil {
			c.assignValue(d.Value, want, true, p)
		} else {
			t = c.value(d.Value, p, nil)
		}
	}
	if d.Pattern != nil {
		c.bindNames("", d.Pattern, d.At, p, nil)
		return
	}
	at := token.Span{Start: d.At.Start, End: d.At.Start + uint32(len(d.Name))}
	if p.locals == nil { // a declaration of a body: found before
		if s := p.o.names[d.Name]; s != nil && s.decl == ast.Node(d) {
			s.typ, s.declared = want, d.Type != nil
			if d.Type == nil {
				s.typ = widen(t)
			}
		}
		return
	}
	if before := p.locals.names[d.Name]; before != nil {
		c.add("NAM002", at, d.Name).Related("Declared here.", int(before.At.Start), int(before.At.End))
	} else {
		c.hides(at, d.Name, p)
	}
	s := c.local(Variable, d.Name, at, d)
	s.typ, s.declared = want, d.Type != nil
	if d.Type == nil {
		s.typ = widen(t)
	}
	p.locals.names[d.Name] = s
}

// hides reports a local name that hides another local one, an import or a function.
func (c *checker) hides(at token.Span, name string, p place) {
	for l := p.locals.outer; l != nil; l = l.outer {
		if s := l.names[name]; s != nil {
			c.add("NAM009", at, name).Related("The outer one.", int(s.At.Start), int(s.At.End))
			return
		}
	}
	for o := p.o; o != nil; o = o.parent {
		c.work++
		if s := o.names[name]; s != nil && (s.Kind == Imported || s.Kind == Function) {
			if s.File == c.f.Path() || s.Kind == Imported {
				c.add("NAM009", at, name)
			}
			return
		}
	}
}

// bindNames declares the names of a loop, a parameter or a pattern.
func (c *checker) bindNames(name string, pattern ast.Node, span token.Span, p place, t *Type) {
	if p.locals == nil {
		return
	}
	if name != "" {
		at := c.wordIn(span, name, 0)
		s := c.local(Variable, name, at, &ast.Ident{Base: ast.Base{At: at}, Name: name})
		s.typ = widen(t)
		p.locals.names[name] = s
	}
	var elements []*ast.PatternElement
	switch pattern := pattern.(type) {
	case *ast.ObjectPattern:
		elements = pattern.Elements
	case *ast.ArrayPattern:
		elements = pattern.Elements
	case *ast.Ident:
		p.locals.names[pattern.Name] = c.local(Variable, pattern.Name, pattern.At, pattern)
	}
	for _, e := range elements {
		if e.Default != nil {
			c.value(e.Default, p, nil)
		}
		if e.Pattern != nil {
			c.bindNames("", e.Pattern, e.At, p, nil)
			continue
		}
		if e.Name != "" {
			at := c.wordIn(e.At, e.Name, 0)
			p.locals.names[e.Name] = c.local(Variable, e.Name, at, e)
		}
	}
}

// returns checks a value against the declared result.
func (c *checker) returns(n *ast.Return, p place) {
	if p.fn == nil || p.fn.result == nil {
		if n.X != nil {
			c.value(n.X, p, nil)
		}
		return
	}
	want := p.fn.result
	if n.X == nil {
		if !c.fits(voidT, want) {
			c.addAs(c.enforced(true), "TYP003", n.At, "nothing", want.String())
		}
		return
	}
	found := c.value(n.X, p, want)
	if want.form == voidType && found != nil && found.form != voidType && found.form != nullType || !c.fits(found, want) {
		f := c.addAs(c.enforced(true), "TYP003", n.X.Span(), found.sort(), want.String())
		c.convert(f, n.X, found, want)
	}
}

// condition looks at a condition and reports one that is always the same.
func (c *checker) condition(n ast.Node, p place) {
	c.expr(n, p)
	if v, ok := constant(n); ok {
		c.add("TYP012", n.Span(), strconv.FormatBool(v))
	}
}

// constant is the truth of an expression of literals.
func constant(n ast.Node) (value, ok bool) {
	switch n := n.(type) {
	case *ast.Bool:
		return n.Value, true
	case *ast.Null:
		return false, true
	case *ast.Number:
		return n.Value() != 0, true
	case *ast.Unary:
		if n.Op == "!" || n.Op == "not" {
			v, ok := constant(n.X)
			return !v, ok
		}
	case *ast.Binary:
		switch n.Op {
		case "&&", "and":
			x, ok := constant(n.X)
			y, also := constant(n.Y)
			if ok && !x || also && !y {
				return false, true
			}
			return x && y, ok && also
		case "||", "or":
			x, ok := constant(n.X)
			y, also := constant(n.Y)
			if ok && x || also && y {
				return true, true
			}
			return x || y, ok && also
		}
		x, okX := n.X.(*ast.Number)
		y, okY := n.Y.(*ast.Number)
		if !okX || !okY || x.Unit() != y.Unit() {
			return false, false
		}
		a, b := x.Value(), y.Value()
		switch n.Op {
		case "<":
			return a < b, true
		case "<=":
			return a <= b, true
		case ">":
			return a > b, true
		case ">=":
			return a >= b, true
		case "==", "===":
			return a == b, true
		case "!=", "!==":
			return a != b, true
		}
	}
	return false, false
}

// command looks at a call without parentheses, whose operands may be words.
func (c *checker) command(n *ast.Command, p place) {
	if p.data {
		return
	}
	if _, value, ok := alias(n); ok {
		c.aliasNames(value)
		return
	}
	if _, value, ok := ast.ConstantOf(n); ok {
		c.value(value, p, nil)
		return
	}
	if s := c.known(n.Verb, p); s != nil {
		at := n.At
		at.End = at.Start + uint32(len(n.Verb))
		c.refer(at, s)
	} else if p.fn != nil && !standard[n.Verb] {
		at := n.At
		at.End = at.Start + uint32(len(n.Verb))
		c.undeclaredName(at, n.Verb, p)
	}
	for _, a := range n.Args {
		if as, ok := a.(*ast.Assign); ok {
			c.value(as.Target, p, nil)
			c.value(as.Value, p, nil)
			continue
		}
		c.value(a, p, nil)
	}
}

// aliasNames judges the names in type A = ….
func (c *checker) aliasNames(n ast.Node) {
	switch n := n.(type) {
	case *ast.Ident:
		c.typeName(n, n.Name)
	case *ast.Path:
		c.typeName(n, n.Raw)
	case *ast.Binary:
		c.aliasNames(n.X)
		c.aliasNames(n.Y)
	case *ast.Object:
		for _, it := range n.Body.Items {
			if p, ok := it.(*ast.Property); ok && p.Type() == nil {
				c.aliasNames(p.Value)
			}
		}
	}
}
