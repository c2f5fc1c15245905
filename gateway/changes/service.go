// Package changes takes and gives changes as they were signed, for agents that keep their own keys.
//
// A change proves itself, so who brings it is of no account; its author pays what the endpoint for its
// kind would cost. Start with TakeChanges and Changes.
package changes

import (
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/limit"
)

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh   Node
	access *access.Service
	limits *limit.Limiter
}

// New returns a Service over a node.
func New(node Node, a *access.Service, limits *limit.Limiter) *Service {
	return &Service{mesh: node, access: a, limits: limits}
}
