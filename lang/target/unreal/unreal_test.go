package unreal_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

func compile(t testing.TB, source string) (map[string]string, *target.Result) {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "unreal"})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range r.Files {
		out[f.Path] = string(f.Data)
	}
	return out, r
}

const yard = `composition "Yard" {
  environment { skybox: "sunset" fog: { color: "#aabbcc" density: 0.1 } gravity: 3 }
  object "floor" @collidable @physics { geometry: "box" size: [10, 1, 10] position: [0, -0.5, 0] physics: { type: "static" } collider: "box" }
  object "ball" @collidable @physics { geometry: "sphere" radius: 0.5 position: [1, 3, 2] rotation: [90, 0, 0] scale: [1, 2, 3] physics: { type: "dynamic" mass: 2 restitution: 0.2 } collider: "sphere" color: "#ff0000" }
  object "knot" @clickable { geometry: "torus" position: [3, 1, 0] state { hits: 0 } on "click" { state.hits = state.hits + 1; this.position = [3, 1 + state.hits, 0] } }
  object "word" { text: "a \"b\"" position: [0, 2, 0] }
  object "crank" { geometry: "box" size: [1, 0.2, 0.2] position: [4, 3, 0] joint: { type: "revolute" axis: [0, 1, 0] limits: [-30, 60] } }
  point_light "lamp" { intensity: 2 range: 5 position: [0, 4, 0] }
  directional_light "sun" { intensity: 0.5 }
  camera "eye" { fov: 90 position: [0, 2, 8] }
}`

// TestAxesAndUnits: centimetres, X ahead, Z up, left-handed; lux and candela.
func TestAxesAndUnits(t *testing.T) {
	files, r := compile(t, yard)
	text := files["Scene.cpp"]
	half := strconv.FormatFloat(float64(float32(math.Sqrt2/2)), 'f', -1, 32)
	for _, w := range []string{
		`TEXT("ball_1"), -1, {-200.0, 100.0, 300.0}, {0.0, -` + half + `, 0.0, ` + half + `}, {3.0, 1.0, 2.0}, true, EBodyKind::Rigid`,
		`TEXT("floor_0"), -1, {0.0, 0.0, -50.0}, {0.0, 0.0, 0.0, 1.0}, {1.0, 1.0, 1.0}, true, EBodyKind::Fixed`,
		"{EFormKind::Box, {500.0, 500.0, 50.0}, -1,", "{EFormKind::Ball, {150.0, 0.0, 0.0}, -1, 2.0, 1.0, 0.5, 0.2, 0.01, true}",
		"{{0.0, 0.0, -300.0}, {SkyColors,", "EShineKind::Point, {1.0f, 1.0f, 1.0f}, 16.0f, 500.0f", "EShineKind::Directional, {1.0f, 1.0f, 1.0f}, 4.0f",
		"EJointKind::Hinge, {0.0, 0.0, 1.0}, -30.0, 60.0, true, true}", `TEXT("a \"b\"")`, ", 121.2845f, 0.0f, 5.0f}",
	} {
		if !strings.Contains(text, w) {
			t.Errorf("no %s", w)
		}
	}
	if t.Failed() {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "\t{") {
				t.Log(line)
			}
		}
	}
	for name, words := range map[string][]string{
		"MeshdScene.h":   {"UCLASS()\nclass SCENE_API AMeshdScene : public AActor", "GENERATED_BODY()", "UPROPERTY(VisibleAnywhere", "void BeginPlay() override", "void Tick(float DeltaSeconds) override", "UFUNCTION(NetMulticast, Reliable)"},
		"MeshdScene.cpp": {"CreateDefaultSubobject<", "SetConstrainedComponents(", "CreateMeshSection_LinearColor("},
		"Scene.Build.cs": {"public class Scene : ModuleRules", "FPSemanticsMode.Precise"}, "Program.cpp": {"bool Machine::instruction("}, "Program.h": {"namespace meshd {"},
	} {
		for _, w := range append(words, "// Generated from ", "for unreal by meshd") {
			if !strings.Contains(files[name], w) {
				t.Errorf("%s: no %s", name, w)
			}
		}
		if name != "Program.cpp" && name != "Program.h" && !strings.Contains(files[name], "never built\n// with the engine") {
			t.Errorf("%s does not say what is unproven", name)
		}
	}
	// The engine takes one header of a name, and has a Scene.h with reflected types.
	if strings.Contains(files["Scene.h"], "UCLASS") || strings.Contains(files["Scene.h"], "generated.h") {
		t.Error("Scene.h has reflected types")
	}
	if len(r.Places) != 8 || r.Places[1].Place != "Things[1]" {
		t.Errorf("%v", r.Places)
	}
}

