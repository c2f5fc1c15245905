package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/parse"
)

// Each code of the checker: a text in which » and « mark the span, the message,
// and what the first fix makes of the text, empty when there is none. The name
// of the file is main with the format; files are the other files of the project.
var diagnosed = []struct {
	code     diag.Code
	severity diag.Severity
	format   string
	text     string
	message  string
	fixed    string
}{
	{"NAM001", diag.Warning, "holo", "object \"A\" { mass: 1kg }\nobject »\"A\"« { mass: 2kg }", "Another object here is already called 'A'.", "object \"A\" { mass: 1kg }\nobject \"A 2\" { mass: 2kg }"},
	{"NAM001", diag.Warning, "holo", "orb a { x: 1 }\nobject »a« { x: 2 }", "Another object here is already called 'a'.", "orb a { x: 1 }\nobject \"a 2\" { x: 2 }"},
	{"NAM002", diag.Error, "holo", "template \"T\" { x: 1 }\ntemplate »\"T\"« { x: 2 }\norb a using \"T\" { }", "'T' is declared twice.", ""},
	{"NAM002", diag.Error, "hsplus", "module M { action f() { g() }\n action »f«() { g() } action g() { } exports { f } }", "'f' is declared twice.", ""},
	{"NAM002", diag.Error, "hsplus", "enum E { a, »a« }\nlet e: E = a", "'a' is declared twice.", ""},
	{"NAM002", diag.Error, "hsplus", "struct S { a: number\n »a«: string }\nlet s: S = null as any", "'a' is declared twice.", ""},
	{"NAM002", diag.Error, "hs", "object o { function f() { let a = 1\n let »a« = 2\n return a } }\nexecute o.f()", "'a' is declared twice.", ""},
	{"NAM002", diag.Error, "hs", "object o { function f(a, »a«) { return a } }\nexecute o.f(1, 2)", "'a' is declared twice.", ""},
	{"NAM003", diag.Warning, "holo", "object A {\n  mass: 1kg\n  »mass«: 2kg\n}", "Key 'mass' is set twice; the later value is used.", "object A {\n  mass: 2kg\n}"},
	{"NAM003", diag.Warning, "holo", "object A { size: { x: 1, »x«: 2 } }", "Key 'x' is set twice; the later value is used.", "object A { size: { x: 2 } }"},
	{"NAM004", diag.Error, "holo", "template \"Buoy\" { x: 1 }\norb a using »\"Bouy\"« { }", "Template 'Bouy' does not exist. Did you mean 'Buoy'?", "template \"Buoy\" { x: 1 }\norb a using \"Buoy\" { }"},
	{"NAM004", diag.Error, "hs", "object o { on_click { spawn »Lamp« } }", "Template 'Lamp' does not exist.", ""},
	{"NAM005", diag.Warning, "hs", "object o { on_start { »clmap«(1, 2, 3) } }", "'clmap' is not declared here; it is left to the host. Did you mean 'clamp'?", "object o { on_start { clamp(1, 2, 3) } }"},
	{"NAM005", diag.Warning, "hs", "object o { on_start { if »redy« > 1 { stop() } } }", "'redy' is not declared here; it is left to the host.", ""},
	{"NAM006", diag.Error, "hs", "object horn { function go() { } on_start { emit(\"x\") } }\nconnect »hron«.x -> horn.go()", "Node 'hron' does not exist. Did you mean 'horn'?", "object horn { function go() { } on_start { emit(\"x\") } }\nconnect horn.x -> horn.go()"},
	{"NAM006", diag.Warning, "holo", "dialogue \"shop\" { option \"Go\" -> @dialog(»\"shp\"«) }", "Node 'shp' does not exist. Did you mean 'shop'?", "dialogue \"shop\" { option \"Go\" -> @dialog(\"shop\") }"},
	{"NAM006", diag.Warning, "hs", "object \"A\" { group \"Bell\" { state { n: 1 } } }\nobject \"C\" { on_start { log A.Bell.state.n; let x = A.»Bel«.state.n; log x } }", "Node 'A.Bel' does not exist. Did you mean 'Bell'?", "object \"A\" { group \"Bell\" { state { n: 1 } } }\nobject \"C\" { on_start { log A.Bell.state.n; let x = A.Bell.state.n; log x } }"},
	{"NAM006", diag.Warning, "holo", "object \"A\" { on_start { log get_node(»\"Bell\"«) } }", "Node 'Bell' does not exist.", ""},
	{"NAM005", diag.Warning, "holo", "object \"A\" { on_start { let x = »Bel«.state.n; log x } } object \"Bell\" { state { n: 1 } on_start { log state.n } }", "'Bel' is not declared here; it is left to the host. Did you mean 'Bell'?", "object \"A\" { on_start { let x = Bell.state.n; log x } } object \"Bell\" { state { n: 1 } on_start { log state.n } }"},
	{"BLK006", diag.Info, "holo", "object \"A\" { on_start { set_trait(this, »\"physics\"«, { mass: 2 }); set_trait(this, \"glowing\", { intensity: 2 }) } }", "@physics has no effect inside set_trait.", ""},
	{"NAM006", diag.Error, "holo", "ui \"U\" { button \"B\" -> () { look_at(#{»Vase«}) } }", "Node 'Vase' does not exist.", ""},
	{"NAM006", diag.Warning, "holo", "on »Hall«.opened -> () { log \"x\" }", "Node 'Hall' does not exist.", ""},
	{"NAM007", diag.Warning, "hs", "object o { state { lit: 1 } on_start { state.»lti« = 2\n log state.lit } }", "State key 'lti' is not declared. Did you mean 'lit'?", "object o { state { lit: 1 } on_start { state.lit = 2\n log state.lit } }"},
	{"NAM007", diag.Warning, "hs", "object o {\n  state {\n    lit: 1\n  }\n  on_start { state.»far« = state.lit }\n}", "State key 'far' is not declared.", "object o {\n  state {\n    far: null\n    lit: 1\n  }\n  on_start { state.far = state.lit }\n}"},
	{"NAM007", diag.Warning, "holo", "composition \"C\" {\n  state { n: 0 }\n  template \"Boat\" { state { crew: 0 } action go() { state.crew = 1 } }\n  group \"Swift\" using \"Boat\" { x: 1 }\n}\n@test {\n  assert: { Swift.state.»moored« && state.n == 0 }\n}", "State key 'moored' is not declared.", "composition \"C\" {\n  state { n: 0 }\n  template \"Boat\" { state { crew: 0 } action go() { state.crew = 1 } }\n  group \"Swift\" using \"Boat\" { state { moored: null } x: 1 }\n}\n@test {\n  assert: { Swift.state.moored && state.n == 0 }\n}"},
	{"NAM007", diag.Warning, "holo", "composition \"C\" {\n  template \"Boat\" { state { moored: 0 } action go() { state.moored = 1 } }\n  group \"Swift\" using \"Boat\" { }\n  on_x(e) { log Swift.state.»moord« }\n}", "State key 'moord' is not declared. Did you mean 'moored'?", "composition \"C\" {\n  template \"Boat\" { state { moored: 0 } action go() { state.moored = 1 } }\n  group \"Swift\" using \"Boat\" { }\n  on_x(e) { log Swift.state.moored }\n}"},
	{"NAM007", diag.Warning, "holo", "object o { visible: $»far« }", "State key 'far' is not declared.", "object o { state { far: null } visible: $far }"},
	{"NAM008", diag.Warning, "hsplus", "let a: »nmuber« = 1", "Type 'nmuber' does not exist. Did you mean 'number'?", "let a: number = 1"},
	{"NAM008", diag.Warning, "hs", "object o { action f(a: »Flor«) { return a } }\nexecute o.f(1)", "Type 'Flor' does not exist.", ""},
	{"NAM009", diag.Hint, "hs", "object o { function f(a) { if a { let »a« = 2\n log a } } }\nexecute o.f(1)", "'a' hides an outer name.", ""},
	{"NAM010", diag.Error, "holo", "template »\"A\"« using \"B\" { }\ntemplate \"B\" using \"A\" { }", "Templates extend each other: A → B → A.", ""},
	{"NAM011", diag.Error, "hsplus", "module M { action serve() { go_to(1) } exports { »srve« } }", "'srve' is exported but not declared. Did you mean 'serve'?", "module M { action serve() { go_to(1) } exports { serve } }"},
	{"NAM011", diag.Error, "hsplus", "export { »x« }", "'x' is exported but not declared.", ""},

	{"BLK001", diag.Warning, "holo", "»lihgt« \"Sun\" { type: \"point\" }", "Unknown block kind 'lihgt'. Did you mean 'light'? It is kept as data.", "light \"Sun\" { type: \"point\" }"},
	{"BLK001", diag.Warning, "hs", "»seedbed« { rows: 3 }", "Unknown block kind 'seedbed'. It is kept as data.", ""},
	{"BLK002", diag.Info, "holo", "environment { »moons«: 2 }", "'moons' is not a known setting of environment.", ""},
	{"BLK002", diag.Warning, "holo", "fog { »denstiy«: 0.1 }", "'denstiy' is not a known setting of fog. Did you mean 'density'?", "fog { density: 0.1 }"},
	{"BLK002", diag.Warning, "holo", "object A { »positoin«: [0, 0, 0] }", "'positoin' is not a known setting of object. Did you mean 'position'?", "object A { position: [0, 0, 0] }"},
	{"BLK003", diag.Warning, "holo", "environment { exposure: 1 }\n»environment« { ambient_light: 1 }", "'environment' appears again; settings are merged, the later wins.", ""},
	{"BLK004", diag.Info, "holo", "object A { »on_hover_entre«() { log 1 } }", "Event 'hover_entre' is never raised by the host or this file. Did you mean 'hover_enter'?", "object A { on_hover_enter() { log 1 } }"},
	{"BLK004", diag.Info, "hs", "object A { on »\"far\"« { log 1 } }", "Event 'far' is never raised by the host or this file.", ""},
	{"BLK005", diag.Warning, "holo", "object A { geometry: »\"shpere\"« }", "Unknown geometry 'shpere'; a box is used. Did you mean 'sphere'?", "object A { geometry: \"sphere\" }"},
	{"BLK006", diag.Info, "holo", "object A { »environment« { exposure: 1 } }", "environment has no effect inside object.", ""},
	{"BLK007", diag.Warning, "hs", "pipeline p { source s { type: \"list\" }\n »sink« k { type: \"filesystem\" } }", "sink needs 'path'.", "pipeline p { source s { type: \"list\" }\n sink k { path: \"\", type: \"filesystem\" } }"},
	{"BLK007", diag.Warning, "holo", "object A { »animation« { duration: 2s } }", "animation needs 'property'.", "object A { animation { property: \"position\", duration: 2s } }"},
	{"BLK008", diag.Info, "holo", "»#verison« 2.1.0\norb a { x: 1 }", "Unknown directive '#verison'. Did you mean '#version'?", "#version 2.1.0\norb a { x: 1 }"},
	{"BLK009", diag.Error, "hs", "object A { on_start { »break« } }", "'break' is only allowed inside a loop or a switch.", ""},
	{"BLK009", diag.Error, "hs", "object A { on_start { »continue« } }", "'continue' is only allowed inside a loop.", ""},
	{"BLK009", diag.Error, "hs", "object A { computed { n: »await« now() } on_start { log n } }", "'await' is only allowed inside a function or a handler.", ""},

	{"TRT001", diag.Warning, "holo", "object A »@grabable« { x: 1 }", "Unknown trait '@grabable'. Did you mean '@grabbable'? It is kept as data.", "object A @grabbable { x: 1 }"},
	{"TRT001", diag.Warning, "holo", "entity A { traits: [»grabable«] }", "Unknown trait '@grabable'. Did you mean '@grabbable'? It is kept as data.", "entity A { traits: [grabbable] }"},
	{"TRT002", diag.Warning, "holo", "object A { @grabbable { »hadn«: \"left\" } }", "'@grabbable' has no parameter 'hadn'. Did you mean 'hand'?", "object A { @grabbable { hand: \"left\" } }"},
	{"TRT002", diag.Info, "holo", "object A @grabbable(»moonlight«: 1) { x: 1 }", "'@grabbable' has no parameter 'moonlight'.", ""},
	{"TRT003", diag.Warning, "holo", "object A { @physics { mass: »\"12\"« } }", "'mass' of '@physics' should be number in kg, found string.", "object A { @physics { mass: 12 } }"},
	{"TRT004", diag.Warning, "holo", "object A @grabbable(snap_distance: »-1m«) { x: 1 }", "'snap_distance' of '@grabbable' should be between 0 m and infinity.", "object A @grabbable(snap_distance: 0) { x: 1 }"},
	{"TRT005", diag.Warning, "holo", "object A »@alt_text« { x: 1 }", "'@alt_text' needs 'text'.", "object A @alt_text(text: \"…\") { x: 1 }"},
	{"TRT006", diag.Warning, "holo", "object A @grabbable »@static« { x: 1 }", "", ""},
	{"TRT007", diag.Info, "holo", "object A »@grabbable« { x: 1 }", "'@grabbable' works only together with '@physics' or '@collidable'.", "object A @grabbable @physics { x: 1 }"},
	{"TRT008", diag.Info, "holo", "object A @physics(mass: 1kg) »@physics«(friction: 0.5) { x: 1 }", "'@physics' is set more than once.", "object A @physics(mass: 1kg, friction: 0.5) { x: 1 }"},
	{"TRT009", diag.Warning, "holo", "object A @grabbable(hand: »\"lefty\"«) { x: 1 }", "'lefty' is not a value of 'hand'; expected one of both, left, right, dominant.", "object A @grabbable(hand: \"left\") { x: 1 }"},
	{"TRT010", diag.Error, "holo", "trait »warm« extends nothing_there { level: number = 1 }\nobject A @warm { x: 1 }", "", ""},
	{"TRT011", diag.Error, "holo", "trait »a« extends b { x: number = 1 }\ntrait b extends a { y: number = 1 }", "", ""},
	{"TRT012", diag.Warning, "holo", "@platform(»andriod«)\nobject A { x: 1 }", "Unknown platform 'andriod'. Did you mean 'android'?", "@platform(android)\nobject A { x: 1 }"},

	{"TYP001", diag.Error, "hsplus", "let a: number = »\"12\"«", "Cannot assign string to number.", "let a: number = 12"},
	{"TYP001", diag.Warning, "hs", "object A { state n: number = 1\n on_start { state.n = »\"x\"« } }", "Cannot assign string to number.", ""},
	{"TYP001", diag.Error, "hsplus", "enum Mood { calm busy }\nlet a: Mood = »\"clam\"«", "Cannot assign \"clam\" to Mood.", "enum Mood { calm busy }\nlet a: Mood = \"calm\""},
	{"TYP001", diag.Error, "hsplus", "let a: \"x\" | \"y\" = »3«", "Cannot assign number to \"x\" | \"y\".", ""},
	{"TYP001", diag.Error, "hsplus", "type P = number | \"free\"\nlet a: P = »\"dear\"«", "Cannot assign string to P.", ""},
	{"TYP001", diag.Error, "hsplus", "let d: duration = »2m«", "Cannot assign length to duration.", ""},
	{"TYP001", diag.Error, "hsplus", "let d: vec3 = »[1, \"a\", 2]«", "Cannot assign list to vec3.", ""},
	{"TYP002", diag.Warning, "hsplus", "action f(a) { log a }\naction g() { »f«(1, 2) }\nexport { g }", "'f' takes 1 arguments, found 2.", ""},
	{"TYP002", diag.Error, "hsplus", "action f(a: number) { log a }\naction g() { »f«(1, 2) }\nexport { g }", "'f' takes 1 arguments, found 2.", ""},
	{"TYP002", diag.Error, "hsplus", "action f(a: number, b?: string) { log a }\naction g() { f(»true«) }\nexport { g }", "Argument 1 should be number.", ""},
	{"TYP003", diag.Error, "hsplus", "action f(): number { return »\"3\"« }\nexport { f }", "Returns string, declared number.", "action f(): number { return 3 }\nexport { f }"},
	{"TYP003", diag.Error, "hsplus", "action f(): number { »return«\n}\nexport { f }", "Returns nothing, declared number.", ""},
	{"TYP004", diag.Warning, "holo", "object A { visible: »\"true\"« }", "'visible' should be boolean, found string.", "object A { visible: true }"},
	{"TYP004", diag.Warning, "hsplus", "object A { position: »\"up\"« }", "'position' should be vec3, found string.", ""},
	{"TYP004", diag.Warning, "holo", "fog { type: »\"lineer\"« }", "'type' should be one of linear, exp, exponential, exp2, found 'lineer'.", "fog { type: \"linear\" }"},
	{"TYP005", diag.Warning, "holo", "object A { color: »\"rde\"« }", "'rde' is not a colour.", "object A { color: \"red\" }"},
	{"TYP005", diag.Warning, "holo", "object A { color: »\"#ff zz00\"« }", "'#ff zz00' is not a colour.", ""},
	{"TYP006", diag.Warning, "hs", "object A { on_start { wait 3»sce« } }", "Unknown unit 'sce'.", ""},
	{"TYP006", diag.Warning, "holo", "object A { pause: 3»degg« }", "Unknown unit 'degg'. Did you mean 'deg'?", "object A { pause: 3deg }"},
	{"TYP007", diag.Error, "hs", "object A { on_start { wait(»3s + 2m«) } }", "Cannot combine time with length.", ""},
	{"TYP008", diag.Warning, "holo", "object A { opacity: »1.5« }", "'opacity' should be between 0 and 1.", "object A { opacity: 1 }"},
	{"TYP009", diag.Error, "hsplus", "struct T { from: number }\naction f(t: T): number { return t.»form« }\nexport { f }", "T has no member 'form'. Did you mean 'from'?", "struct T { from: number }\naction f(t: T): number { return t.from }\nexport { f }"},
	{"TYP009", diag.Error, "hsplus", "enum E { calm busy }\nlet e: E = E.»clam«", "E has no member 'clam'. Did you mean 'calm'?", "enum E { calm busy }\nlet e: E = E.calm"},
	{"TYP010", diag.Error, "hsplus", "struct T { from: number, to: number }\nlet t: T = »{ from: 1 }«", "Member 'to' of T is missing.", "struct T { from: number, to: number }\nlet t: T = { to: 0, from: 1 }"},
	{"TYP011", diag.Error, "holo", "object A { computed { »a«: b + 1\n b: a + 1 } }", "Computed values depend on each other: a → b → a.", ""},
	{"TYP012", diag.Hint, "hs", "object A { on_start { if »2 > 1« { stop() } } }", "This condition is always true.", ""},

	{"IMP001", diag.Error, "hsplus", "import { clamp } from »\"./nmu\"«\nlet a = clamp(1, 2, 3)", "Module './nmu' was not found. Did you mean './num'?", "import { clamp } from \"./num\"\nlet a = clamp(1, 2, 3)"},
	{"IMP001", diag.Error, "hsplus", "import »\"far/away\"«", "Module 'far/away' was not found.", ""},
	{"IMP002", diag.Error, "hsplus", "import { »clmap« } from \"./num\"", "'./num' does not export 'clmap'. Did you mean 'clamp'?", "import { clamp } from \"./num\""},
	{"IMP003", diag.Warning, "hsplus", "import { back } from »\"./cycle\"«\nexport function f() { back() }", "Modules import each other: main.hsplus → cycle.hsplus → main.hsplus.", ""},
	{"IMP003", diag.Error, "hsplus", "import { back } from »\"./cycle\"«\nlet n = back()", "Modules import each other: main.hsplus → ./cycle → main.hsplus.", ""},
	{"IMP004", diag.Error, "hsplus", "import »\"../../etc/passwd\"«", "'../../etc/passwd' leaves the project folder.", ""},
	{"IMP004", diag.Error, "hsplus", "import »\"C:/x\"«", "'C:/x' leaves the project folder.", ""},
	{"IMP005", diag.Error, "hsplus", "import »\"https://example.org/x.holo\"«", "'https://example.org/x.holo' is a network address; imports are local.", ""},
	{"IMP006", diag.Error, "hsplus", "import { clamp } from »\"./Num.hsplus\"«\nlet a = clamp(1, 2, 3)", "Spelling differs from the file 'num.hsplus'.", "import { clamp } from \"./num.hsplus\"\nlet a = clamp(1, 2, 3)"},
	{"IMP007", diag.Error, "hsplus", "import { x } from »\"./broken\"«\nlet a = x", "Module './broken' has errors.", ""},
	{"IMP008", diag.Warning, "holo", "object A { model: »\"far.glb\"« }", "Asset 'far.glb' was not found.", ""},
	{"IMP008", diag.Warning, "hsplus", "import tower from »\"./far.glb\"«\nlet t = tower", "Asset './far.glb' was not found.", ""},
	{"IMP009", diag.Error, "hsplus", "export function f() { stop() }\nfunction g() { f() }\nexport { »g as f« }", "'f' is exported twice.", ""},
	{"LIM010", diag.Error, "holo", longChain(), "Limit exceeded: the chain of templates is 33, allowed 32.", ""},

	{"STM001", diag.Error, "holo", "object A { »@state_machine« { states: { idle: { } } } }", "State machine has no initial state.", "object A { @state_machine { initial: \"idle\", states: { idle: { } } } }"},
	{"STM002", diag.Error, "holo", "object A { @state_machine { initial: »\"idel\"«\n states: { idle: { } } } }", "State 'idel' does not exist. Did you mean 'idle'?", "object A { @state_machine { initial: \"idle\"\n states: { idle: { } } } }"},
	{"STM002", diag.Error, "holo", "object A { state_machine \"m\" { initial: idle\n states { idle { on_click -> »\"far\"« } } } }", "State 'far' does not exist.", ""},
	{"STM002", diag.Error, "holo", "object A { state_machine { initial: a\n states { a { } b { } }\n transition a -> b\n transition \"a\" -> \"b\" { on: click }\n transition »\"cc\"« -> \"a\" { guard: true } } }", "State 'cc' does not exist.", ""},
	{"STM003", diag.Warning, "holo", "object A { @state_machine { initial: \"a\"\n states: { a: { on_click: -> \"b\" } b: { } »c«: { } } } }", "State 'c' can never be reached.", ""},
	{"STM004", diag.Warning, "holo", "object A { @state_machine { initial: \"a\"\n states: { a: { on_click -> \"b\"\n »on_click« -> \"a\" } b: { } } } }", "Event 'click' has two transitions without a guard; the second is never taken.", "object A { @state_machine { initial: \"a\"\n states: { a: { on_click -> \"b\"\n } b: { } } } }"},
	{"STM005", diag.Warning, "hs", "npc A { behavior_tree { root: »sequense« { children: [ action { call: go } ] } } }", "Unknown tree node 'sequense'. Did you mean 'sequence'?", "npc A { behavior_tree { root: sequence { children: [ action { call: go } ] } } }"},
	{"STM006", diag.Error, "hs", "npc A { behavior_tree { root: »sequence« { name: \"x\" } } }", "sequence needs at least one child.", ""},
	{"STM006", diag.Error, "hs", "npc A { behavior_tree { »inverter« { wait { duration: 1s }\n wait { duration: 2s } } } }", "inverter needs 1 child only.", ""},
	{"STM007", diag.Error, "hs", "npc A { »behavior_tree« { tick_rate: 5 } }", "Behaviour tree has no root.", ""},

	{"FLO001", diag.Warning, "hs", "object a { on_start { emit(\"breech\") } }\nobject b { function f() { } }\nconnect a.»breach« -> b.f()", "Nothing raises 'breach' on 'a'. Did you mean 'breech'?", "object a { on_start { emit(\"breech\") } }\nobject b { function f() { } }\nconnect a.breech -> b.f()"},
	{"FLO002", diag.Warning, "hs", "object a { function sample() { } }\nexecute a.»smaple«() every 2s", "'a' has no function 'smaple'. Did you mean 'sample'?", "object a { function sample() { } }\nexecute a.sample() every 2s"},
	{"FLO003", diag.Error, "hs", "»pipeline« p { sink k { type: \"stdout\" } }", "Pipeline 'p' has no source.", ""},
	{"FLO004", diag.Error, "hs", "»pipeline« p { source s { type: \"list\" } }", "Pipeline 'p' has no sink.", ""},
	{"FLO005", diag.Error, "hs", "pipeline p { source s { type: \"list\" }\n branch b { default -> sink »Otu« }\n sink Out { type: \"stdout\" } }", "Sink 'Otu' does not exist. Did you mean 'Out'?", "pipeline p { source s { type: \"list\" }\n branch b { default -> sink Out }\n sink Out { type: \"stdout\" } }"},
	{"FLO006", diag.Warning, "hs", "pipeline p { source s { type: \"list\", fields: [celsius, id] }\n filter f { where: »celsuis« > 7 }\n sink k { type: \"stdout\" } }", "Field 'celsuis' is not produced by an earlier stage. Did you mean 'celsius'?", "pipeline p { source s { type: \"list\", fields: [celsius, id] }\n filter f { where: celsius > 7 }\n sink k { type: \"stdout\" } }"},
	{"FLO007", diag.Warning, "hs", "pipeline p { source s { type: \"list\" }\n transform t { a -> b : »tirm«() }\n sink k { type: \"stdout\" } }", "Unknown function or check 'tirm'. Did you mean 'trim'?", "pipeline p { source s { type: \"list\" }\n transform t { a -> b : trim() }\n sink k { type: \"stdout\" } }"},
	{"FLO008", diag.Error, "hs", "pipeline p { source s { type: \"list\" }\n filter »a« { from: b, where: x }\n filter b { from: a, where: x }\n sink k { type: \"stdout\" } }", "Stages feed each other: a → b → a.", ""},
	{"FLO009", diag.Warning, "hs", "pipeline p { schedule: »\"61 * * * *\"«\n source s { type: \"list\" }\n sink k { type: \"stdout\" } }", "'61 * * * *' is not a valid schedule.", ""},
	{"FLO010", diag.Warning, "holo", "timeline { »dawn«: log \"x\" }", "Timeline key 'dawn' is not a time.", ""},
	{"FLO011", diag.Warning, "holo", "object A { animation { property: »\"weather\"«, duration: 2s } }", "'weather' cannot be animated.", ""},

	{"LNT001", diag.Hint, "holo", "template \"T\" { props { »price«: 12, color: \"red\" } geometry: \"box\" }\nobject \"A\" using \"T\" { price: 3 }", "'price' is never used.", ""},
	{"LNT001", diag.Hint, "holo", "template »\"T\"« { x: 1 }\norb a { x: 1 }", "'T' is never used.", "orb a { x: 1 }"},
	{"LNT001", diag.Hint, "hs", "object A {\n  state {\n    »n«: 1\n    m: 2\n  }\n  on_start { log state.m }\n}", "'n' is never used.", "object A {\n  state {\n    m: 2\n  }\n  on_start { log state.m }\n}"},
	{"LNT001", diag.Hint, "hsplus", "import { clamp, »lerp« } from \"./num\"\nlet a = clamp(1, 2, 3)", "'lerp' is never used.", "import { clamp, } from \"./num\"\nlet a = clamp(1, 2, 3)"},
	{"LNT001", diag.Hint, "hsplus", "import { »lerp« } from \"./num\"\nlet a = 1", "'lerp' is never used.", ""},
	{"LNT002", diag.Hint, "holo", "object A {\n  »state« { }\n  mass: 1kg\n}", "Empty state.", "object A {\n  mass: 1kg\n}"},
	{"LNT003", diag.Hint, "holo", strings.Repeat("group { ", 12) + "»group« { x: 1 " + strings.Repeat("}", 13), "Nested 13 levels deep.", ""},
	{"LNT004", diag.Info, "holo", "object A { animation { property: \"scale\", duration: »250« } }", "'duration' has no unit; read as 250ms.", "object A { animation { property: \"scale\", duration: 250ms } }"},
	{"LNT006", diag.Hint, "holo", "object A { castShadow: true }\nobject B { »cast_shadow«: true }", "'cast_shadow' and 'castShadow' spell one key in two ways.", "object A { castShadow: true }\nobject B { castShadow: true }"},
	{"LNT007", diag.Info, "holo", "object A { »on_grab«() { log 1 } }", "'grab' never fires without '@grabbable'.", "object A @grabbable { on_grab() { log 1 } }"},
	{"LNT008", diag.Info, "hs", "»environment« { exposure: 1 }\npipeline p { source s { type: \"list\" }\n sink k { type: \"stdout\" } }", "environment is unusual in .hs files.", ""},
	{"LNT009", diag.Warning, "hs", "object A { api_key: »\"abcdef123456\"« }", "This looks like a secret; use '${env.NAME}'.", ""},
	{"LNT010", diag.Hint, "holo", "»object« a { color: \"red\" position: [0, 0, 0] }\nobject b { color: \"red\" position: [1, 0, 0] }\nobject c { color: \"red\" position: [2, 0, 0] }\nobject d { color: \"red\" position: [3, 0, 0] }", "4 nodes differ only in place; a template would do.", ""},
}

