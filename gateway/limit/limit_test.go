package limit

import (
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func limiter(t testing.TB, cfg Config) *Limiter {
	t.Helper()
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func anonymous(addr string) Principal { return Principal{Addr: netip.MustParseAddr(addr)} }

// passes counts how many requests pass before the first refusal, and gives up
// far above every quantity.
func passes(l *Limiter, b Bucket, p Principal, now time.Time) int {
	n := 0
	for n < 10_000 && l.Allow(b, p, now).OK {
		n++
	}
	return n
}

func TestTable(t *testing.T) {
	t.Parallel()
	rows := map[Bucket]Quantity{
		Read: {600, 120}, Search: {120, 30}, Write: {60, 0}, Contribute: {10, 0},
		Check: {60, 20}, Comment: {20, 0}, Vote: {30, 0}, Message: {30, 0}, Report: {5, 0},
		Presence: {30, 0}, Guestbook: {0, 3}, Challenge: {20, 20}, Register: {10, 10},
		Quickstart: {5, 5}, Compile: {120, 60}, Render: {30, 15}, Export: {30, 15},
		Deploy: {10, 0}, Chat: {20, 0}, Connector: {60, 0}, Pay: {30, 0}, Onboard: {20, 20},
	}
	if len(rows) != len(table) {
		t.Errorf("%d rows tested, %d in the table", len(rows), len(table))
	}
	for b, want := range rows {
		l := limiter(t, Config{})
		old := Principal{Agent: "agt_a", Addr: netip.MustParseAddr("192.0.2.1")}
		if got := passes(l, b, old, start); got != want.Agent {
			t.Errorf("%s: %d by an agent, want %d", b, got, want.Agent)
		}
		if got := passes(l, b, anonymous("198.51.100.1"), start); got != want.Anonymous {
			t.Errorf("%s: %d by an address, want %d", b, got, want.Anonymous)
		}
		// One token grows in a minute's share, and all in a minute.
		if want.Agent > 0 {
			share := time.Minute / time.Duration(want.Agent)
			if l.Allow(b, old, start.Add(share-1)).OK || !l.Allow(b, old, start.Add(share)).OK {
				t.Errorf("%s: the first token did not grow after %v", b, share)
			}
			if got := passes(l, b, old, start.Add(share+time.Minute)); got != want.Agent {
				t.Errorf("%s: %d after a minute, want %d", b, got, want.Agent)
			}
		}
	}
	if passes(limiter(t, Config{}), "no-such", Principal{Agent: "agt_a"}, start) != 0 {
		t.Error("an unknown bucket let somebody pass")
	}
}

func TestAgentsAndAddressesAreApart(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		a, b   Principal
		shared bool
	}{
		{"agents", Principal{Agent: "agt_a"}, Principal{Agent: "agt_b"}, false},
		{"agent on two addresses", Principal{Agent: "agt_a", Addr: netip.MustParseAddr("192.0.2.1")}, Principal{Agent: "agt_a", Addr: netip.MustParseAddr("192.0.2.2")}, true},
		{"agent and address", Principal{Agent: "agt_a", Addr: netip.MustParseAddr("192.0.2.1")}, anonymous("192.0.2.1"), false},
		{"addresses of a /24", anonymous("192.0.2.1"), anonymous("192.0.2.2"), false},
		{"mapped address", anonymous("192.0.2.1"), anonymous("::ffff:192.0.2.1"), true},
		{"zone", anonymous("fe80::1%eth0"), anonymous("fe80::1"), true},
		{"inside a /56", anonymous("2001:db8:0:ff::1"), anonymous("2001:db8::1"), true},
		{"beside a /56", anonymous("2001:db8:0:100::1"), anonymous("2001:db8::1"), false},
		{"no address", Principal{}, Principal{}, true},
	}
	for _, c := range cases {
		l := limiter(t, Config{})
		passes(l, Check, c.a, start)
		if shared := !l.Allow(Check, c.b, start).OK; shared != c.shared {
			t.Errorf("%s: shared %v, want %v", c.name, shared, c.shared)
		}
	}
}

func TestAnonymousGroupIsCapped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ inside, outside string }{
		{"192.0.2.%d", "192.0.3.1"},
		{"2001:db8:0:%x00::1", "2001:db8:1::1"},
	} {
		l := limiter(t, Config{})
		total := 0
		for i := range 30 {
			total += passes(l, Search, anonymous(fmt.Sprintf(c.inside, i)), start)
		}
		if total != 20*30 {
			t.Errorf("%s: %d passed, want %d", c.inside, total, 20*30)
		}
		if !l.Allow(Search, anonymous(c.outside), start).OK {
			t.Errorf("%s is capped with its neighbours", c.outside)
		}
		if !l.Allow(Search, Principal{Agent: "agt_a", Addr: netip.MustParseAddr(c.outside)}, start).OK {
			t.Error("an agent is capped with its address")
		}
	}
}

