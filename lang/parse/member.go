package parse

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// key reads the key of a property.
func (p *parser) key() *ast.Key {
	start := p.pos
	n := p.slabs.keys.New()
	if p.k() == token.LBracket {
		if g, ok := p.open(inParens); ok {
			n.Computed = p.expr()
			p.end(g)
		} else {
			n.Computed = p.badFrom(start)
		}
		p.place(n, start)
		return n
	}
	end := p.keyEnd(start)
	n.Raw = p.slice(p.toks[start].Start, p.toks[end-1].End)
	p.pos = end
	p.place(n, start)
	return n
}

// property reads key: value, key: type = value and the attributes that trail it.
func (p *parser) property() ast.Node {
	start := p.pos
	n := p.slabs.props.New()
	number := p.k() == token.Number
	n.Key = p.key()
	if p.take(token.Question) {
		n.More = &ast.PropertyMore{Optional: true}
	}
	colon := p.pos
	p.next()
	if p.missing(colon) {
		p.noValue(colon, p.slice(n.Key.At.Start, n.Key.At.End))
		n.Flags |= ast.Damaged
		p.place(n, start)
		return n
	}
	p.propertyValue(n, number)
	if !p.failed {
		p.extras(n)
	}
	p.place(n, start)
	return n
}

func more(n *ast.Property) *ast.PropertyMore {
	if n.More == nil {
		n.More = &ast.PropertyMore{}
	}
	return n.More
}

// propertyValue reads what stands behind the colon.
func (p *parser) propertyValue(n *ast.Property, number bool) {
	if p.rule == typeItems && p.k() != token.BlockString {
		if p.isArrow(p.pos) && !p.functionType(p.pos) {
			n.Value = p.value(number)
			return
		}
		n.Value = p.typ()
	} else {
		r := p.rule
		if k := n.Key.Raw; p.k() == token.LBrace && (k == "props" || k == "events" || k == "schema") {
			n.Value = p.objectOf(schemaItems)
		} else {
			n.Value = p.value(number)
		}
		p.rule = r
	}
	if n.Value.Kind().IsType() && !p.failed && p.k() == token.Assign {
		p.next()
		more(n).Default = p.expr()
	}
}

// functionType says whether the arrow at token i is a type: its result is one
// and no body.
func (p *parser) functionType(i int) bool {
	if p.kind(i) != token.LParen {
		return false
	}
	j := p.close(i) + 1
	if p.kind(j) != token.FatArrow {
		return false
	}
	end, _ := p.typeEnd(j+1, false)
	return end > j+1 && p.kind(j+1) != token.LBrace
}

// extras reads size=2 bold=true behind a value.
func (p *parser) extras(n *ast.Property) {
	for p.k() == token.Ident && !p.newline(p.pos) && p.kind(p.pos+1) == token.Assign && p.pos+1 < p.limit {
		start := p.pos
		x := &ast.Extra{Name: p.text(start)}
		p.next()
		p.next()
		x.Value = p.expr()
		p.place(x, start)
		m := more(n)
		m.Extra = append(m.Extra, x)
		if p.failed {
			return
		}
	}
}

// missing says whether no value follows the colon at a token: the body ends, or
// the next line begins an item.
func (p *parser) missing(colon int) bool {
	i := p.pos
	if i >= p.limit {
		return true
	}
	if p.hyphenAt(i) {
		return p.indentAt(i) < p.dash
	}
	switch k := p.kind(i); k {
	case token.Comma, token.Semicolon:
		return true
	default:
		if k.Closes() {
			return true
		}
		if !p.newline(i) || p.mode&inParens != 0 {
			return false
		}
		switch k {
		case token.Trait, token.Directive, token.AnnotationOpen, token.Ellipsis:
			return true
		}
	}
	return p.isKey(i) || p.indentAt(i) <= p.indentAt(colon) && p.kind(i) != token.LBrace && p.kind(i) != token.LBracket
}

// typedMember reads words name: type = value; with a body behind the type it is
// a block.
func (p *parser) typedMember() ast.Node {
	start := p.pos
	end := start
	for p.kind(end) == token.Ident {
		end++
	}
	n := &ast.TypedMember{Name: p.text(end - 1)}
	for i := start; i < end-1; i++ {
		n.Words = append(n.Words, p.text(i))
	}
	p.pos = end
	n.Optional = p.take(token.Question)
	colon := p.pos
	p.next()
	if p.missing(colon) {
		p.noValue(colon, n.Name)
		n.Flags |= ast.Damaged
		p.place(n, start)
		return n
	}
	n.Type = p.typ()
	switch {
	case p.failed:
	case p.k() == token.Assign:
		p.next()
		n.Default = p.expr()
	case p.k() == token.LBrace && !p.newline(p.pos) && !n.Optional:
		return p.typedBlock(n, start, end-1)
	}
	p.place(n, start)
	return n
}

