package parse

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// statementAt says whether the statement word at token i is followed by what
// makes it a statement.
func (p *parser) statementAt(i int) bool {
	next := p.kind(i + 1)
	switch p.word(i) {
	case token.WLet, token.WConst, token.WVar:
		return next == token.Ident || next == token.LBrace || next == token.LBracket
	case token.WIf, token.WWhile, token.WThrow:
		return p.exprStart(i+1) && next != token.LBrace
	case token.WReturn:
		return p.endsLine(i+1) || p.exprStart(i+1)
	case token.WFor:
		return next == token.LParen || next == token.Ident || next == token.LBracket
	case token.WDo, token.WTry:
		return next == token.LBrace
	case token.WSwitch:
		brace := p.subjectBrace(i + 1)
		return brace != 0 && (p.isAny(brace+1, token.WCase, token.WDefault) || p.kind(brace+1) == token.RBrace)
	case token.WBreak, token.WContinue:
		return p.endsLine(i + 1)
	case token.WEmit:
		return !p.newline(i+1) && (next == token.LParen || next == token.String || next == token.Template || next == token.TemplateHead ||
			next == token.Ident && !p.isOperation(i+1) && !p.isKey(i+1))
	}
	return false
}

// subjectBrace finds the { behind the subject of a switch or a match that starts
// with token i; 0 when the line has none.
func (p *parser) subjectBrace(i int) int {
	if !p.exprStart(i) || p.kind(i) == token.LBrace {
		return 0
	}
	for start := i; i < p.limit && i < start+lookAhead; i++ {
		switch k := p.kind(i); {
		case k == token.LBrace:
			return i
		case i > start && p.newline(i), k == token.Comma, k == token.Semicolon, k.Closes():
			return 0
		case k.Opens():
			if !p.stream.Closed(i) {
				return 0
			}
			i = p.close(i)
		}
	}
	return 0
}

// matchAt says whether a match with arms starts with token i.
func (p *parser) matchAt(i int) bool {
	brace := p.subjectBrace(i + 1)
	if brace == 0 {
		return false
	}
	switch p.kind(brace + 1) {
	case token.String, token.Number, token.Colour, token.Minus, token.Template, token.Regex:
		return !p.isKey(brace + 1)
	case token.Ident:
		if p.text(brace+1) == "_" || p.isAny(brace+1, token.WTrue, token.WFalse, token.WNull) {
			return true
		}
		j := p.pathEnd(brace + 1)
		k := p.kind(j)
		return k == token.FatArrow || k == token.Pipe || p.isWord(j, token.WIf)
	}
	return false
}

// armsAt says whether a match whose first arm is written out starts with token i, where
// a heading could stand too.
func (p *parser) armsAt(i int) bool {
	if !p.matchAt(i) {
		return false
	}
	switch j := p.subjectBrace(i+1) + 1; p.kind(j) {
	case token.String, token.Number, token.Colour:
		return p.kind(j+1) == token.FatArrow || p.kind(j+1) == token.Pipe
	case token.Ident:
		j = p.pathEnd(j)
		return p.kind(j) == token.FatArrow || p.kind(j) == token.Pipe
	}
	return false
}

// statement reads a statement whose word fits.
func (p *parser) statement() ast.Node {
	if !p.deeper() {
		return p.badFrom(p.pos)
	}
	defer func() { p.depth-- }()
	start := p.pos
	var n ast.Node
	switch p.word(start) {
	case token.WLet, token.WConst, token.WVar:
		n = p.varDecl()
	case token.WIf:
		n = p.ifStmt()
	case token.WWhile:
		p.next()
		w := &ast.While{Cond: p.cond()}
		w.Body = p.bodyOrStatement(start)
		n = w
	case token.WThrow:
		p.next()
		n = &ast.Throw{X: p.expr()}
	case token.WReturn:
		p.next()
		r := &ast.Return{}
		if !p.endsLine(p.pos) {
			r.X = p.expr()
		}
		n = r
	case token.WFor:
		n = p.forStmt()
	case token.WDo:
		n = p.doWhile()
	case token.WTry:
		n = p.try()
	case token.WSwitch:
		n = p.switchStmt()
	case token.WBreak:
		p.next()
		n = &ast.Break{}
	case token.WContinue:
		p.next()
		n = &ast.Continue{}
	default:
		n = p.emit()
	}
	p.place(n, start)
	return n
}

