package target_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/bundle"
	"github.com/meshd/meshd/lang/trait"
)

var update = flag.Bool("update", false, "write the golden files anew")

const examples = "../../examples"

func compile(source, id string, options map[string]any) (*target.Result, error) {
	return target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: id, Options: options, Version: "0.0.0"})
}

func mustCompile(t testing.TB, source, id string) *target.Result {
	t.Helper()
	r, err := compile(source, id, nil)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return r
}

// fits is false for a source that has nothing that a target could be made of.
func fits(err error) bool {
	var bad *target.SourceError
	return !errors.As(err, &bad) || !slices.ContainsFunc(bad.All, func(d diag.Diagnostic) bool { return d.Code == "TGT004" })
}

// TestGolden compares the bytes of every example in every target with those that were
// proven last; run it with -update after scripts/validate has seen the new ones.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(examples, "*.h*"))
	projects, _ := filepath.Glob(filepath.Join(examples, "*", "main.h*"))
	if err != nil || len(files) == 0 || len(projects) == 0 {
		t.Fatal("no examples", err)
	}
	var got strings.Builder
	for _, file := range append(files, projects...) {
		name, _ := filepath.Rel(examples, file)
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		format, _ := ast.FormatOf(file)
		for _, tg := range target.All() {
			once := func() (*target.Result, error) {
				return target.Compile(target.Load(os.DirFS(filepath.Dir(file)), filepath.Base(file), raw, format), target.Request{Target: tg.ID, Version: "0.0.0"})
			}
			r, err := once()
			if !fits(err) {
				fmt.Fprintf(&got, "%s %s TGT004\n", filepath.ToSlash(name), tg.ID)
				continue
			}
			if err != nil {
				t.Errorf("%s to %s: %v", file, tg.ID, err)
				continue
			}
			again, err := once()
			if err != nil {
				t.Fatal(err)
			}
			for i, f := range r.Files {
				if !bytes.Equal(f.Data, again.Files[i].Data) {
					t.Errorf("%s to %s: two compiles differ in %s", file, tg.ID, f.Path)
				}
				if f.Path == "runtime.js" || f.Path == "runtime.mjs" || f.Path == "runtime.d.ts" { // the same for every source; scripts/validate builds it anew
					continue
				}
				if tg.ID == "webgpu" && f.Path != "app.ts" && f.Path != "package.json" { // as it stands in lang/target/webgpu/app
					continue
				}
				data := f.Data
				if tg.ID == "html" { // without the viewer
					data = data[:bytes.Index(data, []byte("<script>"))]
				}
				sum := sha256.Sum256(data)
				fmt.Fprintf(&got, "%s %s %s %s\n", filepath.ToSlash(name), tg.ID, f.Path, hex.EncodeToString(sum[:8]))
			}
		}
	}
	golden := filepath.Join("testdata", "golden.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(want)) {
		seen[line] = true
	}
	for line := range strings.Lines(got.String()) {
		if !seen[line] {
			t.Errorf("not golden: %s", line)
		}
	}
}

func TestFind(t *testing.T) {
	for name, want := range map[string]string{"GLB": "glb", "gltf2": "gltf", "three_js": "threejs", "A2A": "a2a-agent-card", "gazebo": "sdf"} {
		if got, ok := target.Find(name); !ok || got.ID != want {
			t.Errorf("%s is %v", name, got)
		}
	}
	var unknown *target.UnknownTarget
	if _, err := compile("", "gbl", nil); !errors.As(err, &unknown) || unknown.Nearest != "glb" || unknown.Planned {
		t.Errorf("%v", err)
	}
	if _, err := compile("", "docker", nil); !errors.As(err, &unknown) || !unknown.Planned {
		t.Errorf("%v", err)
	}
	ids := map[string]bool{}
	for _, tg := range target.All() {
		if len(tg.Features) != len(artefact.Features) || len(tg.Files) == 0 || tg.MediaType == "" {
			t.Errorf("%s is not whole: %v", tg.ID, tg.Features)
		}
		for _, name := range append([]string{tg.ID}, tg.Aliases...) {
			if ids[name] {
				t.Errorf("%s is a name of two targets", name)
			}
			ids[name] = true
		}
		if tg.Status == "stable" && tg.Verified.Level != "engine" && tg.Verified.Level != "validator" {
			t.Errorf("%s is stable by %v", tg.ID, tg.Verified)
		}
	}
	if !slices.Contains(target.IDs(), "html") || !target.Planned("markdown") || target.Planned("html") {
		t.Error("what is built and what is planned is mixed up")
	}
}

