package sync

import (
	"encoding/binary"
	"fmt"
	"net"
	"sync/atomic"
	"testing"

	"github.com/meshd/meshd/crdt/recon"
)

// BenchmarkSession runs sessions between sets that differ by some scattered ids,
// half of them on each side or, in the cases called missing, all of them on the
// responder's. Each run scatters them anew; the figures are averages. find-B is
// what it costs to learn the difference: the whole frames of sketch and range in
// both directions, without the changes themselves.
func BenchmarkSession(b *testing.B) {
	for _, size := range []int{10_000, 100_000, 1_000_000} {
		base := scattered(size)
		for _, n := range []int{0, 1, 10, 100, 1000, 5000} {
			for _, missing := range []bool{false, true} {
				kind := "differences"
				if missing {
					kind = "missing"
				}
				// Counts that lie 4,096 apart are for ranges.
				if n <= size/5 && (!missing || n > 0 && n < sketchBelow) {
					b.Run(fmt.Sprintf("ids=%d/%s=%d", size, kind, n), func(b *testing.B) { benchSession(b, base, n, missing) })
				}
			}
		}
	}
}

// apart is the time between two of the items that scattered makes, which leaves
// room for changes between them.
const apart = 1000

// scattered are n items that both sides have.
func scattered(n int) []recon.Item {
	base := make([]recon.Item, n)
	for i := range base {
		var k [8]byte
		binary.LittleEndian.PutUint64(k[:], uint64(i))
		base[i] = recon.Item{HLC: uint64(1_767_225_600_000+i*apart)<<10 + 1, ID: hash(k[:])}
	}
	return base
}

// scatter puts n changes of the given round anywhere among size items, in turn
// into each of the replicas.
func scatter(size, n, round int, into ...*fake) {
	for i := range n {
		into[i%len(into)].put(open0, fabricate((i*7919%size)*apart+1+(round*n+i)%(apart-1)))
	}
}

// benchSession reconciles two sets that have base in common and differ in n ids.
// A session leaves them equal, and so ready for the next.
func benchSession(b *testing.B, base []recon.Item, n int, missing bool) {
	left, right := newFake(open0), newFake(open0)
	left.sets[open0].InsertBatch(base)
	right.sets[open0].InsertBatch(base)
	from, to := endpointOf(b, left), endpointOf(b, right)
	found := new(atomic.Int64)
	count := func(k kind, payload []byte) (kind, []byte) {
		if k == kindSketch || k == kindRange {
			size := 1 + len(payload)
			found.Add(int64(size + len(binary.AppendUvarint(nil, uint64(size)))))
		}
		return k, payload
	}
	var wire, rounds, moved float64
	runs := 0
	for b.Loop() {
		b.StopTimer()
		if missing {
			scatter(len(base), n, runs, right)
		} else {
			scatter(len(base), n, runs, left, right)
		}
		ours, theirs := tapBoth(b, count, count)
		b.StartTimer()
		r, _ := over(b, from, to, ours, theirs)
		if r.Err != nil || !r.Equal() {
			b.Fatalf("%+v", r)
		}
		s := r.Sets[0]
		wire += float64(r.BytesIn + r.BytesOut)
		rounds += float64(s.Rounds)
		moved += float64(s.Got + s.Pushed)
		runs++
	}
	b.ReportMetric(float64(found.Load())/float64(runs), "find-B")
	b.ReportMetric(wire/float64(runs), "wire-B")
	b.ReportMetric(rounds/float64(runs), "rounds")
	b.ReportMetric(moved/float64(runs), "moved")
}

// BenchmarkNewcomer pulls a set from nothing.
func BenchmarkNewcomer(b *testing.B) {
	const size = 50_000
	full := newFake(open0).put(open0, span(0, size)...)
	for b.Loop() {
		ours, theirs := net.Pipe()
		r, _ := over(b, endpointOf(b, newFake(open0)), endpointOf(b, full), ours, theirs)
		if r.Err != nil || r.Sets[0].Got != size {
			b.Fatalf("%+v", r)
		}
	}
	b.ReportMetric(float64(size*b.N)/b.Elapsed().Seconds(), "changes/s")
}
