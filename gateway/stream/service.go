// Package stream decides who may receive which events: channels of server-sent events and
// sockets, tickets for them, and what MCP clients subscribe to.
package stream

import (
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/bounty"
	"github.com/meshd/meshd/gateway/journal"
	"github.com/meshd/meshd/gateway/memory"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/team"
)

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh    Node
	access  *access.Service
	bounty  *bounty.Service
	memory  *memory.Service
	team    *team.Service
	state   *state.DB
	journal *journal.Journal
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, a *access.Service, bounties *bounty.Service, documents *memory.Service, teams *team.Service, st *state.DB, journal *journal.Journal) *Service {
	return &Service{mesh: node, access: a, bounty: bounties, memory: documents, team: teams, state: st, journal: journal}
}
