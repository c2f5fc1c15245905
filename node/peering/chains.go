package peering

import (
	"context"
	"slices"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/p2p/sync"
)

// compareChains compares the chains of this node with what its peers know of them,
// as long as that is in doubt.
func (net *Network) compareChains(ctx context.Context) error {
	n := net.n
	for pause := comparePause; ; pause = min(pause*2, maxComparePause) {
		d, ok := n.core.Lineage.Doubt()
		switch {
		case !ok:
			<-ctx.Done() // a service that returns is started again
			return nil
		case n.account.Comparing():
			reports, err := net.Sync.SyncNow(ctx)
			if err == nil {
				n.compared(ctx, net, reports)
			}
			if len(reports) == 0 {
				pause = comparePause
			}
		case !d.Alone.IsZero():
			n.account.Readmit(ctx)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// compared settles what these passes have shown: each has brought all that its
// peer has, so that a peer that knows a key has said how far its chains go.
func (n *Peering) compared(ctx context.Context, net *Network, reports []sync.PassReport) {
	for _, r := range reports {
		if !r.Complete {
			continue
		}
		ks := n.knownTo(ctx, net, r.Peer)
		var teams []string
		for _, s := range r.Sets {
			if core.Private(s.Set) && s.Complete && n.knowsTeam(ctx, net, r.Peer, s.Set) {
				teams = append(teams, s.Set)
			}
		}
		news, err := n.core.Lineage.Settle(ks, teams)
		if err != nil {
			n.core.Opt.Log.Error("not noted that chains were compared", "err", err)
			continue
		}
		if !news {
			continue
		}
		n.core.Opt.Log.Info("own chains compared with a peer", "peer", r.Peer.String(), "keys", len(ks), "teams", len(teams))
		if f := n.account.Settled.Load(); f != nil {
			(*f)(ctx)
		}
	}
}

// knownTo are the keys in doubt that a peer knows by what it did not get from this
// node, which sends nothing of them meanwhile.
func (n *Peering) knownTo(ctx context.Context, net *Network, p peer.ID) (out []did.Key) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	records := map[change.ID]did.Key{}
	for _, k := range n.core.Local.All() {
		if !n.core.Lineage.Unsure(k, change.SpaceNet) {
			continue
		}
		if rec, ok := n.core.Views.AgentByKey(k); ok {
			records[rec.Binding] = k
		}
		for _, g := range n.core.Views.GrantsTo(k) {
			records[g.ID] = k
		}
	}
	for id, k := range records {
		cs, err := net.Sync.FetchChanges(ctx, p, change.SetAuth, []change.ID{id})
		if err == nil && len(cs) > 0 && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// knowsTeam reports whether a peer has what the keys of this node wrote in a team,
// or this node has nothing of theirs there.
func (n *Peering) knowsTeam(ctx context.Context, net *Network, p peer.ID, set string) bool {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	for _, k := range n.core.Local.All() {
		for _, ch := range n.core.Views.Chains(k) {
			if string(ch.Space) != set || !n.core.Lineage.Unsure(k, ch.Space) {
				continue
			}
			first, err := n.core.Log.At(ctx, ch, 1)
			if err != nil || len(first) == 0 {
				continue
			}
			if cs, err := net.Sync.FetchChanges(ctx, p, set, first); err != nil || len(cs) == 0 {
				return false
			}
		}
	}
	return true
}
