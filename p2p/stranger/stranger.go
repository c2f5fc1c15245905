// Package stranger is a peer without a node: it stores what it is given and what it
// receives, judges nothing, and serves, hides and answers what its owner likes.
// Worlds and benchmarks use it for peers that break the rules.
package stranger

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	gosync "sync"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/p2p/host"
	"github.com/meshd/meshd/p2p/sync"
	"github.com/meshd/meshd/p2p/topic"
)

// Config says who a stranger is and what it does to others. The functions are called
// by many goroutines, and may be nil.
type Config struct {
	Net      change.NetID
	Shards   int
	Host     host.Config
	Gossip   bool
	Interval time.Duration // of reconciliation
	Now      func() time.Time

	Keeps   func(*change.Change) bool           // whether it keeps what it receives; nil: all
	Gives   func(*change.Change) *change.Change // what it hands to who asks for a change, nil for nothing; nil: the change
	Verdict func() reason.Code                  // what it says of what others gossip; nil: good
}

// Peer is a stranger on the network. All methods may be called at once.
type Peer struct {
	cfg    Config
	host   *host.Host
	sync   *sync.Service
	gossip *topic.Gossip // nil without
	names  []string

	mu    gosync.Mutex // guards what follows
	have  map[change.ID]*change.Change
	short map[[prefix]byte]change.ID // by the beginning that sketches name
	sets  map[string]*recon.Set
	shown map[string]*recon.Set // what it shows in place of sets
}

// prefix is how many bytes of an id a sketch names.
const prefix = 16

// New opens the host of a stranger. It does nothing before Serve.
func New(cfg Config) (*Peer, error) {
	h, err := host.New(cfg.Host)
	if err != nil {
		return nil, err
	}
	p := &Peer{cfg: cfg, host: h, names: change.PublicSets(cfg.Shards), have: map[change.ID]*change.Change{}, short: map[[prefix]byte]change.ID{}, sets: map[string]*recon.Set{}}
	for _, name := range p.names {
		p.sets[name] = recon.NewSet()
	}
	if p.sync, err = sync.New(h, p, sync.Config{Net: cfg.Net, Agent: "stranger", Interval: cfg.Interval, Now: cfg.Now}); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	if cfg.Gossip {
		p.gossip, err = topic.New(h, topic.Config{Net: cfg.Net, Shards: cfg.Shards, Sets: p.names, Judge: p, Fetcher: p.sync, Guard: h.Guard()})
		if err != nil {
			return nil, errors.Join(err, h.Close())
		}
	}
	return p, nil
}

// Host is the stranger's host, to dial with.
func (p *Peer) Host() *host.Host { return p.host }

// Serve takes part in reconciliation and gossip until ctx ends.
func (p *Peer) Serve(ctx context.Context) {
	var wg gosync.WaitGroup
	if p.gossip != nil {
		wg.Go(func() { _ = p.gossip.Serve(ctx) })
	}
	wg.Go(func() { _ = p.sync.Serve(ctx) })
	wg.Wait()
}

// Close ends gossip and closes the host. Serve must have returned.
func (p *Peer) Close() error {
	var err error
	if p.gossip != nil {
		err = p.gossip.Close()
	}
	return errors.Join(err, p.host.Close())
}

// Offer puts changes among those that the stranger has.
func (p *Peer) Offer(cs ...*change.Change) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range cs {
		p.have[c.ID] = c
		p.short[[prefix]byte(c.ID[:prefix])] = c.ID
		if set := p.sets[p.setOf(c)]; set != nil {
			set.Insert(recon.Item{HLC: c.Head.HLC, ID: c.ID})
		}
	}
}

// Say offers a change and gossips it, valid or not.
func (p *Peer) Say(ctx context.Context, c *change.Change) {
	p.Offer(c)
	if p.gossip != nil {
		_ = p.gossip.Publish(ctx, p.setOf(c), c)
	}
}

// Known are the changes that a stranger has, in their order.
func (p *Peer) Known() []*change.Change {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]*change.Change, 0, len(p.have))
	for _, c := range p.have {
		out = append(out, c)
	}
	slices.SortFunc(out, (*change.Change).Compare)
	return out
}

// Freeze makes the stranger show its sets as they are now, with more members that
// nobody has, whatever it learns from now on.
func (p *Peer) Freeze(more ...recon.Item) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown = map[string]*recon.Set{}
	for _, name := range p.names {
		p.shown[name] = recon.NewSet()
	}
	for _, c := range p.have {
		if s := p.shown[p.setOf(c)]; s != nil {
			s.Insert(recon.Item{HLC: c.Head.HLC, ID: c.ID})
		}
	}
	for _, s := range p.shown {
		for _, it := range more {
			s.Insert(it)
		}
	}
}

func (p *Peer) setOf(c *change.Change) string {
	return change.SetOf(c.Head.Space, c.Head.Kind, p.cfg.Shards)
}

// What follows makes a stranger a sync.Replica and a topic.Judge.

// Sets are the public sets of the network.
func (p *Peer) Sets() []string { return p.names }

// Set is the set that the stranger shows.
func (p *Peer) Set(name string) *recon.Set {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.shown[name]; s != nil {
		return s
	}
	return p.sets[name]
}

// Items finds members by id or by its beginning.
func (p *Peer) Items(_ context.Context, set string, ids [][]byte) ([]recon.Item, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []recon.Item
	for _, b := range ids {
		if len(b) < prefix {
			continue
		}
		c := p.have[p.short[[prefix]byte(b[:prefix])]]
		if c != nil && p.setOf(c) == set && bytes.HasPrefix(c.ID[:], b) {
			out = append(out, recon.Item{HLC: c.Head.HLC, ID: c.ID})
		}
	}
	slices.SortFunc(out, func(a, b recon.Item) int { return cmp.Or(cmp.Compare(a.HLC, b.HLC), bytes.Compare(a.ID[:], b.ID[:])) })
	return out, nil
}

// Changes returns what Gives makes of the members asked for.
func (p *Peer) Changes(_ context.Context, _ string, items []recon.Item) ([]sync.Run, error) {
	var out []sync.Run
	for _, it := range items {
		p.mu.Lock()
		c := p.have[it.ID]
		p.mu.Unlock()
		if c != nil && p.cfg.Gives != nil { // without the lock: it may be about to Say
			c = p.cfg.Gives(c)
		}
		if c != nil {
			out = append(out, sync.Run{c})
		}
	}
	return out, nil
}

// Receive keeps what others bring.
func (p *Peer) Receive(_ context.Context, _ peer.ID, _ string, cs []*change.Change) (out sync.Outcome, _ error) {
	for _, c := range cs {
		if p.cfg.Keeps == nil || p.cfg.Keeps(c) {
			p.Offer(c)
			out.New++
		}
	}
	return out, nil
}

// Refused is called with what others refuse; a stranger does not care.
func (*Peer) Refused(peer.ID, reason.Code) {}

// Judge keeps what others gossip and says what it is set to.
func (p *Peer) Judge(_ context.Context, _ peer.ID, _ string, c *change.Change) reason.Code {
	if p.cfg.Keeps == nil || p.cfg.Keeps(c) {
		p.Offer(c)
	}
	if p.cfg.Verdict != nil {
		return p.cfg.Verdict()
	}
	return ""
}
