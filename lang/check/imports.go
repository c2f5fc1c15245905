package check

import (
	"slices"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/token"
)

// imports declares what the file imports, and judges where it comes from.
func (c *checker) imports() {
	for _, im := range c.imported {
		c.importOne(im)
	}
	c.reexports()
	c.exportNames()
}

// importOne declares the names of an import.
func (c *checker) importOne(im *ast.Import) {
	broken := im.Is(ast.Broken) || im.Source == nil
	var from *exports
	if !broken {
		from = c.load(im)
	}
	if from == nil {
		c.open = c.open || c.o.Project == nil || !broken
	}
	declare := func(name, asked string, at token.Span, decl ast.Node) {
		s := c.symbol(c.top, Imported, name, at, decl, "import "+name)
		if before := c.top.names[name]; before != nil {
			c.add("NAM002", at, name).Related("Declared here.", int(before.At.Start), int(before.At.End))
			return
		}
		c.top.declare(s)
		if from == nil && c.o.Project != nil {
			c.mentions[name] = true // its own error says enough
		}
		if from == nil || asked == "" {
			return
		}
		target := from.names[asked]
		if target == nil {
			if !from.open {
				c.notExported(im, asked, decl, from)
				c.mentions[name] = true
			}
			return
		}
		c.adopt(s, target, name)
	}
	if im.Default != "" {
		declare(im.Default, "", c.wordIn(im.At, im.Default, 1), im)
	}
	if im.Star != "" {
		declare(im.Star, "", c.wordIn(im.At, im.Star, 1), im)
	}
	for _, n := range im.Names {
		name, at := n.Name, token.Span{Start: n.At.Start, End: n.At.Start + uint32(len(n.Name))}
		if n.Alias != "" {
			name, at = n.Alias, c.wordIn(n.At, n.Alias, 2)
		}
		declare(name, n.Name, at, n)
		if from != nil && from.names[n.Name] != nil {
			first := token.Span{Start: n.At.Start, End: n.At.Start + uint32(len(n.Name))}
			c.refer(first, from.names[n.Name])
		}
		if from != nil && from.cyclic {
			c.cycle[name] = true
		}
	}
	if from != nil && !im.TypeOnly { // an import runs the declarations
		for name, t := range from.templates {
			if c.templates[name] == nil {
				c.templates[name] = t
			}
		}
		if len(im.Names) == 0 && im.Default == "" && im.Star == "" {
			for name, s := range from.names {
				if s.own != nil && len(c.named[name]) == 0 {
					c.named[name] = append(c.named[name], s.own)
				}
			}
		}
		entries := from.traits
		if len(entries) > 0 {
			if next, faults := c.reg.Define(entries); len(faults) == 0 {
				c.reg = next
			}
		}
	}
	if from != nil && from.cyclic {
		c.early(im)
	}
}

// adopt makes an imported name mean what the other file declares.
func (c *checker) adopt(s, target *Symbol, name string) {
	s.typ, s.declared, s.Detail = target.typ, target.declared, target.Detail
	if target.own != nil {
		s.own = target.own
		if target.Kind == Node || target.Kind == Module || target.Kind == Template {
			c.named[name] = append(c.named[name], target.own)
			if target.Kind == Template && c.templates[name] == nil {
				c.templates[name] = target.own
			}
		}
	}
	if target.Kind == TypeDecl && c.types[name] == nil {
		c.types[name] = target
	}
}

func (c *checker) notExported(im *ast.Import, asked string, decl ast.Node, from *exports) {
	at := decl.Span()
	at.End = at.Start + uint32(len(asked))
	var known []string
	for k := range from.names {
		known = append(known, k)
	}
	near, ok := c.nearest(asked, known)
	spec := module.Spec(im.Source)
	if !ok {
		c.add("IMP002", at, spec, asked, "")
		return
	}
	replace(c.add("IMP002", at, spec, asked, hint(near)), at, near)
}

// topLevel finds a declaration at the top of the file.
func (c *checker) topLevel(name string) *Symbol {
	if name == "" {
		return nil
	}
	if s := c.top.names[name]; s != nil {
		return s
	}
	if s := c.types[name]; s != nil {
		return s
	}
	for _, o := range c.top.children {
		if o.name == name {
			return o.sym
		}
	}
	return c.top.state[name]
}

// quietTypes works out the declared types of a module that is only read.
func (c *checker) quietTypes() {
	for _, s := range c.symbols {
		switch d := s.decl.(type) {
		case *ast.Func:
			if s.Kind == Function {
				c.funcType(d, s)
			}
		case *ast.Property:
			if s.Kind == Member && d.Type() != nil {
				s.typ, s.declared = c.typeOf(d.Type()), true
			}
		case *ast.TypedMember:
			s.typ, s.declared = c.typeOf(d.Type), true
		}
		if s.Kind == TypeDecl {
			c.typeNamed(s.Name)
		}
	}
}

// reexports judges export { a } from "x".
func (c *checker) reexports() {
	for _, n := range c.f.Items() {
		x, ok := n.(*ast.Export)
		if !ok || x.Source == nil || x.Is(ast.Broken) || c.o.Project == nil {
			continue
		}
		from := c.load(&ast.Import{Base: x.Base, Source: x.Source})
		if from == nil {
			continue
		}
		for _, m := range x.Names {
			if from.names[m.Name] == nil && !from.open {
				c.notExported(&ast.Import{Source: x.Source}, m.Name, m, from)
			}
		}
		if x.Star && x.Alias == "" {
			var names []string
			for name := range from.names {
				names = append(names, name)
			}
			slices.Sort(names)
			for _, name := range names {
				if before, ok := c.starred(name, x); ok {
					c.add("IMP009", x.At, name).Related("The first export.", int(before.Start), int(before.End))
				}
			}
		}
	}
}

// starred notes a name that export * brings; it is true when another one has
// brought it before. A declaration of the file comes first, without a clash.
func (c *checker) starred(name string, x *ast.Export) (token.Span, bool) {
	key := "*" + name
	before, ok := c.exported[key]
	if !ok {
		c.exported[key] = x.At
	}
	return before, ok
}

// early reports names from around a cycle that the file reads at its top, where
// the other module may not have run.
func (c *checker) early(im *ast.Import) {
	var names []string
	for _, n := range im.Names {
		name := n.Name
		if n.Alias != "" {
			name = n.Alias
		}
		names = append(names, name)
	}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Func, *ast.Arrow, *ast.FuncLit, *ast.Import, *ast.TypeName:
			return false
		case *ast.Ident:
			return slices.Contains(names, n.Name)
		case *ast.Path:
			return slices.Contains(names, n.Segments()[0])
		}
		found := false
		ast.Children(n, func(child ast.Node) { found = found || visit(child) })
		return found
	}
	for _, n := range c.f.Items() {
		switch n.(type) {
		case *ast.VarDecl, *ast.ExprStmt, *ast.Assign, *ast.Command:
			if visit(n) {
				c.bag.AddAs(diag.Error, "IMP003", int(im.Source.Span().Start), int(im.Source.Span().End), c.f.Path()+" → "+module.Spec(im.Source)+" → "+c.f.Path())
				return
			}
		}
	}
}
