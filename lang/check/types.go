package check

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
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
	"number": numberT, "integer": {form: numberType, integer: true}, "int": {form: numberType, integer: true}, "float": numberT,
	"string": stringT, "boolean": booleanT, "bool": booleanT, "void": voidT, "any": {}, "unknown": {}, "null": nullT, "undefined": nullT,
	"vec2": {form: vectorType, name: "vec2"}, "vec3": {form: vectorType, name: "vec3"}, "vec4": {form: vectorType, name: "vec4"},
	"quat": {form: vectorType, name: "quat"}, "color": colorT, "duration": {form: numberType, dim: "time"},
	"length": {form: numberType, dim: "length"}, "angle": {form: numberType, dim: "angle"}, "asset": {form: assetType}, "node": {form: nodeType},
	"object": {}, "never": {}, "function": {}, "Function": {}, "Object": {}, "Date": {}, "Error": {}, "event": {}, "Event": {}, "symbol": {}, "list": {}, "map": {},
	"array": {}, "Array": {}, "List": {}, "Map": {}, "Record": {}, "Promise": {}, "Set": {},
}

// String is the type as a source spells it, cut when it is long.
func (t *Type) String() string {
	s := t.text(0)
	if len(s) > MaxTypeText {
		s = strings.ToValidUTF8(s[:MaxTypeText-3], "") + "..."
	}
	return s
}

