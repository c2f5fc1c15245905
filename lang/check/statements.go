package check

import (
	"strconv"
	"strings"

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

// returns holds a value to the declared result.
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

// assign looks at a = b and a += b.
func (c *checker) assign(n *ast.Assign, p place) *Type {
	var want *Type
	declared := false
	switch t := n.Target.(type) {
	case *ast.Ident:
		if s := c.known(t.Name, p); s != nil {
			c.refer(t.At, s)
			want, declared = s.typ, s.declared
			if s.Kind == Function || s.Kind == TypeDecl || s.Kind == Template || s.Kind == Node {
				want = nil
			}
		} else if n.Op != "=" && p.fn != nil && !standard[t.Name] && !p.data {
			c.undeclaredName(t.At, t.Name, p)
		}
	case *ast.Path:
		want = c.members(t, p, true)
		declared = c.lastDeclared
	case *ast.StateRef:
		want = c.stateRef(t, p)
		declared = c.lastDeclared
	default:
		want = c.exprOf(n.Target, p, nil)
	}
	if want != nil && want.form == literal {
		want = want.base
	}
	if n.Op == "=" {
		c.assignValue(n.Value, want, declared, p)
		return want
	}
	c.value(n.Value, p, nil)
	return want
}

// assignValue holds a value to the type of what it is assigned to.
func (c *checker) assignValue(v ast.Node, want *Type, declared bool, p place) {
	found := c.value(v, p, want)
	if want == nil || c.fits(found, want) {
		return
	}
	at := v.Span()
	if a, b := dimension(found), dimension(want); a != "" && b != "" && a != b {
		c.addAs(c.enforced(declared), "TYP001", at, a, want.String())
		return
	}
	if c.fieldFaults(v, found, want, declared) {
		return
	}
	if words, ok := enumWords(want); ok {
		f := c.addAs(c.enforced(declared), "TYP001", at, found.text(0), want.String())
		if near, ok := c.nearest(found.name, words); ok && found.form != numberType {
			c.respell(f, v, near)
		}
		return
	}
	f := c.addAs(c.enforced(declared), "TYP001", at, found.sort(), want.String())
	c.convert(f, v, found, want)
}

// fieldFaults reports what is wrong inside an object literal, when that is all.
func (c *checker) fieldFaults(v ast.Node, found, want *Type, declared bool) bool {
	o, ok := v.(*ast.Object)
	want = c.look(want)
	if !ok || found == nil || found.form != objectType || want == nil || want.form != objectType && (want.form != namedType || !c.closed(want)) {
		return false
	}
	have := map[string]field{}
	for _, f := range found.fields {
		have[f.name] = f
	}
	reported := false
	for _, f := range c.fieldsOf(want) {
		got, ok := have[f.name]
		switch {
		case !ok && !f.optional:
			item := f.name + ": " + sampleOf(f.typ)
			at, text := c.insertion(&o.Body, item)
			c.addAs(c.enforced(declared), "TYP010", v.Span(), f.name, want.String()).Fix("Insert '"+item+"'", at, at, text)
			reported = true
		case ok && !c.fits(got.typ, f.typ) && got.value != nil:
			d := c.addAs(c.enforced(declared), "TYP001", got.value.Span(), got.typ.sort(), f.typ.String())
			c.convert(d, got.value, got.typ, f.typ)
			reported = true
		}
	}
	return reported
}

// sampleOf is a value of a type, as a source spells it.
func sampleOf(t *Type) string {
	if t == nil {
		return "null"
	}
	switch t.form {
	case numberType:
		return "0"
	case textType, assetType:
		return `""`
	case boolType:
		return "false"
	case colorType:
		return `"#ffffff"`
	case vectorType:
		n := map[string]int{"vec2": 2, "vec3": 3, "vec4": 4, "quat": 4}[t.name]
		return "[" + strings.TrimSuffix(strings.Repeat("0, ", n), ", ") + "]"
	case listType, tupleType:
		return "[]"
	case literal:
		if t.base.form == textType {
			return strconv.Quote(t.name)
		}
		return t.name
	case unionType:
		if len(t.alts) > 0 {
			return sampleOf(t.alts[0])
		}
	case namedType:
		if words, ok := enumWords(t); ok && len(words) > 0 {
			return strconv.Quote(words[0])
		}
	case objectType, mapType:
		return "{}"
	}
	return "null"
}

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
			f := c.addAs(c.enforced(true), "TYP003", b.Span(), found.sort(), q.fn.result.String())
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
			c.heardFrom(n, m, at, p)
		} else if m.EventExpr == nil {
			c.heard(m.Event, at, p)
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
