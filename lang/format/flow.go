package format

import "github.com/meshd/meshd/lang/ast"

func (p *printer) mapping(n *ast.Mapping) {
	p.expr(n.From)
	p.s(map[bool]string{true: " <-> ", false: " -> "}[n.Both])
	p.expr(n.To)
	for _, c := range n.Calls {
		p.s(" : ")
		p.expr(c)
	}
	for _, c := range n.Actions {
		p.s(" ")
		p.expr(c)
	}
	if n.Body != nil {
		p.s(" ")
		p.object(n.Body)
	}
}

func (p *printer) check(n ast.Node) {
	switch n := n.(type) {
	case *ast.Choice:
		for i, c := range n.Checks {
			if i > 0 {
				p.s(" OR ")
			}
			p.check(c)
		}
	case *ast.Check:
		p.s(n.Name)
		if n.Is(ast.ParenForm) {
			p.args(n.Args)
		}
		if n.Literal != nil {
			p.s(" ")
			p.expr(n.Literal)
		}
	}
}

func (p *printer) wire(n *ast.Wire) {
	p.s("connect ")
	p.expr(n.From)
	p.s(map[bool]string{true: " to ", false: " -> "}[n.Is(ast.WordForm)])
	p.expr(n.To)
	if n.Is(ast.ParenForm) {
		p.args(n.Args)
	}
	if n.Assign != nil {
		p.s(" = ")
		p.expr(n.Assign)
	}
	if n.Label != nil {
		p.s(" as ")
		p.expr(n.Label)
	}
}

func (p *printer) execute(n *ast.Execute) {
	p.s("execute ")
	p.expr(n.Target)
	if n.Is(ast.ParenForm) {
		p.args(n.Args)
	}
	switch {
	case n.Every != nil:
		p.s(" every ")
		p.expr(n.Every)
	case n.After != nil:
		p.s(" after ")
		p.expr(n.After)
	case n.Forever:
		p.s(" repeat forever")
	}
}

// importRest prints an import behind its word.
func (p *printer) importRest(n *ast.Import) {
	gap := " "
	if n.TypeOnly {
		p.s(" type")
	}
	if n.Default != "" {
		p.s(" " + n.Default)
		gap = ", "
	}
	if n.Star != "" {
		p.s(" * as " + n.Star)
		gap = ", "
	}
	if n.HasNames {
		p.s(gap)
		p.importNames(n.Names)
	}
	if n.Default != "" || n.Star != "" || n.HasNames {
		p.s(" from")
	}
	p.s(" ")
	p.expr(n.Source)
}

// importNames prints { a, b as c }, filled to the width when it is long.
func (p *printer) importNames(names []*ast.ImportName) {
	one := func(i int) {
		p.s(names[i].Name)
		if names[i].Alias != "" {
			p.s(" as " + names[i].Alias)
		}
	}
	if len(names) == 0 {
		p.s("{}")
		return
	}
	if p.fits(func() {
		for i := range names {
			p.s([]string{"{ ", ", "}[min(i, 1)])
			one(i)
		}
		p.s(" }")
	}) {
		return
	}
	p.s("{")
	p.indent++
	p.nl()
	for i := range names {
		if i > 0 && !p.fits(func() { p.s(", "); one(i) }) {
			p.s(",")
			p.nl()
			one(i)
		} else if i == 0 {
			one(i)
		}
	}
	p.indent--
	p.nl()
	p.s("}")
}

func (p *printer) export(n *ast.Export) {
	p.s("export ")
	switch {
	case n.Star:
		p.s("*")
		if n.Alias != "" {
			p.s(" as " + n.Alias)
		}
	case n.Is(ast.ObjectForm):
		p.importNames(n.Names)
	default:
		if n.IsDefault {
			p.s("default ")
		}
		if n.Item != nil {
			p.item(n.Item)
		}
	}
	if n.Source != nil {
		p.s(" from ")
		p.expr(n.Source)
	}
}
