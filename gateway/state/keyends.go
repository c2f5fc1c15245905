package state

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"
)

// lineage says where a key came from: the key that asked for it, and the one that
// took over what it had issued.
type lineage struct {
	id, madeBy, heir string
	revoked          time.Time
}

// endKeys ends keys of an agent at a time, which may lie ahead, and with them every
// key that came of them: made by them, or by one that they are the heir of. Keys that
// end earlier keep their end. What the capabilities that they issued need is written
// as owed, for that time. It returns every key that the end concerns, sorted by id,
// those that were dead before too.
func (db *Keys) endKeys(ctx context.Context, tx *sql.Tx, agentID string, roots []string, at, now time.Time) ([]string, error) {
	all, err := db.lineages(ctx, tx, agentID)
	if err != nil {
		return nil, err
	}
	ends := map[string]bool{}
	for _, id := range roots {
		ends[id] = true
	}
	for grew := true; grew; {
		grew = false
		for _, k := range all {
			if !ends[k.id] && (ends[k.madeBy] || ends[k.heir]) {
				ends[k.id], grew = true, true
			}
		}
	}
	var out []string
	for _, k := range all {
		if !ends[k.id] {
			continue
		}
		out = append(out, k.id)
		if k.revoked.IsZero() || k.revoked.After(at) {
			if _, err := tx.ExecContext(ctx, `UPDATE api_keys SET revoked_at = $1 WHERE id = $2`, at.UnixMilli(), k.id); err != nil {
				return nil, err
			}
		}
		if err := db.owe(ctx, tx, Owed{Kind: OwedIssued, Subject: k.id, Agent: agentID, Version: now.UnixMilli()}, at); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// lineages are those of all keys of an agent, sorted by id.
func (db *Keys) lineages(ctx context.Context, tx *sql.Tx, agentID string) ([]lineage, error) {
	rows, err := tx.QueryContext(ctx, `SELECT id, COALESCE(made_by, ''), COALESCE(heir, ''), revoked_at FROM api_keys WHERE agent_id = $1`, agentID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []lineage
	for rows.Next() {
		var k lineage
		var revoked sql.NullInt64
		if err := rows.Scan(&k.id, &k.madeBy, &k.heir, &revoked); err != nil {
			return nil, err
		}
		k.revoked = moment(revoked)
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b lineage) int { return strings.Compare(a.id, b.id) })
	return out, rows.Err()
}

// inherit lets a new key take over what an old one issued: its keys and invitations,
// and by heir its capabilities.
func (db *Keys) inherit(ctx context.Context, tx *sql.Tx, agentID, old, heir string) error {
	if _, err := tx.ExecContext(ctx, `UPDATE api_keys SET made_by = $1 WHERE agent_id = $2 AND made_by = $3`, heir, agentID, old); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE invites SET made_with = $1 WHERE made_with = $2`, heir, old); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `UPDATE api_keys SET heir = $1 WHERE id = $2`, heir, old)
	return err
}
