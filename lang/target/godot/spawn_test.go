package godot_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/run/tracetest"
	"github.com/meshd/meshd/lang/target"
)

const bed = `composition "Garden" {
  state { seeds: 0 }
  template "Flower" {
    geometry: "sphere" radius: 0.2 color: "#ff66aa"
    state { hits: 0 }
    on "click" { state.hits = state.hits + 1; this.color = "#0000ff"; if (state.hits > 1) { destroy(this) } }
    object "stem" { geometry: "box" size: [0.1, 1, 0.1] position: [0, -0.5, 0] color: "#00ff00" }
  }
  template "Stone" { geometry: "sphere" radius: 0.2 physics: { type: "dynamic" } collider: "sphere" }
  object "ground" { geometry: "box" size: [10, 1, 10] position: [0, -0.5, 0] physics: { type: "static" } collider: "box" }
  object "bed" { geometry: "box" on "click" { let a = spawn Flower at [1, 1, 0]; let b = spawn Flower at [2, 1, 0]; state.seeds = state.seeds + 2 } on "drop" { let s = spawn Stone at [3, 4, 0] } }
}`

func event(node, name string, frame int) map[string]any {
	return map[string]any{"node": node, "name": name, "payload": nil, "frame": frame}
}

// TestWhatIsSpawnedBehavesAsItsTemplate: a template of which nothing stands in the
// scene is seen where it is spawned, with what is below it; the pointer finds the
// copy, its handler writes its own state and colour, and destroy ends it.
func TestWhatIsSpawnedBehavesAsItsTemplate(t *testing.T) {
	r := compile(t, bed, "3")
	click := idOf(r, "bed")
	a, _ := performed(t, bed, 10, event(click, "click", 0), event("s1", "pointer", 4))
	if a.of("s1", "hits") != "1" || a.of("s3", "hits") != "0" || a.of("scene", "seeds") != "2" {
		t.Errorf("%v", a.State)
	}
	for id, want := range map[string][4]any{
		"s1": {1.0, 1.0, 0.0, "0000ff"}, "s2": {1.0, 0.5, 0.0, "00ff00"}, "s3": {2.0, 1.0, 0.0, "ff66aa"}, "s4": {2.0, 0.5, 0.0, "00ff00"},
	} {
		at, there := a.Places[id]
		if got := [4]any{math.Round(at[0]*1e4) / 1e4, math.Round(at[1]*1e4) / 1e4, at[2], a.Colors[id]}; !there || got != want {
			t.Errorf("%s is %v, not %v", id, got, want)
		}
	}
	for i := range r.Scene.Nodes {
		if n := &r.Scene.Nodes[i]; n.Prototype != "" {
			if _, there := a.Places[n.ID]; there || a.of(n.ID, "hits") != "" {
				t.Errorf("the prototype %s is in the scene", n.Path)
			}
		}
	}
	ended, _ := performed(t, bed, 14, event(click, "click", 0), event("s1", "pointer", 4), event("s1", "pointer", 7))
	if _, there := ended.Places["s1"]; there || ended.of("s1", "hits") != "" || ended.of("s3", "hits") != "0" || len(ended.Places) != len(a.Places)-2 {
		t.Errorf("after its end: %v %v", ended.State, ended.Places)
	}
	if ended.Count >= a.Count {
		t.Errorf("%d nodes of the engine before the end, %d after it", a.Count, ended.Count)
	}
}

// TestWhatIsSpawnedFalls: a copy of a body is a body, and nothing of the prototype
// lies in its way.
func TestWhatIsSpawnedFalls(t *testing.T) {
	drop := event(idOf(compile(t, bed, "3"), "bed"), "drop", 0)
	if a, _ := performed(t, bed, 20, drop); a.Places["s1"][1] < 3 || a.Places["s1"][1] > 3.99 {
		t.Errorf("after a third of a second the stone is at %v", a.Places["s1"])
	}
	if a, _ := performed(t, bed, 180, drop); math.Abs(a.Places["s1"][1]-0.2) > 0.05 {
		t.Errorf("the stone rests at %v", a.Places["s1"])
	}
}

