package run

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/run/table"
)

// renamed are other words for methods of values (X33).
var renamed = map[string]string{
	"any": "some", "all": "every", "foreach": "forEach", "size": "length", "len": "length", "collect": "map", "select": "filter", "where": "filter", "detect": "find",
	"starts": "startsWith", "strip": "trim", "push_back": "push", "contains_key": "has", "containsKey": "has", "has_key": "has", "hasKey": "has", "to_list": "values",
}

// valueMethod compiles a method of lists and numbers that is made of others: xs.sum(),
// xs.sum(x => x.price), xs.max(), n.clamp(0, 5), n.round(2).
func (f *maker) valueMethod(n, x ast.Node, name string, args []ast.Node) bool {
	if hasSpread(args) || f.ownMethods()[name] {
		return false
	}
	at := *n.Common()
	ident := func(s string) ast.Node { return &ast.Ident{Base: at, Name: s} }
	method := func(x ast.Node, name string, args ...ast.Node) ast.Node {
		return &ast.Call{Base: at, Fn: &ast.Member{Base: at, X: x, Name: name}, Args: args}
	}
	lambda := func(body ast.Node, params ...string) ast.Node {
		a := &ast.Arrow{Base: at, Body: body}
		for _, p := range params {
			a.Params = append(a.Params, &ast.Param{Base: at, Name: p})
		}
		return a
	}
	number := func(s string) ast.Node { return &ast.Number{Base: at, Raw: s} }
	mapped := x
	if len(args) == 1 {
		if k := args[0].Kind(); k == ast.KindArrow || k == ast.KindFuncLit {
			mapped = method(x, "map", args[0])
		}
	}
	counted := len(args) == 0 || mapped != x
	if to, ok := renamed[name]; ok {
		f.expr(method(x, to, args...))
		return true
	}
	switch {
	case (name == "sum" || name == "total") && counted:
		f.expr(method(mapped, "reduce", lambda(&ast.Binary{Base: at, Op: "+", X: ident("sum a"), Y: ident("sum b")}, "sum a", "sum b"), number("0")))
	case (name == "average" || name == "avg" || name == "mean") && counted:
		f.mathCall(n, "average", []ast.Node{mapped})
	case (name == "min" || name == "max") && counted:
		f.hostCall(n, "Math."+name, []ast.Node{&ast.Spread{Base: at, X: mapped}})
	case name == "count" && mapped != x:
		f.expr(&ast.Member{Base: at, X: method(x, "filter", args[0]), Name: "length"})
	case (name == "is_empty" || name == "isEmpty" || name == "empty") && len(args) == 0:
		f.binary("==", &ast.Member{Base: at, X: x, Name: "length"}, number("0"), n)
	case (name == "take" || name == "limit") && len(args) == 1:
		f.expr(method(x, "slice", number("0"), args[0]))
	case (name == "skip" || name == "drop_first") && len(args) == 1:
		f.expr(method(x, "slice", args[0]))
	case (name == "unique" || name == "distinct") && len(args) == 0:
		list := "unique " + place(len(f.fn.Code), 0)
		f.expr(x)
		f.op(opStore, f.local(list))
		f.expr(method(ident(list), "filter", lambda(&ast.Binary{Base: at, Op: "==", X: method(ident(list), "indexOf", ident("unique v")), Y: ident("unique i")}, "unique v", "unique i")))
	case (name == "getTime" || name == "valueOf") && len(args) == 0:
		f.expr(x)
	case (name == "toISOString" || name == "toLocaleTimeString" || name == "toLocaleString") && len(args) == 0:
		f.hostCall(n, "String", []ast.Node{x})
	case name == "clamp" && len(args) == 2:
		f.hostCall(n, "clamp", append([]ast.Node{x}, args...))
	case (name == "abs" || name == "floor" || name == "ceil" || name == "sqrt" || name == "round") && len(args) == 0:
		f.hostCall(n, "Math."+name, []ast.Node{x})
	case name == "round" && len(args) == 1:
		f.mathCall(n, "round", []ast.Node{x, args[0]})
	default:
		return false
	}
	return true
}

// ownMethods are the names of what the files declare and objects contain, which no
// method of values has then.
func (b *builder) ownMethods() map[string]bool {
	if b.methods != nil {
		return b.methods
	}
	b.methods = map[string]bool{}
	for _, file := range b.files {
		ast.Walk(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Func:
				b.methods[n.Name] = true
			case *ast.Property:
				switch n.Value.(type) {
				case *ast.Arrow, *ast.FuncLit:
					b.methods[n.Key.Name()] = true
				}
			}
			return true
		})
	}
	return b.methods
}

// valueMethods are the methods that values have.
var valueMethods = func() map[string]bool {
	out := map[string]bool{}
	for _, m := range table.Methods {
		for _, name := range strings.Fields(m.Names) {
			out[name] = true
		}
	}
	return out
}()