// TestFrontsStayFronts: as in the engine's own boxes, the product of two edges of a
// triangle points against its normal.
func TestFrontsStayFronts(t *testing.T) {
	files, _ := compile(t, `composition "A" { object "b" { geometry: "box" } }`)
	read := func(name string) []float64 {
		_, rest, ok := strings.Cut(files["Scene.cpp"], name+"[] = {")
		if !ok {
			t.Fatal("no " + name)
		}
		list, _, _ := strings.Cut(rest, "}")
		var out []float64
		for _, s := range strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(", \n\tf", r) }) {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, x)
		}
		return out
	}
	c, order := read("Corners0"), read("Order0")
	for i := 0; i+2 < len(order); i += 3 {
		a, b, d := c[8*int(order[i]):], c[8*int(order[i+1]):], c[8*int(order[i+2]):]
		u, v := [3]float64{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, [3]float64{d[0] - a[0], d[1] - a[1], d[2] - a[2]}
		cross := [3]float64{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]}
		if cross[0]*a[3]+cross[1]*a[4]+cross[2]*a[5] >= 0 {
			t.Fatalf("triangle %d faces inwards", i/3)
		}
		if a[0]*a[3]+a[1]*a[4]+a[2]*a[5] <= 0 {
			t.Fatalf("the normal of triangle %d points inwards", i/3)
		}
	}
}

var (
	unnamed = regexp.MustCompile(`(?:^|[^\\])(?:\\\\)*\\u(?:00[0-9]|D[89A-F])`)
	literal = regexp.MustCompile(`"(?:[^"\\\n]|\\["\\?]|\\[0-3][0-7][0-7]|\\u[0-9A-F]{4}|\\U[0-9A-F]{8})*"`)
	comment = regexp.MustCompile(`/\*[^*\n]*\*/|//[^\n]*`)
)

