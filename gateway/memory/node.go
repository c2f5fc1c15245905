package memory

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	// EditMemory writes the fields that set says of the present state as one change.
	EditMemory(ctx context.Context, agent change.AgentID, space change.Space, name string, ifVersion int,
		set func(now map[string]any) ([]doc.Field, error)) (m view.Memory, written change.ID, err error)
	// Memory reads a document of a space; one that nobody wrote is empty.
	Memory(ctx context.Context, space change.Space, name string) (view.Memory, error)
}
