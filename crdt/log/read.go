package log

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	ds "github.com/ipfs/go-datastore"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/crdt/rules"
)

var _ rules.Past = (*Log)(nil)

// Member returns a member for those who judge others by it, nil when id is none.
// Its body is there for control kinds only. Recent ones and those of control
// kinds come from memory; the change is shared and read-only.
func (l *Log) Member(id change.ID) (*change.Change, error) {
	if c, ok := l.control.get(id); ok {
		return c, nil
	}
	if c, ok := l.members.get(id); ok {
		return c, nil
	}
	ctx := context.Background()
	p, err := l.locate(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c, _, err := l.readHead(ctx, p)
	if err != nil {
		return nil, err
	}
	if change.LaneOf(c.Head.Kind) == change.Control {
		b, err := l.readBody(ctx, p, c)
		if err != nil {
			return nil, err
		}
		if b.state != Present {
			return nil, &DamageError{ID: id, Seq: p.seq, Part: "body", Err: errAbsent}
		}
		c.Body = b.body
	}
	l.remember(c)
	return c, nil
}

// Get returns a member; ErrNotFound when id is none.
func (l *Log) Get(ctx context.Context, id change.ID) (Record, error) {
	p, err := l.locate(ctx, id)
	if err != nil {
		return Record{}, err
	}
	return l.read(ctx, p)
}

// Body returns the body of a member: ErrNotFound when it is not here, ErrPurged
// when it never will be.
func (l *Log) Body(ctx context.Context, id change.ID) ([]byte, error) {
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
func (l *Log) Resolve(ctx context.Context, set string, prefix []byte) (id change.ID, ok bool, err error) {
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
	if IsCorrupt(err) && !errors.Is(err, ErrDamaged) {
		err = l.damage(place{}, "id index", err)
	}
	return id, ok, err
}

var errStop = errors.New("found")

// Since returns up to max records that follow the local sequence seq, in order
// of arrival. Damaged ones are left out: Damaged counts them, and Verify names
// them. So none means that no sound one follows.
func (l *Log) Since(ctx context.Context, seq uint64, max int) ([]Record, error) {
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
// out. A reader that is told to stop does.
func (l *Log) passOver(ctx context.Context, err error) error {
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
func (l *Log) SinceOf(ctx context.Context, seq uint64, s Selection) (out []Record, reached uint64, err error) {
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
func (l *Log) selected(ctx context.Context, seq uint64, keep func(*change.Head) bool) (r Record, ok bool, err error) {
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
func (l *Log) Range(ctx context.Context, set string, after recon.Item, max int, maxBytes int) ([]Record, error) {
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
func (l *Log) Read(ctx context.Context, set string, item recon.Item) (Record, error) {
	if !l.has(set, item) {
		return Record{}, fmt.Errorf("find %s: %w", change.ID(item.ID), ErrNotFound)
	}
	return l.read(ctx, place{set: set, item: item})
}

// ReadHead is Read without the body, for when that is damaged: the record says
// Missing.
func (l *Log) ReadHead(ctx context.Context, set string, item recon.Item) (Record, error) {
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
func (l *Log) Stubs(ctx context.Context, max int) ([]change.ID, error) {
	return l.listed(ctx, prefixWant, max)
}

// Wanted returns up to max ids of Stubs that admission does not hold back, of the
// first maxWanted.
func (l *Log) Wanted(ctx context.Context, max int) ([]change.ID, error) {
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

// HeldIDs returns up to max ids that admission holds, in order of the ids.
func (l *Log) HeldIDs(ctx context.Context, max int) ([]change.ID, error) {
	return l.listed(ctx, prefixHeld, max)
}

func (l *Log) listed(ctx context.Context, prefix string, max int) ([]change.ID, error) {
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
	if IsCorrupt(err) && !errors.Is(err, ErrDamaged) {
		err = l.damage(place{}, "list", err)
	}
	if err != nil && !errors.Is(err, errStop) {
		return ids, err
	}
	return ids, nil
}

// get reads a value; errAbsent when there is none.
func (l *Log) get(ctx context.Context, key string) ([]byte, error) {
	v, err := l.engine.Get(ctx, ds.RawKey(key))
	if errors.Is(err, ds.ErrNotFound) {
		return nil, errAbsent
	}
	return v, err
}

// damage makes what went wrong with a record a DamageError, if damage it is and
// not a failure to read at all.
func (l *Log) damage(p place, part string, err error) error {
	bad := IsCorrupt(err)
	for _, d := range []error{errAbsent, errShort, errChecksum, errTrailing, errState, errMismatch} {
		bad = bad || errors.Is(err, d)
	}
	if !bad {
		return fmt.Errorf("read %s of change %s: %w", part, p.item.ID, err)
	}
	out := &DamageError{ID: p.item.ID, Seq: p.seq, Part: part, Err: err}
	id := p.item.ID
	if p.set == "" {
		id = change.ID{} // it may be no member at all
	}
	l.damaged.note(id, part, out)
	return out
}

var errMismatch = errors.New("record is not of this change")

// locate finds the place of a member; ErrNotFound when id is none.
func (l *Log) locate(ctx context.Context, id change.ID) (place, error) {
	want := place{item: recon.Item{ID: id}}
	key := idKey(prefixID, id)
	v, err := l.get(ctx, key)
	if errors.Is(err, errAbsent) {
		return place{}, fmt.Errorf("find %s: %w", id, ErrNotFound)
	}
	if err != nil {
		return place{}, l.damage(want, "id index", err)
	}
	p, err := decodePlace(key, v)
	if err == nil && p.item.ID != id {
		err = errMismatch
	}
	if err != nil {
		return place{}, l.damage(want, "id index", err)
	}
	if !l.has(p.set, p.item) {
		return place{}, fmt.Errorf("find %s: %w", id, ErrNotFound)
	}
	return p, nil
}

// readSeq finds the place of the member at a local sequence up to LastSeq.
func (l *Log) readSeq(ctx context.Context, seq uint64) (place, error) {
	key := seqKey(seq)
	v, err := l.get(ctx, key)
	if err != nil {
		return place{}, l.damage(place{seq: seq}, "sequence", err)
	}
	p, err := decodePlace(key, v)
	if err == nil && p.seq != seq {
		err = errMismatch
	}
	if err != nil {
		return place{}, l.damage(place{seq: seq}, "sequence", err)
	}
	return p, nil
}

// readHead reads and checks a head. p.seq may be 0 for unknown.
func (l *Log) readHead(ctx context.Context, p place) (*change.Change, headRecord, error) {
	key := itemKey(prefixHead, p.set, p.item)
	v, err := l.get(ctx, key)
	if err != nil {
		return nil, headRecord{}, l.damage(p, "head", err)
	}
	h, err := decodeHeadRecord(key, v)
	if err != nil {
		return nil, h, l.damage(p, "head", err)
	}
	c, err := change.Decode(h.raw, nil)
	if err != nil {
		return nil, h, l.damage(p, "head", fmt.Errorf("%w: %w", errMismatch, err))
	}
	if c.ID != p.item.ID || c.Head.HLC != p.item.HLC || p.seq != 0 && h.seq != p.seq ||
		change.SetOf(c.Head.Space, c.Head.Kind, l.shards) != p.set {
		return nil, h, l.damage(p, "head", errMismatch)
	}
	return c, h, nil
}

// readBody reads and checks the body record of c.
func (l *Log) readBody(ctx context.Context, p place, c *change.Change) (bodyRecord, error) {
	key := itemKey(prefixBody, p.set, p.item)
	v, err := l.get(ctx, key)
	if err != nil {
		return bodyRecord{}, l.damage(p, "body", err)
	}
	b, err := decodeBodyRecord(key, v)
	if err == nil && b.state == Present && c.CheckBody(b.body) != nil {
		err = errMismatch
	}
	if err != nil {
		return bodyRecord{}, l.damage(p, "body", err)
	}
	return b, nil
}

// read reads a whole record.
func (l *Log) read(ctx context.Context, p place) (Record, error) {
	c, h, err := l.readHead(ctx, p)
	if err != nil {
		return Record{}, err
	}
	p.seq = h.seq
	b, err := l.readBody(ctx, p, c)
	if err != nil {
		return Record{}, err
	}
	c.Body = b.body
	return Record{Change: c, Set: p.set, Seq: h.seq, Own: h.own, State: b.state, Reason: b.reason, Held: b.held}, nil
}

// readTip returns the end of a chain, the zero tip of an empty one.
func (l *Log) readTip(ctx context.Context, k chainKey) (tip, error) {
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
func (l *Log) soundTip(ctx context.Context, k chainKey) (t tip, unsure bool, err error) {
	t, err = l.readTip(ctx, k)
	if errors.Is(err, ErrDamaged) {
		if t, unsure, err = l.chainTip(ctx, k); err != nil {
			return t, unsure, err
		}
	}
	return t, err == nil && (unsure || l.hidesLater(t)), err
}

// hidesLater reports whether a member whose chain is not known may stand above t.
func (l *Log) hidesLater(t tip) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return (t.unsure || t.seq == 0) && l.adrift > t.hlc
}

// readState reads the log's own record; an empty engine has the zero state.
func (l *Log) readState(ctx context.Context) (state, error) {
	v, err := l.get(ctx, stateKey)
	if errors.Is(err, errAbsent) {
		return state{}, nil
	}
	if err != nil {
		return state{}, l.damage(place{}, "state", err)
	}
	version, shards, st, err := decodeState(v)
	if err != nil {
		return state{}, l.damage(place{}, "state", err)
	}
	if version != formatVersion || shards != uint64(l.shards) {
		return state{}, fmt.Errorf("%w: format %d with %d shards, want %d with %d", ErrFormat, version, shards, formatVersion, l.shards)
	}
	return st, nil
}
