package host

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/libp2p/go-libp2p"
	"github.com/libp2p/go-libp2p/core/event"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
	ma "github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"
)

func open(t *testing.T, n byte, change ...func(*Config)) *Host {
	t.Helper()
	cfg := Config{
		Seed: [32]byte{n, 1}, Version: "1.2.3", Loopback: true,
		Listen: []string{"/ip4/127.0.0.1/tcp/0", "/ip4/127.0.0.1/udp/0/quic-v1"},
	}
	for _, c := range change {
		c(&cfg)
	}
	h, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Errorf("close host: %v", err)
		}
	})
	return h
}

func only(addrs []ma.Multiaddr, code int) []ma.Multiaddr {
	return ma.FilterAddrs(addrs, func(a ma.Multiaddr) bool {
		_, err := a.ValueForProtocol(code)
		return err == nil
	})
}

func TestHostsMeetByEachTransport(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]int{"tcp": ma.P_TCP, "quic": ma.P_QUIC_V1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := open(t, 1), open(t, 2)
			identified, err := a.EventBus().Subscribe(new(event.EvtPeerIdentificationCompleted))
			if err != nil {
				t.Fatal(err)
			}
			defer identified.Close()
			to := peer.AddrInfo{ID: b.ID(), Addrs: only(b.Addrs(), code)}
			if err := a.Connect(t.Context(), to); err != nil {
				t.Fatal(err)
			}
			got := (<-identified.Out()).(event.EvtPeerIdentificationCompleted)
			if got.AgentVersion != "meshd/1.2.3" {
				t.Errorf("user agent %q", got.AgentVersion)
			}
			for _, p := range got.Protocols {
				if s := string(p); strings.Contains(s, "autonat") || strings.Contains(s, "circuit") || strings.Contains(s, "dcutr") || strings.Contains(s, "kad") {
					t.Errorf("a loopback host offers %s", p)
				}
			}
			for _, a := range got.ListenAddrs {
				if !manet.IsIPLoopback(a) {
					t.Errorf("a loopback host tells of %s", a)
				}
			}
		})
	}
}

func TestLoopbackHostDialsNobodyElse(t *testing.T) {
	t.Parallel()
	h := open(t, 1)
	other, err := PeerID([32]byte{9})
	if err != nil {
		t.Fatal(err)
	}
	for _, addr := range []string{"/ip4/192.0.2.1/tcp/4001", "/ip4/10.0.0.1/udp/4001/quic-v1", "/dns4/example.invalid/tcp/4001", "/dnsaddr/example.invalid"} {
		err := h.Connect(t.Context(), peer.AddrInfo{ID: other, Addrs: []ma.Multiaddr{ma.StringCast(addr)}})
		if err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("dial %s: %v", addr, err)
		}
		h.Peerstore().ClearAddrs(other)
	}
}

// The dialler swallows what a resolver answers, and a router is asked in the
// background, so that these are read off libp2p's own configuration.
func TestLoopbackHostAsksNobody(t *testing.T) {
	t.Parallel()
	apply := func(c Config) (got libp2p.Config) {
		if err := got.Apply(c.reach(&relays{on: c.relayed()})...); err != nil {
			t.Fatal(err)
		}
		return got
	}
	alone := apply(Config{Loopback: true})
	if _, ok := alone.MultiaddrResolver.(noNames); !ok {
		t.Error("names are resolved")
	}
	if _, err := alone.MultiaddrResolver.ResolveDNSComponent(t.Context(), nil, 1); err == nil {
		t.Error("a name is resolved")
	}
	if _, err := alone.MultiaddrResolver.ResolveDNSAddr(t.Context(), "", nil, 1, 1); err == nil {
		t.Error("a name is resolved")
	}
	if alone.Relay || !alone.RelayCustom || alone.EnableRelayService || alone.EnableHolePunching || alone.NATManager != nil ||
		alone.AutoNATConfig.EnableService || alone.EnableAutoNATv2 || !alone.DisableIdentifyAddressDiscovery {
		t.Error("others are asked about addresses, or to forward to them")
	}
	public := apply(Config{PortMapping: true, RelayService: true})
	if !public.Relay || !public.EnableRelayService || !public.EnableHolePunching || public.NATManager == nil || !public.EnableAutoNATv2 {
		t.Error("a public host does not use the ways to be reached")
	}
}

