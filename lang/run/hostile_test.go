package run_test

// hostile are sources that try to break an interpreter, or to make two of them
// disagree. A semicolon and a space stand for a new line.
var hostile = map[string]string{
	"loop": `object "A" { state { n: 0 }; on "tap" { state.n = 1; while (true) { state.n += 1 } }; on "after" { log("alive", state.n) } }`,
	"recursion": `object "A" { state { n: 0 }; function down(k) { state.n = k; return this.down(k + 1) + 1 }
		on "tap" { try { this.down(0) } catch (e) { log(e.code, e.message, state.n) } }; on "more" { this.down(0) }
		on "sorted" { let f = (a, b) => [2, 1].sort(f); try { [2, 1].sort(f) } catch (e) { log(e.code) } } }`,
	"spread": `object "A" { state { f: null, n: 0 }; function sum(a, b, c) { return [a, b, c] }
		on "tap" { let l = [2, 3]; let f = (a, b, c) => a * 100 + b * 10 + c; log(f(1, ...l), f(...l, 4), f(...[], ...[7, 8, 9, 10]), this.sum(...l), sum(...l, ...l))
		log(Math.max(...l, 1), Math.min(...[]), [1].concat(...[[2], [3]]), "a-b".replace(...["-", "+"])); let m = [0]; m.push(...l, 5); log(m); l.push(...l); log(l); print(...l)
		state.f = f; log(state.f(...[1, 2, 3]), ((a) => a)(...l), sum(...l, x: 1), l.at(...[0])) }
		on "kind" { try { sum(...5) } catch (e) { log(e.code, e.message) }; try { sum(...null) } catch (e) { log(e.code) }; state.n = 1; sum(..."abc") }
		on "many" { let l = [1]; for (const i of 0..12) { l = l.concat(l) }; log(Math.max(...l)); state.n = 2; l.push(1); log(sum(...l)) }
		on "deep" { let r = (k) => { return this.again(...[k]) }; r(0) }; function again(k) { return again(...[k + 1]) } }`,
	"cascade": `object "A" { state { n: 0 }; on "tap" { state.n += 1; emit("tap") }; on "after" { log(state.n) } }`,
	"big": `object "A" { state { s: "", l: [] }; on "tap" { let s = "0123456789"; for (const i of 0..30) { s = s + s }; state.s = s }
		on "list" { let l = [1]; for (const i of 0..30) { l = l.concat(l) }; state.l = l }
		on "rep" { log("é".repeat(5), "x".repeat(3).length); try { "ab".repeat(1000000) } catch (e) { log(e.code) } }
		on "deep" { let l = []; for (const i of 0..80) { l = [l] }; log(l) }; on "self" { let l = [1]; l.push(l); log(l); log(l == l); log([l] == [l]) }
		on "print" { let l = []; for (const i of 0..1000) { l.push("0123456789") }; let n = 0; while (true) { n += JSON.stringify(l).length } }
		on "search" { let s = "a".repeat(900000); let n = 0; while (true) { if (s.includes("b")) { n += 1 } } }
		on "grow" { let l = []; while (true) { l.push(1) } } }`,
	"compare": `object "A" { on "tap" { let a = []; for (const i of 0..1000) { a.push(i) }; let b = a.slice(); let n = 0
		while (n < 10000) { if (a == b) { n += 1 } } }
		on "find" { let x = []; for (const i of 0..500) { x.push("k" + i) }; log(x.indexOf("k499"), x.includes("nope"), x.remove("k3"), x.length) }
		on "order" { let s = "a".repeat(3000); let n = 0; while (true) { if (s < s) { n += 1 } } } }`,
	"unicode": `object "A" { on "tap" { let s = "a😀é漢z"; log(s.length, s[1], s[4], s[9], s.slice(1, 3), s.slice(-2), s.indexOf("漢"), s.split(""), s.padStart(8, "😀"), s.padEnd(7, "ab"))
		log(s.toUpperCase(), "ßŉİΑΣ".toLowerCase(), "straße ǆ ﬁ ᾳ".toUpperCase(), "\u00a0 x \u3000".trim(), "\ufeffx".trim().length)
		for (const c of s) { log(c) }; log("z" < "😀", "\uffff" < "😀", "a" < "B", ["z", "😀", "\uffee", "a"].sort()); log(s.replace("😀", "$&"), "aXbX".replaceAll("X", ""), "a😀".replaceAll("", "-"))
		log("a,b,,c".split(","), "x".split("x"), "".split(","), "abc".charAt(1), s.at(-1), s.startsWith("a😀"), s.endsWith("z"), "é" in s, s.concat("!")) } }`,
	"numbers": `object "A" { on "tap" { log(0.1 + 0.2, 1e21, 1e-7, 123456789012345680000, -0, 1/0, -1/0, 0/0, 5 % -3, -5 % 3, 2 ** 0.5, 1e300 * 1e10)
		log((0.5).toFixed(0), (1.5).toFixed(0), (2.5).toFixed(0), (-2.5).toFixed(0), (1.005).toFixed(2), (-0.001).toFixed(1), (1e21).toFixed(2), (123.456).toFixed(20), (1.25).toFixed(1), (0).toFixed(2), (7).toFixed(0/0))
		log(5 & 3, 5 ^ 3, 1 << 31, 1 << 33, -1 >> 1, 4294967297 ^ 0, 1e20 ^ 0, ~5)
		log(Number("12"), Number(" 1e3 "), Number("0x10"), Number("inf"), Number("1_000"), Number(""), Number("1e999"), parseInt("7.9"), parseInt("-7.9"), parseFloat("abc"))
		log(Math.min(1, 0/0), Math.max(), Math.min(), Math.round(-0.5), Math.round(2.5), Math.sign(-3), Math.hypot(3, 4), Math.atan2(1, 1), 1 ** (0/0), (-1) ** (1/0))
		log(clamp(5, 0, 3), clamp(0/0, 0, 1), lerp(0, 10, 0.25), lerp([0, 0], [2, 4], 0.5), map_range(5, 0, 10, 0, 1), map_range(5, 1, 1, 7, 9), ease("ease-in-out", 0.25), ease(0.5, "easeOutCubic"), ease("ease_in_sine", 0.3))
		log(Math.sin(1), Math.cos(1e6), Math.tan(0.5), Math.exp(1), Math.log(10), Math.cbrt(27), Math.log2(8), Math.asin(2))
		log(true + 1, null + 1, "" + null, "a" + [1, "b"], "x" + { k: 1 }, 1 < null, "1" == 1, null == null, [1, [2]] == [1, [2]], { a: 1 } == { a: 1 }, 0/0 == 0/0) }
		on "bad" { log("a" < 1) }; on "range" { log(0..5, 3..3); log(0..1000000) }; on "worse" { log(1 + [1]) } }`,
	"random": `object "A" { on "tap" { log(random(), random(10), random(5, 6), random_int(1, 6), random_int(1, 6), choose("a", "b", "c"), choose([7, 8, 9]), Math.random(), generate_id(), generate_id()) } }`,
	"throwing": `object "A" { state { n: 0 }; on "tap" { try { state.n = 1; throw "no" } catch (e) { log(e.message, e.code) } finally { log("finally") }
			try { let own = { message: "own", k: 1 }; throw own } catch (e) { log(e) }; try { let x = null; log(x.y) } catch (e) { log(e) }; log(state.n); try { try { throw "in" } finally { log("f") } } catch (e) { log(e.message) } }
		on "out" { state.n = 9; throw "gone" }; on error -> (e) { log("on error", e.message, state.n) }; on "kind" { let o = { a: 1 }; o.a.b.c = 1 }
		on "loop" { for (const i of [1, 2, 3]) { try { if (i == 2) { continue }; log(i) } catch (e) { log("no") } }; for (const i of 0..9) { try { if (i == 2) { break } } catch (e) { } }; log("done") } }`,
	"rest": `object "A" { state { seen: [] }; function all(...xs) { xs.push("own"); return xs }; function tail(a, b = 9, ...xs) { return [a, b, xs] }; function note(...events) { state.seen = events }
		on "tap" { log(all(), all(1), all(1, [2], null), tail(1), tail(1, null, 3), tail(1, 2, 3, 4), tail(...[1, 2, 3, 4, 5])); let l = [7, 8]; let f = (...ys) => ys.length; let g = (x, ...ys) => [x, ys]; log(f(), f(1, 2, 3), f(...l), g(...l, 9), [4, 5].map((...z) => z), this.all(...l), l)
		let h = (...ys) => { return () => { ys.push(0); return ys } }; log(h(1)(), h()()) }; on "call" { this.note("a", "b"); log(state.seen); let k = (...xs) => xs; state.seen.push(k); log(state.seen[2](3, 4)); let o = { m: (...xs) => xs }; log(o.m(), o.m(1, 2)); set_timeout((...xs) => { log("late", xs) }, 0.01) }
		on many -> (...es) { log(es.length) } }`,
	"leaving": `object "A" { state { o: { a: 1, b: { c: 2, d: 3 } } }; function plain() { try { return 1 } finally { log("f1") } }; function over() { try { return 1 } finally { return 2 } }
		function both() { try { throw "x" } catch (e) { return e.message } finally { log("f2") } }; function caught() { try { try { throw "in" } catch (e) { throw "again" } finally { log("f3") } } catch (e) { return e.message } }
		function loops() { let out = []; for (const i of 0..6) { for (const j of [1, 2]) { try { if (i == 1) { continue }; if (i == 3) { break }; if (i == 4 && j == 2) { return out }; out.push(i * 10 + j) } finally { out.push(-i) } } }; return out }
		function deep() { for (const i of 0..3) { try { for (const j of 0..3) { try { try { if (j == 1) { return [i, j] } } finally { log("a", i, j) } } finally { log("b", i, j) } } } finally { log("c", i) } } }
		function turns() { let n = 0; while (true) { try { switch (n) { case 0: n = 1; break; case 1: n = 2; continue; default: break }; if (n == 2) { break } } finally { log("turn", n) } }; return n }
		on "tap" { log(plain(), over(), both(), caught()); log(loops()); log(deep()); log(turns()); const [a, b = 5, ...rest] = [1]; const [c, ...more] = [1, 2, 3]; const { k, ...others } = { k: 1, l: 2, m: 3 }; log(a, b, rest, c, more, k, others)
		delete state.o.a; delete state.o.b.c; let x = { y: 1, z: 2 }; delete x.y; log(state.o, x) }
		on "fault" { try { let x = null; log(x.y) } finally { log("before it goes") } }; on "waits" { try { wait 0.05; return 1 } finally { log("waited", now()) } } }`,
	"waiting": `object "A" { state { n: 0 }; on "tap" { state.n = 1; wait 0.1; state.n = 2; wait 0.1; state.n = 3; log(now()) }; on "fail" { wait 0.05; state.n = 7; throw "late" }
		function slow() { wait 0.05; return 4 }; on "nested" { log(this.slow()) }; on "inner" { let l = [1].map(x => { wait 0.1; return x }) }
		on "later" { let k = 5; set_timeout(() => { state.n = k; log("late", k) }, 0.1); k = 6 } }`,
	"closures": `object "A" { state { l: [] }; on "tap" { let f = []; for (const i of 0..3) { f.push(() => i * 10) }; log(f.map(g => g())); let n = 0; let inc = () => { n += 1; return n }; inc(); inc(); log(n)
		let add = (a, b = 2) => a + b; log(add(1), add(1, 5), [3, 1, 2].sort((a, b) => a - b), [1, 2, 3].reduce((s, x) => s + x, 0), [1, 2, 3].filter(x => x > 1).map(x => x * 2))
		state.l = [1]; state.l.push(2); log(state.l, [[1, 2], [3]].flat(), [1, 2].flatMap(x => [x, x])) }; on "undo" { state.l.push(3); throw "no" }; on "see" { log(state.l) }
		on "sorts" { log(["b", 2, "a", 1, [3]].sort()); log([5, 3, 9, 1, 7, 2, 8, 6, 4].sort((a, b) => { log(a, b); return a - b })) }
		on "lists" { let l = [1, 2, 3, 4, 5]; log(l.splice(1, 2, "x", "y", "z"), l, l.shift(), l.unshift(0), l.pop(), l.reverse(), l.indexOf("y"), l.slice(-2), l.at(-1), l.first(), l.last(), l.join("-"), l.find(x => x == "z"), l.some(x => x == 9), l.every(x => x != 9))
			let o = { f: (x) => x + 1 }; log(o.f(1), typeof(o), typeof(l), typeof(null), [...l, 1], { ...o }.has("f")) } }`,
	"json": `object "A" { on "tap" { log(JSON.parse("{\"2\": 1, \"1\": [true, null, -1.5e3], \"k\": \"\\u00e9\\n\"}"), JSON.stringify({ b: 1, a: ["x\"y\\z"] }))
		for (const bad of ["", "{", "[1,]", "1 2", "[1]]", "01", "1e999", "nul", "'a'", "{\"a\" 1}", "\"\\ud800\"", "[[1],{}]"]) { try { log(JSON.parse(bad)) } catch (e) { log(e.message) } }
		let o = { z: 1, a: 2 }; o.z = 3; o.m = 4; log(o.keys(), o.values(), o.entries(), "a" in o, 2 in [1, 2], "b" in "abc", o.has("q")); let p = { ...o, a: 9 }; log(p); p.delete("z"); p.z = 0; log(p, p.get("m"), p.length) } }`,
	"tweens": `object "A" { geometry: "box"; position: [1, 2, 3]; opacity: 0.5; state { n: 0 }; on "tap" { tween(this, "position", [2, 2, 3], 0.1, "ease-in"); tween("opacity", 0, duration: 0.05) }; on animation_end -> (e) { log("ended", e) }
		on "axis" { this.position.y = 5; this.position.x += 1; log(this.position, this.position.z) }; on "bad" { tween(this, "position", ["a", 1], 0.1) }; on "undo" { tween(this, "scale", [2, 2, 2], 0.1); throw "no" }; on "words" { tween(this, "text", "hi", 0.05) }
		on "move" { move_to(this, [0, 0, 0], 0.05) }; on "show" { hide(this); show(this); set_text(this, "é") } }`,
	"spawning": `object "A" { on "tap" { let s = spawn Ball at [1, 2, 3] { color: "red" }; log(s.name, Ball.instances.length, s.color); let b = spawn Ball at [0, 0, 0] { }; log(Ball.instances); destroy(s); log(Ball.instances.length, get_node("Ball"), find_all("Ball"), b.position) }
		on "undo" { let c = spawn Ball at [9, 9, 9] { }; throw "no" }; on "count" { log(Ball.instances.length) }; on "model" { log(llm_call("what is this?"), llm_call("é"), calls("llm_call")) } }`,
	"machines": `object "Door" { state { n: 0 }; state_machine "m" { initial: "closed"; states: { closed: { on_entry: { log("in closed") }, on: { push: "open" } }, open: { after: 0.1, on: { pull: { target: "closed", guard: state.n > 0 }, timeout: "closed" } }, locked: { on: { unlock: "closed" } } } }
		on "lock" { transition("locked") }; on "inc" { state.n += 1; log(this.current_state) }; on state_enter -> (e) { log("enter", e) } }`,
	"trees": `object "Guard" { state { n: 0, seen: false }; function look() { state.n += 1; return state.n % 3 != 0 }; function run() { log("run", state.n); if (state.n < 6) { return "running" }; return "success" }
		behavior_tree "t" { tick_rate: 20; root: { type: selector, children: [{ type: sequence, children: [{ type: condition, check: state.seen }, { type: action, call: "run" }] }, { type: random_selector, children: [{ type: action, call: "look" }, { type: wait, duration: 0.1 }] }] } }
		on "see" { state.seen = true }; on "blind" { state.seen = false } }`,
	"watches": `composition "C" { state { a: 1, b: 2 }; computed { sum: state.a + state.b }; watch { a: (now, was) => { log("a", now, was); state.b += 1 } }
		object "A" { on "tap" { state.a += 1; log(sum) }; on "same" { state.a = state.a }; on "stop" -> (e) { event.stop() } }; on "stop" { log("never") }; on "tap" { log("bubbled") } }`,
	"clocks": `composition "C" { state { n: 0 }; function tick() { state.n += 1 }
		timeline "T" { loop: true; 0: emit "zero"; 100ms: tick; 0.25: emit "late" }
		timeline "Off" { autoplay: false; 0.05: log "off ran" }
		on "zero" { log("zero", now()) }; on "late" { log("late") }; on "tap" { play("Off") }; on "halt" { stop("T") }; on "fault" { play("Off"); throw "no" }
		execute tick() every 0.2 }`,
}
