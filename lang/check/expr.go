package check

import (
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// known finds what a bare name means where it stands; nil when it means nothing.
func (c *checker) known(name string, p place) *Symbol {
	for l := p.locals; l != nil; l = l.outer {
		if s := l.names[name]; s != nil {
			return s
		}
	}
	for o := p.o; o != nil; o = o.parent {
		c.work++
		if s := o.names[name]; s != nil {
			return s
		}
		for _, t := range c.lineage(o) {
			c.work++
			if s := t.names[name]; s != nil {
				return s
			}
		}
		if o.settings[name] && o.sym != nil && p.fn != nil {
			return &Symbol{Name: name, Kind: Member, decl: o.sym.decl, At: o.sym.At, Full: o.sym.Full, File: o.sym.File, own: o}
		}
	}
	if s := c.types[name]; s != nil {
		return s
	}
	if t := c.templates[name]; t != nil {
		return t.sym
	}
	for _, o := range c.named[name] {
		return o.sym
	}
	return nil
}

// lineage are the templates that an owner uses, those that these use, and so
// on, each once and the nearest first.
func (c *checker) lineage(o *owner) []*owner {
	if len(o.uses) == 0 {
		return nil
	}
	if line, ok := c.lineages[o]; ok {
		return line
	}
	var out []*owner
	seen := map[*owner]bool{o: true}
	level := []*owner{o}
	for depth := 0; len(level) > 0 && depth <= MaxChain; depth++ {
		var below []*owner
		for _, l := range level {
			for _, u := range l.uses {
				c.work++
				if t := c.templates[nameOf(u)]; t != nil && !seen[t] {
					seen[t] = true
					below = append(below, t)
				}
			}
		}
		out = append(out, below...)
		level = below
	}
	c.lineages[o] = out
	return out
}

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

// valueType is the type of what a declaration holds.
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

// ident looks at a name that must mean something.
func (c *checker) ident(n *ast.Ident, p place) *Type {
	if s := c.known(n.Name, p); s != nil {
		c.refer(n.At, s)
		return c.valueType(s)
	}
	if !standard[n.Name] && !p.data {
		c.undeclaredName(n.At, n.Name, p)
	}
	return nil
}

// undeclaredName reports a name that nothing declares, once a file.
func (c *checker) undeclaredName(at token.Span, name string, p place) {
	if c.undeclared[name] || c.open || p.in == stage || name == "" {
		return
	}
	c.undeclared[name] = true
	near, ok := c.nearest(name, c.visible(p))
	if !ok {
		c.add("NAM005", at, name, "")
		return
	}
	replace(c.add("NAM005", at, name, hint(near)), at, near)
}

// visible are the names that an expression may use.
func (c *checker) visible(p place) []string {
	if c.helpless() {
		return nil
	}
	var out []string
	for l := p.locals; l != nil; l = l.outer {
		for name := range l.names {
			out = append(out, name)
		}
	}
	for o := p.o; o != nil; o = o.parent {
		c.work++
		for name := range o.names {
			out = append(out, name)
		}
	}
	for name := range standard {
		out = append(out, name)
	}
	for name := range c.named {
		if isWord(name) {
			out = append(out, name)
		}
	}
	return out
}

// members looks at a.b.c: the first name, and members where they are known.
func (c *checker) members(n *ast.Path, p place, strict bool) *Type {
	segments := n.Segments()
	at := token.Span{Start: n.At.Start, End: n.At.Start + uint32(len(segments[0]))}
	if c.f.Text()[at.Start] == '"' || c.f.Text()[at.Start] == '\'' || c.f.Text()[at.Start] == '(' {
		return nil
	}
	first := segments[0]
	switch first {
	case "state":
		if c.known(first, p) == nil {
			return c.statePath(n, segments[1:], at.End, p.o, p, "")
		}
	case "this", "self":
		if len(segments) > 2 && segments[1] == "state" {
			return c.statePath(n, segments[2:], at.End, p.o, p, first)
		}
		if len(segments) == 2 {
			for o := p.o; o != nil; o = o.parent {
				c.work++
				if s := o.names[segments[1]]; s != nil {
					c.refer(c.after(n, at.End, segments[1]), s)
					return s.typ
				}
				if o.block != nil {
					break
				}
			}
		}
		return nil
	}
	s := c.known(first, p)
	if s == nil {
		if strict && !standard[first] && !p.data {
			c.undeclaredName(at, first, p)
		}
		return nil
	}
	c.refer(at, s)
	t := c.valueType(s)
	end := at.End
	for i := 1; i < len(segments); i++ {
		name := segments[i]
		here := c.after(n, end, name)
		end = here.End
		if t == nil {
			return nil
		}
		if t.form == nodeType {
			if t.sym == nil || t.sym.own == nil {
				return nil
			}
			own := t.sym.own
			if name == "state" && i+1 < len(segments) {
				return c.statePath(n, segments[i+1:], end, own, p, own.name)
			}
			var next *Symbol
			if next = own.names[name]; next == nil {
				for _, child := range own.children {
					if child.name == name {
						next = child.sym
					}
				}
			}
			if next == nil {
				return nil
			}
			c.refer(here, next)
			t = c.valueType(next)
			continue
		}
		if words, ok := enumWords(typeSelf(s, i)); ok {
			for _, w := range words {
				if w == name {
					return typeSelf(s, i)
				}
			}
			c.noMember(here, s.Name, name, words)
			return nil
		}
		t = c.member(t, name, here, false)
	}
	return t
}

// typeSelf is the type that a declaration is, when the path is at its first member.
func typeSelf(s *Symbol, i int) *Type {
	if s.Kind != TypeDecl || i != 1 {
		return nil
	}
	if s.typ == nil {
		s.typ = &Type{form: namedType, name: s.Name, sym: s}
	}
	return s.typ
}

// after finds a segment of a path behind an offset.
func (c *checker) after(n ast.Node, from uint32, name string) token.Span {
	return c.wordIn(token.Span{Start: from, End: n.Span().End}, name, 0)
}

// member is the type of a member, reported when the type is known not to have it.
func (c *checker) member(t *Type, name string, at token.Span, optional bool) *Type {
	t = c.look(t)
	if t == nil {
		return nil
	}
	if t.form == unionType {
		return nil
	}
	if t.form == objectType && !t.unwidens || t.form == namedType {
		var known []string
		for _, f := range c.fieldsOf(t) {
			if f.name == name {
				return f.typ
			}
			known = append(known, f.name)
		}
		if t.form == namedType && c.closed(t) {
			c.noMember(at, t.String(), name, known)
		}
		return nil
	}
	switch t.form {
	case listType, tupleType:
		if name == "length" {
			return numberT
		}
	case textType:
		if name == "length" {
			return numberT
		}
	case vectorType:
		if len(name) == 1 && strings.Contains("xyzw", name) {
			return numberT
		}
	}
	return nil
}

func (c *checker) noMember(at token.Span, typ, name string, known []string) {
	near, ok := c.nearest(name, known)
	slot := ""
	if ok {
		slot = hint(near)
	}
	f := c.addAs(c.enforced(true), "TYP009", at, typ, name, slot)
	if ok {
		replace(f, at, near)
	}
}

// call looks at f(…).
func (c *checker) call(n *ast.Call, p place) *Type {
	name := ""
	at := n.Fn.Span()
	var t *Type
	switch fn := n.Fn.(type) {
	case *ast.Ident:
		name = fn.Name
		if s := c.known(name, p); s != nil {
			c.refer(at, s)
			t = s.typ
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
	default:
		t = c.exprOf(n.Fn, p, nil)
		name = lastName(n.Fn)
	}
	if t == nil || t.form != funcType {
		c.arguments(n.Args, p)
		return resultOf(name, n.Fn)
	}
	c.passArguments(n, name, t, p)
	return t.result
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
	switch name {
	case "clamp", "lerp", "map_range", "random", "random_int", "now", "current_time", "distance", "parseInt", "parseFloat":
		return numberT
	case "generate_id", "llm_call":
		return stringT
	}
	return nil
}

func (c *checker) arguments(args []ast.Node, p place) {
	for _, a := range args {
		c.value(a, p, nil)
	}
}

// passArguments holds arguments to the parameters of a function.
func (c *checker) passArguments(n *ast.Call, name string, t *Type, p place) {
	need, most, rest := 0, len(t.params), false
	for i, q := range t.params {
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
				f := c.addAs(c.enforced(true), "TYP002", a.Span()).Second(strconv.Itoa(i+1), want.String())
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
		c.addAs(c.enforced(true), "TYP002", n.Fn.Span(), name, count, strconv.Itoa(got))
	}
}

// unary looks at an operator with one operand.
func (c *checker) unary(n *ast.Unary, p place) *Type {
	if n.Op == "await" && (p.fn == nil || !p.fn.awaits) && !p.data {
		c.add("BLK009", token.Span{Start: n.At.Start, End: n.At.Start + 5}, "await", "a function or a handler")
	}
	t := c.expr(n.X, p)
	switch n.Op {
	case "!", "not":
		return booleanT
	case "typeof":
		return stringT
	case "-", "+":
		if t != nil && t.form == literal {
			return &Type{form: literal, name: n.Op + t.name, base: t.base}
		}
		return t
	case "await":
		return t
	}
	return numberT
}

// unit reports a unit that nobody knows.
func (c *checker) unit(n *ast.Number) {
	unit := n.Unit()
	if unit == "" || symbolic[strings.ToLower(unit)] {
		return
	}
	if _, ok := trait.Dimension(unit); ok {
		return
	}
	at := token.Span{Start: n.At.End - uint32(len(unit)), End: n.At.End}
	near, ok := c.nearest(unit, units)
	if !ok {
		c.add("TYP006", at, unit, "")
		return
	}
	replace(c.add("TYP006", at, unit, hint(near)), at, near)
}

// symbolic are the units that stay as they are written.
var symbolic = set("px em rem pt vh vw")

var units = strings.Fields("ms s min h d mm cm m km in ft deg rad turn hz khz fps g kg px em rem pt vh vw db b kb mb gb k v a w n pa lux lm m/s km/h")

// binary looks at an operator with two operands.
func (c *checker) binary(n *ast.Binary, p place) *Type {
	var x, y *Type
	switch n.Op {
	case "==", "!=", "===", "!==", "is", "??", "in", "instanceof":
		x, y = c.value(n.X, p, nil), c.value(n.Y, p, nil)
	default:
		x, y = c.expr(n.X, p), c.expr(n.Y, p)
	}
	switch n.Op {
	case "+", "-", "<", ">", "<=", ">=", "==", "!=", "===", "!==":
		a, b := dimension(x), dimension(y)
		if a != "" && b != "" && a != b {
			c.add("TYP007", n.At, a, b)
		}
	}
	switch n.Op {
	case "==", "!=", "===", "!==", "<", ">", "<=", ">=", "is", "in", "instanceof":
		return booleanT
	case "&&", "||", "and", "or", "??":
		return c.both(x, y)
	case "..":
		return &Type{form: listType, elem: numberT}
	case "+":
		if isText(x) || isText(y) {
			return stringT
		}
		if isNumber(x) && isNumber(y) {
			return dimensioned(x, y)
		}
		return nil
	case "-":
		return dimensioned(x, y)
	}
	return numberT
}

func plainType(t *Type) *Type {
	if t != nil && t.form == literal {
		return t.base
	}
	return t
}

func isText(t *Type) bool   { t = plainType(t); return t != nil && t.form == textType }
func isNumber(t *Type) bool { t = plainType(t); return t != nil && t.form == numberType }

func dimension(t *Type) string {
	if t = plainType(t); t != nil && t.form == numberType {
		return t.dim
	}
	return ""
}

func dimensioned(x, y *Type) *Type {
	d := dimension(x)
	if d == "" {
		d = dimension(y)
	}
	if d == "" {
		return numberT
	}
	return &Type{form: numberType, dim: d}
}

// both is the type of a value that is one or the other.
func (c *checker) both(x, y *Type) *Type {
	if x == nil || y == nil {
		return nil
	}
	if x.form == literal && y.form == literal && x.base.form == y.base.form && x.name == y.name {
		return x
	}
	return &Type{form: unionType, alts: []*Type{x, y}}
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

// spawn looks at spawn T at p { … }.
func (c *checker) spawn(n *ast.Spawn, p place) {
	switch x := n.X.(type) {
	case *ast.Ident:
		if s := c.known(x.Name, p); s != nil {
			c.refer(x.At, s)
			break
		}
		c.templateName(x)
	case *ast.String:
		c.templateName(x)
	default:
		c.expr(x, p)
	}
	if n.Place != nil {
		c.value(n.Place, p, nil)
	}
	if n.Body != nil {
		for _, it := range n.Body.Items {
			if prop, ok := it.(*ast.Property); ok && prop.Type() == nil {
				c.value(prop.Value, p, nil)
			}
		}
	}
}

// nameRef looks at #{name}.
func (c *checker) nameRef(n *ast.NameRef, p place) {
	name := nameOf(n.X)
	if name == "" {
		c.expr(n.X, p)
		return
	}
	first, _, _ := strings.Cut(name, ".")
	if owners := c.named[first]; len(owners) > 0 {
		at := n.X.Span()
		at.End = min(at.End, at.Start+uint32(len(first)))
		c.refer(at, owners[0].sym)
		return
	}
	if c.known(first, p) != nil {
		return
	}
	c.noNode(n.X.Span(), first, diag.Error)
}
