// Mesh measures meshd's own nodes in the shape in which scripts/bench/peer
// measures go-ds-crdt: three nodes in this process on 127.0.0.1, each with its
// Pebble store in a temporary folder. Entries are written on the first by many
// agents at once, each signed, authorised and acknowledged after a sync; the
// clock runs from the first write until all three have the same set and show
// the same view. Then an empty fourth node joins. It prints one line of JSON.
//
//	go run ./scripts/bench/mesh -n 10000
//	go run ./scripts/bench/mesh -n 100000 -single
//
// Run one measurement per process: the memory figure is a peak.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/gate/lessons"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/node/view"
)

type result struct {
	What     string  `json:"what"`
	Entries  int     `json:"entries"`
	Agents   int     `json:"agents"`
	Gossip   bool    `json:"gossip"`
	GateS    float64 `json:"gate_s,omitempty"`        // to judge them all, before the clock runs
	WriteS   float64 `json:"write_s,omitempty"`       // until the last write was acknowledged
	Converge float64 `json:"converge_s,omitempty"`    // until all three were equal
	Join     float64 `json:"join_s,omitempty"`        // of an empty fourth
	BytesIn  uint64  `json:"bytes_in,omitempty"`      // frames and messages all three received until then
	JoinIn   uint64  `json:"join_bytes_in,omitempty"` // the same for the fourth
	IdleB    uint64  `json:"idle_bytes,omitempty"`    // one pass of equal sets
	OpenS    float64 `json:"open_s,omitempty"`        // reopening from the checkpoint
	FeedMS   float64 `json:"feed_p95_ms,omitempty"`
	QueryMS  float64 `json:"query_p95_ms,omitempty"`
	FeedMax  float64 `json:"feed_max_ms,omitempty"` // a page nobody saw before: its entries are judged first
	QueryMax float64 `json:"query_max_ms,omitempty"`
	RSS      float64 `json:"rss_mb"`
	Now      float64 `json:"rss_now_mb,omitempty"`
}

func main() {
	n := flag.Int("n", 10_000, "entries")
	agents := flag.Int("agents", 100, "agents that write them")
	gossip := flag.Bool("gossip", true, "with gossip")
	single := flag.Bool("single", false, "one node: memory, restart, reads")
	reopen := flag.String("reopen", "", "measure the node in this home; -single starts itself so")
	prof := flag.String("cpuprofile", "", "write a CPU profile to this file")
	flag.Parse()
	if *prof != "" {
		f, err := os.Create(*prof)
		if err != nil {
			fmt.Fprintln(os.Stderr, "mesh:", err)
			os.Exit(1)
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			fmt.Fprintln(os.Stderr, "mesh:", err)
			os.Exit(1)
		}
		defer pprof.StopCPUProfile()
	}
	run := three
	if *single {
		run = one
	}
	if *reopen != "" {
		run = func(ctx context.Context, n, agents int, _ bool) error { return again(ctx, *reopen, n, agents) }
	}
	if err := run(context.Background(), *n, *agents, *gossip); err != nil {
		fmt.Fprintln(os.Stderr, "mesh:", err)
		os.Exit(1)
	}
}

// noDocs stands in for the document engine: the benchmark edits no page.
type noDocs struct{ doc.Engine }

func (noDocs) Close() error { return nil }

func open(ctx context.Context, dir string, gossip bool, bootstrap []string, reg *prometheus.Registry) (*node.Node, func() error, error) {
	home, err := store.Open(dir, store.Options{Command: "bench"})
	if err != nil {
		return nil, nil, err
	}
	cfg := config.Default()
	cfg.P2P.Loopback, cfg.P2P.MDNS, cfg.P2P.PortMapping, cfg.P2P.Gossip = true, false, false, gossip
	cfg.P2P.Listen = []string{"/ip4/127.0.0.1/tcp/0"}
	// A hundred agents born a moment ago that write thousands of entries a second are
	// what admission withholds from others. Here it judges them all the same, and has
	// room for them.
	const wide = 1 << 30
	a := &cfg.Admission
	for _, limit := range []*int{&a.PeerPerSecond, &a.AuthorPerMinute, &a.TreePerMinute, &a.GuildPerMinute, &a.HomePerMinute, &a.StrangersPerMinute, &a.GiverPerSecond, &a.AuthorBodies, &a.TreeBodies} {
		*limit = wide
	}
	a.AuthorBytes, a.TreeBytes = wide, wide
	cfg.Network.File, cfg.Network.Bootstrap = filepath.Join(dir, "network"), bootstrap
	text, err := change.NetworkFile{Genesis: change.Genesis{Name: "bench", Shards: 1, Start: 1767225600000}}.Encode()
	if err != nil {
		return nil, nil, err
	}
	if err := os.WriteFile(cfg.Network.File, []byte(text), 0o600); err != nil {
		return nil, nil, err
	}
	nd, err := node.Open(ctx, core.Options{Home: home, Config: cfg, Version: "bench", Documents: noDocs{}, Registerer: reg})
	if err != nil {
		return nil, nil, err
	}
	return nd, func() error { return errors.Join(nd.Close(), home.Close()) }, nil
}

