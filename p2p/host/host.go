// Package host opens the node's libp2p host: TCP and QUIC, Noise and TLS, with
// limits on everything a stranger can make it allocate. The node key signs nothing
// else than handshakes and peer records.
//
// New takes a Config and returns a Host that listens. In loopback mode it
// neither accepts from nor dials any address beyond this machine: it resolves no
// names, asks no router and no stranger for its own address, and its gater
// refuses the rest.
package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p"
	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	rcmgr "github.com/libp2p/go-libp2p/p2p/host/resource-manager"
	"github.com/libp2p/go-libp2p/p2p/muxer/yamux"
	"github.com/libp2p/go-libp2p/p2p/net/connmgr"
	"github.com/libp2p/go-libp2p/p2p/security/noise"
	libp2ptls "github.com/libp2p/go-libp2p/p2p/security/tls"
	quic "github.com/libp2p/go-libp2p/p2p/transport/quic"
	"github.com/libp2p/go-libp2p/p2p/transport/tcp"
	"github.com/libp2p/go-libp2p/x/rate"
	ma "github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"

	"github.com/meshd/meshd/p2p/guard"
)

// Host is a libp2p host with its guard. It is safe for concurrent use.
type Host struct {
	host.Host
	guard *guard.Guard
	port  Port
	ctx   context.Context // ends with the host
	rest  func()          // ends ctx and what runs beside the libp2p host

	suspended suspensions
}

// Port says which port a host got when the default one was taken.
type Port struct {
	Wanted, Got int
}

// Moved reports that the host does not listen where it wanted to.
func (p Port) Moved() bool { return p.Wanted != p.Got }

// New opens a host. It listens when New returns; the caller closes it. The
// error lists all problems of cfg, or says which address could not be had.
func New(cfg Config) (*Host, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("configure host: %w", err)
	}
	cfg = cfg.withDefaults()
	addrs, port, err := settle(cfg)
	if err != nil {
		return nil, err
	}
	g, err := guard.New(cfg.Guard)
	if err != nil {
		return nil, err
	}
	via := &relays{on: cfg.relayed()}
	opts, err := cfg.options(g, via)
	if err != nil {
		return nil, err
	}
	// The host listens only after the guard watches it, so that no connection
	// is ever missed in its counts.
	h, err := libp2p.New(append(opts, libp2p.NoListenAddrs)...)
	if err != nil {
		return nil, fmt.Errorf("open host: %w", err)
	}
	g.Watch(h.Network())
	if err := h.Network().Listen(addrs...); err != nil {
		return nil, errors.Join(fmt.Errorf("listen for peers: %w", err), h.Close())
	}
	via.host.Store(&h)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	if via.on {
		wg.Go(func() { via.watch(ctx, h) })
	}
	return &Host{Host: h, guard: g, port: port, ctx: ctx, rest: func() { cancel(); wg.Wait() }}, nil
}

// Close ends the host and all that it runs.
func (h *Host) Close() error {
	h.rest()
	return h.Host.Close()
}

// Guard is the gater of h and its memory of refusals.
func (h *Host) Guard() *guard.Guard { return h.guard }

// Port says whether the default port was taken and which one h has instead.
func (h *Host) Port() Port { return h.port }

// PeerID is the identity that a host with this seed has.
func PeerID(seed [32]byte) (peer.ID, error) {
	key, err := privateKey(seed)
	if err != nil {
		return "", err
	}
	return peer.IDFromPrivateKey(key)
}

func privateKey(seed [32]byte) (crypto.PrivKey, error) {
	key, _, err := crypto.GenerateEd25519Key(bytes.NewReader(seed[:]))
	if err != nil {
		return nil, fmt.Errorf("derive node key: %w", err)
	}
	return key, nil
}

func (c Config) options(g *guard.Guard, via *relays) ([]libp2p.Option, error) {
	key, err := privateKey(c.Seed)
	if err != nil {
		return nil, err
	}
	limits, err := resources(c.High)
	if err != nil {
		return nil, err
	}
	trim, err := connmgr.NewConnManager(c.Low, c.High, connmgr.WithGracePeriod(graceTime))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open connection manager: %w", err), limits.Close())
	}
	announce, err := multiaddrs(c.Announce)
	if err != nil {
		return nil, errors.Join(err, trim.Close(), limits.Close())
	}
	opts := []libp2p.Option{
		libp2p.Identity(key),
		libp2p.UserAgent("meshd/" + c.Version),
		libp2p.Transport(tcp.NewTCPTransport),
		libp2p.Transport(quic.NewTransport),
		libp2p.Security(noise.ID, noise.New),
		libp2p.Security(libp2ptls.ID, libp2ptls.New),
		libp2p.Muxer(yamux.ID, yamux.DefaultTransport),
		libp2p.ResourceManager(limits),
		libp2p.ConnectionManager(trim),
		libp2p.ConnectionGater(g),
		libp2p.WithDialTimeout(dialTimeout),
		// After an outage these would take UDP or IPv6 for blocked and keep us
		// from a peer that is back; how often to dial is package discover's.
		libp2p.UDPBlackHoleSuccessCounter(nil), libp2p.IPv6BlackHoleSuccessCounter(nil),
		libp2p.AddrsFactory(func(own []ma.Multiaddr) []ma.Multiaddr { return c.advertised(announce, own) }),
	}
	if c.Registerer != nil {
		opts = append(opts, libp2p.PrometheusRegisterer(c.Registerer))
	} else {
		opts = append(opts, libp2p.DisableMetrics())
	}
	return append(opts, c.reach(via)...), nil
}

