package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// treeNode is a kind of node of a behaviour tree.
type treeNode struct {
	name  string
	least int // children
	most  int
	needs string // the key of a leaf that must be there
}

const many = 1 << 20

var treeNodes = []treeNode{
	{"sequence", 1, many, ""}, {"selector", 1, many, ""}, {"parallel", 1, many, ""}, {"random_selector", 1, many, ""},
	{"inverter", 1, 1, ""}, {"repeater", 1, 1, ""}, {"retry", 1, 1, ""}, {"cooldown", 1, 1, ""}, {"guard", 1, 1, ""},
	{"timeout", 1, 1, ""}, {"succeeder", 1, 1, ""}, {"until_fail", 1, 1, ""},
	{"condition", 0, 0, "condition"}, {"action", 0, 0, "action"}, {"condition_action", 0, 0, "action"}, {"wait", 0, 0, ""},
}

var treeNames = func() []string {
	var out []string
	for _, n := range treeNodes {
		out = append(out, n.name)
	}
	return out
}()

// treeSettings are the keys of a tree and of its nodes that are no nodes.
var treeSettings = set(`root tick_rate rate blackboard restart restart_on_complete active_during name children child policy times max min seed
duration delay check condition action call params weight weights when test if event target`)

// treeBlock looks at behavior_tree { … }.
func (c *checker) treeBlock(b *ast.Block, p place) { c.treeBody(b.Body, c.kindSpan(b), p) }

// treeBody judges the tree from its root.
func (c *checker) treeBody(body *ast.Body, at token.Span, p place) {
	if body.HasError() {
		return
	}
	root := false
	for _, n := range body.Items {
		switch n := n.(type) {
		case *ast.Property:
			switch {
			case n.Key.Name() == "root":
				root = true
				c.treeValue(n.Value)
			case slices.Contains(treeNames, n.Key.Name()):
				root = true
				if o, ok := n.Value.(*ast.Object); ok {
					c.treeKind(n.Key.Name(), n.Key.At, &o.Body, nil)
				}
			}
		case *ast.Block:
			switch {
			case n.BlockKind == "root":
				root = true
				c.treeChildren(n.Body)
			case treeSettings[n.BlockKind] && !slices.Contains(treeNames, n.BlockKind):
			default:
				root = true
				c.treeKind(n.BlockKind, c.kindSpan(n), n.Body, n)
			}
		case *ast.Spread:
			root = true
		}
	}
	if !root {
		c.add("STM007", at)
	}
}

// treeValue judges a node given as a value.
func (c *checker) treeValue(v ast.Node) {
	switch v := v.(type) {
	case *ast.Constructor:
		at := token.Span{Start: v.At.Start, End: v.At.Start + uint32(len(v.Name))}
		c.treeKind(v.Name, at, v.Body, nil)
	case *ast.Block:
		c.treeKind(v.BlockKind, c.kindSpan(v), v.Body, v)
	case *ast.Object:
		if t := valueAt(&v.Body, "type", "kind"); t != nil && nameOf(t) != "" {
			c.treeKind(nameOf(t), t.Span(), &v.Body, nil)
		}
	}
}

// treeChildren counts and judges the nodes of a body: blocks, and the list children.
func (c *checker) treeChildren(body *ast.Body) (n int, known bool) {
	known = true
	for _, it := range body.Items {
		switch it := it.(type) {
		case *ast.Block:
			if treeSettings[it.BlockKind] && !slices.Contains(treeNames, it.BlockKind) {
				if it.BlockKind == "children" || it.BlockKind == "child" {
					m, ok := c.treeChildren(it.Body)
					n, known = n+m, known && ok
				}
				continue
			}
			n++
			c.treeKind(it.BlockKind, c.kindSpan(it), it.Body, it)
		case *ast.List:
			if it.ListKind == "children" {
				for _, e := range it.Elements.Elements {
					n++
					c.treeValue(e)
				}
			}
		case *ast.Property:
			switch it.Key.Name() {
			case "children", "child":
				a, ok := it.Value.(*ast.Array)
				if !ok {
					if _, one := it.Value.(*ast.Ident); one {
						known = false
					}
					n++
					c.treeValue(it.Value)
					continue
				}
				for _, e := range a.Elements {
					if e.Kind() == ast.KindSpread {
						known = false
					}
					n++
					c.treeValue(e)
				}
			}
		case *ast.Command, *ast.ExprStmt, *ast.Func: // a leaf in short: condition lit, action open()
			n++
		case *ast.Spread, *ast.Bad:
			known = false
		}
	}
	return n, known
}

// treeKind judges a node by its kind.
func (c *checker) treeKind(name string, at token.Span, body *ast.Body, b *ast.Block) {
	i := slices.IndexFunc(treeNodes, func(t treeNode) bool { return t.name == trait.FoldKey(name) })
	if i < 0 {
		near, ok := trait.Nearest(name, treeNames)
		if !ok {
			c.add("STM005", at, name, "")
		} else {
			text := near
			if q := c.f.Text()[at.Start]; q == '"' || q == '\'' {
				text = string(q) + near + string(q)
			}
			c.add("STM005", at, name, hint(near)).Suggest(near).Fix("Replace with '"+near+"'", int(at.Start), int(at.End), text)
		}
		c.treeChildren(body)
		return
	}
	t := treeNodes[i]
	if t.most == 0 {
		if t.needs != "" && len(body.Items) == 0 && (b == nil || b.Name == nil && b.Head == nil) && !strings.Contains(c.f.Slice(body.At), ":") {
			c.add("STM006", at, name, "a", t.needs)
		}
		return
	}
	n, known := c.treeChildren(body)
	switch {
	case !known:
	case n < t.least && t.most == 1:
		c.add("STM006", at, name, "one", "child")
	case n < t.least:
		c.add("STM006", at, name, "at least one", "child")
	case n > t.most:
		c.add("STM006", at, name, strconv.Itoa(t.most), "child only")
	}
}
