package host

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/libp2p/go-libp2p"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/p2p/host/autorelay"
	"github.com/libp2p/go-libp2p/p2p/protocol/circuitv2/proto"
	"github.com/libp2p/go-libp2p/p2p/protocol/ping"
	ma "github.com/multiformats/go-multiaddr"
)

// A host that strangers cannot dial asks connected peers that relay to keep a place
// for it, and announces their addresses as its own; one that is dialled so tries at once
// to get a direct connection by a hole punch. AutoNAT says
// whether a host is such a one. A host that announces addresses needs no relay.
type relays struct {
	on   bool
	host atomic.Pointer[host.Host] // set once it is open
}

func (r *relays) options() []libp2p.Option {
	opts := []libp2p.Option{libp2p.EnableRelay(), libp2p.EnableHolePunching()}
	if !r.on {
		return opts
	}
	return append(opts, libp2p.EnableAutoRelayWithPeerSource(r.candidates,
		autorelay.WithNumRelays(relaysKept), autorelay.WithMinCandidates(relaysKept), autorelay.WithBootDelay(relayBoot),
		autorelay.WithMinInterval(relayLook), autorelay.WithBackoff(relayBackoff)))
}

// candidates are connected peers that relay, at most n of them. Others than connected
// ones are discovery's to find: a dial to a peer that has died would delay the rest.
func (r *relays) candidates(_ context.Context, n int) <-chan peer.AddrInfo {
	out := make(chan peer.AddrInfo, n)
	defer close(out)
	p := r.host.Load()
	if p == nil {
		return out
	}
	h := *p
	for _, id := range Direct(h.Network()) {
		if len(out) == n {
			break
		}
		if hop, err := h.Peerstore().SupportsProtocols(id, proto.ProtoIDv2Hop); err == nil && len(hop) > 0 {
			out <- peer.AddrInfo{ID: id, Addrs: h.Peerstore().Addrs(id)}
		}
	}
	return out
}

// watch closes the connections to relays that fall silent, until ctx ends, so that
// another takes their place: QUIC alone would wait 30 s for a peer that died without a word.
func (r *relays) watch(ctx context.Context, h host.Host) {
	tick := time.NewTicker(relayCheck)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var wg sync.WaitGroup
		for id := range relaysOf(h.Addrs()) {
			wg.Go(func() {
				if !answers(ctx, h, id) && ctx.Err() == nil {
					_ = h.Network().ClosePeer(id)
				}
			})
		}
		wg.Wait()
	}
}

func answers(ctx context.Context, h host.Host, id peer.ID) bool {
	ctx, cancel := context.WithTimeout(network.WithNoDial(ctx, "relay"), relaySilence)
	defer cancel()
	select {
	case r, ok := <-ping.Ping(ctx, h, id):
		return ok && r.Error == nil
	case <-ctx.Done():
		return false
	}
}

// Direct are the peers of n with a connection that does not lead through a relay. A
// relay ends a connection after two minutes or 128 KiB: it is there to get a direct one,
// and nothing of ours is sent by it; a stream to such a peer waits until its time is over.
func Direct(n network.Network) []peer.ID {
	return slices.DeleteFunc(n.Peers(), func(id peer.ID) bool { return n.Connectedness(id) != network.Connected })
}

// Direct are the peers of h with a connection that does not lead through a relay.
func (h *Host) Direct() []peer.ID { return Direct(h.Network()) }

// relaysOf are the peers through which addrs lead.
func relaysOf(addrs []ma.Multiaddr) map[peer.ID]bool {
	ids := make(map[peer.ID]bool)
	for _, a := range addrs {
		to, circuit := ma.SplitFunc(a, func(c ma.Component) bool { return c.Protocol().Code == ma.P_CIRCUIT })
		if len(circuit) == 0 {
			continue
		}
		if s, err := to.ValueForProtocol(ma.P_P2P); err == nil {
			if id, err := peer.Decode(s); err == nil {
				ids[id] = true
			}
		}
	}
	return ids
}
