package heap

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

func TestGarbageHasABound(t *testing.T) {
	for _, c := range []struct {
		now  int
		live uint64 // MB
		cost float64
		want int
	}{
		{100, 0, 0, 100},
		{100, 5, 0, 100},
		{100, 35, 0, 100},
		{100, 44, 0, 59},
		{80, 50, 0, 40},
		{100, 57, 0, 22},
		{100, 60, .3, 22}, // of a heap that is not large no more, however dear collecting is
		{22, 139, .3, 22},
		{100, 60, 0, 22},
		{25, 44, 0, 59},   // it is small again
		{22, 141, .3, 44}, // collecting a large heap costs too much
		{40, 4000, .3, 50},
		{50, 4000, .3, 50},   // but half of what lives is enough
		{50, 4000, .2, 50},   // neither dear nor cheap
		{100, 4000, .2, 50},  // it has grown
		{100, 4000, .02, 50}, // it falls by half at a time
		{50, 4000, .02, 25},
		{30, 4000, .02, 22},
		{22, 4000, 0, 22},
	} {
		if got := next(c.now, c.live<<20, c.cost); got != c.want {
			t.Errorf("%d %% before, %d MB live, collecting costs %v: %d %%, want %d", c.now, c.live, c.cost, got, c.want)
		}
	}
}

// The goal of the collector follows what lives: up when it grows, down again when it
// is gone, and back to Go's own at the end.
func TestBoundFollowsWhatLives(t *testing.T) {
	t.Setenv("GOGC", "")
	stop := Bound()
	const bounded = 40 // percent, about, of 100 MB
	goals := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	until := func(want func(percent uint64) bool, what string) {
		t.Helper()
		for range 1000 {
			runtime.GC()
			metrics.Read(goals)
			if want(goals[0].Value.Uint64()) {
				return
			}
			runtime.Gosched() // finalizers run on a goroutine of their own
		}
		t.Fatalf("%s: %d %%", what, goals[0].Value.Uint64())
	}
	much := make([]byte, 100<<20)
	until(func(p uint64) bool { return p <= bounded }, "100 MB live")
	runtime.KeepAlive(much)
	much = nil
	until(func(p uint64) bool { return p == mostPer }, "nothing live")
	stop()
	much = make([]byte, 100<<20)
	for range 3 {
		runtime.GC()
	}
	if got := debug.SetGCPercent(mostPer); got != mostPer {
		t.Errorf("%d %% after it was stopped", got)
	}
	runtime.KeepAlive(much)
}

func TestWhoSetGOGCKnowsBetter(t *testing.T) {
	t.Setenv("GOGC", "70")
	was := debug.SetGCPercent(70)
	defer debug.SetGCPercent(was)
	defer Bound()()
	much := make([]byte, 100<<20)
	for range 3 {
		runtime.GC()
	}
	if got := debug.SetGCPercent(70); got != 70 {
		t.Errorf("%d %% although GOGC says 70", got)
	}
	runtime.KeepAlive(much)
}
