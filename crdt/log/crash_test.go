package log_test

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/crdt/reason"
)

// open opens Pebble and a log on fs.
func open(t testing.TB, fs vfs.FS) (*log.Log, log.Engine) {
	t.Helper()
	e, err := engine.OpenPebble("store", engine.Options{FS: fs, CacheBytes: 1 << 20})
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

// workload is so many batches of all sizes with marks, forks and stubs, and between
// them every other way to write.
func workload(t testing.TB, seed uint64, batches int) []step {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	w := worldtest.New(seed)
	authors := []*worldtest.Author{w.Agent("ada"), w.Agent("bo")}
	var steps []step
	var entries, stubs []*change.Change
	for i := range batches {
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

	one int // of the three shares, which a boundary begins with, when it takes one alone; else -1

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
		shares := []int{0, 50, 100}
		if c.one >= 0 {
			shares = shares[(c.one+len(c.taken))%3:][:1]
		}
		for _, percent := range shares {
			fs := c.mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: c.rng})
			c.taken = append(c.taken, clone{fs, c.acked, percent})
		}
	}
	return nil
}

func (c *clones) String() string { return "clone at every sync" }

var crashFrom = flag.Uint64("crash.from", 1, "first seed of scenario 6")

// TestScenario06Crash: a crash at every fsync of a store, with nothing, half and all
// of what was not synced. Whatever was acknowledged is there, and of what was under
// way all or nothing. Most stories are short, so that there are many; each hundredth
// is long, with restarts in it. Every day a boundary takes one of the three shares,
// at night all.
func TestScenario06Crash(t *testing.T) {
	t.Parallel()
	seeds, nightly := uint64(200), os.Getenv("MESHD_NIGHTLY") == "1"
	switch {
	case nightly:
		seeds = 10_000
	case testing.Short():
		seeds = 40
	}
	var total crashes
	for seed := *crashFrom; seed < *crashFrom+seeds; seed++ {
		batches, one := 1+int(seed%2), int(seed%3)
		if seed%100 == 0 {
			batches = 12
		}
		if nightly {
			one = -1
		}
		c := crashEverywhere(t, seed, batches, one)
		total.n += c.n
		total.slowest = max(total.slowest, c.slowest)
		if t.Failed() {
			t.Fatalf("again: go test ./crdt/log -run %s -crash.from %d", t.Name(), seed)
		}
	}
	tail, took := recoverTail(t)
	t.Logf("scenario 06: %d seeds, %d crashes at fsync boundaries with 0, 50 and 100 %% of unsynced data: all opened, 0 acknowledged writes lost, 0 half writes visible, slowest recovery %v, a log tail of %.1f MB recovered in %v, that is %.1f s per GB (bar: 0, 0, 2 s per GB)",
		seeds, total.n, total.slowest.Round(time.Millisecond), float64(tail)/1e6, took.Round(time.Millisecond), took.Seconds()*1e9/float64(tail))
}

// crashes are how many there were, and the time to open a store after the worst.
type crashes struct {
	n       int
	slowest time.Duration
}

func crashEverywhere(t *testing.T, seed uint64, batches, one int) (out crashes) {
	t.Helper()
	mem := vfs.NewCrashableMem()
	c := &clones{mem: mem, rng: rand.New(rand.NewPCG(seed, 2)), one: one}
	fs := errorfs.Wrap(mem, c)
	l, e := open(t, fs)
	digests := []string{digest(t, l)} // after that many steps
	for i, s := range workload(t, seed, batches) {
		if err := s(l); err != nil {
			t.Fatalf("seed %d: step %d: %v", seed, i, err)
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
	if len(c.taken) < len(digests) {
		t.Fatalf("seed %d: %d clones of %d steps", seed, len(c.taken), len(digests))
	}
	for i, k := range c.taken {
		start := time.Now()
		l, e := open(t, k.fs)
		out.slowest = max(out.slowest, time.Since(start))
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
			return out
		}
	}
	out.n = len(c.taken)
	return out
}

// recoverTail crashes a store whose last changes lie in its write-ahead log alone, as
// many as a table in memory takes, and returns the size of that and how long opening
// it took.
func recoverTail(t *testing.T) (bytes int64, took time.Duration) {
	t.Helper()
	mem := vfs.NewCrashableMem()
	l, _ := open(t, mem)
	w := worldtest.New(6)
	ada := w.Agent("ada")
	cs := []*change.Change{ada.Bind()}
	for i := range 4000 {
		cs = append(cs, ada.Entry("go", fmt.Sprint(i, strings.Repeat(" word", 700))))
		if len(cs) == 500 {
			if _, err := l.Append(t.Context(), w.Verify(cs...)); err != nil {
				t.Fatal(err)
			}
			cs = nil
		}
	}
	want := l.LastSeq()
	crashed := mem.CrashClone(vfs.CrashCloneCfg{})
	names, err := crashed.List("store")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".log") {
			info, err := crashed.Stat(crashed.PathJoin("store", name))
			if err != nil {
				t.Fatal(err)
			}
			bytes += info.Size()
		}
	}
	start := time.Now()
	e, err := engine.OpenPebble("store", engine.Options{FS: crashed, CacheBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer shut(t, e)
	l, err = log.Open(t.Context(), e, 1, nil)
	took = time.Since(start)
	if err != nil || l.LastSeq() != want || bytes < 1<<20 {
		t.Errorf("%d changes of %d after a crash with %d bytes of tail, %v", l.LastSeq(), want, bytes, err)
	}
	return bytes, took
}
