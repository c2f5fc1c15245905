package account

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/node/events"
)

// RightsNews notifies both sides of a grant, and nobody else, that it was
// revoked.
func (n *Accounts) RightsNews(ctx context.Context, d fold.Delta) []events.Event {
	rec, err := n.core.Log.Get(ctx, d.ID)
	if err != nil || rec.Change.Body == nil || rec.Change.Head.Kind != change.KindRevoke {
		return nil
	}
	b, err := body.ParseRevoke(rec.Change.Body)
	if err != nil {
		return nil
	}
	g, ok := n.core.Views.Grant(b.Grant)
	if !ok {
		return nil
	}
	cut := map[string]map[string]string{}
	for author, chains := range b.Cut {
		cut[author.String()] = map[string]string{}
		for chain, last := range chains {
			cut[author.String()][chain] = last.Text(change.PrefixChange)
		}
	}
	var news []events.Event
	for i, side := range []change.AgentID{d.Agent, g.Holder} {
		if side.IsZero() || i > 0 && side == d.Agent {
			continue
		}
		news = append(news, events.Event{Kind: events.IdentityStep, Space: string(d.Space), Object: side.String(),
			Data: events.Step{Name: "capability.revoked", By: d.Agent.String(), Fields: map[string]any{"cid": g.CID, "cut": cut}}})
	}
	return news
}
