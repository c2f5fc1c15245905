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
// list by itself; spans tell the order between lists.
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

// FuncKind says what a Func is.
type FuncKind uint8

// The kinds of functions.
const (
	Method FuncKind = iota
	Action
	Function
	Getter
	Setter
	Handler
)

var funcKinds = [...]string{"method", "action", "function", "getter", "setter", "handler"}

// String is the name in JSON.
func (k FuncKind) String() string { return funcKinds[k] }

// Func is a function, a method, an accessor or a handler.
type Func struct {
	Base
	FuncKind FuncKind
	// Name as written; of a handler the whole on-word, or what follows on.
	Name   string
	More   *FuncMore
	Params []*Param
	Result Node
	// Body is a Body, an expression behind =>, or nil for a signature.
	Body Node
	// HasParams says that there are parentheses.
	HasParams bool
}

// FuncMore is what most functions do without.
type FuncMore struct {
	Word      string // the word before the name: action, function, fn, …
	Modifiers []string
	Effects   []*Effect
	// Event is the normal name of the event of a handler: hover_enter.
	Event       string
	EventTarget Node // Hall.door, or the target and the event of on (target, event)
	EventExpr   Node // of on (target, event)
	Label       Node // of a control: button "Start" -> () { }
}

// Kind implements Node.
func (n *Func) Kind() Kind { return KindFunc }

func (n *Func) fields(v visitor) {
	v.text("func_kind", n.FuncKind.String())
	m := n.More
	if m == nil {
		m = &FuncMore{}
	}
	if n.FuncKind == Handler && m.Label == nil {
		v.form("name", n.Name)
	} else {
		v.text("name", n.Name)
	}
	v.text("event", m.Event)
	v.node("event_target", m.EventTarget)
	v.node("event_expr", m.EventExpr)
	nameField(v, "label", m.Label)
	v.texts("modifiers", m.Modifiers)
	list(v, "effects", m.Effects)
	list(v, "params", n.Params)
	v.node("result", n.Result)
	v.node("body", n.Body)
	if n.FuncKind != Handler {
		v.text("word", m.Word)
	} else {
		v.form("word", m.Word)
	}
}

// Effect is one of <io: read>.
type Effect struct {
	Base
	Name, Value string
}

// Kind implements Node.
func (n *Effect) Kind() Kind { return KindEffect }

func (n *Effect) fields(v visitor) { v.text("name", n.Name); v.text("value", n.Value) }

// Param is a parameter.
type Param struct {
	Base
	Name     string
	More     *ParamMore
	Optional bool
	Rest     bool
}

// ParamMore is what a plain parameter does without.
type ParamMore struct {
	Pattern Node // instead of a name
	Type    Node
	Default Node
}

// Parts are the parts behind the name, each nil when it is absent.
func (n *Param) Parts() ParamMore {
	if n.More == nil {
		return ParamMore{}
	}
	return *n.More
}

// Kind implements Node.
func (n *Param) Kind() Kind { return KindParam }

func (n *Param) fields(v visitor) {
	m := n.Parts()
	v.text("name", n.Name)
	v.node("pattern", m.Pattern)
	v.flag("optional", n.Optional)
	v.flag("rest", n.Rest)
	v.node("type", m.Type)
	v.node("default", m.Default)
}

// ObjectPattern takes an object apart.
type ObjectPattern struct {
	Base
	Elements []*PatternElement
}

// Kind implements Node.
func (n *ObjectPattern) Kind() Kind { return KindObjectPattern }

func (n *ObjectPattern) fields(v visitor) { list(v, "elements", n.Elements) }

// ArrayPattern takes a list apart.
type ArrayPattern struct {
	Base
	Elements []*PatternElement
}

// Kind implements Node.
func (n *ArrayPattern) Kind() Kind { return KindArrayPattern }

func (n *ArrayPattern) fields(v visitor) { list(v, "elements", n.Elements) }

// PatternElement is one place of a pattern.
type PatternElement struct {
	Base
	Name    string // the key, or the name an element gets
	Pattern Node   // key: pattern, or a nested pattern
	Default Node
	Rest    bool
}

// Kind implements Node.
func (n *PatternElement) Kind() Kind { return KindPatternElement }

func (n *PatternElement) fields(v visitor) {
	v.text("name", n.Name)
	v.node("pattern", n.Pattern)
	v.node("default", n.Default)
	v.flag("rest", n.Rest)
}

// Transition is -> target guard(x) action(y) { … } as a value.
type Transition struct {
	Base
	Target  Node
	Calls   []Node // Call
	Options *Body
}

// Kind implements Node.
func (n *Transition) Kind() Kind { return KindTransition }

func (n *Transition) fields(v visitor) {
	v.node("target", n.Target)
	list(v, "calls", n.Calls)
	one(v, "options", n.Options)
}

