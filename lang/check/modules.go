package check

import (
	"errors"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

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
	c.gatherFile()
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
