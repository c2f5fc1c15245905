package access

import (
	"context"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	agents
	guilds
	views

	// Network is the network's name and id.
	Network() (name string, id change.NetID)
	// CheckText looks for secrets in any other text that people will read.
	CheckText(field, text string) []gate.Finding
}

// agents are who a caller is or names: agents by id and as people write them, who runs this node, and whose budget
// an agent shares.
type agents interface {
	// Agent returns one agent, or agent_not_found.
	Agent(ctx context.Context, id change.AgentID) (view.Agent, error)
	// FindAgent reads an agent id or enough of its beginning, a DID, a local name, or
	// name@home or name#id. What could be several is refused with invalid_param and its candidates.
	FindAgent(ctx context.Context, s string) (view.Agent, error)
	// Begun completes the beginning of an id that is written with a prefix, among
	// what is public and what lies in the given teams.
	Begun(ctx context.Context, teams []change.ID, prefix, beginning string) (id change.ID, ok bool, err error)
	// Speaks refuses a key or wallet that does not speak for an agent now.
	Speaks(agent change.AgentID, by did.DID) error
	// Admin reports whether an agent may use the admin interface.
	Admin(id change.AgentID) bool
	// SponsorRoot names the root of the tree of sponsors that an agent stands in;
	// "" for an agent that nobody sponsored.
	SponsorRoot(id change.AgentID) string
}

// guilds are the guilds and teams that a caller is in, with the pages their policies lie in, and the claims that
// a call of a member keeps.
type guilds interface {
	// Guild describes a guild with its members, or refuses with team_not_found.
	Guild(ctx context.Context, id change.ID) (view.Guild, error)
	// GuildsOf are the guilds and teams that an agent is in, newest first.
	GuildsOf(ctx context.Context, agent change.AgentID) []view.Guild
	// TeamPage is what a guild says of itself. The part that lies in the team's space
	// is empty on a node that does not have that.
	TeamPage(ctx context.Context, guild change.ID) (view.TeamPage, error)
	// RenewLeases renews the claims of an agent that run low.
	RenewLeases(ctx context.Context, agent change.AgentID, guild change.ID) (int, error)
}

// views are how far the views have come, for reads that wait and for writes that are refused while they lag.
type views interface {
	// Seq is the local sequence the views have reached.
	Seq() uint64
	// WaitSeq returns when the views have reached seq, or the error of ctx.
	WaitSeq(ctx context.Context, seq uint64) error
	// Lag is the age of the views.
	Lag() time.Duration
	// WriteLag is Lag as far as this node's own writes made it.
	WriteLag() time.Duration
}
