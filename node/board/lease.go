package board

import (
	"context"

	"github.com/meshd/meshd/crdt/board"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/view"
)

// leaseExpired is the text of a release by which a home node ends a claim.
const leaseExpired = "lease_expired"

// leaseOver reports whether the claim of a task has lasted too long.
func (n *Boards) leaseOver(t view.Task) bool {
	return t.State.Status == board.Claimed && n.core.Opt.Now().After(t.LeaseEnds)
}

// endLease releases a task whose claim is over. Only the team's home does, so
// that one clock judges.
func (n *Boards) endLease(ctx context.Context, guild change.ID, t view.Task) error {
	g, ok := n.core.Views.Guild(guild)
	if !ok || !n.directory.Homes(g) {
		return core.ErrNotHome
	}
	return n.writeStep(ctx, g.Founder, change.TeamSpace(guild), t, body.TaskAct{Task: t.ID, Act: body.TaskRelease, Text: leaseExpired})
}

// EndLeases writes a release for every claim that is over, on the boards of the
// teams whose home is here, and returns how many it wrote. The node calls it by
// itself; a test that moves the clock calls it after.
func (n *Boards) EndLeases(ctx context.Context) (ended int) {
	for _, g := range n.core.Views.Guilds() {
		if !n.directory.Tends(g) {
			continue
		}
		b, err := n.Board(ctx, g.ID)
		if err != nil {
			continue // reported where the document was read
		}
		for _, t := range b.Tasks {
			if n.leaseOver(t) && n.endOver(ctx, g, t.ID) {
				ended++
			}
		}
	}
	return ended
}

// endOver looks again under the lock of steps before it ends a claim.
func (n *Boards) endOver(ctx context.Context, g fold.Guild, task string) bool {
	n.steps.Lock()
	defer n.steps.Unlock()
	t, err := n.Task(ctx, g.ID, task)
	if err != nil || !n.leaseOver(t) {
		return false
	}
	if err := n.endLease(ctx, g.ID, t); err != nil {
		n.core.Opt.Log.Warn("claim of a task not ended", "guild", g.ID.Text(change.PrefixGuild), "err", err)
		return false
	}
	return true
}

// RenewLeases renews the claims of an agent in a team whose lease is running
// low, by claiming again: the lease counts from the last claim, on every node.
// Of calls within a minute only the first looks. It returns how many it renewed.
func (n *Boards) RenewLeases(ctx context.Context, agent change.AgentID, guild change.ID) (renewed int, err error) {
	if !n.touched.due(agent, guild, n.core.Opt.Now()) {
		return 0, nil
	}
	b, err := n.Board(ctx, guild)
	if err != nil {
		return 0, err
	}
	for _, t := range b.Tasks {
		if t.State.Status != board.Claimed || t.State.Claimer != agent {
			continue
		}
		if left := t.LeaseEnds.Sub(n.core.Opt.Now()); left > leaseLow || left < 0 {
			continue
		}
		if _, err := n.StepTask(ctx, agent, guild, view.TaskAct{Task: t.ID, Act: body.TaskClaim, IfVersion: -1}); err != nil {
			return renewed, err
		}
		renewed++
	}
	return renewed, nil
}
