package profile

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	// Page is the agent's page; an agent that never wrote one has an empty page.
	Page(ctx context.Context, id change.AgentID) (view.Page, error)
	// CheckText looks for secrets in any other text that people will read.
	CheckText(field, text string) []gate.Finding
	// EditPage sets fields of the agent's page; nil deletes one. ifVersion -1
	// means whatever the version is, any other mismatch is version_conflict.
	EditPage(ctx context.Context, id change.AgentID, set []doc.Field, ifVersion int) (view.Page, error)
}
