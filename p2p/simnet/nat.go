package simnet

import (
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p"

	"github.com/meshd/meshd/p2p/host"
)

// NAT is the kind of router that stands between a node and the network. What a node
// behind one sends passes; what comes in passes if it is from an address and port to
// which the node sent something within the last minute.
type NAT uint8

const (
	// Open is no router.
	Open NAT = iota
	// Cone shows the node under one address to everybody, so that two such nodes
	// that send to one another at once get through.
	Cone
	// Symmetric shows another port to each peer. No port is renumbered here; what
	// would follow of it is modelled: nothing passes between a node behind such a
	// router and one behind any.
	Symmetric
)

// natIdle is how long a router remembers a peer to which nothing is sent.
const natIdle = time.Minute

// Reach is how a host can be reached.
type Reach struct {
	NAT   NAT
	Relay bool // an open host that relays
}

// NewReached opens one more host, as NewHost does, that looks for relays and punches
// holes as on a real network. Nobody probes in a world: an open host knows that it is
// reachable, the others that they are not.
func (w *World) NewReached(t testing.TB, r Reach) *host.Host {
	t.Helper()
	return w.newHost(t, func(i int, cfg *host.Config) {
		w.mu.Lock()
		w.nats[i] = r.NAT
		w.mu.Unlock()
		cfg.Routers, cfg.RelayService = true, r.Relay
		if r.NAT == Open {
			cfg.Simulation = append(cfg.Simulation, libp2p.ForceReachabilityPublic())
		}
	})
}

func (w *World) behind(i int) NAT {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.nats[i]
}

// router is the state of a node's router for one of its sockets.
type router struct {
	kind NAT

	mu   sync.Mutex
	open map[netip.AddrPort]time.Time // last sent to
}

func newRouter(kind NAT) *router {
	if kind == Open {
		return nil
	}
	return &router{kind: kind, open: make(map[netip.AddrPort]time.Time)}
}

func (r *router) sent(to net.Addr) {
	if a, ok := endpoint(to); ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.open[a] = time.Now()
	}
}

// lets reports whether a packet of the other side, which is behind theirs, passes.
func (r *router) lets(theirs NAT, from net.Addr) bool {
	if theirs != Open && (r.kind == Symmetric || theirs == Symmetric) {
		return false
	}
	a, ok := endpoint(from)
	r.mu.Lock()
	defer r.mu.Unlock()
	last, there := r.open[a]
	return ok && there && time.Since(last) <= natIdle
}

func endpoint(a net.Addr) (netip.AddrPort, bool) {
	u, ok := a.(*net.UDPAddr)
	if !ok {
		return netip.AddrPort{}, false
	}
	p := u.AddrPort()
	return netip.AddrPortFrom(p.Addr().Unmap(), p.Port()), true
}