// relayed reports whether the host may ask peers to relay for it.
func (c Config) relayed() bool {
	return !c.Loopback && !c.Public && len(c.Announce) == 0 && (len(c.Simulation) == 0 || c.Routers)
}

// reach are the ways by which a host learns or widens how it is reached.
func (c Config) reach(via *relays) []libp2p.Option {
	alone := []libp2p.Option{
		libp2p.DisableIdentifyAddressDiscovery(),
		libp2p.ForceReachabilityPrivate(), // switches AutoNAT off
		libp2p.MultiaddrResolver(noNames{}),
	}
	var opts []libp2p.Option
	switch simulated := len(c.Simulation) > 0; {
	case c.Loopback || simulated && !c.Routers:
		return append(append(alone, libp2p.DisableRelay()), c.Simulation...)
	case simulated:
		opts = append(append(alone, via.options()...), c.Simulation...)
	default:
		opts = append(via.options(), libp2p.EnableNATService(), libp2p.EnableAutoNATv2())
		if c.Public {
			opts = append(opts, libp2p.ForceReachabilityPublic())
		}
	}
	if c.PortMapping && len(c.Simulation) == 0 {
		opts = append(opts, libp2p.NATPortMap())
	}
	if c.RelayService {
		opts = append(opts, libp2p.EnableRelayService())
	}
	return opts
}

// advertised is what identify sends to others: the announced addresses if there
// are any, else those of the mode. A loopback address is of no use to another
// machine; private ones identify itself keeps from public peers.
func (c Config) advertised(announce, own []ma.Multiaddr) []ma.Multiaddr {
	if len(announce) > 0 {
		return announce
	}
	return ma.FilterAddrs(own, func(a ma.Multiaddr) bool {
		return c.PrivateAddrs && !c.Loopback || manet.IsIPLoopback(a) == c.Loopback
	})
}

// resources bounds what libp2p may allocate, in all and for each peer.
func resources(high int) (network.ResourceManager, error) {
	base := rcmgr.DefaultLimits
	libp2p.SetDefaultServiceLimits(&base)
	conns := rcmgr.LimitVal(4 * high)
	bounds := rcmgr.PartialLimitConfig{
		System: rcmgr.ResourceLimits{
			Conns: conns, ConnsInbound: conns, ConnsOutbound: conns,
			Streams: conns * 16, StreamsInbound: conns * 8, StreamsOutbound: conns * 8,
			Memory: memoryLimit,
		},
		Transient: rcmgr.ResourceLimits{Conns: transientOpen, ConnsInbound: transientOpen, ConnsOutbound: transientOpen},
		PeerDefault: rcmgr.ResourceLimits{
			Streams: peerStreams, StreamsInbound: peerInbound, StreamsOutbound: peerInbound,
			Memory: peerMemory,
		},
	}.Build(base.Scale(memoryLimit, fileLimit))
	m, err := rcmgr.NewResourceManager(rcmgr.NewFixedLimiter(bounds), rcmgr.WithMetricsDisabled(),
		rcmgr.WithLimitPerSubnet(
			[]rcmgr.ConnLimitPerSubnet{{PrefixLength: 32, ConnCount: addressConns}},
			[]rcmgr.ConnLimitPerSubnet{{PrefixLength: 56, ConnCount: addressConns}, {PrefixLength: 48, ConnCount: 4 * addressConns}}),
		rcmgr.WithConnRateLimiters(addressRates()))
	if err != nil {
		return nil, fmt.Errorf("open resource manager: %w", err)
	}
	return m, nil
}

// addressRates bounds new connections with one address, dialled or accepted. A call that
// a relay passes on counts for the relay's address, so there is room for a neighbourhood
// behind routers; what one address may have at once without a relay is the guard's.
func addressRates() *rate.Limiter {
	each, more := rate.Limit{RPS: addressRate, Burst: addressBurst}, rate.Limit{RPS: 4 * addressRate, Burst: 4 * addressBurst}
	return &rate.Limiter{
		NetworkPrefixLimits: []rate.PrefixLimit{ // the zero Limit is none
			{Prefix: netip.MustParsePrefix("127.0.0.0/8")}, {Prefix: netip.MustParsePrefix("::1/128")},
		},
		SubnetRateLimiter: rate.SubnetLimiter{
			IPv4SubnetLimits: []rate.SubnetLimit{{PrefixLength: 32, Limit: each}},
			IPv6SubnetLimits: []rate.SubnetLimit{{PrefixLength: 56, Limit: each}, {PrefixLength: 48, Limit: more}},
			GracePeriod:      time.Minute,
		},
	}
}

// errNames is what a loopback or simulated host answers to whoever wants a name resolved:
// the question alone would leave the machine.
var errNames = errors.New("names are not resolved in this mode")

type noNames struct{}

func (noNames) ResolveDNSAddr(context.Context, peer.ID, ma.Multiaddr, int, int) ([]ma.Multiaddr, error) {
	return nil, errNames
}

func (noNames) ResolveDNSComponent(context.Context, ma.Multiaddr, int) ([]ma.Multiaddr, error) {
	return nil, errNames
}
