package format

import (
	"bytes"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// items prints the items of a body, each on its own lines. The current line
// has indentation only when it is called and when it returns. Skip says how
// many of the first comments were printed on the line of the brace.
func (p *printer) items(b *ast.Body, top bool, skip int) {
	first, tall := true, false
	var last ast.Node
	for i := 0; i < len(b.Items); i++ {
		n := b.Items[i]
		lead := p.leading(n)[skip:]
		skip = 0
		if len(lead) == 0 && last != nil && continues(last, n) && !p.hasTrailing(last) {
			p.backToLine()
			p.s(" ")
		}
		at := p.line
		p.leadingComments(lead, n.Common().Is(ast.Detached))
		from := len(p.out)
		end := p.run(b.Items, i, top)
		block := isTall(n) && bytes.IndexByte(p.out[from:], '\n') >= 0
		if !first && at <= from && p.apart(last, n, top, tall || block, lead) {
			p.insertBlank(at)
		}
		if p.commaBehind(b, end) {
			p.s(",")
		}
		p.trailing(b.Items[end])
		i = end
		first, last, tall = false, b.Items[end], block
		p.nl()
	}
	p.endComments(p.inner(b)[skip:], first)
}

// commaBehind says whether a comma must stand behind an item: in a value
// document behind all but the last.
func (p *printer) commaBehind(b *ast.Body, i int) bool {
	return p.strict && i+1 < len(b.Items) && b != &p.f.Body && p.bar != len(p.out)
}

// continues says whether an attribute goes on with the one before it: @else.
func continues(last, n ast.Node) bool {
	a, ok := n.(*ast.Attribute)
	if !ok || a.Name != "else" && a.Name != "elif" || a.Is(ast.Damaged) {
		return false
	}
	before, ok := last.(*ast.Attribute)
	return ok && (before.Name == "if" || before.Name == "elif") && !before.Is(ast.Damaged)
}

// backToLine takes the line break before the current line back.
func (p *printer) backToLine() {
	end := len(bytes.TrimRight(p.out, " \n"))
	p.out = p.out[:end]
	p.line = bytes.LastIndexByte(p.out, '\n') + 1
}

// isTall says whether an item stands apart from its neighbours when it takes
// several lines.
func isTall(n ast.Node) bool {
	switch n.Kind() {
	case ast.KindBlock, ast.KindFunc, ast.KindCondBlock, ast.KindAttribute:
		return true
	case ast.KindExport:
		return isTall0(n.(*ast.Export).Item)
	}
	return false
}

func isTall0(n ast.Node) bool { return n != nil && isTall(n) }

// belongsToNext says whether an item is about the one behind it.
func belongsToNext(n ast.Node) bool {
	a, ok := n.(*ast.Attribute)
	return ok && a.Name == "platform" && a.Body == nil && a.Value == nil || n.Kind() == ast.KindAnnotation
}

// apart says whether an empty line stands between two items.
func (p *printer) apart(last, n ast.Node, top, tall bool, lead []token.Comment) bool {
	author := n.Common().Is(ast.BlankBefore)
	switch {
	case last.Kind() == ast.KindImport && n.Kind() == ast.KindImport && len(lead) == 0:
		return false
	case continues(last, n) && len(lead) == 0 && !p.hasTrailing(last):
		return false
	case belongsToNext(last):
		return author
	}
	return top || tall || author
}

// run prints item i, or from it on all items on one line of the source that are
// copied as they are, and returns the index of the last.
func (p *printer) run(items []ast.Node, i int, top bool) int {
	n := items[i]
	if !p.verbatim(n, top) {
		p.item(n)
		return i
	}
	end := i
	for end+1 < len(items) && p.verbatim(items[end+1], top) && p.sameLine(items[end], items[end+1]) {
		end++
	}
	if p.headingOnly(n) && end == i {
		p.item(n)
		return i
	}
	p.copy(n.Span().Start, items[end].Span().End)
	return end
}

// sameLine says whether no line break stands between two items in the source.
func (p *printer) sameLine(a, b ast.Node) bool {
	return !strings.ContainsAny(p.f.Text()[a.Span().End:b.Span().Start], "\r\n")
}

// copy prints a stretch of the source as it is written.
func (p *printer) copy(start, end uint32) {
	text := p.f.Text()[start:end]
	p.raw(strings.TrimRight(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), " \t\n"))
}

