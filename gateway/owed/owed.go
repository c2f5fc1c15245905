// Package owed does what a gateway owes for something that is written already:
// notify an author of a sale, put the head of an audit trail into the log. What is
// owed lies in the state, written with what it is for; it is tried at once and, when
// that fails, again with growing pauses, across restarts. Failures are counted and
// logged; the request that it is for has succeeded either way.
//
// Start with New; Keeper.Try is for the request, Keeper.Work for housekeeping.
package owed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/meshd/meshd/gateway/state"
)

// Times between tries, and when nothing is tried any more.
const (
	firstPause = time.Minute
	lastPause  = 6 * time.Hour
	giveUp     = 30 * 24 * time.Hour
	batch      = 100
	// settleTime bounds the writing down of how a try ended, which the caller's
	// own end must not prevent.
	settleTime = 5 * time.Second
)

// Store keeps what is owed; *state.DB does.
type Store interface {
	OwedNow(ctx context.Context, now time.Time, limit int) ([]state.Owed, error)
	OwedOf(ctx context.Context, kind, subject string) (state.Owed, bool, error)
	CountOwed(ctx context.Context) (int, error)
	EndOwed(ctx context.Context, o state.Owed) error
	PostponeOwed(ctx context.Context, o state.Owed, next time.Time) error
}

// Act does one thing that is owed. Doing it twice is as doing it once.
type Act func(ctx context.Context, o state.Owed) error

// Keeper tries what is owed. It is safe for concurrent use.
type Keeper struct {
	store  Store
	now    func() time.Time
	log    *slog.Logger
	acts   map[string]Act
	failed atomic.Int64
	lost   atomic.Int64
}

// New returns a keeper that does each kind by its act. A kind without an act stays
// owed, for a later release.
func New(store Store, now func() time.Time, log *slog.Logger, acts map[string]Act) *Keeper {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Keeper{store: store, now: now, log: log, acts: acts}
}

// Failed counts tries that failed since the start.
func (k *Keeper) Failed() int64 { return k.failed.Load() }

// Lost counts what was given up since the start, after 30 days of tries.
func (k *Keeper) Lost() int64 { return k.lost.Load() }

// Pending counts what is owed now.
func (k *Keeper) Pending(ctx context.Context) (int, error) { return k.store.CountOwed(ctx) }

// Try does at once what was just written as owed, within the caller's time. When
// it fails, Work tries again.
func (k *Keeper) Try(ctx context.Context, kind, subject string) {
	o, ok, err := k.store.OwedOf(ctx, kind, subject)
	if err != nil { // it is due by itself in a minute
		k.failed.Add(1)
		k.log.Warn("what is owed was not read; it is tried again", "kind", kind, "error", err)
		return
	}
	if ok {
		_ = k.do(ctx, o) // reported there
	}
}

// Work tries all whose time has come. It fails when the state does.
func (k *Keeper) Work(ctx context.Context) error {
	for ctx.Err() == nil {
		due, err := k.store.OwedNow(ctx, k.now(), batch)
		if err != nil {
			return fmt.Errorf("list what is owed: %w", err)
		}
		var faults []error
		for _, o := range due {
			faults = append(faults, k.do(ctx, o))
		}
		if err := errors.Join(faults...); err != nil || len(due) < batch {
			return err
		}
	}
	return nil
}

// do tries one and writes down how it ended. Its error is the state's.
func (k *Keeper) do(ctx context.Context, o state.Owed) error {
	act := k.acts[o.Kind]
	err := errors.New("nothing here does this")
	if act != nil {
		err = act(ctx, o)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if err == nil {
		return k.store.EndOwed(ctx, o)
	}
	k.failed.Add(1)
	if act != nil && k.now().Sub(o.MadeAt) > giveUp {
		k.lost.Add(1)
		k.log.Error("given up what is owed", "kind", o.Kind, "agent", o.Agent, "tries", o.Tries+1, "error", err)
		return k.store.EndOwed(ctx, o)
	}
	pause := lastPause
	if o.Tries < 16 {
		pause = min(firstPause<<o.Tries, lastPause)
	}
	k.log.Warn("what is owed failed; it is tried again", "kind", o.Kind, "agent", o.Agent, "tries", o.Tries+1, "next", pause.String(), "error", err)
	return k.store.PostponeOwed(ctx, o, k.now().Add(pause))
}
