package logtest

import (
	"bytes"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/recon"
)

func testReadEveryWay(t *testing.T, newPlace func(t testing.TB) Place) {
	w := worldtest.New(1)
	b := newBox(t, newPlace, w)
	ada := w.Agent("ada")
	bind, e1, e2 := ada.Bind(), ada.Entry("go", "one"), ada.Entry("go", "two")
	out := b.append(t, bind, e1, e2)
	for i, c := range []*change.Change{bind, e1, e2} {
		if got, want := out[i], (log.Appended{ID: c.ID, Seq: uint64(i + 1), New: true}); got != want {
			t.Errorf("appended %+v, want %+v", got, want)
		}
		r := b.get(t, c.ID)
		// In a batch only the newest of a run is verified by itself.
		if r.Seq != uint64(i+1) || r.Own != (c != e1) || r.State != log.Present || !bytes.Equal(r.Change.Body, c.Body) ||
			!bytes.Equal(r.Change.RawHead, c.RawHead) || r.Item() != item(c) {
			t.Errorf("record %d is %+v", i, r)
		}
		body, err := b.Body(t.Context(), c.ID)
		if err != nil || !bytes.Equal(body, c.Body) {
			t.Errorf("body %d: %v", i, err)
		}
		m, err := b.Member(c.ID)
		if err != nil || m == nil || m.ID != c.ID {
			t.Errorf("member %d: %v, %v", i, m, err)
		}
		if !b.Set(r.Set).Has(item(c)) {
			t.Errorf("change %d is not in set %s", i, r.Set)
		}
	}
	if m, _ := b.Member(bind.ID); m.IsStub() {
		t.Error("a control member has no body")
	}
	id, seq, hlc, forked, err := b.Tip(t.Context(), e1.Head.Chain())
	if id != e2.ID || seq != 2 || hlc != e2.Head.HLC || forked || err != nil {
		t.Errorf("tip %s %d %d %v %v", id, seq, hlc, forked, err)
	}
	if at, err := b.At(t.Context(), e1.Head.Chain(), 1); err != nil || !slices.Equal(at, ids(e1)) {
		t.Errorf("at 1: %v, %v", at, err)
	}
	if got := b.Sets(); !slices.Equal(got, []string{"auth", "open/0"}) {
		t.Errorf("sets %q", got)
	}
	rs, err := b.Since(t.Context(), 1, 1)
	if err != nil || len(rs) != 1 || rs[0].Change.ID != e1.ID {
		t.Errorf("since 1: %v, %v", rs, err)
	}
	if b.LastSeq() != 3 || b.Counts() != (log.Counts{Members: 3}) {
		t.Errorf("last %d, counts %+v", b.LastSeq(), b.Counts())
	}
	b.unknown(t)
	b.sound(t)
}

// unknown asks for what is not there.
func (b *box) unknown(t testing.TB) {
	t.Helper()
	none := change.ID{1}
	_, err := b.Get(t.Context(), none)
	wantErr(t, err, log.ErrNotFound)
	_, err = b.Body(t.Context(), none)
	wantErr(t, err, log.ErrNotFound)
	wantErr(t, b.Purge(t.Context(), none, someCode), log.ErrNotFound)
	wantErr(t, b.Hold(t.Context(), none, someCode), log.ErrNotFound)
	if m, err := b.Member(none); m != nil || err != nil {
		t.Errorf("member of nothing: %v, %v", m, err)
	}
	if b.Set("team/none") != nil {
		t.Error("a set that is not there")
	}
	if rs, err := b.Range(t.Context(), "team/none", recon.Item{}, 1, 1); rs != nil || err != nil {
		t.Errorf("range of no set: %v, %v", rs, err)
	}
	if id, seq, _, _, err := b.Tip(t.Context(), change.Chain{Space: "commons/x"}); seq != 0 || !id.IsZero() || err != nil {
		t.Errorf("tip of no chain: %s %d %v", id, seq, err)
	}
}

