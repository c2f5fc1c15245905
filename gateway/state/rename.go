package state

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/meshd/meshd/crdt/reason"
)

// RenameAgent gives a confirmed agent another name: name_taken when it is
// another's, agent_not_found when there is no such agent. The same name again
// is fine. The name's form is the caller's to check.
func (db *Accounts) RenameAgent(ctx context.Context, agentID, name string) error {
	key := FoldName(name)
	return db.write(ctx, "rename agent", func(tx *sql.Tx) error {
		var others int
		err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM agents WHERE name_key = $1 AND id <> $2`, key, agentID).Scan(&others)
		if err != nil {
			return fmt.Errorf("look for the name: %w", err)
		}
		if others > 0 {
			return reason.Refuse(reason.NameTaken, "the name is in use on this node")
		}
		res, err := tx.ExecContext(ctx, `UPDATE agents SET name = $1, name_key = $2
			WHERE id = $3 AND claimed_until IS NULL`, name, key, agentID)
		return oneRow(res, err, noAgent())
	})
}
