package run

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
)

// assertName is the operation that takes what a test asks: whether it is true, its
// text, and what was compared.
const assertName = "assert"

// testHost is the host of a test: it takes what is asked and answers what is mocked;
// all other operations do nothing.
type testHost struct {
	m     *Machine
	mocks map[string]int
	fail  func(string)
	asked int
}

// Call implements Host.
func (h *testHost) Call(name string, args []Value) (Value, bool) {
	if fn, ok := h.mocks[name]; ok {
		v, _ := h.m.call(fn, nil, nil)
		return v, true
	}
	if name == assertName && len(args) >= 2 {
		h.asked++
		if !Truthy(args[0]) {
			text := Text(args[1])
			if len(args) == 4 {
				text += " (" + short(Show(args[2])) + " and " + short(Show(args[3])) + ")"
			}
			h.fail(text)
		}
	}
	return nil, true
}

// assertWords are the calls that ask something in a test (X31).
var assertWords = map[string]string{
	"assert": "", "expect": "", "check": "", "verify": "", "require": "", "ensure": "", "assert_true": "", "assertTrue": "", "assert_that": "", "assertThat": "",
	"assert_eq": "==", "assert_equal": "==", "assert_equals": "==", "assertEqual": "==", "assertEquals": "==", "expect_eq": "==", "assert.equal": "==", "assert.strictEqual": "==", "assert.deepEqual": "==", "assert.eq": "==",
	"assert_ne": "!=", "assert_not_equal": "!=", "assertNotEqual": "!=", "assert.notEqual": "!=", "assert_false": "!", "assertFalse": "!", "assert.isTrue": "", "assert.ok": "", "assert.isFalse": "!",
}

// matchers are the words behind expect(x) with what they compare.
var matchers = map[string]string{
	"toBe": "==", "toEqual": "==", "toStrictEqual": "==", "equals": "==", "equal": "==", "is": "==", "be": "==", "eq": "==", "toMatch": "has", "toContain": "has", "contains": "has", "includes": "has", "contain": "has", "include": "has",
	"toBeGreaterThan": ">", "toBeGreaterThanOrEqual": ">=", "toBeLessThan": "<", "toBeLessThanOrEqual": "<=", "toBeAtLeast": ">=", "toBeAtMost": "<=", "above": ">", "below": "<",
	"toBeTruthy": "", "toBeTrue": "", "toBeFalsy": "!", "toBeFalse": "!", "toBeNull": "null", "toBeUndefined": "null", "toBeDefined": "some", "toExist": "some", "toHaveLength": "length", "toBeCloseTo": "near",
}

// claimOf is what an assertion asks as an expression, nil where the node is none:
// assert x == 2, assert(x == 2, "why"), assert_eq(x, 2), expect(x).toBe(2),
// expect x to be 2.
func claimOf(n ast.Node) ast.Node {
	at := *n.Common()
	binary := func(op string, x, y ast.Node) ast.Node { return &ast.Binary{Base: at, Op: op, X: x, Y: y} }
	switch n := n.(type) {
	case *ast.ExprStmt:
		return claimOf(n.X)
	case *ast.Command:
		return wordsClaim(n, n.Args)
	case *ast.Binary: // expect(x) == 2
		if x := claimOf(n.X); x != nil {
			if c, ok := n.X.(*ast.Call); ok && len(c.Args) == 1 {
				return binary(n.Op, x, n.Y)
			}
		}
	case *ast.Call:
		name := strings.Join(pathOf(n.Fn), ".")
		if op, ok := assertWords[name]; ok && len(n.Args) > 0 {
			switch {
			case op == "!":
				return &ast.Unary{Base: at, Op: "!", X: n.Args[0]}
			case op != "" && len(n.Args) > 1:
				return binary(op, n.Args[0], n.Args[1])
			case op == "":
				return n.Args[0]
			}
			return nil
		}
		m, ok := n.Fn.(*ast.Member)
		if !ok {
			return nil
		}
		not := false
		x := m.X
		for {
			in, ok := x.(*ast.Member)
			if !ok {
				break
			}
			not = not || in.Name == "not"
			x = in.X
		}
		c, ok := x.(*ast.Call)
		if !ok || len(c.Args) != 1 || strings.Join(pathOf(c.Fn), ".") != "expect" {
			return nil
		}
		words := m.Name
		if _, known := matchers[words]; !known { // to_be_greater_than
			words = camel(words)
		}
		claim := matched(at, words, c.Args[0], n.Args)
		if claim != nil && not {
			claim = &ast.Unary{Base: at, Op: "!", X: claim}
		}
		return claim
	}
	return nil
}

