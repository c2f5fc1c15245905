package guard

import (
	"net/netip"

	"github.com/libp2p/go-libp2p/core/connmgr"
	"github.com/libp2p/go-libp2p/core/control"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"
)

var _ connmgr.ConnectionGater = (*Guard)(nil)

// address is the IP address of a; the zero Addr for a relayed or odd one,
// whose first address is that of somebody else.
func address(a ma.Multiaddr) netip.Addr {
	if a == nil {
		return netip.Addr{}
	}
	if _, err := a.ValueForProtocol(ma.P_CIRCUIT); err == nil {
		return netip.Addr{}
	}
	ip, err := manet.ToIP(a)
	if err != nil {
		return netip.Addr{}
	}
	addr, _ := netip.AddrFromSlice(ip)
	return addr.Unmap()
}

// crowdOf is the prefix a is counted under. Loopback and private addresses
// have none: many nodes near one another are no crowd.
func crowdOf(a netip.Addr) (netip.Prefix, bool) {
	if !a.IsValid() || a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() {
		return netip.Prefix{}, false
	}
	bits := prefixBits6
	if a.Is4() {
		bits = prefixBits4
	}
	p, err := a.Prefix(bits)
	return p, err == nil
}

// why names the reason of a refused connection in the metrics; "" allows.
type why string

const (
	whyPeer     why = "peer"
	whyAddress  why = "address"
	whyLoopback why = "loopback"
	whyTotal    why = "total"
	whyPrefix   why = "prefix"
	whyStrikes  why = "strikes"
)

func (g *Guard) judge(w why) bool {
	if w == "" {
		return true
	}
	g.met.refused.WithLabelValues(string(w)).Inc()
	return false
}

func (g *Guard) judgePeer(p peer.ID) why {
	if g.Banned(p) {
		return whyPeer
	}
	return ""
}

func (g *Guard) judgeAddr(m ma.Multiaddr) why {
	a := address(m)
	if g.loopback {
		if !a.IsLoopback() {
			return whyLoopback
		}
		return ""
	}
	for _, x := range g.denyAddr {
		if x.Contains(a) {
			return whyAddress
		}
	}
	x, ok := crowdOf(a)
	if !ok {
		return ""
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if s := g.struck[x]; s != nil && s.n >= maxStrikes && g.now().Before(s.until) {
		return whyStrikes
	}
	if g.crowd[x] >= g.perPrefix {
		return whyPrefix
	}
	return ""
}

// strike notes a ban against the prefixes that conns come from, once each:
// identities are free, addresses less so.
func (g *Guard) strike(conns []network.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	seen := make(map[netip.Prefix]bool, len(conns))
	for _, c := range conns {
		x, ok := crowdOf(address(c.RemoteMultiaddr()))
		if !ok || seen[x] {
			continue
		}
		seen[x] = true
		s := g.struck[x]
		if s == nil && len(g.struck) >= maxStruck {
			g.sweep(now)
		}
		switch {
		case s == nil && len(g.struck) >= maxStruck:
			continue
		case s == nil || !now.Before(s.until):
			s = new(strikes)
			g.struck[x] = s
		}
		s.n++
		s.until = now.Add(strikeTime)
	}
}

// InterceptPeerDial refuses peers that are denied or banned.
func (g *Guard) InterceptPeerDial(p peer.ID) bool { return g.judge(g.judgePeer(p)) }

// InterceptAddrDial refuses addresses that the mode, the deny list or a full
// prefix forbid.
func (g *Guard) InterceptAddrDial(_ peer.ID, a ma.Multiaddr) bool { return g.judge(g.judgeAddr(a)) }

// InterceptAccept is InterceptAddrDial for connections that come in, before
// their handshake; it also enforces the cap on all connections.
func (g *Guard) InterceptAccept(c network.ConnMultiaddrs) bool {
	g.mu.Lock()
	full := g.conns >= g.maxConns
	g.mu.Unlock()
	if full {
		return g.judge(whyTotal)
	}
	return g.judge(g.judgeAddr(c.RemoteMultiaddr()))
}

// InterceptSecured refuses denied and banned peers once they have proved who
// they are.
func (g *Guard) InterceptSecured(_ network.Direction, p peer.ID, _ network.ConnMultiaddrs) bool {
	return g.judge(g.judgePeer(p))
}

// InterceptUpgraded allows: all that is to be known was known before.
func (g *Guard) InterceptUpgraded(network.Conn) (bool, control.DisconnectReason) { return true, 0 }
