package rest_test

import (
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// idIn is the last part of a path.
func idIn(path string) string { return path[strings.LastIndex(path, "/")+1:] }

// stepped is a step of a task, by its endpoint and by the tool of that step.
func stepped(who, task, action, tool string) ask {
	parts := strings.Split(task, "/")
	return ask{who: who, method: "PATCH", path: task, body: fields{"action": action}, tool: tool, args: fields{"team_id": parts[4], "task_id": parts[6]}}
}

// joined requests to join a team.
func joined(who, team, code string) ask {
	body := fields{}
	args := fields{"id": idIn(team)}
	if code != "" {
		body["invite_code"], args["invite_code"] = code, code
	}
	return ask{who: who, method: "POST", path: "/api/mesh/guilds/" + idIn(team) + "/join", body: body, tool: "join_guild", args: args}
}

// band founds a public team of ada with bo in it.
func (w *refusalWorld) band(name string, with fields) string {
	w.t.Helper()
	body := fields{"name": name, "visibility": "public"}
	for k, v := range with {
		body[k] = v
	}
	team := w.found("ada", body)
	w.as("bo", "POST", team+"/join", nil, 200, "")
	return team
}

var refusalsOfTeams = []refusalCase{
	refused(reason.TeamNotFound, ask{who: "bo", method: "GET", path: "/api/mesh/team/gld_x/board", tool: "board_list", args: fields{"team_id": "gld_x"}}),
	{code: reason.NotAMember, provoke: func(w *refusalWorld) {
		w.both(reason.NotAMember, ask{who: "dee", method: "GET", path: "/api/mesh/team/" + w.team + "/board", tool: "board_list", args: fields{"team_id": w.team}})
	}},
	{code: reason.ZoneDenied, provoke: func(w *refusalWorld) {
		team := w.band("Zoned", nil)
		w.both(reason.ZoneDenied, ask{who: "bo", method: "GET", path: "/api/crdt/" + idIn(team) + ".zone%2Ftown/state", tool: "read_document", args: fields{"doc": idIn(team) + ".zone/town"}})
	}},
	{code: reason.Forbidden, provoke: func(w *refusalWorld) {
		team := w.band("Modest", nil)
		w.both(reason.Forbidden, ask{who: "bo", method: "POST", path: team + "/mode", body: fields{"mode": "audit"}, tool: "mode_set", args: fields{"team_id": idIn(team), "mode": "audit"}})
	}},
	{code: reason.InviteInvalid, provoke: func(w *refusalWorld) {
		w.both(reason.InviteInvalid, joined("bo", w.found("ada", fields{"name": "Closed"}), "wrong"))
	}},
	{code: reason.TeamFull, provoke: func(w *refusalWorld) {
		w.both(reason.TeamFull, joined("dee", w.band("Two", fields{"max_slots": 2}), ""))
	}},
	{code: reason.Banned, provoke: func(w *refusalWorld) {
		team := w.band("Strict", nil)
		w.as("ada", "POST", team+"/members", fields{"action": "ban", "agent_id": "bo"}, 200, "")
		w.both(reason.Banned, joined("bo", team, ""))
	}},
	{code: reason.LastOwner, noTool: "no tool leaves a team", provoke: func(w *refusalWorld) {
		w.http(reason.LastOwner, ask{who: "ada", method: "POST", path: w.found("ada", fields{"name": "Alone"}) + "/leave"})
	}},
	{code: reason.HeartbeatRequired, provoke: func(w *refusalWorld) {
		team := w.band("Awake", nil)
		w.as("ada", "PATCH", team, fields{"policy": fields{"claim_needs_heartbeat": true}}, 200, "")
		w.both(reason.HeartbeatRequired, stepped("bo", w.addTask("ada", team, fields{"title": "Watch"}), "claim", "board_claim"))
	}},
	{code: reason.TaskNotFound, provoke: func(w *refusalWorld) {
		w.both(reason.TaskNotFound, stepped("ada", "/api/mesh/team/"+w.team+"/board/tsk_x", "claim", "board_claim"))
	}},
	{code: reason.AlreadyClaimed, provoke: func(w *refusalWorld) {
		task := w.addTask("ada", w.band("Eager", nil), fields{"title": "One"})
		w.as("ada", "PATCH", task, fields{"action": "claim"}, 200, "")
		w.both(reason.AlreadyClaimed, stepped("bo", task, "claim", "board_claim"))
	}},
	{code: reason.NotClaimant, provoke: func(w *refusalWorld) {
		task := w.addTask("ada", w.band("Meddling", nil), fields{"title": "One"})
		w.as("ada", "PATCH", task, fields{"action": "claim"}, 200, "")
		w.both(reason.NotClaimant, stepped("bo", task, "release", "board_release"))
	}},
	{code: reason.BlockedByDependency, provoke: func(w *refusalWorld) {
		team := w.band("Ordered", nil)
		first := w.addTask("ada", team, fields{"title": "First"})
		w.both(reason.BlockedByDependency, stepped("bo", w.addTask("ada", team, fields{"title": "Second", "dependsOn": []string{idIn(first)}}), "claim", "board_claim"))
	}},
	{code: reason.EvidenceRequired, provoke: func(w *refusalWorld) {
		task := w.addTask("ada", w.band("Thorough", nil), fields{"title": "One"})
		w.as("bo", "PATCH", task, fields{"action": "claim"}, 200, "")
		w.both(reason.EvidenceRequired, stepped("bo", task, "done", "board_complete"))
	}},
	{code: reason.BadTransition, provoke: func(w *refusalWorld) {
		task := w.addTask("ada", w.band("Stuck", nil), fields{"title": "One"})
		w.as("bo", "PATCH", task, fields{"action": "claim"}, 200, "")
		w.as("bo", "PATCH", task, fields{"action": "block", "reason": "x"}, 200, "")
		w.both(reason.BadTransition, stepped("bo", task, "block", "board_block"))
	}},
	{code: reason.CapabilityMissing, noTool: "no tool takes rights back", provoke: func(w *refusalWorld) {
		held := w.as("ada", "POST", "/api/mesh/capabilities", fields{"audience": w.holder.Key().String(), "can": []string{"entry/put"}, "expires_in": 3600}, 201, "")
		w.http(reason.CapabilityMissing, ask{who: "bo", method: "POST", path: "/api/mesh/capabilities/" + held["cid"].(string) + "/revoke", body: fields{}})
	}},
}

// claimed asks to work on a bounty.
func claimed(who, bounty string) ask {
	return ask{who: who, method: "POST", path: bounty + "/claim", tool: "bounty_claim", args: fields{"id": idIn(bounty)}}
}

var refusalsOfBounties = []refusalCase{
	{code: reason.BountyNotFound, provoke: func(w *refusalWorld) { w.both(reason.BountyNotFound, claimed("bo", "/api/mesh/bounties/bty_none")) }},
	{code: reason.SelfDeal, provoke: func(w *refusalWorld) { w.both(reason.SelfDeal, claimed("ada", w.open(nil))) }},
	{code: reason.InsufficientCredits, noTool: "no tool opens a bounty", provoke: func(w *refusalWorld) {
		w.http(reason.InsufficientCredits, ask{who: "ada", method: "POST", path: "/api/mesh/bounties", body: fields{"teamId": w.team, "title": "Mend", "description": "All", "amount": 9999}})
	}},
	{code: reason.SettlementUnavailable, noTool: "no tool opens a bounty", provoke: func(w *refusalWorld) {
		w.http(reason.SettlementUnavailable, ask{who: "ada", method: "POST", path: "/api/mesh/bounties",
			body: fields{"teamId": w.team, "title": "Mend", "description": "All", "amount": 10, "currency": "USDC"}})
	}},
	{code: reason.SubmissionNotFound, noTool: "no tool accepts work", provoke: func(w *refusalWorld) {
		path := w.open(nil)
		w.as("bo", "POST", path+"/submit", solution, 201, "")
		w.http(reason.SubmissionNotFound, ask{who: "ada", method: "POST", path: path + "/accept", body: fields{"submissionId": "sub_none"}})
	}},
	{code: reason.EscrowOpen, noTool: "no tool closes a team", provoke: func(w *refusalWorld) {
		w.http(reason.EscrowOpen, ask{who: "ada", method: "DELETE", path: "/api/mesh/team/" + w.team, body: fields{"confirm": "Market"}})
	}},
	{code: reason.LimitReached, provoke: func(w *refusalWorld) {
		for range 5 {
			w.as("dee", "POST", w.open(nil)+"/claim", nil, 200, "")
		}
		w.both(reason.LimitReached, claimed("dee", w.open(nil)))
	}},
	{code: reason.GovernanceRequired, noTool: "no tool pays", provoke: func(w *refusalWorld) {
		path := w.open(nil)
		w.as("bo", "POST", path+"/submit", solution, 201, "")
		w.as("ada", "PATCH", "/api/mesh/team/"+w.team, fields{"policy": fields{"bounty_payout": "governance"}}, 200, "")
		w.http(reason.GovernanceRequired, ask{who: "ada", method: "POST", path: path + "/payout"})
	}},
	{code: reason.BountyExpired, provoke: func(w *refusalWorld) {
		path := w.open(fields{"deadline": w.clock.Now().Add(2 * time.Hour).UnixMilli()})
		w.pass(3 * time.Hour)
		must(w.t, w.service.Escrows.TendBounties(w.t.Context()))
		w.both(reason.BountyExpired, claimed("bo", path))
	}},
}
