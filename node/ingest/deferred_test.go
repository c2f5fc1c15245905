package ingest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

func TestWaitingExpires(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	one, two := ada.entry("one"), ada.entry("two")
	r := newRig(t, w)
	r.take(ada.record)
	if out := r.receive("peer", two); out.Codes[0] != reason.MissingDeps || len(out.Missing) != 1 || out.Missing[0] != one.ID {
		t.Fatalf("outcome %+v", out)
	}
	r.clock.Add((10 * time.Minute).Milliseconds())
	if r.Deferred() != 1 {
		t.Error("forgotten too early")
	}
	r.clock.Add(1)
	if r.Deferred() != 0 {
		t.Error("not forgotten after ten minutes")
	}
	r.take(one)
	if r.member(two) {
		t.Error("what was forgotten came back")
	}
	r.take(two)
}

// A change is judged while its past is on its way to the log: whoever brings the
// past has looked for those that wait before the change did.
func TestChangeThatCrossesItsPastIsTakenIn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld("test")
		ada := w.agent("ada")
		one, two, three := ada.entry("one"), ada.entry("two"), ada.entry("three")
		r := newRig(t, w)
		r.take(ada.record)
		busy, quiet := make(chan struct{}), make(chan struct{})
		go func() {
			if err := r.Quiet(t.Context(), func() { close(quiet); <-busy }); err != nil {
				t.Error(err)
			}
		}()
		<-quiet
		for _, c := range []*change.Change{three, two, one} { // judged in this order
			go r.receive("peer", c)
			synctest.Wait()
		}
		close(busy)
		synctest.Wait()
		if !r.member(two) || !r.member(three) || r.Deferred() != 0 {
			t.Errorf("members: %v, %v; %d wait", r.member(two), r.member(three), r.Deferred())
		}
		r.sound()
	})
}

func TestWaitingDescendantProvesItsAncestor(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	one, two := ada.entry("one"), ada.entry("two")
	r := newRig(t, w)
	r.take(ada.record)
	r.receive("peer", two)
	if out := r.receive("other", badSignature(one)); out.New != 2 || out.Codes[0] != "" {
		t.Fatalf("outcome %+v", out)
	}
	rec, err := r.log.Get(t.Context(), one.ID)
	if err != nil || rec.Own {
		t.Errorf("own signature %v, %v", rec.Own, err)
	}
	// A copy that verifies by itself is the better one.
	r.receive("other", one)
	if rec, err = r.log.Get(t.Context(), one.ID); err != nil || !rec.Own {
		t.Errorf("own signature %v, %v after the good copy", rec.Own, err)
	}
	r.sound()
}

func TestHeadWithoutProofThatStaysIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada, bo := w.agent("ada"), w.agent("bo")
	late := bo.entry("late")
	one := ada.entry("one")
	two := ada.entry("two", late.ID)
	forged := badSignature(one)
	r := newRig(t, w)
	r.take(ada.record, bo.record)
	before := r.state()

	out := r.receive("peer", forged, two)
	if out.Codes[0] != reason.BadChangeSignature || out.Codes[1] != reason.MissingDeps || out.New != 0 {
		t.Fatalf("outcome %+v", out)
	}
	if r.state() != before || r.Deferred() != 1 {
		t.Error("a head that nobody can prove was stored")
	}
	r.take(late)
	if out := r.receive("peer", forged); out.Codes[0] != reason.BadChangeSignature {
		t.Errorf("from the cache: %+v", out)
	}
	r.clock.Add((10*time.Minute + time.Millisecond).Milliseconds())
	r.take(forged, two)
	r.sound()
}

// A batch that is taken back, because one of its heads lost its proof, does not
// lose what waited for another of it.
func TestBatchTakenBackKeepsWhatWaited(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada, bo, eve := w.agent("ada"), w.agent("bo"), w.agent("eve")
	past := bo.entry("past")
	waits := ada.entry("waits", past.ID)
	one, late := eve.entry("one"), bo.entry("never comes")
	two := eve.entry("two", late.ID)
	r := newRig(t, w)
	r.take(ada.record, bo.record, eve.record)
	r.receive("sender", waits)
	r.receive("peer", past, badSignature(one), two)
	if !r.member(past) || !r.member(waits) {
		t.Errorf("the past is here: %v, what waited for it: %v", r.member(past), r.member(waits))
	}
	r.sound()
}

func TestBringerOfAPastAnswersForItsOwnAlone(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada, bo := w.agent("ada"), w.agent("bo")
	past := bo.entry("past")
	wrong := ada.seal(change.Draft{
		Space: change.Commons("go"), Kind: change.KindEntryPut, Body: entryBody("wrong"), Deps: []change.ID{past.ID}, Proof: []change.ID{bo.record.ID},
	})
	r := newRig(t, w)
	r.take(ada.record, bo.record)
	r.receive("sender", wrong)
	out := r.receive("bringer", past)
	if out.New != 1 || len(out.Refused) != 0 || out.Codes[0] != "" {
		t.Errorf("outcome %+v of one good change", out)
	}
	if r.member(wrong) || r.Deferred() != 0 {
		t.Error("what waited was not judged")
	}
	if out := r.receive("sender", wrong); out.Codes[0] != reason.CapabilityMissing {
		t.Errorf("outcome %+v of its sender", out)
	}
}

func TestLongWaitsResolveFromTheEnd(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	cs := []*change.Change{ada.record}
	for range 50 {
		cs = append(cs, ada.entry(string(rune('a'+len(cs)))))
	}
	r := newRig(t, w)
	for i := len(cs) - 1; i > 0; i-- {
		r.receive("peer", cs[i])
	}
	if r.Deferred() != 50 || r.log.LastSeq() != 0 {
		t.Fatalf("%d wait", r.Deferred())
	}
	if out := r.receive("peer", cs[0]); out.New != len(cs) {
		t.Errorf("outcome %+v", out)
	}
	r.sound()
}
