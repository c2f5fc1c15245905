package welcome

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	// Provenance judges the history of a public entry.
	Provenance(ctx context.Context, id change.ID) (view.Provenance, error)
	// Agents returns one page of the directory.
	Agents(ctx context.Context, q view.AgentQuery) (view.AgentPage, error)
	// Counts are exact figures of public data.
	Counts() view.Counts
	// Domains are those of the commons, by count falling, then name.
	Domains(ctx context.Context) []view.Domain
	// Entries returns one page of a selection.
	Entries(ctx context.Context, q view.EntryQuery) (view.EntryPage, error)
	// Network is the network's name and id.
	Network() (name string, id change.NetID)
	// Guilds are the public guilds that this node knows, newest first.
	Guilds(ctx context.Context) []view.Guild
}