func TestSponsorTreeSharesTenfold(t *testing.T) {
	t.Parallel()
	l := limiter(t, Config{})
	total := 0
	for i := range 15 {
		total += passes(l, Check, Principal{Agent: fmt.Sprint(i), Sponsor: "agt_s"}, start)
	}
	if total != 10*60 {
		t.Errorf("%d passed, want %d", total, 10*60)
	}
	if !l.Allow(Check, Principal{Agent: "x", Sponsor: "agt_t"}, start).OK {
		t.Error("another tree is capped too")
	}
}

func TestContributionsPerDay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		since time.Time
		want  int // burst of the day, one each minute, so that the minute never refuses
	}{
		{"new", start.Add(-time.Minute), 20},
		{"old", start.Add(-24 * time.Hour), 200},
		{"unknown age", time.Time{}, 200},
	} {
		l := limiter(t, Config{})
		p := Principal{Agent: "agt_a", Since: c.since}
		now, n := start, 0
		for ; n < 10_000 && l.Allow(Contribute, p, now).OK; n++ {
			now = now.Add(7 * time.Second)
		}
		// What grows back meanwhile: one in 86,400/want seconds.
		grown := int(now.Sub(start) / (24 * time.Hour / time.Duration(c.want)))
		if n != c.want+grown {
			t.Errorf("%s: %d passed, want %d and %d grown", c.name, n, c.want, grown)
		}
		d := l.Allow(Contribute, p, now)
		if d.Window != 24*time.Hour || d.Limit != c.want || d.Remaining != 0 {
			t.Errorf("%s: refusal reports %+v", c.name, d)
		}
	}
}

func TestRegistrationsPerDayAndGroup(t *testing.T) {
	t.Parallel()
	l := limiter(t, Config{})
	total := 0
	for i := range 9 {
		total += passes(l, Register, anonymous(fmt.Sprintf("192.0.2.%d", i)), start)
	}
	for i := range 9 {
		total += passes(l, Register, Principal{Agent: fmt.Sprint(i), Addr: netip.MustParseAddr("192.0.2.77")}, start)
	}
	if total != 100 {
		t.Errorf("%d passed, want 100", total)
	}
	if !l.Allow(Register, anonymous("192.0.3.1"), start).OK {
		t.Error("another group is capped too")
	}
}

func TestRefusalCostsNothing(t *testing.T) {
	t.Parallel()
	l := limiter(t, Config{})
	p := anonymous("192.0.2.1")
	passes(l, Challenge, p, start)
	for range 1000 {
		l.Allow(Challenge, p, start)
	}
	// The group has lost 20 of its 400 tokens, not 1020.
	if d := l.Allow(Challenge, anonymous("192.0.2.2"), start); !d.OK || d.Remaining != 19 {
		t.Fatalf("neighbour: %+v", d)
	}
	if !l.Allow(Challenge, p, start.Add(3*time.Second)).OK {
		t.Fatal("refused requests pushed the next token away")
	}
}

func TestDecisionReportsTheTightestMeter(t *testing.T) {
	t.Parallel()
	l := limiter(t, Config{})
	p := Principal{Agent: "agt_a"}
	want := Decision{OK: true, Bucket: Contribute, Limit: 10, Remaining: 9, ResetSeconds: 6, Window: time.Minute}
	if d := l.Allow(Contribute, p, start); d != want {
		t.Fatalf("first: %+v", d)
	}
	passes(l, Contribute, p, start)
	want = Decision{Bucket: Contribute, Limit: 10, Remaining: 0, ResetSeconds: 60, RetryAfter: 6, Window: time.Minute}
	if d := l.Allow(Contribute, p, start); d != want {
		t.Fatalf("refused: %+v", d)
	}
	if d := l.Allow(Contribute, p, start.Add(5999*time.Millisecond)); d.OK || d.RetryAfter != 1 || d.ResetSeconds != 55 {
		t.Fatalf("a moment early: %+v", d)
	}
	if d := l.Allow(Write, Principal{}, start); d.OK || d.RetryAfter != 60 || d.Limit != 0 {
		t.Fatalf("closed to anonymous callers: %+v", d)
	}
}

func TestClockStepBackLocksForAWindowAtMost(t *testing.T) {
	t.Parallel()
	l := limiter(t, Config{})
	p := Principal{Agent: "agt_a"}
	passes(l, Check, p, start.Add(1000*time.Hour))
	if d := l.Allow(Check, p, start); d.OK || d.ResetSeconds != 60 {
		t.Fatalf("after the step: %+v", d)
	}
}

func TestMetersAreBounded(t *testing.T) {
	t.Parallel()
	l := limiter(t, Config{})
	busy := Principal{Agent: "busy"}
	passes(l, Check, Principal{Agent: "idle"}, start)
	passes(l, Check, busy, start)
	for i := range 2 * maxMeters {
		l.Allow(Check, Principal{Agent: fmt.Sprint(i)}, start)
		if i%1000 == 0 && l.Allow(Check, busy, start).OK {
			t.Fatal("a meter in use was forgotten")
		}
	}
	if len(l.meters) != maxMeters || l.order.Len() != maxMeters {
		t.Fatalf("%d meters in the map, %d in order", len(l.meters), l.order.Len())
	}
	if !l.Allow(Check, Principal{Agent: "idle"}, start).OK {
		t.Fatal("the longest unused meter was kept")
	}
}

