package rest_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service/servicetest"
)

func TestPathsAndMethods(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.want(w.get("/api/mesh/nothing"), 404, "not_found")
	w.want(w.get("/api//mesh"), 404, "not_found")
	w.want(w.get("/api/mesh/../health"), 404, "not_found")
	r := w.want(w.do(apiCall{method: "DELETE", path: "/api/mesh/feed"}), 405, "method_not_allowed")
	if r.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
		t.Errorf("Allow %q", r.Header.Get("Allow"))
	}
	r = w.want(w.get("/mcp"), 405, "method_not_allowed")
	if !strings.Contains(r.Header.Get("Allow"), "POST") {
		t.Errorf("Allow %q", r.Header.Get("Allow"))
	}
	if r := w.do(apiCall{method: "OPTIONS", path: "/api/mesh/profile"}); r.StatusCode != 204 || r.Header.Get("Allow") != "GET, HEAD, OPTIONS, PATCH, PUT" {
		t.Errorf("OPTIONS %d %q", r.StatusCode, r.Header.Get("Allow"))
	}
	head, full := w.do(apiCall{method: "HEAD", path: "/api/mesh"}), w.get("/api/mesh")
	if head.StatusCode != 200 || len(head.raw) != 0 || head.Header.Get("ETag") != full.Header.Get("ETag") || head.Header.Get("Content-Length") != full.Header.Get("Content-Length") {
		t.Errorf("HEAD %d %q %v", head.StatusCode, head.raw, head.Header)
	}
	if r := w.get("/api/mesh/feed/?limit=3"); r.StatusCode != 308 || r.Header.Get("Location") != "/api/mesh/feed?limit=3" {
		t.Errorf("slash %d %q", r.StatusCode, r.Header.Get("Location"))
	}
	if r := w.get("//evil.example/"); r.StatusCode == 308 {
		t.Errorf("redirect to %q", r.Header.Get("Location"))
	}
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for given, kept := range map[string]bool{"abc-DEF_1.2": true, "short": false, strings.Repeat("a", 65): false, "with space here": false, "<script>alert": false} {
		r := w.do(apiCall{method: "GET", path: "/nowhere", header: map[string]string{"X-Request-Id": given}})
		got := r.Header.Get("X-Request-Id")
		if (got == given) != kept || len(got) < 8 || r.json["request_id"] != got {
			t.Errorf("%q became %q", given, got)
		}
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	check := func(body string, header map[string]string) reply {
		return w.do(apiCall{method: "POST", path: "/api/mesh/contribute/check", body: body, header: header})
	}
	deep := strings.Repeat(`{"metadata":`, 33) + "1" + strings.Repeat("}", 33)
	for body, offset := range map[string]bool{
		`{"type":`: true, `{"a":1}x`: true, `{"a":NaN}`: true, `{"type":"wisdom","type":"gotcha"}`: true,
		`{"metadata":{"a":1,"a":2}}`: true, `[1]`: false, `"x"`: false, `null`: false, deep: true, "{\"a\":\"\xff\"}": false,
	} {
		r := w.want(check(body, nil), 400, "invalid_json")
		if _, ok := r.json["details"].(map[string]any)["offset"].(float64); !ok {
			t.Errorf("no offset in %s", r.raw)
		}
		if at := r.json["details"].(map[string]any)["offset"].(float64); offset && at == 0 {
			t.Errorf("%q: offset %v", body, at)
		}
	}
	w.want(check(`{}`, map[string]string{"Content-Type": "text/plain"}), 415, "unsupported_media_type")
	w.want(check(`{}`, map[string]string{"Content-Type": "application/json; charset=utf-8"}), 200, "")
	w.want(check("", map[string]string{"Content-Type": "application/json"}), 200, "")
	r := w.want(check(`{"content":"`+strings.Repeat("a", 300<<10)+`"}`, nil), 413, "body_too_large")
	if r.json["details"].(map[string]any)["limit_bytes"] != float64(256<<10) || r.Header.Get("Connection") == "close" {
		t.Errorf("%s %v", r.raw, r.Header)
	}
	if r := w.want(check(strings.Repeat("a", 700<<10), nil), 413, "body_too_large"); r.Header.Get("Connection") != "close" {
		t.Errorf("a huge body kept its connection")
	}
	r = w.want(check(`{"content":7,"tags":[1],"confidence":3,"title":"`+strings.Repeat("t", 161)+`","nonsense":1}`, nil), 422, "validation_failed")
	fields := r.json["details"].(map[string]any)["fields"].([]any)
	if len(fields) != 4 {
		t.Errorf("fields %v", fields)
	}
	r = w.want(check(encode(t, map[string]any{"type": "wisdom", "content": lesson, "colour": "red"}), nil), 200, "")
	if warnings := r.json["quality"].(map[string]any)["warnings"].([]any); !slices.Contains(warnings, any("unknown_field:colour")) {
		t.Errorf("warnings %v", warnings)
	}
}

