package staging_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/picture/label"
	"github.com/meshd/meshd/lang/picture/staging"
	"github.com/meshd/meshd/lang/picture/standin"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

func read(t *testing.T, name, text string) *scene.Scene {
	t.Helper()
	r, err := target.Compile(target.Load(os.DirFS("../../../examples"), name, []byte(text), ast.Holo), target.Request{Target: "scene-json"})
	if err != nil {
		t.Fatal(err)
	}
	return artefact.Standing(r.Scene)
}

// roles are the names of the nodes that have a role.
func roles(s *scene.Scene, g *staging.Staging, role staging.Role) []string {
	var out []string
	for i := range g.Solids {
		if g.Solids[i].Role == role {
			out = append(out, s.Nodes[g.Solids[i].Node].Name)
		}
	}
	return out
}

func TestSurroundingsDoNotCount(t *testing.T) {
	t.Parallel()
	s := read(t, "a.holo", `composition "A" {
  object "Sky" { geometry: "sphere" size: 400 }
  object "Ground" { geometry: "plane" size: [300, 1, 300] }
  object "Hill" { geometry: "box" position: [0, -2, 0] size: [20, 4, 20] }
  object "Screen" { geometry: "box" position: [0, 3, -8] size: [12, 6, 0.1] }
  object "Cup" { geometry: "cylinder" position: [0, 0.1, 0] size: [0.2, 0.2, 0.2] }
  object "Pot" { geometry: "sphere" position: [0.4, 0.15, 0] size: 0.3 }
}`)
	g := staging.Of(s)
	for role, want := range map[staging.Role]string{staging.Shell: "Sky", staging.Ground: "Ground Hill", staging.Backdrop: "Screen", staging.Thing: "Cup Pot"} {
		if got := strings.Join(roles(s, g, role), " "); got != want {
			t.Errorf("role %d: %q, want %q", role, got, want)
		}
	}
	if size := g.Hi.Sub(g.Lo).Len(); size > 1 {
		t.Errorf("the frame is %.1f m", size)
	}
}

// Whatever stands where, all of it is in the picture, and no larger than needed.
func TestTheFrameShowsEverything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &scene.Scene{Geometries: []scene.Geometry{{Kind: "box", Size: &scene.Vec{1, 1, 1}, Stretch: scene.UnitVec{1, 1, 1}}}, Materials: []scene.Material{{BaseColor: scene.White}}}
		at, none := rapid.Float64Range(-3, 3), 0
		for range rapid.IntRange(1, 6).Draw(t, "n") {
			s.Nodes = append(s.Nodes, scene.Node{Parent: -1, T: scene.Vec{at.Draw(t, "x"), at.Draw(t, "y"), at.Draw(t, "z")}, R: scene.Identity, S: scene.UnitVec{1, 1, 1}, Visible: true, Geometry: &none, Material: &none})
		}
		g := staging.Of(s)
		aspect := rapid.Float64Range(0.3, 3).Draw(t, "aspect")
		v := g.View(aspect, staging.FOV)
		right, up, back := vec.Basis(v.Target.Sub(v.Eye), vec.At(0, 1, 0))
		half := vec.Tan(staging.FOV / 2)
		most := 0.0
		for _, o := range g.Solids {
			for k := range 8 {
				p := vec.At([2]float64{o.Lo.X, o.Hi.X}[k&1], [2]float64{o.Lo.Y, o.Hi.Y}[k>>1&1], [2]float64{o.Lo.Z, o.Hi.Z}[k>>2])
				l, ok := label.Seen(p, v.Eye, right, up, back, half, aspect, false, 0, 0)
				if !ok || math.Abs(l.X) > 1 || math.Abs(l.Y) > 1 {
					t.Fatalf("%v is at %v %v of the picture", p, l.X, l.Y)
				}
				most = max(most, math.Abs(l.X), math.Abs(l.Y))
			}
		}
		filled := 0.0 // by the box around all, which the camera goes back for
		for k := range 8 {
			p := vec.At([2]float64{g.Lo.X, g.Hi.X}[k&1], [2]float64{g.Lo.Y, g.Hi.Y}[k>>1&1], [2]float64{g.Lo.Z, g.Hi.Z}[k>>2])
			if l, ok := label.Seen(p, v.Eye, right, up, back, half, aspect, false, 0, 0); ok {
				filled = max(filled, math.Abs(l.X), math.Abs(l.Y))
			}
		}
		if filled < 0.85 || most < 0.2 {
			t.Fatalf("all is within %.2f of the picture, its box within %.2f", most, filled)
		}
	})
}

