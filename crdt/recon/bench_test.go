package recon

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
)

const million = 1_000_000

// randomItems are n items with random ids, cheaper to make than hashes.
func randomItems(n int) []Item {
	rnd := rand.New(rand.NewPCG(5, 6))
	items := make([]Item, n)
	for i := range items {
		items[i].HLC = (1767225600000 + uint64(i)) * 1024
		for j := 0; j < 32; j += 8 {
			word := rnd.Uint64()
			for k := range 8 {
				items[i].ID[j+k] = byte(word >> (8 * k))
			}
		}
	}
	return items
}

// largeItems are a little over a million, so that some can be left out.
var largeItems = sync.OnceValue(func() []Item { return randomItems(million + 5000) })

// largeSet contains the first million; it is not to be changed.
var largeSet = sync.OnceValue(func() *Set { return setOf(largeItems()[:million]) })

var largeCheckpoint = sync.OnceValue(func() []byte {
	b, err := largeSet().AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	return b
})

func load(b testing.TB) *Set {
	b.Helper()
	s, err := Load(largeCheckpoint())
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// without is the large set less n members chosen at random. The sketch is taken
// along by taking their items out of it.
func without(b testing.TB, n int) *Set {
	b.Helper()
	gone := make(map[int]bool)
	rnd := rand.New(rand.NewPCG(7, uint64(n)))
	for len(gone) < n {
		gone[rnd.IntN(million)] = true
	}
	s := NewSet()
	kept := *largeSet().kept
	left := make([]Item, 0, million)
	for i, it := range largeItems()[:million] {
		if !gone[i] {
			left = append(left, it)
			continue
		}
		remove(&kept, prefix(it.ID))
	}
	for len(left) > 0 {
		n := s.tree.runLength(left)
		s.tree.appendRun(left[:n])
		left = left[n:]
	}
	s.kept = &kept
	return s
}

// Appending to a set of a million, the usual case: tree and sketch.
func BenchmarkInsertAtEnd(b *testing.B) {
	s := load(b)
	last := largeItems()[len(largeItems())-1].HLC
	b.ResetTimer()
	for i := range b.N {
		s.Insert(Item{HLC: last + uint64(i) + 1, ID: largeItems()[i%million].ID})
	}
}

// Inserting anywhere in a set of a million.
func BenchmarkInsertAnywhere(b *testing.B) {
	s := load(b)
	span := largeItems()[million].HLC - largeItems()[0].HLC
	rnd := rand.New(rand.NewPCG(8, 9))
	b.ResetTimer()
	for i := range b.N {
		s.Insert(Item{HLC: largeItems()[0].HLC + rnd.Uint64N(span), ID: largeItems()[i%million].ID})
	}
}

// The tree's part of an insert at the end, without the sketch.
func BenchmarkTreeInsert(b *testing.B) {
	s := load(b)
	last := largeItems()[len(largeItems())-1].HLC
	b.ResetTimer()
	for i := range b.N {
		s.tree.insert(Item{HLC: last + uint64(i) + 1, ID: largeItems()[i%million].ID})
	}
}

// The sketch's part of an insert.
func BenchmarkSketchToggle(b *testing.B) {
	cells := *largeSet().kept
	members := 0
	for i := range b.N {
		toggle(cells[:], prefix(largeItems()[i%million].ID))
	}
	b.StopTimer()
	for _, it := range largeItems()[:1000] {
		for w := newWalk(check(prefix(it.ID))); w.i < MaxSymbols; w.step() {
			members++
		}
	}
	b.ReportMetric(float64(members)/1000, "symbols/id")
}

func BenchmarkSketchCopy(b *testing.B) {
	for range b.N {
		largeSet().Sketch()
	}
}

// The largest set whose sketch is not kept.
func BenchmarkSketchComputed(b *testing.B) {
	s := setOf(randomItems(sketchFrom - 1))
	b.ResetTimer()
	for range b.N {
		s.Sketch()
	}
}

// Memory of a set of a million, laid down in order and in random order, beside
// its sketch of 256 KiB.
func BenchmarkMemory(b *testing.B) {
	items := largeItems()[:million]
	for _, order := range []string{"ordered", "random"} {
		b.Run(order, func(b *testing.B) {
			at := func(i int) int { return i }
			if order == "random" {
				perm := rand.New(rand.NewPCG(1, 1)).Perm(million)
				at = func(i int) int { return perm[i] }
			}
			for range b.N {
				before := heap()
				s := NewSet()
				for i := range items {
					s.tree.insert(items[at(i)])
				}
				b.ReportMetric(float64(heap()-before)/million, "B/id")
				runtime.KeepAlive(s)
			}
		})
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// The first answer to a session over a million, equal and not.
func BenchmarkRespond(b *testing.B) {
	other := without(b, 1000)
	for name, asker := range map[string]*Set{"equal": largeSet(), "differs": other, "empty": NewSet()} {
		b.Run(name, func(b *testing.B) {
			msg := NewInitiator(asker, MaxFrame).Start()
			b.ResetTimer()
			for range b.N {
				if _, err := Respond(largeSet(), msg, MaxFrame); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The most work in a message: a frame of ranges that all match, so that none of
// them fills the answer.
func BenchmarkRespondWorst(b *testing.B) {
	w := writer{buf: []byte{version}}
	set := largeSet()
	var low mark
	for i := 250; len(w.buf) < MaxFrame-60; i += 280 {
		high := set.tree.at(i)
		fp := high.sum.Sub(low.sum).FP(uint64(high.rank - low.rank))
		w.bound(between(set.tree.item(i-1), set.tree.item(i)), modeFP)
		w.bytes(fp[:])
		low = high
	}
	b.ResetTimer()
	for range b.N {
		if out, err := Respond(set, w.buf, MaxFrame); err != nil || len(out) > 1 {
			b.Fatal(len(out), err)
		}
	}
}

// Bytes and rounds of a sketch session at a million ids, on average over
// differences scattered anew each time. A gap is missing on the asking side.
func BenchmarkSketchSession(b *testing.B) {
	remote := largeSet().Sketch()
	for _, n := range []int{1, 10, 100, 1000, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rnd := rand.New(rand.NewPCG(10, uint64(n)))
			size, asks := 0, 0
			for range b.N {
				b.StopTimer()
				local := *remote
				local.count -= uint64(n)
				from := rnd.IntN(million)
				for i := range n {
					at := (from + i*(million/n)) % million
					remove(&local.cells, prefix(largeItems()[at].ID))
				}
				b.StartTimer()
				p := NewPeeler(&local, million)
				resolved, bytes, n, err := askAll(p, remote)
				if err != nil || !resolved {
					b.Fatalf("resolved %v, error %v", resolved, err)
				}
				size += bytes
				asks += n
			}
			b.ReportMetric(float64(size)/float64(b.N), "bytes")
			b.ReportMetric(float64(asks)/float64(b.N), "rounds")
		})
	}
}

// remove takes a member out of a sketch.
func remove(cells *[MaxSymbols]cell, x [16]byte) {
	sum := check(x)
	for w := newWalk(sum); w.i < MaxSymbols; w.step() {
		cells[w.i].mix(x, sum, -1)
	}
}

// Bytes and rounds of a range session at a million ids.
func BenchmarkRangeSession(b *testing.B) {
	for _, n := range []int{0, 1, 10, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			local := without(b, n)
			b.ResetTimer()
			for range b.N {
				s := runSession(b, local, largeSet(), MaxFrame)
				size := 0
				for _, m := range s.messages {
					size += len(m)
				}
				if len(s.need) < n {
					b.Fatalf("need %d", len(s.need))
				}
				b.ReportMetric(float64(size), "bytes")
				b.ReportMetric(float64(len(s.messages)/2), "rounds")
			}
		})
	}
}

func BenchmarkAppendBinary(b *testing.B) {
	b.SetBytes(int64(len(largeCheckpoint())))
	buf := make([]byte, 0, len(largeCheckpoint()))
	for range b.N {
		if _, err := largeSet().AppendBinary(buf); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	b.SetBytes(int64(len(largeCheckpoint())))
	for range b.N {
		load(b)
	}
}
