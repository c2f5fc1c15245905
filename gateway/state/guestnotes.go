package state

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// GuestNote is what somebody without an agent wrote into a guestbook. It waits for
// the guestbook's owner, 30 days at most.
type GuestNote struct {
	ID                   string // of a note; the signed one has another
	Agent                string // whose guestbook
	Guest, Message, Mood string
	At                   time.Time
}

const selectGuestNotes = `SELECT id, agent, guest, message, mood, at FROM guest_notes WHERE agent = $1`

func scanGuestNote(row scanner) (GuestNote, error) {
	var n GuestNote
	var at int64
	err := row.Scan(&n.ID, &n.Agent, &n.Guest, &n.Message, &n.Mood, &at)
	n.At = time.UnixMilli(at).UTC()
	return n, err
}

// KeepGuestNote lets a note wait, once for an id. With MaxGuestNotes waiting in that
// guestbook it is limit_reached.
func (db *People) KeepGuestNote(ctx context.Context, n GuestNote) error {
	return db.write(ctx, "keep a guest's note", func(tx *sql.Tx) error {
		var waiting int
		if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM guest_notes WHERE agent = $1 AND id <> $2`, n.Agent, n.ID).Scan(&waiting); err != nil {
			return err
		}
		if waiting >= MaxGuestNotes {
			return reason.Refuse(reason.LimitReached, "%d notes of guests wait for the owner of this guestbook, which is the most", waiting).With(map[string]any{"limit": MaxGuestNotes})
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO guest_notes (id, agent, guest, message, mood, at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING`,
			n.ID, n.Agent, n.Guest, n.Message, n.Mood, n.At.UnixMilli())
		return err
	})
}

// GuestNotes are those that wait in a guestbook, newest first.
func (db *People) GuestNotes(ctx context.Context, agent string) ([]GuestNote, error) {
	return query(ctx, db.base, "list notes of guests", scanGuestNote, selectGuestNotes+` ORDER BY at DESC, id`, agent)
}

// GuestNote is one that waits in a guestbook; ok is false when there is none.
func (db *People) GuestNote(ctx context.Context, agent, id string) (n GuestNote, ok bool, err error) {
	n, err = scanGuestNote(db.engine.reader.QueryRowContext(ctx, selectGuestNotes+` AND id = $2`, agent, id))
	if errors.Is(err, sql.ErrNoRows) {
		return n, false, nil
	}
	return n, err == nil, db.fault("find a guest's note", err)
}

// EndGuestNote forgets a note that was approved or refused. It may be repeated.
func (db *People) EndGuestNote(ctx context.Context, agent, id string) error {
	return db.write(ctx, "end a guest's note", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM guest_notes WHERE agent = $1 AND id = $2`, agent, id)
		return err
	})
}
