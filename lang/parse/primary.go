package parse

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// primary reads an operand.
func (p *parser) primary() ast.Node {
	start := p.pos
	if start >= p.limit {
		p.expected("a value")
		return p.badFrom(start)
	}
	switch p.k() {
	case token.Ident:
		return p.wordPrimary()
	case token.Number, token.String, token.BlockString, token.Template, token.TemplateHead, token.Colour, token.Regex:
		return p.literal()
	case token.StateRef:
		n := &ast.StateRef{Name: p.text(start)[1:]}
		p.next()
		p.place(n, start)
		return n
	case token.LParen:
		return p.parens()
	case token.LBracket:
		return p.array()
	case token.LBrace:
		if p.mode&noBrace == 0 {
			return p.objectOf(anyItem)
		}
	case token.Trait:
		n := &ast.AttrValue{}
		if a, ok := p.attribute().(*ast.Attribute); ok {
			n.Attr = a
		}
		p.place(n, start)
		return n
	case token.NameOpen:
		n := &ast.NameRef{}
		if g, ok := p.open(inParens); ok {
			n.X = p.expr()
			p.end(g)
		} else {
			n.X = p.badFrom(start)
		}
		p.place(n, start)
		return n
	}
	p.expected("a value")
	return p.badFrom(start)
}

// parens reads ( expr ) or ( expr, expr ).
func (p *parser) parens() ast.Node {
	start := p.pos
	g, ok := p.open(inParens)
	if !ok {
		return p.badFrom(start)
	}
	x := p.expr()
	if !p.failed && p.k() == token.Comma {
		list := []ast.Node{x}
		for !p.failed && p.take(token.Comma) {
			list = append(list, p.expr())
		}
		x = &ast.Sequence{List: list}
	} else if x.Common().Parens < 255 {
		x.Common().Parens++
	}
	p.end(g)
	p.place(x, start)
	return x
}

// wordPrimary reads an operand that starts with a word.
func (p *parser) wordPrimary() ast.Node {
	start := p.pos
	next := p.kind(start + 1)
	switch p.word(start) {
	case token.WTrue, token.WFalse:
		n := &ast.Bool{Value: p.isWord(start, token.WTrue)}
		p.next()
		p.place(n, start)
		return n
	case token.WNull, token.WUndefined:
		n := &ast.Null{Undefined: p.isWord(start, token.WUndefined)}
		p.next()
		p.place(n, start)
		return n
	case token.WFunction:
		if paren := start + 1; next == token.LParen && !p.newline(paren) ||
			next == token.Ident && !p.newline(paren) && p.kind(paren+1) == token.LParen && !p.newline(paren+1) {
			return p.funcLit()
		}
	case token.WComputed:
		if next == token.LBrace && !p.newline(start+1) && p.mode&noBrace == 0 {
			n := &ast.Computed{}
			p.next()
			n.Body = p.body(anyItem)
			p.place(n, start)
			return n
		}
	case token.WSpawn:
		if !p.newline(start+1) && p.space(start+1) && p.exprStart(start+1) && next != token.LBrace && next != token.LParen {
			return p.spawn()
		}
	case token.WMatch:
		if p.matchAt(start) {
			return p.match()
		}
	}
	p.next()
	end := p.pos
	for p.kind(end) == token.Dot && p.kind(end+1) == token.Ident && end+1 < p.limit && !(p.newline(end) && p.mode&command != 0) {
		end += 2
	}
	if end > p.pos {
		return p.pathTo(start, end)
	}
	n := p.slabs.idents.New()
	n.Name = p.text(start)
	p.place(n, start)
	return n
}

func (p *parser) funcLit() ast.Node {
	start := p.pos
	n := &ast.FuncLit{}
	p.next()
	if p.k() == token.Ident {
		n.Name = p.text(p.pos)
		p.next()
	}
	n.Params = p.params()
	if !p.failed && p.k() == token.Colon && p.mode&noArrowType == 0 {
		p.next()
		n.Result = p.typ()
	}
	if !p.failed {
		n.Body = p.needBody(start, anyItem)
	}
	p.place(n, start)
	return n
}

