package node_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"
	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/health"
	"github.com/meshd/meshd/node/view"
)

// giver is the id of a peer that nobody is connected to.
func giver(name string) string {
	sum := sha256.Sum256([]byte(name))
	return peer.ID("\x12\x20" + string(sum[:])).String()
}

// dated is a clock that a test sets.
type dated struct{ ms atomic.Int64 }

func newDated() *dated {
	d := &dated{}
	d.ms.Store(genesis + 48*time.Hour.Milliseconds())
	return d
}

func (d *dated) now() time.Time        { return time.UnixMilli(d.ms.Load()) }
func (d *dated) pass(by time.Duration) { d.ms.Add(by.Milliseconds()) }

// limited is a node in memory with its own clock and limits.
func limited(t testing.TB, dir string, clock *dated, set func(*config.Admission)) *box {
	t.Helper()
	return openWith(t, dir, func(o *core.Options) {
		o.Engine, o.Documents, o.Now = crdtlog.NewMemory(), nowhere{}, clock.now
		if set != nil {
			set(&o.Config.Admission)
		}
	})
}

// given brings changes as a peer does; all must become members.
func (b *box) given(from string, cs ...*change.Change) {
	b.t.Helper()
	cs = slices.Clone(cs)
	slices.SortFunc(cs, (*change.Change).Compare)
	for part := range slices.Chunk(cs, 1000) {
		out, err := b.Bring(b.t.Context(), giver(from), part)
		if err != nil || out.New != len(part) {
			b.t.Fatalf("%d of %d are members: %v, %v", out.New, len(part), out.Refused, err)
		}
	}
}

// shown is how many entries of an author the feed shows.
func (b *box) shown(of change.AgentID) int {
	b.t.Helper()
	ids, _ := b.feed(view.EntryQuery{Limit: 100, Agent: of})
	return len(ids)
}

// kept reports whether the body of a member is here.
func (b *box) kept(c *change.Change) bool {
	body, err := b.Body(b.t.Context(), c.ID)
	return err == nil && body != nil
}

// TestAdmissionNeverChangesSets: two nodes with different limits take the same
// flood, in another order: their sets are equal, each entry whose body both have
// stands in the views of both, and they show different things.
func TestAdmissionNeverChangesSets(t *testing.T) {
	t.Parallel()
	differed := 0
	rapid.Check(t, func(rt *rapid.T) {
		clock := newDated()
		limits := func(name string) func(*config.Admission) {
			return func(a *config.Admission) {
				a.AuthorPerMinute = rapid.IntRange(1, 20).Draw(rt, name+" author")
				a.StrangersPerMinute = rapid.IntRange(1, 60).Draw(rt, name+" strangers")
				a.AuthorBodies = rapid.IntRange(20, 200).Draw(rt, name+" bodies")
				a.TreeBytes = config.Size(rapid.IntRange(1<<10, 1<<16).Draw(rt, name+" bytes"))
				a.Held = rapid.IntRange(16, 200).Draw(rt, name+" held")
			}
		}
		one, two := limited(t, t.TempDir(), clock, limits("one")), limited(t, t.TempDir(), clock, limits("two"))
		defer one.shut()
		defer two.shut()
		var all []*change.Change
		for i := range rapid.IntRange(1, 6).Draw(rt, "authors") {
			s := one.stranger(fmt.Sprint("spammer ", i))
			all = append(all, s.record)
			for k := range rapid.IntRange(1, 30).Draw(rt, "entries") {
				all = append(all, s.entry(retold(i, k), clock.ms.Load()+int64(k), false))
			}
		}
		parts := rapid.IntRange(1, 5).Draw(rt, "parts")
		for i := range parts {
			cut := func(n int) (at int) { return n * len(all) / parts }
			clock.pass(time.Duration(rapid.IntRange(0, 50).Draw(rt, "pause")) * time.Second)
			one.given("x", all[cut(i):cut(i+1)]...)
		}
		two.given("y", all...)
		a, b := one.Status(), two.Status()
		if fmt.Sprint(a.Sets) != fmt.Sprint(b.Sets) {
			rt.Fatalf("sets %v and %v", a.Sets, b.Sets)
		}
		stubs, showing := [2]int{}, [2]int{}
		for _, c := range all {
			if c.Head.Kind != change.KindEntryPut {
				if !one.kept(c) || !two.kept(c) {
					rt.Fatal("a control kind has lost its body")
				}
				continue
			}
			for i, n := range []*box{one, two} {
				here := n.kept(c)
				if stands := n.EntryStands(c.ID.Text(change.PrefixEntry)); stands != here {
					rt.Fatalf("node %d: body here %v, in the views %v", i, here, stands)
				}
				if !here {
					stubs[i]++
				}
				if n.shows(c.ID) {
					showing[i]++
				}
			}
		}
		if stubs == [2]int{} && a.View != b.View {
			rt.Fatalf("views %v and %v of the same bodies", a.View, b.View)
		}
		for i, s := range []health.Status{a, b} {
			if s.Stubbed != stubs[i] || s.Held+s.Stubbed+showing[i] != len(all)-s.Agents {
				rt.Fatalf("node %d counts %d held and %d stubs; %d are shown and %d have no body of %d", i, s.Held, s.Stubbed, showing[i], stubs[i], len(all)-s.Agents)
			}
		}
		if showing[0] != showing[1] {
			differed++
		}
	})
	if differed == 0 {
		t.Error("different limits never showed")
	}
}

