package parse

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// needs reports that an item lacks a part, and fails it.
func (p *parser) needs(item, part string) {
	p.report(diag.SYN020, p.pos, item, part)
	p.failed = true
}

// endOfLine fails when more stands on the line of an item that a line ends.
func (p *parser) endOfLine() {
	if !p.failed && !p.endsLine(p.pos) {
		p.expected("end of line")
	}
}

// wire reads connect from -> to.
func (p *parser) wire() ast.Node {
	start := p.pos
	n := &ast.Wire{}
	p.next()
	n.From = p.namePath()
	switch {
	case p.failed:
	case p.newline(p.pos):
		p.needs("connect", "'->' and a target")
	case p.take(token.Arrow):
	case p.isWord(p.pos, token.WTo):
		n.Flags |= ast.WordForm
		p.next()
	default:
		p.needs("connect", "'->' and a target")
	}
	if !p.failed && !p.wordHere() {
		p.needs("connect", "a target")
	}
	if !p.failed {
		n.To = p.namePath()
		p.wireTail(n)
	}
	p.endOfLine()
	p.place(n, start)
	return n
}

// wordHere says whether a name is the current token, on the line of the last.
func (p *parser) wordHere() bool { return p.pos < p.limit && p.wordOnLine(p.pos) }

func (p *parser) wireTail(n *ast.Wire) {
	if p.k() == token.LParen && !p.newline(p.pos) {
		n.Flags |= ast.ParenForm
		n.Args = p.args()
	}
	if p.k() == token.Assign && !p.newline(p.pos) {
		p.next()
		old := p.mode
		p.mode |= noAs
		n.Assign = p.expr()
		p.mode = old
	}
	if !p.failed && p.isWord(p.pos, token.WAs) && !p.newline(p.pos) {
		p.next()
		if p.k() != token.String {
			p.needs("connect", "a text behind 'as'")
			return
		}
		n.Label = p.literal()
	}
}

// execute reads execute target() every 2s.
func (p *parser) execute() ast.Node {
	start := p.pos
	n := &ast.Execute{}
	p.next()
	n.Target = p.namePath()
	if !p.failed && p.k() == token.LParen && !p.newline(p.pos) {
		n.Flags |= ast.ParenForm
		n.Args = p.args()
	}
	if !p.failed && !p.newline(p.pos) {
		switch {
		case p.isAny(p.pos, token.WEvery, token.WAfter):
			every := p.isWord(p.pos, token.WEvery)
			p.next()
			if p.endsLine(p.pos) {
				p.needs("execute", "a time")
				break
			}
			if x := p.expr(); every {
				n.Every = x
			} else {
				n.After = x
			}
		case p.isWord(p.pos, token.WRepeat) && p.isWord(p.pos+1, token.WForever):
			p.next()
			p.next()
			n.Forever = true
		}
	}
	p.endOfLine()
	p.place(n, start)
	return n
}

func (p *parser) override() ast.Node {
	start := p.pos
	n := &ast.Override{}
	p.next()
	n.Path = p.namePath()
	p.next()
	if p.endsItem() {
		p.expected("a value")
	} else {
		n.Value = p.expr()
	}
	p.place(n, start)
	return n
}

// isMapArrow says whether token j, the end of a path, is the arrow of a mapping.
func (p *parser) isMapArrow(j int) bool {
	if j == 0 || p.newline(j) {
		return false
	}
	k := p.kind(j)
	return k == token.Arrow || k == token.BothWays
}

// mapPath reads the path or text on a side of a mapping.
func (p *parser) mapPath() ast.Node {
	start := p.pos
	end := p.mapPathEnd(start)
	if end > start+1 {
		return p.pathTo(start, end)
	}
	return p.namePath()
}

// mapping reads from -> to : call : call { … }.
func (p *parser) mapping() ast.Node {
	start := p.pos
	n := &ast.Mapping{}
	n.From = p.mapPath()
	n.Both = p.k() == token.BothWays
	p.next()
	if p.mapValueHere() {
		n.To = p.expr()
		p.place(n, start)
		return n
	}
	if !p.wordHere() {
		p.needs("mapping", "a target path")
		p.place(n, start)
		return n
	}
	n.To = p.mapPath()
	for !p.failed && p.k() == token.Colon && !p.newline(p.pos) {
		p.next()
		if p.k() != token.Ident || p.newline(p.pos) {
			p.needs("mapping", "a function behind ':'")
			break
		}
		n.Calls = append(n.Calls, p.call())
	}
	for !p.failed && p.callHere() {
		n.Actions = append(n.Actions, p.call())
	}
	if !p.failed && p.k() == token.LBrace && !p.newline(p.pos) {
		n.Body = p.body(anyItem)
	}
	p.place(n, start)
	return n
}

