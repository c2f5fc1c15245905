package ast

// TypeName is a named type with its arguments.
type TypeName struct {
	Base
	Path string
	Args []Node
}

// Kind implements Node.
func (n *TypeName) Kind() Kind { return KindTypeName }

func (n *TypeName) fields(v visitor) { v.text("path", n.Path); list(v, "args", n.Args) }

// Union is A | B.
type Union struct {
	Base
	Members []Node
}

// Kind implements Node.
func (n *Union) Kind() Kind { return KindUnion }

func (n *Union) fields(v visitor) { list(v, "members", n.Members) }

// Intersection is A & B.
type Intersection struct {
	Base
	Members []Node
}

// Kind implements Node.
func (n *Intersection) Kind() Kind { return KindIntersection }

func (n *Intersection) fields(v visitor) { list(v, "members", n.Members) }

// ArrayOf is T[].
type ArrayOf struct {
	Base
	Elem Node
}

// Kind implements Node.
func (n *ArrayOf) Kind() Kind { return KindArrayOf }

func (n *ArrayOf) fields(v visitor) { v.node("elem", n.Elem) }

// Nullable is T?.
type Nullable struct {
	Base
	Elem Node
}

// Kind implements Node.
func (n *Nullable) Kind() Kind { return KindNullable }

func (n *Nullable) fields(v visitor) { v.node("elem", n.Elem) }

// ObjectType is { name: T }.
type ObjectType struct {
	Base
	Fields []*TypeField
}

// Kind implements Node.
func (n *ObjectType) Kind() Kind { return KindObjectType }

func (n *ObjectType) fields(v visitor) { list(v, "fields", n.Fields) }

// TypeField is a member of an ObjectType.
type TypeField struct {
	Base
	Readonly bool
	Key      *Key
	Optional bool
	Type     Node
}

// Kind implements Node.
func (n *TypeField) Kind() Kind { return KindTypeField }

func (n *TypeField) fields(v visitor) {
	v.flag("readonly", n.Readonly)
	one(v, "key", n.Key)
	v.flag("optional", n.Optional)
	v.node("type", n.Type)
}

// FuncType is (a: A) => B.
type FuncType struct {
	Base
	Params []*Param
	Result Node
}

// Kind implements Node.
func (n *FuncType) Kind() Kind { return KindFuncType }

func (n *FuncType) fields(v visitor) { list(v, "params", n.Params); v.node("result", n.Result) }

// Tuple is [A, B].
type Tuple struct {
	Base
	Members []Node
}

// Kind implements Node.
func (n *Tuple) Kind() Kind { return KindTuple }

func (n *Tuple) fields(v visitor) { list(v, "members", n.Members) }

// LiteralType is a text, number, boolean or null as a type.
type LiteralType struct {
	Base
	X Node
}

// Kind implements Node.
func (n *LiteralType) Kind() Kind { return KindLiteralType }

func (n *LiteralType) fields(v visitor) { v.node("value", n.X) }

// EnumType is enum(a | b).
type EnumType struct {
	Base
	Words []string
}

// Kind implements Node.
func (n *EnumType) Kind() Kind { return KindEnumType }

func (n *EnumType) fields(v visitor) { v.texts("words", n.Words) }
