// Package service writes the endpoints of a source: as a document for readers
// (OpenAPI) and as a server that keeps to that document.
package service

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// route is one endpoint.
type route struct {
	ID      string  `json:"id"` // the operation
	Method  string  `json:"method"`
	Path    string  `json:"path"` // with parameters in braces
	Summary string  `json:"summary"`
	Params  []input `json:"params"`
	Query   []input `json:"query"`
	Body    []input `json:"body"` // nil: any object
	Source  string  `json:"source"`
	Call    *call   `json:"call,omitempty"` // nil: the source says nothing of it

	node        string
	tag         string
	description string
	result      map[string]any // schema of what is answered; nil: anything
	nothing     bool           // the action never gives anything
}

// input is a field that a caller gives.
type input struct {
	Name     string         `json:"name"`
	Type     string         `json:"type"` // of JSON Schema; empty is any or more than a word
	Required bool           `json:"required"`
	Schema   map[string]any `json:"schema"`
}

func field(name string, schema map[string]any, required bool) input {
	kind, _ := schema["type"].(string)
	return input{name, kind, required, schema}
}

// takesBody says whether a request has one.
func (r *route) takesBody() bool {
	return r.Method == "post" || r.Method == "put" || r.Method == "patch"
}

var methods = []string{"get", "put", "post", "delete", "patch", "head", "options"}

// endpointTraits make a node an endpoint; those of servers make a composition one,
// whose objects with a route are its endpoints.
var (
	endpointTraits = []string{"route", "http", "endpoint"}
	serverTraits   = []string{"@http", "@service", "@api", "@rest"}
)

// endpoints are the routes of a source with the types that they speak of.
type endpoints struct {
	list  []route
	types *artefact.Types
	port  int // that the source names; 0 is none
}

// routes are the endpoints of a source: nodes and blocks with @route, @http or
// @endpoint, blocks endpoint and route, and in a composition with @http the objects
// that have route, or path or method. The first of equal ones counts.
func routes(in *artefact.Input) (*endpoints, error) {
	g := &gathering{in: in, taken: map[string]bool{}, ids: map[string]int{}, actions: actionsOf(in), types: artefact.NewTypes(in, "#/components/schemas/")}
	s := in.Scene
	out := &endpoints{}
	serves := false
	for _, d := range s.Domain {
		if d.Owner == "" && slices.Contains(serverTraits, d.Kind) {
			if !serves {
				g.base = basePath(d.Data)
			}
			serves = true
			out.listen(d.Data)
		}
	}
	whole := g.base
	bases := make([]string, len(s.Nodes)) // of the nodes: what is above them goes before
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Prototype != "" {
			continue
		}
		found := false
		bases[i] = whole
		if n.Parent >= 0 {
			bases[i] = bases[n.Parent]
		}
		for _, t := range n.Traits {
			if slices.Contains(serverTraits, "@"+t.Name) {
				bases[i] += basePath(t.Params)
				out.listen(t.Params)
			}
		}
		g.base = bases[i]
		for _, t := range n.Traits {
			if slices.Contains(endpointTraits, t.Name) {
				// method: "POST" beside a trait counts before the trait's default.
				method, _ := scene.Get(n.Extras, "method")
				own := scene.Value{Kind: trait.Map, Fields: []trait.Field{{Key: "method", Value: method}}}
				g.add(place{name: n.Name, node: n.ID, src: n.Src, at: []string{n.ID}}, own, t.Params, n.Extras, named(n))
				found = true
			}
		}
		if serves && !found {
			g.object(n)
		}
	}
	g.base = whole
	for _, d := range s.Domain {
		in.Pause()
		at := place{name: d.Name, node: d.Owner, src: d.Src}
		if d.Owner != "" {
			at.at = []string{d.Owner}
		}
		switch d.Kind {
		case "endpoint", "route", "http":
			g.add(at.inside(d.Unit), d.Data)
		}
		at = at.inside(d.Unit)
		base := g.base
		if d.Kind == "service" || d.Kind == "http" {
			at.tag = d.Name
			g.base += basePath(d.Data)
			out.listen(d.Data)
			g.functions(at, d.Unit)
		}
		for _, kind := range append(slices.Clone(methods), endpointTraits...) {
			if slices.Contains(methods, kind) && d.Kind != "service" && d.Kind != "http" {
				continue
			}
			if v, ok := scene.Get(d.Data, kind); ok {
				g.parts(at, d.Unit, kind, v)
			}
			if v, ok := scene.Get(d.Data, kind+"s"); ok && v.Kind == trait.List {
				g.parts(at, "", kind, v)
			}
		}
		g.base = base
	}
	if len(g.list) == 0 {
		return nil, artefact.Nothing(in.Target, "an endpoint: @route, @http or a block endpoint")
	}
	out.list, out.types = g.list, g.types
	return out, nil
}

