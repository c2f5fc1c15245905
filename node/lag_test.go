package node_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/node/config"
)

// A node that has slept is not behind with the first thing that is written then.
func TestLagBeginsWithWhatIsNew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 1, func(*config.Config) {})
		n := c.nodes[0]
		a := n.agent("Ada")
		time.Sleep(time.Hour)
		n.contribute(a, "Measure how far behind a view is from when it fell behind, not from when it last was even.")
		if lag := n.Lag(); lag > time.Second {
			t.Errorf("%v behind after the first write in an hour", lag)
		}
		c.within(time.Minute, "the index catches up", func() bool { return n.Lag() == 0 })
	})
}
