package r3f_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

func compile(t testing.TB, source string) (string, *target.Result) {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "r3f", Version: "0.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	return string(r.Files[0].Data), r
}

// TestTree: places, solids, surfaces, lights and the camera are elements, in
// their order and below what they are part of.
func TestTree(t *testing.T) {
	doc, r := compile(t, `composition "Yard" {
  environment { skybox: "#102030" fog: { color: "#ffffff" density: 0.1 } exposure: 2 }
  post_processing { bloom: { intensity: 0.5 } }
  object "table" @clickable { geometry: "box" size: [1, 2, 3] position: [1, 2, 3] rotation: [0, 90, 0] color: "#ff0000" label: "A table"
    object "cup" { geometry: "cylinder" radius: 0.1 height: 0.2 material: { color: "#00ff0080" metalness: 1 emissive: "#0000ff" emissive_intensity: 2 ior: 1.2 } } }
  object "knot" { geometry: "torus" scale: [1, -1, 1] visible: false material: { color: "#ffffff" unlit: true double_sided: true } }
  text "sign" { text: "Open" size: 0.5 }
  directional_light "sun" { intensity: 2 shadow: true }
  spot_light "lamp" { range: 5 angle: 30 }
  camera "eye" { fov: 90 }
  camera "other" { fov: 40 }
}`)
	last := 0
	for _, want := range []string{
		`import { DoubleSide } from "three";`, `import { OrbitControls, PerspectiveCamera } from "@react-three/drei";`, `PictureEffects, SceneContext, Surroundings, ahead, mirror, useScene,`,
		`"sky":["#102030ff"]`, `<hemisphereLight color="#dbeaff" groundColor="#c7cfda" intensity={1.1309733} />`,
		`<group name={"table"} userData={{ id: "n`, `label: "A table" }} position={[1, 2, 3]} quaternion={[0, 0.70710677, 0, 0.70710677]}>`,
		`<boxGeometry args={[1, 2, 3]} />`, `<meshStandardMaterial color="#ff0000"`,
		`<group name={"cup"}`, `<cylinderGeometry args={[0.1, 0.1, 0.2, 32]} />`,
		`<meshPhysicalMaterial color="#00ff00" opacity={0.5019608} transparent depthWrite={false} metalness={1} roughness={0.5} emissive="#0000ff" emissiveIntensity={2} ior={1.2} onBeforeCompile={mirror} />`,
		`</group>`, `</group>`, `scale={[1, -1, 1]} visible={false}>`, `<solidGeometry args={[{ kind: "torus"`, `<meshBasicMaterial color="#ffffff" side={DoubleSide} toneMapped={false} />`,
		`<lettering args={[{ value: "Open", size: 0.5 }, "#`, `<directionalLight ref={ahead} position={[0, 0, 0]} color="#ffffff" intensity={6.2831855} castShadow`,
		`<spotLight ref={ahead} position={[0, 0, 0]} color="#ffffff" intensity={3.1415927} distance={5} angle={0.5235988}`,
		`<PerspectiveCamera makeDefault={view === "scene"} fov={90}`, `<PerspectiveCamera fov={40}`, `<PictureEffects list={effects} />`,
	} {
		at := strings.Index(doc[last:], want)
		if at < 0 {
			t.Errorf("no %s in its place", want)
			continue
		}
		last += at
	}
	if strings.Count(doc, "<group ") != strings.Count(doc, "</group>") || strings.Contains(doc, "position={[3, 6, 4]}") {
		t.Error("the tree is not closed, or has a sun of its own beside another")
	}
	if t.Failed() {
		t.Log(doc)
	}
	for i, path := range []string{"Scene.tsx", "runtime.js", "runtime.d.ts"} {
		if r.Files[i].Path != path || len(r.Files[i].Data) == 0 {
			t.Errorf("file %d is %s", i, r.Files[i].Path)
		}
	}
}

