package swarm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"testing"

	"github.com/meshd/meshd/lang/picture/swarm"
	"github.com/meshd/meshd/lang/scene"
)

// The first picture has the same points here and in the viewer, and the same box is
// around most of them.
func TestTheViewerHasTheSamePoints(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is not there: scripts/need lang")
	}
	emitters := []string{
		`{"preset":"fire"}`, `{"preset":"sparks","color":"#ff0000ff"}`, `{"preset":"snow"}`, `{"preset":"smoke","rate":55}`, `{"rate":7,"lifetime_min":0.5,"lifetime_max":3,"velocity":[1,2,-1],"width":0.5}`,
		`{"count":40,"lifetime":1,"gravity":9.8,"speed":3,"size_start":0.2}`, `{}`,
	}
	var input bytes.Buffer
	for i, e := range emitters {
		fmt.Fprintf(&input, `{"id":"n%d","particles":%s}`+"\n", i, e)
	}
	c := exec.CommandContext(t.Context(), node, "testdata/points.mjs")
	c.Stdin = &input
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(lines) != len(emitters) {
		t.Fatalf("%d answers", len(lines))
	}
	for i, line := range lines {
		var got struct {
			Points [][4]float64
			Box    *struct{ Lo, Hi [3]float64 }
		}
		var given scene.Value
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(emitters[i]), &given); err != nil {
			t.Fatal(err)
		}
		e := swarm.Of(given, nil)
		points := e.Begin(fmt.Sprintf("n%d", i))
		if len(points) != len(got.Points) || len(points) == 0 {
			t.Errorf("%s: %d points, the viewer has %d", emitters[i], len(points), len(got.Points))
			continue
		}
		for k, p := range points {
			g := got.Points[k]
			for j, v := range [4]float64{p.At.X, p.At.Y, p.At.Z, p.Size} {
				if math.Abs(v-g[j]) > 1e-3 {
					t.Fatalf("%s: point %d is %v, the viewer has %v", emitters[i], k, p, g)
				}
			}
		}
		if e.Weather() != (got.Box == nil) {
			t.Errorf("%s: weather %v", emitters[i], e.Weather())
		} else if lo, hi := e.Box(); got.Box != nil && math.Abs(lo.X-got.Box.Lo[0])+math.Abs(lo.Y-got.Box.Lo[1])+math.Abs(hi.Y-got.Box.Hi[1])+math.Abs(hi.Z-got.Box.Hi[2]) > 1e-6 {
			t.Errorf("%s: box %v %v, the viewer has %v", emitters[i], lo, hi, got.Box)
		}
	}
}
