package world

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// nightly reports whether scenarios run in full.
func nightly() bool { return os.Getenv("MESHD_NIGHTLY") == "1" }

// either is a size of every day, or of the night.
func either[T any](day, night T) T {
	if nightly() {
		return night
	}
	return day
}

// oneRound is the plan of a world of n nodes in which people act for that long and
// nothing breaks yet.
func oneRound(seed uint64, n int, span time.Duration, liars int) Plan {
	p := NewPlan(Spec{Seed: seed, Nodes: n, Span: 2 * span, Liars: liars})
	p.Broken, p.Late, p.rounds, p.Gossip = nil, map[int]int{}, 1, true
	p.Acts = slices.DeleteFunc(p.Acts, func(a Act) bool { return a.At >= span || a.Kind == "whisper" })
	return p
}

// scenario runs a plan and demands that no rule is broken and that nodes agree in time.
func scenario(t *testing.T, number int, p Plan, bar time.Duration) (r Result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { r = RunPlan(t, p) })
	if r.Failed() {
		t.Fatalf("%v\n%s", r.Violations, strings.Join(r.Story, "\n"))
	}
	worst := slices.Max(r.Healed)
	t.Logf("scenario %02d: agreement %v after the last fault, 0 acknowledged writes lost of %d acts, %d nodes (bar: %v, 0 lost)", number, worst.Round(100*time.Millisecond), len(p.Acts), p.Nodes, bar)
	if worst > bar {
		t.Errorf("agreement after %v, bar %v\n%s", worst, bar, strings.Join(r.Story, "\n"))
	}
	return r
}

// Scenario 1: a split in halves for an hour, both sides write, heal. The overhead in
// bytes for a missing id is measured by p2p/sync.
func TestScenario01Split(t *testing.T) {
	t.Parallel()
	n, span := either(6, 50), either(25*time.Second, time.Hour)
	p := oneRound(101, n, span, 0)
	var half []int
	for i := range n / 2 {
		half = append(half, i)
	}
	p.Broken = []Fault{{Kind: Partition, At: 5 * time.Second, For: span - 5*time.Second, On: half}}
	scenario(t, 1, p, 30*time.Second)
}

// Scenario 2: a one-way link that flaps every 7 s. That goroutines end is what the
// bubble itself demands.
func TestScenario02OneWayFlapping(t *testing.T) {
	t.Parallel()
	span := either(40*time.Second, 10*time.Minute)
	p := oneRound(102, either(5, 20), span, 0)
	p.Broken = []Fault{{Kind: Flap, At: 5 * time.Second, For: span - 5*time.Second, On: []int{1}}}
	scenario(t, 2, p, 60*time.Second)
}

// Scenario 4: a cold join from nothing while one peer withholds a tenth and alters
// a hundredth of what it gives.
func TestScenario04ColdJoinAmongLies(t *testing.T) {
	t.Parallel()
	p := oneRound(104, either(6, 20), either(15*time.Second, 5*time.Minute), 1)
	p.Lies = []Lie{{Kind: Drops, N: 7}}
	p.rounds = 2
	p.Late[5] = 1
	r := scenario(t, 4, p, 60*time.Second)
	if len(r.Healed) != 2 {
		t.Fatalf("%d rounds", len(r.Healed))
	}
}

// Scenario 5: clocks run off. What claims to be far ahead is stored by all and shown
// by none until its time has come; nothing honest is refused; all show the same.
func TestScenario05Clocks(t *testing.T) {
	t.Parallel()
	by := either(20*time.Minute, time.Hour)
	n := either(6, 20)
	p := oneRound(105, n, 30*time.Second, 1)
	p.Lies = []Lie{{Kind: Forge, N: 5}} // a year ahead, and more
	p.Acts = slices.DeleteFunc(p.Acts, func(a Act) bool { return a.Kind != "put" })
	p.Clocks = map[int]time.Duration{}
	for i := range max(2, n/10) {
		p.Clocks[1+i] = by
		if i%2 == 1 {
			p.Clocks[1+i] = -by
		}
	}
	p.Settle = by - 14*time.Minute // until the clocks of the others have come so far
	scenario(t, 5, p, healLimit)   // gossip passes on nothing that claims to be far ahead
	t.Logf("scenario 05: clocks %v off, views and feeds equal on %d nodes (bar: the same order everywhere)", by, n)
}

// Scenario 11: changes are said again and again, for longer than any cache of
// messages remembers them. None stands twice, and all nodes show the same.
func TestScenario11Replay(t *testing.T) {
	t.Parallel()
	p := oneRound(111, either(5, 20), either(150*time.Second, time.Hour), 1)
	p.Lies = []Lie{{Kind: Replay, N: 11}}
	scenario(t, 11, p, 30*time.Second)
	t.Logf("scenario 11: 0 duplicates in the views of %d nodes (bar: 0)", p.Nodes)
}

// Scenario 12: an author sends two halves of the peers two branches of its chain, once: what it
// writes after that is not gossiped on. Every node comes to know both, whichever came
// first, and all show the same.
func TestScenario12Equivocation(t *testing.T) {
	t.Parallel()
	p := oneRound(112, either(6, 20), 12*time.Second, 1)
	p.Lies = []Lie{{Kind: Equivocate, N: 12}}
	r := scenario(t, 12, p, 10*time.Second)
	t.Logf("scenario 12: both heads are known to %d of %d nodes (bar: all)", r.Counts[forkSeen], p.Nodes)
	if r.Counts[forkSeen] != p.Nodes {
		t.Errorf("%d of %d nodes know both branches", r.Counts[forkSeen], p.Nodes)
	}
}
