package parse

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// value reads what may stand behind the colon of a property, in an array and in
// arguments. Behind a number key it may also be a block, a command or an emit.
func (p *parser) value(number bool) ast.Node {
	i := p.pos
	switch k := p.k(); k {
	case token.BlockString:
		return p.literal()
	case token.Arrow:
		return p.transition()
	case token.Minus:
		if p.hyphenAt(i) {
			return p.hyphens()
		}
	case token.LBrace, token.LBracket:
		if p.typeHere(i) {
			return p.typ()
		}
		return p.pipeExpr()
	case token.Ident, token.String, token.Number:
		if n := p.wordValue(i, number); n != nil {
			return n
		}
	}
	return p.pipeExpr()
}

// wordValue reads the values that are no expressions: types, unions, signed
// axes, hyphenated words, constructors and blocks.
func (p *parser) wordValue(i int, number bool) ast.Node {
	next := p.kind(i + 1)
	if p.endsLine(i+1) && next != token.Assign { // most values are one token
		return nil
	}
	if next == token.Pipe && p.literalChain(i) || p.typeHere(i) {
		return p.typ()
	}
	if p.kind(i) != token.Ident {
		return nil
	}
	if (next == token.Plus || next == token.Minus) && p.glued(i+1) {
		if p.endsLine(i + 2) {
			n := &ast.AxisWord{Name: p.slice(p.toks[i].Start, p.toks[i+1].End)}
			p.pos += 2
			p.place(n, i)
			return n
		}
		if end := p.hyphened(i); end > 0 {
			n := &ast.EnumWord{Name: p.slice(p.toks[i].Start, p.toks[end-1].End)}
			p.pos = end
			p.place(n, i)
			return n
		}
	}
	if next == token.LBrace && !p.newline(i+1) && p.mode&noBrace == 0 && !p.word(i).Has(token.Primary) && p.word(i) != token.WComputed {
		n := &ast.Constructor{Name: p.text(i)}
		p.next()
		n.Body = p.body(ruleOf(p.word(i)))
		p.place(n, i)
		return n
	}
	if next == token.String && !p.newline(i+1) || number {
		if brace := p.headingAt(i); brace != 0 && !p.newline(brace) && (number || p.kind(i+1) == token.String) {
			return p.block(nil, brace)
		}
	}
	if number {
		if p.isWord(i, token.WEmit) && p.statementAt(i) {
			n := p.emit()
			p.place(n, i)
			return n
		}
		if p.commandAt(i) {
			return p.command()
		}
	}
	return nil
}

// hyphened is the end of words glued by hyphens that start with token i and are
// a whole value; 0 otherwise.
func (p *parser) hyphened(i int) int {
	for i++; p.kind(i) == token.Minus && p.glued(i) && p.glued(i+1) && p.kind(i+1) == token.Ident; {
		i += 2
	}
	if p.endsLine(i) {
		return i
	}
	switch p.kind(i) {
	case token.Ident:
		if p.isOperation(i) {
			return 0
		}
		return i
	case token.String, token.Number, token.Trait:
		return i
	}
	return 0
}

// literalChain says whether literals joined by | start with token i and are all
// of the value: a union type.
func (p *parser) literalChain(i int) bool {
	for {
		switch p.kind(i) {
		case token.String, token.Number:
		case token.Ident:
			if !p.isAny(i, token.WTrue, token.WFalse, token.WNull) {
				return false
			}
		default:
			return false
		}
		if p.kind(i+1) != token.Pipe {
			return true
		}
		i += 2
	}
}

// typeHere says whether the value that starts with token i is a type: a default
// follows it, or it contains what no expression can and is all of the value.
func (p *parser) typeHere(i int) bool {
	if k := p.kind(i); p.mode&inParens != 0 || k == token.LBracket && p.kind(p.after(i)) != token.Assign ||
		k == token.LBrace && (p.rule == schemaItems || p.kind(p.after(i)) != token.Assign) {
		return false
	}
	end, sure := p.typeEnd(i, p.rule == schemaItems)
	if end <= i {
		return false
	}
	if p.kind(end) == token.Assign {
		// a word before = is a trailing attribute: "Go" size = 2
		return p.kind(end-1) != token.Ident || end-1 == i || p.kind(end-2) == token.Dot || p.kind(end-2) == token.Pipe || p.kind(end-2) == token.Amp
	}
	return sure && p.endsLine(end)
}