func (t *Type) text(depth int) string {
	if t == nil || t.form == anyType || depth > 3 {
		return "any"
	}
	list := func(ts []*Type, sep string) string {
		parts := make([]string, min(len(ts), 12))
		for i := range parts {
			parts[i] = ts[i].text(depth + 1)
		}
		return strings.Join(parts, sep)
	}
	switch t.form {
	case nullType:
		return "null"
	case voidType:
		return "void"
	case boolType:
		return "boolean"
	case numberType:
		switch {
		case t.dim == "time":
			return "duration"
		case t.dim != "":
			return t.dim
		case t.integer:
			return "integer"
		}
		return "number"
	case textType:
		return "string"
	case colorType:
		return "color"
	case vectorType, namedType:
		return t.name
	case wordType:
		return "'" + t.name + "'"
	case nodeType:
		return "node"
	case assetType:
		return "asset"
	case listType:
		if e := t.elem.text(depth + 1); !strings.ContainsAny(e, " |") {
			return e + "[]"
		}
		return "(" + t.elem.text(depth+1) + ")[]"
	case mapType:
		return "Map<string, " + t.elem.text(depth+1) + ">"
	case tupleType:
		return "[" + list(t.alts, ", ") + "]"
	case unionType:
		return list(t.alts, " | ")
	case literal:
		if t.base == stringT {
			return `"` + t.name + `"`
		}
		return t.name
	case funcType:
		var parts []string
		for i, p := range t.params {
			if i == 12 {
				break
			}
			s := p.name
			if p.rest {
				s = "..." + s
			}
			if p.optional {
				s += "?"
			}
			parts = append(parts, s+": "+p.typ.text(depth+1))
		}
		return "(" + strings.Join(parts, ", ") + ") => " + t.result.text(depth+1)
	case objectType:
		var parts []string
		for i, f := range t.fields {
			if i == 12 {
				break
			}
			s := f.name
			if f.optional {
				s += "?"
			}
			parts = append(parts, s+": "+f.typ.text(depth+1))
		}
		if len(parts) == 0 {
			return "object"
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return "any"
}

// sort is the type in a message about a literal: string, not "a".
func (t *Type) sort() string {
	switch {
	case t != nil && t.form == literal && t.base.form == numberType && t.base.dim == "":
		return "number"
	case t != nil && t.form == literal:
		return t.base.String()
	case t != nil && t.form == tupleType:
		return "list"
	case t != nil && t.form == objectType:
		return "object"
	case t != nil && t.form == listType:
		return "list"
	}
	return t.String()
}

// widen is the type of a variable that begins with a value: string for "a",
// anything for null.
func widen(t *Type) *Type {
	if t == nil {
		return nil
	}
	switch t.form {
	case literal:
		return t.base
	case nullType, voidType, wordType, objectType, tupleType, funcType:
		return nil
	case listType:
		return &Type{form: listType, elem: nil}
	case numberType:
		if t.dim == "" {
			return numberT
		}
	}
	return t
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
	severity := diag.Warning
	if c.strict {
		severity = diag.Error
	}
	f := c.addAs(severity, "NAM008", at, name, slot)
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
		if !ok {
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

// fits says whether a value may stand where a type is wanted. What is not known
// fits.
func (c *checker) fits(found, want *Type) bool {
	c.steps = 0
	return c.fitsIn(found, want, 0)
}

func (c *checker) fitsIn(found, want *Type, depth int) bool {
	found, want = c.look(found), c.look(want)
	if c.steps++; c.steps > MaxSteps {
		return true
	}
	if found == nil || want == nil || found.form == anyType || want.form == anyType || depth > 8 {
		return true
	}
	if want.form == unionType {
		for _, t := range want.alts {
			if c.fitsIn(found, t, depth+1) {
				return true
			}
		}
		return false
	}
	if found.form == unionType {
		for _, t := range found.alts {
			if !c.fitsIn(t, want, depth+1) {
				return false
			}
		}
		return true
	}
	if want.form == literal {
		switch found.form {
		case literal:
			return found.name == want.name && found.base.form == want.base.form
		case wordType:
			return want.base.form == textType && found.name == want.name
		}
		return found.form == want.base.form && !found.unwidens // a variable may hold it
	}
	if words, ok := enumWords(want); ok {
		switch {
		case found.form == wordType, found.form == literal && found.base.form == textType:
			for _, w := range words {
				if w == found.name {
					return true
				}
			}
			return false
		case found.form == namedType:
			return found.sym == want.sym
		}
		return found.form == textType || found.form == numberType || found.form == literal
	}
	if found.form == literal {
		if want.form == colorType && found.base.form == textType {
			return trait.IsColor(found.name)
		}
		found = found.base
	}
	switch want.form {
	case numberType:
		if found.form != numberType {
			return false
		}
		return want.dim == "" || found.dim == "" || found.dim == want.dim
	case textType, assetType:
		return found.form == textType || found.form == assetType || found.form == wordType || found.form == colorType
	case colorType:
		return found.form == colorType || found.form == textType || found.form == wordType && trait.IsColor(found.name)
	case boolType:
		return found.form == boolType
	case nullType, voidType:
		return found.form == nullType || found.form == voidType
	case vectorType:
		return c.fitsVector(found, want)
	case nodeType:
		return found.form == nodeType || found.form == wordType || found.form == textType || found.form == nullType
	case listType:
		switch found.form {
		case listType:
			return c.fitsIn(found.elem, want.elem, depth+1)
		case tupleType:
			for _, t := range found.alts {
				if !c.fitsIn(t, want.elem, depth+1) {
					return false
				}
			}
			return true
		}
		return false
	case tupleType:
		if found.form == tupleType {
			if len(found.alts) != len(want.alts) {
				return false
			}
			for i := range found.alts {
				if !c.fitsIn(found.alts[i], want.alts[i], depth+1) {
					return false
				}
			}
			return true
		}
		return found.form == listType || found.form == vectorType
	case mapType:
		return found.form == mapType || found.form == objectType || found.form == namedType
	case funcType:
		return found.form == funcType || found.form == wordType
	case objectType, namedType:
		return c.fitsObject(found, want, depth)
	}
	return true
}

func (c *checker) fitsVector(found, want *Type) bool {
	n := 3
	switch want.name {
	case "vec2":
		n = 2
	case "vec4", "quat":
		n = 4
	}
	switch found.form {
	case vectorType:
		return found.name == want.name || n == 4 && (found.name == "quat" || found.name == "vec4")
	case tupleType:
		if len(found.alts) != n && !(want.name == "quat" && len(found.alts) == 3) {
			return false
		}
		for _, t := range found.alts {
			if !c.fitsIn(t, numberT, 1) {
				return false
			}
		}
		return true
	case listType:
		return c.fitsIn(found.elem, numberT, 1)
	case objectType:
		for _, f := range found.fields {
			if len(f.name) != 1 || !strings.Contains("xyzw"[:n], f.name) || !c.fitsIn(f.typ, numberT, 1) {
				return false
			}
		}
		return true
	}
	return false
}

// fitsObject is structural: the members that are required are there and fit.
func (c *checker) fitsObject(found, want *Type, depth int) bool {
	if found.form == namedType && want.form == namedType && found.sym == want.sym {
		return true
	}
	if found.form != objectType && found.form != namedType {
		return found.form == mapType || found.form == nodeType || found.form == vectorType && want.form == objectType
	}
	if found.form == namedType && !c.closed(found) || want.form == namedType && !c.closed(want) {
		return true
	}
	have := map[string]*Type{}
	for _, f := range c.fieldsOf(found) {
		have[f.name] = f.typ
	}
	for _, f := range c.fieldsOf(want) {
		t, ok := have[f.name]
		if !ok && !f.optional || ok && !c.fitsIn(t, f.typ, depth+1) {
			return false
		}
	}
	return true
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
