package run_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/run"
)

// meant are habits of behaviour with what must follow: the source, the events that
// are raised (at a node, behind a slash, + for a space) and what is
// logged.
var meant = []struct{ rule, text, events, logs string }{
	{"T54", `object "A" { on doorOpened(e) { log "opened " + e } on "hover enter" { log "over" } on_start { emit("doorOpened", 1) emit "hover enter" } }`, "", "opened 1|over"},
	{"T55", `on_event("tide:high", t) { log "high " + t }
object "A" { on_start { emit("tide:high", 3) } }`, "", "high 3"},
	{"T55", `object "gate" { on_start { emit("open", { by: "me" }) } }
on gate.message("open", m) { log "by " + m.by }`, "", "by me"},
	{"T55", `object "B" { state { n: 0 } on_event("go") { state.n += 1  log state.n } on_message("stop", a, b) => log a }`, "B/go B/go B/stop", "1|2|null"},
	{"T57", `object "A" { state { n: 0 } on mouse_move => (e) { state.n += 1  log state.n } }`, "A/mouse_move A/mouse_move", "1|2"},
	{"T57", `object "A" { on "hover enter" => e => log "over" }`, "A/hover_enter", "over"},
	{"T57", `object "A" { function hum(x) { log "hum " + x } on tap => (e, more = 2) => hum(more) }`, "A/tap", "hum 2"},
	{"T30", `object "A" { state { ok: false } on go { state.ok = true }
	state_machine { initial: "a" states { a { transition "ping" -> "b" { guard: ok, action: { log "b" } } } b { } } } }`, "A/ping A/go A/ping", "b"},
	{"T56", `object "A" { state { ready: false }
	state_machine { initial: "idle" states { idle { } busy { on_entry: { log "busy" } } done { on_entry: { log "done" } } }
		transition "idle" -> "busy"
		transition "busy" -> "done" { guard: ready, action: { log "go" } } }
	on finish { state.ready = true } }`, "A/finish A/busy", "busy|go|done"},
	{"T56", `object "Door" { state { n: 0 }
	states: ["shut", "open"]
	function hum() { state.n += 1  log state.n }
	transition "shut" -> "open" { event: "push", action: hum }
	transition "open" -> "shut" guard(n > 1) action(hum)
	transition "open" -> "open" { on: "push", action: hum } }`, "Door/push Door/push", "1|2|3"},
	{"T56", `object "Lamp" { transition "off" -> "on" { after: 1s, action: { log "on" } }
	transition "on" -> "off" { on: tap, action: { log "off" } } on_start { emit "on" } }`, "Lamp/tap", "on"},
	{"T56", `module Gate { state_machine { initial: "a" states: ["a", "b"] a -> b guard(true) action({ log "moved" }) } }`, "", "moved"},
	{"T60", "object \"A\" { state { rules:\n  - \"be brief\"\n  - \"cite\"\n  n: 2 }\n on_start { log state.rules.length + state.rules[1] + state.n } }", "", "2cite2"},
	{"T60", "object \"A\" { state { steps:\n  - name: \"x\"\n    run: [1, 2]\n  - name: \"y\"\n    inner:\n      - -3\n }\n on_start { for s of state.steps { log s.name } log state.steps[0].run[1]\n log state.steps[1].inner[0] } }", "", "x|y|2|-3"},
	{"T60", "object \"A\" { function f(l) { log l.length }\n list:\n  - a\n  - b\n on_start { this.f(this.list) } }", "", "2"},
	{"T61", `object "A" { state { a: 60°  b: 1turn } on_start { log state.a; log state.a + 30° == 90deg } }`, "", "60|true"},
	{"T61", `object "A" { on_start { this.rotation = [0, 45°, 0]  log this.rotation[1] } }`, "", "45"},
	{"T61", `object "A" { function half(x) { return x / 2 } on_start { log this.half(90°) } }`, "", "45"},
	{"T62", "object \"A\" { state { s: '''it's\n    \"two\"''' } on_start { log state.s.length } }", "", "10"},
	{"T62", "object \"A\" { on_start { log '''a'b''' + '' + 'c' } }", "", "a'bc"},
	{"T62", "object \"A\" { on_start { let s = '''\n  x ${y}\n  z\n  '''  log s.split(\"\\n\").length } }", "", "2"},
	{"T58", `composition "x" {
	dialogue "elder" { text: "Hello" option "More" -> @dialog("more") option "Leave" -> @close }
	dialogue "more" { speaker: "Elder" text "Deep"; option "Back" -> elder option "Buy" -> { log "bought" } option "Sell" -> (e) { log e.id }
		option "Hum" -> @hum(2) { if: $rich } option "Take" -> "elder" { action: { state.rich = true } } }
	state { rich: false }
	function hum(n) { log "hum " + n }
	watch { dialogue: (now) => { log "at " + now } } }`, "ui:elder:+More ui:more:+Buy ui:more:+Hum ui:more:+Back ui:more:+Take ui:more:+Hum ui:elder:+Leave", "at more|bought|at elder|hum 2|at "},
	{"T58", `object "npc" { state { n: 0 } dialogue "hi" { option "Count" -> { state.n += 1  log state.n } } on_click { emit("dialogue", "hi") } }`, "ui:hi:+Count ui:hi:+Count", "1|2"},
	{"X10", `object "A" { points: 50  score: 1 function add(n) { score += n } on tap { score += points  this.add(2)  log score } on look { log this.score } }`, "A/tap A/look", "53|53"},
	{"X10", `object "A" { points: 50 on tap { let points = 1  log points } on look(points) { log points } }`, "A/tap A/look", "1|null"},
	{"X10", `template "T"(h = 4) { props { n: 3 } lives: 2 on tap { lives -= 1  n += 1  h += 1  log lives + "," + this.n + "," + h + "," + this.h } }
	object "A" using "T" { lives: 9 } object "B" using "T"(7) { }`, "A/tap A/tap B/tap", "8,4,5,5|7,5,6,6|1,4,8,8"},
	{"X10", `template "T" { props { n: 3 } on tap { log this.n + n } } object "A" using "T" { } object "B" using "T" { n: 1 }`, "A/tap B/tap", "6|2"},
	{"X10", `template "T" { lives: 3 on look { log lives } object "heart" { on tap { lives -= 1  log lives } } }
	object "A" using "T" { } object "B" using "T" { lives: 9 gold: 1 object "P" { on tap { gold += 1 } } on see { log gold } object "C" { lives: 5 on tap { lives += 1  log lives; log B.lives } } }`, "A.heart/tap A/look B.heart/tap B/look C/tap B.P/tap B/see", "2|2|8|8|6|8|2"},
	{"X10", `object "A" { on tap { count += 1  log count } on look { let count = 7  log count } }`, "A/tap A/tap A/look", "1|2|7"},
	{"X13", `object "A" { state { left: 5, right: 2 } computed tilt { left - right } on tap { state.left = 9  log tilt } on look { log this.tilt + 1 } }`, "A/look A/tap", "4|7"},
	{"X13", `composition "c" { state { n: 2 } computed twice { n * 2 } object "A" { on tap { log twice } } }`, "A/tap", "4"},
	{"X14", `object "A" { machine "Door" { initial: shut  shut { on_push: -> "open" }  open { on_entry: { log "open" } on_push: -> "shut" } } }`, "A/push A/push A/push", "open|open"},
	{"X14", `machine "Door" { initial: shut  shut { on_push: -> "open" }  open { on_entry { log "open" } } }`, "push", "open"},
	{"yield", `object "A" { state { n: 0 } on_start { while (state.n < 5) { state.n += 1  yield } log state.n } on_look { log "n " + state.n } }`, "A/look A/look", "n 3|n 4|5"},
	{"yield", `object "A" { function count(n) { for (const i of 0..n) { log i; yield 1s } } on_start { this.count(2); log "end" } }`, "", "0|1|end"},
	{"delta_time", `object "A" { state { t: 0 } function move() { state.t += delta_time * 60 } on_update { if (state.t < 2) { move()
	log state.t } } }`, "", "1|2"},
	{"broadcast", `object "A" { on_start { broadcast("lightsOn", { by: "A" }) } }
object "B" { on lightsOn(e) { log "B " + e.by } object "C" { on_lights_on(e) { log "C " + e.by } } } on lightsOn { log "all" }`, "", "all|B A|C A"},
	{"set_trait", `object "A" { on_start { set_trait(this, "glowing", { color: "#ff0000", intensity: 1 + 1 })
	set_trait("B", "@transparent", { opacity: 0.5 })
	log this.emissive; log this.emissive_intensity; log B.opacity } } object "B" { geometry: "sphere" }`, "", "#ff0000|2|0.5"},
	{"words", `object "A" { state { mode: calm, list: [] } function pick() { return loud }
	on_start { state.mode = busy; log state.mode; let x = slow; log x; log pick(); state.list.push(one); log state.list[0]
	if (state.mode == busy) { log "yes" } switch (state.mode) { case busy: log "case" } if (quiet == null) { log "null" } if (quiet) { log "no" } } }`, "", "busy|slow|loud|one|yes|case|null"},
	{"self", `object "A" { on_start { let f = (n) => n < 2 ? 1 : n * f(n - 1)
	log f(5) } }`, "", "120"},
}

