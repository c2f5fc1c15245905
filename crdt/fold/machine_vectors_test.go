package fold_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/identity/role"
)

// The machines are published below the log: their steps are those that have
// effect and are not retracted, in (hlc, id) order, with what the views know of
// their authors. Times are milliseconds.

type taskStep struct {
	Agent string `json:"agent"`
	Admin bool   `json:"admin"` // an admin or owner by the right it was written with
	Act   string `json:"act"`
	To    string `json:"to,omitempty"`
}

type taskOut struct {
	Status  string `json:"status"`
	Claimer string `json:"claimer"` // "" for nobody
}

// someone is the agent of a letter, by whose name vectors call it.
func someone(name string) (id change.AgentID) {
	copy(id[:], bytes.Repeat([]byte(name), 32))
	return id
}

func nameOf(id change.AgentID) string {
	if id.IsZero() {
		return ""
	}
	return string(id[:1])
}

func playTask(steps []taskStep) taskOut {
	var in []board.Step
	for i, s := range steps {
		st := board.Step{ID: change.ID{byte(i + 1)}, HLC: uint64(i+1) << 10, Agent: someone(s.Agent), Manages: s.Admin, Act: s.Act}
		if s.To != "" {
			st.To = someone(s.To)
		}
		in = append(in, st)
	}
	s := board.Fold(in)
	return taskOut{string(s.Status), nameOf(s.Claimer)}
}

// TestTaskVectors: every act in every state, by the claimant, another and an
// admin. What it comes to is said here once more, by the words of SPEC.
func TestTaskVectors(t *testing.T) {
	t.Parallel()
	type vector = vectortest.Vector[[]taskStep, taskOut]
	claim := taskStep{Agent: "c", Act: body.TaskClaim}
	ways := map[string][]taskStep{
		"open": nil, "claimed": {claim}, "blocked": {claim, {Agent: "c", Act: body.TaskBlock}}, "done": {claim, {Agent: "c", Act: body.TaskDone}},
	}
	var made []vector
	for _, from := range []string{"open", "claimed", "blocked", "done"} {
		for _, act := range []string{body.TaskClaim, body.TaskRelease, body.TaskDone, body.TaskBlock, body.TaskReopen, body.TaskDelegate} {
			for _, by := range []taskStep{{Agent: "c"}, {Agent: "o"}, {Agent: "a", Admin: true}} {
				mine := by.Agent == "c" || by.Admin
				to := from // where a step that counts leads
				switch {
				case act == body.TaskClaim && (from == "open" || from == "claimed" && by.Agent == "c"):
					to = "claimed"
				case act == body.TaskRelease && from == "claimed" && mine:
					to = "open"
				case act == body.TaskDone && (from == "claimed" && mine || from != "done" && by.Admin):
					to = "done"
				case act == body.TaskBlock && (from == "open" || from == "claimed"):
					to = "blocked"
				case act == body.TaskReopen && (from == "done" || from == "blocked"):
					to = "open"
				case act == body.TaskDelegate && (from == "claimed" && mine || from == "open" || from == "blocked"):
					to = "claimed"
				}
				out := taskOut{Status: to, Claimer: "c"}
				switch {
				case to == "open", from == "open" && to != "claimed":
					out.Claimer = ""
				case act == body.TaskDelegate && to == "claimed" && !(from == "claimed" && !mine):
					out.Claimer = "d"
				case from == "open":
					out.Claimer = by.Agent
				}
				step := by
				if step.Act = act; act == body.TaskDelegate {
					step.To = "d"
				}
				made = append(made, vector{
					Name: fmt.Sprintf("%s of a task that is %s, by %s", act, from, map[string]string{"c": "the claimant", "o": "another", "a": "an admin"}[by.Agent]),
					In:   append(slices.Clone(ways[from]), step), Out: &out, Rule: "13.25",
				})
			}
		}
	}
	for _, v := range vectortest.Golden(t, "machines/task.json", made) {
		if got := playTask(v.In); got != *v.Out {
			t.Errorf("%s: %+v, want %+v", v.Name, got, *v.Out)
		}
	}
}

type bountyIn struct {
	Agent     string       `json:"agent"` // of the opening
	At        int64        `json:"at"`
	Deadline  int64        `json:"deadline,omitempty"`
	Confirmed bool         `json:"confirmed"`
	Steps     []bountyStep `json:"steps"`
}

