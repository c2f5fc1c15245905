package scene_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
)

func one(t *testing.T, source, path string) (*scene.Scene, *scene.Node) {
	t.Helper()
	s, found := build(t, source)
	for _, d := range found {
		if d.Severity == diag.Error {
			t.Fatal(d)
		}
	}
	i := slices.IndexFunc(s.Nodes, func(n scene.Node) bool { return n.Path == path })
	if i < 0 {
		t.Fatalf("no node %s in %+v", path, s.Nodes)
	}
	return s, &s.Nodes[i]
}

func TestUnitsAreNormalised(t *testing.T) {
	s, n := one(t, `object "a" { geometry: "box" size: [30cm, 2, 1ft] position: [250mm, 1m, -0] rotation: [90deg, 0, 0] mass: 500g physics: true
		camera "c" { fov: 90 } light "l" { type: spot angle: 0.5turn } }`, "a")
	if g := s.Geometries[*n.Geometry]; *g.Size != (scene.Vec{0.3, 2, 0.3048}) {
		t.Errorf("size %v", *g.Size)
	}
	if n.T != (scene.Vec{0.25, 1, 0}) || math.Signbit(n.T[2]) {
		t.Errorf("place %v", n.T)
	}
	if n.R != (scene.Quat{0.70710677, 0, 0, 0.70710677}) || n.Body.Mass != 0.5 {
		t.Errorf("%v %v", n.R, n.Body)
	}
	if c := s.Nodes[1].Camera; c.FOV != 1.5707964 {
		t.Errorf("fov %v", c.FOV)
	}
	if l := s.Nodes[2].Light; l.Angle != 1.5 {
		t.Errorf("an angle beyond a right one is %v", l.Angle)
	}
}

// TestEulerIsTheMatrix: rotation is Rx·Ry·Rz on column vectors, of length 1 with
// w ≥ 0.
func TestEulerIsTheMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		angle := rapid.Float64Range(-720, 720)
		e := scene.Vec{angle.Draw(t, "x"), angle.Draw(t, "y"), angle.Draw(t, "z")}
		q := scene.Euler(e)
		length := 0.0
		for _, c := range q {
			length += c * c
		}
		if q[3] < 0 || math.Abs(length-1) > 1e-6 {
			t.Fatalf("%v", q)
		}
		turn := func(axis vec.Vec, a float64) vec.Mat {
			return vec.TRS(vec.Vec{}, vec.AxisAngle(axis, a*math.Pi/180), vec.At(1, 1, 1))
		}
		want := turn(vec.At(1, 0, 0), e[0]).Mul(turn(vec.At(0, 1, 0), e[1])).Mul(turn(vec.At(0, 0, 1), e[2]))
		got := vec.TRS(vec.Vec{}, vec.Quat(q), vec.At(1, 1, 1))
		for i := range got {
			if math.Abs(got[i]-want[i]) > 1e-5 {
				t.Fatalf("%v\n%v", got, want)
			}
		}
	})
}

