package format

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
)

// heading prints the heading of a block up to its brace. When broken, traits,
// using, extends and implements start lines indented by four.
func (p *printer) heading(n *ast.Block, broken bool) {
	h := n.Heading()
	for _, a := range h.Attrs {
		if a.Is(ast.BeforeHeading) {
			p.headingAttribute(a)
			p.s(" ")
		}
	}
	for _, m := range h.Modifiers {
		p.s(m + " ")
	}
	gap := ""
	if n.BlockKind != "" {
		p.s(n.BlockKind)
		gap = " "
	}
	if n.Name != nil {
		p.s(gap)
		p.expr(n.Name)
	}
	for _, c := range clauses(n) {
		if c.breaks && broken {
			p.indent += 2
			p.nl()
			c.print(p)
			p.indent -= 2
			continue
		}
		if c.glued {
			c.print(p)
			continue
		}
		p.s(" ")
		c.print(p)
	}
}

// clause is a part of a heading behind the name.
type clause struct {
	at     uint32
	breaks bool // starts a line when the heading is too long
	glued  bool // no space before it
	print  func(*printer)
}

// clauses are the parts of a heading in source order.
func clauses(n *ast.Block) []clause {
	h := n.Heading()
	var out []clause
	add := func(at uint32, breaks bool, print func(*printer)) {
		out = append(out, clause{at: at, breaks: breaks, print: print})
	}
	for _, a := range h.Attrs {
		if !a.Is(ast.BeforeHeading) {
			add(a.At.Start, true, func(p *printer) { p.headingAttribute(a) })
		}
	}
	for _, a := range h.Args {
		add(a.Span().Start, false, func(p *printer) { p.headArg(a) })
		if k := a.Kind(); k == ast.KindSelector || k == ast.KindArgs {
			out[len(out)-1].glued = true
		}
	}
	names := func(word string, breaks bool, list []ast.Node) {
		if len(list) > 0 {
			add(list[0].Span().Start, breaks, func(p *printer) {
				p.s(word + " ")
				p.commaList(list, 0)
			})
		}
	}
	names("using", true, h.Using)
	names("extends", true, h.Extends)
	names("implements", true, h.Implements)
	names("through", false, h.Through)
	if h.From != nil {
		add(h.From.Span().Start, false, func(p *printer) { p.s("from "); p.expr(h.From) })
	}
	if h.Has != nil {
		add(h.Has.At.Start, false, func(p *printer) { p.s("has "); p.headArg(h.Has) })
	}
	if h.HasParams {
		add(h.ParamsAt, false, func(p *printer) { p.params(h.Params) })
		out[len(out)-1].glued = true
	}
	if h.Type != nil {
		add(h.Type.Span().Start, false, func(p *printer) { p.s(": "); p.typ(h.Type) })
		out[len(out)-1].glued = true
	}
	if h.Arrow != nil {
		add(h.Arrow.Span().Start, false, func(p *printer) { p.s("-> "); p.expr(h.Arrow) })
	}
	slices.SortStableFunc(out, func(a, b clause) int { return int(a.at) - int(b.at) })
	return out
}

func (p *printer) headArg(n ast.Node) {
	switch n := n.(type) {
	case *ast.Property: // at [ … ]
		p.s(n.Key.Raw + " ")
		p.expr(n.Value)
	case *ast.Args:
		p.s("(")
		p.commaList(n.Args, 1)
		p.s(")")
	default:
		p.expr(n)
	}
}

// headingAttribute prints a trait of a heading: with parentheses, unless its
// configuration contains more than properties.
func (p *printer) headingAttribute(n *ast.Attribute) {
	if n.Config != nil && !p.onlyProperties(n.Config) {
		p.attributeName(n, false)
		p.s(" ")
		p.body(n.Config)
		return
	}
	p.attributeName(n, true)
	if n.Body != nil {
		p.s(" ")
		p.body(n.Body)
	}
}

