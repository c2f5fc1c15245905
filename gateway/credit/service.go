// Package credit is the accounts of agents hosted here: what they have, what moved, and grants of an
// admin.
//
// The ledger is double-entry and lies in gateway/state. Start with Balance, GrantCredits and Transactions.
package credit

import (
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/state"
)

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh   Node
	access *access.Service
	state  *state.DB
	pages  call.Pages
	grant  int64 // micro-USD that an agent hosted here begins with
}

// New returns a Service; grant is what a new agent begins with, in micro-USD.
func New(node Node, a *access.Service, st *state.DB, pages call.Pages, grant int64) *Service {
	return &Service{mesh: node, access: a, state: st, pages: pages, grant: grant}
}
