package scene

import (
	"slices"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/trait"
)

// block is a block in a body: a node, a setting, behaviour, or data.
func (g *gathering) block(n *ast.Block) {
	kind := n.BlockKind
	if u, ok := g.headPlatform(n); ok && !g.wanted(u) {
		return
	}
	if g.testBlock(n) {
		return
	}
	g.leading(n)
	switch {
	case methodKinds[kind] && g.within != nil && n.Name != nil: // post is an effect elsewhere
		g.service(n)
	case (kind == "class" || kind == "struct" || kind == "trait") && n.Body != nil && acts(n.Body):
		g.inertBlock(n, "what '"+kind+"' does")
	case typeKinds[kind]:
	case kind == "template":
		if t := g.templates[n.NameText()]; t == nil || t.block != n { // in a module or an object, where nothing can use it
			g.inertBlock(n, "'template'")
		}
	case rootKinds[kind] && g.root:
		g.rootBlock(n)
	case kind == "computed" && n.Name != nil && n.Body != nil && len(n.Body.Items) == 1 && n.Body.Items[0].Kind() == ast.KindExprStmt: // computed tilt { a - b }
		x := n.Body.Items[0].(*ast.ExprStmt).X
		g.d.owner.Computed = append(g.d.owner.Computed, g.code(n.NameText(), x))
		g.s.compute(n.NameText(), g.eval(x, g.s).v)
	case derivedKinds[kind] && n.Name == nil && n.Body != nil:
		g.entries(&g.d.owner.Computed, n.Body)
	case kind == "watch" && len(pathOf(n.Name)) > 0 && n.Body != nil: // watch state.target (next, prev) { … }
		path := pathOf(n.Name)
		h := n.Heading()
		g.d.owner.Watches = append(g.d.owner.Watches, g.code(path[len(path)-1], &ast.Arrow{Base: ast.Base{At: n.At}, Params: h.Params, Body: n.Body}))
	case behaviourKinds[kind]:
		g.behaviourBlock(kind, n.Body)
	case nodeListKeys[kind] && n.Name == nil, kind == "lights" && n.Name == nil, kind == "cameras" && n.Name == nil:
		g.gatherMore(n.Body)
	case kind == "environment" && g.root, kind == "lighting" && g.root:
		g.surroundings(n)
	case kind == "particles" && (g.root || g.apart(n)), nodeKind(kind) == "particles" && nodeKinds[kind] == "":
		g.emitterBlock(n)
	case (kind == "mesh" || kind == "model") && n.Name == nil && !g.root:
		g.setting(n)
	case uiKinds[kind] && g.root:
		if g.reserve(blockBytes) {
			g.d.widgets = append(g.d.widgets, g.widgetBlock(n, g.s, 0))
		}
	case kind == "audio" && n.Name == nil && !g.root:
		g.setting(n)
	case generic[kind] && g.flat(n):
		if g.reserve(blockBytes) {
			g.d.widgets = append(g.d.widgets, g.flatWidget(n, g.s, 0))
		}
	case nodeKind(kind) != "":
		if c := g.child(n, g.s); c != nil {
			if g.visible != nil {
				c.visibleBy, c.hidden = g.visible, g.hidden
			}
			g.d.children = append(g.d.children, c)
		}
	case settingKinds[kind]:
		g.setting(n)
	case kind == "timeline":
		g.d.timelines = append(g.d.timelines, g.timeline(n))
	case dialogueKinds[kind] && n.Name != nil:
		g.dialogue(n)
	case dialogueTrees[kind] && n.Body != nil:
		g.data(n)
		g.conversations(n.Body, "")
	case dialogueKinds[kind]:
		g.dialogue(n)
	case isTransition(n):
		g.transitions = append(g.transitions, n)
		g.data(n)
	case machineKinds[kind]:
		g.d.owner.Machines = append(g.d.owner.Machines, g.code(g.name(n, g.s), n))
		g.data(n)
	case treeKinds[kind]:
		g.d.owner.Trees = append(g.d.owner.Trees, g.code(g.name(n, g.s), n))
		g.data(n)
	case kind == "pipeline" && n.Flows():
		g.d.pipelines = append(g.d.pipelines, Domain{Kind: kind, Name: g.name(n, g.s), Data: g.pipeline(n), Src: g.src(g.s.file, n)})
	case kind == "module":
		g.module(n)
	case serviceKinds[kind]:
		g.service(n)
	case scriptKinds[kind] && n.Body != nil && isHandlerName(n.NameText()): // behavior on_start { … }
		event, _ := handlerKey(n.NameText())
		g.d.owner.Handlers = append(g.d.owner.Handlers, g.code(event, &ast.Arrow{Base: ast.Base{At: n.At}, Body: n.Body}))
	case scriptKinds[kind] && n.Body != nil && acts(n.Body):
		g.d.owner.Bodies = append(g.d.owner.Bodies, g.code("", n))
		if name := g.name(n, g.s); name != "" && g.root {
			g.behaviour.Scenes = append(g.behaviour.Scenes, name)
		}
		g.gatherMore(n.Body)
	case unitKind(n) && g.runs(n.Body):
		g.service(n)
	default:
		g.named(n)
		g.data(n)
	}
}