func TestIdentityIsTheSeeds(t *testing.T) {
	t.Parallel()
	want, err := PeerID([32]byte{4, 1})
	if err != nil {
		t.Fatal(err)
	}
	if h := open(t, 4); h.ID() != want {
		t.Errorf("id %s, want %s", h.ID(), want)
	}
	if other, _ := PeerID([32]byte{5, 1}); other == want {
		t.Error("two seeds, one id")
	}
}

// occupied is a TCP port of 127.0.0.1 that stays taken during the test.
func occupied(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().(*net.TCPAddr).Port
}

func TestTakenPortNobodyChoseIsExchanged(t *testing.T) {
	t.Parallel()
	port := occupied(t)
	listen := []string{fmt.Sprintf("/ip4/127.0.0.1/tcp/%d", port), fmt.Sprintf("/ip4/127.0.0.1/udp/%d/quic-v1", port)}
	h := open(t, 1, func(c *Config) { c.Listen, c.AnyPort = listen, true })
	got := h.Port()
	if got.Wanted != port || !got.Moved() {
		t.Fatalf("port %+v, wanted %d, which is taken", got, port)
	}
	for _, a := range h.Addrs() {
		if portOf(a) != got.Got {
			t.Errorf("listens on %s, reported %d", a, got.Got)
		}
	}
	if len(h.Addrs()) != 2 {
		t.Errorf("listens on %v", h.Addrs())
	}
}

func TestTakenPortThatWasChosenIsAnError(t *testing.T) {
	t.Parallel()
	port := occupied(t)
	_, err := New(Config{Seed: [32]byte{1}, Loopback: true, Listen: []string{fmt.Sprintf("/ip4/127.0.0.1/tcp/%d", port)}})
	if err == nil || !strings.Contains(err.Error(), "in use") {
		t.Fatalf("err = %v", err)
	}
}

func TestTwoHostsNeverShareAPort(t *testing.T) {
	t.Parallel()
	a := open(t, 1)
	taken := portOf(only(a.Addrs(), ma.P_TCP)[0])
	_, err := New(Config{Seed: [32]byte{2}, Loopback: true, Listen: []string{fmt.Sprintf("/ip4/127.0.0.1/tcp/%d", taken)}})
	if err == nil {
		t.Fatal("a second host listens on the port of the first")
	}
}

