// Package simnet builds worlds of nodes for tests: libp2p hosts over a network
// in memory, with latency, loss, partitions and one-way cuts. Inside
// testing/synctest, hours of network life cost seconds and no test sleeps for
// real.
//
// Everything a world chooses (keys, latencies, losses, links) comes from one
// seed, split by name, so that a change in one concern leaves the others as
// they were. The order in which goroutines run is not part of the seed, and
// QUIC draws its own random numbers: two runs see the same world, not the same
// packets.
//
// Use it as
//
//	synctest.Test(t, func(t *testing.T) {
//		w := simnet.NewWorld(t, 1, 20, simnet.Config{})
//		w.Connect(t, 6)
//		…
//	})
package simnet

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/p2p/transport/quicreuse"
	"github.com/marcopolo/simnet"
	"github.com/quic-go/quic-go"

	"github.com/meshd/meshd/p2p/host"
)

// Config describes the links of a world. The zero Config is a network without
// loss whose one-way latencies lie between 20 and 60 ms.
type Config struct {
	MinLatency, MaxLatency time.Duration // one way, fixed for each pair of nodes
	Loss                   float64       // share of packets lost, 0 to 1
	BitsPerSecond          int           // of each node, each way; 0: 20 Mbit/s
}

const (
	defaultMin  = 20 * time.Millisecond
	defaultMax  = 60 * time.Millisecond
	defaultRate = 20_000_000
	port        = 8000
	linksAtOnce = 256 // dials under way in Connect; each host has a handful of them
)

// Rand is the stream of one concern of a seed.
func Rand(seed uint64, name string) *rand.Rand {
	h := sha256.Sum256(fmt.Appendf(nil, "%d/%s", seed, name))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(h[:]), binary.LittleEndian.Uint64(h[8:])))
}

// World is a set of hosts on one simulated network. Cut, Partition and Heal may
// be called from any goroutine; what adds hosts, from the test's own.
type World struct {
	Hosts []*host.Host

	seed uint64
	cfg  Config
	net  *simnet.Simnet

	mu    sync.Mutex          // guards what follows
	taken []net.IP            // addresses, of Hosts and of Places, by index
	index map[[4]byte]int     // of these
	quic  map[int][]io.Closer // by index
	loss  *rand.Rand
	cuts  map[[2]int]bool // from, to
	nats  map[int]NAT     // by index; who is not there is open
}

// NewWorld opens n hosts and closes them when the test ends; inside a synctest
// bubble, before the bubble does. It fails the test when it cannot.
func NewWorld(t testing.TB, seed uint64, n int, cfg Config) *World {
	t.Helper()
	if cfg.MaxLatency == 0 {
		cfg.MinLatency, cfg.MaxLatency = defaultMin, defaultMax
	}
	if cfg.BitsPerSecond == 0 {
		cfg.BitsPerSecond = defaultRate
	}
	w := &World{seed: seed, cfg: cfg, loss: Rand(seed, "loss"), cuts: make(map[[2]int]bool), quic: make(map[int][]io.Closer), nats: make(map[int]NAT), index: make(map[[4]byte]int)}
	w.net = &simnet.Simnet{LatencyFunc: w.latency, Logger: slog.New(slog.DiscardHandler)}
	t.Cleanup(func() {
		if err := w.close(); err != nil {
			t.Errorf("close world: %v", err)
		}
	})
	w.net.Start()
	for range n {
		w.NewHost(t)
	}
	return w
}

