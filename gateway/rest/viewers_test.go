package rest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway/service/servicetest"
)

// viewersWrite sets the policy of a team as ada.
func (w *teamWorld) viewersWrite(team string, on bool) {
	w.t.Helper()
	r := w.as("ada", "PATCH", team+"/config", fields{"policy": fields{"allow_viewer_messages": on}}, 200, "")
	if got := r["team"].(fields)["policy"].(fields)["allow_viewer_messages"]; got != on {
		w.t.Fatalf("policy %v, want %v", got, on)
	}
}

// Where the policy allows it viewers write messages, by HTTP and by MCP, and
// nothing else; whoever becomes a viewer later does too.
func TestViewersWriteMessagesWhereThePolicyAllowsIt(t *testing.T) {
	t.Parallel()
	for _, visibility := range []string{"public", "private"} {
		t.Run(visibility, func(t *testing.T) {
			t.Parallel()
			w := newTeamWorld(t)
			for _, name := range []string{"ada", "bo", "cy", "dee", "eve"} {
				w.agent(name)
			}
			team := w.found("ada", fields{"name": "Watchers", "visibility": visibility})
			id := strings.TrimPrefix(team, "/api/mesh/team/")
			role := func(who, name, role string) {
				w.as(who, "POST", team+"/members", fields{"agent_id": w.ids[name], "role": role}, 200, "")
			}
			say := func(who string, status int, code string) {
				w.as(who, "POST", team+"/message", fields{"content": "hello"}, status, code)
			}
			role("ada", "bo", "admin")
			role("ada", "cy", "viewer")
			say("cy", 403, "forbidden")
			w.viewersWrite(team, true)
			say("cy", 201, "")
			w.viewersWrite(team, true) // twice is once
			say("cy", 201, "")
			role("bo", "cy", "viewer") // as it is
			say("cy", 201, "")
			if r := w.tool("cy", "send_message", fields{"team_id": id, "content": "by MCP"}); r["success"] != true {
				t.Errorf("by MCP: %v", r)
			}
			w.as("cy", "POST", team+"/message", fields{"content": "between us", "to": w.ids["ada"]}, 201, "")
			for path, body := range map[string]fields{
				"/board":       {"tasks": []any{fields{"title": "x"}}},
				"/knowledge":   contribution("viewer"),
				"/mode":        {"mode": "audit"},
				"/invites":     {},
				"/members":     {"agent_id": w.ids["dee"], "role": "viewer"},
				"/suggestions": {"title": "Less", "description": "Do less."},
			} {
				w.as("cy", "POST", team+path, body, 403, "forbidden")
			}

			// An admin makes viewers, who write, too; the role is all that is seen of it.
			role("bo", "dee", "viewer")
			say("dee", 201, "")
			if visibility == "private" {
				code := w.invite(team, fields{"role": "viewer"})["code"]
				w.as("eve", "POST", team+"/join", fields{"invite_code": code}, 200, "")
			} else {
				role("bo", "eve", "guest")
			}
			say("eve", 201, "")
			for who, writes := range map[string]bool{"ada": true, "bo": true, "cy": true, "dee": true, "eve": true} {
				full := w.as(who, "GET", team, nil, 200, "")["team"].(fields)
				if got := slices.Contains(full["permissions"].([]any), any("messages:write")); got != writes {
					t.Errorf("%s: permissions %v", who, full["permissions"])
				}
				if full["memberCount"] != 5.0 || len(full["members"].([]any)) != 5 {
					t.Errorf("%s sees %v", who, full["members"])
				}
			}
			me := w.as("cy", "GET", "/api/mesh/me", nil, 200, "")["teams"].([]any)
			if len(me) != 1 || me[0].(fields)["role"] != "viewer" || !slices.Contains(me[0].(fields)["permissions"].([]any), any("messages:write")) {
				t.Errorf("cy's teams %v", me)
			}

			// Another role, the way out and the policy end it.
			role("bo", "cy", "member")
			say("cy", 201, "")
			w.as("bo", "POST", team+"/members", fields{"agent_id": w.ids["dee"], "action": "remove"}, 200, "")
			say("dee", 403, "not_a_member")
			w.as("eve", "POST", team+"/leave", nil, 204, "")
			say("eve", 403, "not_a_member")
			role("bo", "dee", "viewer")
			say("dee", 201, "")
			w.viewersWrite(team, false)
			say("dee", 403, "forbidden")
			if r := w.tool("dee", "send_message", fields{"team_id": id, "content": "by MCP"}); r["code"] != "forbidden" {
				t.Errorf("by MCP against the policy: %v", r)
			}
			if n := w.as("ada", "GET", team+"/messages", nil, 200, "")["count"]; n != 9.0 {
				t.Errorf("%v messages are left", n)
			}
			w.as("ada", "PATCH", team+"/config", fields{"policy": fields{"allow_viewer_messages": "yes"}}, 422, "validation_failed")
		})
	}
}

// Where a team takes signed requests only, a viewer signs its messages as others do.
func TestViewersSignTheirMessages(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	w.agent("ada")
	w.agent("bo")
	team := w.found("ada", fields{"name": "Signers", "visibility": "public"})
	w.as("ada", "POST", team+"/members", fields{"agent_id": w.ids["bo"], "role": "viewer"}, 200, "")
	w.as("ada", "PATCH", team+"/config", fields{"policy": fields{"allow_viewer_messages": true, "require_signed_writes": true}}, 200, "")
	post := apiCall{method: "POST", path: team + "/message", key: w.keys["bo"], body: encode(t, fields{"content": "hello"})}
	w.want(w.do(post), 401, "signature_invalid")
	w.want(w.do(w.signedBy(post, servicetest.Key(2), "n-1")), 201, "")
}
