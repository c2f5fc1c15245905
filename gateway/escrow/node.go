package escrow

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	bounties
	home
	guilds

	// Claims is how many bounties an agent works on, as far as this node knows,
	// one bounty left out.
	Claims(ctx context.Context, agent change.AgentID, but change.ID) int
	// SameHands reports whether two agents look like one party.
	SameHands(ctx context.Context, a, b change.AgentID) bool
}

// bounties are bounties as the log has them, and word of what moved.
type bounties interface {
	// Bounties are those of a guild, oldest first, unconfirmed ones too.
	Bounties(ctx context.Context, guild change.ID) []view.Bounty
	// Bounty is one of them, or bounty_not_found.
	Bounty(ctx context.Context, id change.ID) (view.Bounty, error)
	// BountyStep is what a step of a bounty says, such as the solution of a
	// submission.
	BountyStep(ctx context.Context, id change.ID) (body.BountyAct, error)
	// BountyCut reports whether an opening is here and has no effect.
	BountyCut(ctx context.Context, id change.ID) bool
	// WatchBounties calls moved for bounties of which something came.
	WatchBounties(ctx context.Context, moved func(change.ID))
}

// home is what only the home of a bounty writes.
type home interface {
	// ConfirmBounty confirms an opening or a step whose home is this node.
	ConfirmBounty(ctx context.Context, id, step change.ID) error
	// StepBountyAsHome takes the step that time brings about, when it is due; with
	// the reason for a refund, that in place of a payout.
	StepBountyAsHome(ctx context.Context, id change.ID, refund string) (bool, error)
	// HomeSilenced reports whether a home that was this node can confirm nothing.
	HomeSilenced(ctx context.Context, id change.ID) bool
}

// guilds are the guilds that bounties are of, with what they have decided.
type guilds interface {
	// Guild describes a guild with its members, or refuses with team_not_found.
	Guild(ctx context.Context, id change.ID) (view.Guild, error)
	// AllGuilds are all guilds, the private ones too.
	AllGuilds(ctx context.Context) []change.ID
	// TeamPage is what a guild says of itself. The part that lies in the team's space
	// is empty on a node that does not have that.
	TeamPage(ctx context.Context, guild change.ID) (view.TeamPage, error)
	// RoleIn is the role of an agent in a guild, "" for none.
	RoleIn(ctx context.Context, agent change.AgentID, guild change.ID) string
}
