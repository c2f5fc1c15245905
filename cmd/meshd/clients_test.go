package main

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestNodeStopsWithClientsThatStay stops a node, which serveNode wants to end
// without an error, while clients keep their connections open.
func TestNodeStopsWithClientsThatStay(t *testing.T) {
	t.Parallel()
	url, _ := serveNode(t, "--conformance")
	quiet, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = quiet.Close() }) // runs before the node is stopped, so not here
	for _, path := range []string{"/mcp", "/api/mesh/events"} {
		r, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", "text/event-stream")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, resp.Status)
		}
		// Not closed: the node ends first.
	}
}
