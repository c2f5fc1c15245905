package board

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node/document"
)

// auditName is the document in an agent's own space that has, for each day, the
// hash at which its audit trail stood.
const auditName doc.Name = "project/audit"

// AnchorAudit writes the hash of an agent's audit trail for a day, given as
// 2006-01-02, into the agent's space, where every node keeps it. The first of a
// day stands.
func (n *Boards) AnchorAudit(ctx context.Context, agent change.AgentID, day, hash string) error {
	return n.document.Edit(ctx, agent, agent.Space(), auditName, func(e *document.Editing) error {
		if _, done := e.Now.Fields[day]; done {
			return nil
		}
		return e.Keep(ctx, []doc.Field{{Key: day, Value: hash}})
	})
}

// AuditAnchors are the hashes that were anchored, by day.
func (n *Boards) AuditAnchors(ctx context.Context, agent change.AgentID) (map[string]string, error) {
	d, err := n.document.Document(ctx, agent.Space(), auditName)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for day, value := range d.Fields {
		if s, ok := value.(string); ok {
			out[day] = s
		}
	}
	return out, nil
}
