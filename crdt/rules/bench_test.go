package rules_test

import (
	"fmt"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/rules"
)

const (
	benchAuthors = 100
	benchEntries = 100 // of each author
)

// history is 10,000 entries by 100 authors, bindings first.
func history(b *testing.B) (*worldtest.World, []*change.Change) {
	b.Helper()
	w := worldtest.New(1)
	var binds, entries []*change.Change
	for i := range benchAuthors {
		a := w.Agent(fmt.Sprint("agent ", i))
		binds = append(binds, a.Bind())
		for n := range benchEntries {
			entries = append(entries, a.Entry("go", fmt.Sprint("lesson ", n)))
		}
	}
	return w, append(binds, entries...)
}

// What a newcomer pays for 10,000 entries by 100 authors that arrive as runs.
func BenchmarkVerifyRuns(b *testing.B) {
	w, cs := history(b)
	for b.Loop() {
		evidence := rules.Authenticate(cs)
		for i, c := range cs {
			if _, err := w.Judge.Check(c, evidence[i], w); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(cs)), "µs/change")
}

func BenchmarkAuthenticateRuns(b *testing.B) {
	_, cs := history(b)
	for b.Loop() {
		rules.Authenticate(cs)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(cs)), "µs/change")
}

// What a change costs that comes alone, as on gossip.
func BenchmarkVerifyAlone(b *testing.B) {
	w := worldtest.New(1)
	a := w.Agent("ada")
	a.Bind()
	c := a.Entry("go", "lesson")
	for b.Loop() {
		got, err := change.Decode(c.RawHead, c.Body)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := w.Judge.Check(got, rules.Authenticate([]*change.Change{got})[0], w); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	w := worldtest.New(1)
	a := w.Agent("ada")
	a.Bind()
	c := a.Entry("go", "lesson")
	for b.Loop() {
		if _, err := change.Decode(c.RawHead, c.Body); err != nil {
			b.Fatal(err)
		}
	}
}
