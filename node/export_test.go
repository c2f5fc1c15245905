package node

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/ingest"
)

// Bring takes changes in as a pass of reconciliation with a peer does.
func (n *Node) Bring(ctx context.Context, from string, cs []*change.Change) (ingest.Outcome, error) {
	return n.ingest.Receive(ctx, from, "", cs)
}

// Body is the body of a member, nil when it is not here.
func (n *Node) Body(ctx context.Context, id change.ID) ([]byte, error) { return n.log.Body(ctx, id) }

// CaughtUp ends catching up, as passes with two equal peers do.
func (n *Node) CaughtUp() {
	for _, p := range []string{"one", "two"} {
		n.admits.ages.Peer(p, true, 0, n.opt.Now(), n.log.LastSeq())
	}
}

// Unjudged is how many entries wait for the detectors.
func (n *Node) Unjudged() int { return n.unjudged.Len() }

// ForgetVerdict makes an entry one that detectors have not seen.
func (n *Node) ForgetVerdict(id change.ID) { n.judged.Forget(id) }
