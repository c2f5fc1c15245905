package ingest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/crdt/rules"
)

// batch collects what one sync makes durable. It answers as the past for the
// changes checked after those it contains.
type batch struct {
	ctx      context.Context
	in       *Ingest
	verified []rules.Verified
	local    map[change.ID]bool
	from     map[change.ID]string      // who gave what is not local
	held     map[change.ID]reason.Code // what admission withholds of it, once it is asked
	late     map[change.ID]reason.Code // the same of control kinds, which are only not passed on
	pending  map[change.ID]*change.Change
	tips     map[change.Chain]*change.Change // newest of what is new to the log
	forked   map[change.Chain]bool           // two of these stand at one place
	marks    []crdtlog.Mark
	bodies   []*change.Change // stubs in the log whose body came
	after    []func(seq map[change.ID]uint64)
	quiet    []func() // run between this batch and the next
}

func newBatch(ctx context.Context, in *Ingest) *batch {
	return &batch{
		ctx: ctx, in: in, local: map[change.ID]bool{}, from: map[change.ID]string{}, held: map[change.ID]reason.Code{}, late: map[change.ID]reason.Code{}, pending: map[change.ID]*change.Change{},
		tips: map[change.Chain]*change.Change{}, forked: map[change.Chain]bool{},
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
		delete(b.from, c.ID)
	}
	taken := len(b.verified) > n
	b.verified, b.marks, b.bodies, b.after = b.verified[:n], b.marks[:m], b.bodies[:bodies], b.after[:after]
	if taken {
		// What the refused request did to the tips is found out from the changes
		// that stay.
		clear(b.tips)
		clear(b.forked)
		for _, v := range b.verified {
			b.remember(v)
		}
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
	b.remember(v)
	return v, nil
}

// remember moves the tip of v's chain, unless v is only a better copy of a
// change that the log has. The places of a chain fill in order, so one at or
// below the tip is taken.
func (b *batch) remember(v rules.Verified) {
	c := v.Change()
	if s := b.in.cfg.Log.Set(v.Set()); s != nil && s.Has(recon.Item{HLC: c.Head.HLC, ID: c.ID}) {
		return
	}
	key := c.Head.Chain()
	if t := b.tips[key]; t == nil || t.Head.Seq < c.Head.Seq {
		b.tips[key] = c
	} else {
		b.forked[key] = true
	}
}

// tip is the newest change of a chain of ours, in the log or in this batch.
func (b *batch) tip(key change.Chain) (id change.ID, seq, hlc uint64, err error) {
	id, seq, hlc, forked, err := b.in.cfg.Log.Tip(b.ctx, key)
	if err != nil && !errors.Is(err, crdtlog.ErrNotFound) {
		return id, 0, 0, fmt.Errorf("read the chain: %w", err)
	}
	if t := b.tips[key]; t != nil {
		forked = forked || b.forked[key] || t.Head.Seq <= seq
		id, seq, hlc = t.ID, t.Head.Seq, t.Head.HLC
	}
	// A root cannot rotate, and a fork takes nothing from a manifest: the newest is in force.
	if forked && key.Space != change.SpaceNet {
		refusal := reason.Refuse(reason.ForkedAuthor, "the chain of this key in %s is forked: it was signed twice, by a copy of this home or with the same key elsewhere", key.Space)
		refusal.Hint = "meshd id rotate (--as for another agent) keeps one branch and goes on under a new key"
		return id, 0, 0, refusal
	}
	return id, seq, hlc, nil
}

// flush makes the batch durable, folds it and announces it.
func (b *batch) flush() error {
	in := b.in
	var done Applied
	var results []crdtlog.Appended
	seqs := map[change.ID]uint64{}
	upto := in.cfg.Log.LastSeq()
	b.admit()
	if len(b.verified) > 0 || len(b.marks) > 0 {
		var err error
		if results, err = in.cfg.Log.AppendHeld(b.ctx, b.verified, b.held, b.marks...); err != nil {
			in.unsure = true
			return in.fault(err)
		}
		in.readOnly.Store(false)
	}
	b.found(&done, upto)
	for i, v := range b.verified {
		seqs[v.Change().ID] = results[i].Seq
		if !results[i].New {
			continue
		}
		runtime.Gosched() // as in check
		c := v.Change()
		done.Changes = append(done.Changes, Arrival{c, v.Set(), results[i].Seq, b.local[c.ID], b.held[c.ID], b.from[c.ID]})
		done.add(c.ID, in.cfg.Views.Apply(c))
		in.folded = results[i].Seq
	}
	for _, c := range b.bodies {
		if n, ds, ok := b.takeBody(c); ok {
			done.Changes = append(done.Changes, n)
			done.add(n.Change.ID, ds)
		}
	}
	for _, f := range b.after {
		f(seqs)
	}
	if in.cfg.Applied != nil && len(done.Changes) > 0 {
		in.cfg.Applied(done)
	}
	for _, f := range b.quiet {
		f()
	}
	return nil
}

// found folds what an earlier batch left on disk although its Append failed, up
// to a local sequence that the log had before this one. Only settling moves the
// log without the committer, and commit settles before it begins a batch.
func (b *batch) found(done *Applied, upto uint64) {
	in := b.in
	for in.folded < upto {
		recs, err := in.cfg.Log.Since(b.ctx, in.folded, int(min(upto-in.folded, maxBatch)))
		for _, r := range recs {
			done.Changes = append(done.Changes, Arrival{Change: r.Change, Set: r.Set, Seq: r.Seq})
			done.add(r.Change.ID, in.cfg.Views.Apply(r.Change))
			in.folded = r.Seq
		}
		if err != nil {
			in.cfg.Logger.Error("changes of a failed batch not folded; restart to replay them", "err", err)
		}
		if err != nil || len(recs) == 0 { // the rest is damaged
			in.folded = upto
		}
	}
}

// takeBody gives a stub its body, which was checked against the head by Decode,
// unless admission leaves it out.
func (b *batch) takeBody(c *change.Change) (n Arrival, ds []fold.Delta, ok bool) {
	held, stub := b.askAgain(c)
	if stub {
		return n, nil, false
	}
	row := reason.Of(b.in.cfg.Judge.Row(c, b))
	if row == reason.StoreDamaged || row == reason.Internal {
		return n, nil, false // nothing can be said of it now; it comes again
	}
	rec, err := b.in.cfg.Log.PutBody(b.ctx, c.ID, c.Body, row)
	if err != nil {
		if !errors.Is(err, crdtlog.ErrNotFound) {
			b.in.cfg.Logger.Warn("body not stored", "change", c.ID.String(), "err", err)
		}
		return n, nil, false
	}
	if rec.State != crdtlog.Present {
		return n, nil, false
	}
	return Arrival{Change: rec.Change, Set: rec.Set, Seq: rec.Seq, Held: held}, b.in.cfg.Views.Apply(rec.Change), true
}

// inOrder sorts changes by (hlc, id), in which every change comes after its past;
// copies of one change keep their order.
func inOrder(cs []*change.Change) []*change.Change {
	if slices.IsSortedFunc(cs, (*change.Change).Compare) {
		return cs
	}
	cs = slices.Clone(cs)
	slices.SortStableFunc(cs, (*change.Change).Compare)
	return cs
}
