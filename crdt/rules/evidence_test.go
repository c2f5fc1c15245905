package rules_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/keys"
)

type evidenceIn struct {
	Changes []vectortest.Change `json:"changes"` // as they arrive, heads only
}

type evidenceOut struct {
	Authenticated []bool `json:"authenticated"`
}

type evidenceVector = vectortest.Vector[evidenceIn, evidenceOut]

// run is n changes of one content chain, newest last.
func (m *maker) run(k *keys.Private, domain string, n int) []*change.Change {
	out := make([]*change.Change, n)
	for i := range out {
		d := change.Draft{Space: change.Commons(domain), Kind: "zeta", HLC: start + uint64(i) + 1}
		if i > 0 {
			d = on(out[i-1], d)
		}
		out[i] = m.seal(k, d)
	}
	return out
}

// spoil gives copies whose own signatures do not verify, but for those at good.
func spoil(cs []*change.Change, good ...int) []*change.Change {
	out := make([]*change.Change, len(cs))
	for i, c := range cs {
		if out[i] = c; !slices.Contains(good, i) {
			out[i] = worldtest.BadSignature(c)
		}
	}
	return out
}

func evidenceVectors(t testing.TB) []evidenceVector {
	t.Helper()
	m := newMaker(t, vectorNet())
	ada, bo := key(0x11), key(0x22)
	var out []evidenceVector
	add := func(name string, want func(i int) bool, cs ...*change.Change) {
		v := evidenceVector{Name: name, Out: &evidenceOut{}}
		for i, c := range cs {
			v.In.Changes = append(v.In.Changes, vectortest.Of(c.Stub()))
			v.Out.Authenticated = append(v.Out.Authenticated, want(i))
		}
		out = append(out, v)
	}
	all := func(int) bool { return true }
	none := func(int) bool { return false }
	run := m.run(ada, "go", 5)
	add("a run whose signatures are all good", all, run...)
	add("only its last signature is good", all, spoil(run, 4)...)
	add("one in the middle is bad", all, spoil(run, 0, 1, 3, 4)...)
	add("the last is bad", func(i int) bool { return i < 4 }, spoil(run, 0, 1, 2, 3)...)
	add("only one in the middle is good", func(i int) bool { return i <= 2 }, spoil(run, 2)...)
	add("none is good", none, spoil(run)...)
	backwards := spoil(run, 4)
	slices.Reverse(backwards)
	add("newest first", all, backwards...)
	add("a gap: what lies below it has no descendant here", func(i int) bool { return i >= 2 }, spoil([]*change.Change{run[0], run[1], run[3], run[4]}, 3)...)

	fork := m.seal(ada, on(run[1], change.Draft{Space: change.Commons("go"), Kind: "zeta", HLC: start + 99}))
	add("the good signature of one branch proves the shared part", func(i int) bool { return i <= 1 || i == 5 }, append(spoil(run), fork)...)
	add("each branch proves itself", func(i int) bool { return i <= 2 || i == 5 }, append(spoil(run, 2), fork)...)
	other := m.run(bo, "go", 2)
	add("another author's chain proves nothing here", func(i int) bool { return i >= 5 }, append(spoil(run), other...)...)
	add("a copy with a good signature among copies with bad ones", func(i int) bool { return i == 1 },
		worldtest.BadSignature(run[0]), run[0], worldtest.BadSignature(run[0]))
	add("every copy is proven by a descendant", all, worldtest.BadSignature(run[0]), worldtest.BadSignature(run[0]), run[1])

	bind := m.bind(ada, body.Bind{Name: "Ada"})
	later := m.seal(ada, m.later(bind, bind, body.Bind{}))
	add("a control chain: each by itself", func(i int) bool { return i == 1 }, spoil([]*change.Change{bind, later}, 1)...)
	add("a control chain whose signatures are good", all, bind, later)

	const far = change.MaxRun + 3
	long := m.run(ada, "go", far)
	add("256 places below the last signature, and no further", func(i int) bool { return far-1-i <= change.MaxRun }, spoil(long, far-1)...)
	add("a good signature 256 places below the last one begins anew", all, spoil(long, far-1, far-1-change.MaxRun)...)
	deep := m.run(ada, "go", 360)
	add("of two good signatures the older one reaches further down", func(i int) bool { return 359-i <= 101+change.MaxRun }, spoil(deep, 359, 359-100, 359-101)...)
	return out
}

func TestEvidenceVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectortest.Golden(t, "evidence/evidence.json", evidenceVectors(t)) {
		var cs []*change.Change
		for _, raw := range v.In.Changes {
			c, err := raw.Decode()
			if err != nil {
				t.Fatalf("%s: %v", v.Name, err)
			}
			cs = append(cs, c)
		}
		got := rules.Authenticate(cs)
		for i, ev := range got {
			if (ev != rules.Unproven) != v.Out.Authenticated[i] {
				t.Errorf("%s: place %d: evidence %d", v.Name, i, ev)
			}
		}
	}
}

