package direct

// shortCut reads the right side of and, or.
func (r *reader) shortCut(pc, next, end int) int {
	jump := r.op(next)
	if jump != "Jz" && jump != "Jnz" || r.f.Code[next+1] > end || r.op(r.next(next)) != "Pop" {
		r.fail(pc, "a value that is used twice")
	}
	to := r.f.Code[next+1]
	x := r.pop(pc)
	y := r.value(r.next(r.next(next)), to)
	kind := And
	if jump == "Jnz" {
		kind = Or
	}
	e := combine(&Expr{Kind: kind, Type: Bool}, truth(x), truth(y))
	if !x.Type.Is(Bool) || !y.Type.Is(Bool) || x.Fails && y.calls {
		if x.calls || x.Fails {
			r.fail(pc, "a value that is asked and used")
		}
		yes, no := y, x
		if kind == Or {
			yes, no = x, y
		}
		e = combine(&Expr{Kind: Cond, Type: x.Type | y.Type}, truth(x), yes, no)
	}
	r.push(e)
	return to
}

// branch reads an if, or a choice between two values.
func (r *reader) branch(pc, next, end int) int {
	cond := r.pop(pc)
	to := r.f.Code[pc+1]
	if to <= pc || to > end {
		r.fail(pc, "a jump out of a block")
	}
	start := r.start
	until, behind := to, to
	if last := r.before(next, to); last >= 0 && r.op(last) == "Jmp" && r.f.Code[last+1] >= to {
		if r.f.Code[last+1] > end {
			r.fail(last, "a jump out of a block")
		}
		until, behind = last, r.f.Code[last+1]
	}
	return r.choose(pc, start, cond, [2]int{next, until}, [2]int{to, behind})
}

// choose reads both sides of a choice, and gives where it ends.
func (r *reader) choose(pc, start int, cond *Expr, yes, no [2]int) int {
	depth, effects := len(r.stack), r.effects
	then := r.part(yes[0], yes[1])
	if len(r.stack) == depth+1 { // a value
		x := r.pop(pc)
		if len(then) > 0 {
			r.fail(pc, "statements within an expression")
		}
		y := r.value(no[0], no[1])
		r.push(combine(&Expr{Kind: Cond, Type: x.Type | y.Type}, truth(cond), x, y))
		return no[1]
	}
	otherwise := r.part(no[0], no[1])
	if len(r.stack) != depth {
		r.fail(pc, "statements within an expression")
	}
	r.effects, r.start = max(r.effects, effects), start
	r.emit(&Stmt{Kind: Branch, X: cond, Then: then, Else: otherwise})
	return no[1]
}

// cases reads one case of a switch or a match: some values, then what to do.
func (r *reader) cases(pc, next, end int) int {
	hit := r.f.Code[pc+1]
	cond, start := r.pop(pc), r.start
	for next < end && r.op(next) != "Jmp" {
		q := next
		for q < end && (r.op(q) != "Jnz" || r.f.Code[q+1] != hit) {
			q = r.next(q)
		}
		if q >= end {
			r.fail(pc, "a loop")
		}
		cond = combine(&Expr{Kind: Or, Type: Bool}, truth(cond), truth(r.value(next, q)))
		next = r.next(q)
	}
	if next >= end || r.next(next) != hit {
		r.fail(pc, "a loop")
	}
	to := r.f.Code[next+1]
	last := r.before(hit, to)
	if to > end || last < 0 || r.op(last) != "Jmp" || r.f.Code[last+1] < to || r.f.Code[last+1] > end {
		r.fail(pc, "a case that runs into another")
	}
	was := r.exit
	r.exit = r.f.Code[last+1]
	behind := r.choose(pc, start, cond, [2]int{hit, last}, [2]int{to, r.exit})
	r.exit = was
	return behind
}

// otherwise reads x ?? y.
func (r *reader) otherwise(pc, next, end int) int {
	if r.op(next) != "Jmp" || r.f.Code[pc+1] != r.next(next) || r.op(r.next(next)) != "Pop" || r.f.Code[next+1] > end {
		r.fail(pc, "a member that need not be there")
	}
	x := r.pop(pc)
	if x.calls || x.Fails {
		r.fail(pc, "a value that is asked and used")
	}
	y := r.value(r.next(r.next(next)), r.f.Code[next+1])
	null := &Expr{Kind: Const, Type: Null}
	is := combine(&Expr{Kind: Binary, Name: "==", Type: Bool, Plain: true}, x, null)
	r.push(combine(&Expr{Kind: Cond, Type: x.Type&^Null | y.Type}, is, y, x))
	return r.f.Code[next+1]
}
