package topic

import (
	"context"
	"fmt"

	pubsub "github.com/libp2p/go-libp2p-pubsub"
	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/reason"
)

// HandlePeers joins the topic of peer records; it is called once. receive
// judges each message as a Judge does a change. The channel names peers that
// subscribe; it is never closed, and one that nobody reads in time is dropped.
func (g *Gossip) HandlePeers(receive func(ctx context.Context, from peer.ID, data []byte) reason.Code) (<-chan peer.ID, error) {
	t, err := g.join(peersTopic, g.verdict(peersTopic, receive))
	if err != nil {
		return nil, err
	}
	events, err := t.EventHandler()
	if err != nil {
		return nil, fmt.Errorf("watch %s: %w", peersTopic, err)
	}
	g.mu.Lock()
	g.peers = t
	g.mu.Unlock()
	joined := make(chan peer.ID, joinedQueue)
	g.wg.Go(func() {
		defer events.Cancel()
		for {
			e, err := events.NextPeerEvent(g.ctx)
			if err != nil {
				return
			}
			if e.Type != pubsub.PeerJoin {
				continue
			}
			select {
			case joined <- e.Peer:
			default:
			}
		}
	})
	return joined, nil
}

// PublishPeers sends a peer record; HandlePeers comes first.
func (g *Gossip) PublishPeers(ctx context.Context, data []byte) error {
	g.mu.Lock()
	t := g.peers
	g.mu.Unlock()
	if t == nil {
		return fmt.Errorf("publish to %s: %w", peersTopic, ErrNoTopic)
	}
	return g.publish(ctx, peersTopic, t, data)
}
