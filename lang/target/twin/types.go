package twin

import (
	"math"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// MaxTypes is the most parts of declared types that an artefact describes; what comes
// behind is any value. A type of types would be written out each time it is named.
const MaxTypes = 20_000

// types are those that a source declares, and how many parts may still be described.
type types struct {
	declared map[string]ast.Node // a block, or the right side of type A = B
	busy     map[string]bool     // aliases that are being looked through
	left     int
}

func typesOf(in *artefact.Input) *types {
	t := &types{declared: map[string]ast.Node{}, busy: map[string]bool{}, left: MaxTypes}
	for _, f := range in.Files {
		for _, it := range f.Items() {
			if e, ok := it.(*ast.Export); ok {
				it = e.Item
			}
			switch n := it.(type) {
			case *ast.Block:
				switch n.BlockKind {
				case "struct", "enum", "interface", "class":
					t.declare(n.NameText(), n)
				}
			case *ast.Command:
				if n.Verb != "type" || len(n.Args) != 1 {
					continue
				}
				if a, ok := n.Args[0].(*ast.Assign); ok && a.Op == "=" {
					if name, ok := a.Target.(*ast.Ident); ok {
						t.declare(name.Name, a.Value)
					}
				}
			}
		}
	}
	return t
}

func (t *types) declare(name string, n ast.Node) {
	if _, there := t.declared[name]; !there && name != "" {
		t.declared[name] = n
	}
}

// typeWords are the names of types with the kinds they mean.
var typeWords = map[string]kind{
	"number": {of: "number"}, "float": {of: "number"}, "double": {of: "number"}, "duration": {of: "number"}, "length": {of: "number"}, "angle": {of: "number"},
	"int": {of: "number", whole: true}, "integer": {of: "number", whole: true}, "string": {of: "text"}, "text": {of: "text"}, "color": {of: "text"},
	"asset": {of: "text"}, "node": {of: "text"}, "bool": {of: "bool"}, "boolean": {of: "bool"}, "object": {of: "object"}, "map": {of: "object"},
	"list": {of: "list"}, "array": {of: "list"}, "vec2": numbers, "vec3": numbers, "vec4": numbers, "quat": numbers,
}

var numbers = kind{of: "list", elem: &kind{of: "number"}}

// of is the kind that a type of the source means. depth is that of the values.
func (t *types) of(n ast.Node, depth int) kind {
	if t.left--; depth > MaxNesting || t.left < 0 {
		return kind{}
	}
	switch n := n.(type) {
	case *ast.TypeName:
		return t.applied(n, depth)
	case *ast.Ident:
		return t.named(n.Name, depth)
	case *ast.Path:
		return t.named(n.Raw, depth)
	case *ast.Nullable:
		return t.of(n.Elem, depth)
	case *ast.ArrayOf:
		e := t.of(n.Elem, depth+1)
		return kind{of: "list", elem: &e}
	case *ast.ObjectType:
		k := kind{of: "object"}
		for _, f := range n.Fields {
			if f.Key != nil && len(k.fields) < MaxFields {
				k.fields = append(k.fields, property{name: f.Key.Name(), kind: t.of(f.Type, depth+1), writable: f.Optional})
			}
		}
		return k
	case *ast.Object: // type A = { … }
		return t.members(n.Body.Items, depth)
	case *ast.Union:
		return t.union(n.Members, depth)
	case *ast.Binary:
		if n.Op == "|" {
			return t.union([]ast.Node{n.X, n.Y}, depth)
		}
	case *ast.EnumType:
		return kind{of: "text", words: slices.Clone(n.Words)}
	case *ast.LiteralType:
		return t.literal(n.X)
	case *ast.String, *ast.Number, *ast.Bool:
		return t.literal(n)
	}
	return kind{}
}

func (t *types) literal(n ast.Node) kind {
	if s, ok := n.(*ast.String); ok {
		return kind{of: "text", words: []string{s.Value()}}
	}
	return kindOfLiteral(n)
}

func (t *types) applied(n *ast.TypeName, depth int) kind {
	if _, own := t.declared[n.Path]; !own && len(n.Args) > 0 {
		switch n.Path {
		case "array", "list", "Array", "List", "Set", "set":
			e := t.of(n.Args[0], depth+1)
			return kind{of: "list", elem: &e}
		case "Map", "map", "Record", "Dict":
			if len(n.Args) == 2 {
				e := t.of(n.Args[1], depth+1)
				return kind{of: "object", elem: &e}
			}
		case "Promise", "Readonly", "Option":
			return t.of(n.Args[0], depth)
		}
	}
	return t.named(n.Path, depth)
}

func (t *types) named(name string, depth int) kind {
	n, ok := t.declared[name]
	if !ok {
		return typeWords[name]
	}
	b, ok := n.(*ast.Block)
	switch {
	case !ok && t.busy[name]: // type A = A
		return kind{}
	case !ok:
		t.busy[name] = true
		defer delete(t.busy, name)
		return t.of(n, depth)
	case b.Body == nil:
		return kind{of: "object"}
	case b.BlockKind == "enum":
		k := kind{of: "text"}
		for _, it := range b.Body.Items {
			if e, ok := it.(*ast.Enumerator); ok {
				k.words = append(k.words, wordOf(e.Name))
			}
		}
		return k
	}
	k := t.members(b.Body.Items, depth)
	for _, p := range b.Heading().Extends {
		for _, f := range t.named(wordOf(p), depth+1).fields {
			if len(k.fields) < MaxFields && !slices.ContainsFunc(k.fields, func(o property) bool { return o.name == f.name }) {
				k.fields = append(k.fields, f)
			}
		}
	}
	return k
}

func wordOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Ident:
		return n.Name
	case *ast.String:
		return n.Value()
	case *ast.Path:
		return n.Raw
	case *ast.TypeName:
		return n.Path
	}
	return ""
}

