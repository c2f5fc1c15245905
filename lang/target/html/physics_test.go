package html

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the stored trajectories anew")

// motion is a scene with what is done to it and where its bodies were then.
type motion struct {
	Scene   json.RawMessage `json:"scene"`
	Actions json.RawMessage `json:"actions,omitempty"`
	Steps   int             `json:"steps"`
	Every   int             `json:"every"`
	Trace   json.RawMessage `json:"trace"`
}

type trace struct {
	Places [][4]json.RawMessage `json:"places"`
	Events [][4]any             `json:"events"`
}

// drive runs a case in Node.
func drive(t *testing.T, path string) []byte {
	t.Helper()
	c := exec.CommandContext(t.Context(), "node", "testdata/physics/drive.mjs", "../bundle/testdata/interpreter.mjs", path)
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		t.Fatalf("node: %v: %s", err, said.Bytes())
	}
	return bytes.TrimSpace(out)
}

// The solver gives the same bits as when the trajectories were stored.
func TestBodiesMoveAsStored(t *testing.T) {
	cases, err := filepath.Glob("testdata/physics/*.json")
	if err != nil || len(cases) < 10 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var m motion
			if err := json.Unmarshal(raw, &m); err != nil {
				t.Fatal(err)
			}
			got := drive(t, path)
			if *update {
				if err := os.WriteFile(path, stored(t, m, got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			var want bytes.Buffer
			if err := json.Compact(&want, m.Trace); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want.Bytes()) {
				t.Errorf("trace differs from the stored one:\n%.400s\nwant\n%.400s", got, want.Bytes())
			}
		})
	}
}

