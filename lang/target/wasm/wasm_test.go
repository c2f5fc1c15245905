package wasm

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"pgregory.net/rapid"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// machine is a module that runs in an engine that is not ours.
type machine struct {
	t   testing.TB
	mod api.Module
	out *artefact.Output
}

func run(t testing.TB, s *scene.Scene) *machine {
	t.Helper()
	s.V, s.Files = "scene/1", []string{"main.holo"}
	s.SourceSHA256 = "0123456789abcdef0123456789abcdef"
	out, err := Module(&artefact.Input{Scene: s, Target: "wasm", Version: "0.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	engine := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	mod, err := engine.Instantiate(ctx, out.Files[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close(ctx) })
	m := &machine{t, mod, out}
	m.call("init")
	return m
}

func (m *machine) call(name string, args ...uint64) uint32 {
	m.t.Helper()
	out, err := m.mod.ExportedFunction(name).Call(context.Background(), args...)
	if err != nil {
		m.t.Fatalf("%s: %v", name, err)
	}
	if len(out) == 0 {
		return 0
	}
	return uint32(out[0])
}

func (m *machine) step(dt float32) { m.call("step", uint64(math.Float32bits(dt))) }

// transforms are the ten numbers of a node.
func (m *machine) transform(node int) []float64 {
	m.t.Helper()
	raw, ok := m.mod.Memory().Read(m.call("transforms")+uint32(node*transformSize), transformSize)
	if !ok {
		m.t.Fatal("no such memory")
	}
	out := make([]float64, 10)
	for i := range out {
		out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])))
	}
	return out
}

func near(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-4*(1+math.Abs(b[i])) {
			return false
		}
	}
	return len(a) == len(b)
}

func node(id string) scene.Node {
	return scene.Node{ID: id, Path: id, Kind: "object", Parent: -1, T: scene.Vec{1, 2, 3}, R: scene.Identity, S: scene.UnitVec{1, 1, 1}, Visible: true, Src: scene.Src{0, 1, 1}}
}

func TestModuleHoldsItsScene(t *testing.T) {
	t.Parallel()
	m := run(t, &scene.Scene{Nodes: []scene.Node{node("na"), node("nb")}})
	raw, ok := m.mod.Memory().Read(m.call("scene"), m.call("scene_len"))
	if !ok {
		t.Fatal("the scene is not in memory")
	}
	if s, err := scene.Read(raw); err != nil || len(s.Nodes) != 2 || m.call("node_count") != 2 {
		t.Errorf("scene %v, %v", s, err)
	}
	m.step(1)
	if got := m.transform(1); !near(got, []float64{1, 2, 3, 0, 0, 0, 1, 1, 1, 1}) {
		t.Errorf("a still node stands at %v", got)
	}
	if len(m.out.Losses) != 0 {
		t.Errorf("losses %v", m.out.Losses)
	}
	for _, name := range []string{"memory", "node_count", "transforms", "scene", "scene_len", "init", "step"} {
		if m.mod.ExportedFunction(name) == nil && m.mod.ExportedMemory(name) == nil {
			t.Errorf("%s is not exported", name)
		}
	}
}

// sample is what the player of the page shows (lang/target/html/viewer/src/animate.ts).
func sample(a *scene.Animation, time float64) []float64 {
	keys := a.Keys
	end, t := keys[len(keys)-1][0], time
	if end > 0 && t > end {
		round, rounds := math.Floor(t/end), math.Inf(1)
		if a.Loop >= 0 {
			rounds = float64(a.Loop + 1)
		}
		if round >= rounds {
			round, t = rounds-1, end
		} else {
			t -= float64(round * end)
		}
		if a.PingPong && math.Mod(round, 2) == 1 {
			t = end - t
		}
	}
	if t <= keys[0][0] {
		return keys[0][1:]
	}
	for i := 1; i < len(keys); i++ {
		if t > keys[i][0] {
			continue
		}
		u := (t - keys[i-1][0]) / (keys[i][0] - keys[i-1][0])
		switch a.Easing {
		case "ease-in":
			u *= u
		case "ease-out":
			u = 1 - (1-u)*(1-u)
		case "ease-in-out":
			u = u * u * (3 - 2*u)
		case "step":
			u = math.Floor(u)
		}
		out := make([]float64, len(keys[i])-1)
		for c := range out {
			out[c] = keys[i-1][c+1] + (keys[i][c+1]-keys[i-1][c+1])*u
		}
		return out
	}
	return keys[len(keys)-1][1:]
}

