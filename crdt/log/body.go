package log

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/log/engine"
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

// PurgeAll is Purge for many members, whose bytes leave the store's files together:
// it calls done after each. Members that are not here, and control changes, are
// passed over.
func (l *Log) PurgeAll(ctx context.Context, ids []change.ID, why reason.Code, done func(change.ID)) error {
	ranges := map[string][2]string{} // by set, the first and the last key
	for _, id := range ids {
		key, set, err := l.forget(ctx, id, why)
		if errors.Is(err, ErrNotFound) || errors.Is(err, ErrControl) {
			continue
		}
		if err != nil {
			return fmt.Errorf("purge %s: %w", id, err)
		}
		r, ok := ranges[set]
		if !ok {
			r = [2]string{key, key}
		}
		ranges[set] = [2]string{min(r[0], key), max(r[1], key)}
		done(id)
	}
	var errs []error
	for _, r := range ranges {
		if err := l.engine.Erase(ctx, r[0], after(r[1])); err != nil {
			errs = append(errs, fmt.Errorf("purged bodies are not served any more, but their bytes are still on disk: %w", err))
		}
	}
	return errors.Join(errs...)
}

// Purge removes the body of a member for good: it keeps the head and why, and
// never takes the body again. A control change keeps its body (ErrControl). The
// bytes leave the store's files too, by the time it returns or as soon as the
// engine has deleted the old files; when that part failed, the error says so and
// a second Purge tries it again.
func (l *Log) Purge(ctx context.Context, id change.ID, why reason.Code) error {
	key, _, err := l.forget(ctx, id, why)
	if err != nil {
		return fmt.Errorf("purge %s: %w", id, err)
	}
	if err := l.engine.Erase(ctx, key, after(key)); err != nil {
		return fmt.Errorf("purge %s: it is not served any more, but its bytes are still on disk: %w", id, err)
	}
	return nil
}

// forget takes a body out of the log for good, and returns the key under which its
// bytes still lie in old files, and the set.
func (l *Log) forget(ctx context.Context, id change.ID, why reason.Code) (key, set string, err error) {
	var p place
	err = l.update(ctx, id, func(r Record) (bodyRecord, error) {
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
		return "", "", err
	}
	return itemKey(prefixBody, p.set, p.item), p.set, nil
}

// Hold records that admission withholds a member, and why: it is kept and counted
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

// Mark is a pair that Append stores with its changes, in the same batch: it
// distinguishes a repeated request from a new one after a crash.
type Mark struct {
	Key   string // up to 256 bytes
	Value []byte // up to MaxMark bytes
}

// Mark returns the value of a mark; ErrNotFound when there is none.
func (l *records) Mark(ctx context.Context, key string) ([]byte, error) {
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
		return nil, l.damage(place{}, "mark", err)
	}
	return v, nil
}

// SweepMarks removes the marks of changes that were written before a time: those
// whose value is the id of such a member. Damaged ones go too; others stay.
func (l *Log) SweepMarks(ctx context.Context, before time.Time) error {
	limit := uint64(max(0, before.UnixMilli())) << 10
	var old []string
	err := engine.ScanSound(ctx, l.engine, prefixMark, after(prefixMark), func(k string, value []byte) error {
		v, err := unseal(k, value)
		if err != nil || l.older(ctx, v, limit) {
			old = append(old, k)
		}
		return ctx.Err()
	}, func(engine.Gap) {})
	for err == nil && len(old) > 0 {
		some := old[:min(len(old), MaxAppend)]
		old = old[len(some):]
		err = l.dropMarks(ctx, some)
	}
	if err != nil {
		return fmt.Errorf("sweep marks: %w", err)
	}
	return nil
}

// older reports whether a mark names a member from before a logical time.
func (l *records) older(ctx context.Context, value []byte, limit uint64) bool {
	id, err := change.IDFromBytes(value)
	if err != nil {
		return false
	}
	p, err := l.locate(ctx, id)
	return err == nil && p.item.HLC < limit
}

func (l *Log) dropMarks(ctx context.Context, keys []string) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := l.settle(ctx); err != nil {
		return err
	}
	w, err := l.begin(ctx)
	if err != nil {
		return err
	}
	for _, k := range keys {
		w.delete(k)
	}
	return w.commit(ctx)
}
