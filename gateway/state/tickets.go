package state

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// NewTicket returns a ticket that opens one stream for the holder of a key within
// TicketTTL, for clients that cannot send headers. Only a digest of it is kept.
func (db *Keys) NewTicket(ctx context.Context, keyID string, now time.Time) (ticket string, expires time.Time, err error) {
	var raw [ticketSize]byte
	if err := db.ids.Read(raw[:]); err != nil {
		return "", expires, db.fault("make ticket", err)
	}
	ticket, expires = base64.RawURLEncoding.EncodeToString(raw[:]), now.Add(TicketTTL)
	err = db.write(ctx, "store ticket", func(tx *sql.Tx) error {
		var live int
		if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM event_tickets WHERE key_id = $1 AND expires_at > $2`, keyID, now.UnixMilli()).Scan(&live); err != nil {
			return err
		}
		if live >= maxTickets {
			return reason.Refuse(reason.LimitReached, "this key has %d tickets that were not used yet", live)
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO event_tickets (id, key_id, expires_at) VALUES ($1, $2, $3)`, ticketDigest(ticket), keyID, expires.UnixMilli())
		return err
	})
	return ticket, expires, err
}

// TakeTicket uses a ticket up and returns the live key it was made with. A ticket
// that is unknown, used or past its end is invalid_token; a key that has died
// since is refused as KeyBySecret does.
func (db *Keys) TakeTicket(ctx context.Context, ticket string, now time.Time) (Key, error) {
	var keyID string
	if len(ticket) != base64.RawURLEncoding.EncodedLen(ticketSize) {
		return Key{}, db.fault("take ticket", noTicket())
	}
	err := db.write(ctx, "take ticket", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `DELETE FROM event_tickets WHERE id = $1 AND expires_at > $2 RETURNING key_id`,
			ticketDigest(ticket), now.UnixMilli()).Scan(&keyID)
		if errors.Is(err, sql.ErrNoRows) {
			return noTicket()
		}
		return err
	})
	if err != nil {
		return Key{}, err
	}
	return db.LiveKey(ctx, keyID, now)
}

func noTicket() error {
	return reason.Refuse(reason.InvalidToken, "the ticket is unknown, used or expired")
}

// LiveKey returns a key by its id while it lives; otherwise it refuses as
// KeyBySecret does. It notes no use.
func (db *Keys) LiveKey(ctx context.Context, id string, now time.Time) (Key, error) {
	k, err := db.scanKey(db.engine.reader.QueryRowContext(ctx, selectKey+`WHERE k.id = $1`, id))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Key{}, db.fault("find key", unknownKey())
	case err != nil:
		return Key{}, db.fault("find key", err)
	}
	if dead := k.dead(now); dead != nil {
		return Key{}, db.fault("find key", dead)
	}
	return k, nil
}

func ticketDigest(ticket string) string {
	sum := sha256.Sum256([]byte("meshd event ticket\x00" + ticket))
	return hex.EncodeToString(sum[:])
}
