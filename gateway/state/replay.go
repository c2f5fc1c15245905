package state

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// UseToken uses up a token that acts, named by the replay key of its issuer and
// nonce, until the token expires; a second use is refused with token_replayed. Of
// uses at the same time one wins. The record is durable when UseToken returns. A
// token that is past its end, or that lives longer than MaxTokenTerm, is an
// error: verifiers do not pass it.
func (db *Accounts) UseToken(ctx context.Context, key string, expires, now time.Time) error {
	if key == "" || expires.Before(now) || expires.After(now.Add(MaxTokenTerm)) {
		return db.fault("use token", errors.New("token ends outside its term"))
	}
	sum := sha256.Sum256([]byte(key))
	return db.write(ctx, "use token", func(tx *sql.Tx) error {
		// A row past its time was not swept yet and stands for nothing.
		done, err := tx.ExecContext(ctx, `INSERT INTO used_tokens (id, expires_at) VALUES ($1, $2)
			ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at WHERE used_tokens.expires_at <= $3`,
			hex.EncodeToString(sum[:]), expires.Add(usedSlack).UnixMilli(), now.UnixMilli())
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if err != nil {
			return err
		}
		if n == 0 {
			return reason.Refuse(reason.TokenReplayed, "this token has acted before; make one with another nonce")
		}
		return nil
	})
}
