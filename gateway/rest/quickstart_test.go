package rest_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/service/servicetest"
)

func (w *world) quickstart(body map[string]any) reply {
	w.t.Helper()
	return w.do(apiCall{method: "POST", path: "/api/mesh/quickstart", body: encode(w.t, body)})
}

func TestQuickstartBringsAnAgentAKeyAndAnEntry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.want(w.quickstart(map[string]any{"agentName": "Quick One", "ide": "cli", "traits": []string{"go"}, "entry": contribution("first")}), 201, "")
	agent, wallet := r.json["agent"].(map[string]any), r.json["wallet"].(map[string]any)
	key := agent["api_key"].(string)
	if agent["name"] != "Quick One" || wallet["source"] != "generated" || wallet["private_key"] == "" || r.Header.Get("Location") != "/api/mesh/agent/"+agent["id"].(string) {
		t.Fatalf("not a whole agent: %s", r.raw)
	}
	first := r.json["your_first_entry"].(map[string]any)
	if first["type"] != "gotcha" || first["domain"] != "go" || first["content"] != contribution("first")["content"] {
		t.Fatalf("first entry %v", first)
	}
	got := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/entry/" + first["id"].(string), key: key}), 200, "")
	if got.json["entry"].(map[string]any)["authorId"] != agent["id"] {
		t.Fatalf("entry of another author: %s", got.raw)
	}
	env := r.json["env_config"].(map[string]any)
	if env["MESH_API_KEY"] != "<your key>" || env["MESH_BASE_URL"] != base || strings.Count(string(r.raw), key) != 1 {
		t.Fatalf("the key must stand under agent alone: %s", r.raw)
	}
	if preview := r.json["feed_preview"].([]any); len(preview) != 1 || preview[0].(map[string]any)["locked"] != false {
		t.Fatalf("preview %v", preview)
	}
	if _, said := r.json["entry_rejected"]; said {
		t.Fatal("entry_rejected beside an entry")
	}
}

func TestQuickstartTakesAProof(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.want(w.quickstart(w.proof("proved", servicetest.Key(9))), 201, "")
	if r.json["wallet"] != nil {
		t.Fatalf("a wallet though a key proved itself: %s", r.raw)
	}
	bad := w.proof("proved twice", servicetest.Key(10))
	delete(bad, "signature")
	w.want(w.quickstart(bad), 400, "proof_required")
}

func TestQuickstartWithoutEntryIntroduces(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, body := range []map[string]any{
		{"name": "Bo"},
		{"name": "Wordy", "description": "Reviews concurrency bugs in storage engines.", "traits": []string{"storage", "review"}},
		{"name": "Bot 2"},
	} {
		r := w.want(w.quickstart(body), 201, "")
		first, ok := r.json["your_first_entry"].(map[string]any)
		if !ok || first["type"] != "wisdom" || !strings.Contains(first["content"].(string), body["name"].(string)) {
			t.Fatalf("no introduction: %s", r.raw)
		}
		if d, said := body["description"].(string); said && !strings.Contains(first["content"].(string), d) {
			t.Fatalf("the introduction does not contain the description: %v", first)
		}
	}
	if feed := w.want(w.get("/api/mesh/feed"), 200, ""); feed.json["count"] != 0.0 {
		t.Fatalf("introductions in the default feed: %s", feed.raw)
	}
	if feed := w.want(w.get("/api/mesh/feed?include=introductions"), 200, ""); feed.json["count"] != 3.0 {
		t.Fatalf("introductions cannot be asked for: %s", feed.raw)
	}
}

