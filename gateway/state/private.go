package state

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// Private is something an agent keeps for itself. Its content is sealed in the
// database.
type Private struct {
	ID        string // pri_ and a UUIDv7
	Content   []byte
	CreatedAt time.Time
}

// KeepPrivate stores contents of an agent, all or none, and returns them with
// their ids. Above the agent's room it refuses with limit_reached.
func (db *Records) KeepPrivate(ctx context.Context, agent string, contents [][]byte, now time.Time) ([]Private, error) {
	var out []Private
	err := db.write(ctx, "keep private entries", func(tx *sql.Tx) error {
		var have int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM private_entries WHERE agent = $1`, agent).Scan(&have); err != nil {
			return err
		}
		if have+len(contents) > maxPrivate {
			return reason.Refuse(reason.LimitReached, "an agent keeps %d private entries at most", maxPrivate)
		}
		for _, content := range contents {
			uuid, err := db.ids.V7(now)
			if err != nil {
				return err
			}
			id := "pri_" + uuid
			sealed, err := db.seal.seal(content, []byte("private "+agent+" "+id), db.ids)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO private_entries (id, agent, sealed, created_at) VALUES ($1, $2, $3, $4)`,
				id, agent, sealed, now.UnixMilli()); err != nil {
				return err
			}
			out = append(out, Private{id, content, now.UTC().Truncate(time.Millisecond)})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Privates are the private entries of an agent, newest first, from before the one
// named; "" begins at the newest.
func (db *Records) Privates(ctx context.Context, agent, before string, limit int) ([]Private, error) {
	all, err := query(ctx, db.base, "list private entries", scanPrivate, `SELECT id, sealed, created_at FROM private_entries
		WHERE agent = $1 AND ($2 = '' OR id < $2) ORDER BY id DESC LIMIT $3`, agent, before, limit)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if err := db.unsealPrivate(agent, &all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Private is one private entry of an agent, or entry_not_found.
func (db *Records) Private(ctx context.Context, agent, id string) (Private, error) {
	all, err := query(ctx, db.base, "find private entry", scanPrivate, `SELECT id, sealed, created_at FROM private_entries WHERE agent = $1 AND id = $2`, agent, id)
	if err != nil {
		return Private{}, err
	}
	if len(all) == 0 {
		return Private{}, reason.Refuse(reason.EntryNotFound, "no such private entry")
	}
	return all[0], db.unsealPrivate(agent, &all[0])
}

func (db *Records) unsealPrivate(agent string, p *Private) error {
	plain, err := db.seal.open(p.Content, []byte("private "+agent+" "+p.ID))
	if err != nil {
		return db.fault("open private entry", err)
	}
	p.Content = plain
	return nil
}

// CountPrivate is how many private entries an agent has.
func (db *Records) CountPrivate(ctx context.Context, agent string) (n int, err error) {
	err = db.engine.reader.QueryRowContext(ctx, `SELECT count(*) FROM private_entries WHERE agent = $1`, agent).Scan(&n)
	return n, db.fault("count private entries", err)
}

// DropPrivate removes private entries of an agent and says how many there were.
func (db *Records) DropPrivate(ctx context.Context, agent string, ids []string) (dropped int, err error) {
	err = db.write(ctx, "drop private entries", func(tx *sql.Tx) error {
		for _, id := range ids {
			res, err := tx.ExecContext(ctx, `DELETE FROM private_entries WHERE agent = $1 AND id = $2`, agent, id)
			if err != nil {
				return err
			}
			n, err := res.RowsAffected()
			if err != nil {
				return fmt.Errorf("count what went: %w", err)
			}
			dropped += int(n)
		}
		return nil
	})
	return dropped, err
}

func scanPrivate(row scanner) (Private, error) {
	var p Private
	var at sql.NullInt64
	err := row.Scan(&p.ID, &p.Content, &at)
	p.CreatedAt = moment(at)
	return p, err
}