// mapValueHere says whether a value and no path is on the right side of a mapping:
// "depth:near" -> { fog: true }.
func (p *parser) mapValueHere() bool {
	i := p.pos
	if i >= p.limit || p.newline(i) {
		return false
	}
	switch p.kind(i) {
	case token.LBrace, token.LBracket, token.LParen, token.Number, token.Colour, token.Template, token.TemplateHead, token.StateRef, token.NameOpen,
		token.Trait, token.Not:
		return true
	case token.Minus:
		return p.glued(i + 1)
	case token.Ident:
		if p.isAny(i, token.WTrue, token.WFalse, token.WNull) {
			return true
		}
		j := p.pathEnd(i)
		return p.kind(j) == token.LParen && p.glued(j)
	}
	return false
}

// callHere says whether word( is next on the line, and no method.
func (p *parser) callHere() bool {
	i := p.pos
	if i >= p.limit || p.kind(i) != token.Ident || p.newline(i) || p.kind(i+1) != token.LParen || !p.glued(i+1) {
		return false
	}
	return p.methodAt(i) == 0 && !p.handlerAt(i)
}

// call reads word or word( … ).
func (p *parser) call() ast.Node {
	start := p.pos
	fn := p.slabs.idents.New()
	fn.Name = p.text(start)
	p.next()
	p.place(fn, start)
	if p.k() != token.LParen || p.newline(p.pos) {
		return fn
	}
	n := p.slabs.calls.New()
	n.Fn = fn
	n.Args = p.args()
	p.place(n, start)
	return n
}

// ruleAt says whether a line of a validator starts with token i.
func (p *parser) ruleAt(i int) bool {
	j := p.mapPathEnd(i)
	if j == 0 {
		return false
	}
	if p.kind(j) == token.LParen && j == i+1 && p.stream.Closed(j) {
		j = p.close(j) + 1
	}
	return p.kind(j) == token.Colon && !p.newline(j)
}

// ruleItem reads path: check, check OR check.
func (p *parser) ruleItem() ast.Node {
	start := p.pos
	n := &ast.Rule{}
	if p.kind(start+1) == token.LParen {
		n.Subject = p.call()
	} else {
		n.Subject = p.mapPath()
	}
	colon := p.pos
	p.next()
	if p.missing(colon) {
		s := n.Subject.Span()
		p.noValue(colon, p.slice(s.Start, s.End))
		n.Flags |= ast.Damaged
		p.place(n, start)
		return n
	}
	for {
		c := p.choice()
		n.Checks = append(n.Checks, c)
		if p.failed || p.k() != token.Comma || p.kind(p.pos+1) != token.Ident || p.newline(p.pos+1) || p.ruleAt(p.pos+1) {
			break
		}
		p.next()
	}
	p.place(n, start)
	return n
}

// choice reads checks joined by OR.
func (p *parser) choice() ast.Node {
	start := p.pos
	first := p.check()
	if p.failed || !p.orHere() {
		return first
	}
	n := &ast.Choice{Checks: []*ast.Check{first}}
	for !p.failed && p.orHere() {
		p.next()
		n.Checks = append(n.Checks, p.check())
	}
	p.place(n, start)
	return n
}

func (p *parser) orHere() bool {
	return p.k() == token.Ident && !p.newline(p.pos) && (p.isWord(p.pos, token.WOr) || p.text(p.pos) == "OR")
}

func (p *parser) check() *ast.Check {
	start := p.pos
	n := &ast.Check{Name: p.text(start)}
	if !p.expectWord("a check") {
		n.Name = ""
		p.place(n, start)
		return n
	}
	if !p.newline(p.pos) {
		switch k := p.k(); k {
		case token.LParen:
			n.Flags |= ast.ParenForm
			n.Args = p.args()
		case token.String, token.Number, token.Regex, token.Colour:
			n.Literal = p.literal()
		case token.LBracket:
			n.Literal = p.array()
		case token.Minus:
			n.Literal = p.unary()
		case token.Ident:
			if p.isAny(p.pos, token.WTrue, token.WFalse, token.WNull) {
				n.Literal = p.primary()
			}
		}
	}
	p.place(n, start)
	return n
}

// routeAt says whether a line of a branch starts with token i.
func (p *parser) routeAt(i int) bool {
	if p.isWord(i, token.WDefault) {
		return p.kind(i+1) == token.Arrow
	}
	return p.isWord(i, token.WWhen) && !p.isKey(i) && p.exprStart(i+1)
}

// route reads when expr -> sink name.
func (p *parser) route() ast.Node {
	start := p.pos
	n := &ast.Route{}
	p.next()
	if p.isWord(start, token.WWhen) {
		n.When = p.expr()
	}
	if !p.failed && !p.take(token.Arrow) {
		p.needs("route", "'->' and a sink")
	}
	if !p.failed {
		if p.isWord(p.pos, token.WSink) && p.wordOnLine(p.pos+1) {
			n.Flags |= ast.WordForm
			p.next()
		}
		if p.wordHere() {
			n.Sink = p.namePath()
		} else {
			p.needs("route", "a sink")
		}
	}
	p.endOfLine()
	p.place(n, start)
	return n
}

