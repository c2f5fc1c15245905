// Package discover finds peers: by configured addresses, by mDNS in the local
// network, and by signed records that nodes publish of themselves on the topic
// of peer records. None of them is trusted: whoever is dialled proves its key,
// and what it sends is judged like everybody's.
//
// New makes a Service and Serve runs it. Without gossip it dials configured
// addresses, and those found by mDNS, only.
package discover

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/event"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	p2phost "github.com/meshd/meshd/p2p/host"
)

// Gossip is the topic of peer records.
type Gossip interface {
	// HandlePeers joins it: receive judges each message, the channel names
	// peers that subscribe.
	HandlePeers(receive func(ctx context.Context, from peer.ID, data []byte) reason.Code) (<-chan peer.ID, error)
	// PublishPeers sends a message to all.
	PublishPeers(ctx context.Context, data []byte) error
}

// Config sets a Service up. Key and Net are required.
type Config struct {
	Key crypto.PrivKey // of the node; signs its records
	Net change.NetID

	Bootstrap []string // multiaddrs that end in /p2p/<peer id>
	MDNS      bool     // find peers in the local network
	Roles     []string // named in the record, such as "super"
	Sets      []string // followed; none means all public ones

	Loopback     bool // records carry loopback addresses only, and no mDNS
	PrivateAddrs bool // records may carry loopback and private addresses
	LowWater     int  // known peers are dialled while fewer are connected; 0: none

	Now  func() time.Time // nil: time.Now
	Rand *rand.Rand       // jitter and choice; nil: seeded at random
	Log  *slog.Logger     // nil: none
}

// Validate reports all problems of c, joined.
func (c Config) Validate() error {
	var errs []error
	if c.Key == nil {
		errs = append(errs, errors.New("key: missing"))
	}
	if c.LowWater < 0 {
		errs = append(errs, fmt.Errorf("low water: %d is negative", c.LowWater))
	}
	if c.Loopback && c.MDNS {
		errs = append(errs, errors.New("mdns: not in loopback mode"))
	}
	for _, s := range c.Bootstrap {
		if _, err := c.bootstrap(s); err != nil {
			errs = append(errs, err)
		}
	}
	probe := Record{Net: c.Net, Roles: sorted(c.Roles), Sets: sorted(c.Sets), Seq: 1, TTL: MaxTTL}
	if _, err := probe.MarshalRecord(); err != nil {
		errs = append(errs, fmt.Errorf("roles and sets: %w", err))
	}
	return errors.Join(errs...)
}

// Usable reports whether an address can be one of Bootstrap.
func (c Config) Usable(address string) bool {
	_, err := c.bootstrap(address)
	return err == nil
}

func (c Config) bootstrap(s string) (peer.AddrInfo, error) {
	info, err := peer.AddrInfoFromString(s)
	if err != nil {
		return peer.AddrInfo{}, fmt.Errorf("bootstrap %q: %w", s, err)
	}
	for _, a := range info.Addrs {
		if c.Loopback && !manet.IsIPLoopback(a) {
			return peer.AddrInfo{}, fmt.Errorf("bootstrap %q: not a loopback address", s)
		}
	}
	return *info, nil
}

func sorted(words []string) []string {
	w := slices.Clone(words)
	slices.Sort(w)
	return slices.Compact(w)
}

// static is a configured peer.
type static struct {
	info peer.AddrInfo
	try  attempt
}

// Service finds peers and keeps the node connected. It is safe for concurrent
// use.
type Service struct {
	host   host.Host
	gossip Gossip // nil: no records
	cfg    Config
	joined <-chan peer.ID
	found  chan peer.AddrInfo // by mDNS
	wake   chan struct{}      // somebody left, or was learned of

	mu      sync.Mutex // guards what follows
	rng     *rand.Rand
	static  []*static
	known   known
	dialing int
	seq     uint64
}

