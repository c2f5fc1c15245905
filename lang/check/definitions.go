package check

import (
	"maps"
	"slices"
	"strconv"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// define lays the trait definitions of the file over the registry:
// trait x extends y { … } and @trait { … }.
func (c *checker) define() {
	var entries []trait.Entry
	at := map[string]token.Span{}
	collect := func(items []ast.Node) {
		for _, n := range items {
			if e, ok := n.(*ast.Export); ok && e.Item != nil {
				n = e.Item
			}
			switch n := n.(type) {
			case *ast.Block:
				if n.BlockKind == "trait" && n.Name != nil && !n.Is(ast.Broken) {
					e := c.traitEntry(n)
					entries = append(entries, e)
					at[e.Name] = n.Name.Span()
				}
			case *ast.Attribute:
				if n.Name == "trait" && n.Config != nil && !n.Is(ast.Broken) {
					if e, span, ok := c.traitAttribute(n); ok {
						entries = append(entries, e)
						at[e.Name] = span
					}
				}
			}
		}
	}
	collect(c.f.Items())
	for _, o := range c.top.children {
		if o.role() == root || o.is("module") {
			collect(o.body.Items)
		}
	}
	if len(entries) == 0 {
		return
	}
	next, faults := c.reg.Define(entries)
	c.reg = next
	for _, f := range faults {
		c.add(f.Code, at[f.Trait], f.Slots()...)
	}
}

// traitEntry reads trait name extends parent { param: type = default }.
func (c *checker) traitEntry(b *ast.Block) trait.Entry {
	e := trait.Entry{Name: b.NameText(), Kind: trait.KindTrait, Summary: b.NameText()}
	if ext := b.Heading().Extends; len(ext) > 0 {
		e.Extends = nameOf(ext[0])
	}
	for _, n := range b.Body.Items {
		switch n := n.(type) {
		case *ast.Property:
			key := n.Key.Name()
			if !isWord(key) {
				continue
			}
			p := trait.Param{Name: key, Type: trait.Type{{Base: trait.TypeAny}}}
			if t := n.Type(); t != nil {
				paramType(&p, t)
				if n.More != nil && n.More.Default != nil {
					p.Default = c.constantValue(n.More.Default)
				}
				p.Required = n.More == nil || n.More.Default == nil && !n.More.Optional
			} else {
				switch key {
				case "description", "summary":
					e.Summary = nameOf(n.Value)
					continue
				case "category":
					e.Category = nameOf(n.Value)
					continue
				}
				if v := c.constantValue(n.Value); v != nil && v.Kind != trait.Handler {
					p.Default = v
				}
			}
			e.Params = append(e.Params, p)
		case *ast.TypedMember:
			p := trait.Param{Name: n.Name, Type: trait.Type{{Base: trait.TypeAny}}}
			paramType(&p, n.Type)
			if n.Default != nil {
				p.Default = c.constantValue(n.Default)
			}
			e.Params = append(e.Params, p)
		}
	}
	return e
}

// traitAttribute reads @trait { name: "x", props: { … } }.
func (c *checker) traitAttribute(a *ast.Attribute) (e trait.Entry, at token.Span, ok bool) {
	e = trait.Entry{Kind: trait.KindTrait}
	at = c.nameSpan(a)
	for _, n := range a.Config.Items {
		p, isProp := n.(*ast.Property)
		if !isProp || p.Value == nil { // a value that is missing the parser has reported
			continue
		}
		switch p.Key.Name() {
		case "name":
			e.Name, at = nameOf(p.Value), p.Value.Span()
		case "category":
			e.Category = nameOf(p.Value)
			if _, known := c.reg.Category(e.Category); !known {
				e.Category = ""
			}
		case "description", "summary":
			e.Summary = nameOf(p.Value)
		case "extends":
			e.Extends = nameOf(p.Value)
		case "props", "params":
			if o, ok := p.Value.(*ast.Object); ok {
				e.Params = c.traitParams(&o.Body)
			}
		case "events":
			if o, ok := p.Value.(*ast.Object); ok {
				for _, it := range o.Body.Items {
					if q, ok := it.(*ast.Property); ok {
						e.Events = append(e.Events, q.Key.Name())
					}
				}
			}
		}
	}
	if e.Summary == "" {
		e.Summary = e.Name
	}
	return e, at, e.Name != ""
}

func (c *checker) traitParams(body *ast.Body) []trait.Param {
	var out []trait.Param
	for _, n := range body.Items {
		prop, ok := n.(*ast.Property)
		if !ok || prop.Key.Computed != nil {
			continue
		}
		p := trait.Param{Name: prop.Key.Name(), Type: trait.Type{{Base: trait.TypeAny}}}
		switch v := prop.Value.(type) {
		case *ast.Object:
			for _, it := range v.Body.Items {
				q, ok := it.(*ast.Property)
				if !ok {
					continue
				}
				switch q.Key.Name() {
				case "type":
					if t, err := trait.ParseType(nameOf(q.Value)); err == nil {
						p.Type = t
					}
				case "default":
					p.Default = c.constantValue(q.Value)
				case "required":
					if v := c.constantValue(q.Value); v != nil {
						p.Required = v.Bool
					}
				case "min":
					if v := c.constantValue(q.Value); v != nil && v.Kind == trait.Number {
						p.Min = &v.Num
					}
				case "max":
					if v := c.constantValue(q.Value); v != nil && v.Kind == trait.Number {
						p.Max = &v.Num
					}
				case "values":
					if v := c.constantValue(q.Value); v != nil {
						p.Values = v.List
					}
				}
			}
		default:
			if t := prop.Type(); t != nil {
				paramType(&p, t)
			} else {
				p.Default = c.constantValue(prop.Value)
			}
		}
		out = append(out, p)
	}
	return out
}

// constantValue is a value that a definition can have, nil for none.
func (c *checker) constantValue(n ast.Node) *trait.Value {
	v := c.valueOf(n, place{o: c.top})
	if v.Kind == trait.Unknown || v.Kind == trait.Handler {
		return nil
	}
	if v.Kind == trait.Word || v.Kind == trait.Color {
		v.Kind = trait.Text
	}
	return &v
}

// paramType reads a type of the source as the registry writes it; what the
// registry has no name for is anything.
func paramType(p *trait.Param, n ast.Node) {
	switch n := n.(type) {
	case *ast.TypeName:
		if t, err := trait.ParseType(n.Path); err == nil {
			p.Type = t
		}
	case *ast.Union:
		for _, m := range n.Members {
			t := literalOf(literalNode(m))
			if t == nil || t.form != literal || t.base != stringT {
				p.Values = nil
				return
			}
			p.Values = append(p.Values, trait.Value{Kind: trait.Text, Str: t.name})
		}
		p.Type = trait.Type{{Base: trait.TypeEnum}}
	case *ast.EnumType:
		for _, w := range n.Words {
			p.Values = append(p.Values, trait.Value{Kind: trait.Text, Str: w})
		}
		p.Type = trait.Type{{Base: trait.TypeEnum}}
	case *ast.ArrayOf:
		p.Type = trait.Type{{Base: trait.TypeList}}
	case *ast.ObjectType:
		p.Type = trait.Type{{Base: trait.TypeObject}}
	}
}

func literalNode(n ast.Node) ast.Node {
	if l, ok := n.(*ast.LiteralType); ok {
		return l.X
	}
	return nil
}

// chains reports templates that use each other, chains that are too long, and
// computed values that depend on each other.
func (c *checker) chains() {
	next := map[string][]string{}
	for name, o := range c.templates {
		for _, u := range o.uses {
			next[name] = append(next[name], nameOf(u))
		}
	}
	order := templateOrder(c.templates)
	round := map[string]bool{}
	for _, cycle := range cycles(order, next) {
		for _, name := range cycle {
			round[name] = true
		}
		if o := c.templates[cycle[0]]; o != nil && o.sym.File == c.f.Path() {
			c.add("NAM010", o.sym.At, circle(cycle))
		}
	}
	for _, name := range order {
		if n := c.chainLength(name, next); n > MaxChain && !round[name] {
			c.add("LIM010", c.templates[name].sym.At, "the chain of templates", strconv.Itoa(n), strconv.Itoa(MaxChain))
			break // the first says it for all
		}
	}
	c.computedCycles(c.top)
}

func templateOrder(m map[string]*owner) []string {
	out := make([]string, 0, len(m))
	for name, o := range m {
		if o.sym.own == o {
			out = append(out, name)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return int(m[a].sym.At.Start) - int(m[b].sym.At.Start) })
	return out
}

// chainLength is the length of the longest chain from a template, as far as
// twice the limit.
func (c *checker) chainLength(name string, next map[string][]string) int {
	level := []string{name}
	n := 0
	for len(level) > 0 && n <= 2*MaxChain {
		n++
		seen := map[string]bool{}
		var below []string
		for _, l := range level {
			for _, u := range next[l] {
				if !seen[u] && c.templates[u] != nil {
					seen[u] = true
					below = append(below, u)
				}
			}
		}
		level = below
	}
	return n
}

// computedCycles reports computed values of one owner that need each other.
func (c *checker) computedCycles(o *owner) {
	next := map[string][]string{}
	var order []*Symbol
	for _, s := range o.names {
		if s.Kind != Computed {
			continue
		}
		order = append(order, s)
		value := s.decl
		if p, ok := s.decl.(*ast.Property); ok {
			value = p.Value
		}
		if value == nil {
			continue
		}
		ast.Walk(value, func(n ast.Node) bool {
			name := ""
			switch n := n.(type) {
			case *ast.Ident:
				name = n.Name
			case *ast.Path:
				name = n.Segments()[0]
				if s := n.Segments(); len(s) > 1 && (name == "this" || name == "self") {
					name = s[1]
				}
			}
			if t := o.names[name]; name != "" && t != nil && t.Kind == Computed {
				next[s.Name] = append(next[s.Name], name)
			}
			return true
		})
	}
	slices.SortFunc(order, func(a, b *Symbol) int { return int(a.At.Start) - int(b.At.Start) })
	starts := make([]string, len(order))
	for i, s := range order {
		starts[i] = s.Name
	}
	for _, cycle := range cycles(starts, next) {
		c.add("TYP011", o.names[cycle[0]].At, circle(cycle))
	}
	for _, child := range o.children {
		c.computedCycles(child)
	}
}

// typeBody looks at the members of a struct, an interface or a class.
func (c *checker) typeBody(b *ast.Block, p place) {
	o := c.owners[b.Body]
	if o == nil {
		return
	}
	for _, n := range b.Body.Items {
		prop, ok := n.(*ast.Property)
		if !ok || prop.Is(ast.Broken) {
			continue
		}
		if s := o.names[prop.Key.Name()]; s != nil && s.decl == ast.Node(prop) {
			s.typ, s.declared = c.typeOf(prop.Type()), true
		}
	}
	for _, n := range b.Body.Items { // signatures before what uses them
		if f, ok := n.(*ast.Func); ok && f.FuncKind != ast.Handler {
			if s := o.names[f.Name]; s != nil && s.decl == ast.Node(f) {
				c.funcType(f, s)
			}
		}
	}
	c.judgeBody(b.Body, p)
}

// enumBody looks at the members of an enum.
func (c *checker) enumBody(b *ast.Block) {
	seen := map[string]token.Span{}
	for _, n := range b.Body.Items {
		e, ok := n.(*ast.Enumerator)
		if !ok || e.Name == nil {
			continue
		}
		name := nameOf(e.Name)
		if before, ok := seen[name]; ok {
			c.add("NAM002", e.Name.Span(), name).Related("Declared here.", int(before.Start), int(before.End))
			continue
		}
		seen[name] = e.Name.Span()
	}
}

// testBody looks at @test { name setup assert }: its objects contain statements.
func (c *checker) testBody(body *ast.Body, p place) {
	if p.o == c.top {
		p.o = c.shared()
	}
	q := inTest(p).inner()
	for i, n := range body.Items {
		switch n := n.(type) {
		case *ast.Property:
			if o, ok := n.Value.(*ast.Object); ok {
				c.judgeBody(&o.Body, q)
			} else if a, ok := n.Value.(*ast.Array); ok {
				for _, e := range a.Elements {
					c.value(e, q, nil)
				}
			}
		case *ast.Block:
			if n.Name == nil && n.Heading().Arrow == nil && len(n.Heading().Args) == 0 {
				c.judgeBody(n.Body, q)
			} else {
				c.judge(n, q, body, i)
			}
		case *ast.Func:
			c.judge(n, p, body, i)
		default:
			c.judge(n, q, body, i)
		}
	}
	c.keepLocals(body.At, q.locals)
}

// shared is what a test at the top of a file sees: the state and the names of the
// file and of its compositions, which are shared there.
func (c *checker) shared() *owner {
	if c.tested != nil {
		return c.tested
	}
	c.tested = c.top
	for _, child := range c.top.children {
		if child.role() != root {
			continue
		}
		if c.tested == c.top {
			c.tested = newOwner(nil, child.block, child.body)
			c.tested.parent = c.top
		}
		maps.Copy(c.tested.state, child.state)
		maps.Copy(c.tested.names, child.names)
	}
	return c.tested
}

// export notes the names that an export makes public.
func (c *checker) export(n *ast.Export) {
	note := func(name string, at token.Span) {
		if before, ok := c.exported[name]; ok && before != at {
			c.add("IMP009", at, name).Related("The first export.", int(before.Start), int(before.End))
			return
		}
		c.exported[name] = at
	}
	for _, m := range n.Names {
		name := m.Name
		if m.Alias != "" {
			name = m.Alias
		}
		note(name, m.At)
	}
	if b, ok := n.Item.(*ast.Block); ok && b.Name != nil {
		note(b.NameText(), b.Name.Span())
	}
	if f, ok := n.Item.(*ast.Func); ok && f.Name != "" {
		note(f.Name, c.wordIn(f.At, f.Name, 0))
	}
	if v, ok := n.Item.(*ast.VarDecl); ok {
		for _, d := range v.Decls {
			note(d.Name, d.At)
		}
	}
}

// exportNames reports names in export { } that nothing declares.
func (c *checker) exportNames() {
	for _, n := range c.f.Items() {
		e, ok := n.(*ast.Export)
		if !ok || e.Source != nil || e.Is(ast.Broken) {
			continue
		}
		for _, m := range e.Names {
			at := token.Span{Start: m.At.Start, End: m.At.Start + uint32(len(m.Name))}
			c.exportedName(m.Name, at, c.top)
		}
	}
}

// exportsBlock looks at exports { a b }.
func (c *checker) exportsBlock(b *ast.Block, p place) {
	for _, n := range b.Body.Items {
		switch n := n.(type) {
		case *ast.Ident:
			c.exportedName(n.Name, n.At, p.o)
		case *ast.Property:
			if id, ok := n.Value.(*ast.Ident); ok {
				c.exportedName(id.Name, id.At, p.o)
			}
		}
	}
}

func (c *checker) exportedName(name string, at token.Span, o *owner) {
	var known []string
	if name == "state" && len(o.state) > 0 {
		return
	}
	for x := o; x != nil; x = x.parent {
		if s := x.names[name]; s != nil {
			c.refer(at, s)
			return
		}
		if s := x.state[name]; s != nil {
			c.refer(at, s)
			return
		}
		for _, child := range x.children {
			if child.name == name {
				c.refer(at, child.sym)
				return
			}
		}
		for k := range x.names {
			known = append(known, k)
		}
		for k := range x.state {
			known = append(known, k)
		}
	}
	if s := c.types[name]; s != nil {
		c.refer(at, s)
		return
	}
	near, ok := c.nearest(name, known)
	if !ok {
		c.add("NAM011", at, name, "")
		return
	}
	replace(c.add("NAM011", at, name, hint(near)), at, near)
}
