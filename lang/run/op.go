package run

import "github.com/meshd/meshd/lang/run/table"

// Op is an instruction. The rows of package table say what each takes and leaves;
// the functions doX in step_*.go are what
// each does.
type Op int

// shapes are the rows of the instructions, by their numbers.
var shapes = [opCount]table.Op(table.Ops)

// widths are how many operands each instruction has.
var widths = func() (out [opCount]uint8) {
	for i, n := range table.Widths() {
		out[i] = uint8(n)
	}
	return out
}()

// taken is how many values the instruction at a place takes off the stack.
func taken(code []int, pc int) int {
	s := &shapes[code[pc]]
	if s.Each == 0 {
		return s.Pop
	}
	return s.Pop + s.Each*code[pc+len(s.Args)]
}