// FuzzText: whatever things are called, texts stay texts and nothing is longer than
// compilers take.
func FuzzText(f *testing.F) {
	for _, s := range []string{`a"b`, "x\ny", `\`, "*/ ]]> ${x} */", "\u202eabc", "\x00\x01", "\u0085\u009f", "../..", "class", "??/", "# no", "😀", strings.Repeat("é", 300), strings.Repeat("\x01", 3000), "int", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Skip()
		}
		q := string(quoted)
		source := "composition " + q + " {\n object " + q + " { geometry: \"box\" label: " + q + " text: " + q + " on \"click\" { log(" + q + ") } }\n ui { button " + q + " { label: " + q + " } }\n}"
		r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "unreal"})
		if err != nil {
			return // no source
		}
		text := string(r.Files[1].Data)
		for _, l := range literal.FindAllString(text, -1) {
			if len(l) > 16000 {
				t.Fatalf("a literal of %d characters", len(l))
			}
			if unnamed.MatchString(l) {
				t.Fatalf("%s names what has no name among universal characters", l)
			}
		}
		rest := literal.ReplaceAllString(text, `""`)
		for i, l := range strings.Split(comment.ReplaceAllString(rest, ""), "\n") {
			for _, c := range strings.ReplaceAll(l, `""`, "") {
				if c > '~' || c < ' ' && c != '\t' || c == '"' || c == '\\' || c == '?' {
					t.Fatalf("line %d: %q", i+1, l)
				}
			}
		}
		if strings.Count(rest, "{") != strings.Count(rest, "}") {
			t.Fatal("brackets do not match")
		}
	})
}

// TestHostileTextsCompile: the data of a scene whose texts are of every kind is C++.
func TestHostileTextsCompile(t *testing.T) {
	var b strings.Builder
	for i, text := range []string{"a\"b", "x\ny\t", "\\", "*/ ]]>", "\u202e", "\x00\x011", "\u00851", "??/", "😀é1", "class", strings.Repeat("\x7f", 9000), "int", "1"} {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, " object \"n%d\" { text: %s label: %s state { s: %s } on \"click\" { log(%s) } }\n", i, quoted, quoted, quoted, quoted)
	}
	files, _ := compile(t, "composition \"Hostile\" {\n"+b.String()+"}")
	dir := t.TempDir()
	headers, err := filepath.Abs("../../../scripts/validators/unreal")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"Scene.h": files["Scene.h"], "Scene.cpp": files["Scene.cpp"], "CoreMinimal.h": "#include \"engine.h\"\n", "Modules/ModuleManager.h": "#include \"engine.h\"\n"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.CommandContext(t.Context(), "g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-DWITH_EDITOR=0", "-I"+dir, "-isystem", headers, filepath.Join(dir, "Scene.cpp"))
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("g++ (scripts/need tests): %v: %.2000s", err, said)
	}
}

func TestLongProgramsAreCut(t *testing.T) {
	words := `"` + strings.Repeat(`x\"`, 20000) + `"`
	files, r := compile(t, `composition "Long" { object "b" { text: `+words+` on "click" { log(`+words+`) } } }`)
	for _, l := range literal.FindAllString(files["Scene.cpp"], -1) {
		if len(l) > 16000 {
			t.Fatalf("a literal of %d characters", len(l))
		}
	}
	if !strings.Contains(files["Scene.cpp"], `") TEXT("`) || !slices.ContainsFunc(r.Losses, func(l scene.Loss) bool { return l.Reason == "texts end after 10000 letters" }) {
		t.Error("a long text is neither in pieces nor a loss")
	}
}

func TestAnEmptyScene(t *testing.T) {
	files, _ := compile(t, `composition "Nothing" { }`)
	for _, w := range []string{`TEXT("Daylight")`, `TEXT("Overview")`, "{Things, 2}", "{nullptr, 0}"} {
		if !strings.Contains(files["Scene.cpp"], w) {
			t.Errorf("no %s", w)
		}
	}
	if strings.Contains(files["Scene.cpp"], "program/1") {
		t.Error("a scene where nothing happens has a program")
	}
}

func TestDeepScenes(t *testing.T) {
	const deep = 100
	files, _ := compile(t, `composition "Deep" { `+strings.Repeat(`group "a" { position: [0, 1, 0] `, deep)+strings.Repeat("}", deep)+" }")
	if want := fmt.Sprintf(`TEXT("a_%d"), %d, {0.0, 0.0, 100.0}`, deep-1, deep-2); !strings.Contains(files["Scene.cpp"], want) {
		t.Error("the innermost node is not where it is")
	}
}

// TestNothingIsLeftOutInSilence: what the module does not carry is a loss.
func TestNothingIsLeftOutInSilence(t *testing.T) {
	_, r := compile(t, `composition "Models" {
  object "part" { model: "https://example.org/part.stl" }
  group "wide" { scale: [1, 2, 1] object "turned" { geometry: "box" rotation: [0, 0, 45] } }
  camera "eye" { far: 10 }
  post_processing { depth_of_field { focus: 1 } }
}`)
	var reasons []string
	for _, l := range r.Losses {
		reasons = append(reasons, l.Code+" "+l.Reason)
	}
	for _, w := range []string{
		"TGT002 model files from elsewhere are not imported", "TGT003 what is turned below an unevenly scaled node is stretched along its own axes, not slanted",
		"TGT003 the engine draws what is farther than a camera sees, too", "TGT002 depth of field is not shown, nor are effects of other names than those of the language",
	} {
		if !slices.Contains(reasons, w) {
			t.Errorf("no %q in %q", w, reasons)
		}
	}
}
