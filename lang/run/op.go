package run

// Op is an instruction.
type Op int

// The instructions. Their numbers are part of the format.
const (
	opConst Op = iota
	opPop
	opDup
	opLoad
	opStore
	opCell // box a local and push the box
	opSelf
	opNode
	opGet
	opSet
	opComp
	opMem
	opPutMem // object, value: nothing is left
	opIdx
	opPutIdx // object, index, value: nothing is left
	opArr
	opObj
	opConcat // list, list or element range: one list
	opMerge
	opTpl
	opAdd
	opSub
	opMul
	opDiv
	opMod
	opPow
	opNeg
	opAnd
	opOr
	opXor
	opShl
	opShr
	opCompl
	opNot
	opEq
	opNe
	opLt
	opLe
	opGt
	opGe
	opIn
	opRange
	opJmp
	opJz
	opJnz
	opJnull
	opCall
	opHost
	opMethod
	opFn
	opCallv
	opRet
	opThrow
	opTry
	opEndTry
	opEmit
	opAwait
	opSpawn
	opIter
	opNext
	opCalls   // value, list: calls it with the elements of the list
	opMethods // the same for a built-in of a value
	opHosts   // and for an operation of the host
	opCount
)

// operand says what an operand counts.
type operand uint8

const (
	aConst operand = iota
	aText          // a constant that is a text
	aLocal
	aSlot
	aComputed
	aJump
	aFn
	aHost
	aN
)

// shapes are the operands of each instruction, what it takes off the stack and
// what it leaves; -1: as many as its last operand says, and the fixed part in add.
type shape struct {
	args     []operand
	pop, add int
	many     bool // pops its last operand more
	double   bool // of which each counts twice
}

var shapes = [opCount]shape{
	opConst: {args: []operand{aConst}, add: 1}, opPop: {pop: 1}, opDup: {pop: 1, add: 2},
	opLoad: {args: []operand{aLocal}, add: 1}, opStore: {args: []operand{aLocal}, pop: 1}, opCell: {args: []operand{aLocal}, add: 1},
	opSelf: {add: 1}, opNode: {args: []operand{aText}, add: 1},
	opGet: {args: []operand{aSlot}, add: 1}, opSet: {args: []operand{aSlot}, pop: 1}, opComp: {args: []operand{aComputed}, add: 1},
	opMem: {args: []operand{aText}, pop: 1, add: 1}, opPutMem: {args: []operand{aText}, pop: 2},
	opIdx: {pop: 2, add: 1}, opPutIdx: {pop: 3},
	opArr: {args: []operand{aN}, add: 1, many: true}, opObj: {args: []operand{aN}, add: 1, many: true, double: true},
	opConcat: {pop: 2, add: 1}, opMerge: {pop: 2, add: 1}, opTpl: {args: []operand{aN}, add: 1, many: true},
	opAdd: {pop: 2, add: 1}, opSub: {pop: 2, add: 1}, opMul: {pop: 2, add: 1}, opDiv: {pop: 2, add: 1}, opMod: {pop: 2, add: 1},
	opPow: {pop: 2, add: 1}, opNeg: {pop: 1, add: 1}, opAnd: {pop: 2, add: 1}, opOr: {pop: 2, add: 1}, opXor: {pop: 2, add: 1},
	opShl: {pop: 2, add: 1}, opShr: {pop: 2, add: 1}, opCompl: {pop: 1, add: 1}, opNot: {pop: 1, add: 1},
	opEq: {pop: 2, add: 1}, opNe: {pop: 2, add: 1}, opLt: {pop: 2, add: 1}, opLe: {pop: 2, add: 1}, opGt: {pop: 2, add: 1},
	opGe: {pop: 2, add: 1}, opIn: {pop: 2, add: 1}, opRange: {pop: 2, add: 1},
	opJmp: {args: []operand{aJump}}, opJz: {args: []operand{aJump}, pop: 1}, opJnz: {args: []operand{aJump}, pop: 1},
	opJnull: {args: []operand{aJump}, pop: 1, add: 1},
	opCall:  {args: []operand{aFn, aN}, add: 1, many: true}, opHost: {args: []operand{aHost, aN}, add: 1, many: true},
	opMethod: {args: []operand{aText, aN}, pop: 1, add: 1, many: true}, opFn: {args: []operand{aFn, aN}, add: 1, many: true},
	opCallv: {args: []operand{aN}, pop: 1, add: 1, many: true}, opRet: {pop: 1}, opThrow: {pop: 1},
	opTry: {args: []operand{aJump}}, opEndTry: {}, opEmit: {args: []operand{aN}, many: true}, opAwait: {pop: 1, add: 1},
	opSpawn: {args: []operand{aText}, pop: 2, add: 1}, opIter: {pop: 1, add: 1}, opNext: {args: []operand{aJump}, pop: 1, add: 2},
	opCalls: {pop: 2, add: 1}, opMethods: {args: []operand{aText}, pop: 2, add: 1}, opHosts: {args: []operand{aHost}, pop: 1, add: 1},
}
