package run_test

import (
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
)

// authors are sources whose tests pass in their author's mind, by the row of the table of
// habits.
var authors = []struct{ rule, text string }{
	{"X31", `module M { state { n: 0 } action add(k) { state.n += k } }
@test "statements" { M.add(2)
  assert M.state.n == 2
  assert(M.state.n == 2, "why")
  expect(M.state.n).toBe(2)
  expect(M.state.n).not.toBe(3)
  expect(M.state.n).toBeCloseTo(2.001)
  expect([1, 2]).toContain(2)
  expect M.state.n to be 2
  expect M.state.n not to equal 3
  assert_eq(M.state.n, 2)
  M.add(1)
  assert M.state.n == 3 }
@test("in parentheses") { let k = 4; M.add(k) assert M.state.n == k }
@test { name: "then" when: M.add(1) then: { M.state.n == 1 } }
@test "given" { given { M.state.n = 3 } setup { M.add(1) } expect: { M.state.n == 4 } }
test "a block" { M.add(1) assert M.state.n == 1 }
describe "sums" { before_each { M.add(5) } it "has five" { assert M.state.n == 5 } test "has six" { M.add(1); assert M.state.n == 6 } }
@test { name: "mocked" mock: { ask: "yes" } setup: { M.add(ask("?") == "yes" ? 1 : 9) } assert: { M.state.n == 1 } }`},
	{"X31", `object "Lamp" { state { on: false  t: 0 } on_click { state.on = true; emit("lit") } on lit { state.t = 7 } }
@test "clicks" { click("Lamp")
 assert Lamp.state.on
 assert Lamp.state.t == 7 }
@test "time" { let from = now(); advance 10s; assert now() - from >= 10 }`},
	{"X32", `module Rover { mutable { x: 1 heading: "N" } let turns = { N: "E" } limit: 9
  config { step: { long: 3 } }
  action go() { x += config.step.long; heading = turns[heading] }
  get place() { [x, heading] }
  derived { twice = x * 2 } }
@test { name: "cells" setup: { Rover.go() } assert: { Rover.x == 4; Rover.place == [4, "E"]; Rover.limit == 9; Rover.twice == 8; Rover.config.step.long == 3 } }`},
	{"X32", `agent "Dungeon Master" { world { room: "gate" torches: 3 } function burn() { world.torches -= 1 } }
plan "Wide" { depth: 4 }
@test { name: "spoken" setup: { DungeonMaster.burn() } assert: { DungeonMaster.world.room == "gate"; DungeonMaster.world.torches == 2; Wide.depth == 4; plan.depth == 4 } }`},
	{"X32", `module Account(owner: string, overdraft: number = 10) { state { balance: 0 } action take(n) { if (state.balance - n < -overdraft) return false
  state.balance -= n
  return true } }
const ada = Account(owner: "Ada", overdraft: 50)
@test { name: "an instance" setup: { ada.take(40); ada.take(40) } assert: { ada.state.balance == -40; ada.owner == "Ada" } }`},
	{"X32", `npc "Guard" { health: 100 state { by: "" } on damage(amount, from) { health -= amount; state.by = from } }
@test { name: "a handler is called" setup: { Guard.damage(30, "orc") } assert: { Guard.health == 70; Guard.state.by == "orc" } }`},
	{"X32", `let total = 1
function more(n) { total += n }
@test { name: "a variable of the file" setup: { more(4) } assert: { total == 5 } }`},
	{"X33", `@test { name: "operations" assert: { abs(-2) == 2; round(2.345, 1) == 2.3; max([1, 5, 3]) == 5; min(4, 2) == 2; sum([1, 2]) == 3; average([2, 4]) == 3; len("abc") == 3
  [1, 2, 3].sum() == 6; [{ p: 2 }, { p: 3 }].sum(x => x.p) == 5; [3, 1].max() == 3; [1, 1, 2].unique() == [1, 2]; [1, 2, 3].take(2) == [1, 2]; [].is_empty()
  (7).clamp(0, 5) == 5; [1, 2, 3].count(x => x > 1) == 2; [1, 2].any(x => x == 2); range(0, 3).length == 3 } }`},
	{"X34", `module Door { state { n: 0 } const LONG = 2s
  state_machine lock { initial: shut
    state shut { on_open: -> "opened.wide" }
    state opened { state wide { after: LONG on_timeout: -> "shut" } } }
  action push() { lock.send("open") } }
@test { name: "sends" setup: { Door.push() } assert: { Door.lock.current == "wide"; Door.lock.is("opened"); Door.matches("opened.wide"); !Door.lock.in("shut") } }
@test { name: "lasts" setup: { Door.send("open"); step(2.1s) } assert: { Door.current_state == "shut" } }`},
	{"X34", `object "Kiln" { state { secs: 3  rings: 0 }
  state_machine { initial: hot state hot { entry { state.rings += 1 } after: state.secs * 2  on_timeout: -> "cold" } state cold { } } }
@test { name: "an expression" setup: { step(5s) } assert: { Kiln.current_state == "hot"; Kiln.state.rings == 1 } }
@test { name: "is over" setup: { step(6.1s) } assert: { Kiln.current_state == "cold" } }`},
	{"X34", `state_machine Reader { input scan: bool = false
  input fails: int = 0
  initial: idle
  state idle {}
  state capturing {}
  idle -> capturing when scan
  capturing -> idle when fails >= 3 }
@test { name: "lines with a condition" setup: { Reader.scan = true; step(0.1s) } assert: { Reader.current == "capturing" } }
@test { name: "and back" setup: { Reader.scan = true; step(0.1s); Reader.scan = false; Reader.fails = 3; step(0.1s) } assert: { Reader.current == "idle" } }`},
	{"X35", `export struct V { x: number = 0; y: number = 0
  static up = V(0, 1)
  plus(o: V): V => V(x + o.x, y + o.y)
  get norm(): number => sqrt(x * x + y * y)
  scaled(k) { let f = n => n * k; return V(f(x), f(this.y)) } }
record Tariff(first: 3, lost: 25)
function fee(h, t = Tariff()) { return h * t.first }
@test { name: "values" assert: { V(1, 2).plus(V(3, 4)) == V(4, 6); V.up.y == 1; V(y: 2).x == 0; V(1, 2).scaled(3).y == 6; fee(2) == 6; new Tariff(lost: 1).lost == 1 } }`},
	{"X36", `object "A" { state { log: []  seen: 0 }
  function run(list) {
    @for v in list { @if v > 2 { state.log.push("big") } @else if v == 2 { state.log.push("two") } @else { state.log.push("small") } }
    repeat 2 { state.seen += 1 }
    repeat(3) { state.seen += 1 } } }
behavior on_start { action init { A.state.seen += 10 } }
@test { name: "statements" setup: { A.run([1, 2, 3]) } assert: { A.state.log == ["small", "two", "big"]; A.state.seen == 15 } }`},
	{"X36", `object "A" { state { by: "" } on lights(e) { state.by = e.by } }
function all() { broadcast "lights", { by: "me" } }
@test { name: "broadcast" setup: { all() } assert: { A.state.by == "me" } }`},
	{"X37", `You are the keeper of a lighthouse (built in 1872).
Answer with one sentence: never two.

state { lit: true }
@test { name: "prose" assert: { state.lit } }`},
}