// longChain is a row of templates that use each other, one too many.
func longChain() string {
	var b strings.Builder
	b.WriteString("template »t00« using t01 { }\n")
	for i := 1; i <= MaxChain; i++ {
		name := func(i int) string { return "t" + string(rune('0'+i/10)) + string(rune('0'+i%10)) }
		if i == MaxChain {
			b.WriteString("template " + name(i) + " { x: 1 }\n")
		} else {
			b.WriteString("template " + name(i) + " using " + name(i+1) + " { }\n")
		}
	}
	b.WriteString("orb a using t00 { }")
	return b.String()
}

// neighbours are the other files of the project.
var neighbours = module.Memory{
	"num.hsplus":    []byte("export function clamp(value: number, low: number, high: number): number { return value }\nexport function lerp(a: number) => a\n"),
	"broken.hsplus": []byte("export let x = 1\nlet y: = \n"),
	"cycle.hsplus":  []byte("import { f } from \"./main.hsplus\"\nexport function back() { f() }\n"),
}

func inProject(tb testing.TB, path, text string) *Result {
	tb.Helper()
	files := module.Memory{path: []byte(text)}
	for name, t := range neighbours {
		files[name] = t
	}
	p, found, err := module.Open(files)
	if err != nil || len(found) > 0 {
		tb.Fatal(err, found)
	}
	format, _ := ast.FormatOf(path)
	f, said := parse.File(path, []byte(text), format)
	return run(f, said, Options{Project: p})
}

