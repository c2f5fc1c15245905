package parse

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// expr reads an expression: an arrow function, or an assignment and all below it.
func (p *parser) expr() ast.Node {
	switch p.k() {
	case token.Ident, token.LParen:
		if p.isArrow(p.pos) {
			return p.arrow()
		}
	}
	start := p.pos
	x := p.ternary()
	op := p.k()
	if p.failed || !op.IsAssign() || p.newline(p.pos) && p.mode&(command|inParens) == command {
		return x
	}
	if !assignable(x) {
		s := x.Span()
		p.damage()
		p.bag.Add(diag.SYN021, int(s.Start), int(s.End), p.slice(s.Start, s.End))
		x.Common().Flags |= ast.Damaged
	}
	if !p.deeper() {
		return x
	}
	n := p.slabs.assigns.New()
	n.Target = x
	n.Op = op.Operator().Text
	p.next()
	n.Value = p.expr()
	p.depth--
	p.place(n, start)
	return n
}

// assignable says whether a value can be stored in what an expression names.
func assignable(x ast.Node) bool {
	if x.Common().Parens > 0 {
		return false
	}
	switch x := x.(type) {
	case *ast.Ident, *ast.Path, *ast.StateRef, *ast.Bad, *ast.Array, *ast.Object:
		return true
	case *ast.Member:
		return !x.Optional
	case *ast.Index:
		return !x.Optional
	}
	return false
}

// arrow reads (a, b) => body.
func (p *parser) arrow() ast.Node {
	start := p.pos
	n := &ast.Arrow{}
	if !p.deeper() {
		return p.badFrom(start)
	}
	defer func() { p.depth-- }()
	if p.isWord(p.pos, token.WAsync) && p.kind(p.pos+1) != token.FatArrow {
		n.Async = true
		p.next()
	}
	if p.k() == token.LParen {
		n.Flags |= ast.ParenForm
		n.Params = p.params()
	} else {
		at := p.pos
		v := p.slabs.params.New()
		v.Name = p.text(at)
		p.next()
		p.place(v, at)
		n.Params = []*ast.Param{v}
	}
	if !p.failed && p.take(token.Colon) {
		n.Result = p.typ()
	}
	if !p.failed && p.expect(token.FatArrow) {
		n.Body = p.arrowBody()
	}
	p.place(n, start)
	return n
}

// arrowBody reads what stands behind =>: a body, a command or an expression.
func (p *parser) arrowBody() ast.Node {
	if p.k() == token.LBrace {
		return p.body(anyItem)
	}
	if p.k() == token.Ident {
		if p.isWord(p.pos, token.WEmit) && p.kind(p.pos+1) != token.LParen && p.statementAt(p.pos) {
			start := p.pos
			n := p.emit()
			p.place(n, start)
			return n
		}
		if p.commandAt(p.pos) && !p.isArrow(p.pos) {
			return p.command()
		}
	}
	return p.expr()
}

// ternary reads cond ? a : b and all below it.
func (p *parser) ternary() ast.Node {
	start := p.pos
	x := p.binary(1)
	if p.failed || p.k() != token.Question || p.newline(p.pos) && p.mode&command != 0 {
		return x
	}
	if !p.deeper() {
		return x
	}
	defer func() { p.depth-- }()
	n := &ast.Ternary{Cond: x}
	p.next()
	old := p.mode
	p.mode = p.mode&^pipes | noArrowType
	n.Then = p.expr()
	p.mode = old
	if !p.failed && p.expect(token.Colon) {
		n.Else = p.expr()
	}
	p.place(n, start)
	return n
}

// goesOn says whether the operator at the current token continues the
// expression before it.
func (p *parser) goesOn(joins bool) bool {
	k := p.k()
	if p.mode&command != 0 && (k == token.Plus || k == token.Minus) && p.space(p.pos) && p.glued(p.pos+1) {
		return false
	}
	if !p.newline(p.pos) || p.half {
		return true
	}
	if p.dash > 0 && k == token.Minus && p.space(p.pos+1) { // the next item of the list
		return false
	}
	if p.mode&command != 0 {
		return false
	}
	if p.mode&inParens != 0 || joins {
		return true
	}
	return (k == token.Plus || k == token.Minus) && p.space(p.pos+1)
}

// operator is the binary operator at the current token: how tightly it binds,
// 0 when there is none.
func (p *parser) operator() (prec int, joins bool) {
	k := p.k()
	if k == token.Ident {
		if w := p.word(p.pos); w.Has(token.Operation) && w != token.WAs && w != token.WNot {
			if p.mode&inElements != 0 && p.isKey(p.pos) {
				return 0, false
			}
			return w.Prec(), false
		}
		return 0, false
	}
	o := k.Operator()
	return o.Prec, o.Joins
}

// binary reads operators that bind at least as tightly as min.
func (p *parser) binary(min int) ast.Node {
	start := p.pos
	x := p.unary()
	for links := 0; !p.failed; links++ {
		prec, joins := p.operator()
		if prec == 0 || prec < min || p.pos >= p.limit || !p.goesOn(joins) {
			break
		}
		k := p.k()
		if k == token.Pipe && p.mode&pipes != 0 && p.stageAt(p.pos) {
			break
		}
		if links >= MaxDepth || !p.deeper() {
			p.tooDeep()
			break
		}
		n := p.slabs.binaries.New()
		n.X = x
		n.Op = p.text(p.pos)
		p.next()
		if k == token.Power {
			n.Y = p.binary(prec)
		} else {
			n.Y = p.binary(prec + 1)
		}
		p.depth--
		p.place(n, start)
		x = n
	}
	return x
}