func (p *parser) varDecl() ast.Node {
	n := &ast.VarDecl{Word: p.text(p.pos)}
	p.next()
	for {
		start := p.pos
		d := &ast.Declarator{}
		if k := p.k(); k == token.LBrace || k == token.LBracket {
			d.Pattern = p.pattern()
		} else {
			d.Name = p.text(start)
			p.next()
		}
		if !p.failed && p.k() == token.Colon && !p.newline(p.pos) {
			p.next()
			d.Type = p.typ()
		}
		if !p.failed && p.take(token.Assign) {
			if p.endsItem() {
				p.expected("a value")
			} else {
				d.Value = p.expr()
			}
		}
		p.place(d, start)
		n.Decls = append(n.Decls, d)
		if p.failed || p.k() != token.Comma || p.newline(p.pos) || !p.declaratorAt(p.pos+1) {
			return n
		}
		p.next()
	}
}

// endsItem says whether nothing of the item is left, not even on the next line.
func (p *parser) endsItem() bool {
	k := p.k()
	return p.pos >= p.limit || k == token.Comma || k == token.Semicolon || k.Closes()
}

// declaratorAt says whether token i, behind a comma, is one more name.
func (p *parser) declaratorAt(i int) bool {
	switch p.kind(i) {
	case token.LBrace, token.LBracket:
		return p.kind(p.after(i)) == token.Assign
	case token.Ident:
		k := p.kind(i + 1)
		return k == token.Assign || k == token.Colon || p.endsLine(i+1)
	}
	return false
}

// bodyOrStatement reads what a condition guards.
func (p *parser) bodyOrStatement(word int) ast.Node {
	if p.failed {
		return nil
	}
	if p.k() == token.LBrace {
		return p.body(anyItem)
	}
	if p.pos >= p.limit || p.k() == token.Colon || p.endsItem() {
		p.noBody(word)
		return nil
	}
	if !p.deeper() {
		return nil
	}
	defer func() { p.depth-- }()
	mark := len(p.stack)
	at := p.pos
	outer := p.branch
	p.branch = true
	p.item(anyItem)
	p.branch = outer
	var n ast.Node
	if len(p.stack) > mark {
		n = p.stack[mark]
		if len(p.stack) > mark+1 { // a row of attributes is no statement
			p.stack = p.stack[:mark]
			p.pos = at
			p.expected("a statement")
			return p.badFrom(at)
		}
		p.stack = p.stack[:mark]
	}
	return n
}

func (p *parser) ifStmt() ast.Node {
	n := &ast.If{}
	for {
		start := p.pos
		b := &ast.Branch{}
		p.next()
		if p.isWord(p.pos, token.WIf) && p.isWord(start, token.WElse) {
			p.next()
		}
		b.Cond = p.cond()
		b.Body = p.bodyOrStatement(start)
		p.place(b, start)
		n.Branches = append(n.Branches, b)
		if p.failed {
			return n
		}
		i := p.elseAt()
		if i < 0 {
			return n
		}
		p.pos = i
		if p.isWord(i, token.WElse) && !p.isWord(i+1, token.WIf) {
			p.next()
			n.Else = p.bodyOrStatement(i)
			return n
		}
	}
}

// elseAt finds the else, elif or else_if that goes on with an if: the current
// token, or the one behind a semicolon that ends a single statement. It is
// negative when there is none.
func (p *parser) elseAt() int {
	i := p.pos
	if p.kind(i) == token.Semicolon && p.isElse(i+1) {
		i++
	}
	if i >= p.limit || !p.isElse(i) || p.isKey(i) {
		return -1
	}
	return i
}

