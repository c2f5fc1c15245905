package target

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/estimate"
	"github.com/meshd/meshd/lang/picture"
	"github.com/meshd/meshd/lang/raster"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// TestNothingIsWrittenOfTooMuch: a scene of too many triangles, nodes, texts or traits is
// refused before the writer of any target is asked for anything.
func TestNothingIsWrittenOfTooMuch(t *testing.T) {
	too := []struct{ what, text, code string }{
		{"triangles", `@for i in 0..300 { object "a" { geometry: "torus" segments: 256 radius: i + 2 } }`, "LIM006"},
		{"nodes", `@for i in 0..60000 { object "a" { } }`, "LIM005"},
		{"texts", `@for i in 0..1100 { object "a" { text: "` + strings.Repeat("W", 1000) + `" } }`, "LIM00"}, // of meshes for the letters LIM006
		{"traits", "object \"a\" {\n" + several(trait.MaxUses+1, "@t%d ") + "}", "LIM007"},
		{"traits of a loop", `object "a" { @for i in 0..2000 { @clickable(a: i) } }`, "LIM007"},
	}
	for _, c := range too {
		src := Load(nil, "main.holo", []byte(c.text), ast.Holo)
		for _, of := range All() {
			if c.what == "triangles" && of.meshes.Use == estimate.Never {
				continue // it makes none
			}
			if of.ID == "json-ast" || of.ID == "source" { // the text itself, whatever it would be as a scene
				if _, err := Compile(src, onServer(of.ID)); err != nil {
					t.Errorf("%s to %s: %v", c.what, of.ID, err)
				}
				continue
			}
			if len(src.Found) > 0 && hasErrors(src.Found) || of.ID == layersID {
				if _, err := Compile(src, onServer(of.ID)); err == nil || !strings.Contains(err.Error(), c.code) {
					t.Errorf("%s to %s: %v", c.what, of.ID, err)
				}
				continue
			}
			counted := *of
			counted.emit = func(*artefact.Input) (*artefact.Output, error) {
				t.Errorf("%s to %s: the writer is asked", c.what, of.ID)
				return &artefact.Output{}, nil
			}
			options, err := of.check(nil)
			if err != nil {
				t.Fatal(err)
			}
			w := &compile{source: src, target: &counted, options: options, version: artefact.Version}
			if _, err := w.run(onServer(of.ID)); err == nil || !strings.Contains(err.Error(), c.code) {
				t.Errorf("%s to %s: %v", c.what, of.ID, err)
			}
		}
	}
}

// ofText are the targets whose artefact grows with the source, its pipelines or its agents
// and not with its nodes.
const ofText = " json-ast source pipeline-node pipeline-python kubernetes github-actions a2a-agent-card mcp-config openapi node-service "

// ended runs work with steps that end it at the first, the middle and the last time they
// are asked, and says how often that is when nobody ends it.
func ended(t *testing.T, name string, work func(step func() error) error) (asked int) {
	t.Helper()
	if err := work(func() error { asked++; return nil }); err != nil && !strings.Contains(err.Error(), "TGT004") {
		t.Errorf("%s: %v", name, err)
	}
	gone := errors.New("the caller has gone")
	for _, left := range []int{0, asked / 2, asked - 1} {
		more := 0
		err := work(func() error {
			if left--; left < 0 {
				more++
				return gone
			}
			return nil
		})
		if !errors.Is(err, gone) {
			t.Errorf("%s was not ended: %v", name, err)
		}
		if more > 2 { // building hands its error over by asking once more
			t.Errorf("%s asked %d times more after it was to end", name, more-1)
		}
	}
	return asked
}

// TestEveryTargetCanBeEnded: each compile asks whether to go on at least once for each
// node, and an error of Step, whenever it comes, is what it ends with at once.
func TestEveryTargetCanBeEnded(t *testing.T) {
	const nodes = 300
	src := Load(nil, "main.holo", []byte(`state { n: 0 } @for i in 0..299 { object "a" { @agent geometry: "sphere" segments: 16 position: [i, 0, 0] on_tap { state.n += 1 } } }
agent "Guide" { identity { name: "Guide" } on ask(q) { return q } }
service "S" { endpoint "list" { path: "/items" method: GET } }`), ast.Holo)
	for _, of := range All() {
		asked := ended(t, of.ID, func(step func() error) error {
			_, err := Compile(src, Request{Target: of.ID, Step: step})
			return err
		})
		least := nodes
		if strings.Contains(ofText, " "+of.ID+" ") {
			least = 5
		}
		if asked < least {
			t.Errorf("%s asked %d times whether to go on, at least %d are wanted", of.ID, asked, least)
		}
	}
}

