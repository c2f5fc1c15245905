package rest_test

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/ucan"
)

// townSource is a scene with a zone for each of two.
const townSource = `composition "town" {
  zone "Ada" { position: [-5, 1, 0]  size: [4, 4, 4] }
  zone "Bo Bo" { position: [5, 1, 0]  size: [4, 4, 4] }
}`

// memoryOf is a document of a town's team.
func (w *teamWorld) memoryOf(team, name string) memory {
	return memory{w, url.PathEscape(strings.TrimPrefix(team, "/api/mesh/team/") + "." + name)}
}

// found a team with ada, bo and cy as members and dee as its admin, and a town in whose
// scene ada and bo have a zone each.
func (w *teamWorld) town() (team string) {
	w.t.Helper()
	for _, name := range []string{"fay", "ada", "bo", "cy", "dee", "eve"} {
		w.agent(name)
	}
	team = w.found("fay", fields{"name": "Town", "visibility": "private"})
	for _, name := range []string{"ada", "bo", "cy", "dee"} {
		w.as("fay", "POST", team+"/members", fields{"agent_id": w.ids[name], "role": map[string]string{"dee": "admin"}[name] + map[bool]string{true: "member"}[name != "dee"]}, 200, "")
	}
	w.as("ada", "PUT", "/api/mesh/agent/"+w.ids["ada"]+"/scene", fields{"format": "holo", "source": townSource, "room": fields{"access": "public"}}, 201, "")
	all := []string{"spatial:read", "spatial:write", "spatial:delete"}
	r := w.as("dee", "PUT", "/api/crdt/"+w.memoryOf(team, "zone/town").id+"/zones", fields{"scene": w.ids["ada"], "zones": []fields{
		{"id": "ada", "classification": "restricted", "agents": fields{w.ids["ada"]: all}, "roles": fields{"admin": []string{"spatial:admin"}}},
		{"id": "bo-bo", "classification": "restricted", "agents": fields{"bo": all}, "roles": fields{"admin": []string{"spatial:admin"}}},
	}, "outside": []string{"spatial:read", "spatial:write"}}, 200, "")
	if got := encode(w.t, r["zones"].([]any)[0].(fields)["bounds"]); got != `{"max":[-3,3,2],"min":[-7,-1,-2]}` {
		w.t.Errorf("bounds of a zone of the scene: %s", got)
	}
	return team
}

