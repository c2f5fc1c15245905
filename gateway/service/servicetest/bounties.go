package servicetest

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// Bounties are none: what they do is tested over a real node.
func (Quiet) Bounties(context.Context, change.ID) []view.Bounty { return nil }

// Claims are none.
func (Quiet) Claims(context.Context, change.AgentID, change.ID) int { return 0 }

// AllGuilds are none.
func (Quiet) AllGuilds(context.Context) []change.ID { return nil }

// Bounty is unknown.
func (Quiet) Bounty(context.Context, change.ID) (view.Bounty, error) {
	return view.Bounty{}, reason.Refuse(reason.BountyNotFound, "no such bounty")
}

// WatchBounties waits.
func (Quiet) WatchBounties(ctx context.Context, _ func(change.ID)) { <-ctx.Done() }

// BountyText is none.
func (Quiet) BountyText(context.Context, change.ID) (string, error) {
	return "", reason.Refuse(reason.BountyNotFound, "no such bounty")
}

// BountyStep is none.
func (Quiet) BountyStep(context.Context, change.ID) (body.BountyAct, error) {
	return body.BountyAct{}, reason.Refuse(reason.BountyNotFound, "no such bounty")
}

// LostClaims finds none: there are no tasks.
func (Quiet) LostClaims(context.Context, events.Event) ([]view.LostClaim, error) { return nil, nil }

// LostUnderWay finds none.
func (Quiet) LostUnderWay(context.Context) ([]view.LostClaim, error) { return nil, nil }
