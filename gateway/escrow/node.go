package escrow

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	BountyFacts
	BountyReader
	BountyWriter
	TeamPages
	Trust
}

// BountyFacts is the part of a Node about this.
type BountyFacts interface {
	// AllGuilds are all guilds, the private ones too.
	AllGuilds(ctx context.Context) []change.ID
	// BountyCut reports whether an opening is here and has no effect.
	BountyCut(ctx context.Context, id change.ID) bool
	// Claims is how many bounties an agent works on, as far as this node knows,
	// one bounty left out.
	Claims(ctx context.Context, agent change.AgentID, but change.ID) int
	// HomeSilenced reports whether a home that was this node can confirm nothing.
	HomeSilenced(ctx context.Context, id change.ID) bool
	// RoleIn is the role of an agent in a guild, "" for none.
	RoleIn(ctx context.Context, agent change.AgentID, guild change.ID) string
	// SameHands reports whether two agents look like one party.
	SameHands(ctx context.Context, a, b change.AgentID) bool
}

// BountyReader is the part of a Node about this.
type BountyReader interface {
	// Bounties are those of a guild, oldest first, unconfirmed ones too.
	Bounties(ctx context.Context, guild change.ID) []view.Bounty
	// Bounty is one of them, or bounty_not_found.
	Bounty(ctx context.Context, id change.ID) (view.Bounty, error)
	BountyStep(ctx context.Context, id change.ID) (body.BountyAct, error)
	// WatchBounties calls moved for bounties of which something came.
	WatchBounties(ctx context.Context, moved func(change.ID))
}

// BountyWriter is the part of a Node about this.
type BountyWriter interface {
	// ConfirmBounty confirms an opening or a step whose home is this node.
	ConfirmBounty(ctx context.Context, id, step change.ID) error
	// StepBountyAsHome takes the step that time brings about, when it is due; with
	// the reason for a refund, that in place of a payout.
	StepBountyAsHome(ctx context.Context, id change.ID, refund string) (bool, error)
}

// TeamPages is the part of a Node about this.
type TeamPages interface {
	TeamPage(ctx context.Context, guild change.ID) (view.TeamPage, error)
}

// Trust is the part of a Node about this.
type Trust interface {
	Guild(ctx context.Context, id change.ID) (view.Guild, error)
}