type bountyStep struct {
	Agent     string `json:"agent"`
	At        int64  `json:"at"`
	Admin     bool   `json:"admin,omitempty"` // an admin or owner by its proof[1]
	Member    bool   `json:"member,omitempty"`
	Home      bool   `json:"home,omitempty"` // its author is the home
	Confirmed bool   `json:"confirmed"`
	Act       string `json:"act"`
	Ref       int    `json:"ref,omitempty"` // names the n-th step, from 1; -1 something else
	Percent   int    `json:"pct,omitempty"`
}

type bountyOut struct {
	Status   string `json:"status"`
	Claimant string `json:"claimant"`
	Share    int    `json:"share"` // percent of the reward for the claimant
}

func playBounty(in bountyIn) bountyOut {
	id := func(n int) change.ID { return change.ID{byte(n)} }
	o := bounty.Opening{ID: id(200), HLC: uint64(in.At) << 10, Agent: someone(in.Agent), Deadline: in.Deadline, Confirmed: in.Confirmed}
	var steps []bounty.Step
	for i, s := range in.Steps {
		st := bounty.Step{ID: id(i + 1), HLC: uint64(s.At) << 10, Agent: someone(s.Agent), Home: s.Home, Confirmed: s.Confirmed, Act: s.Act, Percent: s.Percent}
		switch {
		case s.Admin:
			st.Rank = role.Rank(role.Admin)
		case s.Member:
			st.Rank = role.Rank(role.Member)
		}
		switch {
		case s.Ref > 0:
			st.Ref = id(s.Ref)
		case s.Ref < 0:
			st.Ref = id(199)
		}
		steps = append(steps, st)
	}
	s := bounty.Replay(o, steps)
	return bountyOut{string(s.Status), nameOf(s.Claimant), s.Share}
}

const hour, day = int64(3_600_000), int64(24 * 3_600_000)

