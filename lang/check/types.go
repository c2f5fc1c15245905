package check

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// form is the shape of a type.
type form uint8

const (
	anyType form = iota
	nullType
	voidType
	boolType
	numberType // with a dimension when one is known
	textType
	colorType
	vectorType // name is vec2, vec3, vec4 or quat
	nodeType
	assetType
	listType   // elem
	mapType    // elem is of the values
	objectType // fields
	tupleType  // alts
	unionType  // alts
	funcType   // params, result
	literal    // text in name, with base
	namedType  // struct, enum, class or interface: sym
	wordType   // a bare word that may be an enum value: name
)

// Type is what is known of a value. Nil knows nothing.
type Type struct {
	form     form
	name     string
	integer  bool
	base     *Type // of a literal
	elem     *Type
	fields   []field
	alts     []*Type
	params   []parameter
	result   *Type
	sym      *Symbol
	dim      string
	unwidens bool
}

type field struct {
	name     string
	typ      *Type
	optional bool
	key      *ast.Key
	value    ast.Node
}

type parameter struct {
	name     string
	typ      *Type
	optional bool
	rest     bool
}

var (
	booleanT = &Type{form: boolType}
	numberT  = &Type{form: numberType}
	stringT  = &Type{form: textType}
	nullT    = &Type{form: nullType}
	voidT    = &Type{form: voidType}
	colorT   = &Type{form: colorType}
)

// builtin are the types with names of their own.
var builtin = map[string]*Type{
	"number": numberT, "integer": {form: numberType, integer: true}, "int": {form: numberType, integer: true}, "float": numberT, "i8": numberT, "i16": numberT, "i32": numberT, "i64": numberT, "u8": numberT, "u16": numberT, "u32": numberT, "u64": numberT, "f32": numberT, "f64": numberT, "double": numberT, "trigger": {form: boolType}, "decimal": numberT,
	"string": stringT, "boolean": booleanT, "bool": booleanT, "void": voidT, "any": {}, "unknown": {}, "null": nullT, "undefined": nullT,
	"vec2": {form: vectorType, name: "vec2"}, "vec3": {form: vectorType, name: "vec3"}, "vec4": {form: vectorType, name: "vec4"},
	"quat": {form: vectorType, name: "quat"}, "color": colorT, "duration": {form: numberType, dim: "time"},
	"length": {form: numberType, dim: "length"}, "angle": {form: numberType, dim: "angle"}, "asset": {form: assetType}, "node": {form: nodeType},
	"object": {}, "never": {}, "function": {}, "Function": {}, "Object": {}, "Date": {}, "Error": {}, "event": {}, "Event": {}, "symbol": {}, "list": {}, "map": {},
	"array": {}, "Array": {}, "List": {}, "Map": {}, "Record": {}, "Promise": {}, "Set": {},
}

// typeOf reads a type of the source. Names that mean nothing are reported.
func (c *checker) typeOf(n ast.Node) *Type {
	switch n := n.(type) {
	case nil:
		return nil
	case *ast.TypeName:
		return c.namedType(n)
	case *ast.Union:
		t := &Type{form: unionType}
		for _, m := range n.Members {
			t.alts = append(t.alts, c.typeOf(m))
		}
		return t
	case *ast.Intersection:
		t := &Type{form: objectType}
		for _, m := range n.Members {
			inner := c.look(c.typeOf(m))
			if inner == nil || inner.form != objectType && inner.form != namedType {
				t = nil
				continue
			}
			if t != nil {
				t.fields = append(t.fields, c.fieldsOf(inner)...)
			}
		}
		return t
	case *ast.ArrayOf:
		return &Type{form: listType, elem: c.typeOf(n.Elem)}
	case *ast.Nullable:
		return &Type{form: unionType, alts: []*Type{c.typeOf(n.Elem), nullT}}
	case *ast.ObjectType:
		t := &Type{form: objectType}
		for _, f := range n.Fields {
			t.fields = append(t.fields, field{name: f.Key.Name(), typ: c.typeOf(f.Type), optional: f.Optional, key: f.Key})
		}
		return t
	case *ast.FuncType:
		t := &Type{form: funcType, result: c.typeOf(n.Result)}
		t.params = c.parameters(n.Params)
		return t
	case *ast.Tuple:
		t := &Type{form: tupleType}
		for _, m := range n.Members {
			t.alts = append(t.alts, c.typeOf(m))
		}
		return t
	case *ast.LiteralType:
		return literalOf(n.X)
	case *ast.EnumType:
		t := &Type{form: unionType}
		for _, w := range n.Words {
			t.alts = append(t.alts, &Type{form: literal, name: w, base: stringT})
		}
		return t
	}
	return nil
}

