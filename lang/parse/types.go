package parse

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// typ reads a type: a union of intersections.
func (p *parser) typ() ast.Node {
	if !p.deeper() {
		return p.badFrom(p.pos)
	}
	defer func() { p.depth-- }()
	start := p.pos
	p.take(token.Pipe)
	first := p.typeAnd()
	if p.failed || p.k() != token.Pipe || !p.typeGoesOn() {
		return first
	}
	n := &ast.Union{Members: []ast.Node{first}}
	for !p.failed && p.k() == token.Pipe && p.typeGoesOn() {
		p.next()
		n.Members = append(n.Members, p.typeAnd())
	}
	p.place(n, start)
	return n
}

// typeGoesOn says whether the | or & at the current token continues the type.
func (p *parser) typeGoesOn() bool {
	return p.pos < p.limit && p.mode&command == 0 || !p.newline(p.pos)
}

func (p *parser) typeAnd() ast.Node {
	start := p.pos
	first := p.typePost()
	if p.failed || p.k() != token.Amp || !p.typeGoesOn() {
		return first
	}
	n := &ast.Intersection{Members: []ast.Node{first}}
	for !p.failed && p.k() == token.Amp && p.typeGoesOn() {
		p.next()
		n.Members = append(n.Members, p.typePost())
	}
	p.place(n, start)
	return n
}

// typePost reads T[] and T?.
func (p *parser) typePost() ast.Node {
	start := p.pos
	x := p.typePrim()
	for links := 0; !p.failed && !p.half; links++ {
		switch k := p.k(); {
		case k == token.LBracket && !p.newline(p.pos) && p.close(p.pos) == p.pos+1 && p.stream.Closed(p.pos):
			n := &ast.ArrayOf{Elem: x}
			if p.kind(p.pos+1) != token.RBracket { // SYN003
				p.damage()
			}
			p.next()
			p.next()
			p.place(n, start)
			x = n
		case k == token.Question && !p.newline(p.pos) && p.glued(p.pos):
			n := &ast.Nullable{Elem: x}
			p.next()
			p.place(n, start)
			x = n
		default:
			return x
		}
		if links >= MaxDepth {
			p.tooDeep()
		}
	}
	return x
}

func (p *parser) badType() ast.Node {
	start := p.pos
	p.report(diag.SYN017, start)
	p.failed = true
	return p.badFrom(start)
}

func (p *parser) typePrim() ast.Node {
	start := p.pos
	if start >= p.limit {
		return p.badType()
	}
	switch p.k() {
	case token.Ident:
		switch {
		case p.isAny(start, token.WTrue, token.WFalse, token.WNull):
			return p.literalType()
		case p.isWord(start, token.WEnum) && p.kind(start+1) == token.LParen:
			return p.enumType()
		}
		return p.namedType()
	case token.String, token.Number:
		return p.literalType()
	case token.Minus:
		if p.kind(start+1) == token.Number {
			n := &ast.LiteralType{X: p.unary()}
			p.place(n, start)
			return n
		}
	case token.LBrace:
		return p.objectType()
	case token.LBracket:
		return p.tuple()
	case token.LParen:
		if p.stream.Closed(start) && p.kind(p.close(start)+1) == token.FatArrow {
			return p.funcType()
		}
		g, ok := p.open(inParens)
		if !ok {
			return p.badFrom(start)
		}
		n := p.typ()
		if n.Common().Parens < 255 {
			n.Common().Parens++
		}
		p.end(g)
		p.place(n, start)
		return n
	}
	return p.badType()
}

func (p *parser) literalType() ast.Node {
	start := p.pos
	n := &ast.LiteralType{X: p.primary()}
	if p.k() == token.Range && p.kind(p.pos+1) == token.Number && !p.failed { // 0..8
		x := &ast.Binary{X: n.X, Op: p.text(p.pos)}
		p.next()
		x.Y = p.primary()
		p.place(x, start)
		n.X = x
	}
	p.place(n, start)
	return n
}

// namedType reads Name and Name<T, U>.
func (p *parser) namedType() ast.Node {
	start := p.pos
	end := p.pathEnd(start)
	if end == 0 || p.k() != token.Ident {
		return p.badType()
	}
	n := &ast.TypeName{Path: p.raw(start, end)}
	p.pos = end
	if p.k() == token.Lt && p.glued(p.pos) {
		n.Args = p.typeArgs()
	}
	p.place(n, start)
	return n
}

// typeArgs reads <T, U>; it may take the first half of >> or >=.
func (p *parser) typeArgs() []ast.Node {
	if !p.deeper() {
		return nil
	}
	defer func() { p.depth-- }()
	var out []ast.Node
	p.next()
	for {
		out = append(out, p.typ())
		if p.failed {
			return out
		}
		if !p.take(token.Comma) {
			break
		}
	}
	switch k := p.toks[p.pos].Kind; {
	case p.half && k == token.Shr, k == token.Gt:
		p.next()
	case !p.half && (k == token.Shr || k == token.Ge):
		p.half = true
	default:
		p.expected("'>'")
	}
	return out
}

func (p *parser) enumType() ast.Node {
	start := p.pos
	n := &ast.EnumType{}
	p.next()
	g, ok := p.open(inParens)
	if !ok {
		return p.badFrom(start)
	}
	for {
		word := p.text(p.pos)
		if !p.expectWord("a word") {
			break
		}
		n.Words = append(n.Words, word)
		if !p.take(token.Pipe) {
			break
		}
	}
	p.end(g)
	p.place(n, start)
	return n
}

// objectType reads { readonly name?: T }.
func (p *parser) objectType() ast.Node {
	start := p.pos
	stop := p.close(start)
	n := &ast.ObjectType{}
	g, ok := p.open(0)
	if !ok {
		return p.badFrom(start)
	}
	for p.separators(); p.pos < stop && !p.failed; p.separators() {
		at := p.pos
		f := &ast.TypeField{}
		if p.isWord(at, token.WReadonly) && p.isKey(at+1) {
			f.Readonly = true
			p.next()
		}
		if !p.isKey(p.pos) {
			p.badType()
			break
		}
		f.Key = p.key()
		f.Optional = p.take(token.Question)
		p.next()
		f.Type = p.typ()
		p.place(f, at)
		n.Fields = append(n.Fields, f)
	}
	p.end(g)
	p.place(n, start)
	return n
}

func (p *parser) tuple() ast.Node {
	start := p.pos
	stop := p.close(start)
	n := &ast.Tuple{}
	g, ok := p.open(inParens)
	if !ok {
		return p.badFrom(start)
	}
	for p.pos < stop && !p.failed {
		n.Members = append(n.Members, p.typ())
		if !p.failed && p.pos < stop && !p.take(token.Comma) {
			p.expected("','")
		}
	}
	p.end(g)
	p.place(n, start)
	return n
}

func (p *parser) funcType() ast.Node {
	start := p.pos
	n := &ast.FuncType{Params: p.params()}
	if !p.failed && p.expect(token.FatArrow) {
		n.Result = p.typ()
	}
	p.place(n, start)
	return n
}
