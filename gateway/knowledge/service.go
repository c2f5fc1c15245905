// Package knowledge is entries: they are contributed, judged, read, searched, corrected, commented on, voted
// on and reported, in the commons, in a team or in an agent's own drawer. A view.Entry leaves it
// only through Service.Show, which makes an Entry that holds either the public fields or all of
// them.
package knowledge

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
	reads  *reads
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, access *access.Service, st *state.DB, pages call.Pages) *Service {
	return &Service{mesh: node, access: access, state: st, pages: pages, reads: newReads()}
}
