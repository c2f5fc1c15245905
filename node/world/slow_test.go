package world

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	gosync "sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	pubsub "github.com/libp2p/go-libp2p-pubsub"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
	"github.com/meshd/meshd/p2p/host"
	"github.com/meshd/meshd/p2p/sync"
	"github.com/meshd/meshd/p2p/topic"
)

// slowpoke is a peer that subscribes to everything and reads a kilobyte a second of
// what it is sent. It uses the old protocol of pubsub, in which whoever publishes or
// relays a message sends it to all.
type slowpoke struct {
	host *host.Host
	read atomic.Int64 // bytes
	fast atomic.Bool  // it reads all there is, from now on
	mu   gosync.Mutex // guards cut
	cut  []time.Duration
}

func (w *World) newSlowpoke(t testing.TB, ctx context.Context, i int) *slowpoke {
	t.Helper()
	place := w.net.NewPlace()
	w.taken++
	h, err := host.New(host.Config{
		Seed: sha256.Sum256(fmt.Appendf(nil, "slow/%d", i)), Version: "slow", Listen: []string{place.Listen}, Simulation: place.Options, Low: 64, High: 128,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	s := &slowpoke{host: h}
	h.SetStreamHandler(pubsub.FloodSubID, func(st network.Stream) { s.sip(ctx, st) })
	h.SetStreamHandler(sync.Protocol, func(st network.Stream) {
		begin := time.Now()
		s.sip(ctx, st)
		s.mu.Lock()
		defer s.mu.Unlock()
		if ctx.Err() == nil {
			s.cut = append(s.cut, time.Since(begin))
		}
	})
	return s
}

// sip reads a stream at a kilobyte a second until it ends.
func (s *slowpoke) sip(ctx context.Context, st network.Stream) {
	defer st.Reset()
	b := make([]byte, 100)
	for ctx.Err() == nil {
		n, err := st.Read(b)
		s.read.Add(int64(n))
		if err != nil {
			return
		}
		if !s.fast.Load() {
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// meet connects to a machine and subscribes to all of its topics.
func (s *slowpoke) meet(ctx context.Context, w *World, m *machine) error {
	info, err := peer.AddrInfoFromString(m.addr())
	if err != nil {
		return err
	}
	if err := s.host.Connect(ctx, *info); err != nil {
		return err
	}
	st, err := s.host.NewStream(ctx, info.ID, pubsub.FloodSubID)
	if err != nil {
		return err
	}
	var rpc []byte
	for _, set := range change.PublicSets(w.genesis.Shards) {
		name := topic.Name(w.netID, set)
		sub := append([]byte{0x08, 1, 0x12}, binary.AppendUvarint(nil, uint64(len(name)))...)
		sub = append(sub, name...)
		rpc = append(append(rpc, 0x0a), binary.AppendUvarint(nil, uint64(len(sub)))...)
		rpc = append(rpc, sub...)
	}
	_, err = st.Write(append(binary.AppendUvarint(nil, uint64(len(rpc))), rpc...))
	return err
}

// long is an entry near the longest, with other words for every number.
func long(n uint64) string {
	out := text(n << 8)
	for k := uint64(1); len(out) < 3500; k++ {
		sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, n<<8|k))
		for i := 0; i+1 < len(sum); i += 2 {
			out += " " + word(int(sum[i])<<8|int(sum[i+1]))
		}
		out += "."
	}
	return out
}

// Scenario 18: a fifth of the peers read a kilobyte a second, of far more that is
// sent. What waits for them is bounded, above it their share is dropped, sessions of
// reconciliation with them are cut, and the others get everything as fast as without
// them. Slow readers of a gateway are in gateway/journal, under the same number.
func TestScenario18SlowPeers(t *testing.T) {
	healthy, entries := either(3, 20), either(176, 2400)
	measured := func(t *testing.T, slow, entries int) (p99 time.Duration, waiting int64, shed float64, cut int, read int64) {
		synctest.Test(t, func(t *testing.T) {
			w := newTownWith(t, Plan{Spec: Spec{Seed: 118, Nodes: healthy}})
			reg := prometheus.NewRegistry()
			w.machines[0].meter = reg
			w.open(t, nil, w.machines...)
			w.within(t, 2*time.Minute, "the world forms", func() bool { return equal(w.machines...) })
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var slows []*slowpoke
			for i := range slow {
				s := w.newSlowpoke(t, ctx, i)
				slows = append(slows, s)
				for _, m := range w.machines {
					if err := s.meet(ctx, w, m); err != nil {
						t.Fatal(err)
					}
				}
			}
			time.Sleep(5 * time.Second)
			l := watch(w.machines...)
			for i := range entries {
				m := w.machines[i%len(w.machines)]
				passed, err := w.pass(domains[0], long(uint64(i)))
				if err != nil {
					t.Fatal(err)
				}
				at, n := time.Now(), m.node
				r, err := n.Contribute(t.Context(), m.agent.ID, passed, view.Submit{})
				if err != nil {
					t.Fatal(err)
				}
				l.mu.Lock()
				l.sent[r.ID.Text(change.PrefixEntry)] = at
				l.mu.Unlock()
				time.Sleep(250 * time.Millisecond)
			}
			// Whatever waited anywhere on the way is read now, and nothing more is said.
			for _, s := range slows {
				read += s.read.Load()
				s.fast.Store(true)
			}
			time.Sleep(30 * time.Second)
			for _, s := range slows {
				waiting += s.read.Load()
			}
			waiting -= read
			l.close()
			p99 = percentile(l.delays(time.Hour, w.machines...), 99)
			families, err := reg.Gather()
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range families {
				if f.GetName() == "meshd_p2p_gossip_shed_total" {
					for _, m := range f.Metric {
						if m.Label[0].GetValue() == "outbound" {
							shed = m.Counter.GetValue()
						}
					}
				}
			}
			for _, s := range slows {
				s.mu.Lock()
				cut += len(s.cut)
				for _, d := range s.cut {
					if d > 2*time.Minute {
						t.Errorf("a session of reconciliation went on for %v", d)
					}
				}
				s.mu.Unlock()
			}
			cancel()
		})
		return p99, waiting, shed, cut, read
	}
	slow := max(1, healthy/4)
	calm, _, _, _, _ := measured(t, 0, entries/8)
	p99, waiting, shed, cut, read := measured(t, slow, entries)
	each := waiting / int64(slow*healthy)
	t.Logf("scenario 18: %d of %d peers read 1 kB/s, %d kB in all: %d kB waited for each on each link, on both ends of it (bar: ≤ 1024 kB), then %.0f frames of one node were dropped and %d sessions cut; healthy p99 %v, %v without them (bar: ±10 %%)",
		slow, slow+healthy, read>>10, each>>10, shed, cut, p99, calm)
	if each > 1<<20 {
		t.Errorf("%d bytes wait for each slow peer on each link", each)
	}
	if shed == 0 || cut == 0 {
		t.Errorf("%v frames dropped, %d sessions cut", shed, cut)
	}
	if off := float64(p99-calm) / float64(calm); off > 0.1 || off < -0.1 {
		t.Errorf("healthy p99 %v, %v without slow peers", p99, calm)
	}
}
