package state

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/reason"
)

// Key is the record of an API key. It contains nothing from which the key could be
// found. Zero times mean never.
type Key struct {
	ID          string // key_ and a UUIDv7
	Prefix      string // the 8 characters after mesh_sk_, for people to distinguish keys
	AgentID     string
	Scopes      Scopes
	Label       string
	CreatedAt   time.Time
	LastUsedAt  time.Time // exact to the minute
	ExpiresAt   time.Time
	RotatedFrom string    // id of the key this one replaced, or ""
	MadeBy      string    // id of the key that asked for it and whose end it shares, or ""
	RevokedAt   time.Time // may lie ahead: the end of the grace of a rotated key
	AgentSince  time.Time // when the agent was made
	// Login is, of the key of an agent that lives elsewhere, the DID whose signature
	// opened it; "" for every other key.
	Login string
}

// dead returns why the key may not be used at now, or nil.
func (k Key) dead(now time.Time) *reason.Refusal {
	switch {
	case !k.RevokedAt.IsZero() && !now.Before(k.RevokedAt):
		return reason.Refuse(reason.KeyRevoked, "the API key was revoked")
	case !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt):
		return reason.Refuse(reason.TokenExpired, "the API key is past its end")
	}
	return nil
}

// NewKey says what a new key shall be.
type NewKey struct {
	AgentID   string
	Scopes    Scopes
	Label     string    // at most 64 code points
	ExpiresAt time.Time // zero: never, or with By when that key ends
	// By is the id of the key that asks for the new one, "" when a proof or the
	// owner of the node does. A key makes none with more scopes or a longer life
	// than it has, and none once it was revoked or rotated, even when it was still
	// good when the request came in. It is remembered: the new key ends when By does.
	By string
}

func (n NewKey) check(now time.Time) error {
	switch {
	case len(n.Scopes) == 0:
		return reason.Refuse(reason.InvalidParam, "scopes must name at least one scope")
	case !utf8.ValidString(n.Label), utf8.RuneCountInString(n.Label) > maxLabel:
		return reason.Refuse(reason.InvalidParam, "label may have at most %d characters", maxLabel)
	case !n.ExpiresAt.IsZero() && !n.ExpiresAt.After(now):
		return reason.Refuse(reason.InvalidParam, "expires_at must lie ahead")
	}
	return nil
}

// CreateKey makes a key and returns it in the clear, the only time it can be
// seen. An agent has at most 20 live keys, more are limit_reached; an unknown
// agent is agent_not_found. What By may not give is scope_missing, with
// details.need, or invalid_param.
func (db *Keys) CreateKey(ctx context.Context, n NewKey, now time.Time) (Key, Secret, error) {
	return db.issue(ctx, "key.created", n, now, func(*sql.Tx, *Key) error { return nil })
}

// Reissue says how an agent gets a key again after its subject proved itself.
type Reissue struct {
	AgentID    string
	KeepOthers bool // let the keys it has live on
}

// RecoverKey makes a key with the scopes of a registration and revokes every
// other live key of the agent, in one transaction. It returns those it revoked,
// sorted. What they issued is owed, as by RevokeKey, and so is what was issued before
// capabilities named their key.
func (db *Keys) RecoverKey(ctx context.Context, r Reissue, now time.Time) (Key, Secret, []string, error) {
	var revoked []string
	n := NewKey{AgentID: r.AgentID, Scopes: RegistrationScopes()}
	k, s, err := db.issue(ctx, "key.recovered", n, now, func(tx *sql.Tx, _ *Key) error {
		if r.KeepOthers {
			return nil
		}
		rows, err := tx.QueryContext(ctx, `SELECT id FROM api_keys WHERE agent_id = $2 AND `+liveKey, now.UnixMilli(), r.AgentID)
		if err != nil {
			return err
		}
		if revoked, err = texts(rows); err != nil {
			return err
		}
		if _, err = db.endKeys(ctx, tx, r.AgentID, revoked, now, now); err != nil {
			return err
		}
		return db.owe(ctx, tx, Owed{Kind: OwedIssued, Subject: r.AgentID, Agent: r.AgentID, Version: now.UnixMilli()}, now)
	})
	slices.Sort(revoked)
	return k, s, revoked, err
}

