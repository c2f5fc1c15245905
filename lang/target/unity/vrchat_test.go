package unity_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/raster/shape"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/unity"
)

func world(t testing.TB, source string) *target.Result {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: "vrchat"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Files {
		if strings.HasSuffix(f.Path, ".cs") && !strings.HasPrefix(f.Path, "Editor/") {
			if faults := unity.UdonFaults(string(f.Data)); len(faults) > 0 {
				t.Errorf("%s: %q", f.Path, faults)
			}
		}
	}
	return r
}

// TestRulesOfUdonSharp: each of its limits is seen, and what it takes is not.
func TestRulesOfUdonSharp(t *testing.T) {
	const head = "[UdonBehaviourSyncMode(BehaviourSyncMode.None)]\npublic class A : UdonSharpBehaviour {\n"
	if f := unity.UdonFaults(head + "int[][] a = new int[2][]; // try\nvoid B() { var c = GetComponent<Light>(); bool d = 1 < 2 && a.Length > 1; string e = \"async\"; Vector3 v = new Vector3(1, 2, 3); }\n}"); len(f) > 0 {
		t.Errorf("%q", f)
	}
	for _, bad := range []string{
		"void B() { try { } finally { } }", "void B() { throw null; }", "async void B() { }", "object B() { yield return null; }", "struct S { }", "enum E { X }",
		"bool B(object o) { return o is string; }", "int B() => 1;", "void B() { goto x; }", "List<int> l;", "T B<T>(T x) { return x; }", "int[,] a;", "static int n;", "static int n = 1;",
		"void B() { object o = new Thing(); }", "[UdonSynced] object o;", "} class C : UdonSharpBehaviour {", "System.Linq.Enumerable e;", "event Foo f;",
	} {
		if f := unity.UdonFaults(head + bad + "\n}"); len(f) == 0 {
			t.Errorf("%s is taken", bad)
		}
	}
	for _, bad := range []string{"public class A : UdonSharpBehaviour { }", "[UdonBehaviourSyncMode(BehaviourSyncMode.None)] public class A : MonoBehaviour { }"} {
		if len(unity.UdonFaults(bad)) == 0 {
			t.Errorf("%s is taken", bad)
		}
	}
}

const playground = `composition "Playground" {
  state { total: 0 names: "" seen: [] open: "" }
  template "Button" { geometry: "box" @clickable state { hits: 0 }
    on "click" (e) { state.hits += 1; emit("pressed", { by: this.name, n: state.hits }) } }
  group "Row" { position: [0, 0, 2]
    object "a" using "Button" { position: [1, 2, 3] }
    object "b" using "Button" { position: [2, 0, 0] on "press" { this.position = [2, state.hits, 0.5]; this.position.x = 7 } }
  }
  object "door" { geometry: "box" @state_machine { initial: "closed" states: { closed: { on_knock: -> "open" } open: { after: 0.1s on_timeout: -> "closed" on_entry: { emit("opened") } } } }
    on "opened" { total += 100 } }
  computed { double: total * 2 }
  on Row.a.pressed -> (e) { total += e.n; names = names + e.by + double; seen.push(total); if (total > 2 && !(total == 4)) { open = "more ${total}" } }
  on Row.b.pressed -> (e) { for (x in [1, 2, 3]) { total += x % 2 }; total = Math.max(total, 3); open = seen.includes(1) ? "yes" : "no" }
}`

