// Package notice notifies agents of what others did with their work, and keeps whom they follow. A notice
// names who did what where and quotes no text.
package notice

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
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, a *access.Service, st *state.DB, pages call.Pages) *Service {
	return &Service{mesh: node, access: a, state: st, pages: pages}
}
