package state

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// TrailRecord is one record of the audit trail that an agent keeps of itself.
type TrailRecord struct {
	N         int // its place, 1 for the first
	Tick      time.Time
	Operation string
	Prev      string // hash of the record before, "" where a segment begins
	Chain     string // its own hash
	Record    []byte // JSON, as the agent wrote it
}

// TrailHead is where a trail stands; the zero head is that of an empty one.
type TrailHead struct {
	N     int
	Chain string
	Tick  time.Time
}

// AppendTrail appends records to an agent's trail in their order, each that fits,
// and returns a code for each that does not: duplicate, or audit_chain_broken when
// it names another record before it than the head.
func (db *Records) AppendTrail(ctx context.Context, agent string, records []TrailRecord, now time.Time) (appended int, codes map[int]reason.Code, head TrailHead, err error) {
	err = db.write(ctx, "append to audit trail", func(tx *sql.Tx) error {
		appended, codes = 0, map[int]reason.Code{}
		if head, err = trailHead(tx.QueryRowContext(ctx, selectHead, agent)); err != nil {
			return err
		}
		for i, r := range records {
			var known int
			if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM audit_trail WHERE agent = $1 AND chain = $2 AND prev = $3`, agent, r.Chain, r.Prev).Scan(&known); err != nil {
				return err
			}
			switch {
			case known > 0:
				codes[i] = reason.Duplicate
				continue
			case r.Prev != "" && r.Prev != head.Chain:
				codes[i] = reason.AuditChainBroken
				continue
			case head.N >= maxTrail:
				codes[i] = reason.LimitReached
				continue
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO audit_trail (agent, n, tick_at, operation, prev, chain, record)
				VALUES ($1, $2, $3, $4, $5, $6, $7)`, agent, head.N+1, r.Tick.UnixMilli(), r.Operation, r.Prev, r.Chain, r.Record); err != nil {
				return err
			}
			head = TrailHead{head.N + 1, r.Chain, r.Tick}
			appended++
		}
		if appended == 0 {
			return nil
		}
		return db.owe(ctx, tx, Owed{Kind: OwedAnchor, Subject: agent, Agent: agent, Version: int64(head.N)}, now)
	})
	return appended, codes, head, err
}

const selectHead = `SELECT n, chain, tick_at FROM audit_trail WHERE agent = $1 ORDER BY n DESC LIMIT 1`

func trailHead(row scanner) (TrailHead, error) {
	var h TrailHead
	var at sql.NullInt64
	err := row.Scan(&h.N, &h.Chain, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return TrailHead{}, nil
	}
	h.Tick = moment(at)
	return h, err
}

// TrailHead is where the trail of an agent stands.
func (db *Records) TrailHead(ctx context.Context, agent string) (TrailHead, error) {
	h, err := trailHead(db.engine.reader.QueryRowContext(ctx, selectHead, agent))
	return h, db.fault("find head of audit trail", err)
}

// Trail are records of an agent, newest first, below place before (0 is none)
// whose tick lies in [since, until) where these are set.
func (db *Records) Trail(ctx context.Context, agent, operation string, since, until time.Time, before, limit int) ([]TrailRecord, error) {
	from, to := int64(0), int64(1)<<62
	if !since.IsZero() {
		from = since.UnixMilli()
	}
	if !until.IsZero() {
		to = until.UnixMilli()
	}
	if before == 0 {
		before = maxTrail + 1
	}
	return query(ctx, db.base, "list audit trail", scanTrail, `SELECT n, tick_at, operation, prev, chain, record FROM audit_trail
		WHERE agent = $1 AND ($2 = '' OR operation = $2) AND tick_at >= $3 AND tick_at < $4 AND n < $5 ORDER BY n DESC LIMIT $6`,
		agent, operation, from, to, before, limit)
}

// TrailUnbroken reports whether every record of a trail names the one before it,
// or begins a segment.
func (db *Records) TrailUnbroken(ctx context.Context, agent string) (bool, error) {
	var bad int
	err := db.engine.reader.QueryRowContext(ctx, `SELECT count(*) FROM audit_trail AS r LEFT JOIN audit_trail AS p ON p.agent = r.agent AND p.n = r.n - 1
		WHERE r.agent = $1 AND r.prev <> '' AND (p.chain IS NULL OR p.chain <> r.prev)`, agent).Scan(&bad)
	return bad == 0, db.fault("check audit trail", err)
}

func scanTrail(row scanner) (TrailRecord, error) {
	var r TrailRecord
	var at sql.NullInt64
	err := row.Scan(&r.N, &at, &r.Operation, &r.Prev, &r.Chain, &r.Record)
	r.Tick = moment(at)
	return r, err
}
