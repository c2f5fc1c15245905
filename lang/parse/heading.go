package parse

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// block reads the heading at the current token and the body at token brace. Without
// a brace there the heading ends in front of it, and the body is empty.
func (p *parser) block(lead []*ast.Attribute, brace int) ast.Node {
	start := p.pos
	n := p.slabs.blocks.New()
	if len(lead) > 0 {
		n.Head = &ast.Heading{Attrs: lead}
	}
	for p.k() == token.Ident && p.word(p.pos).Has(token.Modifier) && p.pos+1 < brace && p.kind(p.pos+1) == token.Ident {
		h := head(n)
		h.Modifiers = append(h.Modifiers, p.text(p.pos))
		p.next()
	}
	kind := p.pos
	if p.k() == token.Ident {
		end := min(p.pathEnd(kind), brace)
		n.BlockKind = p.raw(kind, end)
		p.pos = end
	}
	if p.pos < brace && !p.clauseAt(p.pos) {
		switch p.k() {
		case token.Ident, token.String, token.Template, token.TemplateHead, token.Selector:
			n.Name = p.headWord()
		}
	}
	for p.pos < brace && !p.failed {
		p.clause(n, brace)
	}
	if p.failed {
		p.failed = false
		p.pos = brace
	}
	r := anyItem
	if p.toks[kind].Kind == token.Ident {
		r = ruleOf(p.word(kind))
	}
	if p.k() == token.LBrace {
		n.Body = p.body(r)
	} else {
		n.Body = p.slabs.bodies.New()
		n.Body.Flags |= ast.NoBraces
		at := p.toks[p.pos-1].End
		n.Body.At = token.Span{Start: at, End: at}
	}
	if len(lead) > 0 {
		p.placeAt(n, lead[0])
	} else {
		p.place(n, start)
	}
	return n
}

func head(n *ast.Block) *ast.Heading {
	if n.Head == nil {
		n.Head = &ast.Heading{}
	}
	return n.Head
}

// clauseAt says whether token i starts a clause of a heading and is no name.
func (p *parser) clauseAt(i int) bool {
	switch p.kind(i) {
	case token.Ident:
		if p.placedAt(i) {
			return true
		}
	case token.Trait, token.LParen, token.Arrow:
		return true
	default:
		return false
	}
	if !p.word(i).Has(token.Clause) {
		return false
	}
	if p.isWord(i, token.WHas) {
		return p.kind(i+1) == token.LParen
	}
	k := p.kind(i + 1)
	return k == token.Ident || k == token.String
}

// clause reads one part of a heading behind the name.
func (p *parser) clause(n *ast.Block, brace int) {
	h := head(n)
	switch p.k() {
	case token.Trait:
		h.Attrs = append(h.Attrs, p.headingAttribute(brace))
		return
	case token.LParen:
		if !h.HasParams && p.isParams(p.pos) {
			h.HasParams = true
			h.ParamsAt = p.toks[p.pos].Start
			h.Params = p.params()
			return
		}
		h.Args = append(h.Args, p.headArgs())
		return
	case token.Arrow:
		p.next()
		if p.k() == token.Trait {
			at := p.pos
			target := &ast.AttrValue{Attr: p.headingAttribute(brace)}
			p.place(target, at)
			h.Arrow = target
			return
		}
		h.Arrow = p.namePath()
		return
	case token.Ident:
		if p.placedAt(p.pos) {
			h.Args = append(h.Args, p.headPlace())
			return
		}
		if h.Arrow != nil && p.headCallAt(p.pos) {
			h.Args = append(h.Args, p.call())
			return
		}
	}
	if !p.clauseAt(p.pos) {
		h.Args = append(h.Args, p.headWord())
		return
	}
	w := p.word(p.pos)
	p.next()
	switch w {
	case token.WUsing:
		h.Using = p.clauseNames(h.Using)
	case token.WExtends:
		h.Extends = p.clauseNames(h.Extends)
	case token.WImplements:
		h.Implements = p.clauseNames(h.Implements)
	case token.WThrough:
		h.Through = p.clauseNames(h.Through)
	case token.WFrom:
		h.From = p.namePath()
	case token.WHas:
		h.Has = p.headArgs()
	}
}

func (p *parser) clauseNames(names []ast.Node) []ast.Node {
	for {
		names = append(names, p.namePath())
		if p.failed || !p.take(token.Comma) {
			return names
		}
	}
}

// headPlace reads at [ … ] in a heading, as the setting of that name.
func (p *parser) headPlace() ast.Node {
	start := p.pos
	k := &ast.Key{Raw: p.text(start)}
	p.next()
	p.place(k, start)
	n := &ast.Property{Key: k}
	n.Value = p.expr()
	p.place(n, start)
	return n
}

// headArgs reads ( … ) in a heading.
func (p *parser) headArgs() *ast.Args {
	start := p.pos
	n := &ast.Args{Args: p.args()}
	p.place(n, start)
	return n
}