// enumerator reads name, name = value or name: value.
func (p *parser) enumerator() ast.Node {
	start := p.pos
	n := &ast.Enumerator{}
	if p.k() == token.String {
		n.Name = p.literal()
	} else {
		n.Name = p.pattern1()
	}
	switch {
	case p.newline(p.pos):
	case p.k() == token.Assign:
		p.next()
		n.Value = p.expr()
	case p.k() == token.Colon:
		n.Flags |= ast.ColonForm
		colon := p.pos
		p.next()
		if p.missing(colon) {
			p.noValue(colon, p.text(start))
			n.Flags |= ast.Damaged
		} else {
			n.Value = p.value(false)
		}
	}
	p.place(n, start)
	return n
}

const importShape = `import "file", or import names from "file"`

// importItem reads an import.
func (p *parser) importItem() ast.Node {
	start := p.pos
	p.next()
	n := p.importRest(start)
	return n
}

// importRest reads an import behind its word at token start.
func (p *parser) importRest(start int) ast.Node {
	n := &ast.Import{}
	p.importParts(n)
	if !p.failed && !p.endsLine(p.pos) {
		p.badModule(start, "import", importShape)
	}
	p.place(n, start)
	return n
}

func (p *parser) badModule(word int, what, shape string) {
	p.report(diag.SYN018, word, what, shape)
	p.failed = true
}

func (p *parser) importParts(n *ast.Import) {
	start := p.pos
	if p.k() == token.String {
		n.Source = p.literal()
		return
	}
	if next := p.kind(start + 1); p.isWord(start, token.WType) && (next == token.LBrace || next == token.Star || next == token.Ident && !p.isWord(start+1, token.WFrom)) {
		n.TypeOnly = true
		p.next()
	}
	switch p.k() {
	case token.Ident:
		n.Default = p.text(p.pos)
		p.next()
	case token.Star:
		p.next()
		if !p.takeWord(token.WAs) || p.k() != token.Ident {
			p.badModule(start-1, "import", importShape)
			return
		}
		n.Star = p.text(p.pos)
		p.next()
	case token.LBrace:
		n.HasNames = true
		n.Names = p.names()
	default:
		p.badModule(start-1, "import", importShape)
		return
	}
	if !n.HasNames && !p.failed && p.k() == token.Comma && p.kind(p.pos+1) == token.LBrace {
		p.next()
		n.HasNames = true
		n.Names = p.names()
	}
	if p.failed || !p.takeWord(token.WFrom) || !p.wordOnLine(p.pos) {
		p.badModule(start-1, "import", importShape)
		return
	}
	if p.k() == token.String {
		n.Source = p.literal()
	} else {
		n.Source = p.namePath()
	}
}

// names reads { a, b as c }.
func (p *parser) names() []*ast.ImportName {
	stop := p.close(p.pos)
	g, ok := p.open(inParens)
	if !ok {
		return nil
	}
	var out []*ast.ImportName
	for p.pos < stop && !p.failed {
		start := p.pos
		n := &ast.ImportName{Name: p.text(start)}
		if !p.expectWord("a name") {
			break
		}
		if p.isWord(p.pos, token.WAs) && p.kind(p.pos+1) == token.Ident {
			p.next()
			n.Alias = p.text(p.pos)
			p.next()
		}
		p.place(n, start)
		out = append(out, n)
		p.separators()
	}
	p.end(g)
	return out
}

const exportShape = `export item, export { names } or export * from "file"`

// export reads an export.
func (p *parser) export() ast.Node {
	start := p.pos
	n := &ast.Export{}
	p.next()
	switch {
	case p.k() == token.Star:
		p.next()
		n.Star = true
		if p.isWord(p.pos, token.WAs) && p.kind(p.pos+1) == token.Ident {
			p.next()
			n.Alias = p.text(p.pos)
			p.next()
		}
		if !p.takeWord(token.WFrom) || p.k() != token.String {
			p.badModule(start, "export", exportShape)
			break
		}
		n.Source = p.literal()
	case p.k() == token.LBrace:
		n.Flags |= ast.ObjectForm
		n.Names = p.names()
		if p.isWord(p.pos, token.WFrom) && p.kind(p.pos+1) == token.String && !p.newline(p.pos) {
			p.next()
			n.Source = p.literal()
		}
	default:
		if p.isWord(p.pos, token.WDefault) && !p.endsLine(p.pos+1) && !p.isKey(p.pos) {
			n.IsDefault = true
			p.next()
		}
		p.exported(n, start)
	}
	p.place(n, start)
	return n
}

// exported reads the item of an export.
func (p *parser) exported(n *ast.Export, word int) {
	if !p.startsItem(p.pos) && p.k() != token.LParen && p.k() != token.Lt {
		p.badModule(word, "export", exportShape)
		return
	}
	if !p.deeper() {
		return
	}
	mark := len(p.stack)
	p.item(anyItem)
	p.depth--
	if len(p.stack) == mark+1 {
		n.Item = p.stack[mark]
	} else if !p.failed {
		p.badModule(word, "export", exportShape)
	}
	clear(p.stack[mark:])
	p.stack = p.stack[:mark]
}
