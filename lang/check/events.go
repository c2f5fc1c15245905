package check

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

var isHostEvent = func() map[string]bool {
	m := map[string]bool{}
	for _, e := range hostEvents {
		m[e] = true
	}
	return m
}()

// events are all that a handler may name here.
func (c *checker) events() []string {
	out := slices.Clone(hostEvents)
	for e := range c.raised {
		out = append(out, e)
	}
	return out
}

// judgeEvent judges the event of a handler of the owner itself.
func (c *checker) judgeEvent(event string, at token.Span, p place) {
	if p.data || p.in == ignored || p.kind == "pipeline" || event == "" {
		return
	}
	if !isHostEvent[event] && !c.raised[event] && !c.traitRaises(event, p) && !(c.serves && requests[event]) {
		c.neverRaised(event, at)
		return
	}
	c.needsTrait(event, at, p)
}

func (c *checker) neverRaised(event string, at token.Span) {
	if c.top.raisesIt {
		return // some event has a name that is only known at run time
	}
	if c.speller == nil {
		c.speller = trait.NewSpeller(sorted(c.events()))
	}
	near, ok := c.speller.Nearest(event)
	if !ok {
		c.add("BLK004", at, event, "")
		return
	}
	c.respellEvent(c.add("BLK004", at, event, hint(near)), at, near)
}

// respellEvent puts another event in the spelling of a handler.
func (c *checker) respellEvent(f *diag.Finding, at token.Span, near string) {
	old := c.f.Text()[at.Start:at.End]
	text := near
	switch {
	case strings.HasPrefix(old, "on_"):
		text = "on_" + near
	case strings.HasPrefix(old, "on") && len(old) > 2 && old[2] >= 'A' && old[2] <= 'Z':
		text = "on"
		for _, w := range strings.Split(near, "_") {
			if w != "" {
				text += strings.ToUpper(w[:1]) + w[1:]
			}
		}
	case strings.HasPrefix(old, `"`), strings.HasPrefix(old, `'`):
		text = old[:1] + near + old[:1]
	}
	f.Suggest(near).Fix("Replace with '"+text+"'", int(at.Start), int(at.End), text)
}

// traitRaises says whether a trait of the owner is known to raise an event.
func (c *checker) traitRaises(event string, p place) bool {
	for o := p.o; o != nil; o = o.parent {
		c.work++
		for _, a := range o.attrs {
			if e, ok := c.reg.Lookup(a.Name); ok {
				for _, name := range e.Events {
					if eventName(name) == event {
						return true
					}
				}
			}
		}
	}
	return false
}

// needsTrait reports an event of the hand on a node that no hand can reach.
func (c *checker) needsTrait(event string, at token.Span, p place) {
	needed := eventTraits[event]
	if needed == nil || c.raised[event] || p.o == nil || p.o.role() != placed || p.o.is("panel") || len(p.o.uses) > 0 || p.fn != nil {
		return
	}
	for _, name := range c.traitNames(p.o) {
		if slices.Contains(needed, name) {
			return
		}
	}
	f := c.add("LNT007", at, event, needed[0])
	b := p.o.block
	end := int(b.Body.At.Start)
	for end > 0 && (c.f.Text()[end-1] == ' ' || c.f.Text()[end-1] == '\n' || c.f.Text()[end-1] == '\t' || c.f.Text()[end-1] == '\r') {
		end--
	}
	if line := c.f.Text()[c.f.Stream.Source.LineStart(end):end]; !strings.Contains(line, "//") {
		f.Fix("Add '@"+needed[0]+"'", end, end, " @"+needed[0])
	}
}

// traitNames are the traits of an owner, listed ones too.
func (c *checker) traitNames(o *owner) []string {
	if known, ok := c.traitsOf[o]; ok {
		return known
	}
	var out []string
	defer func() { c.traitsOf[o] = out }()
	for _, a := range o.attrs {
		out = append(out, a.Name)
	}
	for _, n := range o.body.Items {
		var list *ast.Array
		switch n := n.(type) {
		case *ast.Property:
			if n.Key.Name() == "traits" {
				list, _ = n.Value.(*ast.Array)
			}
			if o.settings[n.Key.Name()] {
				out = append(out, n.Key.Name()) // physics: { } is the trait in other words
			}
		case *ast.List:
			if n.ListKind == "traits" {
				list = n.Elements
			}
		case *ast.Block:
			out = append(out, n.BlockKind)
		}
		if list != nil {
			for _, e := range list.Elements {
				if a, ok := e.(*ast.AttrValue); ok {
					out = append(out, a.Attr.Name)
				} else {
					out = append(out, strings.TrimPrefix(nameOf(e), "@"))
				}
			}
		}
	}
	return out
}

