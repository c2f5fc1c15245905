package node_test

import (
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/keys"
)

// TestBrokenSignatureIsNotShown: a peer breaks the signature of a copy, whose author's
// next change vouches for it. The entry is shown, without a signature that nobody can
// verify, and with it once a sound copy has come.
func TestBrokenSignatureIsNotShown(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada := b.stranger("Ada")
	now := time.Now().UnixMilli()
	first, second := ada.entry(retold(1), now, false), ada.entry(retold(2), now+1, false)
	h := *first.Head
	h.Sig[7] ^= 4
	broken := &change.Change{ID: first.ID, Head: &h, RawHead: h.Encode(), Body: first.Body}
	b.given("liar", ada.record, broken, second)
	sound := func(id change.ID) bool {
		t.Helper()
		e, err := b.Entry(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		s := e.Signature
		if s.Known() && !keys.Verify(s.Key, s.ID.Preimage(), s.Sig[:]) {
			t.Errorf("%s is shown with a signature that does not verify", id)
		}
		return s.Known()
	}
	b.CaughtUp()
	if sound(first.ID) || !sound(second.ID) {
		t.Errorf("signature of the broken copy %v, of the next %v", sound(first.ID), sound(second.ID))
	}
	if _, err := b.Bring(t.Context(), giver("honest"), []*change.Change{first}); err != nil {
		t.Fatal(err)
	}
	if !sound(first.ID) {
		t.Error("a sound copy has come and is not shown")
	}
}
