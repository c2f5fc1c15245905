package unity_test

import (
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

func compile(t testing.TB, source string) *target.Result {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "unity"})
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

// accepted compiles the files of a scene against the signatures of the engine.
func accepted(t testing.TB, r *target.Result, also ...string) {
	t.Helper()
	dir := t.TempDir()
	args := []string{"-langversion:6", "-nowarn:649", "-warnaserror", "-target:library", "-out:" + filepath.Join(dir, "scene.dll"), "../../../scripts/validators/unity.cs", "../../../scripts/validators/unity_objects.cs"}
	for _, f := range r.Files {
		if !strings.HasSuffix(f.Path, ".cs") {
			continue
		}
		path := filepath.Join(dir, filepath.Base(f.Path))
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	if said, err := exec.CommandContext(t.Context(), "mcs", append(args, also...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %.1500s", err, said)
	}
}

// TestAxes: what the model says of a right-handed world is there in a left-handed
// one.
func TestAxes(t *testing.T) {
	r := compile(t, `composition "Axes" {
  object "a" { geometry: "box" size: [1, 2, 3] position: [1, 2, 3] rotation: [90, 0, 0] }
  object "b" { geometry: "torus" joint: { type: "revolute" axis: [0, 0, 1] limits: [-10, 20] } }
  object "c" { geometry: "box" joint: { type: "prismatic" axis: [0, 0, 1] limits: [0, 2] } }
  directional_light "sun" { rotation: [-90, 0, 0] }
}`)
	s := file(t, r, "Scene.cs")
	for _, want := range []string{
		`"a", null, new Vector3(1f, 2f, -3f), new Quaternion(-0.70710677f, 0f, 0f, 0.70710677f), new Vector3(1f, 1f, 1f), true);`,
		`builder.Solid(at[0], PrimitiveType.Cube, new Vector3(1f, 2f, 3f), looks[0]);`,
		`builder.Hinge(at[1], null, new Vector3(0f, 0f, 1f), -10f, 20f, true);`,
		`builder.Slider(at[2], null, new Vector3(0f, 0f, -1f), 0f, 2f, true);`,
		`"sun", null, new Vector3(0f, 0f, 0f), new Quaternion(0.70710677f, 0f, 0f, 0.70710677f), new Vector3(1f, 1f, 1f), true);`,
	} {
		if !strings.Contains(s, want) {
			t.Errorf("no %s", want)
		}
	}
	// The sun of the model shines down. That of the engine shines along its +Z.
	q := [4]float64{math.Sqrt2 / 2, 0, 0, math.Sqrt2 / 2}
	if y := 2 * (0 - q[3]*q[0]); math.Abs(y+1) > 1e-9 { // the Y of q·(0, 0, 1)
		t.Errorf("the sun shines along %v", y)
	}
}

var meshes = regexp.MustCompile(`new\[\] \{ new float\[\] \{ (.*?) \}, new float\[\] \{ (.*?) \}, new float\[\] \{ (.*?) \}, new float\[\] \{ (.*?) \} \}`)

// TestTrianglesTurn: the front of a triangle is where its normals point, in a world
// whose Z was turned round: the corners go round clockwise there.
func TestTrianglesTurn(t *testing.T) {
	r := compile(t, `composition "Shapes" { object "k" { geometry: "torus" } object "c" { geometry: "cone" } object "s" { geometry: "heart" } }`)
	all := meshes.FindAllStringSubmatch(file(t, r, "Data.cs"), -1)
	if len(all) != 3 {
		t.Fatalf("%d meshes", len(all))
	}
	for k, m := range all {
		var lists [4][]float64
		for i := range lists {
			for _, f := range strings.Split(m[i+1], ", ") {
				x, err := strconv.ParseFloat(strings.TrimSuffix(f, "f"), 64)
				if err != nil {
					t.Fatal(err)
				}
				lists[i] = append(lists[i], x)
			}
		}
		at := func(list []float64, i float64) [3]float64 { return [3]float64(list[3*int(i) : 3*int(i)+3]) }
		for i := 0; i+2 < len(lists[3]); i += 3 {
			a, b, c := at(lists[0], lists[3][i]), at(lists[0], lists[3][i+1]), at(lists[0], lists[3][i+2])
			n := at(lists[1], lists[3][i])
			u, v := [3]float64{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, [3]float64{c[0] - a[0], c[1] - a[1], c[2] - a[2]}
			// u×v points to who sees the corners go round clockwise, in left-handed axes
			dot := n[0]*(u[1]*v[2]-u[2]*v[1]) + n[1]*(u[2]*v[0]-u[0]*v[2]) + n[2]*(u[0]*v[1]-u[1]*v[0])
			if dot < -1e-9 {
				t.Fatalf("mesh %d: triangle %d shows its back", k, i/3)
			}
		}
	}
}

// TestTemplatesHaveComponents: one for each, on everything that was placed with it,
// with names that hide nothing of the engine or of the language.
func TestTemplatesHaveComponents(t *testing.T) {
	r := compile(t, `composition "Kinds" {
  template "Camera" { geometry: "box" state { class: 1 "two words": 2 } on "alarm" { state.class = 2 } }
  template "string" { geometry: "box" }
  template "String" { geometry: "box" }
  template "Boat" { geometry: "sphere" @clickable state { speed: 0 } }
  object "a" using "Camera" { }
  object "b" using "string" { }
  object "c" using "String" { }
  object "d" using "Boat" { }
  object "e" using "Boat" { position: [1, 0, 0] }
}`)
	s := file(t, r, "Scene.cs")
	if n := strings.Count(s, "Listen<Boat>("); n != 2 {
		t.Errorf("%d boats", n)
	}
	boat := file(t, r, "Boat.cs")
	if !strings.Contains(boat, "public sealed class Boat : Actor {") || !strings.Contains(boat, `public object Speed { get { return State("speed"); } set { State("speed", value); } }`) {
		t.Error(boat)
	}
	if c := file(t, r, "CameraThing.cs"); !strings.Contains(c, "public sealed class CameraThing : Script {") || !strings.Contains(c, "\t\tpublic void OnAlarm() {\n\t\t\tClass = 2d;\n\t\t}\n") {
		t.Error(c)
	}
	accepted(t, r)
}

// TestHostileTexts: nothing of a source ends a text of the language.
func TestHostileTexts(t *testing.T) {
	var b strings.Builder
	for i, name := range []string{`\"; } } //`, `\\`, "*/ #endif", "\u202etxt\u2028", `😀\u0000`, `line\nfeed`, `{0} ${x}`} {
		fmt.Fprintf(&b, `template "%[1]s" { geometry: "sphere" state { "%[1]s": "%[1]s" } on "%[1]s" { log("%[1]s") } } object "%[1]s" using "%[1]s" @clickable { position: [%[2]d, 0, 0] text: "%[1]s" label: "%[1]s" } ui "u%[2]d" { button "%[1]s" { } }
`, name, i)
	}
	r := compile(t, `composition "\"; } //" { `+b.String()+"}")
	accepted(t, r)
	for _, f := range r.Files {
		if i := strings.IndexFunc(string(f.Data), func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c == 0x202e || c == 0x2028 }); i >= 0 && strings.HasSuffix(f.Path, ".cs") {
			t.Errorf("%s has %q", f.Path, f.Data[i])
		}
	}
}

func TestAnEmptyScene(t *testing.T) {
	r := compile(t, `composition "Nothing" { }`)
	s := file(t, r, "Scene.cs")
	for _, want := range []string{`"Daylight"`, `"Overview"`, "builder.Around(", "never"} {
		if strings.Contains(s, want) == (want == "never") {
			t.Errorf("%s", want)
		}
	}
	if !strings.Contains(file(t, r, "Data.cs"), `string Program = "";`) {
		t.Error("a scene where nothing happens has a program")
	}
	accepted(t, r)
}

func TestDeepAndLongScenes(t *testing.T) {
	const deep = 100
	accepted(t, compile(t, `composition "Deep" { `+strings.Repeat(`group "a" { position: [0, 1, 0] `, deep)+strings.Repeat("}", deep)+" }"))
	r := compile(t, `composition "Long" { `+strings.Repeat("object \"a\" { geometry: \"box\" }\n", 500)+" }")
	if s := file(t, r, "Scene.cs"); !strings.Contains(s, "void Build4()") {
		t.Error("a long scene is built in one method")
	}
	accepted(t, r)
}

// TestNothingIsLeftOutInSilence: what the engine does not read is a loss.
func TestNothingIsLeftOutInSilence(t *testing.T) {
	r := compile(t, `composition "Models" { object "part" { model: "part.stl" } object "glass" { geometry: "box" material: { transmission: 0.8 } }
  environment { exposure: 2 } post_processing { depth_of_field { focus: 1 } } }`)
	for _, want := range []string{"TGT002 the engine imports glTF", "TGT002 of the image effects", "TGT003 glass is seen through", "TGT003 exposure and the curve"} {
		if !slices.ContainsFunc(r.Losses, func(l scene.Loss) bool { return strings.HasPrefix(l.Code+" "+l.Reason, want) }) {
			t.Errorf("no loss %q in %v", want, r.Losses)
		}
	}
}

// TestBodies: colliders and bodies as the model has them.
func TestBodies(t *testing.T) {
	s := file(t, compile(t, `composition "Yard" {
  environment { gravity: 3 }
  object "floor" { geometry: "box" size: [10, 1, 10] physics: { type: "static" } collider: "box" }
  object "ball" { geometry: "sphere" radius: 0.5 position: [0, 3, 0] physics: { type: "dynamic" mass: 2 restitution: 0.2 } collider: "sphere" }
  object "gate" { geometry: "box" collider: { shape: "box" trigger: true } }
  object "arm" { geometry: "box" physics: { type: "dynamic" } collider: "box" joint: { type: "ball" connected_body: "ball" } }
}`), "Scene.cs")
	for _, want := range []string{
		"builder.Gravity = new Vector3(0f, -3f, 0f);",
		`builder.Box(at[0], new Vector3(0f, 0f, 0f), new Vector3(10f, 1f, 10f), false, 0.5f, 0f);`, `builder.Body(at[0], "static",`,
		`builder.Ball(at[1], new Vector3(0f, 0f, 0f), 0.5f, false, 0.5f, 0.2f);`, `builder.Body(at[1], "dynamic", 2f, 1f, 0f);`,
		`builder.Body(at[2], "trigger",`, `builder.Pivot(at[3], at[1]);`, "Listen(at[2]);",
	} {
		if !strings.Contains(s, want) {
			t.Errorf("no %s", want)
		}
	}
}

var askedFor = regexp.MustCompile(`Shaded\((?:Word\()?([^;]*);`)

// TestBuildsNeedTheirShaders: the first lines of a scene name every shader that only
// code asks for, which a build leaves out unless the project says otherwise; where one
// is missing the log says which.
func TestBuildsNeedTheirShaders(t *testing.T) {
	r := compile(t, `composition "Box" { object "a" { geometry: "box" } }`)
	head, _, _ := strings.Cut(file(t, r, "Scene.cs"), "using UnityEngine;")
	if !strings.Contains(head, "Always Included Shaders") {
		t.Errorf("nothing is said of builds: %s", head)
	}
	names := 0
	stage := file(t, r, "Stage.cs")
	for _, m := range askedFor.FindAllStringSubmatch(stage, -1) {
		for _, name := range regexp.MustCompile(`"([A-Z][\w/ ]+)"`).FindAllStringSubmatch(m[1], -1) {
			names++
			if !strings.Contains(head, name[1]) {
				t.Errorf("%s is not named", name[1])
			}
		}
	}
	if names < 8 {
		t.Errorf("%d shaders are asked for", names)
	}
	if !strings.Contains(stage, `Debug.LogWarning("the shader " + name + " is not in this build`) {
		t.Error("a missing shader is not reported")
	}
	accepted(t, r)
}
