package discover_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/libp2p/go-libp2p/core/crypto"
	libhost "github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/p2p/discover"
	"github.com/meshd/meshd/p2p/host"
	"github.com/meshd/meshd/p2p/simnet"
	"github.com/meshd/meshd/p2p/topic"
)

// none judges nothing: these tests are about peer records.
type none struct{}

func (none) Judge(context.Context, peer.ID, string, *change.Change) reason.Code {
	return reason.Internal
}

func (none) FetchChanges(context.Context, peer.ID, string, []change.ID) ([]*change.Change, error) {
	return nil, nil
}

func netID(t testing.TB) change.NetID {
	t.Helper()
	id, err := change.Builtin().ID()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func keyOf(h libhost.Host) crypto.PrivKey { return h.Peerstore().PrivKey(h.ID()) }

func addrOf(h libhost.Host) string { return fmt.Sprintf("%s/p2p/%s", h.Addrs()[0], h.ID()) }

// start runs discovery, and gossip when it is wanted, at node i until the test
// ends or stop is called.
func start(t *testing.T, w *simnet.World, i int, gossip bool, cfg discover.Config) (s *discover.Service, stop func()) {
	t.Helper()
	h := w.Hosts[i]
	cfg.Key, cfg.Net, cfg.Rand = keyOf(h), netID(t), simnet.Rand(1, fmt.Sprint("discover/", i))
	var g discover.Gossip
	leave := func() {}
	if gossip {
		tp, err := topic.New(h, topic.Config{Net: netID(t), Shards: 1, Sets: []string{"auth"}, Judge: none{}, Fetcher: none{}, Guard: h.Guard()})
		if err != nil {
			t.Fatal(err)
		}
		g, leave = tp, func() { _ = tp.Close() }
	}
	s, err := discover.New(h, g, cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve ends with %v", err)
		}
		leave()
	}
	t.Cleanup(stop)
	return s, stop
}

func linked(w *simnet.World, a, b int) bool {
	return w.Hosts[a].Network().Connectedness(w.Hosts[b].ID()) == network.Connected
}

func TestBootstrapIsDialledAtOnceAndAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := simnet.NewWorld(t, 1, 2, simnet.Config{})
		s, _ := start(t, w, 0, false, discover.Config{Bootstrap: []string{addrOf(w.Hosts[1]), addrOf(w.Hosts[0])}})
		time.Sleep(time.Second) // virtual, as everywhere below
		if !linked(w, 0, 1) {
			t.Fatal("not connected a second after the start")
		}
		if err := w.Hosts[1].Network().ClosePeer(w.Hosts[0].ID()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		if !linked(w, 0, 1) {
			t.Error("not reconnected 3 s after a break")
		}
		list := s.Peers()
		if len(list) != 1 || !list[0].Bootstrap || !list[0].Connected || list[0].ID != w.Hosts[1].ID() {
			t.Errorf("peers: %+v", list)
		}
	})
}

func TestBootstrapThatComesLateIsFound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := simnet.NewWorld(t, 1, 2, simnet.Config{})
		w.Partition(0)
		start(t, w, 0, false, discover.Config{Bootstrap: []string{addrOf(w.Hosts[1])}})
		time.Sleep(20 * time.Minute)
		if linked(w, 0, 1) {
			t.Fatal("connected across a partition")
		}
		w.Heal()
		time.Sleep(2 * time.Minute)
		if !linked(w, 0, 1) {
			t.Error("not connected 2 min after healing")
		}
	})
}