// TestTwoAgentsInOneScene: each has a zone of its own whose memory the other sees nowhere:
// not over HTTP, MCP or the socket, not in lists, in streams or among the changes. An admin
// sees both; nobody else does.
func TestTwoAgentsInOneScene(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	team := w.town()
	id := strings.TrimPrefix(team, "/api/mesh/team/")
	l := liveOver(t, w.world)
	zones := map[string]memory{"ada": w.memoryOf(team, "zone/town/ada"), "bo": w.memoryOf(team, "zone/town/bo-bo")}
	streams := l.stream(team+"/room/live", w.keys["cy"], nil)
	if e := streams.next(); e.kind != "hello" {
		t.Fatalf("first %+v", e)
	}
	own := l.stream("/api/crdt/"+zones["ada"].id+"/events", w.keys["ada"], nil)
	if e := own.next(); e.kind != "hello" {
		t.Fatalf("first %+v", e)
	}
	const secret = "quicksilver"
	for who, m := range zones {
		m.ops(who, 200, "", op("lww", "plan", "", "value", secret+" of "+who))
	}
	w.memoryOf(team, "zone/town").ops("cy", 200, "", op("lww", "weather", "", "value", "fine"))
	w.memoryOf(team, "notes").ops("ada", 200, "", op("lww", "k", "", "value", 1))
	if e := own.next(); e.kind != "doc.updated" || !strings.HasSuffix(e.data["data"].(fields)["id"].(string), "zone/town/ada") {
		t.Errorf("ada's own stream: %+v", e)
	}
	// The stream of the team says nothing of what lies in zones: the next in it is the notes.
	for e := streams.next(); ; e = streams.next() {
		if e.kind != "doc.updated" {
			continue
		}
		if name := e.data["data"].(fields)["id"].(string); !strings.HasSuffix(name, ".notes") {
			t.Errorf("the team's stream has %s", name)
		}
		break
	}
	for who, sees := range map[string]string{"ada": "ada", "bo": "bo", "cy": "", "dee": "ada bo", "fay": "", "eve": "-"} {
		for whose, m := range zones {
			may := strings.Contains(sees, whose)
			status, code := 403, "zone_denied"
			if sees == "-" {
				code = "not_a_member"
			}
			doc, _ := url.PathUnescape(m.id)
			r := w.called(who, "read_document", "", fields{"doc": doc})
			if may {
				if got := encode(t, m.state(who)["values"]); !strings.Contains(got, secret) {
					t.Errorf("%s reads %s: %s", who, whose, got)
				}
				if got := encode(t, r); !strings.Contains(got, secret) {
					t.Errorf("%s reads %s by MCP: %s", who, whose, got)
				}
				continue
			}
			for _, path := range []string{"/state", "/events", "/state?since="} {
				if said := w.as(who, "GET", "/api/crdt/"+m.id+path, nil, status, code); code == "zone_denied" {
					need := said["details"].(fields)["denial"].(fields)["required_capability"].(fields)
					if need["can"] != ucan.SpatialRead || !strings.HasSuffix(need["with"].(string), doc[strings.Index(doc, ".")+1:]) {
						t.Errorf("would have sufficed: %v", need)
					}
				}
			}
			m.ops(who, status, code, op("lww", "plan", "", "value", "mine"))
			w.as(who, "DELETE", "/api/crdt/"+m.id, nil, status, code)
			if r["code"] != code || strings.Contains(encode(t, r), secret) {
				t.Errorf("%s reads %s by MCP: %v", who, whose, r)
			}
			if r := w.called(who, "edit_document", "", fields{"doc": doc, "ops": []any{op("lww", "plan", "", "value", "mine")}}); r["code"] != code {
				t.Errorf("%s writes %s by MCP: %v", who, whose, r)
			}
			s := l.socket("", w.keys[who])
			s.send(obj{"id": "r", "type": "state-sync", "payload": obj{"doc": doc, "since": ""}})
			if f := s.want("state-sync"); f.Payload["error"].(obj)["code"] != code {
				t.Errorf("%s reads %s by a socket: %+v", who, whose, f)
			}
		}
		if sees == "-" {
			continue
		}
		listed := encode(t, w.as(who, "GET", "/api/crdt?of="+id, nil, 200, "")["documents"])
		byTool := encode(t, w.called(who, "list_documents", "", fields{"of": id}))
		raw := w.do(apiCall{method: "GET", path: "/api/mesh/changes?space=team/" + strings.TrimPrefix(id, "gld_"), key: w.keys[who]}).raw
		for whose, m := range zones {
			doc, _ := url.PathUnescape(m.id)
			may := strings.Contains(sees, whose)
			if strings.Contains(listed, doc) != may || strings.Contains(byTool, doc) != may {
				t.Errorf("%s is listed %s: %s, by MCP %s", who, whose, listed, byTool)
			}
			if bytes.Contains(raw, []byte(secret+" of "+whose)) != may {
				t.Errorf("%s has the change of %s: %v, want %v", who, whose, !may, may)
			}
		}
		if !strings.Contains(listed, ".notes") || !strings.Contains(listed, `zone/town"`) {
			t.Errorf("%s is listed %s", who, listed)
		}
	}
	// Where one stands one's zone decides.
	for who, code := range map[string]string{"ada": "", "bo": "zone_denied", "dee": ""} {
		spot := "/api/crdt/" + w.memoryOf(team, "zone/town").id + "/spot?at="
		w.as(who, "GET", spot+"-5,1,0", nil, map[bool]int{true: 200, false: 403}[code == ""], code)
		if r := w.as(who, "GET", spot+"100,0,0", nil, 200, ""); r["zone"] != nil || !strings.HasSuffix(r["document"].(string), "zone/town") {
			t.Errorf("outside: %v", r)
		}
		doc, _ := url.PathUnescape(w.memoryOf(team, "zone/town").id)
		if r := w.called(who, "zone_at", "", fields{"doc": doc, "at": "-5,1,0"}); (r["code"] == "zone_denied") != (code != "") {
			t.Errorf("%s at ada's place by MCP: %v", who, r)
		}
	}
	// A stream ends with the right to it, and nobody else makes zones.
	w.as("bo", "PUT", "/api/crdt/"+w.memoryOf(team, "zone/town").id+"/zones", fields{"zones": []fields{{"id": "ada", "classification": "public"}}}, 403, "zone_denied")
	if r := w.called("bo", "set_zones", "", fields{"doc": id + ".zone/town", "zones": []fields{}}); r["code"] != "zone_denied" {
		t.Errorf("bo writes the zones by MCP: %v", r)
	}
	if r := w.called("bo", "get_zones", "", fields{"doc": id + ".zone/town"}); len(r["zones"].([]any)) != 1 || strings.Contains(encode(t, r), w.ids["bo"]) {
		t.Errorf("bo's part of the zones: %v", r)
	}
	w.as("ada", "DELETE", "/api/crdt/"+zones["ada"].id, nil, 200, "")
	if got := encode(t, zones["ada"].state("dee")); strings.Contains(got, secret) {
		t.Errorf("emptied: %s", got)
	}
	w.as("fay", "PUT", "/api/crdt/"+w.memoryOf(team, "zone/town").id+"/zones", fields{"zones": []fields{}}, 200, "")
	w.as("ada", "GET", "/api/crdt/"+zones["ada"].id+"/state", nil, 403, "zone_denied")
	w.service.Streams.Journal().Recheck(w.ids["ada"])
	for e := own.next(); e.kind != "bye"; e = own.next() {
		if e.kind != "doc.updated" && e.kind != "ping" {
			t.Fatalf("the stream of who lost the right goes on: %+v", e)
		}
	}
}

