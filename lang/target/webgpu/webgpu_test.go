package webgpu_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

// files compiles a source and gives its files by name.
func files(t *testing.T, source string, asset func(string) ([]byte, bool)) (map[string]string, *target.Result) {
	t.Helper()
	src := target.Load(nil, "main.holo", []byte(source), ast.Holo)
	src.Asset = asset
	r, err := target.Compile(src, target.Request{Target: "webgpu", Version: "0.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range r.Files {
		out[f.Path] = string(f.Data)
	}
	return out, r
}

var literal = regexp.MustCompile(`(?m)^export const scene: Scene = JSON\.parse\('(.*)'\);$`)

// document reads the scene back out of app.ts as JavaScript does.
func document(t *testing.T, app string) *scene.Scene {
	t.Helper()
	m := literal.FindStringSubmatch(app)
	if m == nil {
		t.Fatalf("no scene in %.400s", app)
	}
	var doc strings.Builder
	for i := 0; i < len(m[1]); i++ {
		switch c := m[1][i]; {
		case c == '\'' || c < ' ' || c > '~':
			t.Fatalf("%q stands in the text of the scene", c)
		case c == '\\':
			if i++; m[1][i] != '\\' {
				t.Fatalf("an escape of JavaScript: %q", m[1][i-1:i+1])
			}
			doc.WriteByte('\\')
		default:
			doc.WriteByte(c)
		}
	}
	s, err := scene.Read([]byte(doc.String()))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestApplicationHoldsSceneMeshesAndModules(t *testing.T) {
	out, r := files(t, `composition "Quay" {
		object "a" { geometry: "box" size: [2, 4, 6] }
		object "b" @clickable { geometry: "sphere" state { n: 0 } on "click" { state.n += 1 } }
		object "c" { model: "ship.glb" }
	}`, nil)
	if r.Files[0].Path != "app.ts" || r.Target.MediaType != r.Files[0].MediaType {
		t.Errorf("the main file is %s, %s", r.Files[0].Path, r.Files[0].MediaType)
	}
	s := document(t, out["app.ts"])
	if s.Name != "Quay" || len(s.Nodes) != 3 || len(s.Program) == 0 {
		t.Errorf("%+v", s)
	}
	meshes := regexp.MustCompile(`(?m)^  (null|\{ // (\d+): \w+)`).FindAllString(out["app.ts"], -1)
	if len(meshes) != len(s.Geometries) || meshes[len(meshes)-1] != "  null" {
		t.Errorf("%d geometries have the meshes %q", len(s.Geometries), meshes)
	}
	if !strings.Contains(out["app.ts"], "low: [-1, -2, -3], high: [1, 2, 3]") {
		t.Error("the box is not two by four by six")
	}
	for name, raw := range out {
		for _, m := range regexp.MustCompile(`from "\./([\w.]+)\.js"|new URL\("\./([\w.]+)"`).FindAllStringSubmatch(raw, -1) {
			file := m[2]
			if file == "" {
				file = m[1] + ".ts"
			}
			if file == "runtime.ts" {
				file = "runtime.d.ts"
			}
			if out[file] == "" {
				t.Errorf("%s needs %s, which is not there", name, file)
			}
		}
		for _, word := range []string{"eval(", "new Function", "innerHTML", "http://", "https://"} {
			if strings.Contains(raw, word) && name != "package.json" {
				t.Errorf("%s has %s", name, word)
			}
		}
	}
	for _, name := range []string{"package.json", "tsconfig.json"} {
		if !json.Valid([]byte(out[name])) {
			t.Errorf("%s is no JSON", name)
		}
	}
	if len(r.Places) != 3 || r.Places[1].Place != "scene.nodes[1]" {
		t.Errorf("%v", r.Places)
	}
}

func TestMeshIsThatOfTheTessellator(t *testing.T) {
	out, r := files(t, `object "a" { geometry: "torus" }`, nil)
	want := r.Scene.Geometries[0].Mesh()
	read := func(name string) []byte {
		raw, err := base64.StdEncoding.DecodeString(regexp.MustCompile(name + `: "([^"]+)"`).FindStringSubmatch(out["app.ts"])[1])
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	vertices, indices := read("vertices"), read("indices")
	if len(vertices) != 32*len(want.Positions) || len(indices) != 4*len(want.Indices) {
		t.Fatalf("%d and %d bytes", len(vertices), len(indices))
	}
	for i, p := range want.Positions {
		n, uv := want.Normals[i], want.UVs[i]
		for k, v := range []float32{p[0], p[1], p[2], n[0], n[1], n[2], uv[0], uv[1]} {
			if got := math.Float32frombits(binary.LittleEndian.Uint32(vertices[32*i+4*k:])); got != v {
				t.Fatalf("number %d of corner %d is %v, not %v", k, i, got, v)
			}
		}
	}
	for i, v := range want.Indices {
		if got := binary.LittleEndian.Uint32(indices[4*i:]); got != v {
			t.Fatalf("index %d is %d, not %d", i, got, v)
		}
	}
}

func TestHostileTextsStayTexts(t *testing.T) {
	for _, name := range []string{`'); alert(1); ('`, `\'); alert(1)//`, "\u2028\u2029\u202e", `</script>`, `${x}` + "`", "*/ x /*", `\u0027`} {
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name)
		out, _ := files(t, fmt.Sprintf(`composition "%s" { object "%s" { geometry: "box" text: "%s" } }`, quoted, quoted, quoted), nil)
		s := document(t, out["app.ts"])
		if s.Name != name || s.Nodes[0].Name != name || s.Nodes[0].Text.Value != name {
			t.Errorf("%q became %q, %q and %q", name, s.Name, s.Nodes[0].Name, s.Nodes[0].Text.Value)
		}
	}
}

func TestEmptyAndDeepScenes(t *testing.T) {
	out, _ := files(t, ``, nil)
	if s := document(t, out["app.ts"]); len(s.Nodes) != 0 || !strings.Contains(out["app.ts"], "const meshes: (Mesh | null)[] = [\n];") {
		t.Errorf("an empty scene: %s", out["app.ts"])
	}
	const depth = 60
	out, _ = files(t, strings.Repeat(`group "g" { `, depth)+`object "o" { geometry: "box" }`+strings.Repeat(" }", depth), nil)
	if s := document(t, out["app.ts"]); len(s.Nodes) != depth+1 || s.Nodes[depth].Parent != depth-1 {
		t.Errorf("%d nodes", len(s.Nodes))
	}
}

// TestOnlyWhatIsDrawnComesAlong: pictures of materials are inside, models and
// sounds, which the application has no use for, are not.
func TestOnlyWhatIsDrawnComesAlong(t *testing.T) {
	asset := func(path string) ([]byte, bool) { return []byte("bytes of " + path), path != "gone.png" }
	out, r := files(t, `composition "c" {
		object "a" { geometry: "box" material: { base_color_map: "wood.png", normal_map: "gone.png" } }
		object "b" { model: "ship.glb" }
	}`, asset)
	s := document(t, out["app.ts"])
	for i := range s.Assets {
		if a := &s.Assets[i]; (len(a.Data) > 0) != (a.Path == "wood.png") {
			t.Errorf("%s has %d bytes", a.Path, len(a.Data))
		}
	}
	if !slices.ContainsFunc(r.Losses, func(l scene.Loss) bool { return l.Feature == "models" && l.Code == "TGT002" }) {
		t.Errorf("the model is no loss: %+v", r.Losses)
	}
	noted := 0
	for _, d := range r.Diagnostics {
		if d.Code == "TGT006" {
			noted++
		}
	}
	if len(s.Assets) != 3 || noted != 1 {
		t.Errorf("%d assets, %d notes", len(s.Assets), noted)
	}
}

var (
	structure = regexp.MustCompile(`(?s)struct (\w+) \{\n(.*?)\n\}`)
	member    = regexp.MustCompile(`(?m)^  (\w+): ([\w<>, ]+),`)
	array     = regexp.MustCompile(`^array<(\w+), (\d+)>$`)
)

// sizes are size and alignment of types in memory that the host shares (WGSL,
// "alignment and size").
var sizes = map[string][2]int{"f32": {4, 4}, "u32": {4, 4}, "i32": {4, 4}, "vec2f": {8, 8}, "vec3f": {12, 16}, "vec4f": {16, 16}, "vec4u": {16, 16}, "mat3x3f": {48, 16}, "mat4x4f": {64, 16}}

func up(n, to int) int { return (n + to - 1) / to * to }

// offsets lays out the members of a structure of a shader.
func offsets(t *testing.T, body string) map[string]int {
	t.Helper()
	out, at, most := map[string]int{}, 0, 4
	for _, m := range member.FindAllStringSubmatch(body, -1) {
		size, known := sizes[m[2]]
		if a := array.FindStringSubmatch(m[2]); a != nil {
			n, _ := strconv.Atoi(a[2])
			size, known = sizes[a[1]], true
			size[0] = n * up(size[0], size[1])
		}
		if !known {
			t.Fatalf("%s is a %s", m[1], m[2])
		}
		at = up(at, size[1])
		out[m[1]] = at
		at += size[0]
		most = max(most, size[1])
	}
	out["bytes"] = up(at, most)
	return out
}

// TestHostAndShadersAgreeOnLayouts lays the structures of the shaders out by the
// rules of the language and compares that with what the host writes.
func TestHostAndShadersAgreeOnLayouts(t *testing.T) {
	out, _ := files(t, ``, nil)
	host := map[string]map[string]int{}
	for _, m := range regexp.MustCompile(`(?s)export const (\w+) = \{(.*?)\} as const;`).FindAllStringSubmatch(out["layout.ts"], -1) {
		host[m[1]] = map[string]int{}
		for _, p := range regexp.MustCompile(`(\w+): (\d+)`).FindAllStringSubmatch(m[2], -1) {
			host[m[1]][p[1]], _ = strconv.Atoi(p[2])
		}
	}
	if len(host) != 5 {
		t.Fatalf("the host lays out %d structures", len(host))
	}
	seen := map[string]bool{}
	for name, raw := range out {
		if !strings.HasSuffix(name, ".wgsl") {
			continue
		}
		for _, m := range structure.FindAllStringSubmatch(raw, -1) {
			want, shared := host[m[1]]
			if !shared {
				continue
			}
			seen[m[1]] = true
			got := offsets(t, m[2])
			for k, at := range want {
				if got[k] != at {
					t.Errorf("%s: %s.%s is at %d, the host writes it to %d", name, m[1], k, got[k], at)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s: %s is %v, the host knows %v", name, m[1], got, want)
			}
		}
	}
	if len(seen) != len(host) {
		t.Errorf("the shaders have %v of %v", seen, host)
	}
}
