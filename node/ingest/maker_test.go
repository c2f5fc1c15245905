package ingest_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/ingest"
)

// world is a network whose newcomers need no ticket. All in it follows from
// fixed seeds.
type world struct {
	genesis change.Genesis
	judge   *rules.Judge
	millis  int64 // a millisecond passes with each change
	made    map[change.ID]*change.Change
}

func newWorld(name string) *world {
	g := change.Genesis{Name: name, Shards: 1, Start: 1767225600000}
	j, err := rules.NewJudge(g)
	if err != nil {
		panic(err)
	}
	return &world{genesis: g, judge: j, millis: g.Start, made: map[change.ID]*change.Change{}}
}

// author is an agent that keeps the ends of its chains.
type author struct {
	w      *world
	key    *keys.Private
	id     change.AgentID
	record *change.Change // its newest binding
	tips   map[change.Chain]*change.Change
}

// agent makes an agent and its genesis.
func (w *world) agent(name string) *author {
	k := keys.FromSeed(sha256.Sum256([]byte("ingest " + name)))
	a := &author{w: w, key: k, id: change.DeriveAgent(w.judge.Net(), k.Key()), tips: map[change.Chain]*change.Change{}}
	a.bind(name)
	return a
}

// twin is the same key in another process: what both write next forks.
func (a *author) twin() *author {
	b := *a
	b.tips = maps.Clone(a.tips)
	return &b
}

func encode(v interface{ Encode() ([]byte, error) }) []byte {
	b, err := v.Encode()
	if err != nil {
		panic(err)
	}
	return b
}

func text(s string) string { return fmt.Sprintf("%s: what was learnt the hard way by somebody.", s) }

func entryBody(s string) []byte {
	return encode(body.Entry{Type: body.Gotcha, Text: text(s), Confidence: body.DefaultConfidence})
}

func (a *author) bind(name string) *change.Change {
	a.record = a.write(change.Draft{Space: a.id.Space(), Kind: change.KindBind, Body: encode(body.Bind{Name: name})})
	return a.record
}

func (a *author) entry(s string, deps ...change.ID) *change.Change {
	return a.write(change.Draft{Space: change.Commons("go"), Kind: change.KindEntryPut, Body: entryBody(s), Deps: deps})
}

func (a *author) retract(target *change.Change) *change.Change {
	return a.write(change.Draft{
		Space: target.Head.Space, Kind: change.KindEntryRetract, Body: encode(body.Retract{Target: target.ID}), Deps: []change.ID{target.ID},
	})
}

// unknown is a kind of a later release.
func (a *author) unknown() *change.Change {
	b, err := cbor.Encode(cbor.Map{"n": a.w.millis})
	if err != nil {
		panic(err)
	}
	return a.write(change.Draft{Space: change.Commons("go"), Kind: "entry.bless", Body: b})
}

// write fills in what d leaves open as an honest author does, and remembers it
// as the tip of its chain.
func (a *author) write(d change.Draft) *change.Change {
	c := a.seal(d)
	a.tips[c.Head.Chain()] = c
	a.w.made[c.ID] = c
	return c
}

func (a *author) seal(d change.Draft) *change.Change {
	if d.Net == (change.NetID{}) {
		d.Net = a.w.judge.Net()
	}
	if d.Seq == 0 {
		d.Seq = 1
		if t := a.tips[change.Chain{Author: a.key.Key(), Space: d.Space, Lane: change.LaneOf(d.Kind)}]; t != nil {
			d.Seq, d.Prev = t.Head.Seq+1, t.ID
		}
	}
	if d.Proof == nil && a.record != nil {
		d.Proof = []change.ID{a.record.ID}
	}
	if d.HLC == 0 {
		a.w.millis++
		d.HLC = uint64(a.w.millis) << 10
		for _, id := range slices.Concat(d.Deps, d.Proof, []change.ID{d.Prev}) {
			if c := a.w.made[id]; c != nil {
				d.HLC = max(d.HLC, c.Head.HLC+1)
			}
		}
	}
	return change.Seal(d, a.key)
}

// badSignature is a copy of c, with its id, whose own signature does not verify.
func badSignature(c *change.Change) *change.Change {
	h := *c.Head
	h.Sig[0] ^= 1
	return &change.Change{ID: c.ID, Head: &h, RawHead: h.Encode(), Body: c.Body}
}

