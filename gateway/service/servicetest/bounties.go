package servicetest

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/view"
)

// Bounties are none: what they do is tested over a real node.
func (m *Mesh) Bounties(context.Context, change.ID) []view.Bounty { return nil }

// Claims are none.
func (m *Mesh) Claims(context.Context, change.AgentID, change.ID) int { return 0 }

// AllGuilds are none.
func (m *Mesh) AllGuilds(context.Context) []change.ID { return nil }

// Bounty is unknown.
func (m *Mesh) Bounty(context.Context, change.ID) (view.Bounty, error) {
	return view.Bounty{}, reason.Refuse(reason.BountyNotFound, "no such bounty")
}

// WatchBounties waits.
func (m *Mesh) WatchBounties(ctx context.Context, _ func(change.ID)) { <-ctx.Done() }

// BountyText is none.
func (m *Mesh) BountyText(context.Context, change.ID) (string, error) {
	return "", reason.Refuse(reason.BountyNotFound, "no such bounty")
}

// BountyStep is none.
func (m *Mesh) BountyStep(context.Context, change.ID) (body.BountyAct, error) {
	return body.BountyAct{}, reason.Refuse(reason.BountyNotFound, "no such bounty")
}
