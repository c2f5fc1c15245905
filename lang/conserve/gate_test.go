package conserve

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/idiom"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

const lamp = `composition "Room" {
  state { lit: false }
  environment { fog: { color: "#aabbcc", density: 0.02 } }
  object "Lamp" @clickable {
    geometry: sphere
    radius: 0.25
    position: [0, 1.5, -2]
    material: { color: #ffcc88, roughness: 0.35, metallic: 0.5 }
    on_click { state.lit = true
      log "lit" }
  }
  light "Sun" { type: directional  intensity: 1.4  color: "#ffeedd" }
}
`

func resultOf(t *testing.T, r Report, key string) Result {
	t.Helper()
	for _, l := range r.Literals {
		if l.Key == key {
			return l.Result
		}
	}
	t.Fatalf("no literal of %s", key)
	return Silent
}

// TestALossIsSeen takes a value out of the scene, as a builder would that forgets it, and
// the gate says which literal is lost.
func TestALossIsSeen(t *testing.T) {
	t.Parallel()
	whole := Source("lamp.holo", []byte(lamp), Options{})
	if n := whole.Count(Silent); n != 0 {
		t.Fatalf("%d are silent with nothing lost: %v", n, whole.Silent())
	}
	for _, c := range []struct {
		key  string
		drop func(*scene.Scene)
	}{
		{"object.material.roughness", func(s *scene.Scene) {
			for i := range s.Materials {
				s.Materials[i].Roughness = 0
			}
		}},
		{"object.material.color", func(s *scene.Scene) {
			for i := range s.Materials {
				s.Materials[i].BaseColor = ""
			}
		}},
		{"object.position", func(s *scene.Scene) {
			for i := range s.Nodes {
				s.Nodes[i].T = scene.Vec{}
			}
		}},
		{"environment.fog.density", func(s *scene.Scene) { s.Environment.Fog.Density = 0 }},
		{"light.intensity", func(s *scene.Scene) {
			for i := range s.Nodes {
				if l := s.Nodes[i].Light; l != nil {
					l.Intensity = 1
				}
			}
		}},
		{"object.handler.log", func(s *scene.Scene) {
			for i := range s.Behaviour.Owners {
				s.Behaviour.Owners[i].Handlers = nil
			}
		}},
	} {
		r := Source("lamp.holo", []byte(lamp), Options{drop: c.drop})
		if got := resultOf(t, r, c.key); got != Silent {
			t.Errorf("%s is %s when the builder forgets it", c.key, got)
		}
		if got := resultOf(t, r, "object.radius"); got != Changed {
			t.Errorf("without %s the radius is %s", c.key, got)
		}
	}
}

// TestAReaderThatOnlyAsks: a setting that a reader asks for is not reported any more, so
// that a reader which does not act on it makes it silent.
func TestAReaderThatOnlyAsks(t *testing.T) {
	t.Parallel()
	const text = "module M {\n  state { n: 1 }\n  state_machine k {\n    initial: off\n    off {\n      on_go: -> \"on\"\n      after: 4s\n    }\n    on { }\n  }\n  watch state.n (next, was) { log \"changed\" }\n}\n"
	for key, drop := range map[string]func(*scene.Owner){
		"state_machine.off.after": func(o *scene.Owner) { o.Machines = nil },
		"watch.log":               func(o *scene.Owner) { o.Watches = nil },
	} {
		if got := resultOf(t, Source("m.hsplus", []byte(text), Options{}), key); got != Changed {
			t.Errorf("%s is %s", key, got)
		}
		r := Source("m.hsplus", []byte(text), Options{drop: func(s *scene.Scene) {
			for i := range s.Behaviour.Owners {
				drop(&s.Behaviour.Owners[i])
			}
		}})
		if got := resultOf(t, r, key); got != Silent {
			t.Errorf("%s is %s when the reader forgets it", key, got)
		}
	}
}

// TestACommentChangesNothing: what is compared of a source does not follow from its text
// or from places in it, so that a change is a change of meaning.
func TestACommentChangesNothing(t *testing.T) {
	t.Parallel()
	for _, s := range judged(t) {
		g := open(s.path, s.text, Options{Root: s.root})
		if broken(g.first.Found) || g.first.File.IsValueDocument {
			continue
		}
		text := g.first.File.Text()
		at := 0
		if strings.HasPrefix(text, "#!") {
			at = strings.IndexByte(text, '\n') + 1
		}
		edits := []token.Edit{{Start: at, End: at, Text: "// a note\n"}, {Start: len(text), End: len(text), Text: "\n// a note\n"}}
		for i, l := range literals(g.first.File) {
			if n := l.start; l.visual && n > 1 && text[n-1] == ' ' && strings.IndexByte(":[,", text[n-2]) >= 0 && strings.IndexByte("0123456789\"", text[n]) >= 0 && i%40 == 3 {
				edits = append(edits, token.Edit{Start: n, End: n, Text: "  "})
			}
		}
		for _, e := range edits {
			r := g.first.Edit(e)
			for i := range g.base {
				if f := g.text(r, i); f != nil && !g.base[i].equal(g.view(f, g.profile(i))) {
					t.Errorf("%s: %q at %d changes what profile %d sees", s.name, e.Text, e.Start, i)
				}
			}
			src := g.source
			src.Main = r.File
			now := g.write(src, g.outputs)
			for id, was := range g.outputs {
				if now[id] != was {
					t.Errorf("%s: %q at %d changes what %s writes", s.name, e.Text, e.Start, id)
				}
			}
		}
	}
}

