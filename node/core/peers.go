package core

import (
	"context"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/ingest"
)

// Peers is the connected network as those see it who write changes and judge them. It is
// safe for concurrent use, and nothing in it waits for a peer but AwaitReplicas.
type Peers interface {
	// Publish hands a change of this node to gossip, or to a reconciliation that starts
	// at once.
	Publish(set string, c *change.Change)
	// PassOn relays what came from a peer and others may lack.
	PassOn(set string, cs []*change.Change)
	// AwaitReplicas waits until most peers were seen to have a change, or a bounded
	// time, and returns how many do.
	AwaitReplicas(ctx context.Context, r ingest.Receipt, most int) int
	// ReconcileSoon has every connected peer be reconciled with soon.
	ReconcileSoon()
	// Skew is how far the clocks of peers are ahead of this one, 0 when unknown.
	Skew() time.Duration
	// Prefix is the /24 or /48 that a peer is connected from, "" for one that is near or
	// comes by a relay.
	Prefix(id peer.ID) string
	// Deny refuses the connections of a peer, or no longer does.
	Deny(id peer.ID, on bool)
}

// Connected are the peers, nil while the node is not connected.
func (n *Core) Connected() Peers {
	if p := n.Linked.Load(); p != nil {
		return *p
	}
	return nil
}

// Replicas is Peers.AwaitReplicas, none without peers.
func (n *Core) Replicas(ctx context.Context, r ingest.Receipt, most int) int {
	if p := n.Connected(); p != nil && most > 0 {
		return p.AwaitReplicas(ctx, r, most)
	}
	return 0
}