func TestDisabledLetsAllPass(t *testing.T) {
	t.Parallel()
	l := limiter(t, Config{Disabled: true})
	for range 1000 {
		if d := l.Allow(Write, Principal{}, start); d != (Decision{OK: true, Bucket: Write}) {
			t.Fatalf("decision %+v", d)
		}
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	l := limiter(t, Config{Buckets: map[Bucket]Quantity{Write: {7, 3}}})
	if a, b := passes(l, Write, Principal{Agent: "a"}, start), passes(l, Write, Principal{}, start); a != 7 || b != 3 {
		t.Errorf("configured bucket lets %d and %d pass", a, b)
	}
	if n := passes(l, Check, Principal{Agent: "a"}, start); n != 60 {
		t.Errorf("another bucket lets %d pass", n)
	}
	bad := Config{Buckets: map[Bucket]Quantity{"none": {1, 1}, Check: {1, 1}, Read: {0, 1}, Search: {1, -1}, Write: {maxQuantity + 1, 1}}}
	_, err := New(bad)
	if err == nil {
		t.Fatal("a broken table was taken")
	}
	if got := len(err.(interface{ Unwrap() []error }).Unwrap()); got != 5 {
		t.Errorf("%d problems reported, want 5: %v", got, err)
	}
}

func TestConcurrentCallersShareOneBucket(t *testing.T) {
	t.Parallel()
	l := limiter(t, Config{})
	var ok atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if l.Allow(Read, Principal{Agent: "agt_a"}, start).OK {
					ok.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if ok.Load() != 600 {
		t.Fatalf("%d passed, want 600", ok.Load())
	}
}

// twin is a token bucket that remembers nothing but the requests that passed,
// and pours its tokens anew from the first of them every time. A level is in
// tokens times the window in nanoseconds, so that it stays whole.
type twin struct {
	quantity int64
	passed   []time.Time
}

func (w *twin) allow(now time.Time) (bool, int) {
	full := w.quantity * int64(time.Minute)
	level := full
	last := now
	if len(w.passed) > 0 {
		last = w.passed[0]
	}
	grow := func(to time.Time) {
		level = min(full, level+w.quantity*int64(to.Sub(last)))
		last = to
	}
	for _, at := range w.passed {
		grow(at)
		level -= int64(time.Minute)
	}
	grow(now)
	if level < int64(time.Minute) {
		return false, int(level / int64(time.Minute))
	}
	w.passed = append(w.passed, now)
	return true, int(level/int64(time.Minute)) - 1
}

func TestMatchesListOfTimes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		// Quantities that divide a minute: others round the interval by a nanosecond.
		q := rapid.SampledFrom([]int{1, 2, 3, 10, 12, 60, 600}).Draw(rt, "quantity")
		l := limiter(t, Config{Buckets: map[Bucket]Quantity{Write: {q, 0}}})
		w := &twin{quantity: int64(q)}
		share := time.Minute / time.Duration(q)
		now := start
		for i := range rapid.IntRange(1, 200).Draw(rt, "requests") {
			now = now.Add(rapid.OneOf(
				rapid.Just(time.Duration(0)),
				rapid.SampledFrom([]time.Duration{1, share - 1, share, share + 1, time.Minute, time.Hour}),
				rapid.Map(rapid.Int64Range(0, int64(2*share)), func(n int64) time.Duration { return time.Duration(n) }),
			).Draw(rt, "pause"))
			d := l.Allow(Write, Principal{Agent: "agt_a"}, now)
			ok, left := w.allow(now)
			if d.OK != ok || d.Remaining != left {
				rt.Fatalf("request %d: %+v, twin %v with %d left", i, d, ok, left)
			}
			if !d.OK && !tokenAfter(w, now, d.RetryAfter) {
				rt.Fatalf("request %d: no token after %d s", i, d.RetryAfter)
			}
		}
	})
}

// tokenAfter reports whether the twin would let a request pass so much later,
// and not a second before.
func tokenAfter(w *twin, now time.Time, seconds int) bool {
	at := now.Add(time.Duration(seconds) * time.Second)
	after, before := twin{w.quantity, w.passed}, twin{w.quantity, w.passed}
	okAfter, _ := after.allow(at)
	okBefore, _ := before.allow(at.Add(-time.Second))
	return okAfter && !okBefore
}

func BenchmarkAllow(b *testing.B) {
	l := limiter(b, Config{})
	p := anonymous("192.0.2.1")
	now := start
	for b.Loop() {
		l.Allow(Register, p, now)
		now = now.Add(time.Second)
	}
}
