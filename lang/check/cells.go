package check

import "github.com/meshd/meshd/lang/ast"

// cellBlocks are words for blocks whose settings code names as it names state (X32).
var cellBlocks = set(`mutable vars variables fields locals context data blackboard memory timing inputs outputs derived getters selectors`)

// cellNames are the names that code finds in bodies without a declaration: settings of
// modules and of blocks without a place, blocks of data, and what this.name = … gives.
func (c *checker) cellNames() map[string]bool {
	if c.cells != nil {
		return c.cells
	}
	c.cells = map[string]bool{}
	ast.Walk(c.f, func(n ast.Node) bool {
		c.work++
		switch n := n.(type) {
		case *ast.Block:
			if n.Body == nil {
				return true
			}
			k := words().byName[n.BlockKind]
			if k == nil || k.role == data {
				c.cells[n.BlockKind] = true
			}
			if name := n.NameText(); name != "" && (k == nil || k.role == data) {
				c.cells[name] = true
			}
			for _, p := range n.Heading().Params {
				c.cells[p.Name] = true
			}
			if k != nil && n.BlockKind != "module" && !cellBlocks[n.BlockKind] {
				return true
			}
			for _, it := range n.Body.Items {
				switch it := it.(type) {
				case *ast.Property:
					c.cells[it.Key.Name()] = true
				case *ast.Assign:
					c.cells[nameOf(it.Target)] = true
				}
			}
		case *ast.Assign:
			if p, ok := n.Target.(*ast.Path); ok {
				if s := p.Segments(); len(s) == 2 && (s[0] == "this" || s[0] == "self") {
					c.cells[s[1]] = true
				}
			}
		}
		return true
	})
	delete(c.cells, "")
	return c.cells
}

// isTest says whether a block is a test: @test "adds" { … }, test "adds" { … }.
func isTest(b *ast.Block) bool {
	switch b.BlockKind {
	case "":
		for _, a := range b.Heading().Attrs {
			if a.Name == "test" {
				return true
			}
		}
	case "test", "test_case", "testcase", "it", "unit_test":
		return b.Name != nil
	}
	return false
}

// inTest is a place in a test, where every statement of the library of tests is known.
func inTest(p place) place {
	p.fn, p.in, p.kind = &function{name: "test", awaits: true}, ignored, ""
	return p
}