// judgeEventOf judges on Hall.door.opened -> () { }.
func (c *checker) judgeEventOf(n *ast.Func, m *ast.FuncMore, at token.Span, p place) {
	name := nameOf(m.EventTarget)
	if name == "" {
		return
	}
	segments := []string{name}
	if path, ok := m.EventTarget.(*ast.Path); ok {
		segments = path.Segments()
	}
	span := m.EventTarget.Span()
	span.End = min(span.End, span.Start+uint32(len(segments[0])))
	o := c.nodeAt(segments, m.EventTarget, p)
	if o == nil {
		if segments[0] != "this" && segments[0] != "self" && c.known(segments[0], p) == nil && !standard[segments[0]] {
			c.noNode(span, segments[0], diag.Warning)
		}
		return
	}
	c.raisedOn(o, m.Event, at)
}

// raisedOn reports an event that nothing raises on a node.
func (c *checker) raisedOn(o *owner, event string, at token.Span) {
	if isHostEvent[event] || c.mayRaise(o, event) || c.broadcast && c.raised[event] {
		return
	}
	known := slices.Clone(hostEvents)
	for e := range o.raises {
		known = append(known, e)
	}
	near, ok := c.nearest(event, known)
	if !ok {
		c.add("FLO001", at, event, o.name, "")
		return
	}
	c.respellEvent(c.add("FLO001", at, event, o.name, hint(near)), at, near)
}

func (c *checker) mayRaise(o *owner, event string) bool {
	if o.kind == nil || o.sym != nil && o.sym.File != c.f.Path() {
		return true
	}
	for _, x := range append([]*owner{o}, c.lineage(o)...) {
		c.work++
		if x.raises[event] || x.raisesIt || c.traitRaises(event, place{o: x}) {
			return true
		}
		for _, u := range x.uses {
			if c.templates[nameOf(u)] == nil {
				return true
			}
		}
	}
	return false
}

// nodeAt finds the owner that a path of names means.
func (c *checker) nodeAt(segments []string, n ast.Node, p place) *owner {
	var o *owner
	for _, candidate := range c.named[segments[0]] {
		if o == nil || candidate.role() == placed && o.role() != placed {
			o = candidate
		}
	}
	if o == nil {
		return nil
	}
	if n != nil {
		at := c.wordIn(n.Span(), segments[0], 0)
		if at.End > at.Start {
			c.refer(at, o.sym)
		}
	}
	end := uint32(0)
	if n != nil {
		end = c.wordIn(n.Span(), segments[0], 0).End
	}
	for _, name := range segments[1:] {
		next := c.childNamed(o, name)
		if next == nil {
			return nil
		}
		o = next
		if n != nil {
			if at := c.after(n, end, name); at.End > at.Start {
				c.refer(at, o.sym)
				end = at.End
			}
		}
	}
	return o
}

// childNamed finds a named block below an owner or its templates. Blocks
// without a name are looked through.
func (c *checker) childNamed(o *owner, name string) *owner {
	for _, x := range append([]*owner{o}, c.lineage(o)...) {
		c.work++
		queue := x.children
		for len(queue) > 0 {
			child := queue[0]
			queue = queue[1:]
			if child.name == name {
				return child
			}
			if child.name == "" {
				queue = append(queue[:len(queue):len(queue)], child.children...)
			}
		}
	}
	return nil
}

// noNode reports a node that does not exist.
func (c *checker) noNode(at token.Span, name string, severity diag.Severity) {
	if c.open {
		severity = diag.Warning
	}
	near, ok := c.nearest(name, keysFor(c, c.named))
	if !ok {
		c.addAs(severity, "NAM006", at, name, "")
		return
	}
	f := c.addAs(severity, "NAM006", at, name, hint(near))
	text := near
	if !isWord(near) || strings.HasPrefix(c.f.Text()[at.Start:at.End], `"`) {
		text = `"` + near + `"`
	}
	f.Suggest(near).Fix("Replace with '"+near+"'", int(at.Start), int(at.End), text)
}

