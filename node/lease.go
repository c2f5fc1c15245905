package node

import (
	"context"
	"time"
)

// keepLeases ends claims that are over, carries over boards that are full and
// settles what viewers may write, of the teams whose home is here, until ctx ends.
func (n *Node) keepLeases(ctx context.Context) {
	tick := time.NewTicker(leasePoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			n.EndLeases(ctx)
			n.OpenGenerations(ctx)
			n.SettleViewers(ctx)
		}
	}
}