// New makes a Service and, when gossip is not nil, joins the topic of peer
// records. The error lists all problems of cfg.
func New(h host.Host, gossip Gossip, cfg Config) (*Service, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("configure discovery: %w", err)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Rand == nil {
		cfg.Rand = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	s := &Service{
		host: h, gossip: gossip, cfg: cfg, rng: cfg.Rand,
		found: make(chan peer.AddrInfo, foundQueue), wake: make(chan struct{}, 1), known: newKnown(),
	}
	if err := s.SetBootstrap(cfg.Bootstrap); err != nil {
		return nil, err
	}
	if gossip != nil {
		joined, err := gossip.HandlePeers(s.receive)
		if err != nil {
			return nil, fmt.Errorf("join peer records: %w", err)
		}
		s.joined = joined
	}
	return s, nil
}

// protection is how the connection manager knows configured peers.
const protection = "bootstrap"

// SetBootstrap replaces the configured peers. A new one is dialled at once; one that is
// no longer named is not dialled again, and its connection is like any other. Of an
// address that cannot be dialled nothing is changed.
func (s *Service) SetBootstrap(addresses []string) error {
	var infos []peer.AddrInfo
	for _, a := range addresses {
		info, err := s.cfg.bootstrap(a)
		if err != nil {
			return err
		}
		if info.ID != s.host.ID() { // a network file may name ourselves
			infos = append(infos, info)
		}
	}
	infos = mergeInfos(infos)
	s.mu.Lock()
	old := s.static
	s.static = nil
	for _, info := range infos {
		st := &static{info: info}
		if i := slices.IndexFunc(old, func(o *static) bool { return o.info.ID == info.ID }); i >= 0 {
			st = old[i] // with a dial that is under way
			st.info = info
			old = slices.Delete(old, i, i+1)
		} else {
			s.host.ConnManager().Protect(info.ID, protection)
		}
		s.static = append(s.static, st)
	}
	s.mu.Unlock()
	for _, gone := range old {
		s.host.ConnManager().Unprotect(gone.info.ID, protection)
	}
	s.nudge()
	return nil
}

// mergeInfos joins the addresses of one peer, in the order given.
func mergeInfos(infos []peer.AddrInfo) []peer.AddrInfo {
	var out []peer.AddrInfo
	for _, info := range infos {
		i := slices.IndexFunc(out, func(o peer.AddrInfo) bool { return o.ID == info.ID })
		if i < 0 {
			out = append(out, info)
		} else {
			out[i].Addrs = append(out[i].Addrs, info.Addrs...)
		}
	}
	return out
}

// Serve dials and announces until ctx is done. It returns nil then, after all
// its dials have ended; an error means that it could not start.
func (s *Service) Serve(ctx context.Context) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	moved, err := s.host.EventBus().Subscribe(new(event.EvtLocalAddressesUpdated))
	if err != nil {
		return fmt.Errorf("watch own addresses: %w", err)
	}
	defer moved.Close()
	left := &network.NotifyBundle{DisconnectedF: func(network.Network, network.Conn) { s.nudge() }}
	s.host.Network().Notify(left)
	defer s.host.Network().StopNotify(left)
	if s.cfg.MDNS {
		stop, err := s.startMDNS()
		if err != nil {
			// A machine without multicast still finds peers in other ways.
			s.cfg.Log.Warn("mdns not available", "err", err)
		} else {
			defer stop()
		}
	}

	look := time.NewTimer(0)
	defer look.Stop()
	say := time.NewTimer(s.jitter(announceEvery))
	defer say.Stop()
	var lastSaid time.Time
	soon := func() { say.Reset(max(0, announceGap-s.cfg.Now().Sub(lastSaid))) }
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.wake:
			look.Reset(0)
		case info := <-s.found:
			s.meet(ctx, &wg, info)
		case <-s.joined:
			soon()
		case <-moved.Out():
			soon()
		case <-say.C:
			say.Reset(s.jitter(announceEvery))
			lastSaid = s.cfg.Now()
			if err := s.announce(ctx); err != nil {
				s.cfg.Log.Warn("peer record not published", "err", err)
			}
		case <-look.C:
			for _, t := range s.targets(s.cfg.Now()) {
				wg.Go(func() {
					s.dial(ctx, t)
					s.nudge()
				})
			}
			look.Reset(s.untilDue())
		}
	}
}