// listen takes the port of a server, where none has named one.
func (e *endpoints) listen(server scene.Value) {
	port, _ := scene.Get(server, "port")
	if e.port == 0 && port.Kind == trait.Number && port.Num >= 1 && port.Num < 1<<16 {
		e.port = int(port.Num)
	}
}

// basePath is what the paths of a server begin with.
func basePath(v scene.Value) string {
	base := strings.TrimSuffix(cmp.Or(text("base", v), text("base_path", v), text("prefix", v)), "/")
	if base != "" && !strings.HasPrefix(base, "/") {
		return "/" + base
	}
	return base
}

// functions are the endpoints that a service writes as functions: get "/books" (req) { … }.
func (g *gathering) functions(at place, unit string) {
	if unit == "" {
		return
	}
	for _, act := range g.actions.owner("module:" + unit).functions {
		f, ok := act.Code.Node.(*ast.Func)
		path := strings.Trim(act.Name, `"'`)
		if !ok || !strings.HasPrefix(path, "/") {
			continue
		}
		method := "get"
		if f.More != nil && slices.Contains(methods, f.More.Word) {
			method = f.More.Word
		}
		own := at
		own.name, own.does = path, &act
		g.add(own, scene.Value{Kind: trait.Map, Fields: []trait.Field{{Key: "method", Value: scene.Value{Kind: trait.Text, Str: method}}}})
	}
}

// place is where an endpoint stands: at are the owners whose functions it may mean,
// the nearest first.
type place struct {
	name, node, tag string
	src             scene.Src
	at              []string
	does            *artefact.Action // nil: to be found
}

func (p place) inside(unit string) place {
	if unit != "" {
		p.at = append([]string{"module:" + unit}, p.at...)
	}
	return p
}

type gathering struct {
	in      *artefact.Input
	list    []route
	taken   map[string]bool
	ids     map[string]int
	base    string
	actions *actions
	types   *artefact.Types
}

// object is a node of a composition that serves.
func (g *gathering) object(n *scene.Node) {
	at := place{name: n.Name, node: n.ID, src: n.Src, at: []string{n.ID}}
	path, method := text("path", n.Extras), strings.ToLower(text("method", n.Extras))
	switch {
	case text("route", n.Extras) != "", strings.HasPrefix(path, "/"):
		g.add(at, n.Extras)
	case slices.Contains(methods, method) && path == "" && slug(n.Name) != "":
		g.add(at, n.Extras, scene.Value{Kind: trait.Map, Fields: []trait.Field{{Key: "path", Value: scene.Value{Kind: trait.Text, Str: "/" + slug(n.Name)}}}})
	}
}

// named is the path of an endpoint that says its method or what it calls, and no path:
// that of its name.
func named(n *scene.Node) scene.Value {
	if text("method", n.Extras) == "" && reference("handler", []scene.Value{n.Extras}) == "" || slug(n.Name) == "" || strings.ContainsRune(n.Name, '/') {
		return scene.Value{}
	}
	return scene.Value{Kind: trait.Map, Fields: []trait.Field{{Key: "path", Value: scene.Value{Kind: trait.Text, Str: "/" + slug(n.Name)}}}}
}

// parts are the endpoints in a block: one, or a list of them.
func (g *gathering) parts(at place, unit, kind string, v scene.Value) {
	list := []scene.Value{v}
	if v.Kind == trait.List {
		list = v.List
	}
	for i, e := range list {
		own := at
		own.name = text("name", e)
		if unit != "" {
			own = own.inside(scene.Part(unit, kind, i))
		}
		if slices.Contains(methods, kind) { // post "/loans" { … }
			e.Fields = append(slices.Clone(e.Fields), trait.Field{Key: "method", Value: scene.Value{Kind: trait.Text, Str: kind}})
		}
		g.add(own, e)
	}
}

