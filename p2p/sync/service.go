package sync

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/crdt/change"
	p2phost "github.com/meshd/meshd/p2p/host"
)

// Protocol is the libp2p protocol of a session's stream.
const Protocol protocol.ID = "/mesh/recon/1"

// Config sets a Service up. Net is required.
type Config struct {
	Net   change.NetID
	Agent string // program and version, announced to peers; 64 characters at most

	Interval    time.Duration // least time between passes, the most is twice that; 0: 30 s
	MaxSessions int           // in all, both directions; 0: 8
	SessionTime time.Duration // of one session, which is then continued; 0: 60 s

	Besides    func() []peer.ID      // connected peers that a turn of passes includes beside those drawn; nil: none
	Now        func() time.Time      // the clock announced to peers; nil: time.Now
	Rand       *rand.Rand            // jitter and choice of peers; nil: seeded at random
	Passed     func(PassReport)      // called after each pass, on its goroutine; nil: nobody is
	Log        *slog.Logger          // nil: none
	Registerer prometheus.Registerer // nil: metrics are kept but not registered
}

// Validate reports all problems of c, joined.
func (c Config) Validate() error {
	var errs []error
	if c.Net == (change.NetID{}) {
		errs = append(errs, errors.New("net: missing"))
	}
	if utf8.RuneCountInString(c.Agent) > maxAgent {
		errs = append(errs, fmt.Errorf("agent: above %d characters", maxAgent))
	}
	if c.Interval < 0 || c.SessionTime < 0 {
		errs = append(errs, errors.New("interval and session time: negative"))
	}
	if c.MaxSessions < 0 || c.MaxSessions == 1 {
		errs = append(errs, fmt.Errorf("max sessions: %d, least 2", c.MaxSessions))
	}
	return errors.Join(errs...)
}

func (c Config) withDefaults() Config {
	if c.Interval == 0 {
		c.Interval = defaultInterval
	}
	if c.MaxSessions == 0 {
		c.MaxSessions = defaultSessions
	}
	if c.SessionTime == 0 {
		c.SessionTime = defaultTime
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Rand == nil {
		c.Rand = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// Service reconciles the node's sets with its peers. It is safe for concurrent
// use.
type Service struct {
	endpoint
	host    host.Host
	slots   *slots
	cursors *cursors
	started time.Time

	mu       sync.Mutex // guards what follows
	rng      *rand.Rand
	ctx      context.Context // of Serve; nil while it does not run
	children sync.WaitGroup  // Add under mu while ctx is set
	streams  map[peer.ID]int
	open     int // streams of all peers
	work     map[peer.ID]*job
	last     map[peer.ID]PassReport
	complete time.Time // end of the last complete pass
}

// New makes a Service. It answers nobody before Serve. The error lists all
// problems of cfg.
func New(h host.Host, r Replica, cfg Config) (*Service, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("configure sync: %w", err)
	}
	cfg = cfg.withDefaults()
	c, err := newCodec()
	if err != nil {
		return nil, err
	}
	s := &Service{
		host: h, slots: newSlots(cfg.MaxSessions), cursors: newCursors(), started: time.Now(),
		rng: cfg.Rand, streams: make(map[peer.ID]int), work: make(map[peer.ID]*job), last: make(map[peer.ID]PassReport),
	}
	met := newMetrics(cfg.Registerer, func() float64 { return s.sinceComplete().Seconds() })
	s.endpoint = endpoint{cfg: cfg, replica: r, codec: c, met: met}
	return s, nil
}

// Serve answers peers, opens a session with each peer that this node dials,
// and runs passes with two random peers, until ctx is done. It returns when
// all its sessions have ended. It is called once; what goes wrong in a session
// never ends it.
func (s *Service) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	s.ctx = ctx
	s.mu.Unlock()

	connected := &network.NotifyBundle{ConnectedF: func(_ network.Network, c network.Conn) {
		if c.Stat().Direction == network.DirOutbound && !c.Stat().Limited {
			s.queue(c.RemotePeer(), job{pass: true})
		}
	}}
	s.host.Network().Notify(connected)
	s.host.SetStreamHandler(Protocol, s.accept)
	for _, c := range s.host.Network().Conns() {
		connected.ConnectedF(s.host.Network(), c)
	}

	for timer := time.NewTimer(s.pause()); ; timer.Reset(s.pause()) {
		select {
		case <-timer.C:
			s.forget()
			turn := s.choose(passPeers)
			if s.cfg.Besides != nil {
				turn = append(turn, s.cfg.Besides()...)
			}
			for _, p := range turn { // one that is named twice has one pass
				s.queue(p, job{pass: true})
			}
			continue
		case <-ctx.Done():
		}
		timer.Stop()
		break
	}
	s.host.RemoveStreamHandler(Protocol)
	s.host.Network().StopNotify(connected)
	s.mu.Lock()
	s.ctx = nil
	s.mu.Unlock()
	cancel()
	s.children.Wait()
	return ctx.Err()
}

// child runs f on a goroutine that Serve waits for, or says that Serve has ended.
func (s *Service) child(f func(ctx context.Context)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx := s.ctx
	if ctx == nil {
		return false
	}
	s.children.Go(func() { f(ctx) })
	return true
}

// pause is the time to the next pass: the interval and up to as much again.
func (s *Service) pause() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cfg.Interval + time.Duration(s.rng.Int64N(int64(s.cfg.Interval)+1))
}

