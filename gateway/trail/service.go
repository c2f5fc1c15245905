// Package trail is the audit trail of an agent: records chained by hash, anchored in the log once a day.
//
// Each record names the one before it; one that does not is refused alone. Start with AppendTrail and Trail.
package trail

import (
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/owed"
	"github.com/meshd/meshd/gateway/state"
)

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh   Node
	access *access.Service
	state  *state.DB
	pages  call.Pages
	owed   *owed.Keeper
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, a *access.Service, st *state.DB, pages call.Pages, owes *owed.Keeper) *Service {
	return &Service{mesh: node, access: a, state: st, pages: pages, owed: owes}
}
