package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// TestInterruptedCommandTellsItsFaults reports what a command that was told to
// end came back with.
func TestInterruptedCommandTellsItsFaults(t *testing.T) {
	t.Parallel()
	stopped := signalled{syscall.SIGTERM}
	canceled := fmt.Errorf("query: %w", context.Canceled)
	fault := fmt.Errorf("gateway: %w", errors.New("drain requests"))
	for name, c := range map[string]struct {
		err  error
		told string
		code int
	}{
		"ended well":          {nil, "", exitOK},
		"cut short":           {canceled, "", exitInterrupted},
		"cut by its cause":    {fmt.Errorf("query: %w", stopped), "", exitInterrupted},
		"cut in several ways": {errors.Join(canceled, stopped), "", exitInterrupted},
		"fault":               {fault, "meshd: gateway: drain requests\n", exitInterrupted},
		"fault beside":        {errors.Join(canceled, errors.Join(nil, fault)), "meshd: gateway: drain requests\n", exitInterrupted},
		"fault in words":      {fmt.Errorf("close: %w", errors.Join(fault, canceled)), "meshd: close: gateway: drain requests\nquery: context canceled\n", exitInterrupted},
		"wrong words":         {usage("what?"), "meshd: what?\n", exitUsage},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(stopped)
		var out bytes.Buffer
		p := &program{out: io.Discard, err: &out}
		if code := p.report(ctx, c.err); code != c.code || out.String() != c.told {
			t.Errorf("%s: code %d, %q", name, code, &out)
		}
	}
}

// TestNodeStopsWithClientsThatStay stops a node, which serveNode wants to end
// without an error, while clients hold what they have opened.
func TestNodeStopsWithClientsThatStay(t *testing.T) {
	t.Parallel()
	url, _ := serveNode(t, "--conformance")
	quiet, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = quiet.Close() }) // runs before the node is stopped, so not here
	for _, path := range []string{mcpPath, "/api/mesh/events"} {
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
