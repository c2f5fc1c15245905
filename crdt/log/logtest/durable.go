package logtest

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
)

// story writes a bit of everything.
func (b *box) story(t testing.TB) {
	t.Helper()
	w := b.world
	es := b.stored(t, "ada", 6)
	bo := w.Agent("bo")
	twin := bo.Clone()
	b.append(t, bo.Bind(), bo.Entry("rust", "left"))
	twin.Binding = bo.Binding
	stub := bo.Entry("rust", "stub")
	b.append(t, twin.Entry("rust", "right"), stub.Stub())
	x, y := bo.Entry("rust", "x"), bo.Entry("rust", "y")
	if _, err := b.Append(t.Context(), unproven(w, x, y), log.Mark{Key: "k", Value: []byte("v")}); err != nil {
		t.Fatal(err)
	}
	if err := b.Purge(t.Context(), es[1].ID, reason.SecretDetected); err != nil {
		t.Fatal(err)
	}
	if err := b.Hold(t.Context(), es[2].ID, reason.Quarantined); err != nil {
		t.Fatal(err)
	}
}

func testReopen(t *testing.T, newPlace func(t testing.TB) Place) {
	b := newBox(t, newPlace, worldtest.NewSharded(21, 3))
	b.story(t)
	records, counts, sets := b.since(t), b.Counts(), b.fingerprints()
	b.close(t)
	b.open(t, nil)
	if !slices.EqualFunc(b.since(t), records, sameRecord) || b.Counts() != counts || b.fingerprints() != sets {
		t.Error("the log is another after it was opened again")
	}
	b.sound(t)
	// It goes on where it was.
	last := b.LastSeq()
	if out := b.append(t, b.world.Agent("cy").Bind()); out[0].Seq != last+1 {
		t.Errorf("next sequence %d, want %d", out[0].Seq, last+1)
	}
}

func (b *box) fingerprints() string {
	s := ""
	for _, name := range b.Sets() {
		n, fp := b.Set(name).FP()
		s += fmt.Sprintf("%s %d %x\n", name, n, fp)
	}
	return s
}

func testForeign(t *testing.T, newPlace func(t testing.TB) Place) {
	b := newBox(t, newPlace, worldtest.New(22))
	b.story(t)
	_, err := log.Open(t.Context(), b.engine, 2, nil)
	wantErr(t, err, log.ErrFormat)
	_, err = log.Open(t.Context(), b.engine, 0, nil)
	wantErr(t, err, log.ErrFormat)
}

// randomly writes n batches of anything; ops come from draw.
func randomly(t testing.TB, b *box, authors []*worldtest.Author, known *[]*change.Change, draw func(n int) int) {
	t.Helper()
	a := authors[draw(len(authors))]
	var cs []*change.Change
	if a.Binding == nil {
		cs = append(cs, a.Bind())
	}
	switch draw(6) {
	case 0:
		twin := a.Clone()
		cs = append(cs, a.Entry("go", "left"), twin.Entry("go", "right"))
	case 1:
		cs = append(cs, a.Entry("rust", "stub").Stub())
	case 2:
		if len(*known) > 0 {
			c := (*known)[draw(len(*known))]
			if err := b.Hold(t.Context(), c.ID, reason.Quarantined); err != nil {
				t.Fatal(err)
			}
		}
	case 3:
		if len(*known) > 0 {
			c := (*known)[draw(len(*known))]
			err := b.Purge(t.Context(), c.ID, reason.Purged)
			if err != nil && change.LaneOf(c.Head.Kind) != change.Control {
				t.Fatal(err)
			}
		}
	default:
		for range draw(4) + 1 {
			cs = append(cs, a.Entry("zig", "more"))
		}
	}
	b.append(t, cs...)
	*known = append(*known, cs...)
}

func testCheckpoint(t *testing.T, newPlace func(t testing.TB) Place) {
	rapid.Check(t, func(r *rapid.T) {
		w := worldtest.NewSharded(rapid.Uint64().Draw(r, "seed"), rapid.IntRange(1, 3).Draw(r, "shards"))
		b := newBox(t, newPlace, w)
		authors := []*worldtest.Author{w.Agent("ada"), w.Agent("bo"), w.Agent("cy")}
		var known []*change.Change
		draw := func(n int) int { return rapid.IntRange(0, n-1).Draw(r, "n") }
		for range draw(8) {
			randomly(t, b, authors, &known, draw)
		}
		raw, seq := b.AppendCheckpoint([]byte("prefix"))
		for range draw(4) {
			randomly(t, b, authors, &known, draw)
		}
		live := *b
		cp, err := log.DecodeCheckpoint(raw[len("prefix"):])
		if err != nil || cp.Seq() != seq {
			r.Fatalf("decode checkpoint of %d: %v", seq, err)
		}
		b.close(t)
		b.open(t, cp)
		from := *b
		scanned := *b
		if scanned.Log, err = log.Open(t.Context(), b.engine, w.Genesis.Shards, nil); err != nil {
			r.Fatal(err)
		}
		same(t, &from, &scanned)
		if live.fingerprints() != from.fingerprints() || live.Counts() != from.Counts() {
			r.Error("the log is another after a restart from a checkpoint")
		}
		again, _ := from.AppendCheckpoint(nil)
		want, _ := scanned.AppendCheckpoint(nil)
		if string(again) != string(want) {
			r.Error("equal logs have unequal checkpoints")
		}
		b.close(t)
	})
	// A checkpoint of another log, or from the future of this one, is not used.
	b := newBox(t, newPlace, worldtest.New(23))
	b.story(t)
	other := newBox(t, newPlace, worldtest.New(24))
	other.story(t)
	foreign := first(b.AppendCheckpoint(nil))
	b.append(t, b.world.Agent("zoe").Bind())
	for _, raw := range [][]byte{first(other.AppendCheckpoint(nil)), foreign, first(b.AppendCheckpoint(nil))} {
		cp, err := log.DecodeCheckpoint(raw)
		if err != nil {
			t.Fatal(err)
		}
		l, err := log.Open(t.Context(), other.engine, 1, cp)
		if err != nil {
			t.Fatal(err)
		}
		same(t, other, &box{Log: l, world: other.world})
	}
}

