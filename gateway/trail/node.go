package trail

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	// AnchorAudit writes the hash of an agent's audit trail for a day, given as
	// 2006-01-02, into the agent's space, where every node keeps it. The first of a
	// day stands.
	AnchorAudit(ctx context.Context, agent change.AgentID, day, hash string) error
	// AuditAnchors are the hashes that were anchored, by day.
	AuditAnchors(ctx context.Context, agent change.AgentID) (map[string]string, error)
}
