package log_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/crdt/rules"
)

// batches makes n batches of size entries by 100 authors, ready to be appended.
func batches(b *testing.B, n, size int) [][]rules.Verified {
	b.Helper()
	w := worldtest.New(71)
	authors := make([]*worldtest.Author, 100)
	var binds []rules.Verified
	for i := range authors {
		authors[i] = w.Agent(fmt.Sprint("author ", i))
		binds = append(binds, w.Verify(authors[i].Bind())...)
	}
	out := [][]rules.Verified{binds}
	for i := range n {
		var vs []rules.Verified
		for j := range size {
			text := fmt.Sprintf("Acknowledge a write only after the log is synced, as lesson %d of batch %d says.", j, i)
			c := authors[(i*7+j)%len(authors)].Entry("go", text)
			v, err := w.Judge.Check(c, rules.OwnSignature, w)
			if err != nil {
				b.Fatal(err)
			}
			vs = append(vs, v)
		}
		out = append(out, vs)
	}
	return out
}

var engines = map[string]func(dir string) (log.Engine, error){
	"pebble":  func(dir string) (log.Engine, error) { return engine.OpenPebble(dir, engine.Options{}) },
	"leveldb": engine.OpenLevelDB,
	"memory":  func(string) (log.Engine, error) { return log.NewMemory(), nil },
}

func fill(b *testing.B, dir string, openEngine func(dir string) (log.Engine, error), work [][]rules.Verified) (*log.Log, log.Engine) {
	b.Helper()
	e, err := openEngine(dir)
	if err != nil {
		b.Fatal(err)
	}
	l, err := log.Open(b.Context(), e, 1, nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, vs := range work {
		if _, err := l.Append(b.Context(), vs); err != nil {
			b.Fatal(err)
		}
	}
	return l, e
}

// BenchmarkAppend appends 20,000 changes in batches of 1,000 an iteration.
func BenchmarkAppend(b *testing.B) {
	const n, size = 20, 1000
	work := batches(b, n, size)
	for _, name := range []string{"pebble", "leveldb", "memory"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				i++
				_, e := fill(b, filepath.Join(b.TempDir(), fmt.Sprint(i)), engines[name], work)
				b.StopTimer()
				_ = e.Close()
				b.StartTimer()
			}
			b.ReportMetric(float64(n*size*b.N)/b.Elapsed().Seconds(), "changes/s")
		})
	}
}

// BenchmarkAppendOne appends one change at a time, each fsynced.
func BenchmarkAppendOne(b *testing.B) {
	work := batches(b, 1, 20000)
	l, e := fill(b, filepath.Join(b.TempDir(), "log"), engines["pebble"], work[:1])
	i := 0
	for b.Loop() {
		if i == len(work[1]) {
			b.Fatal("out of changes")
		}
		if _, err := l.Append(b.Context(), work[1][i:i+1]); err != nil {
			b.Fatal(err)
		}
		i++
	}
	_ = e.Close()
}

// BenchmarkRestart opens a log of 100,000 changes.
func BenchmarkRestart(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "log")
	l, e := fill(b, dir, engines["pebble"], batches(b, 100, 1000))
	raw, _ := l.AppendCheckpoint(nil)
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	for _, way := range []string{"checkpoint", "scan"} {
		b.Run(way, func(b *testing.B) {
			for b.Loop() {
				var cp *log.Checkpoint
				var err error
				if way == "checkpoint" {
					if cp, err = log.DecodeCheckpoint(raw); err != nil {
						b.Fatal(err)
					}
				}
				e, err := engines["pebble"](dir)
				if err != nil {
					b.Fatal(err)
				}
				l, err := log.Open(b.Context(), e, 1, cp)
				if err != nil || l.LastSeq() < 100000 {
					b.Fatal(err)
				}
				_ = e.Close()
			}
		})
	}
	e, err := engines["pebble"](dir)
	if err != nil {
		b.Fatal(err)
	}
	if l, err = log.Open(b.Context(), e, 1, nil); err != nil {
		b.Fatal(err)
	}
	b.Run("range", func(b *testing.B) {
		n := 0
		for b.Loop() {
			var after recon.Item
			for {
				rs, err := l.Range(b.Context(), "open/0", after, 4096, 1<<20)
				if err != nil {
					b.Fatal(err)
				}
				if len(rs) == 0 {
					break
				}
				n += len(rs)
				after = rs[len(rs)-1].Item()
			}
		}
		b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "changes/s")
	})
	b.Run("verify", func(b *testing.B) {
		for b.Loop() {
			if err := l.Verify(b.Context(), true, func(p log.Problem) { b.Errorf("%+v", p) }); err != nil {
				b.Fatal(err)
			}
		}
	})
	_ = e.Close()
}

// BenchmarkGet reads changes at random of 50,000, by caches of blocks of several sizes,
// from files that the system has in memory.
func BenchmarkGet(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "log")
	work := batches(b, 50, 1000)
	_, e := fill(b, dir, engines["pebble"], work)
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	for _, mib := range []int64{8, 16, 64} {
		b.Run(fmt.Sprint(mib, "MiB"), func(b *testing.B) {
			e, err := engine.OpenPebble(dir, engine.Options{CacheBytes: mib << 20})
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			l, err := log.Open(b.Context(), e, 1, nil)
			if err != nil {
				b.Fatal(err)
			}
			random := rand.New(rand.NewPCG(1, 2))
			b.ReportAllocs()
			for b.Loop() {
				vs := work[1+random.IntN(len(work)-1)]
				if _, err := l.Get(b.Context(), vs[random.IntN(len(vs))].Change().ID); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