func TestThreeNodesMeshByRecords(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := simnet.NewWorld(t, 1, 3, simnet.Config{})
		first := []string{addrOf(w.Hosts[0])}
		start(t, w, 0, true, discover.Config{LowWater: 8, Roles: []string{"super"}})
		start(t, w, 1, true, discover.Config{LowWater: 8, Bootstrap: first})
		time.Sleep(10 * time.Second)
		late, _ := start(t, w, 2, true, discover.Config{LowWater: 8, Bootstrap: first, Sets: []string{"auth"}})
		time.Sleep(10 * time.Second)
		if !linked(w, 1, 2) {
			t.Fatal("two who know only the third are not connected after 10 s")
		}
		for _, p := range late.Peers() {
			if p.ID == w.Hosts[0].ID() && (len(p.Roles) != 1 || p.Roles[0] != "super" || p.Expires.IsZero()) {
				t.Errorf("the newcomer knows of the first: %+v", p)
			}
		}
	})
}

// Two hosts behind routers, who know a relay alone, find one another by records that
// name the relay: directly where their routers let them, else through it. A peer
// reached through a relay, by which nothing of ours is sent, does not count as one.
func TestHiddenHostsMeetByRecords(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		own, other simnet.NAT
		want       network.Connectedness
	}{
		{simnet.Cone, simnet.Cone, network.Connected},
		{simnet.Symmetric, simnet.Cone, network.Limited},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := simnet.NewWorld(t, 1, 0, simnet.Config{})
			first := w.NewReached(t, simnet.Reach{Relay: true})
			start(t, w, 0, true, discover.Config{LowWater: 8})
			w.NewReached(t, simnet.Reach{NAT: tc.own})
			s, _ := start(t, w, 1, true, discover.Config{LowWater: 8, Bootstrap: []string{addrOf(first)}})
			w.NewReached(t, simnet.Reach{NAT: tc.other})
			start(t, w, 2, true, discover.Config{LowWater: 8, Bootstrap: []string{addrOf(first)}})
			time.Sleep(time.Minute)
			other := w.Hosts[2].ID()
			if got := w.Hosts[1].Network().Connectedness(other); got != tc.want {
				t.Errorf("%d and %d: %v after a minute, want %v", tc.own, tc.other, got, tc.want)
			}
			for _, p := range s.Peers() {
				if p.ID == other && !slices.ContainsFunc(p.Addrs, func(a ma.Multiaddr) bool { return strings.HasSuffix(a.String(), first.ID().String()+"/p2p-circuit") }) {
					t.Errorf("the record tells %v, not the relay", p.Addrs)
				}
			}
		})
	}
}

// Who reaches many through relays alone goes on to dial: gossip and reconciliation
// do not use such connections.
func TestPeersThroughRelaysDoNotCount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := simnet.NewWorld(t, 1, 0, simnet.Config{})
		first := w.NewReached(t, simnet.Reach{Relay: true})
		start(t, w, 0, true, discover.Config{LowWater: 8})
		for i := range 3 {
			w.NewReached(t, simnet.Reach{NAT: simnet.Symmetric})
			start(t, w, i+1, true, discover.Config{LowWater: 2, Bootstrap: []string{addrOf(first)}})
		}
		time.Sleep(30 * time.Second)
		w.NewReached(t, simnet.Reach{})
		start(t, w, 4, true, discover.Config{LowWater: 1, Bootstrap: []string{addrOf(first)}})
		time.Sleep(30 * time.Second)
		for i := range 3 {
			if !linked(w, i+1, 4) {
				t.Errorf("hidden host %d, with %d peers of which one is direct, does not dial an open one", i+1, len(w.Hosts[i+1].Network().Peers()))
			}
		}
	})
}

func TestRecordsAreRenewedAndEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := simnet.NewWorld(t, 1, 2, simnet.Config{})
		s, _ := start(t, w, 0, true, discover.Config{})
		_, stop := start(t, w, 1, true, discover.Config{Bootstrap: []string{addrOf(w.Hosts[0])}})
		has := func() bool {
			for _, p := range s.Peers() {
				if p.ID == w.Hosts[1].ID() && !p.Expires.IsZero() {
					return true
				}
			}
			return false
		}
		time.Sleep(2 * time.Hour)
		if !has() {
			t.Fatal("the record of a peer that stays is not renewed")
		}
		stop()
		time.Sleep(discover.MaxTTL + time.Minute)
		if has() {
			t.Error("a record outlives its ttl")
		}
	})
}

