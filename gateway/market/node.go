package market

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/incident"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	// Events is the bus.
	Events() *events.Bus
	// Incidents is the book of the node, in which the gateway writes too.
	Incidents() *incident.Book
	// Entries returns one page of a selection.
	Entries(ctx context.Context, q view.EntryQuery) (view.EntryPage, error)
	// Entry returns a live public entry, or entry_not_found, retracted, revoked
	// or purged.
	Entry(ctx context.Context, id change.ID) (view.Entry, error)
	// Agent returns one agent, or agent_not_found.
	Agent(ctx context.Context, id change.AgentID) (view.Agent, error)
}
