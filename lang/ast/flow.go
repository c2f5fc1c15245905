package ast

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

// Rule is a line of a validator.
type Rule struct {
	Base
	Subject Node // Path, Ident or Call
	// Checks must all pass; each is a Check or a Choice.
	Checks []Node
}

// Kind implements Node.
func (n *Rule) Kind() Kind { return KindRule }

func (n *Rule) fields(v visitor) { v.node("subject", n.Subject); list(v, "checks", n.Checks) }

// Choice is checks of which one must pass: string OR integer.
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