// onlyProperties says whether a configuration may stand in parentheses: plain
// properties without comments.
func (p *printer) onlyProperties(b *ast.Body) bool {
	if len(p.inner(b)) > 0 {
		return false
	}
	for _, n := range b.Items {
		q, ok := n.(*ast.Property)
		if !ok || p.f.Comments(n) != nil || q.HasError() || q.More != nil && (q.More.Default != nil || len(q.More.Extra) > 0) {
			return false
		}
	}
	return true
}

// attributeName prints @name and, when with is set, all arguments; without, only
// the positional ones.
func (p *printer) attributeName(n *ast.Attribute, with bool) {
	p.s("@" + n.Name)
	args := slices.Clone(n.Positional)
	if with && n.Config != nil {
		args = append(args, n.Config.Items...)
		slices.SortStableFunc(args, func(a, b ast.Node) int { return int(a.Span().Start) - int(b.Span().Start) })
	}
	if len(args) > 0 || n.Body != nil && n.Is(ast.ParenForm) {
		p.args(args)
	}
}

// attribute prints a trait as an item.
func (p *printer) attribute(n *ast.Attribute) {
	if p.control(n) {
		return
	}
	if n.Body != nil || n.Value != nil || len(n.Positional) > 0 {
		p.valueAttribute(n)
		return
	}
	p.s("@" + n.Name)
	if n.Config != nil && (len(n.Config.Items) > 0 || len(p.inner(n.Config)) > 0) {
		p.s(" ")
		p.object(n.Config)
	}
}

// valueAttribute prints a trait with positional arguments, a value or a body.
func (p *printer) valueAttribute(n *ast.Attribute) {
	parens := n.Is(ast.ParenForm) || n.Config == nil || p.onlyProperties(n.Config)
	p.attributeName(n, parens)
	if !parens {
		p.s(" ")
		p.object(n.Config)
	}
	switch {
	case n.Body != nil:
		p.s(" ")
		p.body(n.Body)
	case n.Value == nil:
	case n.Is(ast.ArrowForm):
		p.s(" => ")
		p.arrowBody(n.Value)
	case n.Is(ast.AssignForm):
		p.s(" = ")
		p.expr(n.Value)
	default:
		p.s(": ")
		p.value(n.Value)
	}
}

// control prints the control forms of attributes.
func (p *printer) control(n *ast.Attribute) bool {
	switch n.Name {
	case "if", "elif", "while":
		p.s("@" + n.Name + " ")
		p.openCond(n.Value)
	case "else":
		p.s("@else")
	case "for", "forEach":
		p.s("@" + n.Name + " ")
		p.openFor(n.Value)
	case "import":
		if n.Value == nil {
			return false
		}
		p.s("@import")
		p.importRest(n.Value.(*ast.Import))
		return true
	case "export":
		p.s("@export")
		if n.Value != nil {
			p.s(" ")
			p.item(n.Value)
			return true
		}
	default:
		return false
	}
	if n.Body != nil {
		p.s(" ")
		p.body(n.Body)
	}
	return true
}

func (p *printer) key(k *ast.Key) {
	if k.Computed != nil {
		p.s("[")
		p.expr(k.Computed)
		p.s("]")
		return
	}
	raw := k.Raw
	if c := raw[0]; c == '"' || c == '\'' {
		p.quoted(raw)
		return
	}
	p.s(raw)
}

func (p *printer) property(n *ast.Property) {
	p.key(n.Key)
	if n.More != nil && n.More.Optional {
		p.s("?")
	}
	p.s(": ")
	p.value(n.Value)
	if n.More == nil {
		return
	}
	if n.More.Default != nil {
		p.s(" = ")
		p.expr(n.More.Default)
	}
	for _, x := range n.More.Extra {
		p.s(" " + x.Name + " = ")
		p.expr(x.Value)
	}
}

func (p *printer) typedMember(n *ast.TypedMember) {
	p.s(strings.Join(n.Words, " ") + " " + n.Name)
	if n.Optional {
		p.s("?")
	}
	p.s(": ")
	p.typ(n.Type)
	if n.Default != nil {
		p.s(" = ")
		p.expr(n.Default)
	}
}

