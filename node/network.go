package node

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"
	manet "github.com/multiformats/go-multiaddr/net"
	"github.com/thejerf/suture/v4"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/p2p/discover"
	"github.com/meshd/meshd/p2p/guard"
	"github.com/meshd/meshd/p2p/host"
	"github.com/meshd/meshd/p2p/join"
	"github.com/meshd/meshd/p2p/sync"
	"github.com/meshd/meshd/p2p/topic"
)

// network is the node among its peers.
type network struct {
	n      *Node
	host   *host.Host
	gossip *topic.Gossip // nil with --no-gossip
	sync   *sync.Service
	found  *discover.Service
	join   *join.Service
	sets   []string // public sets followed
	outbox chan outgoing
	wanted chan missing
	behind chan struct{} // gossip had no room: reconcile with peers soon
	learnt chan struct{} // reconciliation brought news that others may lack too
	bulk   atomic.Bool   // so much is written now that gossip is left out
}

type outgoing struct {
	set string
	c   *change.Change
}

type missing struct {
	from peer.ID
	set  string
	ids  []change.ID
}

// Connect opens the host and the services on it; Serve runs them. A taken port
// that the owner did not choose is replaced by a free one.
func (n *Node) Connect() error {
	net, err := n.newNetwork()
	if err != nil {
		return err
	}
	var peers Peers = net
	n.net.Store(net)
	n.peers.Store(&peers)
	return nil
}

func (n *Node) newNetwork() (*network, error) {
	cfg := n.Config()
	seed, err := n.nodeSeed()
	if err != nil {
		return nil, err
	}
	files := n.files()
	h, err := host.New(host.Config{
		Seed: seed, Version: n.opt.Version, Listen: cfg.P2P.Listen, AnyPort: !n.opt.Chosen("p2p.listen"),
		Announce: cfg.P2P.Announce, Loopback: cfg.P2P.Loopback, PortMapping: cfg.P2P.PortMapping, RelayService: cfg.P2P.RelayService,
		Low: files.Low(cfg.P2P.ConnectionsLow, cfg.P2P.ConnectionsHigh), High: files.High(cfg.P2P.ConnectionsHigh),
		Guard:      guard.Config{MessageRate: cfg.Admission.PeerPerSecond, DenyPeers: n.deniedPeers(), Registerer: n.opt.Registerer, Now: n.opt.Now},
		Registerer: n.opt.Registerer, Simulation: n.opt.Simulation,
	})
	if err != nil {
		return nil, fmt.Errorf("listen for peers: %w", err)
	}
	net := &network{n: n, host: h, sets: n.publicSets(), outbox: make(chan outgoing, maxOutbox), wanted: make(chan missing, maxFetches), behind: make(chan struct{}, 1), learnt: make(chan struct{}, 1)}
	if err := net.build(cfg.P2P.Gossip); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return net, nil
}

func (net *network) build(gossip bool) error {
	n, cfg := net.n, net.n.Config()
	var err error
	net.sync, err = sync.New(net.host, replica{net}, sync.Config{
		Net: n.judge.Net(), Agent: "meshd/" + n.opt.Version, Interval: cfg.P2P.SyncInterval, Besides: net.teammates, Now: n.opt.Now, Passed: n.passed, Log: n.opt.Log, Registerer: n.opt.Registerer,
	})
	if err != nil {
		return fmt.Errorf("set up reconciliation: %w", err)
	}
	net.join = join.New(net.host, door{net}, join.Config{Net: n.judge.Net(), Now: n.opt.Now, Log: n.opt.Log, Refused: net.host.Guard().Refused})
	var peers discover.Gossip
	if gossip {
		net.gossip, err = topic.New(net.host, topic.Config{
			Net: n.judge.Net(), Shards: n.judge.Genesis().Shards, Sets: net.sets, Judge: judge{net}, Fetcher: net.sync,
			Guard: net.host.Guard(), Joined: net.sync.Soon, Registerer: n.opt.Registerer,
		})
		if err != nil {
			return fmt.Errorf("join topics: %w", err)
		}
		peers = net.gossip
	}
	net.found, err = discover.New(net.host, peers, discover.Config{
		Key: net.host.Peerstore().PrivKey(net.host.ID()), Net: n.judge.Net(), Bootstrap: n.bootstrap(), MDNS: cfg.P2P.MDNS && !cfg.P2P.Loopback,
		Loopback: cfg.P2P.Loopback, LowWater: cfg.P2P.ConnectionsLow, Now: n.opt.Now, Log: n.opt.Log,
	})
	if err != nil {
		return fmt.Errorf("set up discovery: %w", err)
	}
	return nil
}

