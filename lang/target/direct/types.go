package direct

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/run/table"
	"github.com/meshd/meshd/lang/scene"
)

// types are the kinds of values that a program may have, wherever they are: of
// slots, of properties by their keys, of locals, parameters and results. They are
// a fixpoint over all functions, also those that do not translate.
type types struct {
	p       *run.Program
	nodes   map[string]map[string]Type // properties that nodes begin with
	slotAt  map[[2]string]int
	compAt  map[[2]string]int
	slots   []Type
	props   map[string]Type // of all writes to a key
	locals  [][]Type
	results []Type
	byName  map[string][]int
	all     bool // any property, and any slot, may be anything
	vecs    bool // lists of numbers may have other elements
	changed bool
	hosts   map[string]Type
	numbers map[[2]int]bool // parameters that are numbers, see Func
}

// value is what is known of a value on the stack.
type value struct {
	t    Type
	node string // the node it is, "" where that is not known
	text string // the constant text it is
}

var opNames = func() []string {
	out := make([]string, len(table.Ops))
	for i, o := range table.Ops {
		out[i] = o.Name
	}
	return out
}()

var kindTypes = map[string]Type{"null": Null, "boolean": Bool, "number": Num, "string": Text, "node": Node | Null, "list": List, "any": Any}

func infer(c *run.Compiled, s *scene.Scene) *types {
	p := c.Program
	w := &types{
		p: p, nodes: map[string]map[string]Type{}, slotAt: map[[2]string]int{}, compAt: map[[2]string]int{}, slots: make([]Type, len(p.State)),
		props: map[string]Type{}, locals: make([][]Type, len(p.Functions)), results: make([]Type, len(p.Functions)), byName: map[string][]int{}, hosts: map[string]Type{}, numbers: map[[2]int]bool{},
	}
	for _, o := range table.Operations {
		w.hosts[o.Name] = kindTypes[o.Result]
	}
	for _, n := range c.Nodes {
		own := map[string]Type{}
		for _, k := range n.Props.Keys {
			own[k] = typeOf(n.Props.Values[k])
		}
		w.nodes[n.ID] = own
	}
	for i, s := range p.State {
		if _, there := w.slotAt[[2]string{s.Owner, s.Key}]; !there {
			w.slotAt[[2]string{s.Owner, s.Key}] = i
		}
		if s.Init.Fn < 0 {
			w.slots[i] = typeOf(p.Consts[s.Init.Const])
		}
	}
	for i, c := range p.Computed {
		w.compAt[[2]string{c.Owner, c.Key}] = i
	}
	for i, f := range p.Functions {
		w.locals[i] = make([]Type, f.Locals)
		w.byName[f.Name] = append(w.byName[f.Name], i)
	}
	for i := range s.UI {
		w.control(&s.UI[i])
	}
	w.entries()
	for w.changed = true; w.changed; {
		w.changed = false
		for i := range p.Functions {
			w.function(i)
		}
		for _, b := range p.Binds {
			w.put(b.Property, w.results[b.Fn])
		}
		for _, x := range p.Wires {
			if x.Set != nil {
				w.join(&w.slots[*x.Set], w.results[x.Fn])
			}
		}
		for i, s := range p.State {
			if s.Init.Fn >= 0 {
				w.join(&w.slots[i], w.results[s.Init.Fn])
			}
		}
		for _, x := range p.Watches {
			w.arguments(x.Fn, []value{{t: w.slots[x.State]}, {t: w.slots[x.State]}})
		}
	}
	return w
}

// control lets the state that a control is bound to be anything.
func (w *types) control(u *scene.Widget) {
	for i := range w.p.State {
		if w.p.State[i].Owner == run.SceneOwner && w.p.State[i].Key == u.Bind {
			w.slots[i] = Any
		}
	}
	for i := range u.Children {
		w.control(&u.Children[i])
	}
}

func typeOf(v any) Type {
	switch v := v.(type) {
	case nil:
		return Null
	case bool:
		return Bool
	case float64:
		return Num
	case string:
		return Text
	case *run.List:
		if len(v.Items) >= 3 && len(v.Items) <= 4 && !slices.ContainsFunc(v.Items, func(e run.Value) bool { _, ok := e.(float64); return !ok }) {
			return Vec
		}
		return List
	case *run.Object:
		return Obj
	}
	return Any
}

