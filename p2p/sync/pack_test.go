package sync

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/recon"
)

// bulky is a change with a body of n bytes that do not compress.
func bulky(k, n int) *change.Change {
	rng := rand.New(rand.NewPCG(uint64(k), 1))
	body := make([]byte, n)
	for i := range body {
		body[i] = byte(rng.Uint32())
	}
	h := *fabricate(k).Head
	h.Size, h.BodyHash = n, change.ID(hash(body))
	c, err := change.Decode(h.Encode(), body)
	if err != nil {
		panic(err)
	}
	return c
}

// Bodies of the largest size that do not compress travel in frames that fit,
// in order, whole.
func TestLargestBodiesTravel(t *testing.T) {
	t.Parallel()
	var cs []*change.Change
	for k := range 40 {
		cs = append(cs, bulky(k, change.MaxBody))
	}
	a, b := newFake(open0), newFake(open0).put(open0, cs...)
	var last uint64
	frames := 0
	ours, theirs := tap(t, func(k kind, payload []byte) (kind, []byte) {
		if k == kindChanges {
			frames++
			s := session{endpoint: endpointOf(t, a), wire: &wire{}}
			got, _, _, err := s.unpackChanges(payload)
			if err != nil {
				t.Error(err)
			}
			for _, c := range got {
				if c.Head.HLC <= last {
					t.Error("frames are not in order throughout")
				}
				last = c.Head.HLC
			}
		}
		return k, payload
	})
	r, _ := over(t, endpointOf(t, a), endpointOf(t, b), ours, theirs)
	if !r.Equal() || frames < 40*change.MaxBody/maxFrame {
		t.Fatalf("%d frames, report: %+v", frames, r)
	}
	for _, c := range a.changes {
		if c.IsStub() {
			t.Fatal("a body was left behind")
		}
	}
}

// A run whose bodies do not fit one frame travels in one, as stubs where it must.
func TestRunWithoutRoomTravelsAsStubs(t *testing.T) {
	t.Parallel()
	var run Run
	for k := range change.MaxRun + 1 {
		run = append(run, bulky(k, 20_000))
	}
	fit := run.fitted()
	bodies := 0
	for _, c := range fit {
		if !c.IsStub() {
			bodies++
		}
	}
	if len(fit) != len(run) || fit.size() > runBudget || bodies == 0 || run[len(run)-1].IsStub() {
		t.Fatalf("%d changes, %d bytes, %d bodies", len(fit), fit.size(), bodies)
	}
	e := endpointOf(t, nil)
	if packed := e.codec.pack(encodeChanges(merge([]Run{fit}), false)); len(packed) >= maxFrame {
		t.Errorf("%d bytes packed", len(packed))
	}
	// A copy with a body beats a stub, whatever comes first.
	for _, runs := range [][]Run{{run[:2], {run[1].Stub()}}, {{run[1].Stub()}, run[:2]}} {
		if cs := merge(runs); len(cs) != 2 || cs[1].IsStub() {
			t.Error("merge lost a body or kept a copy")
		}
	}
}

// A pass that its round limit ends moves what it found, and the next go on.
func TestRangesGoOnInTheNextPass(t *testing.T) {
	t.Parallel()
	var common []recon.Item
	a, b := newFake(open0), newFake(open0)
	for k := range 120_000 {
		common = append(common, recon.Item{HLC: uint64(1_767_225_600_000+k*10)<<10 + 1, ID: hash([]byte{byte(k), byte(k >> 8), byte(k >> 16)})})
	}
	a.sets[open0].InsertBatch(common)
	b.sets[open0].InsertBatch(common)
	for i := range 12_000 {
		a.put(open0, fabricate(i*100+5))
		b.put(open0, fabricate(i*100+57))
	}
	passes := 0
	for ; passes < 40; passes++ {
		r, _ := meet(t, a, b)
		if r.Err != nil || r.Sets[0].Got+r.Sets[0].Pushed == 0 {
			t.Fatalf("pass %d: %+v", passes, r)
		}
		if r.Equal() {
			break
		}
		if passes == 0 && (r.Complete || r.Sets[0].Rounds < maxRounds) {
			t.Errorf("first pass: %+v", r)
		}
	}
	mustEqual(t, a, b)
	if !slices.Equal(a.ids(), b.ids()) || passes == 0 {
		t.Errorf("%d passes", passes)
	}
	t.Logf("equal after %d passes", passes+1)
}