// Mapping is from -> to : call, and from <-> to.
type Mapping struct {
	Base
	From, To Node // Path, Ident or String
	Both     bool
	// Calls are behind colons, Actions behind white space: guard(x) action(y).
	Calls   []Node // Call or Ident
	Actions []Node // Call
	Body    *Body
}

// Kind implements Node.
func (n *Mapping) Kind() Kind { return KindMapping }

func (n *Mapping) fields(v visitor) {
	v.node("from", n.From)
	v.node("to", n.To)
	v.flag("both", n.Both)
	list(v, "calls", n.Calls)
	list(v, "actions", n.Actions)
	one(v, "body", n.Body)
}

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

// Rule is a line of a validator.
type Rule struct {
	Base
	Subject Node // Path, Ident or Call
	// Checks must all hold; each is a Check or a Choice.
	Checks []Node
}

// Kind implements Node.
func (n *Rule) Kind() Kind { return KindRule }

func (n *Rule) fields(v visitor) { v.node("subject", n.Subject); list(v, "checks", n.Checks) }

// Choice is checks of which one must hold: string OR integer.
type Choice struct {
	Base
	Checks []*Check
}

// Kind implements Node.
func (n *Choice) Kind() Kind { return KindChoice }

func (n *Choice) fields(v visitor) { list(v, "checks", n.Checks) }

// Check is one check of a rule: minLength(4), or min 4.
type Check struct {
	Base
	Name    string
	Args    []Node
	Literal Node
}

// Kind implements Node.
func (n *Check) Kind() Kind { return KindCheck }

func (n *Check) fields(v visitor) {
	v.text("name", n.Name)
	list(v, "args", n.Args)
	v.node("literal", n.Literal)
	flagForm(v, "parens", &n.Base, ParenForm)
}

// Route is a line of a branch.
type Route struct {
	Base
	When Node // nil for default
	Sink Node
}

// Kind implements Node.
func (n *Route) Kind() Kind { return KindRoute }

func (n *Route) fields(v visitor) {
	v.node("when", n.When)
	v.node("sink", n.Sink)
	flagForm(v, "word", &n.Base, WordForm)
}

// Wire is connect from -> to.
type Wire struct {
	Base
	From, To Node
	Args     []Node
	Assign   Node
	Label    Node // String
}

// Kind implements Node.
func (n *Wire) Kind() Kind { return KindWire }

func (n *Wire) fields(v visitor) {
	v.node("from", n.From)
	v.node("to", n.To)
	v.flag("call", n.Is(ParenForm))
	list(v, "args", n.Args)
	v.node("assign", n.Assign)
	v.node("label", n.Label)
	flagForm(v, "word", &n.Base, WordForm)
}

// Execute is execute target() with its schedule.
type Execute struct {
	Base
	Target  Node
	Args    []Node
	Every   Node
	After   Node
	Forever bool
}

// Kind implements Node.
func (n *Execute) Kind() Kind { return KindExecute }

func (n *Execute) fields(v visitor) {
	v.node("target", n.Target)
	v.flag("call", n.Is(ParenForm))
	list(v, "args", n.Args)
	v.node("every", n.Every)
	v.node("after", n.After)
	v.flag("forever", n.Forever)
}

// Import is one import. Default, Star and Names are as written before from.
type Import struct {
	Base
	Default  string
	Star     string // * as name
	Names    []*ImportName
	TypeOnly bool
	HasNames bool // braces, even empty ones
	Source   Node // String or Path; nil when damaged
}

// Kind implements Node.
func (n *Import) Kind() Kind { return KindImport }

func (n *Import) fields(v visitor) {
	v.text("default", n.Default)
	v.text("star", n.Star)
	list(v, "names", n.Names)
	v.flag("type_only", n.TypeOnly)
	v.node("source", n.Source)
}

// ImportName is name as alias.
type ImportName struct {
	Base
	Name, Alias string
}

// Kind implements Node.
func (n *ImportName) Kind() Kind { return KindImportName }

func (n *ImportName) fields(v visitor) { v.text("name", n.Name); v.text("alias", n.Alias) }

// Export is one export.
type Export struct {
	Base
	Item      Node
	Names     []*ImportName
	Star      bool
	Alias     string // export * as alias
	Source    Node   // String
	IsDefault bool
}

// Kind implements Node.
func (n *Export) Kind() Kind { return KindExport }

func (n *Export) fields(v visitor) {
	v.node("item", n.Item)
	list(v, "names", n.Names)
	v.flag("star", n.Star)
	v.text("alias", n.Alias)
	v.node("source", n.Source)
	v.flag("is_default", n.IsDefault)
}

// Spread is ...value.
type Spread struct {
	Base
	X Node
}

// Kind implements Node.
func (n *Spread) Kind() Kind { return KindSpread }

func (n *Spread) fields(v visitor) { v.node("expr", n.X) }