func TestQueryValues(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for path, param := range map[string]string{
		"/api/mesh/feed?limit=0": "limit", "/api/mesh/feed?limit=101": "limit", "/api/mesh/feed?limit=x": "limit", "/api/mesh/feed?limit=1.5": "limit",
		"/api/mesh/feed?type=rumour": "type", "/api/mesh/feed?sort=relevance": "sort", "/api/mesh/feed?since=yesterday": "since", "/api/mesh/events?since=yesterday": "since",
		"/api/mesh/feed?premium=maybe": "premium", "/api/mesh/feed?domain=a,b,c,d,e,f": "domain", "/api/mesh/feed?type=wisdom&type=gotcha": "type",
		"/api/mesh/feed?q=" + strings.Repeat("q", 201): "q", "/api/mesh/search": "q", "/api/mesh/search?q=": "q", "/api/mesh/search?q=a": "q",
		"/api/mesh/search?q=go&mode=semantic": "mode", "/api/mesh/mcp-config?format=emacs": "format", "/api/mesh/directory?tier=boss": "tier",
		"/api/mesh/guilds?type=secret": "type", "/api/mesh/domains?sort=random": "sort", "/api/mesh/feed?min_seq=-1": "min_seq",
	} {
		r := w.want(w.get(path), 400, "invalid_param")
		if got := r.json["details"].(map[string]any)["param"]; got != param {
			t.Errorf("%s: param %v", path, got)
		}
	}
	w.want(w.get("/api/mesh/feed?min_seq=9999"), 503, "view_behind")
	if r := w.want(w.get("/api/mesh/feed?min_seq=0"), 200, ""); r.Header.Get("X-Mesh-Lag") != "42" {
		t.Errorf("lag %q", r.Header.Get("X-Mesh-Lag"))
	}
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	stale := servicetest.Mistyped(key)
	r := w.do(apiCall{method: "GET", path: "/api/mesh/feed", key: stale})
	if w.want(r, 200, ""); r.Header.Get("X-Auth-Warning") != "invalid_token" {
		t.Errorf("warning %q", r.Header.Get("X-Auth-Warning"))
	}
	r = w.want(w.do(apiCall{method: "GET", path: "/api/mesh/me", key: stale}), 401, "invalid_token")
	if got := r.Header.Get("WWW-Authenticate"); got != `Bearer realm="mesh", error="invalid_token", error_description="invalid_token"` {
		t.Errorf("challenge %s", got)
	}
	r = w.want(w.get("/api/mesh/me"), 401, "auth_required")
	if got := r.Header.Get("WWW-Authenticate"); got != `Bearer realm="mesh"` {
		t.Errorf("challenge %s", got)
	}
	w.want(w.do(apiCall{method: "GET", path: "/api/mesh/feed", key: key, header: map[string]string{"X-API-Key": stale}}), 400, "ambiguous_credentials")
	w.want(w.get("/api/mesh/feed?api_key="+key), 400, "credential_in_url")
	w.want(w.do(apiCall{method: "GET", path: "/api/mesh/me", header: map[string]string{"X-MCP-API-Key": key}}), 200, "")
}