// isElse says whether token i is else, elif or else_if.
func (p *parser) isElse(i int) bool {
	return p.isAny(i, token.WElse, token.WElif, token.WElseIf)
}

// cond reads a condition: an expression that { ends, in which the first pair of
// parentheses may be all of it.
func (p *parser) cond() ast.Node {
	oldMode, oldParen := p.mode, p.condParen
	p.mode = p.mode&^(command|inElements|pipes) | noBrace
	p.condParen = -1
	if p.k() == token.LParen && p.stream.Closed(p.pos) {
		p.condParen = p.close(p.pos)
	}
	n := p.expr()
	if b := n.Common(); b.Parens > 0 { // the formatter writes the outer pair itself
		b.Parens--
	}
	p.mode, p.condParen = oldMode, oldParen
	return n
}

func (p *parser) forStmt() ast.Node {
	start := p.pos
	p.next()
	n := p.forHead()
	body := p.bodyOrStatement(start)
	switch n := n.(type) {
	case *ast.ForIn:
		n.Body = body
	case *ast.For:
		n.Body = body
	}
	return n
}

// forHead reads the head of a loop, in parentheses or not.
func (p *parser) forHead() ast.Node {
	start := p.pos
	if p.k() == token.LParen {
		g, ok := p.open(inParens)
		if !ok {
			n := &ast.For{}
			p.place(n, start)
			return n
		}
		n := p.forParts()
		p.end(g)
		p.place(n, start)
		return n
	}
	old := p.mode
	p.mode = p.mode&^(command|inElements|pipes) | noBrace
	n := p.forParts()
	p.mode = old
	p.place(n, start)
	return n
}

func (p *parser) forParts() ast.Node {
	i := p.pos
	if p.isAny(i, token.WLet, token.WConst, token.WVar) {
		i++
	}
	j := i + 1
	if k := p.kind(i); k == token.LBrace || k == token.LBracket {
		j = p.after(i)
	} else if k != token.Ident {
		return p.forThree()
	}
	if !p.isAny(j, token.WOf, token.WIn) {
		return p.forThree()
	}
	n := &ast.ForIn{}
	if i > p.pos {
		n.Word = p.text(p.pos)
	}
	p.pos = i
	if p.k() == token.Ident {
		n.Name = p.text(i)
		p.next()
	} else if n.Pattern = p.pattern(); p.failed {
		return n
	}
	n.Link = p.text(p.pos)
	p.next()
	n.Subject = p.expr()
	return n
}

func (p *parser) forThree() ast.Node {
	n := &ast.For{}
	if p.k() != token.Semicolon {
		if p.isAny(p.pos, token.WLet, token.WConst, token.WVar) {
			start := p.pos
			n.Init = p.varDecl()
			p.place(n.Init, start)
		} else {
			n.Init = p.expr()
		}
	}
	if p.failed || !p.expect(token.Semicolon) {
		return n
	}
	if p.k() != token.Semicolon {
		n.Cond = p.expr()
	}
	if p.failed || !p.expect(token.Semicolon) {
		return n
	}
	if k := p.k(); k != token.RParen && k != token.LBrace {
		n.Step = p.expr()
	}
	return n
}

func (p *parser) doWhile() ast.Node {
	n := &ast.DoWhile{}
	p.next()
	n.Body = p.body(anyItem)
	if !p.isWord(p.pos, token.WWhile) {
		p.expected("'while'")
		return n
	}
	p.next()
	n.Cond = p.cond()
	return n
}

func (p *parser) try() ast.Node {
	n := &ast.Try{}
	p.next()
	n.Body = p.body(anyItem)
	if i := p.pos; p.isWord(i, token.WCatch) && (p.kind(i+1) == token.LBrace || p.kind(i+1) == token.LParen) {
		p.next()
		if p.k() == token.LParen {
			g, ok := p.open(inParens)
			if ok {
				n.CatchName = p.text(p.pos)
				if p.expectWord("a name") {
					p.end(g)
				} else {
					n.CatchName = ""
					p.end(g)
				}
			}
		}
		n.Catch = p.needBody(i, anyItem)
	}
	if i := p.pos; !p.failed && p.isWord(i, token.WFinally) && p.kind(i+1) == token.LBrace {
		p.next()
		n.Finally = p.body(anyItem)
	}
	return n
}

