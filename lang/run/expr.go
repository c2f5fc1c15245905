package run

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
)

var binaryOps = map[string]Op{
	"+": opAdd, "-": opSub, "*": opMul, "/": opDiv, "%": opMod, "**": opPow, "&": opAnd, "|": opOr, "^": opXor, "<<": opShl, ">>": opShr,
	"==": opEq, "===": opEq, "!=": opNe, "!==": opNe, "<": opLt, "<=": opLe, ">": opGt, ">=": opGe, "in": opIn, "..": opRange,
}

// expr leaves one value on the stack.
func (f *maker) expr(n ast.Node) {
	switch n := n.(type) {
	case nil, *ast.Null:
		f.op(opConst, f.constant(nil))
	case *ast.Number:
		f.op(opConst, f.constant(inUnits(n.Value(), n.Unit())))
	case *ast.String:
		f.op(opConst, f.constant(n.Value()))
	case *ast.Bool:
		f.op(opConst, f.constant(n.Value))
	case *ast.Colour:
		f.op(opConst, f.constant(n.Raw))
	case *ast.EnumWord:
		f.op(opConst, f.constant(n.Name))
	case *ast.AxisWord:
		f.op(opConst, f.constant(n.Name))
	case *ast.Template:
		for i, t := range n.Texts {
			f.op(opConst, f.constant(t))
			if i < len(n.Exprs) {
				f.expr(n.Exprs[i])
			}
		}
		f.op(opTpl, len(n.Texts)+min(len(n.Exprs), len(n.Texts)))
	case *ast.Ident:
		if n.Name == "yield" && !f.named(n.Name) {
			f.yield(nil)
			break
		}
		f.path(n, []string{n.Name})
	case *ast.Path:
		f.path(n, n.Segments())
	case *ast.StateRef:
		if f.plain(n.Name) {
			f.path(n, []string{n.Name})
			break
		}
		f.path(n, []string{"state", n.Name})
	case *ast.NameRef:
		f.expr(n.X)
	case *ast.Cast:
		f.expr(n.X)
	case *ast.Member:
		f.expr(n.X)
		f.optional(n.Optional, func() { f.op(opMem, f.constant(n.Name)) })
	case *ast.Index:
		f.expr(n.X)
		f.optional(n.Optional, func() { f.expr(n.I); f.op(opIdx) })
	case *ast.Call:
		f.call(n)
	case *ast.Unary:
		f.unary(n)
	case *ast.Binary:
		f.binary(n.Op, n.X, n.Y, n)
	case *ast.Ternary:
		f.expr(n.Cond)
		no := f.jump(opJz)
		f.expr(n.Then)
		end := f.jump(opJmp)
		f.land(no)
		f.expr(n.Else)
		f.land(end)
	case *ast.Arrow:
		f.closure(n.Params, n.Body)
	case *ast.FuncLit:
		f.closure(n.Params, n.Body)
	case *ast.Array:
		f.array(n)
	case *ast.Object:
		f.object(&n.Body)
	case *ast.Body:
		f.object(n)
	case *ast.Constructor:
		f.object(n.Body)
	case *ast.Assign:
		f.assign(n.Target, n.Op, n.Value)
	case *ast.Emit:
		f.emit(n)
	case *ast.Command:
		f.command(n)
	case *ast.Spawn:
		f.expr(n.Place)
		if c, ok := n.X.(*ast.Call); ok && n.Body == nil { // spawn Boat(speed: 3)
			body := &ast.Body{Base: c.Base}
			for _, a := range c.Args {
				if p, ok := a.(*ast.Property); ok {
					body.Items = append(body.Items, p)
				} else {
					f.refuse(f.code.File, a, "an argument of spawn without a name")
				}
			}
			f.object(body)
			f.op(opSpawn, f.constant(strings.Join(pathOf(c.Fn), ".")))
			break
		}
		if n.Body != nil {
			f.object(n.Body)
		} else {
			f.op(opConst, f.constant(nil))
		}
		f.op(opSpawn, f.constant(strings.Join(pathOf(n.X), ".")))
	case *ast.Computed:
		f.closure(nil, n.Body)
		f.op(opCallv, 0)
	case *ast.Match:
		f.match(n)
	case *ast.Pipe:
		f.pipe(n)
	case *ast.Sequence:
		for i, x := range n.List {
			if i > 0 {
				f.op(opPop)
			}
			f.expr(x)
		}
		if len(n.List) == 0 {
			f.op(opConst, f.constant(nil))
		}
	case *ast.ExprStmt:
		f.expr(n.X)
	case *ast.New:
		f.newValue(n)
	default:
		f.unsupported(n, "the form "+n.Kind().String())
		f.op(opConst, f.constant(nil))
	}
}

// optional leaves null alone.
func (f *maker) optional(yes bool, rest func()) {
	if !yes {
		rest()
		return
	}
	end := f.jump(opJnull)
	rest()
	f.land(end)
}

