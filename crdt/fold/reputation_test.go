package fold_test

import (
	"fmt"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/keys"
)

// The worked examples of the specification, and the edges of each cap.
func TestScore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		in    fold.Inputs
		score int64 // hundredths
		tier  string
	}{
		{"nothing", fold.Inputs{}, 0, "newcomer"},
		{"example A", fold.Inputs{Contributions: 10}, 300, "newcomer"},
		{"example B", fold.Inputs{Contributions: 10, Served: 5, Reuses: 5}, 1200, "contributor"},
		{"example C", fold.Inputs{Contributions: 100, Served: 50, Reuses: 200, Up: 62, Labels: 1}, 8300, "expert"},
		{"example C with downs and disputes", fold.Inputs{Contributions: 100, Served: 50, Reuses: 200, Up: 70, Down: 8, Disputes: 2}, 8300, "expert"},
		{"example D", fold.Inputs{Contributions: 2, Reuses: 2, Down: 8}, 0, "newcomer"},
		{"example D without votes: fewer than three contributions", fold.Inputs{Contributions: 2, Reuses: 2}, 60, "newcomer"},
		{"three contributions are enough", fold.Inputs{Contributions: 3, Reuses: 1}, 270, "newcomer"},
		{"the rate decides below the caps", fold.Inputs{Contributions: 100, Reuses: 50}, 4000, "expert"},
		{"a third is rounded down", fold.Inputs{Contributions: 300, Reuses: 100}, 9000 + 667, "expert"},
		{"half is rounded away from zero", fold.Inputs{Contributions: 800, Reuses: 1}, 24000 + 3, "authority"},
		{"forty is the most", fold.Inputs{Contributions: 1000, Reuses: 1_000_000_000}, 34000, "authority"},
		{"just below contributor", fold.Inputs{Contributions: 16}, 480, "newcomer"},
		{"just contributor", fold.Inputs{Contributions: 17}, 510, "contributor"},
		{"a vote is a tenth", fold.Inputs{Contributions: 10, Up: 3, Down: 1}, 320, "newcomer"},
		{"five is the most by votes", fold.Inputs{Contributions: 10, Up: 51}, 800, "contributor"},
		{"five is the least by votes", fold.Inputs{Contributions: 20, Down: 1000}, 100, "newcomer"},
		{"nobody is below nothing", fold.Inputs{Contributions: 1, Labels: 1}, 0, "newcomer"},
		{"what was served is a fifth", fold.Inputs{Served: 3}, 60, "newcomer"},
	} {
		if got := fold.Rate(c.in); got.Score != c.score || got.Tier != c.tier || got.Inputs != c.in {
			t.Errorf("%s: %+v, want %d, %s", c.name, got, c.score, c.tier)
		}
	}
	for score, tier := range map[int64]string{
		0: "newcomer", 499: "newcomer", 500: "contributor", 2999: "contributor", 3000: "expert", 9999: "expert", 10000: "authority", -1: "newcomer",
	} {
		if got := fold.Tier(score); got != tier {
			t.Errorf("tier of %d is %s", score, got)
		}
	}
}

// story collects what a test writes.
type story struct {
	t  *testing.T
	w  *worldtest.World
	cs []*change.Change
}

func (s *story) say(c *change.Change) *change.Change {
	s.cs = append(s.cs, c)
	return c
}

// writes lets a contribute n entries.
func (s *story) writes(a *worldtest.Author, n int) []*change.Change {
	var out []*change.Change
	for i := range n {
		out = append(out, s.say(a.Entry("go", fmt.Sprint(a.Name, " on ", i))))
	}
	return out
}

func (s *story) cites(a *worldtest.Author, es ...*change.Change) *change.Change {
	v := entryOf(fmt.Sprint("citing ", len(s.cs)), nil)
	for _, e := range es {
		v.Reuses = append(v.Reuses, e.ID)
	}
	return s.say(a.EntryAs("go", v))
}

func (s *story) views() *fold.Views {
	s.t.Helper()
	v := fold.New(s.w.Net)
	for _, m := range s.w.Verify(s.cs...) {
		v.Apply(m.Change())
	}
	return v
}

func (s *story) stats(a *worldtest.Author) fold.AgentStats {
	s.t.Helper()
	got, ok := s.views().Stats(a.ID)
	if !ok {
		s.t.Fatal("no such agent")
	}
	return got
}

func (s *story) reputation(a *worldtest.Author) fold.Reputation {
	s.t.Helper()
	return s.stats(a).Reputation
}

func TestReusesCount(t *testing.T) {
	t.Parallel()
	s := &story{t: t, w: worldtest.New(1)}
	ada, bo, cy := s.w.Agent("ada"), s.w.Agent("bo"), s.w.Agent("cy")
	for _, a := range []*worldtest.Author{ada, bo, cy} {
		s.say(a.Bind())
	}
	es := s.writes(ada, 4)
	s.cites(cy, es[0]) // cy has one contribution: its word has no weight yet
	s.writes(bo, 2)
	s.cites(bo, es[0], es[1]) // the third
	s.cites(bo, es[0])        // twice by the same agent is once
	s.cites(ada, es[0])       // by oneself is never
	want := fold.Rate(fold.Inputs{Contributions: 5, Reuses: 2})
	if got := s.reputation(ada); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if e, _ := s.views().Entry(es[0].ID); e.Reuses != 2 {
		t.Errorf("cited by %d agents, want 2", e.Reuses)
	}
	s.writes(cy, 2) // now cy's word counts, also what it said before
	if got := s.reputation(ada); got.Reuses != 3 {
		t.Errorf("%+v, want 3 reuses", got)
	}
}

