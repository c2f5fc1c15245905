package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	ds "github.com/ipfs/go-datastore"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/ingest"
)

func TestForksAreKeptWhicheverCameFirst(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	one := ada.entry("one")
	a, b := ada.twin().entry("a"), ada.twin().entry("b")
	var states []string
	for _, order := range [][]*change.Change{{a, b}, {b, a}} {
		r := newRig(t, w)
		r.take(ada.record, one)
		r.take(order[0])
		r.take(order[1])
		if at, forked := r.views.Forked(a.Head.Chain()); !forked || at != 2 {
			t.Errorf("forked %v at %d", forked, at)
		}
		if _, err := r.submit(ada, "more", ""); reason.Of(err) != reason.ForkedAuthor {
			t.Errorf("submit on a forked chain: %v", err)
		}
		states = append(states, r.state())
		r.sound()
	}
	if states[0] != states[1] {
		t.Error("the order of arrival decided")
	}
}

// together runs Receive of cs and then a Submit of ada's in one batch.
func together(t *testing.T, r *rig, ada *author, cs ...*change.Change) (rec ingest.Receipt, err error) {
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := r.Receive(context.Background(), "peer", "", cs); err != nil {
			t.Errorf("receive: %v", err)
		}
	})
	synctest.Wait() // it is queued
	release := r.halt()
	r.serve()
	synctest.Wait() // it is looked at: own writes would go first
	wg.Go(func() { rec, err = r.submit(ada, "more", "") })
	synctest.Wait()
	release()
	wg.Wait()
	r.end()
	r.sound()
	return rec, err
}

func TestSubmitSeesAForkOfItsBatch(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	old := ada.twin()
	cs := []*change.Change{ada.record, ada.entry("one"), ada.entry("two"), ada.entry("three")}
	lower := old.entry("another one")
	pair := []*change.Change{ada.twin().entry("four"), ada.twin().entry("another four")}
	for name, fork := range map[string][]*change.Change{"below the tip": {lower}, "within the batch": pair} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := crdtlog.NewMemory()
				first := open(t, w, e).serve()
				first.take(cs...)
				first.end()
				if _, err := together(t, open(t, w, e), ada, fork...); reason.Of(err) != reason.ForkedAuthor {
					t.Errorf("submit: %v", err)
				}
			})
		})
	}
}

func TestSubmitContinuesTheTipBesideABetterCopy(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	one, two := ada.entry("one"), ada.entry("two")
	synctest.Test(t, func(t *testing.T) {
		e := crdtlog.NewMemory()
		first := open(t, w, e).serve()
		first.take(ada.record, badSignature(one), two)
		first.end()
		rec, err := together(t, open(t, w, e), ada, one)
		if err != nil || rec.Change.Head.Prev != two.ID {
			t.Errorf("submit: %+v, %v", rec.Change, err)
		}
	})
}

func TestTwoWritersOfOneKeyMakeOneChain(t *testing.T) {
	t.Parallel()
	const each = 200
	w := newWorld("test")
	ada := w.agent("ada")
	r := newRig(t, w)
	r.take(ada.record)
	var wg sync.WaitGroup
	receipts := make([][]ingest.Receipt, 2)
	for g := range receipts {
		wg.Go(func() {
			for i := range each {
				rec, err := r.submit(ada, fmt.Sprintf("entry %d of %d", i, g), "")
				if err != nil {
					t.Errorf("submit: %v", err)
					return
				}
				receipts[g] = append(receipts[g], rec)
			}
		})
	}
	wg.Wait()
	all := slices.Concat(receipts...)
	if len(all) != 2*each {
		t.Fatalf("%d receipts", len(all))
	}
	slices.SortFunc(all, func(a, b ingest.Receipt) int { return int(a.Change.Head.Seq) - int(b.Change.Head.Seq) })
	for i, rec := range all {
		if h := rec.Change.Head; h.Seq != uint64(i+1) || i > 0 && h.Prev != all[i-1].Change.ID {
			t.Fatalf("place %d: seq %d after %s", i, h.Seq, h.Prev)
		}
		if stored, err := r.log.Get(t.Context(), rec.Change.ID); err != nil || stored.Seq != rec.Seq || stored.Set != rec.Set {
			t.Fatalf("receipt %+v, stored at %d in %s, %v", rec, stored.Seq, stored.Set, err)
		}
	}
	if len(r.views.Forks()) > 0 {
		t.Error("forked")
	}
	r.sound()
}