// typedBlock makes a block of a typed member that a body follows.
func (p *parser) typedBlock(m *ast.TypedMember, start, name int) ast.Node {
	b := p.slabs.blocks.New()
	h := head(b)
	h.Type = m.Type
	b.BlockKind = m.Words[0]
	for i := 1; i < len(m.Words)+1; i++ {
		id := &ast.Ident{Name: p.text(start + i)}
		id.At = token.Span{Start: p.toks[start+i].Start, End: p.toks[start+i].End}
		if i == 1 {
			b.Name = id
		} else {
			h.Args = append(h.Args, id)
		}
	}
	b.Body = p.body(ruleOf(p.word(start)))
	p.place(b, start)
	return b
}

// method reads a function, an action, an accessor or a method.
func (p *parser) method() ast.Node {
	start := p.pos
	n := p.slabs.funcs.New()
	m := &ast.FuncMore{}
	if p.k() == token.Lt {
		m.Effects = p.effects()
		if p.failed {
			p.place(n, start)
			return n
		}
	}
	name := p.methodAt(p.pos)
	if name == 0 {
		p.expected("a function")
		p.place(n, start)
		return n
	}
	for ; p.pos < name; p.next() {
		switch w := p.word(p.pos); {
		case !w.Has(token.Function):
			m.Modifiers = append(m.Modifiers, p.text(p.pos))
			continue
		case w == token.WAction:
			n.FuncKind = ast.Action
		case w == token.WGet:
			n.FuncKind = ast.Getter
		case w == token.WSet:
			n.FuncKind = ast.Setter
		default:
			n.FuncKind = ast.Function
		}
		m.Word = p.text(p.pos)
	}
	n.Name = p.text(name)
	p.next()
	if m.Word != "" || len(m.Modifiers)+len(m.Effects) > 0 {
		n.More = m
	}
	n.HasParams = true
	n.Params = p.params()
	if (p.k() == token.Colon || p.k() == token.Arrow && m.Word != "") && !p.newline(p.pos) && !p.failed {
		p.result(n)
	}
	p.funcBody(n)
	p.place(n, start)
	return n
}

// result reads : type behind parameters.
func (p *parser) result(n *ast.Func) {
	word := p.pos - 1
	if p.newline(p.pos+1) || p.kind(p.pos+1) == token.EOF {
		p.noBody(word)
		return
	}
	p.next()
	if p.k() == token.LBrace { // a result type only if { or => follows it on its line
		j := p.after(p.pos)
		if k := p.kind(j); k != token.LBrace && k != token.FatArrow || p.newline(j) {
			return
		}
	}
	n.Result = p.typ()
}

// funcBody reads { … } or => expr; a signature has none.
func (p *parser) funcBody(n *ast.Func) {
	switch {
	case p.failed:
	case p.k() == token.LBrace:
		n.Body = p.body(anyItem)
	case p.k() == token.FatArrow && !p.newline(p.pos):
		p.next()
		n.Flags |= ast.ArrowForm
		n.Body = p.arrowBody()
	}
}

// effects reads <io: read, net: write>.
func (p *parser) effects() []*ast.Effect {
	var out []*ast.Effect
	p.next()
	for {
		start := p.pos
		e := &ast.Effect{Name: p.text(start)}
		if !p.expectWord("an effect") || !p.expect(token.Colon) {
			return out
		}
		e.Value = p.text(p.pos)
		if !p.expectWord("an effect") {
			return out
		}
		p.place(e, start)
		out = append(out, e)
		if !p.take(token.Comma) {
			break
		}
	}
	p.expect(token.Gt)
	return out
}

// expectWord passes a word or fails.
func (p *parser) expectWord(what string) bool {
	if p.take(token.Ident) {
		return true
	}
	p.expected(what)
	return false
}