func TestDiagnostics(t *testing.T) {
	t.Parallel()
	for _, c := range diagnosed {
		start := strings.Index(c.text, "»")
		text := strings.Replace(c.text, "»", "", 1)
		end := strings.Index(text, "«")
		text = strings.Replace(text, "«", "", 1)
		path := "main." + c.format
		found := inProject(t, path, text).Diagnostics
		i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Code == c.code && d.Offset == start })
		if i < 0 {
			t.Errorf("%s %q at %d: found %v", c.code, text, start, found)
			continue
		}
		d := found[i]
		if d.Severity != c.severity || c.message != "" && d.Message != c.message || d.EndOffset != end || d.File != path {
			t.Errorf("%q:\n got %v at %d-%d\nwant %s %s at %d-%d", text, d, d.Offset, d.EndOffset, c.severity, c.message, start, end)
		}
		if c.message == "" && (d.Message == "" || strings.Contains(d.Message, "{")) {
			t.Errorf("%s %q: message %q", c.code, text, d.Message)
		}
		for _, other := range found {
			if other.Severity == diag.Error && other.Code != c.code {
				t.Errorf("%s %q: also %v", c.code, text, other)
			}
		}
		if c.fixed != "" && len(d.Fixes) == 0 {
			t.Errorf("%s %q: no fix", c.code, text)
		}
		for n, fix := range d.Fixes {
			fixed := fix.Apply(path, text)
			if n == 0 && c.fixed != "" && fixed != c.fixed {
				t.Errorf("%s %q: fixed to %q, want %q", c.code, text, fixed, c.fixed)
			}
			after := inProject(t, path, fixed).Diagnostics
			if slices.ContainsFunc(after, func(d diag.Diagnostic) bool {
				return d.Code == c.code || strings.HasPrefix(string(d.Code), "SYN")
			}) {
				t.Errorf("%s %q: the fix %q leaves %v", c.code, text, fixed, after)
			}
		}
	}
}

