package run_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/lang/ast"
)

// acts are what the handlers of a random source do, calm those that make nothing
// and raise nothing: what is spawned does them. %d is a small number.
var (
	acts = append([]string{
		`spawn T at [%d, 0, 0]`, `spawn U`, `spawn T { hp: %d }`, `spawn U at [0, %d, 0] { size: %d, label: "l" }`, `spawn Nothing`, `spawn T at [1, 1, 1]`, `spawn U { a: %d }`,
		`for (const u of U.instances) { u.emit("poke", %d) }`, `for (const p of find_all("Part")) { p.emit("poke") }`, `emit("poke", %d)`,
		`if (T.instances.length > %d) { throw "many" }`, `try { spawn T at [1, 1, 1] ; throw "caught" } catch (e) { log(e.message) }`, `try { spawn V } catch (e) { log("no V", V.instances) }`,
	}, calm...)
	calm = []string{
		`destroy(T.instances[%d])`, `destroy(U.instances[%d])`, `destroy(find_all("Part")[%d])`, `destroy(this)`, `destroy(get_node("M%d"))`, `for (const t of T.instances) { t.hp -= 1 }`,
		`wait 0.0%d`, `if (U.instances[%d]) { all.kept = U.instances[%d].give() }`, `let k = all.kept ; log(k ? k(%d) : "none")`, `log(T.instances, U.instances, find_all("Part"))`,
		`all.n += 1`, `set_timeout(() => { all.n += 10 ; log("later", this.id, all.n) }, 0.0%d)`, `tween(this, "opacity", %d, 0.05)`, `play("Beat")`, `log(this.id, this.parent, this.position, this.hp)`,
		`throw "at %d"`,
	}
)

// spawning is a source whose handlers spawn, end and call what is spawned.
func spawning(r *rapid.T) string {
	doing := func(acts []string, most int) string {
		var out []string
		for range rapid.IntRange(0, most).Draw(r, "acts") {
			act := rapid.SampledFrom(acts).Draw(r, "act")
			var n []any
			for range strings.Count(act, "%d") {
				n = append(n, rapid.IntRange(0, 4).Draw(r, "n"))
			}
			out = append(out, fmt.Sprintf(act, n...))
		}
		return strings.ReplaceAll(strings.Join(out, "\n"), " ; ", "\n")
	}
	return `composition "C" {
object "Store" { state { n: 0, kept: null } }

on poke -> (v) { log("scene", v) }
template "T" { state { hp: 3 }
  watch { hp: (now, was) => { log("hp", this.id, now, was)
` + doing(calm, 1) + ` } }
  on mount { ` + doing(calm, 2) + ` }
  on unmount { ` + doing(calm, 1) + ` }
  on poke { ` + doing(calm, 3) + ` }
  object "Part" { on poke { ` + doing(calm, 2) + ` } } }
template "U"(size: number = 2) { state { a: size * 2, b: make() }
  function make() { return [size] }
  function give() { return (x) => { state.a += 1
` + doing(calm, 2) + `
return [this.id, state.a, x] } }
  on update { ` + doing(calm, 1) + ` }
  on poke -> (v) { log("poked", this.id, v, state.a, state.b)
` + doing(calm, 2) + ` }
  state_machine "m" { initial: "x"
  states: { x: { on_entry: { ` + doing(calm, 1) + ` }
  after: 0.05, on: { poke: "y", timeout: "y" } }, y: { on_exit: { ` + doing(calm, 1) + ` }
  on: { poke: "x" } } } }
  timeline "Beat" { autoplay: ` + fmt.Sprint(rapid.Bool().Draw(r, "autoplay")) + `
  0.02: emit "poke" } }
template "V" { state { a: fail() }
  function fail() { ` + doing(acts, 2) + `
  throw "never" } }
object "M0" { on tap { ` + doing(acts, 6) + ` }
  on poke { ` + doing(acts, 2) + ` } }
object "M1" { on tap { ` + doing(acts, 6) + ` }
  on update { ` + doing(calm, 1) + ` } }
}`
}

// TestAnySpawningRunsAlike runs random sources that spawn in both interpreters.
func TestAnySpawningRunsAlike(t *testing.T) {
	node := newEngine(t)
	spawned, ran := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		ran++
		text := strings.ReplaceAll(spawning(r), "all.", "Store.state.")
		k := newCase(t, compile(t, ".", "any.holo", []byte(text), ast.Holo), 12)
		k.Trace = k.run(t)
		spawned += strings.Count(string(k.Trace), `"kind":"spawn"`)
		var got struct{ Trace json.RawMessage }
		node.answer(t, map[string]any{"case": k}, &got)
		if d := differ(t, got.Trace, k.Trace); d != "" {
			r.Fatalf("Node and Go: %s\n%s", d, text)
		}
	})
	if spawned < ran {
		t.Errorf("only %d nodes were spawned by %d programs", spawned, ran)
	}
}