// pipeExpr reads an expression and the stages of a binding pipe behind it.
func (p *parser) pipeExpr() ast.Node {
	start := p.pos
	old := p.mode
	p.mode |= pipes
	x := p.expr()
	p.mode = old
	if p.failed || p.k() != token.Pipe || !p.stageAt(p.pos) {
		return x
	}
	n := &ast.Pipe{X: x}
	for !p.failed && p.k() == token.Pipe && p.stageAt(p.pos) {
		p.next()
		at := p.pos
		s := &ast.PipeStage{Word: p.text(at)}
		p.next()
		if p.mode |= pipes; p.operandStart(p.pos, true) {
			s.Operands = p.operands(false)
		}
		p.mode = old
		p.place(s, at)
		n.Stages = append(n.Stages, s)
	}
	p.place(n, start)
	return n
}

// stageAt says whether the | at token i begins a stage of a pipe: a word and an
// operand follow it on the line.
func (p *parser) stageAt(i int) bool {
	return p.kind(i+1) == token.Ident && p.operandStart(i+2, true)
}

// transition reads -> target guard(x) action(y) { … }.
func (p *parser) transition() ast.Node {
	start := p.pos
	n := &ast.Transition{}
	p.next()
	if p.endsLine(p.pos) {
		p.needs("transition", "a target")
		p.place(n, start)
		return n
	}
	old := p.mode
	p.mode |= noBrace
	n.Target = p.expr()
	p.mode = old
	for !p.failed && p.callHere() {
		n.Calls = append(n.Calls, p.call())
	}
	if !p.failed && p.k() == token.LBrace && !p.newline(p.pos) {
		n.Options = p.body(anyItem)
	}
	p.place(n, start)
	return n
}

// args reads the arguments in ( … ) or #[ … ].
func (p *parser) args() []ast.Node {
	stop := p.close(p.pos)
	g, ok := p.open(inParens)
	if !ok {
		return nil
	}
	mark := len(p.stack)
	for {
		for p.take(token.Comma) {
		}
		if p.pos >= stop || p.failed {
			break
		}
		at := p.pos
		p.push(p.arg())
		if p.pos == at && !p.failed {
			p.expected("an argument")
		}
		if p.failed { // go on at the next comma of this list
			p.failed = false
			bad := p.pos
			for p.pos < stop && p.kind(p.pos) != token.Comma {
				p.skip(stop)
			}
			if p.pos > bad {
				p.push(p.badFrom(bad))
			}
		}
	}
	out := p.list(mark)
	p.end(g)
	return out
}

// arg reads one argument; a named one is a Property.
func (p *parser) arg() ast.Node {
	start := p.pos
	if p.k() == token.Ellipsis {
		return p.spread()
	}
	if !p.isKey(start) {
		return p.value(false)
	}
	n := p.slabs.props.New()
	n.Key = p.key()
	if p.take(token.Question) {
		more(n).Optional = true
	}
	colon := p.pos
	p.next()
	if p.missing(colon) {
		p.noValue(colon, p.slice(n.Key.At.Start, n.Key.At.End))
		n.Flags |= ast.Damaged
	} else {
		n.Value = p.value(false)
	}
	p.place(n, start)
	return n
}

// array reads [ … ]. It claims the comments between its elements.
func (p *parser) array() *ast.Array {
	start := p.pos
	stop := p.close(start)
	n := p.slabs.arrays.New()
	g, ok := p.open(inParens | inElements)
	if !ok {
		n.Elements = []ast.Node{p.badFrom(start)}
		p.place(n, start)
		return n
	}
	p.setLoose(p.toks[start].Start)
	mark := len(p.stack)
	for {
		p.separators()
		if p.pos >= stop {
			break
		}
		at := p.pos
		im := p.beginItem()
		from := len(p.stack)
		p.element()
		if p.failed || p.pos == at || p.pos > stop || p.half {
			p.recoverElement(at, stop)
		}
		p.leadWith(p.stack[from], im)
		last := p.stack[len(p.stack)-1]
		p.endItem(last, im)
		p.mark(last, im)
		p.separators()
		p.trail(last)
	}
	n.Elements = p.list(mark)
	p.inner(n, stop)
	p.end(g)
	p.place(n, start)
	return n
}

