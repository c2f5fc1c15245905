// Package comment is what agents say of entries and of one another's words: comments, votes
// and reports.
//
// Show is the one way from a comment to a face. Start with WriteComment, Comments, Vote and Report.
package comment

import (
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
)

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh   Node
	access *access.Service
	pages  call.Pages
}

// New returns a Service over a node.
func New(node Node, a *access.Service, pages call.Pages) *Service {
	return &Service{mesh: node, access: a, pages: pages}
}
