package rest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/rest"
)

// newPublic is a world in the public role with limits.
func newPublic(t *testing.T) *world {
	t.Helper()
	return newWorldWith(t, options{rest: rest.Config{Public: true}})
}

// TestCORSIsTheTable compares with api §0.8, list by list.
func TestCORSIsTheTable(t *testing.T) {
	t.Parallel()
	w := newPublic(t)
	for _, method := range []string{"GET", "OPTIONS"} {
		r := w.do(apiCall{method: method, path: "/api/mesh/feed", header: map[string]string{"Origin": "https://app.example"}})
		for header, want := range map[string][]string{
			"Access-Control-Allow-Origin":  {"*"},
			"Access-Control-Allow-Methods": {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"},
			"Access-Control-Allow-Headers": {"Authorization", "Content-Type", "Content-Digest", "Idempotency-Key", "If-Match", "If-None-Match",
				"Last-Event-ID", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "PAYMENT-SIGNATURE", "Signature",
				"Signature-Input", "X-API-Key", "X-MCP-API-Key", "X-MCP-Toolsets", "X-CSRF-Token", "X-PAYMENT", "X-Request-Id", "X-UCAN-Proofs"},
			"Access-Control-Expose-Headers": {"ETag", "Link", "Location", "Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset",
				"RateLimit-Policy", "X-Request-Id", "X-Mesh-Lag", "X-Mesh-Replicated", "X-Deployment-Id", "X-Deployment-Delivery",
				"PAYMENT-REQUIRED", "PAYMENT-RESPONSE", "X-PAYMENT-RESPONSE", "Idempotent-Replayed"},
			"Access-Control-Max-Age": {"600"},
		} {
			got := strings.Split(r.Header.Get(header), ", ")
			for _, w := range want {
				if !slices.Contains(got, w) {
					t.Errorf("%s: %s lacks %s", method, header, w)
				}
			}
		}
		if r.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Error("credentials of another origin are taken")
		}
	}
}

// TestEveryReplyStatesItsBudget: also those that are refused before the row's own
// bucket is asked, or a guess at keys and paths would cost nothing.
func TestEveryReplyStatesItsBudget(t *testing.T) {
	t.Parallel()
	w := newPublic(t)
	for _, c := range []struct {
		apiCall
		status int
	}{
		{apiCall{method: "GET", path: "/api/mesh/feed"}, 200},
		{apiCall{method: "GET", path: "/api/mesh/entry/ent_none"}, 404},
		{apiCall{method: "GET", path: "/no/such/path"}, 404},
		{apiCall{method: "DELETE", path: "/api/mesh/feed"}, 405},
		{apiCall{method: "GET", path: "/api/mesh/profile"}, 401},
		{apiCall{method: "GET", path: "/api/mesh/profile", key: "mesh_sk_nonsense"}, 401},
		{apiCall{method: "POST", path: "/api/mesh/contribute", body: "{}"}, 401},
		{apiCall{method: "GET", path: "/api/mesh/feed?limit=1000"}, 400},
	} {
		r := w.do(c.apiCall)
		if r.StatusCode != c.status {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, r.StatusCode, c.status)
		}
		for _, h := range []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy", "X-Request-Id"} {
			if r.Header.Get(h) == "" {
				t.Errorf("%s %s: no %s", c.method, c.path, h)
			}
		}
	}
	for range 120 {
		w.get("/api/mesh/profile")
	}
	for _, path := range []string{"/api/mesh/profile", "/no/such/path", "/api/mesh/feed"} {
		r := w.want(w.get(path), 429, "rate_limited")
		details := r.json["details"].(map[string]any)
		if details["bucket"] != "read" || details["retry_after"] != r.json["retry_after"] ||
			r.Header.Get("Retry-After") != fmt.Sprint(r.json["retry_after"]) || r.Header.Get("RateLimit-Remaining") != "0" {
			t.Errorf("%s: %v %v", path, r.Header, r.json)
		}
	}
}

func TestSponsorTreeSharesABudget(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, options{rest: rest.Config{Public: true}, limits: limit.Config{Buckets: map[limit.Bucket]limit.Quantity{
		limit.Read: {Agent: 3, Anonymous: 1000}}}})
	w.mesh.Sponsor = map[change.AgentID]string{}
	var keys []string
	for i := range 12 {
		w.clock.Add(time.Hour) // for the buckets of registering
		agent, key := w.register(fmt.Sprintf("child %d", i), byte(i+1))
		id, err := change.ParseAgentID(agent)
		must(t, err)
		if i < 11 {
			w.mesh.Sponsor[id] = "agt_root"
		}
		keys = append(keys, key)
	}
	w.clock.Add(time.Hour)
	passed := 0
	for _, key := range keys[:11] {
		for range 3 {
			if w.do(apiCall{method: "GET", path: "/api/mesh/feed", key: key}).StatusCode == 200 {
				passed++
			}
		}
	}
	if passed != 30 {
		t.Errorf("%d reads of eleven agents of one tree passed, want ten times three", passed)
	}
	if r := w.do(apiCall{method: "GET", path: "/api/mesh/feed", key: keys[11]}); r.StatusCode != 200 {
		t.Errorf("an agent outside the tree: %d", r.StatusCode)
	}
}

func TestOverloadRefusesWritesAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("Ada", 1)
	write := func() reply {
		return w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: `{"type":"gotcha","domain":"go","content":"` + lesson + `"}`})
	}
	tool := func() reply {
		return w.do(apiCall{method: "POST", path: "/mcp", key: key, header: map[string]string{"Accept": "application/json, text/event-stream"},
			body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"contribute_knowledge","arguments":{"type":"gotcha","domain":"go","content":"` + lesson + `"}}}`})
	}
	w.mesh.Behind, w.mesh.OwnBehind = 6*time.Second, 6*time.Second
	r := w.want(write(), 503, "overloaded")
	if r.json["retry_after"] != 6.0 || r.Header.Get("Retry-After") != "6" {
		t.Errorf("refusal %v", r.json)
	}
	if r := tool(); !strings.Contains(string(r.raw), "overloaded") {
		t.Errorf("over MCP: %s", r.raw)
	}
	if r := w.get("/api/mesh/feed"); r.StatusCode != 200 || r.Header.Get("X-Mesh-Lag") != "6000" {
		t.Errorf("a read: %d, lag %s", r.StatusCode, r.Header.Get("X-Mesh-Lag"))
	}
	w.mesh.OwnBehind = 5 * time.Second
	if r := write(); r.StatusCode != 201 {
		t.Errorf("at five seconds: %d %s", r.StatusCode, r.raw)
	}
	w.mesh.Behind, w.mesh.OwnBehind = time.Hour, 0 // strangers are loud
	if r := w.do(apiCall{method: "POST", path: "/api/mesh/contribute", key: key, body: `{"type":"gotcha","domain":"go","content":"A nil map can be read but not written, so make it before the first insert."}`}); r.StatusCode != 201 {
		t.Errorf("while strangers are loud: %d %s", r.StatusCode, r.raw)
	}
}

// slow is a body whose connection ran out of time.
type slow struct{ sent bool }

func (s *slow) Read(p []byte) (int, error) {
	if s.sent {
		return 0, fmt.Errorf("read tcp: %w", os.ErrDeadlineExceeded)
	}
	s.sent = true
	return copy(p, `{"a`), nil
}

func TestSlowBodyIsReportedAsTimeout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("Ada", 1)
	for _, path := range []string{"/api/mesh/contribute", "/mcp"} {
		r := httptest.NewRequest("POST", base+path, io.NopCloser(&slow{}))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+key)
		rec := httptest.NewRecorder()
		w.handler.ServeHTTP(rec, r)
		if rec.Code != http.StatusGatewayTimeout || !strings.Contains(rec.Body.String(), `"code":"timeout"`) || rec.Header().Get("Connection") != "close" {
			t.Errorf("%s: %d %s %v", path, rec.Code, rec.Body, rec.Header())
		}
	}
}

func TestOwnersPathsAreNotServed(t *testing.T) {
	t.Parallel()
	w := newPublic(t)
	for _, path := range []string{"/control/status", "/control/stop", "/control/export", "/control/keys", "/control/payments", "/control/payment", "/metrics", "/debug/pprof", "/debug/pprof/heap"} {
		for _, method := range []string{"GET", "POST"} {
			w.want(w.do(apiCall{method: method, path: path, header: map[string]string{"X-Mesh-As": "owner"}}), 404, "not_found")
		}
	}
}

func TestRequestsAreCounted(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	refused := map[string]int{}
	w := newWorldWith(t, options{rest: rest.Config{Public: true, Metrics: reg, Refused: func(c reason.Code, gate string) { refused[gate+" "+string(c)]++ }},
		limits: limit.Config{Buckets: map[limit.Bucket]limit.Quantity{limit.Search: {Agent: 1, Anonymous: 1}}}})
	w.get("/api/mesh/feed")
	w.get("/api/mesh/feed")
	w.get("/some/strange/path")
	w.do(apiCall{method: "BREW", path: "/api/mesh/feed"})
	w.get("/api/mesh/search?q=close")
	w.get("/api/mesh/search?q=close")
	w.get("/api/mesh/entry/ent_none")
	want := `
# HELP meshd_http_requests_total Answered HTTP requests by route, method and status.
# TYPE meshd_http_requests_total counter
meshd_http_requests_total{method="GET",route="/api/mesh/entry/{id}",status="404"} 1
meshd_http_requests_total{method="GET",route="/api/mesh/feed",status="200"} 2
meshd_http_requests_total{method="GET",route="/api/mesh/search",status="200"} 1
meshd_http_requests_total{method="GET",route="/api/mesh/search",status="429"} 1
meshd_http_requests_total{method="any",route="other",status="404"} 1
meshd_http_requests_total{method="any",route="other",status="405"} 1
# HELP meshd_http_requests_running HTTP requests that are being answered, streams among them.
# TYPE meshd_http_requests_running gauge
meshd_http_requests_running 0
# HELP meshd_http_rate_limited_total HTTP requests refused because a rate bucket was empty.
# TYPE meshd_http_rate_limited_total counter
`
	for _, b := range limit.Buckets() { // each is there from the start
		n := 0
		if b == limit.Search {
			n = 1
		}
		want += fmt.Sprintf("meshd_http_rate_limited_total{bucket=%q} %d\n", b, n)
	}
	if err := testutil.GatherAndCompare(reg, strings.NewReader(want), "meshd_http_requests_total", "meshd_http_rate_limited_total", "meshd_http_requests_running"); err != nil {
		t.Error(err)
	}
	if refused["http rate_limited"] != 1 || refused["http method_not_allowed"] != 1 || refused["http not_found"] != 1 {
		t.Errorf("refusals %v", refused)
	}
}

func TestLostDatabaseIsReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, key := w.register("Ada", 1)
	must(t, w.state.Close(t.Context()))
	// With a key the caller is not to be taken for a stranger.
	if r := w.do(apiCall{method: "GET", path: "/api/mesh/feed", key: key}); r.StatusCode < 500 {
		t.Errorf("with a key: %d", r.StatusCode)
	}
	if r := w.get("/api/mesh/feed"); r.StatusCode != 200 {
		t.Errorf("without a key: %d", r.StatusCode)
	}
}
