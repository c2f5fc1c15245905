package check

import (
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/token"
)

// stateOf is one state of a machine.
type stateOf struct {
	name string
	at   token.Span
	to   []edge
	// nested are the states inside of it.
	nested []*stateOf
}

// edge is a transition.
type edge struct {
	event   string
	target  ast.Node
	guarded bool
	item    ast.Node
	at      token.Span // of the event
}

// machine is a state machine as it is written.
type stateMachine struct {
	initial ast.Node
	states  []*stateOf
	byName  map[string]*stateOf
	any     []edge // from "*"
	between []edge // that name the state they lead from
	opaque  bool   // a part of it is only known at run time
}

// machineBlock looks at state_machine "x" { … }.
func (c *checker) machineBlock(b *ast.Block, p place) { c.machineBody(b.Body, c.kindSpan(b), p) }

// machineBody judges the states of a machine and what leads from one to another.
func (c *checker) machineBody(body *ast.Body, at token.Span, p place) {
	m := &stateMachine{byName: map[string]*stateOf{}}
	for _, n := range body.Items {
		switch n := n.(type) {
		case *ast.Property:
			switch n.Key.Name() {
			case "initial", "initial_state", "start":
				m.initial = n.Value
			case "states":
				c.readStates(n.Value, m, p)
			case "transitions":
				c.readTransitions(n.Value, m)
			}
		case *ast.Block:
			switch {
			case n.BlockKind == "states":
				c.statesIn(n.Body, m, nil, p)
			case n.BlockKind == "state" && n.Name != nil:
				c.stateIn(n.NameText(), n.Name.Span(), n.Body, m, nil, p)
			case ast.BareState(n, body.Items):
				c.stateIn(n.BlockKind, c.kindSpan(n), n.Body, m, nil, p)
			case n.BlockKind == "initial" && n.Name != nil:
				m.initial = n.Name
			default:
				c.betweenStates(n, m)
			}
		case *ast.Command: // initial idle
			if n.Verb == "initial" && len(n.Args) == 1 {
				m.initial = n.Args[0]
			}
		case *ast.Mapping:
			c.mappingEdge(n, m)
		case *ast.Spread, *ast.Bad:
			m.opaque = true
		}
	}
	if m.opaque || body.HasError() && len(m.states) == 0 {
		return
	}
	if len(m.states) == 0 {
		return // given by name, or filled at run time
	}
	faults := c.join(m)
	if m.initial == nil {
		item := `initial: "` + m.states[0].name + `"`
		offset, text := c.insertion(body, item)
		c.add("STM001", at).Fix("Begin in '"+m.states[0].name+"'", offset, offset, text)
		faults = true
	} else if name := nameOf(m.initial); name != "" && m.byName[name] == nil {
		c.noStateNamed(m.initial, name, m)
		faults = true
	}
	for _, s := range m.states {
		faults = c.edges(s.to, m) || faults
	}
	faults = c.edges(m.any, m) || faults
	if faults || body.HasError() {
		return
	}
	c.unreached(m)
	for _, s := range m.states {
		c.judgeEvents(s.to)
	}
	c.judgeEvents(m.any)
}

// judgeEvents reports transitions on events that nothing raises.
func (c *checker) judgeEvents(list []edge) {
	for _, e := range list {
		if e.event != "" && !isHostEvent[e.event] && !c.raised[e.event] {
			c.neverRaised(e.event, e.at)
		}
	}
}

func (c *checker) readStates(v ast.Node, m *stateMachine, p place) {
	switch v := v.(type) {
	case *ast.Object:
		c.statesIn(&v.Body, m, nil, p)
	case *ast.Array:
		for _, e := range v.Elements {
			switch e := e.(type) {
			case *ast.String, *ast.Ident, *ast.EnumWord:
				c.addState(nameOf(e), e.Span(), m, nil)
			case *ast.Block:
				if e.Name != nil {
					c.stateIn(e.NameText(), e.Name.Span(), e.Body, m, nil, p)
				} else {
					c.stateIn(e.BlockKind, c.kindSpan(e), e.Body, m, nil, p)
				}
			case *ast.Object:
				for _, it := range e.Body.Items {
					if prop, ok := it.(*ast.Property); ok && (prop.Key.Name() == "name" || prop.Key.Name() == "id") {
						c.stateIn(nameOf(prop.Value), prop.Value.Span(), &e.Body, m, nil, p)
					}
				}
			default:
				m.opaque = true
			}
		}
	default:
		m.opaque = true
	}
}

