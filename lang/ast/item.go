package ast

// LineDirective is #name with the rest of its line.
type LineDirective struct {
	Base
	Name, Text string
}

// Kind implements Node.
func (n *LineDirective) Kind() Kind { return KindLineDirective }

func (n *LineDirective) fields(v visitor) { v.text("name", n.Name); v.text("text", n.Text) }

// CondBlock is #if with its branches.
type CondBlock struct {
	Base
	Branches []*CondBranch
	Else     *Body
}

// Kind implements Node.
func (n *CondBlock) Kind() Kind { return KindCondBlock }

func (n *CondBlock) fields(v visitor) { list(v, "branches", n.Branches); one(v, "else", n.Else) }

// CondBranch is one #if or #elif.
type CondBranch struct {
	Base
	Cond Node
	Body *Body
}

// Kind implements Node.
func (n *CondBranch) Kind() Kind { return KindCondBranch }

func (n *CondBranch) fields(v visitor) { v.node("cond", n.Cond); one(v, "body", n.Body) }

// Annotation is #[ … ]. A named argument is a Property.
type Annotation struct {
	Base
	Args []Node
}

// Kind implements Node.
func (n *Annotation) Kind() Kind { return KindAnnotation }

func (n *Annotation) fields(v visitor) { list(v, "args", n.Args) }

// Attribute is a trait, with its arguments as Positional and Config however it
// is spelt; the flags say how. In Positional a Spread or any value may stand.
type Attribute struct {
	Base
	Name       string // without @
	Positional []Node
	Config     *Body
	// Value is what follows : => or =. Of the control forms if, elif and while it
	// is the condition, of for and forEach the ForIn or For without its body, of
	// import and export the Import and the exported item.
	Value Node
	// Body follows parentheses: @on_event("x") { … }; and the control forms.
	Body *Body
}

// Control is the form of a control attribute: if, elif, else, for, forEach or
// while; empty for a trait.
func (n *Attribute) Control() string {
	switch n.Name {
	case "if", "elif", "else", "while", "for", "forEach":
		return n.Name
	}
	return ""
}

// Kind implements Node.
func (n *Attribute) Kind() Kind { return KindAttribute }

func (n *Attribute) fields(v visitor) {
	v.text("name", n.Name)
	list(v, "positional", n.Positional)
	if c := n.Config; c != nil && (len(c.Items) > 0 || c.note > 0) { // an empty one equals none
		v.node("config", n.Config)
	}
	v.node("value", n.Value)
	one(v, "body", n.Body)
	v.text("control", n.Control())
	v.form("form", n.Form())
}

// Form names how the attribute is written.
func (n *Attribute) Form() string {
	switch {
	case n.Is(ArrowForm):
		return "arrow"
	case n.Is(AssignForm):
		return "assign"
	case n.Is(ColonForm):
		return "colon"
	case n.Is(ObjectForm):
		return "object"
	case n.Is(ParenForm):
		return "paren"
	case n.Config != nil || n.Body != nil:
		return "brace"
	}
	return "bare"
}

// Block is a heading with a body: object "Lamp" @glow { … }.
type Block struct {
	Base
	BlockKind string // the first word; empty when the heading starts with a text
	Name      Node   // nil, Ident, Path, String or Template
	Head      *Heading
	Body      *Body
}

// Heading is what most headings do without. Its parts are in source order, each
// list by itself; spans give the order between lists.
type Heading struct {
	Attrs      []*Attribute // those with BeforeHeading first
	Modifiers  []string
	Args       []Node
	Using      []Node
	Extends    []Node
	Implements []Node
	From       Node
	Through    []Node
	Has        *Args
	Params     []*Param
	Type       Node
	Arrow      Node
	// The parts that may be empty but present.
	HasParams bool
	// ParamsAt is where the parameters begin.
	ParamsAt uint32
}

// Heading is the block's heading, an empty one when it has none.
func (n *Block) Heading() *Heading {
	if n.Head == nil {
		return &Heading{}
	}
	return n.Head
}

// NameText is the name as text: the value of a quoted name. A Template has none.
func (n *Block) NameText() string { return nameText(n.Name) }

func nameText(n Node) string {
	switch n := n.(type) {
	case *Ident:
		return n.Name
	case *Path:
		return n.Raw
	case *String:
		return n.Value()
	}
	return ""
}

// nameField passes a name so that a quoted word equals the bare one.
func nameField(v visitor, name string, n Node) {
	switch n.(type) {
	case nil:
	case *Ident, *Path, *String:
		v.text(name, nameText(n))
		if n.Kind() == KindString {
			v.form(name+"_quoted", "true")
		}
	default:
		v.node(name, n)
	}
}

// Names are the words in the body of exports and persist.
func (n *Block) Names() []string {
	if n.BlockKind != "exports" && n.BlockKind != "persist" {
		return nil
	}
	var out []string
	for _, it := range n.Body.Items {
		if k := it.Kind(); k == KindIdent || k == KindPath {
			out = append(out, nameText(it))
		}
	}
	return out
}

// Kind implements Node.
func (n *Block) Kind() Kind { return KindBlock }

