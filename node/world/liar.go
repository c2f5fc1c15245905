package world

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	gosync "sync"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/p2p/host"
	"github.com/meshd/meshd/p2p/simnet"
	"github.com/meshd/meshd/p2p/sync"
	"github.com/meshd/meshd/p2p/topic"
)

// liar is a stranger who speaks the protocols well and does not keep to them. It
// may show several faces: hosts with addresses and sets of their own.
type liar struct {
	world *World
	lie   Lie
	rng   *rand.Rand
	faces []*face
	ctx   context.Context
	end   context.CancelFunc
	wg    gosync.WaitGroup

	mu      gosync.Mutex // guards what follows
	authors []*author
	forged  []*change.Change // that no node may take, to be tried on all of them
}

// face is one host of a liar with what it has learnt and what it offers.
type face struct {
	liar   *liar
	host   *host.Host
	sync   *sync.Service
	gossip *topic.Gossip // nil in worlds without
	only   func(*change.Change) bool

	mu   gosync.Mutex // guards what follows
	have map[change.ID]*change.Change
	sets map[string]*recon.Set
	old  map[string]*recon.Set // what it says it has, when that is something else
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
	for k := range facesOf[lie.Kind] + 1 {
		f, err := l.show(fmt.Sprintf("%d/%d", i, k))
		if err != nil {
			return nil, fmt.Errorf("a liar: %w", err)
		}
		l.faces = append(l.faces, f)
	}
	for k := range 2 {
		l.authors = append(l.authors, w.newAuthor(fmt.Sprintf("liar/%d/%d/%d", w.Plan.Seed, i, k)))
	}
	l.prepare()
	w.tell("a liar is here: %s", lie.Kind)
	l.wg.Go(l.run)
	return l, nil
}

// show opens one face.
func (l *liar) show(name string) (*face, error) {
	w := l.world
	place := w.net.NewPlace()
	w.taken++
	h, err := host.New(host.Config{
		Seed:    sha256.Sum256(fmt.Appendf(nil, "%d/face/%s", w.Plan.Seed, name)),
		Version: "liar", Listen: []string{place.Listen}, Simulation: place.Options, Low: 64, High: 128,
	})
	if err != nil {
		return nil, err
	}
	f := &face{liar: l, host: h, have: map[change.ID]*change.Change{}, sets: map[string]*recon.Set{}}
	for _, set := range w.sets() {
		f.sets[set] = recon.NewSet()
	}
	if f.sync, err = sync.New(h, f, sync.Config{Net: w.netID, Agent: "liar", Interval: 10 * time.Second, Now: l.now}); err != nil {
		return nil, err
	}
	if w.Plan.Gossip {
		f.gossip, err = topic.New(h, topic.Config{Net: w.netID, Shards: w.genesis.Shards, Sets: w.sets(), Judge: f, Fetcher: f.sync, Guard: h.Guard()})
		if err != nil {
			return nil, err
		}
		l.wg.Go(func() { _ = f.gossip.Serve(l.ctx) })
	}
	l.wg.Go(func() { _ = f.sync.Serve(l.ctx) })
	l.wg.Go(func() { f.dial(l.ctx) })
	return f, nil
}

func (l *liar) now() time.Time { return time.Now().AddDate(27, 0, 0) }

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
		if f.gossip != nil {
			_ = f.gossip.Close()
		}
		_ = f.host.Close()
	}
}

