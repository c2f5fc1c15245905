package world

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	gosync "sync"
	"testing"
	"testing/synctest"
	"time"

	pubsub "github.com/libp2p/go-libp2p-pubsub"
	pb "github.com/libp2p/go-libp2p-pubsub/pb"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"

	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/p2p/host"
	p2pjoin "github.com/meshd/meshd/p2p/join"
	"github.com/meshd/meshd/p2p/simnet"
	"github.com/meshd/meshd/p2p/sync"
	"github.com/meshd/meshd/p2p/topic"
)

// malformed are payloads that no protocol allows, by what is wrong with them.
func malformed(rng *rand.Rand) []byte {
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		return b
	}
	switch rng.IntN(4) {
	case 0:
		return random(1 + rng.IntN(900))
	case 1: // arrays in arrays, deeper than any body
		return append(bytes.Repeat([]byte{0x81}, 500+rng.IntN(4000)), 0)
	case 2: // maps in maps under one key
		return append(bytes.Repeat([]byte{0xa1, 0x61, 'a'}, 300+rng.IntN(1500)), 0)
	}
	// A text and an array that say they have exabytes.
	return append([]byte{0xa1, 0x7b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, random(40)...)
}

// framed is a payload as a stream's frame: with its length, with one that is far
// beyond any limit, or with none at all.
func framed(rng *rand.Rand, b []byte) []byte {
	switch rng.IntN(3) {
	case 0:
		return append(binary.AppendUvarint(nil, uint64(len(b))), b...)
	case 1:
		return append(binary.AppendUvarint(nil, 1<<(30+rng.IntN(32))), b...)
	}
	return b
}

// attacker is a host that sends what is malformed to one node, in one way.
type attacker struct {
	way    string
	host   *host.Host
	begun  time.Time // of sending
	sent   int
	rng    *rand.Rand
	perSec int
}

// streamsAttacked are the protocols whose streams an attacker writes into.
var streamsAttacked = map[string]protocol.ID{
	"reconciliation": sync.Protocol, "joining": p2pjoin.Protocol, "gossip streams": pubsub.GossipSubID_v12,
}

