package cluster

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/shared"
)

// seedSize is how long the seed of a half of a key is, in bytes.
const seedSize = 32

// Keys are the keys added after a place.
func (db *DB) Keys(ctx context.Context, after int64) ([]shared.Key, error) {
	rows, err := db.reads.QueryContext(ctx, `SELECT place, name, public FROM shared_keys WHERE place > $1 ORDER BY place`, after)
	if err != nil {
		return nil, fault("list shared keys", err)
	}
	defer rows.Close()
	var out []shared.Key
	for rows.Next() {
		var k shared.Key
		var public string
		if err := rows.Scan(&k.Place, &k.Name, &public); err != nil {
			return nil, fault("list shared keys", err)
		}
		if k.Public, err = did.ParseKey(public); err != nil {
			return nil, fmt.Errorf("read shared key: %w", err)
		}
		out = append(out, k)
	}
	return out, fault("list shared keys", rows.Err())
}

// Secret opens the secret of a key.
func (db *DB) Secret(ctx context.Context, k did.Key) (s shared.Secret, ok bool, err error) {
	var sealed []byte
	err = db.reads.QueryRowContext(ctx, `SELECT sealed FROM shared_keys WHERE public = $1`, k.String()).Scan(&sealed)
	if errors.Is(err, sql.ErrNoRows) {
		return s, false, nil
	}
	if err != nil {
		return s, false, fault("read shared key", err)
	}
	n := db.seal.NonceSize()
	if len(sealed) < n {
		return s, false, errors.New("open shared key: cut short")
	}
	plain, err := db.seal.Open(nil, sealed[:n], sealed[n:], bound(k))
	if err != nil || len(plain) != seedSize && len(plain) != 2*seedSize {
		return s, false, fmt.Errorf("open shared key: it was sealed under another secret, or altered: %w", err)
	}
	s.Seed = [seedSize]byte(plain)
	if len(plain) > seedSize {
		second := [seedSize]byte(plain[seedSize:])
		s.Second = &second
	}
	return s, true, nil
}

// bound is what a sealed key belongs to: it opens in no other row.
func bound(k did.Key) []byte { return []byte(k.String()) }

// AddKey seals a key.
func (db *DB) AddKey(ctx context.Context, name string, k did.Key, s shared.Secret, heads []shared.Head) error {
	nonce := make([]byte, db.seal.NonceSize())
	db.mu.Lock()
	_, err := io.ReadFull(db.random, nonce)
	db.mu.Unlock()
	if err != nil {
		return fmt.Errorf("seal key: %w", err)
	}
	plain := s.Seed[:]
	if s.Second != nil {
		plain = append(slices.Clone(plain), s.Second[:]...)
	}
	sealed := db.seal.Seal(nonce, nonce, plain, bound(k))
	return db.write(ctx, "add shared key", func(tx *sql.Tx) error {
		place, err := next(ctx, tx, "keys", 1)
		if err != nil {
			return err
		}
		var there int
		if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM shared_keys WHERE public = $1`, k.String()).Scan(&there); err != nil || there > 0 {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO shared_keys (public, place, name, sealed, created_at)
			VALUES ($1, $2, $3, $4, (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint)`, k.String(), place, name, sealed); err != nil {
			return err
		}
		for _, h := range heads {
			if err := putHead(ctx, tx, h); err != nil {
				return err
			}
		}
		return nil
	})
}

// DropKey forgets a key with which nothing was signed.
func (db *DB) DropKey(ctx context.Context, k did.Key) error {
	_, err := db.reads.ExecContext(ctx, `DELETE FROM shared_keys WHERE public = $1
		AND NOT EXISTS (SELECT 1 FROM shared_heads AS h WHERE h.public = shared_keys.public)`, k.String())
	return fault("drop shared key", err)
}
