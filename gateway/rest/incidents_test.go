package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/incident"
)

func TestIncidentsAreForWhoRunsTheGateway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	agent, key := w.register("ada", 1)
	w.mesh.Broken.Fail("index", "degraded")
	w.mesh.Broken.Recover("index")
	w.mesh.Broken.Fail("store", "no space left")
	w.want(w.get("/api/admin/incidents"), 404, "not_found")
	w.want(w.do(apiCall{method: "GET", path: "/api/admin/incidents", key: key}), 404, "not_found")
	read := func(query string) reply {
		return w.want(w.do(apiCall{method: "GET", path: "/api/admin/incidents" + query, owner: agent}), 200, "")
	}
	r := read("")
	list := r.json["incidents"].([]any)
	newest, oldest := list[0].(map[string]any), list[1].(map[string]any)
	if len(list) != 2 || newest["component"] != "store" || newest["state"] != "open" || newest["closed_at"] != nil || newest["cause"] != "no space left" ||
		oldest["component"] != "index" || oldest["state"] != "closed" || oldest["closed_at"] == nil {
		t.Errorf("%s", r.raw)
	}
	if r := read("?state=closed"); r.json["count"] != 1.0 || r.json["total"] != 1.0 {
		t.Errorf("%s", r.raw)
	}
	if r := read("?limit=1"); r.json["count"] != 1.0 || r.json["total"] != 2.0 {
		t.Errorf("%s", r.raw)
	}
	for _, query := range []string{"?state=half", "?limit=0", "?limit=201"} {
		w.want(w.do(apiCall{method: "GET", path: "/api/admin/incidents" + query, owner: agent}), 400, "invalid_param")
	}
}

func TestHealthzShowsAdminsMoreAndFailsForNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	agent, key := w.register("ada", 1)
	w.mesh.NotReady = true
	w.mesh.Broken.Fail("index", "slow")
	w.mesh.Broken.Recover("index")
	w.mesh.Broken.Fail("store", "no space left")
	for name, c := range map[string]apiCall{"nobody": {}, "an agent": {key: key}, "a stale key": {key: key[:len(key)-1] + "x"}} {
		c.method, c.path = "GET", "/healthz"
		r := w.want(w.do(c), 200, "")
		if r.json["detail"] != nil || r.json["ready"] != false || r.json["status"] != "degraded" || r.json["version"] != "1.2.3" {
			t.Errorf("%s: %s", name, r.raw)
		}
	}
	r := w.want(w.do(apiCall{method: "GET", path: "/healthz", owner: agent}), 200, "")
	detail := r.json["detail"].(map[string]any)
	open := detail["incidents"].([]any)
	if detail["checks"].(map[string]any)["views_caught_up"] != false || detail["components"] == nil || len(open) != 1 ||
		open[0].(map[string]any)["cause"] != "no space left" {
		t.Errorf("%s", r.raw)
	}
}

