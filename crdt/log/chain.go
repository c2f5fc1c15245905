package log

import (
	"context"
	"errors"
	"fmt"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/log/engine"
)

// chains are the members by author and place, and where each chain ends.
type chains struct {
	*roster
	*records
	*reader
	*recent
	tips *cache[chainKey, tip]
}

func newChains(members *roster, stored *records, whole *reader, used *recent) chains {
	return chains{members, stored, whole, used, newCache[chainKey, tip](tipsKept)}
}

// Tip returns the end of a chain, all zero when it has no member: what the next
// change of its author continues. forked says that the chain has a place with
// two members; of several ends of equal seq the tip is the one that came first.
// Where damage leaves open whether a later one was written, it is an ErrDamaged:
// who went on from here could fork the chain.
func (l *chains) Tip(ctx context.Context, chain change.Chain) (id change.ID, seq, hlc uint64, forked bool, err error) {
	t, unsure, err := l.soundTip(ctx, keyOf(chain))
	if err == nil && unsure {
		err = l.damage(place{}, "end of a chain", errAbsent)
	}
	if err != nil {
		return id, 0, 0, false, err
	}
	return t.id, t.seq, t.hlc, t.forked, nil
}

// At returns the members at one place of a chain in order of their ids, at most
// 4,096: none, one, or the branches of a fork.
func (l *chains) At(ctx context.Context, chain change.Chain, seq uint64) ([]change.ID, error) {
	prefix := keyOf(chain).at(seq)
	var ids []change.ID
	err := l.engine.Scan(ctx, prefix, after(prefix), func(key string, value []byte) error {
		if len(ids) >= maxTwins {
			return errStop
		}
		id, err := idOf(prefix, key)
		if err == nil {
			_, err = unseal(key, value)
		}
		if err != nil {
			return &DamageError{ID: id, Part: "chain index", Err: err}
		}
		ids = append(ids, id)
		return nil
	})
	if engine.IsCorrupt(err) {
		return ids, l.damage(place{}, "chain index", err)
	}
	if err != nil && !errors.Is(err, errStop) {
		return nil, err
	}
	return ids, nil
}

// Run returns what proves a head: the member itself when its own signature
// verifies, otherwise it and its descendants by prev up to the nearest one whose
// own signature does, at most change.MaxRun places later. Bodies are there where
// the log has them.
func (l *chains) Run(ctx context.Context, id change.ID) ([]*change.Change, error) {
	r, err := l.Get(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("find the run: %w", err)
	}
	// The chain may fork above id, so all branches are followed place by place.
	// from leads back from each to its parent.
	found := map[change.ID]*change.Change{id: r.Change}
	level := []Record{r}
	for range change.MaxRun + 1 {
		for _, m := range level {
			if m.Own {
				return trace(found, m.Change, id), nil
			}
		}
		if level, err = l.children(ctx, level); err != nil {
			return nil, fmt.Errorf("find the run: %w", err)
		}
		for _, m := range level {
			found[m.Change.ID] = m.Change
		}
	}
	return nil, &DamageError{ID: id, Seq: r.Seq, Part: "run", Err: errAbsent}
}

// children returns the members that continue those of level, which stand at one
// place of one chain.
func (l *chains) children(ctx context.Context, level []Record) ([]Record, error) {
	if len(level) == 0 {
		return nil, nil
	}
	parents := map[change.ID]bool{}
	for _, r := range level {
		parents[r.Change.ID] = true
	}
	h := level[0].Change.Head
	ids, err := l.At(ctx, h.Chain(), h.Seq+1)
	if err != nil {
		return nil, err
	}
	var out []Record
	for _, id := range ids {
		r, err := l.Get(ctx, id)
		if errors.Is(err, ErrNotFound) {
			continue // of a batch whose outcome is open
		}
		if err != nil {
			return nil, err
		}
		if parents[r.Change.Head.Prev] {
			out = append(out, r)
		}
	}
	return out, nil
}

// trace lists the way from id up to end.
func trace(found map[change.ID]*change.Change, end *change.Change, id change.ID) []*change.Change {
	n := int(end.Head.Seq-found[id].Head.Seq) + 1
	run := make([]*change.Change, n)
	for c := end; n > 0; c = found[c.Head.Prev] {
		n--
		run[n] = c
	}
	return run
}

// readTip returns the end of a chain, the zero tip of an empty one.
func (l *chains) readTip(ctx context.Context, k chainKey) (tip, error) {
	if t, ok := l.tips.get(k); ok {
		return t, nil
	}
	key := k.tip()
	v, err := l.get(ctx, key)
	if errors.Is(err, errAbsent) {
		return tip{}, nil
	}
	var t tip
	if err == nil {
		t, err = decodeTip(key, v)
	}
	if err != nil {
		return tip{}, l.damage(place{}, "tip", err)
	}
	return t, nil
}

// soundTip is readTip that finds the end of a chain by its places when its
// record is damaged. unsure says that there may be a later one: places cannot be
// read either, or the end was lost with other records.
func (l *chains) soundTip(ctx context.Context, k chainKey) (t tip, unsure bool, err error) {
	t, err = l.readTip(ctx, k)
	if errors.Is(err, ErrDamaged) {
		if t, unsure, err = l.chainTip(ctx, k); err != nil {
			return t, unsure, err
		}
	}
	return t, err == nil && (unsure || l.hidesLater(t)), err
}
