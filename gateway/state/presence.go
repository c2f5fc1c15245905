package state

import (
	"context"
	"database/sql"
	"time"
)

// Presence is one agent that was in a team of late.
type Presence struct {
	Team, Agent  string
	Surface, Tag string
	Status       string // active, idle or busy
	SeenAt       time.Time
}

// Arrive notes that an agent is present until ttl after now. fresh is whether it
// was not present just before.
func (db *People) Arrive(ctx context.Context, p Presence, ttl time.Duration, now time.Time) (fresh bool, err error) {
	err = db.write(ctx, "note presence", func(tx *sql.Tx) error {
		var until sql.NullInt64
		err := tx.QueryRowContext(ctx, `SELECT expires_at FROM presence WHERE id = $1`, p.Team+" "+p.Agent).Scan(&until)
		if err != nil && err != sql.ErrNoRows {
			return err
		}
		fresh = until.Int64 <= now.UnixMilli()
		_, err = tx.ExecContext(ctx, `INSERT INTO presence (id, team, agent, surface, tag, status, seen_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
			ON CONFLICT (id) DO UPDATE SET surface = excluded.surface, tag = excluded.tag, status = excluded.status,
				seen_at = excluded.seen_at, expires_at = excluded.expires_at`,
			p.Team+" "+p.Agent, p.Team, p.Agent, p.Surface, p.Tag, p.Status, now.UnixMilli(), now.Add(ttl).UnixMilli())
		return err
	})
	return fresh, err
}

// Depart takes an agent's presence in a team away, and says whether there was one.
func (db *People) Depart(ctx context.Context, team, agent string) (was bool, err error) {
	err = db.write(ctx, "end presence", func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `DELETE FROM presence WHERE id = $1`, team+" "+agent)
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		was = n > 0
		return err
	})
	return was, err
}

const selectPresence = `SELECT team, agent, surface, tag, status, seen_at FROM presence `

// Present are the agents present in a team, those seen last first, at most 500.
func (db *People) Present(ctx context.Context, team string, now time.Time) ([]Presence, error) {
	return query(ctx, db.base, "list presence", scanPresence, selectPresence+`
		WHERE team = $1 AND expires_at > $2 ORDER BY seen_at DESC, agent LIMIT $3`, team, now.UnixMilli(), maxPresent)
}

// Online is who is present in any team, those seen last first, at most 1000 rows.
func (db *People) Online(ctx context.Context, now time.Time) ([]Presence, error) {
	return query(ctx, db.base, "list who is online", scanPresence, selectPresence+`
		WHERE expires_at > $1 ORDER BY seen_at DESC, agent, team LIMIT $2`, now.UnixMilli(), maxOnline)
}

func scanPresence(row scanner) (Presence, error) {
	var p Presence
	var seen sql.NullInt64
	err := row.Scan(&p.Team, &p.Agent, &p.Surface, &p.Tag, &p.Status, &seen)
	p.SeenAt = moment(seen)
	return p, err
}

// MarkRead notes that an agent has read the messages of a team up to a logical
// time. It never goes back.
func (db *People) MarkRead(ctx context.Context, team, agent string, upto uint64) error {
	return db.write(ctx, "note read messages", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO message_reads (team, agent, upto) VALUES ($1, $2, $3)
			ON CONFLICT (team, agent) DO UPDATE SET upto = excluded.upto WHERE message_reads.upto < excluded.upto`, team, agent, int64(upto))
		return err
	})
}

// ReadUpTo is the logical time up to which an agent has read the messages of a
// team, 0 for none.
func (db *People) ReadUpTo(ctx context.Context, team, agent string) (uint64, error) {
	all, err := query(ctx, db.base, "find read messages", func(row scanner) (n int64, err error) {
		err = row.Scan(&n)
		return n, err
	}, `SELECT upto FROM message_reads WHERE team = $1 AND agent = $2`, team, agent)
	if err != nil || len(all) == 0 {
		return 0, err
	}
	return uint64(all[0]), nil
}
