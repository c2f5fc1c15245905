package peering

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
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/p2p/discover"
	"github.com/meshd/meshd/p2p/guard"
	"github.com/meshd/meshd/p2p/host"
	"github.com/meshd/meshd/p2p/invite"
	"github.com/meshd/meshd/p2p/join"
	"github.com/meshd/meshd/p2p/sync"
	"github.com/meshd/meshd/p2p/topic"
)

// Network is the node among its peers.
type Network struct {
	n      *Peering
	Host   *host.Host        // its connections
	Gossip *topic.Gossip     // nil with --no-gossip
	Sync   *sync.Service     // reconciliation
	Found  *discover.Service // discovery of peers
	join   *join.Service
	meet   *invite.Service
	sets   []string // public sets followed
	outbox chan outgoing
	wanted chan Missing
	behind chan struct{} // gossip had no room: reconcile with peers soon
	learnt chan struct{} // reconciliation brought news that others may lack too
	bulk   atomic.Bool   // so much is written now that gossip is left out
}

type outgoing struct {
	set string
	c   *change.Change
}

// Missing are changes of a set that a peer has named and this node lacks.
type Missing struct {
	From peer.ID // who named them
	Set  string
	IDs  []change.ID
}

// Connect opens the host and the services on it; Serve runs them. A taken port
// that the owner did not choose is replaced by a free one.
func (n *Peering) Connect() error {
	net, err := n.newNetwork()
	if err != nil {
		return err
	}
	var peers core.Peers = net
	n.Net.Store(net)
	n.core.Linked.Store(&peers)
	return nil
}

func (n *Peering) newNetwork() (*Network, error) {
	cfg := n.core.Config()
	seed, err := n.core.NodeSeed()
	if err != nil {
		return nil, err
	}
	files := n.core.Files()
	h, err := host.New(host.Config{
		Seed: seed, Version: n.core.Opt.Version, Listen: cfg.P2P.Listen, AnyPort: !n.core.Opt.Chosen("p2p.listen"),
		Announce: cfg.P2P.Announce, Loopback: cfg.P2P.Loopback, PortMapping: cfg.P2P.PortMapping, RelayService: cfg.P2P.RelayService, Public: cfg.P2P.Reachable == config.ReachablePublic,
		Low: files.Low(cfg.P2P.ConnectionsLow, cfg.P2P.ConnectionsHigh), High: files.High(cfg.P2P.ConnectionsHigh),
		Guard:      guard.Config{MessageRate: cfg.Admission.PeerPerSecond, DenyPeers: n.social.DeniedPeers(), Registerer: n.core.Opt.Registerer, Now: n.core.Opt.Now},
		Registerer: n.core.Opt.Registerer, Simulation: n.core.Opt.Simulation,
	})
	if err != nil {
		return nil, fmt.Errorf("listen for peers: %w", err)
	}
	net := &Network{n: n, Host: h, sets: n.publicSets(), outbox: make(chan outgoing, maxOutbox), wanted: make(chan Missing, maxFetches), behind: make(chan struct{}, 1), learnt: make(chan struct{}, 1)}
	if err := net.build(cfg.P2P.Gossip); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return net, nil
}

func (net *Network) build(gossip bool) error {
	n, cfg := net.n, net.n.core.Config()
	var err error
	net.Sync, err = sync.New(net.Host, Replica{net}, sync.Config{
		Net: n.core.Judge.Net(), Agent: "meshd/" + n.core.Opt.Version, Interval: cfg.P2P.SyncInterval, Besides: net.Teammates, Now: n.core.Opt.Now, Passed: n.passed, Log: n.core.Opt.Log, Registerer: n.core.Opt.Registerer,
	})
	if err != nil {
		return fmt.Errorf("set up reconciliation: %w", err)
	}
	net.join = join.New(net.Host, Admission{net}, join.Config{Net: n.core.Judge.Net(), Now: n.core.Opt.Now, Log: n.core.Opt.Log, Refused: net.Host.Guard().Refused})
	net.meet = invite.New(net.Host, greeting{n}, n.core.Opt.Log)
	var peers discover.Gossip
	if gossip {
		net.Gossip, err = topic.New(net.Host, topic.Config{
			Net: n.core.Judge.Net(), Shards: n.core.Judge.Genesis().Shards, Sets: net.sets, Judge: Judge{net}, Fetcher: net.Sync,
			Guard: net.Host.Guard(), Joined: net.Sync.Soon, Registerer: n.core.Opt.Registerer,
		})
		if err != nil {
			return fmt.Errorf("join topics: %w", err)
		}
		peers = net.Gossip
	}
	net.Found, err = discover.New(net.Host, peers, discover.Config{
		Key: net.Host.Peerstore().PrivKey(net.Host.ID()), Net: n.core.Judge.Net(), Bootstrap: n.Bootstrap(), MDNS: cfg.P2P.MDNS && !cfg.P2P.Loopback,
		Loopback: cfg.P2P.Loopback, LowWater: cfg.P2P.ConnectionsLow, Now: n.core.Opt.Now, Log: n.core.Opt.Log,
	})
	if err != nil {
		return fmt.Errorf("set up discovery: %w", err)
	}
	return nil
}

