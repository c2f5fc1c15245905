package mcp

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
)

// echo is a server that gives one answer to every request.
type echo struct {
	status     int
	kind, body string
	asked      *http.Request
}

func (e *echo) RoundTrip(r *http.Request) (*http.Response, error) {
	e.asked = r
	return &http.Response{
		StatusCode: e.status, Header: http.Header{"Content-Type": {e.kind}}, Body: io.NopCloser(strings.NewReader(e.body)), Request: r,
	}, nil
}

// FuzzBridge: whatever the program at this end and the server at the other say, the
// bridge answers with a message of JSON-RPC or not at all, puts nothing into a
// header that may not be there, and never reveals the key.
func FuzzBridge(f *testing.F) {
	const key = "mesh_sk_secret"
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_feed","arguments":{}}}`), 200, "application/json", `{"jsonrpc":"2.0","id":1,"result":{}}`)
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`), 200, "text/event-stream", "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"x\\r\\ny\"}}\n\n")
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`), 503, "application/json", `{"success":false,"error":"busy","code":"overloaded"}`)
	f.Fuzz(func(t *testing.T, line []byte, status int, kind, body string) {
		e := &echo{status: 200 + (status%400+400)%400, kind: kind, body: body}
		b := &bridge{client: &http.Client{Transport: e, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
			address: "http://mesh.test/mcp", key: key}
		for range 2 { // the second time with what the first agreed on
			reply := b.answer(t.Context(), bytes.TrimSpace(line), func(notice []byte) {
				if !isMessage(notice) {
					t.Fatalf("%q was told as a notice", notice)
				}
			})
			if reply != nil && !isMessage(reply) {
				t.Fatalf("%q and %q give %q", line, body, reply)
			}
			if bytes.Contains(reply, []byte(key)) && !strings.Contains(body, key) && !bytes.Contains(line, []byte(key)) {
				t.Fatalf("the key was told: %q", reply)
			}
			if e.asked == nil {
				continue
			}
			for name, values := range e.asked.Header {
				if strings.ContainsFunc(strings.Join(values, ""), func(r rune) bool { return r < 0x20 || r > 0x7e }) {
					t.Fatalf("header %s: %q", name, values)
				}
			}
		}
	})
}
