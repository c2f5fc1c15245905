package comment

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	said
	opinions

	// Entry returns a live public entry, or entry_not_found, retracted, revoked
	// or purged.
	Entry(ctx context.Context, id change.ID) (view.Entry, error)
	// CheckText looks for secrets in any other text that people will read.
	CheckText(field, text string) []gate.Finding
}

// said is what was said of an entry, and the saying of it.
type said interface {
	// Comment writes about an entry.
	Comment(ctx context.Context, agent change.AgentID, entry change.ID, c view.NewComment) (view.Comment, error)
	// Comments are those about an entry, or the notes about an agent's genesis,
	// oldest first, without their words.
	Comments(ctx context.Context, target change.ID) ([]view.Comment, error)
	// Words returns some of them with what they say.
	Words(ctx context.Context, of []view.Comment) ([]view.Comment, error)
	// FindComment returns one comment or note, or not_found or purged.
	FindComment(ctx context.Context, id change.ID) (view.Comment, error)
	// DeleteComment takes one back: its author may, and who owns the thread.
	DeleteComment(ctx context.Context, agent change.AgentID, id change.ID) error
}

// opinions are votes, labels and reports.
type opinions interface {
	// Vote is the last word of an agent about an entry or a comment.
	Vote(ctx context.Context, agent change.AgentID, target change.ID, value int) (view.Votes, error)
	// Label puts a label on an entry, comment or note.
	Label(ctx context.Context, agent change.AgentID, target change.ID, value, why string) error
	// Labels are all labels of a target, whoever gave them, oldest first.
	Labels(target change.ID) []view.Label
}