// nudge has Serve look again at whom to dial.
func (s *Service) nudge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// untilDue is how long Serve may sleep: to the next configured peer that is
// due, and lookEvery at most.
func (s *Service) untilDue() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	wait, now := lookEvery, s.cfg.Now()
	for _, b := range s.static {
		if !b.try.busy && !s.connected(b.info.ID) {
			wait = min(wait, max(0, b.try.next.Sub(now)))
		}
	}
	if s.dialing >= maxDials {
		return lookEvery // a dial that ends wakes
	}
	return max(wait, 10*time.Millisecond)
}

// jitter is d, less up to a tenth of it.
func (s *Service) jitter(d time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return d - time.Duration(s.rng.Int64N(int64(d/10)))
}

// meet dials a peer found by mDNS, unless enough others are connected.
func (s *Service) meet(ctx context.Context, wg *sync.WaitGroup, info peer.AddrInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if info.ID == s.host.ID() || s.connected(info.ID) || s.dialing >= maxDials ||
		len(p2phost.Direct(s.host.Network())) >= s.cfg.LowWater {
		return
	}
	s.dialing++
	wg.Go(func() { s.dial(ctx, target{info: info, try: new(attempt), most: dialMost}) })
}

// announce publishes this node's record. Each is new, because a message that
// was seen before is passed on by nobody.
func (s *Service) announce(ctx context.Context) error {
	if s.gossip == nil {
		return nil
	}
	s.mu.Lock()
	s.seq = max(s.seq+1, uint64(s.cfg.Now().UnixMilli()))
	seq := s.seq
	s.mu.Unlock()
	rec := &Record{
		Addrs: s.ownAddrs(), Net: s.cfg.Net, Roles: sorted(s.cfg.Roles), Seq: seq, Sets: sorted(s.cfg.Sets), TTL: MaxTTL,
	}
	// The addresses that do not fit are left out, last first.
	b, err := rec.Seal(s.cfg.Key)
	for err != nil && len(rec.Addrs) > 0 {
		rec.Addrs = rec.Addrs[:len(rec.Addrs)-1]
		b, err = rec.Seal(s.cfg.Key)
	}
	if err != nil {
		return err
	}
	return s.gossip.PublishPeers(ctx, b)
}

// ownAddrs are those of the record: first some that lead through relays, since a host
// that has them is found by no other.
func (s *Service) ownAddrs() []ma.Multiaddr {
	var by, own []ma.Multiaddr
	for _, a := range s.allowed(s.host.Addrs()) {
		if relayed(a) {
			by = append(by, a)
		} else {
			own = append(own, a)
		}
	}
	addrs := append(by[:min(len(by), maxRelayed)], own...)
	return addrs[:min(len(addrs), maxAddrs)]
}

// allowed are the addresses that a record may list, and that are dialled when
// a record lists them.
func (s *Service) allowed(addrs []ma.Multiaddr) []ma.Multiaddr {
	return ma.FilterAddrs(addrs, func(a ma.Multiaddr) bool {
		switch {
		case s.cfg.Loopback:
			return manet.IsIPLoopback(a)
		case s.cfg.PrivateAddrs:
			return true
		default:
			return manet.IsPublicAddr(a)
		}
	})
}

// receive judges a message of the topic of peer records.
func (s *Service) receive(_ context.Context, from peer.ID, data []byte) reason.Code {
	id, rec, err := Open(data)
	if err != nil || rec.Net != s.cfg.Net {
		return reason.BadEncoding
	}
	if id == s.host.ID() {
		return reason.Duplicate
	}
	now := s.cfg.Now()
	e := &entry{rec: rec, addrs: s.allowed(rec.Addrs), via: from, expires: now.Add(rec.TTL), try: new(attempt)}
	s.mu.Lock()
	kept := s.known.put(id, e, now)
	s.mu.Unlock()
	if !kept {
		return reason.Duplicate
	}
	s.nudge()
	return ""
}
