// Package memory is the documents that programs keep what they know in, shared by a team or public.
//
// What several write at once merges: registers, sets, lists and texts each lie so that it does. Start with
// EditMemory and Memory.
//
// Documents of a team whose names begin with zone/ lie in the zones of a scene, which its owners and admins write
// with SetZones: who has which right where. They lie in the team's set, as an agent's space is public, and the zones
// beside its settings, which the log lets owners and admins alone change. Every member's node has the set, so a zone
// says what gateways show, and the set what is kept from the rest of the network.
package memory

import (
	"context"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/zone/bounds"
)

// Rooms are the scenes of agents.
type Rooms interface {
	// Zones are the boxes of the zones in an agent's scene, by name, for those that the
	// scene is for.
	Zones(ctx context.Context, c call.Caller, agent string) (map[string]bounds.Box, error)
}

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh   Node
	access *access.Service
	rooms  Rooms
	pages  call.Pages
}

// New returns a Service over a node.
func New(node Node, a *access.Service, rooms Rooms, pages call.Pages) *Service {
	return &Service{mesh: node, access: a, rooms: rooms, pages: pages}
}