// leading takes the traits before a block that is no node, type or module: they
// belong to the body that the block stands in.
func (g *gathering) leading(n *ast.Block) {
	kind := n.BlockKind
	if nodeKind(kind) != "" && !(kind == "audio" && n.Name == nil && !g.root) || typeKinds[kind] || rootKinds[kind] || kind == "template" || kind == "module" {
		return
	}
	for _, a := range n.Heading().Attrs {
		if a.Is(ast.BeforeHeading) && a.Name != "platform" {
			g.trait(a)
		}
	}
}

// headPlatform is @platform in the heading of a block.
func (g *gathering) headPlatform(n *ast.Block) (*use, bool) {
	for _, a := range n.Heading().Attrs {
		if a.Name == "platform" {
			u, _ := g.use(a, g.s)
			return &u, true
		}
	}
	return nil, false
}

// rootBlock is a composition: its items are those of the scene.
func (g *gathering) rootBlock(n *ast.Block) {
	if name := g.name(n, g.s); name != "" && g.scene.Name == "" {
		g.scene.Name = name
	}
	for _, a := range n.Heading().Attrs {
		g.trait(a)
	}
	if n.Body != nil {
		g.behaviour.Scenes = append(g.behaviour.Scenes, g.name(n, g.s))
		g.d.owner.Bodies = append(g.d.owner.Bodies, g.code("", n))
		g.gather(g.d, n.Body.Items, g.s, true)
	}
}

// byBlock gives a node what its kind of block names: a solid or a type of light.
func (d *decl) byBlock(k idiom.Kind, f *ast.File, at ast.Node) {
	if k.Solid != "" {
		d.put(prop{key: "geometry", v: wordOf(k.Solid), file: f, at: at})
	}
	if k.Light != "" {
		d.put(prop{key: "type", v: wordOf(k.Light), file: f, at: at})
	}
}

// surroundings is an environment: nodes in it are those of the scene (M07), its name
// is a preset where it is a word of one (M08).
func (g *gathering) surroundings(n *ast.Block) {
	if n.Body == nil {
		return
	}
	rest := &ast.Body{Base: n.Body.Base}
	for i, it := range n.Body.Items {
		b, block := it.(*ast.Block)
		switch {
		case block && nodeKind(b.BlockKind) != "" && (nodeKinds[b.BlockKind] != "audio" || b.Name != nil), block && (nodeListKeys[b.BlockKind] || b.BlockKind == "lights"):
			g.item(it, n.Body.Items, i)
		case it.Kind() == ast.KindAttribute, it.Kind() == ast.KindFunc:
			g.item(it, n.Body.Items, i)
		case block && b.BlockKind == "lighting" && b.Name == nil:
			g.surroundings(b)
		case block && b.Name == nil && b.Body != nil && lampKeys[b.BlockKind] != "":
			g.lamp(b.BlockKind, g.evalBody(b.Body, g.s), b)
		default:
			if p, ok := it.(*ast.Property); ok && nodeListKeys[trait.FoldKey(p.Key.Name())] {
				g.item(it, n.Body.Items, i)
				continue
			}
			if p, ok := it.(*ast.Property); ok && lampKeys[trait.FoldKey(p.Key.Name())] != "" {
				if r := g.propertyValue(p, g.s); r.v.Kind == trait.Map {
					g.lamp(trait.FoldKey(p.Key.Name()), r, p)
					continue
				}
			}
			if p, ok := it.(*ast.Property); ok {
				if r := g.eval(p.Value, g.s); r.dyn && known(r.v) && r.v.Kind != trait.Handler {
					g.report("BLK012", g.s.file, p.Key, p.Key.Name())
				}
			}
			rest.Items = append(rest.Items, it)
		}
	}
	r := g.evalBody(rest, g.s)
	if name := g.name(n, g.s); name != "" {
		if _, ok := idiom.SurroundingsOf(name); ok && !hasAny(r.v, "preset") {
			r.v.Fields = append(r.v.Fields, field{Key: "preset", Value: textOf(name)})
		}
	}
	key := n.BlockKind
	if key == "lighting" {
		key = "environment"
	}
	g.put(prop{key: key, v: r.v, dyn: r.dyn, file: g.s.file, at: n})
}