// hyphenAt says whether token i begins an item of a list with hyphens: a hyphen
// first on its line, white space and more behind it.
func (p *parser) hyphenAt(i int) bool {
	return p.kind(i) == token.Minus && i+1 < p.limit && p.newline(i) && p.space(i+1) && !p.newline(i+1) && p.mode&inParens == 0
}

// hyphens reads a list of which each item stands behind a hyphen on a line of its
// own, all equally indented. It is an array.
func (p *parser) hyphens() ast.Node {
	start := p.pos
	if !p.deeper() {
		return p.badFrom(start)
	}
	defer func() { p.depth-- }()
	n := p.slabs.arrays.New()
	mode, rule, dash := p.mode, p.rule, p.dash
	p.mode, p.rule, p.dash = 0, anyItem, 1+p.indentAt(start)
	p.setLoose(p.toks[start].Start)
	mark := len(p.stack)
	for p.pos < p.limit && !p.failed && p.hyphenAt(p.pos) && 1+p.indentAt(p.pos) == p.dash {
		im := p.beginItem()
		before := p.noted - len(im.lead)
		p.next()
		p.noteBefore(p.toks[p.pos].Start)
		im.lead = p.stream.Comments[before:p.noted:p.noted]
		at, from := p.pos, len(p.stack)
		if p.isKey(at) {
			p.push(p.hyphenObject())
		} else {
			p.element()
		}
		if p.pos == at && !p.failed {
			p.expected("an item of the list")
		}
		p.leadWith(p.stack[from], im)
		last := p.stack[len(p.stack)-1]
		p.endItem(last, im)
		p.mark(last, im)
		p.separators()
		p.trail(last)
		if !p.failed && !p.endsLine(p.pos) {
			p.expected("end of line")
		}
	}
	n.Elements = p.list(mark)
	p.mode, p.rule, p.dash = mode, rule, dash
	p.place(n, start)
	return n
}

// hyphenObject reads key: value behind a hyphen, and the keys below it that are
// indented deeper than the hyphen.
func (p *parser) hyphenObject() ast.Node {
	start := p.pos
	n := p.slabs.objects.New()
	mark := len(p.stack)
	for {
		im := p.beginItem()
		it := p.property()
		p.leadWith(it, im)
		p.endItem(it, im)
		p.mark(it, im)
		p.push(it)
		end := p.pos
		p.separators()
		p.trail(it)
		if p.failed || p.pos >= p.limit || !p.isKey(p.pos) || p.newline(p.pos) && p.indentAt(p.pos) < p.dash {
			n.Body.Items = p.list(mark)
			here := p.pos
			p.pos = end
			p.place(&n.Body, start)
			p.place(n, start)
			p.pos = here
			return n
		}
	}
}

// element reads a spread, a block or a value.
func (p *parser) element() {
	switch p.k() {
	case token.Ellipsis:
		p.push(p.spread())
		return
	case token.Trait:
		from := len(p.stack)
		p.attributes()
		for i, n := range p.stack[from:] {
			if a, ok := n.(*ast.Attribute); ok {
				v := &ast.AttrValue{Attr: a}
				v.At = a.At
				p.stack[from+i] = v
			}
		}
		return
	case token.Ident, token.String:
		if brace := p.headingAt(p.pos); brace != 0 && !p.matchHere() && !p.isKey(p.pos) {
			p.push(p.block(nil, brace))
			return
		}
	}
	p.push(p.value(false))
}

// matchHere says whether a word that is an expression with a body is next.
func (p *parser) matchHere() bool {
	switch {
	case p.isWord(p.pos, token.WMatch):
		return p.matchAt(p.pos)
	case p.isWord(p.pos, token.WFunction), p.isWord(p.pos, token.WSpawn):
		return true
	case p.isWord(p.pos, token.WComputed):
		return p.kind(p.pos+1) == token.LBrace
	}
	return false
}

// recoverElement passes what could not be read up to the next comma.
func (p *parser) recoverElement(at, stop int) {
	if !p.failed {
		p.expected("an element")
	}
	p.failed, p.half = false, false
	p.pos = min(p.pos, stop)
	bad := p.pos
	for p.pos < stop && (p.pos == at || p.kind(p.pos) != token.Comma) {
		p.skip(stop)
	}
	p.push(p.badFrom(bad))
}

// objectOf reads { … } as a value whose items follow a rule.
func (p *parser) objectOf(r rule) ast.Node {
	start := p.pos
	n := p.slabs.objects.New()
	p.bodyInto(&n.Body, r)
	p.place(n, start)
	return n
}
