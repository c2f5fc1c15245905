package bounty

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
)

// Node is what this room needs of a node. Refusals are *reason.Refusal values.
type Node interface {
	bounties
	steps
	guilds

	// Entry returns a live public entry, or entry_not_found, retracted, revoked
	// or purged.
	Entry(ctx context.Context, id change.ID) (view.Entry, error)
}

// bounties are bounties as they stand, with their texts.
type bounties interface {
	// Bounties are those of a guild, oldest first, unconfirmed ones too.
	Bounties(ctx context.Context, guild change.ID) []view.Bounty
	// Bounty is one of them, or bounty_not_found.
	Bounty(ctx context.Context, id change.ID) (view.Bounty, error)
	// BountyText is the description of a bounty.
	BountyText(ctx context.Context, id change.ID) (string, error)
	// BountyStep is what a step of a bounty says, such as the solution of a
	// submission.
	BountyStep(ctx context.Context, id change.ID) (body.BountyAct, error)
}

// steps are the writing of openings and steps, and the word of the home.
type steps interface {
	// OpenBounty writes an opening, which counts once it is confirmed.
	OpenBounty(ctx context.Context, agent change.AgentID, b view.NewBounty, mark string) (view.Bounty, error)
	// BountyOpened is what OpenBounty wrote under a mark.
	BountyOpened(ctx context.Context, agent change.AgentID, mark string) (view.Bounty, bool)
	// StepBounty writes a step that is allowed now.
	StepBounty(ctx context.Context, agent change.AgentID, a body.BountyAct, mark string) (change.ID, error)
	// ConfirmBounty confirms an opening or a step whose home is this node.
	ConfirmBounty(ctx context.Context, id, step change.ID) error
	// AwaitStep returns when the home has confirmed a step, when it never will,
	// with the reason, or with the error of ctx.
	AwaitStep(ctx context.Context, id, step change.ID) error
}

// guilds are the guilds that bounties are of, and the tasks they pay for.
type guilds interface {
	// Guild describes a guild with its members, or refuses with team_not_found.
	Guild(ctx context.Context, id change.ID) (view.Guild, error)
	// AllGuilds are all guilds, the private ones too.
	AllGuilds(ctx context.Context) []change.ID
	// RoleIn is the role of an agent in a guild, "" for none.
	RoleIn(ctx context.Context, agent change.AgentID, guild change.ID) string
	// AddTasks puts cards on a team's board, under ids made by the caller. With dedup
	// a card whose title an unfinished task has already, without regard to case, is
	// left out; known are their titles.
	AddTasks(ctx context.Context, agent change.AgentID, guild change.ID, ids []string, cards []view.Card, dedup bool) (added []view.Task, known []string, err error)
	// Task is one task with what is said of it, or task_not_found.
	Task(ctx context.Context, guild change.ID, id string) (view.Task, error)
}
