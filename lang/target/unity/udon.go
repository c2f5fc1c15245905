package unity

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/run/table"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// udon is the program as flat arrays, which is what Udon can store.
type udon struct {
	w      *writer
	p      *run.Program
	why    []string
	b      strings.Builder
	shared list
}

func (u *udon) ints(name string, xs []int) {
	list := make([]string, len(xs))
	for i, x := range xs {
		list[i] = strconv.Itoa(x)
	}
	u.array("int", name, list)
}

func (u *udon) texts(name string, xs []string) {
	list := make([]string, len(xs))
	for i, x := range xs {
		list[i] = quoted(x)
	}
	u.array("string", name, list)
}

func (u *udon) doubles(name string, xs []float64) {
	list := make([]string, len(xs))
	for i, x := range xs {
		list[i] = strconv.FormatFloat(x, 'g', -1, 64) + "d"
	}
	u.array("double", name, list)
}

func (u *udon) flags(name string, xs []bool) {
	list := make([]string, len(xs))
	for i, x := range xs {
		list[i] = yes(x)
	}
	u.array("bool", name, list)
}

func (u *udon) array(kind, name string, xs []string) {
	if len(xs) == 0 {
		fmt.Fprintf(&u.b, "\t%s[] %s = new %s[0];\n", kind, name, kind)
		return
	}
	fmt.Fprintf(&u.b, "\t%s[] %s = new %s[] { %s };\n", kind, name, kind, strings.Join(xs, ", "))
}

// node is that of an owner, none for the scene.
func (u *udon) node(owner string) *scene.Node {
	if i, ok := u.w.index[owner]; ok {
		return &u.w.s.Nodes[i]
	}
	return nil
}

// lost reports what Udon does not run, at its node.
func (u *udon) lost(f artefact.Feature, owner, why string) {
	u.w.tally.Drop(f, u.node(owner), "Udon does not run what needs "+why)
}

// fits says whether a function runs, and reports the loss where it does not.
func (u *udon) fits(f artefact.Feature, owner string, fn int) bool {
	if fn < 0 || u.why[fn] == "" {
		return true
	}
	u.lost(f, owner, u.why[fn])
	return false
}

// fn is a function that runs, else none.
func (u *udon) fn(f artefact.Feature, owner string, fn int) int {
	if fn < 0 || !u.fits(f, owner, fn) {
		return -1
	}
	return fn
}

// tables writes the arrays.
func (u *udon) tables() {
	p := u.p
	kinds, numbers, words := []int{}, []float64{}, []string{}
	constant := func(v any) {
		kind, x, s := 0, 0.0, ""
		switch v := v.(type) {
		case bool:
			kind = 1
			if v {
				x = 1
			}
		case float64:
			kind, x = 2, v
		case string:
			kind, s = 3, v
		}
		kinds, numbers, words = append(kinds, kind), append(numbers, x), append(words, s)
	}
	for _, c := range p.Consts {
		constant(c)
	}
	// Properties that a program may read before it writes them.
	var propNode, propKey []string
	var propKind, propConst []int
	for _, n := range u.w.program.Nodes {
		var props map[string]any
		if json.Unmarshal([]byte(run.Show(n.Props)), &props) != nil {
			continue
		}
		for _, key := range properties {
			v, ok := props[key]
			if !ok {
				continue
			}
			kind := 0
			if l, isList := v.([]any); isList {
				kind = 1
				parts := []string{}
				for _, x := range l {
					if f, isNumber := x.(float64); isNumber {
						parts = append(parts, strconv.FormatFloat(f, 'g', -1, 64))
					}
				}
				if len(parts) == 0 || len(parts) != len(l) {
					continue
				}
				v = strings.Join(parts, ",")
			} else if _, isMap := v.(map[string]any); isMap || v == nil {
				continue
			}
			propNode, propKey, propKind, propConst = append(propNode, n.ID), append(propKey, key), append(propKind, kind), append(propConst, len(kinds))
			constant(v)
		}
	}
	u.ints("constKind", kinds)
	u.doubles("constNumber", numbers)
	u.texts("constText", words)
	u.texts("propNode", propNode)
	u.texts("propKey", propKey)
	u.ints("propKind", propKind)
	u.ints("propConst", propConst)
	u.ints("width", table.Widths())
	u.texts("hosts", p.Host)
	fmt.Fprintf(&u.b, "\tlong[] seed = new long[] { %d, %d, %d, %d };\n\tconst int rate = %d;\n", p.Seed[0], p.Seed[1], p.Seed[2], p.Seed[3], max(p.Rates.Spatial, 1))
	u.functions()
	u.state()
	u.events()
	u.clock()
	u.machines()
	for _, t := range p.Trees {
		u.lost(artefact.Machines, t.Node, "behaviour trees")
	}
}

