package fold_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
)

// entries are n entries by n/100 agents in 20 domains, bindings first, every
// tenth citing another.
func entries(b *testing.B, n int) (change.NetID, []*change.Change) {
	b.Helper()
	w := worldtest.New(1)
	var cs []*change.Change
	var authors []*worldtest.Author
	for i := range max(n/100, 1) {
		a := w.Agent(fmt.Sprint("agent ", i))
		authors, cs = append(authors, a), append(cs, a.Bind())
	}
	for i := range n {
		v := entryOf(fmt.Sprint("lesson ", i), func(v *body.Entry) {
			v.Tags = []string{"storage", fmt.Sprint("tag", i%50)}
			if i%10 == 9 {
				v.Reuses = []change.ID{cs[len(cs)-3].ID}
			}
		})
		cs = append(cs, authors[i%len(authors)].EntryAs(fmt.Sprint("domain", i%20), v))
	}
	return w.Net, cs
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func BenchmarkApply(b *testing.B) {
	net, cs := entries(b, 10_000)
	before := heap()
	var v *fold.Views
	for b.Loop() {
		v = fold.New(net)
		apply(v, cs...)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(cs)), "ns/change")
	b.ReportMetric(float64(heap()-before)/10_000, "B/entry")
	runtime.KeepAlive(v)
	runtime.KeepAlive(cs)
}

// BenchmarkJoin takes one more member into a guild beside n entries of others.
func BenchmarkJoin(b *testing.B) {
	for _, n := range []int{1_000, 30_000} {
		b.Run(fmt.Sprint("entries=", n), func(b *testing.B) {
			net, cs := entries(b, n)
			v := fold.New(net)
			apply(v, cs...)
			w := worldtest.New(1)
			ada := w.Agent("founder")
			apply(v, ada.Bind())
			guild := ada.OpenGuild("Gophers", body.Public)
			apply(v, guild)
			var grants []*change.Change
			for i := range min(b.N, 500) {
				late := w.Agent(fmt.Sprint("late ", i))
				apply(v, late.Bind())
				grants = append(grants, ada.Member(guild, late, "member"))
			}
			b.ResetTimer()
			for i := range b.N {
				v.Apply(grants[i%len(grants)])
			}
		})
	}
}

func BenchmarkLoad100k(b *testing.B) {
	net, cs := entries(b, 100_000)
	v := fold.New(net)
	apply(v, cs...)
	raw := v.AppendCheckpoint(nil)
	for b.Loop() {
		if _, err := fold.Load(net, raw); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(raw))/100_000, "B/entry")
}

func BenchmarkAppendCheckpoint100k(b *testing.B) {
	net, cs := entries(b, 100_000)
	v := fold.New(net)
	apply(v, cs...)
	var raw []byte
	for b.Loop() {
		raw = v.AppendCheckpoint(raw[:0])
	}
}

func BenchmarkAgents(b *testing.B) {
	net, cs := entries(b, 10_000)
	v := fold.New(net)
	apply(v, cs...)
	for b.Loop() {
		v.Agents()
	}
}

func BenchmarkHash(b *testing.B) {
	net, cs := entries(b, 10_000)
	v := fold.New(net)
	apply(v, cs...)
	for b.Loop() {
		v.Hash()
	}
}
