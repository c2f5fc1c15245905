package ast

// VarDecl is let, const or var.
type VarDecl struct {
	Base
	Word  string
	Decls []*Declarator
}

// Kind implements Node.
func (n *VarDecl) Kind() Kind { return KindVarDecl }

func (n *VarDecl) fields(v visitor) { v.text("word", n.Word); list(v, "decls", n.Decls) }

// Declarator is one name of a VarDecl.
type Declarator struct {
	Base
	Name    string
	Pattern Node
	Type    Node
	Value   Node
}

// Kind implements Node.
func (n *Declarator) Kind() Kind { return KindDeclarator }

func (n *Declarator) fields(v visitor) {
	v.text("name", n.Name)
	v.node("pattern", n.Pattern)
	v.node("type", n.Type)
	v.node("value", n.Value)
}

// If is if with its branches; Else is a Body, a statement or nil.
type If struct {
	Base
	Branches []*Branch
	Else     Node
}

// Kind implements Node.
func (n *If) Kind() Kind { return KindIf }

func (n *If) fields(v visitor) { list(v, "branches", n.Branches); v.node("else", n.Else) }

// Branch is a condition with what it guards: a Body or a statement.
type Branch struct {
	Base
	Cond Node
	Body Node
}

// Kind implements Node.
func (n *Branch) Kind() Kind { return KindBranch }

func (n *Branch) fields(v visitor) { v.node("cond", n.Cond); v.node("body", n.Body) }

// For is a loop in three parts, each of which may be nil.
type For struct {
	Base
	Init Node
	Cond Node
	Step Node
	Body Node
}

// Kind implements Node.
func (n *For) Kind() Kind { return KindFor }

func (n *For) fields(v visitor) {
	v.node("init", n.Init)
	v.node("cond", n.Cond)
	v.node("step", n.Step)
	v.node("body", n.Body)
}

// ForIn is a loop over a list (of) or over keys and ranges (in).
type ForIn struct {
	Base
	Word    string // let, const, var or empty
	Name    string
	Pattern Node
	Link    string // of or in
	Subject Node
	Body    Node
}

// Kind implements Node.
func (n *ForIn) Kind() Kind { return KindForIn }

func (n *ForIn) fields(v visitor) {
	v.text("word", n.Word)
	v.text("name", n.Name)
	v.node("pattern", n.Pattern)
	v.text("link", n.Link)
	v.node("subject", n.Subject)
	v.node("body", n.Body)
}

// While is a loop that tests first.
type While struct {
	Base
	Cond Node
	Body Node
}

// Kind implements Node.
func (n *While) Kind() Kind { return KindWhile }

func (n *While) fields(v visitor) { v.node("cond", n.Cond); v.node("body", n.Body) }

// DoWhile is a loop that tests last.
type DoWhile struct {
	Base
	Body *Body
	Cond Node
}

// Kind implements Node.
func (n *DoWhile) Kind() Kind { return KindDoWhile }

func (n *DoWhile) fields(v visitor) { one(v, "body", n.Body); v.node("cond", n.Cond) }

// Switch is a switch with its cases.
type Switch struct {
	Base
	Subject Node
	Cases   []*Case
	// Body is the span of the braces and has the comments behind the last case.
	Body Body
}

// Kind implements Node.
func (n *Switch) Kind() Kind { return KindSwitch }

func (n *Switch) fields(v visitor) { v.node("subject", n.Subject); list(v, "cases", n.Cases) }

// Case is case a, b: or default:, with the items up to the next.
type Case struct {
	Base
	Values []Node // empty for default
	Body   *Body  // without braces
}

// Kind implements Node.
func (n *Case) Kind() Kind { return KindCase }

func (n *Case) fields(v visitor) { list(v, "values", n.Values); one(v, "body", n.Body) }

// Try is try with catch and finally.
type Try struct {
	Base
	Body      *Body
	CatchName string
	Catch     *Body
	Finally   *Body
}

// Kind implements Node.
func (n *Try) Kind() Kind { return KindTry }

func (n *Try) fields(v visitor) {
	one(v, "body", n.Body)
	v.text("catch_name", n.CatchName)
	one(v, "catch", n.Catch)
	one(v, "finally", n.Finally)
}

// Return is return with or without a value.
type Return struct {
	Base
	X Node
}

// Kind implements Node.
func (n *Return) Kind() Kind { return KindReturn }

func (n *Return) fields(v visitor) { v.node("value", n.X) }

// Throw is throw.
type Throw struct {
	Base
	X Node
}

// Kind implements Node.
func (n *Throw) Kind() Kind { return KindThrow }

func (n *Throw) fields(v visitor) { v.node("value", n.X) }

// Break is break.
type Break struct{ Base }

// Kind implements Node.
func (n *Break) Kind() Kind { return KindBreak }

func (n *Break) fields(visitor) {}

// Continue is continue.
type Continue struct{ Base }

// Kind implements Node.
func (n *Continue) Kind() Kind { return KindContinue }

func (n *Continue) fields(visitor) {}

// Emit raises an event. With parentheses Args are all arguments; without, the
// name and what follows Link: "," "with" "to" or ":".
type Emit struct {
	Base
	Args []Node
	Link string
	Body *Body
}

// Kind implements Node.
func (n *Emit) Kind() Kind { return KindEmit }

func (n *Emit) fields(v visitor) {
	list(v, "args", n.Args)
	v.text("link", n.Link)
	one(v, "body", n.Body)
	flagForm(v, "parens", &n.Base, ParenForm)
}

// Command is a call without parentheses: log "x".
type Command struct {
	Base
	Verb string
	Args []Node
}

// Kind implements Node.
func (n *Command) Kind() Kind { return KindCommand }

func (n *Command) fields(v visitor) { v.text("verb", n.Verb); list(v, "args", n.Args) }

// Assign is an assignment, as a statement or inside an expression.
type Assign struct {
	Base
	Target Node
	Op     string
	Value  Node
}

// Kind implements Node.
func (n *Assign) Kind() Kind { return KindAssign }

func (n *Assign) fields(v visitor) {
	v.node("target", n.Target)
	v.text("op", n.Op)
	v.node("value", n.Value)
}

// ExprStmt is an expression as an item.
type ExprStmt struct {
	Base
	X Node
}

// Kind implements Node.
func (n *ExprStmt) Kind() Kind { return KindExprStmt }

func (n *ExprStmt) fields(v visitor) { v.node("expr", n.X) }