// TestOnlyWhatIsUsedIsImported: strict compilers refuse the rest, and a page
// should not have to bring what its scene has no use for.
func TestOnlyWhatIsUsedIsImported(t *testing.T) {
	plain, _ := compile(t, ``)
	for _, word := range []string{"@react-three/xr", `from "three"`, "PictureEffects", "ahead", "mirror", "useThree", "PerspectiveCamera", "<mesh"} {
		if strings.Contains(plain, word) {
			t.Errorf("an empty scene has %s", word)
		}
	}
	if !strings.Contains(plain, "view === \"orbit\" && <OrbitControls makeDefault />") || !strings.Contains(plain, "void view;") {
		t.Error("an empty scene has no way around it")
	}
	xr, r := compile(t, `object "a" @hand_tracked { geometry: "box" }`)
	if !strings.Contains(xr, `return xr ? <XR store={xr}>{scene}</XR> : scene;`) || !strings.Contains(xr, "@react-three/xr 6.6.31") {
		t.Error("a scene with hands has no session")
	}
	if !slices.ContainsFunc(r.Losses, func(l scene.Loss) bool { return l.Code == "TGT003" && l.Feature == "xr" }) {
		t.Errorf("%+v", r.Losses)
	}
	wide, _ := compile(t, `camera "c" { projection: "orthographic" size: 5 }`)
	if strings.Contains(wide, "OrthographicCamera") != strings.Contains(wide, "const height = useThree") {
		t.Error("the height of the picture is not what cameras need")
	}
}

var literal = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)

// FuzzText: whatever things are called, what is outside of the literals of the
// component is the same.
func FuzzText(f *testing.F) {
	for _, s := range []string{`</script>`, `"`, `\`, "*/}", "{${x}", "`", "line\nfeed", "\u202e\u2028", "}}><mesh", "//", "a\x01"} {
		f.Add(s)
	}
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`)
	source := func(name string) string {
		q := `"` + quote.Replace(name) + `"`
		return fmt.Sprintf(`composition %s { object %s @clickable { geometry: "cube" label: %s alt: %s state { a: %s } on_click() { a = 1 } } text "t" { text: %s } ui "u" { button %s { } } }`, q, q, q, q, q, q, q)
	}
	skeleton := func(doc string) string {
		lines := strings.Split(literal.ReplaceAllString(doc, `""`), "\n")
		return strings.Join(slices.DeleteFunc(lines, func(l string) bool {
			l = strings.TrimSpace(l)
			sun := strings.HasPrefix(l, "<directionalLight") || strings.HasPrefix(l, "<group position={[") // where it stands follows what is seen
			return sun || strings.HasPrefix(l, "//") || strings.HasPrefix(l, "{/*") || strings.HasPrefix(l, "const data")
		}), "\n")
	}
	want, _ := compile(f, source("plain"))
	f.Fuzz(func(t *testing.T, name string) {
		r, err := target.Compile(target.Load(nil, "main.holo", []byte(source(name)), ast.Holo), target.Request{Target: "r3f", Version: "0.0.0"})
		if err != nil || strings.TrimSpace(name) == "" || strings.Contains(name, "${") {
			return // no text of the language, none at all, or one that is put together
		}
		doc := string(r.Files[0].Data)
		if got := skeleton(doc); got != skeleton(want) {
			t.Fatalf("%q changes the component:\n%s", name, got)
		}
		for _, c := range doc {
			if c > 0x7e || c < ' ' && c != '\n' {
				t.Fatalf("%q leaves %q", name, c)
			}
		}
	})
}

// TestDeepTreesStayTrees: the deepest tree that a source may have is indented no
// further than reads well, and closed.
func TestDeepTreesStayTrees(t *testing.T) {
	doc, _ := compile(t, strings.Repeat(`object "a" { `, 100)+strings.Repeat("} ", 100))
	if n := strings.Count(doc, "</group>"); n != 101 {
		t.Errorf("%d groups end", n)
	}
	for line := range strings.Lines(doc) {
		if len(line)-len(strings.TrimLeft(line, " ")) > 2*(40+3) {
			t.Fatalf("indented too far: %s", line)
		}
	}
}