// TestUdonCountsAsTheRunner runs a world's program without the platform: the state
// that comes of it is that of the runner.
func TestUdonCountsAsTheRunner(t *testing.T) {
	r := world(t, playground)
	for _, l := range r.Losses {
		if l.Code == "TGT002" && (l.Feature == "behaviour" || l.Feature == "machines") {
			t.Errorf("lost: %+v", l)
		}
	}
	source := target.Load(nil, "main.holo", []byte(playground), ast.Holo)
	c, err := run.Compile(r.Scene, []*ast.File{source.Main}, false)
	if err != nil {
		t.Fatal(err)
	}
	id := func(name string) string {
		i := slices.IndexFunc(r.Scene.Nodes, func(n scene.Node) bool { return n.Name == name })
		return r.Scene.Nodes[i].ID
	}
	m, err := run.New(c.Program, run.Options{Nodes: c.Nodes})
	if err != nil {
		t.Fatal(err)
	}
	events := [][3]string{{"1", id("a"), "click"}, {"2", id("a"), "click"}, {"3", id("b"), "click"}, {"3", id("b"), "press"}, {"4", id("a"), "click"}, {"5", id("door"), "knock"}}
	m.Start()
	args := []string{"30"}
	for i := range 30 {
		for _, e := range events {
			if e[0] == strconv.Itoa(i) {
				m.Inject(run.Event{Node: e[1], Name: e[2], Payload: "x"})
			}
		}
		m.Step()
	}
	for _, e := range events {
		args = append(args, e[:]...)
	}
	want := map[string]string{}
	trace, _ := m.Trace()
	for _, e := range trace {
		switch e.Kind {
		case "set", "property":
			raw, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			var reported struct{ Value json.RawMessage }
			if err := json.Unmarshal(raw, &reported); err != nil {
				t.Fatal(err)
			}
			want[e.Node+" "+e.Name] = string(reported.Value)
		case "fault":
			t.Fatalf("%+v", e)
		}
	}
	if len(want) < 6 {
		t.Fatalf("the runner did little: %v", want)
	}
	got := played(t, r, args...)
	for key, v := range want {
		if got[key] != v {
			t.Errorf("%s is %s, not %s", key, got[key], v)
		}
	}
}

// played compiles a world and runs it without the platform: args are steps, then
// events as step, node and name. It gives what testdata/world.cs prints.
func played(t testing.TB, r *target.Result, args ...string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "world.exe")
	compiler := []string{"-langversion:6", "-nowarn:649", "-warnaserror", "-out:" + program, "../../../scripts/validators/unity.cs", "../../../scripts/validators/unity_objects.cs", "../../../scripts/validators/vrchat.cs", "testdata/world.cs"}
	for _, f := range r.Files {
		if strings.HasSuffix(f.Path, ".cs") {
			path := filepath.Join(dir, filepath.Base(f.Path))
			if err := os.WriteFile(path, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
			compiler = append(compiler, path)
		}
	}
	if said, err := exec.CommandContext(t.Context(), "mcs", compiler...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %.1500s", err, said)
	}
	cmd := exec.CommandContext(t.Context(), "mono", append([]string{program}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %.1500s", err, out)
	}
	got := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " = "); ok {
			got[key] = value
		}
	}
	return got
}

// TestUdonLosesNothingInSilence: what Udon cannot run is reported with its object.
func TestUdonLosesNothingInSilence(t *testing.T) {
	r := world(t, `composition "Losses" {
  object "list" { geometry: "box" state { n: 0 } on "click" { state.n = [3, 1].map((x) => x + 1).length } }
  object "wait" { geometry: "box" on "click" { await wait(1); log("late") } }
  object "fine" { geometry: "box" state { n: 0 } on "click" { state.n += 1 } }
  object "hung" { geometry: "box" joint: { type: "revolute" axis: [0, 1, 0] } }
  object "rest" { geometry: "box" state { n: 0 } function count(...all) { return all.length } on "click" { state.n = count(1, 2) } }
  template "Seed" { geometry: "sphere" on "click" { log("seed") } }
  object "sower" { geometry: "box" on "click" { spawn Seed at [0, 1, 0] { } } }
}`)
	for _, f := range r.Files {
		if strings.Contains(string(f.Data), "Seed") && f.Path != "Scene.cs" {
			t.Errorf("%s has what is never made", f.Path)
		}
	}
	reported := map[string]bool{}
	for _, l := range r.Losses {
		for _, n := range l.Nodes {
			reported[l.Code+" "+l.Feature+" "+n.Path] = true
		}
	}
	for _, want := range []string{"TGT002 behaviour list", "TGT002 behaviour wait", "TGT002 joints hung", "TGT002 behaviour rest", "TGT002 behaviour sower"} {
		if !reported[want] {
			t.Errorf("no loss %q in %v", want, reported)
		}
	}
	if reported["TGT002 behaviour fine"] {
		t.Error("what runs is reported as lost")
	}
}

