package rest_test

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/store"
)

// teamWorld is the HTTP face of a whole node whose clock the test moves.
type teamWorld struct {
	*world
	node *node.Node
	keys map[string]string
	ids  map[string]string
}

func newTeamWorld(t *testing.T) *teamWorld { t.Helper(); return newTeamWorldOn(t, crdtlog.NewMemory()) }

// newTeamWorldOn keeps the log of the node in engine.
func newTeamWorldOn(t *testing.T, engine crdtlog.Engine) *teamWorld {
	t.Helper()
	return newTeamWorldWith(t, engine, limit.Config{Disabled: true})
}

// newTeamWorldWith slows callers down besides.
func newTeamWorldWith(t *testing.T, engine crdtlog.Engine, slow limit.Config) *teamWorld {
	t.Helper()
	home, err := store.Open(t.TempDir(), store.Options{Command: "test"})
	must(t, err)
	cfg := config.Default()
	cfg.P2P.Loopback, cfg.P2P.MDNS, cfg.P2P.PortMapping, cfg.P2P.Listen = true, false, false, []string{"/ip4/127.0.0.1/tcp/0"}
	cfg.Network.File = home.Path("network")
	text, err := change.NetworkFile{Genesis: change.Genesis{Name: "test", Shards: 1, Start: 1767225600000}}.Encode()
	must(t, err)
	must(t, os.WriteFile(cfg.Network.File, []byte(text), 0o600))
	w := &teamWorld{world: &world{t: t, clock: &clock{now: servicetest.Start}, dir: t.TempDir()}, keys: map[string]string{}, ids: map[string]string{}}
	w.state = servicetest.OpenStateIn(t, w.dir)
	w.node, err = node.Open(t.Context(), core.Options{Home: home, Config: cfg, Version: "1.2.3", Engine: engine, Now: w.clock.Now})
	must(t, err)
	t.Cleanup(func() { must(t, errors.Join(w.node.Close(), home.Close())) })
	cursors, err := cursor.New(bytes.Repeat([]byte{3}, 32))
	must(t, err)
	limits, err := limit.New(slow)
	must(t, err)
	w.service, err = service.New(w.node, w.state, cursors, limits, service.Config{Version: "1.2.3", Tools: mcp.Tools(), BaseURL: func() string { return base }, Now: w.clock.Now})
	must(t, err)
	m, err := mcp.New(w.service, mcp.Config{Version: "1.2.3"})
	must(t, err)
	w.handler, err = rest.New(w.service, auth.New(w.state), m, rest.Config{})
	must(t, err)
	return w
}

// pass lets time go by.
func (w *teamWorld) pass(d time.Duration) {
	w.t.Helper()
	w.settle()
	w.clock.Add(d)
}

// settle waits until the node has dealt with what was written: one that lags for
// minutes, as it does by the clock of a test, takes no more.
func (w *teamWorld) settle() {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); w.node.Lag() > 0; {
		if time.Now().After(end) {
			w.t.Fatalf("the node lags by %v", w.node.Lag())
		}
		runtime.Gosched()
	}
}

// agent registers an agent under a name.
func (w *teamWorld) agent(name string) {
	w.t.Helper()
	w.ids[name], w.keys[name] = w.register(name, byte(len(w.ids)+1))
}

// as sends a request of an agent, "" for nobody, and checks status and code.
func (w *teamWorld) as(who, method, path string, body any, status int, code string) map[string]any {
	w.t.Helper()
	w.settle()
	c := apiCall{method: method, path: path, key: w.keys[who]}
	if body != nil {
		c.body = encode(w.t, body)
	}
	return w.want(w.do(c), status, code).json
}

// found founds a team for an agent and returns its path.
func (w *teamWorld) found(who string, body map[string]any) string {
	w.t.Helper()
	team := w.as(who, "POST", "/api/mesh/team", body, 201, "")["team"].(map[string]any)
	return "/api/mesh/team/" + team["id"].(string)
}

// invite makes an invitation as ada.
func (w *teamWorld) invite(team string, body fields) fields {
	w.t.Helper()
	w.settle()
	r := w.do(apiCall{method: "POST", path: team + "/invites", key: w.keys["ada"], body: encode(w.t, body)})
	if r.StatusCode != 201 || r.json["code"] == "" {
		w.t.Fatalf("invited: %s", r.raw)
	}
	return r.json
}

// addTask adds a task and returns its path.
func (w *teamWorld) addTask(who, team string, fields map[string]any) string {
	w.t.Helper()
	r := w.as(who, "POST", team+"/board", map[string]any{"tasks": []any{fields}}, 201, "")
	return team + "/board/" + r["tasks"].([]any)[0].(map[string]any)["id"].(string)
}

type fields = map[string]any

