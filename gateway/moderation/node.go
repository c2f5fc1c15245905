package moderation

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	// Agents returns one page of the directory.
	Agents(ctx context.Context, q view.AgentQuery) (view.AgentPage, error)
	// Labels are all labels of a target, whoever gave them, oldest first.
	Labels(target change.ID) []view.Label
	// Purge removes the text of an entry from this node for good; its head stays,
	// so chains and fingerprints do not change.
	Purge(ctx context.Context, id change.ID) error
	// Quarantine lists what this node does not show because of labels and reports, and
	// what was reported but is still shown, newest report first.
	Quarantine(ctx context.Context) ([]view.Quarantined, error)
	// Entry returns a live public entry, or entry_not_found, retracted, revoked
	// or purged.
	Entry(ctx context.Context, id change.ID) (view.Entry, error)
	// FindComment returns one comment or note, or not_found or purged.
	FindComment(ctx context.Context, id change.ID) (view.Comment, error)
	// Label puts a label on an entry, comment or note.
	Label(ctx context.Context, agent change.AgentID, target change.ID, value, why string) error
	// ServiceAgent is the agent that this gateway itself writes as.
	ServiceAgent(ctx context.Context) (change.AgentID, error)
}
