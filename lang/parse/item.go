package parse

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

func (p *parser) push(n ast.Node) { p.stack = append(p.stack, n) }

// item reads one item, or several attributes on a line, onto the stack. What it
// is, the first fitting row of the table of the specification decides.
func (p *parser) item(r rule) {
	start := p.pos
	switch r {
	case ruleItems:
		if p.ruleAt(start) {
			p.push(p.ruleItem())
			return
		}
	case routeItems:
		if p.routeAt(start) {
			p.push(p.route())
			return
		}
	case enumItems:
		if k := p.k(); k == token.Ident || k == token.String {
			p.push(p.enumerator())
			return
		}
	case nameItems:
		if p.k() == token.Ident && !p.isKey(start) {
			p.push(p.namePath())
			return
		}
	}
	switch p.k() {
	case token.Trait:
		p.attributes()
	case token.At:
		p.lonelyAt()
	case token.AnnotationOpen:
		p.push(p.annotation())
	case token.Directive:
		p.directive()
	case token.Ellipsis:
		p.push(p.spread())
	case token.Lt:
		if p.kind(start+1) == token.Ident && p.kind(start+2) == token.Colon {
			p.push(p.method())
			return
		}
		p.expected("an item")
	case token.Ident:
		p.wordItem()
	case token.String, token.Number, token.LBracket:
		p.otherItem()
	case token.LBrace, token.Stray, token.Bad, token.RParen, token.RBracket, token.RBrace:
		p.expected("an item")
	default:
		p.push(p.exprStmt())
	}
}

// wordItem reads an item that starts with a word: rows 4 to 14.
func (p *parser) wordItem() {
	i := p.pos
	if p.isKey(i) { // 4
		p.push(p.property())
		return
	}
	w := p.word(i)
	if w != token.Other {
		if n := p.keywordItem(w); n != nil { // 5, 6
			p.push(n)
			return
		}
		if (w == token.OnWord || w == token.WOn) && p.handlerAt(i) { // 7
			p.push(p.handler())
			return
		}
	}
	if j := p.mapPathEnd(i); p.isMapArrow(j) { // 8
		p.push(p.mapping())
		return
	}
	if p.methodAt(i) != 0 { // 9
		p.push(p.method())
		return
	}
	if p.memberAt(i) { // 10
		p.push(p.typedMember())
		return
	}
	if p.controlAt(i) {
		p.push(p.control())
		return
	}
	if w == token.WMatch && p.armsAt(i) {
		p.push(p.exprStmt())
		return
	}
	if end := p.arrowHeadingAt(i); end != 0 {
		p.push(p.block(nil, end))
		return
	}
	if brace := p.headingAt(i); brace != 0 { // 11
		p.push(p.block(nil, brace))
		return
	}
	if p.listAt(i) != 0 { // 12
		p.push(p.listItem())
		return
	}
	if p.partnerless(w) {
		return
	}
	if p.commandAt(i) { // 13
		p.push(p.command())
		return
	}
	p.push(p.exprStmt()) // 14
}

// otherItem reads an item that starts with a text, a number or a bracket.
func (p *parser) otherItem() {
	i := p.pos
	switch {
	case p.isKey(i):
		p.push(p.property())
	case p.k() == token.String && p.isMapArrow(p.mapPathEnd(i)):
		p.push(p.mapping())
	case p.methodAt(i) != 0:
		p.push(p.method())
	default:
		if brace := p.headingAt(i); brace != 0 {
			p.push(p.block(nil, brace))
			return
		}
		p.push(p.exprStmt())
	}
}

// keywordItem reads an item or a statement that a word and a fitting next token
// announce; nil when the word means nothing here.
func (p *parser) keywordItem(w token.Word) ast.Node {
	i := p.pos
	next := p.kind(i + 1)
	switch w {
	case token.WImport:
		if next == token.String || next == token.Ident || next == token.Star || next == token.LBrace && p.isWord(p.after(i+1), token.WFrom) {
			return p.importItem()
		}
	case token.WExport:
		if next != token.Colon && next != token.Assign && next != token.Dot && !p.endsLine(i+1) {
			return p.export()
		}
	case token.WConnect:
		if p.wordOnLine(i + 1) {
			return p.wire()
		}
	case token.WExecute:
		if p.wordOnLine(i + 1) {
			return p.execute()
		}
	case token.WOverride:
		if j := p.pathEnd(i + 1); j != 0 && p.kind(j) == token.Assign {
			return p.override()
		}
	case token.WSpawn:
		if p.spawnAt(i) {
			return p.exprStmt()
		}
	default:
		if w.Has(token.Statement) && p.statementAt(i) {
			return p.statement()
		}
	}
	return nil
}

// spawnAt says whether token i begins spawn T at, which is no heading: a list or a
// body may follow it.
func (p *parser) spawnAt(i int) bool {
	at := i + 2
	if p.kind(i+1) == token.Ident {
		at = p.pathEnd(i + 1)
	} else if p.kind(i+1) != token.String {
		return false
	}
	return !p.newline(i+1) && p.kind(at) == token.Ident && p.text(at) == "at" && !p.newline(at) && !p.isKey(at)
}

// partnerless reports else, catch and case without what they belong to.
func (p *parser) partnerless(w token.Word) bool {
	i := p.pos
	partner := ""
	switch w {
	case token.WElse, token.WElif, token.WElseIf:
		partner = "if"
	case token.WCatch, token.WFinally:
		partner = "try"
	case token.WCase:
		j := i + 1
		if k := p.kind(j); k == token.String || k == token.Number || k == token.Ident {
			if p.kind(j+1) == token.Colon && !p.newline(j) {
				partner = "switch"
			}
		}
	}
	if partner == "" {
		return false
	}
	t := p.toks[i]
	p.report(diag.SYN016, i, p.text(i), partner).Fix("Remove it", int(t.Start), int(t.End), "")
	p.next()
	p.failed = true
	return true
}

