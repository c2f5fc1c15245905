package run_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/run"
)

// spawned are sources whose templates have a behaviour of their own, which every
// instance must have for itself. A semicolon and a space stand for a new line.
var spawned = map[string]string{
	"spawned_state": `composition "C" { state { total: 0, best: null }; on scored(v) { state.total += v; log("total", state.total, event) }
		template "Coin"(value: number = 5, tint: color = "#ff0000") { state { hp: 3, list: [1], from: value * 2 }; color: tint; computed { left: state.hp * 10 }; text: "hp " + state.hp
			watch { hp: (now, was) => { log("hp", this.id, now, was, left) } }
			function hurt(n) { state.hp -= n; state.list.push(n); log(this.name, this.id, value, state.from, state.list, Face.name, Face.id, Face.parent.id, this.state.hp, state.total) ; return state.hp }
			on tap { this.hurt(1); emit("scored", value) }
			on mount { log("born", this.id, state.hp, this.color) }
			object "Face" { state { seen: 0 }; position: [0, 1, 0]; on look { state.seen += 1; let k = () => { state.seen += 10; hurt(1); return this.id }; log(k(), state.seen, state.hp); emit("looked") } }
			connect Face.looked -> hurt(2) }
		object "Maker" { on tap { let a = spawn Coin at [1, 2, 3] { hp: 9, value: 11, tint: "#0000ff", label: "mine" }; let b = spawn Coin; log(a.id, b.id, a.hp, a.value, b.value, a.label, a.state.hp, a.position, b.position, Coin.instances, find_all("Face"), a.parent) }
			on call { for (const c of Coin.instances) { log(c.hurt(1), c.left) }; Coin.instances[0].state.hp = 40; Coin.instances[1].hp = 50 }
			on ring { for (const c of find_all("Face")) { c.emit("look") } }
			on all { emit("tap") } }
		object "Still" using "Coin" { value: 7 } }`,
	"spawned_machines": `composition "C" {
		template "Guard"(rate: number = 3) { state { n: 0 }; function look() { state.n += 1; log("look", this.id, state.n); return state.n % 2 == 0 }
			state_machine "m" { initial: "idle"; states: { idle: { on_entry: { log("idle", this.id) }, after: 0.1, on: { wake: "up", timeout: "up" } }, up: { on_entry: { log("up", this.id, this.current_state) }, on_exit: { log("down", this.id) }, on: { rest: { target: "idle", guard: state.n > 1, action: { state.n = 0 } } } } } }
			behavior_tree "t" { tick_rate: 20; root: { type: sequence, children: [{ type: action, call: "look" }, { type: wait, duration: 0.1 }] } }
			timeline "T" { loop: true; 0: emit "beat"; 0.1: look }
			on beat { log("beat", this.id) }; on update { if (state.n > 4) { tween(this, "opacity", 0, 0.05) } }; on animation_end -> (k) { log("faded", this.id, k) }; on state_enter -> (s) { log("enter", this.id, s) } }
		object "Maker" { on tap { spawn Guard at [0, 0, 0] { }; spawn Guard { n: 2 } }; on wakes { for (const g of Guard.instances) { g.emit("wake") } }; on rests { for (const g of Guard.instances) { g.emit("rest") } } } }`,
	"spawned_forms": `composition "C" { template "T" { state { hp: 1 } }
		object "A" { state { p: [1, 1, 1], q: { r: [4, 4, 4] } }; on tap { const k = [9, 9, 9]; spawn T; spawn T at [0, 0, 0]; spawn T at k; spawn T at state.p; spawn T at state.q.r { hp: 2 }; spawn T at [1, 2, 3] { hp: 2 }; spawn T at k { hp: 3 }
			spawn "T" at [5, 5, 5]; spawn("T"); spawn("T", [3, 3, 3]); spawn(T, k, { hp: 8 }); spawn("T", { hp: 9 }); spawn T at this.position { hp: 4 }; spawn T { hp: 5 }; if (k) spawn T at [7, 7, 7]; log(T.instances.length, T.instances.map(t => [t.hp, t.position])) } } }`,
	"spawned_end": `composition "C" { state { keep: null, seen: null, lost: null, n: 0 }; on fell -> (who) { state.n += 1; log("fell", who, state.n) }
		template "Leaf" { state { age: 0 }; object "Vein" { state { touches: 0 }; computed { twice: state.touches * 2 }; on touch { state.touches += 1; log("vein", this.id) } }
			on mount { state.age = 1; wait 0.05; log("old", this.id); state.age = 2; wait 0.2; log("never", this.id) }
			on unmount { log("gone", this.id, state.age, this.visible) }; on update { state.age += 1 }
			on tap { emit("fell", this.id); destroy(this); emit("after"); log(Leaf.instances.length) }; on after { log("still hears", this.id) }
			function slow() { return () => { wait 0.1; state.age += 1; return this.id } }; function veins() { let out = []; for (const v of find_all("Vein")) { out.push([v.id, v.touches, v.state.touches]) }; return out }
			function keep() { let me = this.id; return () => { state.age += 100; return me } } }
		object "Maker" { on tap { let a = spawn Leaf; let b = spawn Leaf at [1, 1, 1] { age: 5 }; state.keep = a.keep(); log(a.id, b.id, state.keep()) }
			on end { destroy(Leaf.instances[0]); destroy(Leaf.instances[7]); destroy(null); log(this.visible) }; on used { let k = state.keep; log("kept", k(), k(...[]), [1].map(k)); log(get_node("s1"), find_all("Vein"), Leaf.instances) }
			on again { let c = spawn Leaf { age: 7 }; log(c.id, c.age, c.position); state.lost = find_all("Vein")[0]; destroy(find_all("Vein")[0]) }; on touches { log(state.lost, state.lost.touches, state.lost.twice, state.lost.parent); for (const v of find_all("Vein")) { v.emit("touch") }; log("veins", find_all("Vein")) }
			on brief { let d = spawn Leaf; destroy(d); log(d.id, d.age, Leaf.instances) } }
		object "Holder" { on tap { state.keep = Leaf.instances[0].slow(); let k = state.keep; log(k()); log("never, it ended") }; on drop { state.seen = find_all("Vein")[0]; log(state.seen.touches, state.seen.twice); destroy(find_all("Vein")[0]); destroy(Leaf.instances[0]) }
			on asks { log(state.seen, state.seen.touches, state.seen.twice, state.seen.name, Leaf.instances, Leaf.instances[0].veins()) } }
		object "Old" { on update { state.t += 1 }; state { t: 0 }; on tap { destroy(this); log("t", state.t) }; on unmount { log("old gone") }; object "In" { on touch { log("in") } } } }`,
	"spawned_undo": `composition "C" { state { n: 0 }
		template "Bad" { state { a: 1, b: fail() }; function fail() { throw "no first value" } }
		template "Good" { state { a: 1 }; object "Part" { }; on mount { log("mount", this.id, state.a) }; on unmount { log("unmount", this.id) } }
		template "Twin" { state { a: pair() }; function pair() { let g = spawn Good { a: 5 }; throw "no twin" } }
		template "Nest" { on mount { let g = spawn Good { a: 3 }; log("nested", g.id, g.parent, this.parent) }; group "G" { on deep { spawn Good { a: 4 } } } }
		object "Maker" { on tap { state.n = 1; spawn Good; throw "gone" }; on seen { log(state.n, Good.instances, find_all("Part"), get_node("s1")) }
			on bad { try { spawn Bad } catch (e) { log(e.message) }; log(Bad.instances) }; on twins { try { spawn Twin } catch (e) { log(e.message, Twin.instances, Good.instances) }; spawn Good { a: 6 } }
			on lone { try { spawn Twin } catch (e) { log("lone", e.message) } }
			on worse { spawn Good { a: 2 }; spawn Bad }
			on caught { try { spawn Good { a: 8 }; throw "c" } catch (e) { log(e.message, Good.instances) } }
			on late { let g = spawn Good; wait 0.05; g.a = 6; log(g.a, g.id); destroy(g); throw "kept" }
			on nest { spawn Nest }; on deeper { for (const g of find_all("G")) { g.emit("deep") } }; on ends { for (const g of Good.instances) { destroy(g) } } } }`,
}

