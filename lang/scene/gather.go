package scene

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// gather takes the items of a body into d. root says that the body holds a
// scene, where environments, pipelines and controls have their place.
func (b *builder) gather(d *decl, items []ast.Node, s *scope, root bool) {
	b.gatherState(d, items, s)
	g := &gathering{builder: b, d: d, s: s, root: root}
	for i, it := range items {
		if b.stopped {
			return
		}
		b.spend(it)
		g.item(it, items, i)
	}
}

// gatherState takes the first values of the state before anything that may read
// them.
func (b *builder) gatherState(d *decl, items []ast.Node, s *scope) {
	slot := func(key string, init ast.Node, r result) {
		if s.state == nil {
			s.state = map[string]Value{}
		}
		s.state[key] = r.v
		d.owner.State = append(d.owner.State, Slot{Key: key, Init: r.v, Code: Code{Name: key, Node: init, File: s.file, scope: s}})
	}
	for _, it := range items {
		switch it := it.(type) {
		case *ast.Block:
			if it.BlockKind != "state" || it.Body == nil {
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
					slot(b.keyName(m.Key, s), init, b.propertyValue(m, s))
				case *ast.TypedMember:
					slot(m.Name, m.Default, b.eval(m.Default, s))
				}
			}
		case *ast.Property:
			if o, ok := it.Value.(*ast.Object); ok && it.Key.Name() == "state" {
				for _, m := range o.Body.Items {
					if p, ok := m.(*ast.Property); ok {
						slot(b.keyName(p.Key, s), p.Value, b.propertyValue(p, s))
					}
				}
			}
		case *ast.TypedMember:
			if len(it.Words) > 0 && it.Words[0] == "state" {
				slot(it.Name, it.Default, b.eval(it.Default, s))
			}
		case *ast.Attribute:
			if it.Name == "state" && it.Config != nil {
				for _, m := range it.Config.Items {
					if p, ok := m.(*ast.Property); ok {
						slot(b.keyName(p.Key, s), p.Value, b.propertyValue(p, s))
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
}

func (g *gathering) code(name string, n ast.Node) Code {
	return Code{Name: name, Node: n, File: g.s.file, scope: g.s}
}

func (g *gathering) item(it ast.Node, items []ast.Node, at int) {
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
		if len(it.Words) > 0 && it.Words[0] != "state" && it.Default != nil {
			r := g.eval(it.Default, g.s)
			g.d.put(prop{key: it.Name, v: r.v, dyn: r.dyn, expr: it.Default, file: g.s.file, at: it})
		}
	case *ast.Override:
		r := g.eval(it.Value, g.s)
		if path := pathOf(it.Path); path != nil {
			g.d.overrides = append(g.d.overrides, override{path, prop{v: r.v, dyn: r.dyn, expr: it.Value, file: g.s.file, at: it}})
		}
	case *ast.Func:
		g.function(it)
	case *ast.Command:
		r := g.evalCommand(it, g.s)
		if v := firstOr(r.v, "args"); known(v) {
			g.d.put(prop{key: it.Verb, v: v, dyn: r.dyn, file: g.s.file, at: it})
		}
	case *ast.Spread:
		if r := g.eval(it.X, g.s); r.v.Kind == trait.Map {
			for _, f := range r.v.Fields {
				g.d.put(prop{key: f.Key, v: f.Value, dyn: r.dyn, expr: it.X, file: g.s.file, at: it})
			}
		}
	case *ast.Wire:
		g.behaviour.Wires = append(g.behaviour.Wires, Wire{it, g.code("", it)})
	case *ast.Execute:
		g.behaviour.Runs = append(g.behaviour.Runs, Execute{it, g.code("", it)})
	case *ast.Export:
		if it.Item != nil {
			g.item(it.Item, items, at)
		}
	}
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

// condBlock takes the branch of #if that holds for the target.
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
	g.gatherState(g.d, body.Items, g.s)
	for i, it := range body.Items {
		g.item(it, body.Items, i)
	}
}

// condition evaluates what a compile-time condition asks: a bare word is the
// name of a platform or target and holds for those.
func (g *gathering) condition(n ast.Node) result {
	r := g.eval(n, g.s)
	if r.v.Kind == trait.Word {
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

// conditional takes the branch of @if … @elif … @else that holds. When the
// condition is on state all branches are there, and the state says which is seen.
func (g *gathering) conditional(items []ast.Node, at int) {
	taken := false
	for i := at; i < len(items); i++ {
		a, ok := items[i].(*ast.Attribute)
		if !ok || i > at && a.Name != "elif" && a.Name != "else" {
			return
		}
		holds, dyn := true, false
		if a.Value != nil {
			r := g.condition(a.Value)
			holds, dyn = truthy(r.v), r.dyn
		}
		switch {
		case dyn:
			was, hidden := g.visible, g.hidden
			g.visible, g.hidden = &Bind{"visible", g.code("visible", a.Value)}, hidden || taken || !holds
			g.gatherMore(a.Body)
			g.visible, g.hidden = was, hidden
			taken = taken || holds
		case taken:
		case holds:
			taken = true
			g.gatherMore(a.Body)
		}
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
		if !g.iterate(a) {
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
		g.behaviour.Tests = append(g.behaviour.Tests, Test{name, a, g.code(name, a)})
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
	if u.entry == nil || !u.entry.Merges() {
		g.d.traits = append(g.d.traits, u)
		return
	}
	for i := range g.d.traits {
		if g.d.traits[i].Name == u.Name {
			g.d.traits[i].args = deepMerge(mapOf(g.d.traits[i].args...), mapOf(u.args...)).Fields
			return
		}
	}
	g.d.traits = append(g.d.traits, u)
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

// list is a list without a colon.
func (g *gathering) list(n *ast.List) {
	if nodeListKeys[n.ListKind] {
		g.nodeList(n.Elements)
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
		return
	}
	g.d.put(prop{key: n.ListKind, v: r.v, dyn: r.dyn, file: g.s.file, at: n})
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

// traitList reads traits: [a, b] of component style: settings of the same name
// become the trait's configuration when the body is complete.
func (g *gathering) traitList(v Value, at ast.Node) {
	for _, e := range v.List {
		name, args := nodeName(e), []field(nil)
		if e.Kind == trait.Map {
			for _, f := range e.Fields {
				if f.Key == "trait" || f.Key == "name" {
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
		entry, _ := g.registry.Lookup(name)
		g.d.traits = append(g.d.traits, use{Name: name, args: args, entry: entry, at: at, file: g.s.file})
	}
}

// property is key: value.
func (g *gathering) property(p *ast.Property) {
	key := g.keyName(p.Key, g.s)
	fold := trait.FoldKey(key)
	switch {
	case fold == "state":
		if _, ok := p.Value.(*ast.Object); ok {
			return // gatherState took it
		}
	case fold == "traits":
		g.traitList(g.eval(p.Value, g.s).v, p)
		return
	case nodeListKeys[fold]:
		if arr, ok := p.Value.(*ast.Array); ok {
			g.nodeList(arr)
			return
		}
	case fold == "templates" && g.root:
		g.valueTemplates(g.eval(p.Value, g.s).v, p)
		return
	case g.root && (uiKinds[fold]):
		if o, ok := p.Value.(*ast.Object); ok {
			g.d.widgets = append(g.d.widgets, g.widgets(&o.Body, g.s, 0)...)
			return
		}
	}
	if event, ok := handlerKey(key); ok && isCode(p.Value) {
		g.d.owner.Handlers = append(g.d.owner.Handlers, g.code(event, p))
		return
	}
	switch v := p.Value.(type) {
	case *ast.Arrow, *ast.FuncLit:
		g.d.owner.Functions = append(g.d.owner.Functions, g.code(key, p))
		return
	case *ast.Block:
		if nodeKinds[v.BlockKind] != "" {
			g.block(v)
			return
		}
	case *ast.Object:
		if behaviourKinds[fold] {
			g.behaviourBlock(fold, &v.Body)
			return
		}
		if machineKinds[fold] {
			g.d.owner.Machines = append(g.d.owner.Machines, g.code("", p))
		} else if treeKinds[fold] {
			g.d.owner.Trees = append(g.d.owner.Trees, g.code("", p))
		}
	}
	r := g.propertyValue(p, g.s)
	expr := p.Value
	if p.Type() != nil && p.More != nil {
		expr = p.More.Default
	}
	pr := prop{key: key, v: r.v, dyn: r.dyn, expr: expr, file: g.s.file, at: p}
	if parts := p.Key.Parts(); len(parts) > 1 {
		g.d.overrides = append(g.d.overrides, override{parts, pr})
		return
	}
	g.d.put(pr)
	if r.dyn && !g.root && r.v.Kind != trait.Map && r.v.Kind != trait.List {
		g.d.owner.Binds = append(g.d.owner.Binds, Bind{fold, g.code(fold, expr)})
	}
}

// handlerKey says which event a property's key names.
func handlerKey(key string) (string, bool) {
	if rest, ok := strings.CutPrefix(key, "on_"); ok && rest != "" {
		return rest, true
	}
	if len(key) > 2 && key[:2] == "on" && key[2] >= 'A' && key[2] <= 'Z' {
		return trait.FoldKey(key[2:]), true
	}
	return "", false
}

// isCode says whether a value is something to run.
func isCode(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Arrow, *ast.FuncLit:
		return true
	case *ast.Object:
		return slices.ContainsFunc(n.Body.Items, func(it ast.Node) bool {
			return it.Kind().IsStatement()
		})
	}
	return false
}

// function is a function or a handler.
func (g *gathering) function(f *ast.Func) {
	if f.Body == nil {
		return
	}
	m := f.More
	if f.FuncKind != ast.Handler {
		g.d.owner.Functions = append(g.d.owner.Functions, g.code(f.Name, f))
		return
	}
	c := g.code("", f)
	if m != nil {
		c.Name, c.From = m.Event, m.EventTarget
	}
	g.d.owner.Handlers = append(g.d.owner.Handlers, c)
}

// entries takes the entries of computed or watch.
func (g *gathering) entries(to *[]Code, body *ast.Body) {
	if body == nil {
		return
	}
	for _, it := range body.Items {
		if p, ok := it.(*ast.Property); ok {
			*to = append(*to, g.code(g.keyName(p.Key, g.s), p.Value))
			if to == &g.d.owner.Computed {
				g.s.compute(g.keyName(p.Key, g.s), g.eval(p.Value, g.s).v)
			}
		}
	}
}

// behaviourBlock is a block of state, computed, watch, bind and the like.
func (g *gathering) behaviourBlock(kind string, body *ast.Body) {
	if body == nil {
		return
	}
	switch kind {
	case "computed":
		g.entries(&g.d.owner.Computed, body)
	case "watch":
		g.entries(&g.d.owner.Watches, body)
	case "persist":
		for _, it := range body.Items {
			switch it := it.(type) {
			case *ast.Ident:
				g.d.owner.Persist = append(g.d.owner.Persist, it.Name)
			case *ast.ExprStmt:
				if id, ok := it.X.(*ast.Ident); ok {
					g.d.owner.Persist = append(g.d.owner.Persist, id.Name)
				}
			}
		}
	case "bind":
		for _, it := range body.Items {
			if p, ok := it.(*ast.Property); ok {
				key := trait.FoldKey(g.keyName(p.Key, g.s))
				g.d.owner.Binds = append(g.d.owner.Binds, Bind{key, g.code(key, p.Value)})
				if r := g.eval(p.Value, g.s); known(r.v) {
					g.d.put(prop{key: key, v: r.v, dyn: true, expr: p.Value, file: g.s.file, at: p})
				}
			}
		}
	case "props":
		for _, it := range body.Items {
			p, ok := it.(*ast.Property)
			if !ok {
				continue
			}
			key := g.keyName(p.Key, g.s)
			if _, set := g.s.lookup(key); !set {
				g.s.set(key, g.propertyValue(p, g.s).v)
			}
		}
	case "logic":
		for i, it := range body.Items {
			g.item(it, body.Items, i)
		}
	}
}

// keep puts a block away as data.
func (g *gathering) keep(d Domain, at ast.Node) {
	d.Src = g.src(g.s.file, at)
	g.d.domain = append(g.d.domain, d)
}
