package node_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/health"
	"github.com/meshd/meshd/node/view"
)

// genesis is the first millisecond of the network of these tests.
const genesis = int64(1767225600000)

// feed is every entry that is shown, newest first.
func (b *box) feed(q view.EntryQuery) (ids []change.ID, hidden int) {
	b.t.Helper()
	for {
		p, err := b.Entries(b.t.Context(), q)
		if err != nil {
			b.t.Fatal(err)
		}
		for _, e := range p.Entries {
			ids = append(ids, e.ID)
		}
		hidden += p.Hidden
		if q.After = p.Next; p.Next == nil {
			return ids, hidden
		}
	}
}

func TestRetractAndSupersedeHideInFeedAndSearch(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada, bo := b.agent("Ada"), b.agent("Bo")
	gone := b.contribute(ada, "Retracted: "+lesson)
	old := b.contribute(ada, retold(1))
	b.eventually("both found", func() bool { return b.finds("synced crash") == 2 })
	if _, err := b.Retract(t.Context(), bo.ID, gone.ID, ""); reason.Of(err) != reason.NotOwner {
		t.Errorf("retract by another: %v", err)
	}
	if _, err := b.Retract(t.Context(), ada.ID, gone.ID, "wrong"); err != nil {
		t.Fatal(err)
	}
	newer, err := b.Contribute(t.Context(), ada.ID, pass("go", body.Entry{Type: body.Gotcha, Text: "Better: " + retold(1), Supersedes: old.ID}), view.Submit{})
	if err != nil {
		t.Fatal(err)
	}
	b.eventually("only the newer one found", func() bool {
		p, err := b.Entries(t.Context(), view.EntryQuery{Text: "synced crash", Limit: 5})
		return err == nil && len(p.Entries) == 1 && p.Entries[0].ID == newer.ID
	})
	if ids, _ := b.feed(view.EntryQuery{Limit: 5}); !slices.Equal(ids, []change.ID{newer.ID}) {
		t.Errorf("feed %v", ids)
	}
	for _, id := range []change.ID{gone.ID, old.ID} {
		if _, err := b.Entry(t.Context(), id); reason.Of(err) != reason.Retracted {
			t.Errorf("entry: %v", err)
		}
	}
	if _, err := b.Retract(t.Context(), ada.ID, gone.ID, ""); reason.Of(err) != reason.Retracted {
		t.Errorf("retract again: %v", err)
	}
}

func TestHeldEntryIsCountedButNeverShown(t *testing.T) {
	t.Parallel()
	b, clean := open(t, t.TempDir(), nil), open(t, t.TempDir(), nil)
	defer b.shut()
	defer clean.shut()
	eve := b.stranger("Eve")
	secret := eve.entry("Deploy with the token gh"+"p_16C7e42F292c6912E7710c838347Ae178B4a, it never expires and works for all.", genesis+1, false)
	good := eve.entry(lesson, genesis+2, false)
	b.bring(eve.record, secret, good)
	b.eventually("the good one is found", func() bool { return b.finds("synced crash") == 1 })
	if _, err := b.Entry(t.Context(), secret.ID); reason.Of(err) != reason.EntryNotFound {
		t.Errorf("entry: %v", err)
	}
	for _, sort := range []string{"recent", "top"} {
		ids, hidden := b.feed(view.EntryQuery{Limit: 1, Sort: sort})
		if !slices.Equal(ids, []change.ID{good.ID}) || hidden != 1 {
			t.Errorf("%s: %v, %d hidden", sort, ids, hidden)
		}
	}
	if b.finds("token") != 0 || b.finds("expires") != 0 {
		t.Error("a search shows it")
	}
	sets := b.Status().Sets
	if i := slices.IndexFunc(sets, func(s health.SetStatus) bool { return s.Name == "open/0" }); i < 0 || sets[i].Count != 2 {
		t.Errorf("sets %+v", sets)
	}
	// It has effect all the same: a node that never looked has the same view.
	clean.bring(good, eve.record, secret)
	if got, want := clean.Status(), b.Status(); got.View != want.View || !slices.Equal(got.Sets, want.Sets) {
		t.Errorf("%+v differs from %+v", got, want)
	}
}

