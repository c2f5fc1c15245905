package run

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/token"
)

// bodyItems are what stands in the braces of a block, an attribute or a property.
func bodyItems(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.Block:
		if n.Body != nil {
			return n.Body.Items
		}
	case *ast.Attribute:
		switch {
		case n.Config != nil && n.Body != nil: // @state_machine(initial: "cold") { … }
			return slices.Concat(n.Config.Items, n.Body.Items)
		case n.Config != nil:
			return n.Config.Items
		case n.Body != nil:
			return n.Body.Items
		}
		return bodyItems(n.Value)
	case *ast.Property:
		return bodyItems(n.Value)
	case *ast.Object:
		return n.Body.Items
	case *ast.Constructor:
		if n.Body != nil {
			return n.Body.Items
		}
	case *ast.Body:
		return n.Items
	}
	return nil
}

// entry is a key with its value, however it is written.
func entry(n ast.Node) (key string, value ast.Node) {
	switch n := n.(type) {
	case *ast.Property:
		return n.Key.Name(), n.Value
	case *ast.Block:
		if n.BlockKind == "state" && n.Name != nil || n.BlockKind == "" {
			return n.NameText(), n
		}
		return n.BlockKind, n
	case *ast.Func:
		return n.Name, n
	case *ast.Command:
		if len(n.Args) == 1 {
			return n.Verb, n.Args[0]
		}
	}
	return "", nil
}

func wordOf(n ast.Node) string {
	if p := pathOf(n); len(p) > 0 {
		return strings.Join(p, ".")
	}
	if e, ok := n.(*ast.EnumWord); ok {
		return e.Name
	}
	return ""
}

// edge is a transition whose target has no number yet.
type edge struct {
	state        int
	event, to    string
	guard, doing ast.Node
	after        ast.Node // how long the state lasts, where no event is named
	at           ast.Node
}

type machineMaker struct {
	*builder
	id    string
	code  scene.Code
	m     StateMachine
	names map[string]int
	edges []edge
	// between are transitions that name the state they lead from.
	between []ast.Node
	// timed are the states that last as long as an expression says, entered what the
	// states run first.
	timed, entered map[int]ast.Node
	whens          map[ast.Node]ast.Node // what stands behind a -> b when …
	behind         map[ast.Node]behind
	more           bool // another machine of the owner is what current_state is of
}

// machine compiles a state machine.
func (b *builder) machine(id string, code scene.Code) {
	k := &machineMaker{builder: b, id: id, code: code, names: map[string]int{}}
	k.m = StateMachine{Node: id, States: []State{}}
	k.whens = whensOf(code.File, bodyItems(code.Node))
	k.more = slices.ContainsFunc(b.p.Machines, func(m StateMachine) bool { return m.Node == id })
	initial := ""
	for _, it := range k.lines(bodyItems(code.Node)) {
		key, v := entry(it)
		switch {
		case key == "initial" || key == "initial_state" || key == "start":
			if initial = wordOf(v); initial == "" {
				if bl, ok := it.(*ast.Block); ok {
					initial = bl.NameText()
				}
			}
		case key == "states":
			k.states(v, -1)
		case key == "transitions":
			k.listed(v, -1)
		default:
			if k.isBetween(it) {
				break
			}
			if bl, ok := it.(*ast.Block); ok && bl.BlockKind == "state" {
				k.state(bl.NameText(), bl, -1)
			} else if ok && ast.BareState(bl, bodyItems(code.Node)) {
				k.state(bl.BlockKind, bl, -1)
			} else if it.Kind() == ast.KindExprStmt || it.Kind() == ast.KindArray {
				k.refuse(code.File, it, "this line of a machine")
			}
		}
	}
	k.joinStates()
	if len(k.m.States) == 0 {
		return
	}
	if i, ok := k.names[initial]; ok {
		k.m.Initial = i
	} else if initial != "" {
		k.refuse(code.File, code.Node, "the unknown initial state '"+initial+"'")
	}
	for _, e := range k.edges {
		to, ok := k.names[e.to]
		if i := strings.LastIndexByte(e.to, '.'); !ok && i >= 0 { // running.fill, of the state within
			to, ok = k.names[e.to[i+1:]]
		}
		if !ok {
			b.refuse(code.File, e.at, "a transition to the unknown state '"+e.to+"'")
			continue
		}
		if e.event == "" && e.after != nil {
			e.event = "timeout"
			k.keeps(e.state, e.after)
		}
		if e.event == "" {
			e.event = k.eventless(&e)
		}
		t := Transition{Event: e.event, To: to, Guard: k.function("guard", e.guard, true), Action: k.function("action", e.doing, false)}
		s := &k.m.States[e.state]
		s.On = append(s.On, t)
	}
	k.waits()
	if key := (slotKey{id, code.Name}); code.Name != "" && b.automata[key] == 0 {
		b.automata[key] = len(b.p.Machines) + 1
	}
	b.p.Machines = append(b.p.Machines, k.m)
}