// lampKeys are settings of what surrounds a scene that are lights of it (X20), with their
// type.
var lampKeys = map[string]string{
	"directional": "directional", "directional_light": "directional", "sun": "directional", "sun_light": "directional", "key_light": "directional", "fill_light": "directional",
	"rim_light": "directional", "back_light": "directional", "moon_light": "directional", "point_light": "point", "spot_light": "spot", "hemisphere": "hemisphere",
	"hemisphere_light": "hemisphere",
}

// lamp is a light that stands among the settings of what surrounds a scene.
func (g *gathering) lamp(key string, r result, at ast.Node) {
	if !g.count(at) || !g.reserve(len(r.v.Fields)*propBytes) {
		return
	}
	c := &decl{kind: "light", name: key, file: g.s.file, at: at}
	c.put(prop{key: "type", v: wordOf(lampKeys[key]), file: g.s.file, at: at})
	for _, f := range r.v.Fields {
		c.put(prop{key: f.Key, v: f.Value, file: g.s.file, at: at, from: f.From})
	}
	g.d.children = append(g.d.children, c)
}

// apart says whether particles in a node are a node of their own: they have a name and
// a place, or the node emits some already.
func (g *gathering) apart(n *ast.Block) bool {
	if n.Name == nil || n.Body == nil {
		return false
	}
	if _, emits := g.d.byKey["particles"]; emits {
		return true
	}
	return slices.ContainsFunc(n.Body.Items, func(it ast.Node) bool {
		p, ok := it.(*ast.Property)
		return ok && (p.Key.Name() == "position" || p.Key.Name() == "offset")
	})
}

// emitterBlock is a node of particles.
func (g *gathering) emitterBlock(n *ast.Block) {
	if c := g.child(n, g.s); c != nil {
		c.kind = "particles"
		g.d.children = append(g.d.children, c)
	}
}

// setting is a block that is a setting of what it stands in.
func (g *gathering) setting(n *ast.Block) {
	r := g.evalBody(n.Body, g.s)
	if name := g.name(n, g.s); name != "" { // collider sphere { }, animation spin { }
		r.v.Fields = append([]field{{Key: "name", Value: textOf(name)}}, r.v.Fields...)
	}
	if n.BlockKind == "animation" || n.BlockKind == "animate" {
		if p, ok := g.d.prop("animation", "animate"); ok { // several animations are a list
			if p.v.Kind == trait.List {
				p.v.List = append(p.v.List, r.v)
			} else {
				p.v = listOf([]Value{p.v, r.v})
			}
			return
		}
	}
	g.put(prop{key: n.BlockKind, v: r.v, dyn: r.dyn, file: g.s.file, at: n})
}

// data keeps a block of another kind.
func (g *gathering) data(n *ast.Block) { g.dataOf(n, "") }

