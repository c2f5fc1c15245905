package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/gateway/state"
)

// world is a gateway over a node in memory.
type world struct {
	*gateway.Gateway
	mesh  *servicetest.Mesh
	state *state.DB
}

func newWorld(t *testing.T, cfg gateway.Config) world {
	t.Helper()
	w := world{mesh: servicetest.New(t), state: servicetest.OpenState(t)}
	cfg.Version, cfg.Limits = "1.2.3", limit.Config{Disabled: true}
	cfg.Now = func() time.Time { return servicetest.Start }
	var err error
	w.Gateway, err = gateway.New(cfg, gateway.Deps{Node: w.mesh, State: w.state, CursorKey: bytes.Repeat([]byte{1}, 32)})
	must(t, err)
	return w
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, url string) (int, map[string]any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	must(t, err)
	resp, err := http.DefaultClient.Do(r)
	must(t, err)
	defer resp.Body.Close()
	var out map[string]any
	must(t, json.NewDecoder(resp.Body).Decode(&out))
	return resp.StatusCode, out
}

func TestServesUntilItsContextEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{Listen: "127.0.0.1:0"})
	must(t, w.Listen(t.Context()))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Serve(ctx) }()
	status, out := get(t, w.URL()+"/api/mesh")
	if status != 200 || out["mcp_endpoint"].(map[string]any)["url"] != "http://"+w.Addr().String()+"/mcp" {
		t.Errorf("%d %v", status, out)
	}
	if err := w.Listen(t.Context()); err == nil {
		t.Error("listened twice")
	}
	http.DefaultClient.CloseIdleConnections()
	cancel()
	must(t, <-done)
	if c, err := net.Dial("tcp", w.Addr().String()); err == nil {
		_ = c.Close()
		t.Error("still listening")
	}
}

func TestTakenPort(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer taken.Close()
	address := taken.Addr().String()
	if err := newWorld(t, gateway.Config{Listen: address}).Listen(t.Context()); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a chosen port: %v", err)
	}
	w := newWorld(t, gateway.Config{Listen: address, AnyPort: true})
	if w.Addr() != nil || w.URL() != "http://"+address {
		t.Errorf("before: %v %s", w.Addr(), w.URL())
	}
	ctx, cancel := context.WithCancel(t.Context())
	must(t, w.Listen(ctx))
	if got := w.Addr().String(); got == address || !strings.HasPrefix(got, "127.0.0.1:") || w.URL() != "http://"+got {
		t.Errorf("%s %s", got, w.URL())
	}
	cancel()
	must(t, w.Serve(ctx))
}

func TestConfigReportsEveryProblem(t *testing.T) {
	t.Parallel()
	err := gateway.Config{Listen: "nowhere", TrustedProxies: []string{"x"}, Limits: limit.Config{Buckets: map[limit.Bucket]limit.Quantity{"nap": {}}}}.Validate()
	for _, want := range []string{"listen", "proxies", "limits"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	if _, err := gateway.New(gateway.Config{Listen: "127.0.0.1:0"}, gateway.Deps{CursorKey: bytes.Repeat([]byte{1}, 32)}); err == nil {
		t.Error("made a gateway over nothing")
	}
}

func TestOwnerIsWhoTheSocketSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{Listen: "127.0.0.1:0", PublicURL: "https://mesh.example.org/"})
	if w.URL() != "https://mesh.example.org" {
		t.Error(w.URL())
	}
	agent := ""
	h := w.OwnerHandler(func() string { return agent })
	me := func(h http.Handler) (int, string) {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest("GET", "http://localhost/api/mesh/me", nil))
		return rec.Code, rec.Body.String()
	}
	if code, body := me(h); code != 404 || !strings.Contains(body, "agent_not_found") {
		t.Errorf("%d %s", code, body)
	}
	agent = w.mesh.AddAgent("owner").ID.String()
	if code, body := me(h); code != 200 || !strings.Contains(body, agent) {
		t.Errorf("%d %s", code, body)
	}
	if code, _ := me(w.Handler()); code != 401 {
		t.Errorf("a stranger got %d", code)
	}
	var out strings.Builder
	in := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_me","arguments":{}}}`
	must(t, w.ServeStdio(t.Context(), agent, nil, strings.NewReader(in), &out))
	if !strings.Contains(out.String(), agent) {
		t.Error(out.String())
	}
}

// TestServeSettlesWhatTheLastProcessLeft: one claim has its genesis in the log,
// the other does not.
func TestServeSettlesWhatTheLastProcessLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gateway.Config{Listen: "127.0.0.1:0"})
	done := w.mesh.AddAgent("done")
	for id, name := range map[string]string{done.ID.String(): "done", "agt_" + strings.Repeat("a", 52): "lost"} {
		must(t, w.state.ClaimName(t.Context(), state.Agent{ID: id, Name: name, Subject: "did:key:" + name, ActingKey: "key-" + name,
			Custody: state.CustodyGateway, CreatedAt: servicetest.Start}, servicetest.Start))
	}
	ctx, cancel := context.WithCancel(t.Context())
	must(t, w.Listen(ctx))
	ended := make(chan error, 1)
	go func() { ended <- w.Serve(ctx) }()
	resp, err := http.Get(w.URL() + "/livez") // answered after the settling
	must(t, err)
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	cancel()
	must(t, <-ended)
	if _, err := w.state.AgentByName(t.Context(), "done"); err != nil {
		t.Error(err)
	}
	left, err := w.state.Claims(t.Context())
	must(t, err)
	if len(left) != 0 || len(w.mesh.Dropped) != 1 || w.mesh.Dropped[0] != "key-lost" {
		t.Errorf("claims %v, dropped %v", left, w.mesh.Dropped)
	}
}