func TestMarkIsReplayedAlsoAfterReopening(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	e := crdtlog.NewMemory()
	var first ingest.Receipt
	for i := range 3 {
		r := open(t, w, e).serve()
		if i == 0 {
			r.take(ada.record)
		}
		for j := range 2 {
			rec, err := r.submit(ada, fmt.Sprint("attempt ", i, j), "key")
			if err != nil {
				t.Fatal(err)
			}
			if i+j == 0 {
				first = rec
				continue
			}
			if !rec.Replay || rec.Change.ID != first.Change.ID || rec.Seq != first.Seq || rec.Set != first.Set {
				t.Errorf("attempt %d %d: %+v", i, j, rec)
			}
		}
		if r.log.LastSeq() != 2 {
			t.Errorf("%d changes", r.log.LastSeq())
		}
		r.end()
	}
}

func TestSubmitIsRefusedWithTheCodeOfEveryPeer(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada, bo := w.agent("ada"), w.agent("bo")
	r := newRig(t, w)
	ahead := bo.write(change.Draft{
		Space: change.Commons("go"), Kind: change.KindEntryPut, Body: entryBody("ahead"), HLC: uint64(w.genesis.Start+2*time.Hour.Milliseconds()) << 10,
	})
	r.take(ada.record, bo.record, ahead)
	good := ingest.Write{Signer: ada.key, Space: change.Commons("go"), Kind: change.KindEntryPut, Body: entryBody("x"), Proof: []change.ID{ada.record.ID}}
	with := func(f func(*ingest.Write)) ingest.Write {
		w := good
		f(&w)
		return w
	}
	before := r.state()
	for name, test := range map[string]struct {
		w    ingest.Write
		want reason.Code
	}{
		"builds on the future": {with(func(w *ingest.Write) { w.Deps = []change.ID{ahead.ID} }), reason.ClockAhead},
		"unknown dependency":   {with(func(w *ingest.Write) { w.Deps = []change.ID{{7}} }), reason.MissingDeps},
		"no identity":          {with(func(w *ingest.Write) { w.Proof = nil }), reason.CapabilityMissing},
		"body fails its row":   {with(func(w *ingest.Write) { w.Body = []byte{0xa0} }), reason.BadEncoding},
		"foreign space":        {with(func(w *ingest.Write) { w.Space, w.Kind = bo.id.Space(), change.KindDocEdit }), reason.CapabilityMissing},
	} {
		if _, err := r.Submit(t.Context(), test.w); reason.Of(err) != test.want {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
		if r.state() != before {
			t.Fatalf("%s: stored", name)
		}
	}
	r.clock.Add((46 * time.Minute).Milliseconds())
	rec, err := r.Submit(t.Context(), with(func(w *ingest.Write) { w.Deps = []change.ID{ahead.ID} }))
	if err != nil || rec.Change.Head.HLC != ahead.Head.HLC+1 {
		t.Errorf("within fifteen minutes: %v", err)
	}
}

// faulty is an engine of which some commits fail, with the batch stored or not.
type faulty struct {
	crdtlog.Engine
	mu     sync.Mutex
	left   int // commits that succeed before one fails; below 0 none fails
	fault  error
	stores bool
}

func (f *faulty) Batch(ctx context.Context) (ds.Batch, error) {
	b, err := f.Engine.Batch(ctx)
	return faultyBatch{b, f}, err
}

type faultyBatch struct {
	ds.Batch
	f *faulty
}

func (b faultyBatch) Commit(ctx context.Context) error {
	b.f.mu.Lock()
	defer b.f.mu.Unlock()
	b.f.left--
	if b.f.left != -1 {
		return b.Batch.Commit(ctx)
	}
	if b.f.stores {
		if err := b.Batch.Commit(ctx); err != nil {
			return err
		}
	}
	return b.f.fault
}

func TestFailedCommitAcknowledgesNothing(t *testing.T) {
	t.Parallel()
	for _, fault := range []error{syscall.ENOSPC, syscall.EIO} {
		for _, stores := range []bool{false, true} {
			for at := range 4 {
				t.Run(fmt.Sprintf("%v at %d, stored %v", fault, at, stores), func(t *testing.T) {
					t.Parallel()
					failCommit(t, &faulty{Engine: crdtlog.NewMemory(), left: -1, fault: fault, stores: stores}, at)
				})
			}
		}
	}
}

func failCommit(t *testing.T, f *faulty, at int) {
	w := newWorld("test")
	ada := w.agent("ada")
	r := open(t, w, f).serve()
	defer func() { r.end() }()
	r.take(ada.record)
	f.mu.Lock()
	f.left = at
	f.mu.Unlock()
	for i := range at {
		if _, err := r.submit(ada, fmt.Sprint("before ", i), ""); err != nil {
			t.Fatal(err)
		}
	}
	before, seq := r.state(), r.log.LastSeq()
	full := errors.Is(f.fault, syscall.ENOSPC)
	_, err := r.submit(ada, "lost or not", "key")
	if err == nil || full != (reason.Of(err) == reason.ReadOnly) || r.ReadOnly() != full {
		t.Fatalf("submit: %v, read-only %v", err, r.ReadOnly())
	}
	if r.state() != before || r.log.LastSeq() != seq {
		t.Error("a failed commit changed memory")
	}
	r.SetReadOnly(false)

	// The author goes on, beside or on top of what the failed batch left.
	rec, err := r.submit(ada, "after", "")
	if err != nil {
		t.Fatalf("submit after it: %v", err)
	}
	again, err := r.submit(ada, "lost or not", "key")
	if err != nil || again.Replay != f.stores {
		t.Errorf("the same request again: %+v, %v", again, err)
	}
	if want := seq + 2; r.log.LastSeq() != want {
		t.Errorf("%d changes, want %d", r.log.LastSeq(), want)
	}
	if f.stores == (again.Seq > rec.Seq) {
		t.Errorf("lost or not at %d, after it %d", again.Seq, rec.Seq)
	}
	if len(r.views.Forks()) > 0 {
		t.Error("the author forked its own chain")
	}
	if len(r.announced) != int(r.log.LastSeq()) {
		t.Errorf("%d of %d announced", len(r.announced), r.log.LastSeq())
	}
	r.sound()
	state := r.state()
	r.end()
	r = open(t, w, f.Engine).serve()
	if r.state() != state {
		t.Error("memory is not what the disk holds")
	}
}

func TestQuietSeesWhatAFailedCommitLeft(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	f := &faulty{Engine: crdtlog.NewMemory(), left: 1, fault: syscall.ENOSPC, stores: true}
	r := open(t, w, f).serve()
	defer r.end()
	r.take(ada.record)
	if _, err := r.submit(ada, "one", ""); reason.Of(err) != reason.ReadOnly {
		t.Fatalf("submit: %v", err)
	}
	if err := r.log.Writable(t.Context()); err != nil || r.log.LastSeq() != 2 {
		t.Fatalf("%d changes, %v", r.log.LastSeq(), err)
	}
	ran := false
	if err := r.Quiet(t.Context(), func() { ran = true; r.sound() }); err != nil || !ran {
		t.Errorf("quiet: %v", err)
	}
}
