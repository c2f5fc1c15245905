package scene

import (
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// testBlocks are the words of blocks that are a test, testGroups those of blocks with
// several (X31).
var (
	testBlocks = map[string]bool{"test": true, "test_case": true, "testcase": true, "it": true, "unit_test": true}
	testGroups = map[string]bool{"tests": true, "test_suite": true, "suite": true, "describe": true}
)

// test notes a test with the statements of the groups around it.
func (g *gathering) test(name string, at ast.Node, items []ast.Node) {
	if name == "" {
		for _, it := range items {
			if p, ok := it.(*ast.Property); ok && p.Key.Name() == "name" {
				name, _ = plainText(g.eval(p.Value, g.s).v)
			}
		}
	}
	g.behaviour.Tests = append(g.behaviour.Tests, Test{name, items, g.code(name, at)})
}

// testBlock takes a block that is a test or has some: @test "adds" { … }, test "adds" { … }.
func (g *gathering) testBlock(n *ast.Block) bool {
	marked := false
	for _, a := range n.Heading().Attrs {
		marked = marked || a.Name == "test" && n.BlockKind == ""
	}
	switch {
	case n.Body == nil:
		return false
	case !marked && testBlocks[n.BlockKind] && !tests(n.Body):
		return false
	case marked, testBlocks[n.BlockKind] && n.Name != nil && n.Name.Kind() == ast.KindString:
		g.test(g.name(n, g.s), n, n.Body.Items)
		return true
	case testGroups[n.BlockKind]:
		var before []ast.Node
		var tests []*ast.Block
		for _, it := range n.Body.Items {
			switch it := it.(type) {
			case *ast.Block:
				if each[trait.FoldKey(it.BlockKind)] && it.Body != nil {
					before = append(before, it.Body.Items...)
					continue
				}
				tests = append(tests, it)
			case *ast.Attribute:
				if it.Name == "test" {
					g.trait(it)
				}
			case *ast.Property:
				if o, ok := it.Value.(*ast.Object); ok && each[trait.FoldKey(it.Key.Name())] {
					before = append(before, o.Body.Items...)
				}
			}
		}
		for _, t := range tests {
			if len(before) == 0 || t.Body == nil || !testBlocks[t.BlockKind] && t.BlockKind != "" {
				g.block(t)
				continue
			}
			if g.reserve(codeBytes + len(t.Body.Items)*8) {
				g.test(g.name(t, g.s), t, append(append([]ast.Node(nil), before...), t.Body.Items...))
			}
		}
		return true
	}
	return false
}

// tests says whether a block called test does or asks something: one of settings
// alone is data.
func tests(body *ast.Body) bool {
	for _, it := range body.Items {
		switch it := it.(type) {
		case *ast.Property:
			switch it.Key.Name() {
			case "assert", "expect", "then", "asserts", "assertions":
				return true
			}
			if isCode(it.Value) {
				return true
			}
		case *ast.Block:
			switch it.BlockKind {
			case "setup", "given", "when", "then", "assert", "expect":
				return true
			}
		default:
			return true
		}
	}
	return false
}

// each are the words for what runs before each test of a group.
var each = map[string]bool{"before_each": true, "setup": true, "before": true, "given": true}

func firstNode(list []ast.Node) ast.Node {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// attributeItems are what stands in an attribute, in parentheses and in braces.
func attributeItems(a *ast.Attribute) []ast.Node {
	var out []ast.Node
	if o, ok := a.Value.(*ast.Object); ok {
		out = append(out, o.Body.Items...)
	}
	for _, body := range []*ast.Body{a.Config, a.Body} {
		if body != nil {
			out = append(out, body.Items...)
		}
	}
	for _, p := range a.Positional {
		if p, ok := p.(*ast.Property); ok {
			out = append(out, p)
		}
	}
	return out
}
