package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"

	"github.com/meshd/meshd/cmd/meshd/terminal"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/store"
)

// The exit codes. Scripts rely on them; they never change.
const (
	ExitOK          = 0
	ExitError       = 1
	ExitUsage       = 2
	ExitDegraded    = 3
	ExitNotRunning  = 4
	ExitNoStore     = 10
	ExitLocked      = 11
	ExitWrongKey    = 12
	ExitExposed     = 13
	ExitNewer       = 14
	ExitInterrupted = 130
)

// outcomes say what the codes mean, in docs/errors.md too. configs/meshd.service goes
// by again: a supervisor need not repeat a command whose fault only a person mends.
var outcomes = []struct {
	code    int
	meaning string
	again   bool // the same command may end otherwise
}{
	{ExitOK, "done", true},
	{ExitError, "refused or failed; the text says why", true},
	{ExitUsage, "the command line or the settings cannot be understood", false},
	{ExitDegraded, "it ran, and something is unhealthy, or some files had errors", true},
	{ExitNotRunning, "no node runs, and the command needs one", true},
	{ExitNoStore, "there is no home in that folder", false},
	{ExitLocked, "another process has the home", true},
	{ExitWrongKey, "the vault does not open with this key or passphrase", false},
	{ExitExposed, "others than its owner may write the home", false},
	{ExitNewer, "a newer meshd has written the home", false},
	{ExitInterrupted, "ended by a signal before it was done", true},
}

// LastingCodes are the exit codes after which the same command ends the same way until a
// person has done something.
func LastingCodes() (out []string) {
	for _, o := range outcomes {
		if !o.again {
			out = append(out, strconv.Itoa(o.code))
		}
	}
	return out
}

// Outcomes are the exit codes, each with what it means, for the manual.
func Outcomes() (out []string) {
	for _, o := range outcomes {
		out = append(out, fmt.Sprintf("%3d  %s", o.code, o.meaning))
	}
	return out
}

// ErrDegraded ends a command that ran and has said what is unhealthy.
var ErrDegraded = errors.New("something is unhealthy")

// Report prints an error and decides the exit code.
func (s *Session) Report(ctx context.Context, err error) int {
	code := exitCode(ctx, err)
	switch code {
	case ExitOK:
		return code
	case ExitDegraded:
		if errors.Is(err, ErrDegraded) {
			return code // the command has said it
		}
	case ExitInterrupted:
		if err = beside(err); err == nil {
			return code // that it was asked to end is no news
		}
	}
	if faults := (config.Faults)(nil); errors.As(err, &faults) {
		fmt.Fprintf(s.Err, "meshd: %s in the configuration:\n", plural.Count(len(faults), "fault"))
		for _, f := range faults {
			fmt.Fprintf(s.Err, "  %v\n", f)
		}
		return code
	}
	fmt.Fprintf(s.Err, "meshd: %v\n", err)
	if hint := HintFor(err); hint != "" {
		fmt.Fprintf(s.Err, "  hint: %s\n", hint)
	}
	return code
}

func exitCode(ctx context.Context, err error) int {
	var locked *store.LockedError
	var exposed *store.ExposedError
	var wrong usageError
	var faults config.Faults
	var stopped signalled
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &wrong), errors.As(err, &faults):
		return ExitUsage
	case errors.Is(err, ErrDegraded), errors.Is(err, state.ErrDamaged), errors.Is(err, crdtlog.ErrDamaged), reason.Of(err) == reason.BackupInvalid:
		return ExitDegraded
	case errors.As(err, &locked):
		return ExitLocked
	case errors.As(err, &exposed):
		return ExitExposed
	case errors.Is(err, store.ErrNewerFormat), errors.Is(err, state.ErrNewer):
		return ExitNewer
	case errors.Is(err, store.ErrNoStore):
		return ExitNoStore
	case errors.Is(err, control.ErrNotRunning):
		return ExitNotRunning
	case errors.Is(err, vault.ErrWrongKey):
		return ExitWrongKey
	case errors.As(context.Cause(ctx), &stopped):
		return ExitInterrupted
	}
	return ExitError
}

// beside is what an interrupted command has to report beside the interruption
// itself: err without the parts that only say that work was cut short, nil when
// nothing is left.
func beside(err error) error {
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		var left []error
		for _, part := range e.Unwrap() {
			if part = beside(part); part != nil {
				left = append(left, part)
			}
		}
		if len(left) == len(e.Unwrap()) {
			return err
		}
		return errors.Join(left...)
	case interface{ Unwrap() error }:
		if cause := e.Unwrap(); cause != nil && beside(cause) == nil {
			return nil
		}
		return err
	}
	if _, stopped := err.(signalled); stopped || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// HintFor is a next step for errors that have one.
func HintFor(err error) string {
	var refused *APIError
	var refusal *reason.Refusal
	var locked *store.LockedError
	var exposed *store.ExposedError
	switch {
	case errors.Is(err, crdtlog.ErrDamaged):
		return "meshd repair writes the store anew from what can be read of it; meshd run does so too, and fetches the rest from peers"
	case errors.As(err, &refused):
		return terminal.OneLine(refused.Hint, 500) // perhaps of a gateway elsewhere
	case errors.As(err, &refusal) && refusal.Hint != "":
		return refusal.Hint
	case errors.Is(err, state.ErrDamaged):
		return "take state.db out of a backup (meshd restore into another folder); without one, move it away: API keys, ledger and texts that are sold are lost then, nothing of the log is"
	case errors.As(err, &locked):
		return "end that process, or use another folder with --home"
	case errors.As(err, &exposed):
		return "look whether somebody has changed it, then chmod go-w " + exposed.Path
	case errors.Is(err, store.ErrNewerFormat), errors.Is(err, state.ErrNewer):
		return "use the meshd that wrote it, or a newer one; nothing was changed"
	case errors.Is(err, store.ErrNoStore):
		return "meshd run makes a home by itself; meshd init makes one without starting a node; if one should be there, check the path"
	case errors.Is(err, control.ErrNotRunning):
		return "start it with meshd run"
	case cannotListen(err, syscall.EACCES):
		return "this user may not listen there; ports below 1024 need CAP_NET_BIND_SERVICE, which configs/meshd.service grants"
	case cannotListen(err, syscall.EADDRINUSE):
		return "another program listens there: end it, or choose another address (gateway.listen, gateway.redirect_listen, gateway.admin_listen, p2p.listen)"
	case errors.Is(err, vault.ErrWrongKey):
		return "set vault.passphrase_file or vault.key_file to what the vault was locked with, or let meshd id passphrase lock it as the settings say"
	}
	return ""
}

// cannotListen reports whether an address could not be bound for this reason, of
// which libp2p keeps the text alone.
func cannotListen(err error, why syscall.Errno) bool {
	text := err.Error()
	return strings.Contains(text, "listen") && (errors.Is(err, why) || strings.Contains(text, why.Error()))
}
