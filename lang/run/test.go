package run

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
)

// test compiles a @test block. Its functions belong to no place: what they emit
// reaches all.
func (b *builder) test(t scene.Test) (out Test) {
	line, _ := t.Code.File.Stream.Source.Position(int(t.Attr.Span().Start))
	out = Test{Name: t.Name, File: t.Code.File.Path(), Line: line, Setup: -1}
	left := len(b.left)
	defer func() {
		for _, u := range b.left[left:] {
			if !slices.Contains(out.Unknown, u) {
				out.Unknown = append(out.Unknown, u)
			}
		}
	}()
	for _, key := range []string{"setup", "assert"} {
		items, at := testItems(t.Attr, key)
		if at == nil {
			continue
		}
		if key == "setup" {
			out.Setup = b.testFunction(t, "setup", func(f *maker) {
				for _, it := range items {
					f.statement(it)
				}
				f.op(opConst, f.constant(nil))
				f.op(opRet)
			})
			continue
		}
		for _, it := range items {
			out.Asserts = append(out.Asserts, b.assert(t, it))
		}
	}
	return out
}

func (b *builder) assert(t scene.Test, n ast.Node) Assert {
	if e, ok := n.(*ast.ExprStmt); ok {
		n = e.X
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
	line, column := t.Code.File.Stream.Source.Position(int(n.Span().Start))
	out := Assert{Fn: value(n, false), Left: -1, Right: -1, Text: t.Code.File.Slice(n.Span()), Line: line, Column: column}
	if x, ok := n.(*ast.Binary); ok {
		switch x.Op {
		case "==", "===", "!=", "!==", "<", "<=", ">", ">=", "in":
			word := strings.ContainsAny(x.Op[:1], "=!") && !isNull(x.X) && !isNull(x.Y)
			out.Left, out.Right = value(x.X, word), value(x.Y, word)
		}
	}
	return out
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

// testItems are what setup or assert contain; at is nil without them.
func testItems(a *ast.Attribute, key string) (items []ast.Node, at ast.Node) {
	var bodies []*ast.Body
	if a.Config != nil {
		bodies = append(bodies, a.Config)
	}
	if a.Body != nil {
		bodies = append(bodies, a.Body)
	}
	if o, ok := a.Value.(*ast.Object); ok {
		bodies = append(bodies, &o.Body)
	}
	for _, body := range bodies {
		for _, it := range body.Items {
			switch it := it.(type) {
			case *ast.Property:
				if it.Key.Name() != key {
					continue
				}
				at = it
				switch v := it.Value.(type) {
				case *ast.Object:
					items = append(items, v.Body.Items...)
				case *ast.Array:
					items = append(items, v.Elements...)
				case *ast.Arrow:
					if b, ok := v.Body.(*ast.Body); ok {
						items = append(items, b.Items...)
					} else {
						items = append(items, v.Body)
					}
				default:
					items = append(items, v)
				}
			case *ast.Block:
				if it.BlockKind == key && it.Body != nil {
					at = it
					items = append(items, it.Body.Items...)
				}
			case *ast.Func:
				if b, ok := it.Body.(*ast.Body); ok && it.Name == key {
					at = it
					items = append(items, b.Items...)
				}
			}
		}
	}
	return items, at
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
const MaxTestSeconds = 600

// Run runs a test on a fresh machine.
func (c *Compiled) Run(t *Test, seed *[4]uint32) (*Result, error) {
	m, err := New(c.Program, Options{Nodes: c.Nodes, Long: true, Seed: seed})
	if err != nil {
		return nil, err
	}
	r := &Result{Name: t.Name, File: t.File, Line: t.Line, OK: true}
	fail := func(text string) {
		r.OK = false
		r.Failed = append(r.Failed, text)
	}
	m.Start()
	at, _ := m.Trace()
	seen := len(at)
	if t.Setup >= 0 {
		th := m.thread(t.Setup, nil, nil)
		m.carry(Everywhere, th) // no on_error of the scene runs for its faults
		m.flush()
		m.drain()
		for end := m.after(MaxTestSeconds); m.asleep(th) && m.steps < end; {
			m.Step()
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
	if len(t.Asserts) == 0 {
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
