package check

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// value looks at an expression where a bare word may be a word of an enum. want
// is the type that is asked for, nil for any.
func (c *checker) value(n ast.Node, p place, want *Type) *Type {
	switch n := n.(type) {
	case nil:
		return nil
	case *ast.Ident:
		if s := c.known(n.Name, p); s != nil && !p.data {
			c.refer(n.At, s)
			return c.valueType(s)
		}
		if standard[n.Name] {
			return nil
		}
		return &Type{form: wordType, name: n.Name}
	case *ast.EnumWord:
		return &Type{form: wordType, name: n.Name}
	case *ast.Path:
		if p.data || c.known(n.Segments()[0], p) == nil && !standard[n.Segments()[0]] {
			c.members(n, p, false)
			return nil
		}
	case *ast.Call:
		if id, ok := n.Fn.(*ast.Ident); ok && p.data && c.known(id.Name, p) == nil {
			c.arguments(n.Args, p)
			return nil
		}
	}
	return c.exprOf(n, p, want)
}

// valueType is the type of the value of a declaration.
func (c *checker) valueType(s *Symbol) *Type {
	switch s.Kind {
	case Node, Template, Module, Stage:
		return &Type{form: nodeType, sym: s}
	case TypeDecl:
		return &Type{}
	}
	return s.typ
}

// expr looks at an expression whose names must mean something.
func (c *checker) expr(n ast.Node, p place) *Type {
	return c.exprOf(n, p, nil)
}

func (c *checker) exprOf(n ast.Node, p place, want *Type) *Type {
	switch n := n.(type) {
	case *ast.Ident:
		return c.ident(n, p)
	case *ast.Number:
		c.unit(n)
		return &Type{form: literal, name: n.Raw, base: numberOf(n)}
	case *ast.String, *ast.Bool, *ast.Null:
		return literalOf(n)
	case *ast.Template:
		for _, e := range n.Exprs {
			c.expr(e, p)
		}
		return stringT
	case *ast.Colour:
		if !trait.IsColor(n.Raw) {
			c.add("TYP005", n.At, n.Raw)
		}
		return colorT
	case *ast.StateRef:
		return c.stateRef(n, p)
	case *ast.NameRef:
		c.nameRef(n, p)
		return &Type{form: nodeType}
	case *ast.Path:
		return c.members(n, p, true)
	case *ast.Member:
		t := c.expr(n.X, p)
		return c.member(t, n.Name, token.Span{Start: n.At.End - uint32(len(n.Name)), End: n.At.End}, n.Optional)
	case *ast.Index:
		t := c.look(c.expr(n.X, p))
		c.expr(n.I, p)
		if t != nil && (t.form == listType || t.form == mapType) {
			return t.elem
		}
		return nil
	case *ast.Call:
		return c.call(n, p)
	case *ast.New:
		c.arguments(n.Args, p)
		return c.typeOf(n.Type)
	case *ast.Unary:
		return c.unary(n, p)
	case *ast.Binary:
		return c.binary(n, p)
	case *ast.Ternary:
		c.condition(n.Cond, p)
		return c.both(c.value(n.Then, p, want), c.value(n.Else, p, want))
	case *ast.Assign:
		return c.assign(n, p)
	case *ast.Arrow:
		return c.arrow(n, p)
	case *ast.FuncLit:
		c.funcBody(n.Params, n.Result, n.Body, n.Name, p, nil)
		return &Type{form: funcType, params: c.parameters(n.Params)}
	case *ast.Array:
		return c.array(n, p, want)
	case *ast.Object:
		return c.object(n, p, want)
	case *ast.Cast:
		c.value(n.X, p, nil)
		return c.typeOf(n.Type)
	case *ast.AttrValue:
		if isTrait(n.Attr) {
			c.traitBody(n.Attr, p)
		}
		return nil
	case *ast.Spawn:
		c.spawn(n, p)
		return &Type{form: nodeType}
	case *ast.Computed:
		q := p
		q.fn = &function{name: "computed"}
		c.judgeBody(n.Body, q)
		return nil
	case *ast.Match:
		return c.match(n, p, want)
	case *ast.Constructor:
		q := p
		q.data, q.kind, q.in = true, n.Name, data
		c.judgeBody(n.Body, q)
		return nil
	case *ast.Pipe:
		c.value(n.X, p, nil)
		for _, s := range n.Stages {
			for _, x := range s.Operands {
				c.value(x, p, nil)
			}
		}
		return nil
	case *ast.Sequence:
		var t *Type
		for _, x := range n.List {
			t = c.expr(x, p)
		}
		return t
	case *ast.Transition:
		c.transition(n, p)
		return nil
	case *ast.Block:
		c.judgeBlock(n, p, n.Is(ast.Broken))
		return nil
	case *ast.Emit, *ast.Command:
		c.statement(n, p, false)
		return nil
	case *ast.Spread:
		c.expr(n.X, p)
		return nil
	case *ast.Property: // a named argument
		return c.value(n.Value, p, nil)
	case *ast.Body:
		c.judgeBody(n, p)
		return nil
	case *ast.EnumWord:
		return &Type{form: wordType, name: n.Name}
	}
	return nil
}

