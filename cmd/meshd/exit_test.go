package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/store"
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

// TestExitCodesAreDocumented holds the table of docs/errors.md and the systemd unit
// against the codes of the program.
func TestExitCodesAreDocumented(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	unit, err := os.ReadFile("../../configs/meshd.service")
	if err != nil {
		t.Fatal(err)
	}
	var rows, never []string
	for _, o := range outcomes {
		again := "may help"
		switch {
		case o.code == exitOK:
			again = ""
		case !o.again:
			again = "will not help"
			never = append(never, fmt.Sprint(o.code))
		}
		rows = append(rows, strings.ReplaceAll(fmt.Sprintf("| %d | %s | %s |", o.code, o.meaning, again), "|  |", "| |"))
	}
	if table := strings.Join(rows, "\n") + "\n\n"; !strings.Contains(string(doc), "| code | meaning | again |\n|---|---|---|\n"+table) {
		t.Errorf("docs/errors.md does not list\n%s", table)
	}
	for _, line := range []string{"RestartPreventExitStatus=" + strings.Join(never, " "), fmt.Sprint("SuccessExitStatus=", exitInterrupted)} {
		if !strings.Contains(string(unit), "\n"+line+"\n") {
			t.Errorf("configs/meshd.service lacks %s", line)
		}
	}
}

// TestEveryExitCodeHasAnOutcome asks for the code of an error of each kind.
func TestEveryExitCodeHasAnOutcome(t *testing.T) {
	t.Parallel()
	stopped, cancel := context.WithCancelCause(t.Context())
	cancel(signalled{syscall.SIGTERM})
	got := map[int]bool{exitCode(stopped, context.Canceled): true}
	for _, err := range []error{
		nil, errors.New("?"), usage("?"), config.Faults{{Text: "?"}}, errDegraded, control.ErrNotRunning, store.ErrNoStore, &store.LockedError{}, vault.ErrWrongKey, &store.ExposedError{}, &store.FormatError{},
	} {
		got[exitCode(t.Context(), fmt.Errorf("wrapped: %w", err))] = true
		if err == nil {
			got[exitCode(t.Context(), nil)] = true
		}
	}
	for _, o := range outcomes {
		if !got[o.code] {
			t.Errorf("nothing ends with %d", o.code)
		}
		delete(got, o.code)
	}
	if len(got) > 0 {
		t.Errorf("codes without a meaning: %v", got)
	}
	if code := exitCode(t.Context(), config.Faults{{Text: "?"}}); code != exitUsage {
		t.Errorf("faults in the settings end with %d", code)
	}
}

// TestWhyAnAddressIsRefused tells a port that is taken from one that is not allowed.
func TestWhyAnAddressIsRefused(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	_, taken := net.Listen("tcp", ln.Addr().String())
	denied := &net.OpError{Op: "listen", Net: "tcp", Err: os.NewSyscallError("bind", syscall.EACCES)}
	libp2p := func(err error) error { // which keeps the text alone
		return fmt.Errorf("listen for peers: %w", errors.New("failed to listen on any addresses: ["+err.Error()+"]"))
	}
	for name, c := range map[string]struct {
		err  error
		hint string
	}{
		"taken": {fmt.Errorf("listen for HTTP: %w", taken), "another program listens there"}, "taken for peers": {libp2p(taken), "another program listens there"},
		"denied": {fmt.Errorf("listen for HTTP: %w", denied), "CAP_NET_BIND_SERVICE"}, "denied for peers": {libp2p(denied), "CAP_NET_BIND_SERVICE"},
		"a file": {fmt.Errorf("open home: %w", syscall.EACCES), ""},
	} {
		if got := hintFor(c.err); c.hint == "" && got != "" || !strings.Contains(got, c.hint) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