// options give a host its transport on the simulated network.
func (w *World) options(i int) []libp2p.Option {
	source := fixedSource{w.address(i)}
	open := func(key quic.StatelessResetKey, token quic.TokenGeneratorKey, opts ...quicreuse.Option) (*quicreuse.ConnManager, error) {
		m, err := quicreuse.NewConnManager(key, token, opts...)
		if err != nil {
			return nil, fmt.Errorf("open simulated quic: %w", err)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.quic[i] = append(w.quic[i], m)
		return m, nil
	}
	return []libp2p.Option{
		libp2p.QUICReuse(open,
			quicreuse.OverrideSourceIPSelector(func() (quicreuse.SourceIPSelector, error) { return source, nil }),
			quicreuse.OverrideListenUDP(func(_ string, a *net.UDPAddr) (net.PacketConn, error) {
				return w.socket(i, a), nil
			}),
		),
	}
}

// address is that of node i.
func (w *World) address(i int) net.IP {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.taken[i]
}

// indexOf is the inverse of address, -1 for what is none of the world's.
func (w *World) indexOf(a net.Addr) int {
	u, ok := a.(*net.UDPAddr)
	if !ok {
		return -1
	}
	ip := u.IP.To4()
	if ip == nil {
		return -1
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if i, ok := w.index[[4]byte(ip)]; ok {
		return i
	}
	return -1
}

type fixedSource struct{ ip net.IP }

func (f fixedSource) PreferredSourceIPForDestination(*net.UDPAddr) (net.IP, error) { return f.ip, nil }

// conn is a node's socket; it loses what the world says is lost.
type conn struct {
	*simnet.SimConn
	world *World
	from  int
	nat   *router // nil for an open node
}

func (w *World) socket(i int, a *net.UDPAddr) *conn {
	link := simnet.LinkSettings{BitsPerSecond: w.cfg.BitsPerSecond}
	c := w.net.NewEndpoint(a, simnet.NodeBiDiLinkSettings{Downlink: link, Uplink: link})
	return &conn{SimConn: c, world: w, from: i, nat: newRouter(w.behind(i))}
}

func (c *conn) WriteTo(b []byte, to net.Addr) (int, error) {
	if c.nat != nil {
		c.nat.sent(to)
	}
	if c.world.lost(c.from, c.world.indexOf(to)) {
		return len(b), nil
	}
	return c.SimConn.WriteTo(b, to)
}

func (c *conn) ReadFrom(b []byte) (int, net.Addr, error) {
	for {
		n, from, err := c.SimConn.ReadFrom(b)
		if err != nil || c.nat == nil || c.nat.lets(c.world.behind(c.world.indexOf(from)), from) {
			return n, from, err
		}
	}
}

func (w *World) lost(from, to int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cuts[[2]int{from, to}] || w.cfg.Loss > 0 && w.loss.Float64() < w.cfg.Loss
}

// latency is the same for all packets between two nodes, either way.
func (w *World) latency(p *simnet.Packet) time.Duration {
	a, b := w.indexOf(p.From), w.indexOf(p.To)
	return w.Latency(a, b)
}

// Latency is the one-way latency between nodes a and b.
func (w *World) Latency(a, b int) time.Duration {
	if a > b {
		a, b = b, a
	}
	h := sha256.Sum256(fmt.Appendf(nil, "%d/latency/%d/%d", w.seed, a, b))
	span := uint64(w.cfg.MaxLatency-w.cfg.MinLatency) + 1
	return w.cfg.MinLatency + time.Duration(binary.LittleEndian.Uint64(h[:])%span)
}

// Cut loses every packet from one node to another from now on, that way only.
func (w *World) Cut(from, to int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cuts[[2]int{from, to}] = true
}

// Partition cuts both ways between every node of group and every other.
func (w *World) Partition(group ...int) {
	in := make(map[int]bool, len(group))
	for _, i := range group {
		in[i] = true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.taken {
		for j := range w.taken {
			if in[i] != in[j] {
				w.cuts[[2]int{i, j}] = true
			}
		}
	}
}

// Heal ends all cuts.
func (w *World) Heal() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.cuts)
}

// Join ends the cuts between a node and every other, both ways.
func (w *World) Join(i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.cuts {
		if c[0] == i || c[1] == i {
			delete(w.cuts, c)
		}
	}
}

// Unplug closes the sockets of a Place whose host has ended, so that another
// host may be opened there.
func (w *World) Unplug(i int) error {
	w.mu.Lock()
	open := w.quic[i]
	delete(w.quic, i)
	w.mu.Unlock()
	var errs []error
	for _, q := range open {
		errs = append(errs, q.Close())
	}
	return errors.Join(errs...)
}

// Link connects node a to node b.
func (w *World) Link(ctx context.Context, a, b int) error {
	to := w.Hosts[b]
	if err := w.Hosts[a].Connect(ctx, peer.AddrInfo{ID: to.ID(), Addrs: to.Addrs()}); err != nil {
		return fmt.Errorf("connect %d to %d: %w", a, b, err)
	}
	return nil
}

// Connect links every node to one before it, so that the world is connected,
// and to others chosen by the seed until it has dialled degree/2. The test
// fails when a link does not come up.
func (w *World) Connect(t testing.TB, degree int) {
	t.Helper()
	rng := Rand(w.seed, "links")
	var pairs [][2]int
	for i := 1; i < len(w.Hosts); i++ {
		pairs = append(pairs, [2]int{i, rng.IntN(i)})
		for range degree/2 - 1 {
			if j := rng.IntN(len(w.Hosts)); j != i {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for batch := range slices.Chunk(pairs, linksAtOnce) {
		errs := make([]error, len(batch))
		var wg sync.WaitGroup
		for k, p := range batch {
			wg.Go(func() { errs[k] = w.Link(ctx, p[0], p[1]) })
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			t.Fatalf("%v (seed=%d)", err, w.seed)
		}
	}
}

// NewHost opens one more host on the network, after the others, which is not
// linked to anybody: a newcomer, or a test's attacker. It is the last of Hosts.
func (w *World) NewHost(t testing.TB) *host.Host {
	t.Helper()
	return w.newHost(t, func(int, *host.Config) {})
}

func (w *World) newHost(t testing.TB, set func(i int, cfg *host.Config)) *host.Host {
	t.Helper()
	i := w.take(w.alone())
	var key [32]byte
	rng := Rand(w.seed, fmt.Sprintf("key/%d", i))
	for j := 0; j < len(key); j += 8 {
		binary.LittleEndian.PutUint64(key[j:], rng.Uint64())
	}
	cfg := host.Config{
		Seed: key, Version: "simulated", Low: 32, High: 96,
		Listen:     []string{w.listen(i)},
		Simulation: w.options(i),
	}
	set(i, &cfg)
	h, err := host.New(cfg)
	if err != nil {
		t.Fatalf("open host %d: %v (seed=%d)", i, err, w.seed)
	}
	w.Hosts = append(w.Hosts, h)
	return h
}

// Place is an address of the world for a program that opens its host itself.
type Place struct {
	Index   int    // for Cut, Partition and Latency
	Listen  string // multiaddr to listen on
	Options []libp2p.Option
}

// NewPlace takes the next address of the world: public, in its own /24, so that no
// cap on prefixes bites. Hosts and Places may stand in one world; their indexes are
// then those of the order of their making.
func (w *World) NewPlace() Place { return w.placed(w.take(w.alone())) }

// NewNeighbour takes an address in the /24 of node i, as somebody does who has many
// peer ids and one network. A /24 has room for 250.
func (w *World) NewNeighbour(i int) Place {
	ip := slices.Clone(w.address(i))
	return w.placed(w.take(func() net.IP { ip[3]++; return ip }))
}

// NewPlaceNear takes a /24 that shares the /16 of node i, as a rented block of
// addresses does. A /16 has room for 120.
func (w *World) NewPlaceNear(i int) Place {
	ip := net.IP{11, w.address(i)[1], 127, 1}
	return w.placed(w.take(func() net.IP { ip[2]++; return ip }))
}

func (w *World) placed(i int) Place {
	return Place{Index: i, Listen: w.listen(i), Options: w.options(i)}
}

func (w *World) listen(i int) string {
	return fmt.Sprintf("/ip4/%s/udp/%d/quic-v1", w.address(i), port)
}

// alone goes through the /24s of which each node has one. The first 256 have a /16
// each as well, since a network's nodes are not all of one provider.
func (w *World) alone() func() net.IP {
	n := -1
	return func() net.IP {
		n++
		return net.IP{11, byte(n), byte(n >> 8), 1}
	}
}

// take takes the next index, with the first address of those that next goes through
// which nobody has.
func (w *World) take(next func() net.IP) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	ip := next()
	for _, there := w.index[[4]byte(ip)]; there; _, there = w.index[[4]byte(ip)] {
		ip = next()
	}
	i := len(w.taken)
	w.taken, w.index[[4]byte(ip)] = append(w.taken, ip), i
	return i
}

func (w *World) close() error {
	var errs []error
	for _, h := range w.Hosts {
		errs = append(errs, h.Close())
	}
	for i := range w.taken {
		errs = append(errs, w.Unplug(i))
	}
	w.net.Close()
	return errors.Join(errs...)
}
