package peering

import (
	"context"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/core"
)

// fetchBodies asks peers, one at a time, for the bodies of stubs that are wanted
// here: a minute after the start, then less and less often while none is found,
// at least once a day (wire §13).
func (net *Network) fetchBodies(ctx context.Context) error {
	for pause := bodiesFirst; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
		ids, err := net.n.core.Log.Wanted(ctx, core.MaxBodies)
		if err != nil || len(ids) == 0 {
			pause = bodiesFirst
			continue
		}
		if pause = min(pause*2, bodiesLast); net.askBodies(ctx, ids) {
			pause = bodiesFirst
		}
	}
}

// askBodies asks a few peers and reports whether any body came.
func (net *Network) askBodies(ctx context.Context, ids []change.ID) bool {
	bySet := map[string][]change.ID{}
	for _, id := range ids {
		if rec, err := net.n.core.Log.Get(ctx, id); err == nil {
			bySet[rec.Set] = append(bySet[rec.Set], id)
		}
	}
	before := net.n.core.Log.Counts().Missing
	peers := Shuffled(net.Host.Direct())
	for _, p := range peers[:min(len(peers), maxBulkPeers)] {
		for set, want := range bySet {
			net.takeBodies(ctx, p, set, want)
		}
	}
	return net.n.core.Log.Counts().Missing < before
}

func (net *Network) takeBodies(ctx context.Context, p peer.ID, set string, ids []change.ID) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	cs, err := net.Sync.FetchChanges(ctx, p, set, ids)
	if err != nil || len(cs) == 0 {
		return
	}
	out, err := net.n.core.Ingest.Receive(ctx, p.String(), set, cs)
	if err == nil {
		net.n.scored(net, p, out)
	}
}