func TestRelatedAgentsDoNotCount(t *testing.T) {
	t.Parallel()
	sponsorOf := func(a *worldtest.Author, by *keys.Private) body.Bind {
		sig := by.Sign(binding.SponsorMessage(a.World.Net, a.Key.Key()))
		return body.Bind{Name: a.Name, Sponsor: &body.Sponsor{By: by.Key(), Sig: sig[:]}}
	}
	other := keys.FromSeed([32]byte{9})
	for name, c := range map[string]struct {
		ada, bo func(h *history, a *worldtest.Author) body.Bind
		want    int
	}{
		"strangers": {
			func(_ *history, a *worldtest.Author) body.Bind { return body.Bind{Name: a.Name} },
			func(_ *history, a *worldtest.Author) body.Bind { return body.Bind{Name: a.Name} }, 1,
		},
		"the same sponsor": {
			func(_ *history, a *worldtest.Author) body.Bind { return sponsorOf(a, sponsor) },
			func(_ *history, a *worldtest.Author) body.Bind { return sponsorOf(a, sponsor) }, 0,
		},
		"different sponsors": {
			func(_ *history, a *worldtest.Author) body.Bind { return sponsorOf(a, sponsor) },
			func(_ *history, a *worldtest.Author) body.Bind { return sponsorOf(a, other) }, 1,
		},
		"the same proven controller":           {proven, proven, 0},
		"the same controller, claimed by one":  {proven, claimed, 1},
		"the same controller, claimed by both": {claimed, claimed, 1},
	} {
		s := &story{t: t, w: worldtest.New(1)}
		h := &history{w: s.w}
		ada, bo := s.w.Agent("ada"), s.w.Agent("bo")
		s.say(ada.BindAs(c.ada(h, ada)))
		s.say(bo.BindAs(c.bo(h, bo)))
		es := s.writes(ada, 3)
		s.writes(bo, 3)
		s.cites(bo, es[0])
		if got := s.reputation(ada); got.Reuses != c.want {
			t.Errorf("%s: %d reuses, want %d", name, got.Reuses, c.want)
		}
	}
}

func claimed(_ *history, a *worldtest.Author) body.Bind {
	return body.Bind{Name: a.Name, Controllers: []string{controller.Key().String()}}
}

func proven(h *history, a *worldtest.Author) body.Bind {
	v := claimed(h, a)
	v.Proof = h.proof(a)
	return v
}

func TestOnlyFiftyADayCount(t *testing.T) {
	t.Parallel()
	s := &story{t: t, w: worldtest.New(1)}
	ada := s.w.Agent("ada")
	s.say(ada.Bind())
	day := s.writes(ada, fold.DailyContributions+2)
	if got := s.reputation(ada); got.Contributions != fold.DailyContributions {
		t.Errorf("%d contributions in a day", got.Contributions)
	}
	s.say(ada.Retract(day[0].ID))
	if got := s.reputation(ada); got.Contributions != fold.DailyContributions {
		t.Errorf("one of 52 retracted: %d contributions", got.Contributions)
	}
	s.w.Advance(24 * 60 * 60 * 1000)
	s.writes(ada, 3)
	if got := s.reputation(ada); got.Contributions != fold.DailyContributions+3 {
		t.Errorf("%d contributions in two days", got.Contributions)
	}
	live := s.stats(ada).Live
	s.say(ada.EntryAs("go", entryOf("hello", func(v *body.Entry) { v.Tags = []string{fold.IntroTag} })))
	if got := s.stats(ada).Live; got != live {
		t.Errorf("%d entries with an introduction, %d without", got, live)
	}
	if got := s.reputation(ada); got.Contributions != fold.DailyContributions+3 {
		t.Errorf("with an introduction: %d", got.Contributions)
	}
}

func TestForkTakesTheWeight(t *testing.T) {
	t.Parallel()
	s := &story{t: t, w: worldtest.New(1)}
	ada, bo := s.w.Agent("ada"), s.w.Agent("bo")
	s.say(ada.Bind())
	s.say(bo.Bind())
	es := s.writes(ada, 3)
	s.writes(bo, 3)
	twin := bo.Clone()
	s.cites(bo, es[0])
	if got := s.reputation(ada); got.Reuses != 1 {
		t.Fatalf("%+v before the fork", got)
	}
	s.cites(twin, es[1])
	if got := s.reputation(ada); got.Reuses != 0 {
		t.Errorf("%d reuses from a forked chain", got.Reuses)
	}
	got := s.reputation(bo)
	if got.Contributions != 3 {
		t.Errorf("%d contributions, want the 3 below the fork", got.Contributions)
	}
	if e, _ := s.views().Entry(es[0].ID); e.Reuses != 1 {
		t.Errorf("the citation is shown %d times", e.Reuses)
	}
	_, entries, _ := s.views().Counts()
	if entries != 8 {
		t.Errorf("%d entries shown, want those of both branches", entries)
	}
}
