package fold

import (
	"testing"

	"github.com/meshd/meshd/crdt/change"
)

// What an agent that no manifest lists says of others must not make every
// reputation be counted anew.
func TestUnlistedLabelsLeaveTheSumsAlone(t *testing.T) {
	t.Parallel()
	v := New(change.NetID{1})
	stranger := &agent{}
	v.tally()
	for _, kind := range []string{change.KindLabel, change.KindServed} {
		v.recount(&act{kind: kind, agent: stranger})
		if v.sums == nil {
			t.Errorf("a %s of a stranger made everything be counted anew", kind)
		}
	}
}
