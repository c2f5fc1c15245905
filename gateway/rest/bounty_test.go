package rest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/service/servicetest"
)

// bountyWorld has ada, who founded a public team and pays, cy its admin, and bo,
// dee and eve, who are strangers to it.
type bountyWorld struct {
	*teamWorld
	team  string
	moved map[string]*change.Change // rotations by which agents were taken home
}

func newBountyWorld(t *testing.T) *bountyWorld { t.Helper(); return newBountyWorldIn(newTeamWorld(t)) }

func newBountyWorldIn(team *teamWorld) *bountyWorld {
	team.t.Helper()
	w := &bountyWorld{teamWorld: team}
	for _, name := range []string{"ada", "bo", "cy", "dee", "eve"} {
		w.agent(name)
	}
	path := w.found("ada", fields{"name": "Market", "type": "bounty", "visibility": "public"})
	w.team = path[strings.LastIndex(path, "/")+1:]
	w.as("ada", "POST", path+"/members", fields{"agent_id": w.ids["cy"], "role": "admin"}, 200, "")
	w.grant("ada", 1000)
	return w
}

func (w *bountyWorld) grant(who string, amount float64) {
	w.t.Helper()
	body := encode(w.t, fields{"agent_id": w.ids[who], "amount": amount, "reason": "test"})
	w.want(w.do(apiCall{method: "POST", path: "/api/admin/credits/grant", owner: w.ids["eve"], body: body}), 200, "")
}

func (w *bountyWorld) holds(who string, want float64) {
	w.t.Helper()
	if got := w.as(who, "GET", "/api/credits", nil, 200, "")["balance"]; got != want {
		w.t.Errorf("%s holds %v, want %v", who, got, want)
	}
}

// open opens a bounty of ten credits and returns its path.
func (w *bountyWorld) open(with fields) string {
	w.t.Helper()
	body := fields{"teamId": w.team, "title": "Mend", "description": "All of it", "amount": 10}
	for k, v := range with {
		body[k] = v
	}
	made := w.as("ada", "POST", "/api/mesh/bounties", body, 201, "")["bounty"].(map[string]any)
	return "/api/mesh/bounties/" + made["id"].(string)
}

func (w *bountyWorld) state(path, want string) map[string]any {
	w.t.Helper()
	r := w.as("ada", "GET", path+"/lifecycle", nil, 200, "")
	if got := r["lifecycle"].(map[string]any)["state"]; got != want {
		w.t.Fatalf("%s is %v, want %s", path, got, want)
	}
	return r
}

