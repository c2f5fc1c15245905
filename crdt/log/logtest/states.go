package logtest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
)

// stored appends a binding and entries and returns the entries.
func (b *box) stored(t testing.TB, author string, n int) []*change.Change {
	t.Helper()
	a := b.world.Agent(author)
	cs := []*change.Change{a.Bind()}
	for i := range n {
		cs = append(cs, a.Entry("go", fmt.Sprintf("%s %d", author, i)))
	}
	b.append(t, cs...)
	return cs[1:]
}

func testPutBody(t *testing.T, newPlace func(t testing.TB) Place) {
	w := worldtest.New(11)
	b := newBox(t, newPlace, w)
	ada := w.Agent("ada")
	bind, e1, e2 := ada.Bind(), ada.Entry("go", "one"), ada.Entry("go", "two")
	b.append(t, bind, e1.Stub(), e2.Stub())
	if r := b.get(t, e1.ID); r.State != log.Missing || !r.Change.IsStub() {
		t.Errorf("stub is %+v", r)
	}
	if got, err := b.Stubs(t.Context(), 10); err != nil || !slices.Equal(got, sorted(ids(e1, e2))) {
		t.Errorf("stubs %v, %v", got, err)
	}
	if got, err := b.Stubs(t.Context(), 1); err != nil || len(got) != 1 {
		t.Errorf("stubs %v, %v", got, err)
	}
	_, err := b.Body(t.Context(), e1.ID)
	wantErr(t, err, log.ErrNotFound)
	_, err = b.PutBody(t.Context(), e1.ID, e2.Body, "")
	if reason.Of(err) != reason.BlobMismatch {
		t.Errorf("another's body: %v", err)
	}
	b.append(t, e2) // a body for a stub does not come by Append
	if r := b.get(t, e2.ID); r.State != log.Missing {
		t.Errorf("append gave a stub its body: %+v", r)
	}
	for range 2 {
		r, err := b.PutBody(t.Context(), e1.ID, e1.Body, "")
		if err != nil || r.State != log.Present || !bytes.Equal(r.Change.Body, e1.Body) {
			t.Errorf("put body: %+v, %v", r, err)
		}
		if !sameRecord(r, b.get(t, e1.ID)) {
			t.Error("PutBody returned what is not stored")
		}
	}
	if c := b.Counts(); c != (log.Counts{Members: 3, Missing: 1}) {
		t.Errorf("counts %+v", c)
	}
	b.sound(t)
}

func testRowFailure(t *testing.T, newPlace func(t testing.TB) Place) {
	w := worldtest.New(12)
	b := newBox(t, newPlace, w)
	ada := w.Agent("ada")
	bind := ada.Bind()
	short := ada.EntryAs("go", body.Entry{Type: body.Wisdom, Text: "short", Confidence: body.DefaultConfidence})
	late := ada.EntryAs("go", body.Entry{Type: body.Wisdom, Text: "later", Confidence: body.DefaultConfidence})
	b.append(t, bind, short, late.Stub())
	check := func(c *change.Change) {
		t.Helper()
		r := b.get(t, c.ID)
		if r.State != log.RowFailed || r.Reason != reason.TooShort || !r.Change.IsStub() {
			t.Errorf("record is %+v", r)
		}
	}
	check(short)
	if r, err := b.PutBody(t.Context(), late.ID, late.Body, reason.Of(rules.Row(late))); err != nil || r.State != log.RowFailed {
		t.Errorf("put a bad body: %+v, %v", r, err)
	}
	check(late)
	if r, err := b.PutBody(t.Context(), late.ID, late.Body, ""); err != nil || r.State != log.RowFailed {
		t.Errorf("a failed row is not final: %+v, %v", r, err)
	}
	if got, err := b.Stubs(t.Context(), 10); err != nil || len(got) != 0 {
		t.Errorf("stubs %v, %v", got, err)
	}
	if c := b.Counts(); c != (log.Counts{Members: 3, RowFailed: 2}) {
		t.Errorf("counts %+v", c)
	}
	b.sound(t)
}