// TestBountyVectors: every act in every state by everybody, and the times, rounds
// and confirmations that decide. "p" opened it, "c" claims, "h" is the home, "a"
// an admin, "s" a stranger.
func TestBountyVectors(t *testing.T) {
	t.Parallel()
	type vector = vectortest.Vector[bountyIn, bountyOut]
	var made []vector
	const begin = int64(1_790_000_000_000)
	opened := func(steps ...bountyStep) bountyIn {
		in := bountyIn{Agent: "p", At: begin, Confirmed: true, Steps: []bountyStep{}}
		for i, s := range steps {
			if s.At == 0 {
				s.At = begin + int64(i+1)*1000
			}
			s.Confirmed = true
			in.Steps = append(in.Steps, s)
		}
		return in
	}
	step := func(agent, act string) bountyStep {
		s := bountyStep{Agent: agent, Act: act, Home: agent == "h", Admin: agent == "a"}
		if act == body.BountySplit {
			s.Percent = 30
		}
		return s
	}
	claim, submit, accept, dispute := step("c", "claim"), step("c", "submit"), step("p", "accept"), step("p", "dispute")
	ways := map[string][]bountyStep{
		"open": nil, "claimed": {claim}, "submitted": {claim, submit}, "accepted": {claim, submit, accept}, "disputed": {claim, submit, dispute},
		"paid": {claim, submit, accept, step("p", "payout")}, "cancelled": {step("p", "cancel")}, "refunded": {claim, submit, dispute, step("s", "refund")},
	}
	// by whom an act counts at once, in each state, and what it leads to
	table := map[string]map[string][2]string{
		"claim": {"open": {"chs", "claimed"}}, "release": {"claimed": {"c", "open"}}, "submit": {"claimed": {"c", "submitted"}}, "changes": {"submitted": {"pa", "claimed"}},
		"accept": {"submitted": {"pa", "accepted"}}, "payout": {"accepted": {"pa", "paid"}}, "cancel": {"open": {"pa", "cancelled"}}, "expire": {},
		"dispute": {"submitted": {"cpa", "disputed"}, "accepted": {"cpa", "disputed"}}, "pay": {"disputed": {"sa", "paid"}}, "split": {"disputed": {"sa", "paid"}}, "refund": {"disputed": {"sa", "refunded"}},
	}
	add := func(name string, in bountyIn, status, claimant string, share int) {
		made = append(made, vector{Name: name, In: in, Out: &bountyOut{status, claimant, share}, Rule: "13.26"})
	}
	claimantOf := map[string]string{"open": "", "cancelled": "", "claimed": "c", "submitted": "c", "accepted": "c", "disputed": "c", "paid": "c", "refunded": "c"}
	for _, from := range []string{"open", "claimed", "submitted", "accepted", "disputed", "paid", "cancelled", "refunded"} {
		for _, act := range []string{"claim", "release", "submit", "changes", "accept", "payout", "cancel", "expire", "dispute", "pay", "split", "refund"} {
			for _, by := range []string{"p", "c", "h", "a", "s"} {
				status, claimant, share := from, claimantOf[from], 0
				if from == "paid" {
					share = 100
				}
				if to, ok := table[act][from]; ok && bytes.Contains([]byte(to[0]), []byte(by)) {
					status = to[1]
					switch act {
					case "claim":
						claimant = by
					case "release":
						claimant = ""
					case "payout", "pay":
						share = 100
					case "split":
						share = 30
					}
				}
				add(fmt.Sprintf("%s of a bounty that is %s, by %s", act, from, by), opened(append(slices.Clone(ways[from]), step(by, act))...), status, claimant, share)
			}
		}
	}
	at := func(s bountyStep, after int64) bountyStep { s.At = begin + after; return s }
	claimed := at(claim, 1000)
	done := []bountyStep{claimed, at(submit, 2000)}
	taken := append(slices.Clone(done), at(accept, 3000))
	fought := append(slices.Clone(done), at(dispute, 3000))
	play := func(way []bountyStep, s bountyStep) bountyIn { return opened(append(slices.Clone(way), s)...) }
	for _, by := range []string{"p", "h", "a"} {
		add("release before the lease ends, by "+by, play([]bountyStep{claimed}, at(step(by, "release"), 1000+72*hour-1)), "claimed", "c", 0)
		add("release when the lease ends, by "+by, play([]bountyStep{claimed}, at(step(by, "release"), 1000+72*hour)), "open", "", 0)
	}
	add("release when the lease ends, by a stranger", play([]bountyStep{claimed}, at(step("s", "release"), 1000+72*hour)), "claimed", "c", 0)
	renewed := append(slices.Clone(done), at(step("p", "changes"), 50*hour))
	add("changes begin the lease again", play(renewed, at(step("h", "release"), 50*hour+72*hour-1)), "claimed", "c", 0)
	add("the lease after changes ends", play(renewed, at(step("h", "release"), 50*hour+72*hour)), "open", "", 0)
	add("accept by the home before 14 days", play(done, at(step("h", "accept"), 2000+14*day-1)), "submitted", "c", 0)
	add("accept by the home after 14 days", play(done, at(step("h", "accept"), 2000+14*day)), "accepted", "c", 0)
	add("payout by the home before 72 hours", play(taken, at(step("h", "payout"), 3000+72*hour-1)), "accepted", "c", 0)
	add("payout by the home after 72 hours", play(taken, at(step("h", "payout"), 3000+72*hour)), "paid", "c", 100)
	add("refund of accepted work by the home before 72 hours", play(taken, at(step("h", "refund"), 3000+72*hour-1)), "accepted", "c", 0)
	add("refund of accepted work by the home after 72 hours", play(taken, at(step("h", "refund"), 3000+72*hour)), "refunded", "c", 0)
	add("refund of accepted work by a stranger", play(taken, at(step("s", "refund"), 3000+72*hour)), "accepted", "c", 0)
	add("dispute of submitted work on the last day", play(done, at(step("c", "dispute"), 2000+14*day-1)), "disputed", "c", 0)
	add("dispute of submitted work after 14 days", play(done, at(step("c", "dispute"), 2000+14*day)), "submitted", "c", 0)
	add("dispute of accepted work after 14 days", play(taken, at(step("p", "dispute"), 3000+14*day)), "accepted", "c", 0)
	add("refund of a dispute by the home before 30 days", play(fought, at(step("h", "refund"), 3000+30*day-1)), "disputed", "c", 0)
	add("refund of a dispute by the home after 30 days", play(fought, at(step("h", "refund"), 3000+30*day)), "refunded", "c", 0)
	ended := func(in bountyIn, deadline int64) bountyIn { in.Deadline = begin + deadline; return in }
	add("claim before the deadline", ended(opened(at(claim, 999)), 1000), "claimed", "c", 0)
	add("claim at the deadline", ended(opened(at(claim, 1000)), 1000), "open", "", 0)
	add("submit before the deadline", ended(play([]bountyStep{claimed}, at(submit, 1999)), 2000), "submitted", "c", 0)
	add("submit at the deadline", ended(play([]bountyStep{claimed}, at(submit, 2000)), 2000), "claimed", "c", 0)
	add("expire before the deadline", ended(opened(at(step("h", "expire"), 999)), 1000), "open", "", 0)
	add("expire at the deadline", ended(opened(at(step("h", "expire"), 1000)), 1000), "expired", "", 0)
	add("expire of a claimed one", ended(play([]bountyStep{claimed}, at(step("h", "expire"), 2000)), 2000), "expired", "c", 0)
	add("expire by the payer", ended(opened(at(step("p", "expire"), 1000)), 1000), "open", "", 0)
	add("expire of a submitted one", ended(play(done, at(step("h", "expire"), 3000)), 3000), "submitted", "c", 0)
	rounds := []bountyStep{claim}
	for range 5 {
		rounds = append(rounds, submit, step("p", "changes"))
	}
	add("changes five times", opened(rounds...), "claimed", "c", 0)
	add("changes a sixth time", opened(append(rounds, submit, step("p", "changes"))...), "submitted", "c", 0)
	again := append(slices.Clone(rounds), step("c", "release"), claim, submit, step("p", "changes"))
	add("changes count anew with another claim", opened(again...), "claimed", "c", 0)
	ref := func(s bountyStep, n int) bountyStep { s.Ref = n; return s }
	add("accept names the live submission", opened(claim, submit, ref(accept, 2)), "accepted", "c", 0)
	add("accept names an older submission", opened(claim, submit, step("p", "changes"), submit, ref(accept, 2)), "submitted", "c", 0)
	add("accept names something else", opened(claim, submit, ref(accept, -1)), "submitted", "c", 0)
	add("payout names the live submission", opened(claim, submit, accept, ref(step("p", "payout"), 2)), "paid", "c", 100)
	add("payout names something else", opened(claim, submit, accept, ref(step("p", "payout"), -1)), "accepted", "c", 0)
	own := step("c", "accept")
	own.Admin = true
	add("accept by a claimant who is an admin", opened(claim, submit, own), "submitted", "c", 0)
	admin := step("a", "claim")
	add("claim by an admin", opened(admin), "open", "", 0)
	unconfirmed := func(in bountyIn, steps ...int) bountyIn {
		for _, i := range steps {
			in.Steps[i].Confirmed = false
		}
		return in
	}
	never := opened(claim)
	never.Confirmed = false
	add("an opening that is not confirmed", never, "", "", 0)
	for i, act := range []string{"claim", "accept", "payout"} {
		way := []bountyStep{claim, submit, accept, step("p", "payout")}
		n := []int{0, 2, 3}[i]
		status, share := []string{"open", "submitted", "accepted"}[i], 0
		who := "c"
		if n == 0 {
			who = ""
		}
		add(act+" that is not confirmed", unconfirmed(opened(way[:n+1]...), n), status, who, share)
	}
	add("submit that is not confirmed, with nothing confirmed after it", unconfirmed(opened(claim, submit), 1), "submitted", "c", 0)
	add("submit that is not confirmed is passed over when something later is", unconfirmed(opened(claim, submit, accept), 1), "claimed", "c", 0)
	for _, v := range vectortest.Golden(t, "machines/bounty.json", made) {
		if got := playBounty(v.In); got != *v.Out {
			t.Errorf("%s: %+v, want %+v", v.Name, got, *v.Out)
		}
	}
}

