package scene

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/trait"
)

// valueDocument reads a file that is one object: metadata, environment,
// templates and entities; a list is a list of entities.
func (g *gathering) valueDocument(v Value, at ast.Node) {
	if v.Kind == trait.List {
		for i, e := range v.List {
			g.valueNode(e, elementOf(at, "", i))
		}
		return
	}
	for _, f := range v.Fields {
		switch {
		case f.Key == "templates":
			g.valueTemplates(f.Value, at)
		case f.Key == "root":
			for _, r := range f.Value.Fields {
				if nodeListKeys[r.Key] {
					for _, e := range r.Value.List {
						g.valueNode(e, at)
					}
				} else {
					g.put(prop{key: r.Key, v: r.Value, file: g.s.file, at: at, from: r.From})
				}
			}
		case f.Key == "traits":
			g.traitList(f.Value, at)
		}
	}
	for _, f := range v.Fields {
		switch {
		case nodeListKeys[f.Key]:
			for i, e := range f.Value.List {
				g.valueNode(e, elementOf(at, f.Key, i))
			}
		case f.Key == "templates", f.Key == "root", f.Key == "traits":
		case f.Key == "name" || f.Key == "title":
			g.scene.Name = nodeName(f.Value)
		default:
			g.put(prop{key: f.Key, v: f.Value, file: g.s.file, at: at, from: f.From})
		}
	}
}

// valueTemplates registers templates that are given as data: a map by name, or a
// list of objects with names.
func (g *gathering) valueTemplates(v Value, _ ast.Node) {
	add := func(name string, body Value) {
		if name != "" {
			g.templates[name] = &template{name: name, file: g.s.file, value: &body, scope: g.s}
		}
	}
	for _, f := range v.Fields {
		add(f.Key, f.Value)
	}
	for _, e := range v.List {
		name, _ := get(e, "name")
		add(nodeName(name), e)
	}
}

// valueNode makes a node of an object of data.
func (g *gathering) valueNode(v Value, at ast.Node) {
	if v.Kind != trait.Map || !g.count(at) {
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > g.limits.Depth {
		g.limit(diag.Code("LIM005"), g.s.file, at, "the depth of the tree of nodes", g.depth, g.limits.Depth)
		return
	}
	d := &decl{kind: "object", file: g.s.file, at: at}
	in := &gathering{builder: g.builder, d: d, s: g.s.inner()}
	in.valueSettings(v, at)
	if p, ok := d.prop("template", "using"); ok {
		if t, found := g.templates[nodeName(p.v)]; found {
			if d = g.instance(t, d, at, g.s); d == nil {
				return
			}
		}
	}
	g.d.children = append(g.d.children, d)
}

// valueSettings takes the fields of an object of data into a node.
func (g *gathering) valueSettings(v Value, at ast.Node) {
	for _, f := range v.Fields {
		switch fold := trait.FoldKey(f.Key); {
		case fold == "name" || fold == "id" && g.d.name == "":
			g.d.name = nodeName(f.Value)
		case fold == "kind" || fold == "type":
			word := nodeName(f.Value)
			if k := nodeKinds[word]; k != "" {
				g.d.kind = k
				if t, ok := shortLights[word]; ok {
					g.put(prop{key: "type", v: wordOf(t), file: g.s.file, at: at})
				}
			} else {
				g.put(prop{key: f.Key, v: f.Value, file: g.s.file, at: at, from: f.From})
			}
		case fold == "traits":
			g.traitList(f.Value, at)
		case nodeListKeys[fold]:
			for i, e := range f.Value.List {
				g.valueNode(e, elementOf(at, f.Key, i))
			}
		case len(f.Key) > 1 && f.Key[0] == '@':
			entry, _ := g.registry.Lookup(f.Key[1:])
			g.addTrait(use{Name: f.Key[1:], args: f.Value.Fields, entry: entry, at: at, file: g.s.file})
		default:
			g.put(prop{key: f.Key, v: f.Value, file: g.s.file, at: at, from: f.From})
		}
	}
	g.d.componentStyle()
}

// elementOf is the syntax of an element of a list that an object has under a
// key, or of the list itself; the object when it cannot be found.
func elementOf(at ast.Node, key string, i int) ast.Node {
	list, _ := at.(*ast.Array)
	if o, ok := at.(*ast.Object); ok {
		for _, it := range o.Body.Items {
			if p, ok := it.(*ast.Property); ok && p.Key.Name() == key {
				list, _ = p.Value.(*ast.Array)
			}
		}
	}
	if list == nil || i >= len(list.Elements) {
		return at
	}
	return list.Elements[i]
}
