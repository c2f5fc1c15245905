package world

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"
	gosync "sync"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/p2p/host"
	"github.com/meshd/meshd/p2p/simnet"
	"github.com/meshd/meshd/p2p/stranger"
)

// liar is a stranger that encodes the protocols correctly and breaks their rules. It
// may show several faces: hosts with their own addresses and sets.
type liar struct {
	world *World
	lie   Lie
	rng   *rand.Rand
	faces []*face
	ctx   context.Context
	end   context.CancelFunc
	wg    gosync.WaitGroup

	mu      gosync.Mutex // guards what follows
	authors []*stranger.Author
	forged  []*change.Change // that no node may take, to be tried on all of them
}

// face is one host of a liar with what it has learnt and what it offers.
type face struct {
	*stranger.Peer
	liar   *liar
	number int                       // among those of the liar
	only   func(*change.Change) bool // which changes it keeps; nil: all
}

const (
	lieEvery  = 4 * time.Second
	dialEvery = 8 * time.Second
)

// newLiar opens the faces of a liar and lets it lie until the world ends. While a
// world heals it writes nothing new; what it withholds it withholds all the time.
func (w *World) newLiar(i int, lie Lie) (*liar, error) {
	ctx, cancel := context.WithCancel(context.Background())
	l := &liar{world: w, lie: lie, rng: simnet.Rand(lie.N, "liar"), ctx: ctx, end: cancel}
	for k := range 2 {
		l.authors = append(l.authors, stranger.NewAuthor(w.netID, fmt.Sprintf("liar/%d/%d/%d", w.Plan.Seed, i, k)))
	}
	for k := range facesOf[lie.Kind] + 1 {
		f, err := l.show(i, k)
		if err != nil {
			return nil, fmt.Errorf("a liar: %w", err)
		}
		l.faces = append(l.faces, f)
	}
	l.prepare()
	w.record("a liar is here: %s", lie.Kind)
	l.wg.Go(l.run)
	return l, nil
}

// show opens face number k of liar i.
func (l *liar) show(i, k int) (*face, error) {
	w := l.world
	place := w.net.NewPlace()
	w.taken++
	f := &face{liar: l, number: k}
	if l.lie.Kind == Equivocate {
		f.only = func(c *change.Change) bool { // nothing of the other branch
			return c.Head.Author != l.authors[0].Key.Key() || strings.Contains(string(c.Body), branches[k])
		}
	}
	var err error
	f.Peer, err = stranger.New(stranger.Config{
		Net: w.netID, Shards: w.genesis.Shards, Gossip: w.Plan.Gossip, Interval: 10 * time.Second, Now: l.now,
		Host: host.Config{
			Seed:    sha256.Sum256(fmt.Appendf(nil, "%d/face/%d/%d", w.Plan.Seed, i, k)),
			Version: "liar", Listen: []string{place.Listen}, Simulation: place.Options, Low: 64, High: 128,
		},
		Keeps: func(c *change.Change) bool { return f.only == nil || f.only(c) },
		Gives: l.hand, Verdict: l.verdict,
	})
	if err != nil {
		return nil, err
	}
	l.wg.Go(func() { f.Serve(l.ctx) })
	l.wg.Go(func() { f.dial(l.ctx) })
	return f, nil
}

func (l *liar) now() time.Time { return time.Now().AddDate(27, 0, 0) }

// say gossips a change and offers it.
func (f *face) say(c *change.Change) { f.Say(f.liar.ctx, c) }

func (l *liar) run() {
	tick := time.NewTicker(lieEvery)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-l.ctx.Done():
			return
		case <-tick.C:
		}
		if l.world.calm.Load() {
			n--
			continue
		}
		l.act(n)
	}
}

func (l *liar) stop() {
	l.end()
	l.wg.Wait()
	for _, f := range l.faces {
		_ = f.Close()
	}
}

// dial keeps a face connected to everybody who accepts it. Of two faces each has
// a half of the nodes.
func (f *face) dial(ctx context.Context) {
	for {
		for _, m := range f.liar.world.machines {
			n, _ := m.alive()
			if n == nil || f.only != nil && m.index%2 == 0 != (f.number == 0) {
				continue
			}
			for _, a := range n.Addrs() {
				if info, err := peer.AddrInfoFromString(a); err == nil {
					_ = f.Host().Connect(ctx, *info)
				}
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(dialEvery):
		}
	}
}

func (w *World) setOf(c *change.Change) string {
	return change.SetOf(c.Head.Space, c.Head.Kind, w.genesis.Shards)
}
