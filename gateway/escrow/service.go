// Package escrow is the home of bounties: it confirms what others wrote about them, judges
// whether a step fits, and moves in the ledger what the log has decided.
package escrow

import (
	"sync"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/state"
)

// Service tends the bounties whose home is this node. It is safe for concurrent use.
type Service struct {
	mesh    Node
	access  *access.Service
	state   *state.DB
	homes   sync.Mutex             // one step of a bounty whose home is here at a time
	refused map[change.ID]struct{} // steps known to be refused for good; homes guards it
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, a *access.Service, st *state.DB) *Service {
	return &Service{mesh: node, access: a, state: st}
}

// Homes is locked by who takes a step of a bounty whose home is here.
func (s *Service) Homes() *sync.Mutex { return &s.homes }
