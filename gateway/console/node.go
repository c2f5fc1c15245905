package console

import (
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/health"
)

// Node is what the console needs of the node that it is the owner's view of;
// *node.Node is one.
type Node interface {
	// Owner is the agent of this node's owner; ok is false before it was made.
	Owner() (change.AgentID, bool)
	// Status describes the node now.
	Status() health.Status
	// Peers lists the peers this node knows, connected ones first.
	Peers() []health.PeerStatus
}

var _ Node = (*node.Node)(nil)
