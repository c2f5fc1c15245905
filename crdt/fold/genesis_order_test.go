package fold_test

import (
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/fold"
	"github.com/meshd/meshd/crdt/internal/worldtest"
)

// A forked genesis names the same controllers in another order, and two rotations
// of its key have one rank while both branches are asked and two when one is: in
// whatever order these come, the views are equal.
func TestForkedGenesisFoldsInAnyOrder(t *testing.T) {
	t.Parallel()
	w := worldtest.New(11)
	ada, bo, cy := w.Agent("ada"), w.Agent("bo"), w.Agent("cy")
	spare := w.Key("spare")
	twin := ada.Clone()
	names := func(a, b *worldtest.Author) []string {
		return []string{a.Key.Key().String(), b.Key.Key().String(), spare.Key().String()}
	}
	one := ada.BindAs(body.Bind{Name: "ada", Controllers: names(bo, cy), Next: worldtest.RecoveryHash(spare.Key())})
	two := twin.BindAs(body.Bind{Name: "ada", Controllers: names(cy, bo)})
	kept := body.Cut{body.ChainText(one.Head.Chain()): one.ID}
	other := twin.Clone()
	_, first := ada.Rotate("new", worldtest.ByKey(bo.Key), body.Rotate{Cut: kept, Next: worldtest.RecoveryHash(w.Key("a").Key())})
	_, second := other.Rotate("new", worldtest.ByKey(spare), body.Rotate{Cut: kept})
	for name, cs := range map[string][]*change.Change{
		"two geneses": {one, two}, "and a rotation": {one, two, first}, "and two rotations of two ranks": {one, two, first, second},
	} {
		w.Verify(cs...)
		var want [16]byte
		for i := range 24 {
			v := fold.New(w.Net)
			apply(v, shuffled(cs, uint64(i))...)
			_, got := v.Hash()
			if i == 0 {
				want = got
			}
			if got != want {
				t.Errorf("%s: order %d gives other views", name, i)
				break
			}
		}
	}
}
