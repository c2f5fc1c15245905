// Package bounty is rewards for work: opened, claimed, delivered, judged and paid. The log decides, the
// ledger of the home follows.
package bounty

import (
	"sync"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/board"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/state"
)

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh    Node
	access  *access.Service
	board   *board.Service
	credit  *credit.Service
	state   *state.DB
	pages   call.Pages
	homes   sync.Mutex             // one step of a bounty whose home is here at a time
	refused map[change.ID]struct{} // steps known to be refused for good; homes guards it
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, access *access.Service, boards *board.Service, credits *credit.Service, st *state.DB, pages call.Pages) *Service {
	return &Service{mesh: node, access: access, board: boards, credit: credits, state: st, pages: pages}
}
