package log_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/crdt/log"
)

// TestBegun finds members by every beginning of their ids as people see them, and
// with each all others that begin so.
func TestBegun(t *testing.T) {
	t.Parallel()
	w := worldtest.New(91)
	l, err := log.Open(t.Context(), log.NewMemory(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := w.Agent("Ada")
	all := []*change.Change{a.Bind()}
	for i := range 80 {
		all = append(all, a.Entry("go", fmt.Sprint("lesson ", i)))
	}
	if _, err := l.Append(t.Context(), w.Verify(all...)); err != nil {
		t.Fatal(err)
	}
	for _, c := range all[:10] {
		text := change.Base32(c.ID[:])
		for n := range len(text) + 1 {
			var want []change.ID
			for _, o := range all {
				if strings.HasPrefix(change.Base32(o.ID[:]), text[:n]) {
					want = append(want, o.ID)
				}
			}
			slices.SortFunc(want, change.ID.Compare)
			got, err := l.Begun(t.Context(), text[:n], len(all)+1)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%q: %d members, want %d: %v", text[:n], len(got), len(want), err)
			}
		}
	}
	if got, err := l.Begun(t.Context(), "", 7); err != nil || len(got) != 7 {
		t.Errorf("%d of at most 7: %v", len(got), err)
	}
	for _, text := range []string{"A", "1", "é", strings.Repeat("a", 60), "/"} {
		if got, err := l.Begun(t.Context(), text, 9); err != nil || len(got) != 0 {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
