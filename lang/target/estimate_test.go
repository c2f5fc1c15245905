package target

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/estimate"
	"github.com/meshd/meshd/lang/raster"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// dear are short sources that mean a great deal, and what says so.
var dear = []struct{ name, source, limit string }{
	{"triangles", `@for i in 0..27 { @for j in 0..27 { @for k in 0..27 { object "a" { geometry: "sphere" segments: 256 radius: i+1 position: [i,j,k] } } } }`, "LIM006"},
	{"kinds of solids", `@for i in 0..20000 { object "a" { geometry: "sphere" segments: 256 radius: i+1 } }`, "LIM006"},
	{"texts", `@for i in 0..20000 { object "a" { geometry: "box" text: "` + strings.Repeat("W", 1000) + `" } }`, "LIM00"},
	{"data", `@for i in 0..20000 { object "a" { note: "` + strings.Repeat("x", 200_000) + `" } }`, "LIM006"},
	{"names", `@for i in 0..20000 { object "` + strings.Repeat("x", 200_000) + `" { } }`, "LIM007"},
	{"lists", `@for i in 0..20000 { object "a" { note: [` + strings.Repeat("1,", 100_000) + `] } }`, "LIM007"},
	{"ranges", `@for i in 0..20000 { object "a" { note: 0..100000 } }`, "LIM007"},
	{"escaped texts", `@for i in 0..20000 { object "a" { note: "` + strings.Repeat(`\n`, 100_000) + `" } }`, "LIM006"},
	{"keys", `@for i in 0..20000 { object "a" { "` + strings.Repeat("x y", 60_000) + `": 1 } }`, "LIM00"},
	{"blocks", `object "q" { @for i in 0..100000 { ` + strings.Repeat(`foo "x" { } `, 400) + ` } }`, "LIM007"},
	{"states", `@for i in 0..100000 { ` + strings.Repeat(`state { a: 1 b: 2 } `, 100) + ` }`, "LIM007"},
	{"controls", `@for i in 0..100000 { ` + strings.Repeat(`button "a" { label: "x" } `, 100) + ` }`, "LIM007"},
	{"merges", `object "a" { ` + strings.Repeat(`m: { k: 1 } `, 10) + several(12_000, "m: { k%d: 1 } ") + ` }`, "LIM007"},
	{"traits", "object \"a\" {\n" + strings.Repeat("@grabbable\n", 25_000) + "}", "LIM007"},
	{"unknown traits", "object \"a\" {\n" + several(25_000, "@t%d ") + "}", "LIM007"},
	{"a list of traits", `object "a" { traits: [` + several(12_000, `"t%d", `) + `] ` + several(12_000, "a%d: 1\n") + `}`, "LIM007"},
	{"traits of a loop", `object "a" { @for i in 0..100000 { @grabbable(a: i) } }`, "LIM007"},
	{"arguments", `object "a" { @grabbable(` + strings.Repeat("1, ", 60_000) + `) }`, "LIM007"},
	{"a loop over the limit", `@for i in 0..100001 { object "a" { } }`, "LIM008"},
	{"an inner loop over the limit", `@for i in 0..3 { object "a" { @for k in 0..200000 { object "b" { } } } }`, "LIM008"},
}

func several(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func onServer(t string) Request {
	return Request{Target: t, MaxSize: 32 << 20, Limits: scene.ServerLimits()}
}

// TestDearSourcesAreRefused: what a source costs is counted before it is made, so
// the refusal itself allocates little, whatever was asked for.
func TestDearSourcesAreRefused(t *testing.T) {
	for _, c := range dear {
		src := Load(nil, "main.holo", []byte(c.source), ast.Holo)
		for _, id := range []string{"usdz", "godot", "glb"} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Compile(src, onServer(id))
			runtime.ReadMemStats(&after)
			var bad *SourceError
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.limit) {
				t.Errorf("%s to %s: %v", c.name, id, err)
			}
			if made := after.TotalAlloc - before.TotalAlloc; made > 512<<20 {
				t.Errorf("%s to %s: %d MiB were allocated to refuse it", c.name, id, made>>20)
			}
		}
	}
}

