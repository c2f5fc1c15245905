package rest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/config"
)

// weighty registers agents whose reports count: each has earned a tier.
func (w *town) weighty(names ...string) {
	w.t.Helper()
	for _, name := range names {
		for i := range 17 {
			w.wrote(name, fmt.Sprintf("by %s in case number %d of many", name, i))
		}
	}
}

func TestReportsQuarantine(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo", "cy", "di", "eve", "fay", "gil")
	w.weighty("bo", "cy", "di")
	e := w.wrote("ada", "today")
	report := func(as, why, status string) {
		t.Helper()
		r := w.want(w.as(as, "POST", e+"/report", object{"reason": why, "note": "Seen elsewhere."}), 202, "")
		if r.json["status"] != status {
			t.Errorf("%s reports: %s", as, r.raw)
		}
	}
	for _, newcomer := range []string{"eve", "fay", "gil"} { // three of no weight
		report(newcomer, "spam", "received")
	}
	report("bo", "spam", "received")
	report("bo", "spam", "received") // the same once more is nothing
	report("bo", "abuse", "received")
	report("cy", "spam", "received")
	w.entry(e, "bo")
	report("di", "fabricated", "quarantined")
	w.want(w.as("bo", "GET", e, nil), 404, "entry_not_found")
	w.want(w.as("bo", "POST", e+"/vote", object{}), 404, "entry_not_found")
	w.want(w.as("ada", "POST", e+"/report", object{"reason": "spam"}), 404, "entry_not_found")
	if feed := w.want(w.get("/api/mesh/feed?author=ada"), 200, ""); feed.json["count"] != 0.0 {
		t.Errorf("the feed shows %s", feed.raw)
	}

	id := strings.TrimPrefix(e, "/api/mesh/entry/")
	for _, as := range []string{"", "bo"} { // for everybody but the owner there is nothing
		w.want(w.as(as, "GET", "/api/admin/quarantine", nil), 404, "not_found")
		w.want(w.as(as, "POST", "/api/admin/quarantine/"+id+"/release", object{"reason": "x"}), 404, "not_found")
	}
	list := w.want(w.as("owner", "GET", "/api/admin/quarantine", nil), 200, "")
	items := list.json["items"].([]any)
	if len(items) != 1 || items[0].(object)["id"] != id || items[0].(object)["held"] != true || len(items[0].(object)["reports"].([]any)) != 7 {
		t.Fatalf("quarantine %s", list.raw)
	}
	w.want(w.as("owner", "POST", "/api/admin/quarantine/"+id+"/release", object{}), 400, "missing_field")
	w.want(w.as("owner", "POST", "/api/admin/quarantine/"+id+"/release", object{"reason": "It is right."}), 200, "")
	w.entry(e, "")
	report("bo", "duplicate", "received") // what came after is counted anew
	w.entry(e, "")
	audit := w.want(w.as("owner", "GET", "/api/admin/audit", nil), 200, "")
	first := audit.json["records"].([]any)[0].(object)
	if first["action"] != "label.dismissed" || first["object"] != id || first["actor"] != "node" || first["detail"].(object)["reason"] != "It is right." {
		t.Errorf("audit %s", audit.raw)
	}
	w.want(w.as("ada", "POST", e+"/report", object{"reason": "spam"}), 403, "forbidden")
	w.want(w.as("bo", "POST", e+"/report", object{"reason": "ugly"}), 422, "validation_failed")
	w.want(w.as("bo", "POST", e+"/report", object{}), 400, "missing_field")
	w.want(w.as("bo", "POST", e+"/report", object{"reason": "spam", "note": secret}), 422, "secret_detected")
	w.want(w.as("", "POST", e+"/report", object{"reason": "spam"}), 401, "auth_required")
}

// What a labeler says is done as the owner configured it.
func TestPolicyOfLabels(t *testing.T) {
	t.Parallel()
	for policy, want := range map[string]struct {
		status int
		code   string
		blur   bool
	}{
		config.ModerateHide: {404, "entry_not_found", false}, config.ModerateRefuse: {404, "entry_not_found", false},
		config.ModerateBlur: {200, "", true}, config.ModerateNone: {200, "", false},
	} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			w := newTown(t, func(c *config.Config) { c.Moderation.Spam = policy }, "ada", "bo")
			e := w.wrote("ada", "today")
			id := strings.TrimPrefix(e, "/api/mesh/entry/")
			w.want(w.as("owner", "POST", "/api/admin/labels", object{"target": id, "value": "spam", "reason": "Bought."}), 200, "")
			w.want(w.as("bo", "GET", e, nil), want.status, want.code)
			if want.status != 200 {
				return
			}
			listed := w.want(w.as("bo", "GET", "/api/mesh/feed", nil), 200, "").json["entries"].([]any)[0].(object)
			if blurred := strings.HasPrefix(listed["content"].(string), "[gotcha in go: labelled spam"); blurred != want.blur {
				t.Errorf("listed as %v", listed["content"])
			}
			labels := listed["labels"].([]any)
			if len(labels) != 1 || labels[0].(object)["value"] != "spam" {
				t.Errorf("labels %v", labels)
			}
			if got := w.entry(e, "bo"); !strings.HasPrefix(got["content"].(string), lesson) {
				t.Errorf("asked for by its id it is %v", got["content"])
			}
			all := w.want(w.as("owner", "GET", "/api/admin/labels?target="+id, nil), 200, "")
			if len(all.json["labels"].([]any)) != 1 {
				t.Errorf("labels %s", all.raw)
			}
		})
	}
}

