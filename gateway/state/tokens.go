package state

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// SessionToken is a capability token that an agent issued here and that is not in the
// log: it opens sessions and proves no change.
type SessionToken struct {
	CID       string
	Agent     string // for whom it was issued
	Audience  string // DID of its holder
	Token     string
	Source    string // cid of the token that it was made from, or ""
	KeyID     string // the API key that issued it and with which it ends, or ""
	CreatedAt time.Time
	ExpiresAt time.Time
	Revoked   bool
}

// KeepTokens stores tokens that an agent issued together: all of them, or none. It
// refuses with limit_reached when too many of the agent last.
func (db *Tokens) KeepTokens(ctx context.Context, tokens []SessionToken, now time.Time) error {
	return db.write(ctx, "keep issued tokens", func(tx *sql.Tx) error {
		for _, t := range tokens {
			var live int
			if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM session_tokens WHERE agent = $1 AND expires_at > $2`, t.Agent, now.UnixMilli()).Scan(&live); err != nil {
				return err
			}
			if live >= maxSessionTokens {
				return reason.Refuse(reason.LimitReached, "the agent has %d tokens beside the log that last", live)
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO session_tokens (cid, agent, audience, token, source, key_id, created_at, expires_at)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
				t.CID, t.Agent, t.Audience, t.Token, t.Source, t.KeyID, t.CreatedAt.UnixMilli(), t.ExpiresAt.UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
}

const selectToken = `SELECT cid, agent, audience, token, source, key_id, created_at, expires_at,
	EXISTS (SELECT 1 FROM token_revocations AS r WHERE r.cid = session_tokens.cid) FROM session_tokens `

func scanToken(row scanner) (SessionToken, error) {
	var t SessionToken
	var made, end sql.NullInt64
	err := row.Scan(&t.CID, &t.Agent, &t.Audience, &t.Token, &t.Source, &t.KeyID, &made, &end, &t.Revoked)
	t.CreatedAt, t.ExpiresAt = moment(made), moment(end)
	return t, err
}

// SessionToken finds a token that was issued here.
func (db *Tokens) SessionToken(ctx context.Context, cid string) (t SessionToken, ok bool, err error) {
	t, err = scanToken(db.engine.reader.QueryRowContext(ctx, selectToken+`WHERE cid = $1`, cid))
	if errors.Is(err, sql.ErrNoRows) {
		return SessionToken{}, false, nil
	}
	return t, err == nil, db.fault("find issued token", err)
}

// SessionTokens lists what an agent issued, or what a DID has, newest first.
func (db *Tokens) SessionTokens(ctx context.Context, agent, audience string) ([]SessionToken, error) {
	return query(ctx, db.base, "list issued tokens", scanToken,
		selectToken+`WHERE agent = $1 OR audience = $2 ORDER BY created_at DESC, cid LIMIT $3`, agent, audience, 2*maxSessionTokens)
}

// TokenRevocation takes a token back for good.
type TokenRevocation struct {
	CID     string
	Issuer  string     // DID of who revoked
	Record  string     // as it was shown
	Expires *time.Time // end of the token, nil: it has none
}

// RevokeToken stores a revocation. What was made here from the token ends with it; ended
// names that. It is durable when RevokeToken returns, and the second one of an issuer is
// refused with token_replayed.
func (db *Tokens) RevokeToken(ctx context.Context, r TokenRevocation, now time.Time) (ended []string, err error) {
	err = db.write(ctx, "revoke token", func(tx *sql.Tx) error {
		ended = nil
		var kept int
		if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM token_revocations WHERE issuer = $1`, r.Issuer).Scan(&kept); err != nil {
			return err
		}
		if kept >= maxRevocations {
			return reason.Refuse(reason.LimitReached, "%d revocations by this key are kept; they go when their tokens end", kept)
		}
		done, err := insertRevocation(ctx, tx, r, now)
		if err != nil {
			return err
		}
		if !done {
			return reason.Refuse(reason.TokenReplayed, "the same issuer has revoked this token before")
		}
		for from := []string{r.CID}; len(from) > 0; from = from[1:] {
			made, err := revocable(ctx, tx, `WHERE source = $1`, from[0])
			if err != nil {
				return err
			}
			for _, t := range made {
				if err := endToken(ctx, tx, t, r.Issuer, now); err != nil {
					return err
				}
				ended, from = append(ended, t.CID), append(from, t.CID)
			}
		}
		return nil
	})
	return ended, err
}

