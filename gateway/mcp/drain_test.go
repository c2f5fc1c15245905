package mcp

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestSessionsEndWithTheirClientAndTheGateway opens the stream of a session and a
// question that nobody answers, the two by which a client of an older revision
// can keep a request open for as long as it likes.
func TestSessionsEndWithTheirClientAndTheGateway(t *testing.T) {
	t.Parallel()
	m := newServer(t, Config{Conformance: true})
	ended := make(chan string, 8)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.ServeHTTP(w, r)
		ended <- r.Header.Get("Test")
	}))
	defer web.Close()
	session := ""
	ask := func(ctx context.Context, name, method, body string) io.ReadCloser {
		r, err := http.NewRequestWithContext(ctx, method, web.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Test", name)
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Content-Type", "application/json")
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
			r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
		}
		resp, err := web.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", name, resp.Status)
		}
		if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
			session = id
		}
		return resp.Body
	}
	wait := func(want ...string) {
		t.Helper()
		for range want {
			if got := <-ended; !strings.Contains(strings.Join(want, " "), got) {
				t.Fatalf("%s ended, want %s", got, want)
			}
		}
	}
	_ = ask(t.Context(), "hello", http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",`+
		`"capabilities":{"elicitation":{}},"clientInfo":{"name":"a","version":"1"}}}`).Close()
	wait("hello")

	ctx, hangUp := context.WithCancel(t.Context())
	stream := ask(ctx, "left", http.MethodGet, "")
	hangUp()
	wait("left")
	_ = stream.Close()

	listening := ask(t.Context(), "listening", http.MethodGet, "")
	question := ask(t.Context(), "asked", http.MethodPost,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"test_elicitation","arguments":{"message":"Who?"}}}`)
	first := make([]byte, 1) // of the question, so that it is open
	if _, err := io.ReadFull(question, first); err != nil {
		t.Fatal(err)
	}
	m.Drain()
	wait("listening", "asked")
	for _, body := range []io.ReadCloser{listening, question} {
		if _, err := io.Copy(io.Discard, body); err != nil {
			t.Errorf("cut off: %v", err)
		}
		_ = body.Close()
	}
	late := ask(t.Context(), "late", http.MethodGet, "")
	wait("late")
	_ = late.Close()
}
