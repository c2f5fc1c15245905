package format

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// commaList prints nodes on one line; tail bytes follow the last.
func (p *printer) commaList(list []ast.Node, tail int) {
	p.tail += tail
	for i, n := range list {
		if i > 0 {
			p.s(", ")
		}
		p.value(n)
		if p.dead() {
			break
		}
	}
	p.tail -= tail
}

// args prints ( … ): on one line if that fits; else, when the last argument is
// an object, an array or a function, that one over several lines; else one
// argument a line.
func (p *printer) args(list []ast.Node) {
	if p.fits(func() {
		p.s("(")
		p.commaList(list, 1)
		p.s(")")
	}) {
		return
	}
	if p.hugs(list) {
		p.s("(")
		p.commaList(list, 1)
		p.s(")")
		return
	}
	p.s("(")
	p.indent++
	tail := p.tail
	p.tail = 1
	for i, n := range list {
		p.nl()
		p.value(n)
		if i+1 < len(list) {
			p.s(",")
		}
	}
	p.tail = tail
	p.indent--
	p.nl()
	p.s(")")
}

// hugs says whether the last argument alone takes several lines, or a function
// body among them does so anyway.
func (p *printer) hugs(list []ast.Node) bool {
	if len(list) == 0 {
		return true
	}
	for _, n := range list {
		if x, ok := n.(*ast.Arrow); ok {
			if b, ok := x.Body.(*ast.Body); ok && len(b.Items) > 0 {
				return true
			}
		}
		if n.Kind() == ast.KindFuncLit {
			return true
		}
	}
	switch n := list[len(list)-1]; n.Kind() {
	case ast.KindObject, ast.KindArray, ast.KindTemplate, ast.KindString:
		return len(list) == 1 || p.fits0(list[:len(list)-1])
	}
	return false
}

// fits0 says whether nodes fit on the rest of the line, and prints nothing.
func (p *printer) fits0(list []ast.Node) bool {
	at, line := len(p.out), p.line
	ok := p.fits(func() { p.commaList(list, 3) })
	p.out, p.line = p.out[:at], line
	return ok
}

// object prints the braces of a value: on one line when it contains properties
// only, without comments and functions, and fits.
func (p *printer) object(b *ast.Body) {
	if len(b.Items) == 0 && len(p.inner(b)) == 0 {
		p.s("{}")
		return
	}
	if p.plain(b) && p.fits(func() {
		for i, n := range b.Items {
			p.s([]string{"{ ", ", "}[min(i, 1)])
			p.item(n)
			if p.dead() {
				return
			}
		}
		p.s(" }")
	}) {
		return
	}
	p.body(b)
}

// plain says whether an object may stand on one line.
func (p *printer) plain(b *ast.Body) bool {
	if len(p.inner(b)) > 0 || b.HasError() {
		return false
	}
	for _, n := range b.Items {
		if p.f.Comments(n) != nil {
			return false
		}
		q, ok := n.(*ast.Property)
		if !ok {
			if shorthand(n) {
				continue
			}
			return false
		}
		switch v := q.Value.(type) {
		case *ast.Arrow, *ast.FuncLit, *ast.Block, *ast.Command, *ast.Emit:
			return false
		case *ast.String:
			if v.Raw[0] == '|' {
				return false
			}
		}
	}
	return true
}

// shorthand says whether an item of an object is a name that stands for a
// property, or a spread.
func shorthand(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ExprStmt:
		return n.X.Kind() == ast.KindIdent && n.X.Common().Parens == 0
	case *ast.Spread:
		return true
	}
	return false
}

// array prints [ … ]: on one line if it fits; numbers filled to the width; else
// one element a line.
func (p *printer) array(n *ast.Array) {
	inner := p.inner(n)
	if len(n.Elements) == 0 && len(inner) == 0 {
		p.s("[]")
		return
	}
	comments, numbers := len(inner) > 0, true
	for _, e := range n.Elements {
		comments = comments || p.f.Comments(e) != nil || e.HasError()
		numbers = numbers && isNumber(e)
	}
	if !comments && p.fits(func() {
		for i, e := range n.Elements {
			p.s([]string{"[", ", "}[min(i, 1)])
			p.value(e)
			if p.dead() {
				return
			}
		}
		p.s("]")
	}) {
		return
	}
	if p.flat { // with comments
		p.over = true
		return
	}
	p.s("[")
	p.indent++
	tail := p.tail
	p.tail = 0
	p.nl()
	if numbers && !comments {
		p.fill(n.Elements)
	} else {
		p.elementLines(n.Elements)
	}
	p.endComments(inner, len(n.Elements) == 0)
	p.tail = tail
	p.indent--
	p.backToIndent()
	p.s("]")
}

func isNumber(n ast.Node) bool {
	if u, ok := n.(*ast.Unary); ok && u.Op == "-" {
		n = u.X
	}
	return n.Kind() == ast.KindNumber
}

// fill prints numbers side by side up to the width.
func (p *printer) fill(list []ast.Node) {
	for i, n := range list {
		if i > 0 && !p.fits(func() { p.s(" "); p.tail = 1; p.expr(n) }) {
			p.nl()
			p.expr(n)
		} else if i == 0 {
			p.expr(n)
		}
		if i+1 < len(list) {
			p.s(",")
		}
	}
	p.nl()
}

// elementLines prints elements on lines of their own, as items are.
func (p *printer) elementLines(list []ast.Node) {
	for i, n := range list {
		if i > 0 && p.leadBlank(n) {
			p.insertBlank(p.line)
		}
		p.leadingComments(p.leading(n), false)
		if p.loose(n) || p.damaged(n) {
			p.copy(n.Span().Start, n.Span().End)
		} else {
			p.value(n)
		}
		if i+1 < len(list) && (p.strict || joins(list[i+1])) && p.bar != len(p.out) {
			p.s(",")
		}
		p.trailing(n)
		p.nl()
	}
}

// leadBlank says whether the author left an empty line before the comments of
// an element.
func (p *printer) leadBlank(n ast.Node) bool {
	lead := p.leading(n)
	return len(lead) > 0 && lead[0].Flags&token.BlankBefore != 0
}

// joins says whether an element would be read as the rest of the one before it
// without a comma: it starts like an operator.
func joins(n ast.Node) bool {
	if n.Common().Parens > 0 {
		return false
	}
	switch n := n.(type) {
	case *ast.Unary:
		return !n.Postfix && (n.Op == "-" || n.Op == "+") || n.Postfix && joins(n.X)
	case *ast.Regex:
		return true
	case *ast.Ident:
		return isOperation(n.Name)
	case *ast.Path:
		word, _, _ := strings.Cut(n.Raw, ".")
		return isOperation(word)
	case *ast.Binary:
		return joins(n.X)
	case *ast.Ternary:
		return joins(n.Cond)
	case *ast.Pipe:
		return joins(n.X)
	case *ast.Call:
		return joins(n.Fn)
	case *ast.Member:
		return joins(n.X)
	case *ast.Index:
		return joins(n.X)
	case *ast.Cast:
		return joins(n.X)
	case *ast.Assign:
		return joins(n.Target)
	}
	return false
}
