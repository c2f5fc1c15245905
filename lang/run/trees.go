package run

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/run/table"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// tree compiles a behaviour tree.
func (b *builder) tree(id string, code scene.Code) {
	t := Tree{Node: id, Rate: 10, Restart: true}
	found := false
	for _, it := range bodyItems(code.Node) {
		key, v := entry(it)
		switch trait.FoldKey(key) {
		case "tick_rate", "rate":
			if n, ok := v.(*ast.Number); ok && n.Value() > 0 {
				t.Rate = min(n.Value(), 60)
			}
		case "restart", "restart_on_complete":
			if n, ok := v.(*ast.Bool); ok {
				t.Restart = n.Value
			}
		case "root":
			root := v
			if bl, ok := v.(*ast.Block); ok && bl.BlockKind == "root" && bl.Body != nil && len(bl.Body.Items) > 0 {
				root = bl.Body.Items[0]
			}
			t.Root, found = b.treeNode(id, code, root)
		default:
			if isTreeType(key) && !found {
				t.Root, found = b.treeNode(id, code, it)
			}
		}
	}
	if !found {
		b.refuse(code.File, code.Node, "a behaviour tree without a root")
		return
	}
	b.p.Trees = append(b.p.Trees, t)
}

func isTreeType(name string) bool {
	name = trait.FoldKey(name)
	return name == "condition_action" || table.TreeNodeOf(name) != nil
}

// treeNode reads a node, however it is written.
func (b *builder) treeNode(id string, code scene.Code, n ast.Node) (TreeNode, bool) {
	out := TreeNode{Fn: -1, Children: []TreeNode{}}
	var call ast.Node // what a leaf asks or does
	switch x := n.(type) {
	case *ast.Constructor:
		out.Type = x.Name
	case *ast.Block:
		out.Type = x.BlockKind
		if x.Name != nil {
			call = x.Name
		}
		if len(x.Heading().Args) > 0 {
			call = x.Heading().Args[0]
		}
	case *ast.Property:
		if p, ok := x.Value.(*ast.Object); ok || isTreeType(x.Key.Name()) {
			out.Type = x.Key.Name()
			if !ok {
				call = x.Value
			} else {
				n = p
			}
		}
	case *ast.Command:
		out.Type = x.Verb
		if len(x.Args) > 0 {
			call = x.Args[0]
		}
	case *ast.ExprStmt:
		return b.treeNode(id, code, x.X)
	case *ast.Call:
		out.Type = wordOf(x.Fn)
		if len(x.Args) > 0 {
			call = x.Args[0]
		}
	case *ast.Object:
		for _, it := range x.Body.Items {
			if key, v := entry(it); key == "type" || key == "kind" {
				out.Type = wordOf(v)
			}
		}
	}
	out.Type = trait.FoldKey(out.Type)
	if !isTreeType(out.Type) {
		b.refuse(code.File, n, "the tree node '"+out.Type+"'")
		return out, false
	}
	var condition, action ast.Node
	if num, ok := call.(*ast.Number); ok && out.Type == "wait" {
		out.Params.Duration, call = b.seconds(num), nil
	}
	ok := true
	child := func(n ast.Node) {
		c, fine := b.treeNode(id, code, n)
		ok = ok && fine
		out.Children = append(out.Children, c)
	}
	for _, it := range bodyItems(n) {
		key, v := entry(it)
		switch trait.FoldKey(key) {
		case "name", "type", "kind":
		case "duration", "delay", "cooldown_time", "seconds":
			out.Params.Duration = b.seconds(v)
		case "times", "max":
			if num, ok := v.(*ast.Number); ok {
				out.Params.Times = int(min(max(num.Value(), 0), 1e6))
			}
		case "policy":
			if out.Params.Policy = "all"; strings.HasSuffix(wordOf(v), "any") || wordOf(v) == "one" {
				out.Params.Policy = "any"
			}
		case "check", "test", "if":
			condition = v
		case "call":
			action = v
		case "children", "child":
			if a, ok := v.(*ast.Array); ok {
				for _, e := range a.Elements {
					child(e)
				}
				continue
			}
			if _, ok := it.(*ast.Block); ok {
				for _, e := range bodyItems(v) {
					child(e)
				}
				continue
			}
			child(v)
		case "condition", "action":
			_, object := v.(*ast.Object)
			_, block := it.(*ast.Block)
			_, command := it.(*ast.Command)
			row := table.TreeNodeOf(out.Type)
			composite := row != nil && row.Children != "none"
			switch {
			case composite && !(out.Type == "guard" && key == "condition" && !block), block, command && composite:
				child(it)
			case key == "condition":
				condition = v
			case object:
				action = codeNode(it, v)
			default:
				action = v
			}
		default:
			if l, isList := it.(*ast.List); isList && l.ListKind == "children" {
				for _, e := range l.Elements.Elements {
					child(e)
				}
			} else if isTreeType(key) {
				child(it)
			} else if e, isExpr := it.(*ast.ExprStmt); isExpr {
				child(e.X)
			}
		}
	}
	asks := func(n ast.Node) int { return b.codeOf(id, out.Type, code, n, isName(n)) }
	switch out.Type {
	case "condition", "guard":
		if condition == nil {
			condition = call
		}
		if condition == nil {
			condition = action
		}
		out.Fn = asks(condition)
	case "action":
		if action == nil {
			action = call
		}
		out.Fn = b.codeOf(id, "action", code, action, true)
	case "condition_action":
		return TreeNode{Type: "sequence", Fn: -1, Children: []TreeNode{
			{Type: "condition", Fn: asks(condition), Children: []TreeNode{}},
			{Type: "action", Fn: b.codeOf(id, "action", code, action, true), Children: []TreeNode{}},
		}}, condition != nil && action != nil
	}
	if (out.Type == "condition" || out.Type == "guard" || out.Type == "action") && out.Fn < 0 {
		b.refuse(code.File, n, out.Type+" without what it asks or does")
		return out, false
	}
	return out, ok
}

// isName says whether a text names a function.
func isName(n ast.Node) bool { _, ok := n.(*ast.String); return ok }
