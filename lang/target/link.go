package target

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// link notes what the names stand for that a file imports. A data file brings
// its value under its own name and the fields of it in braces; an asset
// brings its path from the root.
func (l *loader) link(f *ast.File) {
	names := map[string]scene.Import{}
	for _, it := range f.Items() {
		im, ok := it.(*ast.Import)
		if !ok || im.TypeOnly {
			continue
		}
		at, kind, ok := l.leads(f, im)
		if !ok {
			continue
		}
		whole := scene.Import{Value: scene.Value{Kind: trait.Text, Str: "/" + at}}
		switch kind {
		case module.Source:
			for _, n := range im.Names {
				names[local(n)] = l.origin(at, n.Name, module.MaxImports)
			}
			continue
		case module.Data:
			v, err := l.project.Data(at)
			if err != nil {
				continue // the checker has said so
			}
			whole.Value = v
		}
		for _, name := range []string{im.Default, im.Star} {
			if name != "" {
				names[name] = whole
			}
		}
		for _, n := range im.Names {
			for _, field := range whole.Value.Fields {
				if field.Key == n.Name {
					names[local(n)] = scene.Import{Value: field.Value}
				}
			}
		}
	}
	if len(names) > 0 {
		l.names[f.Path()] = names
	}
}

func local(n *ast.ImportName) string {
	if n.Alias != "" {
		return n.Alias
	}
	return n.Name
}

// origin is the source that declares a name which the source at a path exports:
// itself, or one whose names it passes on.
func (l *loader) origin(at, name string, depth int) scene.Import {
	here := scene.Import{File: at, Name: name}
	m, err := l.project.Read(at)
	if err != nil || depth == 0 {
		return here
	}
	for _, it := range m.Tree.Items() {
		x, ok := it.(*ast.Export)
		if !ok {
			continue
		}
		for _, n := range x.Names {
			if local(n) != name {
				continue
			}
			if next, kind, ok := l.leads(m.Tree, x); ok && kind == module.Source {
				return l.origin(next, n.Name, depth-1)
			}
			if in, ok := l.names[at][n.Name]; ok && x.Source == nil {
				return in
			}
			here.Name = n.Name
			return here
		}
	}
	if declares(m.Tree, name) {
		return here
	}
	for _, it := range m.Tree.Items() {
		if x, ok := it.(*ast.Export); ok && x.Star && x.Alias == "" {
			if next, kind, ok := l.leads(m.Tree, x); ok && kind == module.Source {
				if in := l.origin(next, name, depth-1); in.File != next {
					return in
				} else if from, err := l.project.Read(next); err == nil && declares(from.Tree, in.Name) {
					return in
				}
			}
		}
	}
	return here
}

// declares says whether a function or a constant of a name stands at the top of
// a source.
func declares(f *ast.File, name string) bool {
	for _, it := range f.Items() {
		if e, ok := it.(*ast.Export); ok && e.Item != nil {
			it = e.Item
		}
		switch it := it.(type) {
		case *ast.Func:
			if it.Name == name {
				return true
			}
		case *ast.VarDecl:
			for _, d := range it.Decls {
				if d.Name == name {
					return true
				}
			}
		}
	}
	return false
}
