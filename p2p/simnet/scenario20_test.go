package simnet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/p2p/net/swarm"
	ma "github.com/multiformats/go-multiaddr"
)

// hidden is a world in which most hosts are behind routers.
type hidden struct {
	*World
	kind                   []NAT
	relays, natted, public []int // public ones do not relay
}

// openHidden opens n hosts: three of five behind routers, of which every third is
// symmetric; of the others r relay. All dial the relays, as they do a bootstrap list.
func openHidden(t *testing.T, seed uint64, n, r int) *hidden {
	t.Helper()
	h := &hidden{World: NewWorld(t, seed, 0, Config{MinLatency: 20 * time.Millisecond, MaxLatency: 100 * time.Millisecond, Loss: 0.01})}
	for i := range n {
		switch k := i - 2*n/5; {
		case i < r:
			h.relays, h.kind = append(h.relays, i), append(h.kind, Open)
		case k < 0:
			h.public, h.kind = append(h.public, i), append(h.kind, Open)
		case k%3 == 2:
			h.natted, h.kind = append(h.natted, i), append(h.kind, Symmetric)
		default:
			h.natted, h.kind = append(h.natted, i), append(h.kind, Cone)
		}
		h.NewReached(t, Reach{NAT: h.kind[i], Relay: i < r})
	}
	var wg sync.WaitGroup
	for i := range n {
		for _, to := range h.relays {
			if to < i {
				wg.Go(func() {
					if err := h.Link(t.Context(), i, to); err != nil {
						t.Errorf("%v (seed=%d)", err, seed)
					}
				})
			}
		}
	}
	wg.Wait()
	return h
}

// relaysOf are the relays by which i says that it is reached.
func (h *hidden) relaysOf(i int) (by []int) {
	for _, r := range h.relays {
		for _, a := range h.Hosts[i].Addrs() {
			if id, err := a.ValueForProtocol(ma.P_P2P); err == nil && id == h.Hosts[r].ID().String() && !slices.Contains(by, r) {
				by = append(by, r)
			}
		}
	}
	return by
}

// dial has a reach b by the addresses that b announces.
func (h *hidden) dial(ctx context.Context, a, b int) error {
	ctx, cancel := context.WithTimeout(network.WithAllowLimitedConn(ctx, "scenario"), 10*time.Second)
	defer cancel()
	h.Hosts[a].Network().(*swarm.Swarm).Backoff().Clear(h.Hosts[b].ID()) // as discovery does
	return h.Hosts[a].Connect(ctx, peer.AddrInfo{ID: h.Hosts[b].ID(), Addrs: h.Hosts[b].Addrs()})
}

// direct reports whether a and b have a connection that needs no relay.
func (h *hidden) direct(a, b int) bool {
	return slices.ContainsFunc(h.Hosts[a].Network().ConnsToPeer(h.Hosts[b].ID()), func(c network.Conn) bool { return !c.Stat().Limited })
}

// until looks every 100 ms whether done is true, for a minute, and says when it did.
func until(t *testing.T, start time.Time, what string, done func() bool) time.Duration {
	t.Helper()
	for !done() {
		if time.Since(start) > time.Minute {
			t.Fatalf("after a minute: not %s", what)
		}
		time.Sleep(100 * time.Millisecond)
	}
	return time.Since(start)
}

// callAll has every host without a connection to it call each hidden one, both ways
// where both are hidden, and hang up. A call that a limit refuses is made again.
// It returns when the last was reached, since
// start, and how many calls were made again.
func (h *hidden) callAll(ctx context.Context, start time.Time) (last time.Duration, again int, err error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, b := range h.natted {
		busy := make(chan struct{}, 4)
		for a := range h.Hosts {
			if a == b || slices.Contains(h.relays, a) {
				continue
			}
			wg.Go(func() {
				busy <- struct{}{}
				defer func() { <-busy }()
				fault := h.dial(ctx, a, b)
				for fault != nil && time.Since(start) < 2*time.Minute {
					mu.Lock()
					again++
					mu.Unlock()
					time.Sleep(time.Second)
					fault = h.dial(ctx, a, b)
				}
				took := time.Since(start)
				_ = h.Hosts[a].Network().ClosePeer(h.Hosts[b].ID())
				mu.Lock()
				defer mu.Unlock()
				last = max(last, took)
				if fault != nil {
					err = errors.Join(err, fmt.Errorf("%d does not reach %d: %w", a, b, fault))
				}
			})
		}
	}
	wg.Wait()
	return last, again, err
}

