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
	case *ast.Selector:
		p.s("#" + n.Name)
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

func isOperation(word string) bool { return token.LookupWord(word).Has(token.Operation) }