func (g *gathering) dataOf(n *ast.Block, unit string) {
	was := g.idle
	g.idle = was || !actedOn[n.BlockKind] || n.BlockKind == "module" || machineKinds[n.BlockKind] || treeKinds[n.BlockKind] // of which the program asks by itself
	r := g.evalBlock(n, g.s)
	g.idle = was
	name := g.name(n, g.s)
	fields := r.v.Fields
	for _, key := range []string{"kind", "name"} { // those of the heading
		if len(fields) > 0 && fields[0].Key == key && (key == "kind" && n.BlockKind != "" || key == "name" && name != "") {
			fields = fields[1:]
		}
	}
	g.keep(Domain{Kind: n.BlockKind, Name: name, Data: mapOf(fields...), Unit: unit}, n)
	if !(actedOn[n.BlockKind] || methodKinds[n.BlockKind] && g.within != nil) || n.BlockKind == "pipeline" && !n.Flows() {
		what := "'" + n.BlockKind + "'"
		if n.BlockKind == "" {
			what = "'" + name + "'"
		}
		g.inertBlock(n, what)
	}
}

// inertBlock reports a block that nothing acts on, at its heading.
func (g *gathering) inertBlock(n *ast.Block, what string) {
	g.inactivate(n)
	at := n.Span()
	end := headSpan(n).End
	if n.Name != nil {
		end = n.Name.Span().End
	}
	g.bag(g.s.file).Add("BLK011", int(at.Start), int(end), what)
}

// inactivate notes that nothing acts on a part of a source: what it names is not used
// by it.
func (g *gathering) inactivate(n ast.Node) {
	if g.inactive == nil {
		g.inactive = map[ast.Node]bool{}
	}
	g.inactive[n] = true
}

// acts says whether a body has behaviour: handlers, functions, state.
func acts(body *ast.Body) bool {
	for _, it := range body.Items {
		switch it := it.(type) {
		case *ast.Func, *ast.Wire, *ast.Execute:
			return true
		case *ast.Block:
			if behaviourKinds[it.BlockKind] || machineKinds[it.BlockKind] || treeKinds[it.BlockKind] {
				return true
			}
		case *ast.Property:
			if isCode(it.Value) {
				return true
			}
		}
	}
	return false
}

// module is a unit of behaviour without a place.
func (g *gathering) module(n *ast.Block) {
	g.data(n)
	if n.Body == nil {
		return
	}
	for _, a := range n.Heading().Args { // with heats(max: 125)
		g.inert(a)
	}
	m := &decl{kind: "module", name: g.name(n, g.s), file: g.s.file, at: n}
	in := g.s.inner()
	m.owner.Bodies = append(m.owner.Bodies, g.codeIn("", n, in))
	g.gather(m, n.Body.Items, in, false)
	in.settle(m)
	g.account(m, "module")
	m.owner.Name = m.name
	g.d.wires, g.d.runs = append(g.d.wires, m.wires...), append(g.d.runs, m.runs...)
	for _, u := range m.traits {
		if u.Name != "state_machine" {
			g.addTrait(u)
			continue
		}
		g.keep(Domain{Kind: u.Name, Name: m.name, Data: mapOf(u.fields()...)}, u.at)
	}
	g.behaviour.Owners = append(g.behaviour.Owners, m.owner)
}

// child makes the declaration of a node.
func (b *builder) child(n *ast.Block, s *scope) *decl {
	if !b.count(n) {
		return nil
	}
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > b.limits.Depth {
		b.limit(diag.Code("LIM005"), s.file, n, "the depth of the tree of nodes", b.depth, b.limits.Depth)
		return nil
	}
	in := s.inner()
	d := &decl{kind: nodeKind(n.BlockKind), name: b.name(n, s), file: s.file, at: n}
	if t, ok := shortLights[n.BlockKind]; ok {
		d.put(prop{key: "type", v: wordOf(t), file: s.file, at: n})
	} else if nodeKinds[n.BlockKind] == "" {
		d.byBlock(idiom.Blocks[n.BlockKind], s.file, n)
	}
	h := n.Heading()
	g := &gathering{builder: b, d: d, s: in}
	for _, a := range h.Attrs {
		if a.Name != "platform" {
			g.trait(a)
		}
	}
	if n.Body != nil {
		d.owner.Bodies = append(d.owner.Bodies, g.code("", n))
		b.gather(d, n.Body.Items, in, false)
	}
	in.settle(d)
	d.componentStyle()
	uses := append(append([]ast.Node(nil), h.Using...), h.Extends...)
	b.headArgs(d, h, uses, s)
	if p, ok := d.prop("template", "using"); ok && len(uses) == 0 && (p.v.Kind == trait.Text || p.v.Kind == trait.Word) {
		if t, found := b.templates[p.v.Str]; found {
			return b.instance(t, d, p.at, s)
		}
	}
	for i := len(uses) - 1; i >= 0; i-- {
		name := referenceName(uses[i])
		t, found := b.templates[name]
		if !found {
			b.report("NAM004", s.file, uses[i], name, b.nearTemplate(name))
			continue
		}
		if d = b.instance(t, d, uses[i], s); d == nil {
			return nil
		}
	}
	return d
}

