package godot_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
)

func compile(t testing.TB, source, version string) *target.Result {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "godot", Options: map[string]any{"version": version}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const yard = `composition "Yard" {
  environment { skybox: "sunset" fog: { color: "#aabbcc" density: 0.1 } gravity: 3 }
  object "floor" @collidable @physics { geometry: "box" size: [10, 1, 10] position: [0, -0.5, 0] physics: { type: "static" } collider: "box" }
  object "ball" @collidable @physics { geometry: "sphere" radius: 0.5 position: [0, 3, 0] physics: { type: "dynamic" mass: 2 restitution: 0.2 } collider: "sphere" color: "#ff0000" }
  object "knot" @clickable { geometry: "torus" position: [3, 1, 0] state { hits: 0 } on "click" { state.hits = state.hits + 1; this.position = [3, 1 + state.hits, 0] } }
  object "word" { text: "a \"b\"" position: [0, 2, 0] }
  point_light "lamp" { intensity: 2 range: 5 position: [0, 4, 0] }
  camera "eye" { fov: 90 position: [0, 2, 8] }
}`

// TestVersionsSayTheSame: each version has its own words for the same nodes.
func TestVersionsSayTheSame(t *testing.T) {
	for version, words := range map[string][]string{
		"3": {
			"format=2]", `[ext_resource path="scene.gd" type="Script" id=1]`, `type="CubeMesh"`, `type="RigidBody" parent="."`, `type="StaticBody"`, "mass = 2\n",
			"bounce = 0.2", `[node name="Shape" type="CollisionShape" parent="ball"]`, "extents = Vector3( 5, 0.5, 5 )", "fog_depth_curve", "background_sky = SubResource(",
			`type="OmniLight" parent="lamp"`, "omni_range = 5", "fov = 90\ncurrent = true", "transform = Transform( 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0 )",
		},
		"4": {
			"format=3 uid=\"uid://", `[ext_resource type="Script" path="scene.gd" id="1_script"]`, `type="BoxMesh"`, `type="RigidBody3D" parent="."`, `type="StaticBody3D"`,
			"mass = 2\n", "bounce = 0.2", `[node name="Shape" type="CollisionShape3D" parent="ball"]`, "size = Vector3(10, 1, 10)", "fog_density", "sky_material = SubResource(",
			`type="OmniLight3D" parent="lamp"`, "omni_range = 5", "fov = 90\ncurrent = true", "transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0)",
		},
	} {
		r := compile(t, yard, version)
		scene, script := string(r.Files[0].Data), string(r.Files[1].Data)
		for _, w := range words {
			if !strings.Contains(scene, w) {
				t.Errorf("version %s: no %s", version, w)
			}
		}
		if t.Failed() {
			t.Log(scene)
		}
		base := map[string]string{"3": "extends Spatial\n", "4": "extends Node3D\n"}[version]
		for _, w := range []string{base, "const GRAVITY = [0, -3, 0]", `"knot", "knot", "knot"`, `"a \"b\""`, "func m_step():"} {
			if !strings.Contains(script, w) {
				t.Errorf("version %s: no %s in the script", version, w)
			}
		}
		if (version == "4") != strings.Contains(script, "const SHAPES = [\n\t[[") || (version == "3") != strings.Contains(scene, "type=\"ArrayMesh\"") {
			t.Errorf("version %s: the knot has no triangles", version)
		}
		if !strings.HasPrefix(script, "# Generated from ") || len(r.Places) != 7-1 {
			t.Errorf("version %s: %d places, %.40s", version, len(r.Places), script)
		}
	}
}

// TestTheInterpreterIsTheSame: what runs in one version is what runs in the other.
func TestTheInterpreterIsTheSame(t *testing.T) {
	shared := func(version string) string {
		script := string(compile(t, yard, version).Files[1].Data)
		_, out, ok := strings.Cut(script, "# The limits of running.")
		if !ok {
			t.Fatal("no interpreter")
		}
		return out
	}
	if shared("3") != shared("4") {
		t.Error("the versions run by different texts")
	}
}

// FuzzText: whatever things are called, lines stay what they are.
func FuzzText(f *testing.F) {
	for _, s := range []string{`a"b`, "x\ny", `\`, "*/ ]]> ${x} </script>", "\u202eabc", "\x00", "../..", "[node]", "# no", "😀", strings.Repeat("é", 300), ""} {
		f.Add(s)
	}
	line := regexp.MustCompile(`^(\[(gd_scene|ext_resource|sub_resource|node|editable) [^\x00-\x1f]*\]|;.*|[A-Za-z_][\w/]* = [^\x00-\x1f]*|__meta__ = \{|"\w+": [^\x00-\x1f]*|\}|)$`)
	heading := regexp.MustCompile(`^\[node name="[0-9A-Za-z_ -]+" type="\w+"( parent="[0-9A-Za-z_ /.-]+")?\]$`)
	f.Fuzz(func(t *testing.T, name string) {
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Skip()
		}
		source := "composition " + string(quoted) + " {\n object " + string(quoted) + " { geometry: \"box\" label: " + string(quoted) + " text: " + string(quoted) + " on \"click\" { log(" + string(quoted) + ") } }\n}"
		for _, version := range []string{"3", "4"} {
			r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "godot", Options: map[string]any{"version": version}})
			if err != nil {
				return // no source
			}
			for _, l := range strings.Split(string(r.Files[0].Data), "\n") {
				if !line.MatchString(l) || strings.HasPrefix(l, "[node") && !heading.MatchString(l) {
					t.Fatalf("version %s: %q", version, l)
				}
			}
			for _, c := range string(r.Files[1].Data) {
				if c < ' ' && c != '\n' && c != '\t' || c == 0x202e {
					t.Fatalf("version %s: the script has %q", version, c)
				}
			}
		}
	})
}

func TestAnEmptyScene(t *testing.T) {
	r := compile(t, `composition "Nothing" { }`, "4")
	for _, w := range []string{`[node name="Nothing" type="Node3D"]`, `type="DirectionalLight3D"`, `[node name="Overview" type="Camera3D"`, `type="WorldEnvironment"`} {
		if !strings.Contains(string(r.Files[0].Data), w) {
			t.Errorf("no %s", w)
		}
	}
	if !strings.Contains(string(r.Files[1].Data), "const PROGRAM = null\n") {
		t.Error("a scene where nothing happens has a program")
	}
}

func TestDeepScenes(t *testing.T) {
	const deep = 100
	source := `composition "Deep" { ` + strings.Repeat(`group "a" { position: [0, 1, 0] `, deep) + strings.Repeat("}", deep) + " }"
	r := compile(t, source, "4")
	if want := `parent="` + strings.Repeat("a/", deep-2) + `a"]`; !strings.Contains(string(r.Files[0].Data), want) {
		t.Error("the innermost node is not where it is")
	}
}

// TestNothingIsLeftOutInSilence: what the engine does not read is a loss.
func TestNothingIsLeftOutInSilence(t *testing.T) {
	r := compile(t, `composition "Models" { object "part" { model: "part.stl" } post_processing { vignette { intensity: 1 } } }`, "4")
	var reasons []string
	for _, l := range r.Losses {
		reasons = append(reasons, l.Code+" "+l.Reason)
	}
	if !slices.Contains(reasons, "TGT002 the engine takes glTF, OBJ and Collada files of the project") || !slices.ContainsFunc(reasons, func(s string) bool { return strings.HasPrefix(s, "TGT002 of the image effects") }) {
		t.Errorf("%q", reasons)
	}
}

// answer is what the engine says of a scene after some frames.
type answer struct {
	State  [][3]string // owner, key, value
	Fault  string
	Places map[string][3]float64
	Colors map[string]string   // of what is seen
	Parts  map[string][]string // what belongs to a node
	Count  int                 // of the engine's nodes
}

// of is a state key of a node; empty where there is none.
func (a *answer) of(owner, key string) string {
	for _, s := range a.State {
		if s[0] == owner && s[1] == key {
			return s[2]
		}
	}
	return ""
}

// opened has the engine open a source, and gives what it says of the job.
func opened(t *testing.T, source string, job map[string]any) (string, *target.Result) {
	t.Helper()
	engine, err := exec.LookPath("godot3-server")
	if err != nil {
		t.Fatal("godot3-server is missing: scripts/need tests")
	}
	dir := t.TempDir()
	r := compile(t, source, "3")
	program, err := os.ReadFile("../../../scripts/validators/godot.gd")
	if err != nil {
		t.Fatal(err)
	}
	job["folder"] = "scene"
	jobs, err := json.Marshal([]any{job})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "scene"), 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{
		"project.godot": []byte("config_version=4\n"), "godot.gd": program, "jobs.json": jobs,
		"scene/ding.tres": []byte("[gd_resource type=\"AudioStreamSample\" format=2]\n\n[resource]\ndata = PoolByteArray( 0, 0 )\n"),
	}
	for _, f := range r.Files {
		files["scene/"+f.Path] = f.Data
	}
	for name, raw := range files {
		if err := os.WriteFile(filepath.Join(dir, name), raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.CommandContext(t.Context(), engine, "--path", dir, "--fixed-fps", "60", "-s", "godot.gd")
	c.Env = append(os.Environ(), "HOME="+dir)
	said, err := c.CombinedOutput()
	if err != nil || strings.Contains(string(said), "SCRIPT ERROR") {
		t.Fatalf("%v: %s", err, said)
	}
	return string(said), r
}

// performed runs a source in the engine for some frames.
func performed(t *testing.T, source string, frames int, events ...map[string]any) (*answer, *target.Result) {
	t.Helper()
	said, r := opened(t, source, map[string]any{"frames": frames, "events": append([]map[string]any{}, events...)})
	a := &answer{}
	for line := range strings.Lines(said) {
		for _, word := range []string{"ANSWER ", "PLACES "} {
			if raw, ok := strings.CutPrefix(line, word); ok {
				if err := json.Unmarshal([]byte(raw), a); err != nil || a.Fault != "" {
					t.Fatalf("%v: %s", err, line)
				}
			}
		}
	}
	if len(a.Places) == 0 {
		t.Fatalf("no answer: %s", said)
	}
	return a, r
}

// play runs a source in the engine for some frames and gives the state and the
// places that came of it, by key and by name.
func play(t *testing.T, source string, frames int, events ...map[string]any) (state map[string]string, places map[string][3]float64, r *target.Result) {
	t.Helper()
	a, r := performed(t, source, frames, events...)
	state, places = map[string]string{}, map[string][3]float64{}
	for _, s := range a.State {
		state[s[1]] = s[2]
	}
	for i := range r.Scene.Nodes {
		places[r.Scene.Nodes[i].Name] = a.Places[r.Scene.Nodes[i].ID]
	}
	return state, places, r
}

func idOf(r *target.Result, name string) string {
	for i := range r.Scene.Nodes {
		if r.Scene.Nodes[i].Name == name {
			return r.Scene.Nodes[i].ID
		}
	}
	return ""
}

// TestBodiesFallAndClicksCount: the engine's physics moves what is loose by the
// scene's gravity until the floor holds it, and an event from outside changes
// state and places.
func TestBodiesFallAndClicksCount(t *testing.T) {
	knot := idOf(compile(t, yard, "3"), "knot")
	click := map[string]any{"node": knot, "name": "click", "payload": nil}
	state, places, _ := play(t, yard, 240, click, click)
	if y := places["ball"][1]; math.Abs(y-0.5) > 0.06 {
		t.Errorf("the ball rests at %v", y)
	}
	if state["hits"] != "2" || math.Abs(places["knot"][1]-3) > 1e-4 {
		t.Errorf("after two clicks: %v at %v", state, places["knot"])
	}
	if _, high, _ := play(t, yard, 20); high["ball"][1] < 2 || high["ball"][1] > 2.999 {
		t.Errorf("after a third of a second the ball is at %v", high["ball"])
	}
}

// TestThePointerClicks: what the engine says of the pointer becomes events, at a
// node that is pointed at and not at one that is hidden.
func TestThePointerClicks(t *testing.T) {
	const source = `composition "Buttons" {
  state { log: "" }
  object "seen" @clickable { geometry: "box" on "hover_enter" { state.log = state.log + "h" } on "press" { state.log = state.log + "p" }
    on "release" { state.log = state.log + "r" } on "click" (e) { state.log = state.log + "c" + e.point.y } }
  object "hidden" @clickable { geometry: "box" visible: false on "click" { state.log = "wrong" } }
}`
	r := compile(t, source, "3")
	state, _, _ := play(t, source, 5, map[string]any{"node": idOf(r, "seen"), "name": "pointer", "payload": nil}, map[string]any{"node": idOf(r, "hidden"), "name": "pointer", "payload": nil})
	if state["log"] != "hprc2" {
		t.Errorf("%v", state)
	}
}

// TestTriggersReachTheProgram: a body that enters an area is an event of both.
func TestTriggersReachTheProgram(t *testing.T) {
	state, _, _ := play(t, `composition "Gate" {
  state { seen: 0 struck: 0 }
  object "gate" { geometry: "box" size: [2, 1, 2] position: [0, 2, 0] collider: { shape: "box" trigger: true } on "trigger_enter" { state.seen = state.seen + 1 } }
  object "floor" { geometry: "box" size: [10, 1, 10] position: [0, -0.5, 0] physics: { type: "static" } collider: "box" on "collision_enter" { state.struck = state.struck + 1 } }
  object "stone" { geometry: "box" position: [0, 5, 0] physics: { type: "dynamic" } collider: "box" }
}`, 180)
	if state["seen"] != "1" || state["struck"] == "0" {
		t.Errorf("%v", state)
	}
}

// TestHingesHold: what hangs on a hinge stays at its distance and swings within
// its limits, what nobody pushes is held by its drive.
func TestHingesHold(t *testing.T) {
	_, places, _ := play(t, `composition "Swing" {
  object "post" { geometry: "box" size: [0.2, 2, 0.2] position: [0, 3, 0] physics: { type: "static" } collider: "box" }
  object "arm" { geometry: "box" size: [0.2, 0.2, 0.2] position: [1, 3, 0] physics: { type: "dynamic" } collider: "box" joint: { type: "ball" connected_body: "post" } }
  object "crank" { geometry: "box" size: [1, 0.2, 0.2] position: [4, 3, 0] joint: { type: "revolute" axis: [0, 0, 1] limits: [-45, 45] } }
}`, 60)
	if d := math.Hypot(places["arm"][0]-1, places["arm"][1]-3); d > 0.1 {
		t.Errorf("the arm left its joint: %v", places["arm"])
	}
	if d := math.Hypot(places["crank"][0]-4, places["crank"][1]-3); d > 0.05 {
		t.Errorf("the crank left its hinge: %v", places["crank"])
	}
}