// TestWhatIsSpawnedHasAllOfItsTemplate: texts, lights, sounds, animations and what
// a hand takes are of each copy, and those of the prototype are silent.
func TestWhatIsSpawnedHasAllOfItsTemplate(t *testing.T) {
	const source = `composition "Hall" {
  state { log: "" }
  template "Sign" @grabbable {
    geometry: "box" size: [1, 1, 0.1] text: "a" color: "#ffffff"
    on "click" { this.text = "bcd" } on "grab" { state.log = state.log + this.id }
    animation { property: "position.y" from: 5 to: 6 duration: 1s loop: infinite }
    point_light "glow" { intensity: 2 position: [0, 0, 1] }
    audio "ding" { src: "ding.tres" autoplay: true }
    object "ghost" { geometry: "box" visible: false }
  }
  object "maker" { geometry: "box" on "click" { let a = spawn Sign at [1, 0, 0]; let b = spawn Sign at [2, 0, 0] { scale: 2 } } }
}`
	r := compile(t, source, "3")
	a, _ := performed(t, source, 20, event(idOf(r, "maker"), "click", 0), event("s1", "pointer", 4))
	ids := map[string]string{}
	for i, n := range []string{"Sign", "glow", "ding", "ghost"} {
		ids[n+" 1"], ids[n+" 2"] = fmt.Sprint("s", 1+i), fmt.Sprint("s", 5+i)
	}
	for name, want := range map[string][]string{
		"Sign 1": {"Mesh", "Touch", "Letters"}, "Sign 2": {"Mesh", "Touch", "Letters"}, "glow 1": {"Light"}, "glow 2": {"Light"}, "ding 1": {"Sound"}, "ding 2": {"Sound"}, "ghost 2": {"Mesh"},
	} {
		for _, part := range want {
			if !slices.Contains(a.Parts[ids[name]], part) {
				t.Errorf("%s has %v, no %s", name, a.Parts[ids[name]], part)
			}
		}
	}
	if a.of("scene", "log") != "s1" || a.Colors["s5"] == "" || a.Colors[ids["ghost 2"]] != "" {
		t.Errorf("%v %v", a.State, a.Colors)
	}
	// The animation moves the one that no hand grabs; the light of the one that is
	// twice as large is twice as far.
	for id, far := range map[string]float64{"s1": 1, "s5": 2} {
		light := a.Places[map[string]string{"s1": "s2", "s5": "s6"}[id]]
		if at := a.Places[id]; id == "s5" && (at[1] < 5.1 || at[1] > 5.5) || math.Abs(light[2]-at[2]-far) > 1e-4 {
			t.Errorf("%s is at %v, its light at %v", id, at, light)
		}
	}
}

// TestPrototypesAreInNobodysWay: what falls does not rest on one.
func TestPrototypesAreInNobodysWay(t *testing.T) {
	a, _ := performed(t, `composition "Tower" {
  template "Floor" { geometry: "box" size: [4, 1, 4] position: [0, 2, 0] physics: { type: "static" } collider: "box" }
  object "ground" { geometry: "box" size: [10, 1, 10] position: [0, -0.5, 0] physics: { type: "static" } collider: "box" on "never" { let f = spawn Floor } }
  object "stone" { geometry: "box" position: [0, 5, 0] physics: { type: "dynamic" } collider: "box" on "never" { log("stone") } }
}`, 180)
	for id, at := range a.Places {
		if at[1] > 0.6 {
			t.Errorf("%s rests at %v", id, at)
		}
	}
}

// TestSpawningEndsWhereTheRunnersDoes: rows that are spawned are counted, what is
// destroyed and what a fault takes back gives them back, and what a first value
// writes goes with it.
func TestSpawningEndsWhereTheRunnersDoes(t *testing.T) {
	var many strings.Builder
	for i := range 700 {
		fmt.Fprintf(&many, " on \"e%d\" { log(%d) }\n", i, i)
	}
	source := `composition "Many" {
  state { n: 0, m: 0 }
  template "Much" {
    state { a: 1 }
` + many.String() + `  }
  template "Broken" {
    state { a: break_it() }
    function break_it() { state.m += 1; let w = spawn Much { a: 4 }; throw "no first value" }
` + many.String() + `  }
  object "maker" {
    on "more" { for (const i of 0..40) { let a = spawn Much { a: i }; state.n = state.n + 1 } }
    on "broken" { for (const i of 0..20) { try { let b = spawn Broken } catch (e) { log(e.message) } } }
    on "less" { for (const m of Much.instances.slice(0, 40)) { destroy(m) } }
    on "one" { let a = spawn Much; log(a.id, a.a, state.n, state.m, Much.instances.length) }
  }
}`
	src := target.Load(nil, "main.holo", []byte(source), ast.Holo)
	r := compile(t, source, "3")
	maker := idOf(r, "maker")
	names := []string{"broken", "broken", "broken", "one", "more", "more", "more", "broken", "more", "one", "less", "one", "broken", "more", "one"}
	events := []map[string]any{}
	for i, n := range names {
		events = append(events, map[string]any{"step": i, "node": maker, "name": n, "payload": nil})
	}
	c, err := run.Compile(r.Scene, append([]*ast.File{src.Main}, src.More...), false)
	if err != nil {
		t.Fatal(err)
	}
	m, err := run.New(c.Program, run.Options{Nodes: c.Nodes})
	if err != nil {
		t.Fatal(err)
	}
	m.Start()
	for i := range len(names) + 2 {
		if i < len(names) {
			m.Inject(run.Event{Node: maker, Name: names[i]})
		}
		m.Step()
	}
	trace, _ := m.Trace()
	raw, err := json.Marshal(trace)
	if err != nil {
		t.Fatal(err)
	}
	var want []tracetest.Entry
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	full := slices.ContainsFunc(want, func(e tracetest.Entry) bool { return e.Value == "more than 200000 rows are spawned" })
	if !full || want[len(want)-1].Kind == "fault" {
		t.Fatalf("the runner's trace proves nothing: %v, %+v", full, want[len(want)-1])
	}
	said, _ := opened(t, source, map[string]any{"steps": len(names) + 2, "events": events})
	if d := tracetest.Differ(tracetest.Printed(t, said), want); d != "" {
		t.Error(d)
	}
}

