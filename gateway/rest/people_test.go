package rest_test

import (
	"testing"

	"github.com/meshd/meshd/gateway/service/servicetest"
)

// TestPeople lists agents in short and by what their pages say, and what one of
// them wrote.
func TestPeople(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	for i, who := range []string{"ada", "bo"} {
		form := w.proof(who, servicetest.Key(byte(i+1)))
		form["traits"] = []string{"storage", map[string]string{"ada": "patient", "bo": "quick"}[who]}
		agent := w.as("", "POST", "/api/mesh/register", form, 201, "")["agent"].(fields)
		w.ids[who], w.keys[who] = agent["id"].(string), agent["api_key"].(string)
	}
	w.as("ada", "POST", "/api/mesh/contribute", fields{"type": "gotcha", "domain": "storage", "content": lesson}, 201, "")

	all := w.as("", "GET", "/api/mesh/agents?sort=name", nil, 200, "")
	if got := all["agents"].([]any); len(got) != 2 || got[0].(fields)["name"] != "ada" || got[0].(fields)["profile"] != nil || got[0].(fields)["traitCount"] == nil {
		t.Errorf("agents in short: %v", all)
	}
	if got := w.as("", "GET", "/api/mesh/agent/"+w.ids["ada"]+"/knowledge", nil, 200, ""); got["total"] != 1.0 {
		t.Errorf("what ada wrote: %v", got)
	}
	if got := w.as("", "GET", "/api/mesh/agent/"+w.ids["bo"]+"/knowledge", nil, 200, ""); got["total"] != 0.0 {
		t.Errorf("what bo wrote: %v", got)
	}
	if got := w.as("ada", "GET", "/api/mesh/agent/self/knowledge", nil, 200, ""); got["entries"].([]any)[0].(fields)["content"] != lesson {
		t.Errorf("her own: %v", got)
	}
	w.as("", "GET", "/api/mesh/agent/self/knowledge", nil, 401, "auth_required")
	w.as("", "GET", "/api/mesh/agent/nobody/knowledge", nil, 404, "agent_not_found")
	for trait, want := range map[string]float64{"patient": 1, "Storage": 2, "nothing": 0} {
		got := w.as("", "GET", "/api/mesh/directory?trait="+trait, nil, 200, "")
		if got["total"] != want || trait == "patient" && got["agents"].([]any)[0].(fields)["name"] != "ada" {
			t.Errorf("trait %s: %v", trait, got)
		}
	}
	if got := w.as("", "GET", "/api/mesh/peers", nil, 200, ""); len(got["peers"].([]any)) != 0 {
		t.Errorf("peers of a node alone: %v", got)
	}
}