// tool calls an MCP tool and checks the code of its answer, "" for a success.
func (w *bountyWorld) tool(who, name string, args fields, code string) {
	w.t.Helper()
	w.settle()
	r := w.do(apiCall{method: "POST", path: "/mcp", key: w.keys[who],
		header: map[string]string{"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"},
		body:   encode(w.t, fields{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": fields{"name": name, "arguments": args}})})
	raw := r.raw
	if _, data, ok := strings.Cut(string(raw), "data: "); ok {
		raw = []byte(data)
	}
	var said struct {
		Result *struct {
			Content []struct{ Text string }
			IsError bool
		}
		Error struct{ Data struct{ Code string } }
		Code  string
	}
	if err := json.Unmarshal(raw, &said); err != nil {
		w.t.Fatalf("%s: %v in %.300s", name, err, r.raw)
	}
	got := said.Code + said.Error.Data.Code
	if said.Result != nil {
		got = refusalIn(w.t, said.Result.Content[0].Text).Code
	}
	if got != code || code == "" && (said.Result == nil || said.Result.IsError) {
		w.t.Errorf("%s by %q: %q, want %q: %.300s", name, who, got, code, r.raw)
	}
}

var solution = fields{"solution": "It is mended."}

// TestBountyRefusalsOnBothFaces provokes what each step may be refused with.
func TestBountyRefusalsOnBothFaces(t *testing.T) {
	t.Parallel()
	w := newBountyWorld(t)
	offer := func(k string, v any) fields {
		return fields{"teamId": w.team, "title": "Mend", "description": "All", "amount": 10, k: v}
	}
	for _, c := range []struct {
		who    string
		body   fields
		status int
		code   string
	}{
		{"", offer("amount", 10), 401, "auth_required"},
		{"bo", offer("amount", 10), 403, "not_a_member"},
		{"ada", offer("teamId", "gld_none"), 404, "team_not_found"},
		{"ada", offer("amount", 1001), 402, "insufficient_credits"},
		{"ada", offer("amount", 0), 422, "validation_failed"},
		{"ada", offer("amount", 10001), 422, "validation_failed"},
		{"ada", offer("title", ""), 422, "validation_failed"},
		{"ada", offer("deadline", servicetest.Start.Add(59*time.Minute).Format(time.RFC3339)), 422, "validation_failed"},
		{"ada", offer("deadline", servicetest.Start.Add(366*24*time.Hour).UnixMilli()), 422, "validation_failed"},
		{"ada", offer("currency", "USDC"), 503, "settlement_unavailable"},
		{"ada", offer("taskId", "tsk_01890a5d-ac96-774b-bcce-b302099a8057"), 404, "task_not_found"},
	} {
		w.as(c.who, "POST", "/api/mesh/bounties", c.body, c.status, c.code)
	}
	w.holds("ada", 1000)

	path := w.open(nil)
	w.holds("ada", 990)
	w.as("bo", "POST", "/api/mesh/bounties/bty_none/claim", nil, 404, "bounty_not_found")
	w.as("ada", "POST", path+"/claim", nil, 403, "self_deal")
	w.as("cy", "POST", path+"/claim", nil, 403, "self_deal")
	w.as("bo", "POST", path+"/cancel", nil, 403, "forbidden")
	w.as("bo", "POST", path+"/release", nil, 409, "bad_transition")
	w.as("bo", "POST", path+"/submit", fields{"solution": "token ghp_16C7e42F292c6912E7710c838347Ae178B4a"}, 422, "secret_detected")
	w.as("bo", "POST", path+"/submit", fields{"solution": " "}, 422, "validation_failed")
	w.as("bo", "POST", path+"/submit", fields{"solution": "x", "entry_ids": []string{"ent_none"}}, 422, "unknown_reference")
	w.as("bo", "POST", path+"/governance/propose", fields{"title": "Pay"}, 409, "bad_transition")
	id := path[strings.LastIndex(path, "/")+1:]
	w.tool("ada", "bounty_claim", fields{"id": id}, "self_deal")
	w.tool("", "bounty_claim", fields{"id": id}, "auth_required")
	w.tool("bo", "bounty_claim", fields{"id": "bty_none"}, "bounty_not_found")
	w.tool("bo", "bounty_get", fields{"id": "bty_none"}, "bounty_not_found")
	w.tool("bo", "bounty_list", fields{"teamId": "gld_none"}, "team_not_found")
	w.tool("bo", "bounty_submit", fields{"id": id, "solution": "token ghp_16C7e42F292c6912E7710c838347Ae178B4a"}, "secret_detected")
	w.tool("bo", "bounty_submit", fields{"id": id, "solution": "x", "entry_ids": []string{"ent_none"}}, "unknown_reference")
	w.tool("bo", "bounty_claim", fields{"id": id}, "")
	w.tool("dee", "bounty_claim", fields{"id": id}, "already_claimed")
	w.tool("dee", "bounty_submit", fields{"id": id, "solution": "x"}, "not_claimant")
	w.tool("", "bounty_get", fields{"id": id}, "")
	w.tool("", "bounty_list", fields{}, "")
	w.as("dee", "POST", path+"/claim", nil, 409, "already_claimed")
	w.as("dee", "POST", path+"/submit", solution, 403, "not_claimant")
	w.as("dee", "POST", path+"/release", nil, 403, "not_claimant")
	w.as("bo", "POST", path+"/submit", solution, 201, "")
	w.as("bo", "POST", path+"/request-changes", fields{"reason": "x"}, 403, "forbidden")
	w.as("ada", "POST", path+"/request-changes", nil, 422, "validation_failed")
	w.as("ada", "POST", path+"/accept", fields{"submissionId": "sub_none"}, 404, "submission_not_found")
	w.as("bo", "POST", path+"/accept", nil, 403, "forbidden")
	w.as("bo", "POST", path+"/payout", nil, 403, "forbidden")
	w.as("eve", "POST", path+"/resolve", fields{"verdict": "pay", "reason": "x"}, 409, "bad_transition")
	for range 5 {
		w.as("cy", "POST", path+"/request-changes", fields{"reason": "more"}, 200, "")
		w.as("bo", "POST", path+"/submit", solution, 201, "")
	}
	w.as("ada", "POST", path+"/request-changes", fields{"reason": "more"}, 409, "limit_reached")
	w.as("ada", "POST", path+"/payout", nil, 200, "")
	w.as("ada", "POST", path+"/payout", nil, 409, "bad_transition")
	w.holds("bo", 10)

	for range 5 {
		w.as("bo", "POST", w.open(nil)+"/claim", nil, 200, "")
	}
	w.as("bo", "POST", w.open(nil)+"/claim", nil, 409, "limit_reached")
}

// What time brings about happens at its time and survives a look that came late.
func TestBountyTimers(t *testing.T) {
	t.Parallel()
	w := newBountyWorld(t)
	tend := func(d time.Duration) {
		t.Helper()
		w.pass(d)
		must(t, w.service.Escrows.TendBounties(t.Context()))
	}
	expiring := w.open(fields{"deadline": servicetest.Start.Add(24 * time.Hour).UnixMilli()})
	leased, silent := w.open(nil), w.open(nil)
	w.as("bo", "POST", leased+"/claim", nil, 200, "")
	w.as("bo", "POST", silent+"/submit", solution, 201, "")
	tend(23 * time.Hour)
	w.state(expiring, "open")
	tend(time.Hour)
	w.state(expiring, "expired")
	w.holds("ada", 980)
	w.as("bo", "POST", expiring+"/claim", nil, 409, "bounty_expired")
	tend(47 * time.Hour)
	w.state(leased, "claimed")
	tend(2 * time.Hour)
	w.state(leased, "open")
	tend(13 * 24 * time.Hour)
	w.state(silent, "accepted")
	tend(73 * time.Hour)
	w.state(silent, "paid")
	w.holds("bo", 10)
	disputed := w.open(nil)
	w.as("bo", "POST", disputed+"/submit", solution, 201, "")
	w.as("bo", "POST", disputed+"/dispute", fields{"reason": "no answer"}, 200, "")
	tend(31 * 24 * time.Hour)
	w.state(disputed, "refunded")
	w.holds("bo", 10)
}

func TestBountyGovernanceAndDisputes(t *testing.T) {
	t.Parallel()
	w := newBountyWorld(t)
	w.as("ada", "PATCH", "/api/mesh/team/"+w.team, fields{"policy": fields{"arbiters": []string{"nobody"}}}, 422, "validation_failed")
	w.as("ada", "PATCH", "/api/mesh/team/"+w.team, fields{"policy": fields{"bounty_payout": "governance", "arbiters": []string{w.ids["dee"]}}}, 200, "")
	path := w.open(nil)
	w.as("bo", "POST", path+"/submit", solution, 201, "")
	w.as("ada", "POST", path+"/payout", nil, 409, "governance_required")
	w.state(path, "submitted")
	w.as("ada", "POST", path+"/governance/vote", fields{"value": "approve"}, 409, "bad_transition")
	w.as("bo", "POST", path+"/governance/propose", fields{"title": "Pay me"}, 403, "not_a_member")
	w.as("cy", "POST", path+"/governance/propose", fields{"title": "Pay", "threshold": 0.4}, 422, "validation_failed")
	w.as("cy", "POST", path+"/governance/propose", fields{"title": "Pay", "threshold": 0.6}, 200, "")
	r := w.as("cy", "POST", path+"/governance/vote", fields{"value": "approve", "weight": 100}, 200, "")["governance"].(map[string]any)
	if r["approve"] != 2.0 || r["total"] != 5.0 || r["status"] != "pending" {
		t.Fatalf("governance %v", r)
	}
	w.as("ada", "POST", path+"/payout", nil, 409, "governance_required")
	w.as("ada", "POST", path+"/governance/vote", fields{"value": "approve"}, 200, "")
	w.as("ada", "POST", path+"/payout", nil, 200, "")
	w.holds("bo", 10)

	path = w.open(nil)
	w.as("bo", "POST", path+"/submit", solution, 201, "")
	w.as("eve", "POST", path+"/dispute", fields{"reason": "x"}, 403, "forbidden")
	w.as("bo", "POST", path+"/dispute", fields{"reason": "x"}, 200, "")
	w.as("bo", "POST", path+"/resolve", fields{"verdict": "pay", "reason": "x"}, 403, "forbidden")
	w.as("eve", "POST", path+"/resolve", fields{"verdict": "pay", "reason": "x"}, 403, "forbidden")
	w.as("dee", "POST", path+"/resolve", fields{"verdict": "split", "reason": "x"}, 422, "validation_failed")
	if life := w.as("dee", "GET", path+"/lifecycle", nil, 200, ""); !strings.Contains(fmt.Sprint(life["next_actions"]), "/resolve") {
		t.Errorf("an arbiter may do %v", life["next_actions"])
	}
	w.as("dee", "POST", path+"/resolve", fields{"verdict": "split", "split_pct": 30, "reason": "half done"}, 200, "")
	w.holds("bo", 13)
	w.holds("ada", 987)
}

// A private team's bounty is not there for others, and a public one's shows
// strangers without a key neither names nor texts of its work.
func TestBountyIsShownToWhoMaySee(t *testing.T) {
	t.Parallel()
	w := newBountyWorld(t)
	secret := w.found("ada", fields{"name": "Cellar", "visibility": "private"})
	id := secret[strings.LastIndex(secret, "/")+1:]
	hidden := w.open(fields{"teamId": id})
	for _, who := range []string{"", "bo"} {
		w.as(who, "GET", hidden+"/lifecycle", nil, 404, "bounty_not_found")
		w.as(who, "GET", "/api/mesh/bounties?teamId="+id, nil, 404, "team_not_found")
	}
	for _, step := range []string{"claim", "release", "cancel", "accept", "payout"} {
		w.as("bo", "POST", hidden+"/"+step, nil, 404, "bounty_not_found")
	}
	w.as("ada", "POST", hidden+"/cancel", nil, 200, "")
	w.holds("ada", 1000)
	w.as("ada", "DELETE", secret, fields{"confirm": "Cellar"}, 200, "")

	path := w.open(nil)
	work := w.as("bo", "POST", path+"/submit", fields{"solution": "xyzzy solution", "proof": "xyzzy proof"}, 201, "")["submission"].(map[string]any)
	w.as("ada", "POST", path+"/request-changes", fields{"reason": "xyzzy reason"}, 200, "")
	w.as("ada", "DELETE", "/api/mesh/team/"+w.team, fields{"confirm": "Market"}, 409, "escrow_open")
	for who, sees := range map[string]bool{"ada": true, "bo": true, "dee": false} {
		r := w.as(who, "GET", path+"/lifecycle", nil, 200, "")
		if got := strings.Contains(encode(t, r["submissions"]), "xyzzy solution"); got != sees {
			t.Errorf("%s reads the solution: %t", who, got)
		}
	}
	for _, list := range []string{path + "/lifecycle", "/api/mesh/bounties"} {
		raw, err := json.Marshal(w.as("", "GET", list, nil, 200, ""))
		must(t, err)
		for _, word := range []string{"xyzzy", w.ids["bo"], work["id"].(string), "\"bo\""} {
			if strings.Contains(string(raw), word) {
				t.Errorf("nobody sees %q in %s", word, raw)
			}
		}
	}
	guild := w.as("", "GET", "/api/mesh/guilds/"+w.team, nil, 200, "")["guild"].(map[string]any)
	if guild["bountyCount"] != 1.0 || guild["openBountyCount"] != 0.0 {
		t.Errorf("guild counts %v and %v", guild["bountyCount"], guild["openBountyCount"])
	}
}

// A request that is repeated under its key opens and pays once, also after the
// kept reply is gone.
func TestBountyRequestsHappenOnce(t *testing.T) {
	t.Parallel()
	w := newBountyWorld(t)
	open := apiCall{method: "POST", path: "/api/mesh/bounties", key: w.keys["ada"], header: map[string]string{"Idempotency-Key": "once"},
		body: encode(t, fields{"teamId": w.team, "title": "Mend", "description": "All", "amount": 10})}
	w.settle()
	first := w.want(w.do(open), 201, "").json["bounty"].(map[string]any)["id"]
	w.pass(25 * time.Hour) // the reply is kept for a day
	_, err := w.teamWorld.world.state.Sweep(t.Context(), w.clock.Now())
	must(t, err)
	w.settle()
	if again := w.want(w.do(open), 201, "").json["bounty"].(map[string]any)["id"]; again != first {
		t.Errorf("opened %v and %v", first, again)
	}
	w.holds("ada", 990)
	lines := w.as("ada", "GET", "/api/mesh/transactions?limit=1", nil, 200, "")
	if lines["total"] != 2.0 || lines["has_more"] != true {
		t.Errorf("transactions %v", lines)
	}
	rest := w.as("ada", "GET", "/api/mesh/transactions?limit=1&cursor="+lines["next_cursor"].(string), nil, 200, "")
	if rest["has_more"] != false || rest["transactions"].([]any)[0].(map[string]any)["type"] != "grant" {
		t.Errorf("the rest %v", rest)
	}
	r := w.do(apiCall{method: "GET", path: "/api/mesh/transactions?format=csv", key: w.keys["ada"]})
	if got := strings.Count(string(r.raw), "\n"); got != 3 || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/csv") {
		t.Errorf("%d lines of CSV: %s", got, r.raw)
	}
}

// The tool asks for no order of the guilds, of which there are two.
func TestToolListsGuilds(t *testing.T) {
	t.Parallel()
	w := newBountyWorld(t)
	w.found("ada", fields{"name": "Second", "visibility": "public"})
	w.found("ada", fields{"name": "Third", "visibility": "public"})
	w.tool("ada", "get_guilds", fields{}, "")
}
