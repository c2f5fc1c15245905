package parse

import (
	"strconv"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
)

// look counts a look at token i, and notes how far ahead it is.
func (p *parser) look(i int) {
	p.looks++
	if i > p.near {
		p.beyond(i)
	}
}

// k is the kind of the current token.
func (p *parser) k() token.Kind {
	p.look(p.pos)
	k := p.toks[p.pos].Kind
	if p.half {
		if k == token.Shr {
			return token.Gt
		}
		return token.Assign
	}
	return k
}

// kind is the kind of token i, EOF behind the end.
func (p *parser) kind(i int) token.Kind {
	p.look(i)
	return p.toks[min(i, p.eof)].Kind
}

// word is the word that token i may be.
func (p *parser) word(i int) token.Word {
	p.look(i)
	return p.toks[min(i, p.eof)].Word
}

// newline says whether token i is first on its line.
func (p *parser) newline(i int) bool {
	p.look(i)
	return p.toks[min(i, p.eof)].Flags&token.NewlineBefore != 0
}

// space says whether white space stands before token i.
func (p *parser) space(i int) bool {
	p.look(i)
	return p.toks[min(i, p.eof)].Flags&token.SpaceBefore != 0
}

// text is the spelling of token i.
func (p *parser) text(i int) string {
	p.look(i)
	t := &p.toks[min(i, p.eof)]
	return p.slice(t.Start, t.End)
}

// slice is the source between two offsets. Where a part of a text is read again it
// is one of that part alone, so that a node does not keep a whole text that was.
func (p *parser) slice(start, end uint32) string {
	if i, j := int(start)-p.srcAt, int(end)-p.srcAt; i >= 0 && j <= len(p.src) {
		return p.src[i:j]
	}
	return p.stream.Source.Text[start:end]
}

func (p *parser) next() {
	p.half = false
	if p.pos < p.eof {
		p.pos++
	}
}

// take passes the current token if it is of the kind.
func (p *parser) take(k token.Kind) bool {
	if p.k() != k {
		return false
	}
	p.next()
	return true
}

// takeWord passes the current token if it is the word.
func (p *parser) takeWord(w token.Word) bool {
	if !p.isWord(p.pos, w) {
		return false
	}
	p.next()
	return true
}

// isWord says whether token i is the word w.
func (p *parser) isWord(i int, w token.Word) bool {
	return p.kind(i) == token.Ident && p.word(i) == w
}

// isAny says whether token i is one of the words.
func (p *parser) isAny(i int, words ...token.Word) bool {
	if p.kind(i) != token.Ident {
		return false
	}
	w := p.word(i)
	for _, one := range words {
		if w == one {
			return true
		}
	}
	return false
}

// opened is the token that ends the group of the opening bracket i.
func (p *parser) close(i int) int { return int(p.partner[i]) }

// after is the token behind the group of the opening bracket i.
func (p *parser) after(i int) int {
	if j := p.close(i); p.stream.Closed(i) {
		return j + 1
	} else {
		return j
	}
}

// place sets the span of a node that began at token start and has just ended.
func (p *parser) place(n ast.Node, start int) {
	n.Common().At = p.spanFrom(start)
}

func (p *parser) spanFrom(start int) token.Span {
	from := p.toks[min(start, p.eof)].Start
	switch {
	case p.half:
		return token.Span{Start: from, End: p.toks[p.pos].Start + 1}
	case p.pos > start:
		return token.Span{Start: from, End: p.toks[p.pos-1].End}
	case start > 0: // nothing was read: behind the token before
		from = p.toks[start-1].End
	}
	return token.Span{Start: from, End: from}
}

// placeAt is place for a node that begins where another does.
func (p *parser) placeAt(n ast.Node, first ast.Node) {
	end := p.toks[max(p.pos-1, 0)].End
	if p.half {
		end = p.toks[p.pos].Start + 1
	}
	n.Common().At = token.Span{Start: first.Span().Start, End: end}
}

// raw is the source from token i up to token j without white space and comments.
func (p *parser) raw(i, j int) string {
	spaced := false
	for k := i + 1; k < j; k++ {
		if p.toks[k].Flags&token.SpaceBefore != 0 {
			spaced = true
			break
		}
	}
	if !spaced {
		return p.slice(p.toks[i].Start, p.toks[j-1].End)
	}
	p.joined = p.joined[:0]
	for k := i; k < j; k++ {
		p.joined = append(p.joined, p.text(k)...)
	}
	return string(p.joined)
}

// damage counts one damage.
func (p *parser) damage() {
	p.bads++
	p.own++
}

// report adds a finding at token i and counts the damage.
func (p *parser) report(c diag.Code, i int, slots ...string) *diag.Finding {
	p.damage()
	if p.failed {
		return nil
	}
	t := p.toks[min(i, p.eof)]
	return p.bag.Add(c, int(t.Start), int(t.End), slots...)
}

// expected reports that the current token is not what should stand here, and
// fails the item under way.
func (p *parser) expected(what string) {
	p.report(diag.SYN007, p.pos, what, p.found())
	p.failed = true
}

func (p *parser) found() string {
	if p.pos >= p.eof {
		return "end of file"
	}
	return p.text(p.pos)
}

