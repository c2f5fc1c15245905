package node_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// What agents of several nodes say of one entry comes to the same everywhere, and
// so does the reputation of its author. What one node purged does not come back to
// it, whatever its peers have; and what it refuses, others show.
func TestWordsOnSeveralNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 3, nil)
		ctx := t.Context()
		home, away, third := c.nodes[0], c.nodes[1], c.nodes[2]
		ada, bo, cy := home.agent("Ada"), away.agent("Bo"), third.agent("Cy")
		e := home.contribute(ada, lesson)
		bad := home.contribute(ada, retold(1))
		for i := range 17 {
			away.contribute(bo, retold(i))
		}
		c.within(5*time.Minute, "the entries arrive", c.agree)

		if _, err := away.Vote(ctx, bo.ID, e.ID, 1); err != nil {
			t.Fatal(err)
		}
		if _, err := third.Vote(ctx, cy.ID, e.ID, -1); err != nil { // a newcomer: shown, without weight
			t.Fatal(err)
		}
		said, err := third.Comment(ctx, cy.ID, e.ID, view.NewComment{Text: "Seen here too."})
		if err != nil {
			t.Fatal(err)
		}
		c.within(5*time.Minute, "the words arrive", c.agree)
		if _, err := away.Comment(ctx, bo.ID, e.ID, view.NewComment{Text: "Where?", Parent: said.ID}); err != nil {
			t.Fatal(err)
		}
		c.within(5*time.Minute, "the answer arrives", c.agree)
		for i, n := range c.nodes {
			got, err := n.Entry(ctx, e.ID)
			if err != nil {
				t.Fatal(err)
			}
			if got.Counts != (fold.EntryCounts{Up: 1, Down: 1, Comments: 2}) {
				t.Errorf("node %d: %+v", i, got.Counts)
			}
			r, err := n.Reputation(ctx, ada.ID)
			if err != nil || r.Up != 1 || r.Down != 0 || r.Score != 70 {
				t.Errorf("node %d: %+v, %v", i, r, err)
			}
			all, err := n.Comments(ctx, e.ID)
			if err == nil {
				all, err = n.Words(ctx, all)
			}
			if err != nil || len(all) != 2 || all[1].Parent != said.ID || all[1].Text != "Where?" {
				t.Errorf("node %d: comments %+v, %v", i, all, err)
			}
		}

		for _, id := range []change.ID{bad.ID, said.ID} {
			if err := away.Purge(ctx, id); err != nil {
				t.Fatal(err)
			}
		}
		home.contribute(ada, lesson+" A later one makes the nodes compare.")
		time.Sleep(10 * time.Minute) // of virtual time: many passes of reconciliation
		if _, err := away.Entry(ctx, bad.ID); reason.Of(err) != reason.Purged {
			t.Errorf("a purged entry came back: %v", err)
		}
		if _, err := away.FindComment(ctx, said.ID); reason.Of(err) != reason.Purged {
			t.Errorf("a purged comment came back: %v", err)
		}
		if _, err := home.Entry(ctx, bad.ID); err != nil {
			t.Errorf("the purge reached another node: %v", err)
		}
	})
}

// A labeler that a node follows takes an entry out of what it shows and relays;
// nodes that do not follow it show it, and the sets stay equal.
func TestLabelerIsAnOpinion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, nil)
		ctx := t.Context()
		home, away := c.nodes[0], c.nodes[1]
		ada, judge := home.agent("Ada"), home.agent("Judge")
		e := home.contribute(ada, lesson)
		c.within(5*time.Minute, "the entry arrives", c.agree)
		cfg := away.Config()
		cfg.Moderation.Labelers = []string{judge.DID.String()}
		live, restart := away.Reload(cfg)
		if len(live) != 1 || len(restart) != 0 {
			t.Errorf("live %v, restart %v", live, restart)
		}
		if err := home.Label(ctx, judge.ID, e.ID, body.LabelSecret, "a key"); err != nil {
			t.Fatal(err)
		}
		c.within(5*time.Minute, "the label arrives", c.agree)
		if away.shows(e.ID) || !home.shows(e.ID) {
			t.Errorf("shown where the labeler is followed: %v, elsewhere: %v", away.shows(e.ID), home.shows(e.ID))
		}
		if err := home.Label(ctx, judge.ID, e.ID, body.LabelDismissed, ""); err != nil {
			t.Fatal(err)
		}
		c.within(5*time.Minute, "the labeler takes it back", func() bool { return c.agree() && away.shows(e.ID) })
	})
}

// Crossing a threshold is reported once.
func TestTierIsPublished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 1, nil)
		b := c.nodes[0]
		sub := b.Events().Subscribe(events.TierChanged, 16)
		defer sub.Close()
		ada := b.agent("Ada")
		time.Sleep(time.Minute)
		for i := range 19 {
			b.contribute(ada, retold(i))
			time.Sleep(15 * time.Second)
		}
		var got []events.Event
		for len(sub.C()) > 0 {
			got = append(got, <-sub.C())
		}
		if len(got) != 1 {
			t.Fatalf("published %+v", got)
		}
		f := got[0].Data.(events.Step).Fields
		if f["from"] != "newcomer" || f["to"] != "contributor" || f["score"] != 5.1 || got[0].Object != ada.ID.String() {
			t.Errorf("published %+v", got[0])
		}
	})
}