// machineOf runs a source until the events of its start are done.
func machineOf(t *testing.T, text string, o run.Options) (*run.Machine, *run.Compiled) {
	t.Helper()
	c := compile(t, ".", "a.holo", []byte(strings.ReplaceAll(text, "; ", "\n")), ast.Holo)
	o.Nodes = c.Nodes
	m, err := run.New(c.Program, o)
	if err != nil {
		t.Fatal(err)
	}
	m.Start()
	return m, c
}

// faults are the codes of the faults so far.
func faults(m *run.Machine) []string {
	trace, _ := m.Trace()
	var out []string
	for _, e := range trace {
		if e.Kind == "fault" {
			out = append(out, fmt.Sprint(e.Name, " ", e.Value))
		}
	}
	return out
}

// TestSpawnedLimits shows what a run may spawn: turns, nodes, rows, and templates
// that spawn themselves.
func TestSpawnedLimits(t *testing.T) {
	wide := "template \"Wide\" { state { " + strings.Repeat("a%d: 1; ", 300) + " } }"
	var keys []any
	for i := range 300 {
		keys = append(keys, i)
	}
	wide = fmt.Sprintf(wide, keys...)
	for name, c := range map[string]struct {
		text, fault string
		o           run.Options
		steps       int
	}{
		"nodes":  {`template "T" { object "In" { } }; object "A" { on update { for (const i of 0..300) { spawn T } } }`, "RUN007 more than 10000 nodes", run.Options{}, 20},
		"rows":   {wide + `; object "A" { on update { for (const i of 0..60) { spawn Wide } } }`, "RUN007 more than 200000 rows are spawned", run.Options{}, 20},
		"hosted": {wide + `; object "A" { on update { for (const i of 0..20) { spawn Wide } } }`, "RUN007 more than 20000 rows are spawned", run.Options{Hosted: true}, 20},
		"turn":   {wide + `; object "A" { on start { while (true) { spawn Wide } } }`, "RUN001 the turn takes more than 10000 instructions", run.Options{}, 1},
		"itself": {`template "T" { on mount { spawn T } }; object "A" { on start { spawn T } }`, "RUN003 more than 10000 events follow from each other", run.Options{}, 1},
	} {
		m, _ := machineOf(t, c.text, c.o)
		for range c.steps {
			m.Step()
		}
		if got := faults(m); !slices.Contains(got, c.fault) {
			t.Errorf("%s: %.300q", name, got)
		}
	}
}