func first(b []byte, _ uint64) []byte { return b }

// testModel runs operations against the log and against a plain list.
func testModel(t *testing.T, newPlace func(t testing.TB) Place) {
	rapid.Check(t, func(r *rapid.T) {
		w := worldtest.New(rapid.Uint64().Draw(r, "seed"))
		b := newBox(t, newPlace, w)
		authors := []*worldtest.Author{w.Agent("ada"), w.Agent("bo")}
		var known []*change.Change
		draw := func(n int) int { return rapid.IntRange(0, n-1).Draw(r, "n") }
		for range draw(12) + 1 {
			randomly(t, b, authors, &known, draw)
		}
		if got := recordIDs(b.since(t)); !slices.Equal(got, ids(known...)) {
			r.Fatalf("%d records, want %d in order of arrival", len(got), len(known))
		}
		var open, auth []*change.Change
		twins := map[change.Chain]map[uint64][]change.ID{}
		for _, c := range known {
			if change.IsControl(c.Head.Kind) {
				auth = append(auth, c)
			} else {
				open = append(open, c)
			}
			chain := c.Head.Chain()
			if twins[chain] == nil {
				twins[chain] = map[uint64][]change.ID{}
			}
			twins[chain][c.Head.Seq] = append(twins[chain][c.Head.Seq], c.ID)
		}
		for set, want := range map[string][]*change.Change{"open/0": open, "auth": auth} {
			rs, err := b.Range(t.Context(), set, recon.Item{}, 1<<30, 1<<30)
			if err != nil || !slices.Equal(recordIDs(rs), ids(byItem(want)...)) {
				r.Fatalf("range of %s has %d of %d records: %v", set, len(rs), len(want), err)
			}
		}
		for chain, places := range twins {
			forked := false
			for seq, want := range places {
				at, err := b.At(t.Context(), chain, seq)
				if err != nil || !slices.Equal(at, sorted(want)) {
					r.Fatalf("place %d has %v, want %v: %v", seq, at, want, err)
				}
				forked = forked || len(want) > 1
			}
			id, seq, _, f, err := b.Tip(t.Context(), chain)
			if err != nil || f != forked || !slices.Contains(places[seq], id) || len(places[seq+1]) > 0 {
				r.Fatalf("tip %s at %d, forked %v: %v", id, seq, f, err)
			}
		}
		b.sound(t)
		b.close(t)
	})
}

func testConcurrent(t *testing.T, newPlace func(t testing.TB) Place) {
	const writers, batches = 4, 20
	w := worldtest.New(25)
	b := newBox(t, newPlace, w)
	work := make([][][]*change.Change, writers)
	for i := range work {
		a := w.Agent(fmt.Sprint("author ", i))
		for j := range batches {
			batch := []*change.Change{a.Entry("go", fmt.Sprint(j))}
			if j == 0 {
				a = w.Agent(fmt.Sprint("author ", i))
				batch = []*change.Change{a.Bind(), a.Entry("go", "first")}
			}
			work[i] = append(work[i], batch)
		}
	}
	verified := make([][]func() error, writers)
	for i := range work {
		for _, batch := range work[i] {
			vs := w.Verify(batch...)
			verified[i] = append(verified[i], func() error {
				_, err := b.Append(t.Context(), vs)
				return err
			})
		}
	}
	var wg sync.WaitGroup
	done := make(chan struct{})
	for i := range writers {
		wg.Go(func() {
			for j, write := range verified[i] {
				if err := write(); err != nil {
					t.Errorf("writer %d: %v", i, err)
				}
				if j == batches/2 {
					if err := b.Purge(t.Context(), work[i][1][0].ID, someCode); err != nil {
						t.Errorf("purge: %v", err)
					}
				}
			}
		})
	}
	var readers sync.WaitGroup
	for i := range 3 {
		readers.Go(func() { b.readUntil(t, i, done) })
	}
	wg.Wait()
	close(done)
	readers.Wait()
	if got := b.LastSeq(); got != writers*(batches+1) {
		t.Errorf("%d members, want %d", got, writers*(batches+1))
	}
	b.sound(t)
}

// readUntil reads what is there in one of three ways and finds it whole.
func (b *box) readUntil(t *testing.T, way int, done <-chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-done:
			if n > 0 {
				return
			}
		default:
		}
		last := b.LastSeq()
		switch way {
		case 0:
			rs, err := b.Since(t.Context(), 0, 1<<20)
			if err != nil || uint64(len(rs)) < last {
				t.Errorf("since: %d of %d records, %v", len(rs), last, err)
				return
			}
		case 1:
			for _, set := range b.Sets() {
				want := b.Set(set).Len()
				rs, err := b.Range(t.Context(), set, recon.Item{}, 1<<20, 1<<30)
				if err != nil || len(rs) < want {
					t.Errorf("range: %d of %d records, %v", len(rs), want, err)
					return
				}
			}
		default:
			if err := b.Verify(t.Context(), true, func(p log.Problem) { t.Errorf("verify: %+v", p) }); err != nil {
				t.Errorf("verify: %v", err)
				return
			}
			raw, _ := b.AppendCheckpoint(nil)
			if _, err := log.DecodeCheckpoint(raw); err != nil {
				t.Errorf("checkpoint: %v", err)
				return
			}
		}
	}
}
