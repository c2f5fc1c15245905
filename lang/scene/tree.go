package scene

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// exprData is an expression on records as data: its source, and, where it is
// made of values, fields, operators and calls alone, its tree as nested lists:
// ["value", v], ["field", name…], ["call", name, args…], [operator, operands…].
func (g *gathering) exprData(n ast.Node) Value {
	out := mapOf(field{Key: "expr", Value: textOf(g.slice(g.s, n))})
	if tree, ok := g.tree(n); ok {
		out.Fields = append(out.Fields, field{Key: "tree", Value: tree})
	}
	return out
}

func (g *gathering) tree(n ast.Node) (Value, bool) {
	g.tick(1)
	word := func(op string, parts ...ast.Node) (Value, bool) {
		list := []Value{textOf(op)}
		for _, p := range parts {
			v, ok := g.tree(p)
			if !ok {
				return Value{}, false
			}
			list = append(list, v)
		}
		return listOf(list), true
	}
	switch n := n.(type) {
	case *ast.Number, *ast.String, *ast.Bool, *ast.Null:
		v := g.kept(g.eval(n, g.s).v)
		return listOf([]Value{textOf("value"), v}), v.Kind != trait.Unknown
	case *ast.Ident:
		return listOf([]Value{textOf("field"), textOf(n.Name)}), true
	case *ast.Path:
		list := []Value{textOf("field")}
		for _, s := range n.Segments() {
			list = append(list, textOf(s))
		}
		return listOf(list), !strings.Contains(n.Raw, "[")
	case *ast.Unary:
		if n.Postfix || n.Op != "!" && n.Op != "not" && n.Op != "-" {
			return Value{}, false
		}
		return word(map[string]string{"!": "not", "not": "not", "-": "neg"}[n.Op], n.X)
	case *ast.Binary:
		op := map[string]string{"or": "||", "and": "&&", "===": "==", "!==": "!="}[n.Op]
		if op == "" {
			op = n.Op
		}
		switch op {
		case "||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "in", "??":
			return word(op, n.X, n.Y)
		}
	case *ast.Ternary:
		return word("?", n.Cond, n.Then, n.Else)
	case *ast.Array:
		return word("list", n.Elements...)
	case *ast.Call:
		name := referenceName(n.Fn)
		v, ok := word("call", n.Args...)
		if !ok || name == "" {
			return Value{}, false
		}
		v.List = append([]Value{v.List[0], textOf(name)}, v.List[1:]...)
		return v, true
	}
	return Value{}, false
}
