package account

import (
	"context"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/node/view"
)

// RenewTerms renews what this node's agents have lent for a term, while it is
// used, and closes what has ended: a term alone bounds only the time that a
// change claims, and its holder could write into the past.
func (n *Accounts) RenewTerms(ctx context.Context) error {
	tick := time.NewTicker(termPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			n.KeepTerms(ctx)
		}
	}
}

// KeepTerms does once what runs by itself while the node serves: renewals at two
// thirds of a term, and closing cuts at its end. What fails is logged and tried
// again the next time.
func (n *Accounts) KeepTerms(ctx context.Context) {
	for _, rec := range n.core.Spoken() {
		if !n.core.Local.Has(rec.Key) || !n.core.Sharing.Tends(rec) {
			continue // a device keeps no terms of its agent
		}
		for _, g := range n.core.Views.GrantsOf(rec.ID) {
			if g.Agent != rec.ID || !g.Active || g.Expires == nil {
				continue
			}
			if err := n.keepTerm(ctx, rec.ID, g); err != nil && ctx.Err() == nil {
				n.core.Opt.Log.Warn("term not kept", "capability", g.CID, "err", err)
			}
		}
	}
}

func (n *Accounts) keepTerm(ctx context.Context, agent change.AgentID, g fold.Grant) error {
	now := n.core.Opt.Now()
	end, begun := time.Unix(*g.Expires, 0), time.UnixMilli(int64(g.HLC>>10))
	switch {
	case now.After(end):
		_, err := n.Revoke(ctx, agent, g.ID, nil, "its term ended")
		return err
	case now.Sub(begun) < end.Sub(begun)*2/3:
		return nil
	}
	c, err := n.capability(ctx, g)
	if err != nil || !c.Renew || !n.used(ctx, g) {
		return err
	}
	expires := now.Add(end.Sub(begun))
	if c.Until != nil && expires.After(*c.Until) {
		if expires = *c.Until; !expires.After(end) {
			return nil // the API key that it was issued by ends with it
		}
	}
	d := view.Delegation{Key: c.Key, Until: c.Until, Audience: g.Audience, With: c.Caps[0].With, Caveats: c.Caps[0].Caveats, Expires: &expires, Renew: true, Closes: &g.ID}
	for _, cap := range c.Caps {
		d.Can = append(d.Can, cap.Can)
	}
	_, err = n.Delegate(ctx, agent, d)
	return err
}

// used reports whether the holder of a grant has written since it was given.
func (n *Accounts) used(ctx context.Context, g fold.Grant) bool {
	for _, ch := range n.core.Views.Chains(g.Audience) {
		if _, _, hlc, _, err := n.core.Log.Tip(ctx, ch); err == nil && hlc > g.HLC {
			return true
		}
	}
	return false
}