func TestStarsDoNotCount(t *testing.T) {
	t.Parallel()
	s := read(t, "a.holo", `composition "A" {
  @for i in 0..5 { object "Planet ${i}" { geometry: "sphere" position: [i * 2 - 4, 0, 0] size: 1 } }
  @for i in 0..9 { object "Star ${i}" { geometry: "sphere" position: [i * 90 - 400, 100, -700] size: 2 } }
}`)
	if got := roles(s, staging.Of(s), staging.Thing); len(got) != 5 {
		t.Errorf("counted are %q", got)
	}
}

const room = `composition "A" {
  object "Floor" { geometry: "box" position: [0, -0.05, 0] size: [6, 0.1, 5] }
  object "Ceiling" { geometry: "box" position: [0, 2.65, 0] size: [6, 0.1, 5] }
  object "North" { geometry: "box" position: [0, 1.3, -2.5] size: [6, 2.6, 0.1] }
  object "South" { geometry: "box" position: [0, 1.3, 2.5] size: [6, 2.6, 0.1] }
  object "West" { geometry: "box" position: [-3, 1.3, 0] size: [0.1, 2.6, 5] }
  object "East" { geometry: "box" position: [3, 1.3, 0] size: [0.1, 2.6, 5] }
  object "Door" { geometry: "box" position: [1, 1, 2.44] size: [0.9, 2, 0.06] }
  object "Chest" { geometry: "box" position: [0, 0.4, 0] size: [1, 0.8, 0.8] }
  object "Table" { geometry: "box" position: [1.5, 0.4, -1] size: [1, 0.8, 0.8] }
}`

func TestRoomsOpenTowardsTheEye(t *testing.T) {
	t.Parallel()
	s := read(t, "a.holo", room)
	g := staging.Of(s)
	var away []string
	for i, c := range g.Cuts(g.View(16.0/9, staging.FOV).Eye) {
		if c != staging.Away {
			t.Errorf("%s is %d", s.Nodes[i].Name, c)
		}
		away = append(away, s.Nodes[i].Name)
	}
	slices.Sort(away)
	if got := strings.Join(away, " "); got != "Ceiling Door East South" {
		t.Errorf("away are %q", got)
	}
	var behind []string
	for i := range g.Cuts(vec.At(-9, 1, -9)) {
		behind = append(behind, s.Nodes[i].Name)
	}
	slices.Sort(behind)
	if got := strings.Join(behind, " "); got != "North West" {
		t.Errorf("from behind, away are %q", got)
	}
	// A table is no room: nobody looks through its top.
	table := staging.Of(read(t, "a.holo", `composition "A" {
  object "Top" { geometry: "box" position: [0, 0.7, 0] size: [1.6, 0.06, 0.8] }
  object "Leg" { geometry: "box" position: [-0.7, 0.35, 0] size: [0.08, 0.7, 0.7] }
  object "Leg 2" { geometry: "box" position: [0.7, 0.35, 0] size: [0.08, 0.7, 0.7] }
}`))
	if cuts := table.Cuts(table.View(1, staging.FOV).Eye); len(cuts) > 0 {
		t.Errorf("of a table is cut %v", cuts)
	}
}

func TestTheEyeIsNeverInside(t *testing.T) {
	t.Parallel()
	s := read(t, "a.holo", `composition "A" {
  object "Cup" { geometry: "cylinder" size: [0.2, 0.2, 0.2] }
  object "Pot" { geometry: "cylinder" position: [0.4, 0, 0] size: [0.2, 0.2, 0.2] }
  object "Pan" { geometry: "cylinder" position: [0.8, 0, 0] size: [0.2, 0.2, 0.2] }
  object "Tower" { geometry: "box" position: [1, 0.5, 1] size: [1.2, 1.2, 1.2] }
}`)
	g := staging.Of(s)
	eye := g.View(1, staging.FOV).Eye
	for i := range g.Solids {
		o := &g.Solids[i]
		if eye.Max(o.Lo) == eye && eye.Min(o.Hi) == eye {
			t.Errorf("the eye %v is in %s", eye, s.Nodes[o.Node].Name)
		}
	}
}

