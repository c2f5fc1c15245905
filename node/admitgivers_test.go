package node_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/config"
)

// A flood that comes from one /24 through several peer ids is looked at as one of
// four givers at most, however many ids there are; from networks of their own each id
// is a giver. What was turned away comes with later passes, no giver's score is lower
// for it, and a peer of another network is served at once.
func TestGiversOfOneNetworkAreBoundedTogether(t *testing.T) {
	t.Parallel()
	const ids, each = 8, 100 // a giver has 100 seconds of its rate at once, a network four times that
	for _, beside := range []bool{true, false} {
		t.Run(map[bool]string{true: "one network", false: "networks of their own"}[beside], func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := besiege(t, func(a *config.Admission) { a.GiverPerSecond = 1 })
				at, other := s.authors(ids, "author", nil), s.authors(1, "other", nil)
				s.settle()
				good := s.entries(20, other...)
				var bad []*change.Change
				var from []peer.ID
				first := s.world.NewPlace()
				for i := range ids {
					p := first
					switch {
					case i > 0 && beside:
						p = s.world.NewNeighbour(first.Index)
					case i > 0:
						p = s.world.NewPlace()
					}
					v, mine := s.visitor(p, false, nil), s.entries(each, at[i])
					v.Offer(append(mine, s.past...)...)
					bad, from = append(bad, mine...), append(from, v.Host().ID())
				}
				honest := s.visitor(s.world.NewPlace(), false, nil)
				honest.Offer(append(good, s.past...)...)
				start := time.Now()
				s.visit(from...)
				got, took := s.members(bad), time.Since(start)
				t.Logf("%d of %d changes came from %d ids within %v", got, len(bad), ids, took)
				// The last frame may make a debt.
				if most := 4*each + int(4*took.Seconds()) + each; beside && (got > most || most >= len(bad)) {
					t.Errorf("%d changes of one network were looked at, at most %d may be", got, most)
				}
				if !beside && got != len(bad) {
					t.Errorf("%d changes came from peers that have nothing in common", got)
				}
				s.visit(honest.Host().ID())
				if !s.here(good) {
					t.Error("a peer of another network is not heard")
				}
				for range 2 {
					time.Sleep(5 * time.Minute)
					s.visit(from...)
				}
				if !s.here(bad) {
					t.Errorf("in the end %d of %d changes are here", s.members(bad), len(bad))
				}
				for _, id := range append(from, honest.Host().ID()) {
					if got := s.Score(id); got != 0 {
						t.Errorf("the score of a giver is %v", got)
					}
				}
			})
		})
	}
}