// add reads an endpoint from the settings that stand first.
func (g *gathering) add(at place, settings ...scene.Value) {
	path := cmp.Or(text("path", settings...), text("route", settings...), text("arg0", settings...))
	method := strings.ToLower(text("method", settings...))
	if word, rest, ok := strings.Cut(path, " "); ok && slices.Contains(methods, strings.ToLower(word)) { // "GET /books"
		path, method = strings.TrimSpace(rest), strings.ToLower(word)
	}
	if word, rest, ok := strings.Cut(at.name, " "); path == "" && ok && slices.Contains(methods, strings.ToLower(word)) && strings.HasPrefix(rest, "/") {
		path, method = rest, strings.ToLower(word)
	} else if path == "" && strings.HasPrefix(at.name, "/") {
		path = at.name
	}
	if strings.HasPrefix(path, "/") {
		path = g.base + path
	}
	path, shape, ok := braces(path)
	if !ok {
		return
	}
	if !slices.Contains(methods, method) {
		method = "get"
	}
	if g.taken[method+shape] {
		return
	}
	g.taken[method+shape] = true
	id := cmp.Or(slug(method+"-"+path), method)
	if g.ids[id]++; g.ids[id] > 1 {
		id += "-" + strconv.Itoa(g.ids[id])
	}
	r := route{
		ID: id, Method: method, Path: path, Summary: cmp.Or(text("description", settings...), text("summary", settings...), at.name, path), Source: g.in.Source(at.src), node: at.node, tag: at.tag,
		Query: g.inputs("query", settings), Body: g.inputs("body", settings),
	}
	given := g.inputs("params", settings)
	for _, name := range r.params() {
		f := field(name, typed("string"), true)
		if i := slices.IndexFunc(given, func(f input) bool { return f.Name == name }); i >= 0 {
			f = field(name, given[i].Schema, true)
		}
		r.Params = append(r.Params, f)
	}
	if at.does != nil {
		g.actions.bind(&r, *at.does, g.types)
	} else {
		g.actions.choose(&r, at, g.types, settings)
	}
	g.list = append(g.list, r)
}

// braces writes the parameters of a path in braces, :id as {id}, and returns its
// shape, in which all parameters are alike.
func braces(path string) (clean, shape string, ok bool) {
	if !strings.HasPrefix(path, "/") || len(path) > MaxPath {
		return "", "", false
	}
	parts := strings.Split(path, "/")
	shapes := slices.Clone(parts)
	seen := map[string]bool{}
	for i, p := range parts {
		name, colon := strings.CutPrefix(p, ":")
		if !colon {
			inner, open := strings.CutPrefix(p, "{")
			if !open || !strings.HasSuffix(inner, "}") {
				if strings.ContainsAny(p, "{}?#") {
					return "", "", false
				}
				continue
			}
			name = strings.TrimSuffix(inner, "}")
		}
		if name == "" || seen[name] || strings.ContainsAny(name, "{}?#") {
			return "", "", false
		}
		seen[name] = true
		parts[i], shapes[i] = "{"+name+"}", "{}"
	}
	return strings.Join(parts, "/"), strings.Join(shapes, "/"), true
}

// MaxPath is the most bytes that the path of an endpoint has.
const MaxPath = 512

// params are the names of the parameters of a path.
func (r *route) params() []string {
	var out []string
	for part := range strings.SplitSeq(r.Path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			out = append(out, strings.TrimSuffix(name, "}"))
		}
	}
	return out
}

// inputs are the fields of a setting like body: { title: "string", year: "integer?" }.
func (g *gathering) inputs(key string, settings []scene.Value) []input {
	for _, v := range settings {
		m, ok := scene.Get(v, key)
		if !ok || m.Kind != trait.Map {
			continue
		}
		out := []input{}
		for _, f := range m.Fields {
			name, may := strings.CutSuffix(f.Key, "?")
			s, optional := g.types.Word(f.Value.Str)
			out = append(out, field(name, s, !may && !optional))
		}
		return out
	}
	return nil
}

// schema is the JSON Schema of fields.
func schema(fields []input) map[string]any {
	properties := map[string]any{}
	required := []string{}
	for _, f := range fields {
		properties[f.Name] = f.Schema
		if f.Required {
			required = append(required, f.Name)
		}
	}
	out := map[string]any{"type": "object"}
	if len(properties) > 0 {
		out["properties"] = properties
	}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

func typed(kind string) map[string]any { return map[string]any{"type": kind} }

// text is the first text of that key.
func text(key string, settings ...scene.Value) string {
	for _, v := range settings {
		if f, ok := scene.Get(v, key); ok && (f.Kind == trait.Text || f.Kind == trait.Word) {
			return f.Str
		}
	}
	return ""
}

func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 60 {
			break
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}
