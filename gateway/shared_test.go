package gateway_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/state/pgtest"
	"github.com/meshd/meshd/gateway/state/statetest"
)

var postgres pgtest.Server

func TestMain(m *testing.M) {
	code := m.Run()
	postgres.Stop()
	os.Exit(code)
}

// twins are gateways on one database, over one node in memory that stands for
// the replicas of two.
type twins struct {
	t      *testing.T
	faces  []http.Handler
	states []*state.DB
}

func newTwins(t *testing.T, server *pgtest.Server) *twins {
	t.Helper()
	return newTwinsWith(t, server, func(*gateway.Config) {})
}

func newTwinsWith(t *testing.T, server *pgtest.Server, set func(*gateway.Config)) *twins {
	t.Helper()
	w := &twins{t: t}
	mesh, dsn := servicetest.New(t), server.Database(t)
	for _, home := range []string{"a", "b"} {
		db, err := state.OpenPostgres(t.Context(), dsn, state.Config{Pepper: bytes.Repeat([]byte{9}, 32), Random: rand.Reader, Home: home})
		must(t, err)
		t.Cleanup(func() { must(t, db.Close(context.WithoutCancel(t.Context()))) })
		cfg := gateway.Config{Listen: "127.0.0.1:0", Public: true, Version: "1.2.3", Limits: limit.Config{Disabled: true},
			Now: func() time.Time { return servicetest.Start }}
		set(&cfg)
		g, err := gateway.New(cfg, gateway.Deps{Node: mesh, State: db, CursorKey: bytes.Repeat([]byte{1}, 32)})
		must(t, err)
		w.faces, w.states = append(w.faces, g.Handler()), append(w.states, db)
	}
	return w
}

// do asks gateway i.
func (w *twins) do(i int, method, path, key, body string, header ...string) (int, http.Header, map[string]any) {
	w.t.Helper()
	r := httptest.NewRequest(method, "http://mesh.example.org"+path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for j := 0; j+1 < len(header); j += 2 {
		r.Header.Set(header[j], header[j+1])
	}
	rec := httptest.NewRecorder()
	w.faces[i].ServeHTTP(rec, r)
	raw, err := io.ReadAll(rec.Body)
	must(w.t, err)
	var out map[string]any
	must(w.t, json.Unmarshal(raw, &out))
	return rec.Code, rec.Header(), out
}

// key registers an agent and gives it a key.
func (w *twins) key(name string) string {
	w.t.Helper()
	a := statetest.Home(w.t, w.states[0], name)
	_, secret, err := w.states[0].CreateKey(w.t.Context(), state.NewKey{AgentID: a.ID, Scopes: state.RegistrationScopes()}, servicetest.Start)
	must(w.t, err)
	return secret.Reveal()
}

func TestIdempotencyAcrossGateways(t *testing.T) {
	t.Parallel()
	w := newTwins(t, &postgres)
	code, header, out := 0, http.Header(nil), map[string]any(nil)
	body := func(name string) string { return fmt.Sprintf(`{"name":%q}`, name) }
	// Registration with a new wallet is the dearest to repeat: it makes an agent.
	code, _, out = w.do(0, "POST", "/api/mesh/quickstart", "", body("Ada"), "Idempotency-Key", "k1")
	if code != 201 {
		t.Fatalf("first: %d %v", code, out)
	}
	first := out
	code, header, out = w.do(1, "POST", "/api/mesh/quickstart", "", body("Ada"), "Idempotency-Key", "k1")
	if code != 201 || header.Get("Idempotent-Replayed") != "true" || fmt.Sprint(out["agent"]) != fmt.Sprint(first["agent"]) {
		t.Errorf("the same at the other gateway: %d %v", code, out)
	}
	if code, _, out = w.do(1, "POST", "/api/mesh/quickstart", "", body("Bob"), "Idempotency-Key", "k1"); code != 422 || out["code"] != "idempotency_mismatch" {
		t.Errorf("another body at the other gateway: %d %v", code, out)
	}
	// Many at once, at both: one agent.
	var wg sync.WaitGroup
	var mu sync.Mutex
	codes := map[int]int{}
	for i := range 10 {
		wg.Go(func() {
			code, _, _ := w.do(i%2, "POST", "/api/mesh/quickstart", "", body("Eve"), "Idempotency-Key", "k2")
			mu.Lock()
			defer mu.Unlock()
			codes[code]++
		})
	}
	wg.Wait()
	if codes[201]+codes[409] != 10 || codes[201] < 1 {
		t.Errorf("at once: %v", codes)
	}
	page, err := w.states[0].Agents(t.Context(), "", 100)
	must(t, err)
	if len(page) != 2 {
		t.Errorf("%d agents, want Ada and Eve: %+v", len(page), page)
	}
}

func TestDatabaseComesAndGoes(t *testing.T) {
	t.Parallel()
	var own pgtest.Server
	t.Cleanup(own.Stop)
	w := newTwins(t, &own)
	key := w.key("Ada")
	if code, _, out := w.do(0, "GET", "/api/mesh/feed", key, ""); code != 200 {
		t.Fatalf("before: %d %v", code, out)
	}
	restart := own.Interrupt(t)
	code, header, out := w.do(0, "GET", "/api/mesh/feed", key, "")
	if code != 503 || out["code"] != "overloaded" || header.Get("Retry-After") == "" {
		t.Errorf("with a key, without a database: %d %v", code, out)
	}
	if code, _, out = w.do(0, "GET", "/api/mesh/feed", "", ""); code != 200 {
		t.Errorf("without a key: %d %v", code, out)
	}
	if code, _, out = w.do(1, "GET", "/readyz", "", ""); code != 503 || out["checks"].(map[string]any)["database"] != false {
		t.Errorf("ready without a database: %d %v", code, out)
	}
	if code, _, out = w.do(1, "GET", "/api/health", "", ""); out["components"].(map[string]any)["database"] != "down" {
		t.Errorf("health without a database: %d %v", code, out)
	}
	restart()
	if code, _, out = w.do(0, "GET", "/api/mesh/feed", key, ""); code != 200 {
		t.Errorf("after its return: %d %v", code, out)
	}
}
