// Package heap bounds the garbage of a node. Go collects when there is as much garbage
// as live memory, which suits a small heap; but a node runs
// beside other work, and one that a flood has made twice as large must not take four
// times the memory. What it costs to collect a large heap more often is bounded too.
package heap

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

const (
	target   = 70 << 20 // bytes that the heap takes with its garbage, as long as they suffice
	leastPer = 22       // percent of what lives that garbage may always be
	mostPer  = 100      // Go's own
	large    = 2 * target
	dearPer  = 50       // the most in a large heap, however dear collecting is
	slack    = 5        // percent; smaller changes are not worth stopping the world
	dear     = 0.25     // of all processors, from which on collecting costs too much: what Go gives to one that runs
	cheap    = dear / 2 // below which it may cost more
)

// next is how much garbage there may be beside live bytes, in percent of them, until
// the next collection. now is what was in force until the last one, and cost the part
// of all processors that collecting took meanwhile.
func next(now int, live uint64, cost float64) int {
	bound := leastPer
	if live < target {
		bound = max(leastPer, int(min((target-live)*100/max(live, 1), mostPer)))
	}
	switch {
	case live < large:
		return bound
	case cost > dear:
		return max(bound, min(now*2, dearPer))
	case cost > cheap:
		return max(bound, min(now, dearPer))
	}
	return max(bound, now/2)
}

// Bound bounds the garbage of this process until stop is called: as much as lives up
// to 35 MB, what is left of 70 MB up to 57 MB, 22 % of what lives above; and from
// 140 MB on more, up to half as much as lives, while collecting takes more than a
// quarter of all processors. Whoever set GOGC knows better, and nothing happens.
func Bound() (stop func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	b := &bound{now: mostPer}
	b.read()
	b.await()
	return func() {
		b.stopped.Store(true)
		debug.SetGCPercent(mostPer)
	}
}

// bound is what is in force. Only finalizers touch it once it is, one after the other.
type bound struct {
	now     int // percent
	live    uint64
	spent   float64 // seconds of processors for collecting, those with nothing else to do left out
	all     float64 // seconds of processors
	stopped atomic.Bool
}

// await adjusts after the next collection, which finds an object that nobody references.
func (b *bound) await() {
	runtime.SetFinalizer(&[16]byte{}, func(*[16]byte) {
		if b.stopped.Load() {
			return
		}
		b.adjust()
		b.await()
	})
}

func (b *bound) adjust() {
	spent, all := b.spent, b.all
	b.read()
	cost := 0.0
	if b.all > all {
		cost = (b.spent - spent) / (b.all - all)
	}
	if want := next(b.now, b.live, cost); want > b.now+slack || want < b.now-slack {
		b.now = want
		debug.SetGCPercent(want)
	}
}

// read asks the runtime, which knows as of the last collection.
func (b *bound) read() {
	s := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/cpu/classes/total:cpu-seconds"},
		{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/cpu/classes/gc/mark/idle:cpu-seconds"},
	}
	metrics.Read(s)
	b.live, b.all, b.spent = s[0].Value.Uint64(), s[1].Value.Float64(), s[2].Value.Float64()-s[3].Value.Float64()
}
