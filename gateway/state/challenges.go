package state

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// Purpose is what a challenge may be used for.
type Purpose string

// The purposes of api §1.2 and §1.3.
const (
	Registration Purpose = "registration"
	Recovery     Purpose = "recovery"
	Succession   Purpose = "rotation" // of an acting key
)

// Challenge is a text that a subject is to sign, and the nonce in it.
type Challenge struct {
	Nonce     string // from NewNonce
	Subject   string // DID that must prove itself
	Purpose   Purpose
	Domain    string // host that gave it out
	ActingKey string // vault name of the key made for this registration or rotation, or ""
	Text      string // what was given out to sign
	SIWE      string // the sign-in text given out beside it, or ""
	ExpiresAt time.Time
}

// NewNonce returns a fresh UUID for a challenge's text.
func (db *Accounts) NewNonce() (string, error) {
	nonce, err := db.ids.V4()
	return nonce, db.fault("make nonce", err)
}

// PutChallenge stores c until it is taken or expires, at most ChallengeTTL after
// now. With 10,000 live challenges it refuses as overloaded: anybody may ask
// for one.
func (db *Accounts) PutChallenge(ctx context.Context, c Challenge, now time.Time) error {
	return db.write(ctx, "store challenge", func(tx *sql.Tx) error {
		if !c.ExpiresAt.After(now) || c.ExpiresAt.After(now.Add(ChallengeTTL)) {
			return errors.New("challenge ends outside its term")
		}
		var live int
		if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM challenges WHERE expires_at > $1`,
			now.UnixMilli()).Scan(&live); err != nil {
			return err
		}
		if live >= maxChallenges {
			return reason.Refuse(reason.Overloaded, "too many open challenges")
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO challenges (nonce, subject, purpose, domain, acting_key, text, siwe, expires_at, home)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			c.Nonce, c.Subject, string(c.Purpose), c.Domain, c.ActingKey, c.Text, c.SIWE, c.ExpiresAt.UnixMilli(), db.home)
		return err
	})
}

// Answer names the challenge that somebody answers.
type Answer struct {
	Nonce   string
	Subject string
	Purpose Purpose
	Domain  string
}

// TakeChallenge consumes a challenge: of any number of concurrent calls one gets
// it. Unknown, used and expired nonces, and those of another subject, purpose or
// domain, are nonce_invalid; a wrong one of these does not consume. Take before
// judging the signature, so that a failed one burns the nonce. A challenge whose
// acting key lies in the vault of another gateway of a shared database is nonce_invalid too,
// and stays for that one.
//
// The caller owns the acting key named in the result and removes it from the
// vault when the registration or the rotation fails.
func (db *Accounts) TakeChallenge(ctx context.Context, a Answer, now time.Time) (Challenge, error) {
	c := Challenge{Nonce: a.Nonce, Subject: a.Subject, Purpose: a.Purpose, Domain: a.Domain}
	err := db.write(ctx, "take challenge", func(tx *sql.Tx) error {
		var expires sql.NullInt64
		// An expired row stays for Sweep, which reports its acting key.
		err := tx.QueryRowContext(ctx, `DELETE FROM challenges
			WHERE nonce = $1 AND subject = $2 AND purpose = $3 AND domain = $4 AND expires_at > $5
			AND (acting_key = '' OR home = $6 OR EXISTS (SELECT 1 FROM shared_keys AS k WHERE k.name = acting_key))
			RETURNING acting_key, text, siwe, expires_at`,
			a.Nonce, a.Subject, string(a.Purpose), a.Domain, now.UnixMilli(), db.home).Scan(&c.ActingKey, &c.Text, &c.SIWE, &expires)
		if errors.Is(err, sql.ErrNoRows) {
			return reason.Refuse(reason.NonceInvalid, "the nonce is unknown, used, expired or of another subject or purpose")
		}
		c.ExpiresAt = moment(expires)
		return err
	})
	if err != nil {
		return Challenge{}, err
	}
	return c, nil
}
