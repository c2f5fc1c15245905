package rules_test

import (
	"fmt"
	"testing"

	"github.com/meshd/meshd/crdt/body"
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

// chainOfThree is an entry in a team whose right was granted by an admin, whose
// right was granted by an owner, whose right the founder granted.
func chainOfThree() (*worldtest.World, *change.Change) {
	w := worldtest.New(1)
	c := newCrew(w, "bench", body.Private)
	b, err := entry().Encode()
	if err != nil {
		panic(err)
	}
	return w, c.member.Change(change.KindEntryPut, c.space, b, worldtest.Options{})
}

// What a change under three grants costs beside its signature, when its judge has
// never seen them.
func BenchmarkRightCold(b *testing.B) {
	w, c := chainOfThree()
	for b.Loop() {
		j, err := rules.NewJudge(w.Genesis)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := j.Check(c, rules.OwnSignature, w); err != nil {
			b.Fatal(err)
		}
	}
}

// The same when it has.
func BenchmarkRightWarm(b *testing.B) {
	w, c := chainOfThree()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.Judge.Check(c, rules.OwnSignature, w); err != nil {
			b.Fatal(err)
		}
	}
}

// What the third grant of that chain costs, its token's signature and those of the
// two before it included, when its judge has never seen them.
func BenchmarkGrantCold(b *testing.B) {
	w := worldtest.New(1)
	c := newCrew(w, "bench", body.Private)
	for b.Loop() {
		j, err := rules.NewJudge(w.Genesis)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := j.Check(c.memberG, rules.OwnSignature, w); err != nil {
			b.Fatal(err)
		}
	}
}

// The same when it has.
func BenchmarkGrantWarm(b *testing.B) {
	w := worldtest.New(1)
	c := newCrew(w, "bench", body.Private)
	for b.Loop() {
		if _, err := w.Judge.Check(c.memberG, rules.OwnSignature, w); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRotation(b *testing.B) {
	w := worldtest.New(1)
	a := w.Agent("ada")
	a.Bind()
	_, c := a.Rotate("ada 2", nil, body.Rotate{Cut: a.Cut()})
	for b.Loop() {
		if _, err := w.Judge.Check(c, rules.OwnSignature, w); err != nil {
			b.Fatal(err)
		}
	}
}
