package rest_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/events"
)

// attend has a gateway make notices until the function that it returns is called, which
// first waits until it has dealt with all that came before.
func (w *teamWorld) attend(last string) (stop func()) {
	w.t.Helper()
	sub := w.node.Events().Subscribe(events.Notified, 64)
	ctx, cancel := context.WithCancel(w.t.Context())
	ended, attending := make(chan struct{}), w.service.Notices.Attending()
	go func() { defer close(ended); attending(ctx, slog.New(slog.DiscardHandler)) }()
	return func() {
		w.t.Helper()
		w.settle()
		w.node.Events().Publish(events.Event{Kind: events.TierChanged, Object: w.ids[last], Data: events.Step{Fields: fields{"from": "newcomer", "to": fmt.Sprint("t", w.clock.Now().UnixNano())}}})
		for e := range sub.C() {
			if step, _ := e.Data.(events.Step); step.Fields["kind"] == "tier" {
				break
			}
		}
		sub.Close()
		cancel()
		<-ended
	}
}

// claimNotices are the notices of lost claims of an agent, oldest first.
func (w *teamWorld) claimNotices(who string) (out []fields) {
	w.t.Helper()
	for _, n := range w.as(who, "GET", "/api/mesh/notifications", nil, 200, "")["notifications"].([]any) {
		if n := n.(fields); n["kind"] == "claim" {
			out = append(out, n)
		}
	}
	slices.Reverse(out)
	return out
}

// Two members claim one task at once on nodes that have not met. The claim that came
// first stands, whichever node is the home; no node says before it can know it, and who
// lost learns it once.
func TestClaimsOfNodesApart(t *testing.T) {
	t.Parallel()
	a, team := newApart(t)
	ada, bo := a.sides[0], a.sides[1]
	path := "/api/mesh/team/" + team
	first := ada.addTask("ada", path, fields{"title": "Watch the harbour"})
	second := ada.addTask("ada", path, fields{"title": "Count the ships"})
	a.meet(t)
	id := func(task string) string { return strings.TrimPrefix(task, path+"/board/") }
	type stand struct {
		by        any
		confirmed any
	}
	stands := func(side int, task string) stand {
		t.Helper()
		got := a.sides[side].as(a.who[side], "GET", task, nil, 200, "")["task"].(fields)
		for _, listed := range a.sides[side].as(a.who[side], "GET", path+"/board", nil, 200, "")["tasks"].([]any) {
			if listed := listed.(fields); listed["id"] == got["id"] && listed["confirmed"] != got["confirmed"] {
				t.Errorf("the board says %v of a task that says %v", listed["confirmed"], got["confirmed"])
			}
		}
		return stand{got["claimedBy"], got["confirmed"]}
	}
	adaID, boID := any(ada.ids["ada"]), any(bo.ids["bo"])

	// The home's clock is ahead, so bo claims the first task first; then bo's is. Both have
	// gone on since the tasks were made: what comes before that is settled already.
	ada.pass(2 * time.Second)
	bo.pass(time.Second)
	mine := ada.as("ada", "PATCH", first, fields{"action": "claim"}, 200, "")
	theirs := bo.tool("bo", "board_claim", fields{"team_id": team, "task_id": id(first)})
	if mine["confirmed"] != false || theirs["confirmed"] != false || mine["claimedAs"] != adaID || theirs["claimedAs"] != boID {
		t.Errorf("claimed apart: %v by %v, %v by %v", mine["confirmed"], mine["claimedAs"], theirs["confirmed"], theirs["claimedAs"])
	}
	bo.pass(time.Minute)
	mine = ada.tool("ada", "board_claim", fields{"team_id": team, "task_id": id(second)})
	theirs = bo.as("bo", "PATCH", second, fields{"action": "claim"}, 200, "")
	if mine["confirmed"] != false || theirs["confirmed"] != false {
		t.Errorf("claimed apart: %v and %v", mine["confirmed"], theirs["confirmed"])
	}
	for i, who := range []any{adaID, boID} {
		if got := stands(i, first); got != (stand{who, false}) {
			t.Errorf("side %d alone: %v", i, got)
		}
	}

	// Bo's node sends first. Ada's then knows who has what; bo's knows nothing more.
	stop := ada.attend("ada")
	a.bring(t, 1)
	stop()
	if f, s := stands(0, first), stands(0, second); f != (stand{boID, true}) || s != (stand{adaID, true}) {
		t.Errorf("where both are known: %v, %v", f, s)
	}
	if f, s := stands(1, first), stands(1, second); f != (stand{boID, false}) || s != (stand{boID, false}) {
		t.Errorf("where one is known: %v, %v", f, s)
	}
	notices := ada.claimNotices("ada")
	if len(notices) != 1 || !strings.Contains(notices[0]["text"].(string), "Watch the harbour") || !strings.Contains(notices[0]["text"].(string), "bo#"+bo.ids["bo"][4:10]+" claimed it first") || notices[0]["link"] != first {
		t.Errorf("who lost reads %v", notices)
	}

	// Bo's gateway is down when the rest comes, and reports it when it is up again.
	a.bring(t, 0)
	for side := range a.sides {
		if f, s := stands(side, first), stands(side, second); f != (stand{boID, true}) || s != (stand{adaID, true}) {
			t.Errorf("side %d after they met: %v, %v", side, f, s)
		}
	}
	for range 2 {
		for i, w := range a.sides {
			w.clock.Add(time.Second)
			w.attend(a.who[i])()
		}
		a.meet(t)
	}
	if notices = ada.claimNotices("ada"); len(notices) != 1 {
		t.Errorf("notified again: %v", notices)
	}
	if notices = bo.claimNotices("bo"); len(notices) != 1 || !strings.Contains(notices[0]["text"].(string), "Count the ships") || !strings.Contains(notices[0]["text"].(string), "ada#"+ada.ids["ada"][4:10]+" claimed it first") {
		t.Errorf("who lost reads %v", notices)
	}

	// A renewal is no other claim; what is given back is confirmed of nobody.
	bo.as("bo", "PATCH", first, fields{"action": "claim"}, 200, "")
	if got := stands(1, first); got != (stand{boID, true}) {
		t.Errorf("renewed: %v", got)
	}
	r := bo.as("bo", "PATCH", first, fields{"action": "release"}, 200, "")
	if _, said := r["confirmed"]; said || r["task"].(fields)["confirmed"] != false {
		t.Errorf("released: %v", r)
	}
}

