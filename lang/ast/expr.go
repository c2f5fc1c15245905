package ast

import (
	"strings"

	"github.com/meshd/meshd/lang/token"
)

// Number is a number with its unit.
type Number struct {
	Base
	Raw string
}

// Kind implements Node.
func (n *Number) Kind() Kind { return KindNumber }

// Value is the number without its unit.
func (n *Number) Value() float64 { return token.NumberValue(n.Raw) }

// Unit is the unit, or empty.
func (n *Number) Unit() string {
	_, unit := token.SplitNumber(n.Raw)
	return unit
}

func (n *Number) fields(v visitor) { v.text("raw", n.Raw); v.text("unit", n.Unit()) }

// String is a text in quotes, in triple quotes or a block string.
type String struct {
	Base
	Raw string
}

// Kind implements Node.
func (n *String) Kind() Kind { return KindString }

// Value is the text without quotes and escapes.
func (n *String) Value() string { return token.Unquote(n.Raw) }

// Part is a piece of a text: plain, or the source of a ${ } in it.
type Part struct {
	Text string
	Expr bool
}

// Parts are the pieces of the value, nil when it contains no ${ }. Whether they are
// evaluated is for the consumer to decide.
func (n *String) Parts() []Part { return parts(n.Value()) }

func parts(value string) []Part {
	var out []Part
	rest := value
	for from := 0; ; {
		i := strings.Index(rest[from:], "${")
		if i < 0 {
			break
		}
		i += from
		depth, end := 0, -1
		for j := i + 1; j < len(rest); j++ {
			if rest[j] == '{' {
				depth++
			} else if rest[j] == '}' {
				if depth--; depth == 0 {
					end = j
					break
				}
			}
		}
		if end < 0 {
			break // never closed, here or behind: plain text
		}
		if i > 0 {
			out = append(out, Part{Text: rest[:i]})
		}
		out = append(out, Part{rest[i+2 : end], true})
		rest = rest[end+1:]
	}
	if len(out) > 0 && rest != "" {
		out = append(out, Part{Text: rest})
	}
	return out
}

func (n *String) fields(v visitor) {
	value := n.Value()
	if value == "" {
		v.flag("empty", true)
	}
	v.text("value", value)
	var pieces []string
	for _, p := range parts(value) {
		if p.Expr {
			pieces = append(pieces, "${"+p.Text+"}")
		} else {
			pieces = append(pieces, p.Text)
		}
	}
	v.texts("parts", pieces)
}

// Template is a text in back-quotes: Texts has one element more than Exprs.
type Template struct {
	Base
	Texts []string // as written, without the marks
	Exprs []Node
}

// Kind implements Node.
func (n *Template) Kind() Kind { return KindTemplate }

func (n *Template) fields(v visitor) { v.texts("texts", n.Texts); list(v, "exprs", n.Exprs) }

// Bool is true or false.
type Bool struct {
	Base
	Value bool
}

// Kind implements Node.
func (n *Bool) Kind() Kind { return KindBool }

func (n *Bool) fields(v visitor) { v.flag("value", n.Value) }

// Null is null or undefined.
type Null struct {
	Base
	Undefined bool
}

// Kind implements Node.
func (n *Null) Kind() Kind { return KindNull }

func (n *Null) fields(v visitor) { v.flag("undefined", n.Undefined) }

// Colour is #3af.
type Colour struct {
	Base
	Raw string
}

// Kind implements Node.
func (n *Colour) Kind() Kind { return KindColour }

func (n *Colour) fields(v visitor) { v.text("raw", n.Raw) }

// Regex is /…/flags.
type Regex struct {
	Base
	Raw string
}

// Kind implements Node.
func (n *Regex) Kind() Kind { return KindRegex }

func (n *Regex) fields(v visitor) { v.text("raw", n.Raw) }

// Ident is a word.
type Ident struct {
	Base
	Name string
}

// Kind implements Node.
func (n *Ident) Kind() Kind { return KindIdent }

func (n *Ident) fields(v visitor) { v.text("name", n.Name) }

// EnumWord is words glued by hyphens: ease-in-out.
type EnumWord struct {
	Base
	Name string
}

// Kind implements Node.
func (n *EnumWord) Kind() Kind { return KindEnumWord }

func (n *EnumWord) fields(v visitor) { v.text("name", n.Name) }

// AxisWord is a word with a sign behind it: x-.
type AxisWord struct {
	Base
	Name string
}

// Kind implements Node.
func (n *AxisWord) Kind() Kind { return KindAxisWord }

func (n *AxisWord) fields(v visitor) { v.text("name", n.Name) }

// StateRef is $name.
type StateRef struct {
	Base
	Name string // without $
}

// Kind implements Node.
func (n *StateRef) Kind() Kind { return KindStateRef }

