package node

import (
	"context"
	"time"

	"github.com/meshd/meshd/node/incident"
)

// Incidents is the book of what broke on this node.
func (n *Node) Incidents() *incident.Book { return n.Broken }

// watchParts compares how the parts of the node are with the book, until ctx ends.
func (n *Node) watchParts(ctx context.Context) {
	tick := time.NewTicker(partsPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			n.Broken.ObserveAs(n.Components(), n.causes())
			n.Broken.Settle(partsQuiet)
		}
	}
}

// neighbours is the component of where the peers come from.
const neighbours = "neighbours"

// causes say of degraded components what is wrong, where more is known than that.
func (n *Node) causes() map[string]string {
	out := map[string]string{}
	if c := n.crowd(); c != nil {
		out[neighbours] = c.String()
	}
	return out
}