func (p *printer) function(n *ast.Func) {
	m := n.More
	if m == nil {
		m = &ast.FuncMore{}
	}
	for i, e := range m.Effects {
		p.s([]string{"<", ", "}[min(i, 1)] + e.Name + ": " + e.Value)
	}
	if len(m.Effects) > 0 {
		p.s("> ")
	}
	lambda := n.Is(ast.LambdaForm)
	if !lambda {
		p.modifiers(m)
	}
	if m.Word != "" {
		p.s(m.Word + " ")
	}
	switch {
	case m.EventExpr != nil && n.Name == "":
		p.s("(")
		p.expr(m.EventTarget)
		p.s(", ")
		p.expr(m.EventExpr)
		p.s(")")
	case n.Name != "" && (n.Name[0] == '"' || n.Name[0] == '\''):
		p.quoted(n.Name)
	default:
		p.s(n.Name)
	}
	switch {
	case m.Label != nil:
		p.s(" ")
		p.expr(m.Label)
		p.s(" -> ")
	case n.Is(ast.WordForm):
		p.s(" -> ")
	case lambda:
		p.s(" => ")
		p.modifiers(m)
	}
	if n.HasParams {
		p.params(n.Params, eventText(n)...)
	}
	if n.Result != nil {
		p.s(": ")
		p.typ(n.Result)
	}
	if n.Body == nil {
		return
	}
	if n.Is(ast.ArrowForm) {
		p.s(" =>")
	}
	p.s(" ")
	p.arrowBody(n.Body)
}

func (p *printer) modifiers(m *ast.FuncMore) {
	for _, w := range m.Modifiers {
		p.s(w + " ")
	}
}

// eventText is the text that names the event among the parameters of a handler.
func eventText(n *ast.Func) []ast.Node {
	if n.Name == "" || n.More == nil || n.More.EventExpr == nil {
		return nil
	}
	return []ast.Node{n.More.EventExpr}
}

// arrowBody prints what stands behind =>: a body, a statement or an expression.
func (p *printer) arrowBody(n ast.Node) {
	switch n := n.(type) {
	case *ast.Body:
		p.body(n)
	case *ast.Command, *ast.Emit:
		p.statement(n)
	default:
		p.expr(n)
	}
}

func (p *printer) params(list []*ast.Param, first ...ast.Node) {
	p.s("(")
	for _, n := range first {
		p.expr(n)
	}
	for i, v := range list {
		if i > 0 || len(first) > 0 {
			p.s(", ")
		}
		if v.Rest {
			p.s("...")
		}
		m := v.Parts()
		p.s(v.Name)
		if m.Pattern != nil {
			p.pattern(m.Pattern)
		}
		if v.Optional {
			p.s("?")
		}
		if m.Type != nil {
			p.s(": ")
			p.typ(m.Type)
		}
		if m.Default != nil {
			p.s(" = ")
			p.expr(m.Default)
		}
	}
	p.s(")")
}

func (p *printer) pattern(n ast.Node) {
	switch n := n.(type) {
	case *ast.ObjectPattern:
		p.s("{")
		p.elements(n.Elements, " ")
		p.s("}")
	case *ast.ArrayPattern:
		p.s("[")
		p.elements(n.Elements, "")
		p.s("]")
	default:
		p.expr(n)
	}
}

func (p *printer) elements(list []*ast.PatternElement, pad string) {
	for i, e := range list {
		p.s([]string{pad, ", "}[min(i, 1)])
		if e.Rest {
			p.s("...")
		}
		p.s(e.Name)
		if e.Name != "" && e.Pattern != nil {
			p.s(": ")
		}
		if e.Pattern != nil {
			p.pattern(e.Pattern)
		}
		if e.Default != nil {
			p.s(" = ")
			p.expr(e.Default)
		}
	}
	if len(list) > 0 {
		p.s(pad)
	}
}
