package limit

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// pooled is a Pool in memory, by a clock of its own.
type pooled struct {
	mu     sync.Mutex
	now    int64
	full   map[string]int64
	asked  int
	broken error
}

func (p *pooled) Take(m Metered, tokens int) (int, time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asked++; p.broken != nil {
		return 0, 0, p.broken
	}
	full := max(p.full[m.ID], p.now)
	window := int64(m.Interval) * int64(m.Quantity)
	got := min(int64(tokens), (p.now+window-full)/int64(m.Interval))
	p.full[m.ID] = full + got*int64(m.Interval)
	return int(got), time.Duration(p.full[m.ID] - p.now), nil
}

func twoOf(t *testing.T, p Pool) [2]*Limiter {
	t.Helper()
	return [2]*Limiter{limiter(t, Config{Pool: p}), limiter(t, Config{Pool: p})}
}

// TestTwoGatewaysGiveOneBudget: of each bucket, two limiters of one Pool together let pass
// what one would, however the requests are spread, and each may keep one batch back.
func TestTwoGatewaysGiveOneBudget(t *testing.T) {
	t.Parallel()
	for b, r := range table {
		if r.Agent == 0 {
			continue
		}
		pool := &pooled{now: start.UnixNano(), full: map[string]int64{}}
		l := twoOf(t, pool)
		who := Principal{Agent: "agt_a"}
		both := 0
		for i, refused := 0, 0; refused < 2*maxPoolBatch; i++ {
			if l[i%2].Allow(b, who, start).OK {
				both, refused = both+1, 0
			} else {
				refused++
			}
		}
		if both != r.Agent {
			t.Errorf("%s: two together let %d pass, one %d", b, both, r.Agent)
		}
		if most := 6 * (r.Agent + 4); pool.asked > most {
			t.Errorf("%s: the pool was asked %d times for %d requests", b, pool.asked, r.Agent)
		}
		// One alone gets all but what the other one has reserved.
		pool.full = map[string]int64{}
		l = twoOf(t, pool)
		l[0].Allow(b, who, start)
		alone := passes(l[1], b, who, start)
		if least := r.Agent - max(1, r.Agent/poolParts); alone < least || alone >= r.Agent {
			t.Errorf("%s: %d passed at one, want %d at least", b, alone, least)
		}
		// After a window all of it has grown anew, and none of what was reserved counts beside it.
		later := start.Add(2 * time.Minute)
		pool.now = later.UnixNano()
		if got := passes(l[0], b, who, later) + passes(l[1], b, who, later); got != r.Agent {
			t.Errorf("%s: %d after the window, want %d", b, got, r.Agent)
		}
	}
}

// TestManyAtOnceTakeOneBatch: requests that come together do not take the whole budget to one
// gateway, and no more pass than there are tokens.
func TestManyAtOnceTakeOneBatch(t *testing.T) {
	t.Parallel()
	pool := &pooled{now: start.UnixNano(), full: map[string]int64{}}
	l := twoOf(t, pool)
	var passed atomic.Int64
	var all sync.WaitGroup
	for i := range 2000 {
		all.Go(func() {
			if l[i%2].Allow(Read, Principal{Agent: "agt_a"}, start).OK {
				passed.Add(1)
			}
		})
	}
	all.Wait()
	if passed.Load() != 600 {
		t.Errorf("%d of 2000 passed, want 600", passed.Load())
	}
	if pool.asked > 200 {
		t.Errorf("the pool was asked %d times", pool.asked)
	}
}

// TestWithoutThePoolEachCountsAlone: a Pool that fails delays nobody, and is asked again
// after a moment.
func TestWithoutThePoolEachCountsAlone(t *testing.T) {
	t.Parallel()
	pool := &pooled{now: start.UnixNano(), full: map[string]int64{}, broken: errors.New("gone")}
	l := limiter(t, Config{Pool: pool})
	who := Principal{Agent: "agt_a"}
	if got := passes(l, Search, who, start); got != 120 {
		t.Errorf("%d passed without the pool, want 120", got)
	}
	if pool.asked != 1 {
		t.Errorf("the pool was asked %d times within a moment", pool.asked)
	}
	pool.broken = nil
	later := start.Add(poolRest + time.Minute)
	pool.now = later.UnixNano()
	if got := passes(l, Search, who, later); got != 120 || pool.asked < 2 {
		t.Errorf("%d passed after its return, asked %d times", got, pool.asked)
	}
}
