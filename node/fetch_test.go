package node_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/config"
)

// Changes that a peer has are taken in although it lacks another one of those that
// were asked for.
func TestWhatCameOfAFetchIsKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, func(cfg *config.Config) { cfg.P2P.Gossip = false })
		giver, asker := c.nodes[0], c.nodes[1]
		ada := giver.agent("Ada")
		c.within(2*time.Minute, "the agent arrives", c.agree)
		r := giver.contribute(ada, lesson)
		set := change.SetOf(change.Commons("go"), change.KindEntryPut, 1)
		if asker.Contains(r.ID) {
			t.Fatal("the entry came by itself")
		}
		asker.FetchPast(t.Context(), giver.PeerID(), set, r.ID, change.ID{1})
		if !asker.Contains(r.ID) {
			t.Error("what came was thrown away")
		}
	})
}