// spawn reads spawn T at p { … }.
func (p *parser) spawn() ast.Node {
	start := p.pos
	n := &ast.Spawn{}
	p.next()
	old := p.mode
	p.mode |= noBrace
	n.X = p.binary(1)
	if !p.failed && p.k() == token.Ident && p.text(p.pos) == "at" && !p.newline(p.pos) {
		p.next()
		n.Place = p.binary(1)
	}
	p.mode = old
	if !p.failed && p.k() == token.LBrace && !p.newline(p.pos) && p.mode&noBrace == 0 {
		n.Body = p.body(anyItem)
	}
	p.place(n, start)
	return n
}

// match reads match x { pattern => value }.
func (p *parser) match() ast.Node {
	start := p.pos
	n := &ast.Match{}
	p.next()
	n.Subject = p.cond()
	open := p.pos
	if p.failed || p.k() != token.LBrace {
		if !p.failed {
			p.expected("'{'")
		}
		p.place(n, start)
		return n
	}
	stop := p.close(open)
	g, ok := p.open(0)
	if !ok {
		p.failed = true
		p.place(n, start)
		return n
	}
	p.openComments(&n.Body)
	for p.separators(); p.pos < stop && !p.failed; {
		im := p.beginItem()
		a := p.arm()
		p.leadWith(a, im)
		p.endItem(a, im)
		p.separators()
		p.trail(a)
		n.Arms = append(n.Arms, a)
	}
	p.inner(&n.Body, stop)
	p.end(g)
	p.place(&n.Body, open)
	p.place(n, start)
	return n
}

func (p *parser) arm() *ast.MatchArm {
	start := p.pos
	n := &ast.MatchArm{Pattern: p.ternary()}
	if !p.failed && p.takeWord(token.WIf) {
		n.Guard = p.ternary()
	}
	if !p.failed && p.expect(token.FatArrow) {
		n.Body = p.arrowBody()
	}
	p.place(n, start)
	return n
}

// literal reads a token that is a value.
func (p *parser) literal() ast.Node {
	start := p.pos
	t := p.toks[start]
	text := p.text(start)
	var n ast.Node
	switch t.Kind {
	case token.Number:
		x := p.slabs.numbers.New()
		x.Raw = text
		n = x
	case token.String, token.BlockString:
		x := p.slabs.strings.New()
		x.Raw = text
		n = x
	case token.Colour:
		x := p.slabs.colours.New()
		x.Raw = text
		n = x
	case token.Regex:
		n = &ast.Regex{Raw: text}
	case token.TemplateHead:
		return p.template()
	default:
		text = text[1:]
		if len(text) > 0 && text[len(text)-1] == '`' && t.Flags&token.Damaged == 0 {
			text = text[:len(text)-1]
		}
		n = &ast.Template{Texts: []string{text}}
	}
	p.next()
	p.place(n, start)
	if t.Flags&token.Damaged != 0 {
		p.damage()
		n.Common().Flags |= ast.Damaged
	}
	return n
}

// template reads `…${ expr }…`.
func (p *parser) template() ast.Node {
	start := p.pos
	stop := p.close(start)
	n := &ast.Template{}
	text := p.text(start)
	n.Texts = append(n.Texts, text[1:len(text)-2])
	g, ok := p.open(inParens)
	if !ok {
		return p.badFrom(start)
	}
	for {
		at := p.pos
		x := p.expr()
		if p.pos == at && !p.failed {
			p.expected("a value")
		}
		n.Exprs = append(n.Exprs, x)
		if !p.failed && p.k() != token.TemplateMiddle && p.pos < stop {
			p.expected("'}'")
		}
		for p.pos < stop && p.kind(p.pos) != token.TemplateMiddle {
			p.skip(stop)
		}
		p.failed, p.half = false, false
		if p.pos >= stop {
			break
		}
		text = p.text(p.pos)
		n.Texts = append(n.Texts, text[1:len(text)-2])
		p.next()
	}
	if p.stream.Closed(start) {
		text = p.text(stop)
		text = text[1:]
		if p.toks[stop].Flags&token.Damaged == 0 {
			text = text[:len(text)-1]
		} else {
			n.Flags |= ast.Damaged
			p.damage()
		}
		n.Texts = append(n.Texts, text)
	} else {
		n.Texts = append(n.Texts, "")
		n.Flags |= ast.Damaged
	}
	p.end(g)
	p.place(n, start)
	return n
}