// serve connects a node and returns what stops it.
func serve(nd *node.Node) (func(), error) {
	if err := nd.Connect(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := nd.Serve(ctx); err != nil && !errors.Is(err, context.Canceled) {
			fmt.Fprintln(os.Stderr, "serve:", err)
		}
	}()
	return func() { cancel(); <-done }, nil
}

// entries makes and judges n entries, for the agents that write them.
func entries(n, agents int) ([]gate.Passed, error) {
	out := make([]gate.Passed, n)
	return out, each(agents, func(i int) (err error) {
		for k := i; k < n && err == nil; k += agents {
			out[k], err = lessons.Entry(k, lessons.Domains[i%len(lessons.Domains)])
		}
		return err
	})
}

// write stores entries by many agents at once and waits for the last ack.
func write(ctx context.Context, nd *node.Node, all []gate.Passed, agents int) error {
	ids := make([]change.AgentID, agents)
	if err := each(agents, func(i int) error {
		key, _, err := nd.NewActingKey(ctx)
		if err != nil {
			return err
		}
		a, _, err := nd.OpenAgent(ctx, view.Genesis{KeyName: key, Name: fmt.Sprintf("agent-%03d", i)})
		ids[i] = a.ID
		return err
	}); err != nil {
		return err
	}
	return each(agents, func(i int) error {
		for k := i; k < len(all); k += agents {
			if _, err := nd.Contribute(ctx, ids[i], all[k], view.Submit{}); err != nil {
				return fmt.Errorf("entry %d: %w", k, err)
			}
		}
		return nil
	})
}

