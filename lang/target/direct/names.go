package direct

import (
	"fmt"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// sources are the trees that a program was compiled of, for the names of
// parameters and locals.
type sources struct {
	in    *artefact.Input
	codes map[string][]scene.Code // of an owner
	flows []scene.Code
	decls map[*ast.File][]decl
}

func sourcesOf(in *artefact.Input) *sources {
	s := &sources{in: in, codes: map[string][]scene.Code{}, decls: map[*ast.File][]decl{}}
	b := in.Scene.Behaviour
	if b == nil {
		return s
	}
	for i := range b.Owners {
		o := &b.Owners[i]
		id := o.Node
		if id == "" {
			id = run.SceneOwner
			if i > 0 {
				id = "module:" + o.Name
			}
		}
		list := s.codes[id]
		for _, c := range [][]scene.Code{o.Functions, o.Handlers, o.Computed, o.Watches, o.Machines, o.Trees} {
			list = append(list, c...)
		}
		for _, x := range o.Binds {
			list = append(list, x.Code)
		}
		for _, x := range o.State {
			if x.Code.Node != nil {
				list = append(list, x.Code)
			}
		}
		s.codes[id] = list
	}
	for _, w := range b.Wires {
		s.flows = append(s.flows, w.Code)
	}
	for _, w := range b.Runs {
		s.flows = append(s.flows, w.Code)
	}
	return s
}

// covers says whether a node of a file stands around a line and a column.
func covers(f *ast.File, n ast.Node, line, column int) bool {
	if f == nil || n == nil {
		return false
	}
	span := n.Span()
	l, c := f.Stream.Source.Position(int(span.Start))
	m, d := f.Stream.Source.Position(int(span.End))
	return (line > l || line == l && column >= c) && (line < m || line == m && column <= d)
}

// code is the piece of the tree that a function was compiled of, as far as its
// place says.
func (s *sources) code(p *planner, fn int) (scene.Code, [2]int) {
	f := &p.c.Program.Functions[fn]
	at := lineAt(f, 0)
	if len(f.Lines) > 0 {
		at = [2]int{f.Lines[0][1], f.Lines[0][2]}
	}
	for _, c := range append(s.codes[f.Owner], s.flows...) {
		if c.Node != nil && c.File != nil && (at == [2]int{} || covers(c.File, c.Node, at[0], at[1])) {
			return c, at
		}
	}
	for _, file := range s.in.Files {
		for _, it := range file.Items() {
			if covers(file, it, at[0], at[1]) {
				return scene.Code{File: file, Node: it}, at
			}
		}
	}
	return scene.Code{}, at
}

func (s *sources) file(p *planner, fn int) string {
	if c, _ := s.code(p, fn); c.File != nil {
		return c.File.Path()
	}
	return s.in.Scene.Files[0]
}

// labels are the names of the locals of a function.
type labels struct {
	names map[int]string
	taken map[string]int
	// implied says that the one parameter is the event that the author did not name.
	implied bool
}

func (l *labels) named(local int) bool { _, ok := l.names[local]; return ok }

// of is the name of a local, made where the author gave none.
func (l *labels) of(local int) string {
	if n, ok := l.names[local]; ok {
		return n
	}
	l.names[local] = l.fresh("value")
	return l.names[local]
}

// fresh is a name that no other local has.
func (l *labels) fresh(name string) string {
	base := Identifier(name)
	name = base
	for n := 2; l.taken[name] > 0; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	l.taken[name]++
	return name
}

// labels finds the names of a function's parameters, and those of its locals by the
// places where they are declared.
func (s *sources) labels(p *planner, fn int) *labels {
	f := &p.c.Program.Functions[fn]
	l := &labels{names: map[int]string{}, taken: map[string]int{}}
	code, at := s.code(p, fn)
	params := paramsAt(code, at)
	l.implied = len(params) == 0 && f.Params == 1
	for i := range f.Params {
		name := "event"
		if i < len(params) && params[i] != "" {
			name = params[i]
		}
		l.names[i] = l.fresh(name)
	}
	if code.File == nil {
		return l
	}
	used := map[int]int{}
	for pc := 0; pc < len(f.Code); pc += 1 + operands(f.Code[pc]) {
		if opNames[f.Code[pc]] != "Store" || l.named(f.Code[pc+1]) {
			continue
		}
		// The place of a declaration is that of its statement, or lies in its value.
		at := lineAt(f, pc)
		best := -1
		list := s.declared(code.File)
		for i, d := range list {
			if d.covers(at) && (best < 0 || list[best].covers(d.from)) {
				best = i
			}
		}
		if best >= 0 && used[best] < len(list[best].names) && s.ends(f, list[best], pc) {
			l.names[f.Code[pc+1]] = l.fresh(list[best].names[used[best]])
			used[best]++
		}
	}
	return l
}

// ends says whether nothing of a declaration's value follows behind an instruction,
// or another of its values does.
func (s *sources) ends(f *run.Function, d decl, pc int) bool {
	next := pc + 1 + operands(f.Code[pc])
	return next >= len(f.Code) || len(d.names) > 1 || !d.covers(lineAt(f, next)) || lineAt(f, next) == lineAt(f, pc) && opNames[f.Code[next]] != "Load"
}

// decl are the names that a declaration gives, and where it stands.
type decl struct {
	from, to [2]int
	names    []string
}

func (d decl) covers(at [2]int) bool {
	return !before(at, d.from) && !before(d.to, at)
}

func before(a, b [2]int) bool { return a[0] < b[0] || a[0] == b[0] && a[1] < b[1] }

// declared are the declarations of a file.
func (s *sources) declared(f *ast.File) []decl {
	if out, ok := s.decls[f]; ok {
		return out
	}
	out := []decl{}
	for _, it := range f.Items() {
		ast.Walk(it, func(n ast.Node) bool {
			if v, ok := n.(*ast.VarDecl); ok {
				var d decl
				d.from[0], d.from[1] = f.Stream.Source.Position(int(v.Span().Start))
				d.to[0], d.to[1] = f.Stream.Source.Position(int(v.Span().End))
				for _, x := range v.Decls {
					if x.Pattern == nil {
						d.names = append(d.names, x.Name)
					}
				}
				out = append(out, d)
			}
			return true
		})
	}
	s.decls[f] = out
	return out
}

// paramsAt are the names of the parameters of the innermost function around a place.
func paramsAt(code scene.Code, at [2]int) []string {
	var out []string
	if code.Node == nil {
		return nil
	}
	ast.Walk(code.Node, func(n ast.Node) bool {
		if at != [2]int{} && n != code.Node && !covers(code.File, n, at[0], at[1]) {
			return true
		}
		var params []*ast.Param
		switch n := n.(type) {
		case *ast.Func:
			params = n.Params
		case *ast.Arrow:
			params = n.Params
		case *ast.FuncLit:
			params = n.Params
		default:
			return true
		}
		out = nil
		for _, p := range params {
			out = append(out, p.Name)
		}
		return true
	})
	return out
}

// Identifier is a name in letters that all languages take.
func Identifier(name string) string {
	var b strings.Builder
	for i, c := range name {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c >= '0' && c <= '9' && i > 0:
			b.WriteRune(c)
		case c >= '0' && c <= '9':
			b.WriteString("_" + string(c))
		default:
			b.WriteByte('_')
		}
	}
	out := b.String()
	if len(out) > 60 {
		out = out[:60]
	}
	if strings.Trim(out, "_") == "" {
		return "value"
	}
	return out
}
