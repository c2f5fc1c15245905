package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/service/servicetest"
)

// FuzzMessage: whatever comes over a pipe, every answer is one line of JSON-RPC
// and nothing that is planted behind the mask comes out.
func FuzzMessage(f *testing.F) {
	m := servicetest.New(f)
	s := servicetest.NewService(f, m, servicetest.OpenState(f), limit.Config{Disabled: true}, "http://mesh.test", mcp.Tools(), func() time.Time { return servicetest.Start })
	server, err := mcp.New(s, mcp.Config{Version: "1"})
	must(f, err)
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_feed","arguments":{"limit":3}}}`)
	f.Add(`{"jsonrpc":"2.0","id":"x","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`)
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)
	f.Add(`[{"jsonrpc":"2.0"}]`)
	f.Add(`{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"register_agent","arguments":null,"_meta":{"idempotencyKey":7}}}`)
	f.Fuzz(func(t *testing.T, line string) {
		var out strings.Builder
		if err := server.ServeStdio(t.Context(), call.Caller{}, nil, strings.NewReader(line), &out); err != nil {
			t.Fatal(err)
		}
		for _, l := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
			var m struct {
				Version string `json:"jsonrpc"`
			}
			if l != "" && (json.Unmarshal([]byte(l), &m) != nil || m.Version != "2.0") {
				t.Fatalf("%q was answered by %q", line, l)
			}
		}
	})
}
