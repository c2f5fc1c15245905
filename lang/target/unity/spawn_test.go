package unity_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

// staged runs the stage of a scene among objects that stand for the engine's: what
// is there at each show, without those of the scene's own camera and light.
func staged(t testing.TB, r *target.Result, args ...string) map[string][]string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "stage.exe")
	compiler := []string{"-langversion:6", "-nowarn:649", "-warnaserror", "-out:" + program, "../../../scripts/validators/unity.cs", "../../../scripts/validators/unity_objects.cs", "testdata/staged.cs"}
	for _, f := range r.Files {
		if strings.HasSuffix(f.Path, ".cs") {
			path := filepath.Join(dir, filepath.Base(f.Path))
			if err := os.WriteFile(path, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
			compiler = append(compiler, path)
		}
	}
	if said, err := exec.CommandContext(t.Context(), "mcs", compiler...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %.1500s", err, said)
	}
	cmd := exec.CommandContext(t.Context(), "mono", append([]string{program}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+dir)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %.1500s", err, said)
	}
	got := map[string][]string{}
	for _, part := range strings.Split(string(said), "SHOW ")[1:] {
		lines := strings.Split(strings.TrimSpace(part), "\n")
		got[lines[0]] = lines[1:]
	}
	return got
}

const coins = `composition "Coins" {
  template "Coin" @clickable {
    geometry: "sphere" radius: 0.2 color: "#ffcc00" physics: { type: "kinematic" } collider: "sphere"
    state { hits: 0 }
    on "click" { state.hits += 1; this.color = "#ff0000"; if (state.hits > 1) { destroy(this) } }
    object "tag" { text: "c" position: [0, 1, 0] }
    point_light "shine" { position: [0, 2, 0] }
  }
  object "bed" { geometry: "box" @clickable
    on "click" { spawn Coin at [1, 0, 0] { }; spawn Coin at [3, 0, 0] { color: "#00ff00" } }
  }
}`

// TestWhatIsSpawnedIsItsTemplate: a template of which the scene has no instance is
// not on the stage; each copy has all its nodes, gets its own clicks, is coloured
// for itself, and is gone with everything of it when it ends.
func TestWhatIsSpawnedIsItsTemplate(t *testing.T) {
	r := compile(t, coins)
	bed := r.Scene.Nodes[slices.IndexFunc(r.Scene.Nodes, func(n scene.Node) bool { return n.Name == "bed" })].ID
	got := staged(t, r, "show=start", "click="+bed, "step=1", "show=made", "click=s4", "step=1", "show=hit", "click=s4", "step=1", "show=gone",
		"click=s1", "step=1", "click=s1", "step=1", "show=over")
	static := bed + " bed in - at 0,0,0 seen "
	start := got["start"]
	if len(start) != 2 || !strings.HasPrefix(start[0], static) {
		t.Fatalf("at the start there is %q", start)
	}
	coin := func(first, x, color string) []string {
		n := map[string][]string{"s1": {"s1", "s2", "s3"}, "s4": {"s4", "s5", "s6"}}[first]
		return []string{
			n[0] + " Coin in - at " + x + ",0,0 seen " + color + " SphereCollider kinematic Coin " + n[0],
			n[1] + " tag in " + n[0] + " at " + x + ",1,0 seen #c8c8c8 letters Actor " + n[1],
			n[2] + " shine in " + n[0] + " at " + x + ",2,0 seen light Actor " + n[2],
		}
	}
	for _, c := range []struct {
		title string
		want  []string
	}{
		{"made", append(coin("s1", "1", "#ffcc00"), coin("s4", "3", "#00ff00")...)},
		{"hit", append(coin("s1", "1", "#ffcc00"), coin("s4", "3", "#ff0000")...)},
		{"gone", coin("s1", "1", "#ffcc00")},
		{"over", nil},
	} {
		lines := got[c.title]
		if len(lines) < 2 || !slices.Equal(lines[1:len(lines)-1], c.want) {
			t.Errorf("%s: %q, not %q", c.title, lines, c.want)
		}
	}
	if last := got["over"]; len(last) != 2 || last[1] != start[1] {
		t.Errorf("%q remain of %q", last, start)
	}
}

// shown are the things of a show but those of the scene's own, by id.
func shown(lines []string) map[string]string {
	out := map[string]string{}
	for _, l := range lines {
		id, rest, _ := strings.Cut(l, " ")
		out[id] = rest
	}
	return out
}

