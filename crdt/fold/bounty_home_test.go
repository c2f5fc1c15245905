package fold_test

import (
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/fold"
)

// A home that takes a new key goes on with the bounties it has; its old key is
// the home's no more beyond the cut, and a key it lends never was.
func TestHomeRotatesAndStaysTheHome(t *testing.T) {
	t.Parallel()
	m := marketOf(t, 31)
	m.confirm(m.step(t, m.bo, body.BountyAct{Act: body.BountyClaim}))
	submit := m.step(t, m.bo, body.BountyAct{Act: body.BountySubmit, Text: "done"})
	m.confirm(submit)
	stolen := m.hub.Clone()
	next, rotation := m.hub.Rotate("hub, new", nil, body.Rotate{Cut: m.hub.Cut()})
	m.add(rotation)
	old := m.hub
	m.hub = next
	m.confirm(m.step(t, m.ada, body.BountyAct{Act: body.BountyAccept}))
	pay := m.step(t, m.ada, body.BountyAct{Act: body.BountyPayout})
	m.add(stolen.Endorse(m.open.Head.Space, body.Confirm, pay))
	device, lent := next.Device("device")
	m.add(lent, device.Endorse(m.open.Head.Space, body.Confirm, pay))
	m.w.Verify(m.changes...)
	v := viewsOf(m.w, m.changes)
	if b, _ := v.Bounty(m.open.ID); b.Status != bounty.Accepted || !v.SameLine(next.Key.Key(), old.Key.Key()) || v.SameLine(device.Key.Key(), old.Key.Key()) {
		t.Fatalf("%s after the home rotated, and what its old key and its device said", b.Status)
	}
	m.w.Verify(m.confirm(pay))
	for seed := range uint64(20) {
		v := viewsOf(m.w, shuffled(m.changes, seed))
		loaded, err := fold.Load(m.w.Net, v.AppendCheckpoint(nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []*fold.Views{v, loaded} {
			if b, _ := v.Bounty(m.open.ID); b.Status != bounty.Paid {
				t.Fatalf("order %d: %s after the new key confirmed", seed, b.Status)
			}
		}
	}
}
