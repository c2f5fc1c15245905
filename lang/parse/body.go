package parse

import (
	"math"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// body reads { … } at the current token.
func (p *parser) body(r rule) *ast.Body {
	b := p.slabs.bodies.New()
	p.bodyInto(b, r)
	return b
}

// bodyInto is the only way into a body; items is the only place of recovery.
func (p *parser) bodyInto(b *ast.Body, r rule) {
	start := p.pos
	g, ok := p.open(0)
	if ok {
		own := p.own
		if r == anyItem && p.depth <= math.MaxUint8 {
			b.Depth = uint8(p.depth)
		}
		p.items(b, p.close(start), r)
		p.own = own
		p.end(g)
	} else {
		b.Items = []ast.Node{p.badFrom(start)}
	}
	p.place(b, start)
}

// items reads items up to token end, and in a switch up to the next case.
func (p *parser) items(b *ast.Body, end int, r rule) {
	outer, base := p.limit, p.base
	mark := len(p.stack)
	p.rule, p.limit, p.base = r, end, mark
	if b != &p.file.Body {
		p.openComments(b)
	}
	for {
		p.separators()
		if p.pos >= end || r == caseItems && p.atCase() {
			break
		}
		p.round(r, end)
	}
	b.Items = p.list(mark)
	p.inner(b, end)
	p.limit, p.base = outer, base
}

// round reads an item, or what is read along with it, onto the stack, with its
// comments and what follows it on its line.
func (p *parser) round(r rule, end int) {
	start := p.pos
	p.peek()
	im := p.beginItem()
	from := len(p.stack)
	p.item(r)
	p.recover(start, end, from)
	first := p.stack[from]
	first.Common().Flags |= ast.Begins
	p.leadWith(first, im)
	last := p.stack[len(p.stack)-1]
	p.endItem(last, im)
	for i := from; i < len(p.stack); i++ {
		p.mark(p.stack[i], im)
	}
	if p.toks[start].Flags&token.BlankBefore != 0 {
		if len(im.lead) == 0 {
			first.Common().Flags |= ast.BlankBefore
		} else {
			first.Common().Flags |= ast.Detached
		}
	}
	p.separators()
	p.trail(last)
}

// separators passes commas and semicolons.
func (p *parser) separators() {
	for k := p.k(); k == token.Comma || k == token.Semicolon; k = p.k() {
		p.next()
	}
}

// recover goes on behind an item that failed or made no progress: the tokens up
// to the next sync point become a Bad item.
func (p *parser) recover(start, end, from int) {
	stuck := p.pos == start
	if !p.failed && !stuck && p.pos <= end && !p.half {
		return
	}
	if stuck && !p.failed && p.kind(start) != token.Stray {
		p.expected("an item")
	}
	p.failed, p.half = false, false
	p.pos = min(p.pos, end)
	bad := p.pos
	p.sync(start, end)
	if p.pos == start && p.pos < end { // pass at least one token or group
		p.skip(end)
	}
	if p.pos > bad {
		p.stack = append(p.stack, p.badFrom(bad))
	}
	if len(p.stack) == from {
		p.stack = append(p.stack, p.badFrom(bad))
	}
}

// skip passes one token, or a group as a whole.
func (p *parser) skip(end int) {
	if p.kind(p.pos).Opens() {
		p.pos = max(p.pos+1, p.after(p.pos))
	} else {
		p.pos++
	}
	p.pos = min(p.pos, end)
}

// sync passes tokens up to the end of the body, a separator before an item, or a
// line that is not indented deeper than the line the item began on.
func (p *parser) sync(start, end int) {
	indent := p.indentAt(start)
	for p.pos < end {
		switch k := p.kind(p.pos); {
		case p.pos > start && p.newline(p.pos) && p.indentAt(p.pos) <= indent:
			return
		case (k == token.Comma || k == token.Semicolon) && (p.pos+1 >= end || p.newline(p.pos+1) || p.startsItem(p.pos+1)):
			return
		case p.rule == caseItems && p.pos > start && p.atCase():
			return
		}
		p.skip(end)
	}
}

// startsItem says whether an item may start with token i.
func (p *parser) startsItem(i int) bool {
	switch p.kind(i) {
	case token.Ident, token.String, token.Number, token.Trait, token.AnnotationOpen, token.Directive, token.Ellipsis,
		token.StateRef, token.LBracket, token.Comma, token.Semicolon:
		return true
	}
	return false
}

// pending is an item under way: what was known before it.
type pending struct {
	lead  []token.Comment
	loose int
	bads  int
	own   int
}

// mark notes on an item what was damaged since it began.
func (p *parser) mark(n ast.Node, im pending) {
	if p.bads > im.bads {
		n.Common().Flags |= ast.Damaged
	}
	if p.own > im.own {
		n.Common().Flags |= ast.Broken
	}
}

// beginItem takes the comments before the current token.
func (p *parser) beginItem() pending {
	im := pending{loose: len(p.loose), bads: p.bads, own: p.own}
	from := p.noted
	p.noteBefore(p.toks[p.pos].Start)
	im.lead = p.stream.Comments[from:p.noted:p.noted]
	return im
}

// noteBefore passes the comments that begin before an offset.
func (p *parser) noteBefore(offset uint32) {
	for p.noted < len(p.stream.Comments) && p.stream.Comments[p.noted].Start < offset {
		p.noted++
	}
}

// leadWith gives an item the comments before it.
func (p *parser) leadWith(n ast.Node, im pending) {
	if len(im.lead) > 0 {
		p.file.Attach(n).Leading = im.lead
		if im.lead[0].Flags&token.BlankBefore != 0 {
			n.Common().Flags |= ast.BlankBefore
		}
	}
}

// endItem gives an item the comments inside of it that no list has taken.
func (p *parser) endItem(n ast.Node, im pending) {
	end := p.toks[max(p.pos-1, 0)].End
	for p.noted < len(p.stream.Comments) && p.stream.Comments[p.noted].Start < end {
		p.loose = append(p.loose, p.noted)
		p.noted++
	}
	if len(p.loose) > im.loose {
		c := p.file.Attach(n)
		for _, i := range p.loose[im.loose:] {
			c.Inner = append(c.Inner, p.stream.Comments[i])
		}
		p.loose = p.loose[:im.loose]
	}
}

// trail gives an item the comments behind it on its line. Behind a separator a
// comment that more code follows on the line belongs to that code.
func (p *parser) trail(n ast.Node) {
	t := p.toks[p.pos]
	from := p.noted
	for p.noted < len(p.stream.Comments) {
		c := p.stream.Comments[p.noted]
		if c.Start >= t.Start || c.Flags&token.NewlineBefore != 0 {
			break
		}
		if t.Flags&token.NewlineBefore == 0 && p.pos < p.eof && !t.Kind.Closes() && p.separatorBefore(c.Start) {
			break
		}
		p.noted++
		if c.Style != token.Block { // it ends the line
			break
		}
	}
	if p.noted > from {
		p.file.Attach(n).Trailing = p.stream.Comments[from:p.noted:p.noted]
	}
}

// separatorBefore says whether the last token before an offset, which is just
// before the current token, is a separator.
func (p *parser) separatorBefore(offset uint32) bool {
	for i := p.pos - 1; i >= 0; i-- {
		if p.toks[i].Start < offset {
			k := p.toks[i].Kind
			return k == token.Comma || k == token.Semicolon
		}
		if k := p.toks[i].Kind; k != token.Comma && k != token.Semicolon {
			return false
		}
	}
	return false
}

// openComments puts aside the comments before a body's brace and notes whether
// one stands on the brace's own line.
func (p *parser) openComments(b *ast.Body) {
	p.setLoose(p.toks[p.pos-1].Start)
	if i := p.noted; i < len(p.stream.Comments) {
		c := p.stream.Comments[i]
		if c.Start < p.toks[p.pos].Start && c.Flags&token.NewlineBefore == 0 && c.Style != token.Block {
			b.Flags |= ast.SameLine
		}
	}
}

// setLoose puts aside comments before an offset that no list has taken.
func (p *parser) setLoose(offset uint32) {
	for p.noted < len(p.stream.Comments) && p.stream.Comments[p.noted].Start < offset {
		p.loose = append(p.loose, p.noted)
		p.noted++
	}
}

// inner gives a body the comments between its last item and token end.
func (p *parser) inner(b ast.Node, end int) {
	if p.pos != end {
		return
	}
	from := p.noted
	p.noteBefore(p.toks[end].Start)
	if p.noted > from {
		p.file.Attach(b).Inner = p.stream.Comments[from:p.noted:p.noted]
	}
}

// needBody reads the body that a word must have, on this line or the next.
func (p *parser) needBody(word int, r rule) *ast.Body {
	if p.k() == token.LBrace {
		return p.body(r)
	}
	p.noBody(word)
	return nil
}

// noBody reports that something stands where a body should.
func (p *parser) noBody(word int) {
	if p.failed {
		return
	}
	if p.k() == token.Colon && (p.newline(p.pos+1) || p.kind(p.pos+1) == token.EOF) {
		p.indentedBody(word)
		return
	}
	at := int(p.toks[max(p.pos-1, 0)].End)
	p.report(diag.SYN009, word, p.text(word)).Fix("Insert ' { }'", at, at, " { }")
	p.failed = true
}

// indentedBody reports word … : with an indented block below it and goes on at
// the end of the enclosing body.
func (p *parser) indentedBody(word int) {
	colon := p.toks[p.pos]
	indent := p.indentAt(word)
	last := p.pos
	for i := p.pos + 1; i < p.limit && !(p.newline(i) && p.indentAt(i) <= indent); {
		next := i + 1
		if p.kind(i).Opens() {
			next = max(next, p.after(i))
		}
		last, i = next-1, next
	}
	end := int(p.toks[last].End)
	p.report(diag.SYN013, p.pos).
		Fix("Wrap in braces", int(colon.Start), int(colon.End), " {").And(end, end, " }")
	p.failed = true
	p.pos = p.limit
}
