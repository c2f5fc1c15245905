package mcp_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/rest"
)

// send posts a message of the revision before and returns the answer, its body
// read.
func (w *world) send(message string) (*http.Response, string) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.url, strings.NewReader(message))
	must(w.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", older)
	resp, err := http.DefaultClient.Do(r)
	must(w.t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	must(w.t, err)
	return resp, string(raw)
}

// TestEveryMessageReportsAndCostsBudget sends one message of each kind, also those
// that nobody can read, to a caller with just enough budget for them.
func TestEveryMessageReportsAndCostsBudget(t *testing.T) {
	t.Parallel()
	messages := []struct{ name, message, bucket string }{
		{"initialize", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, "read"},
		{"ping", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "read"},
		{"notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "read"},
		{"cancelled", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, "read"},
		{"tools", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "read"},
		{"resources", `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`, "read"},
		{"resource", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"mesh://overview"}}`, "read"},
		{"no resource", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"mesh://nothing"}}`, "read"},
		{"read", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_overview","arguments":{}}}`, "read"},
		{"search", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_knowledge","arguments":{"query":"pool"}}}`, "search"},
		{"no key", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"vote","arguments":{}}}`, "read"},
		{"no tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing","arguments":{}}}`, "read"},
		{"arguments", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"vote","arguments":[]}}`, "read"},
		{"answer", `{"jsonrpc":"2.0","id":1,"result":{}}`, "read"},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "read"},
		{"rubbish", `{"jsonrpc":`, "read"},
	}
	reads := 0
	for _, m := range messages {
		if m.bucket == "read" {
			reads++
		}
	}
	var mu sync.Mutex
	refused := map[string]int{}
	w := newWorldOf(t, limit.Config{Buckets: map[limit.Bucket]limit.Quantity{
		limit.Read: {Agent: reads, Anonymous: reads}, limit.Search: {Agent: 5, Anonymous: 5}}}, rest.Config{Public: true},
		mcp.Config{Refused: func(code reason.Code, gate string) {
			mu.Lock()
			defer mu.Unlock()
			refused[gate+" "+string(code)]++
		}})
	for _, m := range messages {
		resp, body := w.send(m.message)
		if got := resp.Header.Get("RateLimit-Policy"); !strings.HasPrefix(got, `"`+m.bucket+`";q=`) || resp.StatusCode == http.StatusTooManyRequests {
			t.Errorf("%s: policy %q of %d %s", m.name, got, resp.StatusCode, body)
		}
	}
	if refused["mcp auth_required"] != 1 || refused["mcp not_found"] != 1 || len(refused) != 2 {
		t.Errorf("counted %v", refused)
	}
	for _, name := range []string{"ping", "rubbish"} {
		for _, m := range messages {
			if m.name != name {
				continue
			}
			resp, body := w.send(m.message)
			if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" || !strings.Contains(body, `"rate_limited"`) {
				t.Errorf("%s with no budget left: %d %v %s", name, resp.StatusCode, resp.Header, body)
			}
		}
	}
	if refused["mcp rate_limited"] != 2 {
		t.Errorf("counted %v", refused)
	}
}