// settle makes a node's own settings, those that the model has no place for, known to its
// code by their bare names.
func (s *scope) settle(d *decl) {
	s.node, s.settings = true, map[string]bool{}
	d.scopes = append(d.scopes, s)
	for _, p := range d.props {
		if consumed[p.key] || modelKeys[p.key] || !known1(p.v) || p.dyn {
			continue
		}
		if _, set := s.vars[p.key]; !set { // else by the instance
			s.set(p.key, p.v)
		}
		s.settings[p.key] = true
	}
}

// headArgs takes using "T"(id: 1, 2) as settings (X15): by name, else by the place of
// the parameter. What else stands in the heading of a node is reported.
func (b *builder) headArgs(d *decl, h *ast.Heading, uses []ast.Node, s *scope) {
	for _, a := range h.Args {
		if p, ok := a.(*ast.Property); ok { // at [ … ]
			if r := b.propertyValue(p, s); b.reserve(propBytes) {
				d.put(prop{key: "position", v: r.v, dyn: r.dyn, file: s.file, at: p, from: b.origin(s.file, p)})
			}
			continue
		}
		args, ok := a.(*ast.Args)
		if !ok {
			b.report("BLK011", s.file, a, "'"+b.slice(s, a)+"'")
			continue
		}
		var params []*ast.Param
		if len(uses) > 0 {
			if t, ok := b.templates[referenceName(uses[0])]; ok && t.block != nil {
				params = t.block.Heading().Params
			}
		}
		place := 0
		for _, x := range args.Args {
			key, r, at := "", result{}, x
			if p, ok := x.(*ast.Property); ok {
				key, r, at = b.keyName(p.Key, s), b.propertyValue(p, s), p
			} else {
				if place < len(params) {
					key = params[place].Name
				}
				place++
				r = b.eval(x, s)
			}
			if key == "" {
				b.report("BLK011", s.file, x, "'"+b.slice(s, x)+"'")
				continue
			}
			if b.reserve(propBytes) {
				d.put(prop{key: key, v: r.v, dyn: r.dyn, file: s.file, at: at, from: b.origin(s.file, at)})
			}
		}
	}
}

func referenceName(n ast.Node) string {
	switch n := n.(type) {
	case *ast.String:
		return n.Value()
	case *ast.Ident:
		return n.Name
	case *ast.Path:
		return n.Raw
	}
	return ""
}

// componentStyle turns settings named like a listed trait into its parameters.
func (d *decl) componentStyle() {
	for i := range d.traits {
		u := &d.traits[i]
		p, ok := d.prop(trait.FoldKey(u.Name))
		if !ok || u.args != nil || p.v.Kind != trait.Map || consumed[trait.FoldKey(u.Name)] {
			continue
		}
		u.args = p.v.Fields
		p.v = Value{Kind: trait.Null}
	}
}

// template is a declaration that instances copy.
type template struct {
	name  string
	file  *ast.File
	block *ast.Block
	value *Value // of a value document
	scope *scope
	busy  bool
	used  bool
}

