package world

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/node/exchange"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/p2p/simnet"
	"github.com/meshd/meshd/p2p/stranger"
)

// entryCost is what an entry may cost a node in memory, in bytes: the README measures
// 271 MB for 100,000 of them.
const entryCost = 2700

// changesOf is how many bytes the changes of a machine have as they travel.
func changesOf(t testing.TB, m *machine) (total int64) {
	t.Helper()
	n, _ := m.alive()
	var file bytes.Buffer
	if _, err := n.Export(t.Context(), &file, false); err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(file.Bytes()) {
		c, err := exchange.Read(line)
		if err != nil {
			t.Fatal(err)
		}
		total += int64(len(c.RawHead) + len(c.Body))
	}
	return total
}

// gauges are what a soak looks at.
type gauges struct {
	goroutines, descriptors int
	heap, disk              int64
	entries                 int
}

func gauge(ms []*machine) (g gauges) {
	g.goroutines = runtime.NumGoroutine()
	if open, err := os.ReadDir("/proc/self/fd"); err == nil { // 0 where there is no such folder
		g.descriptors = len(open)
	}
	g.heap = min(heapNow(), heapNow(), heapNow()) // pools are empty after the second
	for _, m := range ms {
		_ = filepath.WalkDir(filepath.Join(m.dir, store.StoreDir), func(_ string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				if info, err := e.Info(); err == nil {
					g.disk += info.Size()
				}
			}
			return nil
		})
	}
	n, _ := ms[0].alive()
	g.entries = n.Status().Entries
	return g
}

// Scenario 25: nodes run for hours under load, and a tenth of them stop and start
// every hour. Their memory does not grow but for what was written.
func TestScenario25Soak(t *testing.T) {
	n, hours, every := either(5, 20), either(3, 24), either(time.Minute, 10*time.Second)
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, 125, n)
		w.open(t, nil, w.machines...)
		w.within(t, 5*time.Minute, "the world forms", func() bool { return equal(w.machines...) })
		var authors []*stranger.Author
		for i := range 10 {
			authors = append(authors, stranger.NewAuthor(w.netID, fmt.Sprint("soak/", i)))
		}
		now := w.machines[0].now()
		n0, _ := w.machines[0].alive()
		if r, err := n0.Import(t.Context(), bytes.NewReader(w.history(t, authors, either(500, 20_000), now.Add(-24*time.Hour), now.Add(-time.Hour)))); err != nil || len(r.Refused) > 0 {
			t.Fatalf("%+v, %v", r, err)
		}
		w.within(t, 10*time.Minute, "all have the past", func() bool { return equal(w.machines...) })
		rng := simnet.Rand(w.Plan.Seed, "churn")
		next := uint64(0)
		churn := float64(0)
		hour := func() gauges {
			churn += float64(n) / 10
			var off *machine
			leaves := time.Duration(rng.Int64N(int64(50 * time.Minute)))
			for at := time.Duration(0); at < time.Hour; at += every {
				if at >= leaves && churn >= 1 && off == nil {
					churn--
					off = w.machines[1+rng.IntN(n-1)]
					if err := off.stop(); err != nil {
						t.Fatal(err)
					}
				}
				if off != nil && at >= leaves+5*time.Minute {
					if o, _ := off.alive(); o == nil {
						if err := off.start(); err != nil {
							t.Fatal(err)
						}
					}
				}
				if m := w.machines[int(next)%n]; m != off {
					if _, err := w.say(t.Context(), m, next); err != nil {
						t.Fatal(err)
					}
				}
				next++
				time.Sleep(every)
			}
			w.within(t, 5*time.Minute, "all agree at the end of an hour", func() bool { return equal(w.machines...) })
			return gauge(w.machines)
		}
		first := hour() // in which caches and windows fill
		last := first
		for range hours - 1 {
			last = hour()
		}
		span := float64(hours - 1)
		perHour := func(a, b int64) float64 { return 100 * float64(b-a) / float64(a) / span }
		goroutines := perHour(int64(first.goroutines), int64(last.goroutines))
		descriptors := perHour(int64(first.descriptors), int64(last.descriptors))
		heap := perHour(first.heap, last.heap)
		// What was written since is no leak: it may cost what an entry costs in memory.
		written := int64(last.entries-first.entries) * int64(n)
		net := perHour(first.heap, last.heap-written*entryCost)
		data, onDisk := int64(0), last.disk
		for _, m := range w.machines {
			data += changesOf(t, m)
		}
		amplification := float64(onDisk) / float64(data)
		t.Logf("scenario 25: %d nodes for %d h, %d entries, a tenth of the nodes started again each hour: goroutines %+.2f %%/h (%d to %d), descriptors %+.2f %%/h (%d to %d), heap %+.2f %%/h, %+.2f %%/h beyond %d bytes for each entry on each node (%d MB) (bar: < 1 %%/h); %d kB on disk, %.2f times the changes (bar: < 3)",
			n, hours, last.entries, goroutines, first.goroutines, last.goroutines, descriptors, first.descriptors, last.descriptors, heap, net, entryCost, last.heap>>20, onDisk>>10, amplification)
		// One more of what is counted, on each node, is a file or a connection that is open
		// at this moment and was not at that: no slope.
		if goroutines >= 1 && last.goroutines-first.goroutines > n {
			t.Errorf("%d goroutines after the first hour, %d after the last", first.goroutines, last.goroutines)
		}
		if descriptors >= 1 && last.descriptors-first.descriptors > n {
			t.Errorf("%d descriptors after the first hour, %d after the last", first.descriptors, last.descriptors)
		}
		if net >= 1 {
			t.Errorf("the heap grows by %.2f %% an hour beyond what was written", net)
		}
		if amplification >= 3 {
			t.Errorf("%.2f times the data on disk", amplification)
		}
	})
}