// handler reads onX, on_x, on x, on "x", on (target, event) and on path ->.
func (p *parser) handler() ast.Node {
	start := p.pos
	n := p.slabs.funcs.New()
	n.FuncKind = ast.Handler
	n.More = &ast.FuncMore{}
	p.next()
	if p.word(start) == token.OnWord {
		n.Name = p.text(start)
		n.More.Event = EventName(n.Name)
	} else {
		p.onTarget(n)
	}
	if p.failed {
		p.place(n, start)
		return n
	}
	if p.k() == token.Arrow {
		p.next()
		n.Flags |= ast.WordForm
	}
	switch {
	case p.textArgumentAt(p.pos):
		p.eventText(n)
	case p.k() == token.LParen && n.More.EventExpr == nil:
		n.HasParams = true
		n.Params = p.params()
	case p.lambdaAt(p.pos):
		p.lambda(n)
		if !p.failed {
			p.place(n, start)
			return n
		}
	}
	if p.k() == token.Colon && !p.newline(p.pos) {
		if p.newline(p.pos+1) && p.kind(p.pos+1) != token.LBrace {
			p.noBody(start)
			p.place(n, start)
			return n
		}
		p.next()
		if p.k() != token.LBrace {
			n.Result = p.typ()
		}
	}
	p.funcBody(n)
	if n.Body == nil && !p.failed {
		p.noBody(start)
	}
	p.place(n, start)
	return n
}

// onTarget reads what follows the word on.
func (p *parser) onTarget(n *ast.Func) {
	m := n.More
	m.Word = "on"
	if p.k() == token.LParen { // on (target, event)
		g, ok := p.open(inParens)
		if !ok {
			return
		}
		m.EventTarget = p.expr()
		if !p.failed && p.expect(token.Comma) {
			m.EventExpr = p.expr()
			if s, ok := m.EventExpr.(*ast.String); ok {
				m.Event = EventName(s.Value())
			}
		}
		p.end(g)
		return
	}
	if p.k() == token.String {
		n.Name = p.text(p.pos)
		m.Event = EventName(token.Unquote(n.Name))
		p.next()
		return
	}
	start, end := p.pos, p.pathEnd(p.pos)
	n.Name = p.raw(start, end)
	last := end - 1
	if last-1 > start && p.kind(last-1) != token.Minus {
		target := &ast.Path{Raw: p.raw(start, last-1)}
		p.pos = last - 1
		p.place(target, start)
		m.EventTarget = target
	}
	p.pos = end
	m.Event = EventName(p.text(last))
}

// textArgumentAt says whether token i opens arguments of which the first is a
// text and a parameter or nothing follows: on_event("tide:high", t) { }.
func (p *parser) textArgumentAt(i int) bool {
	if p.kind(i) != token.LParen || p.kind(i+1) != token.String {
		return false
	}
	k := p.kind(i + 2)
	return k == token.RParen || k == token.Comma
}

// eventText reads ("event", a, b) behind the name of a handler. The text is the
// event, and the last word of a path before it only says what the text is.
func (p *parser) eventText(n *ast.Func) {
	m := n.More
	if m.EventExpr != nil || n.Is(ast.WordForm) || n.Name != "" && (n.Name[0] == '"' || n.Name[0] == '\'') {
		p.next()
		p.expected("a parameter")
		return
	}
	n.HasParams = true
	n.Params = p.paramsBehind(func() {
		m.EventExpr = p.literal()
		if s, ok := m.EventExpr.(*ast.String); ok {
			m.Event = EventName(s.Value())
		}
		p.take(token.Comma)
	})
}

// lambdaAt says whether => and a function stand at token i: on x => (e) { }.
func (p *parser) lambdaAt(i int) bool {
	if p.kind(i) != token.FatArrow || p.newline(i) {
		return false
	}
	i++
	if p.isWord(i, token.WAsync) && !p.newline(i+1) {
		if k := p.kind(i + 1); k == token.Ident || k == token.LParen {
			i++
		}
	}
	switch p.kind(i) {
	case token.Ident:
		return p.fatArrow(i + 1)
	case token.LParen:
		if !p.stream.Closed(i) || !p.isParams(i) {
			return false
		}
		j := p.close(i) + 1
		return p.kind(j) == token.LBrace && !p.newline(j) || p.fatArrow(j)
	}
	return false
}

