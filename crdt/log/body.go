package log

import (
	"context"
	"errors"
	"fmt"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

// PutBody gives a stub its body. A body that is not the one the head names is
// refused (blob_mismatch), a purged id takes none (ErrPurged), and where the
// state is final already the call changes nothing. rowCode is what rules.Row
// says of the body: with a code the body is dropped and the code recorded. It
// returns the record as it is then.
func (l *Log) PutBody(ctx context.Context, id change.ID, body []byte, rowCode reason.Code) (Record, error) {
	var out Record
	err := l.update(ctx, id, func(r Record) (bodyRecord, error) {
		to := bodyRecord{state: r.State, reason: r.Reason, held: r.Held, body: r.Change.Body}
		out = r
		switch r.State {
		case Missing:
		case Purged:
			return to, ErrPurged
		default:
			return to, nil
		}
		if err := r.Change.CheckBody(body); err != nil {
			return to, err
		}
		if rowCode != "" {
			to.state, to.reason = RowFailed, rowCode
		} else {
			to.state, to.body = Present, body
			out.Change.Body = body // of a change that this call has decoded
		}
		out.State, out.Reason = to.state, to.reason
		return to, nil
	})
	if err != nil {
		return Record{}, fmt.Errorf("put body of %s: %w", id, err)
	}
	return out, nil
}

// Purge removes the body of a member for good: it keeps the head and why, and
// never takes the body again. A control change keeps its body (ErrControl). The
// bytes leave the store's files too, by the time it returns or as soon as the
// engine has deleted the old files; when that part failed, the error says so and
// a second Purge tries it again.
func (l *Log) Purge(ctx context.Context, id change.ID, why reason.Code) error {
	var p place
	err := l.update(ctx, id, func(r Record) (bodyRecord, error) {
		if change.LaneOf(r.Change.Head.Kind) == change.Control {
			return bodyRecord{}, ErrControl
		}
		p = place{set: r.Set, item: r.Item()}
		if r.State == Purged {
			why = r.Reason
		}
		return bodyRecord{state: Purged, reason: why, held: r.Held}, nil
	})
	if err != nil {
		return fmt.Errorf("purge %s: %w", id, err)
	}
	key := itemKey(prefixBody, p.set, p.item)
	if err := l.engine.Erase(ctx, key, after(key)); err != nil {
		return fmt.Errorf("purge %s: it is not served any more, but its bytes are still on disk: %w", id, err)
	}
	return nil
}

// Hold notes that admission holds a member back, and why: it is kept and counted
// like any other. A second Hold changes the code.
func (l *Log) Hold(ctx context.Context, id change.ID, code reason.Code) error {
	err := l.update(ctx, id, func(r Record) (bodyRecord, error) {
		return bodyRecord{state: r.State, reason: r.Reason, held: code, body: r.Change.Body}, nil
	})
	if err != nil {
		return fmt.Errorf("hold %s: %w", id, err)
	}
	return nil
}

// Release ends Hold. One that is not held stays as it is.
func (l *Log) Release(ctx context.Context, id change.ID) error {
	if err := l.Hold(ctx, id, ""); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	return nil
}

// update rewrites the body record of a member, in one durable batch, to what
// next makes of it.
func (l *Log) update(ctx context.Context, id change.ID, next func(Record) (bodyRecord, error)) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := l.settle(ctx); err != nil {
		return err
	}
	r, err := l.Get(ctx, id)
	if err != nil {
		return err
	}
	from := bodyRecord{state: r.State, reason: r.Reason, held: r.Held}
	to, err := next(r)
	if err != nil {
		return err
	}
	if len(to.reason) > maxCode || len(to.held) > maxCode {
		return fmt.Errorf("code of %d bytes: %w", max(len(to.reason), len(to.held)), ErrTooMany)
	}
	if to.state == from.state && to.reason == from.reason && to.held == from.held {
		return nil
	}
	w, err := l.begin(ctx)
	if err != nil {
		return err
	}
	w.putBody(r.Set, r.Item(), to)
	w.index(id, from, to)
	return w.commit(ctx)
}

// Mark is a pair that Append stores with its changes, in the same batch: what
// tells a repeated request from a new one after a crash.
type Mark struct {
	Key   string // up to 256 bytes
	Value []byte // up to MaxMark bytes
}

// Mark returns the value of a mark; ErrNotFound when there is none.
func (l *Log) Mark(ctx context.Context, key string) ([]byte, error) {
	if len(key) > maxMarkKey {
		return nil, fmt.Errorf("read mark: %w", ErrNotFound)
	}
	k := markKey(key)
	v, err := l.get(ctx, k)
	if errors.Is(err, errAbsent) {
		return nil, fmt.Errorf("read mark: %w", ErrNotFound)
	}
	if err == nil {
		v, err = unseal(k, v)
	}
	if err != nil {
		return nil, damage(place{}, "mark", err)
	}
	return v, nil
}

// SweepMarks removes the marks that keep does not want; damaged ones go too.
// keep must not call the log. The value is only lent to it.
func (l *Log) SweepMarks(ctx context.Context, keep func(key string, value []byte) bool) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := l.settle(ctx); err != nil {
		return fmt.Errorf("sweep marks: %w", err)
	}
	w, err := l.begin(ctx)
	if err != nil {
		return fmt.Errorf("sweep marks: %w", err)
	}
	err = l.engine.Scan(ctx, prefixMark, after(prefixMark), func(k string, value []byte) error {
		v, err := unseal(k, value)
		name, err2 := ordered.DecodeString(k[len(prefixMark)+1:])
		if err != nil || err2 != nil || !keep(string(name), v) {
			w.delete(k)
		}
		return nil
	})
	if err == nil {
		err = w.commit(ctx)
	}
	if err != nil {
		return fmt.Errorf("sweep marks: %w", err)
	}
	return nil
}
