package log

import (
	"context"
	"errors"
	"fmt"

	ds "github.com/ipfs/go-datastore"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/crdt/rules"
)

// Appended is the outcome of Append for one change.
type Appended struct {
	ID   change.ID
	Seq  uint64 // local sequence; of a known change, the one it has
	New  bool   // it was no member before
	Fork bool   // New, and another member has its place in its chain
}

// Append stores vs, with marks, as one fsynced batch: when it returns without an
// error, all of it is durable, and if the machine stops before, nothing is or
// all is. The answer is in the order of vs. A change must come after the one it
// continues (ErrOrder), in vs or in the log.
//
// A known change is left alone, with one exception: a copy whose own signature
// verifies takes the place of a stored one whose does not. The body for a known
// stub is for PutBody.
//
// After an error memory is as it was. The batch may still be on disk; the
// next write finds out and takes what is there into the log before it does its
// own work, so LastSeq may move by changes nobody was notified of: read them with
// Since. It keeps nothing of vs but immutable changes.
func (l *Log) Append(ctx context.Context, vs []rules.Verified, marks ...Mark) ([]Appended, error) {
	return l.AppendHeld(ctx, vs, nil, marks...)
}

// AppendHeld is Append for a batch of which admission withholds some: those in held
// that are new are stored as held, in the same batch.
func (l *Log) AppendHeld(ctx context.Context, vs []rules.Verified, held map[change.ID]reason.Code, marks ...Mark) ([]Appended, error) {
	if len(vs) > MaxAppend || len(marks) > MaxAppend {
		return nil, fmt.Errorf("append: %d changes: %w", max(len(vs), len(marks)), ErrTooMany)
	}
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := l.settle(ctx); err != nil {
		return nil, fmt.Errorf("append: %w", err)
	}
	w, err := l.begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("append: %w", err)
	}
	w.expect(vs)
	a := &appender{w: w, log: l, held: held, fresh: make(map[change.ID]headRecord, len(vs)), tips: map[chainKey]tip{}, taken: map[spot]bool{}}
	out := make([]Appended, len(vs))
	for i, v := range vs {
		if out[i], err = a.add(ctx, v); err != nil {
			return nil, fmt.Errorf("append change %d: %w", i, err)
		}
	}
	for k, t := range a.tips {
		w.putTip(k, t)
	}
	for _, m := range marks {
		if err := w.putMark(m); err != nil {
			return nil, fmt.Errorf("append: %w", err)
		}
	}
	if err := w.commit(ctx); err != nil {
		return nil, fmt.Errorf("append: %w", err)
	}
	for k, t := range a.tips {
		l.tips.put(k, t, 1)
	}
	for _, c := range a.cache {
		l.remember(c)
	}
	return out, nil
}

// appender adds changes to one batch.
type appender struct {
	w     *writer
	log   *Log
	held  map[change.ID]reason.Code
	fresh map[change.ID]headRecord // new in this batch, without their bytes
	tips  map[chainKey]tip         // chains that this batch moves
	taken map[spot]bool            // places that this batch fills
	cache []*change.Change
	chain change.Chain // the last one, and its key
	key   chainKey
}

// spot is a place of a chain.
type spot struct {
	chain chainKey
	seq   uint64
}

func (a *appender) add(ctx context.Context, v rules.Verified) (Appended, error) {
	c := v.Change()
	if c == nil {
		return Appended{}, fmt.Errorf("%w: a change that was not checked", ErrOrder)
	}
	item := recon.Item{HLC: c.Head.HLC, ID: c.ID}
	if h, ok := a.fresh[c.ID]; ok {
		if v.OwnSignature() && !h.own {
			h.own = true
			a.fresh[c.ID] = h
			a.replace(v, item, h.seq)
		}
		return Appended{ID: c.ID, Seq: h.seq}, nil
	}
	if a.log.has(v.Set(), item) {
		return a.known(ctx, v, item)
	}
	return a.insert(ctx, v, item)
}

// known answers for a member and takes the better copy of its head.
func (a *appender) known(ctx context.Context, v rules.Verified, item recon.Item) (Appended, error) {
	id := v.Change().ID
	_, h, err := a.log.readHead(ctx, place{set: v.Set(), item: item})
	if errors.Is(err, ErrDamaged) {
		p, err := a.log.locate(ctx, id)
		if err != nil && !errors.Is(err, ErrDamaged) {
			return Appended{}, err
		}
		return Appended{ID: id, Seq: p.seq}, nil // Heal mends it
	}
	if err != nil {
		return Appended{}, err
	}
	if v.OwnSignature() && !h.own {
		a.replace(v, item, h.seq)
	}
	return Appended{ID: id, Seq: h.seq}, nil
}

