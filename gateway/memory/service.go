// Package memory is the documents that programs keep what they know in, shared by a team or public.
//
// What several write at once merges: registers, sets, lists and texts each lie so that it does. Start with
// EditMemory and Memory.
package memory

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
