package artefact

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// Types are the types that a source declares, as JSON Schemas of the 2020-12 draft.
type Types struct {
	ref   string // what a reference begins with
	names map[string]string
	made  map[string]map[string]any

	copied int // types in the schemas that Whole has made
}

// MaxCopied is the most copies of declared types in the schemas of an artefact that
// stand alone; what comes behind is any object.
const MaxCopied = 10_000

// MaxTypes is the most declared types that an artefact describes.
const MaxTypes = 1000

// NewTypes reads the declarations struct, enum, interface, class and type of the
// sources, the main one first. Of two with one name the first counts. ref is what
// references begin with: #/components/schemas/.
func NewTypes(in *Input, ref string) *Types {
	t := &Types{ref: ref, names: map[string]string{}, made: map[string]map[string]any{}}
	type declared struct {
		file *ast.File
		name string
		node ast.Node
		item ast.Node // with the comment
	}
	var all []declared
	taken := map[string]bool{}
	for _, f := range in.Files {
		for _, it := range f.Items() {
			n := it
			if e, ok := n.(*ast.Export); ok {
				n = e.Item
			}
			name := ""
			switch n := n.(type) {
			case *ast.Block:
				switch n.BlockKind {
				case "struct", "enum", "interface", "class":
					name = n.NameText()
				}
			case *ast.Command:
				if a, ok := aliasOf(n); ok {
					name = a.Target.(*ast.Ident).Name
				}
			}
			if name == "" || t.names[name] != "" || len(all) >= MaxTypes {
				continue
			}
			key := component(name)
			for i := 2; taken[key]; i++ {
				key = component(name) + strconv.Itoa(i)
			}
			taken[key] = true
			t.names[name] = key
			all = append(all, declared{f, name, n, it})
		}
	}
	for _, d := range all {
		in.Pause()
		s := t.declaration(d.file, d.node)
		if text := Comment(d.file, d.item); text != "" {
			s["description"] = text
		}
		t.made[t.names[d.name]] = s
	}
	return t
}

// All are the schemas by the names that references use.
func (t *Types) All() map[string]map[string]any { return t.made }

// Whole is a schema that stands alone: the declared types that it speaks of are in its
// $defs. The references of t begin with #/$defs/.
func (t *Types) Whole(s map[string]any) map[string]any {
	if t.copied > MaxCopied {
		return map[string]any{"type": "object"}
	}
	defs := map[string]any{}
	var visit func(v any)
	visit = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if r, ok := v["$ref"].(string); ok {
				if name := strings.TrimPrefix(r, t.ref); defs[name] == nil && t.made[name] != nil {
					defs[name] = t.made[name]
					visit(t.made[name])
				}
			}
			for _, e := range v {
				visit(e)
			}
		case []any:
			for _, e := range v {
				visit(e)
			}
		}
	}
	visit(s)
	if len(defs) == 0 {
		return s
	}
	if t.copied += len(defs); t.copied > MaxCopied {
		return map[string]any{"type": "object"}
	}
	return with(s, "$defs", defs)
}

// component is a name as documents allow it.
func component(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, name)
}

// aliasOf is type A = B, which the parser reads as a command.
func aliasOf(n *ast.Command) (*ast.Assign, bool) {
	if n.Verb != "type" || len(n.Args) != 1 {
		return nil, false
	}
	a, ok := n.Args[0].(*ast.Assign)
	if !ok || a.Op != "=" {
		return nil, false
	}
	_, ok = a.Target.(*ast.Ident)
	return a, ok
}

func (t *Types) declaration(f *ast.File, n ast.Node) map[string]any {
	switch n := n.(type) {
	case *ast.Command:
		a, _ := aliasOf(n)
		return t.alias(a.Value)
	case *ast.Block:
		if n.BlockKind == "enum" {
			return enumeration(n)
		}
		own := t.members(f, n.Body)
		var parts []any
		for _, p := range append(slices.Clone(n.Heading().Extends), n.Heading().Using...) {
			if r, ok := t.named(nameOf(p)); ok {
				parts = append(parts, r)
			}
		}
		if parts == nil {
			return own
		}
		return map[string]any{"allOf": append(parts, own)}
	}
	return map[string]any{}
}

func nameOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Ident:
		return n.Name
	case *ast.Path:
		return n.Raw
	case *ast.String:
		return n.Value()
	case *ast.TypeName:
		return n.Path
	}
	return ""
}

func enumeration(n *ast.Block) map[string]any {
	words := []any{}
	if n.Body != nil {
		for _, it := range n.Body.Items {
			if e, ok := it.(*ast.Enumerator); ok {
				words = append(words, nameOf(e.Name))
			}
		}
	}
	return map[string]any{"type": "string", "enum": words}
}

// members are those of a struct, an interface or a class that are values.
func (t *Types) members(f *ast.File, body *ast.Body) map[string]any {
	properties, required := map[string]any{}, []string{}
	put := func(n ast.Node, name string, typ, def ast.Node, optional bool) {
		s := t.Of(typ)
		if text := Comment(f, n); text != "" {
			s = with(s, "description", text)
		}
		if v, ok := Literal(def); ok {
			s = with(s, "default", v)
		}
		properties[name] = s
		if !optional && def == nil {
			required = append(required, name)
		}
	}
	if body != nil {
		for _, it := range body.Items {
			switch it := it.(type) {
			case *ast.Property:
				switch {
				case it.Type() != nil && it.More != nil:
					put(it, it.Key.Name(), it.Type(), it.More.Default, it.More.Optional)
				case it.Type() != nil:
					put(it, it.Key.Name(), it.Type(), nil, false)
				default:
					if v, ok := Literal(it.Value); ok {
						properties[it.Key.Name()] = with(Like(v), "default", v)
					}
				}
			case *ast.TypedMember:
				if !slices.Contains(it.Words, "static") && !slices.Contains(it.Words, "private") {
					put(it, it.Name, it.Type, it.Default, it.Optional)
				}
			}
		}
	}
	return object(properties, required)
}