// defined is the definition (wire §3), without any economy: by its own
// signature, or in a content lane by that of a descendant by prev.
func defined(cs []*change.Change) []bool {
	good := func(c *change.Change) bool { return keys.Verify(c.Head.Author, c.ID.Preimage(), c.Head.Sig[:]) }
	out := make([]bool, len(cs))
	for i, c := range cs {
		if out[i] = good(c); change.LaneOf(c.Head.Kind) == change.Control {
			continue
		}
		above := map[change.ID]bool{c.ID: true}
		for range change.MaxRun {
			next := map[change.ID]bool{}
			for _, d := range cs {
				if d.Head.Seq > 1 && above[d.Head.Prev] {
					next[d.ID] = true
					out[i] = out[i] || good(d)
				}
			}
			if above = next; len(next) == 0 {
				break
			}
		}
	}
	return out
}

func TestAuthenticateIsItsDefinition(t *testing.T) {
	t.Parallel()
	m := newMaker(t, vectorNet())
	authors := []*keys.Private{key(0x11), key(0x22)}
	// A pool of chains with branches, made once since signing is what costs.
	var pool []*change.Change
	for _, k := range authors {
		for _, domain := range []string{"go", "rust"} {
			run := m.run(k, domain, 12)
			pool = append(pool, run...)
			side := run[4]
			for i := range 5 {
				side = m.seal(k, on(side, change.Draft{Space: change.Commons(domain), Kind: "zeta", HLC: start + 100 + uint64(i)}))
				pool = append(pool, side)
			}
		}
		bind := m.bind(k, body.Bind{Name: "Ada"})
		pool = append(pool, bind, m.seal(k, m.later(bind, bind, body.Bind{})))
	}
	rapid.Check(t, func(t *rapid.T) {
		cs := rapid.SliceOfN(rapid.SampledFrom(pool), 0, 40).Draw(t, "changes")
		share := rapid.IntRange(0, 10).Draw(t, "bad of ten")
		for i, c := range cs {
			if rapid.IntRange(0, 9).Draw(t, "bad") < share {
				cs[i] = worldtest.BadSignature(c)
			}
		}
		want := defined(cs)
		for i, ev := range rules.Authenticate(cs) {
			if (ev != rules.Unproven) != want[i] {
				t.Fatalf("place %d: evidence %d, want authenticated %t", i, ev, want[i])
			}
			c := cs[i]
			if ev == rules.OwnSignature && !keys.Verify(c.Head.Author, c.ID.Preimage(), c.Head.Sig[:]) {
				t.Fatalf("place %d: its own signature does not verify", i)
			}
		}
	})
}

// Long runs, where the window of 256 places decides.
func TestAuthenticateLongRuns(t *testing.T) {
	t.Parallel()
	m := newMaker(t, vectorNet())
	const n = 2*change.MaxRun + 20
	run := m.run(key(0x11), "go", n)
	rapid.Check(t, func(t *rapid.T) {
		good := rapid.SliceOfNDistinct(rapid.IntRange(0, n-2), 0, 5, rapid.ID).Draw(t, "good")
		for _, g := range good {
			if rapid.Bool().Draw(t, "and the next") {
				good = append(good, g+1)
			}
		}
		cs := spoil(run, good...)
		want := make([]bool, n) // by distance alone, since there are no branches
		for _, g := range good {
			for i := max(0, g-change.MaxRun); i <= g; i++ {
				want[i] = true
			}
		}
		shuffle(cs, rapid.Uint64().Draw(t, "seed"), func(i, j int) { want[i], want[j] = want[j], want[i] })
		for i, ev := range rules.Authenticate(cs) {
			if (ev != rules.Unproven) != want[i] {
				t.Fatalf("seq %d: evidence %d, want authenticated %t", cs[i].Head.Seq, ev, want[i])
			}
		}
	})
}

func shuffle(cs []*change.Change, seed uint64, also func(i, j int)) {
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(cs), func(i, j int) {
		cs[i], cs[j] = cs[j], cs[i]
		also(i, j)
	})
}

func TestAuthenticateNothing(t *testing.T) {
	t.Parallel()
	if got := rules.Authenticate(nil); len(got) != 0 {
		t.Errorf("%d answers", len(got))
	}
}

// Were copies followed one by one, 3^60 paths would lead up this run.
func TestCopiesDoNotMultiplyTheWork(t *testing.T) {
	t.Parallel()
	m := newMaker(t, vectorNet())
	var cs []*change.Change
	for _, c := range m.run(key(0x11), "go", 60) {
		bad := worldtest.BadSignature(c)
		cs = append(cs, bad, bad, bad)
	}
	for i, ev := range rules.Authenticate(cs) {
		if ev != rules.Unproven {
			t.Errorf("place %d: evidence %d", i, ev)
		}
	}
}