// A bad entry leaves the registration standing.
func TestQuickstartExplainsARejectedEntry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	with := func(change map[string]any) map[string]any {
		e := contribution("for a change")
		maps.Copy(e, change)
		return e
	}
	for name, c := range map[string]struct {
		entry map[string]any
		code  string
	}{
		"short":    {with(map[string]any{"content": "Too short."}), "too_short"},
		"type":     {with(map[string]any{"type": "rumour"}), "invalid_type"},
		"secret":   {with(map[string]any{"content": lesson + " password=Hk7pQm2xVb9tRw4z."}), "credential_echo"},
		"field":    {with(map[string]any{"confidence": 7}), "validation_failed"},
		"premium":  {with(map[string]any{"price": 1001}), "validation_failed"},
		"citation": {with(map[string]any{"reuses": []string{"ent_none"}}), "unknown_reference"},
	} {
		r := w.want(w.quickstart(map[string]any{"name": "agent " + name, "entry": c.entry}), 201, "")
		rejected, ok := r.json["entry_rejected"].(map[string]any)
		if !ok || rejected["code"] != c.code || r.json["your_first_entry"] != nil || len(rejected["reasons"].([]any)) == 0 {
			t.Errorf("%s: %s", name, r.raw)
			continue
		}
		key := r.json["agent"].(map[string]any)["api_key"].(string)
		w.want(w.do(apiCall{method: "GET", path: "/api/mesh/me", key: key}), 200, "")
	}
}

func TestQuickstartCapabilitiesBoundTheKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.want(w.quickstart(map[string]any{"name": "reader", "capabilities": []string{"read"}, "entry": contribution("by a reader")}), 201, "")
	if r.json["entry_rejected"].(map[string]any)["code"] != "scope_missing" {
		t.Fatalf("a reader wrote: %s", r.raw)
	}
	key := r.json["agent"].(map[string]any)["api_key"].(string)
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: encode(t, contribution("later"))}), 403, "scope_missing")
	me := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/me", key: key}), 200, "")
	if got := encode(t, me.json["scopes"]); got != `["mesh:read","keys"]` {
		t.Fatalf("scopes %s", got)
	}

	w.want(w.quickstart(map[string]any{"name": "planter", "entry": contribution("for the blind")}), 201, "")
	r = w.want(w.quickstart(map[string]any{"name": "blind", "capabilities": []string{"contribute"}}), 201, "")
	if strings.Contains(string(r.raw), "for the blind") {
		t.Fatalf("a key that may not read was shown a text: %s", r.raw)
	}
	w.want(w.quickstart(map[string]any{"name": "signer", "capabilities": []string{"sign"}}), 422, "validation_failed")
}

func TestQuickstartRefusesWhatRegisterRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.want(w.quickstart(map[string]any{}), 400, "invalid_name")
	w.want(w.quickstart(map[string]any{"name": "Taken"}), 201, "")
	w.want(w.quickstart(map[string]any{"name": "taken"}), 409, "name_taken")
	w.want(w.quickstart(map[string]any{"name": "leaky", "description": "my password=Hk7pQm2xVb9tRw4z"}), 422, "credential_echo")
}

// A retry gets the same agent, and the wallet's secret is kept nowhere.
func TestQuickstartIsIdempotent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := apiCall{method: "POST", path: "/api/mesh/quickstart", body: encode(t, map[string]any{"name": "again", "entry": contribution("once")}),
		header: map[string]string{"Idempotency-Key": "q-1"}}
	first, second := w.want(w.do(c), 201, ""), w.want(w.do(c), 201, "")
	if first.json["agent"].(map[string]any)["api_key"] != second.json["agent"].(map[string]any)["api_key"] || second.Header.Get("Idempotent-Replayed") != "true" {
		t.Fatalf("not the same reply: %s", second.raw)
	}
	if _, kept := second.json["wallet"].(map[string]any)["private_key"]; kept {
		t.Fatalf("the wallet's secret was kept: %s", second.raw)
	}
}

func TestQuickstartPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("anna", 1)
	w.planted(w.mesh.AddAgent("bob"), lesson)
	r := w.want(w.get("/api/mesh/quickstart"), 200, "")
	if strings.Contains(string(r.raw), lesson) || r.json["top_domains"].([]any)[0].(map[string]any)["entries"] != 1.0 || len(r.json["quick_actions"].([]any)) == 0 {
		t.Fatalf("page %s", r.raw)
	}
	if r := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/quickstart", key: key}), 200, ""); !strings.Contains(string(r.raw), lesson) {
		t.Fatalf("a key holder sees no text: %s", r.raw)
	}
}

// clientServer is the one server in the settings of a client, whatever it calls them.
func clientServer(config any) map[string]any {
	c := config.(map[string]any)
	servers, ok := c["mcpServers"].(map[string]any)
	if !ok {
		servers = c["servers"].(map[string]any)
	}
	return servers["mesh"].(map[string]any)
}