// Tests of authors pass, and they fail when what they ask is turned round: they are not
// true for want of a name.
func TestAuthorsTestsPass(t *testing.T) {
	t.Parallel()
	for _, row := range authors {
		c := compile(t, ".", "a.hsplus", []byte(row.text), ast.HSPlus)
		if len(c.Tests) == 0 {
			t.Errorf("%s: no tests\n%s", row.rule, row.text)
		}
		for i := range c.Tests {
			r, err := c.Run(&c.Tests[i], nil)
			if err != nil || !r.OK {
				t.Errorf("%s %s: %v %v", row.rule, c.Tests[i].Name, err, r.Failed)
			}
		}
	}
}

// What is not true fails with its place and both sides, once.
func TestAuthorsTestsFail(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"module M { state { n: 2 } }\n@test \"a\" { assert M.state.n == 3 }":     "2:13: assert M.state.n == 3 (2 and 3)",
		"module M { state { n: 2 } }\n@test \"a\" { expect(M.state.n).toBe(3) }": "2:13: expect(M.state.n).toBe(3) (2 and 3)",
		"module M { state { n: 2 } }\n@test \"a\" { assert M.state.m == 3 }":     "2:20: the unknown state key 'm'",
		"@test \"a\" { assert nobody.here }":                                     "1:20: the unknown name 'nobody'",
		"@test \"a\" { }":                                                        "the test asserts nothing",
		"module M { state { n: 0 } action up() { state.n += 1; return state.n } }\n@test \"once\" { expect(M.up()).toBe(2) }": "2:16: expect(M.up()).toBe(2) (1 and 2)",
	} {
		c := compile(t, ".", "a.hsplus", []byte(text), ast.HSPlus)
		if len(c.Tests) != 1 {
			t.Errorf("%s: %d tests", text, len(c.Tests))
			continue
		}
		r, err := c.Run(&c.Tests[0], nil)
		if err != nil || r.OK || !strings.Contains(strings.Join(r.Failed, "; "), want) {
			t.Errorf("%s: %v %v, want %q", text, err, r, want)
		}
	}
}
