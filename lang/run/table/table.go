// Package table describes program/1 once, for all that run it: the instructions, the
// limits, the faults, the kinds of values, the library, and the nodes of trees.
// scripts/tables writes from it what interpreters share as text: the constants of
// lang/run, src/run/tables.gen.ts of the web targets, and the same tables where
// targets carry an interpreter in another language. A test compares all of them with it.
package table

import "slices"

//go:generate go run ../../../scripts/tables ../../..

// Flow says where a thread goes on behind an instruction.
type Flow string

// The flows.
const (
	Next   Flow = ""  // at the next instruction
	Jump   Flow = "j" // at the operand
	Branch Flow = "b" // at one of the two
	End    Flow = "e" // at none of them
)

// Op is a row of the instructions: the place of a row is its number in a program.
type Op struct {
	Name      string
	Args      string // a letter for each operand, see Operands
	Pop, Push int    // values taken off the stack, and then put on it
	Each      int    // values taken off besides, for each that the last operand counts
	Flow      Flow
	Land      int    // values more on the stack where a jump leads than at the next instruction
	Tries     int    // tries entered, or left where below 0
	Body      string // of the instruction in lang/run, where several share one
}

// Operands are the letters of operands.
const (
	Const    = 'c'
	Text     = 't' // a constant that is a text
	Local    = 'l'
	Slot     = 's'
	Computed = 'x'
	Place    = 'j' // of an instruction
	Fn       = 'f'
	Host     = 'h'
	Count    = 'n'
)

// Ops are the instructions. Rows are added at the end: their places are part of the
// format.
var Ops = []Op{
	{Name: "Const", Args: "c", Push: 1},
	{Name: "Pop", Pop: 1},
	{Name: "Dup", Pop: 1, Push: 2},
	{Name: "Load", Args: "l", Push: 1},
	{Name: "Store", Args: "l", Pop: 1},
	{Name: "Cell", Args: "l", Push: 1}, // box a local and push the box
	{Name: "Self", Push: 1},
	{Name: "Node", Args: "t", Push: 1},
	{Name: "Get", Args: "s", Push: 1},
	{Name: "Set", Args: "s", Pop: 1},
	{Name: "Comp", Args: "x", Push: 1},
	{Name: "Mem", Args: "t", Pop: 1, Push: 1},
	{Name: "PutMem", Args: "t", Pop: 2}, // object, value: nothing is left
	{Name: "Idx", Pop: 2, Push: 1},
	{Name: "PutIdx", Pop: 3}, // object, index, value: nothing is left
	{Name: "Arr", Args: "n", Push: 1, Each: 1},
	{Name: "Obj", Args: "n", Push: 1, Each: 2},
	{Name: "Concat", Pop: 2, Push: 1}, // list, list or element range: one list
	{Name: "Merge", Pop: 2, Push: 1},
	{Name: "Tpl", Args: "n", Push: 1, Each: 1},
	{Name: "Add", Pop: 2, Push: 1},
	{Name: "Sub", Pop: 2, Push: 1, Body: "Arithmetic"},
	{Name: "Mul", Pop: 2, Push: 1, Body: "Arithmetic"},
	{Name: "Div", Pop: 2, Push: 1, Body: "Arithmetic"},
	{Name: "Mod", Pop: 2, Push: 1, Body: "Arithmetic"},
	{Name: "Pow", Pop: 2, Push: 1, Body: "Arithmetic"},
	{Name: "Neg", Pop: 1, Push: 1},
	{Name: "And", Pop: 2, Push: 1, Body: "Bits"},
	{Name: "Or", Pop: 2, Push: 1, Body: "Bits"},
	{Name: "Xor", Pop: 2, Push: 1, Body: "Bits"},
	{Name: "Shl", Pop: 2, Push: 1, Body: "Bits"},
	{Name: "Shr", Pop: 2, Push: 1, Body: "Bits"},
	{Name: "Compl", Pop: 1, Push: 1},
	{Name: "Not", Pop: 1, Push: 1},
	{Name: "Eq", Pop: 2, Push: 1, Body: "Same"},
	{Name: "Ne", Pop: 2, Push: 1, Body: "Same"},
	{Name: "Lt", Pop: 2, Push: 1, Body: "Order"},
	{Name: "Le", Pop: 2, Push: 1, Body: "Order"},
	{Name: "Gt", Pop: 2, Push: 1, Body: "Order"},
	{Name: "Ge", Pop: 2, Push: 1, Body: "Order"},
	{Name: "In", Pop: 2, Push: 1},
	{Name: "Range", Pop: 2, Push: 1},
	{Name: "Jmp", Args: "j", Flow: Jump},
	{Name: "Jz", Args: "j", Pop: 1, Flow: Branch},
	{Name: "Jnz", Args: "j", Pop: 1, Flow: Branch},
	{Name: "Jnull", Args: "j", Pop: 1, Push: 1, Flow: Branch},
	{Name: "Call", Args: "fn", Push: 1, Each: 1},
	{Name: "Host", Args: "hn", Push: 1, Each: 1},
	{Name: "Method", Args: "tn", Pop: 1, Push: 1, Each: 1},
	{Name: "Fn", Args: "fn", Push: 1, Each: 1},
	{Name: "Callv", Args: "n", Pop: 1, Push: 1, Each: 1},
	{Name: "Ret", Pop: 1, Flow: End},
	{Name: "Throw", Pop: 1, Flow: End},
	{Name: "Try", Args: "j", Flow: Branch, Land: 1, Tries: 1},
	{Name: "EndTry", Tries: -1},
	{Name: "Emit", Args: "n", Each: 1},
	{Name: "Await", Pop: 1, Push: 1},
	{Name: "Spawn", Args: "t", Pop: 2, Push: 1},
	{Name: "Iter", Pop: 1, Push: 1},
	{Name: "Next", Args: "j", Pop: 1, Push: 2, Flow: Branch, Land: -2},
	{Name: "Calls", Pop: 2, Push: 1},              // value, list: calls it with the elements of the list
	{Name: "Methods", Args: "t", Pop: 2, Push: 1}, // the same for a built-in of a value
	{Name: "Hosts", Args: "h", Pop: 1, Push: 1},   // and for an operation of the host
}