// bootstrap are the addresses of the configuration and of the network file,
// each once, without our own.
func (n *Node) bootstrap() []string {
	own := "/p2p/" + n.peerID.String()
	var out []string
	for _, a := range append(slices.Clone(n.Config().Network.Bootstrap), n.boot...) {
		if !slices.Contains(out, a) && !strings.HasSuffix(a, own) {
			out = append(out, a)
		}
	}
	return out
}

// publicSets are the sets every node follows, in the order of reconciliation.
func (n *Node) publicSets() []string {
	return change.PublicSets(n.judge.Genesis().Shards)
}

// PeerID is the libp2p id of this node.
func (n *Node) PeerID() peer.ID { return n.peerID }

// Serve runs the peer services until ctx ends. Connect must have succeeded. A
// service that fails is started again with back-off; the others go on.
func (n *Node) Serve(ctx context.Context) error {
	net := n.net.Load()
	if net == nil {
		return errors.New("serve: the node is not connected")
	}
	defer net.watchPeers()()
	sup := suture.New("peers", suture.Spec{EventHook: n.supervised})
	sup.Add(service{"reconciliation", net.sync.Serve})
	sup.Add(service{"discovery", net.found.Serve})
	sup.Add(service{"joining", net.join.Serve})
	if net.gossip != nil {
		sup.Add(service{"gossip", net.gossip.Serve})
	}
	sup.Add(service{"publishing", net.publishAll})
	sup.Add(service{"fetching", net.fetchAll})
	sup.Add(service{"catching up", net.catchUp})
	sup.Add(service{"fetching bodies", net.fetchBodies})
	sup.Add(service{"comparing own chains", net.compareChains})
	sup.Add(service{"renewing terms", n.keepTerms})
	err := sup.Serve(ctx)
	n.net.Store(nil)
	n.peers.Store(nil)
	var errs []error
	if err != nil && ctx.Err() == nil {
		errs = append(errs, err)
	}
	if net.gossip != nil {
		errs = append(errs, net.gossip.Close())
	}
	return errors.Join(append(errs, net.host.Close())...)
}

// Publish hands a local change to gossip. It never blocks: when many changes are
// written at once, the rest reaches peers by a reconciliation that starts at
// once, which moves thousands in the time that gossip moves a hundred.
func (net *network) Publish(set string, c *change.Change) {
	if strings.HasPrefix(set, "team/") {
		net.tell() // a private set has no topic
		return
	}
	if net.gossip == nil {
		return
	}
	if !net.bulk.Load() {
		select {
		case net.outbox <- outgoing{set, c}:
			return
		default:
			net.bulk.Store(true)
		}
	}
	net.n.meter.unpublished.Inc()
	select {
	case net.behind <- struct{}{}:
	default:
	}
}

// passOn tells others what reconciliation brought: after a partition only the
// few who reconciled across it have the news, and gossip does not repeat itself.
// A handful is gossiped; more start a reconciliation with a few peers once no
// more comes. What everybody knew already costs one hop.
func (net *network) PassOn(set string, cs []*change.Change) {
	if net.gossip != nil && len(cs) <= maxPassedOn && !strings.HasPrefix(set, "team/") {
		for _, c := range cs {
			if !net.n.blocked(c) && keys.Verify(c.Head.Author, c.ID.Preimage(), c.Head.Sig[:]) {
				net.Publish(set, c)
			}
		}
		return
	}
	net.tell()
}

// tell starts a reconciliation with a few peers soon.
func (net *network) tell() {
	select {
	case net.learnt <- struct{}{}:
	default:
	}
}

// catchUp reconciles with a few peers whenever gossip had no room or has
// nothing to say, and again until they are equal: a peer may be busy with
// another at that moment.
func (net *network) catchUp(ctx context.Context) error {
	for {
		wait := bulkDelay // let more come, so that a pass carries much
		select {
		case <-ctx.Done():
			return nil
		case <-net.behind:
		case <-net.learnt:
			wait = learnDelay
		}
		for more := true; more; {
			select {
			case <-ctx.Done():
				return nil
			case <-net.learnt:
				wait = learnDelay
			case <-time.After(wait):
				more = false
			}
		}
		// What is written from here on is gossiped again, or starts the next pass.
		net.bulk.Store(false)
		net.reconcile(ctx)
	}
}

