package node

import (
	"context"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
)

// fetchBodies asks peers, one at a time, for the bodies of stubs that are wanted
// here: a minute after the start, then less and less often while none is found,
// at least once a day (wire §13).
func (net *network) fetchBodies(ctx context.Context) error {
	for pause := bodiesFirst; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
		ids, err := net.n.log.Wanted(ctx, maxBodies)
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
func (net *network) askBodies(ctx context.Context, ids []change.ID) bool {
	bySet := map[string][]change.ID{}
	for _, id := range ids {
		if rec, err := net.n.log.Get(ctx, id); err == nil {
			bySet[rec.Set] = append(bySet[rec.Set], id)
		}
	}
	before := net.n.log.Counts().Missing
	peers := shuffled(net.host.Direct())
	for _, p := range peers[:min(len(peers), maxBulkPeers)] {
		for set, want := range bySet {
			net.takeBodies(ctx, p, set, want)
		}
	}
	return net.n.log.Counts().Missing < before
}

func (net *network) takeBodies(ctx context.Context, p peer.ID, set string, ids []change.ID) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	cs, err := net.sync.FetchChanges(ctx, p, set, ids)
	if err != nil || len(cs) == 0 {
		return
	}
	out, err := net.n.ingest.Receive(ctx, p.String(), set, cs)
	if err == nil {
		net.n.scored(net, p, out)
	}
}
