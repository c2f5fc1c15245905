package rest_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/role"
)

// TestRolesDoWhatTheTableSays asks every operation in a team with a role token of every
// role, as a member who has that role: each cell of the table of docs/api.md. The table
// is the description of the API; a new operation that needs a body has it in bodies.
func TestRolesDoWhatTheTableSays(t *testing.T) {
	t.Parallel()
	w := newRefusalWorld(t)
	made := w.private()
	team := "/api/mesh/team/" + made.team
	actors := map[string]string{role.Owner: "bo", role.Admin: "cy", role.Member: "ada", role.Viewer: "dee"}
	for name, who := range actors {
		if who != "bo" {
			w.by(w.keys["bo"], "POST", team+"/members", fields{"action": "set_role", "agent_id": w.ids[who], "role": name}, 200, "")
		}
	}
	none := change.ID{}
	bodies := map[string]any{
		"PATCH ": fields{"description": "x"}, "DELETE ": fields{"confirm": "another name"}, "PATCH /config": fields{"description": "y"},
		"POST /board": fields{"tasks": []fields{{"title": "A task"}}}, "PATCH /board/{task}": fields{"action": "claim"},
		"POST /invites": fields{}, "POST /knowledge": w.lesson(), "POST /knowledge/{eid}/promote": fields{},
		"POST /members": fields{"action": "set_role", "agent_id": "nobody", "role": "viewer"}, "POST /message": fields{"content": "a word to all"},
		"POST /messages/read": fields{"up_to": none.Text(change.PrefixMessage)}, "POST /mode": fields{"mode": "build"}, "POST /presence": fields{},
		"PATCH /room": fields{"communication_style": "task_first"}, "POST /suggestions": fields{"title": "Do it", "description": "since it helps"},
		"POST /suggestions/{sid}/vote": fields{"value": 1}, "POST /transfer": fields{"agent_id": "nobody"}, "POST /leave": fields{},
		"PUT /api/crdt/{doc}/zones": fields{"zones": []fields{}, "outside": []string{"spatial:read"}},
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Role string `json:"x-role"`
			Kind struct {
				Content map[string]any
			}
		}
	}
	must(t, json.Unmarshal(w.get("/openapi.json").raw, &doc))
	var all []string
	for path, item := range doc.Paths {
		for method, op := range item {
			if op.Role != "" && !strings.HasSuffix(path, "/events") && !strings.HasSuffix(path, "/live") { // streams: TestTeamIsReadByCapability
				all = append(all, strings.ToUpper(method)+" "+path)
			}
		}
	}
	slices.Sort(all)
	// What ends a membership or the team comes last.
	slices.SortStableFunc(all, func(a, b string) int {
		last := func(s string) int {
			if strings.HasSuffix(s, "/leave") || strings.HasPrefix(s, "DELETE /api/mesh/team/{id}") {
				return 1
			}
			return 0
		}
		return last(a) - last(b)
	})
	cells := 0
	for _, at := range all {
		method, path, _ := strings.Cut(at, " ")
		part, _ := strings.CutPrefix(path, "/api/mesh/team/{id}")
		lowest := doc.Paths[path][strings.ToLower(method)].Role
		full := strings.NewReplacer("{id}", made.team, "{task}", made.task, "{eid}", made.entry, "{sid}", "none", "{code}", "none", "{doc}", made.scene, "/spot", "/spot?at=5,5,5").Replace(path)
		body := bodies[method+" "+part]
		if body == nil && method != "GET" && !strings.HasPrefix(at, "DELETE") {
			t.Errorf("%s is new; say what it is sent", at)
		}
		text := ""
		if body != nil {
			text = encode(t, body)
		}
		for _, name := range []string{role.Viewer, role.Member, role.Admin, role.Owner} {
			cells++
			w.settle()
			r := w.do(apiCall{method: method, path: full, key: w.roleToken(w.ids[actors[name]], name, made.team, nil), body: text})
			refused := r.code() == "capability_denied" || r.code() == "zone_denied"
			if may := role.Rank(name) >= role.Rank(lowest); may == refused || r.StatusCode >= 500 || r.StatusCode == 422 && may && method != "DELETE" {
				t.Errorf("%s as %s: %d %.300s; the table says %v", at, name, r.StatusCode, r.raw, may)
			}
			// Nobody does more than its role says by a key.
			if r := w.do(apiCall{method: method, path: full, key: w.keys[actors[name]], body: text}); role.Rank(name) < role.Rank(lowest) && r.code() != "forbidden" && r.code() != "zone_denied" {
				t.Errorf("%s as %s by a key: %d %.300s", at, name, r.StatusCode, r.raw)
			}
		}
	}
	if cells < 100 {
		t.Errorf("%d cells: the table has shrunk", cells)
	}
}
