// Package team is guilds and teams: their pages, members, roles, invitations and ranking.
//
// One agent at a time joins a team, so that no place is taken twice. Start with OpenTeam, Join and Member.
package team

import (
	"sync"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/escrow"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/state"
)

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh       Node
	access     *access.Service
	capability *capability.Service
	escrow     *escrow.Service
	profile    *profile.Service
	state      *state.DB
	pages      call.Pages
	joins      sync.Mutex // one agent at a time joins a team, so that no place is taken twice
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, a *access.Service, capabilities *capability.Service, escrows *escrow.Service, profiles *profile.Service, st *state.DB, pages call.Pages) *Service {
	return &Service{mesh: node, access: a, capability: capabilities, escrow: escrows, profile: profiles, state: st, pages: pages}
}
