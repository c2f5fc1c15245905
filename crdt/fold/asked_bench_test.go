package fold_test

import (
	"fmt"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
)

// page is a hundred entries, each with votes of 50 agents, among which every
// request for a page of a feed asks.
func page(b *testing.B) (*fold.Views, []change.ID) {
	b.Helper()
	w := worldtest.New(7)
	v := fold.New(w.Net)
	var voters []*worldtest.Author
	for i := range 50 {
		a := w.Agent(fmt.Sprint("voter ", i))
		voters = append(voters, a)
		apply(v, a.Bind())
	}
	by := w.Agent("writer")
	apply(v, by.Bind())
	var ids []change.ID
	for i := range 100 {
		e := by.Entry("go", fmt.Sprint("lesson ", i))
		ids = append(ids, e.ID)
		apply(v, e)
		enc, err := body.Vote{Target: e.ID, Value: 1}.Encode()
		if err != nil {
			b.Fatal(err)
		}
		for _, a := range voters {
			apply(v, a.Change(change.KindVote, e.Head.Space, enc, worldtest.Options{Deps: []change.ID{e.ID}}))
		}
	}
	return v, ids
}

func BenchmarkEntryCounts(b *testing.B) {
	v, ids := page(b)
	v.EntryCounts(ids...)
	b.ReportAllocs()
	for b.Loop() {
		v.EntryCounts(ids...)
	}
}

// BenchmarkCount is the total that every page of a feed names, of 20,000 entries.
func BenchmarkCount(b *testing.B) {
	w := worldtest.New(7)
	v := fold.New(w.Net)
	by := w.Agent("writer")
	apply(v, by.Bind())
	var last uint64
	for i := range 20_000 {
		e := by.Entry("go", fmt.Sprint("lesson ", i))
		last = e.Head.HLC
		apply(v, e)
	}
	b.ReportAllocs()
	for b.Loop() {
		v.Count(fold.Filter{Until: last})
	}
}

func BenchmarkVotes(b *testing.B) {
	v, ids := page(b)
	b.ReportAllocs()
	for b.Loop() {
		v.Votes(ids[0])
	}
}

// BenchmarkBounties lists a guild with fifty bounties that were paid.
func BenchmarkBounties(b *testing.B) {
	m := marketOf(b, 21)
	m.whole(b)
	enc, err := body.BountyOpen{Title: "Mend", Amount: 100_000, Currency: body.Credits, Home: m.hub.Key.Key()}.Encode()
	if err != nil {
		b.Fatal(err)
	}
	for range 49 {
		m.open = m.add(m.ada.Change(change.KindBountyOpen, m.guild.Head.Space, enc, worldtest.Options{}))
		m.confirm(m.open)
		m.whole(b)
	}
	v := fold.New(m.w.Net)
	apply(v, m.changes...)
	guild, _ := m.guild.Head.Space.Guild()
	b.ReportAllocs()
	for b.Loop() {
		if len(v.Bounties(guild)) != 50 {
			b.Fatal("some are missing")
		}
	}
}
