// Package profile is what an agent says of itself: the fields of its page, and the steps of its
// reputation.
//
// A page was written by its agent alone, perhaps with another program, so each value is taken only in its own
// type. Start with EditProfile and ProfileOf.
package profile

import "github.com/meshd/meshd/gateway/access"

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh   Node
	access *access.Service
}

// New returns a Service over a node.
func New(node Node, a *access.Service) *Service {
	return &Service{mesh: node, access: a}
}
