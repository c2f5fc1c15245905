package sync

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/identity/keys"
)

var (
	testNet = change.NetID{1, 2, 3}
	author  = keys.FromSeed([32]byte{7})
)

// fabricate makes the k-th change: a well-formed one whose signature is zero.
// Judging signatures is the replica's part, and the fake one below has none.
func fabricate(k int, past ...*change.Change) *change.Change {
	var body [24]byte
	binary.BigEndian.PutUint64(body[:], uint64(k))
	h := change.Head{
		HLC: uint64(1_767_225_600_000+k) << 10, Net: testNet, Seq: 1, Kind: change.KindEntryPut,
		Space: change.Commons("go"), Author: author.Key(), Size: len(body), BodyHash: change.ID(hash(body[:])),
	}
	for _, p := range past {
		h.Deps = append(h.Deps, p.ID)
		h.HLC = max(h.HLC, p.Head.HLC+1)
	}
	slices.SortFunc(h.Deps, change.ID.Compare)
	c, err := change.Decode(h.Encode(), body[:])
	if err != nil {
		panic(err)
	}
	return c
}

func span(from, to int) []*change.Change {
	var cs []*change.Change
	for k := from; k < to; k++ {
		cs = append(cs, fabricate(k))
	}
	return cs
}

// fake is a Replica in maps. It takes every change whose past is here, and
// keeps the others until it is.
type fake struct {
	mu       sync.Mutex // guards what follows
	names    []string
	sets     map[string]*recon.Set
	items    map[string]map[prefix]recon.Item
	changes  map[change.ID]*change.Change
	waiting  map[change.ID]waiting
	refused  []reason.Code
	received int
	runs     map[change.ID][]*change.Change // what proves a change
	deny     func(*change.Change) reason.Code
}

type waiting struct {
	set string
	c   *change.Change
}

func newFake(names ...string) *fake {
	f := &fake{
		names: names, sets: make(map[string]*recon.Set), items: make(map[string]map[prefix]recon.Item),
		changes: make(map[change.ID]*change.Change), waiting: make(map[change.ID]waiting),
		runs: make(map[change.ID][]*change.Change),
	}
	for _, n := range names {
		f.sets[n] = recon.NewSet()
		f.items[n] = make(map[prefix]recon.Item)
	}
	return f
}

func (f *fake) put(set string, cs ...*change.Change) *fake {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range cs {
		f.insert(set, c)
	}
	return f
}

func (f *fake) insert(set string, c *change.Change) {
	it := recon.Item{HLC: c.Head.HLC, ID: c.ID}
	f.sets[set].Insert(it)
	f.items[set][prefixOf(it.ID[:])] = it
	f.changes[c.ID] = c
}

func (f *fake) Sets() []string             { return f.names }
func (f *fake) Set(name string) *recon.Set { return f.sets[name] }

func (f *fake) Items(_ context.Context, set string, ids [][]byte) ([]recon.Item, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var items []recon.Item
	for _, id := range ids {
		it, ok := f.items[set][prefixOf(id)]
		if ok && (len(id) == prefixSize || change.ID(id) == it.ID) {
			items = append(items, it)
		}
	}
	return items, nil
}

func (f *fake) Changes(_ context.Context, _ string, items []recon.Item) ([]Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var runs []Run
	for _, it := range items {
		if c := f.changes[it.ID]; c != nil {
			runs = append(runs, append(Run{c}, f.runs[it.ID]...))
		}
	}
	return runs, nil
}

func (f *fake) Receive(ctx context.Context, _ peer.ID, set string, cs []*change.Change) (Outcome, error) {
	if err := ctx.Err(); err != nil {
		return Outcome{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var out Outcome
	f.received += len(cs)
	for _, c := range cs {
		if f.deny != nil {
			if code := f.deny(c); code != "" {
				out.Refused = map[reason.Code]int{code: out.Refused[code] + 1}
				continue
			}
		}
		f.waiting[c.ID] = waiting{set, c}
	}
	for again := true; again; {
		again = false
		for id, w := range f.waiting {
			switch {
			case f.changes[id] != nil:
				out.Duplicates++
			case !slices.ContainsFunc(w.c.Head.Deps, f.absent):
				f.insert(w.set, w.c)
				out.New++
			default:
				continue
			}
			delete(f.waiting, id)
			again = true
		}
	}
	for _, w := range f.waiting {
		out.Deferred++
		for _, d := range w.c.Head.Deps {
			if f.absent(d) {
				out.Missing = append(out.Missing, d)
			}
		}
	}
	return out, nil
}

func (f *fake) absent(id change.ID) bool { return f.changes[id] == nil }

func (f *fake) Refused(_ peer.ID, code reason.Code) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refused = append(f.refused, code)
}

func (f *fake) blamed() []reason.Code {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.refused)
}

func (f *fake) ids() []change.ID {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.SortedFunc(maps.Keys(f.changes), change.ID.Compare)
}

var _ Replica = (*fake)(nil)

// fixedNow keeps the size of hellos the same.
func fixedNow() time.Time { return time.UnixMilli(1_790_000_000_000) }

func endpointOf(t testing.TB, r Replica) endpoint {
	t.Helper()
	c, err := newCodec()
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Net: testNet, Agent: "meshd/1.0.0", Now: fixedNow}.withDefaults()
	return endpoint{cfg: cfg, replica: r, codec: c, met: newMetrics(nil, func() float64 { return 0 })}
}

func anyTime() bool { return true }

// over runs a session from a to b through what lies between them.
func over(t testing.TB, a, b endpoint, ours, theirs net.Conn) (PassReport, *answerer) {
	t.Helper()
	ans := b.answerer(t.Context(), theirs, "a", anyTime)
	over := make(chan struct{})
	go func() {
		defer close(over)
		if err := ans.run(); err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Logf("answerer: %v", err)
		}
		theirs.Close()
	}()
	r := a.asker(t.Context(), ours, "b", newCursors()).run()
	ours.Close()
	<-over
	return r, ans
}

// meet runs one session from a to b.
func meet(t testing.TB, a, b *fake) (PassReport, *answerer) {
	t.Helper()
	ours, theirs := net.Pipe()
	return over(t, endpointOf(t, a), endpointOf(t, b), ours, theirs)
}

func mustEqual(t testing.TB, a, b *fake) {
	t.Helper()
	if x, y := a.ids(), b.ids(); !slices.Equal(x, y) {
		t.Fatalf("sets differ: %d and %d changes", len(x), len(y))
	}
	for _, name := range a.names {
		if stateOf(name, a.Set(name)) != stateOf(name, b.Set(name)) {
			t.Fatalf("fingerprints of %s differ", name)
		}
	}
}
