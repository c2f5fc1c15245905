package format

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// value prints what stands behind a colon: an expression, a type, or one of the
// forms that only values have.
func (p *printer) value(n ast.Node) {
	switch n := n.(type) {
	case nil:
	case *ast.Transition:
		p.s("-> ")
		p.expr(n.Target)
		for _, c := range n.Calls {
			p.s(" ")
			p.expr(c)
		}
		if n.Options != nil {
			p.s(" ")
			p.object(n.Options)
		}
	case *ast.Block:
		p.block(n)
	case *ast.Command, *ast.Emit:
		p.statement(n)
	default:
		if n.Kind().IsType() {
			p.typ(n)
			return
		}
		p.expr(n)
	}
}

// expr prints an expression with the author's parentheses.
func (p *printer) expr(n ast.Node) {
	if n == nil || p.dead() {
		return
	}
	parens := int(n.Common().Parens)
	p.s(strings.Repeat("(", parens))
	p.tail += parens
	p.operand(n)
	p.tail -= parens
	p.s(strings.Repeat(")", parens))
}

func (p *printer) operand(n ast.Node) {
	switch n := n.(type) {
	case *ast.Number:
		p.s(n.Raw)
	case *ast.String:
		p.text(n)
	case *ast.Template:
		p.template(n)
	case *ast.Bool:
		p.s(map[bool]string{true: "true", false: "false"}[n.Value])
	case *ast.Null:
		p.s(map[bool]string{true: "undefined", false: "null"}[n.Undefined])
	case *ast.Colour:
		p.s(n.Raw)
	case *ast.Regex:
		p.s(n.Raw)
	case *ast.Ident:
		p.s(n.Name)
	case *ast.EnumWord:
		p.s(n.Name)
	case *ast.AxisWord:
		p.s(n.Name)
	case *ast.StateRef:
		p.s("$" + n.Name)
	case *ast.NameRef:
		p.s("#{")
		p.expr(n.X)
		p.s("}")
	case *ast.Path:
		p.s(n.Raw)
	case *ast.Array:
		p.array(n)
	case *ast.Object:
		p.object(&n.Body)
	case *ast.Sequence:
		p.s("(")
		p.commaList(n.List, 1)
		p.s(")")
	case *ast.AttrValue:
		p.attributeValue(n.Attr)
	case *ast.Property:
		p.property(n)
	case *ast.Spread:
		p.s("...")
		p.expr(n.X)
	case *ast.Block:
		p.block(n)
	default:
		if !p.operation(n) {
			p.compound(n)
		}
	}
}

// operation prints the expressions made of operators and links.
func (p *printer) operation(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Member:
		p.expr(n.X)
		p.s(map[bool]string{true: "?.", false: "."}[n.Optional] + n.Name)
	case *ast.Index:
		p.expr(n.X)
		p.s(map[bool]string{true: "?.[", false: "["}[n.Optional])
		p.tail++
		p.expr(n.I)
		p.tail--
		p.s("]")
	case *ast.Call:
		p.expr(n.Fn)
		if n.Tagged {
			p.expr(n.Args[0])
			break
		}
		if n.Optional {
			p.s("?.")
		}
		p.args(n.Args)
	case *ast.New:
		p.s("new ")
		p.typ(n.Type)
		if n.Is(ast.ParenForm) {
			p.args(n.Args)
		}
	case *ast.Unary:
		p.unary(n)
	case *ast.Binary:
		p.expr(n.X)
		if n.Op == ".." {
			p.s("..")
		} else {
			p.s(" " + n.Op + " ")
		}
		p.expr(n.Y)
	case *ast.Ternary:
		p.expr(n.Cond)
		p.s(" ? ")
		p.expr(n.Then)
		p.s(" : ")
		p.expr(n.Else)
	case *ast.Assign:
		p.expr(n.Target)
		p.s(" " + n.Op + " ")
		p.expr(n.Value)
	case *ast.Cast:
		p.expr(n.X)
		p.s(" as ")
		p.typ(n.Type)
	default:
		return false
	}
	return true
}

func (p *printer) unary(n *ast.Unary) {
	if n.Postfix {
		p.expr(n.X)
		p.s(n.Op)
		return
	}
	p.s(n.Op)
	switch c := n.Op[len(n.Op)-1]; {
	case c >= 'a' && c <= 'z':
		p.s(" ")
	case c == '+' || c == '-': // - -x is not --x
		if u, ok := n.X.(*ast.Unary); ok && !u.Postfix && u.Parens == 0 && u.Op[0] == c {
			p.s(" ")
		}
	}
	p.expr(n.X)
}