func TestKnownPeersAreDialledUpToLowWater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const n = 8
		w := simnet.NewWorld(t, 1, n, simnet.Config{})
		for i := range n {
			start(t, w, i, true, discover.Config{LowWater: 3, Bootstrap: []string{addrOf(w.Hosts[0])}})
		}
		time.Sleep(2 * time.Minute)
		for i := range n {
			if got := len(w.Hosts[i].Network().Peers()); got < 3 {
				t.Errorf("node %d has %d peers, want 3 at least", i, got)
			}
		}
	})
}

// TestLoopbackRecordsOverSockets is the one test on real sockets: loopback
// addresses travel in records of loopback nodes, and only there.
func TestLoopbackRecordsOverSockets(t *testing.T) {
	t.Parallel()
	var hosts []*host.Host
	for i := range byte(2) {
		h, err := host.New(host.Config{Seed: [32]byte{i + 1}, Loopback: true, Listen: []string{"/ip4/127.0.0.1/tcp/0", "/ip4/127.0.0.1/udp/0/quic-v1"}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = h.Close() })
		hosts = append(hosts, h)
	}
	records := make(chan *discover.Record, 8)
	listener, err := topic.New(hosts[1], topic.Config{Net: netID(t), Shards: 1, Sets: []string{"auth"}, Judge: none{}, Fetcher: none{}, Guard: hosts[1].Guard()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	if _, err := listener.HandlePeers(func(_ context.Context, _ peer.ID, b []byte) reason.Code {
		if _, r, err := discover.Open(b); err == nil {
			records <- r
		}
		return ""
	}); err != nil {
		t.Fatal(err)
	}
	gossip, err := topic.New(hosts[0], topic.Config{Net: netID(t), Shards: 1, Sets: []string{"auth"}, Judge: none{}, Fetcher: none{}, Guard: hosts[0].Guard()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = gossip.Close() })
	s, err := discover.New(hosts[0], gossip, discover.Config{Key: keyOf(hosts[0]), Net: netID(t), Loopback: true, Bootstrap: []string{addrOf(hosts[1])}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	got := <-records
	if len(got.Addrs) != 2 {
		t.Errorf("addresses told: %v", got.Addrs)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestPublicRecordsCarryNoNearAddress(t *testing.T) {
	t.Parallel()
	near := []string{"/ip4/127.0.0.1/tcp/1", "/ip4/10.0.0.1/tcp/1", "/ip4/192.168.1.1/udp/1/quic-v1", "/ip6/::1/tcp/1", "/ip6/fe80::1/tcp/1"}
	far := "/ip4/5.6.7.8/tcp/1"
	const circuit = "/p2p/12D3KooWAQSJgj5PmMUj84eb16qXqrL4vrH1vqUjZvhTpfoJSJN5/p2p-circuit"
	if got := discover.AllowedForTest(t, discover.Config{}, []string{far + circuit, near[1] + circuit}); len(got) != 1 || got[0] != far+circuit {
		t.Errorf("of a relay far and a relay near: %v, want the far one", got)
	}
	for _, tc := range []struct {
		name string
		cfg  discover.Config
		want []string
	}{
		{"public", discover.Config{}, []string{far}},
		{"private addresses", discover.Config{PrivateAddrs: true}, append([]string{far}, near...)},
		{"loopback", discover.Config{Loopback: true}, []string{near[0], near[3]}},
	} {
		got := discover.AllowedForTest(t, tc.cfg, append([]string{far}, near...))
		if strings.Join(got, " ") != strings.Join(tc.want, " ") {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestConfigReportsAllProblems(t *testing.T) {
	t.Parallel()
	err := discover.Config{
		LowWater: -1, Loopback: true, MDNS: true, Roles: []string{"Not A Word"},
		Bootstrap: []string{"/ip4/127.0.0.1/tcp/1", "/ip4/5.6.7.8/tcp/1/p2p/12D3KooWAQSJgj5PmMUj84eb16qXqrL4vrH1vqUjZvhTpfoJSJN5"},
	}.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"key: missing", "low water", "mdns", `bootstrap "/ip4/127.0.0.1/tcp/1"`, "not a loopback address", "roles and sets"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
}

func TestReceivedRecordsAreJudged(t *testing.T) {
	t.Parallel()
	h, err := host.New(host.Config{Seed: [32]byte{1}, Loopback: true, Listen: []string{"/ip4/127.0.0.1/tcp/0"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	g := new(recorder)
	if _, err := discover.New(h, g, discover.Config{Key: keyOf(h), Net: netID(t), Loopback: true}); err != nil {
		t.Fatal(err)
	}
	seal := func(key crypto.PrivKey, net change.NetID, seq uint64) []byte {
		b, err := (&discover.Record{Net: net, Seq: seq, TTL: time.Minute}).Seal(key)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, tc := range []struct {
		name string
		in   []byte
		want reason.Code
	}{
		{"first", seal(testKey(t, 7), netID(t), 5), ""},
		{"the same again", seal(testKey(t, 7), netID(t), 5), reason.Duplicate},
		{"an older one", seal(testKey(t, 7), netID(t), 4), reason.Duplicate},
		{"a newer one", seal(testKey(t, 7), netID(t), 6), ""},
		{"our own", seal(keyOf(h), netID(t), 5), reason.Duplicate},
		{"of another network", seal(testKey(t, 8), change.NetID{1}, 5), reason.BadEncoding},
		{"garbage", []byte("garbage"), reason.BadEncoding},
	} {
		if got := g.receive(t.Context(), "from", tc.in); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// recorder is a Gossip that keeps the handler.
type recorder struct {
	receive func(context.Context, peer.ID, []byte) reason.Code
}

func (r *recorder) HandlePeers(f func(context.Context, peer.ID, []byte) reason.Code) (<-chan peer.ID, error) {
	r.receive = f
	return nil, nil
}

func (r *recorder) PublishPeers(context.Context, []byte) error { return nil }

func testKey(t *testing.T, n byte) crypto.PrivKey {
	t.Helper()
	k, _, err := crypto.GenerateEd25519Key(bytes.NewReader(bytes.Repeat([]byte{n}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// A connection by a relay that does not become a direct one is made anew, since routers
// are opened right after one was made and never again.
func TestConnectionByRelayIsMadeAnew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := simnet.NewWorld(t, 1, 0, simnet.Config{})
		relay := w.NewReached(t, simnet.Reach{NAT: simnet.Open, Relay: true})
		a := w.NewReached(t, simnet.Reach{NAT: simnet.Symmetric})
		b := w.NewReached(t, simnet.Reach{NAT: simnet.Symmetric})
		for i := range 2 {
			if err := w.Link(t.Context(), i+1, 0); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(30 * time.Second) // virtual: a has a place at the relay
		by := ""
		for _, addr := range a.Addrs() {
			if _, err := addr.ValueForProtocol(ma.P_CIRCUIT); err == nil {
				by = fmt.Sprintf("%s/p2p/%s", addr, a.ID())
			}
		}
		if by == "" {
			t.Fatalf("no place at %s: %v", relay.ID(), a.Addrs())
		}
		made := map[string]bool{}
		b.Network().Notify(&network.NotifyBundle{ConnectedF: func(_ network.Network, c network.Conn) {
			if c.RemotePeer() == a.ID() && c.Stat().Limited {
				made[c.ID()] = true
			}
		}})
		start(t, w, 2, false, discover.Config{Bootstrap: []string{by}})
		time.Sleep(5 * time.Second)
		if len(made) != 1 {
			t.Errorf("%d connections by the relay at first, want one that is given its time", len(made))
		}
		time.Sleep(55 * time.Second)
		if len(made) < 3 {
			t.Errorf("%d connections by the relay in a minute: it is not tried again", len(made))
		}
	})
}
