package node

import (
	"context"
	"slices"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/peering"
	"github.com/meshd/meshd/p2p/sync"
)

// Bring takes changes in as a pass of reconciliation with a peer does.
func (n *Node) Bring(ctx context.Context, from string, cs []*change.Change) (ingest.Outcome, error) {
	return n.Ingest.Receive(ctx, from, "", cs)
}

// Body is the body of a member, nil when it is not here.
func (n *Node) Body(ctx context.Context, id change.ID) ([]byte, error) { return n.Log.Body(ctx, id) }

// CaughtUp ends catching up, as passes with two equal peers do.
func (n *Node) CaughtUp() {
	for _, p := range []string{"one", "two"} {
		n.Admits.Ages.Peer(p, true, 0, n.Opt.Now(), n.Log.LastSeq())
	}
}

// Unjudged is how many entries wait for the detectors.
func (n *Node) Unjudged() int { return n.Pending.Len() }

// ForgetVerdict makes an entry one that detectors have not seen.
func (n *Node) ForgetVerdict(id change.ID) { n.Judged.Forget(id) }

// Contains reports whether a change is a member here.
func (n *Node) Contains(id change.ID) bool {
	c, err := n.Log.Member(id)
	return err == nil && c != nil
}

// Score is the penalty of a connected peer, 0 for none.
func (n *Node) Score(p peer.ID) float64 { return n.Net.Load().Host.Guard().Score(p) }

// SyncWith makes a pass with a connected peer, and another while a set was left to a
// session of the peer's own.
func (n *Node) SyncWith(ctx context.Context, p peer.ID) error {
	for {
		reports, err := n.Net.Load().Sync.SyncNow(ctx, p)
		if err != nil || !slices.ContainsFunc(reports[0].Sets, func(s sync.SetReport) bool { return s.Mode == "left" }) {
			return err
		}
		time.Sleep(time.Second)
	}
}

// CheckpointReads reports whether the checkpoint on disk would be used.
func (n *Node) CheckpointReads() bool { _, err := n.readCheckpoint(); return err == nil }

// Refold folds the log anew, as after a repair.
func (n *Node) Refold(ctx context.Context) error { return n.mended(ctx, nil) }

// Teammates are the peers that a turn of reconciliation includes beside those drawn.
func (n *Node) Teammates() []peer.ID { return n.Net.Load().Teammates() }

// FetchPast asks a connected peer for changes that others build on.
func (n *Node) FetchPast(ctx context.Context, from peer.ID, set string, ids ...change.ID) {
	net := n.Net.Load()
	net.Fetch(ctx, peering.Missing{From: from, Set: set, IDs: ids})
}
