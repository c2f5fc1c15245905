package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/meshd/meshd/cmd/meshd/instance"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/node/view"
)

// TestBearerCapabilities drives the API of a real node with tokens: a
// capability that its agent has given acts once, within its abilities, and no
// longer once it is revoked.
func TestBearerCapabilities(t *testing.T) {
	t.Parallel()
	home, err := store.Open(t.TempDir(), store.Options{Command: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = home.Close() })
	cfg := &config.Loaded{Config: config.Default()}
	cfg.Config.P2P.Loopback, cfg.Config.P2P.MDNS = true, false
	in, err := instance.Open(t.Context(), home, cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	srv := httptest.NewServer(in.Gateway.Handler())
	t.Cleanup(srv.Close)

	post := func(token, path string, body map[string]any) (int, map[string]any) {
		t.Helper()
		raw, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+path, bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		resp, err := srv.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var got map[string]any
		if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, got
	}
	ada := in.Owner.Agent
	give := func(can ...string) view.Capability {
		t.Helper()
		until := time.Now().Add(time.Hour)
		c, err := in.Node.Delegate(t.Context(), ada.ID, view.Delegation{Audience: ada.DID, Can: can, Expires: &until})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	lesson := func(s string) map[string]any {
		return map[string]any{"type": "gotcha", "domain": "go", "content": "A map must not be written by two goroutines at once, " + s + "."}
	}
	write, edit := give(ucan.EntryPut), give(ucan.ProfileEdit)
	for _, step := range []struct {
		what, token, path string
		body              map[string]any
		status            int
		code              string
	}{
		{"it writes", write.Token, "/api/mesh/contribute", lesson("or it panics"), 201, ""},
		{"it acts once", write.Token, "/api/mesh/contribute", lesson("or it is lost"), 401, "token_replayed"},
		{"another ability does not write", edit.Token, "/api/mesh/contribute", lesson("or it races"), 403, "capability_denied"},
		{"no token manages keys", edit.Token, "/api/mesh/keys", map[string]any{"label": "mine"}, 403, "capability_denied"},
		{"a flipped bit is nothing", flip(write.Token), "/api/mesh/contribute", lesson("or it breaks"), 401, ""},
		{"nothing is nothing", "", "/api/mesh/contribute", lesson("or it stops"), 401, "auth_required"},
	} {
		status, got := post(step.token, step.path, step.body)
		if status != step.status || step.code != "" && got["code"] != step.code {
			t.Fatalf("%s: %d %v, want %d %s", step.what, status, got, step.status, step.code)
		}
	}
	again := give(ucan.EntryPut)
	status, got := post("", "/api/mesh/capabilities/verify", map[string]any{
		"token": again.Token, "action": ucan.EntryPut, "resource": again.Caps[0].With,
	})
	if status != 200 || got["allowed"] != true {
		t.Fatalf("verify: %d %v", status, got)
	}
	if _, err := in.Node.Revoke(t.Context(), ada.ID, again.ID, nil, "a test"); err != nil {
		t.Fatal(err)
	}
	if status, got := post(again.Token, "/api/mesh/contribute", lesson("or it ends")); status != 401 {
		t.Fatalf("a revoked token writes: %d %v", status, got)
	}
	if _, got := post("", "/api/mesh/capabilities/verify", map[string]any{"token": again.Token}); got["allowed"] != false || got["reason"] != "revoked" {
		t.Fatalf("verify of a revoked one: %v", got)
	}
}

// flip changes one bit of a token's payload.
func flip(token string) string {
	b := []byte(token)
	at := bytes.IndexByte(b, '.') + 20
	if b[at] == 'A' {
		b[at] = 'B'
	} else {
		b[at] = 'A'
	}
	return string(b)
}
