package run

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
)

// sections are the words for the parts of a test (X31).
var sections = map[string]string{
	"name": "-", "description": "-", "tags": "-", "timeout": "-", "skip": "-", "only": "-",
	"setup": "do", "given": "do", "arrange": "do", "before": "do", "when": "do", "act": "do", "steps": "do", "run": "do", "do": "do", "actions": "do",
	"assert": "ask", "asserts": "ask", "assertions": "ask", "then": "ask", "expect": "ask", "expects": "ask", "expected": "ask", "check": "ask", "verify": "ask",
	"mock": "mock", "mocks": "mock", "stub": "mock", "stubs": "mock",
}

// testParts are what a test does and asks, in its order.
type testParts struct {
	steps, asserts []ast.Node
	mocks          []*ast.Property
	inline         bool // what it asks stands among what it does, or needs its names
}

// partsOf sorts what stands in a test.
func partsOf(items []ast.Node) (p testParts) {
	for _, it := range items {
		key, list := sectionOf(it)
		switch sections[key] {
		case "-":
		case "do":
			p.inline = p.inline || len(p.asserts) > 0
			p.steps = append(p.steps, list...)
		case "ask":
			p.asserts = append(p.asserts, list...)
		case "mock":
			for _, m := range list {
				if m, ok := m.(*ast.Property); ok {
					p.mocks = append(p.mocks, m)
				}
			}
		default:
			if len(p.asserts) > 0 && !p.inline { // what was asked before comes before
				p.inline = true
			}
			p.steps = append(p.steps, it)
		}
	}
	for _, s := range p.steps {
		p.inline = p.inline || s.Kind() == ast.KindVarDecl || asserts(s)
	}
	return p
}

// sectionOf is a part of a test: the word it begins with and its statements.
func sectionOf(it ast.Node) (key string, items []ast.Node) {
	switch it := it.(type) {
	case *ast.Property:
		switch v := it.Value.(type) {
		case nil:
		case *ast.Object:
			items = v.Body.Items
		case *ast.Array:
			items = v.Elements
		case *ast.Arrow:
			if b, ok := v.Body.(*ast.Body); ok {
				items = b.Items
			} else {
				items = []ast.Node{v.Body}
			}
		default:
			items = []ast.Node{v}
		}
		return it.Key.Name(), items
	case *ast.Block:
		if it.Name == nil && it.Body != nil {
			return it.BlockKind, it.Body.Items
		}
	case *ast.Func:
		if b, ok := it.Body.(*ast.Body); ok {
			return it.Name, b.Items
		}
	}
	return "", nil
}

// test compiles a test. Its functions belong to no place: what they emit reaches all.
func (b *builder) test(t scene.Test) (out Test) {
	line, _ := t.Code.File.Stream.Source.Position(int(t.Code.Node.Span().Start))
	out = Test{Name: t.Name, File: t.Code.File.Path(), Line: line, Setup: -1}
	left := len(b.left)
	defer func() {
		for _, u := range b.left[left:] {
			if !slices.Contains(out.Unknown, u) {
				out.Unknown = append(out.Unknown, u)
			}
		}
	}()
	p := partsOf(t.Body)
	out.Mocks = map[string]int{}
	for _, m := range p.mocks {
		out.Mocks[m.Key.Name()] = b.testFunction(t, "mock", func(f *maker) {
			f.line(m)
			f.value(m.Value)
			f.op(opRet)
		})
	}
	b.mocked = out.Mocks
	defer func() { b.mocked = nil }()
	if p.inline {
		out.Setup = b.testFunction(t, "setup", func(f *maker) {
			for _, it := range p.steps {
				f.testStatement(it)
			}
			for _, it := range p.asserts {
				f.assertion(it, it, false)
			}
			f.op(opConst, f.constant(nil))
			f.op(opRet)
		})
		out.Inline = true
		return out
	}
	if len(p.steps) > 0 {
		out.Setup = b.testFunction(t, "setup", func(f *maker) {
			for _, it := range p.steps {
				f.testStatement(it)
			}
			f.op(opConst, f.constant(nil))
			f.op(opRet)
		})
	}
	for _, it := range p.asserts {
		out.Asserts = append(out.Asserts, b.assert(t, it))
	}
	return out
}

func (b *builder) assert(t scene.Test, n ast.Node) Assert {
	if e, ok := n.(*ast.ExprStmt); ok {
		n = e.X
	}
	line, column := t.Code.File.Stream.Source.Position(int(n.Span().Start))
	out := Assert{Left: -1, Right: -1, Text: t.Code.File.Slice(n.Span()), Line: line, Column: column}
	if x := claimOf(n); x != nil {
		n = x
	}
	value := func(n ast.Node, word bool) int {
		return b.testFunction(t, "assert", func(f *maker) {
			f.line(n)
			if word {
				f.value(n)
			} else {
				f.expr(n)
			}
			f.op(opRet)
		})
	}
	out.Fn = value(n, false)
	if x, ok := n.(*ast.Binary); ok && compares(x.Op) {
		word := strings.ContainsAny(x.Op[:1], "=!") && !isNull(x.X) && !isNull(x.Y)
		out.Left, out.Right = value(x.X, word), value(x.Y, word)
	}
	return out
}