func (n *StateRef) fields(v visitor) { v.text("name", n.Name) }

// NameRef is #{name}.
type NameRef struct {
	Base
	X Node
}

// Kind implements Node.
func (n *NameRef) Kind() Kind { return KindNameRef }

func (n *NameRef) fields(v visitor) { v.node("expr", n.X) }

// Path is words joined by dots; in names also by :: and hyphens, in mappings
// with [] behind a word. It is one node, however long.
type Path struct {
	Base
	Raw string // without white space
}

// Kind implements Node.
func (n *Path) Kind() Kind { return KindPath }

// Segments are the words, without the quotes of the first; a hyphen does not
// part and [] stays with its word.
func (n *Path) Segments() []string { return segments(n.Raw) }

func (n *Path) fields(v visitor) { v.texts("segments", n.Segments()) }

// Member is .name or ?.name behind an expression that is no path.
type Member struct {
	Base
	X        Node
	Name     string
	Optional bool
}

// Kind implements Node.
func (n *Member) Kind() Kind { return KindMember }

func (n *Member) fields(v visitor) {
	v.node("x", n.X)
	v.text("name", n.Name)
	v.flag("optional", n.Optional)
}

// Index is x[i] or x?.[i].
type Index struct {
	Base
	X        Node
	I        Node
	Optional bool
}

// Kind implements Node.
func (n *Index) Kind() Kind { return KindIndex }

func (n *Index) fields(v visitor) {
	v.node("x", n.X)
	v.node("index", n.I)
	v.flag("optional", n.Optional)
}

// Call is f(…), f?.(…), or f`…` when Tagged. A named argument is a Property.
type Call struct {
	Base
	Fn       Node
	Args     []Node
	Optional bool
	Tagged   bool
}

// Kind implements Node.
func (n *Call) Kind() Kind { return KindCall }

func (n *Call) fields(v visitor) {
	v.node("fn", n.Fn)
	list(v, "args", n.Args)
	v.flag("optional", n.Optional)
	v.flag("tagged", n.Tagged)
}

// New is new T(…).
type New struct {
	Base
	Type Node
	Args []Node
}

// Kind implements Node.
func (n *New) Kind() Kind { return KindNew }

func (n *New) fields(v visitor) {
	v.node("type", n.Type)
	list(v, "args", n.Args)
	flagForm(v, "parens", &n.Base, ParenForm)
}

// Unary is an operator before or, when Postfix, behind its operand.
type Unary struct {
	Base
	Op      string
	X       Node
	Postfix bool
}

// Kind implements Node.
func (n *Unary) Kind() Kind { return KindUnary }

func (n *Unary) fields(v visitor) {
	v.text("op", n.Op)
	v.node("x", n.X)
	v.flag("postfix", n.Postfix)
}

// Binary is an operator between two operands.
type Binary struct {
	Base
	X  Node
	Op string
	Y  Node
}

// Kind implements Node.
func (n *Binary) Kind() Kind { return KindBinary }

func (n *Binary) fields(v visitor) { v.node("x", n.X); v.text("op", n.Op); v.node("y", n.Y) }

// Ternary is cond ? a : b.
type Ternary struct {
	Base
	Cond Node
	Then Node
	Else Node
}

// Kind implements Node.
func (n *Ternary) Kind() Kind { return KindTernary }

func (n *Ternary) fields(v visitor) {
	v.node("cond", n.Cond)
	v.node("then", n.Then)
	v.node("else", n.Else)
}

// Arrow is (a, b) => body. One word without parentheses has ParenForm unset.
type Arrow struct {
	Base
	Async  bool
	Params []*Param
	Result Node
	Body   Node // Body, expression or Command
}

// Kind implements Node.
func (n *Arrow) Kind() Kind { return KindArrow }

func (n *Arrow) fields(v visitor) {
	v.flag("async", n.Async)
	list(v, "params", n.Params)
	v.node("result", n.Result)
	v.node("body", n.Body)
	flagForm(v, "parens", &n.Base, ParenForm)
}

// FuncLit is function (a) { … } as a value.
type FuncLit struct {
	Base
	Name   string
	Params []*Param
	Result Node
	Body   *Body
}

// Kind implements Node.
func (n *FuncLit) Kind() Kind { return KindFuncLit }

func (n *FuncLit) fields(v visitor) {
	v.text("name", n.Name)
	list(v, "params", n.Params)
	v.node("result", n.Result)
	one(v, "body", n.Body)
}

// Array is [ … ].
type Array struct {
	Base
	Elements []Node
}

// Kind implements Node.
func (n *Array) Kind() Kind { return KindArray }

func (n *Array) fields(v visitor) { list(v, "elements", n.Elements) }

// Object is { … } as a value.
type Object struct {
	Base
	Body Body
}