func TestTemplates(t *testing.T) {
	s, n := one(t, `
		template "Base" { geometry: "box" color: "#112233" material: { metallic: 1, roughness: 0.2 } @physics(mass: 5kg, friction: 0.1) state { hits: 0 name: "b" }
			object "Knob" { geometry: "sphere" color: red } object "Foot" { geometry: "cone" } on_click() { a() } }
		template "Tall" using "Base" { size: [1, 3, 1] props { tint: color = "#445566" } color: tint }
		object "A" using "Tall" @physics(mass: 7kg) { tint: "#778899" material: { roughness: 0.9 } state { hits: 4 } object "Knob" { color: blue } object "Hat" { geometry: "cone" } }
		object "B" using "Tall" { }`, "A")
	m := s.Materials[*n.Material]
	if m.BaseColor != "#778899ff" || m.Metallic != 1 || m.Roughness != 0.9 {
		t.Errorf("material %+v", m)
	}
	if n.Body.Mass != 7 || n.Body.Friction != 0.1 || n.Template != "Tall" || s.Geometries[*n.Geometry].Size[1] != 3 {
		t.Errorf("%+v %+v", n, n.Body)
	}
	var below []string
	for _, c := range s.Nodes {
		if strings.HasPrefix(c.Path, "A/") {
			below = append(below, c.Path)
		}
	}
	if fmt.Sprint(below) != "[A/Knob A/Foot A/Hat]" {
		t.Errorf("children %v", below)
	}
	_, knob := one(t, `template "T" { object "K" { geometry: "box" color: red } } object "A" using "T" { object "K" { color: blue } }`, "A/K")
	if knob.Material == nil {
		t.Error("the template's child lost its look")
	}
	b := s.Nodes[slices.IndexFunc(s.Nodes, func(n scene.Node) bool { return n.Path == "B" })]
	if s.Materials[*b.Material].BaseColor != "#445566ff" {
		t.Errorf("default of a parameter: %v", s.Materials[*b.Material])
	}
	for _, o := range s.Behaviour.Owners {
		if o.Node == n.ID && (len(o.State) != 2 || o.State[0].Init.Num != 4 || len(o.Handlers) != 1) {
			t.Errorf("behaviour %+v", o)
		}
	}
	_, rib := one(t, `template "T" { object "Rib" { x: 1 } } group "A" using "T" { @for i in 0..3 { object "Rib" { position: [i, 0, 0] } } }`, "A/Rib~3")
	if rib.T[0] != 2 {
		t.Errorf("the third child of one name is at %v", rib.T)
	}
	if _, found := build(t, `template "A" using "B" { } template "B" using "A" { } object "x" using "A" { }`); !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == "NAM010" }) {
		t.Errorf("a circle of templates: %v", found)
	}
	chain := `template "T0" { geometry: "box" }`
	for i := range 40 {
		chain += fmt.Sprintf(" template \"T%d\" using \"T%d\" { }", i+1, i)
	}
	if _, found := build(t, chain+` object "x" using "T40" { }`); !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == "LIM010" }) {
		t.Errorf("a chain of 40 templates: %v", found)
	}
}

func TestIdsFollowFromPaths(t *testing.T) {
	s, _ := build(t, `group "G" { orb { } orb { } object "a" { } object "a" { } light { } }`)
	var paths []string
	for _, n := range s.Nodes {
		paths = append(paths, n.Path)
		if n.ID != scene.ID(n.Path) || len(n.ID) != 13 {
			t.Errorf("%s has id %s", n.Path, n.ID)
		}
	}
	if fmt.Sprint(paths) != "[G G/orb#1 G/orb#2 G/a G/a~2 G/light#1]" {
		t.Errorf("%v", paths)
	}
	more, _ := build(t, `object "new" { } group "G" { orb { size: 3 } orb { } object "a" { } object "a" { } light { } }`)
	if more.Nodes[1].ID != s.Nodes[0].ID || more.Nodes[4].ID != s.Nodes[3].ID {
		t.Error("an edit elsewhere changes ids")
	}
}

func TestConditions(t *testing.T) {
	s, _ := build(t, `state { open: false }
		#if vr { object "goggles" { } } #else { object "screen" { } }
		@if 2 > 1 { object "yes" { } } @else { object "no" { } }
		@if state.open { object "inside" { geometry: "box" } } @else { object "outside" { geometry: "box" } }
		@for i in 0..3 { object `+"`n${i}`"+` { position: [i * 2, 0, 0] } }
		@platform(ios) object "phone" { }
		object "desk" @platform(not: ios) { }`)
	seen := map[string]bool{}
	for _, n := range s.Nodes {
		seen[n.Path] = bool(n.Visible)
	}
	want := map[string]bool{"screen": true, "yes": true, "inside": false, "outside": true, "n0": true, "n1": true, "n2": true, "desk": true}
	if fmt.Sprint(seen) != fmt.Sprint(want) {
		t.Errorf("%v", seen)
	}
	if i := slices.IndexFunc(s.Nodes, func(n scene.Node) bool { return n.Path == "n2" }); s.Nodes[i].T[0] != 4 {
		t.Errorf("%v", s.Nodes[i].T)
	}
}

func TestLimitsOfExpansion(t *testing.T) {
	for source, code := range map[string]diag.Code{
		`@for i in 0..2000 { @for j in 0..2000 { @for k in 0..2000 { x: 1 } } }`: "LIM008",
		`@for i in 0..90000 { object "a" { } object "b" { } }`:                   "LIM005",
		strings.Repeat(`object "a" { `, 140) + strings.Repeat(`}`, 140):          "LIM005",
	} {
		_, found := build(t, source)
		if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == code }) {
			t.Errorf("%.40s: no %s in %v", source, code, found)
		}
	}
}

