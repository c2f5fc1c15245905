package parse

import (
	"testing"

	"github.com/meshd/meshd/lang/ast"
)

// A statement without braces ends at the else of its if, whatever it is.
func TestElseBelongsToItsIf(t *testing.T) {
	t.Parallel()
	for _, statement := range []string{
		`b()`, `log "x"`, `log n`, `emit "x"`, `emit far with 2`, `return`, `return 1`, `throw "x"`, `c = 1`, `n++`, `set door.open = true`,
		`animate lamp.y to 2 over 3s`, `let v = 3`, `break`, `continue`, `wait 500ms`, `a.b.c()`, `go to`, `{ b() }`,
		`if p q() else r()`, `for i in 0..3 log i`, `while n { n -= 1 }`, `switch n { case 1: go() }`,
	} {
		for _, tail := range []string{`else { c() }`, `else log "y"`, `elif d e()`, `else if d { e() }`} {
			text := "on_x { while k { if a " + statement + " " + tail + " } }"
			f, found := parseText("main.hs", text)
			checkTree(t, f, found)
			for _, d := range errorsOf(found) {
				t.Errorf("%q: %v", text, d)
			}
			var outer *ast.If
			ifs := 0
			ast.Walk(f, func(n ast.Node) bool {
				if n, ok := n.(*ast.If); ok {
					if ifs++; outer == nil {
						outer = n
					}
				}
				return true
			})
			if outer == nil || outer.Else == nil && len(outer.Branches) < 2 {
				t.Errorf("%q has no else:\n%s", text, ast.Shape(nil, f))
			}
		}
	}
}

// Away from an if the same words are names and keys.
func TestElseIsAWordElsewhere(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"else: 1", "x { if a { log else } }", "log else", "x { if a f(else) }", "object else { }", "x { if a { else: 1 } }"} {
		f, found := parseText("main.hs", text)
		checkTree(t, f, found)
		for _, d := range errorsOf(found) {
			t.Errorf("%q: %v", text, d)
		}
	}
}