func (t *types) members(items []ast.Node, depth int) kind {
	k := kind{of: "object"}
	for _, it := range items {
		if len(k.fields) >= MaxFields {
			break
		}
		switch it := it.(type) {
		case *ast.Property:
			f := property{name: it.Key.Name(), writable: it.More != nil && (it.More.Optional || it.More.Default != nil)}
			if f.kind = t.of(it.Type(), depth+1); it.Type() == nil {
				f.kind = t.of(it.Value, depth+1)
			}
			k.fields = append(k.fields, f)
		case *ast.TypedMember:
			k.fields = append(k.fields, property{name: it.Name, kind: t.of(it.Type, depth+1), writable: it.Optional || it.Default != nil})
		}
	}
	return k
}

// union of one kind and null is that kind, one of texts has their words.
func (t *types) union(members []ast.Node, depth int) kind {
	var out *kind
	for _, m := range members {
		if l, ok := m.(*ast.LiteralType); ok {
			m = l.X
		}
		if m == nil || m.Kind() == ast.KindNull {
			continue
		}
		if name, ok := m.(*ast.TypeName); ok && (name.Path == "null" || name.Path == "void") {
			continue
		}
		k := t.of(m, depth)
		switch {
		case out == nil:
			out = &k
		case out.of == "text" && k.of == "text":
			if len(out.words) == 0 || len(k.words) == 0 {
				out.words = nil
			} else {
				out.words = append(out.words, k.words...)
			}
		case out.of == "number" && k.of == "number":
			out.whole = out.whole && k.whole
		case !equal(*out, k):
			return kind{}
		}
	}
	if out == nil {
		return kind{}
	}
	return *out
}

// started is the kind of a value by its declared type, else by what it is first.
func started(declared kind, v scene.Value) kind {
	first := kindOf(v, 0)
	switch {
	case declared.of == "":
		return first
	case declared.of == "number" && declared.whole && v.Kind == trait.Number && v.Num != math.Trunc(v.Num):
		declared.whole = false
	case declared.of == "list" && (declared.elem == nil || declared.elem.of == ""):
		declared.elem = first.elem
	case declared.of == "object":
		declared.fields = slices.Clone(declared.fields)
		for i := range declared.fields {
			if f, ok := scene.Get(v, declared.fields[i].name); ok {
				declared.fields[i].value = f
				declared.fields[i].kind = started(declared.fields[i].kind, f)
			}
		}
		if len(declared.fields) == 0 && declared.elem == nil {
			declared.fields = first.fields
		}
	}
	return declared
}

// known are the kinds of names where an expression stands.
type known struct {
	names  map[string]kind
	params []property // which come before
}