func TestTeamsLetInWhoMayCome(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	for _, name := range []string{"ada", "bo", "cy", "dee"} {
		w.agent(name)
	}
	open := w.found("ada", fields{"name": "Open", "visibility": "public", "max_slots": 3, "domains": []string{"go"}})
	if r := w.as("bo", "POST", open+"/join", nil, 200, ""); r["role"] != "member" || r["already_member"] != false || r["members"] != 2.0 {
		t.Errorf("joined as %v", r)
	}
	if r := w.as("bo", "POST", open+"/join", nil, 200, ""); r["already_member"] != true || r["members"] != 2.0 {
		t.Errorf("joined again as %v", r)
	}
	w.as("", "POST", open+"/join", nil, 401, "auth_required")
	w.as("cy", "POST", open+"/join", nil, 200, "")
	w.as("dee", "POST", open+"/join", nil, 409, "team_full")
	w.as("ada", "PATCH", open, fields{"policy": fields{"waitlist": true}}, 200, "")
	if r := w.as("dee", "POST", open+"/join", nil, 409, "team_full"); r["details"].(fields)["waitlist_position"] != 1.0 {
		t.Errorf("waits %v", r)
	}
	w.as("cy", "POST", open+"/leave", nil, 204, "")
	w.pass(time.Second)
	w.as("cy", "POST", open+"/join", nil, 409, "team_full") // dee came first
	w.as("dee", "POST", open+"/join", nil, 200, "")
	w.as("ada", "POST", open+"/leave", nil, 409, "last_owner")

	guilds := w.as("", "GET", "/api/mesh/guilds?domain=go", nil, 200, "")["guilds"].([]any)
	if g := guilds[0].(fields); len(guilds) != 1 || g["memberCount"] != 3.0 || g["openSlots"] != 0.0 || g["maxSlots"] != 3.0 || len(g["topMembers"].([]any)) != 3 {
		t.Errorf("listed %v", guilds)
	}
	if r := w.as("", "GET", "/api/mesh/guilds?open=true", nil, 200, ""); r["total"] != 0.0 {
		t.Errorf("open are %v", r)
	}

	closed := w.found("ada", fields{"name": "Closed"})
	w.as("bo", "POST", closed+"/join", nil, 403, "invite_invalid")
	w.as("bo", "POST", closed+"/join", fields{"invite_code": "wrong"}, 403, "invite_invalid")
	w.as("bo", "POST", closed+"/invites", nil, 403, "not_a_member")
	code := w.invite(closed, fields{"expires_in": 60})["code"].(string)
	if r := w.as("", "GET", "/api/mesh/invite/"+code, nil, 200, ""); r["team"].(fields)["name"] != "Closed" || r["role"] != "member" {
		t.Errorf("preview %v", r)
	}
	w.as("cy", "POST", open+"/join", fields{"invite_code": code}, 409, "team_full") // of another team: nothing is used up
	w.pass(61 * time.Second)
	w.as("bo", "POST", closed+"/join", fields{"invite_code": code}, 403, "invite_invalid")
	code = w.invite(closed, fields{"role": "viewer"})["code"].(string)
	if r := w.as("bo", "POST", "/api/mesh/invite/"+code+"/claim", nil, 200, ""); r["role"] != "viewer" {
		t.Errorf("claimed %v", r)
	}
	w.as("cy", "POST", closed+"/join", fields{"invite_code": code}, 403, "invite_invalid") // used up
	made := w.invite(closed, fields{"uses": 5})
	w.as("ada", "DELETE", closed+"/invites/"+made["id"].(string), nil, 204, "")
	w.as("cy", "POST", closed+"/join", fields{"invite_code": made["code"]}, 403, "invite_invalid") // taken back

	w.as("ada", "POST", open+"/members", fields{"action": "ban", "agent_id": "bo"}, 200, "")
	w.as("bo", "POST", open+"/join", nil, 403, "banned")
	w.as("ada", "POST", open+"/members", fields{"action": "unban", "agent_id": "bo"}, 200, "")
	w.as("bo", "POST", open+"/join", nil, 409, "team_full") // no more banned, but cy waits
	w.as("cy", "POST", open+"/join", nil, 200, "")
}