func (p *parser) switchStmt() ast.Node {
	n := &ast.Switch{}
	p.next()
	n.Subject = p.cond()
	start := p.pos
	if p.failed || p.k() != token.LBrace {
		if !p.failed {
			p.expected("'{'")
		}
		return n
	}
	stop := p.close(start)
	g, ok := p.open(0)
	if !ok {
		p.failed = true
		return n
	}
	p.limit = stop
	p.openComments(&n.Body)
	for p.separators(); p.pos < stop && !p.failed; p.separators() {
		im := p.beginItem()
		at := p.pos
		c := &ast.Case{}
		if !p.caseHead(c) {
			break
		}
		colon := p.pos - 1
		c.Body = p.slabs.bodies.New()
		own := p.own
		p.items(c.Body, stop, caseItems)
		p.own = own
		c.Body.At = token.Span{Start: p.toks[colon].End, End: p.toks[p.pos-1].End}
		p.place(c, at)
		p.leadWith(c, im)
		p.endItem(c, im)
		if p.toks[at].Flags&token.BlankBefore != 0 && len(im.lead) == 0 {
			c.Flags |= ast.BlankBefore
		}
		n.Cases = append(n.Cases, c)
	}
	p.inner(&n.Body, stop)
	p.end(g)
	p.place(&n.Body, start)
	return n
}

// caseHead reads case a, b: or default:.
func (p *parser) caseHead(c *ast.Case) bool {
	switch {
	case p.isWord(p.pos, token.WDefault):
		p.next()
	case p.isWord(p.pos, token.WCase):
		p.next()
		old := p.mode
		p.mode |= noArrowType
		for {
			c.Values = append(c.Values, p.ternary())
			if p.failed || !p.take(token.Comma) {
				break
			}
		}
		p.mode = old
	default:
		p.expected("'case' or 'default'")
		return false
	}
	return !p.failed && p.expect(token.Colon)
}

// atCase says whether the current token ends the running case.
func (p *parser) atCase() bool {
	i := p.pos
	switch {
	case p.isWord(i, token.WDefault):
		return p.kind(i+1) == token.Colon
	case p.isWord(i, token.WCase):
		k := p.kind(i + 1)
		return k != token.Colon && k != token.Assign && !p.newline(i+1)
	}
	return false
}

// emit reads emit("name", payload) and emit name with payload.
func (p *parser) emit() ast.Node {
	n := p.slabs.emits.New()
	p.next()
	if p.k() == token.LParen {
		n.Flags |= ast.ParenForm
		n.Args = p.args()
		return n
	}
	old := p.mode
	p.mode = p.mode&^(inParens|inElements) | command | noBrace
	mark := len(p.stack)
	p.push(p.expr())
	if !p.failed && !p.newline(p.pos) {
		link := ""
		switch {
		case p.k() == token.Comma && p.payloadAt(p.pos+1):
			link = ","
		case p.k() == token.Colon:
			link = ":"
		case p.isAny(p.pos, token.WWith, token.WTo) && p.exprStart(p.pos+1) && !p.newline(p.pos+1):
			link = p.text(p.pos)
		}
		if link != "" {
			n.Link = link
			p.next()
			p.mode &^= noBrace
			p.push(p.expr())
		}
	}
	p.mode = old
	n.Args = p.list(mark)
	if !p.failed && p.k() == token.LBrace && !p.newline(p.pos) {
		n.Body = p.body(anyItem)
	}
	return n
}

// payloadAt says whether token i, behind the comma of an emit, is its payload
// and not a new item.
func (p *parser) payloadAt(i int) bool {
	return p.exprStart(i) && !p.newline(i) && !p.isKey(i) && p.kind(i) != token.Trait &&
		!(p.kind(i) == token.Ident && (p.word(i).Has(token.Statement) && p.statementAt(i) || p.commandAt(i)))
}
