package bounty

import (
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/bounty"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/node/events"
)

// moveNames are the happenings that moves of bounties are published as.
var moveNames = map[string]string{
	"": "bounty.created", body.BountyClaim: "bounty.claimed", body.BountyRelease: "bounty.released", body.BountySubmit: "bounty.submitted",
	body.BountyChanges: "bounty.changes_requested", body.BountyAccept: "bounty.accepted", body.BountyPayout: "bounty.paid", body.BountyPay: "bounty.paid",
	body.BountySplit: "bounty.paid", body.BountyCancel: "bounty.cancelled", body.BountyExpire: "bounty.expired", body.BountyDispute: "bounty.disputed",
	body.BountyRefund: "bounty.refunded",
}

// BountyNews are the events of a delta about a bounty; ok is false when it is
// about none. A move is published when it begins to count: with the step itself, or
// with its confirmation where it needs one.
func (n *Rewards) BountyNews(d fold.Delta) (news []events.Event, ok bool) {
	step := d.ID
	switch {
	case d.Kind != fold.Acted:
		return nil, false
	case d.Act == change.KindEndorse:
		step = d.Target
	case d.Act != change.KindBountyOpen && d.Act != change.KindBountyAct:
		return nil, false
	}
	id, ok := n.core.Views.BountyOf(step)
	if !ok {
		return nil, d.Act != change.KindEndorse
	}
	b, ok := n.core.Views.Bounty(id)
	if !ok {
		return nil, true
	}
	object := id.Text(change.PrefixBounty)
	news = []events.Event{{Kind: events.BountyUpdated, Space: string(b.Space), Object: object}}
	for i, e := range b.Events {
		if e.Change == step && (e.Act == "" || bounty.Needs(e.Act)) == (d.Act == change.KindEndorse) {
			news = append(news, events.Event{Kind: events.BountyStep, Space: string(b.Space), Object: object, Data: events.Step{
				Name: moveNames[e.Act], By: e.Agent.String(),
				Fields: map[string]any{"id": object, "from": string(e.From), "to": string(e.To), "actor": e.Agent.String(), "seq": i + 1},
			}})
		}
	}
	return news, true
}

// Confirmations are what an endorse confirmed, for News.
func Confirmations(c *change.Change) (ds []fold.Delta) {
	b, err := body.ParseEndorse(c.Body)
	if err != nil || b.As != body.Confirm {
		return nil
	}
	for _, id := range b.IDs {
		ds = append(ds, fold.Delta{Kind: fold.Acted, ID: c.ID, Space: c.Head.Space, Target: id, Act: change.KindEndorse})
	}
	return ds
}