// choose picks n connected peers that speak the protocol.
func (s *Service) choose(n int, but ...peer.ID) []peer.ID {
	peers := slices.DeleteFunc(s.peers(), func(p peer.ID) bool { return slices.Contains(but, p) })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rng.Shuffle(len(peers), func(i, j int) { peers[i], peers[j] = peers[j], peers[i] })
	return peers[:min(n, len(peers))]
}

// peers are the connected ones that speak the protocol, in order.
func (s *Service) peers() []peer.ID {
	peers := slices.DeleteFunc(p2phost.Direct(s.host.Network()), func(p peer.ID) bool {
		known, err := s.host.Peerstore().SupportsProtocols(p, Protocol)
		return err != nil || len(known) == 0
	})
	slices.SortFunc(peers, func(a, b peer.ID) int { return strings.Compare(string(a), string(b)) })
	return peers
}

// forget drops the state of departed peers.
func (s *Service) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.last {
		if !s.connected(p) {
			delete(s.last, p)
		}
	}
}

func (s *Service) connected(p peer.ID) bool {
	return s.host.Network().Connectedness(p) == network.Connected
}

// accept answers a stream that a peer opened.
func (s *Service) accept(st network.Stream) {
	p := st.Conn().RemotePeer()
	if !s.admit(p) {
		_ = st.Reset()
		return
	}
	if !s.child(func(ctx context.Context) { defer s.release(p); s.serve(ctx, st, p) }) {
		s.release(p)
		_ = st.Reset()
	}
}

func (s *Service) admit(p peer.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open >= maxStreams || s.streams[p] >= peerStreams {
		return false
	}
	s.open++
	s.streams[p]++
	return true
}

func (s *Service) release(p peer.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	if s.streams[p]--; s.streams[p] == 0 {
		delete(s.streams, p)
	}
}

func (s *Service) serve(ctx context.Context, st network.Stream, p peer.ID) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	a := s.answerer(ctx, st, p, func() bool {
		ctx, cancel := context.WithTimeout(ctx, slotTime)
		defer cancel()
		return s.slots.waitIn(ctx, p, end)
	})
	a.moved = func() { s.slots.moved(p) }
	err := a.run()
	if a.placed {
		s.slots.giveIn(p)
	}
	s.met.ended("in", a.in, a.out, err)
	if err != nil {
		s.cfg.Log.Debug("sync session of a peer ended", "peer", p, "error", err)
	}
	// Close and not Reset: an error frame may be on its way.
	_ = st.Close()
	if a.behind || len(a.missing) > 0 {
		s.queue(p, job{pass: a.behind, wants: a.missing})
	}
}

// LastPass returns the report of the last pass with each connected peer that
// there was one with, in the order of peer ids.
func (s *Service) LastPass() []PassReport {
	s.mu.Lock()
	defer s.mu.Unlock()
	var reports []PassReport
	for p, r := range s.last {
		if s.connected(p) {
			reports = append(reports, r)
		}
	}
	slices.SortFunc(reports, func(a, b PassReport) int { return strings.Compare(string(a.Peer), string(b.Peer)) })
	return reports
}

// Equal reports whether the last pass with every connected peer found or left
// both sides equal. It is false when there was none.
func (s *Service) Equal() bool {
	reports := s.LastPass()
	for _, r := range reports {
		if !r.Equal() {
			return false
		}
	}
	return len(reports) > 0
}

// LastComplete is when a pass was last complete; zero when none was.
func (s *Service) LastComplete() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.complete
}

func (s *Service) sinceComplete() time.Duration {
	if t := s.LastComplete(); !t.IsZero() {
		return time.Since(t)
	}
	return time.Since(s.started)
}
