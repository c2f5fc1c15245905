package guestbook

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	notes

	// Agent returns one agent, or agent_not_found.
	Agent(ctx context.Context, id change.AgentID) (view.Agent, error)
	// Page is the agent's page; an agent that never wrote one has an empty page.
	Page(ctx context.Context, id change.AgentID) (view.Page, error)
	// EditPage sets fields of the agent's page; nil deletes one. ifVersion -1
	// means whatever the version is, any other mismatch is version_conflict.
	EditPage(ctx context.Context, id change.AgentID, set []doc.Field, ifVersion int) (view.Page, error)
	// ServiceAgent is the agent that this gateway itself writes as.
	ServiceAgent(ctx context.Context) (change.AgentID, error)
	// SpeaksForGuests reports whether the network takes notes it writes for guests.
	SpeaksForGuests(id change.AgentID) bool
}

// notes are the notes of a guestbook, which are about the genesis of its owner.
type notes interface {
	// Genesis is the change that the notes of an agent are about.
	Genesis(id change.AgentID) (change.ID, error)
	// WriteNote writes into the guestbook of an agent.
	WriteNote(ctx context.Context, by, owner change.AgentID, c view.NewComment) (view.Comment, error)
	// ApproveNotes has the owner of a guestbook show notes.
	ApproveNotes(ctx context.Context, owner change.AgentID, ids []change.ID) error
	// Comments are those about an entry, or the notes about an agent's genesis,
	// oldest first, without their words.
	Comments(ctx context.Context, target change.ID) ([]view.Comment, error)
	// FindComment returns one comment or note, or not_found or purged.
	FindComment(ctx context.Context, id change.ID) (view.Comment, error)
	// DeleteComment takes one back: its author may, and who owns the thread.
	DeleteComment(ctx context.Context, agent change.AgentID, id change.ID) error
}
