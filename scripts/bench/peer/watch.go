package main

import (
	"context"
	"fmt"
	"sync/atomic"

	pubsub "github.com/libp2p/go-libp2p-pubsub"
	pubsubpb "github.com/libp2p/go-libp2p-pubsub/pb"
	"github.com/libp2p/go-libp2p/core/metrics"
)

// meshWatch reports when a node's GossipSub mesh is complete: only then does what
// the node publishes reach everyone. Trace may be called from anywhere, await
// from one goroutine.
type meshWatch struct {
	grafts chan string         // peers added to the mesh and not yet read by await
	seen   map[string]struct{} // peers read so far
}

var _ pubsub.EventTracer = (*meshWatch)(nil)

func newMeshWatch() *meshWatch {
	return &meshWatch{grafts: make(chan string, graftQueue), seen: make(map[string]struct{})}
}

// Trace receives every event of GossipSub and keeps the grafts. It never
// blocks.
func (m *meshWatch) Trace(e *pubsubpb.TraceEvent) {
	if e.GetType() != pubsubpb.TraceEvent_GRAFT {
		return
	}
	select {
	case m.grafts <- string(e.GetGraft().GetPeerID()):
	default:
	}
}

// await returns when the mesh has had at least n peers.
func (m *meshWatch) await(ctx context.Context, n int) error {
	for len(m.seen) < n {
		select {
		case id := <-m.grafts:
			m.seen[id] = struct{}{}
		case <-ctx.Done():
			return fmt.Errorf("wait for gossip mesh: %d of %d peers: %w", len(m.seen), n, ctx.Err())
		}
	}
	return nil
}

// traffic is libp2p's bandwidth counter with a total that is exact at any
// moment: the original's is brought up to date once a second.
type traffic struct {
	metrics.Reporter
	in atomic.Int64 // bytes received
}

func newTraffic() *traffic { return &traffic{Reporter: metrics.NewBandwidthCounter()} }

// LogRecvMessage counts bytes read from a stream.
func (t *traffic) LogRecvMessage(size int64) { t.in.Add(size) }