// The number of modules and the depth of imports are bounded.
func TestModuleLimits(t *testing.T) {
	t.Parallel()
	files := module.Memory{"main.hsplus": []byte("import \"./m0\"\n"), "wide.hsplus": nil}
	for i := range module.MaxImports + 1 {
		files[fmt.Sprintf("m%d.hsplus", i)] = fmt.Appendf(nil, "import \"./m%d\"\n", i+1)
	}
	var wide strings.Builder
	for i := range module.MaxModules + 1 {
		files[fmt.Sprintf("w%d.hsplus", i)] = []byte("let a = 1\n")
		fmt.Fprintf(&wide, "import \"./w%d\"\n", i)
	}
	files["wide.hsplus"] = []byte(wide.String())
	for path, want := range map[string]string{
		"main.hsplus": "Limit exceeded: the depth of imports is 65, allowed 64.",
		"wide.hsplus": "Limit exceeded: the number of modules is 513, allowed 512.",
	} {
		p, _, err := module.Open(files)
		if err != nil {
			t.Fatal(err)
		}
		f, said := parse.File(path, files[path], ast.HSPlus)
		found := run(f, said, Options{Project: p}).Diagnostics
		if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == "LIM004" && d.Message == want }) {
			t.Errorf("%s: %v", path, found)
		}
	}
}

// Every code of the checker's stages is in the table, but for those that need
// more than one file or a target.
func TestEveryCodeIsTested(t *testing.T) {
	t.Parallel()
	tested := map[diag.Code]bool{"LIM004": true} // TestModuleLimits
	for _, c := range diagnosed {
		tested[c.code] = true
	}
	for _, row := range diag.Rows {
		switch row.Code[:3] {
		case "NAM", "BLK", "TRT", "TYP", "IMP", "STM", "FLO", "LNT":
			if !tested[row.Code] && row.Code != "LNT005" && row.Code != "LNT014" && row.Code != "BLK010" && row.Code != "BLK011" && row.Code != "BLK012" && row.Code != "FLO012" && row.Code != "LNT015" { // of the lexer, and of packages scene and run
				t.Errorf("%s is not tested", row.Code)
			}
		}
	}
}