// rig is an Ingest over a log in memory.
type rig struct {
	*ingest.Ingest
	t      rapid.TB
	w      *world
	log    *crdtlog.Log
	views  *fold.Views
	clock  atomic.Int64 // ms since 1970
	halted atomic.Pointer[chan struct{}]
	end    func() // ends Serve and waits for it; safe to call twice

	mu        sync.Mutex
	announced []change.ID
}

// open makes a rig that does not serve yet.
func open(t rapid.TB, w *world, e crdtlog.Engine) *rig {
	t.Helper()
	l, err := crdtlog.Open(context.Background(), e, w.genesis.Shards, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, w: w, log: l, views: fold.New(w.judge.Net())}
	r.replay(r.views)
	r.clock.Store(w.genesis.Start + time.Hour.Milliseconds())
	r.Ingest = ingest.New(ingest.Config{
		Judge: w.judge, Log: l, Views: r.views, Now: r.now,
		Applied: func(a ingest.Applied) {
			r.mu.Lock()
			defer r.mu.Unlock()
			for _, c := range a.Changes {
				r.announced = append(r.announced, c.Change.ID)
			}
		},
	})
	return r
}

// halt makes whoever asks for the time next wait until release.
func (r *rig) halt() (release func()) {
	stop := make(chan struct{})
	r.halted.Store(&stop)
	return func() { close(stop) }
}

func (r *rig) now() time.Time {
	if stop := r.halted.Swap(nil); stop != nil {
		<-*stop
	}
	return time.UnixMilli(r.clock.Load())
}

func (r *rig) serve() *rig {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.Serve(ctx) }()
	r.end = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			r.t.Errorf("serve: %v", err)
		}
	})
	return r
}

func newRig(t testing.TB, w *world) *rig {
	t.Helper()
	r := open(t, w, crdtlog.NewMemory()).serve()
	t.Cleanup(r.end)
	return r
}

func (r *rig) receive(from string, cs ...*change.Change) ingest.Outcome {
	r.t.Helper()
	out, err := r.Receive(context.Background(), from, "", cs)
	if err != nil {
		r.t.Fatalf("receive: %v", err)
	}
	return out
}

// take receives what must become members.
func (r *rig) take(cs ...*change.Change) {
	r.t.Helper()
	if out := r.receive("peer", cs...); out.New != len(cs) || len(out.Refused) > 0 {
		r.t.Fatalf("outcome %+v, want %d new", out, len(cs))
	}
}

func (r *rig) submit(a *author, s, mark string) (ingest.Receipt, error) {
	return r.Submit(context.Background(), ingest.Write{
		Signer: a.key, Space: change.Commons("go"), Kind: change.KindEntryPut, Body: entryBody(s), Proof: []change.ID{a.record.ID}, Mark: mark,
	})
}

func (r *rig) member(c *change.Change) bool {
	r.t.Helper()
	m, err := r.log.Member(c.ID)
	if err != nil {
		r.t.Fatal(err)
	}
	return m != nil
}

// state is what equal members make equal on every node.
func (r *rig) state() string {
	s := ""
	for _, name := range r.log.Sets() {
		n, fp := r.log.Set(name).FP()
		s += fmt.Sprintf("%s %d %s; ", name, n, hex.EncodeToString(fp[:]))
	}
	rows, fp := r.views.Hash()
	return s + fmt.Sprintf("view %d %s", rows, hex.EncodeToString(fp[:]))
}

func (r *rig) replay(v *fold.Views) {
	r.t.Helper()
	recs, err := r.log.Since(context.Background(), 0, 1<<20)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, rec := range recs {
		v.Apply(rec.Change)
	}
}

// sound checks that the log is whole and that the views stand for all of it.
func (r *rig) sound() {
	r.t.Helper()
	if err := r.log.Verify(context.Background(), true, func(p crdtlog.Problem) { r.t.Errorf("verify: %+v", p) }); err != nil {
		r.t.Fatal(err)
	}
	again := fold.New(r.w.judge.Net())
	r.replay(again)
	rows, fp := r.views.Hash()
	if rows2, fp2 := again.Hash(); rows != rows2 || fp != fp2 {
		r.t.Errorf("views have %d rows, the log makes %d", rows, rows2)
	}
}
