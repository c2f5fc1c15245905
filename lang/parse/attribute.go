package parse

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// attributes reads the attributes at the current token and, when a heading
// follows the last of them on its line, the block they belong to. Without one
// each is an item.
func (p *parser) attributes() {
	from := len(p.stack)
	for {
		control := p.controlWord(p.pos)
		p.checkElse()
		p.push(p.attribute())
		if p.failed || control || p.newline(p.pos) || p.pos >= p.limit {
			return
		}
		if a := p.stack[len(p.stack)-1].(*ast.Attribute); a.Value != nil || a.Is(ast.ColonForm) {
			return
		}
		if p.k() == token.Trait {
			if p.controlWord(p.pos) {
				return
			}
			continue
		}
		break
	}
	if k := p.k(); k != token.Ident && k != token.String {
		return
	}
	brace := p.blockAt(p.pos)
	if brace == 0 {
		return
	}
	lead := make([]*ast.Attribute, 0, 2)
	for _, n := range p.stack[from:] {
		a := n.(*ast.Attribute)
		a.Flags |= ast.BeforeHeading
		lead = append(lead, a)
	}
	p.stack = p.stack[:from]
	p.push(p.block(lead, brace))
}

// blockAt finds the brace of a block that starts with token i, as the table of
// items would: what an earlier row claims is no block.
func (p *parser) blockAt(i int) int {
	if p.isKey(i) || p.controlAt(i) || p.memberAt(i) || p.handlerAt(i) || p.methodAt(i) != 0 || p.isMapArrow(p.mapPathEnd(i)) {
		return 0
	}
	if p.word(i).Has(token.Statement|token.Item) && p.kind(i) == token.Ident && p.fits(i) {
		return 0
	}
	return p.headingAt(i)
}

// fits says whether the word at token i begins an item or a statement.
func (p *parser) fits(i int) bool {
	switch p.word(i) {
	case token.WImport, token.WExport, token.WConnect, token.WExecute, token.WOverride:
		return true
	}
	return p.statementAt(i)
}

// checkElse reports @elif and @else that follow no @if.
func (p *parser) checkElse() {
	text := p.text(p.pos)
	if text != "@else" && text != "@elif" {
		return
	}
	if n := len(p.stack); n > p.base {
		if a, ok := p.stack[n-1].(*ast.Attribute); ok && (a.Name == "if" || a.Name == "elif") {
			return
		}
	}
	t := p.toks[p.pos]
	p.report(diag.SYN016, p.pos, text, "@if").Fix("Remove it", int(t.Start), int(t.End), "")
}

// attribute reads one attribute as an item or a value.
func (p *parser) attribute() ast.Node {
	start := p.pos
	n := p.slabs.attrs.New()
	n.Name = p.text(start)[1:]
	p.next()
	switch n.Name {
	case "if", "elif", "while":
		n.Value = p.cond()
		n.Body = p.needBody(start, anyItem)
	case "else":
		if p.isWord(p.pos, token.WIf) && !p.newline(p.pos) { // @else if is @elif
			n.Name = "elif"
			p.next()
			n.Value = p.cond()
		}
		n.Body = p.needBody(start, anyItem)
	case "for", "forEach":
		n.Value = p.forHead()
		n.Body = p.needBody(start, anyItem)
	case "import":
		n.Value = p.importRest(start)
	case "export":
		p.exportAttribute(n)
	default:
		p.attributeArgs(n)
		p.attributeTail(n)
	}
	p.place(n, start)
	return n
}

func (p *parser) exportAttribute(n *ast.Attribute) {
	switch {
	case p.k() == token.LBrace:
		n.Body = p.body(anyItem)
	case !p.endsLine(p.pos):
		if !p.deeper() {
			return
		}
		from := len(p.stack)
		at := p.pos
		p.item(anyItem)
		p.depth--
		if len(p.stack) > from {
			n.Value = p.stack[len(p.stack)-1]
			p.stack = p.stack[:len(p.stack)-1]
		}
		if len(p.stack) > from { // several attributes on the line: the last is exported
			p.stack = p.stack[:from]
			n.Value = nil
			p.pos = at
			p.expected("one item")
		}
	}
}

// attributeArgs reads ( … ) behind the name of an attribute.
func (p *parser) attributeArgs(n *ast.Attribute) {
	if p.k() != token.LParen || p.newline(p.pos) {
		return
	}
	n.Flags |= ast.ParenForm
	open := p.pos
	args := p.args()
	if len(args) == 1 {
		if o, ok := args[0].(*ast.Object); ok && o.Parens == 0 {
			n.Flags |= ast.ObjectForm
			n.Config = &o.Body
			return
		}
	}
	mark := len(p.stack)
	var config []ast.Node
	for _, a := range args {
		if a.Kind() == ast.KindProperty {
			config = append(config, a)
		} else {
			p.push(a)
		}
	}
	n.Positional = p.list(mark)
	if len(config) > 0 {
		n.Config = &ast.Body{Items: config}
		p.place(n.Config, open)
	}
}

// attributeTail reads what follows the name and arguments of an attribute that
// is not in a heading: a value, a configuration or a body.
func (p *parser) attributeTail(n *ast.Attribute) {
	switch k := p.k(); {
	case k == token.LBrace:
		p.attributeBody(n)
	case p.newline(p.pos):
	case k == token.Colon:
		n.Flags |= ast.ColonForm
		colon := p.pos
		p.next()
		if p.k() == token.LBrace && p.kind(p.after(p.pos)) != token.Assign {
			p.attributeBody(n)
			return
		}
		if p.missing(colon) {
			p.noValue(colon, "@"+n.Name)
			n.Flags |= ast.Damaged
			return
		}
		n.Value = p.value(false)
	case k == token.FatArrow:
		n.Flags |= ast.ArrowForm
		p.next()
		n.Value = p.arrowBody()
	case k == token.Assign:
		n.Flags |= ast.AssignForm
		p.next()
		n.Value = p.expr()
	}
}

// attributeBody reads { … }: the configuration, or the body behind parentheses.
func (p *parser) attributeBody(n *ast.Attribute) {
	b := p.body(anyItem)
	if n.Is(ast.ParenForm) {
		n.Body = b
	} else {
		n.Config = b
	}
}

// headingAttribute reads an attribute of a heading whose body is at token brace.
func (p *parser) headingAttribute(brace int) *ast.Attribute {
	start := p.pos
	n := p.slabs.attrs.New()
	n.Name = p.text(start)[1:]
	p.next()
	p.attributeArgs(n)
	if p.k() == token.LBrace && p.pos != brace {
		p.attributeBody(n)
	}
	p.place(n, start)
	return n
}

// noValue reports key: without a value.
func (p *parser) noValue(colon int, key string) {
	t := p.toks[colon]
	p.report(diag.SYN008, colon, key).Fix("Insert 'null'", int(t.End), int(t.End), " null")
}
