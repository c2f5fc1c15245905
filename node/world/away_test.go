package world

import (
	"bytes"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/exchange"
	"github.com/meshd/meshd/node/view"
	"github.com/meshd/meshd/p2p/stranger"
)

// history is what many authors wrote between two times, oldest first, as a file of
// an export.
func (w *World) history(t testing.TB, authors []*stranger.Author, entries int, from, to time.Time) []byte {
	t.Helper()
	var file []byte
	add := func(c *change.Change, err error) {
		if err == nil {
			file, err = exchange.Append(file, c)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, a := range authors {
		if a.Record == nil {
			add(a.Born(fmt.Sprint("Author ", i), from))
		}
	}
	for i := range entries {
		at := from.Add(to.Sub(from) * time.Duration(i+1) / time.Duration(entries))
		add(authors[i%len(authors)].Gotcha(domains[i%len(domains)], text(uint64(at.UnixNano())), at, true))
	}
	return file
}

// Scenario 3: a node comes back after 30 days, far behind: two peers have what was
// written meanwhile, and it has what is older. It answers at once, shows soon what was
// written while it was away and what is new, and is complete in minutes. Time is
// that of the network; processor time is said beside it.
func TestScenario03NodeAwayForAMonth(t *testing.T) {
	const month = 30 * 24 * time.Hour
	old, missed := either(400, 20_000), either(2500, 100_000)
	var useful, news, whole, spent time.Duration
	peak := peakOf(t, func() {
		synctest.Test(t, func(t *testing.T) {
			w := newTown(t, 103, 3)
			back, peers := w.machines[2], w.machines[:2]
			now := back.now()
			var authors []*stranger.Author
			for i := range 50 {
				authors = append(authors, stranger.NewAuthor(w.netID, fmt.Sprint("away/", i)))
			}
			before := w.history(t, authors, old, now.Add(-2*month), now.Add(-month-time.Hour))
			after := w.history(t, authors, missed, now.Add(-month), now.Add(-time.Minute))

			back.skew.Store(int64(-month)) // its first life, a month ago
			w.open(t, nil, back)
			n, _ := back.alive()
			if r, err := n.Import(t.Context(), bytes.NewReader(before)); err != nil || r.New != old+len(authors) {
				t.Fatalf("the old part: %+v, %v", r, err)
			}
			if err := back.stop(); err != nil {
				t.Fatal(err)
			}
			back.skew.Store(0)

			w.open(t, nil, peers...)
			n, _ = peers[0].alive()
			for _, file := range [][]byte{before, after} {
				if r, err := n.Import(t.Context(), bytes.NewReader(file)); err != nil || len(r.Refused) > 0 {
					t.Fatalf("the history: %+v, %v", r, err)
				}
			}
			w.within(t, time.Hour, "the others agree", func() bool { return equal(peers...) })

			back.boot = []string{peers[0].addr(), peers[1].addr()}
			work := cpuTime()
			begin := time.Now()
			if err := back.start(); err != nil {
				t.Fatal(err)
			}
			n, _ = back.alive()
			if page, err := n.Entries(t.Context(), view.EntryQuery{Limit: 20}); err != nil || page.Total != old {
				t.Errorf("at the start it shows %d of %d entries: %v", page.Total, old, err)
			}
			if _, err := w.say(t.Context(), back, 1); err != nil {
				t.Errorf("it does not write: %v", err)
			}
			said, err := w.say(t.Context(), peers[1], 2)
			if err != nil {
				t.Fatal(err)
			}
			for whole == 0 {
				if time.Since(begin) > time.Hour {
					t.Fatalf("after an hour it has %s, the others %s", standing(n), standing(peers[0].node))
				}
				time.Sleep(100 * time.Millisecond)
				took := time.Since(begin)
				if useful == 0 {
					page, err := n.Entries(t.Context(), view.EntryQuery{Limit: 20, Since: now.Add(-month)})
					found, err2 := n.Entries(t.Context(), view.EntryQuery{Limit: 20, Since: now.Add(-month), Text: "synced crash"})
					if err == nil && err2 == nil && len(page.Entries) == 20 && len(found.Entries) == 20 {
						useful = took
					}
				}
				if _, err := n.Entry(t.Context(), said); err == nil && news == 0 {
					news = took
				}
				if equal(w.machines...) {
					whole = took
				}
			}
			spent = cpuTime() - work
		})
	})
	t.Logf("scenario 03: of %d changes behind, a full page and a full search of them after %v and news of now after %v (bar: useful reads ≤ 10 s), complete after %v and %v of processor time of all 3 nodes (bar: ≤ 5 min), memory of the whole process at most %d MB (bar: ≤ 512 MB)",
		missed, useful, news, whole, spent.Round(100*time.Millisecond), peak>>20)
	if useful > 10*time.Second || news > 10*time.Second {
		t.Errorf("useful reads after %v, news of now after %v", useful, news)
	}
	if max(whole, spent) > 5*time.Minute {
		t.Errorf("complete after %v, %v of processor time", whole, spent)
	}
	if peak > 512<<20 {
		t.Errorf("%d MB of memory", peak>>20)
	}
}