func (c *checker) addState(name string, at token.Span, m *stateMachine, outer *stateOf) *stateOf {
	s := &stateOf{name: name, at: at}
	if name == "" {
		m.opaque = true
		return s
	}
	if m.byName[name] == nil {
		m.byName[name] = s
	}
	m.states = append(m.states, s)
	if outer != nil {
		outer.nested = append(outer.nested, s)
	}
	return s
}

// statesIn reads the states of an object or a block.
func (c *checker) statesIn(body *ast.Body, m *stateMachine, outer *stateOf, p place) {
	for _, n := range body.Items {
		switch n := n.(type) {
		case *ast.Property:
			switch v := n.Value.(type) {
			case *ast.Object:
				c.stateIn(n.Key.Name(), n.Key.At, &v.Body, m, outer, p)
			default:
				c.addState(n.Key.Name(), n.Key.At, m, outer)
			}
		case *ast.Block:
			if c.betweenStates(n, m) {
				continue
			}
			if n.BlockKind == "state" && n.Name != nil {
				c.stateIn(n.NameText(), n.Name.Span(), n.Body, m, outer, p)
			} else if n.BlockKind != "" {
				c.stateIn(n.BlockKind, c.kindSpan(n), n.Body, m, outer, p)
			} else if n.Name != nil {
				c.stateIn(n.NameText(), n.Name.Span(), n.Body, m, outer, p)
			}
		case *ast.ExprStmt:
			if id, ok := n.X.(*ast.Ident); ok {
				c.addState(id.Name, id.At, m, outer)
			}
		case *ast.Mapping:
			c.mappingEdge(n, m)
		case *ast.Spread, *ast.Bad:
			m.opaque = true
		}
	}
}

// stateIn reads one state.
func (c *checker) stateIn(name string, at token.Span, body *ast.Body, m *stateMachine, outer *stateOf, p place) {
	var s *stateOf
	if name == "*" {
		s = &stateOf{}
		defer func() { m.any = append(m.any, s.to...) }()
	} else {
		s = c.addState(name, at, m, outer)
	}
	for _, n := range body.Items {
		switch n := n.(type) {
		case *ast.Property:
			key := n.Key.Name()
			switch v := n.Value.(type) {
			case *ast.Transition:
				guarded := false
				for _, call := range v.Calls {
					if f, ok := call.(*ast.Call); ok && nameOf(f.Fn) == "guard" {
						guarded = true
					}
				}
				guarded = guarded || hasKey(v.Options, "guard")
				s.to = append(s.to, edge{eventName(key), v.Target, guarded, n, n.Key.At})
			case *ast.Object:
				switch {
				case key == "states":
					c.statesIn(&v.Body, m, s, p)
				case key == "on" || key == "transitions":
					c.transitionsOf(&v.Body, s)
				case token.IsOnWord(key):
					if target := valueAt(&v.Body, "target", "to"); target != nil {
						s.to = append(s.to, edge{eventName(key), target, hasKey(&v.Body, "guard"), n, n.Key.At})
					}
				}
			case *ast.String, *ast.Ident:
				if token.IsOnWord(key) && key != "on_entry" && key != "on_exit" {
					s.to = append(s.to, edge{eventName(key), v, false, n, n.Key.At})
				}
			case *ast.Array:
				if key == "transitions" || key == "on" {
					c.listedEdges(v, s)
				}
			}
		case *ast.Mapping:
			guarded := hasKey(n.Body, "guard")
			for _, a := range n.Actions {
				if f, ok := a.(*ast.Call); ok && nameOf(f.Fn) == "guard" {
					guarded = true
				}
			}
			s.to = append(s.to, edge{eventName(nameOf(n.From)), n.To, guarded, n, n.From.Span()})
		case *ast.Block:
			switch {
			case n.Heading().Arrow != nil:
				at := c.kindSpan(n)
				if n.Name != nil {
					at = n.Name.Span()
				}
				out := edge{eventName(n.NameText()), n.Heading().Arrow, guardedBy(n.Heading().Args, n.Body), n, at}
				if n.BlockKind == "transition" && n.NameText() == name {
					out.event = eventBetween(out, n.Body)
				}
				s.to = append(s.to, out)
			case n.BlockKind == "states":
				c.statesIn(n.Body, m, s, p)
			case n.BlockKind == "state" && n.Name != nil:
				c.stateIn(n.NameText(), n.Name.Span(), n.Body, m, s, p)
			case n.BlockKind == "transitions" || n.BlockKind == "on":
				c.transitionsOf(n.Body, s)
			}
		}
	}
}