// wordsClaim is what a command asks: assert x == 2, expect x to be 2, assert x.
func wordsClaim(n *ast.Command, args []ast.Node) ast.Node {
	op, ok := assertWords[n.Verb]
	if !ok || len(args) == 0 {
		return nil
	}
	at := *n.Common()
	if op == "==" || op == "!=" {
		if len(args) < 2 {
			return nil
		}
		return &ast.Binary{Base: at, Op: op, X: args[0], Y: args[1]}
	}
	not := op == "!"
	word := ""
	rest := args[1:]
	for len(rest) > 0 {
		id, ok := rest[0].(*ast.Ident)
		if !ok {
			break
		}
		switch id.Name {
		case "to", "be", "should":
			word = "be"
		case "not":
			not = !not
		case "equal", "contain", "include", "above", "below":
			word = id.Name
		default:
			ok = false
		}
		if !ok {
			break
		}
		rest = rest[1:]
	}
	claim := args[0]
	if word != "" && len(rest) > 0 {
		claim = matched(at, word, args[0], rest[:1])
	}
	if claim != nil && not {
		claim = &ast.Unary{Base: at, Op: "!", X: claim}
	}
	return claim
}

func camel(s string) string {
	parts := strings.Split(s, "_")
	for i, p := range parts {
		if i > 0 && p != "" {
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}

// matched is the expression of a matcher, nil for one that is not known.
func matched(at ast.Base, word string, x ast.Node, args []ast.Node) ast.Node {
	op, ok := matchers[word]
	if !ok {
		return nil
	}
	null := &ast.Null{Base: at}
	switch op {
	case "":
		return x
	case "!":
		return &ast.Unary{Base: at, Op: "!", X: x}
	case "null":
		return &ast.Binary{Base: at, Op: "==", X: x, Y: null}
	case "some":
		return &ast.Binary{Base: at, Op: "!=", X: x, Y: null}
	}
	if len(args) == 0 {
		return nil
	}
	switch op {
	case "has":
		return &ast.Call{Base: at, Fn: &ast.Member{Base: at, X: x, Name: "includes"}, Args: args[:1]}
	case "length":
		return &ast.Binary{Base: at, Op: "==", X: &ast.Member{Base: at, X: x, Name: "length"}, Y: args[0]}
	case "near":
		limit := ast.Node(&ast.Number{Base: at, Raw: "0.005"})
		if len(args) > 1 { // so many places
			ten := &ast.Number{Base: at, Raw: "10"}
			limit = &ast.Binary{Base: at, Op: "/", X: &ast.Number{Base: at, Raw: "0.5"}, Y: &ast.Binary{Base: at, Op: "**", X: ten, Y: args[1]}}
		}
		diff := &ast.Binary{Base: at, Op: "-", X: x, Y: args[0]}
		abs := &ast.Call{Base: at, Fn: &ast.Path{Base: at, Raw: "Math.abs"}, Args: []ast.Node{diff}}
		return &ast.Binary{Base: at, Op: "<", X: abs, Y: limit}
	}
	return &ast.Binary{Base: at, Op: op, X: x, Y: args[0]}
}

// asserts says whether a statement asks something, itself or within.
func asserts(n ast.Node) bool {
	found := false
	ast.Walk(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.Command, *ast.Call:
			found = found || claimOf(n) != nil
		}
		return !found
	})
	return found
}

