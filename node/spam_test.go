package node_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/view"
)

// full reports whether the long form of a scenario is asked for.
func full() bool { return os.Getenv("MESHD_NIGHTLY") == "1" }

// TestScenario10SignedSpam: for a minute fresh keys write validly signed entries,
// 1,000 a second (100 every day), while honest authors write 20 a second. Almost
// all of what is newest in the feed is honest, what is kept of the spam fits the
// quota, and the sets are equal to those of a node without limits.
func TestScenario10SignedSpam(t *testing.T) {
	t.Parallel()
	spamKeys, perSecond, seconds, honestKeys := 1000, 100, 60, 20
	if full() {
		spamKeys, perSecond = 10_000, 1000
	}
	const quota = 1 << 20 // bytes of strangers in a day
	clock := newDated()
	open := func(set func(*config.Admission)) *box {
		return openWith(t, t.TempDir(), func(o *core.Options) {
			o.Engine, o.Documents, o.Now = crdtlog.NewMemory(), nowhere{}, clock.now
			o.Config.Storage.Engine = "memory"
			if set != nil {
				set(&o.Config.Admission)
			}
		})
	}
	b := open(func(a *config.Admission) { a.TreeBytes = 10 * quota })
	defer b.shut()
	roomy := open(func(a *config.Admission) {
		a.AuthorPerMinute, a.StrangersPerMinute, a.AuthorBodies, a.Held, a.GiverPerSecond = 1e6, 1e7, 1e6, 1e6, 1e6
	})
	defer roomy.shut()
	var honest, spammers []*stranger
	for i := range honestKeys {
		s := b.stranger(fmt.Sprint("honest ", i))
		honest = append(honest, s)
		b.given("honest", s.record)
		roomy.given("honest", s.record)
	}
	b.CaughtUp()
	roomy.CaughtUp()
	clock.pass(time.Minute)
	for i := range spamKeys {
		spammers = append(spammers, b.stranger(fmt.Sprint("spam ", i)))
	}
	isHonest := map[change.ID]bool{}
	var spamBytes, spamKept int
	var spam, all []*change.Change
	before := heap()
	start := time.Now()
	for second := range seconds {
		var good, bad []*change.Change
		for i := range 20 {
			c := honest[i%honestKeys].entry(retold(1, second, i), clock.ms.Load()+int64(i*50), false)
			isHonest[c.ID] = true
			good = append(good, c)
		}
		for i := range perSecond {
			s := spammers[(second*perSecond+i)%spamKeys]
			if len(s.prev) == 0 {
				bad = append(bad, s.record)
			}
			bad = append(bad, s.entry("Buy it now and be happy: "+retold(2, second, i), clock.ms.Load()+int64(i%1000), false))
		}
		spam, all = append(spam, bad...), append(append(all, bad...), good...)
		b.given("spammer", bad...)
		b.given("honest", good...)
		clock.pass(time.Second)
	}
	took := time.Since(start)
	grown := int64(heap()-before) >> 20
	roomy.given("spammer", all...)
	// The minute took seconds here; in a true one the detectors keep up.
	b.eventually("all is judged", func() bool { return b.Unjudged() == 0 })
	ids, _ := b.feed(view.EntryQuery{Limit: 100})
	share := func(ids []change.ID) float64 {
		n := 0
		for _, id := range ids {
			if isHonest[id] {
				n++
			}
		}
		return 100 * float64(n) / float64(len(ids))
	}
	for id := range isHonest {
		if !b.shows(id) {
			t.Fatal("an honest entry is not shown")
		}
	}
	for _, c := range spam {
		if c.Head.Kind != change.KindEntryPut {
			continue
		}
		spamBytes += len(c.Body)
		if b.kept(c) {
			spamKept += len(c.Body)
		}
	}
	s := b.Status()
	equal := fmt.Sprint(s.Sets) == fmt.Sprint(roomy.Status().Sets)
	newest := ids[:min(500, len(ids))] // what the last half minute brought
	t.Logf("scenario 10: %.1f %% of the newest %d in the feed and %.1f %% of all shown are honest, %d of %d shown (bar: ≥ 99 %% of the feed after 60 s)",
		share(newest), len(newest), share(ids), len(isHonest), len(isHonest))
	t.Logf("scenario 10: %d kB of %d kB of spam kept, %d held, %d stubs (bar: ≤ %d kB); sets equal: %v; heap %+d MB, the test's own copies among it; %.0f changes a second taken in",
		spamKept>>10, spamBytes>>10, s.Held, s.Stubbed, quota>>10, equal, grown, float64(len(all))/took.Seconds())
	if share(newest) < 99 {
		t.Errorf("%.1f %% of the feed is honest", share(newest))
	}
	if spamKept > quota || !equal || s.Held == 0 {
		t.Errorf("%d bytes of spam kept, sets equal %v, %d held", spamKept, equal, s.Held)
	}
	if full() && s.Stubbed == 0 {
		t.Error("nothing became a stub")
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestNewcomerIsNotThrottled: a new node fetches 10,000 old entries by 100 authors
// (2,000 every day) from a peer and shows all of them at once, while what those
// authors write from now on has its limits.
func TestNewcomerIsNotThrottled(t *testing.T) {
	t.Parallel()
	entries := 2000
	switch {
	case full():
		entries = 10_000
	case testing.Short(): // under the race detector
		entries = 500
	}
	old := open(t, t.TempDir(), nil)
	var cs []*change.Change
	var authors []*stranger
	for i := range 100 {
		s := old.stranger(fmt.Sprint("author ", i))
		authors = append(authors, s)
		cs = append(cs, s.record)
		for k := range entries / 100 {
			cs = append(cs, s.entry(retold(i, k), genesis+1+int64(k), false)) // written in a moment, long ago
		}
	}
	old.bring(cs...)
	old.serve()
	fresh := open(t, t.TempDir(), func(c *config.Config) {
		c.Network.Bootstrap = old.Addrs()
		c.Admission.AuthorPerMinute, c.Admission.StrangersPerMinute, c.Admission.GiverPerSecond = 1, 1, 1
	})
	start := time.Now()
	fresh.serve()
	fresh.eventually("all of it arrives", func() bool { return fresh.Status().Entries == entries })
	s := fresh.Status()
	ids, hidden := fresh.feed(view.EntryQuery{Limit: 100})
	if s.Held != 0 || s.Stubbed != 0 || len(ids) != entries || hidden != 0 {
		t.Errorf("%d of %d entries shown, %d hidden: %d held, %d stubs", len(ids), entries, hidden, s.Held, s.Stubbed)
	}
	if got, want := s.View, old.Status().View; got != want {
		t.Errorf("view %v, want %v", got, want)
	}
	t.Logf("%d old entries shown %v after the start", entries, time.Since(start).Round(time.Millisecond))
	var now []*change.Change
	for i := range 60 {
		now = append(now, authors[0].entry(retold(1000, i), time.Now().UnixMilli(), false))
	}
	old.bring(now...)
	fresh.eventually("what is new arrives", func() bool {
		if _, _, err := fresh.SyncNow(t.Context(), false); err != nil && !strings.Contains(err.Error(), "busy") {
			t.Error(err)
		}
		return fresh.Status().View == old.Status().View
	})
	if fresh.Status().Held == 0 {
		t.Error("what is written from now on has no limit")
	}
}
