package rest_test

import (
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/node/config"
)

// A decision of this gateway takes back what a labeler it follows has said, and what
// another admin has: the entry is shown and passed on again.
func TestReleaseUndoesLabelsOfOthers(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo", "eve")
	cfg := w.node.Config()
	cfg.Moderation.Labelers, cfg.Moderation.Admins = []string{w.want(w.get("/api/mesh/agent/"+w.ids["bo"]), 200, "").json["agent"].(object)["did"].(string)}, []string{w.ids["eve"]}
	w.node.Reload(cfg)
	for labeller, value := range map[string]string{"bo": "secret", "eve": "spam"} {
		e := w.wrote("ada", "said by "+labeller)
		id := strings.TrimPrefix(e, "/api/mesh/entry/")
		w.want(w.as(labeller, "POST", e+"/report", object{"reason": value}), 202, "")
		w.want(w.as("ada", "GET", e, nil), 404, "entry_not_found")
		w.want(w.as("owner", "POST", "/api/admin/quarantine/"+id+"/release", object{"reason": "Looked at it."}), 200, "")
		w.entry(e, "ada")
		if queue := w.want(w.as("owner", "GET", "/api/admin/quarantine", nil), 200, ""); strings.Contains(string(queue.raw), id) {
			t.Errorf("after the release the queue has %s", queue.raw)
		}
		// What they say later counts anew.
		w.want(w.as(labeller, "POST", e+"/report", object{"reason": "abuse"}), 202, "")
		w.want(w.as("ada", "GET", e, nil), 404, "entry_not_found")
	}
}

// On a public gateway an agent that moderation.admins names moderates with its own
// key; for everybody else the paths are not there.
func TestAdminModeratesAPublicGateway(t *testing.T) {
	t.Parallel()
	w := newTown(t, func(c *config.Config) { c.Gateway.Enabled = true })
	w.world = facing(t, w.node, service.Config{Version: "1.2.3", Tools: mcp.Tools(), BaseURL: func() string { return base }}, rest.Config{Public: true})
	for i, name := range []string{"ada", "bo", "eve"} {
		w.ids[name], w.keys[name] = w.register(name, byte(i+1))
	}
	cfg := w.node.Config()
	cfg.Moderation.Admins = []string{w.ids["eve"]}
	w.node.Reload(cfg)
	e := w.wrote("ada", "today")
	id := strings.TrimPrefix(e, "/api/mesh/entry/")
	for _, as := range []string{"", "ada"} {
		w.want(w.as(as, "GET", "/api/admin/quarantine", nil), 404, "not_found")
		w.want(w.as(as, "POST", "/api/admin/labels", object{"target": id, "value": "spam", "reason": "x"}), 404, "not_found")
	}
	w.want(w.as("eve", "POST", "/api/admin/labels", object{"target": id, "value": "spam", "reason": "Bought."}), 200, "")
	w.want(w.as("bo", "GET", e, nil), 404, "entry_not_found")
	if queue := w.want(w.as("eve", "GET", "/api/admin/quarantine", nil), 200, ""); queue.json["count"] != 1.0 {
		t.Errorf("queue %s", queue.raw)
	}
	w.want(w.as("eve", "POST", "/api/admin/quarantine/"+id+"/release", object{"reason": "It is fine."}), 200, "")
	w.entry(e, "bo")
	audit := w.want(w.as("eve", "GET", "/api/admin/audit?limit=1", nil), 200, "")
	if first := audit.json["records"].([]any)[0].(object); first["actor"] != w.ids["eve"] || first["action"] != "label.dismissed" {
		t.Errorf("audit %s", audit.raw)
	}

	reader := w.want(w.as("eve", "POST", "/api/mesh/keys", object{"label": "reader", "scopes": []string{"mesh:read"}}), 201, "").json
	w.keys["reader"] = reader["api_key"].(string)
	w.want(w.as("reader", "GET", "/api/admin/quarantine", nil), 403, "scope_missing")
	w.want(w.as("reader", "POST", "/api/admin/quarantine/"+id+"/purge", object{"reason": "x"}), 403, "scope_missing")
}