// TestDataNeedsAFinding: what is kept as data counts when a finding says so, for the
// block, the trait or the key, and not otherwise.
func TestDataNeedsAFinding(t *testing.T) {
	t.Parallel()
	r := Source("data.holo", []byte(`composition "Yard" {
  flurb "x" {
    depth: 3
  }
  object "Box" {
    @wibble {
      speed: 4
    }
    geometry: box
  }
}
#[note, "for later"]
`), Options{})
	for key, want := range map[string]Result{"flurb.depth": Reported, "object.@wibble.speed": Reported, "object.geometry": Changed, "file.annotation": Clamped} {
		if got := resultOf(t, r, key); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
}

func TestWhatCountsAsMeaning(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, name, text, key string
		want                  Result
	}{
		{"a test's assertion", "a.hsplus", "module M {\n  state { n: 1 }\n}\n@test { name: \"one\", setup: { M.state.n = 7 }, assert: { M.state.n == 7 } }\n", "@test.setup", Changed},
		{"a pipeline", "a.hs", "pipeline \"P\" {\n  source In { type: \"list\" items: [1, 2] }\n  sink Out { type: \"stdout\" }\n}\n", "source.items", Changed},
		{"a type", "a.hsplus", "type Mark = \"x\" | \"o\"\nlet m: Mark = \"x\"\n", "file.type", Changed},
		{"an enum", "a.hsplus", "enum Size { small = 1, large = 2 }\n", "enum.member", Changed},
		{"an exported constant", "a.hsplus", "export const G = 9.81\n", "file.const", Changed},
		{"a template nobody uses", "a.holo", "composition \"C\" {\n  template \"T\" { geometry: sphere radius: 0.3 }\n}\n", "template.radius", Changed},
		{"another platform", "a.holo", "composition \"C\" {\n  #if ios {\n    object \"A\" { radius: 0.3 geometry: sphere }\n  }\n}\n", "object.radius", Changed},
		{"a setting that is read", "a.holo", "composition \"C\" {\n  object \"A\" @clickable { geometry: sphere pull: 4\n    on_click { log this.pull } }\n}\n", "object.pull", Changed},
		{"an endpoint", "a.hs", "endpoint \"list\" { path: \"/items\" method: GET }\n", "endpoint.path", Changed},
		{"a constant by its word", "a.holo", "composition \"C\" {\n  define r = 0.4\n  object \"A\" { geometry: sphere radius: r }\n}\n", "composition.define", Changed},
		{"a constant of what is not acted on", "a.holo", "composition \"C\" {\n  define r = 0.4\n  flurb \"A\" { radius: r }\n}\n", "composition.define", Reported},
		{"a guard behind a transition", "a.hsplus", "module M {\n  state { n: 1 }\n  @state_machine(initial: \"cold\") {\n    cold -> warm : heat [state.n >= 18]\n  }\n}\n", "module.@state_machine", Changed},
		{"the time of a transition", "a.hsplus", "module M {\n  @state_machine(initial: \"cold\") {\n    cold -> warm : after 6s\n  }\n}\n", "module.@state_machine", Changed},
		{"a period of a state", "a.hsplus", "module M {\n  state { n: 0 }\n  state_machine k {\n    initial: on\n    on { tick(2s) { state.n += 1 } }\n  }\n}\n", "state_machine.on.tick.()", Changed},
		{"a duration that is worked out", "a.hsplus", "module M {\n  state { n: 5 }\n  state_machine k {\n    initial: on\n    on { after: state.n * 2 }\n  }\n}\n", "state_machine.on.after", Changed},
		{"a watch with parameters", "a.hsplus", "module M {\n  state { n: 1 }\n  watch state.n (next, was) { log \"changed\" }\n}\n", "watch.log", Changed},
		{"a call of a template", "a.holo", "template \"T\" (r) { geometry: sphere radius: r }\ncomposition \"C\" {\n  for x in [0.3] { T(x) }\n}\n", "composition.for", Changed},
		{"a packed setting", "a.holo", "composition \"C\" {\n  object \"A\" { geometry: \"primitive: sphere; radius: 0.3; wobbles: 4\" }\n}\n", "object.geometry", Reported},
		{"a setting of a module", "a.hsplus", "module M {\n  config { low: 0.5°C }\n  state { n: 1 }\n  action set() { state.n = config.low }\n}\n", "module.config.low", Changed},
		{"what a module is made with", "a.hsplus", "module M with heats(max: 125) {\n  state { n: 1 }\n}\n", "module.().max", Reported},
		{"a condition on a word of nothing", "a.holo", "composition \"C\" {\n  @platform(ios)\n  object \"A\" {\n    geometry: sphere\n    @if wide {\n      radius: 0.3\n    }\n  }\n}\n", "object.@if.radius", Reported},
		{"a template of a module", "a.hsplus", "module M {\n  state { n: 1 }\n  template T(max: number = 9) {\n    object \"A\" { label: max }\n  }\n}\n", "template.params", Reported},
		{"a trait's definition", "a.holo", "trait shiny extends glowing {\n  intensity: number = 1.5\n}\n", "trait.intensity", Changed},
	} {
		r := Source(c.name, []byte(c.text), Options{})
		if r.Unreadable != "" {
			t.Errorf("%s: %s", c.what, r.Unreadable)
			continue
		}
		if got := resultOf(t, r, c.key); got != c.want {
			t.Errorf("%s: %s is %s, want %s", c.what, c.key, got, c.want)
		}
	}
}

