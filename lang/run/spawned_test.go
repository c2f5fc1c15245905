package run_test

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
	"spawned_end": `composition "C" { state { keep: null, n: 0 }; on fell -> (who) { state.n += 1; log("fell", who, state.n) }
		template "Leaf" { state { age: 0 }; object "Vein" { on touch { log("vein", this.id) } }
			on mount { state.age = 1; wait 0.05; log("old", this.id); state.age = 2; wait 0.2; log("never", this.id) }
			on unmount { log("gone", this.id, state.age, this.visible) }; on update { state.age += 1 }
			on tap { emit("fell", this.id); destroy(this); emit("after"); log(Leaf.instances.length) }; on after { log("still hears", this.id) }
			function keep() { let me = this.id; return () => { state.age += 100; return me } } }
		object "Maker" { on tap { let a = spawn Leaf; let b = spawn Leaf at [1, 1, 1] { age: 5 }; state.keep = a.keep(); log(a.id, b.id, state.keep()) }
			on end { destroy(Leaf.instances[0]); destroy(Leaf.instances[7]); destroy(null); log(this.visible) }; on used { let k = state.keep; log("kept", k(), k(...[]), [1].map(k)); log(get_node("s1"), find_all("Vein"), Leaf.instances) }
			on again { let c = spawn Leaf { age: 7 }; log(c.id, c.age, c.position); destroy(find_all("Vein")[0]) }; on touches { for (const v of find_all("Vein")) { v.emit("touch") }; log("veins", find_all("Vein")) }
			on brief { let d = spawn Leaf; destroy(d); log(d.id, d.age, Leaf.instances) } }
		object "Old" { on update { state.t += 1 }; state { t: 0 }; on tap { destroy(this); log("t", state.t) }; on unmount { log("old gone") }; object "In" { on touch { log("in") } } } }`,
	"spawned_undo": `composition "C" { state { n: 0 }
		template "Bad" { state { a: 1, b: fail() }; function fail() { throw "no first value" } }
		template "Good" { state { a: 1 }; object "Part" { }; on mount { log("mount", this.id, state.a) }; on unmount { log("unmount", this.id) } }
		template "Nest" { on mount { let g = spawn Good { a: 3 }; log("nested", g.id, g.parent, this.parent) }; group "G" { on deep { spawn Good { a: 4 } } } }
		object "Maker" { on tap { state.n = 1; spawn Good; throw "gone" }; on seen { log(state.n, Good.instances, find_all("Part"), get_node("s1")) }
			on bad { try { spawn Bad } catch (e) { log(e.message) }; log(Bad.instances) }; on worse { spawn Good { a: 2 }; spawn Bad }
			on caught { try { spawn Good { a: 8 }; throw "c" } catch (e) { log(e.message, Good.instances) } }
			on late { let g = spawn Good; wait 0.05; g.a = 6; log(g.a, g.id); destroy(g); throw "kept" }
			on nest { spawn Nest }; on deeper { for (const g of find_all("G")) { g.emit("deep") } }; on ends { for (const g of Good.instances) { destroy(g) } } } }`,
}
