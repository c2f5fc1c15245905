// Package state keeps what a gateway knows and the network must not: which
// agents are hosted here, API keys as digests, open challenges, replies kept for
// idempotent retries, the ledger, and the audit log. None of it is replicated.
// Losing it loses credentials and money, and the texts that are sold here; never
// a contribution that everybody may read.
//
// It is SQL, and this package alone opens it: SQLite in the file state.db of
// the home folder, or Postgres, which several gateways may share. Statements and
// migrations use only what both share; what differs between engines is in
// dialect.go and postgres.go.
//
// Start with [Open] or [OpenPostgres]. Every method takes the time as an argument and is safe for
// concurrent use; none starts a goroutine. Refusals that a caller should see
// are *reason.Refusal values; a full disk or a locked file is found with
// errors.Is and [ErrFull], [ErrBusy] or [ErrUnreachable].
//
// Do not log what [DB.CreateKey] returns, and do not call another method of
// the same DB while a result of rows is open: nothing here returns open rows.
package state

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/meshd/meshd/gateway/state/uuid"
)

// Errors of the database itself, found with errors.Is.
var (
	// ErrBusy: another process locked the database for longer than the time-out.
	// The same call may succeed later.
	ErrBusy = errors.New("database is locked")
	// ErrFull: the disk or the database's own limit is full. Reads still work.
	ErrFull = errors.New("no space left for the database")
	// ErrUnreachable: the database server cannot be reached, is stopping, or takes
	// no more connections. The same call may succeed later; a write that met it may
	// have happened.
	ErrUnreachable = errors.New("database cannot be reached")
	// ErrDamaged: the file of the database is not what SQLite wrote.
	ErrDamaged = errors.New("state.db is damaged")
	// ErrPepper: the database was made with another pepper, so no key in it
	// could ever match.
	ErrPepper = errors.New("database belongs to another pepper")
	// ErrNewer: the schema is newer than this program.
	ErrNewer = errors.New("database schema is newer than this program")
)

// Config is what a DB needs besides its file.
type Config struct {
	// Pepper is the node's secret of 32 bytes. API keys are stored as
	// HMAC-SHA-256 under it, and replies that carry keys are sealed under a key
	// derived from it. It must not lie in the same file as the database; a
	// backup that contains both is as secret as the home.
	Pepper []byte
	// Random is the source of keys, nonces and ids, crypto/rand.Reader in
	// production. The DB serialises its reads.
	Random io.Reader
	// Home names this gateway among those that share a database: what only it can
	// finish, because the acting key lies in its vault, is left to it. "" for a
	// database of its own.
	Home string
}

// Validate returns every problem of c.
func (c Config) Validate() error {
	var errs []error
	if len(c.Pepper) != pepperSize {
		errs = append(errs, fmt.Errorf("pepper has %d bytes, want %d", len(c.Pepper), pepperSize))
	}
	if c.Random == nil {
		errs = append(errs, errors.New("no source of randomness"))
	}
	return errors.Join(errs...)
}

// DB is the gateway's state: its parts over one database.
type DB struct {
	*base
	Accounts
	Keys
	Ledger
	Market
	People
	Records
	Events
	Tokens
}

// The parts of a DB. Each stands on the same database; who needs one takes that alone.
type (
	// Accounts are the agents hosted here and the challenges by which they come.
	Accounts struct{ *base }
	// Keys are API keys, tickets of streams and invitations.
	Keys struct{ *base }
	// Ledger is who has how much, and the holds for bounties.
	Ledger struct{ *base }
	// Market is payments, sales and the texts that are sold.
	Market struct{ *base }
	// People is who follows whom, who is present, and notes that wait.
	People struct{ *base }
	// Records are what an agent keeps for itself: private entries and its trail.
	Records struct{ *base }
	// Events are the stream of events and replies kept for retries.
	Events struct{ *base }
	// Tokens are capability tokens beside the log, and revocations.
	Tokens struct{ *base }
)

// base is the database with what every part does: transactions, ids, secrets, the audit
// log, and what is owed.
type base struct {
	engine engine
	pepper [pepperSize]byte
	seal   *sealer
	ids    *uuid.Source
	lookup *sql.Stmt
	home   string

	writing chan struct{} // contains one while this process writes to a shared database

	uses useLog
	live liveTokens
}

// whole is the DB over a database.
func (db *base) whole() *DB {
	return &DB{db, Accounts{db}, Keys{db}, Ledger{db}, Market{db}, People{db}, Records{db}, Events{db}, Tokens{db}}
}

