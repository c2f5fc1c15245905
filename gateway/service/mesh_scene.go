package service

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node/view"
)

// Scenes keeps agents' scenes.
type Scenes interface {
	// Scene is an agent's scene, without fields when there is none.
	Scene(ctx context.Context, id change.AgentID) (view.Scene, error)
	// EditScene sets fields of an agent's scene; nil deletes one. ifVersion -1
	// means whatever the version is, any other mismatch is version_conflict.
	EditScene(ctx context.Context, id change.AgentID, set []doc.Field, ifVersion int) (view.Scene, error)
}
