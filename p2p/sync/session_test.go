package sync

import (
	"crypto/sha256"
	"fmt"
	"net"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/keys"
)

func hash(b []byte) [32]byte { return sha256.Sum256(b) }

const open0 = "open/0"

func TestSessionModes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name         string
		common, a, b int
		mode         Mode
		fallback     bool
		equal        bool // after one session
	}{
		{"equal", 50, 0, 0, ModeEqual, false, true},
		{"both empty", 0, 0, 0, ModeEqual, false, true},
		{"newcomer", 0, 0, 9000, ModePull, false, true},
		{"newcomer with something of its own", 0, 3, 5000, ModePull, false, true},
		{"far ahead", 0, 500, 0, ModeLeft, false, false},
		{"ten differences", 1000, 5, 5, ModeSketch, false, true},
		{"a thousand differences", 3000, 600, 400, ModeSketch, false, true},
		{"counts far apart", 3000, 100, 4500, ModeRange, false, true},
		{"too many for the sketch", 500, 3500, 3500, ModeRange, true, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			common := span(0, tc.common)
			a := newFake("auth", open0).put(open0, common...).put(open0, span(100_000, 100_000+tc.a)...)
			b := newFake("auth", open0).put(open0, common...).put(open0, span(200_000, 200_000+tc.b)...)
			r, ans := meet(t, a, b)
			if r.Err != nil || !r.Complete {
				t.Fatalf("report: %+v", r)
			}
			s := r.Sets[1]
			if s.Mode != tc.mode || s.Fallback != tc.fallback || s.Equal != tc.equal || r.Equal() != tc.equal {
				t.Errorf("set: %+v, want mode %s fallback %v equal %v", s, tc.mode, tc.fallback, tc.equal)
			}
			if tc.equal && (s.Got != tc.b || s.Pushed != tc.a) {
				t.Errorf("got %d pushed %d, want %d and %d", s.Got, s.Pushed, tc.b, tc.a)
			}
			if ans.behind != (tc.mode == ModeLeft) {
				t.Errorf("responder behind: %v", ans.behind)
			}
			if ans.behind {
				if r, _ := meet(t, b, a); r.Sets[1].Mode != ModePull || !r.Equal() {
					t.Fatalf("own session of the responder: %+v", r)
				}
			}
			mustEqual(t, a, b)
			if n := len(a.blamed()) + len(b.blamed()); n > 0 {
				t.Errorf("%d refusals between honest nodes", n)
			}
		})
	}
}

// A node that is far behind first gets the latest changes; what needs one page alone
// comes in order.
func TestLatestComesBeforeALongPull(t *testing.T) {
	t.Parallel()
	lately := int(fixedNow().UnixMilli()) - 1_767_225_600_000
	for _, tc := range []struct {
		behind int
		first  bool // what is late comes first
	}{{2 * maxPull, true}, {maxPull - 3, false}} {
		a, b := newFake("auth", open0), newFake("auth", open0).put(open0, span(0, tc.behind)...)
		news := span(lately-3, lately)
		b.put(open0, news...)
		var came []change.ID
		a.deny = func(c *change.Change) reason.Code {
			came = append(came, c.ID)
			return ""
		}
		r, _ := meet(t, a, b)
		if !r.Equal() || len(a.ids()) != tc.behind+3 {
			t.Fatalf("%d changes, report: %+v", len(a.ids()), r)
		}
		if first := came[0] == news[0].ID && came[2] == news[2].ID; first != tc.first {
			t.Errorf("%d behind: news come first: %v, want %v", tc.behind, first, tc.first)
		}
	}
}

// An idle pass is two hellos, with the sets of a whole node in them.
func TestIdlePassIsSmall(t *testing.T) {
	t.Parallel()
	cs := span(0, 5000)
	a, b := newFake("auth", open0).put(open0, cs...), newFake("auth", open0).put(open0, cs...)
	r, ans := meet(t, a, b)
	if !r.Equal() || r.Err != nil {
		t.Fatalf("report: %+v", r)
	}
	const bytes = 290 // of both hellos; the promise is 400
	if r.BytesIn+r.BytesOut != bytes || ans.in != r.BytesOut || ans.out != r.BytesIn {
		t.Errorf("in %d, out %d bytes, want %d in all", r.BytesIn, r.BytesOut, bytes)
	}
}