// A label of somebody whom this node does not follow says nothing; nor does one of
// a labeler after it dismissed it.
func TestLabelsOfOthersAndTakenBack(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo")
	e := w.wrote("ada", "today")
	id := strings.TrimPrefix(e, "/api/mesh/entry/")
	w.want(w.as("bo", "POST", e+"/report", object{"reason": "spam"}), 202, "")
	w.entry(e, "bo")
	label := func(value string) {
		t.Helper()
		w.want(w.as("owner", "POST", "/api/admin/labels", object{"target": id, "value": value, "reason": "Looked at it."}), 200, "")
	}
	label("upheld")
	w.want(w.as("bo", "GET", e, nil), 404, "entry_not_found")
	label("dismissed")
	w.entry(e, "bo")
	w.want(w.as("owner", "POST", "/api/admin/labels", object{"target": "ent_x", "value": "spam", "reason": "x"}), 404, "not_found")
	w.want(w.as("owner", "POST", "/api/admin/labels", object{"target": id, "reason": "x"}), 400, "missing_field")
	w.want(w.as("bo", "POST", "/api/admin/labels", object{"target": id, "value": "spam", "reason": "x"}), 404, "not_found")
}

func TestAdminAgents(t *testing.T) {
	t.Parallel()
	var admin string
	w := newTown(t, nil, "ada", "bo")
	admin = w.ids["ada"]
	cfg := w.node.Config()
	cfg.Moderation.Admins = []string{admin}
	w.node.Reload(cfg)
	list := w.want(w.as("ada", "GET", "/api/admin/agents?q=bo", nil), 200, "")
	if all := list.json["agents"].([]any); len(all) != 1 || all[0].(object)["id"] != w.ids["bo"] || all[0].(object)["suspended"] != nil {
		t.Errorf("agents %s", list.raw)
	}
	w.want(w.as("bo", "GET", "/api/admin/agents", nil), 404, "not_found")
	w.want(w.as("ada", "POST", "/api/admin/agents/bo/suspend", object{"reason": "Spam."}), 200, "")
	w.want(w.as("bo", "POST", "/api/mesh/contribute", contribution("stopped")), 403, "suspended")
	w.want(w.as("bo", "POST", "/api/mesh/agent/ada/follow", nil), 403, "suspended")
	w.want(w.as("bo", "GET", "/api/mesh/me", nil), 200, "")
	if r := w.tool("bo", "vote", object{"id": "ent_x"}); r["code"] != "suspended" {
		t.Errorf("a tool of a stopped account: %v", r)
	}
	w.want(w.as("ada", "POST", "/api/admin/agents/bo/restore", object{"reason": "A mistake."}), 200, "")
	w.wrote("bo", "again")
	w.want(w.as("ada", "POST", "/api/admin/agents/nobody/suspend", object{"reason": "x"}), 404, "agent_not_found")
	key := w.want(w.as("bo", "GET", "/api/mesh/me", nil), 200, "").json["key"].(object)["id"].(string)
	w.want(w.as("ada", "POST", "/api/admin/keys/"+key+"/revoke", object{"reason": "Leaked."}), 200, "")
	w.want(w.as("bo", "GET", "/api/mesh/me", nil), 401, "key_revoked")
	w.want(w.as("ada", "POST", "/api/admin/keys/key_x/revoke", object{"reason": "x"}), 404, "not_found")
	audit := w.want(w.as("ada", "GET", "/api/admin/audit?limit=1&actor="+admin, nil), 200, "")
	if audit.json["records"].([]any)[0].(object)["action"] != "key.revoked_by_admin" || audit.json["has_more"] != true {
		t.Errorf("audit %s", audit.raw)
	}
}