func (f *maker) unary(n *ast.Unary) {
	switch n.Op {
	case "!", "not":
		f.expr(n.X)
		f.op(opNot)
	case "-":
		f.expr(n.X)
		f.op(opNeg)
	case "+":
		f.expr(n.X)
		f.op(opNeg)
		f.op(opNeg)
	case "~":
		f.expr(n.X)
		f.op(opCompl)
	case "await":
		f.expr(n.X)
		f.op(opAwait)
	case "typeof":
		f.expr(n.X)
		f.op(opHost, f.host("typeof"), 1)
	case "++", "--":
		old := f.local("")
		f.expr(n.X)
		f.op(opStore, old)
		f.store(n.X, func() {
			f.op(opLoad, old)
			f.op(opConst, f.constant(1.0))
			f.op(map[string]Op{"++": opAdd, "--": opSub}[n.Op])
		})
		if n.Postfix {
			f.op(opPop)
			f.op(opLoad, old)
		}
	case "delete":
		switch x := n.X.(type) {
		case *ast.Index:
			f.expr(x.X)
			f.expr(x.I)
			f.op(opMethod, f.constant("delete"), 1)
			f.writeBack(x.X)
		case *ast.Member:
			f.expr(x.X)
			f.op(opConst, f.constant(x.Name))
			f.op(opMethod, f.constant("delete"), 1)
			f.writeBack(x.X)
		case *ast.Path:
			segments := x.Segments()
			last := len(segments) - 1
			f.path(x, segments[:last])
			f.op(opConst, f.constant(segments[last]))
			f.op(opMethod, f.constant("delete"), 1)
			if slot, used := f.slotAt(segments[:last]); used > 0 && !f.isLocal(segments[0]) {
				f.op(opGet, slot)
				f.op(opSet, slot)
			}
		default:
			f.unsupported(n, "delete of this")
			f.op(opConst, f.constant(nil))
		}
	default:
		f.unsupported(n, "the operator "+n.Op)
		f.op(opConst, f.constant(nil))
	}
}

func (f *maker) binary(op string, x, y, at ast.Node) {
	switch op {
	case "&&", "and", "||", "or":
		f.expr(x)
		f.op(opDup)
		jump := opJz
		if op == "||" || op == "or" {
			jump = opJnz
		}
		end := f.jump(jump)
		f.op(opPop)
		f.expr(y)
		f.land(end)
		return
	case "??":
		f.expr(x)
		null := f.jump(opJnull)
		end := f.jump(opJmp)
		f.land(null)
		f.op(opPop)
		f.expr(y)
		f.land(end)
		return
	}
	code, ok := binaryOps[op]
	if !ok {
		f.unsupported(at, "the operator "+op)
		f.op(opConst, f.constant(nil))
		return
	}
	if (code == opEq || code == opNe) && !isNull(x) && !isNull(y) { // mood == calm
		f.value(x)
		f.value(y)
	} else {
		f.expr(x)
		f.expr(y)
	}
	f.line(at)
	f.op(code)
}

func isNull(n ast.Node) bool { return n == nil || n.Kind() == ast.KindNull }

func (f *maker) array(n *ast.Array) {
	f.parts(n.Elements, func(e ast.Node) ast.Node {
		if s, ok := e.(*ast.Spread); ok {
			return s.X
		}
		return nil
	}, opArr, opConcat, func(e ast.Node) { f.value(e) })
}

// parts builds a list or an object in runs between what is spread into it.
func (f *maker) parts(list []ast.Node, spread func(ast.Node) ast.Node, build, join Op, one func(ast.Node)) {
	n, built := 0, false
	end := func() {
		if n > 0 || !built {
			f.op(build, n)
			if built {
				f.op(join)
			}
			built, n = true, 0
		}
	}
	for _, e := range list {
		if x := spread(e); x != nil {
			end()
			f.expr(x)
			f.op(join)
			continue
		}
		one(e)
		if n++; n == 256 {
			end()
		}
	}
	end()
}

func (f *maker) object(body *ast.Body) {
	f.parts(body.Items, func(e ast.Node) ast.Node {
		if s, ok := e.(*ast.Spread); ok {
			return s.X
		}
		return nil
	}, opObj, opMerge, func(it ast.Node) {
		key := func(s string) { f.op(opConst, f.constant(s)) }
		switch it := it.(type) {
		case *ast.Property:
			if it.Key.Computed != nil {
				f.expr(it.Key.Computed)
			} else {
				key(it.Key.Name())
			}
			if it.Value == nil {
				f.path(it, it.Key.Parts())
				return
			}
			f.value(it.Value)
		case *ast.Func:
			key(it.Name)
			f.closure(it.Params, it.Body)
		case *ast.Block:
			key(it.BlockKind)
			f.object(it.Body)
		case *ast.Ident:
			key(it.Name)
			f.expr(it)
		case *ast.ExprStmt:
			names := pathOf(it.X)
			if len(names) == 0 {
				names = []string{""}
			}
			key(names[len(names)-1])
			f.expr(it.X)
		default:
			key("")
			f.unsupported(it, it.Kind().String()+" in an object")
			f.op(opConst, f.constant(nil))
		}
	})
}

