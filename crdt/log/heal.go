package log

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/log/engine"
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

	b, err := l.readBody(ctx, p, c)
	if errors.Is(err, ErrDamaged) {
		if b, err = l.inferBody(ctx, v); err == nil {
			w.putBody(p.set, p.item, b)
		}
	}
	if err != nil {
		return err
	}
	// The lists too, also where they have no entry: what is not there cannot be known
	// from what cannot be read, in a damaged block.
	w.list(prefixWant, c.ID, true, b.state == Missing, "")
	w.list(prefixHeld, c.ID, true, b.held != "", string(b.held))
	w.list(prefixPurge, c.ID, true, b.state == Purged, string(b.reason))
	key := keyOf(c.Head.Chain())
	w.putNote(key.member(c.Head.Seq, c.ID), "")
	if err := l.healTip(ctx, w, key, c.Head, c.ID); err != nil {
		return err
	}
	w.delete(idKey(prefixAdrift, c.ID))
	if err := w.commit(ctx); err != nil {
		return err
	}
	l.tips.clear()
	l.damaged.forget(c.ID)
	return l.findAdrift(ctx)
}

// seqOf finds the local sequence of a member whose head is damaged: by the index
// of ids or, when that is damaged too, by looking at all of them. Where none has
// it, it is one that nobody has.
func (l *records) seqOf(ctx context.Context, id change.ID) (seq uint64, err error) {
	if p, err := l.locate(ctx, id); err == nil {
		return p.seq, nil
	}
	claimed := map[uint64]bool{}
	for _, prefix := range []string{prefixSeq, prefixID} {
		err = engine.ScanSound(ctx, l.engine, prefix, after(prefix), func(key string, value []byte) error {
			p, err := decodePlace(key, value)
			if err != nil {
				return nil
			}
			if p.item.ID == id {
				seq = p.seq
				return errStop
			}
			claimed[p.seq] = true
			return nil
		}, func(engine.Gap) {})
		if errors.Is(err, errStop) {
			return seq, nil
		}
		if err != nil {
			return 0, err
		}
	}
	for seq := uint64(1); seq <= l.LastSeq(); seq++ {
		if !claimed[seq] { // whichever of those that were lost it had
			return seq, nil
		}
	}
	return 0, &DamageError{ID: id, Part: "sequence", Err: errAbsent}
}

// inferBody infers from the lists what the damaged body record of v was. It does
// not change the counts: what is on no list was there or had failed its row, and
// the same body fails it again.
func (l *records) inferBody(ctx context.Context, v rules.Verified) (bodyRecord, error) {
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
func (l *records) note(ctx context.Context, prefix string, id change.ID) (code reason.Code, found bool, err error) {
	key := idKey(prefix, id)
	v, err := l.get(ctx, key)
	if errors.Is(err, errAbsent) || engine.IsCorrupt(err) && (prefix != prefixPurge || l.Counts().Purged == 0) {
		return "", false, nil // admission judges again what it held; what was purged must stay so
	}
	if err != nil {
		return "", false, l.damage(place{item: recon.Item{ID: id}}, "list", err)
	}
	text, err := unseal(key, v)
	if err != nil {
		return reason.Internal, true, nil
	}
	return reason.Code(text), true, nil
}

// healTip finds the end of a chain anew when its record is damaged.
func (l *chains) healTip(ctx context.Context, w *writer, k chainKey, h *change.Head, id change.ID) error {
	t, err := l.readTip(ctx, k)
	damaged := errors.Is(err, ErrDamaged)
	if damaged {
		var unsure bool
		t, unsure, err = l.chainTip(ctx, k)
		t.unsure = unsure
	}
	if err != nil {
		return err
	}
	if h.Seq > t.seq {
		t, damaged = tip{id: id, seq: h.Seq, hlc: h.HLC, forked: t.forked, unsure: true}, true
	}
	if !t.forked { // a store that was written anew forgets a fork of which one side was lost
		ids, err := l.At(ctx, h.Chain(), h.Seq)
		if err != nil && !errors.Is(err, ErrDamaged) {
			return err
		}
		if slices.ContainsFunc(ids, func(other change.ID) bool { return other != id }) {
			t.forked, damaged = true, true
		}
	}
	if damaged {
		w.putTip(k, t)
	}
	return nil
}

// chainTip finds the end of a chain by its places. unsure says that some of
// these cannot be read.
func (l *chains) chainTip(ctx context.Context, k chainKey) (t tip, unsure bool, err error) {
	prefix := prefixChain + string(k[:])
	var end change.ID
	err = engine.ScanSound(ctx, l.engine, prefix, after(prefix), func(key string, _ []byte) error {
		seq, id, err := decodeSpot(key)
		if err != nil {
			return nil
		}
		switch {
		case seq > t.seq:
			t.seq, t.id, end = seq, id, id
		case seq == t.seq:
			t.forked = true
		}
		return nil
	}, func(engine.Gap) { unsure = true })
	if err != nil || t.seq == 0 {
		return t, unsure, err
	}
	if p, err := l.locate(ctx, end); err == nil {
		t.hlc = p.item.HLC
	} else if c, err := l.Member(end); err == nil && c != nil {
		t.hlc = c.Head.HLC
	} else {
		unsure = true
	}
	return t, unsure, nil
}

// decodeSpot reads the place and the id from a key of prefixChain.
func decodeSpot(key string) (seq uint64, id change.ID, err error) {
	rest := strings.TrimPrefix(key, prefixChain)
	if len(rest) <= chainChars+seqChars {
		return 0, id, errShort
	}
	raw, err := ordered.DecodeString(rest[chainChars : chainChars+seqChars])
	if err != nil {
		return 0, id, err
	}
	if len(raw) != 8 {
		return 0, id, errShort
	}
	id, err = idOf(prefixChain+rest[:chainChars+seqChars], key)
	return binary.BigEndian.Uint64(raw), id, err
}
