package state

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// Follow makes one agent follow another. It may be repeated.
func (db *People) Follow(ctx context.Context, follower, agent string, now time.Time) error {
	return db.write(ctx, "follow an agent", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO follows (follower, agent, at) VALUES ($1, $2, $3) ON CONFLICT (follower, agent) DO NOTHING`,
			follower, agent, now.UnixMilli())
		return err
	})
}

// Unfollow ends it. It may be repeated.
func (db *People) Unfollow(ctx context.Context, follower, agent string) error {
	return db.write(ctx, "stop following an agent", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM follows WHERE follower = $1 AND agent = $2`, follower, agent)
		return err
	})
}

// Followers are at most maxFollowers agents that follow one, the first ones first.
func (db *People) Followers(ctx context.Context, agent string) ([]string, error) {
	return query(ctx, db.base, "list followers", scanText, `SELECT follower FROM follows WHERE agent = $1 ORDER BY at, follower LIMIT $2`, agent, maxFollowers)
}

// FollowCounts are how many agents follow one, and how many it follows.
func (db *People) FollowCounts(ctx context.Context, agent string) (followers, following int, err error) {
	err = db.engine.reader.QueryRowContext(ctx, `SELECT (SELECT COUNT(*) FROM follows WHERE agent = $1), (SELECT COUNT(*) FROM follows WHERE follower = $1)`,
		agent).Scan(&followers, &following)
	return followers, following, db.fault("count followers", err)
}

func scanText(row scanner) (s string, err error) {
	err = row.Scan(&s)
	return s, err
}

// Notification is something an agent hosted here should know.
type Notification struct {
	ID      string // ntf_ and a UUIDv7; given by Notify
	Agent   string // for whom
	Kind    string
	Subject string // what it is about; one notice of a kind and subject is made once
	Text    string
	Link    string
	At      time.Time
	Read    bool
}

// Notify keeps a notice unless there is one of that agent, kind and subject, and
// reports whether it is new.
func (db *People) Notify(ctx context.Context, n Notification) (id string, fresh bool, err error) {
	err = db.write(ctx, "keep a notification", func(tx *sql.Tx) error {
		uuid, err := db.ids.V7(n.At)
		if err != nil {
			return err
		}
		id = "ntf_" + uuid
		done, err := tx.ExecContext(ctx, `INSERT INTO notifications (id, agent, kind, subject, text, link, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (agent, kind, subject) DO NOTHING`, id, n.Agent, n.Kind, n.Subject, n.Text, n.Link, n.At.UnixMilli())
		if err != nil {
			return err
		}
		rows, err := done.RowsAffected()
		fresh = rows > 0
		return err
	})
	return id, fresh, err
}

// Notifications are up to limit (at most 100) of an agent, newest first, older
// than the one named before; "" begins at the newest.
func (db *People) Notifications(ctx context.Context, agent, before string, limit int) ([]Notification, error) {
	return query(ctx, db.base, "list notifications", scanNotification, `SELECT id, agent, kind, subject, text, link, at, read_at FROM notifications
		WHERE agent = $1 AND ($2 = '' OR id < $2) ORDER BY id DESC LIMIT $3`, agent, before, min(limit, MaxPage+1))
}

func scanNotification(row scanner) (Notification, error) {
	var n Notification
	var at, read sql.NullInt64
	err := row.Scan(&n.ID, &n.Agent, &n.Kind, &n.Subject, &n.Text, &n.Link, &at, &read)
	n.At, n.Read = moment(at), read.Valid
	return n, err
}

// CountNotifications are all of an agent, and those it has not read.
func (db *People) CountNotifications(ctx context.Context, agent string) (total, unread int, err error) {
	err = db.engine.reader.QueryRowContext(ctx, `SELECT COUNT(*), COUNT(*) - COUNT(read_at) FROM notifications WHERE agent = $1`, agent).Scan(&total, &unread)
	return total, unread, db.fault("count notifications", err)
}

