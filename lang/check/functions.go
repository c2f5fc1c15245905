package check

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// judgeFunc looks at a function, a method or a handler.
func (c *checker) judgeFunc(n *ast.Func, p place, broken bool) {
	if n.FuncKind == ast.Handler {
		c.judgeHandler(n, p, broken)
		return
	}
	var own *Symbol
	if p.fn == nil {
		if s := p.o.names[n.Name]; s != nil && s.decl == ast.Node(n) {
			own = s
		}
	} else if p.locals != nil && n.Name != "" {
		own = c.local(Function, n.Name, c.wordIn(n.At, n.Name, 0), n)
		p.locals.names[n.Name] = own
	}
	if own == nil {
		own = &Symbol{}
	}
	t := c.funcType(n, own)
	c.funcBody(n.Params, n.Result, n.Body, n.Name, p, t)
}

// funcType is the type of a function; its parameters are judged once.
func (c *checker) funcType(n *ast.Func, s *Symbol) *Type {
	if s.typ != nil && s.typ.form == funcType {
		return s.typ
	}
	s.typ = &Type{form: funcType, params: c.parameters(n.Params), result: c.typeOf(n.Result)}
	if n.FuncKind == ast.Getter {
		t := s.typ
		s.typ = t.result
		return t
	}
	return s.typ
}

// arrow looks at (a, b) => body.
func (c *checker) arrow(n *ast.Arrow, p place) *Type {
	t := &Type{form: funcType, params: c.parameters(n.Params), result: c.typeOf(n.Result)}
	c.funcBody(n.Params, n.Result, n.Body, "", p, t)
	return t
}

// funcBody looks at what a function does. t is its type when that is known.
func (c *checker) funcBody(params []*ast.Param, result, body ast.Node, name string, p place, t *Type) {
	q := p
	q.fn = &function{name: name, awaits: true}
	q.in, q.kind, q.loop, q.choice, q.data = ignored, "", false, false, false
	q = q.inner()
	for i, param := range params {
		more := param.Parts()
		var typ *Type
		if t != nil && i < len(t.params) {
			typ = t.params[i].typ
		}
		if more.Default != nil {
			c.assignValue(more.Default, typ, true, q)
		}
		if param.Name != "" {
			at := c.wordIn(param.At, param.Name, 0)
			if before := q.locals.names[param.Name]; before != nil {
				c.add("NAM002", at, param.Name)
			}
			s := c.local(Parameter, param.Name, at, param)
			s.typ, s.declared = typ, more.Type != nil
			q.locals.names[param.Name] = s
		}
		if more.Pattern != nil {
			c.bindNames("", more.Pattern, param.At, q, nil)
		}
	}
	if t != nil && result != nil {
		q.fn.result = t.result
	}
	switch b := body.(type) {
	case nil:
	case *ast.Body:
		if b != nil {
			c.judgeBody(b, q)
		}
	case *ast.Command, *ast.Emit, *ast.Assign:
		c.judge(b, q, &ast.Body{}, 0)
		c.keepLocals(b.Span(), q.locals)
	default:
		defer c.keepLocals(b.Span(), q.locals)
		if q.fn.result == nil {
			c.value(b, q, nil)
			return
		}
		found := c.value(b, q, q.fn.result)
		if !c.fits(found, q.fn.result) {
			f := c.addAs(c.enforced(true, q.fn.result), "TYP003", b.Span(), found.sort(), q.fn.result.String())
			c.convert(f, b, found, q.fn.result)
		}
	}
}

// judgeHandler looks at on x { … }.
func (c *checker) judgeHandler(n *ast.Func, p place, broken bool) {
	m := n.More
	if m == nil {
		m = &ast.FuncMore{}
	}
	if !broken && m.Label == nil && n.Name != "error" && m.Event != "" {
		at := c.handlerSpan(n, m)
		if m.EventTarget != nil {
			c.judgeEventOf(n, m, at, p)
		} else if m.EventExpr == nil || n.Name != "" {
			c.judgeEvent(m.Event, at, p)
		}
	}
	q := p
	q.fn = &function{name: n.Name, awaits: true}
	q.in, q.kind, q.loop, q.choice, q.data = ignored, "", false, false, false
	if p.in == data || p.kind == "pipeline" || p.in == stage { // on_error { action: "skip" } of a pipeline
		q.data = true
	}
	c.funcBody(n.Params, nil, n.Body, n.Name, q, nil)
}

// handlerSpan is the name of the event of a handler.
func (c *checker) handlerSpan(n *ast.Func, m *ast.FuncMore) token.Span {
	toks := c.f.Stream.Tokens
	i := c.tokenAt(n.At.Start)
	for ; i < len(toks) && toks[i].Start < n.At.End; i++ {
		t := toks[i]
		text := c.f.Text()[t.Start:t.End]
		if t.Kind == token.String || t.Kind == token.Ident && text != "on" {
			if t.Kind == token.String {
				text = token.Unquote(text)
			}
			if eventName(text) == m.Event {
				return token.Span{Start: t.Start, End: t.End}
			}
		}
	}
	return token.Span{Start: n.At.Start, End: n.At.Start + 2}
}