func compares(op string) bool {
	switch op {
	case "==", "===", "!=", "!==", "<", "<=", ">", ">=", "in":
		return true
	}
	return false
}

func (b *builder) testFunction(t scene.Test, name string, fill func(*maker)) int {
	f := &maker{builder: b, owner: SceneOwner, code: t.Code, test: true}
	f.fn = Function{Name: name, Owner: Everywhere, Lines: [][3]int{}}
	f.scopes = []map[string]int{{}}
	i := len(b.p.Functions)
	b.p.Functions = append(b.p.Functions, Function{})
	fill(f)
	b.p.Functions[i] = f.fn
	return i
}

// Result is what became of a test.
type Result struct {
	Name   string
	File   string
	Line   int
	OK     bool
	Failed []string // what was not true, each with its place and values
	Trace  []Entry
}

// MaxTestSeconds is the longest simulated time of a test.
const MaxTestSeconds = 4 * 3600

// Run runs a test on a fresh machine.
func (c *Compiled) Run(t *Test, seed *[4]uint32) (*Result, error) {
	r := &Result{Name: t.Name, File: t.File, Line: t.Line, OK: true}
	fail := func(text string) {
		r.OK = false
		r.Failed = append(r.Failed, text)
	}
	host := &testHost{fail: fail}
	m, err := New(c.Program, Options{Nodes: c.Nodes, Host: host, Long: true, Seed: seed})
	if err != nil {
		return nil, err
	}
	host.m, host.mocks = m, t.Mocks
	m.Start()
	at, _ := m.Trace()
	seen := len(at)
	if t.Setup >= 0 {
		th := m.thread(t.Setup, nil, nil)
		m.carry(Everywhere, th) // no on_error of the scene runs for its faults
		m.flush()
		m.drain()
		for end := m.after(MaxTestSeconds); m.asleep(th) && m.steps < end; {
			if !m.wake(th) {
				m.Step()
			}
		}
		if m.asleep(th) {
			fail("setup does not come to an end")
		}
	}
	for n := 0; m.Busy() && n < 600; n++ {
		m.Step()
	}
	m.drain()
	if m.Busy() {
		fail("the events do not come to an end")
	}
	entries, _ := m.Trace()
	for i, e := range entries {
		if i >= seen && e.Kind == "fault" && !m.caught[i] { // what an on_error took is no failure
			fail(place(e.Line, e.Column) + e.Name + " " + Text(e.Value))
		}
	}
	for _, u := range t.Unknown {
		fail(place(u.Line, u.Column) + u.What)
	}
	if len(t.Asserts) == 0 && host.asked == 0 && r.OK {
		fail("the test asserts nothing")
	}
	for _, a := range t.Asserts {
		v, f := m.ask(a.Fn)
		switch {
		case f != nil:
			fail(place(a.Line, a.Column) + a.Text + ": " + f.Error())
		case !Truthy(v):
			text := place(a.Line, a.Column) + a.Text
			if a.Left >= 0 {
				x, _ := m.ask(a.Left)
				y, _ := m.ask(a.Right)
				text += " (" + short(Show(x)) + " and " + short(Show(y)) + ")"
			} else {
				text += " (" + short(Show(v)) + ")"
			}
			fail(text)
		}
	}
	r.Trace, _ = m.Trace()
	return r, nil
}

func place(line, column int) string {
	if line == 0 {
		return ""
	}
	return FormatNumber(float64(line)) + ":" + FormatNumber(float64(column)) + ": "
}

func (m *Machine) asleep(t *thread) bool {
	for _, w := range m.waiting {
		if w.thread == t {
			return true
		}
	}
	for _, r := range m.ready {
		if r == t {
			return true
		}
	}
	return false
}

// wake lets a thread go on that waits for nothing but what is waiting with it.
func (m *Machine) wake(t *thread) bool {
	for i, w := range m.waiting {
		if w.thread == t && w.at <= m.steps {
			m.waiting = slices.Delete(m.waiting, i, i+1)
			m.ready = append(m.ready, t)
			m.drain()
			return true
		}
	}
	return false
}

// ask evaluates a function and undoes what it wrote.
func (m *Machine) ask(fn int) (v Value, f *Fault) {
	m.turn++
	m.made, m.budget, m.undo = 0, m.turnLimit, m.undo[:0]
	queue := len(m.queue)
	v, f = m.call(fn, nil, nil)
	v = copyValue(v, MaxDepth)
	for i := len(m.undo) - 1; i >= 0; i-- {
		m.undo[i]()
	}
	m.undo, m.changed, m.queue = m.undo[:0], nil, m.queue[:queue]
	m.version++
	return v, f
}
