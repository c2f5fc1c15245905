package conserve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// literal is a literal of a text.
type literal struct {
	start, end   int
	key          string
	replacements []string
	headings     []stretch // of what it stands in
	visual       bool
	fixed        bool // counts without a change: a type, an exported constant
	trait        bool // in the definition of a trait
}

// stretch is a part of the text.
type stretch struct{ start, end int }

// spot is where the walk is.
type spot struct {
	kind     string // of the block around
	path     []string
	code     bool // statements and expressions that run
	value    bool // a bare word is a value here
	fixed    bool
	headings []stretch
}

func (s spot) in(key string) spot {
	s.path = append(slices.Clip(s.path), key)
	return s
}

func (s spot) under(from, to uint32) spot {
	s.headings = append(slices.Clip(s.headings), stretch{int(from), int(to)})
	return s
}

func (s spot) runs() spot {
	s.code, s.value = true, false
	return s
}

func (s spot) holds(value bool) spot {
	s.value = value && !s.code
	return s
}

// majors are the kinds that begin a new key: things that stand for themselves. A block
// with a name begins one too; all others are parts of what they stand in.
var majors = words(`composition scene object entity orb node actor prop npc group spatial_group zone text light ambient_light directional_light
point_light spot_light hemisphere_light area_light camera audio joint particles panel template module agent service world class struct interface
enum ui section button image slider checkbox dropdown input row column list label div page form progress toggle tabs tab pipeline timeline
state_machine behavior_tree behaviour_tree trait environment`)

// visible are the kinds whose settings are seen.
var visible = words(`composition scene object entity orb node actor prop npc group spatial_group zone text light ambient_light directional_light
point_light spot_light hemisphere_light area_light camera particles panel template environment document`)

func words(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}

// walker finds the literals of a file.
type walker struct {
	f   *ast.File
	out []literal
}

// literals are those of a file, in its order.
func literals(f *ast.File) []literal {
	w := &walker{f: f}
	s := spot{kind: "file"}
	if f.IsValueDocument {
		s.kind = "document"
	}
	for _, it := range f.Items() {
		w.node(it, s.holds(f.IsValueDocument))
	}
	slices.SortStableFunc(w.out, func(a, b literal) int { return cmp.Compare(a.start, b.start) })
	return slices.CompactFunc(w.out, func(a, b literal) bool { return a.start == b.start })
}

func (w *walker) add(s spot, start, end int, with ...string) {
	if len(with) == 0 {
		return
	}
	key := strings.Join(append([]string{s.kind}, s.path...), ".")
	w.out = append(w.out, literal{
		start: start, end: end, key: key, replacements: with, headings: s.headings, fixed: s.fixed, trait: s.kind == "trait" || strings.HasPrefix(key, "file.@trait."),
		visual: visible[s.kind] && !s.code && !strings.Contains(key, "state") && !strings.Contains(key, "@"),
	})
}

func (w *walker) all(list []ast.Node, s spot) {
	for _, n := range list {
		w.node(n, s)
	}
}

func (w *walker) children(n ast.Node, s spot) {
	ast.Children(n, func(c ast.Node) { w.node(c, s) })
}

