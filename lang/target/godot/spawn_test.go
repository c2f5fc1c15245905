package godot_test

import (
	"math"
	"strings"
	"testing"
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
