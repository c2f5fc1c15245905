package scene

import (
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// serviceKinds are the blocks of a service that may contain what runs, and agents
// without a place.
var serviceKinds = map[string]bool{"service": true, "endpoint": true, "route": true, "http": true, "agent": true}

// methodKinds are blocks in a service that are called like the method they answer:
// post "/loans" { … }.
var methodKinds = map[string]bool{"get": true, "put": true, "post": true, "delete": true, "patch": true, "head": true, "options": true}

// serving is a block of a service that is being read, with how many blocks of each
// kind it has had.
type serving struct {
	name  string
	parts map[string]int
}

// service is a block of a service, an endpoint or an agent. It stays data; the functions,
// handlers and the state in it belong to a unit, an owner without a place like a
// module, which sees the state of the service around it.
func (g *gathering) service(n *ast.Block) {
	name, parent := "", ""
	if u := g.within; u != nil {
		name, parent = Part(u.name, n.BlockKind, u.parts[n.BlockKind]), u.name
		u.parts[n.BlockKind]++
	} else {
		name = g.freeUnit(n)
	}
	head := n.Heading()
	says := head.HasParams || methodKinds[n.BlockKind] && g.answers(n.Body)
	if !g.runs(n.Body) && !says {
		name = ""
	}
	g.dataOf(n, name)
	if !says {
		g.unserved(n)
	}
	if name == "" || n.Body == nil {
		return
	}
	m := &decl{kind: "module", name: name, file: g.s.file, at: n}
	was := g.within
	g.within = &serving{name, map[string]int{}}
	if says { // delete "/loans/:id" (req, res) { … }, get "/loans" { return … }: the body is what it does
		arrow := &ast.Arrow{Base: ast.Base{At: n.At}, Params: head.Params, Body: n.Body}
		m.owner.Functions = append(m.owner.Functions, g.code("handle", arrow))
	} else {
		in := g.s.inner()
		m.owner.Bodies = append(m.owner.Bodies, g.codeIn("", n, in))
		g.gather(m, n.Body.Items, in, false)
	}
	g.within = was
	m.owner.Name, m.owner.Parent = name, parent
	g.d.wires, g.d.runs = append(g.d.wires, m.wires...), append(g.d.runs, m.runs...)
	if !m.owner.Empty() {
		g.behaviour.Owners = append(g.behaviour.Owners, m.owner)
	}
}

// answers says whether a body is code that answers: it has statements, and no settings
// or blocks.
func (b *builder) answers(body *ast.Body) bool {
	if body == nil || len(body.Items) == 0 {
		return false
	}
	return !slices.ContainsFunc(body.Items, func(it ast.Node) bool {
		b.tick(1)
		switch it.(type) {
		case *ast.Property, *ast.Func, *ast.Block, *ast.TypedMember, *ast.Mapping, *ast.Attribute:
			return true
		}
		return false
	})
}

// unitKind says whether a block of a kind that the language does not know may be a
// unit: a named block such as home "Birch Road" { … }.
func unitKind(n *ast.Block) bool {
	kind := n.BlockKind
	return kind != "" && n.Name != nil && !actedOn[kind] && !settingKinds[kind] && !uiKinds[kind] && widgetKinds[kind] == "" && !dialogueKinds[kind] && kind != "timeline" && kind != "template"
}

// named notes a block of data under its name.
func (g *gathering) named(n *ast.Block) {
	if name := g.name(n, g.s); name != "" && n.Body != nil && g.reserve(blockBytes) {
		g.behaviour.Named = append(g.behaviour.Named, Named{name, g.code("", n)})
	}
}

// servedKeys are the settings of services and endpoints that targets read.
var servedKeys = map[string]bool{
	"path": true, "method": true, "route": true, "description": true, "summary": true, "version": true, "title": true, "prefix": true, "port": true, "base": true,
	"base_path": true, "handler": true, "name": true, "state": true, "params": true, "returns": true, "response": true, "responses": true,
}

// unserved reports what stands in a service or an endpoint and nothing reads.
func (g *gathering) unserved(n *ast.Block) {
	if n.Body == nil || n.BlockKind == "agent" || !serviceKinds[n.BlockKind] && !methodKinds[n.BlockKind] {
		return
	}
	for _, a := range n.Heading().Args {
		g.inert(a)
	}
	for _, it := range n.Body.Items {
		switch it := it.(type) {
		case *ast.Property:
			if key := it.Key.Name(); (!servedKeys[trait.FoldKey(key)] || key == "port" && !g.listens(n) || key == "route" && n.BlockKind == "service") && !isCode(it.Value) {
				g.report("BLK002", g.s.file, it.Key, key, n.BlockKind, "")
			}
		case *ast.Command, *ast.ExprStmt, *ast.Mapping:
			g.inert(it)
		case *ast.Block:
			switch kind := it.BlockKind; {
			case nodeKind(kind) != "":
				g.inertBlock(it, "'"+kind+"'")
			case !serviceKinds[kind] && !methodKinds[kind] && !behaviourKinds[kind] && !actedOn[kind] && !scriptKinds[kind] && kind != "schema":
				g.inertBlock(it, "'"+kind+"'")
			}
		}
	}
}

// listens says whether the port of a block is that of the server: the first that a
// service names.
func (g *gathering) listens(n *ast.Block) bool {
	if n.BlockKind != "service" && n.BlockKind != "http" || g.port != nil && g.port != n {
		return false
	}
	g.port = n
	return true
}

// serving notes that the settings of an endpoint are used, which targets of services
// read beside its trait.
func (b *builder) serving(d *decl) {
	if !d.has("route", "http", "endpoint") && !(b.serves && d.routed()) {
		return
	}
	for i := range d.props {
		if p := &d.props[i]; routeKeys[trait.FoldKey(p.key)] {
			p.from.Use()
			b.whole(p.v)
		}
	}
}

// routed says whether a node of a server has a route.
func (d *decl) routed() bool {
	for _, p := range d.props {
		switch trait.FoldKey(p.key) {
		case "route":
			return true
		case "path":
			return strings.HasPrefix(p.v.Str, "/")
		case "method":
			if methodKinds[strings.ToLower(p.v.Str)] {
				return true
			}
		}
	}
	return false
}

// routeKeys are the settings of a node with @route, @http or @endpoint that targets read.
var routeKeys = map[string]bool{
	"path": true, "method": true, "route": true, "description": true, "summary": true, "query": true, "body": true, "params": true,
	"handler": true, "action": true, "calls": true, "call": true, "run": true, "function": true, "pipeline": true,
}

// freeUnit is the name of a block, its kind where it has none, with a number where
// another has it.
func (g *gathering) freeUnit(n *ast.Block) string {
	name := g.name(n, g.s)
	if name == "" {
		name = n.BlockKind
	}
	if g.units == nil {
		g.units = map[string]int{}
	}
	if g.units[name]++; g.units[name] > 1 {
		name += " " + strconv.Itoa(g.units[name])
	}
	return name
}

// runs says whether anything in a body runs, blocks of a service in it included.
func (b *builder) runs(body *ast.Body) bool {
	if body == nil {
		return false
	}
	return slices.ContainsFunc(body.Items, func(it ast.Node) bool {
		b.tick(1)
		switch it := it.(type) {
		case *ast.Func:
			return it.Body != nil
		case *ast.Property:
			return isCode(it.Value) || it.Key.Name() == "state"
		case *ast.TypedMember:
			return len(it.Words) > 0 && it.Words[0] == "state"
		case *ast.Block:
			return behaviourKinds[it.BlockKind] || machineKinds[it.BlockKind] || derivedKinds[it.BlockKind] || serviceKinds[it.BlockKind] && b.runs(it.Body) || methodKinds[it.BlockKind] && (it.Heading().HasParams || b.runs(it.Body) || b.answers(it.Body))
		}
		return false
	})
}
