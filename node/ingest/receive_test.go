package ingest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/ingest"
)

func TestReceiveRefusesEachFaultWithItsCode(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada, bo := w.agent("ada"), w.agent("bo")
	first := ada.entry("first")
	commons := change.Commons("go")
	other := newWorld("another")
	stranger := other.agent("ada")
	draft := func(d change.Draft) change.Draft {
		if d.Kind == "" {
			d.Kind = change.KindEntryPut
		}
		if d.Space == "" {
			d.Space = commons
		}
		if d.Body == nil {
			d.Body = entryBody("refused")
		}
		return d
	}
	second := draft(change.Draft{})
	for name, test := range map[string]struct {
		c      *change.Change
		set    string
		want   reason.Code
		cached bool
	}{
		"another network":          {c: stranger.record, want: reason.BadEncoding, cached: true},
		"malformed control body":   {c: ada.seal(draft(change.Draft{Space: ada.id.Space(), Kind: change.KindBind, Body: []byte{0x01}})), want: reason.BadEncoding, cached: true},
		"forged signature":         {c: badSignature(ada.seal(second)), want: reason.BadChangeSignature, cached: true},
		"no identity":              {c: ada.seal(draft(change.Draft{Proof: []change.ID{}})), want: reason.CapabilityMissing, cached: true},
		"identity of another":      {c: ada.seal(draft(change.Draft{Proof: []change.ID{bo.record.ID}})), want: reason.CapabilityMissing, cached: true},
		"space of another":         {c: ada.seal(draft(change.Draft{Space: bo.id.Space(), Kind: change.KindDocEdit})), want: reason.CapabilityMissing, cached: true},
		"a team without role":      {c: ada.seal(draft(change.Draft{Space: change.Space("team/" + bo.id.String()[4:])})), want: reason.CapabilityMissing, cached: true},
		"gap in the chain":         {c: ada.seal(draft(change.Draft{Seq: 5, Prev: first.ID})), want: reason.BadSequence, cached: true},
		"time below its past":      {c: ada.seal(draft(change.Draft{HLC: first.Head.HLC})), want: reason.BadSequence, cached: true},
		"grant without a token":    {c: ada.seal(draft(change.Draft{Space: ada.id.Space(), Kind: "grant"})), want: reason.BadEncoding, cached: true},
		"another set than asked":   {c: ada.seal(second), set: change.SetAuth, want: reason.UnknownSpace, cached: true},
		"past that is not here":    {c: ada.seal(draft(change.Draft{Deps: []change.ID{{1}}})), want: reason.MissingDeps},
		"control change in open":   {c: ada.seal(draft(change.Draft{Space: ada.id.Space(), Kind: change.KindBind})), set: "open/0", want: reason.UnknownSpace, cached: true},
		"proof of another network": {c: ada.seal(draft(change.Draft{Proof: []change.ID{stranger.record.ID}})), want: reason.MissingDeps},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, w)
			r.take(ada.twin().record, bo.record, first)
			before, seq := r.state(), r.log.LastSeq()
			out, err := r.Receive(t.Context(), "peer", test.set, []*change.Change{test.c})
			if err != nil || out.Codes[0] != test.want || out.Refused[test.want] != 1 || out.New != 0 {
				t.Fatalf("outcome %+v, %v; want %s", out, err, test.want)
			}
			if r.state() != before || r.log.LastSeq() != seq || r.member(test.c) {
				t.Error("a refused change was stored")
			}
			r.sound()
			if !test.cached {
				return
			}
			// Nobody judges any more: the answer can only be a remembered one.
			r.end()
			out, err = r.Receive(t.Context(), "other", test.set, []*change.Change{test.c})
			if err != nil || out.Codes[0] != test.want {
				t.Errorf("again: %+v, %v", out, err)
			}
			if test.want == reason.UnknownSpace {
				return
			}
			r.clock.Add((10*time.Minute + time.Millisecond).Milliseconds())
			if _, err := r.Receive(t.Context(), "other", "", []*change.Change{test.c}); !errors.Is(err, ingest.ErrClosed) {
				t.Errorf("after ten minutes it is not judged anew: %v", err)
			}
		})
	}
}

