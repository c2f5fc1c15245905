package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/oauth"
	"github.com/meshd/meshd/gateway/rest"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/gateway/state"
)

func toolCall(tool string, args any) string {
	raw, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args}})
	return string(raw)
}

// TestIssuers: with an issuer an OAuth client learns by status and header where
// to get a token; without, and for open tools, nothing changes.
func TestIssuers(t *testing.T) {
	t.Parallel()
	const issuer = "https://issuer.example.org/realm"
	w := newWorldOf(t, limit.Config{Disabled: true}, rest.Config{}, mcp.Config{OAuth: verifierOf(t, oauth.Config{Issuers: []oauth.Issuer{{URL: issuer, KeysURL: issuer + "/keys"}}})})
	plain := newWorld(t)
	id, key := register(t, w.dial(modern, ""), "ada", servicetest.Key(1))
	_, narrow, err := w.state.CreateKey(t.Context(), state.NewKey{AgentID: id, Scopes: state.Scopes{state.ScopeRead}, ExpiresAt: servicetest.Start.Add(time.Hour)}, servicetest.Start)
	must(t, err)
	const where = `resource_metadata="http://mesh.test/.well-known/oauth-protected-resource/mcp"`
	for _, c := range []struct {
		name, tool, key string
		args            any
		status          int
		header, code    string
	}{
		{"no token", "contribute_knowledge", "", lessonArgs("a"), 401, `Bearer ` + where + `, scope="mesh:write"`, "auth_required"},
		{"no token, read", "get_me", "", map[string]any{}, 401, `Bearer ` + where + `, scope="mesh:read"`, "auth_required"},
		{"dead token", "contribute_knowledge", servicetest.Mistyped(key), lessonArgs("a"), 401,
			`Bearer error="invalid_token", error_description="invalid_token", ` + where + `, scope="mesh:write"`, "invalid_token"},
		{"narrow token", "update_profile", narrow.Reveal(), map[string]any{"bio": "x"}, 403,
			`Bearer error="insufficient_scope", ` + where + `, scope="mesh:write"`, "scope_missing"},
		{"open tool", "get_feed", "", map[string]any{}, 200, "", ""},
		{"open tool, refused", "register_agent", "", map[string]any{"name": "eve"}, 200, "", "proof_required"},
		{"good key", "update_profile", key, map[string]any{"bio": "x"}, 200, "", ""},
	} {
		header := map[string]string{}
		if c.key != "" {
			header["Authorization"] = "Bearer " + c.key
		}
		status, got, raw := w.post(toolCall(c.tool, c.args), header)
		if status != c.status || got.Get("WWW-Authenticate") != c.header || c.code != "" && !strings.Contains(raw, `\"code\":\"`+c.code+`\"`) {
			t.Errorf("%s: %d %q %s", c.name, status, got.Get("WWW-Authenticate"), raw)
		}
		if c.key == "" {
			if status, got, raw := plain.post(toolCall(c.tool, c.args), nil); status != 200 || got.Get("WWW-Authenticate") != "" {
				t.Errorf("%s without an issuer: %d %s", c.name, status, raw)
			}
		}
	}
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"} {
		want := fmt.Sprintf(`{"resource":"http://mesh.test/mcp","authorization_servers":[%q],"scopes_supported":["mesh:read","mesh:write","team","bounty","studio","absorb","pay"],"bearer_methods_supported":["header"],"resource_name":"meshd"}`, issuer)
		if got := strings.TrimSpace(w.fetch(path, "")); got != want {
			t.Errorf("%s: %s", path, got)
		}
		if got := plain.fetch(path, ""); !strings.Contains(got, `"code":"not_found"`) {
			t.Errorf("%s without an issuer: %s", path, got)
		}
	}
}

func verifierOf(t *testing.T, c oauth.Config) *oauth.Verifier {
	t.Helper()
	v, err := oauth.New(c, func() string { return "http://mesh.test/mcp" }, nil, nil)
	must(t, err)
	return v
}

