package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/store"
)

// TestInterruptedCommandReportsItsFaults reports what a command that was asked to
// end came back with.
func TestInterruptedCommandReportsItsFaults(t *testing.T) {
	t.Parallel()
	stopped := signalled{syscall.SIGTERM}
	canceled := fmt.Errorf("query: %w", context.Canceled)
	fault := fmt.Errorf("gateway: %w", errors.New("drain requests"))
	for name, c := range map[string]struct {
		err     error
		printed string
		code    int
	}{
		"ended well":          {nil, "", ExitOK},
		"cut short":           {canceled, "", ExitInterrupted},
		"cut by its cause":    {fmt.Errorf("query: %w", stopped), "", ExitInterrupted},
		"cut in several ways": {errors.Join(canceled, stopped), "", ExitInterrupted},
		"fault":               {fault, "meshd: gateway: drain requests\n", ExitInterrupted},
		"fault beside":        {errors.Join(canceled, errors.Join(nil, fault)), "meshd: gateway: drain requests\n", ExitInterrupted},
		"fault in words":      {fmt.Errorf("close: %w", errors.Join(fault, canceled)), "meshd: close: gateway: drain requests\nquery: context canceled\n", ExitInterrupted},
		"wrong words":         {Usage("what?"), "meshd: what?\n", ExitUsage},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(stopped)
		var out bytes.Buffer
		p := &Session{Out: io.Discard, Err: &out}
		if code := p.Report(ctx, c.err); code != c.code || out.String() != c.printed {
			t.Errorf("%s: code %d, %q", name, code, &out)
		}
	}
}

// TestExitCodesAreDocumented compares the table of docs/errors.md and the systemd unit
// with the codes of the program.
func TestExitCodesAreDocumented(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	unit, err := os.ReadFile("../../../configs/meshd.service")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, o := range outcomes {
		again := "may help"
		switch {
		case o.code == ExitOK:
			again = ""
		case !o.again:
			again = "will not help"
		}
		rows = append(rows, strings.ReplaceAll(fmt.Sprintf("| %d | %s | %s |", o.code, o.meaning, again), "|  |", "| |"))
	}
	if table := strings.Join(rows, "\n") + "\n\n"; !strings.Contains(string(doc), "| code | meaning | again |\n|---|---|---|\n"+table) {
		t.Errorf("docs/errors.md does not list\n%s", table)
	}
	for _, line := range []string{"RestartPreventExitStatus=" + strings.Join(LastingCodes(), " "), fmt.Sprint("SuccessExitStatus=", ExitInterrupted)} {
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
		nil, errors.New("?"), Usage("?"), config.Faults{{Text: "?"}}, ErrDegraded, control.ErrNotRunning, store.ErrNoStore, &store.LockedError{}, vault.ErrWrongKey, &store.ExposedError{}, &store.FormatError{},
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
	if code := exitCode(t.Context(), config.Faults{{Text: "?"}}); code != ExitUsage {
		t.Errorf("faults in the settings end with %d", code)
	}
}

// TestWhyAnAddressIsRefused distinguishes a port that is taken from one that is not allowed.
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
		if got := HintFor(c.err); c.hint == "" && got != "" || !strings.Contains(got, c.hint) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
