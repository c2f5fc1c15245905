package health

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/descriptors"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/knowledge"
	"github.com/meshd/meshd/node/peering"
	"github.com/meshd/meshd/node/team"
	"github.com/meshd/meshd/node/view"
	"github.com/meshd/meshd/p2p/sync"
)

// Status is what `meshd status` shows; its JSON names are stable.
type Status struct {
	PeerID    string            `json:"peer_id"`
	NodeName  string            `json:"node_name,omitempty"`
	Owner     string            `json:"owner,omitempty"`
	Version   string            `json:"version"`
	Network   string            `json:"network"`
	Name      string            `json:"network_name"`
	Uptime    float64           `json:"uptime_s"`
	Listen    []string          `json:"listen"`
	Peers     int               `json:"peers"`
	Crowd     *Crowd            `json:"crowd,omitempty"` // nil: the peers are of many places
	Gossip    bool              `json:"gossip"`
	ReadOnly  bool              `json:"read_only"`
	Disk      *DiskStatus       `json:"disk,omitempty"`
	Files     descriptors.Share `json:"open_files"`
	Agents    int               `json:"agents"`
	Entries   int               `json:"entries"`
	Domains   int               `json:"domains"`
	Sets      []SetStatus       `json:"sets"`
	View      ViewStatus        `json:"view"`
	Deferred  int               `json:"deferred"`
	Held      int               `json:"held"`    // wait for their author's rate
	Stubbed   int               `json:"stubbed"` // heads without bodies, for want of a share of the disk
	IndexLag  uint64            `json:"index_lag"`
	Damaged   int               `json:"damaged"`
	Forks     []string          `json:"forks"`
	OwnForks  []core.OwnFork    `json:"own_forks"`
	Unsure    *Unsure           `json:"unsure,omitempty"`
	LastSync  string            `json:"last_sync,omitempty"`
	ClockSkew float64           `json:"clock_skew_s"`
}

// SetStatus is one set: its members and fingerprint.
type SetStatus struct {
	Name  string `json:"name"`
	Count uint64 `json:"count"`
	FP    string `json:"fp"` // in hex
}

// Crowd says that so many peers come from one block of addresses that its owner
// may decide what this node receives.
type Crowd struct {
	Prefix string `json:"prefix"` // a /16, or a /32 of IPv6
	Peers  int    `json:"peers"`  // from it
	Of     int    `json:"of"`     // peers from public addresses
}

// String says in words how crowded it is.
func (c Crowd) String() string {
	return fmt.Sprintf("%d of %d peers come from %s: whoever has those addresses may decide what this node receives", c.Peers, c.Of, c.Prefix)
}

// crowd is nil while the peers are of many places.
func (n *Health) crowd() *Crowd {
	net := n.peering.Net.Load()
	if net == nil {
		return nil
	}
	b := net.Host.Guard().Block()
	if !b.Crowded() {
		return nil
	}
	return &Crowd{b.Prefix.String(), b.Peers, b.Of}
}

// Unsure says why nothing is signed with some keys of this node.
type Unsure struct {
	Why     string   `json:"why"`  // as in the package lineage
	Text    string   `json:"text"` // the same in words
	Since   string   `json:"since"`
	Waiting []string `json:"waiting"` // keys that no peer has named yet; while there is one, it signs nothing
	Teams   []string `json:"teams"`   // sets of private teams that no member's node has named yet
}

// ViewStatus is the view hash: rows with effect and their fingerprint.
type ViewStatus struct {
	Rows uint64 `json:"rows"`
	FP   string `json:"fp"`
}

// Status describes the node now.
func (n *Health) Status() Status {
	s := Status{
		PeerID: n.core.SelfID.String(), NodeName: n.core.Config().Node.Name, Version: n.core.Opt.Version, Name: n.core.Judge.Genesis().Name, Network: n.core.Judge.Net().String(),
		Uptime: n.core.Opt.Now().Sub(n.core.Began).Seconds(), ReadOnly: n.core.Ingest.ReadOnly(), Disk: n.diskStatus(), Files: n.core.Files(), Deferred: n.core.Ingest.Deferred(), Held: n.core.Admits.Held(), Stubbed: n.core.Admits.Stubbed(), Damaged: n.core.Damaged(),
		IndexLag: n.knowledge.IndexLag(), Listen: []string{}, Forks: []string{}, Sets: []SetStatus{},
	}
	if a, ok := n.core.Owner(); ok {
		s.Owner = a.String()
	}
	s.Agents, s.Entries, s.Domains = n.core.Views.Counts()
	for _, name := range n.core.Log.Sets() {
		count, fp := n.core.Log.Set(name).FP()
		s.Sets = append(s.Sets, SetStatus{name, count, hex.EncodeToString(fp[:])})
	}
	rows, fp := n.core.Views.Hash()
	s.View = ViewStatus{rows, hex.EncodeToString(fp[:])}
	for ch, seq := range n.core.Views.Forks() {
		s.Forks = append(s.Forks, fmt.Sprintf("%s in %s (%s lane) at %d", ch.Author, ch.Space, ch.Lane, seq))
	}
	slices.Sort(s.Forks)
	s.OwnForks = n.account.OwnForks()
	if d, ok := n.core.Lineage.Doubt(); ok {
		if keys, teams := n.core.Uncompared(); len(keys)+len(teams) > 0 {
			s.Unsure = &Unsure{string(d.Why), d.Why.Text(), d.Since.Format(time.RFC3339), append([]string{}, keys...), append([]string{}, teams...)}
		}
	}
	if net := n.peering.Net.Load(); net != nil {
		s.Peers, s.Gossip = len(net.Host.Direct()), net.Gossip != nil
		s.Listen, s.Crowd = n.Addrs(), n.crowd()
		if t := net.Sync.LastComplete(); !t.IsZero() {
			s.LastSync = t.UTC().Format(time.RFC3339Nano)
		}
		s.ClockSkew = n.core.Skew().Seconds()
	}
	return s
}

