package format

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
)

// typ prints a type.
func (p *printer) typ(n ast.Node) {
	if n == nil || p.dead() {
		return
	}
	parens := int(n.Common().Parens)
	p.s(strings.Repeat("(", parens))
	p.tail += parens
	p.bareType(n)
	p.tail -= parens
	p.s(strings.Repeat(")", parens))
}

func (p *printer) bareType(n ast.Node) {
	switch n := n.(type) {
	case *ast.TypeName:
		p.s(n.Path)
		for i, a := range n.Args {
			p.s([]string{"<", ", "}[min(i, 1)])
			p.typ(a)
		}
		if len(n.Args) > 0 {
			p.s(">")
		}
	case *ast.Union:
		p.union(n)
	case *ast.Intersection:
		for i, m := range n.Members {
			if i > 0 {
				p.s(" & ")
			}
			p.typ(m)
		}
	case *ast.ArrayOf:
		p.typ(n.Elem)
		p.s("[]")
	case *ast.Nullable:
		p.typ(n.Elem)
		p.s("?")
	case *ast.ObjectType:
		p.objectType(n)
	case *ast.FuncType:
		p.params(n.Params)
		p.s(" => ")
		p.typ(n.Result)
	case *ast.Tuple:
		p.s("[")
		for i, m := range n.Members {
			if i > 0 {
				p.s(", ")
			}
			p.typ(m)
		}
		p.s("]")
	case *ast.LiteralType:
		p.expr(n.X)
	case *ast.EnumType:
		p.s("enum(" + strings.Join(n.Words, " | ") + ")")
	default:
		p.expr(n)
	}
}

// union prints A | B; when it is too long a line ends behind each bar.
func (p *printer) union(n *ast.Union) {
	if p.fits(func() {
		for i, m := range n.Members {
			if i > 0 {
				p.s(" | ")
			}
			p.typ(m)
		}
	}) {
		return
	}
	p.indent += 2
	for i, m := range n.Members {
		p.typ(m)
		if i+1 < len(n.Members) {
			p.s(" |")
			p.nl()
		}
	}
	p.indent -= 2
}

func (p *printer) objectType(n *ast.ObjectType) {
	if len(n.Fields) == 0 {
		p.s("{}")
		return
	}
	field := func(f *ast.TypeField) {
		if f.Readonly {
			p.s("readonly ")
		}
		p.key(f.Key)
		if f.Optional {
			p.s("?")
		}
		p.s(": ")
		p.typ(f.Type)
	}
	if p.fits(func() {
		for i, f := range n.Fields {
			p.s([]string{"{ ", ", "}[min(i, 1)])
			field(f)
		}
		p.s(" }")
	}) {
		return
	}
	p.s("{")
	p.indent++
	for _, f := range n.Fields {
		p.nl()
		field(f)
	}
	p.indent--
	p.nl()
	p.s("}")
}