// stored is a case with its trace, one line each.
func stored(t *testing.T, m motion, trace []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("{\"scene\": ")
	for _, part := range []struct {
		key string
		raw json.RawMessage
	}{{"", m.Scene}, {"actions", m.Actions}} {
		if part.raw == nil {
			continue
		}
		if part.key != "" {
			fmt.Fprintf(&b, ",\n\"%s\": ", part.key)
		}
		if err := json.Compact(&b, part.raw); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Fprintf(&b, ",\n\"steps\": %d, \"every\": %d,\n\"trace\": %s}\n", m.Steps, m.Every, trace)
	return b.Bytes()
}

// at is where a node was after the last stored step, and its events.
func at(t *testing.T, name, node string) (place, turn []float64, events []string) {
	t.Helper()
	raw, err := os.ReadFile("testdata/physics/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var m motion
	var tr trace
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(m.Trace, &tr); err != nil {
		t.Fatal(err)
	}
	for _, p := range tr.Places {
		if string(p[1]) == `"`+node+`"` {
			place, turn = nil, nil
			if json.Unmarshal(p[2], &place) != nil || json.Unmarshal(p[3], &turn) != nil {
				t.Fatalf("%s", p)
			}
		}
	}
	for _, e := range tr.Events {
		if e[2] == node {
			events = append(events, e[1].(string))
		}
	}
	return place, turn, events
}

// What is stored is also what bodies do: they rest on what is below, bounce as
// high as they may, hold on a slope that is rough and slide down a smooth one.
func TestStoredTrajectoriesAreTrue(t *testing.T) {
	near := func(name string, got, want, slack float64) {
		t.Helper()
		if math.IsNaN(got) || math.Abs(got-want) > slack {
			t.Errorf("%s: %v, want %v ± %v", name, got, want, slack)
		}
	}
	p, _, events := at(t, "drop", "ball")
	near("a ball of half a metre rests on the ground", p[1], 0.5, 0.01)
	if len(events) != 1 || events[0] != "collision_enter" {
		t.Errorf("a ball that falls and stays met %v", events)
	}
	p, _, _ = at(t, "bounce", "ball") // stored at the top of its first bounce
	near("a ball with restitution 0.8 from 2 m", p[1]-0.5, 2*0.64, 0.03)
	for i, node := range []string{"a", "b", "c", "d"} {
		p, _, _ = at(t, "stack", node)
		near("height of "+node+" in a stack", p[1], 0.5+float64(i), 0.03)
		near("a stack stands straight", math.Hypot(p[0], p[2]), 0, 0.08)
	}
	p, _, _ = at(t, "rough_slope", "box")
	near("a box on a rough slope stays", math.Hypot(p[0]+0.342, p[1]-0.96), 0, 0.04)
	p, _, _ = at(t, "smooth_slope", "box") // one second down 20° without friction: g·sin/2
	near("a box slides", math.Hypot(p[0]+0.342, p[1]-0.96), 9.81*math.Sin(20*math.Pi/180)/2, 0.06)
	p, q, _ := at(t, "capsule", "pill")
	near("a capsule comes to lie", p[1], 0.25, 0.01)
	near("on its side", math.Abs(1-2*(q[0]*q[0]+q[2]*q[2])), 0, 0.02)
	p, _, events = at(t, "throw", "stone")
	if p[0] < 3 || p[1] > 0.12 {
		t.Errorf("a thrown stone lies at %v", p)
	}
	if len(events) == 0 {
		t.Error("a thrown stone meets nothing")
	}
	_, _, events = at(t, "trigger", "door")
	if strings.Join(events, " ") != "trigger_enter trigger_exit" {
		t.Errorf("a ball through a trigger: %v", events)
	}
	p, _, _ = at(t, "lift", "crate")
	near("a lift carries a crate up", p[1], 3.2, 0.05)
	p, _, _ = at(t, "joint", "arm")
	near("what has a joint stays", p[1], 2, 0)
	p, _, _ = at(t, "afloat", "buoy")
	near("what has no weight stays", p[1], 2, 0)
	p, _, _ = at(t, "parent", "child")
	near("a body below a turned and scaled node falls down", p[1], 0.5, 0.02)
	p, _, events = at(t, "pulled_away", "box")
	near("a box whose support is gone falls", p[1], 0.5, 0.02)
	if strings.Join(events, " ") != "collision_enter collision_exit collision_enter" {
		t.Errorf("a box whose support is gone met %v", events)
	}
}

// A scene that is not a scene moves nothing and breaks nothing.
func TestHostileBodies(t *testing.T) {
	dir := t.TempDir()
	for name, scene := range map[string]string{
		"flat":    `{"nodes":[{"id":"a","parent":-1,"body":{"type":"dynamic"},"collider":{"shape":"box","size":[0,0,0]}},{"id":"b","parent":-1,"body":{"type":"dynamic"},"collider":{"shape":"box","size":[0,0,0]}}]}`,
		"same":    `{"nodes":[{"id":"a","parent":-1,"body":{"type":"dynamic"},"collider":{"shape":"sphere","size":[1,1,1]}},{"id":"b","parent":-1,"body":{"type":"dynamic"},"collider":{"shape":"sphere","size":[1,1,1]}},{"id":"c","parent":-1,"body":{"type":"dynamic"},"collider":{"shape":"capsule","size":[1,1,1]}}]}`,
		"twice":   `{"nodes":[{"id":"a","parent":-1,"collider":{"shape":"box","size":[1,1,1]}},{"id":"a","parent":-1,"body":{"type":"dynamic"},"collider":{"shape":"box","size":[1,1,1]}}]}`,
		"no turn": `{"nodes":[{"id":"a","parent":-1,"r":[0,0,0,0],"s":[0,0,0],"body":{"type":"dynamic","mass":-1},"collider":{"shape":"box","size":[1,1,1]}}]}`,
		"huge":    `{"nodes":[{"id":"a","parent":-1,"t":[1e300,0,0],"body":{"type":"dynamic","mass":1e300},"collider":{"shape":"box","size":[1e300,1,1]}},{"id":"b","parent":-1,"body":{"type":"dynamic"},"collider":{"shape":"mesh","size":[1,1,1]}}]}`,
	} {
		path := filepath.Join(dir, strings.ReplaceAll(name, " ", "")+".json")
		if err := os.WriteFile(path, []byte(`{"steps":120,"every":120,"scene":`+scene+`}`), 0o644); err != nil {
			t.Fatal(err)
		}
		var tr trace
		if err := json.Unmarshal(drive(t, path), &tr); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, p := range tr.Places {
			if bytes.Contains(p[2], []byte("null")) || bytes.Contains(p[3], []byte("null")) { // JSON has no NaN
				t.Errorf("%s: %s is nowhere", name, p[1])
			}
		}
	}
}
