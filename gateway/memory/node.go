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
	// Memories are the names of the documents that were written in a space, sorted.
	Memories(ctx context.Context, space change.Space) ([]string, error)
	// Zones are the zones of a scene of a guild, empty when nobody wrote any.
	Zones(ctx context.Context, guild change.ID, scene string) (view.Zones, error)
	// EditZones writes the zones of a scene, as an owner or admin of the guild.
	EditZones(ctx context.Context, by change.AgentID, guild change.ID, scene string, policy []byte, ifVersion int) (view.Zones, error)
}