// texts reads rows of one text each.
func texts(rows *sql.Rows) (out []string, err error) {
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// Rotation says how to rotate a key. Zero fields keep what the old key had.
type Rotation struct {
	Grace     time.Duration // how long the old key stays usable, at most one hour
	Scopes    Scopes        // may only shrink
	Label     string
	ExpiresAt time.Time
	By        string // as in NewKey: the key that asks, which may be another one
	// Keep hands what the old key issued to the new one. Without it that ends when
	// the old key does.
	Keep bool
}

// RotateKey replaces one live key of the agent by a new one. A key that is not
// the agent's is not_found, a dead one key_revoked or token_expired, and one
// that was rotated before and lives on its grace is key_revoked too. It returns
// the keys that end with the old one when its grace does, the old one among them.
func (db *Keys) RotateKey(ctx context.Context, agentID, keyID string, r Rotation, now time.Time) (Key, Secret, []string, error) {
	if r.Grace < 0 || r.Grace > maxGrace {
		return Key{}, Secret{}, nil, reason.Refuse(reason.InvalidParam, "grace_s must lie between 0 and %d", int(maxGrace.Seconds()))
	}
	old, err := db.KeyByID(ctx, agentID, keyID)
	if err != nil {
		return Key{}, Secret{}, nil, err
	}
	if dead := old.dead(now); dead != nil {
		return Key{}, Secret{}, nil, dead
	}
	n := NewKey{AgentID: agentID, Scopes: old.Scopes, Label: old.Label, ExpiresAt: old.ExpiresAt, By: r.By}
	if len(r.Scopes) > 0 {
		n.Scopes = r.Scopes
	}
	if r.Label != "" {
		n.Label = r.Label
	}
	if !r.ExpiresAt.IsZero() {
		n.ExpiresAt = r.ExpiresAt
	}
	if !old.Scopes.Covers(n.Scopes) {
		return Key{}, Secret{}, nil, beyond(old.Scopes, n.Scopes, "the scopes of a rotated key may only shrink")
	}
	var ended []string
	k, s, err := db.issue(ctx, "key.rotated", n, now, func(tx *sql.Tx, k *Key) (err error) {
		k.RotatedFrom = old.ID
		if k.MadeBy == old.ID {
			k.MadeBy = old.MadeBy // it takes its place
		}
		end := now.Add(r.Grace)
		res, err := tx.ExecContext(ctx, `UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL`, end.UnixMilli(), old.ID)
		if err := oneRow(res, err, reason.Refuse(reason.KeyRevoked, "the API key was rotated or revoked already")); err != nil {
			return err
		}
		if ended = []string{old.ID}; r.Keep {
			return db.inherit(ctx, tx, agentID, old.ID, k.ID)
		}
		ended, err = db.endKeys(ctx, tx, agentID, ended, end, now)
		return err
	})
	return k, s, ended, err
}

// RevokeKey revokes one key of the agent at once, with every key that came of it,
// and returns them all, sorted. That the capabilities they issued are taken back is
// owed (OwedIssued) from then on. It is idempotent; a key that is not the agent's is
// not_found.
func (db *Keys) RevokeKey(ctx context.Context, agentID, keyID string, now time.Time) (ended []string, err error) {
	err = db.write(ctx, "revoke key", func(tx *sql.Tx) error {
		k, err := db.keyIn(ctx, tx, agentID, keyID)
		if err != nil {
			return err
		}
		if !k.RevokedAt.IsZero() && !now.Before(k.RevokedAt) {
			return nil
		}
		if ended, err = db.endKeys(ctx, tx, agentID, []string{keyID}, now, now); err != nil {
			return err
		}
		_, err = db.audit(ctx, tx, AuditEntry{At: now, Actor: agentID, Action: "key.revoked", Object: keyID, Detail: map[string]any{"keys": len(ended)}})
		return err
	})
	return ended, err
}

// KeysOf returns the agent's keys, dead ones included for 30 days, newest first,
// at most 100.
func (db *Keys) KeysOf(ctx context.Context, agentID string) ([]Key, error) {
	return query(ctx, db.base, "list keys", db.scanKey, selectKey+`
		WHERE k.agent_id = $1 ORDER BY k.id DESC LIMIT $2`, agentID, MaxPage)
}

// KeyBySecret returns the live key of this secret and notes its use. Otherwise
// it refuses: invalid_token (unknown), key_revoked or token_expired. The use is
// written by the next Sweep or by Close, at most once a minute for one key.
func (db *Keys) KeyBySecret(ctx context.Context, s Secret, now time.Time) (Key, error) {
	digest := db.digest(s)
	var stored []byte
	k, err := db.scanKey(scanWith{db.lookup.QueryRowContext(ctx, digest), &stored})
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Key{}, db.fault("find key", unknownKey())
	case err != nil:
		return Key{}, db.fault("find key", err)
	case !hmac.Equal(stored, digest):
		// The index found it; this comparison in constant time is what decides.
		return Key{}, db.fault("find key", unknownKey())
	}
	if dead := k.dead(now); dead != nil {
		return Key{}, db.fault("find key", dead)
	}
	if now.Sub(k.LastUsedAt) >= usePeriod {
		db.uses.note(k.ID, now)
		k.LastUsedAt = now.UTC().Truncate(time.Millisecond)
	}
	return k, nil
}