// array is the type of [ … ].
func (c *checker) array(n *ast.Array, p place, want *Type) *Type {
	var elem *Type
	want = c.look(want)
	if want != nil && want.form == listType {
		elem = want.elem
	}
	t := &Type{form: tupleType}
	for i, e := range n.Elements {
		if want != nil && want.form == tupleType && i < len(want.alts) {
			elem = want.alts[i]
		}
		if s, ok := e.(*ast.Spread); ok {
			c.expr(s.X, p)
			t = nil
			continue
		}
		v := c.value(e, p, elem)
		if t != nil {
			t.alts = append(t.alts, v)
		}
	}
	if t == nil {
		return &Type{form: listType}
	}
	return t
}

// object is the type of { … }.
func (c *checker) object(n *ast.Object, p place, want *Type) *Type {
	want = c.look(want)
	fields := map[string]*Type{}
	if want != nil && (want.form == objectType || want.form == namedType) {
		for _, f := range c.fieldsOf(want) {
			fields[f.name] = f.typ
		}
	}
	q := p
	if p.fn == nil || p.in != ignored {
		q.in = data
	}
	q.kind = "{}"
	t := &Type{form: objectType}
	c.twinKeys(&n.Body, place{data: true, o: p.o})
	for _, it := range n.Body.Items {
		switch it := it.(type) {
		case *ast.Property:
			if it.Is(ast.Broken) || it.Value == nil {
				t = nil
				continue
			}
			if it.Key.Computed != nil {
				c.expr(it.Key.Computed, p)
				t = nil
			}
			key := it.Key.Name()
			c.secret(key, it.Value)
			if it.Type() != nil {
				continue
			}
			v := c.value(it.Value, q, fields[key])
			if t != nil {
				t.fields = append(t.fields, field{name: key, typ: v, key: it.Key, value: it.Value})
			}
		case *ast.ExprStmt:
			id, ok := it.X.(*ast.Ident)
			if !ok {
				c.judge(it, q, &n.Body, 0)
				t = nil
				continue
			}
			v := c.value(id, p, nil) // { name } is { name: name }
			if t != nil {
				t.fields = append(t.fields, field{name: id.Name, typ: v, value: id})
			}
		case *ast.Ident:
			v := c.value(it, p, nil)
			if t != nil {
				t.fields = append(t.fields, field{name: it.Name, typ: v, value: it})
			}
		default:
			t = nil
			c.judge(it, q, &n.Body, 0)
		}
	}
	return t
}

// match looks at match x { … }.
func (c *checker) match(n *ast.Match, p place, want *Type) *Type {
	c.expr(n.Subject, p)
	for _, a := range n.Arms {
		q := p.inner()
		switch v := a.Pattern.(type) {
		case *ast.Ident:
			if v.Name != "_" && v.Name != "default" && c.known(v.Name, p) == nil {
				q.locals.names[v.Name] = &Symbol{Name: v.Name, Kind: Variable, At: v.At, Full: v.At, File: c.f.Path(), decl: v}
			}
		case nil:
		default:
			c.value(v, p, nil)
		}
		if a.Guard != nil {
			c.condition(a.Guard, q)
		}
		c.value(a.Body, q, want)
	}
	return nil
}