func TestFutureEntryIsShownWhenItsTimeComes(t *testing.T) {
	t.Parallel()
	var clock atomic.Int64
	clock.Store(genesis + 1000)
	b := openWith(t, t.TempDir(), func(o *core.Options) { o.Now = func() time.Time { return time.UnixMilli(clock.Load()) } })
	defer b.shut()
	eve := b.stranger("Eve")
	e := eve.entry(lesson, genesis+2*time.Hour.Milliseconds(), false)
	b.bring(eve.record, e)
	b.eventually("indexed", func() bool { return b.Status().IndexLag == 0 })
	shown := func() [3]bool {
		_, err := b.Entry(t.Context(), e.ID)
		ids, _ := b.feed(view.EntryQuery{Limit: 5})
		return [3]bool{err == nil, len(ids) == 1, b.finds("synced crash") == 1}
	}
	if got := shown(); got != [3]bool{} {
		t.Errorf("two hours ahead it is shown: %v", got)
	}
	clock.Add((2*time.Hour - b.Config().Admission.ClockAhead - time.Minute).Milliseconds())
	if got := shown(); got != [3]bool{} {
		t.Errorf("a minute too early it is shown: %v", got)
	}
	clock.Add((2 * time.Minute).Milliseconds())
	if got := shown(); got != [3]bool{true, true, true} {
		t.Errorf("when its time has come: %v", got)
	}
}

func TestEqualContributionsAtOnceStoreOne(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada, bo := b.agent("Ada"), b.agent("Bo")
	var wg sync.WaitGroup
	errs := make([]error, 16)
	for i := range errs {
		who := ada
		if i%2 == 1 {
			who = bo
		}
		wg.Go(func() {
			_, errs[i] = b.Contribute(t.Context(), who.ID, pass("go", body.Entry{Type: body.Gotcha, Text: lesson}), view.Submit{})
		})
	}
	wg.Wait()
	stored := 0
	for _, err := range errs {
		switch {
		case err == nil:
			stored++
		case reason.Of(err) != reason.Duplicate:
			t.Errorf("contribute: %v", err)
		}
	}
	ids, _ := b.feed(view.EntryQuery{Limit: 50})
	if stored != 1 || len(ids) != 1 {
		t.Fatalf("%d acknowledged, %d shown", stored, len(ids))
	}
	for _, err := range errs {
		var r *reason.Refusal
		if !errors.As(err, &r) {
			continue
		}
		if id := r.Details["existing_id"]; id != ids[0].Text(change.PrefixEntry) {
			t.Errorf("existing_id %v is no entry", id)
		}
	}
}

func TestEditsOfAPageAtOnceBothLand(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada := b.agent("Ada")
	var wg sync.WaitGroup
	fields := []string{"bio", "motto", "quote", "mood"}
	for _, f := range fields {
		wg.Go(func() {
			if _, err := b.EditPage(t.Context(), ada.ID, []doc.Field{{Key: f, Value: "of " + f}}, -1); err != nil {
				t.Errorf("edit %s: %v", f, err)
			}
		})
	}
	wg.Wait()
	p, err := b.Page(t.Context(), ada.ID)
	if err != nil || p.Version != len(fields) {
		t.Fatalf("page %+v, %v", p, err)
	}
	for _, f := range fields {
		if p.Fields[f] != "of "+f {
			t.Errorf("%s = %v", f, p.Fields[f])
		}
	}
}

// word is made of letters alone, so that each one is its own term.
func word(n int) string {
	return strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprintf("%06d", n))
}

// filled is a node in memory with some dozens of entries of a peer.
func filled(t *testing.T, entries int) (*box, *stranger) {
	b := openWith(t, t.TempDir(), func(o *core.Options) {
		o.Engine = crdtlog.NewMemory()
		o.Config.Moderation.Unjudged = config.UnjudgedBlur // in their place at once
	})
	eve := b.stranger("Eve")
	cs := []*change.Change{eve.record}
	for i := range entries {
		cs = append(cs, eve.entry(fmt.Sprintf("%s Marker %s.", lesson, word(i)), genesis+int64(1+i/3), false)) // several of one millisecond
	}
	b.bring(cs...)
	return b, eve
}

