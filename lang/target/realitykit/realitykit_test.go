package realitykit_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

func compile(t testing.TB, source, id string, options map[string]any) *target.Result {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: id, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func file(t testing.TB, r *target.Result, path string) string {
	t.Helper()
	for _, f := range r.Files {
		if f.Path == path {
			return string(f.Data)
		}
	}
	t.Fatalf("no %s", path)
	return ""
}

const yard = `composition "Yard" {
  environment { skybox: "sunset" gravity: 3 }
  object "floor" @collidable @physics { geometry: "box" size: [10, 1, 10] position: [0, -0.5, 0] physics: { type: "static" } collider: "box" }
  object "ball" @collidable @physics { geometry: "sphere" radius: 0.5 position: [0, 3, 0] physics: { type: "dynamic" mass: 2 restitution: 0.2 } collider: "sphere" color: "#ff0000" }
  object "knot" @clickable { geometry: "torus" position: [3, 1, 0] state { hits: 0 } on "click" { state.hits = state.hits + 1; this.position = [3, 1 + state.hits, 0] } }
  object "handle" @grabbable { geometry: "box" }
  object "word" { text: "a \"b\" \\(c)" position: [0, 2, 0] rotation: [0, 90, 0] }
  point_light "lamp" { intensity: 2 range: 5 position: [0, 4, 0] }
}`

// TestTheSceneIsBuilt: every node is made with its place, shape, look and body.
func TestTheSceneIsBuilt(t *testing.T) {
	for id, words := range map[string][]string{
		"visionos": {"RealityView {", "s.root.position = SIMD3<Float>(0, 0, -1.5)"}, "ios": {"ARView(frame:", "AnchorEntity(.plane(.horizontal", "import ARKit"},
	} {
		r := compile(t, yard, id, nil)
		view := file(t, r, "SceneView.swift")
		for _, w := range append(words,
			"Checked for syntax only: never built with Xcode", "// main.holo:3:3\n", `under: "", at: SIMD3<Float>(0, 3, 0), turn: SIMD4<Float>(0, 0, 0, 1)`,
			"size: SIMD3<Float>(10, 1, 10), look: ", `kind: "static", shape: "box"`, `kind: "dynamic", shape: "sphere"`, "mass: 2, friction: 0.5, bounce: 0.2, gravity: true, solid: true",
			"color: Ink(1, 0, 0, 1)", `text: "a \"b\" \\(c)"`, "turn: SIMD4<Float>(0, 0.70710677, 0, 0.70710677)", `kind: "point", color: Ink(1, 1, 1, 1), intensity: 2, range: 5`,
			"s.gravity(SIMD3<Float>(0, -3, 0))", "s.form(\n", `let programDocument: String = """`+"\n{\"v\":\"program/1\",", "grab: true)", `label: "knot"`,
		) {
			if w == `label: "knot"` {
				w = `"knot", about: "", button: true)`
			}
			if !strings.Contains(view, w) {
				t.Errorf("%s: no %s", id, w)
			}
		}
		if t.Failed() {
			t.Log(view)
		}
		if len(r.Places) != 6 || !strings.HasPrefix(r.Places[0].Place, `stage.nodes["n`) {
			t.Errorf("%s: %v", id, r.Places)
		}
		for _, f := range r.Files {
			if !strings.Contains(string(f.Data[:200]), "Generated from ") || f.Path != "Info.plist" && !strings.Contains(string(f.Data[:400]), "syntax only") {
				t.Errorf("%s: the head of %s is %s", id, f.Path, f.Data[:200])
			}
		}
		if app := file(t, r, "App.swift"); strings.Contains(app, "ImmersiveSpace(") != (id == "visionos") {
			t.Errorf("%s: %s", id, app)
		}
	}
}

// TestPrototypesAreOnlyCopied: the nodes of a template that is spawned stand in
// functions of the ids of their copies, with all that ordinary nodes have, and
// nowhere else.
func TestPrototypesAreOnlyCopied(t *testing.T) {
	const source = `composition "A" {
  object "maker" @clickable { geometry: "box" on "click" { spawn Crate at [0, 1, 0] { } } }
  template "Crate"(tint: color = "#00ff00") @physics @collidable {
    geometry: "sphere" radius: 0.3 physics: { type: "dynamic" } collider: "sphere" color: tint
    object "lid" @grabbable {
      geometry: "box" position: [0, 1, 0] visible: false
      animation: { property: "position.y" from: 0 to: 2 duration: 1s }
      on "click" { log(this.id) }
      point_light "lamp" { intensity: 2 }
    }
    ambient_light "all" { intensity: 0.5 }
  }
}`
	for _, id := range []string{"visionos", "ios"} {
		r := compile(t, source, id, nil)
		view := file(t, r, "SceneView.swift")
		ids := regexp.MustCompile(`s\.prototypes\["(n\w+)"\] = prototype\d\n`).FindAllStringSubmatch(view, -1)
		if len(ids) != 4 {
			t.Fatalf("%s: %d prototypes", id, len(ids))
		}
		program, scene, _ := strings.Cut(view, "func prepare(")
		for _, n := range ids {
			if strings.Count(scene, n[1]) != 1 || !strings.Contains(program, n[1]) {
				t.Errorf("%s: %s stands in the scene", id, n[1])
			}
			if !slices.ContainsFunc(r.Places, func(p artefact.Place) bool { return p.ID == n[1] && p.Place == `stage.prototypes["`+n[1]+`"]` }) {
				t.Errorf("%s: %s has no place", id, n[1])
			}
		}
		_, copies, _ := strings.Cut(scene, "func prototype0(_ s: Stage, _ id: String, _ above: String) {")
		for _, want := range []string{
			`s.add(id, "Crate", under: above,`, "s.ball(id, radius: 0.3, look:", `    id, kind: "dynamic", shape: "sphere"`, "func prototype1(", `s.add(id, "lid", under: above, at: SIMD3<Float>(0, 1, 0)`,
			"s.box(id,", "s.hide(id)", "s.touchLater(id, grab: true)", `    id, "t.y",`, "func prototype2(", `s.light(id, kind: "point"`,
		} {
			i := strings.Index(copies, want)
			if i < 0 {
				t.Fatalf("%s: no %s in %s", id, want, copies)
			}
			copies = copies[i:]
		}
		if strings.Contains(view, "s.surround(") && id == "ios" {
			t.Error("a light of no copy shines everywhere")
		}
	}
}

// TestNothingIsAskedForThatIsNotUsed: hands and surfaces, and the camera of a phone.
func TestNothingIsAskedForThatIsNotUsed(t *testing.T) {
	const plain = `composition "A" { object "a" { geometry: "box" } }`
	const held = `composition "A" { object "a" @hand_tracked(hand: "left", attach_to: "wrist") { geometry: "box" } object "b" @anchor(type: "plane") { geometry: "box" } }`
	for _, c := range []struct{ source, id, words string }{
		{plain, "visionos", ""}, {held, "visionos", "NSHandsTrackingUsageDescription NSWorldSensingUsageDescription"},
		{plain, "ios", "NSCameraUsageDescription"}, {held, "ios", "NSCameraUsageDescription"},
	} {
		r := compile(t, c.source, c.id, nil)
		asked := regexp.MustCompile(`NS\w+UsageDescription`).FindAllString(file(t, r, "Info.plist"), -1)
		if got := strings.Join(asked, " "); got != c.words {
			t.Errorf("%s asks for %q, not %q", c.id, got, c.words)
		}
		view := file(t, r, "SceneView.swift")
		if got := strings.Contains(view, "SpatialTrackingSession"); got != (c.id == "visionos" && c.source == held) {
			t.Errorf("%s: tracks %t", c.id, got)
		}
		if got := strings.Contains(view, ".hand(.left, location: .wrist)"); got != (c.id == "visionos" && c.source == held) {
			t.Errorf("%s: a hand holds something: %t", c.id, got)
		}
	}
}

// TestGlassIsSeenThrough: a look lets through what its transmission says.
func TestGlassIsSeenThrough(t *testing.T) {
	view := file(t, compile(t, `composition "A" { object "a" { geometry: "box" material: { color: "#ff0000" transmission: 0.5 } } }`, "ios", nil), "SceneView.swift")
	if want := "s.look(color: Ink(1, 0, 0, 0.6), "; !strings.Contains(view, want) || !strings.Contains(view, "blend: true") {
		t.Errorf("no %s in %s", want, view[strings.Index(view, "s.look("):][:200])
	}
}

// TestOptions: what hides the room has a sky, and a scene may begin where the
// device does.
func TestOptions(t *testing.T) {
	full := compile(t, yard, "visionos", map[string]any{"immersion": "full", "distance": 3.0})
	if v := file(t, full, "SceneView.swift"); !strings.Contains(v, "s.backdrop(") || !strings.Contains(v, "await s.surround(") || !strings.Contains(v, "SIMD3<Float>(0, 0, -3)") {
		t.Error("a full space has no sky")
	}
	if a := file(t, full, "App.swift"); !strings.Contains(a, "in: .full)") {
		t.Error(a)
	}
	if v := file(t, compile(t, yard, "visionos", nil), "SceneView.swift"); strings.Contains(v, "s.backdrop(") {
		t.Error("a mixed space has a sky")
	}
	if v := file(t, compile(t, yard, "ios", map[string]any{"placement": "world"}), "SceneView.swift"); strings.Contains(v, ".plane(.horizontal, c") {
		t.Error("the scene waits for a surface")
	}
}

// TestDocumentsAreWhatTheyWere: the literals of program and nodes read back as the
// JSON that was written.
func TestDocumentsAreWhatTheyWere(t *testing.T) {
	source := `composition "A" { object "a" { geometry: "box" on "click" { log("\\ \"\"\" \\(x) #\"\"\"# \n é 😀") } } }`
	view := file(t, compile(t, source, "visionos", nil), "SceneView.swift")
	for _, name := range []string{"programDocument", "nodeDocument"} {
		_, rest, _ := strings.Cut(view, "let "+name+": String = \"\"\"\n")
		text, _, ok := strings.Cut(rest, "\n\"\"\"\n")
		if !ok {
			t.Fatalf("no %s", name)
		}
		doc := strings.ReplaceAll(text, `\\`, `\`) // all that is escaped
		if strings.Contains(strings.ReplaceAll(text, `\\`, ""), `\`) || strings.Contains(text, `"""`) {
			t.Errorf("%s has signs of the language", name)
		}
		if !json.Valid([]byte(doc)) {
			t.Errorf("%s is %s", name, doc)
		}
		if name == "programDocument" {
			var p struct{ Consts []any }
			if err := json.Unmarshal([]byte(doc), &p); err != nil || !slices.Contains(p.Consts, any("\\ \"\"\" \\(x) #\"\"\"# \n é 😀")) {
				t.Errorf("%v %q", err, p.Consts)
			}
		}
	}
}

var literal = regexp.MustCompile(`"((?:[^"\\]|\\["\\]|\\u\{[0-9a-f]{1,6}\})*)"`)

// FuzzText: whatever things are called, literals are whole, lines stay what they
// are, and the property list is XML.
func FuzzText(f *testing.F) {
	for _, s := range []string{`a"b`, "x\ny", `\`, `\(x)`, "*/ ]]> ${x} </script>", "\u202eabc", "\x00", "../..", "// no", "😀", strings.Repeat("é", 300), "", `"""`, `"#`} {
		f.Add(s)
	}
	line := regexp.MustCompile(`^    (//[ -~]*|(await )?s\.[\w.]+\([ -~]*|    [ -~]*)$`)
	f.Fuzz(func(t *testing.T, name string) {
		raw, err := json.Marshal(name)
		if err != nil {
			t.Skip()
		}
		quoted := string(raw)
		source := "composition " + quoted + " {\n object " + quoted + " { geometry: \"box\" label: " + quoted + " text: " + quoted + " on \"click\" { log(" + quoted + ") } }\n}"
		for _, id := range []string{"visionos", "ios"} {
			r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: id})
			if err != nil {
				return // no source
			}
			view := file(t, r, "SceneView.swift")
			_, rest, _ := strings.Cut(view, "private func part0(_ s: Stage) {\n")
			body, _, ok := strings.Cut(rest, "\n}\n")
			if !ok {
				t.Fatal("no part")
			}
			for _, l := range strings.Split(body, "\n") {
				if !line.MatchString(l) || strings.Contains(literal.ReplaceAllString(strings.TrimLeft(l, " "), ""), `"`) && !strings.HasPrefix(strings.TrimSpace(l), "//") {
					t.Fatalf("%s: %q", id, l)
				}
			}
			for _, f := range r.Files {
				for _, c := range string(f.Data) {
					if c < ' ' && c != '\n' && c != '\t' || c == 0x202e {
						t.Fatalf("%s has %q", f.Path, c)
					}
				}
			}
			d := xml.NewDecoder(strings.NewReader(file(t, r, "Info.plist")))
			for {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

func TestAnEmptyScene(t *testing.T) {
	r := compile(t, `composition "Nothing" { }`, "ios", nil)
	view := file(t, r, "SceneView.swift")
	for _, w := range []string{`let programDocument: String = ""` + "\n", `let controlDocument: String = ""` + "\n", "func prepare("} {
		if !strings.Contains(view, w) {
			t.Errorf("no %s", w)
		}
	}
	if strings.Contains(view, "part0") {
		t.Error("a scene without nodes has a part")
	}
}

// TestLargeScenesAreBuiltInParts: no function is too long for a compiler, and the
// deepest node hangs where it does.
func TestLargeScenesAreBuiltInParts(t *testing.T) {
	const deep = 100
	source := `composition "Deep" { ` + strings.Repeat(`group "a" { position: [0, 1, 0] `, deep) + strings.Repeat("}", deep) + " }"
	r := compile(t, source, "visionos", nil)
	view := file(t, r, "SceneView.swift")
	if n := strings.Count(view, "private func part"); n != 3 {
		t.Errorf("%d parts", n)
	}
	last := r.Scene.Nodes[deep-1]
	if want := "under: " + strconv.Quote(r.Scene.Nodes[deep-2].ID); !strings.Contains(view, want) || last.Parent != deep-2 {
		t.Error("the innermost node is not where it is")
	}
}

// TestNothingIsLeftOutInSilence: what the application does not do is a loss.
func TestNothingIsLeftOutInSilence(t *testing.T) {
	const source = `composition "All" {
  state { lit: false }
  object "part" { model: "part.obj" }
  object "far" { model: "https://models.example/a.usdz" }
  object "box" { model: "box.glb" }
  object "look" { geometry: "box" on "hover_enter" { log("x") } }
  object "face" @anchor(type: "face") { geometry: "box" }
  object "glass" { geometry: "box" material: { transmission: 0.5 } }
}`
	for _, id := range []string{"visionos", "ios"} {
		var reasons []string
		for _, l := range compile(t, source, id, nil).Losses {
			reasons = append(reasons, l.Code+" "+l.Reason)
		}
		for _, want := range []string{
			"TGT003 OBJ and STL files keep their shape", "TGT002 the application asks no network", "TGT003 skins, morphs", "TGT003 the system highlights",
			"TGT003 glass is seen through", "TGT003 state, handlers and timers run in an interpreter that was checked for syntax only",
		} {
			if !slices.ContainsFunc(reasons, func(s string) bool { return strings.HasPrefix(s, want) }) {
				t.Errorf("%s: no %q in %q", id, want, reasons)
			}
		}
		if !slices.ContainsFunc(reasons, func(s string) bool { return strings.Contains(s, "faces") }) {
			t.Errorf("%s: faces are not named in %q", id, reasons)
		}
	}
}