func (k known) name(s string) kind {
	for _, p := range k.params {
		if p.name == s {
			return p.kind
		}
	}
	return k.names[s]
}

// expr is the kind of what an expression gives, as far as it can be seen.
func (k known) expr(n ast.Node, depth int) kind {
	if depth > 20 {
		return kind{}
	}
	switch n := n.(type) {
	case *ast.Number, *ast.String, *ast.Bool:
		return kindOfLiteral(n)
	case *ast.Template:
		return kind{of: "text"}
	case *ast.Ident:
		return k.name(n.Name)
	case *ast.StateRef:
		return k.name(n.Name)
	case *ast.Path:
		parts := n.Segments()
		if parts[0] == "state" || parts[0] == "this" || parts[0] == "self" {
			parts = parts[1:]
		}
		return k.member(parts)
	case *ast.Member:
		if n.Name == "length" {
			return kind{of: "number", whole: true}
		}
		return field(k.expr(n.X, depth+1), n.Name)
	case *ast.Index:
		if x := k.expr(n.X, depth+1); x.of == "list" && x.elem != nil {
			return *x.elem
		}
	case *ast.Unary:
		switch n.Op {
		case "!", "not":
			return kind{of: "bool"}
		case "-", "+":
			return k.expr(n.X, depth+1)
		}
	case *ast.Ternary:
		if x, y := k.expr(n.Then, depth+1), k.expr(n.Else, depth+1); equal(x, y) {
			return x
		}
	case *ast.Binary:
		return k.binary(n, depth)
	case *ast.Call:
		if p, ok := n.Fn.(*ast.Path); ok && strings.HasPrefix(p.Raw, "Math.") {
			switch p.Raw {
			case "Math.round", "Math.floor", "Math.ceil", "Math.trunc", "Math.sign":
				return kind{of: "number", whole: true}
			}
			return kind{of: "number"}
		}
	case *ast.Array:
		out := kind{of: "list"}
		for i, e := range n.Elements {
			ek := k.expr(e, depth+1)
			if i > 0 && !equal(ek, *out.elem) {
				return kind{of: "list"}
			}
			out.elem = &ek
		}
		return out
	case *ast.Object:
		out := kind{of: "object"}
		for _, it := range n.Body.Items {
			p, ok := it.(*ast.Property)
			if !ok || len(out.fields) >= MaxFields {
				if e, ok := it.(*ast.ExprStmt); ok {
					it = e.X
				}
				if id, short := it.(*ast.Ident); short && len(out.fields) < MaxFields { // { zone }
					out.fields = append(out.fields, property{name: id.Name, kind: k.name(id.Name)})
					continue
				}
				return kind{of: "object"}
			}
			f := property{name: p.Key.Name(), kind: k.expr(p.Value, depth+1)}
			if p.Value == nil {
				f.kind = k.name(p.Key.Name())
			}
			out.fields = append(out.fields, f)
		}
		return out
	}
	return kind{}
}

func (k known) binary(n *ast.Binary, depth int) kind {
	switch n.Op {
	case "==", "!=", "===", "!==", "<", "<=", ">", ">=", "in":
		return kind{of: "bool"}
	case "-", "/", "**":
		return kind{of: "number"}
	case "&&", "||", "??", "and", "or", "+", "*", "%":
	default:
		return kind{}
	}
	x, y := k.expr(n.X, depth+1), k.expr(n.Y, depth+1)
	switch n.Op {
	case "*", "%":
		return kind{of: "number", whole: x.whole && y.whole}
	case "+":
		if x.of == "text" || y.of == "text" {
			return kind{of: "text"}
		}
		if x.of == "number" && y.of == "number" {
			return kind{of: "number", whole: x.whole && y.whole}
		}
		return kind{}
	}
	if equal(x, y) {
		return x
	}
	return kind{}
}

func (k known) member(parts []string) kind {
	if len(parts) == 0 {
		return kind{}
	}
	out := k.name(parts[0])
	for _, name := range parts[1:] {
		out = field(out, name)
	}
	return out
}

func field(of kind, name string) kind {
	if name == "length" && (of.of == "list" || of.of == "text") {
		return kind{of: "number", whole: true}
	}
	for _, f := range of.fields {
		if f.name == name {
			return f.kind
		}
	}
	return kind{}
}