func TestPagesAreStableUnderInserts(t *testing.T) {
	t.Parallel()
	b, eve := filled(t, 20)
	defer b.shut()
	late := b.stranger("Late")
	b.bring(late.record)
	rng := rand.New(rand.NewPCG(3, 4))
	made := 20
	for round := range 12 {
		before, _ := b.feed(view.EntryQuery{Limit: 100})
		q := view.EntryQuery{Limit: 1 + rng.IntN(7)}
		var got []view.Entry
		for {
			p, err := b.Entries(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, p.Entries...)
			if q.After = p.Next; p.Next == nil {
				break
			}
			made++
			who := eve
			if rng.IntN(2) == 0 { // anywhere in the past
				who = late
			}
			text := fmt.Sprintf("%s Marker %s.", lesson, word(made))
			b.bring(who.entry(text, genesis+int64(rng.IntN(20)), false))
		}
		older := func(a, b view.Entry) int { return b.CreatedAt.Compare(a.CreatedAt) }
		if !slices.IsSortedFunc(got, older) {
			t.Fatalf("round %d: not newest first", round)
		}
		seen := map[change.ID]int{}
		for _, e := range got {
			if seen[e.ID]++; seen[e.ID] > 1 {
				t.Fatalf("round %d: %s twice", round, e.ID)
			}
		}
		for _, id := range before {
			if seen[id] != 1 {
				t.Fatalf("round %d: %s was there from the beginning and is left out", round, id)
			}
		}
	}
}

func TestRankedPagesHoldEveryEntryOnce(t *testing.T) {
	t.Parallel()
	const entries = 25
	b, _ := filled(t, entries)
	defer b.shut()
	b.eventually("indexed", func() bool { return b.Status().IndexLag == 0 })
	for name, q := range map[string]view.EntryQuery{"top": {Sort: "top"}, "text": {Text: "synced crash"}} {
		for _, limit := range []int{1, 4, entries, entries + 1} {
			q.Limit = limit
			ids, hidden := b.feed(q)
			slices.SortFunc(ids, change.ID.Compare)
			if total := len(slices.Compact(slices.Clone(ids))); len(ids) != entries || total != entries || hidden != 0 {
				t.Errorf("%s by %d: %d entries, %d different, %d hidden", name, limit, len(ids), total, hidden)
			}
		}
	}
}

func TestForkIsShownInStatus(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	eve := b.stranger("Eve")
	one, two := eve.entry(lesson+" One.", genesis+1, true), eve.entry(lesson+" Two.", genesis+2, true)
	b.bring(eve.record, one)
	if forks := b.Status().Forks; len(forks) != 0 {
		t.Errorf("forks %v", forks)
	}
	b.bring(two)
	if forks := b.Status().Forks; len(forks) != 1 || !strings.Contains(forks[0], eve.key.Key().String()) || !strings.HasSuffix(forks[0], "at 1") {
		t.Errorf("forks %v", forks)
	}
	if ids, _ := b.feed(view.EntryQuery{Limit: 5}); len(ids) != 2 {
		t.Errorf("%d of two branches are shown", len(ids))
	}
}

func TestSyncNowMakesTwoNodesEqual(t *testing.T) {
	t.Parallel()
	first := open(t, t.TempDir(), func(c *config.Config) { c.P2P.Gossip = false })
	ada := first.agent("Ada")
	for i := range 20 {
		first.contribute(ada, retold(i))
	}
	first.serve()
	second := open(t, t.TempDir(), func(c *config.Config) {
		c.P2P.Gossip = false
		c.Network.Bootstrap = first.Addrs()
	})
	bo := second.agent("Bo")
	second.contribute(bo, lesson)
	second.serve()
	second.eventually("connected", func() bool { return second.Status().Peers > 0 })
	passes, equal, err := second.SyncNow(t.Context(), true)
	if err != nil || !equal || len(passes) != 1 || !passes[0].Equal {
		t.Fatalf("passes %+v, equal %v, %v", passes, equal, err)
	}
	if got, want := second.Status(), first.Status(); got.View != want.View || !slices.Equal(got.Sets, want.Sets) || got.Entries != 21 {
		t.Errorf("%+v differs from %+v", got, want)
	}
}