// TestPrototypesAreNotSeen: they stand apart, and neither cameras nor lights nor
// joints of the scene are theirs.
func TestPrototypesAreNotSeen(t *testing.T) {
	const source = `composition "Stage" {
  template "Lamp" { point_light "bulb" { intensity: 2 } camera "view" { fov: 50 }
    object "arm" { geometry: "box" joint: { type: "revolute" axis: [0, 0, 1] } collider: "box" } }
  object "Prototypes" { geometry: "box" on "click" { let l = spawn Lamp } }
}`
	for _, version := range []string{"3", "4"} {
		r := compile(t, source, version)
		text := string(r.Files[0].Data)
		for _, w := range []string{`parent="Prototypes/bulb"`, `[node name="Prototypes_2"`, `[node name="Daylight"`, `[node name="Overview"`} {
			if !strings.Contains(text, w) {
				t.Errorf("version %s: no %s", version, w)
			}
		}
		if strings.Contains(text, "Joint") || strings.Count(text, "current = true") != 1 || len(r.Places) != 1 {
			t.Errorf("version %s: %d places\n%s", version, len(r.Places), text)
		}
	}
}

// TestWhatIsSpawnedFloatsWhereItWasPut: animations of a place count from where the
// program put the copy, from spawn on and later, for each copy alone; without a
// place a copy floats as its prototype stands, and an instance as ever.
func TestWhatIsSpawnedFloatsWhereItWasPut(t *testing.T) {
	const source = `composition "Floats" {
  template "Buoy" @floating(amplitude: 1, speed: 1) {
    geometry: "sphere" position: [1, 2, 3]
    on "press" { this.position = [-4, 6, 2] }
    object "lamp" { geometry: "sphere" position: [0, 1, 0] }
  }
  template "Moon" @orbital { radius: 2, period: 1 } { geometry: "sphere" position: [1, 2, 3] }
  object "stands" using "Buoy" { position: [9, 1, 0] }
  object "maker" { geometry: "box"
    on "click" { let a = spawn Buoy at [5, 1, 0]; let b = spawn Buoy at [0, -3, 7]; let c = spawn Buoy; let m = spawn Moon at [0, 50, 0] } }
}`
	r := compile(t, source, "3")
	click := event(idOf(r, "maker"), "click", 0)
	for _, c := range []struct {
		frames int
		events []map[string]any
		first  [3]float64
	}{
		{20, nil, [3]float64{5, 1, 0}},
		{35, nil, [3]float64{5, 1, 0}},
		{35, []map[string]any{event("s1", "press", 10)}, [3]float64{-4, 6, 2}},
		{20, []map[string]any{event("s1", "press", 19)}, [3]float64{-4, 6, 2}},
	} {
		a, _ := performed(t, source, c.frames, append(c.events, click)...)
		swing := a.Places[idOf(r, "stands")][1] - 1
		if swing < 0.3 || swing > 1 {
			t.Errorf("after %d frames the instance swings by %v", c.frames, swing)
		}
		lamp := c.first
		lamp[1]++
		for id, want := range map[string][3]float64{"s1": c.first, "s2": lamp, "s3": {0, -3, 7}, "s5": {1, 2, 3}} {
			if at := a.Places[id]; math.Abs(at[0]-want[0]) > 1e-4 || math.Abs(at[1]-swing-want[1]) > 0.1 || math.Abs(at[2]-want[2]) > 1e-4 {
				t.Errorf("after %d frames %s is at %v, not at %v and %v above it", c.frames, id, at, want, swing)
			}
		}
		if at := a.Places["s7"]; math.Abs(math.Hypot(at[0], at[2])-2) > 0.02 || at[1] != 50 {
			t.Errorf("after %d frames the moon is at %v", c.frames, at)
		}
	}
}
