package access

import (
	"context"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	Boards
	Directory
	Health
	Judge
	Moderating
	Reader
	Sponsors
	TeamPages
	Trust
}

// Boards is the part of a Node about this.
type Boards interface {
	// RenewLeases renews the claims of an agent that run low.
	RenewLeases(ctx context.Context, agent change.AgentID, guild change.ID) (int, error)
}

// Directory is the part of a Node about this.
type Directory interface {
	// Agent returns one agent, or agent_not_found.
	Agent(ctx context.Context, id change.AgentID) (view.Agent, error)
	// Begun completes the beginning of an id that is written with a prefix, among
	// what is public and what lies in the given teams.
	Begun(ctx context.Context, teams []change.ID, prefix, beginning string) (id change.ID, ok bool, err error)
	// FindAgent reads an agent id or enough of its beginning, a DID, a local name, or
	// name#id. What could be several is refused with invalid_param and its candidates.
	FindAgent(ctx context.Context, s string) (view.Agent, error)
}

// Health is the part of a Node about this.
type Health interface {
	// Lag is the age of the views.
	Lag() time.Duration
	// Seq is the local sequence the views have reached.
	Seq() uint64
	// WaitSeq returns when the views have reached seq, or the error of ctx.
	WaitSeq(ctx context.Context, seq uint64) error
	// WriteLag is Lag as far as this node's own writes made it.
	WriteLag() time.Duration
}

// Judge is the part of a Node about this.
type Judge interface {
	// CheckText looks for secrets in any other text that people will read.
	CheckText(field, text string) []gate.Finding
}

// Moderating is the part of a Node about this.
type Moderating interface {
	// Admin reports whether an agent may use the admin interface.
	Admin(id change.AgentID) bool
}

// Reader is the part of a Node about this.
type Reader interface {
	// Network is the network's name and id.
	Network() (name string, id change.NetID)
}

// Sponsors is the part of a Node about this.
type Sponsors interface {
	// SponsorRoot names the root of the tree of sponsors that an agent stands in;
	// "" for an agent that nobody sponsored.
	SponsorRoot(id change.AgentID) string
}

// TeamPages is the part of a Node about this.
type TeamPages interface {
	// GuildsOf are the guilds and teams that an agent is in, newest first.
	GuildsOf(ctx context.Context, agent change.AgentID) []view.Guild
	TeamPage(ctx context.Context, guild change.ID) (view.TeamPage, error)
}

// Trust is the part of a Node about this.
type Trust interface {
	Guild(ctx context.Context, id change.ID) (view.Guild, error)
}