func testPurge(t *testing.T, newPlace func(t testing.TB) Place) {
	w := worldtest.New(13)
	b := newBox(t, newPlace, w)
	es := b.stored(t, "ada", 3)
	count, fp := b.Set("open/0").FP()
	for range 2 { // the second changes nothing
		if err := b.Purge(t.Context(), es[1].ID, reason.SecretDetected); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Purge(t.Context(), es[1].ID, reason.LabelDenied); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r := b.get(t, es[1].ID)
		if r.State != log.Purged || r.Reason != reason.SecretDetected || !r.Change.IsStub() {
			t.Errorf("purged record is %+v", r)
		}
		_, err := b.Body(t.Context(), es[1].ID)
		wantErr(t, err, log.ErrPurged)
		_, err = b.PutBody(t.Context(), es[1].ID, es[1].Body, "")
		wantErr(t, err, log.ErrPurged)
		b.append(t, es[1])
		b.close(t)
		b.open(t, nil)
	}
	if n, f := b.Set("open/0").FP(); n != count || f != fp {
		t.Error("a purge changed the set")
	}
	if c := b.Counts(); c != (log.Counts{Members: 4, Purged: 1}) {
		t.Errorf("counts %+v", c)
	}
	bind, err := b.Since(t.Context(), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	wantErr(t, b.Purge(t.Context(), bind[0].Change.ID, someCode), log.ErrControl)
	// A stub may be purged before its body came.
	stub := b.world.Agent("bo")
	sb, se := stub.Bind(), stub.Entry("go", "x")
	b.append(t, sb, se.Stub())
	if err := b.Purge(t.Context(), se.ID, someCode); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Stubs(t.Context(), 10); err != nil || len(got) != 0 {
		t.Errorf("a purged stub is still wanted: %v, %v", got, err)
	}
	b.sound(t)
}

func testHold(t *testing.T, newPlace func(t testing.TB) Place) {
	w := worldtest.New(14)
	b := newBox(t, newPlace, w)
	es := b.stored(t, "ada", 2)
	count, fp := b.Set("open/0").FP()
	if err := b.Hold(t.Context(), es[0].ID, reason.ClockAhead); err != nil {
		t.Fatal(err)
	}
	if err := b.Hold(t.Context(), es[0].ID, someCode); err != nil {
		t.Fatal(err)
	}
	b.close(t)
	b.open(t, nil)
	r := b.get(t, es[0].ID)
	if r.Held != someCode || r.State != log.Present || !bytes.Equal(r.Change.Body, es[0].Body) {
		t.Errorf("held record is %+v", r)
	}
	if n, f := b.Set("open/0").FP(); n != count || f != fp || b.Counts().Held != 1 {
		t.Errorf("held: %d members, counts %+v", n, b.Counts())
	}
	if got, err := b.HeldIDs(t.Context(), 10); err != nil || !slices.Equal(got, ids(es[0])) {
		t.Errorf("held ids %v, %v", got, err)
	}
	for range 2 {
		if err := b.Release(t.Context(), es[0].ID); err != nil {
			t.Fatal(err)
		}
	}
	if r := b.get(t, es[0].ID); r.Held != "" || !bytes.Equal(r.Change.Body, es[0].Body) || b.Counts().Held != 0 {
		t.Errorf("released record is %+v, counts %+v", r, b.Counts())
	}
	// Held from the first moment, in the batch that stores it.
	bo := w.Agent("bo")
	bind, e := bo.Bind(), bo.Entry("go", "held")
	held := map[change.ID]reason.Code{e.ID: reason.ClockAhead, es[1].ID: reason.ClockAhead}
	if _, err := b.AppendHeld(t.Context(), w.Verify(bind, e, es[1]), held); err != nil {
		t.Fatal(err)
	}
	if r := b.get(t, e.ID); r.Held != reason.ClockAhead {
		t.Errorf("record is %+v", r)
	}
	if r := b.get(t, es[1].ID); r.Held != "" {
		t.Error("a known member became held")
	}
	// Of two stubs, only the one that is not held is wanted.
	left, wanted := bo.Entry("go", "left out").Stub(), bo.Entry("go", "wanted").Stub()
	if _, err := b.AppendHeld(t.Context(), w.Verify(left, wanted), map[change.ID]reason.Code{left.ID: reason.AdmissionQuota}); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Wanted(t.Context(), 10); err != nil || !slices.Equal(got, ids(wanted)) {
		t.Errorf("wanted %v, %v", got, err)
	}
	if stubs, err := b.Stubs(t.Context(), 10); err != nil || len(stubs) != 2 {
		t.Errorf("stubs %v, %v", stubs, err)
	}
	if err := b.Release(t.Context(), left.ID); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Wanted(t.Context(), 10); err != nil || len(got) != 2 {
		t.Errorf("wanted %v, %v", got, err)
	}
	b.sound(t)
}

func testMarks(t *testing.T, newPlace func(t testing.TB) Place) {
	w := worldtest.New(15)
	b := newBox(t, newPlace, w)
	ada := w.Agent("ada")
	marks := []log.Mark{{Key: "a/ b\x00", Value: []byte("one")}, {Key: "", Value: nil}, {Key: "../m/state", Value: []byte{0xff}}}
	if _, err := b.Append(t.Context(), w.Verify(ada.Bind()), marks...); err != nil {
		t.Fatal(err)
	}
	b.close(t)
	b.open(t, nil)
	for _, m := range marks {
		v, err := b.Mark(t.Context(), m.Key)
		if err != nil || !bytes.Equal(v, m.Value) {
			t.Errorf("mark %q is %q: %v", m.Key, v, err)
		}
	}
	_, err := b.Mark(t.Context(), "a")
	wantErr(t, err, log.ErrNotFound)
	_, err = b.Append(t.Context(), nil, log.Mark{Key: "big", Value: make([]byte, log.MaxMark+1)})
	wantErr(t, err, log.ErrTooMany)
	_, err = b.Append(t.Context(), nil, log.Mark{Key: string(make([]byte, 257))})
	wantErr(t, err, log.ErrTooMany)
	b.sound(t)
}

func testSweep(t *testing.T, newPlace func(t testing.TB) Place) {
	w := worldtest.New(16)
	b := newBox(t, newPlace, w)
	ada := w.Agent("ada")
	bind, old := ada.Bind(), ada.Entry("go", "long ago")
	w.Advance(time.Hour.Milliseconds())
	young := ada.Entry("go", "just now")
	for _, c := range []*change.Change{bind, old, young} {
		if _, err := b.Append(t.Context(), w.Verify(c), log.Mark{Key: c.ID.String(), Value: c.ID[:]}, log.Mark{Key: "no id", Value: []byte("one")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.SweepMarks(t.Context(), time.UnixMilli(young.Head.Millis())); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]error{bind.ID.String(): log.ErrNotFound, old.ID.String(): log.ErrNotFound, young.ID.String(): nil, "no id": nil} {
		if _, err := b.Mark(t.Context(), key); !errors.Is(err, want) {
			t.Errorf("mark %s: %v", key, err)
		}
	}
	b.sound(t)
}