// TestDeployable: what studios deploy are the pages that need nothing else.
func TestDeployable(t *testing.T) {
	var got []string
	for _, tg := range target.All() {
		if tg.Deployable {
			got = append(got, tg.ID)
			if !tg.SelfContained || tg.MediaType != "text/html" || len(tg.Files) != 1 {
				t.Errorf("%s is deployable and no page of its own", tg.ID)
			}
		}
	}
	if want := []string{"html", "ar", "native-2d", "phone-sleeve-vr"}; !slices.Equal(got, want) {
		t.Errorf("deployable are %v, not %v", got, want)
	}
}

func TestOptions(t *testing.T) {
	const box = `object "a" { geometry: "box" }`
	var bad *target.OptionsError
	for _, o := range []map[string]any{{"x": 1}, {"strict": "yes"}, {"quality": "best"}, {"node": "b"}, {"lang": 3}, {"node": strings.Repeat("x", target.MaxOptions)}} {
		if _, err := compile(box, "html", o); !errors.As(err, &bad) {
			t.Errorf("%.80v: %v", o, err)
		}
	}
	one, err := compile(box+` object "b" { geometry: "sphere" position: [1, 2, 3] }`, "scene-json", map[string]any{"node": "b"})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := scene.Read(one.Files[0].Data); err != nil || len(s.Nodes) != 1 || s.Nodes[0].Path != "b" {
		t.Errorf("%v %s", err, one.Files[0].Data)
	}
	size := func(quality string) int {
		r, err := compile(`object "a" { geometry: "sphere" }`, "glb", map[string]any{"quality": quality})
		if err != nil {
			t.Fatal(err)
		}
		return len(r.Files[0].Data)
	}
	if size("draft") >= size("production") || size("production") >= size("archival") {
		t.Error("quality changes nothing")
	}
	tg, _ := target.Find("gltf")
	if name, v, err := tg.ParseOption("embed=true"); name != "embed" || v != true || err != nil {
		t.Error(name, v, err)
	}
	if _, _, err := tg.ParseOption("embed=maybe"); err == nil {
		t.Error("maybe is taken as a boolean")
	}
}

func TestLossesNameTheirNodes(t *testing.T) {
	const source = "object \"a\" { geometry: \"box\" }\n\nobject \"b\" @clickable @buoyancy { geometry: \"box\" }\n"
	r := mustCompile(t, source, "glb")
	byFeature := map[string]scene.Loss{}
	for _, l := range r.Losses {
		byFeature[l.Feature+l.Trait] = l
	}
	l, ok := byFeature["events"]
	if !ok || l.Code != "TGT002" || l.Count != 1 || l.Nodes[0].Path != "b" || l.Nodes[0].Line != 3 || l.Nodes[0].File != "main.holo" {
		t.Errorf("%+v", r.Losses)
	}
	if _, ok := byFeature["traitsbuoyancy"]; !ok {
		t.Errorf("no loss for a trait that is only data: %+v", r.Losses)
	}
	if !slices.ContainsFunc(r.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == "TGT002" && d.Line == 3 }) {
		t.Error("the loss is no diagnostic")
	}
	var left *target.Unsupported
	if _, err := compile(source, "glb", map[string]any{"strict": true}); !errors.As(err, &left) || len(left.Losses) == 0 {
		t.Errorf("strict: %v", err)
	}
	if _, err := compile(`object "a" { geometry: "box" }`, "glb", map[string]any{"strict": true}); err != nil {
		t.Errorf("strict without a loss: %v", err)
	}
}