// TestPicturesCanBeEnded: so do the still picture, the turntable and the rasteriser under
// them; and a scene of too many triangles is refused before one is made or asked for.
func TestPicturesCanBeEnded(t *testing.T) {
	build := func(text string) *scene.Scene {
		s, _, err := Scene(Load(nil, "main.holo", []byte(text), ast.Holo), scene.Limits{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := build(`@for i in 0..300 { object "a" { geometry: "sphere" segments: 8 position: [i, 0, 0] } }`)
	dear := build(`@for i in 0..300 { object "a" { geometry: "torus" segments: 256 radius: i + 2 } }`)
	o := picture.Options{Width: 64, Height: 48, Quality: picture.Draft}
	for name, draw := range map[string]func(s *scene.Scene, o picture.Options) error{
		"PNG":       func(s *scene.Scene, o picture.Options) error { _, _, err := picture.PNG(s, o); return err },
		"WebP":      func(s *scene.Scene, o picture.Options) error { _, _, err := picture.WebP(s, o); return err },
		"turntable": func(s *scene.Scene, o picture.Options) error { _, _, err := picture.Turntable(s, o, 200); return err },
		"rasteriser": func(s *scene.Scene, o picture.Options) error {
			drawable, _, err := picture.Of(s, o.From, 1)
			if err == nil {
				_, _, err = raster.Render(drawable, raster.Options{Width: o.Width, Height: o.Height, Step: o.Step})
			}
			return err
		},
	} {
		asked := ended(t, name, func(step func() error) error {
			o := o
			o.Step = step
			return draw(s, o)
		})
		if least := 300; asked < least && name != "rasteriser" || asked < o.Height {
			t.Errorf("%s asked %d times whether to go on", name, asked)
		}
		asked = 0
		o.Step = func() error { asked++; return nil }
		var over *estimate.Excess
		if err := draw(dear, o); !errors.As(err, &over) || over.Code != "LIM006" || asked > 0 {
			t.Errorf("%s of 39 million triangles: %v after %d steps", name, err, asked)
		}
	}
}

// TestEstimateIsWhatIsMade: of any scene the estimate counts as many nodes, traits and
// characters as the document has, and of triangles no fewer than are made and at most
// twice as many: a capsule no higher than wide has a ring less than is counted, a torus may
// meet in its middle.
func TestEstimateIsWhatIsMade(t *testing.T) {
	kinds := []string{"box", "sphere", "cylinder", "cone", "capsule", "torus", "ring", "disc", "plane", "pyramid", "gear", "heart", "crystal", "star"}
	names := []string{"clickable", "grabbable", "glowing", "physics", "collidable", "agent", "nobody_knows_it"}
	rapid.Check(t, func(rt *rapid.T) {
		var b strings.Builder
		var nodes func(depth int)
		nodes = func(depth int) {
			for range rapid.IntRange(1, 6).Draw(rt, "nodes") {
				fmt.Fprintf(&b, "object \"n\" {\n geometry: %q segments: %d radius: %v\n", rapid.SampledFrom(kinds).Draw(rt, "kind"), rapid.IntRange(3, 60).Draw(rt, "segments"), rapid.Float64Range(0.1, 4).Draw(rt, "radius"))
				for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, len(names), rapid.ID).Draw(rt, "traits") {
					fmt.Fprintf(&b, " @%s\n", name)
				}
				if rapid.Bool().Draw(rt, "text") {
					fmt.Fprintf(&b, " text: %q\n", rapid.StringOfN(rapid.SampledFrom([]rune("Ag ü&<.W")), 0, 40, -1).Draw(rt, "letters"))
				}
				if rapid.Bool().Draw(rt, "hidden") {
					b.WriteString(" visible: false\n")
				}
				if depth < 3 && rapid.Bool().Draw(rt, "children") {
					fmt.Fprintf(&b, "@for i in 0..%d {\n", rapid.IntRange(1, 3).Draw(rt, "turns"))
					nodes(depth + 1)
					b.WriteString("}\n")
				}
				b.WriteString("}\n")
			}
		}
		nodes(0)
		src := Load(nil, "main.holo", []byte(b.String()), ast.Holo)
		out, err := Compile(src, Request{Target: "scene-json"})
		if err != nil {
			rt.Fatal(err)
		}
		var doc struct {
			Nodes []struct {
				Traits []struct{} `json:"traits"`
				Text   struct {
					Value string `json:"value"`
				} `json:"text"`
			} `json:"nodes"`
		}
		if err := json.Unmarshal(out.Files[0].Data, &doc); err != nil {
			rt.Fatal(err)
		}
		var made estimate.Cost
		for _, n := range doc.Nodes {
			made.Nodes++
			made.Traits += len(n.Traits)
			made.Texts += utf8.RuneCountInString(n.Text.Value)
		}
		solids := artefact.Solids(&artefact.Input{Scene: out.Scene}, func(*scene.Node) {})
		for _, solid := range solids {
			made.Triangles += solid.Mesh.Triangles()
		}
		most := estimate.Limits{Triangles: 1 << 40, Texts: 1 << 40, Size: 1 << 40}
		cost, over := estimate.Check(out.Scene, estimate.Meshes{}, most)
		if over != nil {
			rt.Fatal(over)
		}
		if cost.Nodes != made.Nodes || cost.Traits != made.Traits || cost.Texts != made.Texts {
			rt.Fatalf("counted %d nodes, %d traits, %d characters, made %d, %d, %d of\n%s", cost.Nodes, cost.Traits, cost.Texts, made.Nodes, made.Traits, made.Texts, b.String())
		}
		drawn, _ := estimate.Drawn(out.Scene, artefact.Hidden(out.Scene), raster.MaxTriangles)
		if drawn.Triangles < made.Triangles || drawn.Triangles > 2*made.Triangles+len(solids) || cost.Triangles < drawn.Triangles {
			rt.Fatalf("counted %d triangles and %d that are seen, made %d of\n%s", cost.Triangles, drawn.Triangles, made.Triangles, b.String())
		}
		if size := len(out.Files[0].Data); size > 3*cost.Data+fileBytes {
			rt.Fatalf("counted %d bytes of data, made %d of\n%s", cost.Data, size, b.String())
		}
	})
}
