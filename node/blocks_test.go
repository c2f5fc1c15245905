package node_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/block"
)

// What is blocked is shown nowhere on this node and comes back when the block ends;
// the sets never change.
func TestBlockedIsNotShown(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ctx, now := t.Context(), time.Now().UnixMilli()
	ada, bo, cy := b.agent("Ada"), b.stranger("Bo"), b.stranger("Cy")
	mine := b.contribute(ada, lesson)
	bos, cys := bo.entry(retold(1), now, false), cy.entry(retold(2), now, false)
	b.bring(bo.record, cy.record, bos, cys)
	sets := setsOf(b)
	for _, tc := range []struct {
		rule   block.Rule
		hidden []change.ID
	}{
		{block.Rule{Kind: block.Agent, ID: bo.id.String(), Why: "spam"}, []change.ID{bos.ID}},
		{block.Rule{Kind: block.Tree, ID: cy.id.String()}, []change.ID{cys.ID}},
		{block.Rule{Kind: block.Domain, ID: "go"}, []change.ID{bos.ID, cys.ID, mine.ID}},
		{block.Rule{Kind: block.Domain, ID: "rust"}, nil},
	} {
		if err := b.Blocks().Add(ctx, tc.rule); err != nil {
			t.Fatal(err)
		}
		for _, id := range []change.ID{bos.ID, cys.ID, mine.ID} {
			if want := !slices.Contains(tc.hidden, id); b.shows(id) != want {
				t.Errorf("with %s %s blocked, %s is shown: %v", tc.rule.Kind, tc.rule.ID, id, !want)
			}
		}
		cs, _, err := b.ChangesIn(ctx, change.Commons("go"), 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cs {
			if (c.Body == nil) != slices.Contains(tc.hidden, c.ID) {
				t.Errorf("with %s %s blocked, %s is handed out with %d bytes", tc.rule.Kind, tc.rule.ID, c.ID, len(c.Body))
			}
		}
		if err := b.Blocks().Remove(ctx, tc.rule.Kind, tc.rule.ID); err != nil {
			t.Fatal(err)
		}
		if !b.shows(bos.ID) || !b.shows(cys.ID) || setsOf(b) != sets {
			t.Errorf("after the block of %s %s something is missing", tc.rule.Kind, tc.rule.ID)
		}
	}
	for _, bad := range []block.Rule{
		{Kind: "planet", ID: "x"}, {Kind: block.Agent, ID: "Bo"}, {Kind: block.Peer, ID: b.PeerID().String()},
		{Kind: block.Domain, ID: "go", Label: body.LabelSpam}, {Kind: block.Agent, ID: bo.id.String(), Label: body.LabelDismissed},
	} {
		if err := b.Blocks().Add(ctx, bad); reason.Of(err) != reason.InvalidParam {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// A block that is published hides the agent on nodes that follow the labeler, on no
// other, and ends there when it ends here.
func TestPublishedBlockIsFollowed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 3, nil)
		from, follows, other := c.nodes[0], c.nodes[1], c.nodes[2]
		if _, err := from.ServiceAgent(context.WithoutCancel(t.Context())); err != nil {
			t.Fatal(err)
		}
		mallory := other.agent("Mallory")
		e := other.contribute(mallory, lesson)
		c.within(5*time.Minute, "everybody has it", c.agree)
		if err := follows.Blocks().Follow(from.Blocks().Labeler(), true); err != nil {
			t.Fatal(err)
		}
		rule := block.Rule{Kind: block.Agent, ID: mallory.ID.String(), Why: "the same advert", Label: body.LabelSpam}
		if err := from.Blocks().Add(t.Context(), rule); err != nil {
			t.Fatal(err)
		}
		c.within(5*time.Minute, "who follows hides it", func() bool { return !follows.shows(e.ID) && c.agree() })
		if from.shows(e.ID) || !other.shows(e.ID) {
			t.Errorf("shown where it was blocked: %v, and where nobody follows: %v", from.shows(e.ID), other.shows(e.ID))
		}
		late := other.contribute(mallory, retold(1))
		c.within(5*time.Minute, "later words arrive", c.agree)
		if follows.shows(late.ID) {
			t.Error("what is written later is shown")
		}
		if err := from.Blocks().Remove(t.Context(), rule.Kind, rule.ID); err != nil {
			t.Fatal(err)
		}
		c.within(5*time.Minute, "it is shown again", func() bool { return follows.shows(e.ID) && from.shows(e.ID) })
	})
}

// A blocked peer is cut and refused, from either side, until the block ends.
func TestBlockedPeerIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, nil)
		me, bad := c.nodes[0], c.nodes[1]
		c.within(5*time.Minute, "they meet", func() bool { return me.Status().Peers == 1 && bad.Status().Peers == 1 })
		if err := me.Blocks().Add(t.Context(), block.Rule{Kind: block.Peer, ID: bad.PeerID().String()}); err != nil {
			t.Fatal(err)
		}
		c.within(time.Minute, "the connection is cut", func() bool { return me.Status().Peers == 0 })
		mallory := bad.agent("Mallory")
		e := bad.contribute(mallory, lesson)
		time.Sleep(10 * time.Minute) // of dials
		if me.Status().Peers != 0 || me.shows(e.ID) {
			t.Errorf("%d peers, its words shown: %v", me.Status().Peers, me.shows(e.ID))
		}
		if err := me.Blocks().Remove(t.Context(), block.Peer, bad.PeerID().String()); err != nil {
			t.Fatal(err)
		}
		c.within(30*time.Minute, "they meet again", func() bool { return me.shows(e.ID) })
	})
}