// TestOtherValues: the other value is of the same kind.
func TestOtherValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		got  []string
		want string
	}{
		{numbers("1"), "2 0.625"},
		{numbers("0"), "1 0.4 7"},
		{numbers("9.81m/s²"), "9.82m/s² 6.13125m/s²"},
		{numbers("250ms"), "251ms 156.25ms 249ms"},
		{numbers("1e-6"), "2e-6 6.25e-07"},
		{numbers("0x1f"), "0x2f"},
		{numbers("0b101"), "0b100"},
		{colours("#ffcc88"), "#7fcc88"},
		{enumWords("sphere"), "cylinder spherezq"},
		{enumWords("brisk"), "briskzq"},
		{texts(`"#ffcc88"`, "#ffcc88"), `"#7fcc88" "#ffcc88zq"`},
		{texts(`'red'`, "red"), `'navy' 'redzq'`},
		{texts(`"1 2 3"`, "1 2 3"), `"2 2 3" "1 2 3zq"`},
		{texts(`"a/b.glb"`, "a/b.glb"), `"a/bzq.glb" "a/b.glbzq"`},
		{texts(`""`, ""), `"zq"`},
	} {
		if got := strings.Join(c.got, " "); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	f, _ := parse.File("a.holo", []byte("composition \"C\" {\n"+
		"  object \"A\" @glowing(intensity: 2) {\n    material { color: #fff }\n    transform: { position: [1, 2, 3] }\n    castShadow: true\n"+
		"    on_click { animate A.scale to 1.2 over 2s }\n    label: `n ${state.n + 1} x`\n  }\n  rose \"R\" { size: 3 }\n}\n"), ast.Holo)
	var got []string
	for _, l := range literals(f) {
		got = append(got, l.key)
	}
	want := strings.Fields("object.@glowing.intensity object.material.color object.transform.position object.transform.position object.transform.position " +
		"object.cast_shadow object.handler.animate object.handler.animate object.label object.label object.label rose.size")
	if !slices.Equal(got, want) {
		t.Errorf("keys\n%v, want\n%v", got, want)
	}
}

// TestMany: literals beyond a number are counted, not changed.
func TestMany(t *testing.T) {
	t.Parallel()
	text := "composition \"C\" {\n" + strings.Repeat("  object \"A\" { radius: 0.5 geometry: sphere }\n", 5) + "}\n"
	r := Source("a.holo", []byte(text), Options{Same: 2})
	if len(r.Literals) != 4 || r.Skipped != 6 {
		t.Errorf("%d changed and %d skipped, want 4 and 6", len(r.Literals), r.Skipped)
	}
	if r := Source("a.holo", []byte(text), Options{Same: -1}); len(r.Literals) != 10 || r.Skipped != 0 {
		t.Errorf("%d changed and %d skipped, want 10 and 0", len(r.Literals), r.Skipped)
	}
}

// TestActedOn: the viewer reads what counts as read of controls, particles and effects.
func TestActedOn(t *testing.T) {
	t.Parallel()
	all := func(sets ...map[string]bool) []string {
		var out []string
		for _, s := range sets {
			out = append(out, slices.Collect(maps.Keys(s))...)
		}
		return out
	}
	for file, keys := range map[string][]string{
		"ui.ts": all(idiom.Controls), "particles.ts": all(idiom.Emitters), "grades.ts": append(all(slices.Collect(maps.Values(idiom.Effects))...), slices.Collect(maps.Keys(idiom.Effects))...),
	} {
		raw, err := os.ReadFile("../target/html/viewer/src/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			if !strings.Contains(string(raw), "params."+k) && !strings.Contains(string(raw), "given."+k) && !strings.Contains(string(raw), `"`+k+`"`) {
				t.Errorf("%s does not read %q", file, k)
			}
		}
	}
	for _, key := range []string{"area", "wobble"} {
		v := acted(scene.Value{Kind: trait.Map, Fields: []trait.Field{{Key: key}, {Key: "size_start"}}}, idiom.Emitters)
		if len(v.Fields) != 1 || v.Fields[0].Key != "size_start" {
			t.Errorf("with %q: %v", key, v.Fields)
		}
	}
}
