package webgpu_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// watch runs a scene with runtime.js, which all web targets have in common, and
// prints after every step where the engine put each node.
const watch = `
import { readFileSync } from "node:fs";
import { checked, drive, Running } from "./runtime.js";
const scene = checked(JSON.parse(readFileSync("scene.json", "utf8"))), at = {}, said = [], steps = [];
for (const n of scene.nodes) at[n.id] = n.t ?? [0, 0, 0];
const engine = {
  place(id, part, value) { if (part === "position") at[id] = [...value]; },
  make(n) { at[n.id] = n.t ?? [0, 0, 0]; },
  remove(id) { delete at[id]; },
  look() {}, show() {}, letter() {}, copy() {}, dispose() {}, swarm: () => ({ update() {}, dispose() {} }),
  step: () => false, lively: false,
};
const stage = new Running(scene, engine, false);
stage.onSay = (line) => said.push(line.text);
drive(stage);
for (let i = 0; i < 180; i++) {
  if (i === 90) stage.raise("", "later");
  stage.advance(1 / 60);
  steps.push({ ...at });
}
console.log(JSON.stringify({ said, steps }));
`

// TestCopiesMoveFromWhereTheyStand: what a template's animations do to a position
// counts from where the program puts a copy, at first and later, and is the
// template's own where it says nothing.
func TestCopiesMoveFromWhereTheyStand(t *testing.T) {
	out, _ := files(t, `composition "Coins" {
		template "Coin" @spawnable {
			geometry: "cylinder" position: [1, 2, 3] @floating(amplitude: 0.5, speed: 1)
			object "Ring" { geometry: "torus" position: [0, 0.25, 0] @floating(amplitude: 0.125, speed: 1) }
		}
		template "Moon" @spawnable { geometry: "sphere" position: [2, 0, 0] animation { property: "position" from: [2, 0, 0] to: [2, 1, 4] duration: 1s } }
		object "Own" using "Coin" {}
		on start {
			spawn Coin at [5, 1, 0]
			spawn Coin at [-40, 7, 60]
			spawn Coin
			spawn Moon at [10, 20, 30]
		}
		on later { Coin.instances[1].position = [-40, 70, 9] }
	}`, nil)
	dir := t.TempDir()
	s := document(t, out["app.ts"])
	doc, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"runtime.js": out["runtime.js"], "scene.json": string(doc), "watch.mjs": watch, "package.json": `{"type": "module"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.CommandContext(t.Context(), "node", "watch.mjs")
	c.Dir = dir
	var wrong strings.Builder
	c.Stderr = &wrong
	raw, err := c.Output()
	if err != nil {
		t.Fatalf("node: %v: %s", err, wrong.String())
	}
	var got struct {
		Said  []string                `json:"said"`
		Steps []map[string][3]float64 `json:"steps"`
	}
	if err := json.Unmarshal(raw, &got); err != nil || len(got.Said) > 0 || len(got.Steps) != 180 {
		t.Fatalf("%v %q, %d steps", err, got.Said, len(got.Steps))
	}
	own := ""
	for _, n := range s.Nodes {
		if n.Name == "Own" {
			own = n.ID
		}
	}
	// A coin floats up and down in a second; what happens later does in step 90.
	for _, w := range []struct {
		what, node string
		from, to   int
		low, high  [3]float64
	}{
		{"an ordinary coin", own, 0, 180, [3]float64{1, 2, 3}, [3]float64{1, 2.5, 3}},
		{"the first copy", "s1", 1, 180, [3]float64{5, 1, 0}, [3]float64{5, 1.5, 0}},
		{"its ring", "s2", 1, 180, [3]float64{0, 0.25, 0}, [3]float64{0, 0.375, 0}},
		{"the second copy", "s3", 1, 90, [3]float64{-40, 7, 60}, [3]float64{-40, 7.5, 60}},
		{"the second copy elsewhere", "s3", 95, 180, [3]float64{-40, 70, 9}, [3]float64{-40, 70.5, 9}},
		{"a copy without a place", "s5", 1, 180, [3]float64{1, 2, 3}, [3]float64{1, 2.5, 3}},
		{"a copy that moves along all axes", "s7", 1, 180, [3]float64{10, 20, 30}, [3]float64{10, 21, 34}},
	} {
		low, high := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}, [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
		for i := w.from; i < w.to; i++ {
			at, there := got.Steps[i][w.node]
			if !there {
				t.Fatalf("%s is not there in step %d: %v", w.what, i, got.Steps[i])
			}
			for k := range at {
				low[k], high[k] = min(low[k], at[k]), max(high[k], at[k])
			}
		}
		for k := range low {
			if math.Abs(low[k]-w.low[k]) > 0.1*(w.high[k]-w.low[k])+1e-9 || math.Abs(high[k]-w.high[k]) > 0.1*(w.high[k]-w.low[k])+1e-9 {
				t.Errorf("%s moves between %v and %v, want %v and %v", w.what, low, high, w.low, w.high)
				break
			}
		}
	}
}
