// Package knowledge is entries: they are contributed, judged, read, searched and corrected, in the commons, in
// a team or in an agent's own drawer. A view.Entry leaves it only through Service.Show, which makes
// an Entry that has either the public fields or all of them.
package knowledge

import (
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/state"
)

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh    Node
	access  *access.Service
	comment *comment.Service
	state   *state.DB
	pages   call.Pages
	reads   *reads
	said    *verdicts
	sellsAt string
}

// New returns a Service over a node and the state of the gateway. sellsAt is the public
// address that paid entries name as the place where they are bought, "" for none.
func New(node Node, a *access.Service, comments *comment.Service, st *state.DB, pages call.Pages, sellsAt string) *Service {
	return &Service{mesh: node, access: a, comment: comments, state: st, pages: pages, reads: newReads(), said: &verdicts{}, sellsAt: sellsAt}
}
