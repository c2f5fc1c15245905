package service

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
)

// BountyReader answers about bounties. Refusals are *reason.Refusal values.
type BountyReader interface {
	// Bounties are those of a guild, oldest first, unconfirmed ones too.
	Bounties(ctx context.Context, guild change.ID) []view.Bounty
	// Bounty is one of them, or bounty_not_found.
	Bounty(ctx context.Context, id change.ID) (view.Bounty, error)
	BountyText(ctx context.Context, id change.ID) (string, error)
	BountyStep(ctx context.Context, id change.ID) (body.BountyAct, error)
	// WatchBounties calls moved for bounties of which something came.
	WatchBounties(ctx context.Context, moved func(change.ID))
}

// BountyWriter writes steps of bounties.
type BountyWriter interface {
	// OpenBounty writes an opening, which counts once it is confirmed.
	OpenBounty(ctx context.Context, agent change.AgentID, b view.NewBounty, mark string) (view.Bounty, error)
	// BountyOpened is what OpenBounty wrote under a mark.
	BountyOpened(ctx context.Context, agent change.AgentID, mark string) (view.Bounty, bool)
	// StepBounty writes a step that is allowed now.
	StepBounty(ctx context.Context, agent change.AgentID, a body.BountyAct, mark string) (change.ID, error)
	// ConfirmBounty confirms an opening or a step whose home is this node.
	ConfirmBounty(ctx context.Context, id, step change.ID) error
	// StepBountyAsHome takes the step that time brings about, when it is due; with
	// the reason for a refund, that in place of a payout.
	StepBountyAsHome(ctx context.Context, id change.ID, refund string) (bool, error)
	// AwaitStep returns when the home has confirmed a step, when it never will,
	// with the reason, or with the error of ctx.
	AwaitStep(ctx context.Context, id, step change.ID) error
}

// BountyFacts is what the rules of bounties ask about agents and teams.
type BountyFacts interface {
	// SameHands reports whether two agents look like one party.
	SameHands(ctx context.Context, a, b change.AgentID) bool
	// RoleIn is the role of an agent in a guild, "" for none.
	RoleIn(ctx context.Context, agent change.AgentID, guild change.ID) string
	// Claims is how many bounties an agent works on, as far as this node knows,
	// one bounty left out.
	Claims(ctx context.Context, agent change.AgentID, but change.ID) int
	// BountyCut reports whether an opening is here and has no effect.
	BountyCut(ctx context.Context, id change.ID) bool
	// HomeSilenced reports whether a home that was this node can confirm nothing.
	HomeSilenced(ctx context.Context, id change.ID) bool
	// AllGuilds are all guilds, the private ones too.
	AllGuilds(ctx context.Context) []change.ID
}

// Bounties is all of it.
type Bounties interface {
	BountyReader
	BountyWriter
	BountyFacts
}