// EndTokens revokes what API keys of an agent issued, or with all what any of its keys
// did, and with unkept what names no key too. Where upTo is set, of the last two what is
// not younger. It returns the cids. Doing it again does nothing.
func (db *Tokens) EndTokens(ctx context.Context, agent string, keys []string, all, unkept bool, upTo, now time.Time) (ended []string, err error) {
	err = db.write(ctx, "end issued tokens", func(tx *sql.Tx) error {
		ended = nil
		issued, err := revocable(ctx, tx, `WHERE agent = $1`, agent)
		if err != nil {
			return err
		}
		for _, t := range issued {
			young := !upTo.IsZero() && t.CreatedAt.After(upTo)
			if !(t.KeyID != "" && slices.Contains(keys, t.KeyID)) && (young || !(all && t.KeyID != "" || unkept && t.KeyID == "")) {
				continue
			}
			if err := endToken(ctx, tx, t, agent, now); err != nil {
				return err
			}
			ended = append(ended, t.CID)
		}
		return nil
	})
	return ended, err
}

// revocable are the tokens of a condition that nobody has revoked.
func revocable(ctx context.Context, tx *sql.Tx, where, arg string) ([]SessionToken, error) {
	rows, err := tx.QueryContext(ctx, selectToken+where, arg)
	if err != nil {
		return nil, err
	}
	all, err := collect(rows, scanToken)
	return slices.DeleteFunc(all, func(t SessionToken) bool { return t.Revoked }), err
}

func endToken(ctx context.Context, tx *sql.Tx, t SessionToken, by string, now time.Time) error {
	_, err := insertRevocation(ctx, tx, TokenRevocation{CID: t.CID, Issuer: by, Expires: &t.ExpiresAt}, now)
	return err
}

func insertRevocation(ctx context.Context, tx *sql.Tx, r TokenRevocation, now time.Time) (done bool, err error) {
	end := sql.NullInt64{}
	if r.Expires != nil {
		end = sql.NullInt64{Int64: r.Expires.Add(usedSlack).UnixMilli(), Valid: true}
	}
	res, err := tx.ExecContext(ctx, `INSERT INTO token_revocations (cid, issuer, record, at, expires_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (cid, issuer) DO NOTHING`, r.CID, r.Issuer, r.Record, now.UnixMilli(), end)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// liveTokens remembers for a moment which tokens were not revoked, so that a reader who
// shows one again asks the database once. What this process commits ends every answer;
// what another one commits is seen when the moment is over.
type liveTokens struct {
	commits atomic.Uint64
	known   sync.Map // of liveAnswer, by content id
	size    atomic.Int64
}

type liveAnswer struct {
	commits uint64
	until   time.Time
}

func (l *liveTokens) has(cid string) bool {
	v, ok := l.known.Load(cid)
	if !ok {
		return false
	}
	a := v.(liveAnswer)
	return a.commits == l.commits.Load() && time.Now().Before(a.until)
}

// keep notes an answer that was asked for when there were so many commits.
func (l *liveTokens) keep(cid string, commits uint64) {
	if l.size.Add(1) > maxLiveTokens {
		l.known.Clear()
		l.size.Store(1)
	}
	l.known.Store(cid, liveAnswer{commits, time.Now().Add(liveMoment)})
}

// TokenRevoked reports whether a token was revoked here. Of one that another process
// revoked it says so within a second.
func (db *Tokens) TokenRevoked(ctx context.Context, cid string) (bool, error) {
	if db.live.has(cid) {
		return false, nil
	}
	commits := db.live.commits.Load()
	revoked, err := db.askRevoked(ctx, cid)
	if err == nil && !revoked {
		db.live.keep(cid, commits)
	}
	return revoked, err
}

func (db *Tokens) askRevoked(ctx context.Context, cid string) (bool, error) {
	var n int
	err := db.engine.reader.QueryRowContext(ctx, `SELECT COUNT(*) FROM token_revocations WHERE cid = $1`, cid).Scan(&n)
	return n > 0, db.fault("ask for a revocation", err)
}