func TestTeamRolesBind(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	for _, name := range []string{"ada", "bo", "cy", "dee"} {
		w.agent(name)
	}
	team := w.found("ada", fields{"name": "Roles"})
	for name, role := range map[string]string{"bo": "admin", "cy": "viewer"} {
		w.as("ada", "POST", team+"/members", fields{"agent_id": name, "role": role}, 200, "")
	}
	for _, c := range []struct {
		who, method, path string
		body              any
		status            int
		code              string
	}{
		{"", "GET", "", nil, 401, "auth_required"},
		{"dee", "GET", "", nil, 403, "not_a_member"},
		{"dee", "GET", "/board", nil, 403, "not_a_member"},
		{"", "GET", "/board", nil, 401, "auth_required"},
		{"cy", "GET", "/board", nil, 200, ""},
		{"cy", "POST", "/board", fields{"tasks": []any{fields{"title": "x"}}}, 403, "forbidden"},
		{"cy", "POST", "/message", fields{"content": "hello"}, 403, "forbidden"},
		{"cy", "POST", "/mode", fields{"mode": "audit"}, 403, "forbidden"},
		{"bo", "POST", "/mode", fields{"mode": "king"}, 422, "validation_failed"},
		{"bo", "POST", "/mode", fields{"mode": "audit", "reason": "a leak"}, 200, ""},
		{"bo", "PATCH", "/room", fields{"objective": "find it"}, 200, ""},
		{"bo", "POST", "/members", fields{"agent_id": "ada", "action": "remove"}, 403, "forbidden"},
		{"bo", "POST", "/members", fields{"agent_id": "cy", "role": "owner"}, 403, "forbidden"},
		{"bo", "POST", "/members", fields{"agent_id": "cy", "role": "king"}, 422, "validation_failed"},
		{"bo", "POST", "/members", fields{"agent_id": "cy", "role": "guest"}, 200, ""},
		{"bo", "POST", "/transfer", fields{"agent_id": "cy"}, 403, "forbidden"},
		{"bo", "DELETE", "", fields{"confirm": "Roles"}, 403, "forbidden"},
		{"ada", "DELETE", "", fields{"confirm": "roles"}, 422, "validation_failed"},
		{"ada", "GET", "x", nil, 404, "team_not_found"},
	} {
		w.as(c.who, c.method, team+c.path, c.body, c.status, c.code)
	}
	full := w.as("cy", "GET", team, nil, 200, "")["team"].(fields)
	if full["mode"] != "audit" || full["objective"] != "find it" || full["role"] != "viewer" || len(full["members"].([]any)) != 3 {
		t.Errorf("team %v", full)
	}
	w.as("ada", "POST", team+"/transfer", fields{"agent_id": "bo"}, 200, "")
	w.as("bo", "DELETE", team, fields{"confirm": "Roles"}, 200, "")
	w.as("ada", "GET", team, nil, 404, "team_not_found")
	if r := w.as("ada", "GET", "/api/mesh/teams", nil, 200, ""); r["total"] != 0.0 {
		t.Errorf("teams %v", r)
	}
}

