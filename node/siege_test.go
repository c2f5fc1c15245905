package node_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/view"
	"github.com/meshd/meshd/p2p/host"
	"github.com/meshd/meshd/p2p/simnet"
	outside "github.com/meshd/meshd/p2p/stranger"
)

// siege is one whole node on a simulated network with a root, in a synctest bubble,
// and what peers bring it. What there was before the flood (births, gateways, guilds)
// is the past.
type siege struct {
	*box
	t     *testing.T
	world *simnet.World
	net   change.NetID
	root  *outside.Author
	past  []*change.Change
	made  int
	reg   *prometheus.Registry
}

// refused counts what the node has refused with a code at the gates of peers.
func (s *siege) refused(code reason.Code) (n int) {
	s.t.Helper()
	families, err := s.reg.Gather()
	if err != nil {
		s.t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != "meshd_refused_total" {
			continue
		}
		for _, m := range f.Metric {
			if m.Label[0].GetValue() == string(code) && m.Label[1].GetValue() != "door" {
				n += int(m.Counter.GetValue())
			}
		}
	}
	return n
}

// besiege opens the node. Its limits are far away but for those that set changes.
func besiege(t *testing.T, set func(*config.Admission)) *siege {
	t.Helper()
	dir, err := os.MkdirTemp("", "siege")
	if err != nil {
		t.Fatal(err)
	}
	s := &siege{t: t, world: simnet.NewWorld(t, 11, 0, simnet.Config{}), reg: prometheus.NewRegistry()}
	at := s.world.NewPlace()
	s.box = openWith(t, filepath.Join(dir, "home"), func(o *core.Options) {
		s.alike(o)
		o.Simulation, o.Registerer = at.Options, s.reg
		o.Config.P2P.Loopback, o.Config.P2P.Listen, o.Config.P2P.SyncInterval = false, []string{at.Listen}, time.Hour
		a := &o.Config.Admission
		a.AuthorPerMinute, a.TreePerMinute, a.GuildPerMinute, a.HomePerMinute, a.StrangersPerMinute, a.GiverPerSecond = 1e6, 1e6, 1e6, 1e6, 1e6, 1e5
		set(a)
	})
	if err := s.Connect(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-done
		s.shut()
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	_, s.net = s.Network()
	s.root = s.author("root", nil)
	return s
}

// alike sets up a node of the same network.
func (s *siege) alike(o *core.Options) {
	o.Now, o.Engine, o.Documents = bubbleNow, crdtlog.NewMemory(), nowhere{}
	root := outside.NewAuthor(change.NetID{}, "root").Key.Key()
	text, err := change.NetworkFile{Genesis: change.Genesis{Name: "siege", Shards: 1, Start: genesis, Roots: []did.Key{root}}}.Encode()
	if err == nil {
		err = os.WriteFile(o.Config.Network.File, []byte(text), 0o600)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// author is an agent born long ago; by, when not nil, answers for it.
func (s *siege) author(name string, by *outside.Author) *outside.Author {
	s.t.Helper()
	return s.born(name, by, time.UnixMilli(genesis))
}

func (s *siege) born(name string, by *outside.Author, at time.Time) *outside.Author {
	s.t.Helper()
	a := outside.NewAuthor(s.net, name)
	v := body.Bind{Name: name}
	if by != nil {
		sig := by.Key.Sign(binding.SponsorMessage(s.net, a.Key.Key()))
		v.Sponsor = &body.Sponsor{By: by.Key.Key(), Sig: sig[:]}
	}
	a.Record = a.Write(change.Draft{Space: a.ID.Space(), Kind: change.KindBind, Body: encoded(s.t, v)}, at, true)
	s.past = append(s.past, a.Record)
	return a
}

// gateway is an author whose key the manifest names as that of a host. The last
// manifest counts, so all hosts are named at once.
func (s *siege) gateways(names ...string) (out []*outside.Author) {
	s.t.Helper()
	m := body.Manifest{}
	for _, name := range names {
		g := s.author(name, nil)
		m.Gateways = append(m.Gateways, body.Gateway{Host: name, Key: g.Key.Key()})
		out = append(out, g)
	}
	s.past = append(s.past, s.root.Write(change.Draft{Space: change.SpaceNet, Kind: change.KindManifest, Body: encoded(s.t, m)}, time.UnixMilli(genesis+1), true))
	return out
}

// place is where an author writes: a space, and what lets it.
type place struct {
	by    *outside.Author
	space change.Space
	proof []change.ID
}

func (s *siege) commons(a *outside.Author) place {
	return place{a, change.Commons("go"), []change.ID{a.Record.ID}}
}

// guild is a public guild, and the places in it of its founder and of the members.
func (s *siege) guild(founder *outside.Author, members ...*outside.Author) []place {
	s.t.Helper()
	id := change.DeriveGuild(s.net, founder.Key.Key(), [16]byte{})
	space, at := change.GuildSpace(id), time.UnixMilli(genesis+1)
	opened := founder.Write(change.Draft{Space: space, Kind: change.KindGuildOpen, Proof: []change.ID{founder.Record.ID},
		Body: encoded(s.t, body.GuildOpen{Name: "Guild", Type: "dev", Visibility: body.Public})}, at, true)
	s.past = append(s.past, opened)
	out := []place{{founder, space, []change.ID{founder.Record.ID, opened.ID}}}
	for i, m := range members {
		end := at.AddDate(3, 0, 0).Unix()
		token, err := v0.Build(v0.Draft{Audience: m.Key.Key().String(), Expires: &end, Nonce: fmt.Sprint(i),
			Caps: []v0.Cap{{With: space.Resource(s.net), Can: "entry/put", Caveats: []map[string]any{{}}}}}, founder.Key, nil)
		if err != nil {
			s.t.Fatal(err)
		}
		grant := founder.Write(change.Draft{Space: space, Kind: change.KindGrant, Proof: []change.ID{founder.Record.ID, opened.ID},
			Body: encoded(s.t, body.Grant{Token: token})}, at, true)
		s.past = append(s.past, grant)
		out = append(out, place{m, space, []change.ID{m.Record.ID, grant.ID}})
	}
	return out
}

// entries are n entries, the places in turn.
func (s *siege) entries(n int, at ...place) (out []*change.Change) {
	s.t.Helper()
	for i := range n {
		p := at[i%len(at)]
		s.made++
		e := body.Entry{Type: body.Gotcha, Text: retold(s.made), Confidence: body.DefaultConfidence}
		if p.space.Area() == change.AreaGuild {
			e.Domain = "go"
		}
		out = append(out, p.by.Write(change.Draft{Space: p.space, Kind: change.KindEntryPut, Body: encoded(s.t, e), Proof: p.proof}, bubbleNow(), true))
	}
	return out
}

func encoded(t testing.TB, v interface{ Encode() ([]byte, error) }) []byte {
	t.Helper()
	b, err := v.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// settle makes the past one that the node has known for long.
func (s *siege) settle() {
	s.t.Helper()
	s.given("settler", s.past...)
	s.CaughtUp()
}

// visitor is a stranger's peer that is connected to the node.
func (s *siege) visitor(at simnet.Place, gossip bool, gives func(*change.Change) *change.Change) *outside.Peer {
	s.t.Helper()
	p, err := outside.New(outside.Config{
		Net: s.net, Shards: 1, Gossip: gossip, Interval: time.Hour, Now: bubbleNow, Gives: gives,
		Host: host.Config{Seed: sha256.Sum256(fmt.Append(nil, "visitor ", at.Index)), Version: "visitor", Listen: []string{at.Listen}, Simulation: at.Options, Low: 16, High: 32},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); p.Serve(ctx) }()
	s.t.Cleanup(func() {
		cancel()
		<-done
		if err := p.Close(); err != nil {
			s.t.Error(err)
		}
	})
	info := peer.AddrInfo{ID: s.PeerID()}
	for _, a := range s.Addrs() {
		to, err := peer.AddrInfoFromString(a)
		if err != nil {
			s.t.Fatal(err)
		}
		info.Addrs = append(info.Addrs, to.Addrs...)
	}
	if err := p.Host().Connect(s.t.Context(), info); err != nil {
		s.t.Fatal(err)
	}
	return p
}

// until waits a minute of virtual time at most.
func (s *siege) until(what string, cond func() bool) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); !cond(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%s: not within a minute; %+v", what, s.Status())
		}
	}
}

// member reports whether a change is one here.
func (s *siege) member(c *change.Change) bool { return s.Contains(c.ID) }

func (s *siege) members(cs []*change.Change) (n int) {
	for _, c := range cs {
		if s.member(c) {
			n++
		}
	}
	return n
}

// visit makes one pass with each peer, one after the other.
func (s *siege) visit(peers ...peer.ID) {
	s.t.Helper()
	for _, p := range peers {
		if err := s.SyncWith(s.t.Context(), p); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *siege) visible(cs []*change.Change) (n int) {
	for _, c := range cs {
		if s.shows(c.ID) {
			n++
		}
	}
	return n
}

// here reports whether all are members with their bodies.
func (s *siege) here(cs []*change.Change) bool {
	return !slices.ContainsFunc(cs, func(c *change.Change) bool { return !s.member(c) || !s.kept(c) })
}

// anybody admits everybody at the changes endpoint.
func anybody(view.Author) reason.Code { return "" }
