package state

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Kinds of what is owed.
const (
	OwedSale = "sale" // notify Agent that an entry was bought; Subject is the entry, a slash and the buyer
	// OwedIssued is to take back the capabilities of Agent that an API key issued which
	// has ended; Subject is the key. Where all that an agent's keys issued is
	// to end, it is the agent, which means also what names no key, or RotatedSubject.
	OwedIssued = "issued"
	OwedAnchor = "anchor" // put the head of the audit trail of Agent into the log; Subject is the agent
)

// Owed is something that this gateway has to do for what is written already. It is
// written with it, in one transaction, so that no fault and no crash loses it.
type Owed struct {
	Kind, Subject, Agent string
	// Version grows when the same is owed anew, so that what was done for an
	// earlier one does not end it.
	Version int64
	Tries   int
	MadeAt  time.Time
}

// owedFirst is when what is owed is tried again that nobody tried at once.
const owedFirst = time.Minute

func (db *base) owe(ctx context.Context, tx *sql.Tx, o Owed, now time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO owed (kind, subject, agent, version, tries, next_at, made_at, home) VALUES ($1, $2, $3, $4, 0, $5, $6, $7)
		ON CONFLICT (kind, subject) DO UPDATE SET version = excluded.version`,
		o.Kind, o.Subject, o.Agent, o.Version, now.Add(owedFirst).UnixMilli(), now.UnixMilli(), db.home)
	return err
}

// RotatedSubject is the Subject of OwedIssued when an agent's identity has moved.
func RotatedSubject(agentID string) string { return agentID + "/rotated" }

// OweIssued owes the taking back of what API keys of an agent issued by now.
func (db *base) OweIssued(ctx context.Context, agentID, subject string, now time.Time) error {
	return db.write(ctx, "owe what keys issued", func(tx *sql.Tx) error {
		return db.owe(ctx, tx, Owed{Kind: OwedIssued, Subject: subject, Agent: agentID, Version: now.UnixMilli()}, now)
	})
}

const selectOwed = `SELECT kind, subject, agent, version, tries, made_at FROM owed`

func scanOwed(row scanner) (Owed, error) {
	var o Owed
	var at int64
	err := row.Scan(&o.Kind, &o.Subject, &o.Agent, &o.Version, &o.Tries, &at)
	o.MadeAt = time.UnixMilli(at).UTC()
	return o, err
}

// OwedNow are up to limit of this gateway whose time to be tried has come, the longest due first.
func (db *base) OwedNow(ctx context.Context, now time.Time, limit int) ([]Owed, error) {
	return query(ctx, db, "list what is owed", scanOwed, selectOwed+` WHERE home = $1 AND next_at <= $2 ORDER BY next_at, kind, subject LIMIT $3`, db.home, now.UnixMilli(), limit)
}

// OwedOf is what is owed of a kind for a subject; ok is false when nothing is.
func (db *base) OwedOf(ctx context.Context, kind, subject string) (o Owed, ok bool, err error) {
	o, err = scanOwed(db.engine.reader.QueryRowContext(ctx, selectOwed+` WHERE kind = $1 AND subject = $2`, kind, subject))
	if errors.Is(err, sql.ErrNoRows) {
		return o, false, nil
	}
	return o, err == nil, db.fault("find what is owed", err)
}

// CountOwed counts what this gateway owes.
func (db *base) CountOwed(ctx context.Context) (n int, err error) {
	err = db.engine.reader.QueryRowContext(ctx, `SELECT COUNT(*) FROM owed WHERE home = $1`, db.home).Scan(&n)
	return n, db.fault("count what is owed", err)
}

// EndOwed forgets what was done, unless it is owed anew since.
func (db *base) EndOwed(ctx context.Context, o Owed) error {
	return db.write(ctx, "end what was owed", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM owed WHERE kind = $1 AND subject = $2 AND version = $3`, o.Kind, o.Subject, o.Version)
		return err
	})
}

// PostponeOwed counts a try that failed and sets the time of the next.
func (db *base) PostponeOwed(ctx context.Context, o Owed, next time.Time) error {
	return db.write(ctx, "postpone what is owed", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE owed SET tries = tries + 1, next_at = $3 WHERE kind = $1 AND subject = $2`, o.Kind, o.Subject, next.UnixMilli())
		return err
	})
}
