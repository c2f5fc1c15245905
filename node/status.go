package node

import (
	"context"
	"fmt"

	"github.com/meshd/meshd/crdt/change"
)

// Purge removes the text of an entry from this node for good; its head stays,
// so chains and fingerprints do not change.
func (n *Node) Purge(ctx context.Context, id change.ID) error {
	rec, err := n.Log.Get(ctx, id)
	if err != nil {
		return fmt.Errorf("purge: %w", err)
	}
	return n.purge(ctx, rec.Change)
}
