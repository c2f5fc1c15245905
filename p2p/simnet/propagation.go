package simnet

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/p2p/topic"
)

// Result is how messages spread through a world.
type Result struct {
	Nodes, Messages int
	P50, P99, Max   time.Duration // virtual, from publishing to a verdict
	Delivered       float64       // share of the nodes × messages that came, 1 is all
}

// String is one line for people.
func (r Result) String() string {
	return fmt.Sprintf("nodes=%d messages=%d p50=%v p99=%v max=%v delivered=%.4f", r.Nodes, r.Messages, r.P50, r.P99, r.Max, r.Delivered)
}

const (
	formTime    = 10 * time.Second       // for the mesh to form
	publishGap  = 100 * time.Millisecond // between two messages
	settleTime  = 20 * time.Second       // for the last message to spread, by advertisement if need be
	messageBody = 700                    // bytes; with its head a message has 1 kB
)

// Propagation builds a world of nodes, publishes messages of 1 kB from nodes
// chosen by the seed, and measures how they spread by gossip alone. It is
// called inside a synctest bubble, so that its waiting is virtual.
func Propagation(t testing.TB, nodes, messages int, seed uint64) Result {
	t.Helper()
	w := NewWorld(t, seed, nodes, Config{})
	net, err := change.Builtin().ID()
	if err != nil {
		t.Fatal(err)
	}
	all := &arrivals{sent: make(map[change.ID]time.Time), seen: make(map[arrival]bool)}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		wg.Wait()
	})
	var gossips []*topic.Gossip
	for i, h := range w.Hosts {
		g, err := topic.New(h, topic.Config{
			Net: net, Shards: 1, Sets: []string{openSet},
			Judge: node{all, i}, Fetcher: node{all, i}, Guard: h.Guard(),
		})
		if err != nil {
			t.Fatalf("join topics at node %d: %v (seed=%d)", i, err, seed)
		}
		gossips = append(gossips, g)
		wg.Go(func() { _ = g.Serve(ctx) })
	}
	w.Connect(t, 8)
	time.Sleep(formTime)
	rng := Rand(seed, "publishers")
	for k := range messages {
		c := Entry(net, seed, uint64(k), messageBody)
		from := rng.IntN(nodes)
		all.publish(c.ID, from)
		if err := gossips[from].Publish(ctx, openSet, c); err != nil {
			t.Fatalf("publish: %v (seed=%d)", err, seed)
		}
		time.Sleep(publishGap)
	}
	time.Sleep(settleTime)
	return all.result(nodes, messages)
}

// openSet is the only open set of a network with one shard.
const openSet = "open/0"

// Entry is the n-th entry of an author made from seed, with a body of about
// size bytes. Its proof is missing: it is for tests of transport.
func Entry(net change.NetID, seed, n uint64, size int) *change.Change {
	var key [keys.SeedSize]byte
	binary.LittleEndian.PutUint64(key[:], seed+1)
	text := make([]byte, max(0, size-30))
	rng := Rand(seed, fmt.Sprintf("text/%d", n))
	for i := range text {
		text[i] = 'a' + byte(rng.IntN(26))
	}
	body := cbor.AppendMap(nil, 2)
	body = cbor.AppendText(cbor.AppendText(body, "text"), string(text))
	body = cbor.AppendText(cbor.AppendText(body, "type"), "gotcha")
	d := change.Draft{
		Net: net, Space: change.Commons("go"), Kind: change.KindEntryPut, Body: body,
		HLC: uint64(change.Builtin().Start)<<10 + n, Seq: n + 1,
	}
	if n > 0 {
		binary.LittleEndian.PutUint64(d.Prev[:], n)
	}
	return change.Seal(d, keys.FromSeed(key))
}

type arrival struct {
	id change.ID
	at int
}

// arrivals books what comes where and when.
type arrivals struct {
	mu    sync.Mutex // guards all below
	sent  map[change.ID]time.Time
	seen  map[arrival]bool
	times []time.Duration
}

func (a *arrivals) publish(id change.ID, from int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sent[id] = time.Now()
	a.seen[arrival{id, from}] = true
}

func (a *arrivals) came(id change.ID, at int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if k := (arrival{id, at}); !a.seen[k] {
		a.seen[k] = true
		a.times = append(a.times, time.Since(a.sent[id]))
	}
}

func (a *arrivals) result(nodes, messages int) Result {
	a.mu.Lock()
	defer a.mu.Unlock()
	r := Result{Nodes: nodes, Messages: messages}
	if len(a.times) == 0 {
		return r
	}
	slices.Sort(a.times)
	at := func(share float64) time.Duration { return a.times[int(share*float64(len(a.times)-1))] }
	r.P50, r.P99, r.Max = at(0.5), at(0.99), at(1)
	r.Delivered = float64(len(a.times)) / float64(messages*(nodes-1))
	return r
}

// node accepts all that comes to one node.
type node struct {
	all *arrivals
	i   int
}

func (n node) Judge(_ context.Context, _ peer.ID, _ string, c *change.Change) reason.Code {
	n.all.came(c.ID, n.i)
	return ""
}

func (n node) FetchChanges(context.Context, peer.ID, string, []change.ID) ([]*change.Change, error) {
	return nil, nil // no message here is so large that its body is pulled
}
