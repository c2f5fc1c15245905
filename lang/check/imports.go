package check

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
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

// exports are what a module declares for others.
type exports struct {
	names     map[string]*Symbol
	templates map[string]*owner
	traits    []trait.Entry
	open      bool // it exports what could not be read
	cyclic    bool // it imports this file
}

// load reads the module that an import names; nil when it cannot be read.
func (c *checker) load(im *ast.Import) *exports {
	if c.o.Project == nil {
		return nil
	}
	spec := module.Spec(im.Source)
	at := im.Source.Span()
	path, kind, problem := c.o.Project.Resolve(c.f.Path(), spec)
	if problem != nil {
		f := c.add(problem.Code, at, problem.Slots...)
		if problem.Suggestion != "" {
			c.respell(f, im.Source, problem.Suggestion)
		}
		return nil
	}
	if kind == module.Data {
		return c.data(path, spec, at)
	}
	if kind != module.Source {
		return &exports{names: map[string]*Symbol{}, open: true}
	}
	l := &loader{project: c.o.Project, found: map[string]*exports{}, self: c.f.Path()}
	out, err := l.read(path, 1)
	var limit *limitError
	switch {
	case errors.As(err, &limit):
		c.add("LIM004", at, limit.what, limit.n, limit.most)
		return nil
	case err != nil:
		c.add("IMP001", at, spec, "")
		return nil
	}
	if len(l.cycle) > 0 {
		c.add("IMP003", at, strings.Join(l.cycle, " → "))
		out.cyclic = true
	}
	if path != c.f.Path() {
		if m, err := c.o.Project.Read(path); err == nil {
			for _, d := range m.Found {
				if d.Severity == diag.Error {
					c.add("IMP007", at, spec).RelatedIn(path, d.Message, d.Line, d.Column, d.Offset, d.EndOffset)
					out.open = true
					break
				}
			}
		}
	}
	return out
}

// data is what a data file exports: the fields of a .json.
func (c *checker) data(path, spec string, at token.Span) *exports {
	out := &exports{names: map[string]*Symbol{}}
	v, err := c.o.Project.Data(path)
	if err != nil {
		c.add("IMP007", at, spec).RelatedIn(path, err.Error(), 1, 1, 0, 0)
		out.open = true
		return out
	}
	for _, f := range v.Fields {
		out.names[f.Key] = &Symbol{Name: f.Key, File: path}
	}
	return out
}

// limitError says that a project has more modules than a compile may read.
type limitError struct{ what, n, most string }

func (e *limitError) Error() string { return e.what }

// loader reads modules and what they import, each once.
type loader struct {
	project *module.Project
	found   map[string]*exports
	stack   []string
	self    string
	cycle   []string // back to the file that is judged
}

func (l *loader) read(path string, depth int) (*exports, error) {
	if path == l.self {
		if l.cycle == nil {
			l.cycle = append(append([]string{l.self}, l.stack...), l.self)
		}
		return &exports{names: map[string]*Symbol{}, open: true}, nil
	}
	if e := l.found[path]; e != nil {
		return e, nil
	}
	if depth > module.MaxImports {
		return nil, &limitError{"the depth of imports", strconv.Itoa(depth), strconv.Itoa(module.MaxImports)}
	}
	f, err := l.project.Read(path)
	if errors.Is(err, module.ErrTooMany) {
		return nil, &limitError{"the number of modules", strconv.Itoa(module.MaxModules + 1), strconv.Itoa(module.MaxModules)}
	}
	if err != nil {
		return nil, err
	}
	e := &exports{names: map[string]*Symbol{}, templates: map[string]*owner{}}
	l.found[path] = e
	l.stack = append(l.stack, path)
	defer func() { l.stack = l.stack[:len(l.stack)-1] }()
	c := newChecker(f.Tree, Options{Registry: l.project.Registry()})
	c.declareFile()
	c.quietTypes()
	l.collect(c, e)
	for _, im := range c.imported {
		if im.Source == nil {
			continue
		}
		next, kind, problem := l.project.Resolve(path, module.Spec(im.Source))
		if problem != nil || kind != module.Source {
			e.handOn(c.f, im, nil)
			continue
		}
		inner, err := l.read(next, depth+1)
		if err != nil {
			return nil, err
		}
		e.handOn(c.f, im, inner)
	}
	for _, n := range c.f.Items() {
		x, ok := n.(*ast.Export)
		if !ok || x.Source == nil {
			continue
		}
		next, kind, problem := l.project.Resolve(path, module.Spec(x.Source))
		if problem != nil || kind != module.Source {
			e.open = true
			continue
		}
		inner, err := l.read(next, depth+1)
		if err != nil {
			return nil, err
		}
		e.pass(x, inner)
	}
	return e, nil
}

