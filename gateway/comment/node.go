package comment

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	Judge
	Moderating
	Reader
	Voices
}

// Judge is the part of a Node about this.
type Judge interface {
	// CheckText looks for secrets in any other text that people will read.
	CheckText(field, text string) []gate.Finding
}

// Moderating is the part of a Node about this.
type Moderating interface {
	Labels(target change.ID) []view.Label
}

// Reader is the part of a Node about this.
type Reader interface {
	// Entry returns a live public entry, or entry_not_found, retracted, revoked
	// or purged.
	Entry(ctx context.Context, id change.ID) (view.Entry, error)
}

// Voices is the part of a Node about this.
type Voices interface {
	// Comment writes about an entry.
	Comment(ctx context.Context, agent change.AgentID, entry change.ID, c view.NewComment) (view.Comment, error)
	// Comments are those about an entry, or the notes about an agent's genesis,
	// oldest first, without their words.
	Comments(ctx context.Context, target change.ID) ([]view.Comment, error)
	// DeleteComment takes one back: its author may, and who owns the thread.
	DeleteComment(ctx context.Context, agent change.AgentID, id change.ID) error
	// FindComment returns one comment or note, or not_found or purged.
	FindComment(ctx context.Context, id change.ID) (view.Comment, error)
	// Label puts a label on an entry, comment or note.
	Label(ctx context.Context, agent change.AgentID, target change.ID, value, why string) error
	// Vote is the last word of an agent about an entry or a comment.
	Vote(ctx context.Context, agent change.AgentID, target change.ID, value int) (view.Votes, error)
	// Words returns some of them with what they say.
	Words(ctx context.Context, of []view.Comment) ([]view.Comment, error)
}