// TestHandsAndPlayers: what hands take is a pickup, what is networked is shared.
func TestHandsAndPlayers(t *testing.T) {
	r := world(t, `composition "Shared" { object "ball" @grabbable @networked { geometry: "sphere" state { hits: 0 } on "grab" { state.hits += 1 } } object "wall" { geometry: "box" state { n: 1 } } }`)
	editor := file(t, r, "Editor/SceneBuilder.cs")
	for _, want := range []string{"Grab(at[0]);", "Share(at[0]);", "AddComponent<VRCPickup>()", "AddComponent<VRCObjectSync>()", "Listen(at[0]);"} {
		if !strings.Contains(editor, want) {
			t.Errorf("no %s", want)
		}
	}
	s := file(t, r, "Scene.cs")
	if !strings.Contains(s, "bool[] slotShared = new bool[] { true, false };") || !strings.Contains(s, "[UdonSynced] public string shared") {
		t.Error("the state of the ball is not shared, or that of the wall is")
	}
}

// TestWorldsTakeAnything: hostile texts, nothing at all, and depth.
func TestWorldsTakeAnything(t *testing.T) {
	var b strings.Builder
	for i, name := range []string{`\"; } } //`, `\\`, "*/ #endif", "\u202etxt\u2028", `😀\u0000`, `line\nfeed`, `class A : B`} {
		x := strconv.Itoa(i)
		b.WriteString(strings.NewReplacer("NAME", name, "AT", x).Replace(`template "NAME" { geometry: "sphere" state { "NAME": "NAME" } on "NAME" { log("NAME") } } object "NAME" using "NAME" @clickable { position: [AT, 0, 0] text: "NAME" } ui "uAT" { button "NAME" { } }
`))
	}
	const deep = 60
	r := world(t, `composition "\"; } //" { `+b.String()+strings.Repeat(`group "g" { position: [0, 1, 0] `, deep)+strings.Repeat("}", deep)+"}")
	accepted(t, r, "../../../scripts/validators/vrchat.cs")
	for _, f := range r.Files {
		if i := strings.IndexFunc(string(f.Data), func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c == 0x202e || c == 0x2028 }); i >= 0 && strings.HasSuffix(f.Path, ".cs") {
			t.Errorf("%s has %q", f.Path, f.Data[i])
		}
	}
	accepted(t, world(t, `composition "Nothing" { }`), "../../../scripts/validators/vrchat.cs")
}

// TestListsReachOtherPlayers: state of networked nodes arrives at a second copy of
// the world, lists and objects too, also what a local name of a list changed.
func TestListsReachOtherPlayers(t *testing.T) {
	r := world(t, `composition "Shared" {
  object "board" @networked { geometry: "box" state { rows: [] best: { name: "", marks: [] } note: "" odd: null own: null deep: [] fine: 0 }
    on "click" {
      state.rows.push([1.5, "a;b:c\nd\"", true, null, { x: -1, "a key": [] }])
      state.best.name = "Ünä 😀"
      state.best.marks.push(7)
      state.note = "line\nfeed"
      state.odd = 1 / 0
      state.own = this
      state.fine = 0.1 + 0.2
    }
    on "alias" { let rows = state.rows; rows.push("by a local name") }
    on "nest" { let l = []; for (i in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]) { l = [l] }; state.deep = l; state.fine = 5 } }
  object "wall" { geometry: "box" state { mine: [] } on "click" { state.mine.push(1) } }
}`)
	board, wall := r.Scene.Nodes[0].ID, r.Scene.Nodes[1].ID
	got := played(t, r, "6", "1", board, "click", "1", wall, "click", "3", board, "nest", "4", board, "alias")
	for _, key := range []string{"rows", "best", "note", "odd", "own", "fine"} {
		if here, there := got[board+" "+key], got["second "+board+" "+key]; here != there || here == "" || here == "null" {
			t.Errorf("%s is %s, and %s at the second player's", key, here, there)
		}
	}
	if v := got["second "+board+" rows"]; !strings.Contains(v, "by a local name") || !strings.Contains(v, `"a key":[]`) {
		t.Errorf("rows are %s", v)
	}
	if v := got["second "+board+" deep"]; v != "[]" {
		t.Errorf("what is too deep to send arrives as %s", v)
	}
	if v := got["second "+wall+" mine"]; v != "[]" {
		t.Errorf("what is not networked arrives as %s", v)
	}
	if got["hostile"] != "taken" {
		t.Errorf("what no player sends: %s", got["hostile"])
	}
}

