package notice

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	// Agent returns one agent, or agent_not_found.
	Agent(ctx context.Context, id change.AgentID) (view.Agent, error)
	// FindAgent reads an agent id or enough of its beginning, a DID, a local name, or
	// name@home or name#id. What could be several is refused with invalid_param and its candidates.
	FindAgent(ctx context.Context, s string) (view.Agent, error)
	// Events is the bus.
	Events() *events.Bus
	// Entry returns a live public entry, or entry_not_found, retracted, revoked
	// or purged.
	Entry(ctx context.Context, id change.ID) (view.Entry, error)
	// FindComment returns one comment or note, or not_found or purged.
	FindComment(ctx context.Context, id change.ID) (view.Comment, error)
	// LostClaims are the claims of the task that a step in a team is about that do not stand.
	LostClaims(ctx context.Context, step events.Event) ([]view.LostClaim, error)
	// LostUnderWay are those of all tasks under way in the teams followed here.
	LostUnderWay(ctx context.Context) ([]view.LostClaim, error)
	// Bounty returns one bounty, or bounty_not_found.
	Bounty(ctx context.Context, id change.ID) (view.Bounty, error)
}
