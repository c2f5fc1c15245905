package ingest

import (
	"context"
	"errors"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/keys"
)

// Heal mends the damaged records of members from copies in (hlc, id) order, which
// are judged as any others, and folds them: a view that lacked them has them then.
// It returns the ids of those that are sound now. A copy that is no member, or not
// good, is left out; the error is a fault of this node.
func (in *Ingest) Heal(ctx context.Context, cs []*change.Change) (sound []change.ID, err error) {
	err = in.do(ctx, in.requests, func(b *batch) error {
		b.quiet = append(b.quiet, func() { sound = b.heal(cs) })
		return nil
	})
	return sound, err
}

// heal runs between two batches.
func (b *batch) heal(cs []*change.Change) (sound []change.ID) {
	in := b.in
	var done Applied
	for _, c := range cs {
		// A member was proven before, by itself or by a descendant.
		ev := rules.ByDescendant
		if keys.Verify(c.Head.Author, c.ID.Preimage(), c.Head.Sig[:]) {
			ev = rules.OwnSignature
		}
		v, err := in.cfg.Judge.Check(c, ev, in.cfg.Log)
		if err != nil {
			in.cfg.Logger.Debug("copy not taken to heal", "change", c.ID.String(), "err", err)
			continue
		}
		if err := in.cfg.Log.Heal(b.ctx, v); err != nil {
			if !errors.Is(err, crdtlog.ErrNotFound) {
				in.cfg.Logger.Warn("change not healed", "change", c.ID.String(), "err", err)
			}
			continue
		}
		rec, err := in.cfg.Log.Read(b.ctx, v.Set(), recon.Item{HLC: c.Head.HLC, ID: c.ID})
		if err != nil {
			continue
		}
		sound = append(sound, c.ID)
		done.Changes = append(done.Changes, Arrival{Change: rec.Change, Set: rec.Set, Seq: rec.Seq})
		done.add(c.ID, in.cfg.Views.Apply(rec.Change))
	}
	if in.cfg.Applied != nil && len(done.Changes) > 0 {
		in.cfg.Applied(done)
	}
	return sound
}
