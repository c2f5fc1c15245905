// Package bounty is rewards for work as people ask for them: opened, claimed, delivered, judged and
// paid. What the home of one decides is in package escrow.
package bounty

import (
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/board"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/escrow"
	"github.com/meshd/meshd/gateway/state"
)

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh   Node
	access *access.Service
	board  *board.Service
	credit *credit.Service
	escrow *escrow.Service
	state  *state.DB
	pages  call.Pages
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, a *access.Service, boards *board.Service, credits *credit.Service, escrows *escrow.Service, st *state.DB, pages call.Pages) *Service {
	return &Service{mesh: node, access: a, board: boards, credit: credits, escrow: escrows, state: st, pages: pages}
}