// TestWhoComesLaterSendsNoBeginning: what every copy does when it begins stays with
// it, so that a player who comes later takes nothing back.
func TestWhoComesLaterSendsNoBeginning(t *testing.T) {
	r := world(t, `composition "Late" { object "a" @networked { geometry: "box" state { n: 0 seen: [] } on "start" { state.n = 1; state.seen.push(1) } on "click" { state.n += 1 } } }`)
	id := r.Scene.Nodes[0].ID
	if got := played(t, r, "3"); got["sent"] != "0" || got[id+" n"] != "1" {
		t.Errorf("%s characters sent, n is %s", got["sent"], got[id+" n"])
	}
	if got := played(t, r, "3", "1", id, "click"); got["second "+id+" n"] != "2" || got["second "+id+" seen"] != "[1]" {
		t.Errorf("n arrives as %s, seen as %s", got["second "+id+" n"], got["second "+id+" seen"])
	}
}

// TestPropertiesThatAreNotShownAreReported: what a program writes is shown, or reported with
// its object.
func TestPropertiesThatAreNotShownAreReported(t *testing.T) {
	r := world(t, `composition "Changes" {
  template "Sign" { geometry: "box" on "click" { this.text = "hit"; this.wireframe = true } }
  object "left" using "Sign" { }
  object "right" using "Sign" { state { label: 0 } on "press" { state.label = 1; this.label = 2; this.color = "#ff0000" } }
  object "far" { geometry: "box" on "click" { right.castShadow = false; left.text = "from afar" } }
  object "score" { state { n: 0 } text: "n " + state.n on "click" { state.n += 1 } }
}`)
	got := map[string][]string{}
	for _, l := range r.Losses {
		for _, n := range l.Nodes {
			if strings.Contains(l.Reason, "is kept and not shown") || strings.Contains(l.Reason, "'text'") {
				got[l.Code+" "+l.Feature+" "+l.Reason] = append(got[l.Code+" "+l.Feature+" "+l.Reason], n.Path)
			}
		}
	}
	want := map[string][]string{
		"TGT003 behaviour a change of the property 'wireframe' is kept and not shown":  {"left", "right"},
		"TGT003 behaviour a change of the property 'castShadow' is kept and not shown": {"right"},
	}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("reported: %v", got)
	}
	editor := file(t, r, "Editor/SceneBuilder.cs")
	for _, line := range []string{"Lettered(at[0]);", "Lettered(at[1]);", "Lettered(at[3]);", `{ "h", new float[]`} {
		if !strings.Contains(editor, line) {
			t.Errorf("no %s", line)
		}
	}
	if strings.Contains(editor, "Lettered(at[2]);") {
		t.Error("what has no text is prepared for one")
	}
	plain := file(t, world(t, `composition "Plain" { object "a" { geometry: "box" on "click" { this.color = "#00ff00" } } }`), "Editor/SceneBuilder.cs")
	if strings.Contains(plain, "Lettered(at[") || strings.Contains(plain, `{ "h", new float[]`) {
		t.Error("a world that writes no text brings letters")
	}
}

