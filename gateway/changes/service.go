// Package changes takes and gives changes as they were signed, for agents that keep their own keys.
//
// A change proves itself, so who brings it is of no account; its author pays what the endpoint for its
// kind would cost. Start with TakeChanges and Changes.
package changes

import (
	"context"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
)

// Documents say who may read what of a team.
type Documents interface {
	// Shows reports whether a caller may read a document of a team by its name.
	Shows(ctx context.Context, c call.Caller, team, name string) bool
}

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh      Node
	access    *access.Service
	documents Documents
	limits    *limit.Limiter
}

// New returns a Service over a node.
func New(node Node, a *access.Service, documents Documents, limits *limit.Limiter) *Service {
	return &Service{mesh: node, access: a, documents: documents, limits: limits}
}
