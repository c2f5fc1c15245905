package ast

// FuncKind says what a Func is.
type FuncKind uint8

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

// The kinds of functions.
const (
	Method FuncKind = iota
	Action
	Function
	Getter
	Setter
	Handler
)