// Bootstrap are the addresses of the configuration, of the network file and of the
// manifest, each once, without our own. What roots wrote into the manifest and cannot be
// dialled is left out.
func (n *Peering) Bootstrap() []string {
	own := "/p2p/" + n.core.SelfID.String()
	var out []string
	all := append(slices.Clone(n.core.Config().Network.Bootstrap), n.core.Boot...)
	if m, ok := n.core.Views.Manifest(); ok {
		dial := discover.Config{Loopback: n.core.Config().P2P.Loopback}
		all = append(all, slices.DeleteFunc(slices.Clone(m.Bootstrap), func(a string) bool { return !dial.Usable(a) })...)
	}
	for _, a := range all {
		if !slices.Contains(out, a) && !strings.HasSuffix(a, own) {
			out = append(out, a)
		}
	}
	return out
}

// publicSets are the sets every node follows, in the order of reconciliation.
func (n *Peering) publicSets() []string {
	return change.PublicSets(n.core.Judge.Genesis().Shards)
}

// PeerID is the libp2p id of this node.
func (n *Peering) PeerID() peer.ID { return n.core.SelfID }

// Serve runs the peer services until ctx ends. Connect must have succeeded. A
// service that fails is started again with back-off; the others go on.
func (n *Peering) Serve(ctx context.Context) error {
	net := n.Net.Load()
	if net == nil {
		return errors.New("serve: the node is not connected")
	}
	defer net.watchPeers()()
	sup := suture.New("peers", suture.Spec{EventHook: n.supervised})
	sup.Add(service{"reconciliation", net.Sync.Serve})
	sup.Add(service{"discovery", net.Found.Serve})
	sup.Add(service{"joining", net.join.Serve})
	sup.Add(service{"meeting", net.meet.Serve})
	if net.Gossip != nil {
		sup.Add(service{"gossip", net.Gossip.Serve})
	}
	sup.Add(service{"publishing", net.publishAll})
	sup.Add(service{"fetching", net.fetchAll})
	sup.Add(service{"catching up", net.catchUp})
	sup.Add(service{"fetching bodies", net.fetchBodies})
	sup.Add(service{"comparing own chains", net.compareChains})
	sup.Add(service{"renewing terms", n.account.RenewTerms})
	err := sup.Serve(ctx)
	n.Net.Store(nil)
	n.core.Linked.Store(nil)
	var errs []error
	if err != nil && ctx.Err() == nil {
		errs = append(errs, err)
	}
	if net.Gossip != nil {
		errs = append(errs, net.Gossip.Close())
	}
	return errors.Join(append(errs, net.Host.Close())...)
}

