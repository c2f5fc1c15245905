package world

import (
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"testing"
	"time"
)

// heapNow is how much memory the process's live objects take.
func heapNow() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// peakOf runs f and returns the most memory, in bytes, that the Go runtime used
// meanwhile, free pages that it gave back left out. It watches in real time, so it is
// called outside of a bubble.
func peakOf(t testing.TB, f func()) int64 {
	t.Helper()
	var peak atomic.Int64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			metrics.Read(s)
			if held := int64(s[0].Value.Uint64() - s[1].Value.Uint64()); held > peak.Load() {
				peak.Store(held)
			}
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
	}()
	f()
	close(stop)
	<-done
	return peak.Load()
}