func (f *maker) emit(n *ast.Emit) {
	if len(n.Args) == 0 {
		f.unsupported(n, "emit without a name")
		f.op(opConst, f.constant(nil))
		return
	}
	node := ""
	if s, ok := n.Args[0].(*ast.String); ok && strings.Contains(s.Value(), ".") { // "Lamp.tap" is raised at Lamp
		parts := strings.Split(s.Value(), ".")
		if owner, used := f.find(f.owner, parts); owner != "" && used == len(parts)-1 {
			node = owner
			f.op(opNode, f.constant(owner))
			f.op(opConst, f.constant(eventOf(parts[used])))
		}
	}
	if node == "" {
		switch x := n.Args[0].(type) {
		case *ast.String:
			f.op(opConst, f.constant(eventOf(x.Value())))
		case *ast.Ident:
			if f.isLocal(x.Name) {
				f.expr(x)
				break
			}
			f.op(opConst, f.constant(eventOf(x.Name)))
		default:
			f.expr(x)
		}
	}
	count := 1
	switch {
	case len(n.Args) > 1:
		f.value(n.Args[1])
		count = 2
	case n.Body != nil:
		f.object(n.Body)
		count = 2
	}
	if node != "" {
		f.op(opMethod, f.constant("emit"), count)
		return
	}
	f.op(opEmit, count)
	f.op(opConst, f.constant(nil))
}

func (f *maker) isLocal(name string) bool {
	_, ok := f.lookup(name)
	return ok
}

// command is a call without parentheses. A word that names nothing is a text.
func (f *maker) command(n *ast.Command) {
	f.line(n)
	if n.Verb == "wait" && len(n.Args) == 1 {
		f.expr(n.Args[0])
		f.op(opAwait)
		return
	}
	f.callNamed(n, []string{n.Verb}, n.Args)
}

func (f *maker) match(n *ast.Match) {
	f.scopes = append(f.scopes, map[string]int{})
	subject := f.local("")
	f.expr(n.Subject)
	f.op(opStore, subject)
	var ends []int
	for _, arm := range n.Arms {
		f.scopes = append(f.scopes, map[string]int{})
		var fails []int
		if id, ok := arm.Pattern.(*ast.Ident); ok && !f.named(id.Name) {
			if id.Name != "_" && id.Name != "default" {
				f.op(opLoad, subject)
				f.op(opStore, f.local(id.Name))
			}
		} else {
			var hits []int
			for _, p := range either(arm.Pattern) {
				f.op(opLoad, subject)
				f.expr(p)
				f.op(opEq)
				hits = append(hits, f.jump(opJnz))
			}
			fails = append(fails, f.jump(opJmp))
			for _, h := range hits {
				f.land(h)
			}
		}
		if arm.Guard != nil {
			f.expr(arm.Guard)
			fails = append(fails, f.jump(opJz))
		}
		if body, ok := arm.Body.(*ast.Body); ok {
			f.statements(body)
			f.op(opConst, f.constant(nil))
		} else {
			f.expr(arm.Body)
		}
		ends = append(ends, f.jump(opJmp))
		for _, at := range fails {
			f.land(at)
		}
		f.scopes = f.scopes[:len(f.scopes)-1]
	}
	f.op(opConst, f.constant(nil))
	for _, at := range ends {
		f.land(at)
	}
	f.scopes = f.scopes[:len(f.scopes)-1]
}

// either are the alternatives of a | b.
func either(n ast.Node) []ast.Node {
	if b, ok := n.(*ast.Binary); ok && b.Op == "|" {
		return append(either(b.X), either(b.Y)...)
	}
	return []ast.Node{n}
}

// pipe is x | map [0, 1] to [2, 3]: the value goes in front of the operands,
// pairs are taken apart.
func (f *maker) pipe(n *ast.Pipe) {
	f.expr(n.X)
	for _, s := range n.Stages {
		count := 1
		for _, o := range s.Operands {
			if id, ok := o.(*ast.Ident); ok && id.Name == "to" {
				continue
			}
			if a, ok := o.(*ast.Array); ok && s.Word == "map" {
				for _, e := range a.Elements {
					f.expr(e)
					count++
				}
				continue
			}
			f.expr(o)
			count++
		}
		name := s.Word
		switch {
		case name == "map":
			name = "map_range"
		case IsLibrary("Math." + name):
			name = "Math." + name
		}
		f.op(opHost, f.host(name), count)
	}
}

// named says whether a word means something.
func (f *maker) named(name string) bool {
	if f.isLocal(name) || name == "this" || name == "self" || name == "state" || name == "delta_time" {
		return true
	}
	if _, used := f.slotAt([]string{name}); used > 0 {
		return true
	}
	if _, ok := f.code.Const(name); ok || f.written.names[slotKey{f.owner, name}] {
		return true
	}
	if _, ok := f.values[f.code.File][name]; ok {
		return true
	}
	owner, _ := f.find(f.owner, []string{name})
	return owner != "" || slices.ContainsFunc(f.above(f.owner), func(o string) bool {
		_, ok := f.computed[slotKey{o, name}]
		_, fn := f.functions[slotKey{o, name}]
		return ok || fn
	})
}