// unary reads operators before an operand.
func (p *parser) unary() ast.Node {
	start := p.pos
	switch p.k() {
	case token.Not, token.Minus, token.Plus, token.Tilde, token.Inc, token.Dec:
	case token.Ident:
		switch p.word(start) {
		case token.WNot, token.WAwait, token.WTypeof, token.WDelete:
			if !p.exprStart(start+1) || p.newline(start+1) && p.mode&inParens == 0 || p.kind(start+1) == token.LBrace {
				return p.postfix()
			}
		case token.WNew:
			if p.kind(start+1) == token.Ident && !p.newline(start+1) && !p.isOperation(start+1) {
				return p.newExpr()
			}
			return p.postfix()
		default:
			return p.postfix()
		}
	default:
		return p.postfix()
	}
	if !p.deeper() {
		return p.badFrom(start)
	}
	n := p.slabs.unaries.New()
	n.Op = p.text(start)
	p.next()
	n.X = p.unary()
	p.depth--
	p.place(n, start)
	if (n.Op == "++" || n.Op == "--") && !p.failed && !assignable(n.X) {
		s := n.X.Span()
		p.damage()
		p.bag.Add(diag.SYN021, int(s.Start), int(s.End), p.slice(s.Start, s.End))
		n.Flags |= ast.Damaged
	}
	return n
}

func (p *parser) newExpr() ast.Node {
	start := p.pos
	n := &ast.New{}
	p.next()
	n.Type = p.namedType()
	if !p.failed && p.k() == token.LParen && !p.newline(p.pos) {
		n.Flags |= ast.ParenForm
		n.Args = p.args()
	}
	p.place(n, start)
	return p.links(n)
}

// postfix reads a primary and what hangs behind it.
func (p *parser) postfix() ast.Node {
	x := p.primary()
	if p.failed {
		return x
	}
	return p.links(x)
}

// links reads .name ?.name [i] (args) ++ -- as T and templates.
func (p *parser) links(x ast.Node) ast.Node {
	for links := 0; !p.failed && p.pos < p.limit && !p.half; links++ {
		next := p.link(x)
		if next == nil {
			break
		}
		p.placeAt(next, x)
		x = next
		if links >= MaxDepth {
			p.tooDeep()
		}
	}
	return x
}

// link reads one link behind x; nil when there is none.
func (p *parser) link(x ast.Node) ast.Node {
	k := p.k()
	line := p.newline(p.pos)
	switch k {
	case token.Dot, token.OptDot:
		if line && p.mode&command != 0 {
			return nil
		}
		return p.dotLink(x, k == token.OptDot)
	case token.LBracket, token.LParen, token.Template, token.TemplateHead:
		if line || p.startsNew(k) {
			return nil
		}
		switch k {
		case token.LBracket:
			return p.index(x, false)
		case token.LParen:
			return p.callOf(x, false)
		}
		n := p.slabs.calls.New()
		n.Fn, n.Tagged = x, true
		n.Args = []ast.Node{p.literal()}
		return n
	case token.Inc, token.Dec:
		if line || !assignable(x) || p.condParen >= 0 && p.pos-1 == p.condParen {
			return nil
		}
		n := p.slabs.unaries.New()
		n.Op, n.X, n.Postfix = p.text(p.pos), x, true
		p.next()
		return n
	case token.Ident:
		if line || p.word(p.pos) != token.WAs || p.mode&noAs != 0 || !p.castFits(p.pos+1) {
			return nil
		}
		n := &ast.Cast{X: x}
		p.next()
		n.Type = p.typ()
		return n
	}
	return nil
}

// castFits says whether a type may start with token i.
func (p *parser) castFits(i int) bool {
	switch p.kind(i) {
	case token.Ident, token.String, token.Number, token.LBracket, token.LParen:
		return !p.newline(i)
	case token.LBrace:
		return !p.newline(i) && p.mode&noBrace == 0
	}
	return false
}

// startsNew says whether a bracket or a template at the current token begins
// something separate: an operand of a command, what a condition guards, an
// element of an array.
func (p *parser) startsNew(k token.Kind) bool {
	if !p.space(p.pos) {
		return false
	}
	if p.mode&command != 0 || p.condParen >= 0 && p.pos-1 == p.condParen {
		return true
	}
	return p.mode&inElements != 0 && k == token.LBracket
}

func (p *parser) dotLink(x ast.Node, optional bool) ast.Node {
	p.next()
	if optional {
		switch p.k() {
		case token.LBracket:
			return p.index(x, true)
		case token.LParen:
			return p.callOf(x, true)
		}
	}
	n := p.slabs.members.New()
	n.X, n.Optional = x, optional
	if p.k() != token.Ident {
		p.expected("a name")
		return n
	}
	n.Name = p.text(p.pos)
	p.next()
	return n
}

func (p *parser) index(x ast.Node, optional bool) ast.Node {
	n := &ast.Index{X: x, Optional: optional}
	start := p.pos
	if g, ok := p.open(inParens); ok {
		n.I = p.expr()
		p.end(g)
	} else {
		n.I = p.badFrom(start)
	}
	return n
}

func (p *parser) callOf(x ast.Node, optional bool) ast.Node {
	n := p.slabs.calls.New()
	n.Fn, n.Optional = x, optional
	n.Args = p.args()
	return n
}
