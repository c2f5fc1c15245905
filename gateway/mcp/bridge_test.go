package mcp_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/meshd/meshd/gateway/mcp"
)

// farServer answers like a script and notes what it was asked.
type farServer struct {
	mu     sync.Mutex
	bodies []string
	heads  []http.Header
	script []func(w http.ResponseWriter)
}

func (f *farServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bodies, f.heads = append(f.bodies, string(raw)), append(f.heads, r.Header.Clone())
	f.script[min(len(f.bodies), len(f.script))-1](w)
}

func status(code int, kind, body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

const pong = `{"jsonrpc":"2.0","id":1,"result":{}}`

// bridged sends lines through a bridge to a script.
func bridged(t *testing.T, key, in string, script ...func(http.ResponseWriter)) (*farServer, string) {
	t.Helper()
	far := &farServer{script: script}
	srv := httptest.NewServer(far)
	defer srv.Close()
	var out strings.Builder
	must(t, mcp.Bridge(t.Context(), srv.URL, key, strings.NewReader(in), &out))
	return far, strings.TrimSpace(out.String())
}

func TestBridgeRepeats(t *testing.T) {
	t.Parallel()
	busy := status(503, "application/json", `{"success":false,"error":"busy","code":"overloaded"}`)
	far, out := bridged(t, "", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, busy, busy, status(200, "application/json", pong))
	if out != pong || len(far.bodies) != 3 {
		t.Errorf("%d tries: %s", len(far.bodies), out)
	}
	call := `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"x","arguments":{"n":9007199254740993},"_meta":{"a":1}}}`
	far, out = bridged(t, "", call, busy)
	var keys []string
	for _, b := range far.bodies {
		var m struct {
			Params struct {
				Arguments json.RawMessage `json:"arguments"`
				Meta      struct {
					A   int    `json:"a"`
					Key string `json:"idempotencyKey"`
				} `json:"_meta"`
			} `json:"params"`
		}
		must(t, json.Unmarshal([]byte(b), &m))
		if string(m.Params.Arguments) != `{"n":9007199254740993}` || m.Params.Meta.A != 1 {
			t.Errorf("the call changed: %s", b)
		}
		keys = append(keys, m.Params.Meta.Key)
	}
	if len(keys) != 3 || keys[0] == "" || keys[0] != keys[1] || keys[1] != keys[2] {
		t.Errorf("keys %v", keys)
	}
	if !strings.Contains(out, `"id":9007199254740993`) || !strings.Contains(out, `"code":"overloaded"`) || !strings.Contains(out, "-32603") {
		t.Errorf("final answer %s", out)
	}
	own := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"idempotencyKey":"mine"}}}`
	if far, _ := bridged(t, "", own, status(200, "application/json", pong)); far.bodies[0] != own {
		t.Errorf("a call with its own key changed: %s", far.bodies[0])
	}
}

func TestBridgeGivesUpAtOnce(t *testing.T) {
	t.Parallel()
	for _, script := range []func(http.ResponseWriter){
		status(403, "application/json", `{"success":false,"error":"no","code":"forbidden"}`),
		status(404, "text/html", "<h1>nothing</h1>"),
		func(w http.ResponseWriter) {
			w.Header().Set("Location", "http://127.0.0.1:1/steal")
			w.WriteHeader(307)
		},
	} {
		far, out := bridged(t, "mesh_sk_secret", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, script)
		if len(far.bodies) != 1 || !strings.Contains(out, `"error"`) || strings.Contains(out, "secret") {
			t.Errorf("%d tries: %s", len(far.bodies), out)
		}
	}
	far, out := bridged(t, "", `{"jsonrpc":"2.0","method":"notifications/x"}`, status(403, "text/plain", "no"))
	if len(far.bodies) != 1 || out != "" {
		t.Errorf("a notification was answered: %s", out)
	}
	_, out = bridged(t, "", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":[]}}`+"\n[]\n{", status(200, "application/json", pong))
	if strings.Count(out, `"error"`) != 3 || strings.Contains(out, "result") {
		t.Errorf("broken messages: %s", out)
	}
	if err := mcp.Bridge(t.Context(), "ftp://x", "", strings.NewReader(""), io.Discard); err == nil {
		t.Error("an address that is not http")
	}
}

// TestBridgeKeepsTheSession of a server that has sessions, unless its name is
// longer than any should be; and it forwards notices, but no requests.
func TestBridgeKeepsTheSession(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{"s-1": "s-1", strings.Repeat("s", 256): strings.Repeat("s", 256), strings.Repeat("s", 257): ""} {
		begin := func(w http.ResponseWriter) {
			w.Header().Set("Mcp-Session-Id", id)
			status(200, "application/json", `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}`)(w)
		}
		far := &farServer{script: []func(http.ResponseWriter){begin, status(200, "application/json", pong)}}
		srv := httptest.NewServer(far)
		in, feed := io.Pipe()
		out, lines := io.Pipe()
		done := make(chan error, 1)
		go func() { done <- mcp.Bridge(t.Context(), srv.URL, "", in, lines) }()
		answers := json.NewDecoder(out)
		for _, line := range []string{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`} {
			_, err := io.WriteString(feed, line+"\n")
			must(t, err)
			var m json.RawMessage
			must(t, answers.Decode(&m))
		}
		must(t, feed.Close())
		must(t, <-done)
		srv.Close()
		if got := far.heads[1].Get("Mcp-Session-Id"); far.heads[0].Get("Mcp-Session-Id") != "" || got != want {
			t.Errorf("%d characters: %q", len(id), got)
		}
	}
	const notice = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}`
	_, out := bridged(t, "", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, status(200, "text/event-stream",
		"data: "+notice+"\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\"}\n\ndata: "+pong+"\n\n"))
	if out != notice+"\n"+pong {
		t.Errorf("%s", out)
	}
}

func TestBridgeAddsHeaders(t *testing.T) {
	t.Parallel()
	in := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_feed","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	far, _ := bridged(t, "mesh_sk_k", in, status(200, "application/json", pong))
	h := far.heads[0]
	if h.Get("Authorization") != "Bearer mesh_sk_k" || h.Get("MCP-Protocol-Version") != modern || h.Get("Mcp-Method") != "tools/call" || h.Get("Mcp-Name") != "get_feed" {
		t.Errorf("%v", h)
	}
	started := `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}`
	far, out := bridged(t, "", `{"jsonrpc":"2.0","id":1,"method":"initialize"}`, status(200, "text/event-stream", "event: message\ndata: "+started+"\n\n"))
	if out != started || far.heads[0].Get("MCP-Protocol-Version") != "" {
		t.Errorf("%s %v", out, far.heads[0])
	}
}