// TestFailedSpawnLeavesTurns shows that a turn which a spawn left waiting before it
// failed still runs, also after another instance took its place.
func TestFailedSpawnLeavesTurns(t *testing.T) {
	for then, want := range map[string][]string{"": {"failed", "of s1"}, "Store.state.fails = false; spawn V": {"failed", "s1", "s2"}} {
		m, _ := machineOf(t, `composition "C" { template "V" { state { a: fail() }
			function name() { return "of " + this.id }
			function fail() { set_timeout(() => { log(this.id); log(name()) }, 0.1); if (Store.state.fails) { throw "never" } } }
			object "Store" { state { fails: true } }
			object "A" { on start { try { spawn V } catch (e) { log("failed") }; `+then+` } } }`, run.Options{})
		for range 10 {
			m.Step()
		}
		trace, _ := m.Trace()
		var said []string
		for _, e := range trace {
			if e.Kind == "log" {
				said = append(said, e.Text())
			}
		}
		for _, text := range want {
			if !slices.Contains(said, fmt.Sprintf("%q", text)) {
				t.Errorf("%q: %q, want also %s", then, said, text)
			}
		}
		if got := faults(m); len(got) > 0 {
			t.Errorf("%q: %q", then, got)
		}
	}
}

// TestSpawnedEnd shows that what is destroyed is forgotten: a run that spawns and
// destroys for ever stays below the limits and does not grow.
func TestSpawnedEnd(t *testing.T) {
	m, _ := machineOf(t, `template "Shot" { state { n: 0, l: [] }; computed { far: state.n * 2 }; object "Tip" { on hit { log("never") } }
		on update { state.n += 1; if (far > 4) { destroy(this) } } }
		object "Gun" { on update { for (const i of 0..40) { spawn Shot at [i, 0, 0] { color: "#ff0000" } } } }`, run.Options{})
	heap := func() uint64 {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	for range 500 { // the trace is full then
		m.Step()
	}
	state, before := len(m.State()), heap()
	for range 1000 { // 40,000 instances
		m.Step()
	}
	if got := faults(m); got != nil {
		t.Fatalf("%.300q", got)
	}
	if n := len(m.State()); n != state {
		t.Errorf("%d state keys, after 500 steps %d", n, state)
	}
	if trace, _ := m.Trace(); len(trace) < run.MaxTrace {
		t.Errorf("only %d entries", len(trace))
	}
	if after := heap(); after > before+8<<20 {
		t.Errorf("the heap grew from %d to %d", before, after)
	}
	runtime.KeepAlive(m)
}

// TestPrototypesAreInert shows that nothing of a template that is spawned runs or
// is found before.
func TestPrototypesAreInert(t *testing.T) {
	m, c := machineOf(t, `composition "C" { state { n: 0 }
		template "T" { state { a: boom() }; function boom() { throw "no" }; on mount { log("mount") }; on update { log("update") }; text: "a" + n; object "In" { } ; execute boom() every 0.1
			state_machine "m" { initial: "x"; states: { x: { on_entry: { log("entered") } } } } }
		object "A" { on tap { spawn T }; on start { log(get_node("T"), find_all("In"), T.instances, get_node("In")) } } }`, run.Options{})
	for range 30 {
		m.Step()
	}
	trace, _ := m.Trace()
	for _, e := range trace {
		if e.Kind != "event" && e.Text() != `"null [] [] null"` {
			t.Errorf("%+v", e)
		}
	}
	if len(c.Program.Templates) != 1 || len(c.Program.Templates[0].Nodes) != 2 {
		t.Errorf("templates %v", c.Program.Templates)
	}
	if _, found := c.Owner("In"); found {
		t.Error("events can be raised at a prototype by its name")
	}
	for _, s := range m.State() {
		if s.Owner != run.SceneOwner {
			t.Errorf("%+v is part of the state", s)
		}
	}
}

// TestMachinesShareAProgram runs one program in two machines at once, both of
// which spawn: what one makes is no row of the other.
func TestMachinesShareAProgram(t *testing.T) {
	c := compile(t, ".", "a.holo", []byte(`template "T" { state { n: 0 } computed { twice: state.n * 2 } function add() { state.n += 1 return twice } on update { add() } }
		object "A" { state { n: 0 } on update { spawn T { n: 5 } if (T.instances.length > 3) { destroy(T.instances[0]) } } }`), ast.Holo)
	p := *c.Program // with room behind its tables, as one that was read
	p.State, p.Functions, p.Computed = slices.Grow(p.State, 64), slices.Grow(p.Functions, 64), slices.Grow(p.Computed, 64)
	traces := make([]string, 2)
	var wait sync.WaitGroup
	for i := range traces {
		wait.Go(func() {
			m, err := run.New(&p, run.Options{Nodes: c.Nodes})
			if err != nil {
				t.Error(err)
				return
			}
			m.Start()
			for range 50 {
				m.Step()
			}
			entries, _ := m.Trace()
			traces[i] = fmt.Sprint(entries)
		})
	}
	wait.Wait()
	if traces[0] != traces[1] || len(traces[0]) < 1000 {
		t.Errorf("two runs of one program differ:\n%.300s\n%.300s", traces[0], traces[1])
	}
}