func (u *udon) functions() {
	var code, at, params, locals []int
	var owners, names []string
	for i := range u.p.Functions {
		f := &u.p.Functions[i]
		at = append(at, len(code))
		params, locals = append(params, f.Params), append(locals, f.Locals)
		owners, names = append(owners, f.Owner), append(names, f.Name)
		if u.why[i] == "" {
			code = append(code, f.Code...)
		}
	}
	u.ints("code", code)
	u.ints("fnAt", at)
	u.ints("fnParams", params)
	u.ints("fnLocals", locals)
	u.texts("fnOwner", owners)
	u.texts("fnName", names)
	var computed []int
	owners, names = nil, nil
	for _, c := range u.p.Computed {
		fn := c.Fn
		if u.why[fn] != "" {
			fn = -1
			u.w.tally.Drop(artefact.Behaviour, u.node(c.Owner), "the computed value '"+c.Key+"' is not worked out: Udon does not run what needs "+u.why[c.Fn])
		}
		computed, owners, names = append(computed, fn), append(owners, c.Owner), append(names, c.Key)
	}
	u.ints("computedFn", computed)
	u.texts("computedOwner", owners)
	u.texts("computedKey", names)
}

func (u *udon) state() {
	var owners, keys []string
	var consts, fns []int
	var shared []bool
	for _, s := range u.p.State {
		owners, keys = append(owners, s.Owner), append(keys, s.Key)
		k := -1
		if s.Init.Fn < 0 {
			k = s.Init.Const
		}
		consts, fns = append(consts, k), append(fns, u.fn(artefact.Behaviour, s.Owner, s.Init.Fn))
		shared = append(shared, slices.Contains(u.shared, any(s.Owner)))
	}
	u.texts("slotOwner", owners)
	u.texts("slotKey", keys)
	u.ints("slotConst", consts)
	u.ints("slotFn", fns)
	u.flags("slotShared", shared)
	fmt.Fprintf(&u.b, "\tbool sharesAny = %s;\n", yes(slices.Contains(shared, true)))
	var slots, calls []int
	for _, w := range u.p.Watches {
		if u.fits(artefact.Behaviour, u.p.Functions[w.Fn].Owner, w.Fn) {
			slots, calls = append(slots, w.State), append(calls, w.Fn)
		}
	}
	u.ints("watchSlot", slots)
	u.ints("watchFn", calls)
	var nodes, props []string
	calls = nil
	for _, b := range u.p.Binds {
		switch {
		case !slices.Contains(properties, b.Property):
			u.lost(artefact.Behaviour, b.Node, "the property '"+b.Property+"' bound")
		case u.fits(artefact.Behaviour, b.Node, b.Fn):
			nodes, props, calls = append(nodes, b.Node), append(props, b.Property), append(calls, b.Fn)
		}
	}
	u.texts("bindNode", nodes)
	u.texts("bindProperty", props)
	u.ints("bindFn", calls)
}

func (u *udon) events() {
	var nodes, events []string
	var fns []int
	update := false
	for _, h := range u.p.Handlers {
		if u.fits(artefact.Behaviour, h.Node, h.Fn) {
			nodes, events, fns = append(nodes, h.Node), append(events, h.Event), append(fns, h.Fn)
			update = update || h.Event == "update"
		}
	}
	u.texts("handlerNode", nodes)
	u.texts("handlerEvent", events)
	u.ints("handlerFn", fns)
	fmt.Fprintf(&u.b, "\tbool hearsUpdate = %s;\n", yes(update))
	nodes, events, fns = nil, nil, nil
	for _, s := range u.p.Subscriptions {
		if u.fits(artefact.Behaviour, s.Owner, s.Fn) {
			nodes, events, fns = append(nodes, s.From), append(events, s.Event), append(fns, s.Fn)
		}
	}
	u.texts("heardFrom", nodes)
	u.texts("heardEvent", events)
	u.ints("heardFn", fns)
	nodes, events, fns = nil, nil, nil
	var sets, args []int
	from := []int{0}
	for _, w := range u.p.Wires {
		if !u.fits(artefact.Behaviour, u.p.Functions[w.Fn].Owner, w.Fn) {
			continue
		}
		set := -1
		if w.Set != nil {
			set = *w.Set
		}
		args = append(args, w.Args...)
		nodes, events, fns, sets, from = append(nodes, w.From), append(events, w.Event), append(fns, w.Fn), append(sets, set), append(from, len(args))
	}
	u.texts("wireFrom", nodes)
	u.texts("wireEvent", events)
	u.ints("wireFn", fns)
	u.ints("wireSet", sets)
	u.ints("wireArg", args)
	u.ints("wireArgFrom", from)
}

