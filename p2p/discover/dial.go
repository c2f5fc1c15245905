package discover

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/p2p/net/swarm"

	p2phost "github.com/meshd/meshd/p2p/host"
)

// attempt is the back-off of one peer. The zero attempt is due at once.
type attempt struct {
	fails int
	next  time.Time
	since time.Time // of the last success
	busy  bool      // a dial is under way
}

func (a *attempt) due(now time.Time) bool { return !a.busy && !now.Before(a.next) }

// failed sets the next time: dialFirst doubled by each failure up to most, of
// which a random half is taken off, so that peers that fell together do not
// come back together.
func (a *attempt) failed(now time.Time, most time.Duration, rng *rand.Rand) {
	wait := most
	if a.fails < 16 {
		wait = min(most, dialFirst<<a.fails)
	}
	a.fails++
	a.next = now.Add(wait/2 + time.Duration(rng.Int64N(int64(wait/2)+1)))
}

// succeeded forgives the failures, unless the last success did not last: a peer
// that answers and hangs up is dialled ever more rarely too.
func (a *attempt) succeeded(now time.Time, most time.Duration, rng *rand.Rand) {
	if now.Sub(a.since) > settled {
		a.fails = 0
	}
	a.since = now
	a.failed(now, most, rng)
}

// target is somebody to dial.
type target struct {
	info peer.AddrInfo
	try  *attempt // owned by the Service, under its mutex
	most time.Duration

	configured bool
}

// targets picks whom to dial now: every configured peer that is not connected
// and due, then peers known by their records while fewer than low are
// connected. It marks them busy.
func (s *Service) targets(now time.Time) []target {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []target
	room := maxDials - s.dialing
	add := func(t target) {
		t.try.busy = true
		s.dialing++
		room--
		list = append(list, t)
	}
	for _, b := range s.static {
		if room > 0 && !s.connected(b.info.ID) && b.try.due(now) {
			add(target{info: b.info, try: &b.try, most: dialMost, configured: true})
		}
	}
	s.known.expire(now)
	want := s.cfg.LowWater - len(p2phost.Direct(s.host.Network())) - s.dialing
	if want <= 0 {
		return list
	}
	for _, id := range s.shuffled() {
		if room <= 0 || want <= 0 {
			break
		}
		e := s.known.byPeer[id]
		if len(e.addrs) == 0 || s.connected(id) || !e.try.due(now) {
			continue
		}
		add(target{info: peer.AddrInfo{ID: id, Addrs: e.addrs}, try: e.try, most: dialForget})
		want--
	}
	return list
}

// shuffled are the ids of known peers in random order.
func (s *Service) shuffled() []peer.ID {
	ids := s.sortedKnown()
	s.rng.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	return ids
}

func (s *Service) connected(id peer.ID) bool {
	return s.host.Network().Connectedness(id) == network.Connected
}

// dial tries t once and books the outcome.
func (s *Service) dial(ctx context.Context, t target) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	// The swarm has its own back-off, of minutes; ours decides.
	if sw, ok := s.host.Network().(*swarm.Swarm); ok {
		sw.Backoff().Clear(t.info.ID)
	}
	if t.configured && s.stuck(t.info.ID) {
		_ = s.host.Network().ClosePeer(t.info.ID)
	}
	err := s.host.Connect(ctx, t.info)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dialing--
	t.try.busy = false
	if err != nil {
		t.try.failed(s.cfg.Now(), t.most, s.rng)
		return
	}
	t.try.succeeded(s.cfg.Now(), t.most, s.rng)
}

// stuck reports whether this node has connected a peer by a relay alone so long ago that no
// direct connection comes of it. What the peer has opened is the peer's to make anew. Routers are opened right after a connection by a relay
// was made and never again, and that fails where one of both has learnt its own address
// a moment too late; so it is made anew.
func (s *Service) stuck(id peer.ID) bool {
	conns := s.host.Network().ConnsToPeer(id)
	for _, c := range conns {
		if !c.Stat().Limited || c.Stat().Direction != network.DirOutbound || s.cfg.Now().Sub(c.Stat().Opened) < punchTime {
			return false
		}
	}
	return len(conns) > 0
}