func (c *checker) transitionsOf(body *ast.Body, s *stateOf) {
	for _, n := range body.Items {
		switch n := n.(type) {
		case *ast.Property:
			switch v := n.Value.(type) {
			case *ast.Transition:
				s.to = append(s.to, edge{eventName(n.Key.Name()), v.Target, len(v.Calls) > 0, n, n.Key.At})
			case *ast.String, *ast.Ident:
				s.to = append(s.to, edge{eventName(n.Key.Name()), v, false, n, n.Key.At})
			case *ast.Object:
				if target := valueAt(&v.Body, "target", "to"); target != nil {
					s.to = append(s.to, edge{eventName(n.Key.Name()), target, hasKey(&v.Body, "guard"), n, n.Key.At})
				}
			}
		case *ast.Mapping:
			s.to = append(s.to, edge{eventName(nameOf(n.From)), n.To, hasKey(n.Body, "guard") || len(n.Actions) > 0, n, n.From.Span()})
		}
	}
}

func (c *checker) listedEdges(a *ast.Array, s *stateOf) {
	for _, e := range a.Elements {
		o, ok := e.(*ast.Object)
		if !ok {
			continue
		}
		target := valueAt(&o.Body, "target", "to")
		if target == nil {
			continue
		}
		event := nameOf(valueAt(&o.Body, "event", "on"))
		s.to = append(s.to, edge{eventName(event), target, hasKey(&o.Body, "guard"), e, e.Span()})
	}
}

// readTransitions reads transitions: [ { from: a, to: b, event: "x" } ].
func (c *checker) readTransitions(v ast.Node, m *stateMachine) {
	a, ok := v.(*ast.Array)
	if !ok {
		return
	}
	for _, e := range a.Elements {
		o, ok := e.(*ast.Object)
		if !ok {
			continue
		}
		target := valueAt(&o.Body, "to", "target")
		if target == nil {
			continue
		}
		out := edge{eventName(nameOf(valueAt(&o.Body, "event", "on"))), target, hasKey(&o.Body, "guard"), e, e.Span()}
		from := valueAt(&o.Body, "from", "source")
		if s := m.byName[nameOf(from)]; s != nil {
			s.to = append(s.to, out)
		} else {
			if name := nameOf(from); name != "" && name != "*" {
				c.noStateNamed(from, name, m)
			}
			m.any = append(m.any, out)
		}
	}
}

// mappingEdge reads idle -> busy beside the states.
func (c *checker) mappingEdge(n *ast.Mapping, m *stateMachine) {
	out := edge{"", n.To, guardedBy(n.Actions, n.Body), n, n.From.Span()}
	out.event = eventBetween(out, n.Body)
	m.between = append(m.between, out)
}

// betweenStates reads transition "idle" -> "busy".
func (c *checker) betweenStates(n *ast.Block, m *stateMachine) bool {
	if n.BlockKind != "transition" || n.Name == nil || n.Heading().Arrow == nil {
		return false
	}
	out := edge{"", n.Heading().Arrow, guardedBy(n.Heading().Args, n.Body), n, n.Name.Span()}
	out.event = eventBetween(out, n.Body)
	m.between = append(m.between, out)
	return true
}