func TestAdvertisedAddressesByMode(t *testing.T) {
	t.Parallel()
	own := []ma.Multiaddr{ma.StringCast("/ip4/127.0.0.1/tcp/1"), ma.StringCast("/ip4/192.168.0.2/tcp/1"), ma.StringCast("/ip4/5.6.7.8/tcp/1"), ma.StringCast("/ip6/::1/tcp/1")}
	announce := []ma.Multiaddr{ma.StringCast("/dns4/mesh.example.org/tcp/443")}
	for _, c := range []struct {
		name     string
		cfg      Config
		announce []ma.Multiaddr
		want     string
	}{
		{"public", Config{}, nil, "[/ip4/192.168.0.2/tcp/1 /ip4/5.6.7.8/tcp/1]"},
		{"private addresses", Config{PrivateAddrs: true}, nil, "[/ip4/127.0.0.1/tcp/1 /ip4/192.168.0.2/tcp/1 /ip4/5.6.7.8/tcp/1 /ip6/::1/tcp/1]"},
		{"loopback", Config{Loopback: true, PrivateAddrs: true}, nil, "[/ip4/127.0.0.1/tcp/1 /ip6/::1/tcp/1]"},
		{"announced", Config{}, announce, "[/dns4/mesh.example.org/tcp/443]"},
	} {
		if got := fmt.Sprint(c.cfg.advertised(c.announce, own)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestConfigReportsAllProblems(t *testing.T) {
	t.Parallel()
	bad := Config{
		Listen: []string{"nonsense", "/ip4/8.8.8.8/tcp/1"}, Announce: []string{"/ip4/8.8.8.8/tcp/1"},
		Loopback: true, PortMapping: true, RelayService: true, Low: 9, High: 9,
	}
	bad.Guard.PerPrefix = -1
	err := bad.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"seed is missing", `listen "nonsense"`, `listen "/ip4/8.8.8.8`, `announce "/ip4/8.8.8.8`, "port mapping", "relay service", "low 9 and high 9", "prefix"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
	if _, err := New(bad); err == nil {
		t.Error("New takes what Validate refuses")
	}
	if err := (Config{Seed: [32]byte{1}}).Validate(); err != nil {
		t.Errorf("a seed alone: %v", err)
	}
}

func TestStreamsOfOnePeerAreBounded(t *testing.T) {
	t.Parallel()
	a, b := open(t, 1), open(t, 2)
	if err := a.Connect(t.Context(), peer.AddrInfo{ID: b.ID(), Addrs: only(b.Addrs(), ma.P_TCP)}); err != nil {
		t.Fatal(err)
	}
	opened := 0
	for range peerStreams + 1 {
		s, err := a.Network().NewStream(t.Context(), b.ID())
		if err != nil {
			break
		}
		// No protocol is named, so that b keeps every one it accepts.
		_ = s.SetProtocol(protocol.ID("/none"))
		opened++
	}
	if opened > peerInbound {
		t.Errorf("%d streams opened to one peer, limit %d", opened, peerInbound)
	}
}

// Who knows how it is reached asks no peer to relay, nor who may connect to nobody.
func TestWhoAsksForRelays(t *testing.T) {
	t.Parallel()
	simulated := []libp2p.Option{func(*libp2p.Config) error { return nil }}
	for _, tc := range []struct {
		name string
		cfg  Config
		want bool
	}{
		{"public", Config{}, true},
		{"loopback", Config{Loopback: true}, false},
		{"one that strangers can dial", Config{Public: true, RelayService: true}, false},
		{"announced", Config{Announce: []string{"/ip4/5.6.7.8/tcp/1"}}, false},
		{"simulated", Config{Simulation: simulated}, false},
		{"simulated, behind routers", Config{Simulation: simulated, Routers: true}, true},
		{"loopback, behind routers", Config{Loopback: true, Simulation: simulated, Routers: true}, false},
	} {
		var got libp2p.Config
		if err := got.Apply(tc.cfg.reach(&relays{on: tc.cfg.relayed()})...); err != nil {
			t.Fatal(err)
		}
		if got.EnableAutoRelay != tc.want || got.EnableAutoRelay && !got.Relay {
			t.Errorf("%s: asks for relays %v, want %v", tc.name, got.EnableAutoRelay, tc.want)
		}
	}
}

// TestPublicHostOpens listens on loopback all the same, and has no peers, so
// that nothing leaves the machine.
func TestPublicHostOpens(t *testing.T) {
	t.Parallel()
	h := open(t, 1, func(c *Config) { c.Loopback, c.RelayService, c.Low = false, true, 100 })
	if len(only(h.Network().ListenAddresses(), ma.P_IP4)) != 2 || len(h.Addrs()) != 0 {
		t.Errorf("listens on %v, tells %v: loopback addresses are of no use to others", h.Network().ListenAddresses(), h.Addrs())
	}
	if h.Port().Moved() {
		t.Errorf("port %+v moved, though any would do", h.Port())
	}
}
