package log

import (
	"context"
	"errors"
	"fmt"

	ds "github.com/ipfs/go-datastore"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/crdt/recon"
)

// records are what the engine stores of members, one by one: each is checked when it
// is read, and what is damaged is noted.
type records struct {
	*roster
	engine  Engine
	shards  int
	damaged register
}

// get reads a value; errAbsent when there is none.
func (l *records) get(ctx context.Context, key string) ([]byte, error) {
	v, err := l.engine.Get(ctx, ds.RawKey(key))
	if errors.Is(err, ds.ErrNotFound) {
		return nil, errAbsent
	}
	return v, err
}

// damage makes what went wrong with a record a DamageError, if damage it is and
// not a failure to read at all.
func (l *records) damage(p place, part string, err error) error {
	bad := engine.IsCorrupt(err)
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

// locate finds the place of a member; ErrNotFound when id is none. Where the index
// cannot be read memory knows who is a member, so that a stranger's change has the
// same verdict here as at nodes that can read theirs.
func (l *records) locate(ctx context.Context, id change.ID) (place, error) {
	p, err := l.indexed(ctx, id)
	if errors.Is(err, ErrDamaged) && len(l.BySet([]change.ID{id})) == 0 {
		return place{}, fmt.Errorf("find %s: %w", id, ErrNotFound)
	}
	return p, err
}

func (l *records) indexed(ctx context.Context, id change.ID) (place, error) {
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
func (l *records) readSeq(ctx context.Context, seq uint64) (place, error) {
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
func (l *records) readHead(ctx context.Context, p place) (*change.Change, headRecord, error) {
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
func (l *records) readBody(ctx context.Context, p place, c *change.Change) (bodyRecord, error) {
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
func (l *records) read(ctx context.Context, p place) (Record, error) {
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

// readState reads the log's own record; an empty engine has the zero state.
func (l *records) readState(ctx context.Context) (state, error) {
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
