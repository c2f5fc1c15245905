package run

import "github.com/meshd/meshd/lang/ast"

// statement leaves the stack as it found it.
func (f *maker) statement(n ast.Node) {
	f.line(n)
	switch n := n.(type) {
	case *ast.VarDecl:
		for _, d := range n.Decls {
			if k := kindOf(d.Value); d.Name != "" && (k == ast.KindArrow || k == ast.KindFuncLit) { // it may call itself
				at := f.local(d.Name)
				f.expr(d.Value)
				f.op(opStore, at)
				continue
			}
			if d.Value != nil {
				f.value(d.Value)
			} else {
				f.op(opConst, f.constant(nil))
			}
			if d.Pattern != nil {
				f.pattern(d.Pattern)
			} else {
				f.op(opStore, f.local(d.Name))
			}
		}
	case *ast.If:
		var ends []int
		for _, br := range n.Branches {
			f.expr(br.Cond)
			no := f.jump(opJz)
			f.block(br.Body)
			ends = append(ends, f.jump(opJmp))
			f.land(no)
		}
		f.block(n.Else)
		for _, e := range ends {
			f.land(e)
		}
	case *ast.Attribute:
		if n.Control() != "" {
			f.control(n, nil)
			return
		}
		f.unsupported(n, "@"+n.Name+" among statements")
	case *ast.While:
		top := f.here()
		f.expr(n.Cond)
		out := f.jump(opJz)
		f.loop(false, func() { f.block(n.Body) }, func() { f.op(opJmp, top); f.land(out) }, nil)
	case *ast.DoWhile:
		top := f.here()
		f.loop(false, func() { f.block(n.Body) }, nil, func() { f.expr(n.Cond); f.op(opJnz, top) })
	case *ast.For:
		f.scopes = append(f.scopes, map[string]int{})
		if n.Init != nil {
			f.statement(n.Init)
		}
		top := f.here()
		out := -1
		if n.Cond != nil {
			f.expr(n.Cond)
			out = f.jump(opJz)
		}
		f.loop(false, func() { f.block(n.Body) }, func() {
			f.op(opJmp, top)
			if out >= 0 {
				f.land(out)
			}
		}, func() {
			if n.Step != nil {
				f.drop(n.Step)
			}
		})
		f.scopes = f.scopes[:len(f.scopes)-1]
	case *ast.ForIn:
		f.scopes = append(f.scopes, map[string]int{})
		f.expr(n.Subject)
		f.op(opIter)
		top := f.here()
		out := f.jump(opNext)
		if n.Pattern != nil {
			f.pattern(n.Pattern)
		} else {
			f.op(opStore, f.local(n.Name))
		}
		f.loop(true, func() { f.block(n.Body) }, func() { f.op(opJmp, top); f.land(out) }, nil)
		f.scopes = f.scopes[:len(f.scopes)-1]
	case *ast.Switch:
		f.switchOf(n)
	case *ast.Try:
		f.tryOf(n)
	case *ast.Return:
		if n.X != nil {
			f.value(n.X)
		} else {
			f.op(opConst, f.constant(nil))
		}
		f.giveBack()
	case *ast.Throw:
		f.expr(n.X)
		f.op(opThrow)
	case *ast.Break, *ast.Continue:
		f.leave(n)
	case *ast.Func:
		if at, ok := f.lookup(n.Name); ok && n.Body != nil {
			f.closure(n.Params, n.Body)
			f.op(opStore, at)
		}
	case *ast.ExprStmt:
		f.drop(n.X)
	case *ast.Block:
		if n.BlockKind == "" && n.Name == nil && n.Body != nil {
			f.statements(n.Body)
			return
		}
		if s := ast.SpawnOf(n); s != nil {
			f.drop(s)
			return
		}
		if n.BlockKind == "throw" && n.Name == nil && n.Body != nil { // throw { … } reads as a block
			f.expr(&ast.Object{Base: ast.Base{At: n.At}, Body: *n.Body})
			f.op(opThrow)
			return
		}
		if f.repeated(n) || f.blockCall(n) {
			return
		}
		f.unsupported(n, "the block '"+n.BlockKind+"' among statements")
	case *ast.Spread, *ast.Property, *ast.TypedMember, *ast.Bad, *ast.Mapping, *ast.Wire, *ast.Execute, *ast.Import:
		f.unsupported(n, n.Kind().String()+" among statements")
	case *ast.Body:
		f.statements(n)
	default:
		f.drop(n)
	}
}

// stepBlocks are blocks of statements that only have a name: action greet { … } in a
// behaviour.
var stepBlocks = map[string]bool{"action": true, "step": true, "do": true, "then": true, "sequence": true, "phase": true}

// blockCall compiles blocks among statements that are steps, and those with settings
// alone, which are calls: recall { query: "…", limit: 3 }.
func (f *maker) blockCall(n *ast.Block) bool {
	h := n.Heading()
	if n.Body == nil || n.BlockKind == "" || len(h.Args)+len(h.Params)+len(h.Attrs)+len(h.Using)+len(h.Extends) > 0 || h.Arrow != nil {
		return false
	}
	settings := len(n.Body.Items) > 0
	for _, it := range n.Body.Items {
		p, ok := it.(*ast.Property)
		settings = settings && ok && p.Key.Computed == nil
	}
	switch {
	case stepBlocks[n.BlockKind] && !settings:
		f.statements(n.Body)
		return true
	case !settings || n.Name != nil && n.Name.Kind() != ast.KindString:
		return false
	}
	var args []ast.Node
	if n.Name != nil {
		args = append(args, n.Name)
	}
	f.callNamed(n, []string{n.BlockKind}, append(args, &ast.Object{Base: ast.Base{At: n.Body.Span()}, Body: *n.Body}))
	f.op(opPop)
	return true
}