// verbatim says whether a node is copied from the source: it is damaged other
// than inside a body, or a comment stands where no list is.
func (p *printer) verbatim(n ast.Node, top bool) bool {
	return p.loose(n) || p.damaged(n) || top && p.keep != nil && p.keep(n)
}

// loose says whether a comment stands inside a node at no list.
func (p *printer) loose(n ast.Node) bool {
	switch n.Kind() {
	case ast.KindBody, ast.KindArray:
		return false
	}
	c := p.f.Comments(n)
	return c != nil && len(c.Inner) > 0
}

// damaged says whether an item itself, and not only an item in a body of it, is
// damaged.
func (p *printer) damaged(n ast.Node) bool {
	return n.Kind() == ast.KindBad || n.Common().Is(ast.Broken)
}

// headingOnly says whether only the heading of a block is to be copied.
func (p *printer) headingOnly(n ast.Node) bool {
	b, ok := n.(*ast.Block)
	return ok && p.loose(n) && !p.damaged(n) && (p.keep == nil || !p.keep(n)) && b.Body != nil && !b.Body.Is(ast.NoBraces)
}

// item prints an item.
func (p *printer) item(n ast.Node) {
	switch n := n.(type) {
	case *ast.Block:
		p.block(n)
	case *ast.Attribute:
		p.attribute(n)
	case *ast.Property:
		p.property(n)
	case *ast.Func:
		p.function(n)
	case *ast.LineDirective:
		p.directive(n)
	case *ast.CondBlock:
		p.condBlock(n)
	case *ast.Annotation:
		p.s("#[")
		p.commaList(n.Args, 1)
		p.s("]")
	case *ast.List:
		p.s(n.ListKind)
		for _, a := range n.HeadArgs {
			p.s(" ")
			p.expr(a)
		}
		p.s(" ")
		p.array(n.Elements)
	case *ast.TypedMember:
		p.typedMember(n)
	case *ast.Override:
		p.s("override ")
		p.expr(n.Path)
		p.s(" = ")
		p.expr(n.Value)
	case *ast.Spread:
		p.s("...")
		p.expr(n.X)
	default:
		if !p.flow(n) {
			p.statement(n)
		}
	}
}

// flow prints the items of wiring and pipelines, and imports and exports.
func (p *printer) flow(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Mapping:
		p.mapping(n)
	case *ast.Enumerator:
		p.expr(n.Name)
		if n.Is(ast.ColonForm) {
			p.s(": ")
			p.value(n.Value)
		} else if n.Value != nil {
			p.s(" = ")
			p.expr(n.Value)
		}
	case *ast.Rule:
		p.expr(n.Subject)
		for i, c := range n.Checks {
			p.s([]string{": ", ", "}[min(i, 1)])
			p.check(c)
		}
	case *ast.Route:
		if n.When == nil {
			p.s("default")
		} else {
			p.s("when ")
			p.expr(n.When)
		}
		p.s(" -> ")
		if n.Is(ast.WordForm) {
			p.s("sink ")
		}
		p.expr(n.Sink)
	case *ast.Wire:
		p.wire(n)
	case *ast.Execute:
		p.execute(n)
	case *ast.Import:
		p.s("import")
		p.importRest(n)
	case *ast.Export:
		p.export(n)
	default:
		return false
	}
	return true
}

func (p *printer) directive(n *ast.LineDirective) {
	if len(bytes.Trim(p.out[p.line:], " ")) == 0 { // F16: unindented
		p.out = p.out[:p.line]
	}
	p.s("#" + n.Name)
	if n.Text != "" {
		p.s(" " + n.Text)
	}
	p.bar = len(p.out)
}

func (p *printer) condBlock(n *ast.CondBlock) {
	for i, b := range n.Branches {
		p.s([]string{"#if ", " #elif "}[min(i, 1)])
		p.openCond(b.Cond)
		p.s(" ")
		p.body(b.Body)
	}
	if n.Else != nil {
		p.s(" #else ")
		p.body(n.Else)
	}
}

