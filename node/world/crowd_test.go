package world

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	gosync "sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/incident"
	"github.com/meshd/meshd/p2p/host"
	"github.com/meshd/meshd/p2p/simnet"
	"github.com/meshd/meshd/p2p/stranger"
)

// crowd are strangers of one mind. They take part as nodes do; once silent, they keep
// what they receive, pass nothing on and give nothing, and stay connected.
type crowd struct {
	world  *World
	whom   []*machine // whom they dial
	silent atomic.Bool
	peers  []*stranger.Peer
	stop   func()
}

// newCrowd opens n strangers that dial machines for as long as the test runs. With
// near they all come from one /16, in which there is nobody else.
func (w *World) newCrowd(t testing.TB, n int, near bool, whom ...*machine) *crowd {
	t.Helper()
	c := &crowd{world: w, whom: whom}
	ctx, cancel := context.WithCancel(context.Background())
	var wg gosync.WaitGroup
	c.stop = gosync.OnceFunc(func() {
		cancel()
		wg.Wait()
		for _, p := range c.peers {
			_ = p.Close()
		}
	})
	t.Cleanup(c.stop)
	block := w.net.NewPlace().Index
	w.taken++
	for i := range n {
		var place simnet.Place
		if near {
			place = w.net.NewPlaceNear(block)
		} else {
			place = w.net.NewPlace()
			w.taken++
		}
		p, err := stranger.New(stranger.Config{
			Net: w.netID, Shards: w.genesis.Shards, Gossip: true, Interval: 30 * time.Second, Now: func() time.Time { return time.Now().AddDate(27, 0, 0) },
			Host: host.Config{
				Seed:    sha256.Sum256(fmt.Appendf(nil, "crowd/%d/%d", w.Plan.Seed, i)),
				Version: "crowd", Listen: []string{place.Listen}, Simulation: place.Options, Low: 256, High: 512,
			},
			Gives: func(x *change.Change) *change.Change {
				if c.silent.Load() {
					return nil
				}
				return x
			},
			Verdict: func() reason.Code {
				if c.silent.Load() {
					return reason.Quarantined
				}
				return ""
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		c.peers = append(c.peers, p)
		wg.Go(func() { p.Serve(ctx) })
		wg.Go(func() { c.dial(ctx, p) })
	}
	return c
}

// dial keeps a stranger connected to whom it is to be with.
func (c *crowd) dial(ctx context.Context, p *stranger.Peer) {
	for {
		for _, m := range c.whom {
			if info, err := peer.AddrInfoFromString(m.addr()); err == nil {
				_ = p.Host().Connect(ctx, *info)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(dialEvery):
		}
	}
}

// Scenario 16: four Sybils to every honest node surround one of them, from a block of
// addresses that somebody rented. They are silent. What honest people write arrives all
// the same, from the one that is surrounded too, and its owner is warned.
func TestScenario16Eclipse(t *testing.T) {
	honest, seconds := either(8, 50), either(30, 120)
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, 116, honest)
		others, victim := w.machines[:honest-1], w.machines[honest-1]
		w.open(t, nil, others...)
		w.within(t, 2*time.Minute, "the world forms", func() bool { return equal(others...) })
		// So many fill its connections twice over.
		w.open(t, func(c *config.Config) {
			c.P2P.ConnectionsLow, c.P2P.ConnectionsHigh = either(8, 64), either(16, 128)
		}, victim)
		w.within(t, 2*time.Minute, "it joins", func() bool { return equal(w.machines...) })
		n, _ := victim.alive()
		alarmed := func() bool {
			return slices.ContainsFunc(n.Incidents().All(), func(i incident.Incident) bool { return i.Component == "neighbours" && i.Open() })
		}
		time.Sleep(30 * time.Second)
		if alarmed() || n.Status().Crowd != nil {
			t.Fatalf("it is alarmed before the attack: %+v", n.Status().Crowd)
		}

		begin := time.Now()
		c := w.newCrowd(t, 4*honest, true, victim)
		c.silent.Store(true)
		alarm := w.within(t, 60*time.Second, "the alarm", alarmed)
		shown := n.Status().Crowd
		for time.Since(begin) < time.Minute { // until they are in all its meshes
			time.Sleep(time.Second)
		}
		in, out := watch(victim), watch(others...)
		for i := range 4 * seconds {
			in.send(t, w, others[i%len(others)], uint64(i))
			if i%4 == 0 {
				out.send(t, w, victim, uint64(1_000_000+i))
			}
			time.Sleep(250 * time.Millisecond)
		}
		time.Sleep(10 * time.Second)
		in.close()
		out.close()
		received, said := percentile(in.delays(time.Hour, victim), 99), percentile(out.delays(time.Hour, others...), 99)
		t.Logf("scenario 16: %d Sybils around one of %d nodes: honest entries reach it with p99 %v, its own reach the others with p99 %v (bar: ≤ 5 s), alarm after %v: %v (bar: ≤ 60 s)",
			len(c.peers), honest, received, said, alarm, shown)
		if shown == nil {
			t.Fatal("its status does not say so")
		}
		if received > 5*time.Second || said > 5*time.Second {
			t.Errorf("p99 %v to it, %v from it", received, said)
		}
		for _, m := range others {
			if o, _ := m.alive(); o.Status().Crowd != nil {
				t.Errorf("machine %d is alarmed: %v", m.index, o.Status().Crowd)
			}
		}
		c.stop()
		w.within(t, 5*time.Minute, "the alarm ends with the attack", func() bool { return !alarmed() && n.Status().Crowd == nil })
	})
}

// Scenario 17, first half: all nodes start at the same moment, nobody is there before
// the others, and everybody writes at once.
func TestScenario17ColdBoot(t *testing.T) {
	n := either(10, 50)
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, 117, n)
		w.open(t, nil, w.machines...)
		w.within(t, 5*time.Minute, "the world forms", func() bool { return equal(w.machines...) })
		for i, m := range w.machines {
			m.boot = []string{w.machines[(i+1)%n].addr()} // a ring, in which each knows one
		}
		for _, m := range w.machines {
			if err := m.stop(); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Hour)
		begin := time.Now()
		for _, m := range w.machines {
			if err := m.start(); err != nil {
				t.Fatal(err)
			}
		}
		l := watch(w.machines...)
		for _, m := range w.machines {
			l.send(t, w, m, uint64(m.index))
		}
		whole := w.within(t, 10*time.Minute, "the mesh is whole", func() bool {
			for _, m := range w.machines {
				if o, _ := m.alive(); o.Status().Peers < min(3, n-1) {
					return false
				}
			}
			return equal(w.machines...)
		})
		l.close()
		ds := l.delays(time.Hour, w.machines...)
		t.Logf("scenario 17: %d nodes started at once, the mesh whole after %v (bar: ≤ 60 s), what all wrote at that moment everywhere after %v", n, whole, ds[len(ds)-1])
		if whole > time.Minute || time.Since(begin) > 2*time.Minute {
			t.Errorf("whole after %v", whole)
		}
	})
}

