package rest_test

import (
	"maps"
	"strings"
	"testing"
)

// TestSocialToolsRefuseAsTheirTwins sends what is refused by a tool and by its
// endpoint: first the endpoint says the code, then the tool must.
func TestSocialToolsRefuseAsTheirTwins(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo")
	id := strings.TrimPrefix(w.wrote("ada", "today"), "/api/mesh/entry/")
	twins := map[string]struct{ method, path, at string }{
		"vote":           {"POST", "/api/mesh/entry/{}/vote", "id"},
		"comment":        {"POST", "/api/mesh/entry/{}/comment", "id"},
		"post_guestbook": {"POST", "/api/mesh/agent/{}/guestbook", "agent_id"},
		"get_guestbook":  {"GET", "/api/mesh/agent/{}/guestbook", "agent_id"},
		"get_reputation": {"GET", "/api/mesh/agent/{}/reputation", "id"},
		"verify_entry":   {"GET", "/api/mesh/entry/{}/verify", "id"},
	}
	for _, c := range []struct {
		as, tool string
		args     object
	}{
		{"", "vote", object{"id": id}},
		{"ada", "vote", object{"id": id}},
		{"bo", "vote", object{"id": id, "value": 3}},
		{"bo", "vote", object{"id": id, "value": "up"}},
		{"bo", "vote", object{"id": "ent_x"}},
		{"", "comment", object{"id": id, "content": "True."}},
		{"bo", "comment", object{"id": id}},
		{"bo", "comment", object{"id": id, "content": " "}},
		{"bo", "comment", object{"id": id, "content": strings.Repeat("x", 5000)}},
		{"bo", "comment", object{"id": id, "content": secret}},
		{"bo", "comment", object{"id": id, "content": "x", "parent_id": "cmt_x"}},
		{"bo", "comment", object{"id": "ent_x", "content": "x"}},
		{"bo", "post_guestbook", object{"agent_id": "zoe", "message": "Hello."}},
		{"bo", "post_guestbook", object{"agent_id": "ada"}},
		{"bo", "post_guestbook", object{"agent_id": "ada", "message": secret}},
		{"", "get_guestbook", object{"agent_id": "zoe"}},
		{"", "get_reputation", object{"id": "self"}},
		{"", "get_reputation", object{"id": "zoe"}},
		{"", "verify_entry", object{"id": "ent_x"}},
	} {
		twin, rest := twins[c.tool], maps.Clone(c.args)
		delete(rest, twin.at)
		asked := apiCall{method: twin.method, path: strings.Replace(twin.path, "{}", c.args[twin.at].(string), 1), key: w.keys[c.as]}
		if twin.method == "POST" {
			asked.body = encode(t, rest)
		}
		said := w.do(asked).code()
		if got := w.tool(c.as, c.tool, c.args)["code"]; said == "" || got != said {
			t.Errorf("%s by %q with %.80v: HTTP says %q, the tool %v", c.tool, c.as, c.args, said, got)
		}
	}
}
