package fold

import (
	"fmt"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
)

// An author who writes in many places has one chain in each, before a restart and
// after it, and what a chain was written with is kept once.
func TestAuthorOfManyChains(t *testing.T) {
	t.Parallel()
	const domains, rounds = 20, 3
	w := worldtest.New(1)
	ada := w.Agent("ada")
	v := New(w.Net)
	v.Apply(ada.Bind())
	look := func(when string) {
		t.Helper()
		seen := map[change.Chain]bool{}
		for _, ch := range v.Chains(ada.Key.Key()) {
			if seen[ch] {
				t.Errorf("%s: two chains in %s", when, ch.Space)
			}
			seen[ch] = true
		}
		if len(seen) != domains+1 {
			t.Errorf("%s: %d chains, want %d", when, len(seen), domains+1)
		}
		for ch, w := range v.authorities {
			if w.next != nil {
				t.Errorf("%s: what %s was written with is kept more than once", when, ch.Key().Space)
			}
		}
	}
	for round := range rounds {
		for d := range domains {
			v.Apply(ada.Entry(fmt.Sprint("domain", d), fmt.Sprint("lesson ", round)))
		}
	}
	look("at first")
	loaded, err := Load(w.Net, v.AppendCheckpoint(nil))
	if err != nil {
		t.Fatal(err)
	}
	v = loaded
	for d := range domains {
		v.Apply(ada.Entry(fmt.Sprint("domain", d), "lesson after a restart"))
	}
	look("after a restart")
	if n := len(v.live); n != domains*(rounds+1) {
		t.Errorf("%d entries are shown, want %d", n, domains*(rounds+1))
	}
	if len(v.Forks()) > 0 {
		t.Error("a chain is forked")
	}
}
