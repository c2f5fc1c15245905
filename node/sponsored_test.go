package node_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/config"
)

// sponsored is a stranger for whom another key vouches.
func (b *box) sponsored(name string, by *stranger, millis int64) *stranger {
	b.t.Helper()
	_, net := b.Network()
	k := keys.FromSeed(sha256.Sum256([]byte("node " + name)))
	s := &stranger{t: b.t, net: net, key: k, id: change.DeriveAgent(net, k.Key()), prev: map[change.Space]*change.Change{}}
	sig := by.key.Sign(binding.SponsorMessage(net, k.Key()))
	enc, err := body.Bind{Name: name, Sponsor: &body.Sponsor{By: by.key.Key(), Sig: sig[:]}}.Encode()
	if err != nil {
		b.t.Fatal(err)
	}
	s.record = change.Seal(change.Draft{Net: net, Space: s.id.Space(), Kind: change.KindBind, Body: enc, HLC: uint64(millis) << 10, Seq: 1}, k)
	return s
}

// TestTreeOfSponsorsSharesItsLimits: all whom one established agent brought,
// directly or not, have its tree's rate together, and are no strangers; fresh keys
// that vouch for one another are.
func TestTreeOfSponsorsSharesItsLimits(t *testing.T) {
	t.Parallel()
	clock := newDated()
	b := limited(t, t.TempDir(), clock, func(a *config.Admission) { a.AuthorPerMinute, a.TreePerMinute, a.StrangersPerMinute = 1000, 1, 20 })
	defer b.shut()
	root, other := b.stranger("Root"), b.stranger("Other")
	b.given("peer", root.record, other.record) // in the past of this node
	b.CaughtUp()
	now := clock.ms.Load()
	brought := func(name string, by *stranger) (shown int) {
		for i := range 15 {
			s := b.sponsored(fmt.Sprint(name, i), by, now+int64(i))
			c := s.entry(retold(len(name), i), now+int64(100+i), false)
			b.given("peer", s.record)
			b.given("peer", c)
			if b.shows(c.ID) {
				shown++
			}
			by = s // each brings the next
		}
		return shown
	}
	if got := brought("first ", root); got != 10 {
		t.Errorf("of a tree's 15 entries %d are shown, want 10", got)
	}
	if got := brought("second one ", other); got != 10 {
		t.Errorf("of another tree's 15 entries %d are shown, want 10", got)
	}
	fresh := b.stranger("Fresh")
	fresh.record = b.sponsored("Fresh", fresh, now).record // vouches for itself
	b.given("peer", fresh.record)
	if got := brought("crowd by itself ", fresh); got != 15 {
		t.Errorf("of 15 entries by few strangers %d are shown", got)
	}
	if got := brought("still more of that crowd ", fresh); got > 10 {
		t.Errorf("of 15 entries beyond the strangers' rate %d are shown", got)
	}
}

// TestQuotaOfATree: bodies beyond the quota of a tree are left out, heads and control
// kinds never.
func TestQuotaOfATree(t *testing.T) {
	t.Parallel()
	clock := newDated()
	b := limited(t, t.TempDir(), clock, func(a *config.Admission) { a.TreeBodies = 5 })
	defer b.shut()
	root := b.stranger("Root")
	b.given("peer", root.record)
	b.CaughtUp()
	now := clock.ms.Load()
	kept := 0
	for i := range 8 {
		s := b.sponsored(fmt.Sprint("one ", i), root, now+int64(i))
		c := s.entry(retold(i), now+int64(100+i), false)
		b.given("peer", s.record)
		b.given("peer", c)
		if b.kept(c) {
			kept++
		}
		if !b.kept(s.record) {
			t.Error("a control kind has lost its body")
		}
	}
	if s := b.Status(); kept != 5 || s.Stubbed != 3 {
		t.Errorf("%d bodies kept, %d stubs", kept, s.Stubbed)
	}
}
