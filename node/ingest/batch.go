package ingest

import (
	"context"
	"errors"
	"slices"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/rules"
)

// batch collects what one sync makes durable. It answers as the past for the
// changes checked after those it holds.
type batch struct {
	ctx      context.Context
	in       *Ingest
	verified []rules.Verified
	local    map[change.ID]bool
	pending  map[change.ID]*change.Change
	tips     map[change.Chain]*change.Change
	marks    []crdtlog.Mark
	bodies   []*change.Change // stubs in the log whose body came
	after    []func(seq map[change.ID]uint64)
	quiet    []func() // run between this batch and the next
}

func newBatch(ctx context.Context, in *Ingest) *batch {
	return &batch{
		ctx: ctx, in: in, local: map[change.ID]bool{}, pending: map[change.ID]*change.Change{},
		tips: map[change.Chain]*change.Change{},
	}
}

// try runs one request; what it added is taken back when it refuses.
func (b *batch) try(run func(*batch) error) error {
	n, m, bodies, after := len(b.verified), len(b.marks), len(b.bodies), len(b.after)
	err := run(b)
	if err == nil {
		return nil
	}
	for _, v := range b.verified[n:] {
		c := v.Change()
		delete(b.pending, c.ID)
		delete(b.local, c.ID)
		delete(b.tips, c.Head.Chain())
	}
	b.verified, b.marks, b.bodies, b.after = b.verified[:n], b.marks[:m], b.bodies[:bodies], b.after[:after]
	// A tip that was overwritten by the refused request is found again among
	// the changes that stay.
	for _, v := range b.verified {
		b.remember(v.Change())
	}
	return err
}

// Member makes the batch the past of what comes next in it.
func (b *batch) Member(id change.ID) (*change.Change, error) {
	if c := b.pending[id]; c != nil {
		return c, nil
	}
	return b.in.cfg.Log.Member(id)
}

// check judges c and adds it when it is a member.
func (b *batch) check(c *change.Change, ev rules.Evidence) (rules.Verified, error) {
	v, err := b.in.cfg.Judge.Check(c, ev, b)
	if err != nil {
		return v, err
	}
	b.verified = append(b.verified, v)
	b.pending[c.ID] = c
	b.remember(c)
	return v, nil
}

func (b *batch) remember(c *change.Change) {
	key := c.Head.Chain()
	if t := b.tips[key]; t == nil || t.Head.Seq < c.Head.Seq {
		b.tips[key] = c
	}
}

// tip is the newest change of a chain of ours.
func (b *batch) tip(key change.Chain) (id change.ID, seq, hlc uint64, err error) {
	if t := b.tips[key]; t != nil {
		return t.ID, t.Head.Seq, t.Head.HLC, nil
	}
	id, seq, hlc, forked, err := b.in.cfg.Log.Tip(b.ctx, key)
	if err != nil {
		return id, 0, 0, err
	}
	if forked {
		return id, 0, 0, reason.Refuse(reason.ForkedAuthor, "the chain of this key in %s is forked", key.Space)
	}
	return id, seq, hlc, nil
}

// flush makes the batch durable, folds it and announces it.
func (b *batch) flush() error {
	in := b.in
	var done Applied
	seqs := map[change.ID]uint64{}
	if len(b.verified) > 0 || len(b.marks) > 0 {
		results, err := in.cfg.Log.Append(b.ctx, b.verified, b.marks...)
		if err != nil {
			return in.fault(err)
		}
		in.readOnly.Store(false)
		b.found(&done, results)
		for i, v := range b.verified {
			seqs[v.Change().ID] = results[i].Seq
			if !results[i].New {
				continue
			}
			c := v.Change()
			done.Changes = append(done.Changes, Arrival{c, v.Set(), results[i].Seq, b.local[c.ID]})
			done.Deltas = append(done.Deltas, in.cfg.Views.Apply(c)...)
		}
	}
	for _, c := range b.bodies {
		if n, ds, ok := b.takeBody(c); ok {
			done.Changes = append(done.Changes, n)
			done.Deltas = append(done.Deltas, ds...)
		}
	}
	for _, f := range b.after {
		f(seqs)
	}
	in.folded = in.cfg.Log.LastSeq()
	if in.cfg.Applied != nil && len(done.Changes) > 0 {
		in.cfg.Applied(done)
	}
	for _, f := range b.quiet {
		f()
	}
	return nil
}

// found folds what an earlier batch left on disk although its Append failed: the
// log takes it in before it does its own work.
func (b *batch) found(done *Applied, results []crdtlog.Appended) {
	in, first := b.in, uint64(0)
	for _, r := range results {
		if r.New && (first == 0 || r.Seq < first) {
			first = r.Seq
		}
	}
	if first == 0 || first == in.folded+1 {
		return
	}
	recs, err := in.cfg.Log.Since(b.ctx, in.folded, int(first-in.folded-1))
	if err != nil {
		in.cfg.Logger.Error("changes of a failed batch not folded; restart to replay them", "err", err)
		return
	}
	for _, r := range recs {
		if r.Seq >= first {
			return
		}
		done.Changes = append(done.Changes, Arrival{Change: r.Change, Set: r.Set, Seq: r.Seq})
		done.Deltas = append(done.Deltas, in.cfg.Views.Apply(r.Change)...)
	}
}

// takeBody gives a stub its body, which was checked against the head by Decode.
func (b *batch) takeBody(c *change.Change) (n Arrival, ds []fold.Delta, ok bool) {
	rec, err := b.in.cfg.Log.PutBody(b.ctx, c.ID, c.Body, reason.Of(rules.Row(c)))
	if err != nil {
		if !errors.Is(err, crdtlog.ErrNotFound) {
			b.in.cfg.Logger.Warn("body not stored", "change", c.ID.String(), "err", err)
		}
		return n, nil, false
	}
	if rec.State != crdtlog.Present {
		return n, nil, false
	}
	return Arrival{rec.Change, rec.Set, rec.Seq, false}, b.in.cfg.Views.Apply(rec.Change), true
}

// inOrder sorts changes by (hlc, id), in which every change comes after its past.
func inOrder(cs []*change.Change) []*change.Change {
	if slices.IsSortedFunc(cs, (*change.Change).Compare) {
		return cs
	}
	cs = slices.Clone(cs)
	slices.SortFunc(cs, (*change.Change).Compare)
	return cs
}
