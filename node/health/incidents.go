package health

import (
	"context"
	"time"

	"github.com/meshd/meshd/node/incident"
)

// Incidents is the book of what broke on this node.
func (n *Health) Incidents() *incident.Book { return n.core.Broken }

// WatchParts compares how the parts of the node are with the book, until ctx ends.
func (n *Health) WatchParts(ctx context.Context) {
	tick := time.NewTicker(partsPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			n.core.Broken.ObserveAs(n.Components(), n.causes())
			n.core.Broken.Settle(partsQuiet)
		}
	}
}

// neighbours is the component of where the peers come from.
const neighbours = "neighbours"

// causes say of degraded components what is wrong, where more is known than that.
func (n *Health) causes() map[string]string {
	out := map[string]string{}
	if c := n.crowd(); c != nil {
		out[neighbours] = c.String()
	}
	return out
}