// TestAFaultTakesCopiesBack: what a turn that faults spawned is not there, and what
// it destroyed is there as before, and is bumped into; what ends takes along what was
// spawned below it.
func TestAFaultTakesCopiesBack(t *testing.T) {
	r := compile(t, `composition "Faults" {
  template "Coin" { geometry: "sphere" collider: "sphere" object "tag" { text: "c" } }
  template "Twin" { state { of: pair() } function pair() { spawn Mark { n: 2 }; throw "no twin" } }
  template "Mark" { state { n: 1 } }
  object "maker" { geometry: "box" @clickable on "click" { spawn Coin at [1, 0, 0] { }; throw "no" } on "press" { try { spawn Twin } catch (e) { log(e.message) } } }
  object "breaker" { geometry: "box" @clickable on "click" { destroy(post); throw "no" } }
  object "post" { geometry: "box" collider: "box" }
  group "bag" { object "sower" { geometry: "box" @clickable collider: "box" on "click" { spawn Coin at [2, 0, 0] { } } } }
  object "ender" { geometry: "box" @clickable on "click" { destroy(bag) } }
}`)
	id := map[string]string{}
	for _, n := range r.Scene.Nodes {
		if n.Prototype == "" {
			id[n.Name] = n.ID
		}
	}
	got := staged(t, r, "show=start", "click="+id["maker"], "step=1", "press="+id["maker"], "step=1", "click="+id["breaker"], "step=1", "show=back", "click="+id["sower"], "step=1", "show=sown", "click="+id["ender"], "step=1", "show=ended")
	if !slices.Equal(got["back"], got["start"]) {
		t.Errorf("%q are there after two faults, not %q", got["back"], got["start"])
	}
	sown := shown(got["sown"])
	if len(sown) != len(got["start"])+2 || sown["s5"] != "Coin in "+id["bag"]+" at 2,0,0 seen #c8c8c8 SphereCollider kinematic Coin s5" || !strings.HasPrefix(sown["s6"], "tag in s5 ") {
		t.Errorf("%q are sown", got["sown"])
	}
	ended := shown(got["ended"])
	if len(ended) != len(got["start"]) || !strings.Contains(ended[id["sower"]], " unseen ") || !strings.Contains(ended[id["sower"]], "BoxCollider off") || !strings.Contains(ended[id["post"]], " seen ") {
		t.Errorf("%q are there at the end", got["ended"])
	}
}

// TestCopiesHaveWhatTheirTemplateHas: sounds, particles, animations, bodies and hands;
// a camera of a template is not looked through, and what copies do not have is reported.
func TestCopiesHaveWhatTheirTemplateHas(t *testing.T) {
	r := compile(t, `composition "Kit" {
  template "Kit" @grabbable @networked {
    geometry: "torus" physics: { type: "dynamic" } collider: "box" joint: { type: "ball" }
    audio "hum" { src: "hum.ogg" autoplay: true loop: true }
    particles "dust" { count: 5 }
    object "lift" { geometry: "box" animation { property: "position.y" from: 0 to: 2 duration: 100ms loop: infinite } }
    ambient_light "glow" { intensity: 0.5 }
    camera "eye" { position: [0, 1, 0] }
  }
  object "maker" { geometry: "box" @clickable on "click" { spawn Kit at [1, 0, 0] { } } on "press" { for (const k of Kit.instances) { destroy(k) } } }
}`)
	maker := r.Scene.Nodes[slices.IndexFunc(r.Scene.Nodes, func(n scene.Node) bool { return n.Name == "maker" })].ID
	got := staged(t, r, "show=start", "click="+maker, "step=1", "show=made", "step=3", "show=moved", "press="+maker, "step=1", "show=gone")
	made := shown(got["made"])
	for id, want := range map[string]string{"s1": "BoxCollider dynamic particles Kit s1", "s2": " sounds"} {
		if !strings.Contains(made[id], want) {
			t.Errorf("%s is %q, not %s", id, made[id], want)
		}
	}
	if moved := shown(got["moved"]); moved["s3"] == "" || moved["s3"] == made["s3"] {
		t.Errorf("the lift stands at %q", moved["s3"])
	}
	_, light, _ := strings.Cut(got["made"][len(got["made"])-1], " light ")
	if strings.HasSuffix(got["start"][len(got["start"])-1], light) {
		t.Error("no light comes from everywhere with a copy")
	}
	if !slices.Equal(got["gone"], got["start"]) {
		t.Errorf("%q remain of %q", got["gone"], got["start"])
	}
	if s := file(t, r, "Scene.cs"); !strings.Contains(s, `"Overview"`) || strings.Contains(s, "builder.Pivot(") || strings.Contains(s, `"Kit", null`) {
		t.Error("the prototype is a part of the scene")
	}
	for _, want := range []string{"joints of what a program spawns are not made", "what a program spawns is each player's own"} {
		if !slices.ContainsFunc(r.Losses, func(l scene.Loss) bool { return l.Code == "TGT002" && l.Reason == want }) {
			t.Errorf("no loss %q in %v", want, r.Losses)
		}
	}
	accepted(t, r)
}