// judgeWire looks at connect A.event -> B.function(…).
func (c *checker) judgeWire(n *ast.Wire, p place) {
	from := c.endpoint(n.From, p)
	if from.o != nil && from.last != "" {
		c.raisedOn(from.o, eventName(from.last), from.at)
	}
	to := c.endpointOf(n.To, p, n.Assign != nil)
	for _, a := range n.Args {
		c.value(a, p, nil)
	}
	if n.Assign != nil {
		q := p.inner()
		q.fn = &function{name: "connect"}
		q.locals.names["event"] = &Symbol{Name: "event", Kind: Variable, At: n.At, Full: n.At, decl: n}
		c.expr(n.Assign, q)
		return
	}
	if to.o != nil && to.last != "" && !to.state {
		c.hasFunction(to.o, to.last, to.at)
	}
}

// judgeExecute looks at execute A.function() every 2s.
func (c *checker) judgeExecute(n *ast.Execute, p place) {
	to := c.endpointOf(n.Target, p, false)
	for _, a := range n.Args {
		c.value(a, p, nil)
	}
	for _, x := range []ast.Node{n.Every, n.After} {
		if x != nil {
			c.value(x, p, nil)
		}
	}
	if to.o != nil && to.last != "" && !to.o.is("pipeline") {
		c.hasFunction(to.o, to.last, to.at)
	}
}

// end is one end of a wire: a node and a name on it.
type end struct {
	o     *owner
	last  string
	at    token.Span
	state bool
}

func (c *checker) endpoint(n ast.Node, p place) end { return c.endpointOf(n, p, false) }

// endpointOf finds what a path of a wire means. Of an assignment the last part
// is a key of a state.
func (c *checker) endpointOf(n ast.Node, p place, assigns bool) end {
	var segments []string
	switch n := n.(type) {
	case *ast.Path:
		segments = n.Segments()
	case *ast.Ident:
		if f := c.top.names[n.Name]; f != nil {
			c.refer(n.At, f)
			return end{}
		}
		segments = []string{n.Name}
	case *ast.String:
		segments = []string{n.Value()}
	default:
		return end{}
	}
	span := n.Span()
	first := c.wordIn(span, segments[0], 0)
	if first.End == first.Start {
		first = span
	}
	if segments[0] == "this" || segments[0] == "self" {
		return end{}
	}
	if len(c.named[segments[0]]) == 0 {
		if s := c.known(segments[0], p); s == nil {
			c.noNode(first, segments[0], diag.Error)
		} else {
			c.refer(first, s)
		}
		return end{}
	}
	if i := slices.Index(segments, "state"); i > 0 && i+1 < len(segments) {
		o := c.nodeAt(segments[:i], n, p)
		if o != nil && !assigns {
			key := segments[i+1]
			if s := c.ownState(o, key); s != nil {
				c.refer(c.after(n, first.End, key), s)
			}
		} else if o != nil {
			key := segments[i+1]
			if s := c.ownState(o, key); s != nil {
				c.refer(c.after(n, first.End, key), s)
			} else {
				c.noStateOf(c.after(n, first.End, key), key, o)
			}
		}
		return end{state: true}
	}
	if len(segments) == 1 {
		return end{o: c.nodeAt(segments, n, p)}
	}
	last := segments[len(segments)-1]
	o := c.nodeAt(segments[:len(segments)-1], n, p)
	at := first
	for _, s := range segments[1:] {
		at = c.after(n, at.End, s)
	}
	return end{o: o, last: last, at: at}
}

// hasFunction reports a function that a node does not have.
func (c *checker) hasFunction(o *owner, name string, at token.Span) {
	if f := c.functionOf(o, name); f != nil {
		c.refer(at, f)
		return
	}
	if o.kind == nil || c.foreign(o) || o.sym != nil && o.sym.File != c.f.Path() || len(o.attrs) > 0 {
		return // its kind, its template or its traits may bring it
	}
	var known []string
	for n, s := range o.names {
		if s.Kind == Function {
			known = append(known, n)
		}
	}
	near, ok := c.nearest(name, known)
	if !ok {
		c.add("FLO002", at, o.name, name, "")
		return
	}
	replace(c.add("FLO002", at, o.name, name, hint(near)), at, near)
}

func (c *checker) functionOf(o *owner, name string) *Symbol {
	for _, x := range append([]*owner{o}, c.lineage(o)...) {
		c.work++
		if s := x.names[name]; s != nil {
			return s
		}
		if x.settings[name] {
			return x.sym
		}
	}
	return nil
}