func (a *appender) replace(v rules.Verified, item recon.Item, seq uint64) {
	a.w.putHead(v.Set(), item, headRecord{own: true, seq: seq, raw: v.Change().RawHead})
	a.cache = append(a.cache, v.Change())
}

func (a *appender) insert(ctx context.Context, v rules.Verified, item recon.Item) (Appended, error) {
	c, w := v.Change(), a.w
	key := a.chainOf(c)
	t, err := a.tip(ctx, key)
	if err != nil {
		return Appended{}, err
	}
	if err := a.follows(ctx, c, t); err != nil {
		return Appended{}, err
	}
	// The places of a chain fill in order, since each change comes after its
	// prev. So a place at or below the tip is taken, and this is a fork, unless
	// what stood there was lost by damage and comes back.
	at := spot{key, c.Head.Seq}
	fork := false
	if c.Head.Seq > t.seq {
		t.id, t.seq, t.hlc = c.ID, c.Head.Seq, c.Head.HLC
	} else if fork, err = a.occupied(ctx, at, c.Head.Chain()); err != nil {
		return Appended{}, err
	}
	t.forked = t.forked || fork
	a.taken[at], a.tips[key] = true, t

	w.state.seq++
	p := place{set: v.Set(), item: item, seq: w.state.seq}
	h := headRecord{own: v.OwnSignature(), seq: p.seq, raw: c.RawHead}
	b := bodyRecord{body: c.Body, held: a.held[c.ID]}
	switch {
	case v.Row() != "":
		b.state, b.reason, b.body = RowFailed, v.Row(), nil
	case c.IsStub():
		b.state = Missing
	}
	if len(b.held) > maxCode {
		return Appended{}, fmt.Errorf("code of %d bytes: %w", len(b.held), ErrTooMany)
	}
	w.putHead(p.set, p.item, h)
	w.putBody(p.set, p.item, b)
	w.putPlace(p)
	w.putNote(key.member(c.Head.Seq, c.ID), "")
	w.index(c.ID, bodyRecord{}, b)
	w.state.counts.Members++
	w.added = append(w.added, p)
	h.raw = nil
	a.fresh[c.ID] = h
	a.cache = append(a.cache, c)
	return Appended{ID: c.ID, Seq: p.seq, New: true, Fork: fork}, nil
}

// occupied reports whether a member stands at a place, or may stand there.
func (a *appender) occupied(ctx context.Context, at spot, chain change.Chain) (bool, error) {
	if a.taken[at] {
		return true, nil
	}
	ids, err := a.log.At(ctx, chain, at.seq)
	if errors.Is(err, ErrDamaged) {
		return true, nil
	}
	return len(ids) > 0, err
}

// follows checks that c's prev is a member.
func (a *appender) follows(ctx context.Context, c *change.Change, t tip) error {
	prev := c.Head.Prev
	if c.Head.Seq == 1 || prev == t.id {
		return nil
	}
	if _, ok := a.fresh[prev]; ok {
		return nil
	}
	_, err := a.log.locate(ctx, prev)
	if errors.Is(err, ErrNotFound) {
		return fmt.Errorf("%w: %s after %s", ErrOrder, c.ID, prev)
	}
	if errors.Is(err, ErrDamaged) {
		return nil // the judge has seen it
	}
	return err
}

// chainOf is keyOf, which hashes, for runs of one chain.
func (a *appender) chainOf(c *change.Change) chainKey {
	if chain := c.Head.Chain(); chain != a.chain {
		a.chain, a.key = chain, keyOf(chain)
	}
	return a.key
}

func (a *appender) tip(ctx context.Context, key chainKey) (tip, error) {
	if t, ok := a.tips[key]; ok {
		return t, nil
	}
	t, _, err := a.log.soundTip(ctx, key)
	return t, err
}

// settle makes sure that memory is what is on disk, after a commit whose
// outcome is open. l.writing is held.
func (l *Log) settle(ctx context.Context) error {
	if !l.unsure {
		return nil
	}
	if err := l.engine.Sync(ctx, ds.NewKey("/")); err != nil {
		if engine.IsCorrupt(err) {
			err = l.damage(place{}, "files", err)
		}
		return fmt.Errorf("settle the last batch: %w", err)
	}
	st, err := l.readState(ctx)
	if err != nil {
		return fmt.Errorf("settle the last batch: %w", err)
	}
	l.tips.clear()
	if err := l.load(ctx, l.LastSeq(), st); err != nil {
		return fmt.Errorf("settle the last batch: %w", err)
	}
	l.unsure = false
	return nil
}

// Writable reports whether a write would be taken now; nil means yes. After an
// error of Append it also takes what that Append left on disk into the log. A
// node that went read-only on IsFull asks it now and then.
func (l *Log) Writable(ctx context.Context) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := l.settle(ctx); err != nil {
		return err
	}
	return l.engine.Sync(ctx, ds.NewKey("/"))
}