func literalOf(n ast.Node) *Type {
	switch n := n.(type) {
	case *ast.String:
		return &Type{form: literal, name: n.Value(), base: stringT}
	case *ast.Number:
		return &Type{form: literal, name: n.Raw, base: numberOf(n)}
	case *ast.Bool:
		if n.Value {
			return &Type{form: literal, name: "true", base: booleanT}
		}
		return &Type{form: literal, name: "false", base: booleanT}
	case *ast.Null:
		return nullT
	case *ast.Unary:
		if t := literalOf(n.X); t != nil && t.form == literal && n.Op == "-" {
			return &Type{form: literal, name: "-" + t.name, base: t.base}
		}
	}
	return nil
}

// numberOf is the type of a number: whole or not, and what its unit measures.
func numberOf(n *ast.Number) *Type {
	t := &Type{form: numberType}
	if dim, ok := trait.Dimension(n.Unit()); ok && dim != "ratio" {
		t.dim = dim
	}
	if v := n.Value(); v == float64(int64(v)) {
		t.integer = true
	}
	return t
}

func (c *checker) namedType(n *ast.TypeName) *Type {
	args := make([]*Type, len(n.Args))
	for i, a := range n.Args {
		args[i] = c.typeOf(a)
	}
	arg := func(i int) *Type {
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	switch n.Path {
	case "array", "list", "Array", "List", "Set":
		return &Type{form: listType, elem: arg(0)}
	case "Map", "Record", "map":
		return &Type{form: mapType, elem: arg(1)}
	case "Promise":
		return arg(0)
	}
	if t := builtin[n.Path]; t != nil {
		return t
	}
	at := n.At
	at.End = at.Start + uint32(len(n.Path))
	if t := c.typeNamed(n.Path); t != nil {
		c.refer(at, t.sym)
		return t
	}
	if c.isTypeImport(n.Path) {
		return nil
	}
	c.unknownType(n, n.Path)
	return nil
}

// typeName judges a name that must be a type.
func (c *checker) typeName(n ast.Node, name string) {
	if name == "" || builtin[name] != nil || c.isTypeImport(name) {
		return
	}
	if t := c.typeNamed(name); t != nil {
		c.refer(n.Span(), t.sym)
		return
	}
	c.unknownType(n, name)
}

// isTypeImport says whether a name was imported, or belongs to one that was.
func (c *checker) isTypeImport(name string) bool {
	first, _, _ := strings.Cut(strings.ReplaceAll(name, "::", "."), ".")
	s := c.top.names[first]
	if s != nil && s.Kind == Imported {
		return true
	}
	return len(c.named[first]) > 0 || c.open && s == nil && len(c.imported) > 0
}

func (c *checker) unknownType(n ast.Node, name string) {
	known := append(keysFor(c, c.types), keysFor(c, builtin)...)
	at := n.Span()
	if t, ok := n.(*ast.TypeName); ok {
		at.End = at.Start + uint32(len(t.Path))
	}
	near, ok := c.nearest(name, known)
	slot := ""
	if ok {
		slot = hint(near)
	}
	f := c.add("NAM008", at, name, slot)
	if ok {
		replace(f, at, near)
	}
}

// typeNamed is the type of a declaration, nil when there is none.
func (c *checker) typeNamed(name string) *Type {
	s := c.types[name]
	if s == nil {
		return nil
	}
	if s.typ == nil {
		s.typ = &Type{form: namedType, name: s.Name, sym: s}
	}
	return s.typ
}

// look goes through aliases to what a type is.
func (c *checker) look(t *Type) *Type {
	for steps := 0; t != nil && t.form == namedType; steps++ {
		command, ok := t.sym.decl.(*ast.Command)
		if !ok || t.sym.Kind != TypeDecl {
			return t
		}
		if steps > MaxExpand {
			return nil
		}
		if !t.sym.declared {
			t.sym.declared = true
			_, value, _ := alias(command)
			t.elem = c.aliased(value, 0)
		}
		t = t.elem
	}
	return t
}

// alias takes type A = B apart, which the parser reads as a command.
func alias(n *ast.Command) (name *ast.Ident, value ast.Node, ok bool) {
	if n.Verb != "type" || len(n.Args) != 1 {
		return nil, nil, false
	}
	a, ok := n.Args[0].(*ast.Assign)
	if !ok || a.Op != "=" {
		return nil, nil, false
	}
	name, ok = a.Target.(*ast.Ident)
	return name, a.Value, ok
}

// aliased reads the right side of an alias, an expression, as a type.
func (c *checker) aliased(n ast.Node, depth int) *Type {
	if depth > MaxExpand {
		return nil
	}
	switch n := n.(type) {
	case *ast.Ident:
		if t := builtin[n.Name]; t != nil {
			return t
		}
		return c.typeNamed(n.Name)
	case *ast.Path:
		return c.typeNamed(n.Raw)
	case *ast.Binary:
		if n.Op == "|" {
			return &Type{form: unionType, alts: []*Type{c.aliased(n.X, depth+1), c.aliased(n.Y, depth+1)}}
		}
	case *ast.Object:
		t := &Type{form: objectType}
		for _, it := range n.Body.Items {
			p, ok := it.(*ast.Property)
			if !ok {
				return nil
			}
			f := field{name: p.Key.Name(), key: p.Key, optional: p.More != nil && p.More.Optional}
			if d := p.Type(); d != nil {
				f.typ = c.typeOf(d)
			} else {
				f.typ = c.aliased(p.Value, depth+1)
			}
			t.fields = append(t.fields, f)
		}
		return t
	}
	return literalOf(n)
}

// fieldsOf are the members of an object or a struct, those of its parents too.
func (c *checker) fieldsOf(t *Type) []field {
	switch t.form {
	case objectType:
		return t.fields
	case namedType:
		var out []field
		seen := map[*Symbol]bool{}
		for s := t.sym; s != nil && !seen[s] && len(seen) < MaxExpand; {
			seen[s] = true
			b, ok := s.decl.(*ast.Block)
			if !ok {
				return out
			}
			out = append(out, c.structFields(b, s.own)...)
			s = nil
			if ext := b.Heading().Extends; len(ext) == 1 {
				s = c.types[nameOf(ext[0])]
			}
		}
		return out
	}
	return nil
}

func (c *checker) structFields(b *ast.Block, o *owner) []field {
	var out []field
	for _, n := range b.Body.Items {
		switch n := n.(type) {
		case *ast.Property:
			f := field{name: n.Key.Name(), key: n.Key}
			if n.More != nil {
				f.optional = n.More.Optional || n.More.Default != nil
			}
			if s := o.names[f.name]; s != nil {
				f.typ = s.typ
			}
			if n.Type() == nil {
				f.optional = true
			}
			out = append(out, f)
		case *ast.TypedMember:
			f := field{name: n.Name, optional: n.Optional || n.Default != nil}
			if s := o.names[f.name]; s != nil {
				f.typ = s.typ
			}
			out = append(out, f)
		case *ast.Func:
			f := field{name: n.Name, optional: n.Body != nil}
			if s := o.names[f.name]; s != nil {
				f.typ = s.typ
			}
			out = append(out, f)
		}
	}
	return out
}

// closed says whether all members of a type are known.
func (c *checker) closed(t *Type) bool {
	if t == nil {
		return false
	}
	if t.form != namedType {
		return false
	}
	seen := 0
	for s := t.sym; ; seen++ {
		b, ok := s.decl.(*ast.Block)
		if !ok || seen > MaxExpand || b.HasError() || s.File != c.f.Path() {
			return false
		}
		if k := b.BlockKind; k != "struct" && k != "interface" && k != "class" {
			return false
		}
		for _, n := range b.Body.Items {
			switch n.(type) {
			case *ast.Property, *ast.TypedMember, *ast.Func:
			default:
				return false
			}
		}
		h := b.Heading()
		if len(h.Extends)+len(h.Implements) == 0 {
			return true
		}
		if len(h.Extends) != 1 || len(h.Implements) > 0 {
			return false
		}
		if s = c.types[nameOf(h.Extends[0])]; s == nil {
			return false
		}
	}
}

// enumWords are the words of an enum, false when t is none.
func enumWords(t *Type) ([]string, bool) {
	if t == nil || t.form != namedType {
		return nil, false
	}
	b, ok := t.sym.decl.(*ast.Block)
	if !ok || b.BlockKind != "enum" {
		return nil, false
	}
	var out []string
	for _, n := range b.Body.Items {
		if e, ok := n.(*ast.Enumerator); ok {
			out = append(out, nameOf(e.Name))
		}
	}
	return out, true
}

// parameters are the types of parameters.
func (c *checker) parameters(list []*ast.Param) []parameter {
	out := make([]parameter, len(list))
	for i, p := range list {
		more := p.Parts()
		out[i] = parameter{name: p.Name, typ: c.typeOf(more.Type), optional: p.Optional || more.Default != nil, rest: p.Rest}
		if p.Name == "" {
			out[i].name = "value"
		}
	}
	return out
}

// signature is a line that shows a function.
func (c *checker) signature(n *ast.Func) string {
	var b strings.Builder
	if n.More != nil && n.More.Word != "" {
		b.WriteString(n.More.Word + " ")
	}
	b.WriteString(n.Name + "(")
	for i, p := range n.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strings.Join(strings.Fields(c.f.Slice(p.At)), " "))
	}
	b.WriteString(")")
	if n.Result != nil {
		b.WriteString(": " + strings.Join(strings.Fields(c.f.Slice(n.Result.Span())), " "))
	}
	return b.String()
}