func each(n int, f func(i int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = f(i) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// equalWithin is how long nodes may take to become equal, on a busy machine too.
const equalWithin = 5 * time.Minute

// equal waits until every node shows the view of the first and has its sets.
func equal(nodes []*node.Node, entries int) error {
	for begun := time.Now(); ; {
		first, same := nodes[0].Status(), true
		for _, nd := range nodes {
			s := nd.Status()
			same = same && s.View == first.View && slices.Equal(s.Sets, first.Sets) && s.Entries == entries
		}
		if same {
			return nil
		}
		if time.Since(begun) > equalWithin {
			return fmt.Errorf("the nodes are not equal after %v: the first has %d entries in %v, the last %d in %v", equalWithin,
				first.Entries, first.Sets, nodes[len(nodes)-1].Status().Entries, nodes[len(nodes)-1].Status().Sets)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func three(ctx context.Context, n, agents int, gossip bool) error {
	dir, err := os.MkdirTemp("", "mesh-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var nodes []*node.Node
	var regs []*prometheus.Registry
	add := func() (*node.Node, error) {
		var boot []string
		if len(nodes) > 0 {
			boot = nodes[0].Addrs()
		}
		reg := prometheus.NewRegistry()
		nd, shut, err := open(ctx, filepath.Join(dir, fmt.Sprint(len(nodes))), gossip, boot, reg)
		if err != nil {
			return nil, err
		}
		stop, err := serve(nd)
		if err != nil {
			return nil, err
		}
		closers = append(closers, stop, func() { _ = shut() })
		nodes, regs = append(nodes, nd), append(regs, reg)
		return nd, nil
	}
	defer func() {
		for _, f := range closers {
			f()
		}
	}()
	for range 3 {
		if _, err := add(); err != nil {
			return err
		}
	}
	for _, nd := range nodes {
		for nd.Status().Peers == 0 {
			time.Sleep(5 * time.Millisecond)
		}
	}
	r := result{What: "meshd", Entries: n, Agents: agents, Gossip: gossip}
	start := time.Now()
	all, err := entries(n, agents)
	if err != nil {
		return err
	}
	r.GateS = time.Since(start).Seconds()
	start = time.Now()
	if err := write(ctx, nodes[0], all, agents); err != nil {
		return err
	}
	r.WriteS = time.Since(start).Seconds()
	if !gossip {
		for _, nd := range nodes[1:] {
			if _, _, err := nd.SyncNow(ctx, false); err != nil {
				return err
			}
		}
	}
	if err := equal(nodes, n); err != nil {
		return err
	}
	r.Converge = time.Since(start).Seconds()
	r.BytesIn = received(regs...)
	passes, _, err := nodes[1].SyncNow(ctx, false)
	if err != nil {
		return err
	}
	for _, p := range passes {
		r.IdleB = max(r.IdleB, p.BytesIn+p.BytesOut)
	}
	start = time.Now()
	if _, err := add(); err != nil {
		return err
	}
	if err := equal(nodes, n); err != nil {
		return err
	}
	r.Join = time.Since(start).Seconds()
	// Sessions are counted when they end; another pass waits for that.
	if _, _, err := nodes[3].SyncNow(ctx, false); err != nil {
		return err
	}
	r.JoinIn = received(regs[3])
	r.RSS = memory("VmHWM")
	return json.NewEncoder(os.Stdout).Encode(r)
}

var closers []func()

func one(ctx context.Context, n, agents int, _ bool) error {
	dir, err := os.MkdirTemp("", "mesh-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	nd, shut, err := open(ctx, dir, false, nil, prometheus.NewRegistry())
	if err != nil {
		return err
	}
	all, err := entries(n, agents)
	if err != nil {
		return err
	}
	if err := write(ctx, nd, all, agents); err != nil {
		return err
	}
	if err := shut(); err != nil {
		return err
	}
	// A separate process, or the memory of writing would be counted.
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, exe, "-reopen", dir, "-n", fmt.Sprint(n), "-agents", fmt.Sprint(agents))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// again measures a node that is opened from what an earlier process wrote.
func again(ctx context.Context, dir string, n, agents int) error {
	r := result{What: "meshd, one node, reopened", Entries: n, Agents: agents}
	start := time.Now()
	nd, shut, err := open(ctx, dir, false, nil, prometheus.NewRegistry())
	if err != nil {
		return err
	}
	r.OpenS = time.Since(start).Seconds()
	r.FeedMS, r.FeedMax = p95(200, func(i int) error {
		_, err := nd.Entries(ctx, view.EntryQuery{Limit: 20, Domains: []string{lessons.Domains[i%len(lessons.Domains)]}})
		return err
	})
	r.QueryMS, r.QueryMax = p95(200, func(i int) error {
		_, err := nd.Entries(ctx, view.EntryQuery{Limit: 20, Text: lessons.Text(i)[:40]})
		return err
	})
	r.RSS, r.Now = memory("VmHWM"), memory("VmRSS")
	return errors.Join(json.NewEncoder(os.Stdout).Encode(r), shut())
}

// received is what nodes took from reconciliation frames and gossip messages, in
// bytes, without what the transport adds.
func received(regs ...*prometheus.Registry) uint64 {
	sum := 0.0
	for _, reg := range regs {
		families, err := reg.Gather()
		if err != nil {
			fmt.Fprintln(os.Stderr, "gather:", err)
			continue
		}
		for _, f := range families {
			if f.GetName() != "meshd_sync_bytes_total" && f.GetName() != "meshd_p2p_gossip_bytes_total" {
				continue
			}
			for _, m := range f.GetMetric() {
				inward := true
				for _, l := range m.GetLabel() {
					inward = inward && l.GetValue() != "out"
				}
				if inward {
					sum += m.GetCounter().GetValue()
				}
			}
		}
	}
	return uint64(sum)
}

func p95(n int, f func(i int) error) (high, most float64) {
	took := make([]float64, n)
	for i := range took {
		start := time.Now()
		if err := f(i); err != nil {
			fmt.Fprintln(os.Stderr, "read:", err)
		}
		took[i] = float64(time.Since(start)) / float64(time.Millisecond)
	}
	slices.Sort(took)
	return took[n*95/100], took[n-1]
}

// memory reads a figure of /proc/self/status in MB; 0 where there is none.
func memory(key string) float64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		var kb float64
		if rest, ok := strings.CutPrefix(line, key+":"); ok {
			if _, err := fmt.Sscanf(rest, "%f kB", &kb); err == nil {
				return kb / 1024
			}
		}
	}
	return 0
}
