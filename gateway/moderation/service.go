// Package moderation is what admins decide: accounts stopped, reports answered, texts purged, each with a
// reason in the audit log.
package moderation

import (
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/state"
)

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh       Node
	access     *access.Service
	capability *capability.Service
	comment    *comment.Service
	state      *state.DB
	pages      call.Pages
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, a *access.Service, capabilities *capability.Service, comments *comment.Service, st *state.DB, pages call.Pages) *Service {
	return &Service{mesh: node, access: a, capability: capabilities, comment: comments, state: st, pages: pages}
}
