package scene

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// gather takes the items of a body into d. root says that the body contains a
// scene, where environments, pipelines and controls have their place.
func (b *builder) gather(d *decl, items []ast.Node, s *scope, root bool) {
	b.declared(items, s)
	b.gatherState(d, items, s)
	g := &gathering{builder: b, d: d, s: s, root: root}
	for i, it := range items {
		if b.stopped {
			return
		}
		b.tick(1)
		g.item(it, items, i)
	}
	g.machineOf(items)
}

// gatherState takes the first values of the state before anything that may read
// them.
func (b *builder) gatherState(d *decl, items []ast.Node, s *scope) {
	slot := func(key string, typ, init ast.Node, r result) {
		if !b.reserve(2 * (codeBytes + valueBytes)) {
			return
		}
		if s.state == nil {
			s.state = map[string]Value{}
		}
		s.state[key] = r.v
		if r.dyn && b.prototyping != "" { // of a parameter, which what is spawned may set
			r.v = Value{}
		}
		d.owner.State = append(d.owner.State, Slot{Key: key, Init: r.v, Code: Code{Name: key, Node: init, File: s.file, scope: s}, Type: typ})
	}
	for _, it := range items {
		switch it := it.(type) {
		case *ast.Block:
			if it.BlockKind != "state" || it.Body == nil {
				continue
			}
			if name := b.name(it, s); name != "" { // state Score { … } is one object (M05)
				slot(name, nil, &ast.Object{Base: ast.Base{At: it.Body.Span()}, Body: *it.Body}, b.evalBody(it.Body, s))
				continue
			}
			for _, m := range it.Body.Items {
				switch m := m.(type) {
				case *ast.Property:
					init := m.Value
					if m.Type() != nil {
						init = nil
						if m.More != nil {
							init = m.More.Default
						}
					}
					slot(b.keyName(m.Key, s), m.Type(), init, b.propertyValue(m, s))
				case *ast.TypedMember:
					slot(m.Name, m.Type, m.Default, b.eval(m.Default, s))
				}
			}
		case *ast.Property:
			if o, ok := it.Value.(*ast.Object); ok && it.Key.Name() == "state" {
				for _, m := range o.Body.Items {
					if p, ok := m.(*ast.Property); ok {
						slot(b.keyName(p.Key, s), nil, p.Value, b.propertyValue(p, s))
					}
				}
			}
		case *ast.TypedMember:
			if len(it.Words) > 0 && it.Words[0] == "state" {
				slot(it.Name, it.Type, it.Default, b.eval(it.Default, s))
			}
		case *ast.Attribute:
			if it.Name == "state" && it.Config != nil {
				for _, m := range it.Config.Items {
					if p, ok := m.(*ast.Property); ok {
						slot(b.keyName(p.Key, s), nil, p.Value, b.propertyValue(p, s))
					}
				}
			}
		}
	}
}

// gathering is one pass over a body.
type gathering struct {
	*builder
	d        *decl
	s        *scope
	root     bool
	platform *use // @platform alone on the line before
	visible  *Bind
	hidden   bool
	// transitions stand in the body itself and not in a machine.
	transitions []ast.Node
}

func (g *gathering) code(name string, n ast.Node) Code {
	g.reserve(codeBytes)
	return Code{Name: name, Node: n, File: g.s.file, scope: g.s}
}

func (g *gathering) codeIn(name string, n ast.Node, s *scope) Code {
	c := g.code(name, n)
	c.scope = s
	return c
}