// TestDeadFacilitatorIsNotAskedForEver: after five payments without a word the
// gateway refuses the next by itself, says so in its health, and tries again.
func TestDeadFacilitatorIsNotAskedForEver(t *testing.T) {
	t.Parallel()
	f := honest()
	dead := true
	f.verify = func(w http.ResponseWriter, asked map[string]any) {
		if dead {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		say(w, map[string]any{"isValid": true})
	}
	s := newShop(t, f)
	s.mesh.Broken = incident.New(s.clock.Now, nil)
	path := s.sells(0.5, nil)
	part := func() any {
		return s.want(s.get("/api/health"), 200, "").json["components"].(map[string]any)["facilitator"]
	}
	pay := func() reply {
		return s.as("bo", "GET", path, nil, s.header1(s.wallets["bo"], s.transfer(s.wallets["bo"], 500_000)))
	}
	if part() != "ok" {
		t.Errorf("before: %v", part())
	}
	for range 8 {
		s.want(pay(), 503, "settlement_unavailable")
	}
	if n := f.count("/verify"); n != 5 || part() != "down" {
		t.Errorf("asked %d times, component %v", n, part())
	}
	r := s.want(s.do(apiCall{method: "GET", path: "/api/admin/incidents?state=open", owner: s.ids["ada"]}), 200, "")
	breaker := r.json["breakers"].([]any)[0].(map[string]any)
	if r.json["count"] != 1.0 || breaker["component"] != "facilitator" || breaker["state"] != "open" || breaker["retry_at"] == nil {
		t.Errorf("%s", r.raw)
	}
	s.clock.Add(10 * time.Second)
	f.mu.Lock()
	dead = false
	f.mu.Unlock()
	if part() != "degraded" {
		t.Errorf("it may be tried: %v", part())
	}
	s.want(pay(), 200, "")
	if r := s.do(apiCall{method: "GET", path: "/api/admin/incidents?state=open", owner: s.ids["ada"]}); r.json["count"] != 0.0 || part() != "ok" {
		t.Errorf("well again: %s", r.raw)
	}
}

// TestIncidentsAreShownToAdminsAlone: over both kinds of stream an admin receives
// an incident; others receive what happened after it and of it nothing.
func TestIncidentsAreShownToAdminsAlone(t *testing.T) {
	t.Parallel()
	w := newTown(t, nil, "ada", "bo")
	cfg := w.node.Config()
	cfg.Moderation.Admins = []string{w.ids["ada"]}
	w.node.Reload(cfg)
	l := liveOver(t, w.world)
	admin, other := l.stream("/api/mesh/me/events", w.keys["ada"], nil), l.stream("/api/mesh/me/events", w.keys["bo"], nil)
	public, nobody := l.stream("/api/mesh/events", w.keys["ada"], nil), l.stream("/api/mesh/events", "", nil)
	for _, r := range []*reader{admin, other, public, nobody} {
		r.want("hello")
	}
	adminSocket, otherSocket := l.socket("", w.keys["ada"]), l.socket("", w.keys["bo"])
	for _, c := range []*ws{adminSocket, otherSocket} {
		c.send(obj{"type": "subscribe", "payload": obj{}})
		c.want("subscribe")
	}
	w.node.Incidents().Fail("disk", "no space left")
	w.node.Incidents().Fail("disk", "still none")
	w.node.Incidents().Recover("disk")

	// What everybody receives comes after, so that silence about the rest is proved.
	w.want(w.as("bo", "PATCH", "/api/mesh/profile", object{"bio": "Listening."}), 200, "")
	bo, err := change.ParseAgentID(w.ids["bo"])
	must(t, err)
	w.node.AnnounceKey(events.KeyCreated, bo, events.APIKey{ID: "key_1", Prefix: "abc"})

	opened, closed := admin.want("incident.opened"), admin.want("incident.closed")
	if d := opened.data["data"].(obj); d["component"] != "disk" || d["cause"] != "no space left" || d["failures"] != 1.0 || d["closed_at"] != nil {
		t.Errorf("opened %s", opened.raw)
	}
	if d := closed.data["data"].(obj); d["cause"] != "still none" || d["failures"] != 2.0 || d["closed_at"] == nil {
		t.Errorf("closed %s", closed.raw)
	}
	for _, kind := range []string{"incident.opened", "incident.closed"} {
		if f := adminSocket.want("event"); f.Payload["kind"] != kind {
			t.Errorf("socket of an admin: %+v, want %s", f, kind)
		}
	}
	other.want("key.created")
	public.want("profile.updated")
	nobody.want("profile.updated")
	if f := otherSocket.want("event"); f.Payload["kind"] != "profile.updated" {
		t.Errorf("socket of another: %+v", f)
	}
	w.node.AnnounceKey(events.KeyRevoked, bo, events.APIKey{ID: "key_1", Prefix: "abc"})
	late := l.stream("/api/mesh/me/events?since=0", w.keys["bo"], nil)
	for e := late.want("hello"); e.kind != "key.revoked"; e = late.next() {
		if e.kind == "" || strings.HasPrefix(e.kind, "incident.") {
			t.Fatalf("received of old: %+v", e)
		}
	}
	again := l.stream("/api/mesh/me/events?since=0&kinds=incident.*", w.keys["ada"], nil)
	again.want("hello")
	again.want("incident.opened")

	cfg.Moderation.Admins = nil
	w.node.Reload(cfg)
	l.service.Streams.Journal().Recheck(w.ids["ada"])
	if bye := admin.want("bye"); bye.data["code"] != "forbidden" {
		t.Errorf("who is no admin any more: %s", bye.raw)
	}
}
