package guard

import (
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"
	dto "github.com/prometheus/client_model/go"
	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/reason"
)

// clock is a time that the test moves.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.t }
func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

// fakeNet has connections and notes who was closed. Methods that the guard
// does not call panic by the nil interface.
type fakeNet struct {
	network.Network
	notifee network.Notifiee
	conns   map[peer.ID][]network.Conn
	cut     []peer.ID
}

func (n *fakeNet) Conns() (all []network.Conn) {
	for _, cs := range n.conns {
		all = append(all, cs...)
	}
	return all
}
func (n *fakeNet) Notify(f network.Notifiee)            { n.notifee = f }
func (n *fakeNet) ConnsToPeer(p peer.ID) []network.Conn { return n.conns[p] }
func (n *fakeNet) open(p peer.ID, addr string) *fakeConn {
	c := &fakeConn{p: p, a: ma.StringCast(addr)}
	n.conns[p] = append(n.conns[p], c)
	n.notifee.Connected(n, c)
	return c
}

func (n *fakeNet) ClosePeer(p peer.ID) error {
	n.cut = append(n.cut, p)
	for _, c := range n.conns[p] {
		n.notifee.Disconnected(n, c)
	}
	delete(n.conns, p)
	return nil
}

type fakeConn struct {
	network.Conn
	p peer.ID
	a ma.Multiaddr
}

func (c *fakeConn) RemotePeer() peer.ID           { return c.p }
func (c *fakeConn) RemoteMultiaddr() ma.Multiaddr { return c.a }
func (c *fakeConn) LocalMultiaddr() ma.Multiaddr  { return nil }

func newGuard(t interface {
	Helper()
	Fatal(...any)
}, cfg Config) (*Guard, *fakeNet, *clock) {
	t.Helper()
	c := &clock{t: time.Unix(1_800_000_000, 0)}
	cfg.Now = c.now
	g, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	n := &fakeNet{conns: make(map[peer.ID][]network.Conn)}
	g.Watch(n)
	return g, n, c
}

func TestLoopbackModeReachesThisMachineOnly(t *testing.T) {
	t.Parallel()
	g, _, _ := newGuard(t, Config{Loopback: true})
	for addr, want := range map[string]bool{
		"/ip4/127.0.0.1/tcp/4001":         true,
		"/ip4/127.8.8.8/udp/4001/quic-v1": true,
		"/ip6/::1/tcp/4001":               true,
		"/ip6/::ffff:127.0.0.1/tcp/4001":  true,
		"/ip4/192.168.1.7/tcp/4001":       false,
		"/ip4/1.2.3.4/tcp/4001":           false,
		"/ip4/0.0.0.0/tcp/4001":           false,
		"/ip6/fe80::1/tcp/4001":           false,
		"/dns4/localhost/tcp/4001":        false,
		"/ip4/127.0.0.1/tcp/4001/p2p/12D3KooWAQSJgj5PmMUj84eb16qXqrL4vrH1vqUjZvhTpfoJSJN5/p2p-circuit": false,
	} {
		a := ma.StringCast(addr)
		if got := g.InterceptAddrDial("p", a); got != want {
			t.Errorf("dial %s: %v, want %v", addr, got, want)
		}
		if got := g.InterceptAccept(&fakeConn{a: a}); got != want {
			t.Errorf("accept %s: %v, want %v", addr, got, want)
		}
	}
}

func TestDenyListsHoldBothWays(t *testing.T) {
	t.Parallel()
	g, _, _ := newGuard(t, Config{DenyPeers: []peer.ID{"bad"}, DenyPrefixes: []netip.Prefix{netip.MustParsePrefix("9.9.0.0/16")}})
	if g.InterceptPeerDial("bad") || g.InterceptSecured(network.DirInbound, "bad", nil) {
		t.Error("a denied peer passes")
	}
	if !g.InterceptPeerDial("good") || !g.InterceptSecured(network.DirInbound, "good", nil) {
		t.Error("another peer does not pass")
	}
	in, out := ma.StringCast("/ip4/9.9.3.4/tcp/1"), ma.StringCast("/ip4/9.8.3.4/tcp/1")
	if g.InterceptAddrDial("p", in) || g.InterceptAccept(&fakeConn{a: in}) {
		t.Error("a denied address passes")
	}
	if !g.InterceptAddrDial("p", out) || !g.InterceptAccept(&fakeConn{a: out}) {
		t.Error("another address does not pass")
	}
}

