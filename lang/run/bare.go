package run

import "github.com/meshd/meshd/lang/ast"

// bareMath are the operations of Math that code may name alone (X33).
var bareMath = map[string]bool{
	"abs": true, "floor": true, "ceil": true, "round": true, "trunc": true, "sign": true, "sqrt": true, "cbrt": true, "exp": true, "pow": true, "hypot": true,
	"sin": true, "cos": true, "tan": true, "asin": true, "acos": true, "atan": true, "atan2": true, "min": true, "max": true, "log2": true, "log10": true,
}

// mathCall compiles a call of an operation that nothing declares by its own name:
// abs(x), round(x, 2), max(list), sum(list), len(x), range(0, 3).
func (f *maker) mathCall(n ast.Node, name string, args []ast.Node) bool {
	if hasSpread(args) && name != "min" && name != "max" {
		return false
	}
	x := func(i int) ast.Node { return args[i] }
	at := n.Common()
	call := func(fn ast.Node, args ...ast.Node) ast.Node { return &ast.Call{Base: *at, Fn: fn, Args: args} }
	method := func(x ast.Node, name string, args ...ast.Node) ast.Node {
		return call(&ast.Member{Base: *at, X: x, Name: name}, args...)
	}
	ident := func(name string) ast.Node { return &ast.Ident{Base: *at, Name: name} }
	lambda := func(body ast.Node, params ...string) ast.Node {
		a := &ast.Arrow{Base: *at, Body: body}
		for _, p := range params {
			a.Params = append(a.Params, &ast.Param{Base: *at, Name: p})
		}
		return a
	}
	switch {
	case name == "round" && len(args) == 2: // to so many places
		f.hostCall(n, "Number", []ast.Node{method(x(0), "toFixed", x(1))})
	case (name == "min" || name == "max") && len(args) == 1 && !hasSpread(args): // of a list, or a number alone
		list := method(&ast.Array{Base: *at}, "concat", x(0))
		f.hostCall(n, "Math."+name, []ast.Node{&ast.Spread{Base: *at, X: list}})
	case bareMath[name] && len(args) > 0:
		f.hostCall(n, "Math."+name, args)
	case (name == "len" || name == "length") && len(args) == 1:
		f.expr(x(0))
		f.line(n)
		f.op(opMem, f.constant("length"))
	case (name == "sum" || name == "average" || name == "avg" || name == "mean") && len(args) == 1:
		sum := method(x(0), "reduce", lambda(&ast.Binary{Base: *at, Op: "+", X: ident("a b"), Y: ident("b b")}, "a b", "b b"), &ast.Number{Base: *at, Raw: "0"})
		f.expr(sum)
		if name != "sum" {
			f.expr(x(0))
			f.op(opMem, f.constant("length"))
			f.line(n)
			f.op(opDiv)
		}
	case name == "range" && (len(args) == 1 || len(args) == 2):
		from := ast.Node(&ast.Number{Base: *at, Raw: "0"})
		if len(args) == 2 {
			from = x(0)
		}
		f.binary("..", from, x(len(args)-1), n)
	case (name == "str" || name == "to_string") && len(args) == 1:
		f.hostCall(n, "String", args)
	case (name == "int" || name == "to_int") && len(args) == 1:
		f.hostCall(n, "parseInt", args)
	case (name == "float" || name == "to_number") && len(args) == 1:
		f.hostCall(n, "Number", args)
	case name == "typeof" || name == "type_of":
		f.hostCall(n, "typeof", args)
	case (name == "setTimeout" || name == "after") && len(args) == 2:
		list := args
		if name == "after" && args[0].Kind() != ast.KindArrow {
			list = []ast.Node{args[1], args[0]}
		}
		if k := list[0].Kind(); k != ast.KindArrow && k != ast.KindFuncLit {
			return false
		}
		if d, ok := list[1].(*ast.Number); ok && d.Unit() == "" && name == "setTimeout" { // milliseconds, as elsewhere
			list = []ast.Node{list[0], &ast.Binary{Base: *at, Op: "/", X: d, Y: &ast.Number{Base: *at, Raw: "1000"}}}
		}
		f.hostCall(n, "set_timeout", list)
	case (name == "sleep" || name == "delay") && len(args) == 1:
		f.expr(x(0))
		f.line(n)
		f.op(opAwait)
	default:
		return false
	}
	return true
}