// Addrs are the addresses peers can dial, each ending in this node's id.
func (n *Health) Addrs() []string {
	net := n.peering.Net.Load()
	if net == nil {
		return []string{}
	}
	out := []string{}
	for _, a := range net.Host.Addrs() {
		out = append(out, a.String()+"/p2p/"+net.Host.ID().String())
	}
	slices.Sort(out)
	return out
}

// PeerStatus is one row of `meshd peers`.
type PeerStatus struct {
	ID        string   `json:"id"`
	Addrs     []string `json:"addrs"`
	Connected bool     `json:"connected"`
	Bootstrap bool     `json:"bootstrap"`
	Roles     []string `json:"roles"`
	Program   string   `json:"program,omitempty"`
	LatencyMS float64  `json:"latency_ms"`
	Score     float64  `json:"score"`
	Equal     bool     `json:"equal"`
	LastPass  string   `json:"last_pass,omitempty"`

	Paths []Path    `json:"paths,omitempty"` // its connections
	Pass  *PeerPass `json:"pass,omitempty"`  // the newest comparison with it
}

// Path is one connection to a peer.
type Path struct {
	Addr      string `json:"addr"`
	Transport string `json:"transport"` // quic, tcp, ws or relay
	Direction string `json:"direction"` // in or out
}

// PeerPass is what the newest pass with a peer came to.
type PeerPass struct {
	peering.PassSummary
	Sets []PeerSet `json:"sets"`
}

// PeerSet is a set that both have, as the newest pass left it.
type PeerSet struct {
	Name     string `json:"name"`
	Equal    bool   `json:"equal"`
	Complete bool   `json:"complete"` // gone through; else a limit or the peer ended the pass
	Got      int    `json:"got"`
	Pushed   int    `json:"pushed"`
}

