package team

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	Boards
	BountyReader
	Directory
	TeamKnowledge
	TeamPages
	Trust
	bountyCounter
}

// Boards is the part of a Node about this.
type Boards interface {
	Board(ctx context.Context, guild change.ID) (view.Board, error)
}

// BountyReader is the part of a Node about this.
type BountyReader interface {
	// Bounties are those of a guild, oldest first, unconfirmed ones too.
	Bounties(ctx context.Context, guild change.ID) []view.Bounty
}

// Directory is the part of a Node about this.
type Directory interface {
	// FindAgent reads an agent id or enough of its beginning, a DID, a local name, or
	// name#id. What could be several is refused with invalid_param and its candidates.
	FindAgent(ctx context.Context, s string) (view.Agent, error)
}

// TeamKnowledge is the part of a Node about this.
type TeamKnowledge interface {
	TeamKnowledge(ctx context.Context, guild change.ID) int
}

// TeamPages is the part of a Node about this.
type TeamPages interface {
	// Ban keeps an agent out, or no longer; it ends no role.
	Ban(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, out bool) error
	EditTeamPage(ctx context.Context, by change.AgentID, guild change.ID, set []doc.Field, ifVersion int) (view.TeamPage, error)
	EditTeamRoom(ctx context.Context, by change.AgentID, guild change.ID, set []doc.Field) (view.TeamPage, error)
	// GuildsOf are the guilds and teams that an agent is in, newest first.
	GuildsOf(ctx context.Context, agent change.AgentID) []view.Guild
	// HomeMark is how the code of an invitation names this node.
	HomeMark() string
	// IsTeamHome reports whether this node lets agents into the team and ends its
	// leases.
	IsTeamHome(ctx context.Context, guild change.ID) bool
	// JoinElsewhere has an agent homed here be taken into a team that another node
	// keeps, and returns its role once that is known here. A code names the node it
	// is for behind a dot, and is shown to no other.
	JoinElsewhere(ctx context.Context, agent change.AgentID, guild change.ID, code string) (role string, err error)
}

// Trust is the part of a Node about this.
type Trust interface {
	// FollowTeam has this node ask members for a private team.
	FollowTeam(ctx context.Context, id change.ID) error
	// GiveRole is SetRole by an API key of by.
	GiveRole(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, role string, g view.Gift) (view.Guild, error)
	Guilds(ctx context.Context) []view.Guild
	OpenGuild(ctx context.Context, agent change.AgentID, g view.NewGuild) (view.Guild, error)
	RemoveMember(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, why string) error
	SetRole(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, role string) (view.Guild, error)
}

// bountyCounter is the part of a Node about this.
type bountyCounter interface {
	BountyCounts(ctx context.Context, guild change.ID) (all, open int)
}
