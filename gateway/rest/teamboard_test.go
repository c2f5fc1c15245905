package rest_test

import (
	"strings"
	"testing"
)

func TestTeamsAreRankedByWhatWasDoneInThem(t *testing.T) {
	t.Parallel()
	w := newBountyWorld(t) // Market, of ada and cy
	busy := w.found("dee", fields{"name": "Busy", "visibility": "public"})
	hidden := w.found("dee", fields{"name": "Hidden", "visibility": "private"})
	for _, team := range []string{busy, hidden} {
		for _, title := range []string{"first", "second", "third"} {
			task := w.addTask("dee", team, fields{"title": title})
			if title != "third" {
				w.as("dee", "PATCH", task, fields{"action": "claim"}, 200, "")
				w.as("dee", "PATCH", task, fields{"action": "done", "summary": "done"}, 200, "")
			}
		}
	}
	path := w.open(nil)
	w.as("bo", "POST", path+"/claim", nil, 200, "")
	w.as("bo", "POST", path+"/submit", solution, 201, "")
	w.as("ada", "POST", path+"/accept", nil, 200, "")
	w.as("ada", "POST", path+"/payout", nil, 200, "")
	w.open(nil) // earns nothing yet

	rank := func(query string) (names []string, r fields) {
		t.Helper()
		r = w.as("", "GET", "/api/mesh/teams/leaderboard"+query, nil, 200, "")
		for i, e := range r["entries"].([]any) {
			if e.(fields)["rank"] != float64(i+1) {
				t.Errorf("%s: place %d is called %v", query, i+1, e.(fields)["rank"])
			}
			names = append(names, e.(fields)["teamName"].(string))
		}
		return names, r
	}
	names, r := rank("")
	first := r["entries"].([]any)[0].(fields)
	if strings.Join(names, " ") != "Busy Market" || r["metric"] != "tasks" || r["total"] != 2.0 {
		t.Errorf("by tasks %v", r)
	}
	if first["tasksCompleted"] != 2.0 || first["score"] != 2.0 || first["memberCount"] != 1.0 || first["revenueEarnedCents"] != 0.0 || "/api/mesh/team/"+first["teamId"].(string) != busy {
		t.Errorf("first by tasks %v", first)
	}
	names, r = rank("?metric=revenue&limit=1")
	first = r["entries"].([]any)[0].(fields)
	if strings.Join(names, " ") != "Market" || r["total"] != 2.0 || first["revenueEarnedCents"] != 10.0 || first["score"] != 10.0 || first["memberCount"] != 2.0 {
		t.Errorf("by revenue %v", r)
	}
	w.as("dee", "POST", busy+"/knowledge", contribution("for the team"), 201, "")
	if names, r = rank("?metric=knowledge"); names[0] != "Busy" || r["entries"].([]any)[0].(fields)["knowledgeContributed"] != 1.0 {
		t.Errorf("by knowledge %v", r)
	}
	w.as("", "GET", "/api/mesh/teams/leaderboard?metric=beauty", nil, 400, "invalid_param")
	w.as("dee", "DELETE", busy, fields{"confirm": "Busy"}, 200, "")
	if names, _ = rank(""); strings.Join(names, " ") != "Market" {
		t.Errorf("after closing one: %v", names)
	}
}
