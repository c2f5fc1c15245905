// Package board is a team's work: its tasks and what becomes of them, its messages, its suggestions and
// the feed of all of it.
//
// Every method is for members and begins with access.InTeam. Start with AddTasks, TaskAction and SendMessage.
package board

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