// isBetween takes transition "a" -> "b" and a -> b where states and no events are
// named on the left.
func (k *machineMaker) isBetween(it ast.Node) bool {
	switch it := it.(type) {
	case *ast.Block:
		if it.BlockKind != "transition" || it.Heading().Arrow == nil || it.Name == nil {
			return false
		}
	case *ast.Mapping:
	default:
		return false
	}
	k.between = append(k.between, it)
	return true
}

// joinStates makes the transitions between states that are named by both. Where no
// states are declared, those that are named so are the states.
func (k *machineMaker) joinStates() {
	undeclared := len(k.m.States) == 0
	find := func(name string, at ast.Node) (int, bool) {
		i, ok := k.names[name]
		switch {
		case ok || name == "":
		case undeclared || name == "*":
			i, ok = len(k.m.States), true
			k.names[name] = i
			k.m.States = append(k.m.States, State{Name: name, Parent: -1, Entry: -1, Exit: -1, On: []Transition{}})
		default:
			k.refuse(k.code.File, at, "a transition from the unknown state '"+name+"'")
		}
		return i, ok
	}
	for _, n := range k.between {
		e := edge{at: n}
		from := ""
		switch n := n.(type) {
		case *ast.Block:
			from, e.to = n.NameText(), wordOf(n.Heading().Arrow)
			e.calls(n.Heading().Args, n.Body)
		case *ast.Mapping:
			from, e.to = wordOf(n.From), wordOf(n.To)
			e.calls(append(slices.Clone(n.Calls), n.Actions...), n.Body)
			k.trailing(&e, n)
			if g := k.whens[n]; g != nil {
				e.guard = g
			}
		}
		state, ok := find(from, n)
		if !ok {
			continue
		}
		if undeclared {
			find(e.to, n)
		}
		e.state = state
		k.edges = append(k.edges, e)
	}
}

// eventless is the event of a transition that names none: with a guard each step
// asks whether it is true, without one an event called like the target is waited for.
func (k *machineMaker) eventless(e *edge) string {
	if e.guard == nil {
		return eventOf(e.to)
	}
	if !slices.ContainsFunc(k.p.Handlers, func(h Handler) bool { return h.Node == k.id && h.Event == "update" }) {
		k.p.Handlers = append(k.p.Handlers, Handler{k.id, "update", k.later(k.id, "on update", k.code, &ast.Arrow{Base: *e.at.Common(), Body: &ast.Body{}})})
	}
	return "update"
}

// codeOf compiles an expression or a piece of code; a bare name of a function
// is a call of it.
func (b *builder) codeOf(id, name string, code scene.Code, n ast.Node, isName bool) int {
	if n == nil {
		return -1
	}
	switch x := n.(type) {
	case *ast.String:
		if path := strings.Split(x.Value(), "."); isName {
			n = &ast.Call{Base: x.Base, Fn: &ast.Ident{Base: x.Base, Name: path[len(path)-1]}}
		}
	case *ast.Ident:
		if isName || b.isFunction(id, x.Name) {
			n = &ast.Call{Base: x.Base, Fn: x}
		}
	case *ast.Path:
		if isName {
			n = &ast.Call{Base: x.Base, Fn: x}
		}
	case *ast.Object:
		n = &x.Body
	}
	return b.later(id, name, code, n)
}

func (b *builder) isFunction(id, name string) bool {
	for _, o := range b.above(id) {
		if _, ok := b.functions[slotKey{o, name}]; ok {
			return true
		}
	}
	return false
}

func (k *machineMaker) function(name string, n ast.Node, asks bool) int {
	return k.codeOf(k.id, name, k.code, n, !asks)
}

func (k *machineMaker) states(v ast.Node, parent int) {
	if a, ok := v.(*ast.Array); ok {
		for _, e := range a.Elements {
			name := wordOf(e)
			for _, it := range bodyItems(e) {
				if key, x := entry(it); key == "name" || key == "id" {
					name = wordOf(x)
				}
			}
			if bl, ok := e.(*ast.Block); ok && name == "" {
				name, _ = entry(bl)
			}
			k.state(name, e, parent)
		}
		return
	}
	for _, it := range bodyItems(v) {
		if k.isBetween(it) {
			continue
		}
		if name, x := entry(it); name != "" {
			k.state(name, x, parent)
		} else if s, ok := it.(*ast.ExprStmt); ok {
			k.state(wordOf(s.X), s.X, parent)
		}
	}
}