// logsOf runs a source for a while and joins what it logs.
func logsOf(t *testing.T, text string, format ast.Format, events string) string {
	t.Helper()
	c := compile(t, ".", "a."+format.String(), []byte(text), format)
	for _, u := range c.Left {
		t.Errorf("%s\n%v", text, u)
	}
	m, err := run.New(c.Program, run.Options{Nodes: c.Nodes})
	if err != nil {
		t.Fatal(err)
	}
	m.Start()
	m.Step()
	for _, e := range strings.Fields(events) {
		node, name, ok := strings.Cut(e, "/")
		if !ok {
			node, name = run.SceneOwner, node
		}
		id, ok := c.Owner(node)
		if !ok {
			t.Fatalf("%s: no node %s", text, node)
		}
		m.Inject(run.Event{Node: id, Name: strings.ReplaceAll(name, "+", " ")})
		m.Step()
	}
	m.Run(2)
	var logs []string
	trace, _ := m.Trace()
	for _, e := range trace {
		switch e.Kind {
		case "log":
			logs = append(logs, strings.Trim(e.Text(), `"`))
		case "fault":
			logs = append(logs, fmt.Sprint("fault ", e.Name, " ", e.Text()))
		}
	}
	return strings.Join(logs, "|")
}

// A habit means the same in every format.
func TestHabitsMean(t *testing.T) {
	t.Parallel()
	for _, row := range meant {
		for _, format := range []ast.Format{ast.Holo, ast.HS, ast.HSPlus} {
			f, found := parse.File("a."+format.String(), []byte(row.text), format)
			if i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }); i >= 0 {
				t.Errorf("%s %s: %v\n%s", row.rule, format, found[i], f.Text())
				continue
			}
			if logs := logsOf(t, row.text, format, row.events); logs != row.logs {
				t.Errorf("%s %s: logs %q, want %q\n%s", row.rule, format, logs, row.logs, row.text)
			}
		}
	}
}