// instance lays a node over a fresh copy of its template.
func (b *builder) instance(t *template, in *decl, at ast.Node, s *scope) *decl {
	if t.busy {
		b.report("NAM010", s.file, at, t.name)
		return in
	}
	if b.chain++; b.chain > b.limits.Chain {
		b.limit(diag.Code("LIM010"), s.file, at, "the chain of templates", b.chain, b.limits.Chain)
		b.chain--
		return in
	}
	t.busy, t.used = true, true
	defer func() { t.busy = false; b.chain-- }()
	ts := t.scope.inner()
	if !b.reserve(nodeBytes/3 + len(in.props)*(fieldBytes+propBytes) + len(in.traits)*traitBytes) {
		return in
	}
	for _, p := range in.props { // what the instance sets is known inside as a parameter
		ts.set(p.key, p.v)
		if ts.from == nil {
			ts.from = map[string]*trait.Origin{}
		}
		ts.from[p.key] = p.from
	}
	d := &decl{kind: "", file: t.file, at: at}
	if t.value != nil {
		g := &gathering{builder: b, d: d, s: ts}
		g.valueSettings(*t.value, at)
	} else {
		d.at = t.block
		h := t.block.Heading()
		g := &gathering{builder: b, d: d, s: ts}
		for i, p := range h.Params {
			if !ts.has(p.Name) && p.Parts().Default != nil {
				b.constant(ts, p.Name, b.eval(p.Parts().Default, ts).v, h.Params[i])
			}
		}
		if t.block.Body != nil {
			for _, it := range t.block.Body.Items { // parameters first
				if bl, ok := it.(*ast.Block); ok && bl.BlockKind == "props" {
					g.behaviourBlock("props", bl.Body)
				}
			}
			g.paramDefaults(t.block.Body.Items)
		}
		if b.prototyping != "" {
			for name, v := range ts.vars {
				ts.from[name].Use()
				ts.compute(name, v)
				d.param(name, v)
			}
		}
		for _, a := range h.Attrs {
			g.trait(a)
		}
		if t.block.Body != nil {
			b.gather(d, t.block.Body.Items, ts, false)
		}
		ts.settle(d)
		d.componentStyle()
		parents := append(append([]ast.Node(nil), h.Using...), h.Extends...)
		for i := len(parents) - 1; i >= 0; i-- {
			name := referenceName(parents[i])
			p, found := b.templates[name]
			if !found {
				b.report("NAM004", t.file, parents[i], name, b.nearTemplate(name))
				continue
			}
			d = b.instance(p, d, parents[i], t.scope)
		}
	}
	for i := range in.owner.State {
		if ts.state != nil {
			ts.state[in.owner.State[i].Key] = in.owner.State[i].Init
		}
	}
	d.template, in.template = t.name, t.name
	b.tick(len(d.owner.State)*len(in.owner.State) + len(d.owner.Binds)*len(in.owner.Binds))
	if b.stopped {
		return d
	}
	was := d.looked
	d.overlay(in)
	b.tick(d.looked - was)
	if n := len(d.traits); n > trait.MaxUses {
		b.limit(diag.Code("LIM007"), s.file, at, "the number of traits of a node", n, trait.MaxUses)
		b.stopped = true
	}
	return d
}

// paramDefaults makes typed members with defaults known before they are read.
func (g *gathering) paramDefaults(items []ast.Node) {
	for _, it := range items {
		switch it := it.(type) {
		case *ast.Property:
			if it.Type() != nil && it.More != nil && it.More.Default != nil {
				if key := g.keyName(it.Key, g.s); !g.isSet(key) {
					g.s.set(key, g.eval(it.More.Default, g.s).v)
				}
			}
		case *ast.TypedMember:
			if it.Default != nil && !g.isSet(it.Name) {
				g.s.set(it.Name, g.eval(it.Default, g.s).v)
			}
		}
	}
}

func (g *gathering) isSet(name string) bool {
	return g.s.has(name)
}

// maxNear is how many unknown names of templates are compared with all that are
// known.
const maxNear = 100

func (b *builder) nearTemplate(name string) string {
	hint, asked := b.hints[name]
	if asked || len(b.hints) >= maxNear {
		return hint
	}
	names := make([]string, 0, len(b.templates))
	for n := range b.templates {
		names = append(names, n)
	}
	if near, ok := trait.Nearest(name, names); ok {
		hint = " Did you mean '" + near + "'?"
	}
	if b.hints == nil {
		b.hints = map[string]string{}
	}
	b.hints[name] = hint
	return hint
}

func isHandlerName(name string) bool {
	_, ok := handlerKey(name)
	return ok
}
