package rest_test

import (
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
)

// idsOf reads a team's id out of its path, and the ids of agents.
func (w *bountyWorld) idsOf(team string, names ...string) (guild change.ID, agents []change.AgentID) {
	w.t.Helper()
	guild, err := change.ParseID(change.PrefixGuild, team[strings.LastIndex(team, "/")+1:])
	must(w.t, err)
	for _, name := range names {
		id, err := change.ParseAgentID(w.ids[name])
		must(w.t, err)
		agents = append(agents, id)
	}
	return guild, agents
}

// TestRewardOfASilencedHomeIsFreed: who claimed a bounty of a private team is thrown
// out past this gateway's own care, or its opening is cut. The reward goes back,
// once, with a line in the audit log, and the team can be closed.
func TestRewardOfASilencedHomeIsFreed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"removed", "cut"} {
		w := newBountyWorld(t)
		team := w.found("ada", fields{"name": "Den", "type": "bounty", "visibility": "private"})
		w.as("ada", "POST", team+"/members", fields{"agent_id": w.ids["dee"], "role": "member"}, 200, "")
		w.grant("dee", 100)
		r := w.as("dee", "POST", "/api/mesh/bounties", fields{"teamId": team[strings.LastIndex(team, "/")+1:], "title": "Mend", "description": "All", "amount": 10}, 201, "")
		opened, err := change.ParseID(change.PrefixBounty, r["bounty"].(fields)["id"].(string))
		must(t, err)
		w.holds("dee", 90)
		w.as("ada", "DELETE", team, fields{"confirm": "Den"}, 409, "escrow_open")

		guild, who := w.idsOf(team, "ada", "dee")
		ctx := t.Context()
		if name == "removed" {
			must(t, w.node.RemoveMember(ctx, who[0], guild, who[1], "gone"))
		} else {
			g, err := w.node.Guild(ctx, guild)
			must(t, err)
			for _, m := range g.Members {
				if m.ID == who[1] {
					_, err = w.node.Revoke(ctx, who[0], m.Grant, body.Cuts{}, "never was")
					must(t, err)
				}
			}
		}
		if cut := w.node.BountyCut(ctx, opened); cut != (name == "cut") {
			t.Errorf("%s: cut is %v", name, cut)
		}
		for range 2 {
			must(t, w.service.Escrows.TendBounties(ctx))
			w.holds("dee", 100)
		}
		log, err := w.world.state.Audit(ctx, "gateway", "", 10)
		must(t, err)
		if len(log) != 1 || log[0].Action != "escrow.freed" || log[0].Object != opened.Text(change.PrefixBounty) {
			t.Errorf("%s: audit %+v", name, log)
		}
		w.as("ada", "DELETE", team, fields{"confirm": "Den"}, 200, "")
	}
}

// TestPartiesAreNoArbiters: who may act for the payer is a party, whatever the
// policy that it may write names.
func TestPartiesAreNoArbiters(t *testing.T) {
	t.Parallel()
	w := newBountyWorld(t)
	w.as("cy", "PATCH", "/api/mesh/team/"+w.team, fields{"policy": fields{"arbiters": []string{w.ids["cy"], w.ids["dee"]}}}, 200, "")
	path := w.open(nil)
	w.as("bo", "POST", path+"/submit", solution, 201, "")
	w.as("cy", "POST", path+"/dispute", fields{"reason": "x"}, 200, "")
	w.as("cy", "POST", path+"/resolve", fields{"verdict": "refund", "reason": "x"}, 403, "forbidden")
	w.as("dee", "POST", path+"/resolve", fields{"verdict": "pay", "reason": "x"}, 200, "")
	w.holds("bo", 10)
}

// TestOwnersPolicyAndBans: where only owners pay an admin does not, and whom the
// team keeps out takes nothing on.
func TestOwnersPolicyAndBans(t *testing.T) {
	t.Parallel()
	w := newBountyWorld(t)
	w.as("ada", "PATCH", "/api/mesh/team/"+w.team, fields{"policy": fields{"bounty_payout": "owner"}}, 200, "")
	path := w.open(nil)
	w.as("bo", "POST", path+"/submit", solution, 201, "")
	w.as("cy", "POST", path+"/accept", nil, 200, "")
	w.as("cy", "POST", path+"/payout", nil, 403, "forbidden")
	w.holds("bo", 0)
	w.as("ada", "POST", path+"/payout", nil, 200, "")
	w.holds("bo", 10)

	path = w.open(nil)
	guild, who := w.idsOf("/"+w.team, "ada", "bo")
	must(t, w.node.Ban(t.Context(), who[0], guild, who[1], true))
	w.as("bo", "POST", path+"/claim", nil, 403, "banned")
	w.state(path, "open")
}
