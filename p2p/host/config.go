package host

import (
	"errors"
	"fmt"

	"github.com/libp2p/go-libp2p"
	ma "github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/p2p/guard"
)

// Config sets a Host up. Only Seed is required.
type Config struct {
	Seed    [32]byte // of the node's Ed25519 key
	Version string   // of the program, announced to peers

	// Listen are multiaddrs; empty means every interface, or loopback, at
	// DefaultPort. AnyPort says that nobody chose the ports, so that a free
	// one may replace a taken one; it is implied when Listen is empty.
	Listen  []string
	AnyPort bool
	// Announce are multiaddrs announced to peers instead of those found out.
	Announce []string

	Loopback     bool // this machine only
	PrivateAddrs bool // announce loopback and private addresses too
	PortMapping  bool // ask the router to forward the ports
	RelayService bool // relay for peers behind routers, once strangers can dial this host
	Public       bool // they can: it need not be found out

	Low, High int // connections; 0: DefaultLow, DefaultHigh

	// Guard is the guard's configuration. Loopback, and MaxConns and
	// Registerer where they are not set, are taken from this Config.
	Guard      guard.Config
	Registerer prometheus.Registerer // nil: libp2p keeps no metrics

	// Simulation, when it is not empty, are the options of a simulated network:
	// its transport in place of the machine's, and nothing that would look for
	// routers or relays beside it.
	Simulation []libp2p.Option
	// Routers says that the simulated network hides hosts behind routers, so that
	// relays and hole punches are used as on a real one. AutoNAT stays off: a host
	// is taken for hidden unless Simulation says otherwise.
	Routers bool
}

// Validate reports all problems of c, joined.
func (c Config) Validate() error {
	var errs []error
	fault := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if c.Seed == [32]byte{} {
		fault("node key: seed is missing")
	}
	if len(c.Listen) > maxListen {
		fault("listen: %d addresses, limit %d", len(c.Listen), maxListen)
	}
	if len(c.Announce) > maxAnnounce {
		fault("announce: %d addresses, limit %d", len(c.Announce), maxAnnounce)
	}
	for what, list := range map[string][]string{"listen": c.Listen, "announce": c.Announce} {
		for _, s := range list {
			a, err := ma.NewMultiaddr(s)
			switch {
			case err != nil:
				fault("%s %q: %w", what, s, err)
			case c.Loopback && !manet.IsIPLoopback(a):
				fault("%s %q: not a loopback address", what, s)
			}
		}
	}
	if c.Loopback && c.PortMapping {
		fault("port mapping: not in loopback mode")
	}
	if c.Loopback && c.RelayService {
		fault("relay service: not in loopback mode")
	}
	full := c.withDefaults()
	if full.Low < 1 || full.High <= full.Low {
		fault("connections: low %d and high %d, want 1 ≤ low < high", full.Low, full.High)
	}
	if err := full.Guard.Validate(); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (c Config) withDefaults() Config {
	if c.Low == 0 {
		c.Low = DefaultLow
	}
	if c.High == 0 {
		c.High = max(DefaultHigh, 2*c.Low)
	}
	if c.Version == "" {
		c.Version = "dev"
	}
	if len(c.Listen) == 0 {
		c.AnyPort = true
		c.Listen = defaultListen(c.Loopback)
	}
	c.Guard.Loopback = c.Loopback
	if c.Guard.MaxConns == 0 {
		// Twice what trimming leaves: room for the grace period of new ones.
		c.Guard.MaxConns = 2 * c.High
	}
	if c.Guard.Registerer == nil {
		c.Guard.Registerer = c.Registerer
	}
	return c
}

func defaultListen(loopback bool) []string {
	hosts := []string{"/ip4/0.0.0.0", "/ip6/::"}
	if loopback {
		hosts = []string{"/ip4/127.0.0.1"}
	}
	var list []string
	for _, h := range hosts {
		list = append(list, fmt.Sprintf("%s/tcp/%d", h, DefaultPort), fmt.Sprintf("%s/udp/%d/quic-v1", h, DefaultPort))
	}
	return list
}

func multiaddrs(list []string) ([]ma.Multiaddr, error) {
	out := make([]ma.Multiaddr, 0, len(list))
	for _, s := range list {
		a, err := ma.NewMultiaddr(s)
		if err != nil {
			return nil, fmt.Errorf("read address %q: %w", s, err)
		}
		out = append(out, a)
	}
	return out, nil
}
