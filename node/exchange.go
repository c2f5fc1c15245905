package node

import (
	"context"
	"fmt"
)

// Verify reads every stored change again and reports what does not fit. It is
// the quick half of VerifyDeep.
func (n *Node) Verify(ctx context.Context) (DeepCheck, error) {
	out := DeepCheck{ViewsOK: true}
	if err := n.Log.Verify(ctx, false, out.note); err != nil {
		return out, fmt.Errorf("verify log: %w", err)
	}
	out.Changes = n.Log.LastSeq() - min(n.Log.LastSeq(), uint64(out.Damaged))
	return out, nil
}