func TestBoardActions(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	for _, name := range []string{"ada", "bo", "cy"} {
		w.agent(name)
	}
	team := w.found("ada", fields{"name": "Board", "visibility": "public"})
	w.as("bo", "POST", team+"/join", nil, 200, "")
	w.as("cy", "POST", team+"/join", nil, 200, "")
	long := strings.Repeat("ü", 4000)
	first := w.addTask("bo", team, fields{"title": "Find it", "priority": "critical", "description": long, "tags": []string{"a"}})
	firstID := first[strings.LastIndex(first, "/")+1:]
	second := w.addTask("bo", team, fields{"title": "Mend it", "dependsOn": []string{firstID}})
	if r := w.as("cy", "POST", team+"/board", fields{"tasks": []any{fields{"title": "FIND IT"}}}, 201, ""); r["added"] != 0.0 || len(r["skipped"].([]any)) != 1 {
		t.Errorf("the same title again: %v", r)
	}
	task := func(r fields) fields { return r["task"].(fields) }
	if got := task(w.as("cy", "GET", first, nil, 200, "")); got["description"] != long || got["priority"] != 9.0 || got["unblocks"].([]any)[0] == "" {
		t.Errorf("task %v", got)
	}
	do := func(who, path, action string, more fields, status int, code string) fields {
		t.Helper()
		body := fields{"action": action}
		for k, v := range more {
			body[k] = v
		}
		return w.as(who, "PATCH", path, body, status, code)
	}
	do("bo", second, "claim", nil, 409, "blocked_by_dependency")
	if r := do("bo", first, "claim", nil, 200, ""); r["claimedAs"] != w.ids["bo"] || task(r)["status"] != "claimed" || task(r)["lease_expires_at"] == nil {
		t.Errorf("claimed %v", r)
	}
	if r := do("cy", first, "claim", nil, 409, "already_claimed"); r["details"].(fields)["claimedBy"] != w.ids["bo"] {
		t.Errorf("claimed by %v", r)
	}
	do("cy", first, "release", nil, 403, "not_claimant")
	do("cy", first, "done", fields{"summary": "done"}, 403, "not_claimant")
	do("bo", first, "done", nil, 422, "evidence_required")
	do("bo", first, "done", fields{"summary": "key AKIAIOSFODNN7REALKEY"}, 422, "secret_detected")
	do("bo", first, "append_commit", fields{"commit": "abc"}, 409, "bad_transition")
	r := do("bo", first, "done", fields{"summary": "found", "commit": "abc123", "artifacts": []string{"log.txt"}}, 200, "")
	if got := task(r); got["status"] != "done" || got["summary"] != "found" || got["commitHash"] != "abc123" || got["completedBy"] != w.ids["bo"] || r["completedAs"] != w.ids["bo"] {
		t.Errorf("done %v", got)
	}
	do("bo", first, "done", fields{"summary": "again"}, 409, "bad_transition")
	do("cy", first, "append_commit", fields{"commit": "def456"}, 200, "")
	if r := w.as("cy", "GET", team+"/board/done?limit=1", nil, 200, ""); r["count"] != 1.0 || r["done"].([]any)[0].(fields)["summary"] != "found" {
		t.Errorf("done list %v", r)
	}
	do("bo", second, "claim", nil, 200, "")
	do("bo", second, "block", fields{"reason": "no tools"}, 200, "")
	do("bo", second, "block", nil, 409, "bad_transition")
	if got := task(do("cy", second, "reopen", nil, 200, "")); got["status"] != "open" || got["claimedBy"] != nil {
		t.Errorf("reopened %v", got)
	}
	do("cy", second, "reopen", nil, 409, "bad_transition")
	do("cy", second, "delegate", fields{"toAgentId": "nobody"}, 404, "agent_not_found")
	if got := task(do("cy", second, "delegate", fields{"toAgentId": "bo"}, 200, "")); got["claimedBy"] != w.ids["bo"] {
		t.Errorf("delegated %v", got)
	}
	do("cy", second, "delete", nil, 403, "forbidden")
	version := task(w.as("cy", "GET", second, nil, 200, ""))["version"].(float64)
	w.want(w.do(apiCall{method: "PATCH", path: second, key: w.keys["cy"], body: `{"action":"update","title":"x"}`, header: map[string]string{"If-Match": encode(t, version+1)}}), 412, "version_conflict")
	if got := task(w.want(w.do(apiCall{method: "PATCH", path: second, key: w.keys["cy"], body: `{"action":"update","priority":1}`, header: map[string]string{"If-Match": encode(t, version)}}), 200, "").json); got["priority"] != 1.0 || got["title"] != "Mend it" || got["version"] != version+1 {
		t.Errorf("updated %v", got)
	}
	do("cy", second, "fly", nil, 422, "validation_failed")
	do("ada", second, "delete", nil, 200, "")
	w.as("cy", "GET", second, nil, 404, "task_not_found")
	b := w.as("cy", "GET", team+"/board", nil, 200, "")
	if b["open"] != 0.0 || b["done_count"] != 1.0 || len(b["tasks"].([]any)) != 0 {
		t.Errorf("board %v", b)
	}
	w.as("ada", "PATCH", team, fields{"policy": fields{"claim_needs_heartbeat": true, "evidence_on_done": "none"}}, 200, "")
	third := w.addTask("bo", team, fields{"title": "Rest"})
	do("bo", third, "claim", nil, 403, "heartbeat_required")
	if r := w.as("bo", "POST", team+"/presence", fields{"surface": "editor"}, 200, ""); r["online_count"] != 1.0 || r["ttl_s"] != 300.0 {
		t.Errorf("present %v", r)
	}
	for online, want := range map[string]int{"?online=true": 1, "?online=false": len(w.ids) - 1, "": len(w.ids)} {
		r := w.as("", "GET", "/api/mesh/directory"+online, nil, 200, "")
		list := r["agents"].([]any)
		if len(list) != want || r["total"] != float64(want) {
			t.Errorf("directory%s: %d of %v, want %d", online, len(list), r["total"], want)
		}
		for _, a := range list {
			if present := a.(fields)["online"] == true; online != "" && present != (online == "?online=true") || present != (a.(fields)["id"] == w.ids["bo"]) {
				t.Errorf("directory%s: %v", online, a)
			}
		}
	}
	do("bo", third, "claim", nil, 200, "")
	do("bo", third, "done", nil, 200, "")
	w.pass(301 * time.Second)
	if r := w.as("cy", "GET", team+"/presence", nil, 200, ""); r["online_count"] != 0.0 {
		t.Errorf("still present: %v", r)
	}
}

// A claim that nobody renews ends at the team's home, and one whose claimant is
// active goes on.
func TestLeases(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	w.agent("ada")
	w.agent("bo")
	team := w.found("ada", fields{"name": "Leases", "visibility": "public"})
	w.as("bo", "POST", team+"/join", nil, 200, "")
	path := w.addTask("ada", team, fields{"title": "Lasting"})
	claim := fields{"action": "claim"}
	w.as("bo", "PATCH", path, claim, 200, "")
	for range 4 { // an hour with a heartbeat now and then
		w.pass(8 * time.Minute)
		if r := w.as("bo", "POST", team+"/presence", nil, 200, ""); r["leases_renewed"] != 1.0 {
			t.Fatalf("renewed %v", r)
		}
		if n := w.node.EndLeases(t.Context()); n != 0 {
			t.Fatalf("%d leases ended of a claimant that is there", n)
		}
	}
	w.pass(15*time.Minute + time.Second)
	if n := w.node.EndLeases(t.Context()); n != 1 {
		t.Fatalf("%d leases ended, want 1", n)
	}
	got := w.as("ada", "GET", path, nil, 200, "")
	if s := got["task"].(fields)["status"]; s != "open" {
		t.Errorf("after the lease %v", s)
	}
	steps := got["history"].([]any)
	if last := steps[len(steps)-1].(fields); last["action"] != "release" || last["text"] != "lease_expired" {
		t.Errorf("last step %v", last)
	}
	// Without the timer the home ends it when the next one comes.
	w.as("bo", "PATCH", path, claim, 200, "")
	w.pass(16 * time.Minute)
	if r := w.as("ada", "PATCH", path, claim, 200, ""); r["claimedAs"] != w.ids["ada"] {
		t.Errorf("claimed %v", r)
	}
}