// openCond prints a condition without parentheses where { cannot be mistaken.
func (p *printer) openCond(n ast.Node) {
	if hasBrace(n) {
		p.cond(n)
		return
	}
	p.expr(n)
}

// hasBrace says whether an expression contains braces that a body could be mistaken for.
func hasBrace(n ast.Node) bool {
	found := false
	ast.Walk(n, func(n ast.Node) bool {
		switch n.Kind() {
		case ast.KindObject, ast.KindConstructor, ast.KindComputed, ast.KindMatch, ast.KindSpawn, ast.KindFuncLit, ast.KindArrow,
			ast.KindAttrValue, ast.KindAssign:
			found = true
		}
		return !found
	})
	return found
}

// body prints { … } with each item on its own line, {} when there is none.
func (p *printer) body(b *ast.Body) {
	inner := p.inner(b)
	if len(b.Items) == 0 && len(inner) == 0 {
		p.s("{}")
		return
	}
	if p.flat {
		p.over = true
		return
	}
	p.s("{")
	p.indent++
	skip := 0
	if b.Is(ast.SameLine) {
		first := inner
		if len(b.Items) > 0 {
			first = p.leading(b.Items[0])
		}
		if len(first) > 0 && first[0].Flags&token.NewlineBefore == 0 {
			p.s("  ")
			p.comment(first[0])
			skip = 1
		}
	}
	p.nl()
	tail := p.tail
	p.tail = 0
	p.items(b, false, skip)
	p.tail = tail
	p.indent--
	p.backToIndent()
	p.s("}")
}

// backToIndent gives an empty line the indentation that is current now.
func (p *printer) backToIndent() {
	p.out = append(p.out[:p.line], strings.Repeat("  ", p.indent)...)
}

// block prints a heading and its body.
func (p *printer) block(n *ast.Block) {
	if p.loose(n) {
		p.copyHeading(n)
		p.body(n.Body)
		return
	}
	if n.Body.Is(ast.NoBraces) {
		p.heading(n, false)
		return
	}
	if !p.breakable(n) {
		p.heading(n, false)
	} else if !p.fits(func() { p.heading(n, false); p.s(" {") }) {
		p.heading(n, true)
	} else if p.dead() {
		return
	} else {
		p.out = p.out[:len(p.out)-2]
	}
	p.s(" ")
	p.blockBody(n)
}

// breakable says whether a heading may go on over several lines: not when a trait
// of it keeps its braces.
func (p *printer) breakable(n *ast.Block) bool {
	for _, a := range n.Heading().Attrs {
		if a.Body != nil || a.Config != nil && !p.onlyProperties(a.Config) {
			return false
		}
	}
	return true
}

func (p *printer) blockBody(n *ast.Block) {
	if (n.BlockKind == "exports" || n.BlockKind == "persist") && p.plainNames(n.Body) {
		p.fillNames(n.Body)
		return
	}
	p.body(n.Body)
}

func (p *printer) copyHeading(n *ast.Block) {
	start, end := n.At.Start, n.Body.At.Start
	p.copy(start, end)
	text := p.f.Text()[start:end]
	if strings.ContainsAny(text[len(strings.TrimRight(text, " \t\r\n")):], "\r\n") {
		p.nl()
		return
	}
	p.s(" ")
}

// plainNames says whether a body contains nothing but words without comments.
func (p *printer) plainNames(b *ast.Body) bool {
	if len(p.inner(b)) > 0 || len(b.Items) == 0 {
		return false
	}
	for _, n := range b.Items {
		if k := n.Kind(); k != ast.KindIdent && k != ast.KindPath || p.f.Comments(n) != nil {
			return false
		}
	}
	return true
}

// fillNames fills words to the width: F04.
func (p *printer) fillNames(b *ast.Body) {
	if p.fits(func() {
		p.s("{ ")
		for _, n := range b.Items {
			p.expr(n)
			p.s(" ")
		}
		p.s("}")
	}) {
		return
	}
	p.s("{")
	p.indent++
	p.nl()
	for i, n := range b.Items {
		if i > 0 && !p.fits(func() { p.s(" "); p.expr(n) }) {
			p.nl()
			p.expr(n)
		} else if i == 0 {
			p.expr(n)
		}
	}
	p.indent--
	p.nl()
	p.s("}")
}