// lambda reads => (e) { } and => e => value: the function is the handler.
func (p *parser) lambda(n *ast.Func) {
	n.Flags |= ast.LambdaForm
	p.next()
	if p.isWord(p.pos, token.WAsync) && p.kind(p.pos+1) != token.FatArrow {
		n.More.Modifiers = append(n.More.Modifiers, p.text(p.pos))
		p.next()
	}
	n.HasParams = true
	if p.k() == token.LParen {
		n.Params = p.params()
	} else {
		n.Params = []*ast.Param{p.param()}
	}
	p.funcBody(n)
}

// control reads button "Start" -> () { … }, also without parameters.
func (p *parser) control() ast.Node {
	start := p.pos
	n := p.slabs.funcs.New()
	n.FuncKind = ast.Handler
	n.More = &ast.FuncMore{}
	n.Name = p.text(start)
	p.next()
	n.More.Label = p.literal()
	p.next()
	if p.k() == token.LParen {
		n.HasParams = true
		n.Params = p.params()
	}
	p.funcBody(n)
	if n.Body == nil && !p.failed {
		p.noBody(start)
	}
	p.place(n, start)
	return n
}

// EventName is the normal form of the name of an event: onHoverEnter,
// on_hover_enter and "hover enter" are hover_enter.
func EventName(name string) string { return token.EventName(name) }

// params reads ( … ) as parameters.
func (p *parser) params() []*ast.Param { return p.paramsBehind(nil) }

// paramsBehind is params where something else stands first in the parentheses.
func (p *parser) paramsBehind(first func()) []*ast.Param {
	if p.k() != token.LParen {
		p.expected("parameters")
		return nil
	}
	stop := p.close(p.pos)
	g, ok := p.open(inParens)
	if !ok {
		return nil
	}
	if first != nil {
		first()
	}
	var out []*ast.Param
	for p.pos < stop && !p.failed {
		out = append(out, p.param())
		if !p.failed && p.pos < stop && !p.take(token.Comma) {
			p.expected("',' or ')'")
		}
	}
	p.end(g)
	return out
}

func (p *parser) param() *ast.Param {
	start := p.pos
	n := p.slabs.params.New()
	n.Rest = p.take(token.Ellipsis)
	switch p.k() {
	case token.Ident:
		n.Name = p.text(p.pos)
		p.next()
	case token.LBrace, token.LBracket:
		n.More = &ast.ParamMore{Pattern: p.pattern()}
	default:
		p.expected("a parameter")
		p.place(n, start)
		return n
	}
	n.Optional = p.take(token.Question)
	if k := p.k(); (k == token.Colon || k == token.Assign) && n.More == nil {
		n.More = &ast.ParamMore{}
	}
	if p.take(token.Colon) {
		n.More.Type = p.typ()
	}
	if !p.failed && p.take(token.Assign) {
		n.More.Default = p.expr()
	}
	p.place(n, start)
	return n
}

// pattern reads { a, b: c } or [a, b].
func (p *parser) pattern() ast.Node {
	start := p.pos
	object := p.k() == token.LBrace
	stop := p.close(start)
	g, ok := p.open(inParens)
	if !ok {
		return p.badFrom(start)
	}
	var out []*ast.PatternElement
	for p.pos < stop && !p.failed {
		at := p.pos
		e := &ast.PatternElement{Rest: p.take(token.Ellipsis)}
		switch {
		case p.k() == token.Ident:
			e.Name = p.text(p.pos)
			p.next()
			if object && p.take(token.Colon) {
				e.Pattern = p.pattern1()
			}
		case !object && (p.k() == token.LBrace || p.k() == token.LBracket):
			e.Pattern = p.pattern()
		default:
			p.expected("a name")
		}
		if !p.failed && p.take(token.Assign) {
			e.Default = p.expr()
		}
		p.place(e, at)
		out = append(out, e)
		if !p.failed && p.pos < stop && !p.take(token.Comma) && !(object && p.newline(p.pos)) {
			p.expected("','")
		}
	}
	p.end(g)
	if object {
		n := &ast.ObjectPattern{Elements: out}
		p.place(n, start)
		return n
	}
	n := &ast.ArrayPattern{Elements: out}
	p.place(n, start)
	return n
}

// pattern1 reads a name or a nested pattern.
func (p *parser) pattern1() ast.Node {
	switch p.k() {
	case token.LBrace, token.LBracket:
		return p.pattern()
	case token.Ident:
		n := p.slabs.idents.New()
		n.Name = p.text(p.pos)
		p.next()
		p.place(n, p.pos-1)
		return n
	}
	p.expected("a name")
	return p.badFrom(p.pos)
}
