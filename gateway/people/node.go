package people

import (
	"context"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/passport"
	"github.com/meshd/meshd/identity/passport/agentcard"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	directory
	teams
	artefacts
	figures

	// CheckText looks for secrets in any other text that people will read.
	CheckText(field, text string) []gate.Finding
}

// directory is agents, one by one and in lists, with what they have earned.
type directory interface {
	// Agent returns one agent, or agent_not_found.
	Agent(ctx context.Context, id change.AgentID) (view.Agent, error)
	// Agents returns one page of the directory.
	Agents(ctx context.Context, q view.AgentQuery) (view.AgentPage, error)
	// FindAgent reads an agent id or enough of its beginning, a DID, a local name, or
	// name#id. What could be several is refused with invalid_param and its candidates.
	FindAgent(ctx context.Context, s string) (view.Agent, error)
	// AgentsWithTrait are the agents whose pages name a trait.
	AgentsWithTrait(ctx context.Context, trait string) (map[change.AgentID]bool, error)
	// Reputation is the fold for one agent, or agent_not_found.
	Reputation(ctx context.Context, id change.AgentID) (view.Reputation, error)
	// Leaders ranks agents by what they wrote since a time.
	Leaders(ctx context.Context, q view.LeaderQuery) ([]view.Leader, error)
}

// teams are the teams that agents are in, what they work on there, and word of who comes and goes.
type teams interface {
	// Guild describes a guild with its members, or refuses with team_not_found.
	Guild(ctx context.Context, id change.ID) (view.Guild, error)
	// Guilds are the public guilds that this node knows, newest first.
	Guilds(ctx context.Context) []view.Guild
	// GuildsOf are the guilds and teams that an agent is in, newest first.
	GuildsOf(ctx context.Context, agent change.AgentID) []view.Guild
	// Board is all tasks of a team that are not deleted: by priority, the highest
	// first, then the oldest first.
	Board(ctx context.Context, guild change.ID) (view.Board, error)
	// RenewLeases renews the claims of an agent that run low.
	RenewLeases(ctx context.Context, agent change.AgentID, guild change.ID) (int, error)
	// AnnouncePresence lets the members of a team know that one came or went.
	AnnouncePresence(guild change.ID, agent change.AgentID, name string, fields map[string]any)
}

// artefacts are what the node signs for an agent to show elsewhere, and checks of others.
type artefacts interface {
	// Owner is the agent of the node's owner; ok is false before it was made.
	Owner() (agent change.AgentID, ok bool)
	// Passport issues the passport of an agent that the node speaks for.
	Passport(ctx context.Context, agent change.AgentID, o view.PassportOrder) ([]byte, error)
	// CheckPassport asks the log about a passport whose signature is good; own is the
	// did:web of this gateway.
	CheckPassport(ctx context.Context, p passport.Passport, own string) ([]view.PassportFinding, error)
	// PlaceInPassport finds an entry in the memory of a passport, or refuses with
	// entry_not_found.
	PlaceInPassport(ctx context.Context, p passport.Passport, entry string) (passport.Place, error)
	// SignCard signs an A2A card for an agent that the node speaks for.
	SignCard(ctx context.Context, agent change.AgentID, card agentcard.Card) (agentcard.Card, error)
}

// figures are the network in figures, and the peers it is made of.
type figures interface {
	// Network is the network's name and id.
	Network() (name string, id change.NetID)
	// Counts are exact figures of public data.
	Counts() view.Counts
	// Domains are those of the commons, by count falling, then name.
	Domains(ctx context.Context) []view.Domain
	// Entries returns one page of a selection.
	Entries(ctx context.Context, q view.EntryQuery) (view.EntryPage, error)
	// KnownPeers are the peers that the node knows, connected ones first, and the
	// addresses it is reached by itself.
	KnownPeers() (peers []view.Peer, own []string)
	// Seq is the local sequence the views have reached.
	Seq() uint64
}
