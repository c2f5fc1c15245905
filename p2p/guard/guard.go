// Package guard decides who may be connected to this node and remembers who
// sent what every honest node refuses. It is the first layer of defence: a
// connection gater with caps for each address prefix, a token bucket of gossip
// messages for each peer, and a score that falls with refused changes, recovers
// with time, and below Graylist costs the connection.
//
// New makes a Guard; the host takes it as its gater and calls Watch once the
// network exists. Gossip and reconciliation report by Refused. What a node
// judges by its own clock or limits never lowers a score: only codes whose
// gossip verdict is Reject do, so a peer with other settings is not punished.
package guard

import (
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/prometheus/client_golang/prometheus"
)

// Config sets a Guard up. The zero Config is a public node without deny lists.
type Config struct {
	Loopback     bool           // only 127.0.0.0/8 and ::1, either way
	DenyPeers    []peer.ID      // never connected to
	DenyPrefixes []netip.Prefix // never connected to, either way
	MaxConns     int            // connections; 0: DefaultMaxConns
	PerPrefix    int            // connections with one /24 or /56; 0: DefaultPerPrefix
	MessageRate  int            // gossip messages a second and peer; 0: DefaultMessageRate

	Now        func() time.Time      // nil: time.Now
	Registerer prometheus.Registerer // nil: metrics are kept but not registered
}

// Validate reports all problems of c, joined.
func (c Config) Validate() error {
	var errs []error
	for _, f := range []struct {
		name string
		n    int
	}{{"connections", c.MaxConns}, {"connections a prefix", c.PerPrefix}, {"message rate", c.MessageRate}} {
		if f.n < 0 {
			errs = append(errs, fmt.Errorf("%s: %d is negative", f.name, f.n))
		}
	}
	if c.MaxConns > maxRecords {
		errs = append(errs, fmt.Errorf("connections: %d is over %d", c.MaxConns, maxRecords))
	}
	for _, p := range c.DenyPrefixes {
		if !p.IsValid() {
			errs = append(errs, errors.New("deny list: prefix is not valid"))
		}
	}
	return errors.Join(errs...)
}

// Guard is a connection gater and the memory of refusals. It is safe for
// concurrent use and remembers at most maxRecords peers.
type Guard struct {
	loopback  bool
	denyAddr  []netip.Prefix
	maxConns  int
	perPrefix int
	now       func() time.Time
	met       *metrics

	mu       sync.Mutex // guards all below
	denyPeer map[peer.ID]bool
	net      network.Network
	rate     float64 // messages a second and peer
	conns    int
	peers    map[peer.ID]*record
	crowd    map[netip.Prefix]int // open connections of each prefix
	struck   map[netip.Prefix]*strikes
	sweptAt  time.Time
}

// strikes are the bans of one prefix, forgotten at until.
type strikes struct {
	n     int
	until time.Time
}

// New makes a Guard. The error lists all problems of cfg.
func New(cfg Config) (*Guard, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("configure guard: %w", err)
	}
	g := &Guard{
		loopback:  cfg.Loopback,
		denyPeer:  make(map[peer.ID]bool, len(cfg.DenyPeers)),
		denyAddr:  cfg.DenyPrefixes,
		maxConns:  orDefault(cfg.MaxConns, DefaultMaxConns),
		perPrefix: orDefault(cfg.PerPrefix, DefaultPerPrefix),
		now:       cfg.Now,
		rate:      float64(orDefault(cfg.MessageRate, DefaultMessageRate)),
		peers:     make(map[peer.ID]*record),
		crowd:     make(map[netip.Prefix]int),
		struck:    make(map[netip.Prefix]*strikes),
	}
	g.met = newMetrics(cfg.Registerer, g.Block)
	if g.now == nil {
		g.now = time.Now
	}
	for _, p := range cfg.DenyPeers {
		g.denyPeer[p] = true
	}
	return g, nil
}

func orDefault(n, def int) int {
	if n == 0 {
		return def
	}
	return n
}

// Watch counts the connections of n from now on and lets the guard close those
// of graylisted peers. It is called once, before n connects to anybody.
func (g *Guard) Watch(n network.Network) {
	g.mu.Lock()
	g.net = n
	g.mu.Unlock()
	n.Notify(&network.NotifyBundle{
		ConnectedF:    func(_ network.Network, c network.Conn) { g.opened(c.RemotePeer(), address(c.RemoteMultiaddr())) },
		DisconnectedF: func(_ network.Network, c network.Conn) { g.closed(c.RemotePeer(), address(c.RemoteMultiaddr())) },
	})
}

// SetMessageRate changes the gossip messages looked at for each peer in a
// second; rates below one count as one.
func (g *Guard) SetMessageRate(perSecond int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rate = float64(max(1, perSecond))
}

func (g *Guard) opened(p peer.ID, a netip.Addr) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.conns++
	if x, ok := crowdOf(a); ok {
		g.crowd[x]++
	}
	g.record(p, g.now()).conns++
	g.met.connections.Set(float64(g.conns))
}

func (g *Guard) closed(p peer.ID, a netip.Addr) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	g.conns--
	if x, ok := crowdOf(a); ok {
		if g.crowd[x]--; g.crowd[x] <= 0 {
			delete(g.crowd, x)
		}
	}
	if r := g.peers[p]; r != nil {
		if r.conns--; r.idle(now) {
			delete(g.peers, p)
		}
	}
	g.met.connections.Set(float64(g.conns))
	if now.Sub(g.sweptAt) >= sweepEvery {
		g.sweep(now)
	}
}
