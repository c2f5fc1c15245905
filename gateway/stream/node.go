package stream

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	// Memory reads a document of a space; one that nobody wrote is empty.
	Memory(ctx context.Context, space change.Space, name string) (view.Memory, error)
	// Entry returns a live public entry, or entry_not_found, retracted, revoked
	// or purged.
	Entry(ctx context.Context, id change.ID) (view.Entry, error)
	// Guild describes a guild with its members, or refuses with team_not_found.
	Guild(ctx context.Context, id change.ID) (view.Guild, error)
}
