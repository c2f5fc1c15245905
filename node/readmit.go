package node

import (
	"context"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// readmit gives effect again to what keys of this home had signed before its owner
// went on alone: the cut of that rotation names only what was here then, and a
// peer that comes back may know more. What an old key signs later stays out.
func (n *Node) readmit(ctx context.Context) {
	d, ok := n.lineage.Doubt()
	if !ok || d.Alone.IsZero() {
		return
	}
	for _, k := range n.local.all() {
		rec, ok := n.views.AgentByKey(k)
		if !ok || rec.Key == k || !n.lineage.Unsure(k, change.SpaceNet) || !n.local.has(rec.Key) {
			continue
		}
		for space, ids := range n.cutOff(ctx, k, uint64(d.Alone.UnixMilli())) {
			for len(ids) > 0 {
				some := ids[:min(len(ids), body.MaxEndorsed)]
				ids = ids[len(some):]
				if _, err := n.Endorse(ctx, rec.ID, some); err != nil {
					n.opt.Log.Warn("what this agent wrote under its old key stays without effect", "space", string(space), "changes", len(some), "err", err)
					break
				}
				n.opt.Log.Info("took in again what this agent wrote under its old key", "space", string(space), "changes", len(some))
			}
		}
	}
}

// cutOff are the content changes of a key, up to a time, that lie beyond the cut
// that ended it, by space.
func (n *Node) cutOff(ctx context.Context, k did.Key, until uint64) map[change.Space][]change.ID {
	out := map[change.Space][]change.ID{}
	for _, ch := range n.views.Chains(k) {
		if ch.Lane != change.Content {
			continue
		}
		id, seq, _, forked, err := n.log.Tip(ctx, ch)
		if err != nil || forked {
			continue
		}
		for ; seq > 0; seq-- {
			c, err := n.log.Member(id)
			if err != nil || c == nil || n.views.Effect(c).OK {
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