func (g *gathering) item(it ast.Node, items []ast.Node, at int) {
	if g.stopped {
		return
	}
	g.builder.in, g.builder.at = g.s.file, it
	if g.platform != nil {
		if a, ok := it.(*ast.Attribute); !ok || a.Control() != "" || g.root {
			use := g.platform
			g.platform = nil
			if !g.wanted(use) {
				return
			}
		}
	}
	switch it := it.(type) {
	case *ast.LineDirective:
		if g.root {
			g.scene.Metadata.Fields = append(g.scene.Metadata.Fields, field{Key: it.Name, Value: textOf(strings.TrimSpace(it.Text))})
			g.scene.Metadata.Kind = trait.Map
		}
	case *ast.CondBlock:
		g.condBlock(it)
	case *ast.Attribute:
		g.attribute(it, items, at)
	case *ast.Block:
		g.block(it)
	case *ast.List:
		g.list(it)
	case *ast.Property:
		g.property(it)
	case *ast.TypedMember:
		if len(it.Words) == 1 && it.Words[0] == "computed" && it.Default != nil { // computed tilt = left - right
			g.d.owner.Computed = append(g.d.owner.Computed, g.code(it.Name, it.Default))
			g.s.compute(it.Name, g.eval(it.Default, g.s).v)
			return
		}
		if _, _, constant := ast.ConstantOf(it); !constant && len(it.Words) > 0 && it.Words[0] != "state" && it.Default != nil {
			r := g.eval(it.Default, g.s)
			g.put(prop{key: it.Name, v: r.v, dyn: r.dyn, expr: it.Default, file: g.s.file, at: it})
		}
	case *ast.Override:
		r := g.eval(it.Value, g.s)
		if path := pathOf(it.Path); path != nil && g.reserve(propBytes) {
			g.d.overrides = append(g.d.overrides, override{path, prop{v: r.v, dyn: r.dyn, expr: it.Value, file: g.s.file, at: it, from: g.origin(g.s.file, it)}})
		}
	case *ast.Func:
		g.function(it)
	case *ast.Mapping:
		r := g.eval(it.To, g.s)
		g.put(prop{key: referenceName(it.From), v: r.v, dyn: r.dyn, expr: it.To, file: g.s.file, at: it})
	case *ast.Command:
		if _, _, constant := ast.ConstantOf(it); constant {
			return
		}
		r := g.evalCommand(it, g.s)
		if v := firstOr(r.v, "args"); known(v) {
			g.put(prop{key: it.Verb, v: v, dyn: r.dyn, file: g.s.file, at: it})
		}
	case *ast.Spread:
		if r := g.eval(it.X, g.s); r.v.Kind == trait.Map {
			for _, f := range r.v.Fields {
				g.put(prop{key: f.Key, v: f.Value, dyn: r.dyn, expr: it.X, file: g.s.file, at: it, from: f.From})
			}
		}
	case *ast.Wire:
		g.flows++
		g.d.wires = append(g.d.wires, Wire{Wire: it, Code: g.code("", it), turn: g.flows})
	case *ast.Execute:
		g.flows++
		g.d.runs = append(g.d.runs, Execute{Execute: it, Code: g.code("", it), turn: g.flows})
	case *ast.Export:
		if it.Item != nil {
			g.item(it.Item, items, at)
		}
	case *ast.ForIn:
		g.statementLoop(it)
	case *ast.If:
		g.statementIf(it)
	case *ast.ExprStmt:
		if !g.called(it) {
			g.inert(it)
		}
	case *ast.VarDecl, *ast.Import, *ast.Annotation, *ast.Bad, *ast.Ident:
	default: // a statement or a mapping where nothing runs
		g.inert(it)
	}
}

// statementLoop repeats what stands in a for between the nodes (X08).
func (g *gathering) statementLoop(n *ast.ForIn) {
	body, ok := n.Body.(*ast.Body)
	list := g.eval(n.Subject, g.s).v
	if !ok || list.Kind != trait.List || n.Name == "" {
		g.inert(n)
		return
	}
	outer := g.s
	defer func() { g.s = outer }()
	for _, v := range list.List {
		if !g.iterate(n) || !g.reserve(scopeBytes+propBytes) {
			return
		}
		g.s = outer.inner()
		g.s.set(n.Name, v)
		g.gatherMore(body)
	}
}

// statementIf takes the branch of an if between the nodes whose condition is known
// and true; one on state is none for a statement.
func (g *gathering) statementIf(n *ast.If) {
	for _, br := range n.Branches {
		r := g.condition(br.Cond)
		if r.dyn || !known(r.v) {
			g.inert(n)
			return
		}
		if truthy(r.v) {
			if body, ok := br.Body.(*ast.Body); ok {
				g.gatherMore(body)
			}
			return
		}
	}
	if body, ok := n.Else.(*ast.Body); ok {
		g.gatherMore(body)
	}
}