func (w *types) join(at *Type, t Type) {
	if *at|t != *at {
		*at |= t
		w.changed = true
	}
}

func (w *types) put(key string, t Type) {
	if w.props[key]|t != w.props[key] {
		w.props[key] |= t
		w.changed = true
	}
	for at, i := range w.slotAt {
		if at[1] == key {
			w.join(&w.slots[i], t)
		}
	}
}

// anything gives up: any key may be anything.
func (w *types) anything() {
	if w.all {
		return
	}
	w.all, w.vecs, w.changed = true, true, true
	for i := range w.slots {
		w.slots[i] = Any
	}
}

func (w *types) spoil() {
	if !w.vecs {
		w.vecs, w.changed = true, true
	}
}

// entries are the functions that run with what comes from outside.
func (w *types) entries() {
	any := func(fn int) {
		if fn >= 0 {
			for i := range w.p.Functions[fn].Params {
				w.locals[fn][i] = Any
			}
		}
	}
	none := func(fn int) {
		if fn >= 0 {
			for i := range w.p.Functions[fn].Params {
				w.locals[fn][i] |= Null
			}
		}
	}
	p := w.p
	for _, h := range p.Handlers {
		if f := &p.Functions[h.Fn]; h.Event == "update" && f.Params == 1 && !f.Rest {
			w.locals[h.Fn][0], w.numbers[[2]int{h.Fn, 0}] = Num, true
			continue
		}
		any(h.Fn)
	}
	for _, h := range p.Subscriptions {
		any(h.Fn)
	}
	for _, h := range p.Wires {
		any(h.Fn)
	}
	for _, c := range p.Computed {
		none(c.Fn)
	}
	for _, b := range p.Binds {
		none(b.Fn)
	}
	for _, s := range p.Schedules {
		none(s.Fn)
	}
	for _, t := range p.Timelines {
		for _, s := range t.Steps {
			none(int(s[1]))
		}
	}
	for _, s := range p.State {
		none(s.Init.Fn)
	}
	for _, m := range p.Machines {
		for _, s := range m.States {
			none(s.Entry)
			none(s.Exit)
			for _, t := range s.On {
				any(t.Guard)
				none(t.Action)
			}
		}
	}
	var tree func(n *run.TreeNode)
	tree = func(n *run.TreeNode) {
		none(n.Fn)
		for i := range n.Children {
			tree(&n.Children[i])
		}
	}
	for i := range p.Trees {
		tree(&p.Trees[i].Root)
	}
}

// arguments are what a function is called with.
func (w *types) arguments(fn int, args []value) {
	f := &w.p.Functions[fn]
	for i := range f.Params {
		t := Null
		if i < len(args) {
			t = args[i].t
		}
		if f.Rest && i == f.Params-1 {
			t = List
		}
		w.join(&w.locals[fn][i], t)
	}
}

// unknown lets a function be called with anything.
func (w *types) unknown(fn int) {
	for i := range w.p.Functions[fn].Params {
		w.join(&w.locals[fn][i], Any)
	}
}

// member is the kind of a member of a value.
func (w *types) member(v value, name string) Type {
	switch {
	case v.t.Is(Node) && v.node != "":
		return w.property(v.node, name)
	case v.t.Is(Vec) && len(name) == 1 && strings.Contains("xyzw", name):
		if w.vecs || name == "w" { // a fourth one need not be there
			return Any
		}
		return Num
	case v.t.Is(Text|Vec|List) && name == "length":
		return Num
	}
	return Any
}

// property is the kind of a member of a node that is known.
func (w *types) property(node, name string) Type {
	if w.all {
		return Any
	}
	switch name {
	case "id", "name":
		return Text
	case "state":
		return Other
	case "parent":
		return Node | Null
	case "current_state", "instances":
		return Any
	}
	t, first := w.nodes[node][name]
	written := w.props[name]
	if i, ok := w.slotAt[[2]string{node, name}]; ok {
		return t | written | w.slots[i]
	}
	if i, ok := w.compAt[[2]string{node, name}]; ok && !first {
		return written | w.results[w.p.Computed[i].Fn]
	}
	if !first {
		t = Null
	}
	return t | written
}
