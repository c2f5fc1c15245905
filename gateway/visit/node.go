package visit

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	// FindAgent reads an agent id or enough of its beginning, a DID, a local name, or
	// name@home or name#id. What could be several is refused with invalid_param and its candidates.
	FindAgent(ctx context.Context, s string) (view.Agent, error)
	// CheckText looks for secrets in any other text that people will read.
	CheckText(field, text string) []gate.Finding
	// EditScene sets fields of an agent's scene; nil deletes one. ifVersion -1
	// means whatever the version is, any other mismatch is version_conflict.
	EditScene(ctx context.Context, id change.AgentID, set []doc.Field, ifVersion int) (view.Scene, error)
	// Scene is an agent's scene, without fields when there is none.
	Scene(ctx context.Context, id change.AgentID) (view.Scene, error)
	// Guilds are the public guilds that this node knows, newest first.
	Guilds(ctx context.Context) []view.Guild
}