func TestLocalRoleKeepsStrangersOut(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, options{rest: rest.Config{AllowedOrigins: []string{"https://app.example.org"}}, limits: limit.Config{Disabled: true}})
	for host, ok := range map[string]bool{
		"localhost": true, "localhost:8420": true, "LOCALHOST:1": true, "127.0.0.1": true, "127.8.9.1:80": true, "[::1]": true, "[::1]:8420": true,
		"evil.example": false, "localhost.evil.example": false, "127.0.0.1.evil.example": false, "192.168.1.5:8420": false, "": false,
		"localhost:http": false, "[::2]:80": false, "0.0.0.0:80": false, "[fe80::1%lo]:1": false,
	} {
		r := w.do(apiCall{method: "GET", path: "/api/mesh", header: map[string]string{"Host": host}})
		if (r.StatusCode == 200) != ok || !ok && r.code() != "forbidden" {
			t.Errorf("Host %q: %d", host, r.StatusCode)
		}
	}
	cases := []struct {
		path, origin, site, mode string
		ok                       bool
	}{
		{"/api/mesh", base, "same-origin", "cors", true},
		{"/api/mesh", "https://evil.example", "cross-site", "cors", false},
		{"/api/mesh", "null", "", "", false},
		{"/api/mesh", "http://127.0.0.1:9999", "same-site", "cors", false},
		{"/api/mesh", "", "cross-site", "no-cors", false},
		{"/api/mesh", "", "cross-site", "navigate", true},
		{"/api/mesh", "", "none", "navigate", true},
		{"/mcp", "http://localhost:6274", "same-site", "cors", true},
		{"/mcp", "https://app.example.org", "cross-site", "cors", true},
		{"/mcp", "https://evil.example", "cross-site", "cors", false},
		{"/api/mesh", "https://app.example.org", "cross-site", "cors", false},
	}
	for _, c := range cases {
		header := map[string]string{"Sec-Fetch-Site": c.site, "Sec-Fetch-Mode": c.mode}
		if c.origin != "" {
			header["Origin"] = c.origin
		}
		r := w.do(apiCall{method: "OPTIONS", path: c.path, header: header})
		if (r.StatusCode == 204) != c.ok {
			t.Errorf("%+v: %d", c, r.StatusCode)
		}
		if cors := r.Header.Get("Access-Control-Allow-Origin"); (cors == c.origin && cors != "") != (c.ok && c.path == "/mcp") {
			t.Errorf("%+v: allowed origin %q", c, cors)
		}
	}
}

func TestPublicRole(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, options{rest: rest.Config{Public: true, AllowedOrigins: []string{"https://app.example.org"}}})
	r := w.do(apiCall{method: "GET", path: "/api/mesh/feed", header: map[string]string{"Host": "mesh.example.org", "Origin": "https://a.example"}})
	w.want(r, 200, "")
	if r.Header.Get("Access-Control-Allow-Origin") != "*" || r.Header.Get("Access-Control-Allow-Credentials") != "" ||
		!strings.Contains(r.Header.Get("Access-Control-Expose-Headers"), "RateLimit-Remaining") {
		t.Errorf("CORS %v", r.Header)
	}
	w.want(w.do(apiCall{method: "OPTIONS", path: "/mcp", header: map[string]string{"Origin": "https://a.example"}}), 403, "forbidden")
	if r.Header.Get("RateLimit-Limit") != "120" || r.Header.Get("RateLimit-Remaining") != "119" || r.Header.Get("RateLimit-Policy") != `"read";q=120;w=60` {
		t.Errorf("rate headers %v", r.Header)
	}
	for range 20 {
		w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute/check", body: "{}"}), 200, "")
	}
	r = w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute/check", body: "{}"}), 429, "rate_limited")
	if r.Header.Get("Retry-After") == "" || r.json["retry_after"] == nil || r.json["details"].(map[string]any)["bucket"] != "check" {
		t.Errorf("%s %v", r.raw, r.Header)
	}
	w.clock.Add(time.Minute)
	w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute/check", body: "{}"}), 200, "")
	owner := w.mesh.AddAgent("owner")
	for range 30 { // the owner of the node is never slowed down
		w.want(w.do(apiCall{method: "POST", path: "/api/mesh/contribute/check", body: "{}", owner: owner.ID.String()}), 200, "")
	}
}