func object(properties map[string]any, required []string) map[string]any {
	out := map[string]any{"type": "object"}
	if len(properties) > 0 {
		out["properties"] = properties
	}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// with is a schema with one more key; what stands beside a reference is said of it.
func with(s map[string]any, key string, v any) map[string]any {
	out := map[string]any{key: v}
	for k, v := range s {
		out[k] = v
	}
	return out
}

// builtinTypes are the types of the language, by their names.
var builtinTypes = map[string]map[string]any{
	"number": {"type": "number"}, "float": {"type": "number"}, "double": {"type": "number"}, "duration": {"type": "number"}, "length": {"type": "number"},
	"angle": {"type": "number"}, "integer": {"type": "integer"}, "int": {"type": "integer"}, "string": {"type": "string"}, "text": {"type": "string"},
	"color": {"type": "string"}, "asset": {"type": "string"}, "node": {"type": "string"}, "boolean": {"type": "boolean"}, "bool": {"type": "boolean"},
	"null": {"type": "null"}, "void": {"type": "null"}, "any": {}, "unknown": {}, "object": {"type": "object"}, "map": {"type": "object"},
	"list": {"type": "array"}, "array": {"type": "array"}, "Array": {"type": "array"}, "List": {"type": "array"},
	"vec2": vector(2), "vec3": vector(3), "vec4": vector(4), "quat": vector(4),
}

func vector(n int) map[string]any {
	return map[string]any{"type": "array", "items": map[string]any{"type": "number"}, "minItems": n, "maxItems": n}
}

func (t *Types) named(name string) (map[string]any, bool) {
	if key, ok := t.names[name]; ok {
		return map[string]any{"$ref": t.ref + key}, true
	}
	s, ok := builtinTypes[name]
	return cloned(s), ok
}

// cloned is a copy of a schema.
func cloned(s map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range s {
		out[k] = v
	}
	return out
}

// Word is the schema of a type that is written as a text: "string", "integer?",
// "Ticket", "number[]".
func (t *Types) Word(text string) (s map[string]any, optional bool) {
	text, optional = strings.CutSuffix(strings.TrimSpace(text), "?")
	if elem, ok := strings.CutSuffix(text, "[]"); ok {
		s, _ := t.Word(elem)
		return map[string]any{"type": "array", "items": s}, optional
	}
	if s, ok := t.named(text); ok {
		return s, optional
	}
	s, _ = t.named(strings.ToLower(text))
	return s, optional
}

// Of is the schema of a type; of none it is that of any value.
func (t *Types) Of(n ast.Node) map[string]any {
	switch n := n.(type) {
	case *ast.TypeName:
		return t.typeName(n)
	case *ast.Union:
		return t.union(n.Members, t.Of)
	case *ast.Intersection:
		var parts []any
		for _, m := range n.Members {
			parts = append(parts, t.Of(m))
		}
		return map[string]any{"allOf": parts}
	case *ast.ArrayOf:
		return map[string]any{"type": "array", "items": t.Of(n.Elem)}
	case *ast.Nullable:
		return map[string]any{"anyOf": []any{t.Of(n.Elem), map[string]any{"type": "null"}}}
	case *ast.ObjectType:
		properties, required := map[string]any{}, []string{}
		for _, f := range n.Fields {
			properties[f.Key.Name()] = t.Of(f.Type)
			if !f.Optional {
				required = append(required, f.Key.Name())
			}
		}
		return object(properties, required)
	case *ast.Tuple:
		var parts []any
		for _, m := range n.Members {
			parts = append(parts, t.Of(m))
		}
		if parts == nil {
			return map[string]any{"type": "array", "maxItems": 0}
		}
		return map[string]any{"type": "array", "prefixItems": parts, "minItems": len(parts), "maxItems": len(parts)}
	case *ast.LiteralType:
		return literal(n.X)
	case *ast.EnumType:
		words := []any{}
		for _, w := range n.Words {
			words = append(words, w)
		}
		return map[string]any{"type": "string", "enum": words}
	}
	return map[string]any{}
}

func (t *Types) typeName(n *ast.TypeName) map[string]any {
	arg := func(i int) map[string]any {
		if i < len(n.Args) {
			return t.Of(n.Args[i])
		}
		return map[string]any{}
	}
	if t.names[n.Path] == "" {
		switch n.Path {
		case "array", "list", "Array", "List", "Set", "set":
			if len(n.Args) == 1 {
				return map[string]any{"type": "array", "items": arg(0)}
			}
		case "Map", "map", "Record", "Dict":
			return map[string]any{"type": "object", "additionalProperties": arg(1)}
		case "Promise", "Readonly", "Option", "Partial":
			return arg(0)
		}
	}
	s, _ := t.named(n.Path)
	return s
}

// union of literals is an enumeration, of others any of them.
func (t *Types) union(members []ast.Node, of func(ast.Node) map[string]any) map[string]any {
	var parts, values []any
	for _, m := range members {
		s := of(m)
		if v, ok := s["const"]; ok {
			values = append(values, v)
			continue
		}
		parts = append(parts, s)
	}
	switch {
	case len(values) == 1:
		parts = append(parts, map[string]any{"const": values[0]})
	case len(values) > 1:
		parts = append(parts, map[string]any{"enum": values})
	}
	if len(parts) == 1 {
		return parts[0].(map[string]any)
	}
	return map[string]any{"anyOf": parts}
}

// alias reads the right side of type A = B, an expression, as a type.
func (t *Types) alias(n ast.Node) map[string]any {
	switch n := n.(type) {
	case *ast.Ident:
		s, _ := t.named(n.Name)
		return s
	case *ast.Path:
		s, _ := t.named(n.Raw)
		return s
	case *ast.Binary:
		if n.Op == "|" {
			return t.union(alternatives(n, nil), t.alias)
		}
	case *ast.Object:
		properties, required := map[string]any{}, []string{}
		for _, it := range n.Body.Items {
			p, ok := it.(*ast.Property)
			if !ok {
				return map[string]any{"type": "object"}
			}
			s := t.Of(p.Type())
			if p.Type() == nil {
				s = t.alias(p.Value)
			}
			properties[p.Key.Name()] = s
			if p.More == nil || !p.More.Optional {
				required = append(required, p.Key.Name())
			}
		}
		return object(properties, required)
	}
	if n != nil && n.Kind().IsType() {
		return t.Of(n)
	}
	return literal(n)
}

func alternatives(n ast.Node, out []ast.Node) []ast.Node {
	if b, ok := n.(*ast.Binary); ok && b.Op == "|" {
		return alternatives(b.Y, alternatives(b.X, out))
	}
	return append(out, n)
}

func literal(n ast.Node) map[string]any {
	v, ok := Literal(n)
	switch v.(type) {
	case nil:
		if ok {
			return map[string]any{"type": "null"}
		}
	case string, float64, bool:
		return map[string]any{"const": v}
	}
	return map[string]any{}
}

// Literal is the value of an expression that is written out, as JSON has it.
func Literal(n ast.Node) (any, bool) {
	switch n := n.(type) {
	case *ast.Null:
		return nil, true
	case *ast.Bool:
		return n.Value, true
	case *ast.String:
		return n.Value(), true
	case *ast.Number:
		v := n.Value()
		return v, n.Unit() == "" && !math.IsInf(v, 0) && !math.IsNaN(v)
	case *ast.Unary:
		if v, ok := Literal(n.X); ok && n.Op == "-" {
			if f, ok := v.(float64); ok {
				return -f, true
			}
		}
	case *ast.Array:
		out := []any{}
		for _, e := range n.Elements {
			v, ok := Literal(e)
			if !ok {
				return nil, false
			}
			out = append(out, v)
		}
		return out, true
	case *ast.Object:
		out := map[string]any{}
		for _, it := range n.Body.Items {
			p, ok := it.(*ast.Property)
			if !ok {
				return nil, false
			}
			v, ok := Literal(p.Value)
			if !ok {
				return nil, false
			}
			out[p.Key.Name()] = v
		}
		return out, true
	}
	return nil, false
}

// Like is the schema of values that are of the kind of one.
func Like(v any) map[string]any {
	switch v := v.(type) {
	case bool:
		return map[string]any{"type": "boolean"}
	case float64:
		return map[string]any{"type": "number"}
	case string:
		return map[string]any{"type": "string"}
	case []any:
		return map[string]any{"type": "array"}
	case map[string]any:
		properties := map[string]any{}
		for k, e := range v {
			properties[k] = Like(e)
		}
		return object(properties, nil)
	}
	return map[string]any{}
}

// Params are the parameters and the result of something that can be called.
func Params(n ast.Node) (params []*ast.Param, result ast.Node) {
	switch n := n.(type) {
	case *ast.Func:
		return n.Params, n.Result
	case *ast.Arrow:
		return n.Params, n.Result
	case *ast.FuncLit:
		return n.Params, n.Result
	case *ast.Property:
		return Params(n.Value)
	case *ast.Attribute:
		return Params(n.Value)
	}
	return nil, nil
}

// Param is the schema of a parameter, and whether a caller has to give it.
func (t *Types) Param(p *ast.Param) (s map[string]any, required bool) {
	m := p.Parts()
	s = t.Of(m.Type)
	v, ok := Literal(m.Default)
	if ok && v != nil {
		if m.Type == nil {
			s = Like(v)
		}
		s = with(s, "default", v)
	}
	return s, !p.Optional && !p.Rest && m.Default == nil
}

// Arguments is the schema of an object with the arguments of a function.
func (t *Types) Arguments(n ast.Node) map[string]any {
	params, _ := Params(n)
	properties, required := map[string]any{}, []string{}
	for _, p := range params {
		if p.Name == "" {
			continue
		}
		s, must := t.Param(p)
		properties[p.Name] = s
		if must {
			required = append(required, p.Name)
		}
	}
	return object(properties, required)
}

// Comment is what the author wrote before an item, or behind it on its line. A
// comment on the first line of a file is the file's own, unless it is one for
// documentation (/// or /**).
func Comment(f *ast.File, n ast.Node) string {
	c := f.Comments(n)
	if c == nil {
		return ""
	}
	list := c.Leading
	if n.Common().Is(ast.Detached) {
		list = nil
	}
	if len(list) > 0 && list[0].Start == firstText(f) && !documents(f, list[0]) {
		list = nil
	}
	if len(list) == 0 {
		list = c.Trailing
	}
	var lines []string
	for _, one := range list {
		text := strings.TrimSpace(strings.TrimLeft(f.CommentText(one), "/*!"))
		if text != "" && !strings.HasPrefix(text, "targets:") {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}

func documents(f *ast.File, c token.Comment) bool {
	text := f.Text()[c.Start:c.End]
	return strings.HasPrefix(text, "///") || strings.HasPrefix(text, "/**")
}

func firstText(f *ast.File) uint32 {
	text := f.Text()
	return uint32(len(text) - len(strings.TrimLeft(text, " \t\r\n\ufeff")))
}