func TestLightComesToWhatCanBeSeen(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]func(*staging.Staging) bool{
		`object "A" { geometry: "box" }`:                                        func(g *staging.Staging) bool { return g.Sun && g.Gain == 1 && g.Shadow < 0 },
		`directional_light "L" { intensity: 1 } object "A" { geometry: "box" }`: func(g *staging.Staging) bool { return !g.Sun && g.Shadow == 0 && g.Gain == 1 },
		`environment { ambient_light: 0.02 } point_light "L" { intensity: 0.1 position: [0, 5, 0] } object "A" { geometry: "box" }`: func(g *staging.Staging) bool { return g.Gain == 3 },
		`point_light "L" { intensity: 90 position: [0, 2, 0] } object "A" { geometry: "box" }`:                                      func(g *staging.Staging) bool { return g.Gain < 0.3 },
		`environment { exposure: 2 } point_light "L" { intensity: 90 position: [0, 2, 0] } object "A" { geometry: "box" }`:          func(g *staging.Staging) bool { return g.Gain == 1 },
	} {
		if g := staging.Of(read(t, "a.holo", `composition "A" { `+text+` }`)); !want(g) {
			t.Errorf("%s: sun %v, shadow %d, gain %v", text, g.Sun, g.Shadow, g.Gain)
		}
	}
}

func TestStandInsFollowNames(t *testing.T) {
	t.Parallel()
	s := read(t, "a.holo", `composition "A" {
  object "OldOak" { model: "m/x.glb" } object "Thing" { model: "m/fire_trucks2.glb" } object "Scarf" { model: "m/x.glb" }
}`)
	for i, want := range []string{"tree", "car", ""} {
		if got := standin.Of(s, &s.Nodes[i]); got.Words != "" && !strings.HasPrefix(got.Words, want) || want == "" && got.Words != "" || want != "" && got.Words == "" {
			t.Errorf("%s is a %q", s.Nodes[i].Name, got.Words)
		}
	}
}

func TestLabelsDoNotOverlap(t *testing.T) {
	t.Parallel()
	shown := label.Shown([]label.Label{
		{Key: 0, Width: 1, Height: 0.2, Depth: 5}, {Key: 1, X: 0.1, Width: 1, Height: 0.2, Depth: 3}, {Key: 2, Y: 0.5, Width: 1, Height: 0.2, Depth: 9},
		{Key: 3, Y: 0.5, Width: 1, Height: 0.2, Depth: 12, First: true},
	})
	if len(shown) != 2 || !shown[1] || !shown[3] {
		t.Errorf("shown are %v", shown)
	}
}

