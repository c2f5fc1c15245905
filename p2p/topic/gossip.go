// Package topic carries changes by GossipSub: one topic for each public set a
// node follows, one change a message, and one more topic for peer records.
//
// Gossip is for speed alone. A message may be lost, late, or shed under load;
// what it brought then comes by reconciliation. The node supplies a Judge,
// whose reason code becomes the verdict: what is invalid for everyone is
// rejected and costs its sender, everything else that is not accepted is
// ignored. Private spaces have no topic, since subscriptions are visible.
//
// Start with New, let Serve run, and Publish what was appended locally.
package topic

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	pubsub "github.com/libp2p/go-libp2p-pubsub"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

// Errors of this package.
var (
	// ErrNoTopic says that a set is not followed, or private.
	ErrNoTopic = errors.New("the set has no topic here")
	// ErrClosed says that the Gossip has ended.
	ErrClosed = errors.New("gossip has ended")

	errItems = errors.New("want two items")
)

// Judge decides about a change that came by gossip and, when it accepts, has
// taken it in. The empty code accepts; otherwise the code's gossip verdict
// counts. It is called from many goroutines, with the body unless the change
// is a stub whose body the sender did not give, and must end when ctx does.
type Judge interface {
	Judge(ctx context.Context, from peer.ID, set string, c *change.Change) reason.Code
}

// Fetcher requests changes of a set from a peer by id. It returns those that came,
// decoded; the error says why some did not.
type Fetcher interface {
	FetchChanges(ctx context.Context, from peer.ID, set string, ids []change.ID) ([]*change.Change, error)
}

// Guard remembers what peers send. Admit is asked before a message is looked
// at; Score feeds the mesh, 0 for a good peer, below zero for others.
type Guard interface {
	Admit(p peer.ID) bool
	Refused(p peer.ID, code reason.Code)
	Score(p peer.ID) float64
}

// Config says what to carry. All fields but Joined and Registerer are required.
type Config struct {
	Net    change.NetID
	Shards int      // of the network: says which set a change belongs to
	Sets   []string // public sets followed: "auth", "open/0", …

	Judge   Judge
	Fetcher Fetcher
	Guard   Guard

	// Joined is called with each peer that from now on is known to follow the first of
	// Sets: what was published before may have missed it. It must not block; nil: nobody is notified.
	Joined func(peer.ID)

	Registerer prometheus.Registerer // nil: metrics are kept but not registered
}

// Validate reports all problems of c, joined.
func (c Config) Validate() error {
	var errs []error
	if c.Shards < 1 || c.Shards > change.MaxShards {
		errs = append(errs, fmt.Errorf("shards: %d", c.Shards))
	}
	seen := make(map[string]bool)
	for _, s := range c.Sets {
		switch {
		case !public(s):
			errs = append(errs, fmt.Errorf("set %q: not a public set", s))
		case seen[s]:
			errs = append(errs, fmt.Errorf("set %q: twice", s))
		}
		seen[s] = true
	}
	if len(c.Sets) == 0 {
		errs = append(errs, errors.New("sets: none to follow"))
	}
	if c.Judge == nil || c.Fetcher == nil || c.Guard == nil {
		errs = append(errs, errors.New("judge, fetcher and guard are required"))
	}
	return errors.Join(errs...)
}

func public(set string) bool {
	return set == change.SetAuth || strings.HasPrefix(set, "open/") && len(set) > len("open/")
}

// Name is the topic of a set, or of "peers", in network n.
func Name(n change.NetID, set string) string { return "mesh/1/" + n.String() + "/" + set }

// peersTopic stands where a set's name stands in the topic of peer records.
const peersTopic = "peers"

// Gossip is a node's part in the topics. It is safe for concurrent use.
type Gossip struct {
	cfg     Config
	self    peer.ID
	ps      *pubsub.PubSub
	met     *metrics
	fetches fetches
	sets    map[string]*pubsub.Topic

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup // of goroutines started here

	mu    sync.Mutex // guards what follows
	peers *pubsub.Topic
	leave []func() // ends relaying, topic by topic
}