func TestCapsByPrefixAndTotal(t *testing.T) {
	t.Parallel()
	g, n, _ := newGuard(t, Config{PerPrefix: 2, MaxConns: 5})
	accepts := func(addr string) bool { return g.InterceptAccept(&fakeConn{a: ma.StringCast(addr)}) }
	n.open("a", "/ip4/8.8.8.1/tcp/1")
	n.open("b", "/ip4/8.8.8.200/tcp/1")
	if accepts("/ip4/8.8.8.77/tcp/1") {
		t.Error("a third connection of one /24 is accepted")
	}
	if g.InterceptAddrDial("x", ma.StringCast("/ip4/8.8.8.77/tcp/1")) {
		t.Error("a third connection of one /24 is dialled")
	}
	if !accepts("/ip4/8.8.9.1/tcp/1") {
		t.Error("the next /24 is refused")
	}
	n.open("c", "/ip6/2001:db8:0:1::1/tcp/1")
	n.open("d", "/ip6/2001:db8:0:ff::1/tcp/1")
	if accepts("/ip6/2001:db8:0:80::1/tcp/1") {
		t.Error("a third connection of one /56 is accepted")
	}
	if !accepts("/ip6/2001:db8:0:100::1/tcp/1") {
		t.Error("the next /56 is refused")
	}
	n.open("e", "/ip4/127.0.0.1/tcp/1")
	if accepts("/ip4/5.5.5.5/tcp/1") {
		t.Error("accepted beyond the total")
	}
	if err := n.ClosePeer("a"); err != nil {
		t.Fatal(err)
	}
	if !accepts("/ip4/8.8.8.77/tcp/1") {
		t.Error("refused after one of the /24 has gone")
	}
	var m dto.Metric
	if err := g.met.refused.WithLabelValues("prefix").Write(&m); err != nil || m.GetCounter().GetValue() != 3 {
		t.Errorf("refused for prefix = %v, %v, want 3", m.GetCounter().GetValue(), err)
	}
}

func TestNearAddressesHaveNoPrefixCap(t *testing.T) {
	t.Parallel()
	g, n, _ := newGuard(t, Config{PerPrefix: 1})
	for _, addr := range []string{"/ip4/127.0.0.1/tcp/1", "/ip4/10.1.1.1/tcp/1", "/ip4/192.168.1.1/tcp/1", "/ip6/::1/tcp/1", "/ip6/fd00::1/tcp/1", "/ip6/fe80::1/tcp/1"} {
		for i := range 3 {
			n.open(peer.ID(fmt.Sprint(addr, i)), addr)
		}
		if !g.InterceptAccept(&fakeConn{a: ma.StringCast(addr)}) {
			t.Errorf("%s is capped", addr)
		}
	}
}

func TestOnlyCertainRefusalsCost(t *testing.T) {
	t.Parallel()
	for _, row := range reason.All() {
		g, _, _ := newGuard(t, Config{})
		g.Refused("p", row.Code)
		if lower := g.Score("p") < 0; lower != (row.Gossip == reason.Reject) {
			t.Errorf("%s (verdict %d): score %v", row.Code, row.Gossip, g.Score("p"))
		}
	}
	g, _, _ := newGuard(t, Config{})
	g.Refused("p", "")
	if g.Score("p") != 0 {
		t.Error("an accepted change costs")
	}
}

