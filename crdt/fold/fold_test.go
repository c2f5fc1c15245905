package fold_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
)

// fataler is a test or a property.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// agree compares everything that views say with the reference.
func agree(t fataler, v *fold.Views, members []*change.Change) {
	t.Helper()
	ref := replay(members)
	rows := ref.rows()
	if got := v.Rows(); !slices.EqualFunc(got, rows, bytes.Equal) {
		t.Fatalf("rows differ:\n%x\nwant\n%x", got, rows)
	}
	if n, fp := v.Hash(); n != uint64(len(rows)) || fp != viewHash(rows) {
		t.Fatalf("hash of %d rows is %x, want %d and %x", n, fp, len(rows), viewHash(rows))
	}
	if got, want := v.Forks(), ref.forks(); !maps.Equal(got, want) {
		t.Fatalf("forks %v, want %v", got, want)
	}
	agreeOnEntries(t, v, ref)
	agreeOnAgents(t, v, ref)
	agreeOnDocuments(t, v, ref)
	agreeOnWords(t, v, ref)
}

func agreeOnEntries(t fataler, v *fold.Views, ref *reference) {
	t.Helper()
	domains := map[string]int{}
	var live []change.ID
	for _, e := range ref.withEffect(change.KindEntryPut) {
		got, ok := v.Entry(e.ID)
		if !ok || got.State != ref.state(e) || got.Agent != ref.agentOf(e) || got.Reuses != ref.citing(e, false) || got.Domain != e.Head.Space.Domain() {
			t.Fatalf("entry %s: %+v, want state %d, %d reuses", e.ID, got, ref.state(e), ref.citing(e, false))
		}
	}
	for _, e := range ref.live() {
		domains[e.Head.Space.Domain()]++
		live = append(live, e.ID)
	}
	agents, entries, count := v.Counts()
	if agents != len(ref.agents()) || entries != len(live) || count != len(domains) {
		t.Fatalf("counts %d %d %d, want %d %d %d", agents, entries, count, len(ref.agents()), len(live), len(domains))
	}
	var newest []change.ID
	v.Newest(fold.Filter{Intro: true}, 0, change.ID{}, func(e fold.Entry) bool {
		newest = append(newest, e.ID)
		return true
	})
	slices.Reverse(newest)
	if !slices.Equal(newest, live) {
		t.Fatalf("entries shown %v, want %v", newest, live)
	}
	for _, d := range v.Domains() {
		if d.Count != domains[d.Name] || d.Count == 0 {
			t.Fatalf("domain %s has %d entries, want %d", d.Name, d.Count, domains[d.Name])
		}
	}
}

func agreeOnAgents(t fataler, v *fold.Views, ref *reference) {
	t.Helper()
	for _, got := range v.Agents() {
		want := ref.agents()[got.ID]
		if want == nil {
			t.Fatalf("unknown agent %s", got.ID)
			return
		}
		slices.Sort(want.proven)
		proven := slices.Clone(got.Proven)
		slices.Sort(proven)
		if got.Key != want.key || got.Name != want.name || got.Home != want.home || got.Binding != want.born.ID ||
			!slices.Equal(proven, slices.Compact(want.proven)) || got.CreatedHLC != want.born.Head.HLC ||
			(got.Sponsor == nil) != (want.sponsor == nil) {
			t.Fatalf("agent %+v\nwant %+v", got.Agent, want)
		}
		c, r := ref.contributions(got.ID), ref.reuses(got.ID)
		in := fold.Inputs{Contributions: c, Reuses: r, Served: ref.served(got.ID), Labels: ref.faults(got.ID)}
		in.Up, in.Down = ref.weighedVotes(got.ID)
		if got.Reputation != fold.Rate(in) {
			t.Fatalf("reputation %+v, want %+v", got.Reputation, fold.Rate(in))
		}
		if byKey, ok := v.AgentByKey(got.Key); !ok || byKey.ID != got.ID {
			t.Fatalf("key of %s leads to %s", got.ID, byKey.ID)
		}
	}
}