// TestCopiesAreWiredForThemselves: a wire within a template sets the state of its own
// copy, which a property of that copy follows.
func TestCopiesAreWiredForThemselves(t *testing.T) {
	r := compile(t, `composition "Wires" {
  template "Lamp" {
    object "body" { geometry: "sphere" state { lit: false } color: state.lit ? "#00ff00" : "#ff0000" }
    object "switch" @clickable { geometry: "box" }
    connect switch.click -> body.state.lit = true
  }
  object "maker" { geometry: "box" @clickable on "click" { spawn Lamp at [1, 0, 0] { }; spawn Lamp at [2, 0, 0] { } } }
}`)
	maker := r.Scene.Nodes[slices.IndexFunc(r.Scene.Nodes, func(n scene.Node) bool { return n.Name == "maker" })].ID
	got := staged(t, r, "click="+maker, "step=1", "show=made", "click=s6", "step=1", "show=lit")
	for title, want := range map[string][2]string{"made": {"#ff0000", "#ff0000"}, "lit": {"#ff0000", "#00ff00"}} {
		for i, id := range []string{"s2", "s5"} {
			if now := shown(got[title])[id]; !strings.Contains(now, want[i]) {
				t.Errorf("%s: %s is %q, not %s", title, id, now, want[i])
			}
		}
	}
}

// TestCopiesFloatWhereTheyWerePut: animations of a place count from where the
// program put the copy, from spawn on and later, for each copy alone; without a
// place a copy floats as its prototype stands, and an instance as ever.
func TestCopiesFloatWhereTheyWerePut(t *testing.T) {
	r := compile(t, `composition "Floats" {
  template "Buoy" @clickable @floating(amplitude: 1, speed: 1) {
    geometry: "sphere" position: [1, 2, 3]
    on "press" { this.position = [-4, 6, 2] }
    object "lamp" { geometry: "sphere" position: [0, 1, 0] }
  }
  template "Moon" @orbital { radius: 2, period: 1 } { geometry: "sphere" position: [1, 2, 3] }
  object "stands" using "Buoy" { position: [9, 1, 0] }
  object "maker" { geometry: "box" @clickable
    on "click" { spawn Buoy at [5, 1, 0] { }; spawn Buoy at [0, -3, 7] { }; spawn Buoy { }; spawn Moon at [0, 50, 0] { } } }
}`)
	id := map[string]string{}
	for _, n := range r.Scene.Nodes {
		if n.Prototype == "" {
			id[n.Name] = n.ID
		}
	}
	got := staged(t, r, "click="+id["maker"], "step=20", "show=high", "step=15", "show=higher", "press=s1", "step=1", "show=put", "step=10", "show=low")
	for title, first := range map[string][3]float64{"high": {5, 1, 0}, "higher": {5, 1, 0}, "put": {-4, 6, 2}, "low": {-4, 6, 2}} {
		at := map[string][3]float64{}
		for node, rest := range shown(got[title]) {
			var p [3]float64
			_, place, _ := strings.Cut(rest, " at ")
			if _, err := fmt.Sscanf(place, "%g,%g,%g", &p[0], &p[1], &p[2]); err == nil {
				at[node] = p
			}
		}
		swing := at[id["stands"]][1] - 1
		if swing < 0.3 || swing > 1 {
			t.Errorf("%s: the instance swings by %v", title, swing)
		}
		lamp := first
		lamp[1]++
		for node, want := range map[string][3]float64{"s1": first, "s2": lamp, "s3": {0, -3, 7}, "s5": {1, 2, 3}} {
			if p := at[node]; math.Abs(p[0]-want[0]) > 1e-4 || math.Abs(p[1]-swing-want[1]) > 0.1 || math.Abs(p[2]-want[2]) > 1e-4 {
				t.Errorf("%s: %s is at %v, not at %v and %v above it", title, node, p, want, swing)
			}
		}
		if p := at["s7"]; math.Abs(math.Hypot(p[0], p[2])-2) > 0.02 || p[1] != 50 {
			t.Errorf("%s: the moon is at %v", title, p)
		}
	}
}
