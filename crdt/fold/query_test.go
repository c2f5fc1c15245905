package fold_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
)

// library is views of fifty entries of every sort, and what a scan knows of them.
func library(t testing.TB) (*fold.Views, []fold.Entry) {
	t.Helper()
	w := worldtest.New(5)
	v := fold.New(w.Net)
	authors := []*worldtest.Author{w.Agent("ada"), w.Agent("bo"), w.Agent("cy")}
	for _, a := range authors {
		apply(v, a.Bind())
	}
	var ids []change.ID
	for i := range 50 {
		a := authors[i%3]
		c := a.EntryAs([]string{"go", "rust", "zig"}[i*i%3], entryOf("lesson", func(e *body.Entry) {
			e.Type = []string{body.Wisdom, body.Pattern, body.Gotcha}[i/2%3]
			e.Price = int64(i % 4 / 3)
			if i%5 == 0 {
				e.Tags = append(e.Tags, "storage")
			}
			if i%7 == 0 {
				e.Tags = append(e.Tags, fold.IntroTag)
			}
		}))
		apply(v, c)
		ids = append(ids, c.ID)
		if i%11 == 10 {
			apply(v, a.Retract(c.ID))
		}
	}
	var all []fold.Entry
	for _, id := range ids {
		e, ok := v.Entry(id)
		if !ok {
			t.Fatal("entry is not here")
		}
		all = append(all, e)
	}
	return v, all
}

// passes is the filter by its words.
func passes(f fold.Filter, e fold.Entry) bool {
	switch {
	case e.State != fold.Live,
		len(f.Types) > 0 && !slices.Contains(f.Types, e.Type),
		len(f.Domains) > 0 && !slices.Contains(f.Domains, e.Domain),
		f.Tag != "" && !slices.Contains(e.Tags, f.Tag),
		!f.Agent.IsZero() && f.Agent != e.Agent,
		e.HLC < f.Since, f.Until != 0 && e.HLC >= f.Until,
		f.Premium != nil && *f.Premium != (e.Price > 0),
		!f.Intro && slices.Contains(e.Tags, fold.IntroTag):
		return false
	}
	return true
}

func TestQueriesAreScans(t *testing.T) {
	t.Parallel()
	v, all := library(t)
	pick := func(t *rapid.T, label string, of []string) []string {
		return rapid.SliceOfN(rapid.SampledFrom(of), 0, 2).Draw(t, label)
	}
	rapid.Check(t, func(t *rapid.T) {
		f := fold.Filter{
			Types: pick(t, "types", []string{body.Wisdom, body.Pattern}), Domains: pick(t, "domains", []string{"go", "rust", "nowhere"}),
			Tag: rapid.SampledFrom([]string{"", "", "storage", "none"}).Draw(t, "tag"), Intro: rapid.Bool().Draw(t, "intro"),
		}
		some := rapid.SampledFrom(all)
		if rapid.Bool().Draw(t, "by agent") {
			f.Agent = some.Draw(t, "agent").Agent
		}
		if rapid.Bool().Draw(t, "since") {
			f.Since = some.Draw(t, "from").HLC
		}
		if rapid.Bool().Draw(t, "until") {
			f.Until = some.Draw(t, "to").HLC
		}
		if rapid.Bool().Draw(t, "paid or free") {
			premium := rapid.Bool().Draw(t, "premium")
			f.Premium = &premium
		}
		var want []change.ID
		for _, e := range slices.Backward(all) {
			if passes(f, e) {
				want = append(want, e.ID)
			}
			if v.Match(e.ID, f) != passes(f, e) {
				t.Fatalf("match of %+v is wrong", e)
			}
		}
		if got := v.Count(f); got != len(want) {
			t.Fatalf("count %d, want %d", got, len(want))
		}
		// Page by page, each beginning where the last ended.
		size := rapid.IntRange(1, 7).Draw(t, "page")
		var got []change.ID
		var hlc uint64
		var id change.ID
		for {
			n := 0
			v.Newest(f, hlc, id, func(e fold.Entry) bool {
				got, hlc, id = append(got, e.ID), e.HLC, e.ID
				n++
				return n < size
			})
			if n < size {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("newest %v, want %v", got, want)
		}
	})
}

// What is counted without looking at each entry is what looking at each would count:
// of every domain and of none, with introductions and without, of every span.
func TestCountsAreScans(t *testing.T) {
	t.Parallel()
	v, all := library(t)
	bounds := []uint64{0, 1, all[0].HLC, all[21].HLC, all[21].HLC + 1, all[22].HLC, all[len(all)-1].HLC, all[len(all)-1].HLC + 1}
	for _, domains := range [][]string{nil, {"go"}, {"rust"}, {"nowhere"}} {
		for _, agent := range []change.AgentID{{}, all[0].Agent} {
			for _, intro := range []bool{false, true} {
				for _, since := range bounds {
					for _, until := range bounds {
						f := fold.Filter{Domains: domains, Agent: agent, Intro: intro, Since: since, Until: until}
						want := 0
						for _, e := range all {
							if passes(f, e) {
								want++
							}
						}
						if got := v.Count(f); got != want {
							t.Errorf("%+v: count %d, want %d", f, got, want)
						}
					}
				}
			}
		}
	}
}

func TestUnknownObjects(t *testing.T) {
	t.Parallel()
	v, _ := library(t)
	if _, ok := v.Entry(change.ID{1}); ok {
		t.Error("an unknown entry")
	}
	if _, ok := v.Agent(change.AgentID{1}); ok {
		t.Error("an unknown agent")
	}
	if _, ok := v.Stats(change.AgentID{1}); ok {
		t.Error("figures of an unknown agent")
	}
	if _, ok := v.Document(change.SpaceNet, "page"); ok {
		t.Error("an unknown document")
	}
	if _, ok := v.Manifest(); ok {
		t.Error("an unknown manifest")
	}
	if n := v.Count(fold.Filter{Agent: change.AgentID{1}}); n != 0 {
		t.Errorf("%d entries of an unknown agent", n)
	}
}

func TestNewestManifestHolds(t *testing.T) {
	t.Parallel()
	w := worldtest.New(1)
	root := w.Agent("root")
	manifest := func(hlc uint64, addr string) *change.Change {
		b, err := body.Manifest{Bootstrap: []string{addr}}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return change.Seal(change.Draft{Net: w.Net, Space: change.SpaceNet, Kind: change.KindManifest, HLC: hlc, Seq: 1, Body: b}, root.Key)
	}
	old, newer, tie := manifest(1, "old"), manifest(2, "a"), manifest(2, "b")
	want := "a"
	if tie.ID.Compare(newer.ID) > 0 {
		want = "b"
	}
	permute([]*change.Change{old, newer, tie}, func(order []*change.Change) {
		v := fold.New(w.Net)
		apply(v, order...)
		apply(v, order...)
		if m, ok := v.Manifest(); !ok || m.Bootstrap[0] != want {
			t.Errorf("manifest %v, want %s", m.Bootstrap, want)
		}
	})
}
