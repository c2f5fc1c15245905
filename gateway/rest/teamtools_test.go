package rest_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/node/events"
)

// called calls a tool as an agent, as one attempt where key is not "".
func (w *teamWorld) called(who, name, key string, args fields) fields {
	w.t.Helper()
	w.settle()
	params := fields{"name": name, "arguments": args}
	if key != "" {
		params["_meta"] = fields{"idempotencyKey": key}
	}
	r := w.do(apiCall{method: "POST", path: "/mcp", key: w.keys[who], header: map[string]string{"Accept": "application/json, text/event-stream"},
		body: encode(w.t, fields{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})})
	result, ok := r.json["result"].(fields)
	if !ok {
		w.t.Fatalf("%s: %s", name, r.raw)
	}
	return saidBy(w.t, result)
}

// finds waits until the index has what is found by words.
func (w *teamWorld) finds(words string) {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); w.called("bo", "query_knowledge", "", fields{"query": words})["count"] == 0.0; {
		if time.Now().After(end) {
			w.t.Fatalf("nothing is found by %q", words)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// notices makes notices until the test ends. What it returns waits for one.
func (w *teamWorld) notices() (arrives func()) {
	w.t.Helper()
	sub := w.node.Events().Subscribe(events.Notified, 256)
	ended := make(chan struct{})
	ctx, stop := context.WithCancel(context.WithoutCancel(w.t.Context()))
	attending := w.service.Notices.Attending()
	go func() { defer close(ended); attending(ctx, slog.New(slog.DiscardHandler)) }()
	w.t.Cleanup(func() { stop(); <-ended; sub.Close() })
	return func() {
		w.t.Helper()
		select {
		case <-sub.C():
		case <-time.After(2 * time.Minute):
			w.t.Fatal("no notice")
		}
	}
}

// An agent that knows tools alone founds a guild, invites into it and keeps order there;
// codes are those of HTTP.
func TestGuildToolsAreTheTwins(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	for _, name := range []string{"ada", "bo", "cy"} {
		w.agent(name)
	}
	args := fields{"name": "Quiet", "visibility": "private", "description": "Work."}
	if steps := encode(t, w.called("", "get_overview", "", fields{})["how_to_join"]); strings.Contains(steps, "/api/") || !strings.Contains(steps, `"register_agent"`) {
		t.Errorf("how to join: %s", steps)
	}
	made := w.called("ada", "create_guild", "once", args)
	team, _ := made["team"].(fields)
	id, _ := team["id"].(string)
	if id == "" || team["role"] != "owner" || team["invite_code"] == "" {
		t.Fatalf("founded %v", made)
	}
	again := w.called("ada", "create_guild", "once", args)["team"].(fields)
	if again["id"] != id || again["invite_code"] != nil {
		t.Errorf("a repeated call founds %v", again)
	}
	if r := w.called("ada", "create_guild", "once", fields{"name": "Loud"}); r["code"] != "idempotency_mismatch" {
		t.Errorf("another call with the key: %v", r)
	}
	if r := w.called("bo", "join_guild", "", fields{"id": id}); r["code"] != "invite_invalid" {
		t.Errorf("bo joins without a code: %v", r)
	}
	in := w.called("ada", "invite_to_guild", "", fields{"team_id": id, "role": "viewer"})
	if r := w.called("bo", "join_guild", "", fields{"id": id, "invite_code": in["code"]}); r["role"] != "viewer" {
		t.Errorf("bo joins: %v", r)
	}
	if r := w.called("ada", "set_guild_member", "", fields{"team_id": id, "agent_id": w.ids["bo"], "role": "member"}); r["success"] != true {
		t.Errorf("a role is given: %v", r)
	}
	listed := w.called("bo", "guild_members", "", fields{"team_id": id, "limit": 1})
	if listed["count"] != 1.0 || listed["total"] != 2.0 || listed["members"].([]any)[0].(fields)["agentId"] != w.ids["ada"] {
		t.Errorf("members %v", listed)
	}
	rest := w.called("bo", "guild_members", "", fields{"team_id": id, "limit": 1, "cursor": listed["next_cursor"]})
	if who := rest["members"].([]any)[0].(fields); who["agentId"] != w.ids["bo"] || who["role"] != "member" || rest["has_more"] != false {
		t.Errorf("the other member %v", rest)
	}
	if r := w.called("bo", "get_guild", "", fields{"id": id}); len(r["members"].([]any)) != 2 {
		t.Errorf("the guild %v", r)
	}
	for _, c := range []struct {
		who, tool string
		args      fields
		code      string
	}{
		{"", "create_guild", args, "auth_required"},
		{"cy", "create_guild", fields{"name": "Quiet"}, "name_taken"},
		{"cy", "create_guild", fields{"name": "x"}, "validation_failed"},
		{"cy", "get_guild", fields{"id": id}, "team_not_found"},
		{"cy", "guild_members", fields{"team_id": id}, "not_a_member"},
		{"bo", "invite_to_guild", fields{"team_id": id}, "forbidden"},
		{"bo", "set_guild_member", fields{"team_id": id, "agent_id": w.ids["ada"], "action": "remove"}, "forbidden"},
		{"ada", "set_guild_member", fields{"team_id": id, "agent_id": "zoe"}, "agent_not_found"},
	} {
		if r := w.called(c.who, c.tool, "", c.args); r["code"] != c.code {
			t.Errorf("%s by %q: %v, want %s", c.tool, c.who, r, c.code)
		}
	}
	if r := w.called("ada", "set_guild_member", "", fields{"team_id": id, "agent_id": w.ids["bo"], "action": "ban"}); len(r["members"].([]any)) != 1 {
		t.Errorf("banned: %v", r)
	}
}

// Both sides of a bounty need tools alone, a call that is repeated pays once, and each
// side is notified of what the other did.
func TestBountyToolsOfWhoPays(t *testing.T) {
	t.Parallel()
	w := newBountyWorld(t)
	arrives := w.notices()
	offer := fields{"teamId": w.team, "title": "Mend", "description": "All of it", "amount": 10}
	made := w.called("ada", "bounty_open", "a", offer)
	id := made["bounty"].(fields)["id"].(string)
	if again := w.called("ada", "bounty_open", "a", offer); again["bounty"].(fields)["id"] != id {
		t.Errorf("a repeated offer opens %v", again)
	}
	w.holds("ada", 990)
	on := func(more fields) fields {
		args := fields{"id": id}
		for k, v := range more {
			args[k] = v
		}
		return args
	}
	is := func(who, tool string, more fields, want string) {
		t.Helper()
		r := w.called(who, tool, "", on(more))
		if b, ok := r["bounty"].(fields); !ok || b["status"] != want {
			t.Fatalf("%s by %s: %v, want %s", tool, who, r, want)
		}
	}
	if got := encode(t, w.called("bo", "bounty_get", "", on(nil))["next_actions"]); got != `["bounty_claim"]` {
		t.Errorf("bo may %s", got)
	}
	is("bo", "bounty_claim", nil, "claimed")
	is("bo", "bounty_release", nil, "open")
	is("bo", "bounty_claim", nil, "claimed")
	w.called("bo", "bounty_submit", "", on(solution))
	is("ada", "bounty_request_changes", fields{"reason": "Not all of it."}, "claimed")
	w.called("bo", "bounty_submit", "", on(solution))
	is("ada", "bounty_accept", nil, "accepted")
	for range 2 {
		if r := w.called("ada", "bounty_payout", "b", on(nil)); r["success"] != true || r["payoutResult"].(fields)["amount"] != 10.0 {
			t.Errorf("paid %v", r)
		}
	}
	w.holds("ada", 990)
	w.holds("bo", 10)
	for range 8 {
		arrives()
	}
	for who, want := range map[string][]string{
		"ada": {"bo handed a solution in for your bounty.", "bo handed a solution in for your bounty.", "bo claimed your bounty.", "bo gave your bounty back.", "bo claimed your bounty."},
		"bo":  {"You were paid for a bounty.", "ada accepted your solution.", "ada asks for changes of your solution."},
	} {
		var got []string
		list := w.called(who, "get_notifications", "", fields{"limit": 10})
		for _, n := range list["notifications"].([]any) {
			// A notice names a tool and what it takes, and the call shows what it is about.
			tool, _ := n.(fields)["tool"].(string)
			args, _ := n.(fields)["arguments"].(fields)
			if shown := w.called(who, tool, "", args); n.(fields)["link"] != nil || tool == "" || shown["code"] != nil {
				t.Errorf("%v leads to %v", n, shown)
			}
			if n.(fields)["kind"] == "bounty" {
				got = append(got, n.(fields)["text"].(string))
			}
		}
		if encode(t, got) != encode(t, want) {
			t.Errorf("%s reads %q, want %q", who, got, want)
		}
		if r := w.called(who, "read_notifications", "", fields{"all": true}); r["unread"] != 0.0 || r["read"] != list["unread"] {
			t.Errorf("%s has read %v", who, r)
		}
	}

	other := w.called("ada", "bounty_open", "", offer)["bounty"].(fields)["id"].(string)
	for _, c := range []struct {
		who, tool string
		args      fields
		code      string
	}{
		{"", "bounty_open", offer, "auth_required"},
		{"bo", "bounty_open", offer, "not_a_member"},
		{"ada", "bounty_open", fields{"teamId": w.team, "title": "x", "description": "x", "amount": 5000}, "insufficient_credits"},
		{"ada", "bounty_open", fields{"teamId": w.team, "amount": 1}, "validation_failed"},
		{"bo", "bounty_cancel", fields{"id": other}, "forbidden"},
		{"ada", "bounty_accept", fields{"id": other}, "bad_transition"},
		{"ada", "bounty_payout", fields{"id": other}, "bad_transition"},
		{"ada", "bounty_dispute", fields{"id": other, "reason": "x"}, "bad_transition"},
		{"ada", "bounty_request_changes", fields{"id": other}, "validation_failed"},
		{"ada", "bounty_cancel", fields{"id": other}, ""},
		{"ada", "bounty_propose", fields{"id": other, "title": "Pay"}, "bad_transition"},
		{"ada", "bounty_vote", fields{"id": other, "value": "approve"}, "bad_transition"},
		{"ada", "bounty_resolve", fields{"id": other, "verdict": "pay", "reason": "x"}, "bad_transition"},
		{"", "get_notifications", fields{}, "auth_required"},
		{"bo", "get_notifications", fields{"cursor": "x"}, "invalid_cursor"},
		{"bo", "read_notifications", fields{}, "no_fields"},
	} {
		code, _ := w.called(c.who, c.tool, "", c.args)["code"].(string)
		if code != c.code {
			t.Errorf("%s by %q: %q, want %q", c.tool, c.who, code, c.code)
		}
	}
}

// TestReviewOfABounty: the prompt brings the task and the solution to who pays, fenced,
// and to others the task alone.
func TestReviewOfABounty(t *testing.T) {
	t.Parallel()
	w := newRefusalWorld(t)
	path := w.open(nil)
	id := path[strings.LastIndex(path, "/")+1:]
	w.as("bo", "POST", path+"/submit", solution, 201, "")
	prompt := func(who, id string) string {
		return w.send(ask{who: who}, http.MethodPost, "/mcp", encode(t, fields{"jsonrpc": "2.0", "id": 1, "method": "prompts/get",
			"params": fields{"name": "review_bounty", "arguments": fields{"id": id}}})).Body.String()
	}
	done := solution["solution"].(string)
	for who, whole := range map[string]bool{"ada": true, "bo": true, "dee": false} {
		text := prompt(who, id)
		if strings.Contains(text, done) != whole || strings.Contains(text, "No solution is shown") == whole || !strings.Contains(text, "bounty_request_changes") ||
			whole && !strings.Contains(text, "```untrusted") {
			t.Errorf("%s reads %s", who, text)
		}
	}
	if text := prompt("ada", "bty_none"); !strings.Contains(text, "bounty_not_found") {
		t.Errorf("of no bounty: %s", text)
	}
}