func testKnown(t *testing.T, newPlace func(t testing.TB) Place) {
	w := worldtest.New(2)
	b := newBox(t, newPlace, w)
	ada := w.Agent("ada")
	cs := []*change.Change{ada.Bind(), ada.Entry("go", "one")}
	first := b.append(t, cs...)
	more := ada.Entry("go", "two")
	out := b.append(t, cs[1], more, more, cs[0])
	want := []log.Appended{
		{ID: cs[1].ID, Seq: first[1].Seq},
		{ID: more.ID, Seq: 3, New: true},
		{ID: more.ID, Seq: 3},
		{ID: cs[0].ID, Seq: first[0].Seq},
	}
	if !slices.Equal(out, want) {
		t.Errorf("appended %+v, want %+v", out, want)
	}
	if b.LastSeq() != 3 || len(b.since(t)) != 3 {
		t.Errorf("%d members, want 3", b.LastSeq())
	}
	if out, err := b.Append(t.Context(), nil); len(out) != 0 || err != nil {
		t.Errorf("append nothing: %v, %v", out, err)
	}
	b.sound(t)
}

func testReplace(t *testing.T, newPlace func(t testing.TB) Place) {
	w := worldtest.New(3)
	b := newBox(t, newPlace, w)
	ada := w.Agent("ada")
	b.append(t, ada.Bind())
	e1, e2 := ada.Entry("go", "one"), ada.Entry("go", "two")
	vs := unproven(w, e1, e2)
	if _, err := b.Append(t.Context(), vs); err != nil {
		t.Fatal(err)
	}
	before := b.get(t, e1.ID)
	if before.Own || bytes.Equal(before.Change.RawHead, e1.RawHead) {
		t.Fatalf("want a copy that a descendant proves, got %+v", before)
	}
	b.append(t, e1)
	after := b.get(t, e1.ID)
	if !after.Own || !bytes.Equal(after.Change.RawHead, e1.RawHead) || after.Seq != before.Seq {
		t.Errorf("the signed copy did not take its place: %+v", after)
	}
	if m, _ := b.Member(e1.ID); !bytes.Equal(m.RawHead, e1.RawHead) {
		t.Error("Member still has the old copy")
	}
	if _, err := b.Append(t.Context(), vs); err != nil {
		t.Fatal(err)
	}
	if r := b.get(t, e1.ID); !sameRecord(r, after) {
		t.Errorf("an unverified copy replaced the signed one: %+v", r)
	}
	// The same within one batch.
	e3, e4 := ada.Entry("go", "three"), ada.Entry("go", "four")
	if _, err := b.Append(t.Context(), append(unproven(w, e3, e4), w.Verify(e3)...)); err != nil {
		t.Fatal(err)
	}
	if r := b.get(t, e3.ID); !r.Own || !bytes.Equal(r.Change.RawHead, e3.RawHead) || r.Seq != 4 {
		t.Errorf("within a batch the signed copy did not win: %+v", r)
	}
	b.sound(t)
}

func testForks(t *testing.T, newPlace func(t testing.TB) Place) {
	w := worldtest.New(4)
	b := newBox(t, newPlace, w)
	ada := w.Agent("ada")
	b.append(t, ada.Bind(), ada.Entry("go", "one"))
	twin := ada.Clone()
	left, right := ada.Entry("go", "left"), twin.Entry("go", "right")
	next := twin.Entry("go", "right on")
	out := b.append(t, left, right, next)
	if out[0].Fork || !out[1].Fork || out[2].Fork {
		t.Errorf("forks %v %v %v, want the second", out[0].Fork, out[1].Fork, out[2].Fork)
	}
	chain := left.Head.Chain()
	if at, err := b.At(t.Context(), chain, 2); err != nil || !slices.Equal(at, sorted(ids(left, right))) {
		t.Errorf("at 2: %v, %v", at, err)
	}
	id, seq, _, forked, err := b.Tip(t.Context(), chain)
	if id != next.ID || seq != 3 || !forked || err != nil {
		t.Errorf("tip %s %d %v %v", id, seq, forked, err)
	}
	b.sound(t)
}

func testOrphan(t *testing.T, newPlace func(t testing.TB) Place) {
	w := worldtest.New(5)
	b := newBox(t, newPlace, w)
	ada, bo := w.Agent("ada"), w.Agent("bo")
	b.append(t, ada.Bind())
	first, second, third := ada.Entry("go", "one"), ada.Entry("go", "two"), ada.Entry("go", "three")
	_, err := b.Append(t.Context(), w.Verify(bo.Bind(), second, third), log.Mark{Key: "k"})
	wantErr(t, err, log.ErrOrder)
	if b.LastSeq() != 1 {
		t.Errorf("part of a refused batch was stored: %d members", b.LastSeq())
	}
	_, err = b.Mark(t.Context(), "k")
	wantErr(t, err, log.ErrNotFound)
	_, err = b.Append(t.Context(), w.Verify(second, first))
	wantErr(t, err, log.ErrOrder)
	b.append(t, first, second, third)
	b.sound(t)
}