// Of many claims at once one wins.
func TestOneOfManyClaimsWins(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	w.agent("ada")
	team := w.found("ada", fields{"name": "Race", "visibility": "public"})
	names := []string{"b1", "b2", "b3", "b4", "b5"}
	for _, name := range names {
		w.agent(name)
		w.as(name, "POST", team+"/join", nil, 200, "")
	}
	path := w.addTask("ada", team, fields{"title": "One only"})
	var wg sync.WaitGroup
	codes := make([]int, len(names))
	for i, name := range names {
		wg.Go(func() {
			codes[i] = w.do(apiCall{method: "PATCH", path: path, key: w.keys[name], body: `{"action":"claim"}`}).StatusCode
		})
	}
	wg.Wait()
	won := 0
	for _, c := range codes {
		switch c {
		case 200:
			won++
		case 409:
		default:
			t.Errorf("answers %v", codes)
		}
	}
	if won != 1 {
		t.Errorf("%d won: %v", won, codes)
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	for _, name := range []string{"ada", "bo", "cy", "dee"} {
		w.agent(name)
	}
	team := w.found("ada", fields{"name": "Mail", "visibility": "public"})
	w.as("bo", "POST", team+"/join", nil, 200, "")
	w.as("cy", "POST", team+"/join", nil, 200, "")
	first := w.as("ada", "POST", team+"/message", fields{"content": "hello all", "subject": "first"}, 201, "")["message"].(fields)
	sent := w.as("ada", "POST", team+"/message", fields{"content": "between us", "subject": "hush", "to": "bo", "reply_to": first["id"]}, 201, "")["message"].(fields)
	if sent["content"] != "between us" || sent["to"] != w.ids["bo"] || sent["replyTo"] != first["id"] {
		t.Errorf("sent %v", sent)
	}
	w.as("ada", "POST", team+"/message", fields{"content": "x", "to": "dee"}, 404, "agent_not_found")
	w.as("ada", "POST", team+"/message", fields{"content": "password=hunter2hunter2"}, 422, "credential_echo")
	w.as("ada", "POST", team+"/message", fields{"content": "x", "type": "song"}, 422, "validation_failed")
	w.as("ada", "POST", team+"/message", fields{"content": "x", "reply_to": "msg_x"}, 422, "unknown_reference")
	w.as("dee", "GET", team+"/messages", nil, 403, "not_a_member")
	texts := func(who, query string) (out []string) {
		for _, m := range w.as(who, "GET", team+"/messages"+query, nil, 200, "")["messages"].([]any) {
			out = append(out, m.(fields)["content"].(string))
		}
		return out
	}
	for who, want := range map[string]string{"ada": "between us,hello all", "bo": "between us,hello all", "cy": "hello all"} {
		if got := strings.Join(texts(who, ""), ","); got != want {
			t.Errorf("%s reads %q, want %q", who, got, want)
		}
	}
	if me := w.as("bo", "GET", "/api/mesh/me", nil, 200, ""); me["unread"].(fields)["messages"] != 2.0 || me["teamId"] == nil || len(me["teams"].([]any)) != 1 {
		t.Errorf("me %v", me)
	}
	w.as("bo", "POST", team+"/messages/read", fields{"up_to": sent["id"]}, 204, "")
	if me := w.as("bo", "GET", "/api/mesh/me", nil, 200, ""); me["unread"].(fields)["messages"] != 0.0 {
		t.Errorf("unread %v", me["unread"])
	}
	page := w.as("bo", "GET", team+"/messages?limit=1", nil, 200, "")
	if page["count"] != 1.0 || page["has_more"] != true {
		t.Errorf("page %v", page)
	}
	rest := w.as("bo", "GET", team+"/messages?limit=1&cursor="+page["next_cursor"].(string), nil, 200, "")
	if rest["messages"].([]any)[0].(fields)["content"] != "hello all" || rest["has_more"] != false {
		t.Errorf("next page %v", rest)
	}
	w.as("cy", "GET", team+"/messages?limit=1&cursor="+page["next_cursor"].(string), nil, 400, "invalid_cursor")
}

func TestTeamKnowledgeStaysInTheTeam(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	for _, name := range []string{"ada", "bo", "dee"} {
		w.agent(name)
	}
	team := w.found("ada", fields{"name": "Know"})
	w.as("ada", "POST", team+"/members", fields{"agent_id": "bo"}, 200, "")
	canary := contribution("by the canary zyxwvut")
	id := w.as("ada", "POST", team+"/knowledge", canary, 201, "")["id"].(string)
	w.as("ada", "POST", team+"/knowledge", canary, 409, "duplicate")
	w.as("ada", "POST", team+"/knowledge", fields{"type": "gotcha", "content": "short"}, 422, "too_short")
	w.as("dee", "GET", team+"/knowledge", nil, 403, "not_a_member")
	if r := w.as("bo", "GET", team+"/knowledge?q=zyxwvut", nil, 200, ""); r["count"] != 1.0 || !strings.Contains(encode(t, r), "zyxwvut") {
		t.Errorf("members read %v", r)
	}
	words := map[string]string{"text": "zyxwvut", "id": id}
	for _, who := range []string{"", "dee", "bo"} {
		for _, path := range []string{"/api/mesh/feed", "/api/mesh/search?q=zyxwvut", "/api/mesh/search?q=connection", "/api/mesh/agent/ada", "/api/mesh/domains", "/api/mesh/directory",
			"/api/mesh", "/api/mesh/feed?format=atom", "/", "/api/mesh/entry/" + id} {
			r := w.do(apiCall{method: "GET", path: path, key: w.keys[who]})
			switch {
			case strings.Contains(path, id): // the question comes back, the answer does not
				w.wantSilent(who+" "+path, map[string]string{"text": "zyxwvut"}, r)
			case strings.Contains(path, "zyxwvut"):
				w.wantSilent(who+" "+path, map[string]string{"id": id}, r)
			default:
				w.wantSilent(who+" "+path, words, r)
			}
		}
	}
	w.as("dee", "GET", "/api/mesh/entry/"+id, nil, 404, "entry_not_found")
	// The same text is no duplicate to strangers: a refusal would give it away.
	if r := w.as("dee", "POST", "/api/mesh/contribute/check", canary, 200, ""); r["quality"].(fields)["ok"] != true {
		t.Errorf("a check reveals the team: %v", r)
	}
	w.as("bo", "POST", team+"/knowledge/"+id+"/promote", nil, 403, "not_owner")
	public := w.as("ada", "POST", team+"/knowledge/"+id+"/promote", nil, 201, "")["id"].(string)
	if r := w.as("dee", "GET", "/api/mesh/entry/"+public, nil, 200, ""); !strings.Contains(encode(t, r), "zyxwvut") {
		t.Errorf("promoted %v", r)
	}
}

func TestSuggestionsBecomeTasks(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	names := []string{"ada", "bo", "cy", "dee"}
	for _, name := range names {
		w.agent(name)
	}
	team := w.found("ada", fields{"name": "Ideas", "visibility": "public"})
	for _, name := range names[1:] {
		w.as(name, "POST", team+"/join", nil, 200, "")
	}
	made := w.as("ada", "POST", team+"/suggestions", fields{"title": "Cache it", "description": "It is slow."}, 201, "")["suggestion"].(fields)
	vote := team + "/suggestions/" + made["id"].(string) + "/vote"
	w.as("ada", "POST", vote, nil, 403, "self_vote")
	w.as("bo", "POST", team+"/suggestions/sug_x/vote", nil, 404, "not_found")
	w.as("bo", "POST", vote, nil, 200, "")
	w.as("bo", "POST", vote, nil, 200, "") // the same vote again
	if r := w.as("cy", "POST", vote, nil, 200, "")["suggestion"].(fields); r["net"] != 2.0 || r["taskId"] != nil || r["my_vote"] != 1.0 {
		t.Errorf("two votes: %v", r)
	}
	r := w.as("dee", "POST", vote, nil, 200, "")["suggestion"].(fields)
	if r["net"] != 3.0 || r["taskId"] == nil {
		t.Fatalf("three votes: %v", r)
	}
	if got := w.as("bo", "GET", team+"/board/"+r["taskId"].(string), nil, 200, "")["task"].(fields); got["title"] != "Cache it" {
		t.Errorf("task %v", got)
	}
	w.as("dee", "POST", vote, fields{"value": -1}, 200, "")
	w.as("dee", "POST", vote, fields{"value": 1}, 200, "")
	if b := w.as("bo", "GET", team+"/board", nil, 200, ""); b["open"] != 1.0 {
		t.Errorf("voting again made %v tasks", b["open"])
	}
	feed := w.as("bo", "GET", team+"/feed?kinds=board,member", nil, 200, "")
	if feed["count"] != 5.0 {
		t.Errorf("feed %v", feed)
	}
}

func TestPrivateEntriesArePrivate(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	w.agent("ada")
	w.agent("bo")
	const path = "/api/mesh/knowledge/private"
	entry := func(content string) fields {
		return fields{"entries": []any{fields{"type": "gotcha", "content": content, "domain": "Go", "tags": []string{"A b"}}}}
	}
	w.as("", "GET", path, nil, 401, "auth_required")
	w.as("ada", "POST", path, entry("short"), 422, "too_short")
	w.as("ada", "POST", path, fields{}, 400, "missing_field")
	kept := w.as("ada", "POST", path, entry(lesson+" Privately qwertzuiop."), 201, "")["entries"].([]any)[0].(fields)
	if got := w.as("ada", "GET", path, nil, 200, ""); got["total"] != 1.0 || !strings.Contains(encode(t, got), "qwertzuiop") {
		t.Errorf("own %v", got)
	}
	if got := w.as("bo", "GET", path, nil, 200, ""); got["total"] != 0.0 {
		t.Errorf("of another %v", got)
	}
	for _, place := range []string{"/api/mesh/feed", "/api/mesh/search?q=privately"} {
		w.wantSilent(place, map[string]string{"text": "qwertzuiop"}, w.do(apiCall{method: "GET", path: place, key: w.keys["bo"]}))
	}
	secret := w.as("ada", "POST", path, entry(lesson+" The key is AKIAIOSFODNN7REALKEY."), 201, "")["entries"].([]any)[0].(fields)
	if r := w.as("bo", "POST", "/api/mesh/knowledge/promote", fields{"ids": []any{kept["id"]}}, 200, ""); len(r["promoted"].([]any)) != 0 || r["rejected"].([]any)[0].(fields)["code"] != "entry_not_found" {
		t.Errorf("bo promoted %v", r)
	}
	r := w.as("ada", "POST", "/api/mesh/knowledge/promote", fields{"ids": []any{kept["id"], secret["id"]}}, 200, "")
	if len(r["promoted"].([]any)) != 1 || r["rejected"].([]any)[0].(fields)["code"] != "secret_detected" || strings.Contains(encode(t, r), "AKIAIOSFODNN7REALKEY") {
		t.Errorf("promoted %v", r)
	}
	if r := w.as("ada", "DELETE", path, fields{"ids": []any{kept["id"], "pri_x"}}, 200, ""); r["dropped"] != 1.0 {
		t.Errorf("dropped %v", r)
	}
}

func TestAuditTrailIsAChain(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	w.agent("ada")
	w.agent("bo")
	record := func(prev any, chain string) fields {
		return fields{"tick_iso": "2026-03-01T12:00:00Z", "layer_hashes": []string{"a1", "a2", "a3", "a4", "a5", "a6", "a7"}, "operation": "tick", "prev_hash": prev, "fnv1a_chain": chain}
	}
	const path = "/api/mesh/agent/ada/audit"
	w.as("", "POST", path, fields{"record": record(nil, "01")}, 401, "auth_required")
	w.as("bo", "POST", path, fields{"record": record(nil, "01")}, 403, "not_owner")
	w.as("bo", "GET", path, nil, 403, "not_owner")
	w.as("ada", "POST", path, fields{}, 400, "missing_field")
	w.as("ada", "POST", path, fields{"record": record(nil, "01")}, 200, "")
	six := record("01", "02")
	six["layer_hashes"] = []string{"a1"}
	r := w.as("ada", "POST", path, fields{"records": []any{record("01", "02"), record("01", "02"), record("ff", "03"), six, record(nil, "04"), record("04", "05")}}, 200, "")
	delete(r, "request_id")
	want := `{"appended":3,"handle":"ada","head":{"fnv1a_chain":"05","n":4,"tick_iso":"2026-03-01T12:00:00.000Z"},"rejected":3,` +
		`"rejections":[{"code":"duplicate","index":1},{"code":"audit_chain_broken","index":2},{"code":"audit_malformed","index":3}],"success":true}`
	if got := encode(t, r); got != want {
		t.Errorf("appended %s, want %s", got, want)
	}
	r = w.as("ada", "POST", path, fields{"record": record("05", "06")}, 200, "")
	if r["rejected"] != 0.0 || encode(t, r["rejections"]) != "[]" {
		t.Errorf("rejected %v of a good record: %v", r["rejected"], r["rejections"])
	}
	got := w.as("ada", "GET", path+"?limit=2", nil, 200, "")
	if got["verified"] != true || got["count"] != 2.0 || got["total"] != 5.0 || got["records"].([]any)[0].(fields)["fnv1a_chain"] != "06" {
		t.Errorf("trail %v", got)
	}
	if anchors := got["anchors"].(fields); len(anchors) != 1 || len(anchors["2026-03-01"].(string)) != 64 {
		t.Errorf("anchors %v", anchors)
	}
	rest := w.as("ada", "GET", path+"?limit=3&cursor="+got["next_cursor"].(string), nil, 200, "")
	if rest["records"].([]any)[2].(fields)["fnv1a_chain"] != "01" || rest["has_more"] != false {
		t.Errorf("rest %v", rest)
	}
}

// tool calls an MCP tool as an agent and returns what it said.
func (w *teamWorld) tool(who, name string, args fields) fields {
	w.t.Helper()
	w.settle()
	r := w.do(apiCall{method: "POST", path: "/mcp", key: w.keys[who], header: map[string]string{"Accept": "application/json, text/event-stream"},
		body: encode(w.t, fields{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": fields{"name": name, "arguments": args}})})
	result, ok := r.json["result"].(fields)
	if !ok {
		w.t.Fatalf("%s: %s", name, r.raw)
	}
	return saidBy(w.t, result)
}

// An agent that speaks MCP alone joins a team and works on its board, and what is
// refused has the code that HTTP gives.
func TestTeamToolsAreTheTwins(t *testing.T) {
	t.Parallel()
	w := newTeamWorld(t)
	for _, name := range []string{"ada", "bo", "cy"} {
		w.agent(name)
	}
	team := w.found("ada", fields{"name": "Tools", "visibility": "public"})
	id := strings.TrimPrefix(team, "/api/mesh/team/")
	if r := w.tool("cy", "board_list", fields{"team_id": id}); r["code"] != "not_a_member" {
		t.Errorf("a stranger lists %v", r)
	}
	if r := w.tool("bo", "join_guild", fields{"id": id}); r["role"] != "member" {
		t.Errorf("joined %v", r)
	}
	if r := w.tool("bo", "heartbeat", fields{"team_id": id, "surface": "cli"}); r["online_count"] != 1.0 {
		t.Errorf("present %v", r)
	}
	added := w.tool("bo", "board_add", fields{"team_id": id, "tasks": []any{fields{"title": "One", "priority": "high"}, fields{"title": "Two"}}})
	one := added["tasks"].([]any)[0].(fields)["id"].(string)
	on := func(more fields) fields {
		args := fields{"team_id": id, "task_id": one}
		for k, v := range more {
			args[k] = v
		}
		return args
	}
	if r := w.tool("bo", "board_claim", on(nil)); r["claimedAs"] != w.ids["bo"] {
		t.Errorf("claimed %v", r)
	}
	w.as("ada", "PATCH", team+"/board/"+one, fields{"action": "claim"}, 409, "already_claimed")
	for _, c := range []struct {
		who, tool string
		args      fields
		code      string
	}{
		{"", "board_claim", on(nil), "auth_required"},
		{"ada", "board_claim", on(nil), "already_claimed"},
		{"bo", "board_claim", fields{"team_id": id, "task_id": "tsk_x"}, "task_not_found"},
		{"bo", "board_complete", on(nil), "evidence_required"},
		{"bo", "board_complete", on(fields{"summary": strings.Repeat("x", 2001)}), "validation_failed"},
		{"bo", "board_update", on(fields{"fields": fields{"priority": 12}}), "validation_failed"},
		{"bo", "board_update", on(fields{"fields": fields{}}), "no_fields"},
		{"bo", "send_message", fields{"team_id": id, "content": "key AKIAIOSFODNN7REALKEY"}, "secret_detected"},
		{"bo", "mode_set", fields{"team_id": id, "mode": "audit"}, "forbidden"},
		{"bo", "inbox", fields{"team_id": "gld_x"}, "team_not_found"},
		{"cy", "knowledge_read", fields{"team_id": id}, "not_a_member"},
		{"cy", "contribute_knowledge", fields{"type": "gotcha", "content": lesson, "team_id": id}, "not_a_member"},
	} {
		if r := w.tool(c.who, c.tool, c.args); r["code"] != c.code {
			t.Errorf("%s as %q: %v, want %s", c.tool, c.who, r, c.code)
		}
	}
	if r := w.tool("bo", "board_update", on(fields{"fields": fields{"priority": 1}})); r["task"].(fields)["priority"] != 1.0 {
		t.Errorf("updated %v", r)
	}
	if r := w.tool("bo", "board_block", on(fields{"reason": "waiting"})); r["task"].(fields)["blockedReason"] != "waiting" {
		t.Errorf("blocked %v", r)
	}
	w.as("bo", "PATCH", team+"/board/"+one, fields{"action": "reopen"}, 200, "")
	w.tool("bo", "board_claim", on(nil))
	if r := w.tool("bo", "board_release", on(nil)); r["task"].(fields)["status"] != "open" {
		t.Errorf("released %v", r)
	}
	w.tool("bo", "board_claim", on(nil))
	if r := w.tool("bo", "board_complete", on(fields{"summary": "done", "entry_ids": []string{"ent_1"}})); r["task"].(fields)["status"] != "done" || len(r["task"].(fields)["artifacts"].([]any)) != 1 {
		t.Errorf("completed %v", r)
	}
	w.tool("bo", "contribute_knowledge", fields{"type": "gotcha", "content": lesson, "team_id": id})
	if r := w.tool("ada", "knowledge_read", fields{"team_id": id}); r["count"] != 1.0 {
		t.Errorf("knowledge %v", r)
	}
	w.tool("bo", "send_message", fields{"team_id": id, "content": "hello"})
	if r := w.tool("ada", "inbox", fields{"team_id": id}); r["messages"].([]any)[0].(fields)["content"] != "hello" {
		t.Errorf("inbox %v", r)
	}
	if r := w.tool("ada", "mode_set", fields{"team_id": id, "mode": "audit"}); r["mode"] != "audit" || r["unchanged"] != false {
		t.Errorf("mode %v", r)
	}
}
