package rest_test

import "testing"

// An admin that made an invitation and was removed does not come back by it, nor
// does anybody else.
func TestInvitationsOfWhoWasRemovedOpenNothing(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	for _, name := range []string{"ada", "bo", "cy"} {
		w.agent(name)
	}
	team := w.found("ada", fields{"name": "Den", "visibility": "private"})
	member := func(with fields) {
		with["agent_id"] = w.ids["bo"]
		w.as("ada", "POST", team+"/members", with, 200, "")
	}
	member(fields{"role": "admin"})
	made := w.do(apiCall{method: "POST", path: team + "/invites", key: w.keys["bo"], body: encode(t, fields{"uses": 5})})
	code, _ := made.json["code"].(string)
	if made.StatusCode != 201 || code == "" {
		t.Fatalf("invited: %s", made.raw)
	}
	w.as("", "GET", "/api/mesh/invite/"+code, nil, 200, "")
	member(fields{"action": "remove"})
	w.as("", "GET", "/api/mesh/invite/"+code, nil, 403, "invite_invalid")
	for _, who := range []string{"bo", "cy"} {
		w.as(who, "POST", "/api/mesh/invite/"+code+"/claim", nil, 403, "invite_invalid")
		w.as(who, "POST", team+"/join", fields{"invite_code": code}, 403, "invite_invalid")
	}
	member(fields{"role": "admin"})
	w.as("cy", "POST", "/api/mesh/invite/"+code+"/claim", nil, 200, "")
}