func TestForgeriesAndStrangersLeaveAnAuthorsBucketAlone(t *testing.T) {
	t.Parallel()
	clock := newDated()
	b := limited(t, t.TempDir(), clock, func(a *config.Admission) { a.AuthorPerMinute, a.StrangersPerMinute = 60, 60 })
	defer b.shut()
	ada := b.stranger("Ada") // written in the past of this node, and so no newborn
	b.given("honest", ada.record)
	b.CaughtUp()
	var forged []*change.Change
	for i := range 700 { // ada's burst is 600
		c := ada.entry(retold(i), clock.ms.Load(), true)
		h := *c.Head
		h.Sig[0] ^= 1
		bad, err := change.Decode(h.Encode(), c.Body)
		if err != nil {
			t.Fatal(err)
		}
		forged = append(forged, bad)
	}
	out, err := b.Bring(t.Context(), giver("forger"), forged)
	if err != nil || out.Refused[reason.BadChangeSignature] != len(forged) {
		t.Fatalf("forgeries: %+v, %v", out, err)
	}
	for k := range 20 {
		s := b.stranger(fmt.Sprint("key ", k))
		cs := []*change.Change{s.record}
		for i := range 30 {
			cs = append(cs, s.entry(retold(k, i), clock.ms.Load(), false))
		}
		b.given("spammer", cs...)
	}
	if s := b.Status(); s.Held < 400 {
		t.Errorf("of 600 entries by strangers %d wait", s.Held)
	}
	var own []*change.Change
	for i := range 600 {
		own = append(own, ada.entry(retold(1000, i), clock.ms.Load(), false))
	}
	b.given("honest", own...)
	if got := b.shown(ada.id); got != 600 {
		t.Errorf("%d of 600 entries of ada are shown", got)
	}
	b.given("honest", ada.entry(retold(2000), clock.ms.Load(), false))
	if got := b.shown(ada.id); got != 600 {
		t.Error("the test shows nothing: ada's bucket has no end")
	}
}

// TestRestartKeepsWhatWasHeld: held changes stay held over a restart, with their
// bodies, and go as the rate allows; a stub stays a stub.
func TestRestartKeepsWhatWasHeld(t *testing.T) {
	t.Parallel()
	clock, dir := newDated(), t.TempDir()
	reopen := func() *box {
		return openWith(t, dir, func(o *core.Options) {
			o.Now, o.Documents = clock.now, nowhere{}
			o.Config.Admission.AuthorPerMinute, o.Config.Admission.AuthorBodies = 60, 900 // a newborn: 60 at once, 90 in all
		})
	}
	b := reopen()
	b.CaughtUp()
	eve := b.stranger("Eve")
	cs := []*change.Change{eve.record}
	for i := range 100 {
		cs = append(cs, eve.entry(retold(i), clock.ms.Load(), false))
	}
	b.given("peer", cs...)
	want := b.Status()
	if want.Held != 30 || want.Stubbed != 10 || b.shown(eve.id) != 60 {
		t.Fatalf("%d held, %d stubs, %d shown", want.Held, want.Stubbed, b.shown(eve.id))
	}
	b.shut()
	b = reopen()
	if got := b.Status(); got.Held != 30 || got.Stubbed != 10 || got.View != want.View || fmt.Sprint(got.Sets) != fmt.Sprint(want.Sets) || b.shown(eve.id) != 60 {
		t.Errorf("after a restart: %d held, %d stubs, %d shown, %v", got.Held, got.Stubbed, b.shown(eve.id), got.View)
	}
	if check, err := b.VerifyDeep(t.Context()); err != nil || len(check.Problems) > 0 || !check.ViewsOK {
		t.Errorf("verify = %+v, %v", check, err)
	}
	// The bucket is full again after a restart; what waits may go.
	b.eventually("what was held goes", func() bool { return b.Status().Held == 0 })
	if got := b.Status(); b.shown(eve.id) != 90 || got.Stubbed != 10 || got.View != want.View {
		t.Errorf("%d shown, %d stubs, %v", b.shown(eve.id), got.Stubbed, got.View)
	}
	one := cs[100]
	if out, err := b.Bring(t.Context(), giver("other"), []*change.Change{one}); err != nil || out.Duplicates != 1 || b.kept(one) {
		t.Errorf("a body over the quota is taken when it comes again: %+v, %v", out, err)
	}
	b.shut()
	b = reopen()
	defer b.shut()
	if b.Status().Held != 0 || b.shown(eve.id) != 90 {
		t.Error("what was let go is held again")
	}
}

func TestOwnAgentsHaveNoLimit(t *testing.T) {
	t.Parallel()
	clock := newDated()
	b := limited(t, t.TempDir(), clock, func(a *config.Admission) { a.AuthorPerMinute, a.AuthorBodies, a.StrangersPerMinute = 1, 1, 1 })
	defer b.shut()
	b.CaughtUp()
	ada := b.agent("Ada")
	for i := range 50 {
		b.contribute(ada, retold(i))
	}
	if s := b.Status(); s.Held != 0 || s.Stubbed != 0 || b.shown(ada.ID) != 50 {
		t.Errorf("%d shown: %d held, %d stubs", b.shown(ada.ID), s.Held, s.Stubbed)
	}
}
