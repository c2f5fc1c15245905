package account

import (
	"context"
	"log/slog"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/view"
)

// Readmit gives effect again to what keys of this home had signed before its owner
// went on alone: the cut of that rotation names only what was here then, and a
// peer that comes back may know more. What an old key signs later stays out.
func (n *Accounts) Readmit(ctx context.Context) {
	d, ok := n.core.Lineage.Doubt()
	if !ok || d.Alone.IsZero() {
		return
	}
	for _, k := range n.core.Local.All() {
		rec, ok := n.core.Views.AgentByKey(k)
		if !ok || rec.Key == k || !n.core.Lineage.Unsure(k, change.SpaceNet) || !n.core.Local.Has(rec.Key) {
			continue
		}
		takeBack(ctx, n.core.Opt.Log, rec.ID, n.cutOff(ctx, k, uint64(d.Alone.UnixMilli()), change.Content), n.Endorse)
	}
}

// takeBack gives effect again to changes of an agent's old key, by space.
func takeBack(ctx context.Context, log *slog.Logger, agent change.AgentID, cut map[change.Space][]change.ID,
	endorse func(context.Context, change.AgentID, []change.ID) (view.Receipt, error)) {
	for space, ids := range cut {
		for len(ids) > 0 {
			some := ids[:min(len(ids), body.MaxEndorsed)]
			ids = ids[len(some):]
			if _, err := endorse(ctx, agent, some); err != nil {
				log.Warn("what this agent wrote under its old key stays without effect", "space", string(space), "changes", len(some), "err", err)
				break
			}
			log.Info("took in again what this agent wrote under its old key", "space", string(space), "changes", len(some))
		}
	}
}

// cutOff are the changes of a key in some lanes, up to a time, that lie beyond the cut
// that ended it, by space.
func (n *Accounts) cutOff(ctx context.Context, k did.Key, until uint64, lanes ...change.Lane) map[change.Space][]change.ID {
	out := map[change.Space][]change.ID{}
	for _, ch := range n.core.Views.Chains(k) {
		if !slices.Contains(lanes, ch.Lane) {
			continue
		}
		id, seq, _, forked, err := n.core.Log.Tip(ctx, ch)
		if err != nil || forked {
			continue
		}
		for ; seq > 0; seq-- {
			c, err := n.core.Log.Member(id)
			if err != nil || c == nil || n.core.Views.Effect(c).OK {
				break
			}
			if uint64(c.Head.Millis()) <= until {
				out[ch.Space] = append(out[ch.Space], id)
			}
			id = c.Head.Prev
		}
	}
	return out
}