// compound prints the expressions with bodies.
func (p *printer) compound(n ast.Node) {
	switch n := n.(type) {
	case *ast.Arrow:
		if n.Async {
			p.s("async ")
		}
		if n.Is(ast.ParenForm) {
			p.params(n.Params)
		} else {
			p.s(n.Params[0].Name)
		}
		if n.Result != nil {
			p.s(": ")
			p.typ(n.Result)
		}
		p.s(" => ")
		p.arrowBody(n.Body)
	case *ast.FuncLit:
		p.s("function ")
		p.s(n.Name)
		p.params(n.Params)
		if n.Result != nil {
			p.s(": ")
			p.typ(n.Result)
		}
		p.s(" ")
		p.body(n.Body)
	case *ast.Spawn:
		p.s("spawn ")
		p.expr(n.X)
		if n.Place != nil {
			p.s(" at ")
			p.expr(n.Place)
		}
		if n.Body != nil {
			p.s(" ")
			p.object(n.Body)
		}
	case *ast.Computed:
		p.s("computed ")
		p.object(n.Body)
	case *ast.Constructor:
		p.s(n.Name + " ")
		p.object(n.Body)
	case *ast.Match:
		p.match(n)
	case *ast.Pipe:
		p.expr(n.X)
		for _, s := range n.Stages {
			p.s(" | " + s.Word)
			p.operands(s.Operands, false)
		}
	case *ast.Bad:
		p.copy(n.At.Start, n.At.End)
	}
}

func (p *printer) match(n *ast.Match) {
	p.s("match ")
	p.cond(n.Subject)
	inner := p.inner(&n.Body)
	if len(n.Arms) == 0 && len(inner) == 0 {
		p.s(" {}")
		return
	}
	p.s(" {")
	p.indent++
	p.nl()
	for _, a := range n.Arms {
		p.leadingComments(p.leading(a), false)
		if p.loose(a) {
			p.copy(a.At.Start, a.At.End)
			p.trailing(a)
			p.nl()
			continue
		}
		p.expr(a.Pattern)
		if a.Guard != nil {
			p.s(" if ")
			p.expr(a.Guard)
		}
		p.s(" => ")
		p.arrowBody(a.Body)
		p.trailing(a)
		p.nl()
	}
	p.endComments(inner, len(n.Arms) == 0)
	p.indent--
	p.backToIndent()
	p.s("}")
}

// attributeValue prints a trait as a value.
func (p *printer) attributeValue(n *ast.Attribute) {
	if p.control(n) {
		return
	}
	if n.Body != nil || n.Value != nil {
		p.valueAttribute(n)
		return
	}
	p.headingAttribute(n)
}

// text prints a string: in double quotes unless single ones need fewer escapes.
func (p *printer) text(n *ast.String) {
	switch {
	case n.Raw[0] == '|':
		p.blockString(n)
	case strings.HasPrefix(n.Raw, `"""`) || p.strict && n.Raw[0] == '"' || n.Is(ast.Damaged):
		p.raw(lf(n.Raw))
	default:
		p.quoted(n.Raw)
	}
}

// lf makes LF of the line ends in a text.
func lf(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// quoted prints a quoted text with the quotes that need fewer escapes.
func (p *printer) quoted(raw string) {
	if strings.HasPrefix(raw, `"""`) || p.strict && raw[0] == '"' {
		p.raw(lf(raw))
		return
	}
	inner := lf(raw[1 : len(raw)-1])
	mark := byte('"')
	if strings.Count(inner, `"`) > strings.Count(inner, "'") {
		mark = '\''
	}
	if raw[0] == mark && strings.IndexByte(inner, '\\') < 0 {
		p.raw(string(mark) + inner + string(mark))
		return
	}
	out := make([]byte, 1, len(inner)+4)
	out[0] = mark
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		if c == '\\' && i+1 < len(inner) {
			i++
			if c = inner[i]; c != '"' && c != '\'' {
				out = append(out, '\\', c)
				continue
			}
		}
		if c == mark {
			out = append(out, '\\')
		}
		out = append(out, c)
	}
	p.raw(string(append(out, mark)))
}

// blockString prints | and the lines of the text below it, deeper than the line
// that the bar stands on.
func (p *printer) blockString(n *ast.String) {
	p.over = true
	p.s("|")
	value := n.Value()
	if value == "" {
		return
	}
	p.indent++
	for _, l := range strings.Split(strings.TrimSuffix(value, "\n"), "\n") {
		p.nl()
		p.s(l)
	}
	p.indent--
	p.bar = len(p.out)
}

func (p *printer) template(n *ast.Template) {
	p.s("`")
	p.raw(lf(n.Texts[0]))
	for i, x := range n.Exprs {
		p.s("${")
		p.expr(x)
		p.s("}")
		p.raw(lf(n.Texts[i+1]))
	}
	p.s("`")
}

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

// object prints the braces of a value: on one line when it holds properties
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

func isOperation(word string) bool { return token.LookupWord(word).Has(token.Operation) }