func TestMCPConfigOfEveryClient(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("anna", 1)
	for format, stdio := range map[string]bool{"generic": true, "claude": true, "cursor": false, "vscode": false, "windsurf": false} {
		r := w.want(w.do(apiCall{method: "GET", path: "/api/mesh/mcp-config?format=" + format, key: key}), 200, "")
		server := clientServer(r.json["config"])
		want := `{"args":["mcp","--url","` + base + `/mcp"],"command":"meshd","env":{"MESH_API_KEY":"${MESH_API_KEY}"}}`
		if !stdio {
			want = `{"headers":{"Authorization":"Bearer ${env:MESH_API_KEY}"},"type":"http","url":"` + base + `/mcp"}`
		}
		if format == "windsurf" {
			want = `{"headers":{"Authorization":"Bearer ${env:MESH_API_KEY}"},"serverUrl":"` + base + `/mcp"}`
		}
		if got := encode(t, server); got != want {
			t.Errorf("%s: %s, want %s", format, got, want)
		}
		if strings.Contains(string(r.raw), key) {
			t.Errorf("%s: the key came back", format)
		}
		others := r.json["alternative_formats"].(map[string]any)
		if _, itself := others[format]; itself || len(others) != 4 {
			t.Errorf("%s: alternatives %v", format, others)
		}
		if r.json["alternatives"].(map[string]any)["npx"] == nil || len(r.json["quick_start"].(map[string]any)) != 3 {
			t.Errorf("%s: %s", format, r.raw)
		}
	}
	w.want(w.get("/api/mesh/mcp-config?format=emacs"), 400, "invalid_param")
}

func TestQuickstartJoinsAGuild(t *testing.T) {
	t.Parallel()
	w, o := contractWorld(t)
	r := w.want(w.quickstart(map[string]any{"name": "joiner", "join_team": o.ids["guilds"]}), 201, "")
	team, ok := r.json["team"].(map[string]any)
	if !ok || team["id"] != o.ids["guilds"] || team["your_role"] != "member" || team["members"] != 2.0 {
		t.Fatalf("not in the guild: %s", r.raw)
	}
	if board, ok := r.json["board"].(map[string]any); !ok || board["open_tasks"] != 0.0 || board["claim_url"] != "PATCH /api/mesh/team/"+o.ids["guilds"]+"/board/{task}" {
		t.Fatalf("no board: %s", r.raw)
	}
	for _, team := range []string{o.ids["team"], "gld_none"} { // a private one, and none
		r := w.want(w.quickstart(map[string]any{"name": "refused " + team[:8], "join_team": team}), 201, "")
		if r.json["team"] != nil || !strings.Contains(encode(t, r.json["warnings"]), "team_not_joined:") || strings.Contains(string(r.raw), "canaryguild") {
			t.Errorf("%s: %s", team, r.raw)
		}
	}
	if r := w.want(w.quickstart(map[string]any{"name": "alone"}), 201, ""); r.json["team"] != nil || r.json["board"] != nil {
		t.Errorf("joined a guild it did not name: %s", r.raw)
	}
}

// A quickstart that names no guild joins the lobby, when its key may.
func TestQuickstartJoinsTheLobby(t *testing.T) {
	t.Parallel()
	n := openNode(t)
	first := overNode(t, n, base)
	_, key := first.register("host", 1)
	guild := idOf(first.want(first.do(apiCall{method: "POST", path: "/api/mesh/guilds", key: key,
		body: `{"name":"The lobby","visibility":"public"}`}), 201, "").json)
	w := overNodeWith(t, n, service.Config{Version: "1.2.3", Lobby: guild, BaseURL: func() string { return base }})
	r := w.want(w.quickstart(map[string]any{"name": "guest"}), 201, "")
	if team, ok := r.json["team"].(map[string]any); !ok || team["id"] != guild {
		t.Errorf("not in the lobby: %s", r.raw)
	}
	if r := w.want(w.quickstart(map[string]any{"name": "reader", "capabilities": []string{"read"}}), 201, ""); r.json["team"] != nil {
		t.Errorf("joined without the right to: %s", r.raw)
	}
}
