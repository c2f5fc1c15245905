package scene

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/trait"
)

// attribute is a trait on its own line, or a control form.
func (g *gathering) attribute(a *ast.Attribute, items []ast.Node, at int) {
	switch a.Control() {
	case "if":
		g.conditional(items, at)
	case "elif", "else":
		// taken with its @if
	case "for", "forEach":
		g.loop(a)
	case "while":
		g.keep(Domain{Kind: "@while", Data: mapOf(field{Key: "source", Value: textOf(g.slice(g.s, a))})}, a)
	default:
		g.trait(a)
	}
}

// loop repeats its items with the counter as a name.
func (g *gathering) loop(a *ast.Attribute) {
	in, ok := a.Value.(*ast.ForIn)
	if !ok || a.Body == nil {
		return
	}
	list := g.eval(in.Subject, g.s).v
	if list.Kind != trait.List {
		g.keep(Domain{Kind: "@for", Data: mapOf(field{Key: "source", Value: textOf(g.slice(g.s, a))})}, a)
		return
	}
	outer := g.s
	defer func() { g.s = outer }()
	for _, v := range list.List {
		if !g.iterate(a) || !g.reserve(scopeBytes+propBytes) {
			return
		}
		g.s = outer.inner()
		if in.Name != "" {
			g.s.set(in.Name, v)
		}
		g.gatherMore(a.Body)
	}
}

// trait takes a trait of the body.
func (g *gathering) trait(a *ast.Attribute) {
	u, dyn := g.use(a, g.s)
	if text, ok := a.Value.(*ast.String); ok && a.Name == "trait" { // @trait: "ui_panel"
		name := strings.TrimPrefix(text.Value(), "@")
		u.Name = name
		u.entry, _ = g.registry.Lookup(name)
		if g.addTrait(u); u.entry == nil {
			g.report("BLK011", g.s.file, text, "'@"+name+"'")
		}
		return
	}
	switch a.Name {
	case "state", "template", "trait", "import", "export":
		if item, ok := a.Value.(*ast.Block); ok && a.Name == "export" {
			g.block(item)
		}
		return
	case "platform":
		g.platform = &u
		return
	case "test":
		name, _ := plainText(u.param("name"))
		if s, ok := firstNode(a.Positional).(*ast.String); ok && name == "" { // @test("adds") { … }
			name = s.Value()
		}
		g.test(name, a, attributeItems(a))
		return
	case "computed":
		g.entries(&g.d.owner.Computed, a.Config)
		return
	case "state_machine":
		g.d.owner.Machines = append(g.d.owner.Machines, g.code(nodeName(u.param("id")), a))
	}
	if event, ok := strings.CutPrefix(a.Name, "on_"); ok && (a.Value != nil || a.Body != nil) {
		if n := cmpNode(a.Value, a.Body); n != nil {
			name, _ := plainText(u.param("name"))
			if event != "event" || name == "" {
				name = event
			}
			g.d.owner.Handlers = append(g.d.owner.Handlers, g.code(name, a))
			return
		}
	}
	_ = dyn
	if u.entry != nil && u.entry.Merges() {
		was := g.d.looked
		i := g.d.traitAt(u.Name)
		if g.tick(g.d.looked - was); i >= 0 {
			t := &g.d.traits[i]
			if g.reserve((len(t.args) + len(u.args)) * fieldBytes) {
				t.args = deepMerge(mapOf(t.args...), mapOf(u.args...)).Fields
			}
			return
		}
	}
	g.addTrait(u)
}

// put gives the node a setting. A map over a map copies both.
func (g *gathering) put(p prop) {
	if p.from == nil {
		p.from = g.origin(p.file, p.at)
	}
	bytes := propBytes + len(p.key)
	if old, there := g.d.byKey[trait.FoldKey(p.key)]; there && p.v.Kind == trait.Map {
		bytes += (len(g.d.props[old].v.Fields) + len(p.v.Fields)) * fieldBytes
	}
	if g.reserve(bytes) {
		g.d.put(p)
	}
}

