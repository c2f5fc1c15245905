package bounty

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	Boards
	BountyFacts
	BountyReader
	BountyWriter
	Reader
	Trust
}

// Boards is the part of a Node about this.
type Boards interface {
	AddTasks(ctx context.Context, agent change.AgentID, guild change.ID, ids []string, cards []view.Card, dedup bool) (added []view.Task, known []string, err error)
	Task(ctx context.Context, guild change.ID, id string) (view.Task, error)
}

// BountyFacts is the part of a Node about this.
type BountyFacts interface {
	// AllGuilds are all guilds, the private ones too.
	AllGuilds(ctx context.Context) []change.ID
	// RoleIn is the role of an agent in a guild, "" for none.
	RoleIn(ctx context.Context, agent change.AgentID, guild change.ID) string
}

// BountyReader is the part of a Node about this.
type BountyReader interface {
	// Bounties are those of a guild, oldest first, unconfirmed ones too.
	Bounties(ctx context.Context, guild change.ID) []view.Bounty
	// Bounty is one of them, or bounty_not_found.
	Bounty(ctx context.Context, id change.ID) (view.Bounty, error)
	BountyStep(ctx context.Context, id change.ID) (body.BountyAct, error)
	BountyText(ctx context.Context, id change.ID) (string, error)
}

// BountyWriter is the part of a Node about this.
type BountyWriter interface {
	// AwaitStep returns when the home has confirmed a step, when it never will,
	// with the reason, or with the error of ctx.
	AwaitStep(ctx context.Context, id, step change.ID) error
	// BountyOpened is what OpenBounty wrote under a mark.
	BountyOpened(ctx context.Context, agent change.AgentID, mark string) (view.Bounty, bool)
	// ConfirmBounty confirms an opening or a step whose home is this node.
	ConfirmBounty(ctx context.Context, id, step change.ID) error
	// OpenBounty writes an opening, which counts once it is confirmed.
	OpenBounty(ctx context.Context, agent change.AgentID, b view.NewBounty, mark string) (view.Bounty, error)
	// StepBounty writes a step that is allowed now.
	StepBounty(ctx context.Context, agent change.AgentID, a body.BountyAct, mark string) (change.ID, error)
}

// Reader is the part of a Node about this.
type Reader interface {
	// Entry returns a live public entry, or entry_not_found, retracted, revoked
	// or purged.
	Entry(ctx context.Context, id change.ID) (view.Entry, error)
}

// Trust is the part of a Node about this.
type Trust interface {
	Guild(ctx context.Context, id change.ID) (view.Guild, error)
}