func TestGraylistCutsAndForgives(t *testing.T) {
	t.Parallel()
	g, n, c := newGuard(t, Config{})
	n.open("liar", "/ip4/7.7.7.7/tcp/1")
	n.open("honest", "/ip4/7.7.8.7/tcp/1")
	for range 7 {
		g.Refused("liar", reason.BadEncoding)
	}
	if len(n.cut) != 0 || g.Banned("liar") {
		t.Fatalf("cut after seven refusals: %v", n.cut)
	}
	g.Refused("liar", reason.BadEncoding)
	if len(n.cut) != 1 || n.cut[0] != "liar" {
		t.Fatalf("cut = %v, want liar", n.cut)
	}
	if g.InterceptSecured(network.DirInbound, "liar", nil) || g.InterceptPeerDial("liar") {
		t.Error("a graylisted peer comes back at once")
	}
	if s := g.Score("liar"); s > Graylist {
		t.Errorf("score %v while kept out", s)
	}
	if !g.InterceptSecured(network.DirInbound, "honest", nil) || g.Score("honest") != 0 {
		t.Error("another peer pays for it")
	}
	c.pass(banTime)
	if !g.InterceptSecured(network.DirInbound, "liar", nil) {
		t.Error("kept out for longer than the ban")
	}
	if s := g.Score("liar"); s <= Graylist || s >= 0 {
		t.Errorf("score %v after the ban, want between graylist and 0", s)
	}
	g.Refused("liar", reason.BadEncoding)
	if len(n.cut) != 1 {
		t.Error("cut again for one refusal")
	}
}

func TestScoreHalves(t *testing.T) {
	t.Parallel()
	g, _, c := newGuard(t, Config{})
	for range 4 {
		g.Refused("p", reason.BadSequence)
	}
	before := g.Score("p")
	c.pass(halfLife)
	if got := g.Score("p"); got != before/2 {
		t.Errorf("score %v after a half-life, want %v", got, before/2)
	}
}

func TestPrefixOfManyBansIsOut(t *testing.T) {
	t.Parallel()
	g, n, c := newGuard(t, Config{})
	addr := ma.StringCast("/ip4/6.6.6.250/tcp/1")
	for i := range maxStrikes {
		if !g.InterceptAccept(&fakeConn{a: addr}) {
			t.Fatalf("prefix out after %d bans", i)
		}
		p := peer.ID(fmt.Sprint("sybil", i))
		n.open(p, fmt.Sprintf("/ip4/6.6.6.%d/tcp/1", i))
		n.open(p, fmt.Sprintf("/ip4/6.6.6.%d/udp/1/quic-v1", i)) // one ban, whatever the connections
		for range 8 {
			g.Refused(p, reason.BadEncoding)
		}
	}
	if g.InterceptAccept(&fakeConn{a: addr}) || g.InterceptAddrDial("new", addr) {
		t.Error("a new identity of the prefix gets in")
	}
	if !g.InterceptAccept(&fakeConn{a: ma.StringCast("/ip4/6.6.7.1/tcp/1")}) {
		t.Error("the next prefix is out too")
	}
	c.pass(strikeTime)
	if !g.InterceptAccept(&fakeConn{a: addr}) {
		t.Error("the prefix is out for good")
	}
}

func TestMessageBucket(t *testing.T) {
	t.Parallel()
	g, _, c := newGuard(t, Config{MessageRate: 10})
	count := func(tries int) (n int) {
		for range tries {
			if g.Admit("p") {
				n++
			}
		}
		return n
	}
	if n := count(100); n != 20 {
		t.Errorf("%d at once, want 20: two seconds' worth", n)
	}
	c.pass(time.Second)
	if n := count(100); n != 10 {
		t.Errorf("%d after a second, want 10", n)
	}
	c.pass(time.Hour)
	if n := count(100); n != 20 {
		t.Errorf("%d after an hour, want no more than 20", n)
	}
	g.SetMessageRate(50)
	c.pass(time.Second)
	if n := count(100); n != 50 {
		t.Errorf("%d after a second at the new rate, want 50", n)
	}
	if g.Score("p") != 0 {
		t.Error("being over the rate costs")
	}
}