// The viewer stages every example as this package does: the frame, the places of
// cameras, what is looked through, which texts float, all the light.
func TestTheViewerStagesAlike(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is not there: scripts/need lang")
	}
	var files []string
	for _, pattern := range []string{"*.holo", "gallery/*.holo"} {
		found, err := filepath.Glob(filepath.Join("../../../examples", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	type staged struct {
		Lo, Hi, Eye, Tall, Above, Below [3]float64
		Room, Sun                       bool
		Gain                            float64
		Shadow                          int
		Floating                        []int
		Roles                           []string
		Cuts                            map[int]string
	}
	at := func(v vec.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }
	var input bytes.Buffer
	var names []string
	var want []staged
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		r, err := target.Compile(target.Load(os.DirFS(filepath.Dir(f)), filepath.Base(f), raw, ast.Holo), target.Request{Target: "scene-json"})
		if err != nil {
			continue // an example of another format, or one that is refused
		}
		doc, err := r.Scene.Encode()
		if err != nil {
			t.Fatal(err)
		}
		input.Write(bytes.ReplaceAll(doc, []byte("\n"), nil))
		input.WriteByte('\n')
		s := artefact.Standing(r.Scene)
		g := staging.Of(s)
		eye := g.View(1.6, staging.FOV).Eye
		w := staged{
			Lo: at(g.Lo), Hi: at(g.Hi), Eye: at(eye), Tall: at(g.View(0.5, staging.FOV).Eye), Above: at(g.Ambient.Above), Below: at(g.Ambient.Below),
			Room: g.Room, Sun: g.Sun, Gain: g.Gain, Shadow: g.Shadow, Floating: []int{}, Roles: []string{}, Cuts: map[int]string{},
		}
		for i := range s.Nodes {
			if g.Floating[i] {
				w.Floating = append(w.Floating, i)
			}
		}
		for i := range g.Solids {
			w.Roles = append(w.Roles, []string{"thing", "ground", "shell", "backdrop", "astray"}[g.Solids[i].Role])
		}
		for i, c := range g.Cuts(eye) {
			w.Cuts[i] = []string{"", "open", "away"}[c]
		}
		names, want = append(names, filepath.Base(f)), append(want, w)
	}
	if len(want) < 30 {
		t.Fatalf("%d examples", len(want))
	}
	c := exec.CommandContext(t.Context(), node, "testdata/staged.mjs")
	c.Stdin = &input
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(lines) != len(want) {
		t.Fatalf("%d answers for %d scenes", len(lines), len(want))
	}
	for i, line := range lines {
		var got staged
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatal(err)
		}
		w := want[i]
		near := true
		for _, p := range [][2][3]float64{{got.Lo, w.Lo}, {got.Hi, w.Hi}, {got.Eye, w.Eye}, {got.Tall, w.Tall}, {got.Above, w.Above}, {got.Below, w.Below}} {
			for k := range 3 {
				near = near && math.Abs(p[0][k]-p[1][k]) <= 1e-5*max(1, math.Abs(p[1][k]))
			}
		}
		got.Lo, got.Hi, got.Eye, got.Tall, got.Above, got.Below = w.Lo, w.Hi, w.Eye, w.Tall, w.Above, w.Below
		if math.Abs(got.Gain-w.Gain) <= 0.001 {
			got.Gain = w.Gain
		}
		a, b := encoded(t, got), encoded(t, w)
		if !near || a != b {
			t.Errorf("%s: the viewer has\n%s\nwant\n%s\n%s", names[i], a, b, line)
		}
	}
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// What nothing is under falls on a floor that is not seen: at the top of a ground
// without a body, or at the lowest point of the bodies. Who has a ground gets none.
func TestNothingFallsOutOfThePicture(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is not there: scripts/need lang")
	}
	const ball = `object "Ball" { geometry: "sphere" position: [0, 3, 0] size: 1 @physics(mass: 1) @collidable }`
	cases := []struct {
		text  string
		floor bool
		low   float64
	}{
		{ball, true, 0},
		{ball + ` object "Lawn" { geometry: "plane" position: [0, -2, 0] size: [30, 1, 30] }`, true, -1.6},
		{ball + ` object "Stone" @static { geometry: "box" position: [0, -4, 0] size: [9, 1, 9] @collidable }`, false, -3.1},
		{ball + ` environment { gravity: 0 }`, false, 0},
	}
	var input bytes.Buffer
	for _, c := range cases {
		s := read(t, "a.holo", `composition "A" { `+c.text+` }`)
		if falls := staging.Falls(s) >= 0; falls != c.floor {
			t.Errorf("%s: falls %v", c.text, falls)
		}
		doc, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		input.Write(bytes.ReplaceAll(doc, []byte("\n"), nil))
		input.WriteByte('\n')
	}
	c := exec.CommandContext(t.Context(), node, "testdata/fall.mjs")
	c.Stdin = &input
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(lines) != len(cases) {
		t.Fatalf("%d answers", len(lines))
	}
	for i, line := range lines {
		var got struct {
			Floor bool
			Low   float64
		}
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatal(err)
		}
		if got.Floor != cases[i].floor || got.Low < cases[i].low {
			t.Errorf("%s: floor %v, low %.2f", cases[i].text, got.Floor, got.Low)
		}
	}
}