func TestSolidsFillTheirBounds(t *testing.T) {
	for _, kind := range scene.Solids {
		s, n := one(t, fmt.Sprintf(`object "a" { geometry: "%s" size: [2, 3, 4] }`, kind), "a")
		g := &s.Geometries[*n.Geometry]
		m := g.Mesh()
		if m == nil || len(m.Indices) == 0 || len(m.Positions) != len(m.Normals) || len(m.UVs) != len(m.Positions) {
			t.Errorf("%s: %+v", kind, m)
			continue
		}
		b := g.Bounds()
		volume := 0.0
		for i := 0; i < len(m.Indices); i += 3 {
			var c [3]vec.Vec
			for k := range 3 {
				p := m.Positions[m.Indices[i+k]]
				c[k] = vec.At(float64(p[0]), float64(p[1]), float64(p[2]))
				for axis, x := range p {
					if math.Abs(float64(x)) > b[axis]/2+1e-4 {
						t.Fatalf("%s leaves its bounds %v at %v", kind, b, p)
					}
				}
			}
			volume += c[0].Dot(c[1].Cross(c[2])) / 6
		}
		flat := kind == "plane" || kind == "ring" || kind == "disc"
		if !flat && volume <= 0 {
			t.Errorf("%s is inside out: %v", kind, volume)
		}
	}
}

// TestControlsAreBound: every control is in the model, however it is grouped, and
// what it shows follows the state, also through a computed name.
func TestControlsAreBound(t *testing.T) {
	s, _ := build(t, `composition "Desk" {
  state { count: 2 on: true }
  computed { twice: state.count * 2 }
  ui "Panel" {
    page "Home" { row { label "Now" { text: twice } progress "Done" { value: $count max: 10 } } }
    tabs { tab "One" { form { input "Name" { value: state.name } toggle "On" { value: $on } } } }
    text { value: "still" }
  }
  object "Lamp" { geometry: "box" opacity: twice }
}`)
	var got []string
	var walk func([]scene.Widget)
	walk = func(list []scene.Widget) {
		for _, w := range list {
			got = append(got, w.Kind+" "+w.ID+" "+w.Bind)
			walk(w.Children)
		}
	}
	walk(s.UI)
	want := []string{
		"panel Panel ", "section Home ", "section  ", "text Now ui.0.5.39", "progress Done count", "section  ", "panel One ", "panel  ", "input Name name", "checkbox On on", "text  ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	bound := map[string]string{}
	for _, o := range s.Behaviour.Owners {
		for _, b := range o.Binds {
			bound[b.Property] = o.Node
		}
	}
	if bound["ui.0.5.39"] != "scene" && bound["ui.0.5.39"] != "" || len(bound) != 2 || bound["opacity"] != s.Nodes[0].ID {
		t.Errorf("%v", bound)
	}
}

// TestTimesOfTraitsAreInTheirUnit: a trait that counts in milliseconds gets them.
func TestTimesOfTraitsAreInTheirUnit(t *testing.T) {
	_, n := one(t, `object "a" @digital_twin(physical_id: "x", poll_interval: 90s) @iot_sensor(device_id: "d", poll_interval_ms: 100) { geometry: "box" }`, "a")
	for i, key := range []string{"poll_interval", "poll_interval_ms"} {
		if v, _ := scene.Get(n.Traits[i].Params, key); v.Num != []float64{90000, 100}[i] || v.Unit != "" {
			t.Errorf("%s is %v", key, v)
		}
	}
}

// TestStateOfOthersIsBound: a setting that is the state of another node begins
// with what that begins with, and follows it.
func TestStateOfOthersIsBound(t *testing.T) {
	t.Parallel()
	s, found := build(t, `composition "S" {
  text "Sign" { value: `+"`${Mill.state.grain} kg`"+` }
  object "Lamp" { geometry: "box" opacity: Mill.state.deep.glow label: other.state.of.things }
  object "Mill" { geometry: "box" state { grain: 40 deep: { glow: 0.5 } } }
  object "A" { geometry: "box" state { k: B.state.k } }
  object "B" { geometry: "box" state { k: A.state.k } opacity: A.state.k }
}`)
	if len(found) > 0 {
		t.Error(found)
	}
	if got := s.Nodes[0].Text.Value; got != "40 kg" {
		t.Errorf("the sign begins with %q", got)
	}
	bound := map[string]bool{}
	for _, o := range s.Behaviour.Owners {
		for _, b := range o.Binds {
			bound[s.Nodes[slices.IndexFunc(s.Nodes, func(n scene.Node) bool { return n.ID == o.Node })].Name+" "+b.Property] = true
		}
	}
	if len(bound) != 3 || !bound["Sign text"] || !bound["Lamp opacity"] || !bound["B opacity"] {
		t.Errorf("bound are %v", bound)
	}
}