// inert reports what stands where nothing acts on it.
func (g *gathering) inert(n ast.Node) {
	text, _, _ := strings.Cut(strings.TrimSpace(g.slice(g.s, n)), "\n")
	if r := []rune(text); len(r) > 40 {
		text = string(r[:39]) + "…"
	}
	g.inactivate(n)
	g.report("BLK011", g.s.file, n, "'"+text+"'")
}

// declared makes the names of const and let known to the values beside them.
func (b *builder) declared(items []ast.Node, s *scope) {
	for _, it := range items {
		if e, ok := it.(*ast.Export); ok && e.Item != nil {
			it = e.Item
		}
		if name, value, ok := ast.ConstantOf(it); ok {
			if r := b.eval(value, s); known(r.v) && !r.dyn && r.v.Kind != trait.Handler && b.reserve(valueBytes+scopeBytes) {
				b.constant(s, name, r.v, it)
			}
			continue
		}
		v, ok := it.(*ast.VarDecl)
		if !ok {
			continue
		}
		for _, d := range v.Decls {
			if d.Name == "" || d.Value == nil || !b.reserve(valueBytes+scopeBytes) {
				continue
			}
			if r := b.eval(d.Value, s); known(r.v) && !r.dyn && r.v.Kind != trait.Handler {
				b.constant(s, d.Name, r.v, d)
			}
		}
	}
}

func (b *builder) constant(s *scope, name string, v Value, at ast.Node) {
	s.set(name, b.whole(v))
	if s.from == nil {
		s.from = map[string]*trait.Origin{}
	}
	from := b.constants[at]
	if from == nil { // the first turn of a loop or instance of a template
		if b.constants == nil {
			b.constants = map[ast.Node]*trait.Origin{}
		}
		from = b.origin(s.file, at)
		b.constants[at] = from
		b.behaviour.Constants = append(b.behaviour.Constants, Constant{name, s.file, at, from})
	}
	s.from[name] = from
}

func pathOf(n ast.Node) []string {
	switch n := n.(type) {
	case *ast.Ident:
		return []string{n.Name}
	case *ast.Path:
		return n.Segments()
	case *ast.String:
		return strings.Split(n.Value(), ".")
	case *ast.Member:
		if x := pathOf(n.X); x != nil {
			return append(x, n.Name)
		}
	}
	return nil
}

// condBlock takes the branch of #if that is true for the target.
func (g *gathering) condBlock(n *ast.CondBlock) {
	for _, br := range n.Branches {
		if truthy(g.condition(br.Cond).v) {
			g.gatherMore(br.Body)
			return
		}
	}
	g.gatherMore(n.Else)
}

func (g *gathering) gatherMore(body *ast.Body) {
	if body == nil {
		return
	}
	g.declared(body.Items, g.s)
	g.gatherState(g.d, body.Items, g.s)
	for i, it := range body.Items {
		g.tick(1)
		g.item(it, body.Items, i)
	}
}

// condition evaluates what a compile-time condition asks: a bare word is the
// name of a platform or target and is true for those.
func (g *gathering) condition(n ast.Node) result {
	r := g.eval(n, g.s)
	if r.v.Kind == trait.Word {
		if word := r.v.Str; g.options.Targets != nil && !g.isTarget(word) && !g.options.Targets(word) {
			if _, ok := trait.Platforms(word); !ok {
				g.report("BLK006", g.s.file, n, "What stands here", "a condition on '"+word+"', which is no platform and no target")
			}
		}
		return result{boolOf(g.isTarget(r.v.Str)), r.dyn}
	}
	if u, ok := n.(*ast.Unary); ok && (u.Op == "!" || u.Op == "not") {
		in := g.condition(u.X)
		return result{boolOf(!truthy(in.v)), in.dyn}
	}
	return r
}

func (b *builder) isTarget(name string) bool {
	return name == b.options.Target || slices.Contains(b.platforms, name)
}

