package peering

import (
	"context"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
)

// CopiesFrom asks one peer for changes of a set, a minute at most, and returns what it gave
// and those that it did not give as a whole.
func (net *Network) CopiesFrom(ctx context.Context, p peer.ID, set string, want []change.ID) (got []*change.Change, left []change.ID) {
	ctx, cancel := context.WithTimeout(ctx, copyTimeout)
	defer cancel()
	got, err := net.Sync.FetchChanges(ctx, p, set, want)
	if err != nil && len(got) == 0 {
		net.n.core.Opt.Log.Debug("no copies from a peer", "peer", p.String(), "err", err)
		return nil, want
	}
	whole := map[change.ID]bool{}
	for _, c := range got {
		whole[c.ID] = c.Body != nil
	}
	for _, id := range want {
		if !whole[id] {
			left = append(left, id)
		}
	}
	return got, left
}