// addTrait gives the node one more trait, as long as it has not too many.
func (g *gathering) addTrait(u use) {
	if n := len(g.d.traits) + 1; n > trait.MaxUses {
		g.limit(diag.Code("LIM007"), u.file, u.at, "the number of traits of a node", n, trait.MaxUses)
		g.stopped = true
		return
	}
	if g.reserve(traitBytes) {
		g.d.traits = append(g.d.traits, u)
	}
}

func nodeName(v Value) string {
	t, _ := plainText(v)
	return t
}

func cmpNode(value ast.Node, body *ast.Body) ast.Node {
	switch {
	case value != nil:
		return value
	case body != nil:
		return body
	}
	return nil
}

// use reads a trait with its arguments.
func (b *builder) use(a *ast.Attribute, s *scope) (use, bool) {
	u := use{Name: a.Name, at: a, file: s.file}
	if n := len(a.Positional); n > trait.MaxArgs {
		b.limit(diag.Code("LIM007"), s.file, a, "the number of arguments of a trait", n, trait.MaxArgs)
		b.stopped = true
	}
	if !b.reserve(len(a.Positional) * fieldBytes) {
		return u, false
	}
	u.entry, _ = b.registry.Lookup(a.Name)
	dyn := false
	place := 0
	put := func(key string, r result) {
		dyn = dyn || r.dyn
		u.args = append(u.args, field{Key: key, Value: r.v})
	}
	for _, p := range a.Positional {
		switch p := p.(type) {
		case *ast.Property:
			put(b.keyName(p.Key, s), b.propertyValue(p, s))
		case *ast.Spread:
			if r := b.eval(p.X, s); r.v.Kind == trait.Map {
				u.args = append(u.args, r.v.Fields...)
			}
		default:
			key := "arg" + formatNumber(float64(place))
			if u.entry != nil {
				if q, ok := u.entry.Place(place); ok {
					key = q.Name
				}
			}
			place++
			r := b.eval(p, s)
			if old, there := get(mapOf(u.args...), key); there { // a rest parameter
				list := old.List
				if old.Kind != trait.List {
					list = []Value{old}
				}
				r.v = listOf(append(slices.Clone(list), r.v))
				u.args = slices.DeleteFunc(u.args, func(f field) bool { return f.Key == key })
			}
			put(key, r)
		}
	}
	if a.Config != nil {
		r := b.evalBody(a.Config, s)
		dyn = dyn || r.dyn
		u.args = append(u.args, r.v.Fields...)
	}
	switch v := a.Value.(type) {
	case nil:
	case *ast.Object:
		r := b.evalBody(&v.Body, s)
		dyn = dyn || r.dyn
		u.args = append(u.args, r.v.Fields...)
	default:
		if !a.Is(ast.ArrowForm) && a.Control() == "" {
			key := "value"
			if u.entry != nil {
				if q, ok := u.entry.Place(0); ok {
					key = q.Name
				}
			}
			put(key, b.eval(v, s))
		}
	}
	return u, dyn
}

// wanted says whether @platform lets what follows through for this target.
func (b *builder) wanted(u *use) bool {
	if b.options.Everywhere {
		return true
	}
	names := func(v Value) []string {
		if v.Kind == trait.List {
			var out []string
			for _, e := range v.List {
				out = append(out, nodeName(e))
			}
			return out
		}
		if t := nodeName(v); t != "" {
			return []string{t}
		}
		return nil
	}
	var only, not []string
	for _, f := range u.args {
		if f.Key == "not" {
			not = append(not, names(f.Value)...)
		} else {
			only = append(only, names(f.Value)...)
		}
	}
	matches := func(list []string) bool { return slices.ContainsFunc(list, b.isTarget) }
	return (len(only) == 0 || matches(only)) && !matches(not)
}