// state reads one state with what lies in it.
func (k *machineMaker) state(name string, v ast.Node, parent int) {
	if name == "" {
		return
	}
	i := len(k.m.States)
	k.m.States = append(k.m.States, State{Name: name, Parent: parent, Entry: -1, Exit: -1, On: []Transition{}})
	if _, there := k.names[name]; !there {
		k.names[name] = i
	}
	for _, it := range k.lines(bodyItems(v)) {
		if m, ok := it.(*ast.Mapping); ok { // on_called -> moving
			e := edge{state: i, event: eventOf(wordOf(m.From)), to: wordOf(m.To), at: m}
			e.calls(append(append([]ast.Node(nil), m.Calls...), m.Actions...), m.Body)
			k.trailing(&e, m)
			k.edges = append(k.edges, e)
			continue
		}
		key, x := entry(it)
		switch key {
		case "":
		case "on_entry", "entry", "on_enter", "enter":
			k.m.States[i].Entry = k.function(name+" entry", codeNode(it, x), false)
			if k.entered == nil {
				k.entered = map[int]ast.Node{}
			}
			k.entered[i] = codeNode(it, x)
		case "on_exit", "exit", "on_leave", "leave":
			k.m.States[i].Exit = k.function(name+" exit", codeNode(it, x), false)
		case "after", "timeout":
			k.keeps(i, x)
		case "states":
			k.states(x, i)
		case "on", "transitions":
			if a, ok := x.(*ast.Array); ok {
				k.listed(a, i)
				continue
			}
			for _, t := range bodyItems(x) {
				if event, to := entry(t); event != "" {
					k.edge(i, event, to, t)
				}
			}
		default:
			if bl, ok := it.(*ast.Block); ok && bl.Heading().Arrow != nil {
				if bl.NameText() == name && bl.BlockKind == "transition" {
					k.between = append(k.between, bl)
					continue
				}
				e := edge{state: i, event: eventOf(bl.NameText()), to: wordOf(bl.Heading().Arrow), at: bl}
				e.calls(bl.Heading().Args, bl.Body)
				k.edges = append(k.edges, e)
			} else if ok && bl.BlockKind == "state" {
				k.state(bl.NameText(), bl, i)
			} else if strings.HasPrefix(key, "on") {
				k.edge(i, key, x, it)
			} else if ok && k.every(name, bl) {
				break
			} else if ok && len(bl.Heading().Args) > 0 {
				k.refuse(k.code.File, it, "'"+key+"' in a state")
			} else if _, ok := it.(*ast.Func); ok {
				k.refuse(k.code.File, it, "'"+key+"' in a state")
			}
		}
	}
}

// codeNode is what an entry runs.
func codeNode(it, x ast.Node) ast.Node {
	if f, ok := it.(*ast.Func); ok {
		return f
	}
	if b, ok := x.(*ast.Block); ok {
		return b.Body
	}
	return x
}

// edge reads event: -> target, event: "target" and event: { target, guard }.
func (k *machineMaker) edge(state int, event string, to, at ast.Node) {
	e := edge{state: state, event: eventOf(event), at: at}
	switch to := to.(type) {
	case *ast.Transition:
		e.to = wordOf(to.Target)
		e.calls(to.Calls, to.Options)
	case *ast.Object:
		e.options(&to.Body)
	default:
		e.to = wordOf(to)
	}
	if e.to != "" {
		k.edges = append(k.edges, e)
	}
}

// calls takes guard(x) and action(y).
func (e *edge) calls(calls []ast.Node, options *ast.Body) {
	for _, c := range calls {
		call, ok := c.(*ast.Call)
		if !ok || len(call.Args) != 1 {
			continue
		}
		switch wordOf(call.Fn) {
		case "guard", "if", "when":
			e.guard = call.Args[0]
		case "action", "do":
			e.doing = call.Args[0]
		}
	}
	if options != nil {
		e.options(options)
	}
}

func (e *edge) options(body *ast.Body) {
	for _, it := range body.Items {
		key, v := entry(it)
		switch key {
		case "target", "to":
			e.to = wordOf(v)
		case "guard", "if", "when":
			e.guard = v
		case "action", "do":
			e.doing = codeNode(it, v)
		case "event", "on":
			e.event = eventOf(wordOf(v))
		case "after", "timeout":
			e.after = v
		}
	}
}

// listed reads transitions: [ { from: a, to: b, event: "x" } ].
func (k *machineMaker) listed(v ast.Node, state int) {
	a, ok := v.(*ast.Array)
	if !ok {
		return
	}
	for _, x := range a.Elements {
		o, ok := x.(*ast.Object)
		if !ok {
			continue
		}
		e := edge{state: state, at: x}
		e.options(&o.Body)
		if state < 0 {
			from := "*"
			for _, it := range o.Body.Items {
				if key, v := entry(it); key == "from" || key == "source" {
					from = wordOf(v)
				}
			}
			i, ok := k.names[from]
			if !ok && from == "*" {
				i = len(k.m.States)
				k.names["*"] = i
				k.m.States = append(k.m.States, State{Name: "*", Parent: -1, Entry: -1, Exit: -1, On: []Transition{}})
			} else if !ok {
				k.refuse(k.code.File, x, "a transition from the unknown state '"+from+"'")
				continue
			}
			e.state = i
		}
		k.edges = append(k.edges, e)
	}
}

// eventOf is the event that a key such as on_called or onCalled names, or a text.
// A control is named as the author wrote it.
func eventOf(key string) string {
	if strings.HasPrefix(key, "ui:") {
		return key
	}
	return token.EventName(key)
}