// StageKinds are the blocks of a pipeline that records flow through.
var StageKinds = map[string]bool{"source": true, "transform": true, "filter": true, "validate": true, "merge": true, "branch": true, "sink": true}

// Flows says whether records flow through a pipeline: it has a stage, or nothing yet. One
// with other blocks alone, such as pipeline "Terrain" { noise { … } }, describes something else.
func (n *Block) Flows() bool {
	if n.Body == nil {
		return true
	}
	others := false
	for _, it := range n.Body.Items {
		switch it := it.(type) {
		case *Property, *Attribute:
		case *Block:
			if StageKinds[it.BlockKind] {
				return true
			}
			others = true
		default: // what may bring stages
			return true
		}
	}
	return !others
}

func (n *Block) fields(v visitor) {
	h := n.Head
	if h != nil {
		list(v, "attrs", h.Attrs)
		v.texts("modifiers", h.Modifiers)
	}
	v.text("block_kind", n.BlockKind)
	nameField(v, "name", n.Name)
	if h != nil {
		list(v, "head_args", h.Args)
		list(v, "using", h.Using)
		list(v, "extends", h.Extends)
		list(v, "implements", h.Implements)
		v.node("from", h.From)
		list(v, "through", h.Through)
		one(v, "has", h.Has)
		v.flag("has_params", h.HasParams)
		list(v, "params", h.Params)
		v.node("type", h.Type)
		v.node("arrow", h.Arrow)
	}
	one(v, "body", n.Body)
}

// Args is a list in parentheses in a heading: repeat(3) { … }.
type Args struct {
	Base
	Args []Node
}

// Kind implements Node.
func (n *Args) Kind() Kind { return KindArgs }

func (n *Args) fields(v visitor) { list(v, "args", n.Args) }

// Selector is #name in a heading.
type Selector struct {
	Base
	Name string
}

// Kind implements Node.
func (n *Selector) Kind() Kind { return KindSelector }

func (n *Selector) fields(v visitor) { v.text("name", n.Name) }

// List is a list item without a colon: traits [ a, b ].
type List struct {
	Base
	ListKind string
	HeadArgs []Node
	Elements *Array
}

// Kind implements Node.
func (n *List) Kind() Kind { return KindList }

func (n *List) fields(v visitor) {
	v.text("list_kind", n.ListKind)
	list(v, "head_args", n.HeadArgs)
	v.node("elements", n.Elements)
}

// Property is key: value. Also a named argument.
type Property struct {
	Base
	Key *Key
	// Value is the value, or the type when the text is one (Kind().IsType()).
	Value Node
	More  *PropertyMore
}

// PropertyMore is what most properties do without.
type PropertyMore struct {
	Optional bool
	Default  Node // behind a type
	Extra    []*Extra
}

// Type is the type of a typed property, nil for one with a value.
func (n *Property) Type() Node {
	if n.Value != nil && n.Value.Kind().IsType() {
		return n.Value
	}
	return nil
}

// Kind implements Node.
func (n *Property) Kind() Kind { return KindProperty }

func (n *Property) fields(v visitor) {
	one(v, "key", n.Key)
	v.flag("optional", n.More != nil && n.More.Optional)
	if t := n.Type(); t != nil {
		v.node("type", t)
	} else {
		v.node("value", n.Value)
	}
	if n.More != nil {
		v.node("default", n.More.Default)
		list(v, "extra", n.More.Extra)
	}
}

// Extra is a trailing attribute of a property: size=2.
type Extra struct {
	Base
	Name  string
	Value Node
}

// Kind implements Node.
func (n *Extra) Kind() Kind { return KindExtra }

func (n *Extra) fields(v visitor) { v.text("name", n.Name); v.node("value", n.Value) }

// TypedMember is state phase: string = "idle".
type TypedMember struct {
	Base
	Words    []string
	Name     string
	Optional bool
	Type     Node
	Default  Node
}

// Kind implements Node.
func (n *TypedMember) Kind() Kind { return KindTypedMember }

func (n *TypedMember) fields(v visitor) {
	v.texts("words", n.Words)
	v.text("name", n.Name)
	v.flag("optional", n.Optional)
	v.node("type", n.Type)
	v.node("default", n.Default)
}

// Override is override path = value.
type Override struct {
	Base
	Path  Node
	Value Node
}

// Kind implements Node.
func (n *Override) Kind() Kind { return KindOverride }

func (n *Override) fields(v visitor) { v.node("path", n.Path); v.node("value", n.Value) }

// Enumerator is a line of an enum.
type Enumerator struct {
	Base
	Name  Node // Ident or String
	Value Node
}

// Kind implements Node.
func (n *Enumerator) Kind() Kind { return KindEnumerator }

func (n *Enumerator) fields(v visitor) {
	nameField(v, "name", n.Name)
	v.node("value", n.Value)
	flagForm(v, "colon", &n.Base, ColonForm)
}

// Spread is ...value.
type Spread struct {
	Base
	X Node
}

// Kind implements Node.
func (n *Spread) Kind() Kind { return KindSpread }

func (n *Spread) fields(v visitor) { v.node("expr", n.X) }
