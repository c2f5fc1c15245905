package ingest_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
)

// history is what a few agents wrote: knowledge, retracts, forks, renames,
// kinds of a later release and bodies that fail their row.
func history(t *rapid.T, w *world) []*change.Change {
	var authors []*author
	var all, entries []*change.Change
	for i := range rapid.IntRange(1, 3).Draw(t, "agents") {
		a := w.agent(fmt.Sprint("agent ", i))
		authors = append(authors, a)
		all = append(all, a.record)
	}
	for i := range rapid.IntRange(1, 20).Draw(t, "changes") {
		a := authors[rapid.IntRange(0, len(authors)-1).Draw(t, "author")]
		what := rapid.IntRange(0, 7).Draw(t, "what")
		switch {
		case what == 0 && len(entries) > 0:
			all = append(all, a.retract(entries[rapid.IntRange(0, len(entries)-1).Draw(t, "target")]))
		case what == 1:
			all = append(all, a.unknown())
		case what == 2:
			all = append(all, a.bind(fmt.Sprint("renamed ", i)))
		case what == 3:
			twin := a.twin()
			all = append(all, twin.entry(fmt.Sprint("fork ", i)))
		case what == 4:
			all = append(all, a.write(change.Draft{Space: change.Commons("go"), Kind: change.KindEntryPut, Body: []byte{0xa0}}))
		default:
			e := a.entry(fmt.Sprint("entry ", i))
			entries, all = append(entries, e), append(all, e)
		}
	}
	return all
}

func TestAnyOrderGivesTheSameState(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld("test")
		all := history(t, w)
		straight := deliver(t, w, [][]*change.Change{all})
		for range 2 {
			var chunks [][]*change.Change
			for rest := rapid.Permutation(all).Draw(t, "order"); len(rest) > 0; {
				n := rapid.IntRange(1, len(rest)).Draw(t, "chunk")
				chunks, rest = append(chunks, rest[:n]), rest[n:]
			}
			if got := deliver(t, w, chunks); got != straight {
				t.Fatalf("state %s\nin order %s", got, straight)
			}
		}
	})
}

// deliver gives the chunks to a new node and returns its state. All of it must
// be a member in the end.
func deliver(t *rapid.T, w *world, chunks [][]*change.Change) string {
	r := open(t, w, crdtlog.NewMemory()).serve()
	defer r.end()
	for _, cs := range chunks {
		r.receive("peer", cs...)
	}
	if n := r.Deferred(); n != 0 {
		t.Fatalf("%d changes wait although all is here", n)
	}
	for _, cs := range chunks {
		for _, c := range cs {
			if !r.member(c) {
				t.Fatalf("%s %s is no member", c.Head.Kind, c.ID)
			}
		}
	}
	r.sound()
	return r.state()
}