func TestAnyTwoSetsBecomeEqual(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		a, b := newFake("auth", open0), newFake("auth", open0)
		sizes := rapid.SampledFrom([]int{0, 1, 2, 7, 40, 300})
		for _, set := range a.names {
			base := 0
			if set == open0 {
				base = 1_000_000
			}
			ends := []int{base}
			for range 3 {
				ends = append(ends, ends[len(ends)-1]+sizes.Draw(rt, set))
			}
			a.put(set, span(ends[0], ends[2])...)
			b.put(set, span(ends[1], ends[3])...)
		}
		r, ans := meet(t, a, b)
		if r.Err != nil || !r.Complete {
			rt.Fatalf("report: %+v", r)
		}
		if ans.behind {
			if r, _ = meet(t, b, a); r.Err != nil || !r.Complete {
				rt.Fatalf("second report: %+v", r)
			}
		}
		mustEqual(t, a, b)
	})
}

func TestThreeNodes(t *testing.T) {
	t.Parallel()
	nodes := make([]*fake, 3)
	for i := range nodes {
		nodes[i] = newFake(open0).put(open0, span(i*50, i*50+100)...)
	}
	for _, pair := range [][2]int{{0, 1}, {1, 2}, {2, 0}} {
		if r, _ := meet(t, nodes[pair[0]], nodes[pair[1]]); !r.Equal() {
			t.Fatalf("%v: %+v", pair, r)
		}
	}
	mustEqual(t, nodes[0], nodes[2])
	if r, _ := meet(t, nodes[0], nodes[1]); !r.Equal() {
		t.Fatalf("last: %+v", r)
	}
	mustEqual(t, nodes[0], nodes[1])
}

// Past that a change waits for and that no comparison can show, because the
// peer's set does not have what waits, is asked for by id: here it lies in auth.
func TestMissingPastIsAsked(t *testing.T) {
	t.Parallel()
	root := fabricate(1)
	mid := fabricate(2, root)
	tip := fabricate(3, mid)
	a := newFake("auth", open0)
	b := newFake("auth", open0).put("auth", root).put(open0, mid, tip)
	ours, theirs := net.Pipe()
	ans := endpointOf(t, b).answerer(t.Context(), theirs, "a", anyTime)
	over := make(chan struct{})
	go func() { defer close(over); _ = ans.run(); theirs.Close() }()
	// Only the tip is asked for; what it needs follows.
	ask := endpointOf(t, a).asker(t.Context(), ours, "b", newCursors())
	if err := ask.greet(); err != nil {
		t.Fatal(err)
	}
	ask.missing[open0] = []change.ID{tip.ID}
	if err := ask.past(open0); err != nil {
		t.Fatal(err)
	}
	ask.finish(nil)
	ours.Close()
	<-over
	if len(ask.missing) != 0 || len(a.ids()) != 3 {
		t.Errorf("left %v, have %d changes", ask.missing, len(a.ids()))
	}
}

// Past that the peer does not have is reported, to be asked of another.
func TestPastThatThePeerLacksIsLeft(t *testing.T) {
	t.Parallel()
	root := fabricate(1)
	tip := fabricate(2, root)
	a, b := newFake("auth", open0), newFake("auth", open0).put(open0, tip)
	ours, theirs := net.Pipe()
	ans := endpointOf(t, b).answerer(t.Context(), theirs, "a", anyTime)
	over := make(chan struct{})
	go func() { defer close(over); _ = ans.run(); theirs.Close() }()
	ask := endpointOf(t, a).asker(t.Context(), ours, "b", newCursors())
	r := ask.run()
	ours.Close()
	<-over
	if r.Err != nil || r.Equal() {
		t.Errorf("report: %+v", r)
	}
	if left := ask.missing[open0]; len(left) != 1 || left[0] != root.ID {
		t.Errorf("left %v", ask.missing)
	}
}