// TestIssuersAreAskedInTheirWords: where the scopes of an issuer have other names, these
// stand in the metadata and in the scopes that a challenge names; what no token gives is
// not asked for.
func TestIssuersAreAskedInTheirWords(t *testing.T) {
	t.Parallel()
	const issuer = "https://issuer.example.org"
	w := newWorldOf(t, limit.Config{Disabled: true}, rest.Config{}, mcp.Config{OAuth: verifierOf(t, oauth.Config{
		Issuers: []oauth.Issuer{{URL: issuer, KeysURL: issuer + "/keys"}},
		Scopes:  map[string]state.Scope{"knowledge.write": state.ScopeWrite, "knowledge.read": state.ScopeRead},
	})})
	const where = `Bearer resource_metadata="http://mesh.test/.well-known/oauth-protected-resource/mcp"`
	for tool, want := range map[string]string{"vote": where + `, scope="knowledge.write"`, "bounty_claim": where} {
		if status, got, _ := w.post(toolCall(tool, map[string]any{}), nil); status != 401 || got.Get("WWW-Authenticate") != want {
			t.Errorf("%s: %d %q", tool, status, got.Get("WWW-Authenticate"))
		}
	}
	if got := w.fetch("/.well-known/oauth-protected-resource", ""); !strings.Contains(got, `"scopes_supported":["knowledge.read","knowledge.write"]`) {
		t.Error(got)
	}
	id, _ := register(t, w.dial(modern, ""), "ada", servicetest.Key(1))
	_, narrow, err := w.state.CreateKey(t.Context(), state.NewKey{AgentID: id, Scopes: state.Scopes{state.ScopeRead}, ExpiresAt: servicetest.Start.Add(time.Hour)}, servicetest.Start)
	must(t, err)
	for tool, want := range map[string]int{"vote": 403, "bounty_claim": 200} {
		status, got, raw := w.post(toolCall(tool, map[string]any{}), map[string]string{"Authorization": "Bearer " + narrow.Reveal()})
		if status != want || !strings.Contains(raw, "scope_missing") || (want == 403) != strings.Contains(got.Get("WWW-Authenticate"), `scope="knowledge.write"`) {
			t.Errorf("%s: %d %v %s", tool, status, got, raw)
		}
	}
}

// TestBrokenKeyIsRefusedByReads: a key that is unknown or has ended is refused with
// 401 by whatever reads, and writes nothing; register_agent and what describes the
// server itself stay open.
func TestBrokenKeyIsRefusedByReads(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := register(t, w.dial(modern, ""), "ada", servicetest.Key(1))
	gone := revoked(t, w, key)
	for name, c := range map[string]struct{ key, code string }{
		"mistyped": {servicetest.Mistyped(key), "invalid_token"}, "ended": {gone, "key_revoked"}, "of nobody": {"eyJhbGciOiJub25lIn0.e30.", "invalid_token"},
	} {
		header := map[string]string{"Authorization": "Bearer " + c.key}
		for _, message := range []string{
			toolCall("query_knowledge", map[string]any{"query": "body"}), toolCall("get_feed", map[string]any{}), toolCall("get_feed", map[string]any{"limit": 1000}),
			toolCall("get_me", map[string]any{}), toolCall("contribute_knowledge", lessonArgs("a")),
			request("resources/list", `{}`), request("resources/read", `{"uri":"mesh://overview"}`), request("prompts/get", `{"name":"onboard","arguments":{"name":"x"}}`),
			request("completion/complete", `{"ref":{"type":"ref/prompt","name":"onboard"},"argument":{"name":"name","value":"x"}}`),
			request("subscriptions/listen", `{"notifications":{"toolsListChanged":true}}`),
		} {
			status, got, raw := w.post(message, header)
			want := fmt.Sprintf(`Bearer realm="mesh", error="invalid_token", error_description=%q`, c.code)
			if status != 401 || got.Get("WWW-Authenticate") != want || !strings.Contains(raw, c.code) || !strings.Contains(raw, `hint`) {
				t.Errorf("%s: %s: %d %v %s", name, message, status, got, raw)
			}
		}
		for _, message := range []string{toolCall("register_agent", map[string]any{"name": "n" + name, "generate_wallet": true}), request("tools/list", `{}`), request("prompts/list", `{}`),
			request("ping", `{}`), request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`)} {
			if status, _, raw := w.post(message, header); status != 200 || !strings.Contains(raw, `"result"`) || strings.Contains(raw, `"isError":true`) {
				t.Errorf("%s: %s: %d %s", name, message, status, raw)
			}
		}
	}
}

func request(method, params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
}

// revoked ends a key and returns it.
func revoked(t *testing.T, w *world, key string) string {
	t.Helper()
	secret, err := state.ParseSecret(key)
	must(t, err)
	found, err := w.state.KeyBySecret(t.Context(), secret, servicetest.Start)
	must(t, err)
	_, err = w.state.RevokeKey(t.Context(), found.AgentID, found.ID, servicetest.Start)
	must(t, err)
	return key
}

// TestToolsAreListedByScope: a key sees what it may call; a call of another tool
// says what is missing.
func TestToolsAreListedByScope(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, key := register(t, w.dial(modern, ""), "ada", servicetest.Key(1))
	_, narrow, err := w.state.CreateKey(t.Context(), state.NewKey{AgentID: id, Scopes: state.Scopes{state.ScopeRead}, ExpiresAt: servicetest.Start.Add(time.Hour)}, servicetest.Start)
	must(t, err)
	all := len(mcp.Tools())
	for _, version := range []string{modern, older} {
		for key, want := range map[string]int{"": all, key: all, narrow.Reveal(): all - 24 - len(inTeams)} {
			s := w.dial(version, key)
			list, err := s.ListTools(t.Context(), nil)
			must(t, err)
			if len(list.Tools) != want {
				t.Errorf("%d tools, want %d", len(list.Tools), want)
			}
			if want != all {
				refused(t, s, "update_profile", map[string]any{"bio": "x"}, "scope_missing")
			}
		}
	}
}