// Scenario 17, second half: twice as many strangers as nodes behave for a while, so
// that honest nodes come to rely on them, and then all of them drop everything.
func TestScenario17CovertFlash(t *testing.T) {
	n, behave, seconds := either(8, 50), either(time.Minute, 10*time.Minute), either(15, 60)
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, 118, n)
		few := func(c *config.Config) { c.P2P.ConnectionsLow = 2 } // so that they do not look for one another
		w.open(t, few, w.machines...)
		w.within(t, 5*time.Minute, "the world forms", func() bool { return equal(w.machines...) })
		c := w.newCrowd(t, 2*n, false, w.machines...)
		next := uint64(0)
		speak := func(l *mail, span time.Duration) {
			for end := time.Now().Add(span); time.Now().Before(end); next++ {
				l.send(t, w, w.machines[int(next)%n], next)
				time.Sleep(200 * time.Millisecond)
			}
		}
		before := watch(w.machines...)
		speak(before, behave)
		c.silent.Store(true)
		after := watch(w.machines...)
		speak(after, time.Duration(seconds)*time.Second)
		time.Sleep(time.Minute)
		before.close()
		after.close()
		ds := after.delays(time.Hour, w.machines...)
		in := 0
		for _, d := range ds {
			if d <= 10*time.Second {
				in++
			}
		}
		share := 100 * float64(in) / float64(len(ds))
		t.Logf("scenario 17: %d of %d peers drop everything at once: %.2f %% of %d deliveries within 10 s (bar: ≥ 99.9 %%), p99 %v, the last after %v; p99 %v before",
			len(c.peers), len(c.peers)+n, share, len(ds), percentile(ds, 99), ds[len(ds)-1], percentile(before.delays(time.Hour, w.machines...), 99))
		if share < 99.9 {
			t.Errorf("%.2f %% within 10 s", share)
		}
		w.within(t, time.Minute, "the mesh is whole", func() bool { return equal(w.machines...) })
	})
}