// lonelyAt reports @ without a name.
func (p *parser) lonelyAt() {
	t := p.toks[p.pos]
	p.report(diag.SYN019, p.pos).Fix("Remove it", int(t.Start), int(t.End), "")
	p.next()
	p.push(p.badFrom(p.pos - 1))
}

func (p *parser) spread() ast.Node {
	start := p.pos
	n := &ast.Spread{}
	p.next()
	n.X = p.expr()
	p.place(n, start)
	return n
}

// directive reads a line directive or a conditional block.
func (p *parser) directive() {
	start := p.pos
	text := p.text(start)
	switch text {
	case "#if":
		p.push(p.condBlock())
	case "#elif", "#else":
		t := p.toks[start]
		p.report(diag.SYN016, start, text, "#if").Fix("Remove it", int(t.Start), int(t.End), "")
		p.next()
		p.failed = true
	default:
		p.next()
		n := &ast.LineDirective{}
		end := 1
		for end < len(text) && text[end] != ' ' && text[end] != '\t' {
			end++
		}
		n.Name = text[1:end]
		for end < len(text) && (text[end] == ' ' || text[end] == '\t') {
			end++
		}
		n.Text = text[end:]
		p.place(n, start)
		p.push(n)
	}
}

func (p *parser) condBlock() ast.Node {
	start := p.pos
	n := &ast.CondBlock{}
	for {
		at := p.pos
		b := &ast.CondBranch{}
		p.next()
		b.Cond = p.cond()
		b.Body = p.needBody(at, anyItem)
		p.place(b, at)
		n.Branches = append(n.Branches, b)
		if p.failed || p.k() != token.Directive || p.text(p.pos) != "#elif" {
			break
		}
	}
	if !p.failed && p.k() == token.Directive && p.text(p.pos) == "#else" {
		at := p.pos
		p.next()
		n.Else = p.needBody(at, anyItem)
	}
	p.place(n, start)
	return n
}

// annotation reads #[ … ].
func (p *parser) annotation() ast.Node {
	start := p.pos
	n := &ast.Annotation{Args: p.args()}
	p.place(n, start)
	return n
}

// exprStmt reads an expression as an item; an assignment is its own statement.
func (p *parser) exprStmt() ast.Node {
	start := p.pos
	x := p.expr()
	if x.Kind() == ast.KindAssign && x.Common().Parens == 0 {
		return x
	}
	n := p.slabs.exprStmts.New()
	n.X = x
	p.place(n, start)
	return n
}

// commandAt says whether a command starts with token i.
func (p *parser) commandAt(i int) bool {
	return p.kind(i) == token.Ident && !p.word(i).Has(token.Primary) && p.operandStart(i+1, false)
}

// command reads word operand operand … on one line.
func (p *parser) command() ast.Node {
	start := p.pos
	n := p.slabs.commands.New()
	n.Verb = p.text(start)
	p.next()
	n.Args = p.operands(true)
	p.place(n, start)
	return n
}

// operands reads the operands of a command or of a stage of a pipe.
func (p *parser) operands(commas bool) []ast.Node {
	old := p.mode
	p.mode = p.mode&^(inParens|inElements) | command
	mark := len(p.stack)
	for !p.failed {
		at := p.pos
		x := p.expr()
		if p.pos == at { // nothing was read
			p.failed = true
		}
		p.push(x)
		if p.failed {
			break
		}
		if p.k() == token.Comma && commas && p.operandStart(p.pos+1, true) && !p.newline(p.pos) {
			p.next()
			continue
		}
		if p.k() == token.Comma && commas && old&(inParens|inElements) == 0 && p.kind(p.pos+1) == token.LBrace && !p.newline(p.pos) && !p.newline(p.pos+1) { // broadcast "x", { … }
			p.next()
			continue
		}
		if !p.operandStart(p.pos, true) {
			break
		}
	}
	p.mode = old
	return p.list(mark)
}

func (p *parser) listItem() ast.Node {
	start := p.pos
	n := &ast.List{ListKind: p.text(start)}
	p.next()
	for p.k() != token.LBracket {
		n.HeadArgs = append(n.HeadArgs, p.headWord())
	}
	n.Elements = p.array()
	p.place(n, start)
	return n
}

// headWord reads a word, path, text, number, template or selector of a heading.
func (p *parser) headWord() ast.Node {
	start := p.pos
	switch p.k() {
	case token.Ident:
		return p.namePath()
	case token.Selector:
		n := &ast.Selector{Name: p.text(start)[1:]}
		p.next()
		p.place(n, start)
		return n
	case token.String, token.Number, token.Template, token.TemplateHead:
		return p.literal()
	}
	p.expected("a name")
	return p.badFrom(start)
}

// namePath reads a path of words as a name: an Ident when it has one word.
func (p *parser) namePath() ast.Node {
	start := p.pos
	end := p.pathEnd(start)
	if end == 0 {
		p.expected("a name")
		return p.badFrom(start)
	}
	if end == start+1 {
		if p.k() == token.String {
			return p.literal()
		}
		n := p.slabs.idents.New()
		n.Name = p.text(start)
		p.next()
		p.place(n, start)
		return n
	}
	return p.pathTo(start, end)
}

// pathTo reads the tokens up to end as one path.
func (p *parser) pathTo(start, end int) ast.Node {
	n := p.slabs.paths.New()
	n.Raw = p.raw(start, end)
	p.pos = end
	p.half = false
	p.place(n, start)
	return n
}