// Open opens or creates the SQLite database at path and brings its schema up to
// date. Requests that were running when the last process ended are forgotten,
// so that their idempotency keys may be used again: the file belongs to one
// process, which the home folder's lock guarantees.
func Open(ctx context.Context, path string, cfg Config) (*DB, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("open gateway state: %w", err)
	}
	e, err := openSQLite(path)
	if err != nil {
		return nil, fmt.Errorf("open gateway state: %w", err)
	}
	db, err := newDB(ctx, e, cfg)
	if err != nil {
		return nil, fmt.Errorf("open gateway state: %w", errors.Join(e.classify(err), e.close()))
	}
	return db, nil
}

func newDB(ctx context.Context, e engine, cfg Config) (*DB, error) {
	if err := migrate(ctx, e); err != nil {
		return nil, err
	}
	seal, err := newSealer(cfg.Pepper)
	if err != nil {
		return nil, err
	}
	b := &base{engine: e, pepper: [pepperSize]byte(cfg.Pepper), seal: seal, ids: uuid.New(cfg.Random), home: cfg.Home, writing: make(chan struct{}, 1)}
	db := b.whole()
	if err := db.checkPepper(ctx); err != nil {
		return nil, err
	}
	if !e.shared { // else they may run in another process; their lease ends them
		if _, err := e.writer.ExecContext(ctx, `DELETE FROM idempotency WHERE state = 'running'`); err != nil {
			return nil, fmt.Errorf("release interrupted requests: %w", err)
		}
	}
	if db.lookup, err = e.reader.PrepareContext(ctx, lookupKey); err != nil {
		return nil, fmt.Errorf("prepare key lookup: %w", err)
	}
	return db, nil
}

// checkPepper compares the pepper with the one the database was made with, by a
// digest of a fixed text. The digest reveals nothing about the pepper.
func (db *base) checkPepper(ctx context.Context) error {
	mac := hmac.New(sha256.New, db.pepper[:])
	mac.Write([]byte("meshd gateway state\x00"))
	want := mac.Sum(nil)
	var got []byte
	return db.write(ctx, "check pepper", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO settings (name, value) VALUES ('pepper', $1)
			ON CONFLICT (name) DO NOTHING`, want); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, `SELECT value FROM settings WHERE name = 'pepper'`).Scan(&got); err != nil {
			return err
		}
		if !hmac.Equal(got, want) {
			return ErrPepper
		}
		return nil
	})
}

// Close writes pending key uses and closes the database. No other call may be
// under way.
func (db *DB) Close(ctx context.Context) error {
	err := db.flushUses(ctx)
	if err != nil {
		err = fmt.Errorf("close gateway state: %w", err)
	}
	return errors.Join(err, db.lookup.Close(), db.engine.close())
}

// write runs f in a transaction that holds the write lock from its first
// statement and commits when f returns nil.
func (db *base) write(ctx context.Context, what string, f func(*sql.Tx) error) error {
	if db.engine.lock != "" {
		// One of this process waits in the database: each that waited there while the
		// process hangs would get the lock, and keep it until it is taken away.
		select {
		case db.writing <- struct{}{}:
			defer func() { <-db.writing }()
		case <-ctx.Done():
			return db.fault(what, ctx.Err())
		}
	}
	tx, err := db.engine.writer.BeginTx(ctx, nil)
	if err != nil {
		return db.fault(what, err)
	}
	defer tx.Rollback() // after Commit this does nothing
	if db.engine.lock != "" {
		if _, err := tx.ExecContext(ctx, db.engine.lock); err != nil {
			return db.fault(what, err)
		}
	}
	if err := f(tx); err != nil {
		return db.fault(what, givenUp(ctx, err))
	}
	defer db.live.commits.Add(1) // what was asked before may have another answer now
	return db.fault(what, givenUp(ctx, tx.Commit()))
}

// givenUp is err, or the context's own error where the transaction ended with the
// request between two of its steps.
func givenUp(ctx context.Context, err error) error {
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Ping reports whether the database answers, nil when it does.
func (db *base) Ping(ctx context.Context) error {
	return db.fault("reach database", db.engine.reader.PingContext(ctx))
}

// fault names the step that failed and marks locked and full databases.
// Refusals pass through errors.As unchanged.
func (db *base) fault(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, db.engine.classify(err))
}

// useLog keeps the last use of keys until it is written.
type useLog struct {
	mu      sync.Mutex
	pending map[string]time.Time // by key id
}

func (u *useLog) note(id string, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.pending == nil {
		u.pending = make(map[string]time.Time)
	}
	if _, known := u.pending[id]; known || len(u.pending) < maxPending {
		u.pending[id] = at
	}
}

func (u *useLog) take() map[string]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	p := u.pending
	u.pending = nil
	return p
}

func (u *useLog) of(id string) time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.pending[id]
}

// millis is the stored form of a time; the zero time is null.
func millis(t time.Time) sql.NullInt64 {
	if t.IsZero() {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: t.UnixMilli(), Valid: true}
}

// moment is the inverse of millis.
func moment(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return time.UnixMilli(ms.Int64).UTC()
}
