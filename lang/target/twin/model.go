// Package twin writes what a source says of its things as descriptions of
// digital twins: interfaces of DTDL, a Thing Description of the Web of Things,
// and Asset Administration Shells. All three are read off one model.
package twin

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// thing is the scene or a node with something to describe: state, readings, actions
// or events.
type thing struct {
	node       *scene.Node // nil for the scene
	id         string      // of the node, or "scene"
	title      string
	source     string
	properties []property
	readings   []property
	actions    []action
	events     []event
	parts      []int // the things right below it

	types *types
}

// event is something that a thing raises. kind is that of what comes with it, nil for
// nothing.
type event struct {
	name string
	kind *kind
}

// property is something that has a value at any time, or a reading.
type property struct {
	name     string
	kind     kind
	value    scene.Value // Unknown for none
	writable bool
	note     string
}

// action is something that can be asked for.
type action struct {
	name   string
	params []property
	result *kind // nil for none
	note   string
	about  string // what the author wrote of it
}

// build reads the things of a source.
func build(in *artefact.Input) ([]thing, error) {
	s := in.Scene
	owners := map[string]*scene.Owner{}
	if s.Behaviour != nil {
		for i := range s.Behaviour.Owners {
			if o := &s.Behaviour.Owners[i]; o.Node != "" || o.Parent == "" && o.Name == "" {
				owners[o.Node] = o
			}
		}
	}
	machines, err := machinesOf(in)
	if err != nil {
		return nil, err
	}
	agents := map[string]scene.Value{}
	for _, a := range s.Agents {
		agents[a.Owner] = a.Data
	}
	types := typesOf(in)
	var out []thing
	at := make([]int, len(s.Nodes)) // the thing of a node or above it
	add := func(t thing) int {
		out = append(out, t)
		return len(out) - 1
	}
	top := -1
	root := thing{id: "scene", title: cmp.Or(s.Name, "scene"), source: in.Source(scene.Src{0, 1, 1}), types: types}
	root.own(owners[""])
	root.machines(machines[""])
	if root.offersAnything() {
		top = add(root)
	}
	for i := range s.Nodes {
		in.Pause()
		n := &s.Nodes[i]
		t := thing{node: n, id: n.ID, title: cmp.Or(n.Label, n.Name, n.Path), source: in.Source(n.Src), types: types}
		t.own(owners[n.ID])
		t.machines(machines[n.ID])
		t.traits(n)
		if a, ok := agents[n.ID]; ok {
			t.agent(a)
		}
		up := top
		if n.Parent >= 0 {
			up = at[n.Parent]
		}
		if at[i] = up; !t.offersAnything() {
			continue
		}
		at[i] = add(t)
		if up >= 0 {
			out[up].parts = append(out[up].parts, at[i])
		}
	}
	if len(out) == 0 {
		return nil, artefact.Nothing(in.Target, "a thing with state, actions, events or readings")
	}
	return out, nil
}

func (t *thing) offersAnything() bool {
	return len(t.properties)+len(t.readings)+len(t.actions)+len(t.events) > 0
}

// own takes what the owner keeps, computes, does and raises.
func (t *thing) own(o *scene.Owner) {
	if o == nil {
		return
	}
	names := known{names: map[string]kind{}}
	for _, st := range o.State {
		v := scene.Data(st.Init)
		k := started(t.types.of(st.Type, 0), v)
		names.names[st.Key] = k
		t.properties = append(t.properties, property{name: st.Key, kind: k, value: v, writable: true})
	}
	for _, c := range o.Computed {
		if g, ok := c.Node.(*ast.Func); ok { // a getter
			t.accessor(g, names)
			continue
		}
		k := names.expr(c.Node, 0)
		names.names[c.Name] = k
		t.properties = append(t.properties, property{name: c.Name, kind: k, note: "computed"})
	}
	for _, f := range o.Functions {
		if g, ok := f.Node.(*ast.Func); ok && (g.FuncKind == ast.Getter || g.FuncKind == ast.Setter) {
			t.accessor(g, names)
			continue
		}
		t.actions = append(t.actions, t.actionOf(f))
	}
	for _, list := range [][]scene.Code{o.Functions, o.Handlers, o.Watches, o.Machines, o.Trees} {
		for _, c := range list {
			t.emits(c.Node, known{names.names, t.params(c.Node)})
		}
	}
}

// accessor adds what a getter reads and a setter writes.
func (t *thing) accessor(f *ast.Func, names known) {
	i := slices.IndexFunc(t.properties, func(p property) bool { return p.name == f.Name })
	if i < 0 {
		t.properties = append(t.properties, property{name: f.Name, note: "computed"})
		i = len(t.properties) - 1
	}
	if f.FuncKind == ast.Setter {
		t.properties[i].writable = true
	} else if f.Result != nil {
		t.properties[i].kind = t.types.of(f.Result, 0)
	} else if _, block := f.Body.(*ast.Body); !block {
		t.properties[i].kind = names.expr(f.Body, 0)
	}
}

