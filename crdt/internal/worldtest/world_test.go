package worldtest_test

import (
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/rules"
)

// story is a bit of everything.
func story(seed uint64) (*worldtest.World, []*change.Change) {
	w := worldtest.New(seed)
	ada, bo := w.Agent("ada"), w.Agent("bo")
	cs := []*change.Change{ada.Bind(), bo.Bind(), ada.Bind()}
	e := ada.Entry("go", "channels")
	twin := ada.Clone()
	cs = append(cs, e, ada.Entry("go", "a"), twin.Entry("go", "b"), ada.Retract(e.ID), bo.Entry("rust", "borrows"))
	return w, cs
}

func TestEveryChangeIsAMember(t *testing.T) {
	t.Parallel()
	w, cs := story(1)
	for i, v := range w.Verify(cs...) {
		if v.Row() != "" {
			t.Errorf("change %d: body fails its row: %s", i, v.Row())
		}
	}
	if a, b := cs[4].Head, cs[5].Head; a.Seq != b.Seq || a.Chain() != b.Chain() {
		t.Error("a clone does not fork its author")
	}
}

func TestSameSeedSameWorld(t *testing.T) {
	t.Parallel()
	_, a := story(7)
	_, b := story(7)
	_, other := story(8)
	for i := range a {
		if a[i].ID != b[i].ID {
			t.Errorf("change %d differs between two worlds of one seed", i)
		}
		if a[i].ID == other[i].ID {
			t.Errorf("change %d is the same in worlds of two seeds", i)
		}
	}
}

func TestBadSignatureIsRefusedAlone(t *testing.T) {
	t.Parallel()
	w, cs := story(1)
	bad := worldtest.BadSignature(cs[3])
	if bad.ID != bad.Head.Digest() || bad.ID != cs[3].ID {
		t.Error("a bad signature changed the id")
	}
	if ev := rules.Authenticate([]*change.Change{bad}); ev[0] != rules.Unproven {
		t.Errorf("evidence %d, want none", ev[0])
	}
	if v := w.Verify(bad, cs[4]); v[0].OwnSignature() || !v[1].OwnSignature() {
		t.Error("want the first proven by the second only")
	}
}