func TestForgedCopyKeepsNoGoodOneOut(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	e := ada.entry("one")
	r := newRig(t, w)
	r.take(ada.record)
	if out := r.receive("forger", badSignature(e)); out.Refused[reason.BadChangeSignature] != 1 {
		t.Fatalf("forged: %+v", out)
	}
	r.take(e)
	if out := r.receive("forger", badSignature(e)); out.Duplicates != 1 || len(out.Refused) > 0 {
		t.Errorf("a copy of a member: %+v", out)
	}
}

// The same is true of copies that come in one batch, in any order, and for one
// that waits while a forged one comes with its past.
func TestCopiesOfOneBatchAreJudgedOneByOne(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	e, next := ada.entry("one"), ada.entry("two")
	whole := newRig(t, w)
	whole.take(ada.record, e, next)
	for _, c := range []struct {
		name    string
		batches [][]*change.Change
	}{
		{"forged first", [][]*change.Change{{ada.record, badSignature(e), e, next}}},
		{"forged last", [][]*change.Change{{ada.record, e, badSignature(e), next}}},
		{"a stub first", [][]*change.Change{{ada.record, e.Stub(), e, next}}},
		{"a stub last", [][]*change.Change{{ada.record, e, e.Stub(), next}}},
		{"one waits", [][]*change.Change{{ada.record, next}, {badSignature(next), e}}},
	} {
		r := newRig(t, w)
		for _, batch := range c.batches {
			r.receive("peer", batch...)
		}
		if r.state() != whole.state() {
			t.Errorf("%s: the state is not that of the good copies", c.name)
		}
		r.sound()
	}
}

func TestBodyThatFailsItsRowLeavesAStub(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	bad := ada.write(change.Draft{Space: change.Commons("go"), Kind: change.KindEntryPut, Body: []byte{0xa0}})
	good := ada.entry("on top")
	r := newRig(t, w)
	r.take(ada.record, bad, good)
	rec, err := r.log.Get(t.Context(), bad.ID)
	if err != nil || rec.Change.Body != nil {
		t.Errorf("record %+v, %v", rec, err)
	}
	if _, entries, _ := r.views.Counts(); entries != 1 {
		t.Errorf("%d entries are shown", entries)
	}
	r.sound()
}

func TestReplayChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	cs := []*change.Change{ada.record, ada.entry("one"), ada.entry("two"), ada.unknown()}
	r := newRig(t, w)
	r.take(cs...)
	before, seq, announced := r.state(), r.log.LastSeq(), len(r.announced)
	out := r.receive("other", append(cs, cs...)...)
	if out.Duplicates != 2*len(cs) || out.New != 0 || len(out.Refused) > 0 {
		t.Errorf("outcome %+v", out)
	}
	if r.state() != before || r.log.LastSeq() != seq || len(r.announced) != announced {
		t.Error("a replay changed something")
	}
}

func TestBodyComesForAStub(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	e := ada.entry("one")
	r, whole := newRig(t, w), newRig(t, w)
	r.take(ada.record, e.Stub())
	whole.take(ada.record, e)
	if _, shown := r.views.Entry(e.ID); shown {
		t.Fatal("a stub is shown")
	}
	r.receive("peer", e)
	if r.state() != whole.state() {
		t.Error("state differs from that of a node that had the body at once")
	}
	r.sound()
}

func TestReadOnlyRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld("test")
	ada := w.agent("ada")
	r := newRig(t, w)
	r.take(ada.record)
	r.SetReadOnly(true)
	if _, err := r.submit(ada, "one", ""); reason.Of(err) != reason.ReadOnly {
		t.Errorf("submit: %v", err)
	}
	if _, err := r.Receive(context.Background(), "peer", "", []*change.Change{ada.entry("one")}); reason.Of(err) != reason.ReadOnly {
		t.Errorf("receive: %v", err)
	}
	r.SetReadOnly(false)
	if _, err := r.submit(ada, "one", ""); err != nil {
		t.Errorf("submit after it: %v", err)
	}
}
