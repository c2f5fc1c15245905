package log

import (
	"errors"
	"testing"

	ds "github.com/ipfs/go-datastore"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/recon"
)

// A record may be sound as a record and still not be what the change says.
func TestRecordOfAnotherChangeIsDamage(t *testing.T) {
	t.Parallel()
	w := worldtest.New(81)
	ada := w.Agent("ada")
	bind, e1, e2 := ada.Bind(), ada.Entry("go", "one"), ada.Entry("go", "two")
	twin := w.Agent("bo").Change(e1.Head.Kind, e1.Head.Space, e1.Body, worldtest.Options{NoProof: true, HLC: e1.Head.HLC})
	it := recon.Item{HLC: e1.Head.HLC, ID: e1.ID}
	for name, forge := range map[string]func(*writer){
		"body of another":      func(w *writer) { w.putBody("open/0", it, bodyRecord{body: e2.Body}) },
		"empty body":           func(w *writer) { w.putBody("open/0", it, bodyRecord{}) },
		"head of another":      func(w *writer) { w.putHead("open/0", it, headRecord{own: true, seq: 2, raw: e2.RawHead}) },
		"head of a twin":       func(w *writer) { w.putHead("open/0", it, headRecord{own: true, seq: 2, raw: twin.RawHead}) },
		"no head at all":       func(w *writer) { w.putHead("open/0", it, headRecord{own: true, seq: 2}) },
		"another sequence":     func(w *writer) { w.putHead("open/0", it, headRecord{own: true, seq: 3, raw: e1.RawHead}) },
		"index of another":     func(w *writer) { w.putPlace(place{set: "open/0", item: recon.Item{HLC: it.HLC, ID: e2.ID}, seq: 2}) },
		"body without a state": func(w *writer) { w.putBody("open/0", it, bodyRecord{state: Purged + 1}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine := NewMemory()
			l, err := Open(t.Context(), engine, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			vs := w.Verify(bind, e1)
			if _, err := l.Append(t.Context(), vs); err != nil {
				t.Fatal(err)
			}
			forged := &writer{log: l}
			forge(forged)
			for _, o := range forged.ops {
				if err := engine.Put(t.Context(), ds.RawKey(o.key), o.value); err != nil {
					t.Fatal(err)
				}
			}
			rs, err := l.Since(t.Context(), 1, 1)
			changes, parts := l.Damaged()
			if err != nil || len(rs) != 0 || changes+parts == 0 {
				t.Errorf("it is served: %d records, %d and %d damaged, %v", len(rs), changes, parts, err)
			}
			found := 0
			if err := l.Verify(t.Context(), false, func(p Problem) { found++ }); err != nil || found == 0 {
				t.Errorf("verify overlooks it: %v", err)
			}
			if rs, err := l.Range(t.Context(), "open/0", recon.Item{}, 9, 1<<20); err != nil || len(rs) > 0 && rs[0].Change.ID != e1.ID {
				t.Errorf("range serves %s", rs[0].Change.ID)
			}
			if _, err := l.Get(t.Context(), change.ID{1}); !errors.Is(err, ErrNotFound) {
				t.Errorf("get: %v", err)
			}
		})
	}
}

// A store that was written anew while one side of a fork could not be read says so
// again once that side is healed, wherever in the chain it stands.
func TestHealingBringsAForkBack(t *testing.T) {
	t.Parallel()
	for name, longer := range map[string]bool{"at the end": false, "below the end": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := worldtest.New(82)
			ada := w.Agent("ada")
			bind := ada.Bind()
			second := ada.Clone()
			one, other := ada.Entry("go", "one side of the fork"), second.Entry("go", "the other side of it")
			all := []*change.Change{bind, one, other}
			end := one
			if longer {
				end = ada.Entry("go", "what comes after the one side")
				all = append(all, end)
			}
			engine := NewMemory()
			l, err := Open(t.Context(), engine, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			vs := w.Verify(all...)
			if _, err := l.Append(t.Context(), vs); err != nil {
				t.Fatal(err)
			}
			lost := &writer{log: l}
			lost.putTip(keyOf(end.Head.Chain()), tip{id: end.ID, seq: end.Head.Seq, hlc: end.Head.HLC})
			for _, o := range lost.ops {
				if err := engine.Put(t.Context(), ds.RawKey(o.key), o.value); err != nil {
					t.Fatal(err)
				}
			}
			l.tips.clear()
			for _, v := range vs[1:] {
				if err := l.Heal(t.Context(), v); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := l.readTip(t.Context(), keyOf(end.Head.Chain())); err != nil || got.id != end.ID || !got.forked {
				t.Errorf("the chain ends with %+v, %v", got, err)
			}
			if err := l.Verify(t.Context(), true, func(p Problem) { t.Errorf("still damaged: %v", p) }); err != nil {
				t.Error(err)
			}
		})
	}
}

// Who is no member is none, also where the index of ids cannot be read; who is one is
// said to be damaged.
func TestStrangersAreNoneBesideADamagedIndex(t *testing.T) {
	t.Parallel()
	w := worldtest.New(83)
	ada := w.Agent("ada")
	bind, entry := ada.Bind(), ada.Entry("go", "one that is here")
	stranger := ada.Entry("go", "one that is not")
	engine := NewMemory()
	l, err := Open(t.Context(), engine, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Append(t.Context(), w.Verify(bind, entry)); err != nil {
		t.Fatal(err)
	}
	for _, id := range []change.ID{entry.ID, stranger.ID} {
		if err := engine.Put(t.Context(), ds.RawKey(idKey(prefixID, id)), []byte("no record")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Get(t.Context(), entry.ID); !errors.Is(err, ErrDamaged) {
		t.Errorf("a member: %v", err)
	}
	if _, err := l.Get(t.Context(), stranger.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("no member: %v", err)
	}
	if _, parts := l.Damaged(); parts == 0 {
		t.Error("the damage is not counted")
	}
}
