package simnet

import (
	"context"
	"flag"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/protocol"
)

// The size of TestPropagation, so that the large worlds need no other program:
// go test -run TestPropagation ./p2p/simnet -nodes=1000 -messages=20 -v
var (
	flagNodes    = flag.Int("nodes", 20, "nodes of TestPropagation")
	flagMessages = flag.Int("messages", 20, "messages of TestPropagation")
	flagSeed     = flag.Uint64("seed", 1, "seed of TestPropagation")
)

func TestPropagation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := Propagation(t, *flagNodes, *flagMessages, *flagSeed)
		t.Logf("%v seed=%d", r, *flagSeed)
		if r.Delivered != 1 {
			t.Errorf("delivered %.4f of all, want 1 (seed=%d)", r.Delivered, *flagSeed)
		}
		if r.P50 < defaultMin || r.P99 > time.Second {
			t.Errorf("p50 %v, p99 %v: want between one latency and 1 s (seed=%d)", r.P50, r.P99, *flagSeed)
		}
	})
}

func TestLinksHaveTheirLatency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := NewWorld(t, 7, 2, Config{})
		if err := w.Link(t.Context(), 0, 1); err != nil {
			t.Fatal(err)
		}
		got, err := roundTrip(t, w, 0, 1, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		want := 2 * w.Latency(0, 1)
		if got < want || got > want*5/4 {
			t.Errorf("round trip %v, want %v", got, want)
		}
	})
}

func TestCutIsOneWayAndHeals(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := NewWorld(t, 3, 3, Config{})
		w.Partition(0)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := w.Link(ctx, 0, 1); err == nil {
			t.Fatal("connected across a partition")
		}
		if err := w.Link(t.Context(), 1, 2); err != nil {
			t.Fatalf("within a side of the partition: %v", err)
		}
		w.Heal()
		if err := w.Link(network.WithForceDirectDial(t.Context(), "again"), 0, 2); err != nil {
			t.Fatalf("after healing: %v", err)
		}
		w.Cut(2, 0)
		if d, err := roundTrip(t, w, 0, 2, 5*time.Second); err == nil {
			t.Fatalf("an answer came over the cut link after %v", d)
		}
	})
}

func TestLossIsMadeGoodByTransport(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := NewWorld(t, 5, 2, Config{Loss: 0.05})
		if err := w.Link(t.Context(), 0, 1); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if _, err := roundTrip(t, w, 0, 1, time.Minute); err != nil {
				t.Fatalf("no answer at 5 %% loss: %v", err)
			}
		}
	})
}

func TestSeedMakesTheWorld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, b, c := NewWorld(t, 1, 3, Config{}), NewWorld(t, 1, 3, Config{}), NewWorld(t, 2, 3, Config{})
		for i := range a.Hosts {
			if a.Hosts[i].ID() != b.Hosts[i].ID() || a.Latency(0, i) != b.Latency(0, i) {
				t.Errorf("node %d differs between two worlds of one seed", i)
			}
			if a.Hosts[i].ID() == c.Hosts[i].ID() {
				t.Errorf("node %d is the same under two seeds", i)
			}
		}
	})
}

func TestStreamsAreSplitByName(t *testing.T) {
	t.Parallel()
	if Rand(1, "a").Uint64() != Rand(1, "a").Uint64() {
		t.Error("one name gives two streams")
	}
	if Rand(1, "a").Uint64() == Rand(1, "b").Uint64() {
		t.Error("two names give one stream")
	}
}

// roundTrip is the time of one byte there and back, on a stream that is open.
func roundTrip(t *testing.T, w *World, a, b int, limit time.Duration) (time.Duration, error) {
	t.Helper()
	const echo = protocol.ID("/echo")
	w.Hosts[b].SetStreamHandler(echo, func(s network.Stream) {
		_, _ = io.Copy(s, s)
		_ = s.Close()
	})
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	s, err := w.Hosts[a].NewStream(ctx, w.Hosts[b].ID(), echo)
	if err != nil {
		return 0, err
	}
	defer s.Reset()
	_ = s.SetDeadline(time.Now().Add(limit))
	var took time.Duration
	// The first exchange also negotiates the protocol; the second is measured.
	for range 2 {
		start := time.Now()
		if _, err := s.Write([]byte{1}); err != nil {
			return 0, err
		}
		if _, err := io.ReadFull(s, make([]byte, 1)); err != nil {
			return 0, err
		}
		took = time.Since(start)
	}
	return took, nil
}