// node visits a node. A switch over the types decides what is a key, what a name.
func (w *walker) node(n ast.Node, s spot) {
	if n == nil {
		return
	}
	at := n.Span()
	start, end := int(at.Start), int(at.End)
	if n.Kind().IsType() {
		s = s.in("type")
		s.fixed = true
	}
	switch n := n.(type) {
	case *ast.Number:
		start, end = w.inner(n, n.Raw, start, end)
		w.add(s, start, end, numbers(n.Raw)...)
	case *ast.String:
		start, end = w.inner(n, n.Raw, start, end)
		w.add(s, start, end, texts(n.Raw, n.Value())...)
	case *ast.Colour:
		start, end = w.inner(n, n.Raw, start, end)
		w.add(s, start, end, colours(n.Raw)...)
	case *ast.Bool:
		text := w.f.Text()[start:end]
		if n.Value {
			w.add(s, start, end, strings.Replace(text, "true", "false", 1))
		} else {
			w.add(s, start, end, strings.Replace(text, "false", "true", 1))
		}
	case *ast.EnumWord:
		start, end = w.inner(n, n.Name, start, end)
		w.add(s, start, end, enumWords(n.Name)...)
	case *ast.AxisWord:
		w.add(s, start, end, strings.Map(func(r rune) rune {
			switch r {
			case '+':
				return '-'
			case '-':
				return '+'
			}
			return r
		}, w.f.Text()[start:end]))
	case *ast.Ident:
		if s.value {
			start, end = w.inner(n, n.Name, start, end)
			w.add(s, start, end, enumWords(n.Name)...)
		}
	case *ast.Template:
		w.template(n, s)
	case *ast.Block:
		w.block(n, s)
	case *ast.Body:
		w.all(n.Items, s.holds(false))
	case *ast.Property:
		key := "[]"
		if n.Key != nil && n.Key.Computed == nil {
			key = fold(n.Key.Name())
		}
		if s.code {
			s = s.under(at.Start, uint32(n.Key.Span().End))
		} else {
			s = s.in(key).under(at.Start, uint32(n.Key.Span().End))
		}
		if n.Type() != nil {
			w.node(n.Value, s)
		} else {
			w.node(n.Value, s.holds(true))
		}
		if n.More != nil {
			w.node(n.More.Default, s.holds(true))
			for _, e := range n.More.Extra {
				w.node(e.Value, s.in(e.Name).holds(true))
			}
		}
	case *ast.TypedMember:
		to := at.End
		if n.Type != nil {
			to = n.Type.Span().Start
		}
		s = s.in(fold(n.Name)).under(at.Start, to)
		w.node(n.Type, s)
		w.node(n.Default, s.holds(true))
	case *ast.Array:
		w.all(n.Elements, s)
	case *ast.Object:
		w.all(n.Body.Items, s.holds(false))
	case *ast.Unary, *ast.Sequence:
		w.children(n, s)
	case *ast.List:
		w.all(n.HeadArgs, s.in(n.ListKind+"()"))
		w.node(n.Elements, s.in(n.ListKind).holds(true))
	case *ast.Attribute:
		w.attribute(n, s)
	case *ast.AttrValue:
		w.attribute(n.Attr, s)
	case *ast.Func:
		name := "function"
		if n.FuncKind == ast.Handler {
			name = "handler"
		}
		to := at.End
		if n.Body != nil {
			to = n.Body.Span().Start
		}
		s = s.in(name).under(at.Start, to).runs()
		for _, p := range n.Params {
			w.node(p, s)
		}
		w.node(n.Result, s)
		w.node(n.Body, s)
	case *ast.Command:
		if s.code {
			s = s.in(n.Verb)
			w.all(n.Args, s)
			return
		}
		s = s.in(fold(n.Verb)).under(at.Start, at.Start+1).holds(true)
		if n.Verb == "type" { // type A = B | C
			s.fixed = true
		}
		w.all(n.Args, s)
	case *ast.Call:
		if name := nameOf(n.Fn); name != "" {
			if i := strings.LastIndexByte(name, '.'); i >= 0 {
				name = name[i+1:]
			}
			w.all(n.Args, s.in(name+"()"))
			return
		}
		w.children(n, s)
	case *ast.Arrow, *ast.FuncLit, *ast.Computed, *ast.Emit:
		if s.code {
			w.children(n, s)
		} else {
			w.children(n, s.in("code").runs())
		}
	case *ast.Binary, *ast.Ternary, *ast.Match, *ast.Pipe, *ast.Member, *ast.Index, *ast.Cast, *ast.New:
		w.children(n, s.holds(false))
	case *ast.Wire:
		s = s.in("connect").runs()
		w.all(n.Args, s)
		w.node(n.Assign, s)
	case *ast.Execute:
		w.children(n, s.in("execute").runs())
	case *ast.Transition:
		w.children(n, s.in("transition"))
	case *ast.For, *ast.ForIn, *ast.If:
		if s.code {
			w.children(n, s.holds(false))
			return
		}
		ast.Children(n, func(c ast.Node) { // around things, without @
			switch c.Kind() {
			case ast.KindBody, ast.KindBranch:
				w.node(c, s.holds(false))
			default:
				w.node(c, s.in("for").holds(false))
			}
		})
	case *ast.Branch:
		w.children(n, s.holds(false))
	case *ast.Mapping: // "tide:high" -> { … }: what stands before the arrow is a name
		if n.From != nil && n.From.Kind() != ast.KindString {
			w.node(n.From, s)
		}
		ast.Children(n, func(c ast.Node) {
			if c != n.From {
				w.node(c, s.in("->").holds(true))
			}
		})
	case *ast.Annotation:
		w.all(n.Args, s.in("annotation"))
	case *ast.Import, *ast.Key, *ast.Bad, *ast.LineDirective:
	case *ast.Export:
		if v, ok := n.Item.(*ast.VarDecl); ok {
			s.fixed = true
			w.node(v, s)
			return
		}
		w.node(n.Item, s)
	case *ast.Enumerator:
		s = s.in("member")
		s.fixed = true
		w.node(n.Value, s)
	case *ast.VarDecl:
		w.children(n, s.in("const").runs())
	case *ast.Declarator:
		to := at.End
		if n.Value != nil {
			to = n.Value.Span().Start
		}
		w.children(n, s.under(at.Start, to))
	default:
		if n.Kind().IsStatement() {
			s = s.runs()
		}
		w.children(n, s.holds(false))
	}
}

