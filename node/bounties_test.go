package node_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// A bounty is opened on one node and done by an agent of another. Both nodes show
// the same state at the end, the claim counts nowhere before its home confirms
// it, and of two claims one wins.
func TestBountyAcrossNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, nil)
		here, there := c.nodes[0], c.nodes[1]
		ctx := t.Context()
		ada, bo, cy := here.agent("Ada"), there.agent("Bo"), here.agent("Cy")
		g, err := here.OpenGuild(ctx, ada.ID, view.NewGuild{Name: "Market", Type: "bounty", Visibility: body.Public})
		if err != nil {
			t.Fatal(err)
		}
		b, err := here.OpenBounty(ctx, ada.ID, view.NewBounty{Guild: g.ID, Title: "Mend", Text: "All of it", Amount: 10_000, Currency: body.Credits}, "once")
		if err != nil {
			t.Fatal(err)
		}
		if again, err := here.OpenBounty(ctx, ada.ID, view.NewBounty{Guild: g.ID, Title: "Mend", Amount: 10_000, Currency: body.Credits}, "once"); err != nil || again.ID != b.ID {
			t.Fatalf("opened again as %s, %v", again.ID, err)
		}
		if b.Status != "" || !b.HomeHere {
			t.Fatalf("opened as %q, home here %t", b.Status, b.HomeHere)
		}
		if err := here.ConfirmBounty(ctx, b.ID, b.ID); err != nil {
			t.Fatal(err)
		}
		status := func(n *box) bounty.Status { x, _ := n.Bounty(ctx, b.ID); return x.Status }
		c.within(twoTurns, "the bounty is there", func() bool { return status(there) == bounty.Open })

		steps := here.Events().SubscribeLossy(events.BountyStep, 64)
		defer steps.Close()
		step := func(n *box, by view.Agent, act string) change.ID {
			t.Helper()
			a := body.BountyAct{Bounty: b.ID, Act: act}
			if act == body.BountySubmit {
				a.Text = "mended"
			}
			id, err := n.StepBounty(ctx, by.ID, a, "")
			if err != nil {
				t.Fatalf("%s: %v", act, err)
			}
			return id
		}
		confirm := func(id change.ID) {
			t.Helper()
			c.within(twoTurns, "the step is at home", func() bool {
				x, _ := here.Bounty(ctx, b.ID)
				return slices.ContainsFunc(x.Waiting, func(s bounty.Step) bool { return s.ID == id })
			})
			if err := here.ConfirmBounty(ctx, b.ID, id); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := here.StepBounty(ctx, ada.ID, body.BountyAct{Bounty: b.ID, Act: body.BountyClaim}, ""); code(err) != reason.SelfDeal {
			t.Errorf("the payer claims: %v", err)
		}
		first, second := step(there, bo, body.BountyClaim), step(here, cy, body.BountyClaim)
		if status(there) != bounty.Open || there.ConfirmBounty(ctx, b.ID, first) == nil {
			t.Fatal("a claim counts without its home")
		}
		confirm(first)
		if err := here.ConfirmBounty(ctx, b.ID, second); code(err) != reason.AlreadyClaimed {
			t.Errorf("the second claim: %v", err)
		}
		c.within(twoTurns, "the claim counts", func() bool { return status(there) == bounty.Claimed })
		confirm(step(there, bo, body.BountySubmit))
		confirm(step(here, ada, body.BountyAccept))
		if stepped, err := here.StepBountyAsHome(ctx, b.ID, ""); stepped || err != nil {
			t.Fatalf("paid early: %v", err)
		}
		time.Sleep(73 * time.Hour)
		if stepped, err := here.StepBountyAsHome(ctx, b.ID, ""); !stepped || err != nil {
			t.Fatalf("not paid: %v", err)
		}
		c.within(2*time.Minute, "both agree", func() bool { return status(there) == bounty.Paid && c.agree() })
		x, _ := here.Bounty(ctx, b.ID)
		y, _ := there.Bounty(ctx, b.ID)
		if len(x.Events) != 5 || !slices.EqualFunc(x.Events, y.Events, func(a, b bounty.Event) bool { return a == b }) {
			t.Errorf("%+v\n%+v", x.Events, y.Events)
		}
		if text, err := there.BountyText(ctx, b.ID); err != nil || text != "All of it" {
			t.Errorf("%q, %v", text, err)
		}
		var names []string
		for len(steps.C()) > 0 {
			names = append(names, (<-steps.C()).Data.(events.Step).Name)
		}
		if want := []string{"bounty.claimed", "bounty.submitted", "bounty.accepted", "bounty.paid"}; !slices.Equal(names, want) {
			t.Errorf("told %v, want %v", names, want)
		}
	})
}