func unknownKey() error {
	return reason.Refuse(reason.InvalidToken, "the API key is not known to this node")
}

func noKey() error { return reason.Refuse(reason.NotFound, "no such key") }

// issue stores a new key after before has run in the same transaction, and an
// audit entry of the action. before may fill in fields of the record.
func (db *Keys) issue(ctx context.Context, action string, n NewKey, now time.Time, before func(*sql.Tx, *Key) error) (Key, Secret, error) {
	if err := n.check(now); err != nil {
		return Key{}, Secret{}, err
	}
	var raw [RandomSize]byte
	if err := db.ids.Read(raw[:]); err != nil {
		return Key{}, Secret{}, db.fault(action, err)
	}
	id, err := db.ids.V7(now)
	if err != nil {
		return Key{}, Secret{}, db.fault(action, err)
	}
	s := NewSecret(raw)
	k := Key{
		ID: "key_" + id, Prefix: s.prefix(), AgentID: n.AgentID, Scopes: n.Scopes, Label: n.Label,
		CreatedAt: now.UTC().Truncate(time.Millisecond), ExpiresAt: moment(millis(n.ExpiresAt)), MadeBy: n.By,
	}
	err = db.write(ctx, action, func(tx *sql.Tx) error {
		// Locks the agent's row, so that two keys made at once are counted one
		// after the other.
		var since sql.NullInt64
		err := tx.QueryRowContext(ctx, `UPDATE agents SET name = name
			WHERE id = $1 AND claimed_until IS NULL RETURNING created_at`, n.AgentID).Scan(&since)
		if errors.Is(err, sql.ErrNoRows) {
			return noAgent()
		}
		if err != nil {
			return err
		}
		k.AgentSince = moment(since)
		if err := db.boundBy(ctx, tx, n.By, &k, now); err != nil {
			return err
		}
		if err := before(tx, &k); err != nil {
			return err
		}
		var live int
		if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM api_keys WHERE agent_id = $2 AND `+liveKey,
			now.UnixMilli(), n.AgentID).Scan(&live); err != nil {
			return err
		}
		if live >= maxLiveKeys {
			return reason.Refuse(reason.LimitReached, "the agent has %d live keys", live).
				With(map[string]any{"limit": maxLiveKeys})
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO api_keys
			(id, prefix, digest, agent_id, scopes, label, created_at, expires_at, rotated_from, made_by)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			k.ID, k.Prefix, db.digest(s), k.AgentID, k.Scopes.stored(), k.Label, k.CreatedAt.UnixMilli(),
			millis(k.ExpiresAt), textOrNull(k.RotatedFrom), textOrNull(k.MadeBy))
		if err != nil {
			return err
		}
		detail := map[string]any{}
		for name, key := range map[string]string{"by": n.By, "rotated_from": k.RotatedFrom} {
			if key != "" {
				detail[name] = key
			}
		}
		_, err = db.audit(ctx, tx, AuditEntry{At: now, Actor: n.AgentID, Action: action, Object: k.ID, Detail: detail})
		return err
	})
	if err != nil {
		return Key{}, Secret{}, err
	}
	return k, s, nil
}

// boundBy bounds a new key by the one that asks for it. A key that lives on its
// grace was replaced by its owner, perhaps because it leaked, and makes none.
func (db *Keys) boundBy(ctx context.Context, tx *sql.Tx, by string, k *Key, now time.Time) error {
	if by == "" {
		return nil
	}
	author, err := db.keyIn(ctx, tx, k.AgentID, by)
	switch {
	case reason.Of(err) == reason.NotFound || err == nil && !author.RevokedAt.IsZero():
		return reason.Refuse(reason.KeyRevoked, "the API key in use was rotated or revoked")
	case err != nil:
		return err
	}
	if dead := author.dead(now); dead != nil {
		return dead
	}
	if !author.Scopes.Covers(k.Scopes) {
		return beyond(author.Scopes, k.Scopes, "a key cannot give scopes that it lacks")
	}
	switch {
	case author.ExpiresAt.IsZero():
	case k.ExpiresAt.IsZero():
		k.ExpiresAt = author.ExpiresAt
	case k.ExpiresAt.After(author.ExpiresAt):
		return reason.Refuse(reason.InvalidParam, "expires_at may not lie after the end of the API key in use").
			With(map[string]any{"field": "expires_at"})
	}
	return nil
}

// beyond refuses scopes that have does not cover, and names the first.
func beyond(have, want Scopes, text string) error {
	for _, s := range want {
		if !have.Has(s) {
			return reason.Refuse(reason.ScopeMissing, "%s", text).With(map[string]any{"need": string(s)})
		}
	}
	return reason.Refuse(reason.ScopeMissing, "%s", text)
}

// digest is what is stored of a key.
func (db *Keys) digest(s Secret) []byte {
	mac := hmac.New(sha256.New, db.pepper[:])
	mac.Write([]byte(s.Reveal()))
	return mac.Sum(nil)
}

// KeyByID returns the record of one key of the agent, dead ones included for 30
// days, or not_found.
func (db *Keys) KeyByID(ctx context.Context, agentID, keyID string) (Key, error) {
	k, err := db.keyIn(ctx, db.engine.reader, agentID, keyID)
	return k, db.fault("find key", err)
}

// querier is a database or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (db *Keys) keyIn(ctx context.Context, q querier, agentID, keyID string) (Key, error) {
	k, err := db.scanKey(q.QueryRowContext(ctx, selectKey+`
		WHERE k.id = $1 AND k.agent_id = $2`, keyID, agentID))
	if errors.Is(err, sql.ErrNoRows) {
		return Key{}, noKey()
	}
	return k, err
}

// liveKey is the condition under which a key may be used at $1.
const liveKey = `(revoked_at IS NULL OR revoked_at > $1) AND (expires_at IS NULL OR expires_at > $1)`

const (
	keyColumns = `k.id, k.prefix, k.agent_id, k.scopes, k.label, k.created_at, k.last_used_at,
		k.expires_at, COALESCE(k.rotated_from, ''), COALESCE(k.made_by, ''), k.revoked_at, a.created_at, COALESCE(l.subject, '')`
	keyTables = ` FROM api_keys k JOIN agents a ON a.id = k.agent_id LEFT JOIN login_keys l ON l.key_id = k.id `
	selectKey = `SELECT ` + keyColumns + keyTables
	lookupKey = `SELECT ` + keyColumns + `, k.digest` + keyTables + `WHERE k.digest = $1`
)

// scanWith scans one more column than its user knows of.
type scanWith struct {
	row  scanner
	more any
}

func (s scanWith) Scan(dest ...any) error { return s.row.Scan(append(dest, s.more)...) }

func (db *Keys) scanKey(row scanner) (Key, error) {
	var k Key
	var scopes string
	var created, used, expires, revoked, since sql.NullInt64
	if err := row.Scan(&k.ID, &k.Prefix, &k.AgentID, &scopes, &k.Label, &created, &used,
		&expires, &k.RotatedFrom, &k.MadeBy, &revoked, &since, &k.Login); err != nil {
		return Key{}, err
	}
	for name := range strings.FieldsSeq(scopes) {
		k.Scopes = append(k.Scopes, Scope(name))
	}
	k.CreatedAt, k.LastUsedAt, k.ExpiresAt = moment(created), moment(used), moment(expires)
	k.RevokedAt, k.AgentSince = moment(revoked), moment(since)
	if at := db.uses.of(k.ID); at.After(k.LastUsedAt) {
		k.LastUsedAt = at.UTC().Truncate(time.Millisecond)
	}
	return k, nil
}

// flushUses writes noted uses. What could not be written is noted again.
func (db *Keys) flushUses(ctx context.Context) error {
	uses := db.uses.take()
	if len(uses) == 0 {
		return nil
	}
	err := db.write(ctx, "write key uses", func(tx *sql.Tx) error {
		for id, at := range uses {
			if _, err := tx.ExecContext(ctx, `UPDATE api_keys SET last_used_at = $1
				WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)`, at.UnixMilli(), id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		for id, at := range uses {
			db.uses.note(id, at)
		}
	}
	return err
}
