package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitDegraded    = 3
	exitNotRunning  = 4
	exitNoStore     = 10
	exitLocked      = 11
	exitWrongKey    = 12
	exitExposed     = 13
	exitNewer       = 14
	exitInterrupted = 130
)

// outcomes say what the codes mean, in docs/errors.md too. configs/meshd.service goes
// by again: a supervisor need not repeat a command whose fault only a person mends.
var outcomes = []struct {
	code    int
	meaning string
	again   bool // the same command may end otherwise
}{
	{exitOK, "done", true},
	{exitError, "refused or failed; the text says why", true},
	{exitUsage, "the command line or the settings cannot be understood", false},
	{exitDegraded, "it ran, and something is unhealthy, or some files had errors", true},
	{exitNotRunning, "no node runs, and the command needs one", true},
	{exitNoStore, "there is no home in that folder", false},
	{exitLocked, "another process has the home", true},
	{exitWrongKey, "the vault does not open with this key or passphrase", false},
	{exitExposed, "others than its owner may write the home", false},
	{exitNewer, "a newer meshd has written the home", false},
	{exitInterrupted, "ended by a signal before it was done", true},
}

// errDegraded ends a command that ran and has said what is unhealthy.
var errDegraded = errors.New("something is unhealthy")

// usageError is a command line that cannot be understood.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func usage(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// report prints an error and decides the exit code.
func (p *program) report(ctx context.Context, err error) int {
	code := exitCode(ctx, err)
	switch code {
	case exitOK:
		return code
	case exitDegraded:
		if errors.Is(err, errDegraded) {
			return code // the command has said it
		}
	case exitInterrupted:
		if err = beside(err); err == nil {
			return code // that it was told to end is no news
		}
	}
	if faults := (config.Faults)(nil); errors.As(err, &faults) {
		fmt.Fprintf(p.err, "meshd: %s in the configuration:\n", plural.Count(len(faults), "fault"))
		for _, f := range faults {
			fmt.Fprintf(p.err, "  %v\n", f)
		}
		return code
	}
	fmt.Fprintf(p.err, "meshd: %v\n", err)
	if hint := hintFor(err); hint != "" {
		fmt.Fprintf(p.err, "  hint: %s\n", hint)
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
		return exitOK
	case errors.As(err, &wrong), errors.As(err, &faults):
		return exitUsage
	case errors.Is(err, errDegraded), errors.Is(err, state.ErrDamaged), errors.Is(err, crdtlog.ErrDamaged), reason.Of(err) == reason.BackupInvalid:
		return exitDegraded
	case errors.As(err, &locked):
		return exitLocked
	case errors.As(err, &exposed):
		return exitExposed
	case errors.Is(err, store.ErrNewerFormat), errors.Is(err, state.ErrNewer):
		return exitNewer
	case errors.Is(err, store.ErrNoStore):
		return exitNoStore
	case errors.Is(err, control.ErrNotRunning):
		return exitNotRunning
	case errors.Is(err, vault.ErrWrongKey):
		return exitWrongKey
	case errors.As(context.Cause(ctx), &stopped):
		return exitInterrupted
	}
	return exitError
}

// beside is what an interrupted command has to tell beside the interruption
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

// hintFor is a next step for errors that have one.
func hintFor(err error) string {
	var refused *apiError
	var refusal *reason.Refusal
	var locked *store.LockedError
	var exposed *store.ExposedError
	switch {
	case errors.Is(err, crdtlog.ErrDamaged):
		return "meshd repair writes the store anew from what can be read of it; meshd run does so too, and fetches the rest from peers"
	case errors.As(err, &refused):
		return refused.Hint
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

// flagHint names the nearest flag of a command.
func flagHint(c *cobra.Command, err error) error {
	text := err.Error()
	var unknown string
	if rest, ok := strings.CutPrefix(text, "unknown flag: --"); ok {
		unknown = rest
	}
	best, most := "", 1+len(unknown)/3
	see := func(f *pflag.Flag) {
		if d := config.Edits(unknown, f.Name); unknown != "" && d <= most && !f.Hidden {
			best, most = f.Name, d-1
		}
	}
	c.Flags().VisitAll(see)
	c.InheritedFlags().VisitAll(see)
	if best != "" {
		return usage("%s; did you mean --%s?", text, best)
	}
	return usage("%s (see %s --help)", text, c.CommandPath())
}

// notWith refuses a flag that was given beside one of others.
func notWith(c *cobra.Command, name string, others ...string) error {
	for _, other := range others {
		if c.Flags().Changed(name) && c.Flags().Changed(other) {
			return usage("--%s and --%s do not go together (see %s --help)", name, other, c.CommandPath())
		}
	}
	return nil
}

// nothing, one and atMostOne say how many words a command takes.
func nothing(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("%s takes no %q (see %s --help)", c.CommandPath(), args[0], c.CommandPath())
	}
	return nil
}

func one(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usage("%s needs one %s: %s", c.CommandPath(), what, c.UseLine())
		}
		return nil
	}
}

// subcommand refuses a word that is none of a command's own commands. Without a
// word the command shows its help.
func subcommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	c.SuggestionsMinimumDistance = 2
	near := c.SuggestionsFor(args[0])
	if len(near) == 0 {
		return usage("unknown command %q for %s (see %s --help)", args[0], c.CommandPath(), c.CommandPath())
	}
	return usage("unknown command %q for %s; did you mean %s?", args[0], c.CommandPath(), strings.Join(near, " or "))
}
