// Package direct decides which functions of a program translate into readable
// code of another language, and gives them in a small neutral form: statements
// and expressions with the author's names, that writers print. What it leaves is
// for an interpreter, each with the reason.
//
// It reads the program that the checked tree compiles to, where every name means
// one thing, and takes the names of parameters and locals from the tree. A
// function translates when what it does is known from its code: no loop, no
// closure, nothing that waits, catches, or spawns.
package direct

// Type is the set of kinds that a value may have.
type Type uint16

// The kinds. A Vec is a list of three or four numbers.
const (
	Null Type = 1 << iota
	Bool
	Num
	Text
	Vec
	List
	Obj
	Node
	Other

	Any = Null | Bool | Num | Text | Vec | List | Obj | Node | Other
	// counts are the kinds that arithmetic takes for numbers.
	counts = Null | Bool | Num
)

// Is says whether a value is of one of the kinds for certain.
func (t Type) Is(kinds Type) bool { return t != 0 && t&^kinds == 0 }

// Scripts are what translates of a program, an entry for each owner in the order
// of the program, and what does not.
type Scripts struct {
	All  []*Script
	Left []Left
	// Rows has a row for each function of the program that translates.
	Rows []Row
}

// Row says which function of a script stands for a function of the program.
type Row struct {
	Fn     int
	Owner  string
	Script *Script
	Func   *Func
}

// Left is a function that is left to the interpreter.
type Left struct {
	Fn           int
	Owner, Name  string
	Reason       string
	Called       bool // the reason is a function that it calls
	File         string
	Line, Column int
}

// Script is the code of a node, of a module or of the scene.
type Script struct {
	Owner    string // id of the node, "scene", or "module:" and a name
	Name     string
	State    []State
	Funcs    []*Func
	Signals  []string // events that it raises, by constant names
	Uses     []string // other owners that it names, in the order of their first use
	Machines []string // lines that say what the state machines do
}

// State is a key whose values are of one simple kind.
type State struct {
	Slot int
	Key  string
	Type Type // Bool, Num or Text alone
	Init any
}

// Func is a function.
type Func struct {
	Index  int // in the program
	Name   string
	About  string // what begins it
	Params []string
	// Numbers are the parameters that have to be numbers: those of update, which the
	// time brings. Whoever raises it with something else gets a fault.
	Numbers []bool
	Types   []Type // of the parameters
	Body    []*Stmt
	File    string
	Line    int
	Faults  bool // it may end by a fault, after which its caller ends too
	Gives   bool // it returns a value
}

// StmtKind says what a statement does.
type StmtKind uint8

// The kinds of statements.
const (
	Let      StmtKind = iota // declares Name with X
	Assign                   // gives the local Name the value X
	SetState                 // gives the key Name of Owner the value X
	Put                      // gives the property Name of Node the value X
	PutAxis                  // gives the axis Axis of the property Name of Node the value X
	Branch                   // Then where X is true, else Else
	Return                   // X, or nothing
	Do                       // X, for what it does
	Raise                    // the event Name at Node, with X or nothing
	Guard                    // ends the function when something failed at Line and Column
)

// Stmt is a statement.
type Stmt struct {
	Kind         StmtKind
	Name, Axis   string
	Owner        string // of a state key
	Slot         int
	Node         *Expr
	X            *Expr
	Then, Else   []*Stmt
	Line, Column int
}

// ExprKind says what an expression is.
type ExprKind uint8

// The kinds of expressions.
const (
	Const    ExprKind = iota // Value
	Local                    // Name
	Get                      // the state key Name of Owner
	Computed                 // the computed value Name of Owner, Index in the program
	Self                     // the node of the script
	NodeOf                   // the node Owner
	Property                 // Name of the node Args[0]
	Axis                     // x, y, z or w of the list Args[0]
	Member                   // Name of Args[0]; fails on null
	Unary                    // Name, an operator: - or not
	Binary                   // Name, an operator
	And
	Or
	Cond   // Args[0] ? Args[1] : Args[2]
	Join   // Args as one text
	Array  // a list of Args
	Dict   // an object: Keys and Args
	Call   // the function Index with Args
	Host   // the operation Name with Args
	Method // Name of the value Args[0] with the others
	Truth  // whether Args[0] counts as true
)

// Expr is an expression.
type Expr struct {
	Kind  ExprKind
	Type  Type
	Value any
	Name  string
	Owner string
	Index int
	Keys  []string
	Args  []*Expr

	Plain bool // an operator of the language means the same here
	Fails bool // it may fail: the statement it belongs to is guarded
	calls bool // it does something
	reads bool // it depends on what statements change
	line  [2]int
}

// Mentions says whether statements read or write a local.
func Mentions(list []*Stmt, name string) bool {
	var in func(e *Expr) bool
	in = func(e *Expr) bool {
		if e == nil {
			return false
		}
		if e.Kind == Local && e.Name == name {
			return true
		}
		for _, a := range e.Args {
			if in(a) {
				return true
			}
		}
		return false
	}
	for _, s := range list {
		if s.Kind == Assign && s.Name == name || in(s.X) || in(s.Node) || Mentions(s.Then, name) || Mentions(s.Else, name) {
			return true
		}
	}
	return false
}
