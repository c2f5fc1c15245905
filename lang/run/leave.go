package run

import "github.com/meshd/meshd/lang/ast"

// final is a try with what runs whichever way it is left.
type final struct {
	how, value   int // locals: the way it was left, and what is returned or thrown
	tries, loops int // around it
	ways         []way
	jumps        []int
}

// way is a way out of a try: a return, or a break or continue of a loop.
type way struct {
	returns bool
	loop    int
	goOn    bool
}

// How a final was left: to its end, by a fault, or by one of its ways.
const (
	leftAtEnd = iota
	leftByFault
	leftByWay
)

// giveBack returns the value on the stack, through what must run before.
func (f *maker) giveBack() {
	if len(f.finals) == 0 {
		f.op(opRet)
		return
	}
	in := f.finals[len(f.finals)-1]
	f.op(opStore, in.value)
	f.out(in, way{returns: true})
}

// leave is break or continue.
func (f *maker) leave(n ast.Node) {
	goOn := n.Kind() == ast.KindContinue
	i := len(f.loops) - 1
	for i >= 0 && goOn && f.loops[i].isSwitch {
		i--
	}
	if i < 0 {
		f.unsupported(n, "break or continue outside of a loop")
		return
	}
	f.quit(i, goOn)
}

// quit goes to the end of a loop, or on with it.
func (f *maker) quit(i int, goOn bool) {
	if k := len(f.finals) - 1; k >= 0 && f.finals[k].loops > i {
		f.out(f.finals[k], way{loop: i, goOn: goOn})
		return
	}
	l := &f.loops[i]
	f.unwind(l.tries, i+1)
	if goOn {
		l.goOn = append(l.goOn, f.jump(opJmp))
		return
	}
	if l.iterator {
		f.op(opPop)
	}
	l.breaks = append(l.breaks, f.jump(opJmp))
}

// unwind ends the tries and takes the iterators off that lie within a place.
func (f *maker) unwind(tries, loops int) {
	for range f.tries - tries {
		f.op(opEndTry)
	}
	for _, l := range f.loops[loops:] {
		if l.iterator {
			f.op(opPop)
		}
	}
}

// out leaves a final by a way, which it goes on with when it is done.
func (f *maker) out(in *final, w way) {
	k := 0
	for k < len(in.ways) && in.ways[k] != w {
		k++
	}
	if k == len(in.ways) {
		in.ways = append(in.ways, w)
	}
	f.unwind(in.tries, in.loops)
	f.op(opConst, f.constant(float64(leftByWay+k)))
	f.op(opStore, in.how)
	in.jumps = append(in.jumps, f.jump(opJmp))
}

// tryOf compiles try. What stands in finally runs whichever way the rest is left:
// at its end, by a fault, by return, break or continue.
func (f *maker) tryOf(n *ast.Try) {
	if n.Finally == nil {
		f.tryCatch(n)
		return
	}
	in := &final{how: f.local(""), value: f.local(""), tries: f.tries, loops: len(f.loops)}
	f.op(opConst, f.constant(float64(leftAtEnd)))
	f.op(opStore, in.how)
	f.finals = append(f.finals, in)
	start := f.jump(opTry)
	f.tries++
	if n.Catch != nil {
		f.tryCatch(n)
	} else {
		f.block(n.Body)
	}
	f.tries--
	f.op(opEndTry)
	end := f.jump(opJmp)
	f.land(start)
	f.op(opStore, in.value)
	f.op(opConst, f.constant(float64(leftByFault)))
	f.op(opStore, in.how)
	f.land(end)
	for _, at := range in.jumps {
		f.land(at)
	}
	f.finals = f.finals[:len(f.finals)-1]
	f.block(n.Finally)
	left := func(how int, then func()) {
		f.op(opLoad, in.how)
		f.op(opConst, f.constant(float64(how)))
		f.op(opEq)
		next := f.jump(opJz)
		then()
		f.land(next)
	}
	left(leftByFault, func() {
		f.op(opLoad, in.value)
		f.op(opThrow)
	})
	for k, w := range in.ways {
		left(leftByWay+k, func() {
			if !w.returns {
				f.quit(w.loop, w.goOn)
				return
			}
			f.op(opLoad, in.value)
			f.giveBack()
		})
	}
}

// tryCatch compiles a body with what catches its faults.
func (f *maker) tryCatch(n *ast.Try) {
	start := f.jump(opTry)
	f.tries++
	f.block(n.Body)
	f.tries--
	f.op(opEndTry)
	end := f.jump(opJmp)
	f.land(start)
	f.scopes = append(f.scopes, map[string]int{})
	f.op(opStore, f.local(n.CatchName))
	if n.Catch != nil {
		f.block(n.Catch)
	}
	f.scopes = f.scopes[:len(f.scopes)-1]
	f.land(end)
}
