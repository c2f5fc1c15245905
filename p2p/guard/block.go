package guard

import (
	"net/netip"

	"github.com/libp2p/go-libp2p/core/peer"
)

// Block is the block of public addresses from which most connected peers come.
type Block struct {
	Prefix netip.Prefix // a /16, or a /32 of IPv6: what one provider assigns
	Peers  int          // connected from it
	Of     int          // peers connected from any public address
}

// Crowded reports whether so many peers are of the block that its owner decides
// what this node receives: all of a few, or three of four of more.
func (b Block) Crowded() bool {
	return b.Of >= fewPeers && b.Peers == b.Of || b.Of >= 2*fewPeers && 4*b.Peers >= 3*b.Of
}

// Block looks where the connected peers come from. A peer that is near, or comes by a
// relay, is of no block; a peer with connections from several counts in the first alone.
func (g *Guard) Block() Block {
	g.mu.Lock()
	net := g.net
	g.mu.Unlock()
	if net == nil {
		return Block{}
	}
	seen := map[peer.ID]bool{}
	count := map[netip.Prefix]int{}
	var most Block
	for _, c := range net.Conns() {
		a := address(c.RemoteMultiaddr())
		if _, public := crowdOf(a); !public || seen[c.RemotePeer()] {
			continue
		}
		bits := blockBits6
		if a.Is4() {
			bits = blockBits4
		}
		p, err := a.Prefix(bits)
		if err != nil {
			continue
		}
		seen[c.RemotePeer()] = true
		count[p]++
		if n := count[p]; n > most.Peers || n == most.Peers && p.Addr().Less(most.Prefix.Addr()) {
			most.Prefix, most.Peers = p, n
		}
	}
	most.Of = len(seen)
	return most
}
