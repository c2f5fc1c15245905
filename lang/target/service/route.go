// Package service writes the endpoints of a source: as a document for readers
// (OpenAPI) and as a server that keeps to that document.
package service

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

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
	Query   []input `json:"query"`
	Body    []input `json:"body"` // nil: any object
	Source  string  `json:"source"`

	node string
}

// input is a field that a caller gives.
type input struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // of JSON Schema; empty is any
	Required bool   `json:"required"`
}

// takesBody says whether a request has one.
func (r *route) takesBody() bool {
	return r.Method == "post" || r.Method == "put" || r.Method == "patch"
}

var methods = []string{"get", "put", "post", "delete", "patch", "head", "options"}

// routes are the endpoints of a source: nodes and blocks with @route, @http or
// @endpoint, and blocks endpoint and route. The first of equal ones counts.
func routes(in *artefact.Input) ([]route, error) {
	g := &gathering{in: in, taken: map[string]bool{}, ids: map[string]int{}}
	s := in.Scene
	for i := range s.Nodes {
		n := &s.Nodes[i]
		for _, t := range n.Traits {
			if t.Name == "route" || t.Name == "http" || t.Name == "endpoint" {
				g.add(n.Name, n.ID, n.Src, t.Params, n.Extras)
			}
		}
	}
	for _, d := range s.Domain {
		switch d.Kind {
		case "endpoint", "route", "http":
			g.add(d.Name, d.Owner, d.Src, d.Data)
		}
		if v, ok := scene.Get(d.Data, "endpoint"); ok {
			for _, e := range append([]scene.Value{v}, v.List...) {
				g.add(text("name", e), d.Owner, d.Src, e)
			}
		}
	}
	if len(g.list) == 0 {
		return nil, artefact.Nothing(in.Target, "an endpoint: @route, @http or a block endpoint")
	}
	return g.list, nil
}

type gathering struct {
	in    *artefact.Input
	list  []route
	taken map[string]bool
	ids   map[string]int
}

// add reads an endpoint from the settings that stand first.
func (g *gathering) add(name, node string, src scene.Src, settings ...scene.Value) {
	path := cmp.Or(text("path", settings...), text("route", settings...), text("arg0", settings...))
	if path == "" && strings.HasPrefix(name, "/") {
		path = name
	}
	path, shape, ok := braces(path)
	if !ok {
		return
	}
	method := strings.ToLower(cmp.Or(text("method", settings...), "GET"))
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
	g.list = append(g.list, route{
		ID: id, Method: method, Path: path, Summary: cmp.Or(text("description", settings...), name, path), Source: g.in.Source(src), node: node,
		Query: inputs("query", settings), Body: inputs("body", settings),
	})
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
func inputs(key string, settings []scene.Value) []input {
	for _, v := range settings {
		m, ok := scene.Get(v, key)
		if !ok || m.Kind != trait.Map {
			continue
		}
		out := []input{}
		for _, f := range m.Fields {
			name, may := strings.CutSuffix(f.Key, "?")
			kind, optional := strings.CutSuffix(f.Value.Str, "?")
			out = append(out, input{Name: name, Type: jsonTypes[strings.ToLower(kind)], Required: !may && !optional})
		}
		return out
	}
	return nil
}

// jsonTypes are the types of JSON Schema by the words of the language.
var jsonTypes = map[string]string{
	"string": "string", "text": "string", "number": "number", "float": "number", "double": "number", "integer": "integer", "int": "integer",
	"boolean": "boolean", "bool": "boolean", "list": "array", "array": "array", "object": "object", "map": "object",
}

// schema is the JSON Schema of fields.
func schema(fields []input) map[string]any {
	properties := map[string]any{}
	required := []string{}
	for _, f := range fields {
		properties[f.Name] = typed(f.Type)
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

func typed(kind string) map[string]any {
	if kind == "" {
		return map[string]any{}
	}
	return map[string]any{"type": kind}
}

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