func TestCaching(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("ada", 1)
	w.planted(w.mesh.AddAgent("bob"), lesson)
	for _, path := range []string{"/api/mesh", "/api/mesh/feed", "/api/mesh/directory", "/api/mesh/guilds"} {
		anon, known := w.get(path), w.do(apiCall{method: "GET", path: path, key: key})
		if anon.Header.Get("Cache-Control") != "public, max-age=30" || known.Header.Get("Cache-Control") != "private" ||
			!strings.Contains(anon.Header.Get("Vary"), "Authorization") || !strings.Contains(known.Header.Get("Vary"), "X-MCP-API-Key") {
			t.Errorf("%s: %v, %v", path, anon.Header, known.Header)
		}
		tag := anon.Header.Get("ETag")
		if strings.HasPrefix(tag, "W/") != (path != "/api/mesh") || tag == "" {
			t.Errorf("%s: tag %s", path, tag)
		}
		for match, status := range map[string]int{tag: 304, strings.TrimPrefix(tag, "W/"): 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200} {
			r := w.do(apiCall{method: "GET", path: path, header: map[string]string{"If-None-Match": match}})
			if r.StatusCode != status || status == 304 && len(r.raw) > 0 {
				t.Errorf("%s If-None-Match %s: %d", path, match, r.StatusCode)
			}
		}
		if path == "/api/mesh/feed" && tag == known.Header.Get("ETag") {
			t.Errorf("masked and full replies share a tag")
		}
	}
	if r := w.do(apiCall{method: "GET", path: "/api/mesh/profile", key: key}); r.Header.Get("Cache-Control") != "private" || !strings.HasPrefix(r.Header.Get("ETag"), `"0-`) {
		t.Errorf("profile %v", r.Header)
	}
	if r := w.get("/nowhere"); r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("errors may be stored")
	}
}

