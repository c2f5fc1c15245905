package node_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/doc"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/p2p/simnet"
)

// cluster is a world of whole nodes on a simulated network: the real API,
// rules, views and services, with stores in memory. It lives in a synctest
// bubble, so its hours are virtual.
type cluster struct {
	t     testing.TB
	net   *simnet.World
	nodes []*box
}

// newCluster opens n nodes; each but the first knows a few before it, as a
// bootstrap list would name them.
func newCluster(t testing.TB, n int, set func(*config.Config)) *cluster {
	t.Helper()
	return newClusterAt(t, n, func(int) time.Time { return bubbleNow() }, set)
}

// newClusterAt is newCluster with a clock for each node.
func newClusterAt(t testing.TB, n int, now func(node int) time.Time, set func(*config.Config)) *cluster {
	t.Helper()
	dir, err := os.MkdirTemp("", "cluster")
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, net: simnet.NewWorld(t, 7, 0, simnet.Config{})}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, n)
	t.Cleanup(func() {
		cancel()
		var errs []error
		for range c.nodes {
			if err := <-done; !errors.Is(err, context.Canceled) {
				errs = append(errs, err)
			}
		}
		for _, b := range c.nodes {
			b.shut()
		}
		if err := errors.Join(append(errs, os.RemoveAll(dir))...); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	})
	links := simnet.Rand(7, "bootstrap")
	addrs := make([]string, 0, n)
	for i := range n {
		at := c.net.NewPlace()
		b := openWith(t, filepath.Join(dir, fmt.Sprint(i)), func(o *core.Options) {
			o.Now = func() time.Time { return now(i) }
			o.Engine, o.Documents, o.Simulation = crdtlog.NewMemory(), nowhere{}, at.Options
			o.Config.P2P.Loopback, o.Config.P2P.Listen = false, []string{at.Listen}
			if i > 0 {
				o.Config.Network.Bootstrap = append(o.Config.Network.Bootstrap, addrs[i-1])
			}
			for range min(i, 3) {
				o.Config.Network.Bootstrap = append(o.Config.Network.Bootstrap, addrs[links.IntN(i)])
			}
			if set != nil {
				set(&o.Config)
			}
		})
		addrs = append(addrs, at.Listen+"/p2p/"+b.PeerID().String())
		c.nodes = append(c.nodes, b)
		if err := b.Connect(); err != nil {
			t.Fatal(err)
		}
		go func() { done <- b.Serve(ctx) }()
	}
	return c
}

// bubbleNow is the time of the nodes in a bubble, whose own clock begins before
// any network does.
func bubbleNow() time.Time { return time.Now().AddDate(27, 0, 0) }

// agree reports whether all nodes have the same sets and show the same views.
func (c *cluster) agree() bool {
	want := c.standing(0)
	for i := range c.nodes {
		if c.standing(i) != want {
			return false
		}
	}
	return true
}

// standing is the fingerprint of every set and the hash of the views of a node.
func (c *cluster) standing(i int) string {
	s := c.nodes[i].Status()
	return fmt.Sprint(s.Sets, s.View)
}

// within waits up to limit of virtual time for cond and returns how long it took.
func (c *cluster) within(limit time.Duration, what string, cond func() bool) time.Duration {
	c.t.Helper()
	start := time.Now()
	for !cond() {
		if time.Since(start) > limit {
			for i := range c.nodes {
				c.t.Logf("node %d: %s, %d peers", i, c.standing(i), c.nodes[i].Status().Peers)
			}
			c.t.Fatalf("%s: not within %v", what, limit)
		}
		time.Sleep(100 * time.Millisecond)
	}
	return time.Since(start)
}

// TestScenario13RevocationCrossesAHealedPartition: half of a world is cut off for a minute,
// and with it a device whose loan the other half takes back. Within 10 s of the
// healing all nodes agree, and what the device wrote meanwhile counts nowhere.
// Without gossip the passes of reconciliation have to carry it.
func TestScenario13RevocationCrossesAHealedPartition(t *testing.T) {
	n := 50
	if testing.Short() {
		n = 12
	}
	t.Run("gossip", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { healedPartition(t, n, true, 10*time.Second) })
	})
	t.Run("reconciliation alone", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { healedPartition(t, 12, false, longestTurn) })
	})
}

// longestTurn is longer than any node waits before it reconciles again: twice the
// interval, and the sessions (wire §16).
const longestTurn = 70 * time.Second

// twoTurns is in which a change is everywhere in a small world whatever gossip does:
// what a node gets in its turn, it passes on in the next. Where a scenario has a bar,
// the bar is the limit instead.
const twoTurns = 2 * longestTurn

func healedPartition(t *testing.T, n int, gossip bool, limit time.Duration) {
	c := newCluster(t, n, func(cfg *config.Config) { cfg.P2P.Gossip = gossip })
	home, laptop := c.nodes[0], c.nodes[n-1]
	ada := home.agent("Ada")
	lent := lend(t, home, laptop, ada, 24*time.Hour)
	c.within(5*time.Minute, "the loan arrives", func() bool { a, err := laptop.Agent(t.Context(), ada.ID); return err == nil && a.Local })
	early := laptop.contribute(ada, lesson)
	c.within(5*time.Minute, "the world forms", c.agree)
	var half []int
	for i := n / 2; i < n; i++ {
		half = append(half, i)
	}
	c.net.Partition(half...)
	time.Sleep(time.Minute)
	if _, err := home.Revoke(t.Context(), ada.ID, lent.ID, nil, "stolen"); err != nil {
		t.Fatal(err)
	}
	late := laptop.contribute(ada, lesson+" It was seen on another disk too.")
	time.Sleep(10 * time.Second)
	if c.agree() || !laptop.shows(late.ID) {
		t.Fatal("the partition lets changes through")
	}
	c.net.Heal()
	t.Logf("scenario 13: %d nodes agreed %v after healing (bar: equal view hashes within %v)", n, c.within(limit, "the halves agree", c.agree), limit)
	for i, b := range c.nodes {
		if !b.shows(early.ID) || b.shows(late.ID) {
			t.Errorf("node %d shows what lies inside the cut: %v, and beyond it: %v", i, b.shows(early.ID), b.shows(late.ID))
		}
	}
}

// nowhere is the document engine of nodes that show no pages: a worker process
// cannot live in a bubble.
type nowhere struct{}

func (nowhere) Materialise(context.Context, [][]byte) (doc.State, error) {
	return doc.State{}, errors.New("no documents here")
}

func (nowhere) Edit(context.Context, doc.EditRequest) ([]byte, error) {
	return nil, errors.New("no documents here")
}

func (nowhere) Close() error { return nil }
