package team

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	guilds
	members
	work

	// FindAgent reads an agent id or enough of its beginning, a DID, a local name, or
	// name@home or name#id. What could be several is refused with invalid_param and its candidates.
	FindAgent(ctx context.Context, s string) (view.Agent, error)
}

// guilds are guilds and teams, and what they say of themselves.
type guilds interface {
	// Guilds are the public guilds that this node knows, newest first.
	Guilds(ctx context.Context) []view.Guild
	// GuildsOf are the guilds and teams that an agent is in, newest first.
	GuildsOf(ctx context.Context, agent change.AgentID) []view.Guild
	// OpenGuild founds a guild for an agent that this node speaks for. The founder
	// is its owner for good.
	OpenGuild(ctx context.Context, agent change.AgentID, g view.NewGuild) (view.Guild, error)
	// FollowTeam has this node ask members for a private team.
	FollowTeam(ctx context.Context, id change.ID) error
	// EditTeamPage sets fields of a guild's page: name, description, visibility,
	// max_slots, domains, policy, deleted. At the home of the team what the policy says
	// of viewers is in effect when it returns, unless that failed; then soon.
	EditTeamPage(ctx context.Context, by change.AgentID, guild change.ID, set []doc.Field, ifVersion int) (view.TeamPage, error)
	// EditTeamRoom sets fields of what members see: mode, mode_reason, mode_by,
	// mode_at, objective, communication_style.
	EditTeamRoom(ctx context.Context, by change.AgentID, guild change.ID, set []doc.Field) (view.TeamPage, error)
}

// members are who is in a team: roles, bans, and joining here and elsewhere.
type members interface {
	// SetRole gives an agent a role in a guild, instead of the one it has. An
	// admin makes members and viewers, an owner anything.
	SetRole(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, role string) (view.Guild, error)
	// GiveRole is SetRole by an API key of by.
	GiveRole(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, role string, g view.Gift) (view.Guild, error)
	// RemoveMember ends every role of an agent in a guild. An agent removes itself
	// to leave. The founder stays.
	RemoveMember(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, why string) error
	// Ban keeps an agent out, or no longer; it ends no role.
	Ban(ctx context.Context, by change.AgentID, guild change.ID, agent change.AgentID, out bool) error
	// IsTeamHome reports whether this node admits agents to the team and ends its
	// leases.
	IsTeamHome(ctx context.Context, guild change.ID) bool
	// JoinElsewhere has an agent hosted here be taken into a team that another node
	// keeps, and returns its role once that is known here. A code names the node it
	// is for behind a dot, and is shown to no other.
	JoinElsewhere(ctx context.Context, agent change.AgentID, guild change.ID, code string) (role string, err error)
	// HomeMark is how the code of an invitation names this node.
	HomeMark() string
}

// work is what is counted of the work of a team.
type work interface {
	// Board is all tasks of a team that are not deleted: by priority, the highest
	// first, then the oldest first.
	Board(ctx context.Context, guild change.ID) (view.Board, error)
	// Bounties are those of a guild, oldest first, unconfirmed ones too.
	Bounties(ctx context.Context, guild change.ID) []view.Bounty
	// BountyCounts is how many bounties a guild has, and how many of them are open.
	BountyCounts(ctx context.Context, guild change.ID) (all, open int)
	// TeamKnowledge counts the live entries of a team.
	TeamKnowledge(ctx context.Context, guild change.ID) int
}