func testRun(t *testing.T, newPlace func(t testing.TB) Place) {
	w := worldtest.New(6)
	b := newBox(t, newPlace, w)
	ada := w.Agent("ada")
	b.append(t, ada.Bind(), ada.Entry("go", "root"))
	twin := ada.Clone()
	side := []*change.Change{twin.Entry("go", "side"), twin.Entry("go", "side on")}
	run := []*change.Change{ada.Entry("go", "a"), ada.Entry("go", "b"), ada.Entry("go", "c")}
	bad := []*change.Change{worldtest.BadSignature(run[0]), worldtest.BadSignature(run[1]), run[2]}
	b.append(t, side[0]) // by itself, so that its own signature is what proves it
	b.append(t, side[1])
	if _, err := b.Append(t.Context(), w.Verify(bad...)); err != nil {
		t.Fatal(err)
	}
	for i := range run {
		got, err := b.Run(t.Context(), run[i].ID)
		if err != nil || !slices.Equal(ids(got...), ids(run[i:]...)) {
			t.Errorf("run of %d: %v, %v", i, got, err)
		}
	}
	if got, err := b.Run(t.Context(), side[0].ID); err != nil || len(got) != 1 {
		t.Errorf("run of a signed head: %v, %v", got, err)
	}
	b.sound(t)
}

func testRange(t *testing.T, newPlace func(t testing.TB) Place) {
	w := worldtest.New(7)
	b := newBox(t, newPlace, w)
	ada, bo := w.Agent("ada"), w.Agent("bo")
	var a, o []*change.Change
	binds := []*change.Change{ada.Bind(), bo.Bind()}
	for range 300 { // written in turns, arriving one author after the other
		a = append(a, ada.Entry("go", "a"))
		o = append(o, bo.Entry("rust", "b"))
	}
	b.append(t, binds...)
	b.append(t, o...)
	b.append(t, a...)
	want := ids(byItem(append(slices.Clone(a), o...))...)

	rs, err := b.Range(t.Context(), "open/0", recon.Item{}, 1000, 1<<30)
	if err != nil || !slices.Equal(recordIDs(rs), want) {
		t.Fatalf("range of %d records is out of order: %v", len(rs), err)
	}
	var got []change.ID
	var after recon.Item
	for {
		rs, err := b.Range(t.Context(), "open/0", after, 7, 2000)
		if err != nil {
			t.Fatal(err)
		}
		if len(rs) == 0 {
			break
		}
		size := 0
		for _, r := range rs {
			size += len(r.Change.RawHead) + len(r.Change.Body)
		}
		if len(rs) > 7 || size > 2000 {
			t.Fatalf("%d records of %d bytes", len(rs), size)
		}
		got = append(got, recordIDs(rs)...)
		after = rs[len(rs)-1].Item()
	}
	if !slices.Equal(got, want) {
		t.Errorf("pages give %d records, want %d in order", len(got), len(want))
	}
	if rs, err := b.Range(t.Context(), "open/0", recon.Item{}, 7, 1); err != nil || len(rs) != 1 {
		t.Errorf("%d records where none fits, want 1: %v", len(rs), err)
	}
}

func testResolve(t *testing.T, newPlace func(t testing.TB) Place) {
	w := worldtest.New(8)
	b := newBox(t, newPlace, w)
	ada := w.Agent("ada")
	cs := []*change.Change{ada.Bind()}
	for range 20 {
		cs = append(cs, ada.Entry("go", "x"))
	}
	b.append(t, cs...)
	for i, c := range cs {
		set, other := "open/0", "auth"
		if i == 0 {
			set, other = other, set
		}
		id, ok, err := b.Resolve(t.Context(), set, c.ID[:16])
		if id != c.ID || !ok || err != nil {
			t.Errorf("resolve %s: %s %v %v", c.ID, id, ok, err)
		}
		if _, ok, err := b.Resolve(t.Context(), other, c.ID[:16]); ok || err != nil {
			t.Errorf("resolved in the wrong set: %v", err)
		}
		near := c.ID
		near[15] ^= 1
		if id, ok, err := b.Resolve(t.Context(), set, near[:16]); ok || err != nil {
			t.Errorf("resolved %s to %s: %v", near, id, err)
		}
	}
	if _, _, err := b.Resolve(t.Context(), "auth", cs[0].ID[:15]); err == nil {
		t.Error("resolved a prefix of 15 bytes")
	}
}
