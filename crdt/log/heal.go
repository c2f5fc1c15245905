package log

import (
	"context"
	"errors"
	"fmt"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/crdt/rules"
)

var errNeedsBody = errors.New("healing it takes a copy with its body")

// Heal writes the damaged records of a member anew, from a good copy that a peer
// sent and rules checked. Sound records stay as they are, a held member stays
// held and a purged one purged. ErrNotFound when v is no member.
func (l *Log) Heal(ctx context.Context, v rules.Verified) error {
	if v.Change() == nil {
		return fmt.Errorf("heal: %w", ErrNotFound)
	}
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := l.heal(ctx, v); err != nil {
		return fmt.Errorf("heal %s: %w", v.Change().ID, err)
	}
	return nil
}

// heal needs l.writing.
func (l *Log) heal(ctx context.Context, v rules.Verified) error {
	if err := l.settle(ctx); err != nil {
		return err
	}
	c := v.Change()
	p := place{set: v.Set(), item: recon.Item{HLC: c.Head.HLC, ID: c.ID}}
	if !l.has(p.set, p.item) {
		return ErrNotFound
	}
	w, err := l.begin(ctx)
	if err != nil {
		return err
	}
	_, h, err := l.readHead(ctx, p)
	if errors.Is(err, ErrDamaged) {
		h = headRecord{own: v.OwnSignature(), raw: c.RawHead}
		h.seq, err = l.seqOf(ctx, c.ID)
		w.putHead(p.set, p.item, h)
	}
	if err != nil {
		return err
	}
	p.seq = h.seq
	w.putPlace(p)

	_, err = l.readBody(ctx, p, c)
	if errors.Is(err, ErrDamaged) {
		var b bodyRecord
		if b, err = l.inferBody(ctx, v); err == nil {
			w.putBody(p.set, p.item, b)
		}
	}
	if err != nil {
		return err
	}
	key := keyOf(c.Head.Chain())
	w.putNote(key.member(c.Head.Seq, c.ID), "")
	if err := l.healTip(ctx, w, key); err != nil {
		return err
	}
	return w.commit(ctx)
}

// seqOf finds the local sequence of a member whose head is damaged: by the index
// of ids or, when that is damaged too, by looking at all of them.
func (l *Log) seqOf(ctx context.Context, id change.ID) (seq uint64, err error) {
	if p, err := l.locate(ctx, id); err == nil {
		return p.seq, nil
	}
	err = l.engine.Scan(ctx, prefixSeq, after(prefixSeq), func(key string, value []byte) error {
		if p, err := decodePlace(key, value); err == nil && p.item.ID == id {
			seq = p.seq
			return errStop
		}
		return nil
	})
	switch {
	case errors.Is(err, errStop):
		return seq, nil
	case err == nil:
		err = &DamageError{ID: id, Part: "sequence", Err: errAbsent}
	}
	return 0, err
}

// inferBody tells from the lists what the damaged body record of v was. It does
// not change the counts: what is on no list was there or had failed its row, and
// the same body fails it again.
func (l *Log) inferBody(ctx context.Context, v rules.Verified) (bodyRecord, error) {
	c := v.Change()
	held, _, err := l.note(ctx, prefixHeld, c.ID)
	if err != nil {
		return bodyRecord{}, err
	}
	why, purged, err := l.note(ctx, prefixPurge, c.ID)
	if err != nil {
		return bodyRecord{}, err
	}
	_, wanted, err := l.note(ctx, prefixWant, c.ID)
	if err != nil {
		return bodyRecord{}, err
	}
	b := bodyRecord{held: held}
	switch {
	case purged:
		b.state, b.reason = Purged, why
	case wanted:
		b.state = Missing
	case v.Row() != "":
		b.state, b.reason = RowFailed, v.Row()
	case c.IsStub():
		return b, errNeedsBody
	default:
		b.body = c.Body
	}
	return b, nil
}

// note reads the entry of id in a list. One that is damaged still says that id
// is on the list, with the code internal.
func (l *Log) note(ctx context.Context, prefix string, id change.ID) (code reason.Code, found bool, err error) {
	key := idKey(prefix, id)
	v, err := l.get(ctx, key)
	if errors.Is(err, errAbsent) {
		return "", false, nil
	}
	if err != nil {
		return "", false, damage(place{item: recon.Item{ID: id}}, "list", err)
	}
	text, err := unseal(key, v)
	if err != nil {
		return reason.Internal, true, nil
	}
	return reason.Code(text), true, nil
}

// healTip finds the end of a chain anew when its record is damaged.
func (l *Log) healTip(ctx context.Context, w *writer, k chainKey) error {
	if _, err := l.readTip(ctx, k); !errors.Is(err, ErrDamaged) {
		return err
	}
	var ids []change.ID // members in order of their places
	prefix := prefixChain + string(k[:])
	err := l.engine.Scan(ctx, prefix, after(prefix), func(key string, _ []byte) error {
		id, err := change.ID{}, error(nil)
		if len(key) > len(prefix)+seqChars {
			id, err = idOf(key[:len(prefix)+seqChars], key)
		}
		if err == nil {
			ids = append(ids, id)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var t tip
	for _, id := range ids {
		c, err := l.Member(id)
		switch {
		case errors.Is(err, ErrDamaged) || err == nil && c == nil:
			continue
		case err != nil:
			return err
		case c.Head.Seq <= t.seq:
			t.forked = true
		default:
			t.id, t.seq, t.hlc = id, c.Head.Seq, c.Head.HLC
		}
	}
	w.putTip(k, t)
	return nil
}