// TestStrangersReadAZoneByCapability: what the founder of a team delegates on a zone opens
// that one, for that alone.
func TestStrangersReadAZoneByCapability(t *testing.T) {
	t.Parallel()
	w := newRefusalWorld(t)
	made := w.private()
	team := "/api/mesh/team/" + made.team
	doc := func(name string) string { return "/api/crdt/" + w.memoryOf(team, name).id }
	w.as("bo", "PUT", doc("zone/town")+"/zones", fields{"zones": []fields{
		{"id": "lab", "classification": "sensitive", "agents": fields{w.ids["bo"]: []string{"spatial:read", "spatial:write"}}},
		{"id": "attic", "classification": "sensitive", "agents": fields{w.ids["bo"]: []string{"spatial:read", "spatial:write"}}},
	}}, 200, "")
	for _, name := range []string{"zone/town/lab", "zone/town/attic"} {
		w.memoryOf(team, name).ops("bo", 200, "", op("lww", "a", "", "value", privateWord))
	}
	cid, with := w.inTeam("bo", made.team, "/zone/town/lab", ucan.SpatialRead)
	token := func() string { return w.bearer(cid, ucan.SpatialRead, with) }
	if r := w.by(token(), "GET", doc("zone/town/lab")+"/state", nil, 200, ""); !strings.Contains(string(r.raw), privateWord) {
		t.Errorf("reads %s", r.raw)
	}
	w.by(token(), "GET", doc("zone/town/lab/more")+"/state", nil, 200, "") // which nobody wrote
	for path, method := range map[string]string{doc("zone/town/attic") + "/state": "GET", doc("zone/town") + "/state": "GET", doc("zone/town") + "/zones": "GET", doc("zone/town/lab"): "DELETE", doc("notes") + "/state": "GET"} {
		if r := w.by(token(), method, path, nil, 403, "capability_denied"); strings.Contains(string(r.raw), privateWord) {
			t.Errorf("%s %s: %s", method, path, r.raw)
		}
	}
	w.by(token(), "POST", doc("zone/town/lab")+"/ops", fields{"ops": []any{op("lww", "a", "", "value", 1)}}, 403, "capability_denied")
	// To read the team is not to read its zones.
	cid, with = w.inTeam("bo", made.team, "", ucan.TeamRead)
	w.by(w.bearer(cid, ucan.TeamRead, with), "GET", doc("zone/town/lab")+"/state", nil, 403, "capability_denied")
	// Administering the scene is all of it, for an agent that may write in the team: here none.
	cid, with = w.inTeam("bo", made.team, "/zone/town", ucan.SpatialAdmin)
	r := w.by(w.bearer(cid, ucan.SpatialAdmin, with), "GET", doc("zone/town")+"/zones", nil, 200, "")
	if zones := r.json["zones"].([]any); len(zones) != 2 || zones[0].(fields)["agents"] == nil {
		t.Errorf("the zones in full: %s", r.raw)
	}
	w.by(w.bearer(cid, ucan.SpatialAdmin, with), "GET", doc("zone/town/attic")+"/state", nil, 200, "")
	w.by(w.bearer(cid, ucan.SpatialAdmin, with), "PUT", doc("zone/town")+"/zones", fields{"zones": []fields{}}, 403, "capability_denied")
}