// expect passes a token of the kind or fails.
func (p *parser) expect(k token.Kind) bool {
	if p.take(k) {
		return true
	}
	p.expected("'" + k.Operator().Text + "'")
	return false
}

// deeper enters a level of nesting; it fails the item when that is one too many.
func (p *parser) deeper() bool {
	if p.depth < MaxDepth {
		p.depth++
		return true
	}
	p.tooDeep()
	return false
}

func (p *parser) tooDeep() {
	if !p.deep {
		p.deep = true
		p.report(diag.LIM002, p.pos, "the nesting of brackets and expressions", strconv.Itoa(MaxDepth+1), strconv.Itoa(MaxDepth))
	}
	p.damage()
	p.failed = true
}

// group is the state outside of a bracket pair.
type group struct {
	open   int
	mode   mode
	rule   rule
	scan   failedScan
	cond   int
	limit  int
	branch bool
	dash   int
}

// open passes an opening bracket; what stands inside has the given mode. It is
// false, and the whole group is passed, when the nesting is too deep.
func (p *parser) open(m mode) (group, bool) {
	g := group{p.pos, p.mode, p.rule, p.scan, p.condParen, p.limit, p.branch, p.dash}
	if p.depth >= MaxDepth {
		p.tooDeep()
		p.failed = false
		p.pos = p.after(g.open)
		p.half = false
		return g, false
	}
	p.depth++
	p.mode, p.condParen, p.scan, p.limit, p.branch, p.dash = m, -1, failedScan{stop: -1}, p.close(g.open), false, 0
	p.next()
	return g, true
}

// end leaves a group, whatever of it is left over, and passes its closer.
func (p *parser) end(g group) {
	stop := p.close(g.open)
	if p.pos < stop || p.half {
		if !p.failed {
			p.expected(closerName(p.kind(g.open)))
		}
		p.pos = stop
	}
	p.failed = false
	p.half = false
	if p.stream.Closed(g.open) {
		p.pos = stop + 1
		if p.kind(stop) != closerKind(p.kind(g.open)) { // SYN003
			p.damage()
		}
	} else {
		p.damage()
	}
	p.depth--
	p.mode, p.rule, p.scan, p.condParen, p.limit, p.branch, p.dash = g.mode, g.rule, g.scan, g.cond, g.limit, g.branch, g.dash
}

func closerName(open token.Kind) string {
	if open == token.TemplateHead {
		return "'}'"
	}
	return "'" + closerKind(open).Operator().Text + "'"
}

// closerKind is the closer of an opening bracket.
func closerKind(open token.Kind) token.Kind {
	switch open {
	case token.LParen:
		return token.RParen
	case token.LBracket, token.AnnotationOpen:
		return token.RBracket
	case token.TemplateHead:
		return token.TemplateTail
	}
	return token.RBrace
}

// badFrom is a Bad node over the tokens from start to the current one.
func (p *parser) badFrom(start int) *ast.Bad {
	p.damage()
	b := p.slabs.bads.New()
	b.First, b.Last = int32(start), int32(p.pos)
	p.place(b, start)
	b.Text = p.slice(b.At.Start, b.At.End)
	b.Flags |= ast.Damaged
	return b
}

// list takes what was pushed on the stack since mark.
func (p *parser) list(mark int) []ast.Node {
	n := len(p.stack) - mark
	if n == 0 {
		return nil
	}
	out := p.slabs.nodes.Take(n)
	copy(out, p.stack[mark:])
	clear(p.stack[mark:])
	p.stack = p.stack[:mark]
	return out
}

// lineCache is the line that was looked at last.
type lineCache struct{ start, end, indent int }

// indentAt is the indentation of the line that contains token i.
func (p *parser) indentAt(i int) int {
	at := int(p.toks[min(i, p.eof)].Start)
	if at < p.line.start || at >= p.line.end {
		src := p.stream.Source
		start := src.LineStart(at)
		indent := start
		for indent < len(src.Text) && (src.Text[indent] == ' ' || src.Text[indent] == '\t') {
			indent++
		}
		p.line = lineCache{start, max(src.LineEnd(at), at+1), indent - start}
	}
	return p.line.indent
}

// slabs are of the node types that are common.
type slabs struct {
	nodes     ast.Slab[ast.Node]
	bodies    ast.Slab[ast.Body]
	keys      ast.Slab[ast.Key]
	props     ast.Slab[ast.Property]
	blocks    ast.Slab[ast.Block]
	attrs     ast.Slab[ast.Attribute]
	exprStmts ast.Slab[ast.ExprStmt]
	commands  ast.Slab[ast.Command]
	assigns   ast.Slab[ast.Assign]
	numbers   ast.Slab[ast.Number]
	strings   ast.Slab[ast.String]
	idents    ast.Slab[ast.Ident]
	paths     ast.Slab[ast.Path]
	calls     ast.Slab[ast.Call]
	members   ast.Slab[ast.Member]
	binaries  ast.Slab[ast.Binary]
	unaries   ast.Slab[ast.Unary]
	arrays    ast.Slab[ast.Array]
	objects   ast.Slab[ast.Object]
	colours   ast.Slab[ast.Colour]
	params    ast.Slab[ast.Param]
	funcs     ast.Slab[ast.Func]
	emits     ast.Slab[ast.Emit]
	bads      ast.Slab[ast.Bad]
}