// dial keeps a face connected to everybody who lets it in. Of two faces each has
// a half of the nodes.
func (f *face) dial(ctx context.Context) {
	for {
		for _, m := range f.liar.world.machines {
			n, _ := m.alive()
			if n == nil || f.only != nil && m.index%2 == 0 != (f == f.liar.faces[0]) {
				continue
			}
			for _, a := range n.Addrs() {
				if info, err := peer.AddrInfoFromString(a); err == nil {
					_ = f.host.Connect(ctx, *info)
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

// offer puts a change among those that a face has.
func (f *face) offer(c *change.Change) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.have[c.ID] = c
	set := f.sets[f.liar.world.setOf(c)]
	if set != nil {
		set.Insert(recon.Item{HLC: c.Head.HLC, ID: c.ID})
	}
}

// say gossips a change and offers it.
func (f *face) say(c *change.Change) {
	f.offer(c)
	if f.gossip != nil {
		_ = f.gossip.Publish(f.liar.ctx, f.liar.world.setOf(c), c)
	}
}

// known are the changes that a face has, in their order.
func (f *face) known() []*change.Change {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([]*change.Change, 0, len(f.have))
	for _, c := range f.have {
		out = append(out, c)
	}
	slices.SortFunc(out, (*change.Change).Compare)
	return out
}

// What follows makes a face a sync.Replica and a topic.Judge.

func (f *face) Sets() []string { return f.liar.world.sets() }

func (f *face) Set(name string) *recon.Set {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s := f.old[name]; s != nil {
		return s
	}
	return f.sets[name]
}

func (f *face) Items(_ context.Context, set string, ids [][]byte) ([]recon.Item, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []recon.Item
	for id, c := range f.have {
		if f.liar.world.setOf(c) == set && slices.ContainsFunc(ids, func(b []byte) bool { return bytes.HasPrefix(id[:], b) }) {
			out = append(out, recon.Item{HLC: c.Head.HLC, ID: id})
		}
	}
	slices.SortFunc(out, func(a, b recon.Item) int { return cmp.Or(cmp.Compare(a.HLC, b.HLC), bytes.Compare(a.ID[:], b.ID[:])) })
	return out, nil
}

func (f *face) Changes(_ context.Context, _ string, items []recon.Item) ([]sync.Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []sync.Run
	for _, it := range items {
		if c := f.have[it.ID]; c != nil {
			if c = f.liar.hand(c); c != nil {
				out = append(out, sync.Run{c})
			}
		}
	}
	return out, nil
}

func (f *face) Receive(_ context.Context, _ peer.ID, _ string, cs []*change.Change) (sync.Outcome, error) {
	out := sync.Outcome{}
	for _, c := range cs {
		if f.only != nil && !f.only(c) {
			continue
		}
		f.offer(c)
		out.New++
	}
	return out, nil
}

func (f *face) Refused(peer.ID, reason.Code) {}

func (f *face) Judge(_ context.Context, _ peer.ID, _ string, c *change.Change) reason.Code {
	if f.only == nil || f.only(c) {
		f.offer(c)
	}
	return f.liar.verdict()
}

// author is a key of a liar with its chains.
type author struct {
	key    *keys.Private
	id     change.AgentID
	net    change.NetID
	record *change.Change
	tips   map[change.Chain]*change.Change
}

func (w *World) newAuthor(name string) *author {
	k := keys.FromSeed(sha256.Sum256([]byte(name)))
	return &author{key: k, net: w.netID, id: change.DeriveAgent(w.netID, k.Key()), tips: map[change.Chain]*change.Change{}}
}

// write fills in what d leaves open as an honest author does; keep makes it the
// tip of its chain.
func (a *author) write(d change.Draft, now time.Time, keep bool) *change.Change {
	chain := change.Chain{Author: a.key.Key(), Space: d.Space, Lane: change.LaneOf(d.Kind)}
	d.Net = a.net
	d.HLC = max(d.HLC, uint64(now.UnixMilli())<<10)
	if d.Seq == 0 {
		d.Seq = 1
		if t := a.tips[chain]; t != nil {
			d.Seq, d.Prev, d.HLC = t.Head.Seq+1, t.ID, max(d.HLC, t.Head.HLC+1)
		}
	}
	if d.Proof == nil && a.record != nil {
		d.Proof = []change.ID{a.record.ID}
	}
	c := change.Seal(d, a.key)
	if keep {
		a.tips[chain] = c
	}
	return c
}

// sets are the public sets of the network.
func (w *World) sets() []string {
	out := []string{change.SetAuth}
	for i := range w.genesis.Shards {
		out = append(out, fmt.Sprintf("open/%d", i))
	}
	return out
}

func (w *World) setOf(c *change.Change) string {
	return change.SetOf(c.Head.Space, c.Head.Kind, w.genesis.Shards)
}
