package check

import (
	"slices"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// Around is the part of File that an editor asks for between two keystrokes: the
// declarations of a tree, its traits, and the names that functions around an offset
// declare before it; no findings. It takes a fraction of the time. A type that only
// judging infers is that of the declaration of the same name in before, which may
// be nil.
func Around(f *ast.File, offset int, o Options, before *Result) (r *Result) {
	defer func() {
		if recover() != nil {
			r = &Result{Registry: trait.Builtin()} // File says what is wrong
		}
	}()
	c := newChecker(f, o)
	c.near = offset
	c.declareFile()
	c.top.raisesIt, c.suggested = true, MaxSuggestions+1 // nobody asks what is raised and what was meant
	c.imports()
	c.define()
	c.judgeFile()
	r = c.result()
	r.Diagnostics, r.References = nil, nil
	for l := c.locals; l != nil; l = l.outer {
		var row []*Symbol
		for _, s := range l.names {
			if int(s.At.End) <= offset {
				row = append(row, s)
			}
		}
		slices.SortFunc(row, func(a, b *Symbol) int { return int(a.At.Start) - int(b.At.Start) })
		r.Locals = append(r.Locals, row...)
	}
	if before == nil {
		return r
	}
	types := map[standing]*Type{}
	for _, s := range before.Symbols {
		types[s.standing()] = s.typ
	}
	for _, s := range r.Symbols {
		if s.typ == nil {
			s.typ = types[s.standing()]
		}
	}
	return r
}

// standing is what a declaration keeps when the text around it changes.
type standing struct {
	name, parent string
	kind         SymbolKind
}

func (s *Symbol) standing() standing {
	out := standing{name: s.Name, kind: s.Kind}
	if s.Parent != nil {
		out.parent = s.Parent.Name
	}
	return out
}

// passes says whether an item of a body is left out, because the run is only about
// the place near and the item is elsewhere. What stands before the place in a
// function is declared there.
func (c *checker) passes(n ast.Node, p place) bool {
	if c.near < 0 || p.fn != nil {
		return false
	}
	at := n.Span()
	return c.near < int(at.Start) || c.near > int(at.End)
}

// keepLocals keeps the names of the innermost function or block around the place
// near. It is called when their span has been looked at.
func (c *checker) keepLocals(at token.Span, l *locals) {
	if c.locals == nil && c.near >= int(at.Start) && c.near <= int(at.End) {
		c.locals = l
	}
}