// TestEveryTraitIsThereOrLost compiles a node with each trait of the catalogue:
// it is in the artefact, or a loss names it or its feature.
func TestEveryTraitIsThereOrLost(t *testing.T) {
	for _, e := range trait.Builtin().All() {
		switch {
		case e.Kind == trait.KindDirective:
			continue
		case slices.Contains([]string{"computed", "platform", "state", "template"}, e.Name):
			continue // words of the language, which the model takes in
		}
		r, err := compile(fmt.Sprintf(`object "a" @%s { geometry: "box" }`, e.Name), "glb", nil)
		if err != nil {
			t.Errorf("@%s: %v", e.Name, err)
			continue
		}
		inside := bytes.Contains(r.Files[0].Data, []byte(`"name":"`+e.Name+`"`))
		lost := slices.ContainsFunc(r.Losses, func(l scene.Loss) bool { return l.Trait == e.Name })
		if !inside || lost == e.Core() {
			t.Errorf("@%s: in the artefact %v, reported as a loss %v, core %v", e.Name, inside, lost, e.Core())
		}
	}
}

// hostile are names that break out of the languages artefacts are written in.
var hostile = []string{
	`</script><script>alert(1)</script>`, `"]]> <x a='`, `--> <!--`, "line\nfeed\ttab", `*/ // # ${x} ` + "`", `\" \\ \u0000`, "\u202etxt\u2028\u2029", "a\x01b\x7f", `</title><img src=x>`,
}

func TestNamesStayNames(t *testing.T) {
	for _, name := range hostile {
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(name)
		source := fmt.Sprintf(`composition "%s" { npc "%s" @agent @route(path: "/x") @clickable { geometry: "cube" label: "%s" alt: "%s" text: "%s" state { a: "%s" } on_click() { a = 1 } } panel "p" { text: "%s" } ui "u" { button "%s" { } } } pipeline "%s" { source S { type: "list" items: ["%s"] } sink T { type: "stdout" } }`,
			quoted, quoted, quoted, quoted, quoted, quoted, quoted, quoted, quoted, quoted)
		for _, tg := range target.All() {
			r, err := compile(source, tg.ID, nil)
			if err != nil {
				t.Errorf("%q to %s: %v", name, tg.ID, err)
				continue
			}
			for _, f := range r.Files {
				judge(t, name, tg.ID, f)
			}
		}
	}
}

func judge(t *testing.T, name, id string, f artefact.File) {
	t.Helper()
	switch {
	case strings.HasSuffix(f.MediaType, "json") || strings.HasSuffix(f.Path, ".json"):
		if !json.Valid(f.Data) {
			t.Errorf("%q to %s: %s is no JSON", name, id, f.Path)
		}
	case strings.HasSuffix(f.MediaType, "xml"):
		d := xml.NewDecoder(bytes.NewReader(f.Data))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Errorf("%q to %s: %v", name, id, err)
				break
			}
		}
	case f.MediaType == "text/html":
		scripts, own := 2, bundle.Script(bundle.Viewer, text(t, "html/adapter.js"))
		if id == "aframe" { // which names its library
			scripts, own = 3, bundle.Script(bundle.Host, text(t, "aframe/adapter.js"))
		}
		if n := bytes.Count(f.Data, []byte("<script")); n != scripts+strings.Count(own, "<script") {
			t.Errorf("%q: %d scripts in the page", name, n)
		}
		if n := bytes.Count(f.Data, []byte("</script>")); n != scripts {
			t.Errorf("%q: %d scripts end in the page", name, n)
		}
		if bytes.Contains(f.Data, []byte("<img src=x>")) || bytes.ContainsRune(f.Data, '\u202e') && id == "html" && bytes.Contains(f.Data, []byte("<title>\u202e")) {
			t.Errorf("%q stands in the page as it is", name)
		}
	case id == "obj" || id == "usd":
		for line := range strings.Lines(string(f.Data)) {
			if strings.HasPrefix(strings.TrimSpace(line), "feed") {
				t.Errorf("%q begins a line of %s", name, f.Path)
			}
		}
	}
}

