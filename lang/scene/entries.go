package scene

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// property is key: value.
func (g *gathering) property(p *ast.Property) {
	key := g.keyName(p.Key, g.s)
	fold := trait.FoldKey(key)
	switch {
	case fold == "state":
		if _, ok := p.Value.(*ast.Object); ok {
			return // gatherState took it
		}
	case dialogueTrees[fold]:
		if o, ok := p.Value.(*ast.Object); ok {
			before := len(g.scene.UI)
			if g.conversations(&o.Body, g.d.name); len(g.scene.UI) > before || g.stopped {
				return
			}
		}
	case fold == "traits":
		g.traitList(g.eval(p.Value, g.s).v, p)
		return
	case nodeListKeys[fold]:
		switch v := p.Value.(type) {
		case *ast.Array:
			g.nodeList(v)
			return
		case *ast.Object: // by name
			g.nodesByName(v)
			return
		}
	case (fold == "lights" || fold == "cameras"):
		if arr, ok := p.Value.(*ast.Array); ok {
			g.typedList(arr, fold[:len(fold)-1])
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
	case *ast.Constructor:
		if t, ok := g.templates[v.Name]; ok && v.Body != nil { // name: Template { … }
			g.constructed(p, v, t)
			return
		}
	case *ast.Arrow, *ast.FuncLit:
		g.d.owner.Functions = append(g.d.owner.Functions, g.code(key, p))
		return
	case *ast.Block:
		if nodeKind(v.BlockKind) != "" {
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
		pr.from = g.origin(pr.file, p)
		g.d.overrides = append(g.d.overrides, override{parts, pr})
		return
	}
	g.put(pr)
	if r.dyn && !g.root && r.v.Kind != trait.Map && r.v.Kind != trait.List {
		g.d.owner.Binds = append(g.d.owner.Binds, Bind{fold, g.code(fold, expr)})
	}
}

// constructed is an instance of a template as a property: its key is the name.
func (g *gathering) constructed(p *ast.Property, c *ast.Constructor, t *template) {
	if !g.count(p) {
		return
	}
	d := &decl{kind: "object", name: g.keyName(p.Key, g.s), file: g.s.file, at: p}
	g.builder.gather(d, c.Body.Items, g.s.inner(), false)
	d.componentStyle()
	if d = g.instance(t, d, p, g.s); d != nil {
		g.d.children = append(g.d.children, d)
	}
}

// called is an instance of a template as a call: Stall(label: "Tea", x: 2) (X27).
func (g *gathering) called(n *ast.ExprStmt) bool {
	c, ok := n.X.(*ast.Call)
	if !ok {
		return false
	}
	t, ok := g.templates[referenceName(c.Fn)]
	if !ok || !g.count(n) {
		return ok
	}
	d := &decl{kind: "object", file: g.s.file, at: n}
	g.headArgs(d, &ast.Heading{Args: []ast.Node{&ast.Args{Base: c.Base, Args: c.Args}}}, []ast.Node{c.Fn}, g.s)
	d.componentStyle()
	if d = g.instance(t, d, n, g.s); d != nil {
		g.d.children = append(g.d.children, d)
	}
	return true
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
	if f.FuncKind == ast.Getter && len(f.Params) == 0 {
		g.d.owner.Computed = append(g.d.owner.Computed, g.code(f.Name, f))
		return
	}
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
		if a, ok := it.(*ast.Assign); ok && a.Op == "=" { // derived { load = level / 9 }
			if id, ok := a.Target.(*ast.Ident); ok {
				*to = append(*to, g.code(id.Name, a.Value))
			}
		}
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
					g.put(prop{key: key, v: r.v, dyn: true, expr: p.Value, file: g.s.file, at: p})
				}
			}
		}
	case "events":
		for _, it := range body.Items {
			g.inert(it)
		}
	case "props":
		for _, it := range body.Items {
			p, ok := it.(*ast.Property)
			if !ok {
				continue
			}
			key := g.keyName(p.Key, g.s)
			if !g.s.has(key) {
				g.s.set(key, g.propertyValue(p, g.s).v)
			}
		}
	case "logic":
		for i, it := range body.Items {
			g.item(it, body.Items, i)
		}
	}
}