// A head that is proved by its descendants comes in one frame with them.
func TestRunTravelsWhole(t *testing.T) {
	t.Parallel()
	cs := span(0, 400)
	b := newFake(open0).put(open0, cs...)
	b.runs[cs[10].ID] = cs[11:200]
	a := newFake(open0).put(open0, cs[:10]...).put(open0, cs[11:]...)
	var frames [][]*change.Change
	ours, theirs := tap(t, func(k kind, payload []byte) (kind, []byte) {
		if k == kindChanges {
			s := session{endpoint: endpointOf(t, a), wire: &wire{}}
			got, _, _, err := s.unpackChanges(payload)
			if err != nil {
				t.Error(err)
			}
			frames = append(frames, got)
		}
		return k, payload
	})
	if r, _ := over(t, endpointOf(t, a), endpointOf(t, b), ours, theirs); !r.Equal() {
		t.Fatalf("report: %+v", r)
	}
	if len(frames) != 1 || len(frames[0]) != 190 || frames[0][0].ID != cs[10].ID || frames[0][189].ID != cs[199].ID {
		t.Errorf("%d frames", len(frames))
	}
}

func TestSessionOverSealedChanges(t *testing.T) {
	t.Parallel()
	network, err := change.Builtin().ID()
	if err != nil {
		t.Fatal(err)
	}
	seal := func(seed byte, n int) []*change.Change {
		key := keys.FromSeed([32]byte{seed})
		var cs []*change.Change
		var prev change.ID
		for i := range n {
			body, err := cbor.Encode(cbor.Map{"type": "gotcha", "text": fmt.Sprintf("A lesson number %d of author %d, long enough to be kept.", i, seed)})
			if err != nil {
				t.Fatal(err)
			}
			c := change.Seal(change.Draft{
				Net: network, Space: change.Commons("go"), Kind: change.KindEntryPut, Body: body,
				HLC: uint64(1_767_225_600_000+i)<<10 + uint64(seed), Seq: uint64(i + 1), Prev: prev, Proof: []change.ID{{seed}},
			}, key)
			prev = c.ID
			cs = append(cs, c)
		}
		return cs
	}
	common := seal(1, 100)
	a := newFake("auth", open0).put(open0, common...).put(open0, seal(2, 30)...)
	b := newFake("auth", open0).put(open0, common...).put(open0, seal(3, 20)...)
	r, _ := meet(t, a, b)
	if !r.Equal() || r.Sets[1].Got != 20 || r.Sets[1].Pushed != 30 {
		t.Fatalf("report: %+v", r)
	}
	mustEqual(t, a, b)
	for _, c := range b.changes {
		if !keys.Verify(c.Head.Author, c.ID.Preimage(), c.Head.Sig[:]) {
			t.Fatal("a signature did not survive the way")
		}
	}
}

// A peer that has no place for a session still answers hello and want.
func TestBusy(t *testing.T) {
	t.Parallel()
	a := newFake(open0).put(open0, span(0, 10)...)
	b := newFake(open0).put(open0, span(5, 15)...)
	ours, theirs := net.Pipe()
	ans := endpointOf(t, b).answerer(t.Context(), theirs, "a", func() bool { return false })
	over := make(chan struct{})
	go func() { defer close(over); _ = ans.run(); theirs.Close() }()
	ask := endpointOf(t, a).asker(t.Context(), ours, "b", newCursors())
	if err := ask.greet(); err != nil {
		t.Fatal(err)
	}
	err := ask.pass()
	if got := fmt.Sprint(err); got != "peer is busy, retry in 5s" {
		t.Fatalf("pass: %v", err)
	}
	ask.missing[open0] = []change.ID{fabricate(14).ID}
	if err := ask.past(open0); err != nil {
		t.Fatal(err)
	}
	ask.finish(nil)
	ours.Close()
	<-over
	if len(a.ids()) != 11 {
		t.Errorf("%d changes", len(a.ids()))
	}
}

// The initiator names whole ids of what is new; they are asked for later.
func TestHaveIsNoted(t *testing.T) {
	t.Parallel()
	a, b := newFake(open0), newFake(open0)
	ours, theirs := net.Pipe()
	ans := endpointOf(t, b).answerer(t.Context(), theirs, "a", anyTime)
	over := make(chan struct{})
	go func() { defer close(over); _ = ans.run(); theirs.Close() }()
	ask := endpointOf(t, a).asker(t.Context(), ours, "b", newCursors())
	if err := ask.greet(); err != nil {
		t.Fatal(err)
	}
	id := fabricate(1).ID
	if err := ask.write(kindHave, have{open0, [][]byte{id[:]}}.encode()); err != nil {
		t.Fatal(err)
	}
	ask.finish(nil)
	ours.Close()
	<-over
	if got := ans.missing[open0]; len(got) != 1 || got[0] != id {
		t.Errorf("noted %v", ans.missing)
	}
}