// event notes an event. What comes with it is known when all that raise it agree.
func (t *thing) event(name string, k *kind) {
	if name == "" {
		return
	}
	i := slices.IndexFunc(t.events, func(e event) bool { return e.name == name })
	switch {
	case i < 0:
		t.events = append(t.events, event{name, k})
	case t.events[i].kind == nil:
		t.events[i].kind = k
	case k != nil && !equal(*t.events[i].kind, *k):
		t.events[i].kind = &kind{}
	}
}

// emits finds the events that a piece of code raises.
func (t *thing) emits(n ast.Node, names known) {
	if n == nil {
		return
	}
	ast.Walk(n, func(n ast.Node) bool {
		var args []ast.Node
		name := ""
		switch n := n.(type) {
		case *ast.Emit:
			args = n.Args
			if len(args) > 0 && !n.Is(ast.ParenForm) { // emit ready, not emit(ready)
				if id, ok := args[0].(*ast.Ident); ok {
					name = id.Name
				}
			}
		case *ast.Call:
			if fn, ok := n.Fn.(*ast.Ident); ok && fn.Name == "emit" {
				args = n.Args
			}
		}
		if len(args) > 0 {
			if s, ok := args[0].(*ast.String); ok {
				name = s.Value()
			}
			var with *kind
			if len(args) > 1 {
				k := names.expr(args[1], 0)
				with = &k
			}
			t.event(name, with)
		}
		return true
	})
}

// machines adds a property for each machine, whose values are its states.
func (t *thing) machines(list []run.StateMachine) {
	for i, m := range list {
		name := "machine"
		if i > 0 {
			name = fmt.Sprint("machine_", i+1)
		}
		k := kind{of: "text"}
		for _, s := range m.States {
			if !slices.Contains(k.words, s.Name) {
				k.words = append(k.words, s.Name)
			}
		}
		p := property{name: name, kind: k, note: "state of a machine"}
		if m.Initial >= 0 && m.Initial < len(m.States) {
			p.value = scene.Value{Kind: trait.Text, Str: m.States[m.Initial].Name}
		}
		t.properties = append(t.properties, p)
	}
}

// machinesOf are the machines by the node they belong to.
func machinesOf(in *artefact.Input) (map[string][]run.StateMachine, error) {
	c, err := in.Behaviour()
	if err != nil {
		return nil, err
	}
	out := map[string][]run.StateMachine{}
	if c.Program != nil {
		for _, m := range c.Program.Machines {
			out[m.Node] = append(out[m.Node], m)
		}
	}
	return out, nil
}

// traits adds the readings of sensors, what actuators take, and what can be done
// with the node.
func (t *thing) traits(n *scene.Node) {
	text := func(v scene.Value, key string) string {
		f, _ := scene.Get(v, key)
		return f.Str
	}
	for _, u := range n.Traits {
		what := text(u.Params, "type")
		switch u.Name {
		case "sensor", "iot_sensor":
			r := property{name: cmp.Or(what, "reading"), kind: kind{of: "number"}}
			if unit := text(u.Params, "unit"); unit != "" {
				r.note = "in " + unit
			}
			t.readings = append(t.readings, r)
		case "actuator":
			t.actions = append(t.actions, action{name: "set_" + cmp.Or(what, "value"), params: []property{{name: "value", kind: kind{of: "number"}}}, note: "actuator"})
		case "digital_twin":
			if v, ok := scene.Get(u.Params, "physical_id"); ok {
				t.properties = append(t.properties, property{name: "physical_id", kind: kind{of: "text"}, value: v})
			}
		}
	}
	for _, e := range n.Interact {
		t.event(e, nil)
	}
}

// agent adds the tools of an agent as its actions.
func (t *thing) agent(v scene.Value) {
	tools, _ := scene.Get(v, "tools")
	for _, tool := range tools.List {
		if tool.Str != "" && !slices.ContainsFunc(t.actions, func(a action) bool { return a.name == tool.Str }) {
			t.actions = append(t.actions, action{name: tool.Str, note: "tool of an agent"})
		}
	}
	t.event("message", nil)
}

// actionOf reads the signature of a function.
func (t *thing) actionOf(c scene.Code) action {
	a := action{name: c.Name, params: t.params(c.Node), about: artefact.Comment(c.File, c.Node)}
	if _, result := artefact.Params(c.Node); result != nil {
		if name, ok := result.(*ast.TypeName); !ok || name.Path != "void" {
			k := t.types.of(result, 0)
			a.result = &k
		}
	}
	return a
}

// params are the parameters of what can be called.
func (t *thing) params(n ast.Node) []property {
	list, _ := artefact.Params(n)
	var out []property
	for _, p := range list {
		if p.Name == "" {
			continue
		}
		parts := p.Parts()
		q := property{name: p.Name, kind: t.types.of(parts.Type, 0), writable: p.Optional || parts.Default != nil}
		if parts.Type == nil {
			q.kind = kindOfLiteral(parts.Default)
		}
		out = append(out, q)
	}
	return out
}