func TestDepartedPeersAreForgotten(t *testing.T) {
	t.Parallel()
	g, n, c := newGuard(t, Config{})
	for i := range 100 {
		p := peer.ID(fmt.Sprint(i))
		n.open(p, "/ip4/10.0.0.1/tcp/1")
		g.Admit(p)
		if i%2 == 0 {
			g.Refused(p, reason.BadEncoding)
		}
		if err := n.ClosePeer(p); err != nil {
			t.Fatal(err)
		}
	}
	if len(g.peers) != 50 {
		t.Errorf("%d records, want those of the 50 with something against them", len(g.peers))
	}
	c.pass(10 * halfLife)
	n.open("last", "/ip4/10.0.0.1/tcp/1")
	if err := n.ClosePeer("last"); err != nil {
		t.Fatal(err)
	}
	if len(g.peers) != 0 || len(g.crowd) != 0 || g.conns != 0 {
		t.Errorf("%d records, %d prefixes, %d connections left", len(g.peers), len(g.crowd), g.conns)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	g, n, _ := newGuard(t, Config{})
	n.open("here", "/ip4/10.0.0.1/tcp/1")
	for range 3 {
		g.Refused("here", reason.BadEncoding)
	}
	for i := range maxRecords + 500 {
		g.Refused(peer.ID(fmt.Sprint(i)), reason.BadEncoding)
	}
	if len(g.peers) > maxRecords {
		t.Errorf("%d records, limit %d", len(g.peers), maxRecords)
	}
	if g.Score("here") == 0 {
		t.Error("a connected peer was forgotten to make room")
	}
}

func TestScoreStaysInBounds(t *testing.T) {
	t.Parallel()
	codes := reason.All()
	rapid.Check(t, func(t *rapid.T) {
		g, _, c := newGuard(t, Config{})
		last := 0.0
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "wait") {
				c.pass(time.Duration(rapid.IntRange(0, 3600).Draw(t, "seconds")) * time.Second)
				if !g.Banned("p") && g.Score("p") < last-1e-9 {
					t.Fatalf("score fell by waiting: %v to %v", last, g.Score("p"))
				}
			} else {
				g.Refused("p", codes[rapid.IntRange(0, len(codes)-1).Draw(t, "code")].Code)
			}
			if last = g.Score("p"); last > 0 || last < scoreFloor {
				t.Fatalf("score %v out of [%v, 0]", last, scoreFloor)
			}
			if g.Banned("p") && last > Graylist {
				t.Fatalf("score %v while banned", last)
			}
		}
	})
}

func TestConfigReportsAllProblems(t *testing.T) {
	t.Parallel()
	err := Config{MaxConns: maxRecords + 1, PerPrefix: -1, MessageRate: -1, DenyPrefixes: []netip.Prefix{{}}}.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"connections a prefix", "message rate", "deny list", "is over"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
}

// TestBlockOfMostPeers: peers that come from one /16, or /32 of IPv6, are a crowd when
// they are all of four or three of four of eight; a peer that is near or comes by a
// relay counts on no side.
func TestBlockOfMostPeers(t *testing.T) {
	far := []string{"/ip4/21.1.0.1/udp/1", "/ip4/22.1.0.1/udp/1", "/ip4/23.1.0.1/udp/1"}
	one := func(n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("/ip4/20.1.%d.1/udp/1", i))
		}
		return out
	}
	for name, c := range map[string]struct {
		addrs     []string
		peers, of int
		crowded   bool
	}{
		"nobody":                     {nil, 0, 0, false},
		"three of three":             {one(3), 3, 3, false},
		"four of four":               {one(4), 4, 4, true},
		"four of five":               {append(one(4), far[0]), 4, 5, false},
		"six of eight":               {append(one(6), far[:2]...), 6, 8, true},
		"five of eight":              {append(one(5), far...), 5, 8, false},
		"near ones count on no side": {append(one(4), "/ip4/10.0.0.1/udp/1", "/ip4/127.0.0.1/udp/1", "/ip6/fe80::1/udp/1"), 4, 4, true},
		"one /32 of IPv6":            {[]string{"/ip6/2a01:db8:1::1/udp/1", "/ip6/2a01:db8:2::1/udp/1", "/ip6/2a01:db8:3::1/udp/1", "/ip6/2a01:db8:4::1/udp/1"}, 4, 4, true},
		"many of IPv6":               {[]string{"/ip6/2a01:1::1/udp/1", "/ip6/2a01:2::1/udp/1", "/ip6/2a01:3::1/udp/1", "/ip6/2a01:4::1/udp/1"}, 1, 4, false},
	} {
		t.Run(name, func(t *testing.T) {
			g, n, _ := newGuard(t, Config{})
			for i, a := range c.addrs {
				n.open(peer.ID(fmt.Sprint("peer ", i)), a)
				n.open(peer.ID(fmt.Sprint("peer ", i)), a) // twice is one peer
			}
			b := g.Block()
			if b.Peers != c.peers || b.Of != c.of || b.Crowded() != c.crowded {
				t.Errorf("%+v, crowded %v", b, b.Crowded())
			}
		})
	}
}