// join gives the transitions that name both states to those they lead from.
func (c *checker) join(m *stateMachine) (faults bool) {
	for _, out := range m.between {
		var from ast.Node
		switch n := out.item.(type) {
		case *ast.Block:
			from = n.Name
		case *ast.Mapping:
			from = n.From
		}
		name := nameOf(from)
		s := m.byName[name]
		switch {
		case s != nil:
			s.to = append(s.to, out)
		case name == "*" || name == "":
			m.any = append(m.any, out)
		default:
			c.noStateNamed(from, name, m)
			faults = true
		}
	}
	return faults
}

// guardedBy says whether calls or settings of a transition contain a guard.
func guardedBy(calls []ast.Node, body *ast.Body) bool {
	for _, a := range calls {
		if f, ok := a.(*ast.Call); ok && (nameOf(f.Fn) == "guard" || nameOf(f.Fn) == "if" || nameOf(f.Fn) == "when") {
			return true
		}
	}
	return valueAt(body, "guard", "if", "when") != nil
}

// eventBetween is the event of a transition between two named states: what it says;
// none where a guard or a time decides; else one called like the target.
func eventBetween(e edge, body *ast.Body) string {
	if event := valueAt(body, "event", "on"); event != nil {
		return eventName(nameOf(event))
	}
	if e.guarded || valueAt(body, "after", "timeout") != nil {
		return ""
	}
	return eventName(nameOf(e.target))
}

func valueAt(body *ast.Body, keys ...string) ast.Node {
	if body == nil {
		return nil
	}
	for _, n := range body.Items {
		if p, ok := n.(*ast.Property); ok {
			for _, k := range keys {
				if p.Key.Name() == k {
					return p.Value
				}
			}
		}
	}
	return nil
}

func hasKey(body *ast.Body, key string) bool { return valueAt(body, key) != nil }

// edges judges transitions and says whether one is at fault.
func (c *checker) edges(list []edge, m *stateMachine) bool {
	faults := false
	seen := map[string]edge{}
	for _, e := range list {
		if name := nameOf(e.target); name != "" && m.byName[name] == nil {
			c.noStateNamed(e.target, name, m)
			faults = true
		}
		if e.event == "" {
			continue
		}
		if before, ok := seen[e.event]; ok && !before.guarded && !e.guarded {
			at := c.lines(e.item.Span())
			c.add("STM004", e.at, e.event).Related("The first one.", int(before.at.Start), int(before.at.End)).
				Fix("Remove the second", int(at.Start), int(at.End), "")
		} else if !ok || before.guarded {
			seen[e.event] = e
		}
	}
	return faults
}

func (c *checker) noStateNamed(n ast.Node, name string, m *stateMachine) {
	var known []string
	for k := range m.byName {
		known = append(known, k)
	}
	near, ok := c.nearest(name, known)
	if !ok {
		c.add("STM002", n.Span(), name, "")
		return
	}
	c.respell(c.add("STM002", n.Span(), name, hint(near)), n, near)
}

// unreached reports states that nothing leads to.
func (c *checker) unreached(m *stateMachine) {
	reached := map[*stateOf]bool{}
	var queue []*stateOf
	visit := func(name string) {
		if s := m.byName[name]; s != nil && !reached[s] {
			reached[s] = true
			queue = append(queue, s)
		}
	}
	visit(nameOf(m.initial))
	for _, e := range m.any {
		visit(nameOf(e.target))
	}
	outer := map[*stateOf]*stateOf{}
	for _, s := range m.states {
		for _, inner := range s.nested {
			outer[inner] = s
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for _, e := range s.to {
			visit(nameOf(e.target))
			if nameOf(e.target) == "" {
				return // known at run time only
			}
		}
		for _, inner := range s.nested { // the first is entered, the others may be
			visit(inner.name)
		}
		if o := outer[s]; o != nil {
			visit(o.name)
		}
	}
	for _, s := range m.states {
		if !reached[s] && strings.TrimSpace(s.name) != "" {
			c.add("STM003", s.at, s.name)
		}
	}
}

// transition looks at the calls of -> target guard(x) action(y).
func (c *checker) transition(n *ast.Transition, p place) {
	for _, call := range n.Calls {
		if f, ok := call.(*ast.Call); ok {
			c.arguments(f.Args, p)
		}
	}
	if n.Options != nil {
		q := p
		q.data = true
		c.judgeBody(n.Options, q)
	}
}