// Publish hands a local change to gossip. It never blocks: when many changes are
// written at once, the rest reaches peers by a reconciliation that starts at
// once, which moves thousands in the time that gossip moves a hundred.
func (net *Network) Publish(set string, c *change.Change) {
	if strings.HasPrefix(set, "team/") {
		net.announce() // a private set has no topic
		return
	}
	if net.Gossip == nil {
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
	net.n.core.Meter.Unpublished.Inc()
	select {
	case net.behind <- struct{}{}:
	default:
	}
}

// PassOn announces to others what reconciliation brought: after a partition only the
// few who reconciled across it have the news, and gossip does not repeat itself.
// A handful is gossiped; more start a reconciliation with a few peers once no
// more comes. What everybody knew already costs one hop.
func (net *Network) PassOn(set string, cs []*change.Change) {
	if net.Gossip != nil && len(cs) <= maxPassedOn && !strings.HasPrefix(set, "team/") {
		for _, c := range cs {
			if !net.n.social.Blocked(c) && keys.Verify(c.Head.Author, c.ID.Preimage(), c.Head.Sig[:]) {
				net.Publish(set, c)
			}
		}
		return
	}
	net.announce()
}

// announce starts a reconciliation with a few peers soon.
func (net *Network) announce() {
	select {
	case net.learnt <- struct{}{}:
	default:
	}
}

// catchUp reconciles with a few peers whenever gossip had no room or has
// nothing to say, and again until they are equal: a peer may be busy with
// another at that moment.
func (net *Network) catchUp(ctx context.Context) error {
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
func (net *Network) reconcile(ctx context.Context) {
	peers := Shuffled(net.Host.Direct())
	peers = peers[:min(len(peers), maxBulkPeers)]
	for pause := bulkPause; len(peers) > 0 && pause < maxBulkPause; pause *= 2 {
		reports, err := net.Sync.SyncNow(ctx, peers...)
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

func (net *Network) publishAll(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case o := <-net.outbox:
			if err := net.Gossip.Publish(ctx, o.set, o.c); err != nil && ctx.Err() == nil {
				net.n.core.Opt.Log.Debug("not published", "change", o.c.ID.String(), "err", err)
			}
		}
	}
}

// want asks the sender of a change for its past, in the background.
func (net *Network) want(from peer.ID, set string, ids []change.ID) {
	select {
	case net.wanted <- Missing{from, set, ids}:
	default: // reconciliation brings it
	}
}

func (net *Network) fetchAll(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case m := <-net.wanted:
			for _, m := range gathered(m, net.wanted) {
				net.Fetch(ctx, m)
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
func gathered(m Missing, wanted <-chan Missing) []Missing {
	all := []Missing{m}
	for range maxFetches {
		select {
		case m := <-wanted:
			i := slices.IndexFunc(all, func(o Missing) bool { return o.From == m.From && o.Set == m.Set })
			if i < 0 {
				all = append(all, m)
				continue
			}
			for _, id := range m.IDs {
				if !slices.Contains(all[i].IDs, id) {
					all[i].IDs = append(all[i].IDs[:len(all[i].IDs):len(all[i].IDs)], id)
				}
			}
		default:
			return all
		}
	}
	return all
}

// Fetch looks in the change's own set and in auth, the two where its past can lie.
func (net *Network) Fetch(ctx context.Context, m Missing) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	for _, set := range slices.Compact([]string{change.SetAuth, m.Set}) {
		cs, short := net.Sync.FetchChanges(ctx, m.From, set, m.IDs)
		if len(cs) == 0 {
			continue
		}
		out, err := net.n.core.Ingest.Receive(ctx, m.From.String(), set, cs)
		if err != nil {
			return
		}
		net.n.scored(net, m.From, out)
		if short == nil {
			return // all of them
		}
	}
}

// scored counts refusals and lowers the sender's score for what is invalid.
func (n *Peering) scored(net *Network, from peer.ID, out ingest.Outcome) {
	for code, count := range out.Refused {
		n.core.Meter.Refused(code, "peer", count)
		for range min(count, 32) {
			net.Host.Guard().Refused(from, code)
		}
	}
}

// AwaitReplicas asks peers for the change until most of them have it.
func (net *Network) AwaitReplicas(ctx context.Context, r ingest.Receipt, most int) int {
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
		for _, p := range Shuffled(net.Host.Direct()) {
			if have[p] {
				continue
			}
			cs, err := net.Sync.FetchChanges(ctx, p, r.Set, []change.ID{r.Change.ID})
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

// Shuffled puts peers into a random order, in place, and returns them.
func Shuffled(ps []peer.ID) []peer.ID {
	rand.Shuffle(len(ps), func(i, j int) { ps[i], ps[j] = ps[j], ps[i] })
	return ps
}

// ReconcileSoon requests a pass with every connected peer.
func (net *Network) ReconcileSoon() {
	for _, p := range net.Host.Direct() {
		net.Sync.Soon(p)
	}
}

// Skew is the middle of what peers said in the last passes.
func (net *Network) Skew() time.Duration { return clockSkew(net.Sync.LastPass()) }

// Deny sets whether the guard refuses a peer.
func (net *Network) Deny(id peer.ID, on bool) { net.Host.Guard().Deny(id, on) }

// Prefix is that of the first connection by which the peer is not near.
func (net *Network) Prefix(id peer.ID) string {
	for _, c := range net.Host.Network().ConnsToPeer(id) {
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