type inputs struct {
	Contributions int `json:"c"`
	Reuses        int `json:"r"`
	Served        int `json:"s"`
	Up            int `json:"u"`
	Down          int `json:"d"`
	Faults        int `json:"f"`
	Lost          int `json:"l"`
}

type score struct {
	Score int64  `json:"score"`
	Tier  string `json:"tier"`
}

// TestReputationVectors: the formula by its letters, each cap from both sides.
func TestReputationVectors(t *testing.T) {
	t.Parallel()
	type vector = vectortest.Vector[inputs, score]
	var made []vector
	for _, c := range []struct {
		in    inputs
		score int64
		tier  string
	}{
		{inputs{}, 0, "newcomer"}, {inputs{Contributions: 10}, 300, "newcomer"}, {inputs{Contributions: 10, Served: 5, Reuses: 5}, 400 + 800, "contributor"},
		{inputs{Contributions: 10, Served: 5, Reuses: 4}, 400 + 800, "contributor"}, {inputs{Contributions: 10, Served: 5, Reuses: 3}, 400 + 600, "contributor"},
		{inputs{Contributions: 2, Reuses: 2}, 60, "newcomer"}, {inputs{Contributions: 3, Reuses: 1}, 90 + 180, "newcomer"}, {inputs{Contributions: 100, Reuses: 50}, 3000 + 1000, "expert"},
		{inputs{Contributions: 300, Reuses: 100}, 9000 + 667, "expert"}, {inputs{Contributions: 800, Reuses: 1}, 24000 + 3, "authority"}, {inputs{Contributions: 1600, Reuses: 1}, 48000 + 1, "authority"}, {inputs{Contributions: 1601, Reuses: 1}, 48030 + 1, "authority"},
		{inputs{Contributions: 8001, Reuses: 1}, 240030, "authority"},
		{inputs{Contributions: 1000, Reuses: 2000}, 30000 + 4000, "authority"}, {inputs{Contributions: 1000, Reuses: 1999}, 30000 + 3998, "authority"}, {inputs{Contributions: 1000, Reuses: 2001}, 30000 + 4000, "authority"},
		{inputs{Contributions: 16}, 480, "newcomer"}, {inputs{Contributions: 17}, 510, "contributor"}, {inputs{Contributions: 99, Served: 1}, 2990, "contributor"}, {inputs{Contributions: 100}, 3000, "expert"},
		{inputs{Contributions: 333}, 9990, "expert"}, {inputs{Contributions: 332, Served: 2}, 10000, "authority"},
		{inputs{Contributions: 10, Up: 3, Down: 1}, 320, "newcomer"}, {inputs{Contributions: 10, Up: 50}, 800, "contributor"}, {inputs{Contributions: 10, Up: 51}, 800, "contributor"}, {inputs{Contributions: 20, Down: 49}, 110, "newcomer"},
		{inputs{Contributions: 20, Down: 50}, 100, "newcomer"}, {inputs{Contributions: 20, Down: 1000}, 100, "newcomer"},
		{inputs{Contributions: 20, Faults: 1}, 400, "newcomer"}, {inputs{Contributions: 20, Lost: 1}, 500, "contributor"}, {inputs{Contributions: 20, Faults: 2, Lost: 2}, 0, "newcomer"}, {inputs{Contributions: 20, Faults: 3, Lost: 1}, 0, "newcomer"},
		{inputs{Served: 3}, 60, "newcomer"}, {inputs{Contributions: 3, Served: 100, Reuses: 6}, 2090 + 4000, "expert"},
	} {
		made = append(made, vector{Name: fmt.Sprintf("c %d, r %d, s %d, u %d, d %d, f %d, l %d", c.in.Contributions, c.in.Reuses, c.in.Served, c.in.Up, c.in.Down, c.in.Faults, c.in.Lost), In: c.in, Out: &score{c.score, c.tier}, Rule: "20.9"})
	}
	for _, v := range vectortest.Golden(t, "machines/reputation.json", made) {
		i := v.In
		got := fold.Rate(fold.Inputs{Contributions: i.Contributions, Reuses: i.Reuses, Served: i.Served, Up: i.Up, Down: i.Down, Labels: i.Faults, Disputes: i.Lost})
		if got.Score != v.Out.Score || got.Tier != v.Out.Tier {
			t.Errorf("%s: %d, %s; want %d, %s", v.Name, got.Score, got.Tier, v.Out.Score, v.Out.Tier)
		}
	}
}
