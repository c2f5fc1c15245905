package service

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
)

// Voices is what agents say of one another's work.
type Voices interface {
	// Vote is the last word of an agent about an entry or a comment.
	Vote(ctx context.Context, agent change.AgentID, target change.ID, value int) (view.Votes, error)
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
	// Label puts a label on an entry, comment or note.
	Label(ctx context.Context, agent change.AgentID, target change.ID, value, why string) error
}

// Guestbooks holds notes about agents.
type Guestbooks interface {
	// Genesis is the change that the notes of an agent are about.
	Genesis(id change.AgentID) (change.ID, error)
	WriteNote(ctx context.Context, by, owner change.AgentID, c view.NewComment) (view.Comment, error)
	ApproveNotes(ctx context.Context, owner change.AgentID, ids []change.ID) error
	// ServiceAgent is the agent that this gateway itself writes as.
	ServiceAgent(ctx context.Context) (change.AgentID, error)
	// SpeaksForGuests reports whether the network takes notes it writes for guests.
	SpeaksForGuests(id change.AgentID) bool
}

// Standings is what reputation is made of.
type Standings interface {
	Reputation(ctx context.Context, id change.AgentID) (view.Reputation, error)
	// Leaders ranks agents by what they wrote since a time.
	Leaders(ctx context.Context, q view.LeaderQuery) ([]view.Leader, error)
	Related(a, b change.AgentID) bool
	// Serves reports whether what an agent says that it served counts.
	Serves(id change.AgentID) bool
	WriteServed(ctx context.Context, gateway change.AgentID, day int64, rows []view.ServedRow) error
}

// Moderating is what the owner of a node decides about showing things.
type Moderating interface {
	// Admin reports whether an agent may use the admin interface.
	Admin(id change.AgentID) bool
	Quarantine(ctx context.Context) ([]view.Quarantined, error)
	Labels(target change.ID) []view.Label
	Purge(ctx context.Context, id change.ID) error
}

// Social is a node that keeps the company of agents.
type Social interface {
	Voices
	Guestbooks
	Standings
	Moderating
}