// TestEveryTargetIsCounted: no target makes meshes before the estimate has allowed
// them. A new target has to say what it makes of solids, and that is checked
// against what it does.
func TestEveryTargetIsCounted(t *testing.T) {
	for id := range meshUse {
		if _, there := Find(id); !there {
			t.Errorf("%s is counted and no target", id)
		}
	}
	source := func(n, segments int) Source {
		text := fmt.Sprintf(`@for i in 0..%d { object "a" { @agent @on_tap { } geometry: "torus" segments: %d radius: 2 position: [i, 0, 0] } }`, n, segments)
		return Load(nil, "main.holo", []byte(text), ast.Holo)
	}
	for _, target := range All() {
		use, said := meshUse[target.ID]
		if !said {
			t.Errorf("%s is missing in the table of what targets make of solids", target.ID)
			continue
		}
		allocated := func(src Source) (bytes int, refused bool) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Compile(src, onServer(target.ID))
			runtime.ReadMemStats(&after)
			return int(after.TotalAlloc - before.TotalAlloc), err != nil && strings.Contains(err.Error(), "LIM006")
		}
		if target.ID == layersID {
			continue // its members are in this loop
		}
		// 256 by 256 segments are 131,072 triangles, 3.6 MB as a mesh.
		const mesh = 3 << 20
		allocated(source(1, 3)) // what is made once
		coarse, _ := allocated(source(4, 3))
		fine, _ := allocated(source(4, 256))
		one, _ := allocated(source(1, 256))
		switch use.Use {
		case estimate.Never:
			if still := 5; fine-coarse > mesh && !(target.Deployable && fine-coarse < still*mesh || strings.Contains(stillPages, target.ID)) {
				t.Errorf("%s says it makes no meshes, and allocates %d more bytes for finer ones", target.ID, fine-coarse)
			}
		case estimate.Once:
			if again := fine - one; again > 3*mesh {
				t.Errorf("%s says it makes a mesh once, and allocates %d bytes for three more of it", target.ID, again)
			}
		}
		if use.Use != estimate.Never {
			// Each of these solids is another one.
			many := Load(nil, "main.holo", []byte(`@for i in 0..300 { object "a" { geometry: "torus" segments: 256 radius: i + 2 } }`), ast.Holo)
			if made, refused := allocated(many); !refused || made > 8<<20 {
				t.Errorf("%s: 39 million triangles: refused %v after %d bytes", target.ID, refused, made)
			}
		}
	}
}

// stillPages are the targets with the still picture of a page, which is drawn once
// it was counted.
const stillPages = "html ar vrr phone-sleeve-vr"

