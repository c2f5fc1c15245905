package log_test

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
)

// open opens Pebble and a log on fs.
func open(t testing.TB, fs vfs.FS) (*log.Log, log.Engine) {
	t.Helper()
	e, err := log.OpenPebble("store", log.EngineOptions{FS: fs, CacheBytes: 1 << 20})
	if err != nil {
		t.Fatalf("open engine: %v", err)
	}
	l, err := log.Open(t.Context(), e, 1, nil)
	if err != nil {
		t.Fatalf("open log: %v", err)
	}
	return l, e
}

func shut(t testing.TB, e log.Engine) {
	t.Helper()
	if err := e.Close(); err != nil {
		t.Fatalf("close engine: %v", err)
	}
}

// digest is everything a log says, of records, sets, counts and marks.
func digest(t testing.TB, l *log.Log) string {
	t.Helper()
	h := sha256.New()
	rs, err := l.Since(t.Context(), 0, 1<<30)
	if err != nil {
		t.Fatalf("since: %v", err)
	}
	for _, r := range rs {
		fmt.Fprintf(h, "%d %s %x %x %s %v %v %s %s\n", r.Seq, r.Change.ID, r.Change.RawHead, r.Change.Body, r.Set, r.Own, r.State, r.Reason, r.Held)
		at, err := l.At(t.Context(), r.Change.Head.Chain(), r.Change.Head.Seq)
		if err != nil {
			t.Fatalf("at: %v", err)
		}
		id, seq, hlc, forked, err := l.Tip(t.Context(), r.Change.Head.Chain())
		fmt.Fprintf(h, "%s\n%s %d %d %v %v\n", at, id, seq, hlc, forked, err)
	}
	for _, name := range l.Sets() {
		n, fp := l.Set(name).FP()
		fmt.Fprintf(h, "%s %d %x\n", name, n, fp)
	}
	for i := range 64 {
		v, _ := l.Mark(t.Context(), fmt.Sprint("mark ", i))
		fmt.Fprintf(h, "%q\n", v)
	}
	fmt.Fprintf(h, "%+v %d\n", l.Counts(), l.LastSeq())
	return hex.EncodeToString(h.Sum(nil))
}

// step is one durable operation; done twice it is as done once.
type step func(l *log.Log) error

// workload is batches of all sizes with marks, forks and stubs, and between them
// every other way to write.
func workload(t testing.TB, seed uint64) []step {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	w := worldtest.New(seed)
	authors := []*worldtest.Author{w.Agent("ada"), w.Agent("bo")}
	var steps []step
	var entries, stubs []*change.Change
	for i := range 12 {
		a := authors[rng.IntN(len(authors))]
		var cs []*change.Change
		if a.Binding == nil {
			cs = append(cs, a.Bind())
		}
		twin := a.Clone()
		for range 1 + rng.IntN(12) {
			e := a.Entry("go", strings.Repeat("x", rng.IntN(2000)))
			if rng.IntN(4) == 0 {
				stubs = append(stubs, e)
				e = e.Stub()
			} else {
				entries = append(entries, e)
			}
			cs = append(cs, e)
		}
		if rng.IntN(3) == 0 {
			cs = append(cs, twin.Entry("go", "fork"))
		}
		vs, mark := w.Verify(cs...), log.Mark{Key: fmt.Sprint("mark ", i), Value: []byte{byte(i)}}
		steps = append(steps, func(l *log.Log) error {
			_, err := l.Append(t.Context(), vs, mark)
			return err
		})
		if len(entries) == 0 {
			continue
		}
		c := entries[rng.IntN(len(entries))]
		switch rng.IntN(3) {
		case 0:
			steps = append(steps, func(l *log.Log) error { return l.Purge(t.Context(), c.ID, reason.Purged) })
		case 1:
			steps = append(steps, func(l *log.Log) error { return l.Hold(t.Context(), c.ID, reason.Quarantined) })
		default:
			if len(stubs) == 0 {
				continue
			}
			stub := stubs[0]
			stubs = stubs[1:]
			steps = append(steps, func(l *log.Log) error {
				_, err := l.PutBody(t.Context(), stub.ID, stub.Body, "")
				return err
			})
		}
	}
	return steps
}

// clones takes crash clones of a file system at its sync boundaries.
type clones struct {
	mem *vfs.MemFS
	rng *rand.Rand

	mu    sync.Mutex
	acked int // steps that returned
	taken []clone
}

type clone struct {
	fs    *vfs.MemFS
	acked int
	kept  int // percent of what was not synced
}

// MaybeError takes a clone before each sync.
func (c *clones) MaybeError(op errorfs.Op) error {
	switch op.Kind {
	case errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileSyncTo:
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, percent := range []int{0, 50, 100} {
			fs := c.mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: c.rng})
			c.taken = append(c.taken, clone{fs, c.acked, percent})
		}
	}
	return nil
}

func (c *clones) String() string { return "clone at every sync" }

var crashSeeds = flag.Uint64("crash.seeds", 1, "how many workloads to crash at every sync")

func TestCrashAtEverySyncLosesNothingAcknowledged(t *testing.T) {
	t.Parallel()
	for seed := uint64(1); seed <= *crashSeeds; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			crashEverywhere(t, seed)
		})
	}
}

func crashEverywhere(t *testing.T, seed uint64) {
	mem := vfs.NewCrashableMem()
	c := &clones{mem: mem, rng: rand.New(rand.NewPCG(seed, 2))}
	fs := errorfs.Wrap(mem, c)
	l, e := open(t, fs)
	digests := []string{digest(t, l)} // after that many steps
	for i, s := range workload(t, seed) {
		if err := s(l); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		digests = append(digests, digest(t, l))
		c.mu.Lock()
		c.acked = i + 1
		c.mu.Unlock()
		if i%10 == 9 { // restarts are moments too
			shut(t, e)
			l, e = open(t, fs)
		}
	}
	shut(t, e)
	if len(c.taken) < 3*len(digests) {
		t.Fatalf("%d clones of %d steps", len(c.taken), len(digests))
	}
	for i, k := range c.taken {
		l, e := open(t, k.fs)
		got := digest(t, l)
		want := digests[k.acked:min(k.acked+2, len(digests))]
		if !slices.Contains(want, got) {
			t.Errorf("seed %d: clone %d, %d steps acknowledged, %d %% of the rest kept: holds step %d",
				seed, i, k.acked, k.kept, slices.Index(digests, got))
		}
		err := l.Verify(t.Context(), true, func(p log.Problem) { t.Errorf("seed %d: clone %d: %+v", seed, i, p) })
		if err != nil {
			t.Errorf("seed %d: clone %d: verify: %v", seed, i, err)
		}
		shut(t, e)
		if t.Failed() {
			return
		}
	}
	t.Logf("seed %d: %d crashes in %d steps", seed, len(c.taken), len(digests)-1)
}