// repeated compiles repeat 3 { … }, repeat(3) { … }, repeat 3 times { … } and loop { … }.
func (f *maker) repeated(n *ast.Block) bool {
	if n.Name != nil || n.Body == nil || n.BlockKind != "repeat" && n.BlockKind != "loop" && n.BlockKind != "times" {
		return false
	}
	args := n.Heading().Args
	if len(args) == 0 && n.BlockKind == "loop" {
		f.statement(&ast.While{Base: n.Base, Cond: &ast.Bool{Base: n.Base, Value: true}, Body: n.Body})
		return true
	}
	if len(args) == 0 || len(args) > 2 || len(args) == 2 && wordOf(args[1]) != "times" {
		return false
	}
	count := args[0]
	if a, ok := count.(*ast.Args); ok {
		if len(a.Args) != 1 {
			return false
		}
		count = a.Args[0]
	}
	zero := &ast.Number{Base: n.Base, Raw: "0"}
	f.statement(&ast.ForIn{Base: n.Base, Name: "repeat count", Link: "in", Subject: &ast.Binary{Base: n.Base, Op: "..", X: zero, Y: count}, Body: n.Body})
	return true
}

func kindOf(n ast.Node) ast.Kind {
	if n == nil {
		return 0
	}
	return n.Kind()
}

// drop compiles an expression for what it does.
func (f *maker) drop(n ast.Node) {
	if n.Kind().IsStatement() && n.Kind() != ast.KindAssign && n.Kind() != ast.KindEmit && n.Kind() != ast.KindCommand {
		f.statement(n)
		return
	}
	f.expr(n)
	f.op(opPop)
}

// loop compiles a body with the places that break and continue lead to: step is
// in front of the way back, which back makes.
func (f *maker) loop(iterator bool, body, back, step func()) {
	f.loops = append(f.loops, loop{iterator: iterator, tries: f.tries})
	body()
	l := f.loops[len(f.loops)-1]
	f.loops = f.loops[:len(f.loops)-1]
	for _, at := range l.goOn {
		f.land(at)
	}
	if step != nil {
		step()
	}
	if back != nil {
		back()
	}
	for _, at := range l.breaks {
		f.land(at)
	}
}

// switchOf compiles a switch whose cases do not run into each other.
func (f *maker) switchOf(n *ast.Switch) {
	f.scopes = append(f.scopes, map[string]int{})
	subject := f.local("")
	f.expr(n.Subject)
	f.op(opStore, subject)
	f.loops = append(f.loops, loop{isSwitch: true, tries: f.tries})
	var ends []int
	var otherwise *ast.Case
	for _, c := range n.Cases {
		if len(c.Values) == 0 {
			otherwise = c
			continue
		}
		var hits []int
		for _, v := range c.Values {
			f.op(opLoad, subject)
			f.value(v)
			f.op(opEq)
			hits = append(hits, f.jump(opJnz))
		}
		next := f.jump(opJmp)
		for _, h := range hits {
			f.land(h)
		}
		f.block(c.Body)
		ends = append(ends, f.jump(opJmp))
		f.land(next)
	}
	if otherwise != nil {
		f.block(otherwise.Body)
	}
	l := f.loops[len(f.loops)-1]
	f.loops = f.loops[:len(f.loops)-1]
	for _, e := range append(ends, l.breaks...) {
		f.land(e)
	}
	f.scopes = f.scopes[:len(f.scopes)-1]
}

// pattern takes the value on the stack apart.
func (f *maker) pattern(n ast.Node) {
	whole := f.local("")
	f.op(opStore, whole)
	elements := func(list []*ast.PatternElement, rest func(taken []*ast.PatternElement), get func(i int, e *ast.PatternElement)) {
		for i, e := range list {
			f.op(opLoad, whole)
			if e.Rest {
				rest(list[:i])
				f.op(opStore, f.local(e.Name))
				continue
			}
			get(i, e)
			if e.Default != nil {
				f.op(opDup)
				f.op(opConst, f.constant(nil))
				f.op(opEq)
				skip := f.jump(opJz)
				f.op(opPop)
				f.expr(e.Default)
				f.land(skip)
			}
			if e.Pattern == nil {
				f.op(opStore, f.local(e.Name))
				continue
			}
			if id, ok := e.Pattern.(*ast.Ident); ok {
				f.op(opStore, f.local(id.Name))
				continue
			}
			f.pattern(e.Pattern)
		}
	}
	switch n := n.(type) {
	case *ast.ObjectPattern:
		elements(n.Elements, f.withoutKeys, func(_ int, e *ast.PatternElement) { f.op(opMem, f.constant(e.Name)) })
	case *ast.ArrayPattern:
		elements(n.Elements, f.behind, func(i int, _ *ast.PatternElement) {
			f.op(opConst, f.constant(float64(i)))
			f.op(opIdx)
		})
	}
}

// behind leaves of the list on the stack what comes behind the elements taken.
func (f *maker) behind(taken []*ast.PatternElement) {
	f.op(opConst, f.constant(float64(len(taken))))
	f.op(opMethod, f.constant("slice"), 1)
}

// withoutKeys leaves a copy of the object on the stack without the keys taken.
func (f *maker) withoutKeys(taken []*ast.PatternElement) {
	whole := f.local("")
	f.op(opStore, whole)
	f.op(opObj, 0)
	f.op(opLoad, whole)
	f.op(opMerge)
	for _, e := range taken {
		f.op(opDup)
		f.op(opConst, f.constant(e.Name))
		f.op(opMethod, f.constant("delete"), 1)
		f.op(opPop)
	}
}
