package format

import "github.com/meshd/meshd/lang/ast"

// statement prints a statement, or an expression that stands as one.
func (p *printer) statement(n ast.Node) {
	switch n := n.(type) {
	case *ast.VarDecl:
		p.varDecl(n)
	case *ast.If:
		p.ifStmt(n)
	case *ast.For:
		p.s("for ")
		p.forHead(n)
		p.guarded(n.Body)
	case *ast.ForIn:
		p.s("for ")
		p.forHead(n)
		p.guarded(n.Body)
	case *ast.While:
		p.s("while ")
		p.cond(n.Cond)
		p.guarded(n.Body)
	case *ast.DoWhile:
		p.s("do ")
		p.body(n.Body)
		p.s(" while ")
		p.cond(n.Cond)
	case *ast.Switch:
		p.switchStmt(n)
	case *ast.Try:
		p.try(n)
	case *ast.Return:
		p.s("return")
		if n.X != nil {
			p.s(" ")
			p.expr(n.X)
		}
	case *ast.Throw:
		p.s("throw ")
		p.expr(n.X)
	case *ast.Break:
		p.s("break")
	case *ast.Continue:
		p.s("continue")
	case *ast.Emit:
		p.emit(n)
	case *ast.Command:
		p.s(n.Verb)
		p.operands(n.Args, true)
	case *ast.ExprStmt:
		p.expr(n.X)
	default:
		p.expr(n)
	}
}

// operands prints the operands of a command or a stage. A comma stays where the
// next one would be read as an operator without it.
func (p *printer) operands(list []ast.Node, commas bool) {
	for i, a := range list {
		if i > 0 && commas && a.Kind() == ast.KindRegex {
			p.s(",")
		}
		p.s(" ")
		p.expr(a)
	}
}

// cond prints a condition in parentheses, which the tree does not have.
func (p *printer) cond(n ast.Node) {
	p.s("(")
	p.expr(n)
	p.s(")")
}

// guarded prints what a condition guards: a body, or one statement on its line.
func (p *printer) guarded(n ast.Node) {
	if n == nil {
		return
	}
	p.s(" ")
	if b, ok := n.(*ast.Body); ok {
		p.body(b)
		return
	}
	p.item(n)
}

func (p *printer) ifStmt(n *ast.If) {
	var last ast.Node
	for i, b := range n.Branches {
		if i > 0 {
			p.elseAfter(last)
			p.s(" ")
		}
		p.s("if ")
		p.cond(b.Cond)
		p.guarded(b.Body)
		last = b.Body
	}
	if n.Else != nil {
		p.elseAfter(last)
		p.guarded(n.Else)
	}
}

// elseAfter prints else on the line of a closing brace, or on its own line.
func (p *printer) elseAfter(last ast.Node) {
	if _, ok := last.(*ast.Body); ok {
		p.s(" else")
		return
	}
	p.nl()
	p.s("else")
}

func (p *printer) varDecl(n *ast.VarDecl) {
	p.s(n.Word)
	for i, d := range n.Decls {
		p.s([]string{" ", ", "}[min(i, 1)] + d.Name)
		if d.Pattern != nil {
			p.pattern(d.Pattern)
		}
		if d.Type != nil {
			p.s(": ")
			p.typ(d.Type)
		}
		if d.Value != nil {
			p.s(" = ")
			p.expr(d.Value)
		}
	}
}

// forHead prints the head of a loop in parentheses.
func (p *printer) forHead(n ast.Node) {
	p.s("(")
	p.forParts(n)
	p.s(")")
}

// openFor prints the head of @for, without parentheses where it can.
func (p *printer) openFor(n ast.Node) {
	if f, ok := n.(*ast.ForIn); ok && !hasBrace(f.Subject) {
		p.forParts(n)
		return
	}
	p.forHead(n)
}

func (p *printer) forParts(n ast.Node) {
	switch n := n.(type) {
	case *ast.ForIn:
		if n.Word != "" {
			p.s(n.Word + " ")
		}
		p.s(n.Name)
		if n.Pattern != nil {
			p.pattern(n.Pattern)
		}
		p.s(" " + n.Link + " ")
		p.expr(n.Subject)
	case *ast.For:
		if n.Init != nil {
			p.statement(n.Init)
		}
		p.s(";")
		if n.Cond != nil {
			p.s(" ")
			p.expr(n.Cond)
		}
		p.s(";")
		if n.Step != nil {
			p.s(" ")
			p.expr(n.Step)
		}
	}
}

func (p *printer) switchStmt(n *ast.Switch) {
	p.s("switch ")
	p.cond(n.Subject)
	inner := p.inner(&n.Body)
	if len(n.Cases) == 0 && len(inner) == 0 {
		p.s(" {}")
		return
	}
	p.s(" {")
	p.indent++
	p.nl()
	for i, c := range n.Cases {
		if i > 0 && c.Is(ast.BlankBefore) {
			p.insertBlank(p.line)
		}
		p.leadingComments(p.leading(c), c.Is(ast.Detached))
		if p.loose(c) {
			p.copy(c.At.Start, c.At.End)
			p.nl()
			continue
		}
		if len(c.Values) == 0 {
			p.s("default:")
		} else {
			p.s("case ")
			p.commaList(c.Values, 1)
			p.s(":")
		}
		p.indent++
		p.nl()
		p.items(c.Body, false, 0)
		p.indent--
		p.backToIndent()
	}
	p.endComments(inner, len(n.Cases) == 0)
	p.indent--
	p.backToIndent()
	p.s("}")
}

func (p *printer) try(n *ast.Try) {
	p.s("try ")
	p.body(n.Body)
	if n.Catch != nil {
		p.s(" catch ")
		if n.CatchName != "" {
			p.s("(" + n.CatchName + ") ")
		}
		p.body(n.Catch)
	}
	if n.Finally != nil {
		p.s(" finally ")
		p.body(n.Finally)
	}
}

func (p *printer) emit(n *ast.Emit) {
	p.s("emit")
	if n.Is(ast.ParenForm) {
		p.args(n.Args)
		return
	}
	for i, a := range n.Args {
		switch {
		case i == 0:
			p.s(" ")
		case n.Link == "," || n.Link == ":":
			p.s(n.Link + " ")
		default:
			p.s(" " + n.Link + " ")
		}
		p.expr(a)
	}
	if n.Body != nil {
		p.s(" ")
		p.object(n.Body)
	}
}
