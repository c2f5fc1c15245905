package log

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/crdt/recon"
)

// reader reads whole records: by id, by place in a set, and in order of arrival.
type reader struct {
	*roster
	*records
}

// Get returns a member; ErrNotFound when id is none.
func (l *reader) Get(ctx context.Context, id change.ID) (Record, error) {
	p, err := l.locate(ctx, id)
	if err != nil {
		return Record{}, err
	}
	return l.read(ctx, p)
}

// Body returns the body of a member: ErrNotFound when it is not here, ErrPurged
// when it never will be.
func (l *reader) Body(ctx context.Context, id change.ID) ([]byte, error) {
	r, err := l.Get(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case r.State == Purged:
		return nil, fmt.Errorf("read body of %s: %w", id, ErrPurged)
	case r.State != Present:
		return nil, fmt.Errorf("read body of %s, which is %s: %w", id, r.State, ErrNotFound)
	}
	return r.Change.Body, nil
}

// Resolve finds the member of set whose id begins with prefix, of 16 bytes, as
// sketches know ids. Of several, which would take 2^64 work to make, it finds
// the smallest.
func (l *reader) Resolve(ctx context.Context, set string, prefix []byte) (id change.ID, ok bool, err error) {
	if len(prefix) != 16 {
		return id, false, fmt.Errorf("resolve: prefix of %d bytes: %w", len(prefix), change.ErrID)
	}
	var low, high change.ID
	copy(low[:], prefix)
	copy(high[:], prefix)
	copy(high[16:], bytes.Repeat([]byte{0xff}, 16))
	err = l.engine.Scan(ctx, idKey(prefixID, low), after(idKey(prefixID, high)), func(key string, value []byte) error {
		p, err := decodePlace(key, value)
		if err != nil {
			bad, _ := idOf(prefixID, key)
			return &DamageError{ID: bad, Part: "id index", Err: err}
		}
		if p.set == set && l.has(set, p.item) {
			id, ok = p.item.ID, true
			return errStop
		}
		return nil
	})
	if errors.Is(err, errStop) {
		err = nil
	}
	if engine.IsCorrupt(err) && !errors.Is(err, ErrDamaged) {
		err = l.damage(place{}, "id index", err)
	}
	return id, ok, err
}

var errStop = errors.New("found")

// Since returns up to max records that follow the local sequence seq, in order
// of arrival. Damaged ones are left out: Damaged counts them, and Verify names
// them. So none means that no sound one follows.
func (l *reader) Since(ctx context.Context, seq uint64, max int) ([]Record, error) {
	var out []Record
	for last := l.LastSeq(); seq < last && len(out) < max; {
		seq++
		p, err := l.readSeq(ctx, seq)
		if err == nil {
			var r Record
			if r, err = l.read(ctx, p); err == nil {
				out = append(out, r)
			}
		}
		if err := l.passOver(ctx, err); err != nil {
			return out, err
		}
	}
	return out, nil
}

// passOver is err, or nil when it is a damage that the reader of many may leave
// out. A reader that is asked to stop does.
func (l *reader) passOver(ctx context.Context, err error) error {
	if errors.Is(err, ErrDamaged) {
		return ctx.Err()
	}
	return err
}

// Selection says which records SinceOf returns. It stops at the first of its
// bounds, but gives at least one record while it finds one.
type Selection struct {
	Most  int // records
	Bytes int // of heads and bodies
	Scan  int // heads looked at
	Keep  func(*change.Head) bool
}

// SinceOf returns the records that follow the local sequence seq and are of the
// selection, in order of arrival, and the sequence up to which it looked. Of the
// others it reads the head alone. Damaged ones are left out.
func (l *reader) SinceOf(ctx context.Context, seq uint64, s Selection) (out []Record, reached uint64, err error) {
	size := 0
	for last := l.LastSeq(); seq < last && len(out) < s.Most && s.Scan > 0; s.Scan-- {
		r, keep, err := l.selected(ctx, seq+1, s.Keep)
		if err := l.passOver(ctx, err); err != nil {
			return out, seq, err
		}
		if keep {
			if size += len(r.Change.RawHead) + len(r.Change.Body); size > s.Bytes && len(out) > 0 {
				return out, seq, nil
			}
			out = append(out, r)
		}
		seq++
	}
	return out, seq, nil
}