// reconcile makes this node and a few random peers equal.
func (net *network) reconcile(ctx context.Context) {
	peers := shuffled(net.host.Direct())
	peers = peers[:min(len(peers), maxBulkPeers)]
	for pause := bulkPause; len(peers) > 0 && pause < maxBulkPause; pause *= 2 {
		reports, err := net.sync.SyncNow(ctx, peers...)
		if err != nil {
			return
		}
		peers = peers[:0]
		for _, r := range reports {
			if !r.Equal() {
				peers = append(peers, r.Peer)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

func (net *network) publishAll(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case o := <-net.outbox:
			if err := net.gossip.Publish(ctx, o.set, o.c); err != nil && ctx.Err() == nil {
				net.n.opt.Log.Debug("not published", "change", o.c.ID.String(), "err", err)
			}
		}
	}
}

// want asks the sender of a change for its past, in the background.
func (net *network) want(from peer.ID, set string, ids []change.ID) {
	select {
	case net.wanted <- missing{from, set, ids}:
	default: // reconciliation brings it
	}
}

func (net *network) fetchAll(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case m := <-net.wanted:
			for _, m := range gathered(m, net.wanted) {
				net.fetch(ctx, m)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(fetchPause):
		}
	}
}

// gathered is m and what else is wanted by now, one for each peer and set: a session
// costs as much for one change as for a hundred.
func gathered(m missing, wanted <-chan missing) []missing {
	all := []missing{m}
	for range maxFetches {
		select {
		case m := <-wanted:
			i := slices.IndexFunc(all, func(o missing) bool { return o.from == m.from && o.set == m.set })
			if i < 0 {
				all = append(all, m)
				continue
			}
			for _, id := range m.ids {
				if !slices.Contains(all[i].ids, id) {
					all[i].ids = append(all[i].ids[:len(all[i].ids):len(all[i].ids)], id)
				}
			}
		default:
			return all
		}
	}
	return all
}

// fetch asks in the change's own set and in auth, the two where its past can lie.
func (net *network) fetch(ctx context.Context, m missing) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	for _, set := range slices.Compact([]string{change.SetAuth, m.set}) {
		cs, short := net.sync.FetchChanges(ctx, m.from, set, m.ids)
		if len(cs) == 0 {
			continue
		}
		out, err := net.n.ingest.Receive(ctx, m.from.String(), set, cs)
		if err != nil {
			return
		}
		net.n.scored(net, m.from, out)
		if short == nil {
			return // all of them
		}
	}
}

// scored counts refusals and lowers the sender's score for what is invalid.
func (n *Node) scored(net *network, from peer.ID, out ingest.Outcome) {
	for code, count := range out.Refused {
		n.meter.refused(code, "peer", count)
		for range min(count, 32) {
			net.host.Guard().Refused(from, code)
		}
	}
}

// AwaitReplicas asks peers for the change until most of them have it.
func (net *network) AwaitReplicas(ctx context.Context, r ingest.Receipt, most int) int {
	if most <= 0 {
		return 0
	}
	most = min(most, maxWaitPeers)
	ctx, cancel := context.WithTimeout(ctx, waitReplica)
	defer cancel()
	have := map[peer.ID]bool{}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		for _, p := range shuffled(net.host.Direct()) {
			if have[p] {
				continue
			}
			cs, err := net.sync.FetchChanges(ctx, p, r.Set, []change.ID{r.Change.ID})
			if err == nil && len(cs) > 0 {
				have[p] = true
			}
			if len(have) >= most {
				return len(have)
			}
		}
		select {
		case <-ctx.Done():
			return len(have)
		case <-tick.C:
		}
	}
}

func shuffled(ps []peer.ID) []peer.ID {
	rand.Shuffle(len(ps), func(i, j int) { ps[i], ps[j] = ps[j], ps[i] })
	return ps
}

// ReconcileSoon asks for a pass with every connected peer.
func (net *network) ReconcileSoon() {
	for _, p := range net.host.Direct() {
		net.sync.Soon(p)
	}
}

// Skew is the middle of what peers said in the last passes.
func (net *network) Skew() time.Duration { return clockSkew(net.sync.LastPass()) }

// Deny tells the guard of the connections.
func (net *network) Deny(id peer.ID, on bool) { net.host.Guard().Deny(id, on) }

// Prefix is that of the first connection by which the peer is not near.
func (net *network) Prefix(id peer.ID) string {
	for _, c := range net.host.Network().ConnsToPeer(id) {
		ip, err := manet.ToIP(c.RemoteMultiaddr())
		if err != nil || c.Stat().Limited {
			continue
		}
		addr, _ := netip.AddrFromSlice(ip)
		if addr = addr.Unmap(); !addr.IsValid() || addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast() {
			continue
		}
		bits := 48
		if addr.Is4() {
			bits = 24
		}
		if p, err := addr.Prefix(bits); err == nil {
			return p.String()
		}
	}
	return ""
}