// A test does not pass by what is null because nothing has the name.
func TestUnknownNamesFailTests(t *testing.T) {
	t.Parallel()
	const scene = `object "A" { state { n: 1, mood: calm } function go() { return true } }
`
	for assert, want := range map[string]string{
		"A.state.n == 1":          "",
		"A.state.mood == calm":    "",
		"A.go()":                  "",
		"A.state.m == null":       "2:40: the unknown state key 'm'",
		"A.state.m != 3":          "2:40: the unknown state key 'm'",
		"foo == null":             "2:40: the unknown name 'foo'",
		"foo != 3, A.state.n < 2": "",
		"!foo":                    "2:41: the unknown name 'foo'",
		"B.state.n == null":       "2:40: the unknown name 'B'",
		"B.x != 1":                "2:40: the unknown name 'B'",
		"state.q == undefined":    "2:40: the unknown state key 'q'",
	} {
		for _, format := range []ast.Format{ast.Holo, ast.HS, ast.HSPlus} {
			c := compile(t, ".", "a."+format.String(), []byte(scene+`@test { name: "x" setup: { } assert: { `+assert+` } }`), format)
			r, err := c.Run(&c.Tests[0], nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(r.Failed, "|"); !strings.Contains(got, want) || (want == "") != r.OK {
				t.Errorf("%s: %v, want %q", assert, r.Failed, want)
			}
		}
	}
}