// Kind implements Node.
func (n *Object) Kind() Kind { return KindObject }

func (n *Object) fields(v visitor) { v.node("body", &n.Body) }

// Cast is x as T.
type Cast struct {
	Base
	X    Node
	Type Node
}

// Kind implements Node.
func (n *Cast) Kind() Kind { return KindCast }

func (n *Cast) fields(v visitor) { v.node("x", n.X); v.node("type", n.Type) }

// AttrValue is a trait as a value.
type AttrValue struct {
	Base
	Attr *Attribute
}

// Kind implements Node.
func (n *AttrValue) Kind() Kind { return KindAttrValue }

func (n *AttrValue) fields(v visitor) { one(v, "attr", n.Attr) }

// SpawnOf is the spawn that a piece of code is: one itself, what reads like the
// heading of a block, spawn T { … }, or a call, spawn("T", place, { … }). Nil when
// it is none of them.
func SpawnOf(n Node) *Spawn {
	switch n := n.(type) {
	case *Spawn:
		return n
	case *Block:
		if n.BlockKind == "spawn" && n.Name != nil && n.Head == nil {
			return &Spawn{Base: n.Base, X: n.Name, Body: n.Body}
		}
	case *Call:
		if fn, ok := n.Fn.(*Ident); ok && fn.Name == "spawn" {
			return spawnCall(n)
		}
	}
	return nil
}

func spawnCall(n *Call) *Spawn {
	if len(n.Args) == 0 || len(n.Args) > 3 {
		return nil
	}
	s := &Spawn{Base: n.Base, X: n.Args[0]}
	switch s.X.(type) {
	case *Ident, *String:
	default:
		return nil
	}
	for _, a := range n.Args[1:] {
		o, ok := a.(*Object)
		switch {
		case ok && s.Body == nil:
			s.Body = &o.Body
		case !ok && s.Place == nil && s.Body == nil && a.Kind() != KindProperty && a.Kind() != KindSpread:
			s.Place = a
		default:
			return nil
		}
	}
	return s
}

// Spawn is spawn T at p { … }.
type Spawn struct {
	Base
	X     Node
	Place Node
	Body  *Body
}

// Kind implements Node.
func (n *Spawn) Kind() Kind { return KindSpawn }

func (n *Spawn) fields(v visitor) {
	v.node("expr", n.X)
	v.node("at", n.Place)
	one(v, "body", n.Body)
}

// Computed is computed { … } as a value.
type Computed struct {
	Base
	Body *Body
}

// Kind implements Node.
func (n *Computed) Kind() Kind { return KindComputed }

func (n *Computed) fields(v visitor) { one(v, "body", n.Body) }

// Match is match x { … }.
type Match struct {
	Base
	Subject Node
	Arms    []*MatchArm
	// Body is the span of the braces and has the comments behind the last arm.
	Body Body
}

// Kind implements Node.
func (n *Match) Kind() Kind { return KindMatch }

func (n *Match) fields(v visitor) { v.node("subject", n.Subject); list(v, "arms", n.Arms) }

// MatchArm is pattern if guard => body.
type MatchArm struct {
	Base
	Pattern Node // an Ident named _ or default takes everything
	Guard   Node
	Body    Node
}

// Kind implements Node.
func (n *MatchArm) Kind() Kind { return KindMatchArm }

func (n *MatchArm) fields(v visitor) {
	v.node("pattern", n.Pattern)
	v.node("guard", n.Guard)
	v.node("body", n.Body)
}

// Constructor is a word with a body as a value: pcg { tol: 1e-6 }.
type Constructor struct {
	Base
	Name string
	Body *Body
}

// Kind implements Node.
func (n *Constructor) Kind() Kind { return KindConstructor }

func (n *Constructor) fields(v visitor) { v.text("name", n.Name); one(v, "body", n.Body) }

// Pipe is a binding pipe: x | map [0, 1] to [2, 3].
type Pipe struct {
	Base
	X      Node
	Stages []*PipeStage
}

// Kind implements Node.
func (n *Pipe) Kind() Kind { return KindPipe }

func (n *Pipe) fields(v visitor) { v.node("x", n.X); list(v, "stages", n.Stages) }

// PipeStage is one word of a pipe with its operands.
type PipeStage struct {
	Base
	Word     string
	Operands []Node
}

// Kind implements Node.
func (n *PipeStage) Kind() Kind { return KindPipeStage }

func (n *PipeStage) fields(v visitor) { v.text("word", n.Word); list(v, "operands", n.Operands) }

// Sequence is (a, b).
type Sequence struct {
	Base
	List []Node
}

// Kind implements Node.
func (n *Sequence) Kind() Kind { return KindSequence }

func (n *Sequence) fields(v visitor) { list(v, "list", n.List) }