// Number is the number of an instruction in a program.
func Number(name string) int {
	i := slices.IndexFunc(Ops, func(o Op) bool { return o.Name == name })
	if i < 0 {
		panic("table: no instruction " + name)
	}
	return i
}

// Widths are how many operands each instruction has.
func Widths() []int {
	out := make([]int, len(Ops))
	for i, o := range Ops {
		out[i] = len(o.Args)
	}
	return out
}

// Fault is a row of the codes of faults.
type Fault struct{ Name, Code, About string }

// Faults are the codes of faults.
var Faults = []Fault{
	{"Turn", "RUN001", "a turn that takes too long"},
	{"Calls", "RUN002", "calls too deep"},
	{"Events", "RUN003", "too many events in a cascade"},
	{"Kind", "RUN004", "a value of the wrong kind"},
	{"Host", "RUN005", "an unknown host operation"},
	{"Thrown", "RUN006", "thrown by the author"},
	{"Size", "RUN007", "a value too large"},
}

// Kinds are the kinds of values as programs and messages call them.
var Kinds = []string{"null", "boolean", "number", "string", "list", "function", "node", "object"}

// TreeNode is a row of the nodes of behaviour trees: how many children it has, and
// whether it needs a function.
type TreeNode struct {
	Name     string
	Children string // "some", "one" or "none"
	Fn       bool
}

// TreeNodes are the nodes of behaviour trees.
var TreeNodes = []TreeNode{
	{"sequence", "some", false}, {"selector", "some", false}, {"parallel", "some", false}, {"random_selector", "some", false},
	{"inverter", "one", false}, {"repeater", "one", false}, {"retry", "one", false}, {"cooldown", "one", false}, {"guard", "one", true},
	{"timeout", "one", false}, {"succeeder", "one", false}, {"until_fail", "one", false},
	{"condition", "none", true}, {"action", "none", true}, {"wait", "none", false},
}

// TreeNodeOf is the row of a kind of node, nil without one.
func TreeNodeOf(name string) *TreeNode {
	for i := range TreeNodes {
		if TreeNodes[i].Name == name {
			return &TreeNodes[i]
		}
	}
	return nil
}
