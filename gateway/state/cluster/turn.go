package cluster

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/shared"
)

// turn is the right to sign with a key: the transaction that has its row locked.
type turn struct {
	tx    *sql.Tx
	key   did.Key
	home  string
	heads []shared.Head
	over  bool
}

// Turn calls sign when it is the turn of this gateway to sign with a key.
func (db *DB) Turn(ctx context.Context, k did.Key, sign func(shared.Turn) error) error {
	tx, err := db.turns.BeginTx(ctx, nil)
	if err != nil {
		return fault("take the turn to sign", err)
	}
	defer tx.Rollback() // after Commit this does nothing
	var one int
	err = tx.QueryRowContext(ctx, `SELECT 1 FROM shared_keys WHERE public = $1 FOR UPDATE`, k.String()).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return reason.Refuse(reason.Forbidden, "the key is none that the gateways share")
	}
	if err != nil {
		return fault("take the turn to sign", err)
	}
	t := &turn{tx: tx, key: k, home: db.home}
	if t.heads, err = headsOf(ctx, tx, k); err != nil {
		return fault("take the turn to sign", err)
	}
	return sign(t)
}

func headsOf(ctx context.Context, tx *sql.Tx, k did.Key) (out []shared.Head, err error) {
	// A statement of its own, after the lock: it sees what the turn before committed.
	rows, err := tx.QueryContext(ctx, `SELECT space, lane, seq, id FROM shared_heads WHERE public = $1`, k.String())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		h := shared.Head{Chain: change.Chain{Author: k}}
		var id []byte
		if err := rows.Scan(&h.Chain.Space, &h.Chain.Lane, &h.Seq, &id); err != nil {
			return nil, err
		}
		if h.ID, err = change.IDFromBytes(id); err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	return out, rows.Err()
}

func putHead(ctx context.Context, tx *sql.Tx, h shared.Head) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO shared_heads (public, space, lane, seq, id) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (public, space, lane) DO UPDATE SET seq = excluded.seq, id = excluded.id`,
		h.Chain.Author.String(), string(h.Chain.Space), int(h.Chain.Lane), int64(h.Seq), h.ID[:])
	return err
}

// Heads are the ends of the chains of the key.
func (t *turn) Heads() []shared.Head { return t.heads }

// Stay asks the database something, which ends the time in which nothing was.
func (t *turn) Stay(ctx context.Context) error {
	_, err := t.tx.ExecContext(ctx, `SELECT 1`)
	return fault("keep the turn to sign", err)
}

// Record writes changes and ends the turn. Each must go on from the end of its chain.
func (t *turn) Record(ctx context.Context, signed []shared.Signed) error {
	if t.over {
		return errors.New("record changes: the turn is over")
	}
	t.over = true
	heads := map[change.Chain]shared.Head{}
	for _, h := range t.heads {
		heads[h.Chain] = h
	}
	moved := map[change.Chain]bool{}
	last, err := next(ctx, t.tx, "changes", len(signed))
	if err != nil {
		return fault("record changes", err)
	}
	for i, s := range signed {
		h := s.Change.Head
		c := h.Chain()
		if end := heads[c]; c.Author != t.key || h.Seq != end.Seq+1 || h.Seq > 1 && h.Prev != end.ID {
			return fmt.Errorf("record changes: %s does not go on from the end of its chain", s.Change.ID)
		}
		heads[c], moved[c] = shared.Head{Chain: c, Seq: h.Seq, ID: s.Change.ID}, true
		if _, err := t.tx.ExecContext(ctx, `INSERT INTO shared_changes (place, public, space, lane, seq, head, body, id, mark, home, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint)`,
			last-int64(len(signed)-1-i), t.key.String(), string(c.Space), int(c.Lane), int64(h.Seq), s.Change.RawHead, s.Change.Body, s.Change.ID[:], s.Mark, t.home); err != nil {
			return fault("record changes", err)
		}
	}
	for c := range moved {
		if err := putHead(ctx, t.tx, heads[c]); err != nil {
			return fault("record changes", err)
		}
	}
	if err := t.tx.Commit(); err != nil {
		var said *pgconn.PgError
		if errors.As(err, &said) || errors.Is(err, sql.ErrTxDone) {
			return fault("record changes", err) // the server refused it
		}
		return fmt.Errorf("%w: %w", shared.ErrOpen, fault("record changes", err))
	}
	return nil
}

// After are recorded changes after a place.
func (db *DB) After(ctx context.Context, place int64, most int) ([]shared.Signed, error) {
	return db.changes(ctx, `WHERE place > $1 ORDER BY place LIMIT $2`, place, most)
}

// Chain are the recorded changes of a chain beyond a place in it.
func (db *DB) Chain(ctx context.Context, c change.Chain, beyond uint64, most int) (out []*change.Change, err error) {
	all, err := db.changes(ctx, `WHERE public = $1 AND space = $2 AND lane = $3 AND seq > $4 ORDER BY seq LIMIT $5`,
		c.Author.String(), string(c.Space), int(c.Lane), int64(beyond), most)
	for _, s := range all {
		out = append(out, s.Change)
	}
	return out, err
}

func (db *DB) changes(ctx context.Context, where string, args ...any) ([]shared.Signed, error) {
	rows, err := db.reads.QueryContext(ctx, `SELECT place, head, body, mark FROM shared_changes `+where, args...)
	if err != nil {
		return nil, fault("read recorded changes", err)
	}
	defer rows.Close()
	var out []shared.Signed
	for rows.Next() {
		var s shared.Signed
		var head, body []byte
		if err := rows.Scan(&s.Place, &head, &body, &s.Mark); err != nil {
			return nil, fault("read recorded changes", err)
		}
		if s.Change, err = change.Decode(head, body); err != nil {
			return nil, fmt.Errorf("read recorded change: %w", err)
		}
		out = append(out, s)
	}
	return out, fault("read recorded changes", rows.Err())
}

// Marked is the change that a mark was recorded with.
func (db *DB) Marked(ctx context.Context, mark string) (id change.ID, ok bool, err error) {
	var raw []byte
	err = db.reads.QueryRowContext(ctx, `SELECT id FROM shared_changes WHERE mark = $1 ORDER BY place LIMIT 1`, mark).Scan(&raw)
	if errors.Is(err, sql.ErrNoRows) {
		return id, false, nil
	}
	if err != nil {
		return id, false, fault("find a mark", err)
	}
	id, err = change.IDFromBytes(raw)
	return id, err == nil, err
}

var _ shared.Book = (*DB)(nil)
