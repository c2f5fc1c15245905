package trail

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	AnchorAudit(ctx context.Context, agent change.AgentID, day, hash string) error
	AuditAnchors(ctx context.Context, agent change.AgentID) (map[string]string, error)
}