func (w *World) newAttacker(t testing.TB, way string, perSec int) *attacker {
	t.Helper()
	place := w.net.NewPlace()
	w.taken++
	h, err := host.New(host.Config{
		Seed: sha256.Sum256(fmt.Appendf(nil, "attacker/%s", way)), Version: "attacker", Listen: []string{place.Listen}, Simulation: place.Options, Low: 8, High: 16,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return &attacker{way: way, host: h, rng: simnet.Rand(w.Plan.Seed, way), perSec: perSec}
}

// run attacks a node until ctx ends, coming back whenever it is out.
func (a *attacker) run(ctx context.Context, w *World, m *machine) error {
	n, _ := m.alive()
	info, err := peer.AddrInfoFromString(m.addr())
	if err != nil {
		return err
	}
	if err := a.host.Connect(ctx, *info); err != nil {
		return err
	}
	send := a.intoStreams
	if a.way == "gossip" || a.way == "peer records" {
		ps, err := pubsub.NewGossipSub(ctx, a.host, pubsub.WithMessageSignaturePolicy(pubsub.StrictNoSign), pubsub.WithNoAuthor(), pubsub.WithFloodPublish(true),
			pubsub.WithMessageIdFn(func(m *pb.Message) string { return string(m.GetData()) }))
		if err != nil {
			return err
		}
		set := "open/0"
		if a.way == "peer records" {
			set = "peers"
		}
		tp, err := ps.Join(topic.Name(w.netID, set))
		if err != nil {
			return err
		}
		time.Sleep(2 * time.Second) // subscriptions are exchanged
		send = func(ctx context.Context, _ peer.ID) { _ = tp.Publish(ctx, malformed(a.rng)) }
	}
	a.begun = time.Now()
	tick := time.NewTicker(time.Second / time.Duration(a.perSec))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if a.host.Network().Connectedness(n.PeerID()) != network.Connected {
			_ = a.host.Connect(ctx, *info) // the other side may hang up a moment later
		}
		send(ctx, n.PeerID())
		a.sent++
	}
}

// intoStreams opens a stream and writes a frame into it.
func (a *attacker) intoStreams(ctx context.Context, to peer.ID) {
	ctx, cancel := context.WithTimeout(network.WithNoDial(ctx, "attack"), time.Second)
	defer cancel()
	s, err := a.host.NewStream(ctx, to, streamsAttacked[a.way])
	if err != nil {
		return
	}
	_, _ = s.Write(framed(a.rng, malformed(a.rng)))
	_ = s.CloseWrite()
}

// Scenario 9: attackers flood one node with what is malformed, each in a way of its
// own: messages on the topics of changes and of peer records, and streams of every
// protocol. Each is out within seconds, and what honest people write arrives as fast
// as without them.
func TestScenario09MalformedFlood(t *testing.T) {
	ways := []string{"gossip", "peer records", "reconciliation", "joining", "gossip streams"}
	seconds, perSec := either(20, 60), either(200, 5000)
	measured := func(t *testing.T, attacked bool) (p99 time.Duration, grown int64) {
		synctest.Test(t, func(t *testing.T) {
			w := newTown(t, 109, either(5, 10))
			w.open(t, nil, w.machines...)
			w.within(t, 2*time.Minute, "the world forms", func() bool { return equal(w.machines...) })
			ctx, cancel := context.WithCancel(t.Context())
			var as []*attacker
			var wg gosync.WaitGroup
			before := heapNow()
			n, _ := w.machines[0].alive()
			links := n.Events().Subscribe(events.PeerConnected|events.PeerDisconnected, 4096)
			if attacked {
				for _, way := range ways {
					as = append(as, w.newAttacker(t, way, perSec))
				}
			}
			for _, a := range as {
				wg.Go(func() {
					if err := a.run(ctx, w, w.machines[0]); err != nil {
						t.Errorf("%s: %v", a.way, err)
					}
				})
			}
			time.Sleep(2 * time.Second)
			l := watch(w.machines...)
			for i := range 10 * seconds {
				l.send(t, w, w.machines[i%len(w.machines)], uint64(i))
				time.Sleep(100 * time.Millisecond)
			}
			time.Sleep(10 * time.Second)
			grown = heapNow() - before
			l.close()
			cancel()
			wg.Wait()
			links.Close()
			var seen []events.Event
			for e := range links.C() {
				seen = append(seen, e)
			}
			p99 = percentile(l.delays(time.Hour, w.machines...), 99)
			for _, a := range as {
				in, came, out := false, 0, time.Duration(0)
				for _, e := range seen {
					if e.Object == a.host.ID().String() {
						in, out = e.Kind == events.PeerConnected, time.UnixMilli(e.At).Sub(w.machines[0].now().Add(time.Since(a.begun)*-1))
						if in {
							came++
						}
					}
				}
				t.Logf("scenario 09: %s: %d sent, out after %v for the last of %d times (bar: ≤ 5 s)", a.way, a.sent, out.Round(10*time.Millisecond), came)
				if in || out > 5*time.Second {
					t.Errorf("%s: in %v, out after %v", a.way, in, out)
				}
			}
		})
		return p99, grown
	}
	calm, calmGrown := measured(t, false)
	p99, grown := measured(t, true)
	t.Logf("scenario 09: honest entries arrive with p99 %v, %v without attackers (bar: < 2 times); heap %+d MB, %+d MB without (bar: < +64 MB)", p99, calm, grown>>20, calmGrown>>20)
	if p99 >= 2*calm {
		t.Errorf("p99 %v, without attackers %v", p99, calm)
	}
	if grown-calmGrown >= 64<<20 {
		t.Errorf("the heap grew by %d MB, without attackers by %d MB", grown>>20, calmGrown>>20)
	}
}