func (u *udon) clock() {
	var fns []int
	var after, every []float64
	var forever []bool
	for _, s := range u.p.Schedules {
		if u.fits(artefact.Behaviour, u.p.Functions[s.Fn].Owner, s.Fn) {
			fns, after, every, forever = append(fns, s.Fn), append(after, s.After), append(every, s.Every), append(forever, s.Forever)
		}
	}
	u.ints("scheduleFn", fns)
	u.doubles("scheduleAfter", after)
	u.doubles("scheduleEvery", every)
	u.flags("scheduleForever", forever)
	var ids []string
	var loop, starts []bool
	var times []float64
	fns = nil
	from := []int{0}
	for _, t := range u.p.Timelines {
		for _, s := range t.Steps {
			fn := int(s[1])
			times, fns = append(times, s[0]), append(fns, u.fn(artefact.Behaviour, u.p.Functions[fn].Owner, fn))
		}
		ids, loop, starts, from = append(ids, t.ID), append(loop, t.Loop), append(starts, t.Autoplay), append(from, len(times))
	}
	u.texts("lineId", ids)
	u.flags("lineLoop", loop)
	u.flags("lineStarts", starts)
	u.ints("lineFrom", from)
	u.doubles("lineTime", times)
	u.ints("lineFn", fns)
}

func (u *udon) machines() {
	var nodes, names, events []string
	var initial, parents, entries, exits, then, to, guards, actions []int
	var after []float64
	states, transitions := []int{0}, []int{0}
	for _, m := range u.p.Machines {
		base := len(names)
		nodes, initial = append(nodes, m.Node), append(initial, base+m.Initial)
		for _, s := range m.States {
			parent := s.Parent
			if parent >= 0 {
				parent += base
			}
			wait, next := -1.0, -1
			if len(s.After) > 1 {
				wait = s.After[0]
				if next = int(s.After[1]); next >= 0 {
					next += base
				}
			}
			names, parents, after, then = append(names, s.Name), append(parents, parent), append(after, wait), append(then, next)
			entries, exits = append(entries, u.fn(artefact.Machines, m.Node, s.Entry)), append(exits, u.fn(artefact.Machines, m.Node, s.Exit))
			for _, t := range s.On {
				if !u.fits(artefact.Machines, m.Node, t.Guard) {
					continue // nobody can say whether it is true
				}
				events, to, guards = append(events, t.Event), append(to, base+t.To), append(guards, t.Guard)
				actions = append(actions, u.fn(artefact.Machines, m.Node, t.Action))
			}
			transitions = append(transitions, len(events))
		}
		states = append(states, len(names))
	}
	u.texts("machineNode", nodes)
	u.ints("machineInitial", initial)
	u.ints("machineFrom", states)
	u.texts("stateName", names)
	u.ints("stateParent", parents)
	u.ints("stateEntry", entries)
	u.ints("stateExit", exits)
	u.doubles("stateAfter", after)
	u.ints("stateThen", then)
	u.ints("transitionFrom", transitions)
	u.texts("transitionEvent", events)
	u.ints("transitionTo", to)
	u.ints("transitionGuard", guards)
	u.ints("transitionAction", actions)
}

// tracks writes the key frames of places, turns and sizes.
func (u *udon) tracks() {
	parts := map[string]int{"t": 0, "r": 1, "s": 2, "t.x": 3, "t.y": 4, "t.z": 5, "s.x": 6, "s.y": 7, "s.z": 8}
	var nodes, times, places, turns []string
	var part, loop []int
	var starts, back []bool
	from := []int{0}
	for i := range u.w.s.Animations {
		a := &u.w.s.Animations[i]
		k, ok := u.w.index[a.Node]
		if !ok || len(a.Keys) == 0 {
			continue
		}
		kind, moves := parts[a.Property]
		if !moves {
			u.w.tally.Drop(artefact.Animations, &u.w.s.Nodes[k], "key frames move, turn and stretch; those of looks and lights do not play")
			continue
		}
		if a.Easing != "" && a.Easing != "linear" {
			u.w.tally.Approximate(artefact.Animations, &u.w.s.Nodes[k], "key frames follow each other in straight lines")
		}
		for _, key := range a.Keys {
			v := [3]float64{}
			q := [4]float64{3: 1}
			switch {
			case kind == 1 && len(key) == 5:
				copy(q[:], key[1:])
			case kind >= 3 && len(key) == 2:
				v[(kind-3)%3] = key[1]
			case len(key) == 4:
				copy(v[:], key[1:])
			}
			if kind == 0 || kind == 5 {
				v[2] = -v[2]
			}
			times = append(times, float(key[0]))
			places, turns = append(places, "new Vector3("+floats(v[:]...)+")"), append(turns, turn(scene.Quat(q)))
		}
		nodes, part, loop, starts, back, from = append(nodes, a.Node), append(part, kind), append(loop, a.Loop), append(starts, a.Autoplay), append(back, a.PingPong), append(from, len(times))
	}
	u.texts("trackNode", nodes)
	u.ints("trackPart", part)
	u.ints("trackLoop", loop)
	u.flags("trackStarts", starts)
	u.flags("trackBack", back)
	u.ints("trackFrom", from)
	u.array("float", "keyTime", times)
	u.array("Vector3", "keyPlace", places)
	u.array("Quaternion", "keyTurn", turns)
	n := len(nodes)
	u.flags("trackOn", make([]bool, n))
	u.array("float", "trackTime", slices.Repeat([]string{"0f"}, n))
}