// conditional takes the branch of @if … @elif … @else that is true. When the
// condition is on state all branches are there, and the state says which is seen.
func (g *gathering) conditional(items []ast.Node, at int) {
	taken := false
	for i := at; i < len(items); i++ {
		a, ok := items[i].(*ast.Attribute)
		if !ok || i > at && a.Name != "elif" && a.Name != "else" {
			return
		}
		met, dyn := true, false
		if a.Value != nil {
			r := g.condition(a.Value)
			met, dyn = truthy(r.v), r.dyn
		}
		switch {
		case dyn:
			was, hidden := g.visible, g.hidden
			g.visible, g.hidden = &Bind{"visible", g.code("visible", a.Value)}, hidden || taken || !met
			g.gatherMore(a.Body)
			g.visible, g.hidden = was, hidden
			taken = taken || met
		case taken:
		case met:
			taken = true
			g.gatherMore(a.Body)
		}
	}
}

// list is a list without a colon.
func (g *gathering) list(n *ast.List) {
	if nodeListKeys[n.ListKind] {
		g.nodeList(n.Elements)
		return
	}
	if n.ListKind == "lights" || n.ListKind == "cameras" {
		g.typedList(n.Elements, n.ListKind[:len(n.ListKind)-1])
		return
	}
	r := g.evalArray(n.Elements, g.s)
	if n.ListKind == "traits" {
		g.traitList(r.v, n)
		return
	}
	name := ""
	if len(n.HeadArgs) > 0 {
		name = nodeName(g.eval(n.HeadArgs[0], g.s).v)
	}
	if name != "" || g.root {
		g.keep(Domain{Kind: n.ListKind, Name: name, Data: r.v}, n)
		if !actedOn[n.ListKind] {
			g.inert(n)
		}
		return
	}
	g.put(prop{key: n.ListKind, v: r.v, dyn: r.dyn, file: g.s.file, at: n})
}

// nodeList takes nodes that stand in a list: blocks and plain objects.
func (g *gathering) nodeList(n *ast.Array) {
	for _, e := range n.Elements {
		switch e := e.(type) {
		case *ast.Block:
			g.block(e)
		default:
			r := g.eval(e, g.s)
			g.valueNode(r.v, e)
		}
	}
}

// nodesByName takes nodes of an object: the keys are their names, what is no object
// is left.
func (g *gathering) nodesByName(o *ast.Object) {
	for i, it := range o.Body.Items {
		p, ok := it.(*ast.Property)
		if !ok {
			g.item(it, o.Body.Items, i)
			continue
		}
		v := g.eval(p.Value, g.s).v
		if v.Kind == trait.Map {
			if _, named := get(v, "name"); !named {
				v.Fields = append([]field{{Key: "name", Value: textOf(g.keyName(p.Key, g.s))}}, v.Fields...)
			}
			g.valueNode(v, p)
		}
	}
}

// typedList takes lights or cameras of a list.
func (g *gathering) typedList(n *ast.Array, kind string) {
	first := len(g.d.children)
	g.nodeList(n)
	for _, c := range g.d.children[first:] {
		if c.kind != "object" {
			continue
		}
		c.kind = kind
	}
}

// traitList reads traits: [a, b] of component style: settings of the same name
// become the trait's configuration when the body is complete.
func (g *gathering) traitList(v Value, at ast.Node) {
	for _, e := range v.List {
		if g.stopped {
			return
		}
		name, args := nodeName(e), []field(nil)
		if e.Kind == trait.Map {
			for _, f := range e.Fields {
				if f.Key == "trait" || f.Key == "name" || f.Key == "type" && name == "" {
					name = nodeName(f.Value)
				} else {
					args = append(args, f)
				}
			}
		}
		name = strings.TrimPrefix(name, "@")
		if name == "" {
			continue
		}
		entry, known := g.registry.Lookup(name)
		if !known && e.Kind == trait.Map {
			g.report("TRT001", g.s.file, at, name, "")
		}
		g.addTrait(use{Name: name, args: args, entry: entry, at: at, file: g.s.file})
	}
}

// keep puts a block away as data.
func (g *gathering) keep(d Domain, at ast.Node) {
	if !g.reserve(blockBytes) {
		return
	}
	d.Src = g.src(g.s.file, at)
	g.d.domain = append(g.d.domain, d)
}