func agreeOnDocuments(t fataler, v *fold.Views, ref *reference) {
	t.Helper()
	for id := range ref.agents() {
		for _, base := range []doc.Name{"page", "room"} {
			want, wantName := []doc.Edit(nil), doc.Name("")
			waiting := 0
			for _, name := range []doc.Name{base, base.Next()} {
				if ordered, _, wait := doc.Order(ref.documents()[string(id.Space())+"\x00"+string(name)]); len(ordered) > 0 {
					want, wantName, waiting = ordered, name, len(wait)
				}
			}
			got, ok := v.Document(id.Space(), base)
			same := slices.EqualFunc(got.Edits, want, func(a, b doc.Edit) bool { return a.ID == b.ID })
			if ok != (want != nil) || ok && (got.Name != wantName || !same || got.Waiting != waiting) {
				t.Fatalf("document %s of %s: %s with %d edits, %d waiting; want %s with %d, %d", base, id, got.Name, len(got.Edits), got.Waiting, wantName, len(want), waiting)
			}
		}
	}
}

func TestAnyOrderGivesTheReference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, members := draw(t)
		v := fold.New(w.Net)
		apply(v, shuffled(members, rapid.Uint64().Draw(t, "order"))...)
		agree(t, v, members)
		n, fp := v.Hash()
		apply(v, shuffled(members, rapid.Uint64().Draw(t, "again"))...)
		if n2, fp2 := v.Hash(); n2 != n || fp2 != fp {
			t.Fatalf("applying everything again changes the hash")
		}
		agree(t, v, members)
	})
}

// The reference is asked after every change, so that no state on the way is wrong.
func TestEveryStepGivesTheReference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, members := draw(t)
		v := fold.New(w.Net)
		var soFar []*change.Change
		for _, c := range shuffled(members, rapid.Uint64().Draw(t, "order")) {
			v.Apply(c)
			soFar = append(soFar, c)
			if rapid.IntRange(0, 4).Draw(t, "ask") == 0 {
				agree(t, v, soFar)
			}
		}
	})
}

func TestTwoNodesThatExchangeAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, members := draw(t)
		one, two := shuffled(members, rapid.Uint64().Draw(t, "one")), shuffled(members, rapid.Uint64().Draw(t, "two"))
		a, b := fold.New(w.Net), fold.New(w.Net)
		cutA, cutB := rapid.IntRange(0, len(one)).Draw(t, "a has"), rapid.IntRange(0, len(two)).Draw(t, "b has")
		apply(a, one[:cutA]...)
		apply(b, two[:cutB]...)
		apply(a, two[:cutB]...)
		apply(b, one[:cutA]...)
		agree(t, a, append(slices.Clone(one[:cutA]), two[:cutB]...))
		if !slices.EqualFunc(a.Rows(), b.Rows(), bytes.Equal) {
			t.Fatalf("two nodes with equal sets show different views")
		}
	})
}

// A history of seven in which everything happens, in every order it can arrive in.
func TestAllPermutationsOfSeven(t *testing.T) {
	t.Parallel()
	w := worldtest.New(3)
	ada, bo := w.Agent("ada"), w.Agent("bo")
	twin := ada.Clone()
	bind, boBind := ada.Bind(), bo.Bind()
	other := twin.BindAs(body.Bind{Name: "ada's copy"})
	one := ada.Entry("go", "one")
	two := ada.EntryAs("go", body.Entry{Type: body.Gotcha, Text: worldtest.Text("two"), Supersedes: one.ID, Confidence: 1})
	cs := []*change.Change{
		bind, boBind, other, one, two, ada.Retract(one.ID),
		bo.EntryAs("rust", body.Entry{Type: body.Wisdom, Text: worldtest.Text("three"), Reuses: []change.ID{one.ID, two.ID}, Confidence: 1}),
	}
	w.Verify(cs...)
	rows := replay(cs).rows()
	orders := 0
	permute(cs, func(order []*change.Change) {
		here := map[change.ID]bool{}
		for _, c := range order {
			if slices.ContainsFunc(parents(c), func(id change.ID) bool { return !here[id] }) {
				return
			}
			here[c.ID] = true
		}
		orders++
		v := fold.New(w.Net)
		apply(v, order...)
		if !slices.EqualFunc(v.Rows(), rows, bytes.Equal) {
			t.Errorf("order %d gives other rows", orders)
		}
		if n, fp := v.Hash(); n != uint64(len(rows)) || fp != viewHash(rows) {
			t.Errorf("order %d gives another hash", orders)
		}
	})
	if orders < 50 {
		t.Errorf("only %d orders", orders)
	}
}

