package node_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/view"
)

// What is said and kept in a private team reaches the nodes of its members and no
// other; a sealed message is read by the two it concerns.
func TestTeamTalksAcrossNodes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, nil)
		here, there := c.nodes[0], c.nodes[1]
		ctx := context.Background()
		ada, cy, bo := here.agent("Ada"), here.agent("Cy"), there.agent("Bo")
		c.within(twoTurns, "the world agrees", c.agree)
		g, err := here.OpenGuild(ctx, ada.ID, view.NewGuild{Name: "Talk", Type: "dev", Visibility: body.Private})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range []view.Agent{bo, cy} {
			if _, err := here.SetRole(ctx, ada.ID, g.ID, a.ID, "member"); err != nil {
				t.Fatal(err)
			}
		}
		if err := there.FollowTeam(ctx, g.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := here.SendMessage(ctx, ada.ID, g.ID, view.NewMessage{Type: "text", Text: "to all"}); err != nil {
			t.Fatal(err)
		}
		sent, err := here.SendMessage(ctx, ada.ID, g.ID, view.NewMessage{Type: "request", Text: "to you", Subject: "hush", To: bo.ID})
		if err != nil || sent.Text != "to you" || sent.Locked {
			t.Fatalf("%+v, %v", sent, err)
		}
		if _, err := here.ContributeToTeam(ctx, cy.ID, g.ID, pass("go", body.Entry{Type: body.Gotcha, Text: lesson, Confidence: 800}), view.Submit{}); err != nil {
			t.Fatal(err)
		}
		read := func(n *box, a view.Agent) []view.Message {
			t.Helper()
			page, err := n.Messages(ctx, g.ID, view.MessageQuery{Reader: a.ID, Limit: 10})
			if err != nil {
				t.Fatal(err)
			}
			return page.Messages
		}
		c.within(10*time.Minute, "the other node has the team", func() bool { return len(read(there, bo)) == 2 && there.TeamKnowledge(ctx, g.ID) == 1 })
		got := read(there, bo)
		if got[0].ID != sent.ID || got[0].Text != "to you" || got[0].Subject != "hush" || got[0].Locked || got[0].From.ID != ada.ID {
			t.Errorf("bo reads %+v", got[0])
		}
		if got := read(here, cy); len(got) != 1 || got[0].Text != "to all" {
			t.Errorf("cy reads %+v", got)
		}
		if n := there.Unread(ctx, g.ID, bo.ID, 0); n != 2 {
			t.Errorf("%d unread", n)
		}
		if n := there.Unread(ctx, g.ID, bo.ID, sent.HLC); n != 0 {
			t.Errorf("%d unread after the last", n)
		}
		// The text lies sealed in the log: a reader whose keys are elsewhere learns
		// that there is a message, not what it says.
		if got := read(there, ada); len(got) != 2 || !got[0].Locked || got[0].Text != "" {
			t.Errorf("without ada's key %+v", got)
		}
		answer, err := there.SendMessage(ctx, bo.ID, g.ID, view.NewMessage{Type: "text", Text: "heard", To: ada.ID, Reply: sent.ID})
		if err != nil || answer.HLC <= sent.HLC {
			t.Fatalf("%+v, %v", answer, err)
		}
		c.within(10*time.Minute, "the answer is here", func() bool { return len(read(here, ada)) == 3 })
		if err := here.RemoveMember(ctx, ada.ID, g.ID, bo.ID, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := here.SendMessage(ctx, ada.ID, g.ID, view.NewMessage{Type: "text", Text: "gone?", To: bo.ID}); code(err) != reason.AgentNotFound {
			t.Errorf("to who left: %v", err)
		}
		if _, err := here.Entries(ctx, view.EntryQuery{Limit: 10}); err != nil {
			t.Fatal(err)
		} else if page, _ := here.Entries(ctx, view.EntryQuery{Limit: 10}); len(page.Entries) != 0 {
			t.Errorf("public entries %+v", page.Entries)
		}
	})
}
