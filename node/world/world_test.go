package world

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// The worlds of TestWorld: make world SEEDS=1-50, or one again by its line.
var (
	flagSeeds  = flag.String("world.seeds", "", "seeds of TestWorld, as 1-50 or 7,9 or lines of failed worlds; empty: a few")
	flagFull   = flag.Bool("world.full", false, "20 nodes for 5 minutes, in place of 5 nodes for one")
	flagStory  = flag.Bool("world.story", false, "say what was done to the nodes, and what held")
	flagShrink = flag.Bool("world.shrink", true, "look for a smaller world that fails by the same rule")
	flagFirst  = flag.Bool("world.first", false, "end at the first world that fails")
	flagFor    = flag.Duration("world.for", 0, "fresh seeds for that long, in place of world.seeds")
)

// specs reads a list of seeds, ranges of seeds and lines of worlds.
func specs(t testing.TB, text string, form Spec) []Spec {
	t.Helper()
	var out []Spec
	for _, f := range strings.Split(text, ",") {
		if strings.Contains(f, "/") {
			s, err := ParseSpec(f)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, s)
			continue
		}
		from, to, ranged := strings.Cut(f, "-")
		if !ranged {
			to = from
		}
		a, err := strconv.ParseUint(from, 10, 64)
		b, err2 := strconv.ParseUint(to, 10, 64)
		if err != nil || err2 != nil || b < a {
			t.Fatalf("seeds %q: want 1-50, 7 or the line of a world", f)
		}
		for ; a <= b; a++ {
			s := form
			s.Seed = a
			out = append(out, s)
		}
	}
	return out
}

// inBubble runs a world on virtual time.
func inBubble(t *testing.T, s Spec) (r Result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { r = Run(t, s) })
	return r
}

// TestWorld: whatever people do, breaks and lies, the rules R1 to R9 are kept on every
// node once all faults have ended.
func TestWorld(t *testing.T) {
	form, seeds := Everyday, *flagSeeds
	if *flagFull {
		form = Full
	}
	if seeds == "" {
		seeds = "1-3"
	}
	// Worlds share one heap; collecting it less often makes them run sooner, within a bound.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(3 << 30))
	var mu sync.Mutex // guards what follows
	ran, failed, longest := 0, []string{}, time.Duration(0)
	begin := time.Now()
	one := func(t *testing.T, s Spec) {
		mu.Lock()
		over := *flagFirst && len(failed) > 0
		mu.Unlock()
		if over {
			return
		}
		began := time.Now()
		r := inBubble(t, s)
		if r.Failed() && *flagShrink {
			small := Shrink(s, r.Rule(), func(s Spec) Result { return inBubble(t, s) }, func(s Spec) { t.Logf("it still fails as %v", s) })
			t.Logf("shrunk: make world SEEDS=%v", small)
		}
		mu.Lock()
		defer mu.Unlock()
		ran++
		for _, h := range r.Healed {
			longest = max(longest, h)
		}
		t.Logf("%v: %s, %v real", s, r.Summary(), time.Since(began).Round(10*time.Millisecond))
		if *flagStory || r.Failed() {
			t.Log("\n" + strings.Join(r.Story, "\n"))
			t.Log(r.Counts)
		}
		if r.Failed() {
			failed = append(failed, s.String())
			t.Errorf("seed %d fails: %s", s.Seed, r.Report())
		}
	}
	t.Run("seeds", func(t *testing.T) {
		if *flagFor > 0 {
			for seed := uint64(time.Now().UnixNano()); time.Since(begin) < *flagFor; seed++ {
				s := form
				s.Seed = seed
				t.Run(fmt.Sprint(seed), func(t *testing.T) { one(t, s) })
			}
			return
		}
		for _, s := range specs(t, seeds, form) {
			t.Run(s.String(), func(t *testing.T) { t.Parallel(); one(t, s) })
		}
	})
	took := time.Since(begin)
	fmt.Fprintf(os.Stderr, "world: %d seeds in %v, %.1f seeds a minute, agreement within %v, %d failed %s\n",
		ran, took.Round(time.Second), float64(ran)/took.Minutes(), longest, len(failed), strings.Join(failed, ","))
}

func TestSpecIsOneLine(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"7/nodes=5/span=1m0s/liars=1", "7/nodes=20/span=5m0s/liars=0/off=3.4/faults=1.9/thin=4/rounds=2", "7/nodes=9/span=10s/liars=2/faults="} {
		s, err := ParseSpec(text)
		if err != nil || s.String() != text {
			t.Errorf("%s is read as %s, %v", text, s, err)
		}
	}
	for _, bad := range []string{"", "x", "1/nodes=1", "1/nodes=1000", "1/span=0s", "1/colour=red", "1/off=a", "1/liars=-1"} {
		if s, err := ParseSpec(bad); err == nil {
			t.Errorf("%q is read as %s", bad, s)
		}
	}
}

// The plan follows from the seed alone, and what a shrunk world leaves out changes
// nothing else.
func TestPlanFollowsFromItsSeed(t *testing.T) {
	t.Parallel()
	s := Full
	s.Seed = 3
	a, b := fmt.Sprintf("%+v", NewPlan(s)), fmt.Sprintf("%+v", NewPlan(s))
	if a != b {
		t.Error("two plans of one seed differ")
	}
	whole := NewPlan(s)
	s.Off, s.Faults, s.Thin = []int{4}, []int{0, 2}, 2
	less := NewPlan(s)
	for _, act := range less.Acts {
		if act.Machine == 4 {
			t.Fatal("a machine that is off acts")
		}
	}
	for _, f := range less.Broken {
		if f.Number != 0 && f.Number != 2 {
			t.Errorf("fault %v happens", f)
		}
	}
	if len(less.Acts)*2 > len(whole.Acts)+2 || len(less.Acts)*3 < len(whole.Acts) {
		t.Errorf("%d of %d acts are done", len(less.Acts), len(whole.Acts))
	}
}