// Peers lists the peers this node knows, connected ones first.
func (n *Health) Peers() []PeerStatus {
	net := n.peering.Net.Load()
	if net == nil {
		return []PeerStatus{}
	}
	passes := map[peer.ID]sync.PassReport{}
	for _, p := range net.Sync.LastPass() {
		passes[p.Peer] = p
	}
	rows := map[peer.ID]*PeerStatus{}
	row := func(id peer.ID) *PeerStatus {
		if rows[id] == nil {
			rows[id] = &PeerStatus{ID: id.String(), Addrs: []string{}, Roles: []string{}, Score: net.Host.Guard().Score(id)}
		}
		return rows[id]
	}
	for _, p := range net.Found.Peers() {
		r := row(p.ID)
		r.Bootstrap, r.Roles = p.Bootstrap, append(r.Roles, p.Roles...)
		for _, a := range p.Addrs {
			r.Addrs = append(r.Addrs, a.String())
		}
	}
	for _, id := range net.Host.Direct() {
		r := row(id)
		r.Connected = true
		r.LatencyMS = float64(net.Host.Peerstore().LatencyEWMA(id)) / float64(time.Millisecond)
		if p, ok := passes[id]; ok {
			r.Program, r.Equal, r.LastPass = p.Agent, p.Equal(), p.Start.Add(p.Took).UTC().Format(time.RFC3339Nano)
			r.Pass = &PeerPass{PassSummary: peering.Summary(p), Sets: []PeerSet{}}
			for _, s := range p.Sets {
				r.Pass.Sets = append(r.Pass.Sets, PeerSet{s.Set, s.Equal, s.Complete, s.Got, s.Pushed})
			}
		}
		for _, c := range net.Host.Network().ConnsToPeer(id) {
			l := peering.LinkOf(c)
			r.Paths = append(r.Paths, Path{c.RemoteMultiaddr().String(), l.Transport, l.Direction})
		}
	}
	out := make([]PeerStatus, 0, len(rows))
	for _, r := range rows {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b PeerStatus) int {
		if a.Connected != b.Connected {
			if a.Connected {
				return -1
			}
			return 1
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out
}

// SyncNow runs a pass with every connected peer. With wait it repeats until one
// pass leaves all of them equal, or ctx ends.
func (n *Health) SyncNow(ctx context.Context, wait bool) (passes []peering.PassSummary, equal bool, err error) {
	net := n.peering.Net.Load()
	if net == nil {
		return nil, false, errors.New("the node runs without peers")
	}
	for {
		reports, err := net.Sync.SyncNow(ctx)
		if err != nil {
			return passes, false, err
		}
		passes, equal = passes[:0], len(reports) > 0
		for _, r := range reports {
			p := peering.Summary(r)
			equal = equal && p.Equal
			passes = append(passes, p)
		}
		if !wait || equal {
			return passes, equal, nil
		}
		select {
		case <-ctx.Done():
			return passes, false, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// Ready reports whether the node can do its work, with every check by name.
func (n *Health) Ready() (checks map[string]bool, ready bool) {
	net := n.peering.Net.Load()
	checks = map[string]bool{
		"store_open":      n.core.Log != nil,
		"views_caught_up": n.Lag() <= 30*time.Second,
		"peers_or_solo":   net == nil || len(n.peering.Bootstrap()) == 0 || len(net.Host.Direct()) > 0,
		"disk":            !n.core.Ingest.ReadOnly(),
		"store_sound":     n.core.Damaged() == 0,
	}
	ready = true
	for name, ok := range checks {
		ready = ready && (ok || name == "peers_or_solo" || name == "store_sound") // these two only inform
	}
	return checks, ready
}

// Components says how each part of the node is: "ok", "degraded" or "off", by its name.
func (n *Health) Components() map[string]string {
	c := map[string]string{"store": "ok", "index": "ok", "documents": "ok", "gossip": "off", "peers": "off", "own_chains": "ok"}
	if n.core.Skew().Abs() > core.ClockWarn {
		c["clock"] = "degraded"
	} else {
		c["clock"] = "ok"
	}
	if n.core.Unsure() != nil || len(n.account.OwnForks()) > 0 {
		c["own_chains"] = "degraded"
	}
	if n.core.Ingest.ReadOnly() {
		c["store"] = "degraded"
	}
	c[Records] = "ok"
	if n.core.Damaged() > 0 {
		c[Records] = "degraded"
	}
	if n.knowledge.IndexLag() > knowledge.IndexCommit {
		c["index"] = "degraded"
	}
	if n.document.Docs.Engine == nil {
		c["documents"] = "off"
	}
	if net := n.peering.Net.Load(); net != nil {
		c["peers"], c[neighbours] = "ok", "ok"
		if n.crowd() != nil {
			c[neighbours] = "degraded"
		}
		if len(n.peering.Bootstrap()) > 0 && len(net.Host.Direct()) == 0 {
			c["peers"] = "degraded"
		}
		if net.Gossip != nil {
			c["gossip"] = "ok"
		}
	}
	return c
}

// Seq is the newest local sequence number.
func (n *Health) Seq() uint64 { return n.core.Log.LastSeq() }

// WaitSeq waits until the views stand for that local sequence. Views follow the
// log in the same step, so it only waits for writes that are on their way.
func (n *Health) WaitSeq(ctx context.Context, seq uint64) error {
	if n.Seq() >= seq {
		return nil
	}
	sub := n.core.Bus.SubscribeLossy(events.ChangeAppended, 1)
	defer sub.Close()
	for n.Seq() < seq {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case _, ok := <-sub.C():
			if !ok {
				return errors.New("the node is closing")
			}
		}
	}
	return nil
}

// Lag is the age of the views: zero, since they change with the log, unless the
// search index trails behind it.
func (n *Health) Lag() time.Duration {
	lag, _ := n.knowledge.Search.Left.Age(n.core.Opt.Now())
	return lag
}

// WriteLag is Lag as far as this node's own writes made it: zero while few of what
// cannot be found yet was written here.
func (n *Health) WriteLag() time.Duration {
	lag, own := n.knowledge.Search.Left.Age(n.core.Opt.Now())
	if own < maxOwnBehind {
		return 0
	}
	return lag
}

// Started is when the node was opened.
func (n *Health) Started() time.Time { return n.core.Began }

// KnownPeers are the peers this node knows, connected ones first, and where it is
// reached itself.
func (n *Health) KnownPeers() (peers []view.Peer, own []string) {
	for _, p := range n.Peers() {
		out := view.Peer{ID: p.ID, Roles: p.Roles, Connected: p.Connected}
		if id, err := peer.Decode(p.ID); err == nil {
			if k, err := team.KeyOf(id); err == nil {
				out.DID = k.String()
			}
		}
		if at, err := time.Parse(time.RFC3339Nano, p.LastPass); err == nil {
			out.Seen = at
		}
		peers = append(peers, out)
	}
	return peers, n.Addrs()
}

// Damage is handled in two steps. Records heal one by one, from copies of peers,
// while the node runs. The files below them, where a bad block stays in the way of
// scans, are written anew when the node starts next, as is a store that cannot be
// opened at all; the damaged one is kept aside.

// Records is the component of incidents about damaged changes.
const Records = "records"
