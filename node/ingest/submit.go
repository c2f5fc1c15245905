package ingest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/clock"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/keys"
)

// Write is a change to be written here. Place in the chain, logical time and
// signature are filled in by Submit.
type Write struct {
	Signer keys.Signer
	// Second signs control changes beside Signer, with which it has one Ed25519 key: for
	// an author whose record names an ML-DSA-65 key. It is nil for any other.
	Second *keys.HybridSigner
	Space  change.Space
	Kind   string
	Body   []byte
	Deps   []change.ID
	Proof  []change.ID
	// Mark, when set, is stored in the same durable batch under its key, with
	// the id of the change. A Write whose mark exists already is not written:
	// Submit returns the change of the first one.
	Mark string
}

// Receipt says where a change written here lies.
type Receipt struct {
	Change *change.Change
	Seq    uint64 // local sequence
	Set    string
	Replay bool // the mark existed: nothing was written
}

// Submit signs and appends one local change and returns when it is durable.
// Its refusal has the code that every peer would give. Sign and append happen
// in one place, so one process never forks its own chain; with a key that other
// processes have too it happens in a turn (Share).
func (in *Ingest) Submit(ctx context.Context, w Write) (Receipt, error) {
	if in.ReadOnly() {
		return Receipt{}, reason.Refuse(reason.ReadOnly, "the store takes no writes now")
	}
	if s := in.shared.Load(); s != nil && s.Has(w.Signer.Key()) {
		return in.submitShared(ctx, s, w)
	}
	var rec Receipt
	err := in.do(ctx, in.own, func(b *batch) error { return b.write(w, &rec) })
	if err != nil {
		return Receipt{}, err
	}
	return rec, nil
}

func (b *batch) write(w Write, rec *Receipt) error {
	if w.Mark != "" {
		if err := b.replay(w.Mark, rec); err != nil || rec.Replay {
			return err
		}
	}
	if err := b.in.cfg.May(w.Signer.Key(), w.Space); err != nil {
		return err
	}
	c, err := b.seal(w)
	if err != nil {
		return err
	}
	v, err := b.check(c, rules.OwnSignature)
	if err != nil {
		return err
	}
	if v.Row() != "" {
		// A body of ours that fails its row must not reach the log.
		if err := rules.Row(c); err != nil {
			return err
		}
		return reason.Refuse(v.Row(), "the body fails its row")
	}
	b.local[c.ID] = true
	if w.Mark != "" {
		b.marks = append(b.marks, crdtlog.Mark{Key: w.Mark, Value: c.ID[:]})
	}
	*rec = Receipt{Change: c, Set: v.Set()}
	b.after = append(b.after, func(seq map[change.ID]uint64) { rec.Seq = seq[c.ID] })
	return nil
}

// replay finds the change that an earlier Write of the same mark made, in the
// log or before in this batch.
func (b *batch) replay(mark string, rec *Receipt) error {
	for _, m := range b.marks {
		if m.Key == mark {
			return reason.Refuse(reason.IdempotencyInProgress, "the first request with this key still runs")
		}
	}
	value, err := b.in.cfg.Log.Mark(b.ctx, mark)
	if errors.Is(err, crdtlog.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read mark: %w", err)
	}
	id, err := change.IDFromBytes(value)
	if err != nil {
		return fmt.Errorf("read mark: %w", err)
	}
	r, err := b.in.cfg.Log.Get(b.ctx, id)
	if err != nil {
		return fmt.Errorf("read marked change: %w", err)
	}
	*rec = Receipt{Change: r.Change, Seq: r.Seq, Set: r.Set, Replay: true}
	return nil
}

func (b *batch) seal(w Write) (*change.Change, error) {
	d := change.Draft{
		Net: b.in.cfg.Judge.Net(), Space: w.Space, Kind: w.Kind, Body: w.Body, Deps: w.Deps, Proof: w.Proof,
	}
	key := change.Chain{Author: w.Signer.Key(), Space: w.Space, Lane: change.LaneOf(w.Kind)}
	prev, seq, floor, err := b.tip(key)
	if err != nil {
		return nil, err
	}
	if seq > 0 {
		d.Prev = prev
	}
	d.Seq = seq + 1
	hint := "this key wrote while the clock was wrong; meshd id rotate (--as for another agent) goes on under a new key, whose chains begin now"
	for _, id := range append(append([]change.ID(nil), w.Deps...), w.Proof...) {
		m, err := b.Member(id)
		if err != nil {
			return nil, err
		}
		if m == nil {
			return nil, reason.Refuse(reason.MissingDeps, "refers to a change that is not here")
		}
		if m.Head.HLC > floor {
			floor, hint = m.Head.HLC, "the change that this refers to was written under a wrong clock; when that is the agent's own first one, meshd register NAME makes another agent"
		}
	}
	now := max(b.in.cfg.Now().UnixMilli(), b.in.cfg.Judge.Genesis().Start)
	d.HLC = clock.Next(now, floor)
	if clock.Ahead(d.HLC, now, clockAhead) {
		refusal := reason.Refuse(reason.ClockAhead, "what this builds on lies %s ahead of this node's clock",
			time.Duration(clock.Millis(d.HLC)-now)*time.Millisecond)
		refusal.Hint = hint
		return nil, refusal
	}
	if w.Second != nil && key.Lane == change.Control {
		return change.SealHybrid(d, w.Second)
	}
	return change.Seal(d, w.Signer), nil
}