// selected reads the record at a local sequence when keep wants its head.
func (l *reader) selected(ctx context.Context, seq uint64, keep func(*change.Head) bool) (r Record, ok bool, err error) {
	p, err := l.readSeq(ctx, seq)
	if err != nil {
		return r, false, err
	}
	c, _, err := l.readHead(ctx, p)
	if err != nil || !keep(c.Head) {
		return r, false, err
	}
	r, err = l.read(ctx, p)
	return r, err == nil, err
}

// Range returns the records of set that follow after in (hlc, id) order, up to
// max of them and maxBytes of heads and bodies, but at least one while there is
// one. The zero Item starts at the beginning. Damaged ones are left out.
func (l *reader) Range(ctx context.Context, set string, after recon.Item, max int, maxBytes int) ([]Record, error) {
	s := l.Set(set)
	if s == nil {
		return nil, nil
	}
	var out []Record
	size := 0
	for len(out) < max {
		items := s.After(after, min(max-len(out), 256))
		if len(items) == 0 {
			break
		}
		for _, it := range items {
			r, err := l.read(ctx, place{set: set, item: it})
			after = it
			if errors.Is(err, ErrDamaged) && ctx.Err() == nil {
				continue
			}
			if err != nil {
				return out, err
			}
			size += len(r.Change.RawHead) + len(r.Change.Body)
			if size > maxBytes && len(out) > 0 {
				return out, nil
			}
			out = append(out, r)
		}
	}
	return out, nil
}

// Read returns the member of a set that stands at item, without the index of
// ids; ErrNotFound when there is none.
func (l *reader) Read(ctx context.Context, set string, item recon.Item) (Record, error) {
	if !l.has(set, item) {
		return Record{}, fmt.Errorf("find %s: %w", change.ID(item.ID), ErrNotFound)
	}
	return l.read(ctx, place{set: set, item: item})
}

// ReadHead is Read without the body, for when that is damaged: the record says
// Missing.
func (l *reader) ReadHead(ctx context.Context, set string, item recon.Item) (Record, error) {
	if !l.has(set, item) {
		return Record{}, fmt.Errorf("find %s: %w", change.ID(item.ID), ErrNotFound)
	}
	c, h, err := l.readHead(ctx, place{set: set, item: item})
	if err != nil {
		return Record{}, err
	}
	return Record{Change: c, Set: set, Seq: h.seq, Own: h.own, State: Missing}, nil
}

// Stubs returns up to max ids whose body is wanted, in order of the ids.
func (l *reader) Stubs(ctx context.Context, max int) ([]change.ID, error) {
	return l.listed(ctx, prefixWant, max)
}

// Wanted returns up to max ids of Stubs that admission does not withhold, of the
// first maxWanted.
func (l *reader) Wanted(ctx context.Context, max int) ([]change.ID, error) {
	ids, err := l.Stubs(ctx, maxWanted)
	out := ids[:0]
	for _, id := range ids {
		if len(out) >= max {
			break
		}
		if _, held, err := l.note(ctx, prefixHeld, id); err == nil && !held {
			out = append(out, id)
		}
	}
	return out, err
}

// HeldIDs returns up to max ids that admission withholds, in order of the ids.
func (l *reader) HeldIDs(ctx context.Context, max int) ([]change.ID, error) {
	return l.listed(ctx, prefixHeld, max)
}

func (l *reader) listed(ctx context.Context, prefix string, max int) ([]change.ID, error) {
	var ids []change.ID
	err := l.engine.Scan(ctx, prefix, after(prefix), func(key string, value []byte) error {
		if len(ids) >= max {
			return errStop
		}
		id, err := idOf(prefix, key)
		if err == nil {
			_, err = unseal(key, value)
		}
		if err != nil {
			return &DamageError{ID: id, Part: "list", Err: err}
		}
		ids = append(ids, id)
		return nil
	})
	if engine.IsCorrupt(err) && !errors.Is(err, ErrDamaged) {
		err = l.damage(place{}, "list", err)
	}
	if err != nil && !errors.Is(err, errStop) {
		return ids, err
	}
	return ids, nil
}
