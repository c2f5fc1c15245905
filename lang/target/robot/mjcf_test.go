package robot_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
)

func compile(t testing.TB, source, id string) (string, *target.Result) {
	t.Helper()
	r, err := target.Compile(target.Load(nil, "main.holo", []byte(source), ast.Holo), target.Request{Target: id})
	if err != nil {
		t.Fatal(err)
	}
	return string(r.Files[0].Data), r
}

// TestBodiesOfMuJoCo: half sizes in the robot's axes, free bodies in the world,
// joints with limits, and no contact between what a joint connects.
func TestBodiesOfMuJoCo(t *testing.T) {
	doc, r := compile(t, `composition "Yard" {
  object "base" @static { geometry: "box" size: [1, 2, 3] position: [1, 2, 3]
    object "arm" @collidable { geometry: "cylinder" radius: 0.1 height: 1 position: [0, 1, 0] joint: { type: "revolute", axis: [0, 1, 0], lower: -90, upper: 90 } physics: { mass: 2 }
      object "ball" { geometry: "sphere" radius: 0.2 position: [0, 1, 0] physics: { mass: 3 } } } }
  object "floor" @static { geometry: "plane" size: [4, 4] }
  object "stuck" { geometry: "cone" joint: { type: "prismatic", min: 0, max: 0 } }
}`, "mjcf")
	for _, want := range []string{
		`<body name="Yard_base" pos="-3 -1 2" quat="1 0 0 0">`, `type="box" size="1.5 0.5 1"`, `type="cylinder" size="0.1 0.5"`,
		`type="hinge" axis="0 0 1" range="-1.5707964 1.5707964"`, `<freejoint name="free_`, `mass="3"`, `<exclude body1="`, `pos="0 0 -0.05" group="3"`,
	} {
		if !strings.Contains(strings.ReplaceAll(doc, `name="base"`, `name="Yard_base"`), want) {
			t.Errorf("no %s", want)
		}
	}
	if t.Failed() {
		t.Log(doc)
	}
	ball := doc[:strings.Index(doc, "<freejoint")]
	if open, closed := strings.Count(ball, "<body "), strings.Count(ball, "</body>"); open-closed != 1 {
		t.Errorf("what moves freely stands %d deep", open-closed)
	}
	var said []string
	for _, l := range r.Losses {
		said = append(said, l.Code+" "+l.Reason)
	}
	for _, want := range []string{"TGT003 joints whose limits leave them no room become fixed ones", "TGT003 solids other than boxes, spheres, cylinders and capsules become boxes of their size"} {
		if !strings.Contains(strings.Join(said, "\n"), want) {
			t.Errorf("%q is not among %q", want, said)
		}
	}
}

// TestLongChainsOfJoints: a chain of thousands of joints, some in a circle, is
// written in one pass and not much longer than its nodes are.
func TestLongChainsOfJoints(t *testing.T) {
	var b strings.Builder
	const n = 3000
	for i := range n {
		fmt.Fprintf(&b, "object \"a%d\" { joint: { type: \"fixed\", to: \"a%d\" } }\n", i, (i+1)%n)
	}
	for _, id := range []string{"urdf", "sdf", "mjcf"} {
		if doc, _ := compile(t, b.String(), id); len(doc) > n*1500 {
			t.Errorf("%s: %d bytes", id, len(doc))
		}
	}
}
