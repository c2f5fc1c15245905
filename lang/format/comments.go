package format

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// leading are the comments before a node. The first line of a script, #!, is
// printed by itself.
func (p *printer) leading(n ast.Node) []token.Comment {
	c := p.f.Comments(n)
	if c == nil {
		return nil
	}
	return withoutShebang(c.Leading)
}

func withoutShebang(list []token.Comment) []token.Comment {
	if len(list) > 0 && list[0].Style == token.Shebang {
		return list[1:]
	}
	return list
}

func (p *printer) inner(n ast.Node) []token.Comment {
	if c := p.f.Comments(n); c != nil {
		return withoutShebang(c.Inner)
	}
	return nil
}

func (p *printer) hasTrailing(n ast.Node) bool {
	c := p.f.Comments(n)
	return c != nil && len(c.Trailing) > 0
}

// leadingComments prints the comments before an item on lines of their own. An
// author's empty line between two of them stays, and one behind the last when
// detached; the one before the first is the item's.
func (p *printer) leadingComments(list []token.Comment, detached bool) {
	for i, c := range list {
		if i > 0 && c.Flags&token.BlankBefore != 0 {
			p.insertBlank(p.line)
		}
		p.comment(c)
		p.nl()
	}
	if detached && len(list) > 0 {
		p.insertBlank(p.line)
	}
}

// endComments prints the comments at the end of a body.
func (p *printer) endComments(list []token.Comment, first bool) {
	if len(list) > 0 && !first && list[0].Flags&token.BlankBefore != 0 {
		p.insertBlank(p.line)
	}
	p.leadingComments(list, false)
}

// trailing prints the comments behind an item, two spaces away.
func (p *printer) trailing(n ast.Node) {
	c := p.f.Comments(n)
	if c == nil {
		return
	}
	for i, one := range c.Trailing {
		p.s([]string{"  ", " "}[min(i, 1)])
		p.comment(one)
	}
}

// comment prints one comment; the lines of a block comment move as a whole.
func (p *printer) comment(c token.Comment) {
	text := strings.TrimRight(p.f.Text()[c.Start:c.End], " \t\r\n")
	switch c.Style {
	case token.Hash:
		p.s("//" + text[1:])
		return
	case token.Line, token.Shebang:
		p.s(text)
		return
	}
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
	from := p.lineIndent(c)
	for i, l := range lines {
		l = strings.TrimRight(l, " \t")
		if i == 0 {
			p.s(l)
			continue
		}
		cut := 0
		for cut < len(l) && cut < from && (l[cut] == ' ' || l[cut] == '\t') {
			cut++
		}
		p.nl()
		if l == "" {
			p.trim()
		}
		p.s(l[cut:])
	}
}

// lineIndent is the indentation of the line in the source on which a comment starts.
func (p *printer) lineIndent(c token.Comment) int {
	text := p.f.Text()
	start := strings.LastIndexAny(text[:c.Start], "\r\n") + 1
	end := start
	for text[end] == ' ' || text[end] == '\t' {
		end++
	}
	return end - start
}
