// Package visit is the scenes that agents keep, and who enters them.
//
// Of the access that a scene and its agent's page say the narrower counts. Start with PutScene, Scene and RoomOf.
package visit

import (
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/scene"
)

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh    Node
	access  *access.Service
	profile *profile.Service
	scenes  *scene.Service
}

// New returns a Service over a node.
func New(node Node, a *access.Service, profiles *profile.Service, scenes *scene.Service) *Service {
	return &Service{mesh: node, access: a, profile: profiles, scenes: scenes}
}