func text(t testing.TB, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestPageKeepsItsBudget: a page is at most 0.75 MB, 200 kB compressed, carries
// the notice of what is in it and requests nothing from anybody.
func TestPageKeepsItsBudget(t *testing.T) {
	page := mustCompile(t, `object "a" { geometry: "box" }`, "html").Files[0].Data
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(page)
	_ = z.Close()
	if len(page) > 750_000 || packed.Len() > 200_000 {
		t.Errorf("%d bytes, %d compressed", len(page), packed.Len())
	}
	licenses, err := os.ReadFile("html/viewer.LICENSES.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(licenses)) {
		if s := strings.TrimSpace(line); len(s) > 20 && !bytes.Contains(page, []byte(s)) {
			t.Errorf("the notice is not in the page: %s", s)
		}
	}
	code := bundle.Script(bundle.Viewer, text(t, "html/adapter.js"))
	if !bytes.Contains(page, []byte("<script>"+code+"</script>")) || strings.Contains(code, "</script") {
		t.Error("the viewer is not in the page as it is")
	}
	for _, need := range []string{"default-src 'none'", "connect-src 'none'", `<html lang="en">`, "<noscript>", `name="viewport"`, "<title>Scene</title>"} {
		if !bytes.Contains(page, []byte(need)) {
			t.Errorf("the page has no %s", need)
		}
	}
	empty := mustCompile(t, ``, "html").Files[0].Data
	if !bytes.Contains(empty, []byte("This scene is empty.")) {
		t.Error("an empty scene says nothing")
	}
}

func TestSizesAreBounded(t *testing.T) {
	src := target.Load(nil, "main.holo", []byte(`object "a" { geometry: "sphere" segments: 256 }`), ast.Holo)
	var bad *target.SourceError
	if _, err := target.Compile(src, target.Request{Target: "glb", MaxSize: 1000}); !errors.As(err, &bad) || !strings.Contains(bad.Error(), "LIM006") {
		t.Errorf("%v", err)
	}
	stop := errors.New("stop")
	if _, err := target.Compile(src, target.Request{Target: "glb", Step: func() error { return stop }}); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
	many := target.Load(nil, "main.holo", []byte(strings.Repeat("object \"a\" { geometry: \"box\" }\n", 60)), ast.Holo)
	if _, err := target.Compile(many, target.Request{Target: "glb", Limits: scene.Limits{Nodes: 50}}); !errors.As(err, &bad) || !strings.Contains(bad.Error(), "LIM005") {
		t.Errorf("%v", err)
	}
}

// FuzzCompile: no source makes a target panic (which Compile would report as
// INT001) or write something that is no JSON or XML.
func FuzzCompile(f *testing.F) {
	for _, s := range []string{
		`composition "a" { environment { fog { density: 1 } } object "b" @glowing { geometry: "torus" radius: -1 scale: [0, 1e300, 2] } }`,
		`@for i in 0..3 { object "x" { position: [i / 0, i % 0, 1e999] rotation: [1e9, 0, 0, 0] animation { property: "rotation" to: 1 duration: 0 } } }`,
		`template "t" using "t" { } object "o" using "t" { joint: { type: "revolute", connected_body: "o", limits: [1] } }`,
		`{ "entities": [ { "name": 1, "children": [ { "type": "point_light", "size": [] } ] } ] }`,
		`panel "p" { width: 0 text: "" } light { type: spot angle: 400 } camera { fov: 0 near: 5 far: 1 } pipeline "p" { validate v { a: min(1) } }`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 4096 {
			return
		}
		for _, tg := range target.All() {
			src := target.Load(nil, "main.holo", []byte(source), ast.Holo)
			r, err := target.Compile(src, target.Request{Target: tg.ID, Limits: scene.Limits{Nodes: 200, Iterations: 200, Work: 100_000}, MaxSize: 8 << 20})
			var bad *target.SourceError
			if errors.As(err, &bad) {
				for _, d := range bad.All {
					if d.Code == diag.INT001 {
						t.Fatalf("%s: %v", tg.ID, d)
					}
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", tg.ID, err)
			}
			for _, file := range r.Files {
				if strings.HasSuffix(file.Path, ".json") && !json.Valid(file.Data) {
					t.Fatalf("%s: %s is no JSON", tg.ID, file.Path)
				}
				if bytes.Contains(file.Data, []byte("NaN")) && (strings.HasSuffix(file.MediaType, "xml") || tg.ID == "obj" || tg.ID == "usd") {
					t.Fatalf("%s: %s holds NaN", tg.ID, file.Path)
				}
			}
		}
	})
}
