package node_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// alike is one text with another last word: almost the same for every word.
func alike(last string) string { return retold(1) + " " + retold(2) + " It was on " + last + "." }

func nearEntry(last string) body.Entry { return body.Entry{Type: body.Gotcha, Text: alike(last)} }

// wantNear fails unless err is near_duplicate and names the entry.
func wantNear(t *testing.T, what string, err error, id change.ID) {
	t.Helper()
	var r *reason.Refusal
	if !errors.As(err, &r) || r.Code != reason.NearDuplicate || r.Details["existing_id"] != id.Text(change.PrefixEntry) {
		t.Errorf("%s: %v, want near_duplicate of %s", what, err, id.Text(change.PrefixEntry))
	}
}

// TestAlmostTheSameTextIsRefused: of one author, for a day, unless it takes the
// place of what it is like; writing and the check say the same.
func TestAlmostTheSameTextIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 1, nil)
		b, ctx := c.nodes[0], t.Context()
		ada, bo := b.agent("Ada"), b.agent("Bo")
		first := b.contribute(ada, alike("monday"))
		checks := func(what, last string, replaces change.ID, want bool) {
			t.Helper()
			r := b.Check(t.Context(), gate.Draft{Type: "gotcha", Domain: "go", Content: alike(last), Replaces: replaces}, ada.ID)
			if got := len(r.Reasons) == 1 && r.Reasons[0].Code == reason.NearDuplicate; got != want || want == r.OK() {
				t.Errorf("%s: the check says %v", what, r.Reasons)
			}
		}
		_, err := b.Contribute(ctx, ada.ID, pass("go", nearEntry("tuesday")), view.Submit{})
		wantNear(t, "a word later", err, first.ID)
		checks("a word later", "tuesday", change.ID{}, true)
		_, err = b.Contribute(ctx, ada.ID, pass("rust", nearEntry("tuesday")), view.Submit{})
		wantNear(t, "in another domain", err, first.ID)
		b.contribute(bo, alike("wednesday"))
		b.contribute(ada, retold(3))

		checks("in its place", "thursday", first.ID, false)
		e := nearEntry("thursday")
		e.Supersedes = first.ID
		once := view.Submit{IdempotencyKey: "once"}
		second, err := b.Contribute(ctx, ada.ID, pass("go", e), once)
		if err != nil {
			t.Fatalf("in its place: %v", err)
		}
		if again, err := b.Contribute(ctx, ada.ID, pass("go", e), once); err != nil || again.ID != second.ID {
			t.Errorf("the same request again: %v, %v", again.ID, err)
		}
		_, err = b.Contribute(ctx, ada.ID, pass("go", nearEntry("friday")), view.Submit{})
		wantNear(t, "like the one in place", err, second.ID)

		if _, err := b.Retract(ctx, ada.ID, second.ID, ""); err != nil {
			t.Fatal(err)
		}
		third := b.contribute(ada, alike("saturday")) // what is withdrawn is in nobody's way
		time.Sleep(24*time.Hour - time.Second)
		_, err = b.Contribute(ctx, ada.ID, pass("go", nearEntry("sunday")), view.Submit{})
		wantNear(t, "almost a day later", err, third.ID)
		time.Sleep(2 * time.Second)
		checks("a day later", "sunday", change.ID{}, false)
		b.contribute(ada, alike("sunday"))
	})
}

