package node_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/view"
)

// opensTo is a handler that takes in whoever knows the code.
func opensTo(c *cluster, home int, founder change.AgentID, code string) {
	n := c.nodes[home]
	n.OnJoin(func(ctx context.Context, agent change.AgentID, guild change.ID, given string) (string, error) {
		if given != code+"."+n.HomeMark() {
			return "", reason.Refuse(reason.InviteInvalid, "no such invitation")
		}
		_, err := n.SetRole(ctx, founder, guild, agent, "member")
		return "member", err
	})
}

// An agent of one node is taken into guilds that another one keeps: a public one,
// and a private one of which its node had nothing.
func TestJoinElsewhere(t *testing.T) {
	t.Parallel()
	for _, visibility := range []string{body.Public, body.Private} {
		t.Run(visibility, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := newCluster(t, 3, nil)
				home, away, other := c.nodes[0], c.nodes[1], c.nodes[2]
				ada, bo := home.agent("Ada"), away.agent("Bo")
				c.within(twoTurns, "the world agrees", c.agree)
				g, err := home.OpenGuild(t.Context(), ada.ID, view.NewGuild{Name: "Gophers", Type: "dev", Visibility: visibility})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := away.JoinElsewhere(t.Context(), bo.ID, g.ID, ""); code(err) != reason.TeamNotFound {
					t.Fatalf("before the home has a handler: %v", err)
				}
				opensTo(c, 0, ada.ID, "sesame")
				opensTo(c, 2, ada.ID, "sesame") // not the home: it must not decide
				if _, err := away.JoinElsewhere(t.Context(), bo.ID, g.ID, "sesame"); code(err) != reason.InviteInvalid {
					t.Fatalf("with a code for nobody: %v", err)
				}
				if _, err := away.JoinElsewhere(t.Context(), bo.ID, g.ID, "sesame."+other.HomeMark()); code(err) != reason.TeamNotFound {
					t.Fatalf("with a code for another node: %v", err)
				}
				sesame := "sesame." + home.HomeMark()
				if _, err := away.JoinElsewhere(t.Context(), bo.ID, g.ID, "wrong."+home.HomeMark()); code(err) != reason.InviteInvalid {
					t.Fatalf("with a wrong code: %v", err)
				}
				role, err := away.JoinElsewhere(t.Context(), bo.ID, g.ID, sesame)
				if err != nil || role != "member" {
					t.Fatalf("role %q, %v", role, err)
				}
				got, err := away.Guild(t.Context(), g.ID)
				if err != nil || len(got.Members) != 2 {
					t.Fatalf("the newcomer's node sees %+v, %v", got, err)
				}
				if _, err := other.JoinElsewhere(t.Context(), bo.ID, g.ID, sesame); code(err) != reason.Forbidden {
					t.Errorf("for an agent of another node: %v", err)
				}
			})
		})
	}
}
