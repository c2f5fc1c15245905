package sync

import (
	"encoding/binary"
	"fmt"
	"net"
	"testing"

	"github.com/meshd/meshd/crdt/recon"
)

// BenchmarkSession runs a session between sets of a million ids that differ by
// some scattered ones, half of them on each side. find-B is what it costs to
// learn the difference, without the changes themselves.
func BenchmarkSession(b *testing.B) {
	for _, size := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("ids=%d", size), func(b *testing.B) { benchSession(b, size) })
	}
}

// benchSession reconciles two sets of size ids that differ in n scattered ones, half
// of them on either side.
func benchSession(b *testing.B, size int) {
	const spread = 100
	base := make([]recon.Item, size)
	for i := range base {
		var k [8]byte
		binary.LittleEndian.PutUint64(k[:], uint64(i))
		base[i] = recon.Item{HLC: uint64(1_767_225_600_000+i*spread)<<10 + 1, ID: hash(k[:])}
	}
	for _, n := range []int{0, 1, 10, 100, 1000, 5000, 20_000} {
		if n > size/5 {
			break
		}
		b.Run(fmt.Sprintf("differences=%d", n), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				left, right := newFake(open0), newFake(open0)
				left.sets[open0].InsertBatch(base)
				right.sets[open0].InsertBatch(base)
				for i := range n {
					f := left
					if i%2 == 1 {
						f = right
					}
					f.put(open0, fabricate((i*7919%size)*spread+i))
				}
				found := uint64(0)
				count := func(k kind, payload []byte) (kind, []byte) {
					if k == kindSketch || k == kindRange {
						found += uint64(len(payload))
					}
					return k, payload
				}
				asked := uint64(0)
				ours, theirs := tapBoth(b, count, func(k kind, payload []byte) (kind, []byte) {
					if k == kindSketch || k == kindRange {
						asked += uint64(len(payload))
					}
					return k, payload
				})
				from, to := endpointOf(b, left), endpointOf(b, right)
				b.StartTimer()
				r, _ := over(b, from, to, ours, theirs)
				if r.Err != nil {
					b.Fatal(r.Err)
				}
				s := r.Sets[0]
				b.ReportMetric(float64(found+asked), "find-B")
				b.ReportMetric(float64(r.BytesIn+r.BytesOut), "wire-B")
				b.ReportMetric(float64(s.Rounds), "rounds")
				b.ReportMetric(float64(s.Got+s.Pushed), "moved")
			}
		})
	}
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