// TestAnimationsAreThoseOfThePage compares the module with the player of the
// page, for any keys, easing, loop and time.
func TestAnimationsAreThoseOfThePage(t *testing.T) {
	t.Parallel()
	eighths := func(t *rapid.T, name string, from, to int) float64 {
		return float64(rapid.IntRange(from, to).Draw(t, name)) / 8
	}
	rapid.Check(t, func(r *rapid.T) {
		property := rapid.SampledFrom([]string{"t", "s", "t.x", "t.y", "t.z", "s.z"}).Draw(r, "property")
		width := 3
		if len(property) > 1 {
			width = 1
		}
		a := scene.Animation{Node: "nb", Property: property, Autoplay: true, Easing: rapid.SampledFrom([]string{"", "ease-in", "ease-out", "ease-in-out", "step"}).Draw(r, "easing"),
			Loop: rapid.IntRange(-1, 3).Draw(r, "loop"), PingPong: rapid.Bool().Draw(r, "pingpong")}
		at := eighths(r, "first", 0, 4)
		for range rapid.IntRange(1, 5).Draw(r, "keys") {
			key := []float64{at}
			for range width {
				key = append(key, eighths(r, "value", -80, 80))
			}
			a.Keys = append(a.Keys, key)
			at += eighths(r, "gap", 1, 16)
		}
		m := run(t, &scene.Scene{Nodes: []scene.Node{node("na"), node("nb")}, Animations: []scene.Animation{a}})
		time := 0.0
		for range 12 {
			dt := eighths(r, "dt", 0, 24)
			time += dt
			m.step(float32(dt))
			offset, _, _ := part(property)
			if got, want := m.transform(1)[offset:offset+width], sample(&a, time); !near(got, want) {
				r.Fatalf("%+v at %v: %v, want %v", a, time, got, want)
			}
			if got := m.transform(0); !near(got, []float64{1, 2, 3, 0, 0, 0, 1, 1, 1, 1}) {
				r.Fatalf("another node moved to %v", got)
			}
		}
	})
}

// TestTurnsStayTurns: a quarter turn has length 1 all the way and goes the shorter way.
func TestTurnsStayTurns(t *testing.T) {
	t.Parallel()
	half := math.Sqrt(0.5)
	for _, sign := range []float64{1, -1} {
		a := scene.Animation{Node: "na", Property: "r", Autoplay: true, Keys: [][]float64{{0, 0, 0, 0, 1}, {2, 0, sign * half, 0, sign * half}}}
		m := run(t, &scene.Scene{Nodes: []scene.Node{node("na")}, Animations: []scene.Animation{a}})
		m.step(1)
		q := m.transform(0)[3:7]
		if want := []float64{0, math.Sin(math.Pi / 8), 0, math.Cos(math.Pi / 8)}; !near(q, want) {
			t.Errorf("half way: %v, want %v", q, want)
		}
		if len(m.out.Losses) != 1 {
			t.Errorf("losses %v", m.out.Losses)
		}
	}
}

// TestTimeIsSane: what is no time moves nothing, and init begins anew.
func TestTimeIsSane(t *testing.T) {
	t.Parallel()
	a := scene.Animation{Node: "na", Property: "t.x", Autoplay: true, Loop: -1, Keys: [][]float64{{0, 0}, {4, 4}}}
	m := run(t, &scene.Scene{Nodes: []scene.Node{node("na")}, Animations: []scene.Animation{a}})
	m.step(1)
	for _, dt := range []float32{-1, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e9} {
		m.step(dt)
		if x := m.transform(0)[0]; x != 1 {
			t.Fatalf("after a step of %v it is at %v", dt, x)
		}
	}
	m.step(longestStep)
	if x := m.transform(0)[0]; x != 1 { // a day is a whole number of rounds
		t.Errorf("after a day it is at %v", x)
	}
	m.call("init")
	if got := m.transform(0); !near(got, []float64{0, 2, 3, 0, 0, 0, 1, 1, 1, 1}) {
		t.Errorf("at the beginning it is at %v", got)
	}
}

func TestLossesAreNamed(t *testing.T) {
	t.Parallel()
	keys := [][]float64{{0, 0}, {1, 1}}
	m := run(t, &scene.Scene{Nodes: []scene.Node{node("na")}, Animations: []scene.Animation{
		{Node: "na", Property: "material.opacity", Autoplay: true, Keys: keys}, {Node: "na", Property: "t.y", Keys: keys},
		{Node: "na", Property: "t.y", Autoplay: true}, {Node: "gone", Property: "t.y", Autoplay: true, Keys: keys},
	}})
	if len(m.out.Losses) != 2 || m.out.Losses[0].Code != "TGT002" || m.out.Losses[1].Nodes[0].ID != "na" {
		t.Errorf("losses %+v", m.out.Losses)
	}
	if _, err := Module(&artefact.Input{Scene: &scene.Scene{Files: []string{"a"}}, Target: "wasm"}); err == nil {
		t.Error("a module of nothing")
	}
}

// TestNumbersInLEB128 has the edges of the encoding.
func TestNumbersInLEB128(t *testing.T) {
	t.Parallel()
	for n, want := range map[int32][]byte{0: {0}, 63: {63}, 64: {0xc0, 0}, -1: {0x7f}, -64: {0x40}, -65: {0xbf, 0x7f}, 128: {0x80, 1}, math.MaxInt32: {0xff, 0xff, 0xff, 0xff, 7}, math.MinInt32: {0x80, 0x80, 0x80, 0x80, 0x78}} {
		if got := s(nil, n); !bytes.Equal(got, want) {
			t.Errorf("%d is % x, want % x", n, got, want)
		}
	}
}