// TestEstimateHoldsWhatIsMade: the bytes and triangles of an estimate are those of
// the artefact, or somewhat more.
func TestEstimateHoldsWhatIsMade(t *testing.T) {
	kinds := []string{"box", "sphere", "cylinder", "cone", "capsule", "torus", "ring", "disc", "plane", "pyramid", "gear", "heart"}
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 6 {
		var b strings.Builder
		for i := range 20 + r.IntN(30) {
			fmt.Fprintf(&b, "object \"n%d\" { geometry: %q segments: %d radius: %.3f position: [%d, %.2f, 0] scale: %.2f", i, kinds[r.IntN(len(kinds))], 3+r.IntN(120), 0.1+r.Float64(), i, r.Float64()*100, 0.5+r.Float64())
			switch r.IntN(4) {
			case 0:
				fmt.Fprintf(&b, " text: %q", strings.Repeat("Ag<&\"", 1+r.IntN(20)))
			case 1:
				fmt.Fprintf(&b, " note: { a: [1, 2, [%d, %q]] b: %q }", i, "\n\x01", strings.Repeat("ü", r.IntN(200)))
			}
			b.WriteString(" }\n")
		}
		src := Load(nil, "main.holo", []byte(b.String()), ast.Holo)
		for _, target := range All() {
			out, err := Compile(src, Request{Target: target.ID})
			if err != nil {
				if strings.Contains(err.Error(), "TGT004") {
					continue
				}
				t.Fatalf("round %d, %s: %v", round, target.ID, err)
			}
			cost, over := estimate.Check(out.Scene, target.meshes, estimate.Limits{Triangles: 1 << 40, Texts: 1 << 40, Size: 1 << 40})
			if over != nil {
				t.Fatal(over)
			}
			bare, err := Compile(Load(nil, "main.holo", []byte(`object "n" { geometry: "box" }`), ast.Holo), Request{Target: target.ID})
			if err != nil {
				t.Fatal(err)
			}
			size := 0
			for _, f := range out.Files {
				size += len(f.Data)
			}
			for _, f := range bare.Files {
				size -= len(f.Data)
			}
			if target.ID == "3dgs" || target.ID == layersID || target.ID == "json-ast" || target.ID == "source" {
				continue // splats are bounded by their own number, layers by their members, and the tree by the source
			}
			if most := cost.Bytes + 3*cost.Data + cost.Nodes*fileBytes; size > most {
				t.Errorf("round %d, %s: %d bytes were made, %d and three times %d were expected", round, target.ID, size, cost.Bytes, cost.Data)
			}
			if cost.Bytes > 3*size+200_000 && slices.Contains(meshesOnly, target.ID) {
				t.Errorf("round %d, %s: %d bytes of meshes were expected, %d bytes were made", round, target.ID, cost.Bytes, size)
			}
		}
		s, _, err := Scene(src, scene.Limits{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		cost, _ := estimate.Drawn(s, artefact.Hidden(s), raster.MaxTriangles)
		made := 0
		for _, solid := range artefact.Solids(&artefact.Input{Scene: s}, func(*scene.Node) {}) {
			made += solid.Mesh.Triangles()
		}
		if cost.Triangles < made || cost.Triangles > made+made/100 { // a torus may meet in its middle
			t.Errorf("round %d: %d triangles were counted and %d made", round, cost.Triangles, made)
		}
	}
}

// fileBytes are what a model of its own file takes beside its mesh, and
// meshesOnly the targets that write a mesh for every solid.
const fileBytes = 5000

var meshesOnly = []string{"usd", "usdz", "obj", "stl", "glb", "gltf", "webgpu", "openxr", "android", "android-xr"}

// TestWritersCanBeEnded: an error of Step ends a compile in the middle of writing,
// as it is.
func TestWritersCanBeEnded(t *testing.T) {
	src := Load(nil, "main.holo", []byte(`@for i in 0..300 { object "a" { geometry: "sphere" segments: 16 position: [i, 0, 0] } }`), ast.Holo)
	gone := errors.New("the caller has gone")
	for _, id := range []string{"usdz", "obj", "stl", "glb", "x3d", "godot", "unity", "visionos", "aframe", "r3f", "3dgs", "openxr", "multi-layer"} {
		asked := 0
		if _, err := Compile(src, Request{Target: id, Step: func() error { asked++; return nil }}); err != nil {
			t.Fatal(id, err)
		}
		if asked < 100 {
			t.Errorf("%s asked %d times whether to go on", id, asked)
		}
		left := asked / 2
		_, err := Compile(src, Request{Target: id, Step: func() error {
			if left--; left < 0 {
				return gone
			}
			return nil
		}})
		if !errors.Is(err, gone) {
			t.Errorf("%s was not ended: %v", id, err)
		}
	}
}

// TestRangesEnd: numbers so large that adding 1 leaves them as they are.
func TestRangesEnd(t *testing.T) {
	for _, text := range []string{
		`@for i in 9007199254740992..9007199254740996 { object "a" { } }`, `@for i in 0..1e300 { object "a" { } }`, `@for i in -1e300..0 { object "a" { } }`,
		`@for i in 5..1 { object "a" { } }`, `object "a" { n: 0m..200km }`,
	} {
		src := Load(nil, "main.holo", []byte(text), ast.Holo)
		_, err := Compile(src, onServer("scene-json"))
		if over := strings.Contains(text, "e300") || strings.Contains(text, "km"); over != (err != nil && strings.Contains(err.Error(), string(diag.Code("LIM008")))) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