func permute(cs []*change.Change, visit func([]*change.Change)) {
	var walk func(int)
	walk = func(k int) {
		if k == len(cs) {
			visit(cs)
			return
		}
		for i := k; i < len(cs); i++ {
			cs[k], cs[i] = cs[i], cs[k]
			walk(k + 1)
			cs[k], cs[i] = cs[i], cs[k]
		}
	}
	walk(0)
}

func TestWithdrawIsApplyBackwards(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, members := draw(t)
		v := fold.New(w.Net)
		apply(v, members...)
		n, fp := v.Hash()
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "which"), 3))
		left := slices.Clone(members)
		var gone []*change.Change
		for i, c := range members {
			if change.LaneOf(c.Head.Kind) == change.Content && rng.IntN(3) == 0 {
				v.Withdraw(c)
				gone, left[i] = append(gone, c), c.Stub()
			}
		}
		agree(t, v, left)
		for _, c := range gone {
			if ds := v.Withdraw(c); len(ds) != 0 {
				t.Fatalf("withdrawn twice: %+v", ds)
			}
		}
		rng.Shuffle(len(gone), func(i, j int) { gone[i], gone[j] = gone[j], gone[i] })
		apply(v, gone...)
		if n2, fp2 := v.Hash(); n2 != n || fp2 != fp {
			t.Fatalf("applied again, %d rows, want %d", n2, n)
		}
		agree(t, v, members)
	})
}

// Who follows the deltas knows what is shown, and which chains are forked.
func TestDeltasAreComplete(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, members := draw(t)
		v := fold.New(w.Net)
		shown, agents, forks := map[change.ID]bool{}, map[change.AgentID]bool{}, map[change.Chain]bool{}
		follow := func(c *change.Change, ds []fold.Delta) {
			for _, d := range ds {
				switch d.Kind {
				case fold.EntryNew:
					if shown[d.ID] {
						t.Fatalf("entry %s is new twice", d.ID)
					}
					shown[d.ID] = true
				case fold.EntryHidden:
					if !shown[d.ID] {
						t.Fatalf("entry %s is hidden and was not shown", d.ID)
					}
					delete(shown, d.ID)
				case fold.AgentNew:
					if agents[d.Agent] {
						t.Fatalf("agent %s is new twice", d.Agent)
					}
					agents[d.Agent] = true
				case fold.ChainForked:
					forks[c.Head.Chain()] = true
				}
			}
		}
		for _, c := range shuffled(members, rapid.Uint64().Draw(t, "order")) {
			follow(c, v.Apply(c))
		}
		for _, c := range members {
			if change.LaneOf(c.Head.Kind) == change.Content && rapid.IntRange(0, 3).Draw(t, "withdraw") == 0 {
				follow(c, v.Withdraw(c))
			}
		}
		count := 0
		v.Newest(fold.Filter{Intro: true}, 0, change.ID{}, func(e fold.Entry) bool {
			count++
			if !shown[e.ID] {
				t.Fatalf("entry %s is shown without a delta", e.ID)
			}
			return true
		})
		if count != len(shown) || len(agents) != len(v.Agents()) || len(forks) != len(v.Forks()) {
			t.Fatalf("%d entries, %d agents, %d forks from deltas", len(shown), len(agents), len(forks))
		}
	})
}