// New joins the topics of cfg.Sets. Messages come from then on; the caller
// ends it by Close, or by the context of Serve.
func New(h host.Host, cfg Config) (*Gossip, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("configure gossip: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	g := &Gossip{
		cfg: cfg, self: h.ID(), met: newMetrics(cfg.Registerer),
		fetches: fetches{slots: make(chan struct{}, maxFetches), byPeer: make(map[peer.ID]int)},
		sets:    make(map[string]*pubsub.Topic, len(cfg.Sets)),
		ctx:     ctx, cancel: cancel,
	}
	var err error
	bogus := func(p peer.ID) {
		if ctx.Err() == nil { // else it was us who ended the stream
			g.met.rejected.WithLabelValues(string(reason.BadEncoding)).Inc()
			cfg.Guard.Refused(p, reason.BadEncoding)
		}
	}
	if g.ps, err = pubsub.NewGossipSub(ctx, wary{h, bogus}, g.options()...); err != nil {
		cancel()
		return nil, fmt.Errorf("start gossip: %w", err)
	}
	for _, set := range cfg.Sets {
		if g.sets[set], err = g.join(set, g.changes(set)); err != nil {
			return nil, errors.Join(err, g.Close())
		}
	}
	if err := g.welcome(); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// welcome calls cfg.Joined for peers that subscribe to the first topic.
func (g *Gossip) welcome() error {
	if g.cfg.Joined == nil {
		return nil
	}
	h, err := g.sets[g.cfg.Sets[0]].EventHandler()
	if err != nil {
		return fmt.Errorf("watch who joins: %w", err)
	}
	g.wg.Go(func() {
		defer h.Cancel()
		for {
			e, err := h.NextPeerEvent(g.ctx)
			if err != nil {
				return
			}
			if e.Type == pubsub.PeerJoin {
				g.cfg.Joined(e.Peer)
			}
		}
	})
	return nil
}

func (g *Gossip) options() []pubsub.Option {
	names := []string{Name(g.cfg.Net, peersTopic)}
	for _, s := range g.cfg.Sets {
		names = append(names, Name(g.cfg.Net, s))
	}
	params := pubsub.DefaultGossipSubParams()
	params.D = meshDegree
	params.MaxIHaveLength = maxIHave
	return []pubsub.Option{
		pubsub.WithGossipSubParams(params),
		pubsub.WithMessageSignaturePolicy(pubsub.StrictNoSign),
		pubsub.WithNoAuthor(),
		pubsub.WithMessageIdFn(messageID),
		pubsub.WithMaxMessageSize(maxRPC),
		pubsub.WithFloodPublish(true),
		pubsub.WithPeerScore(scoreParams(g.cfg.Guard.Score), scoreThresholds()),
		pubsub.WithPeerOutboundQueueSize(outboundQueue),
		pubsub.WithValidateQueueSize(validateQueue),
		pubsub.WithValidateThrottle(maxVerdicts),
		pubsub.WithSubscriptionFilter(pubsub.WrapLimitSubscriptionFilter(
			pubsub.NewAllowlistSubscriptionFilter(names...), maxSubs)),
		pubsub.WithRawTracer(tracer{met: g.met}),
	}
}

// join relays the topic of what. Relaying without a subscription is enough:
// the verdict is where a message is taken in, and no second queue can overflow.
func (g *Gossip) join(what string, verdict pubsub.ValidatorEx) (*pubsub.Topic, error) {
	g.met.accepted.WithLabelValues(class(what)) // 0 until the first message
	name := Name(g.cfg.Net, what)
	if err := g.ps.RegisterTopicValidator(name, verdict, pubsub.WithValidatorConcurrency(maxVerdicts)); err != nil {
		return nil, fmt.Errorf("join %s: %w", what, err)
	}
	t, err := g.ps.Join(name)
	if err != nil {
		return nil, fmt.Errorf("join %s: %w", what, err)
	}
	if err := t.SetScoreParams(topicScore()); err != nil {
		return nil, fmt.Errorf("score %s: %w", what, err)
	}
	leave, err := t.Relay()
	if err != nil {
		return nil, fmt.Errorf("join %s: %w", what, err)
	}
	g.mu.Lock()
	g.leave = append(g.leave, leave)
	g.mu.Unlock()
	return t, nil
}

// Publish sends c to the peers of its set. It does not judge it again. nil
// means that the message is queued, not that anybody has it.
func (g *Gossip) Publish(ctx context.Context, set string, c *change.Change) error {
	t := g.sets[set]
	if t == nil {
		return fmt.Errorf("publish to %s: %w", set, ErrNoTopic)
	}
	return g.publish(ctx, set, t, Encode(c))
}

func (g *Gossip) publish(ctx context.Context, what string, t *pubsub.Topic, data []byte) error {
	if g.ctx.Err() != nil {
		return fmt.Errorf("publish to %s: %w", what, ErrClosed)
	}
	if err := t.Publish(ctx, data); err != nil {
		return fmt.Errorf("publish to %s: %w", what, err)
	}
	g.met.published.WithLabelValues(class(what)).Inc()
	g.met.bytes.WithLabelValues("out").Add(float64(len(data)))
	return nil
}

// Peers are those known to follow set now; nil for a set without topic.
func (g *Gossip) Peers(set string) []peer.ID {
	t := g.sets[set]
	if t == nil {
		return nil
	}
	return t.ListPeers()
}

// Serve blocks until ctx is done, then leaves the topics and ends.
func (g *Gossip) Serve(ctx context.Context) error {
	select {
	case <-ctx.Done():
	case <-g.ctx.Done():
	}
	return g.Close()
}

// Close leaves the topics and ends; a second call does nothing.
func (g *Gossip) Close() error {
	g.mu.Lock()
	leave := g.leave
	g.leave = nil
	g.mu.Unlock()
	for _, l := range leave {
		l()
	}
	g.cancel()
	g.wg.Wait()
	return nil
}