// TestTextsAlikeOfATeam: a team's entries are compared with each other, and with
// nothing that is public.
func TestTextsAlikeOfATeam(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada := b.agent("Ada")
	g, err := b.OpenGuild(t.Context(), ada.ID, view.NewGuild{Name: "Night watch", Type: "dev", Visibility: body.Private})
	if err != nil {
		t.Fatal(err)
	}
	b.contribute(ada, alike("monday"))
	inTeam, err := b.ContributeToTeam(t.Context(), ada.ID, g.ID, pass("go", nearEntry("tuesday")), view.Submit{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.ContributeToTeam(t.Context(), ada.ID, g.ID, pass("go", nearEntry("wednesday")), view.Submit{})
	wantNear(t, "in the team", err, inTeam.ID)
	if _, err = b.ContributeToTeam(t.Context(), ada.ID, g.ID, pass("go", nearEntry("tuesday")), view.Submit{}); reason.Of(err) != reason.Duplicate {
		t.Errorf("the same in the team: %v", err)
	}
}

// TestTextsAlikeAtOnceStoreOne: the later of two waits for the earlier, whatever
// becomes of it.
func TestTextsAlikeAtOnceStoreOne(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada := b.agent("Ada")
	var wg sync.WaitGroup
	errs := make([]error, 16)
	for i := range errs {
		wg.Go(func() {
			_, errs[i] = b.Contribute(t.Context(), ada.ID, pass("go", nearEntry(word(i))), view.Submit{})
		})
	}
	wg.Wait()
	ids, _ := b.feed(view.EntryQuery{Limit: 50})
	if len(ids) != 1 {
		t.Fatalf("%d are shown", len(ids))
	}
	stored := 0
	for _, err := range errs {
		if err == nil {
			stored++
			continue
		}
		wantNear(t, "at once", err, ids[0])
	}
	if stored != 1 {
		t.Errorf("%d acknowledged", stored)
	}
}

// TestTextsAlikeOfPeersAreShown: this node's opinion is nobody's membership or effect.
func TestTextsAlikeOfPeersAreShown(t *testing.T) {
	t.Parallel()
	b, eve := filled(t, 0)
	defer b.shut()
	b.bring(eve.entry(alike("monday"), genesis+1, false), eve.entry(alike("tuesday"), genesis+2, false))
	if ids, hidden := b.feed(view.EntryQuery{Limit: 5}); len(ids) != 2 || hidden != 0 {
		t.Errorf("%d shown, %d hidden", len(ids), hidden)
	}
}

// TestTextsAlikeSurviveARestart: from the checkpoint, and from the log without one.
func TestTextsAlikeSurviveARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, dir, nil)
	ada := b.agent("Ada")
	first := b.contribute(ada, alike("monday"))
	b.shut()
	for _, file := range []string{"kept", "lost"} {
		if file == "lost" {
			if err := os.Remove(filepath.Join(dir, "store", "checkpoint")); err != nil {
				t.Fatal(err)
			}
		}
		b = open(t, dir, nil)
		_, err := b.Contribute(t.Context(), ada.ID, pass("go", nearEntry("tuesday")), view.Submit{})
		wantNear(t, "the checkpoint is "+file, err, first.ID)
		b.shut()
	}
}

// TestNoEntryIsSignedBesidesTheGate: what the gate did not make is refused, and
// only one place makes changes of entries.
func TestNoEntryIsSignedBesidesTheGate(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	ada := b.agent("Ada")
	if r, err := b.Contribute(t.Context(), ada.ID, gate.Passed{}, view.Submit{}); err == nil {
		t.Errorf("an empty value is signed as %s", r.ID)
	}
	d := gate.Draft{Type: "gotcha", Domain: "go", Content: "The nightly job logs in with password=Tulip77rose and nobody has changed it since."}
	if p, report := b.Pass(d); p.OK() || report.OK() {
		t.Errorf("a password passes: %v", report.Codes())
	}
	if ids, _ := b.feed(view.EntryQuery{Limit: 5}); len(ids) != 0 {
		t.Errorf("%d are stored", len(ids))
	}
	of := reflect.TypeFor[gate.Passed]()
	for i := range of.NumField() {
		if f := of.Field(i); f.IsExported() {
			t.Errorf("anybody can set %s of what has passed", f.Name)
		}
	}
	files, err := filepath.Glob("*.go")
	parts, err2 := filepath.Glob("*/*.go")
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	makers := 0
	for _, name := range append(files, parts...) {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") && filepath.Dir(name) != "world" { // whose liars write what they like
			makers += strings.Count(string(src), "Kind: change.KindEntryPut")
		}
	}
	if makers != 1 {
		t.Errorf("%d places make changes of entries, want entryWrite alone", makers)
	}
}

// BenchmarkContribute writes durably and at once, as many clients do, by one
// author whose day is full.
func BenchmarkContribute(b *testing.B) {
	n := open(b, b.TempDir(), nil)
	defer n.shut()
	ada := n.agent("Ada")
	for i := range 500 {
		n.contribute(ada, retold(-i-1))
	}
	var mu sync.Mutex
	i := 0
	b.SetParallelism(8)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			mu.Lock()
			i++
			text := retold(i)
			mu.Unlock()
			if _, err := n.Contribute(b.Context(), ada.ID, pass("go", body.Entry{Type: body.Gotcha, Text: text}), view.Submit{}); err != nil {
				b.Error(fmt.Errorf("contribute: %w", err))
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
}

// BenchmarkAlmostTheSame judges texts of an author who wrote n entries today: the
// gate's time apart, it does not grow.
func BenchmarkAlmostTheSame(b *testing.B) {
	for _, entries := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("entries=%d", entries), func(b *testing.B) {
			n := open(b, b.TempDir(), nil)
			defer n.shut()
			ada := n.agent("Ada")
			var wg sync.WaitGroup
			for w := range 64 {
				wg.Go(func() {
					for i := w; i < entries; i += 64 {
						if _, err := n.Contribute(b.Context(), ada.ID, pass("go", body.Entry{Type: body.Gotcha, Text: retold(i)}), view.Submit{}); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			i := entries
			for b.Loop() {
				if r := n.Check(b.Context(), gate.Draft{Type: "gotcha", Domain: "go", Content: retold(i), Evidence: []string{"x"}}, ada.ID); !r.OK() {
					b.Fatal(r.Codes())
				}
				i++
			}
		})
	}
}
