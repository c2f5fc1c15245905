package state

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Swept is what a Sweep removed.
type Swept struct {
	// ActingKeys are vault names of keys made for challenges that nobody
	// answered. The caller removes them from the vault.
	ActingKeys []string
	Rows       int
}

// Sweep removes what is past its time (challenges, kept replies, used
// tokens, keys dead and issued tokens past for 30 days, audit entries older than 400 days) and writes noted key uses.
// Claims stay, for their owner to settle. Call it about once a minute; it works
// in small batches, and what it removed stands even when it then fails.
func (db *DB) Sweep(ctx context.Context, now time.Time) (Swept, error) {
	var done Swept
	for _, s := range sweeps {
		for {
			keys, err := db.sweepBatch(ctx, s, now)
			if err != nil {
				return done, err
			}
			done.Rows += len(keys)
			for _, key := range keys {
				if key != "" {
					done.ActingKeys = append(done.ActingKeys, key)
				}
			}
			if len(keys) < sweepBatch {
				break
			}
		}
	}
	return done, db.flushUses(ctx)
}

// sweep names rows that go when the time in term is at least age ago. A null
// time stays.
type sweep struct {
	table, id, term string
	age             time.Duration
	key             string // column with a vault name, or an empty text
	own             bool   // rows of this gateway alone
}

var sweeps = []sweep{
	{table: "challenges", id: "nonce", term: "expires_at", key: "acting_key", own: true},
	{table: "challenges", id: "nonce", term: "expires_at", age: strangeKept, key: "''"},
	{table: "login_keys", id: "key_id", term: "expires_at", age: deadKeyKept, key: "''"},
	{table: "idempotency", id: "run", term: "expires_at", key: "''"},
	{table: "api_keys", id: "id", term: "revoked_at", age: deadKeyKept, key: "''"},
	{table: "api_keys", id: "id", term: "expires_at", age: deadKeyKept, key: "''"},
	{table: "used_tokens", id: "id", term: "expires_at", key: "''"},
	{table: "session_tokens", id: "cid", term: "expires_at", age: sessionKept, key: "''"},
	{table: "token_revocations", id: "cid", term: "expires_at", age: sessionKept, key: "''"},
	{table: "event_tickets", id: "id", term: "expires_at", key: "''"},
	{table: "presence", id: "id", term: "expires_at", key: "''"},
	{table: "invites", id: "id", term: "expires_at", key: "''"},
	{table: "audit", id: "id", term: "at", age: auditKept, key: "''"},
	{table: "notifications", id: "id", term: "at", age: noticeKept, key: "''"},
	{table: "shared_changes", id: "place", term: "at", age: sharedKept, key: "''"},
	{table: "rate_meters", id: "id", term: "expires_at", key: "''"},
	{table: "guest_notes", id: "id", term: "at", age: guestNoteKept, key: "''"},
}

// sweepBatch removes up to sweepBatch rows and returns the key column of each.
func (db *DB) sweepBatch(ctx context.Context, s sweep, now time.Time) ([]string, error) {
	args, own := []any{now.Add(-s.age).UnixMilli()}, ""
	if s.own {
		args, own = append(args, db.home), " AND home = $2"
	}
	// The names come from the table above, never from a request.
	stmt := fmt.Sprintf(`DELETE FROM %[1]s WHERE %[2]s IN
		(SELECT %[2]s FROM %[1]s WHERE %[3]s <= $1%[6]s ORDER BY %[3]s LIMIT %[5]d) RETURNING %[4]s`,
		s.table, s.id, s.term, s.key, sweepBatch, own)
	var keys []string
	err := db.write(ctx, "sweep "+s.table, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, stmt, args...)
		if err != nil {
			return err
		}
		keys, err = collect(rows, func(row scanner) (key string, err error) {
			err = row.Scan(&key)
			return key, err
		})
		return err
	})
	return keys, err
}