// testStatement compiles a step of a test.
func (f *maker) testStatement(n ast.Node) {
	switch n := n.(type) {
	case *ast.ExprStmt, *ast.Command, *ast.Call, *ast.Binary:
		if x := claimOf(n); x != nil {
			f.assertion(n, x, false)
			return
		}
	case *ast.Property: // given: { level: 3 }
		f.drop(&ast.Assign{Base: *n.Common(), Target: keyTarget(n), Op: "=", Value: n.Value})
		return
	}
	f.statement(n)
}

func keyTarget(p *ast.Property) ast.Node {
	parts := p.Key.Parts()
	if len(parts) > 1 {
		return &ast.Path{Base: *p.Key.Common(), Raw: strings.Join(parts, ".")}
	}
	return &ast.Ident{Base: *p.Key.Common(), Name: p.Key.Name()}
}

// assertion asks in the midst of code, once what was raised has been handled. The sides
// of a comparison are worked out once.
func (f *maker) assertion(n, x ast.Node, inside bool) {
	if e, ok := x.(*ast.ExprStmt); ok {
		x = e.X
	}
	if c := claimOf(x); c != nil {
		x = c
	}
	if !inside && f.outer == nil {
		f.line(n)
		f.op(opConst, f.constant(0.0))
		f.op(opAwait)
		f.op(opPop)
	}
	text := place(f.code.File.Stream.Source.Position(int(n.Span().Start))) + f.code.File.Slice(n.Span())
	args := []ast.Node{x, &ast.String{Base: *n.Common(), Raw: quoted(text)}}
	if b, ok := x.(*ast.Binary); ok && compares(b.Op) {
		words := strings.ContainsAny(b.Op[:1], "=!")
		side := func(name string, x ast.Node) ast.Node {
			if isNull(x) {
				return x
			}
			if words {
				f.value(x)
			} else {
				f.expr(x)
			}
			f.op(opStore, f.local(name))
			return &ast.Ident{Base: *x.Common(), Name: name}
		}
		left := side("left "+place(len(f.fn.Code), 0), b.X)
		right := side("right "+place(len(f.fn.Code), 0), b.Y)
		args = []ast.Node{&ast.Binary{Base: b.Base, Op: b.Op, X: left, Y: right}, args[1], left, right}
	}
	f.hostCall(n, assertName, args)
	f.op(opPop)
}

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\\`, `\\\\`, `"`, `\\"`, "\n", `\\n`, "\r", "").Replace(s) + `"`
}

// touches are what a test does to a node by a call.
var touches = map[string]bool{"click": true, "tap": true, "press": true, "hover": true, "grab": true, "release": true, "touch": true, "interact": true, "drop": true, "select": true, "focus": true}

// stepWords are the words for letting time pass in a test.
var stepWords = map[string]bool{"step": true, "advance": true, "simulate": true, "elapse": true, "wait_for": true, "run_for": true, "sleep": true, "wait": true, "advance_time": true, "tick": true, "skip": true}

// inTest compiles what only a test may call: time that passes, and what it asks.
func (f *maker) inTest(n ast.Node, name string, args []ast.Node) bool {
	if !f.test {
		return false
	}
	if stepWords[name] && len(args) <= 1 {
		if len(args) == 1 {
			f.expr(args[0])
		} else {
			f.op(opConst, f.constant(1.0/60))
		}
		f.line(n)
		f.op(opAwait)
		return true
	}
	if touches[name] && len(args) > 0 && len(args) <= 2 { // click("Lamp"), press(Door)
		segments := pathOf(args[0])
		if len(segments) > 0 {
			if owner, used := f.find(f.owner, segments); owner != "" && used == len(segments) {
				list := append([]ast.Node{&ast.String{Base: *n.Common(), Raw: quoted(name)}}, args[1:]...)
				f.sendTo(owner, n, list)
				return true
			}
		}
	}
	if x := claimOf(n); x != nil {
		f.assertion(n, x, true)
		f.op(opConst, f.constant(nil))
		return true
	}
	return false
}