// inner is where the bare text of a node stands, without parentheses around it.
func (w *walker) inner(n ast.Node, raw string, start, end int) (int, int) {
	if n.Common().Parens == 0 {
		return start, end
	}
	if i := strings.Index(w.f.Text()[start:end], raw); i >= 0 {
		return start + i, start + i + len(raw)
	}
	return start, end
}

func (w *walker) block(n *ast.Block, s spot) {
	at := n.Span()
	h := n.Heading()
	kind := fold(n.BlockKind)
	open := at.End
	if n.Body != nil {
		open = n.Body.Span().Start
	}
	inside := s
	inside.value = false
	switch {
	case s.code && n.BlockKind == "spawn":
		inside = inside.in("spawn")
	case n.Name != nil && kind != "", majors[kind]:
		inside.kind, inside.path = cmp.Or(kind, "block"), nil
	default:
		inside = inside.in(cmp.Or(kind, "block"))
	}
	head := open
	for _, a := range h.Args { // a finding on a part of the heading speaks of that one, not of the body
		head = min(head, a.Span().Start)
	}
	for _, p := range h.Params {
		head = min(head, p.Span().Start)
	}
	inside = inside.under(at.Start, head)
	for _, a := range h.Attrs {
		w.attribute(a, inside)
	}
	w.all(h.Args, inside.in("()"))
	if h.Has != nil {
		w.node(h.Has, inside.in("has"))
	}
	for _, p := range h.Params {
		w.node(p, inside.in("params").under(p.Span().Start, p.Span().End))
	}
	w.node(h.Type, inside)
	switch kind {
	case "computed", "watch", "logic", "bind":
		inside = inside.runs()
	}
	if n.Body != nil {
		w.all(n.Body.Items, inside)
	}
}

func (w *walker) attribute(n *ast.Attribute, s spot) {
	at := n.Span()
	open := at.End
	for _, b := range []*ast.Body{n.Config, n.Body} {
		if b != nil {
			open = min(open, b.Span().Start)
		}
	}
	s = s.in("@"+fold(n.Name)).under(at.Start, open)
	if n.Name == "test" {
		s.kind, s.path = "@test", nil
	}
	w.all(n.Positional, s.in("()").holds(true))
	if n.Config != nil {
		w.node(n.Config, s)
	}
	w.node(n.Value, s.holds(n.Control() == ""))
	if n.Body != nil {
		if n.Control() == "" {
			s = s.runs()
		}
		w.node(n.Body, s)
	}
}

// template takes the pieces of a text in back-quotes one by one.
func (w *walker) template(n *ast.Template, s spot) {
	text := w.f.Text()
	at := strings.IndexByte(text[n.Span().Start:], '`')
	if at < 0 {
		return
	}
	pos := int(n.Span().Start) + at + 1
	for i, piece := range n.Texts {
		if pos+len(piece) > len(text) || text[pos:pos+len(piece)] != piece {
			break
		}
		if piece != "" {
			w.add(s, pos, pos+len(piece), piece+"zq")
		}
		if i >= len(n.Exprs) {
			break
		}
		end := int(n.Exprs[i].Span().End)
		close := strings.IndexByte(text[end:], '}')
		if close < 0 {
			break
		}
		pos = end + close + 1
	}
	w.all(n.Exprs, s.runs())
}

func fold(key string) string {
	parts := strings.Split(key, ".")
	for i := range parts {
		parts[i] = trait.FoldKey(parts[i])
	}
	return strings.Join(parts, ".")
}