// A lost claim that was renewed before the nodes met is reported once, and so is one of
// a task that was finished meanwhile.
func TestLostClaimIsReportedOnce(t *testing.T) {
	t.Parallel()
	a, team := newApart(t)
	ada, bo := a.sides[0], a.sides[1]
	path := "/api/mesh/team/" + team
	task := ada.addTask("ada", path, fields{"title": "Light the lamp"})
	done := ada.addTask("ada", path, fields{"title": "Sound the horn"})
	a.meet(t)
	bo.pass(time.Second)
	for _, task := range []string{task, done} {
		ada.as("ada", "PATCH", task, fields{"action": "claim"}, 200, "")
		for range 3 {
			bo.as("bo", "PATCH", task, fields{"action": "claim"}, 200, "")
			bo.pass(time.Second)
		}
	}
	ada.as("ada", "PATCH", done, fields{"action": "done", "summary": "it sounds"}, 200, "")
	stop := bo.attend("bo")
	a.meet(t)
	stop()
	if notices := bo.claimNotices("bo"); len(notices) != 2 {
		t.Errorf("notified %v", notices)
	}

	// Given back and lost again is another claim.
	ada.pass(time.Minute)
	ada.as("ada", "PATCH", task, fields{"action": "release"}, 200, "")
	a.meet(t)
	ada.as("ada", "PATCH", task, fields{"action": "claim"}, 200, "")
	bo.pass(2 * time.Minute)
	bo.as("bo", "PATCH", task, fields{"action": "claim"}, 200, "")
	stop = bo.attend("bo")
	a.meet(t)
	stop()
	if notices := bo.claimNotices("bo"); len(notices) != 3 {
		t.Errorf("notified of the second %v", notices)
	}
}

