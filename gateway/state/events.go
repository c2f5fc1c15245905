package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Event is a public event as it is kept for readers who come back.
type Event struct {
	Seq      uint64 // place in the stream, given by AppendEvents
	ID       string // the same whenever one happening is published
	At       time.Time
	Kind     string
	Audience string // who may receive it
	Object   string
	Agent    string
	Cause    string // id of a change, or ""
	Domain   string
	Open     string // JSON for callers without a key
	Body     string // JSON for callers who may read the audience
}

// EventSpan is what of the stream is there: the events after Floor, up to Head.
type EventSpan struct{ Floor, Head uint64 }

// AppendEvents appends events to the stream in one transaction and notes that
// the log of node is published up to the local sequence mark. An event whose ID is
// known is left out. It returns those that were stored, with their places, and
// the place of the last event before them, which another gateway may have
// written.
//
// The stream begins at a place made of the time, so that the places of two
// databases do not meet and a reader with a place of another one is noticed.
func (db *Events) AppendEvents(ctx context.Context, node string, es []Event, mark uint64, now time.Time) (stored []Event, before uint64, err error) {
	err = db.write(ctx, "append events", func(tx *sql.Tx) error {
		stored = nil
		if before, err = lockHead(ctx, tx, now); err != nil {
			return err
		}
		seq := before
		for _, e := range es {
			e.Seq = seq + 1
			done, err := tx.ExecContext(ctx, `INSERT INTO events
				(seq, id, stored_at, at, kind, audience, object, agent, cause, domain, open, body)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING`,
				int64(e.Seq), e.ID, now.UnixMilli(), e.At.UnixMilli(), e.Kind, e.Audience, e.Object, e.Agent, e.Cause, e.Domain, e.Open, e.Body)
			if err != nil {
				return err
			}
			n, err := done.RowsAffected()
			if err != nil {
				return err
			}
			if n == 1 {
				seq = e.Seq
				stored = append(stored, e)
			}
		}
		if _, err := tx.ExecContext(ctx, `UPDATE event_head SET seq = $1 WHERE name = 'stream'`, int64(seq)); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO event_marks (node, log_seq) VALUES ($1, $2)
			ON CONFLICT (node) DO UPDATE SET log_seq = excluded.log_seq`, node, int64(mark))
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	return stored, before, nil
}

// lockHead returns the place of the last event and locks the head's row, so that
// places are given out and become visible in one order.
func lockHead(ctx context.Context, tx *sql.Tx, now time.Time) (uint64, error) {
	begin := now.Sub(eventEpoch).Milliseconds() / 1000 << eventEpochShift
	_, err := tx.ExecContext(ctx, `INSERT INTO event_head (name, seq, floor) VALUES ('stream', $1, $1) ON CONFLICT (name) DO NOTHING`, max(0, begin))
	if err != nil {
		return 0, err
	}
	var seq int64
	err = tx.QueryRowContext(ctx, `UPDATE event_head SET seq = seq WHERE name = 'stream' RETURNING seq`).Scan(&seq)
	return uint64(seq), err
}

// EventMark returns how far the log of a node is published, and false when nothing was
// ever noted of it.
func (db *Events) EventMark(ctx context.Context, node string) (mark uint64, ok bool, err error) {
	var n int64
	err = db.engine.reader.QueryRowContext(ctx, `SELECT log_seq FROM event_marks WHERE node = $1`, node).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return uint64(n), err == nil, db.fault("read event mark", err)
}

// EventSpan returns what of the stream is there; zeros before the first event.
func (db *Events) EventSpan(ctx context.Context) (s EventSpan, err error) {
	var floor, head int64
	err = db.engine.reader.QueryRowContext(ctx, `SELECT floor, seq FROM event_head WHERE name = 'stream'`).Scan(&floor, &head)
	if errors.Is(err, sql.ErrNoRows) {
		return s, nil
	}
	return EventSpan{uint64(floor), uint64(head)}, db.fault("read span of events", err)
}

// EventsAfter returns up to most events that follow a place, in order. Without
// audiences it returns those of all.
func (db *Events) EventsAfter(ctx context.Context, after uint64, audiences []string, most int) ([]Event, error) {
	args := []any{int64(after), most}
	where := ""
	if len(audiences) > 0 {
		where, args = inAudience(args, audiences)
	}
	return query(ctx, db.base, "read events", scanEvent, `SELECT `+eventColumns+` FROM events WHERE seq > $1`+where+` ORDER BY seq LIMIT $2`, args...)
}

// EventsBefore returns the newest events up to a place, most at most, in order.
func (db *Events) EventsBefore(ctx context.Context, upto uint64, audiences []string, most int) ([]Event, error) {
	where, args := inAudience([]any{int64(upto), most}, audiences)
	es, err := query(ctx, db.base, "read events", scanEvent, `SELECT `+eventColumns+` FROM events WHERE seq <= $1`+where+` ORDER BY seq DESC LIMIT $2`, args...)
	slices.Reverse(es)
	return es, err
}

// inAudience is a condition on the audience with its arguments added.
func inAudience(args []any, audiences []string) (string, []any) {
	var marks []string
	for _, a := range audiences {
		args = append(args, a)
		marks = append(marks, fmt.Sprintf("$%d", len(args)))
	}
	return ` AND audience IN (` + strings.Join(marks, ", ") + `)`, args
}

const eventColumns = `seq, id, at, kind, audience, object, agent, cause, domain, open, body`

func scanEvent(row scanner) (e Event, err error) {
	var seq, at int64
	err = row.Scan(&seq, &e.ID, &at, &e.Kind, &e.Audience, &e.Object, &e.Agent, &e.Cause, &e.Domain, &e.Open, &e.Body)
	e.Seq, e.At = uint64(seq), time.UnixMilli(at).UTC()
	return e, err
}

// HideEvents leaves of the events about these objects what callers without a key
// see: their texts are withdrawn.
func (db *Events) HideEvents(ctx context.Context, objects []string) error {
	return db.write(ctx, "hide events", func(tx *sql.Tx) error {
		for _, o := range objects {
			if _, err := tx.ExecContext(ctx, `UPDATE events SET body = open WHERE object = $1`, o); err != nil {
				return err
			}
		}
		return nil
	})
}

// TrimEvents forgets all but the newest keep events, and those stored before a
// time, and returns what is left.
func (db *Events) TrimEvents(ctx context.Context, keep int, before, now time.Time) (s EventSpan, err error) {
	err = db.write(ctx, "trim events", func(tx *sql.Tx) error {
		head, err := lockHead(ctx, tx, now)
		if err != nil {
			return err
		}
		var floor, old int64
		if err := tx.QueryRowContext(ctx, `SELECT floor FROM event_head WHERE name = 'stream'`).Scan(&floor); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, `SELECT COALESCE(MAX(seq), 0) FROM events WHERE stored_at < $1`, before.UnixMilli()).Scan(&old); err != nil {
			return err
		}
		if to := max(floor, old, int64(head)-int64(keep)); to > floor {
			floor = to
			if _, err := tx.ExecContext(ctx, `DELETE FROM events WHERE seq <= $1`, floor); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `UPDATE event_head SET floor = $1 WHERE name = 'stream'`, floor); err != nil {
				return err
			}
		}
		s = EventSpan{uint64(floor), head}
		return nil
	})
	return s, err
}

// SkipEvents forgets the whole stream and goes on at a new place, for a gateway
// that cannot know what happened since: readers who come back are sent to read
// anew.
func (db *Events) SkipEvents(ctx context.Context, now time.Time) error {
	return db.write(ctx, "skip events", func(tx *sql.Tx) error {
		if _, err := lockHead(ctx, tx, now); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE event_head SET seq = seq + 1, floor = seq + 1 WHERE name = 'stream'`); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM events`)
		return err
	})
}

// TitledEvents are the objects, of ids with a prefix, of which events carry more
// than callers without a key see.
func (db *Events) TitledEvents(ctx context.Context, prefix string) ([]string, error) {
	return query(ctx, db.base, "list titled events", func(row scanner) (object string, err error) {
		err = row.Scan(&object)
		return object, err
	}, `SELECT DISTINCT object FROM events WHERE body <> open AND object >= $1 AND object < $2`, prefix, prefix+"\uffff")
}