// punch has each eligible pair meet by a relay and counts those that have a direct
// connection within the time of three tries: of pairs with both behind routers, and of
// those with one, where the hidden one has only to call back.
func (h *hidden) punch(t *testing.T) (punched, both, opened, one int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, b := range h.natted {
		wg.Go(func() {
			for a := range h.Hosts {
				hidden := h.kind[a] != Open
				if slices.Contains(h.relays, a) || hidden && (a >= b || h.kind[a] == Symmetric || h.kind[b] == Symmetric) {
					continue
				}
				if err := h.dial(t.Context(), a, b); err != nil {
					t.Logf("%d does not reach %d, which counts as not direct: %v", a, b, err)
				}
				for start := time.Now(); !h.direct(a, b) && time.Since(start) < 40*time.Second; {
					time.Sleep(100 * time.Millisecond)
				}
				got := 0
				if h.direct(a, b) {
					got = 1
				}
				_ = h.Hosts[a].Network().ClosePeer(h.Hosts[b].ID())
				time.Sleep(time.Second) // no faster than a host takes calls by one relay
				mu.Lock()
				if hidden {
					both, punched = both+1, punched+got
				} else {
					one, opened = one+1, opened+got
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return punched, both, opened, one
}

// Scenario 20: three of five hosts are behind routers, every third of those routers is
// symmetric, latencies of 20 to 100 ms, 1 % loss. Relays, reservations, hole punches
// and QUIC are the real ones. What is not: nobody probes in a bubble, so each host is
// given whether it can be reached (AutoNAT is not in this test), and a simulated router
// of a kind always does what its kind does, where those of the world only mostly do:
// the share of direct pairs shows that our hosts get through wherever a router lets
// them, and is no forecast for the Internet. A pair is eligible where a direct
// connection is possible at all: not both behind routers with a symmetric one among
// them. Pairs with a relay are left out, being direct from the start.
func TestScenario20NAT(t *testing.T) {
	t.Parallel()
	n, r := 10, 3
	if os.Getenv("MESHD_NIGHTLY") == "1" {
		n, r = 50, 5
	}
	const seed = 20
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		h := openHidden(t, seed, n, r)
		until(t, start, "every hidden host has a relay", func() bool {
			return !slices.ContainsFunc(h.natted, func(i int) bool { return len(h.relaysOf(i)) == 0 })
		})

		for _, b := range h.natted {
			if slices.ContainsFunc(h.Hosts[b].Addrs(), func(a ma.Multiaddr) bool { _, err := a.ValueForProtocol(ma.P_CIRCUIT); return err != nil }) {
				t.Errorf("host %d behind a router tells %v: strangers cannot dial all of them", b, h.Hosts[b].Addrs())
			}
		}

		// Everybody calls everybody hidden by what they announce, a few at a time.
		reached, again, failed := h.callAll(t.Context(), start)
		if failed != nil {
			t.Fatalf("%v (seed=%d)", failed, seed)
		}

		// Then they call one another at leisure, and wait for what comes of it.
		punched, both, opened, one := h.punch(t)

		// A relay falls silent: no goodbye, its packets are lost.
		dead := h.relaysOf(h.natted[0])[0]
		var users []int
		for _, i := range h.natted {
			if slices.Contains(h.relaysOf(i), dead) {
				users = append(users, i)
			}
		}
		died := time.Now()
		h.Partition(dead)
		replaced := until(t, died, "every host has two living relays", func() bool {
			return !slices.ContainsFunc(users, func(i int) bool {
				by := h.relaysOf(i)
				return len(by) < 2 || slices.Contains(by, dead)
			})
		})
		// A stranger who knows nothing but the new addresses gets through by each.
		stranger := len(h.Hosts)
		h.NewReached(t, Reach{})
		h.Cut(stranger, dead)
		for _, i := range users {
			if err := h.dial(t.Context(), stranger, i); err != nil {
				t.Errorf("%d is not reached by its relays %v: %v (seed=%d)", i, h.relaysOf(i), err, seed)
			}
		}

		share := float64(punched+opened) / float64(both+one)
		t.Logf("scenario 20: %d hosts, %d behind routers, %d relays: all reached by relay after %v, %d calls made again (bar: 30s); direct %d of %d eligible pairs, of which %d of %d with both behind routers (bar: 65 %%, simulated routers); %d users of a silent relay have another after %v (bar: 15s)",
			n, len(h.natted), r, reached.Round(100*time.Millisecond), again, punched+opened, both+one, punched, both, len(users), replaced.Round(100*time.Millisecond))
		if reached > 30*time.Second {
			t.Errorf("all reached after %v, bar 30 s (seed=%d)", reached, seed)
		}
		if share < 0.65 || float64(punched) < 0.65*float64(both) {
			t.Errorf("direct: %d of %d with both behind routers, %d of %d with one, bar 65 %% (seed=%d)", punched, both, opened, one, seed)
		}
		if replaced > 15*time.Second {
			t.Errorf("another relay after %v, bar 15 s (seed=%d)", replaced, seed)
		}
	})
}