// TestWrittenTextsAreLetters: the triangles of a text that a program writes are those
// of the model's letters, seen from both sides.
func TestWrittenTextsAreLetters(t *testing.T) {
	const source = `composition "Signs" { object "sign" { text: "was" on "click" { set_text(this, "Hi ?\nA") } on "press" { this.set_text("b") } } }`
	r := world(t, source)
	got := played(t, r, "4", "1", r.Scene.Nodes[0].ID, "click")
	if v := got[r.Scene.Nodes[0].ID+" text"]; v != `"Hi ?\nA"` {
		t.Errorf("the text is %s", v)
	}
	glyphs := artefact.Glyphs(r.Scene, []byte(`{"consts":["text"]}`))
	n, lo, hi := 0, [2]float64{9, 9}, [2]float64{-9, -9}
	for row, line := range []string{"Hi ?", "A"} {
		wide, _ := shape.Extent(line, 0.6)
		x, y := -wide/2, 0.5-float64(row) // a line is ten sixths of a capital below the one before
		for _, c := range line {
			if c == ' ' {
				x += 0.3
				continue
			}
			g := glyphs[string(c)]
			n += len(g.Corners) / 2
			for k := 0; k+1 < len(g.Corners); k += 2 {
				lo = [2]float64{min(lo[0], x+g.Corners[k]/10), min(lo[1], y+g.Corners[k+1]/10)}
				hi = [2]float64{max(hi[0], x+g.Corners[k]/10), max(hi[1], y+g.Corners[k+1]/10)}
			}
			x += (g.Width + 2) / 10
		}
	}
	want := fmt.Sprintf("%d corners, %d in triangles, %.3f wide, at %.3f, %.3f tall", 2*n, 2*n, hi[0]-lo[0], -0.25, hi[1]-lo[1])
	if got["away"] != "0" {
		t.Errorf("%s triangles show their backs", got["away"])
	}
	if got["letters"] != want {
		t.Errorf("%s, not %s", got["letters"], want)
	}
}

// TestComputedValues: as a member of its node a computed value is worked out, and one
// that Udon cannot follow is named, with what needs it.
func TestComputedValues(t *testing.T) {
	r := world(t, `composition "Sums" {
  object "a" { geometry: "box" state { n: 2 found: 0 } computed { twice: state.n * 2 four: this.twice * 2 best: [1, 2].map((x) => x * 2).length }
    on "click" { state.found = get_node("a").four + 1 }
    on "press" { state.n = this.best } }
  object "b" { geometry: "box" state { n: 7 found: 7 } on "click" { state.n = 8; state.found = get_node("a").best } on "press" { state.found = a.best } }
}`)
	a, b := r.Scene.Nodes[0].ID, r.Scene.Nodes[1].ID
	got := played(t, r, "4", "1", a, "click", "2", b, "click")
	if got[a+" found"] != "9" || got[b+" n"] != "8" || got[b+" found"] != "7" {
		t.Errorf("found %s, %s and %s", got[a+" found"], got[b+" n"], got[b+" found"])
	}
	reported := map[string]bool{}
	for _, l := range r.Losses {
		for _, n := range l.Nodes {
			reported[l.Code+" "+n.Path+" "+l.Reason] = true
		}
	}
	for _, want := range []string{
		"TGT002 a the computed value 'best' is not worked out: Udon does not run what needs the method 'map'",
		"TGT002 a Udon does not run what needs the computed value 'best'",
		"TGT002 b Udon does not run what needs the computed value 'best'",
	} {
		if !reported[want] {
			t.Errorf("no loss %q in %v", want, reported)
		}
	}
}

// TestMaterialsKeepWhatTheyAreMadeFor: a build brings a shader for what materials have
// at the start; glow and opacity that come later are reported.
func TestMaterialsKeepWhatTheyAreMadeFor(t *testing.T) {
	r := world(t, `composition "Lamps" {
  object "dull" { geometry: "box" on "click" { this.opacity = 0.5; this.emissive = "#ff0000" } }
  object "bound" { geometry: "box" state { on: true } opacity: state.on ? 1 : 0.2 }
  object "glass" { geometry: "box" material: { opacity: 0.4 emissive: "#00ff00" } on "click" { this.opacity = 0.9; this.emissive_intensity = 2 } }
}`)
	got := map[string][]string{}
	for _, l := range r.Losses {
		for _, n := range l.Nodes {
			if what, ok := strings.CutSuffix(l.Reason, " that comes to a material without it needs the shader's form for it, which a build leaves out where no material has it"); ok {
				got[l.Code+" "+what] = append(got[l.Code+" "+what], n.Path)
			}
		}
	}
	want := map[string][]string{"TGT003 opacity": {"bound", "dull"}, "TGT003 glow": {"dull"}}
	for _, paths := range got {
		slices.Sort(paths)
	}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("reported: %v, of %v", got, r.Losses)
	}
}
