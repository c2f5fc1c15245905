// Package cluster is what the gateways of one Postgres share beside the state: the acting
// keys of their agents, the turn to sign with each, what was signed, and the rate budgets
// of callers.
//
// The turn to sign with a key is a row of shared_keys, locked by a transaction. The lock
// ends with the session that holds it: at once when its process dies, and within
// turnIdle when the process hangs, since Postgres then ends the session. What was signed
// is written in that same transaction, so a process that lost the lock cannot commit it.
//
// Start with [Open], on a database that package state has brought up to date.
package cluster

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/meshd/meshd/gateway/state"
)

// DB are the connections to what is shared. It is safe for concurrent use.
type DB struct {
	turns  *sql.DB // sessions that have a turn
	reads  *sql.DB // others: who has a turn reads as well
	meters *sql.DB // sessions that count requests
	seal   cipher.AEAD
	home   string

	meterKey []byte // of the digests of callers
	keeper   keeper

	mu     sync.Mutex // guards random
	random io.Reader
}

// Open opens the database at a connection string. Keys are sealed under one derived from
// cfg.Pepper, which all gateways have from their shared secret.
func Open(dsn string, cfg state.Config) (*DB, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("open what gateways share: %w", err)
	}
	key, err := hkdf.Key(sha256.New, cfg.Pepper, nil, "meshd shared acting key v1", 32)
	if err != nil {
		return nil, fmt.Errorf("derive sealing key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	db := &DB{home: cfg.Home, random: cfg.Random}
	if db.seal, err = cipher.NewGCM(block); err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	if db.meterKey, err = hkdf.Key(sha256.New, cfg.Pepper, nil, "meshd shared meters v1", 32); err != nil {
		return nil, fmt.Errorf("derive meter key: %w", err)
	}
	turns := map[string]string{
		"idle_in_transaction_session_timeout": fmt.Sprint(turnIdle.Milliseconds()),
		"lock_timeout":                        fmt.Sprint(turnWait.Milliseconds()),
		"statement_timeout":                   fmt.Sprint(2 * turnWait.Milliseconds()),
		"synchronous_commit":                  "on", // what was acknowledged survives a crash of the server
	}
	meters := map[string]string{
		"idle_in_transaction_session_timeout": fmt.Sprint(turnIdle.Milliseconds()),
		"lock_timeout":                        fmt.Sprint(meterWait.Milliseconds()),
		"statement_timeout":                   fmt.Sprint(meterWait.Milliseconds()),
		"synchronous_commit":                  "off", // a crash of the server forgives, as a restart does
	}
	for _, pool := range []struct {
		at       **sql.DB
		conns    int
		settings map[string]string
	}{{&db.turns, turnConns, turns}, {&db.reads, turnConns, turns}, {&db.meters, meterConns, meters}} {
		if *pool.at, err = state.PostgresPool(dsn, pool.conns, pool.settings, true); err != nil {
			return nil, errors.Join(fmt.Errorf("open what gateways share: %w", err), db.Close())
		}
	}
	return db, nil
}

// Close closes the connections. No other call may be under way.
func (db *DB) Close() (err error) {
	db.keeper.mu.Lock()
	db.keeper.drop()
	db.keeper.mu.Unlock()
	for _, pool := range []*sql.DB{db.turns, db.reads, db.meters} {
		if pool != nil {
			err = errors.Join(err, pool.Close())
		}
	}
	return err
}

func fault(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, state.Classify(err))
}

// write runs f in a transaction that commits when f returns nil.
func (db *DB) write(ctx context.Context, what string, f func(*sql.Tx) error) error {
	tx, err := db.reads.BeginTx(ctx, nil)
	if err != nil {
		return fault(what, err)
	}
	defer tx.Rollback() // after Commit this does nothing
	if err := f(tx); err != nil {
		return fault(what, err)
	}
	return fault(what, tx.Commit())
}

// next takes n places of a count. The row stays locked until tx ends, so places are seen
// in their order.
func next(ctx context.Context, tx *sql.Tx, name string, n int) (last int64, err error) {
	err = tx.QueryRowContext(ctx, `UPDATE shared_place SET n = n + $1 WHERE name = $2 RETURNING n`, n, name).Scan(&last)
	return last, err
}