// handOn takes over the names that a file imports and exports again. What is
// imported whole, and what cannot be known, is a name without a type.
func (e *exports) handOn(f *ast.File, im *ast.Import, inner *exports) {
	imported := map[string]*Symbol{}
	for _, name := range []string{im.Default, im.Star} {
		if name != "" {
			imported[name] = &Symbol{Kind: Imported, Name: name, File: f.Path()}
		}
	}
	for _, n := range im.Names {
		name := n.Name
		if n.Alias != "" {
			name = n.Alias
		}
		switch {
		case inner == nil || inner.names[n.Name] == nil && inner.open:
			imported[name] = &Symbol{Kind: Imported, Name: name, File: f.Path()}
		case inner.names[n.Name] != nil:
			imported[name] = inner.names[n.Name]
		}
	}
	take := func(name, as string) {
		if s := imported[name]; s != nil && e.names[as] == nil {
			e.names[as] = s
		}
	}
	for _, it := range f.Items() {
		switch it := it.(type) {
		case *ast.Export:
			for _, n := range it.Names {
				if it.Source == nil && n.Alias != "" {
					take(n.Name, n.Alias)
				} else if it.Source == nil {
					take(n.Name, n.Name)
				}
			}
		case *ast.Block:
			if it.BlockKind == "exports" {
				for _, name := range it.Names() {
					take(name, name)
				}
			}
		}
	}
}

// pass takes over the names of export { a } from and export * from.
func (e *exports) pass(x *ast.Export, inner *exports) {
	e.open = e.open || inner.open
	for _, n := range x.Names {
		name := n.Name
		if n.Alias != "" {
			name = n.Alias
		}
		if s := inner.names[n.Name]; s != nil {
			e.names[name] = s
		}
	}
	if x.Star && x.Alias == "" {
		for name, s := range inner.names {
			if e.names[name] == nil {
				e.names[name] = s
			}
		}
	}
}

// collect finds what a file exports: declarations with export, names in
// exports { }, and in .holo files every template at the top.
func (l *loader) collect(c *checker, e *exports) {
	take := func(name, as string) {
		if s := c.topLevel(name); s != nil {
			e.names[as] = s
		}
	}
	for _, n := range c.f.Items() {
		switch n := n.(type) {
		case *ast.Export:
			switch item := n.Item.(type) {
			case *ast.Block:
				take(item.NameText(), item.NameText())
				if item.BlockKind == "trait" {
					e.traits = append(e.traits, c.traitEntry(item))
				}
			case *ast.Func:
				take(item.Name, item.Name)
			case *ast.VarDecl:
				for _, d := range item.Decls {
					take(d.Name, d.Name)
				}
			case *ast.TypedMember:
				take(item.Name, item.Name)
			case *ast.Command:
				if name, _, ok := alias(item); ok {
					take(name.Name, name.Name)
				}
			}
			if n.Source == nil {
				for _, m := range n.Names {
					as := m.Name
					if m.Alias != "" {
						as = m.Alias
					}
					take(m.Name, as)
				}
			}
		case *ast.Block:
			switch n.BlockKind {
			case "exports":
				for _, name := range n.Names() {
					take(name, name)
				}
			case "template":
				if c.f.Format == ast.Holo {
					take(n.NameText(), n.NameText())
				}
			case "module":
				take(n.NameText(), n.NameText())
				if o := c.owners[n.Body]; o != nil {
					for _, it := range n.Body.Items {
						if b, ok := it.(*ast.Block); ok && b.BlockKind == "exports" {
							for _, name := range b.Names() {
								if s := o.names[name]; s != nil {
									e.names[name] = s
								}
							}
						}
					}
				}
			case "trait":
				e.traits = append(e.traits, c.traitEntry(n))
			case "object", "composition", "scene", "entity", "orb", "group", "spatial_group", "npc", "actor":
				if n.NameText() != "" {
					take(n.NameText(), n.NameText())
				}
			}
		case *ast.Attribute:
			if n.Name == "trait" && n.Config != nil {
				if entry, _, ok := c.traitAttribute(n); ok {
					e.traits = append(e.traits, entry)
				}
			}
		}
	}
	for name, t := range c.templates {
		if t.parent == c.top {
			e.templates[name] = t
		}
	}
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