// Three nodes claim whatever they find open and receive each other's claims late and in
// parts. At no step are two agents confirmed of one task, and in the end the claims of
// all three have left one, confirmed everywhere.
func TestNoTwoClaimsAreConfirmed(t *testing.T) {
	t.Parallel()
	names := []string{"ada", "bo", "cy"}
	sides := make([]*teamWorld, len(names))
	var spaces []change.Space
	for i, name := range names {
		sides[i] = newTeamWorld(t)
		for j := range i {
			sides[i].agent(fmt.Sprint("elsewhere", j)) // agents of a world are made of its count
		}
		sides[i].agent(name)
		agent, err := change.ParseAgentID(sides[i].ids[name])
		must(t, err)
		spaces = append(spaces, agent.Space())
	}
	team := sides[0].found("ada", fields{"name": "Three watches", "visibility": "private"})
	guild, err := change.ParseID(change.PrefixGuild, strings.TrimPrefix(team, "/api/mesh/team/"))
	must(t, err)
	spaces = append(spaces, change.GuildSpace(guild), change.TeamSpace(guild))
	known := map[[2]int]map[change.Space]uint64{}
	bring := func(from, to int) {
		way := [2]int{from, to}
		if known[way] == nil {
			known[way] = map[change.Space]uint64{}
		}
		carry(t, sides[from].node, sides[to].node, spaces, known[way])
	}
	meet := func() {
		for range 2 {
			for i := range sides {
				for j := range sides {
					if i != j {
						bring(i, j)
					}
				}
			}
		}
	}
	meet()
	for i := 1; i < len(names); i++ {
		sides[0].as("ada", "POST", team+"/members", fields{"agent_id": sides[i].ids[names[i]], "role": "member"}, 200, "")
	}
	meet()
	confirmed := func(rt *rapid.T, task string) (who map[any]int) {
		who = map[any]int{}
		for i, w := range sides {
			got := w.as(names[i], "GET", task, nil, 200, "")["task"].(fields)
			if got["confirmed"] == true {
				who[got["claimedBy"]]++
			}
		}
		if len(who) > 1 {
			rt.Fatalf("confirmed of %v", who)
		}
		return who
	}
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		task := sides[0].addTask("ada", team, fields{"title": fmt.Sprint("task ", round)})
		meet()
		claims := 0
		claim := func(i int) {
			r := sides[i].do(apiCall{method: "PATCH", path: task, key: sides[i].keys[names[i]], body: encode(t, fields{"action": "claim"})})
			if r.StatusCode == 200 {
				claims |= 1 << i
			}
		}
		for range rapid.IntRange(2, 10).Draw(rt, "steps") {
			i := rapid.IntRange(0, 2).Draw(rt, "side")
			switch rapid.SampledFrom([]string{"claim", "claim", "bring", "bring", "pass"}).Draw(rt, "what") {
			case "claim":
				claim(i)
			case "bring":
				bring(i, (i+rapid.IntRange(1, 2).Draw(rt, "to"))%3)
			case "pass":
				sides[i].pass(time.Duration(rapid.IntRange(0, 3).Draw(rt, "seconds")) * time.Second)
			}
			confirmed(rt, task)
		}
		for i := range sides {
			if claims == 0 || rapid.Bool().Draw(rt, "all") {
				claim(i)
				confirmed(rt, task)
			}
		}
		meet()
		if who := confirmed(rt, task); claims == 7 && (len(who) != 1 || slices.Max(slices.Collect(maps.Values(who))) != 3) {
			rt.Fatalf("all claimed and met: %v", who)
		}
	})
}

// Who cannot claim is not waited for, and nobody is in a team of one node; what lacks its
// body may be a claim.
func TestWhoMustBeKnownBeforeAClaimIsConfirmed(t *testing.T) {
	t.Parallel()
	a, team := newApart(t)
	ada, bo := a.sides[0], a.sides[1]
	path := "/api/mesh/team/" + team
	confirmed := func(task string) any {
		t.Helper()
		return ada.as("ada", "GET", task, nil, 200, "")["task"].(fields)["confirmed"]
	}
	task := ada.addTask("ada", path, fields{"title": "Trim the wick"})
	other := ada.addTask("ada", path, fields{"title": "Fill the lamp"})
	a.meet(t)
	bo.pass(time.Second)
	ada.pass(2 * time.Second)
	bo.as("bo", "PATCH", other, fields{"action": "claim"}, 200, "")
	bo.pass(2 * time.Second)
	bo.as("bo", "POST", path+"/message", fields{"content": "On my way."}, 201, "")
	if r := ada.as("ada", "PATCH", task, fields{"action": "claim"}, 200, ""); r["confirmed"] != false {
		t.Errorf("bo may have claimed: %v", r["confirmed"])
	}
	ada.as("ada", "PATCH", other, fields{"action": "claim"}, 200, "")
	late := map[change.Space]uint64{}
	var bodies []*change.Change
	bodiless := func(c *change.Change) bool {
		if c.Head.Kind != change.KindTaskAct {
			return false
		}
		bodies = append(bodies, c)
		return true
	}
	carryBut(t, bo.node, ada.node, a.spaces, late, bodiless)
	if len(bodies) != 1 || confirmed(task) != false || confirmed(other) != false {
		t.Errorf("%d bodies missing: %v, %v", len(bodies), confirmed(task), confirmed(other))
	}
	carry(t, bo.node, ada.node, a.spaces, map[change.Space]uint64{})
	if got := ada.as("ada", "GET", other, nil, 200, "")["task"].(fields); confirmed(task) != true || got["claimedBy"] != bo.ids["bo"] {
		t.Errorf("received of bo: %v, and the other one is of %v", confirmed(task), got["claimedBy"])
	}

	third := ada.addTask("ada", path, fields{"title": "Polish the lens"})
	ada.pass(time.Minute)
	ada.as("ada", "PATCH", third, fields{"action": "claim"}, 200, "")
	if confirmed(third) != false {
		t.Error("confirmed while bo may have claimed")
	}
	ada.as("ada", "POST", path+"/members", fields{"action": "set_role", "agent_id": bo.ids["bo"], "role": "viewer"}, 200, "")
	if confirmed(third) != true {
		t.Error("a viewer is waited for")
	}
	ada.as("ada", "PATCH", third, fields{"action": "release"}, 200, "")
	if r := ada.as("ada", "PATCH", third, fields{"action": "claim"}, 200, ""); r["confirmed"] != true {
		t.Errorf("claimed where nobody else may: %v", r["confirmed"])
	}
}