// ReadNotifications marks notices of an agent as read; no ids are all of them. It
// returns how many were not read before.
func (db *People) ReadNotifications(ctx context.Context, agent string, ids []string, now time.Time) (n int64, err error) {
	err = db.write(ctx, "read notifications", func(tx *sql.Tx) error {
		mark := func(more string, args ...any) error {
			done, err := tx.ExecContext(ctx, `UPDATE notifications SET read_at = $1 WHERE agent = $2 AND read_at IS NULL`+more, append([]any{now.UnixMilli(), agent}, args...)...)
			if err != nil {
				return err
			}
			rows, err := done.RowsAffected()
			n += rows
			return err
		}
		if len(ids) == 0 {
			return mark("")
		}
		for _, id := range ids {
			if err := mark(" AND id = $3", id); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// NoteServed remembers that a caller was served an entry on a day, and reports
// whether that is new.
func (db *People) NoteServed(ctx context.Context, day int64, entry, caller string) (fresh bool, err error) {
	err = db.write(ctx, "note what was served", func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `INSERT INTO served_reads (day, entry, caller) VALUES ($1, $2, $3) ON CONFLICT (day, entry, caller) DO NOTHING`, day, entry, caller)
		if err != nil {
			return err
		}
		rows, err := done.RowsAffected()
		if fresh = rows > 0; err != nil || !fresh {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO served_totals (entry, count) VALUES ($1, 1)
			ON CONFLICT (entry) DO UPDATE SET count = served_totals.count + 1`, entry)
		return err
	})
	return fresh, err
}

// ServedCount is a number of callers that were served an entry.
type ServedCount struct {
	Day   int64 // of ServedBefore
	Entry string
	Count int64
}

// ServedBefore are the counts of the oldest day before one, by entry; none when
// there is no such day.
func (db *People) ServedBefore(ctx context.Context, day int64) ([]ServedCount, error) {
	return query(ctx, db.base, "count what was served", scanServed, `SELECT day, entry, COUNT(*) FROM served_reads
		WHERE day = (SELECT MIN(day) FROM served_reads WHERE day < $1) GROUP BY day, entry ORDER BY entry`, day)
}

func scanServed(row scanner) (c ServedCount, err error) {
	err = row.Scan(&c.Day, &c.Entry, &c.Count)
	return c, err
}

// ForgetServed forgets who read what on a day; the totals stay.
func (db *People) ForgetServed(ctx context.Context, day int64) error {
	return db.write(ctx, "forget what was served", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM served_reads WHERE day = $1`, day)
		return err
	})
}

// ServedTotals are how many reads of each entry this gateway has counted.
func (db *People) ServedTotals(ctx context.Context) (map[string]int64, error) {
	all, err := query(ctx, db.base, "read what was served", scanServed, `SELECT 0, entry, count FROM served_totals`)
	out := make(map[string]int64, len(all))
	for _, c := range all {
		out[c.Entry] = c.Count
	}
	return out, err
}

// TierStep is a change of an agent's tier as this gateway saw it.
type TierStep struct {
	Agent string
	At    time.Time
	Score int64 // hundredths
	Tier  string
	Cause string
}

// NoteTier remembers a change of tier.
func (db *People) NoteTier(ctx context.Context, s TierStep) error {
	return db.write(ctx, "note a tier", func(tx *sql.Tx) error {
		uuid, err := db.ids.V7(s.At)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO tier_history (id, agent, at, score, tier, cause) VALUES ($1, $2, $3, $4, $5, $6)`,
			uuid, s.Agent, s.At.UnixMilli(), s.Score, s.Tier, s.Cause)
		return err
	})
}

// Tiers are up to limit (at most 100) changes of tier, newest first.
func (db *People) Tiers(ctx context.Context, agent string, limit int) ([]TierStep, error) {
	return query(ctx, db.base, "list tiers", func(row scanner) (s TierStep, err error) {
		var at sql.NullInt64
		err = row.Scan(&s.Agent, &at, &s.Score, &s.Tier, &s.Cause)
		s.At = moment(at)
		return s, err
	}, `SELECT agent, at, score, tier, cause FROM tier_history WHERE agent = $1 ORDER BY id DESC LIMIT $2`, agent, min(limit, MaxPage))
}

// Suspend stops an account at this gateway, and writes that into the audit log.
func (db *People) Suspend(ctx context.Context, agent, why, actor string, now time.Time) error {
	return db.write(ctx, "suspend an account", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO suspensions (agent, reason, actor, at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (agent) DO UPDATE SET reason = excluded.reason, actor = excluded.actor, at = excluded.at`, agent, why, actor, now.UnixMilli()); err != nil {
			return err
		}
		_, err := db.audit(ctx, tx, AuditEntry{At: now, Actor: actor, Action: "agent.suspended", Object: agent, Detail: map[string]any{"reason": why}})
		return err
	})
}

// Restore lets it write again.
func (db *People) Restore(ctx context.Context, agent, why, actor string, now time.Time) error {
	return db.write(ctx, "restore an account", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM suspensions WHERE agent = $1`, agent); err != nil {
			return err
		}
		_, err := db.audit(ctx, tx, AuditEntry{At: now, Actor: actor, Action: "agent.restored", Object: agent, Detail: map[string]any{"reason": why}})
		return err
	})
}

// Suspended are the reasons for which accounts are stopped, by agent.
func (db *People) Suspended(ctx context.Context) (map[string]string, error) {
	type stop struct{ agent, why string }
	all, err := query(ctx, db.base, "list suspended accounts", func(row scanner) (s stop, err error) {
		err = row.Scan(&s.agent, &s.why)
		return s, err
	}, `SELECT agent, reason FROM suspensions`)
	out := make(map[string]string, len(all))
	for _, s := range all {
		out[s.agent] = s.why
	}
	return out, err
}

// IsSuspended reports whether an account is stopped.
func (db *People) IsSuspended(ctx context.Context, agent string) (bool, error) {
	var n int
	err := db.engine.reader.QueryRowContext(ctx, `SELECT COUNT(*) FROM suspensions WHERE agent = $1`, agent).Scan(&n)
	return n > 0, db.fault("read a suspension", err)
}

// KeyOwner is the agent of an API key, or not_found.
func (db *People) KeyOwner(ctx context.Context, id string) (agent string, err error) {
	err = db.engine.reader.QueryRowContext(ctx, `SELECT agent_id FROM api_keys WHERE id = $1`, id).Scan(&agent)
	if errors.Is(err, sql.ErrNoRows) {
		return "", reason.Refuse(reason.NotFound, "no such key")
	}
	return agent, db.fault("find the owner of a key", err)
}