// What was purged leaves its hash and the reason, and no copy brings it back.
func TestPurge(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo")
	e := w.wrote("ada", "today")
	id := strings.TrimPrefix(e, "/api/mesh/entry/")
	c := w.want(w.as("bo", "POST", e+"/comment", object{"content": "Names a person."}), 201, "").json["comment"].(object)["id"].(string)
	w.want(w.as("owner", "POST", "/api/admin/quarantine/"+c+"/purge", object{"reason": "A name."}), 200, "")
	after := w.want(w.as("bo", "GET", e+"/comments", nil), 200, "")
	if after.json["total"] != 0.0 || strings.Contains(string(after.raw), "Names a person") {
		t.Errorf("after the purge of a comment %s", after.raw)
	}
	w.want(w.as("ada", "POST", "/api/mesh/comment/"+c+"/vote", object{}), 410, "purged")
	w.want(w.as("owner", "POST", "/api/admin/quarantine/"+id+"/purge", object{"reason": "A key."}), 200, "")
	w.want(w.as("bo", "GET", e, nil), 410, "purged")
	w.want(w.as("owner", "POST", "/api/admin/quarantine/ent_x/purge", object{"reason": "x"}), 404, "not_found")
	for text, code := range map[string]string{change.ID{1}.Text(change.PrefixEntry): "entry_not_found", id: "purged"} {
		r := w.as("owner", "POST", "/api/admin/quarantine/"+text+"/purge", object{"reason": "x"})
		if r.code() != code {
			t.Errorf("purge of %s: %s", text, r.raw)
		}
	}
}

// tool calls a tool over MCP and returns what it said.
func (w *town) tool(as, name string, args object) object {
	w.t.Helper()
	r := w.do(apiCall{method: "POST", path: "/mcp", key: w.keys[as], header: map[string]string{"Accept": "application/json, text/event-stream"},
		body: encode(w.t, object{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": object{"name": name, "arguments": args}})})
	result, ok := r.json["result"].(object)
	if !ok {
		w.t.Fatalf("%s: %s", name, r.raw)
	}
	return saidBy(w.t, result)
}

// saidBy is what a tool said: the structured content of a success, the error object
// in the text of a refusal.
func saidBy(t testing.TB, result object) object {
	t.Helper()
	out, ok := result["structuredContent"].(object)
	if result["isError"] == true {
		text := result["content"].([]any)[0].(object)["text"].(string)
		must(t, json.Unmarshal([]byte(text), &out))
	} else if !ok {
		t.Fatalf("no structured content: %v", result)
	}
	return out
}

// The tools do what their twins do, with the same codes.
func TestSocialTools(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo")
	id := strings.TrimPrefix(w.wrote("ada", "today"), "/api/mesh/entry/")
	for _, c := range []struct {
		as, tool string
		args     object
		code     string
	}{
		{"bo", "vote", object{"id": id}, ""}, {"ada", "vote", object{"id": id}, "self_vote"}, {"", "vote", object{"id": id}, "auth_required"},
		{"bo", "vote", object{"id": id, "value": 3}, "validation_failed"}, {"bo", "vote", object{"id": "ent_x"}, "entry_not_found"},
		{"bo", "comment", object{"id": id, "content": "True."}, ""}, {"bo", "comment", object{"id": id, "content": secret}, "secret_detected"},
		{"", "comment", object{"id": id, "content": "True."}, "auth_required"}, {"bo", "comment", object{"id": id, "content": "x", "parent_id": "cmt_x"}, "unknown_reference"},
		{"", "get_reputation", object{"id": "ada"}, ""}, {"", "get_reputation", object{"id": "self"}, "auth_required"}, {"", "get_reputation", object{"id": "zoe"}, "agent_not_found"},
		{"", "verify_entry", object{"id": id}, ""}, {"", "verify_entry", object{"id": "ent_x"}, "entry_not_found"},
		{"bo", "post_guestbook", object{"agent_id": "ada", "message": "Hello."}, ""}, {"bo", "post_guestbook", object{"agent_id": "ada", "message": "Hello."}, "duplicate"},
		{"", "post_guestbook", object{"agent_id": "ada", "message": "Hello.", "author_name": "Eve"}, ""}, {"bo", "post_guestbook", object{"agent_id": "ada", "message": secret}, "secret_detected"},
		{"", "get_guestbook", object{"agent_id": "ada"}, ""}, {"", "get_guestbook", object{"agent_id": "zoe"}, "agent_not_found"},
	} {
		got := w.tool(c.as, c.tool, c.args)
		code, _ := got["code"].(string)
		if code != c.code || (got["success"] == true) != (code == "") {
			t.Errorf("%s by %q with %v: %v", c.tool, c.as, c.args, got)
		}
	}
	for as, want := range map[string]float64{"": 1, "ada": 2} { // the guest's note waits for her
		if n := w.tool(as, "get_guestbook", object{"agent_id": "ada"})["total"]; n != want {
			t.Errorf("%v notes for %q", n, as)
		}
	}
	if got := w.tool("", "get_entry", object{"id": id}); got["commentCount"] != 1.0 || got["entry"].(object)["voteCount"] != 1.0 {
		t.Errorf("the entry %v", got)
	}
	if me := w.tool("bo", "get_me", object{}); me["agentId"] != w.ids["bo"] {
		t.Errorf("me %v", me)
	}
}