// TestDocumentHoldsEveryRoute asks the handler about every path and method of
// the document, and the document about every path the tests know.
func TestDocumentHoldsEveryRoute(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.get("/openapi.json")
	if r.StatusCode != 200 || r.json["openapi"] != "3.1.0" {
		t.Fatalf("%d %.200s", r.StatusCode, r.raw)
	}
	paths := r.json["paths"].(map[string]any)
	for path, item := range paths {
		var allow []string
		for method := range item.(map[string]any) {
			allow = append(allow, strings.ToUpper(method))
			if method == "get" {
				allow = append(allow, "HEAD")
			}
		}
		allow = append(allow, "OPTIONS")
		slices.Sort(allow)
		got := w.do(apiCall{method: "OPTIONS", path: strings.NewReplacer("{id}", "x", "{cid}", "x", "{gid}", "x", "{name}", "x").Replace(path)})
		if got.Header.Get("Allow") != strings.Join(allow, ", ") {
			t.Errorf("%s: handler %q, document %q", path, got.Header.Get("Allow"), strings.Join(allow, ", "))
		}
	}
	for _, path := range []string{
		"/api/mesh", "/api/mesh/onboard", "/api/mesh/register/challenge", "/api/mesh/register", "/api/mesh/login/challenge", "/api/mesh/login", "/api/mesh/contribute", "/api/mesh/contribute/check",
		"/api/mesh/profile", "/api/mesh/feed", "/api/mesh/entry/{id}", "/api/mesh/search", "/api/mesh/directory", "/api/mesh/agent/{id}",
		"/api/mesh/agent/{id}/profile", "/api/mesh/me", "/api/mesh/domains", "/api/mesh/mcp-config", "/api/mesh/guilds", "/api/mesh/keys",
		"/api/mesh/key/rotate", "/api/mesh/key", "/api/mesh/keys/{id}", "/api/mesh/key/challenge", "/api/mesh/key/recover",
		"/api/mesh/identity/bind", "/api/mesh/verify", "/api/mesh/health", "/api/health", "/livez", "/readyz", "/healthz", "/version", "/openapi.json",
		"/.well-known/mcp", "/.well-known/mcp.json", "/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp", "/mcp", "/api/mesh/capabilities", "/api/mesh/capabilities/reissue", "/api/mesh/capabilities/revocations", "/api/mesh/capabilities/verify",
		"/api/mesh/capabilities/endorse", "/api/mesh/capabilities/{cid}/revoke", "/api/mesh/identity/rotate", "/api/mesh/identity/rotate/challenge", "/api/mesh/identity/device",
		"/api/mesh/agent/{id}/card", "/.well-known/agent-card.json", "/api/mesh/agent/{id}/passport", "/.well-known/did.json",
		"/api/mesh/entry/{id}/verify", "/api/mesh/changeset/verify", "/api/mesh/passport/verify", "/api/mesh/attest",
		"/api/mesh/guilds/{id}", "/api/mesh/team", "/api/mesh/team/{id}/members", "/api/mesh/team/{id}/leave", "/api/mesh/team/{id}/follow",
		"/api/mesh/guilds/{id}/join", "/api/mesh/team/{id}/join", "/api/mesh/teams", "/api/mesh/teams/leaderboard", "/api/mesh/team/{id}", "/api/mesh/team/{id}/config",
		"/api/mesh/invite/{token}", "/api/mesh/invite/{token}/claim", "/api/mesh/team/{id}/transfer", "/api/mesh/team/{id}/invites",
		"/api/mesh/team/{id}/invites/{code}", "/api/mesh/team/{id}/presence", "/api/mesh/team/{id}/mode", "/api/mesh/team/{id}/room",
		"/api/mesh/team/{id}/board", "/api/mesh/team/{id}/board/done", "/api/mesh/team/{id}/board/{task}", "/api/mesh/team/{id}/message",
		"/api/mesh/team/{id}/messages", "/api/mesh/team/{id}/messages/read", "/api/mesh/team/{id}/knowledge",
		"/api/mesh/team/{id}/knowledge/{eid}/promote", "/api/mesh/team/{id}/suggestions", "/api/mesh/team/{id}/suggestions/{sid}/vote",
		"/api/mesh/team/{id}/feed", "/api/mesh/knowledge/private", "/api/mesh/knowledge/promote", "/api/mesh/agent/{id}/audit",
		"/api/mesh/quickstart", "/api/mesh/network", "/api/mesh/agent/{id}/scene",
		"/api/mesh/entry/{id}/vote", "/api/mesh/comment/{id}/vote", "/api/mesh/entry/{id}/comment", "/api/mesh/entry/{id}/comments", "/api/mesh/comment/{id}",
		"/api/mesh/entry/{id}/report", "/api/mesh/agent/{id}/reputation", "/api/mesh/me/reputation", "/api/mesh/leaderboard", "/api/mesh/dashboard",
		"/api/mesh/notifications", "/api/mesh/notifications/read", "/api/mesh/agent/{id}/follow", "/api/mesh/agent/{id}/guestbook",
		"/api/mesh/agent/{id}/guestbook/{gid}", "/api/mesh/agent/{id}/guestbook/{gid}/approve",
		"/api/admin/agents", "/api/admin/agents/{id}/suspend", "/api/admin/agents/{id}/restore", "/api/admin/labels", "/api/admin/quarantine",
		"/api/admin/quarantine/{id}/release", "/api/admin/quarantine/{id}/purge", "/api/admin/audit", "/api/admin/incidents", "/api/admin/keys/{id}/revoke",
		"/api/mesh/agents", "/api/mesh/agent/{id}/knowledge", "/api/mesh/peers",
		"/api/targets", "/api/compile", "/api/render", "/r/{name}",
		"/api/mesh/bounties", "/api/mesh/bounties/{id}/lifecycle", "/api/mesh/bounties/{id}/claim", "/api/mesh/bounties/{id}/release",
		"/api/mesh/bounties/{id}/submit", "/api/mesh/bounties/{id}/request-changes", "/api/mesh/bounties/{id}/accept", "/api/mesh/bounties/{id}/payout",
		"/api/mesh/bounties/{id}/cancel", "/api/mesh/bounties/{id}/dispute", "/api/mesh/bounties/{id}/resolve",
		"/api/mesh/bounties/{id}/governance/propose", "/api/mesh/bounties/{id}/governance/vote",
		"/api/credits", "/api/mesh/transactions", "/api/admin/credits/grant",
		"/api/mesh/marketplace", "/api/mesh/agent/{id}/storefront", "/api/mesh/entry/{id}/buy",
		"/api/credits/prices", "/api/credits/check", "/api/credits/purchase", "/api/credits/withdraw",
		"/api/parse", "/api/validate", "/api/traits", "/api/vm/runs", "/api/vm/runs/{id}", "/api/vm/runs/{id}/step", "/api/bt/run",
		"/api/mesh/changes", "/api/crdt", "/api/crdt/{doc}", "/api/crdt/{doc}/zones", "/api/crdt/{doc}/spot", "/api/crdt/{doc}/ops", "/api/crdt/{doc}/state", "/api/crdt/{doc}/events", "/api/mesh/ws", "/api/mesh/events", "/api/mesh/events/ticket", "/api/mesh/me/events", "/api/mesh/team/{id}/events", "/api/mesh/team/{id}/room/live",
	} {
		if paths[path] == nil {
			t.Errorf("document lacks %s", path)
		}
		delete(paths, path)
	}
	if len(paths) > 0 {
		t.Errorf("paths no test knows: %v", paths)
	}
}

func TestDocumentIsWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.get("/openapi.json")
	schemas := r.json["components"].(map[string]any)["schemas"].(map[string]any)
	ids := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch x := v.(type) {
		case []any:
			for _, y := range x {
				walk(y)
			}
		case map[string]any:
			if ref, ok := x["$ref"].(string); ok && schemas[strings.TrimPrefix(ref, "#/components/schemas/")] == nil {
				t.Errorf("dangling %s", ref)
			}
			if id, ok := x["operationId"].(string); ok {
				if ids[id] {
					t.Errorf("operation id %s twice", id)
				}
				ids[id] = true
			}
			for _, y := range x {
				walk(y)
			}
		}
	}
	walk(r.json)
	for code := range r.json["x-reason-codes"].(map[string]any) {
		if _, ok := reason.Lookup(reason.Code(code)); !ok {
			t.Errorf("unknown code %s", code)
		}
	}
	for _, item := range r.json["paths"].(map[string]any) {
		for _, op := range item.(map[string]any) {
			for status, resp := range op.(map[string]any)["responses"].(map[string]any) {
				text, refused := strings.CutPrefix(resp.(map[string]any)["description"].(string), "Refused: ")
				if !refused {
					continue
				}
				for _, code := range strings.Split(text, ", ") {
					info, ok := reason.Lookup(reason.Code(code))
					if !ok || http.StatusText(info.HTTP) == "" || status != itoa(info.HTTP) && code != "revoked" && (code != "proof_missing" || status != "510") {
						t.Errorf("%s under %s", code, status)
					}
				}
			}
		}
	}
	if len(ids) == 0 {
		t.Error("no operations")
	}
}

func itoa(n int) string { raw, _ := json.Marshal(n); return string(raw) }
