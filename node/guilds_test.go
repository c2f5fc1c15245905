package node_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
)

func TestListsOfOneMillisecondKeepTheirOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // the clock stands still while nothing waits
		b := newCluster(t, 1, nil).nodes[0]
		ada := b.agent("Ada")
		for i := range 8 {
			if _, err := b.OpenGuild(t.Context(), ada.ID, view.NewGuild{Name: fmt.Sprint("Team ", i), Type: "dev", Visibility: body.Public}); err != nil {
				t.Fatal(err)
			}
		}
		ids := func(gs []view.Guild) (out []change.ID) {
			for _, g := range gs {
				out = append(out, g.ID)
			}
			return out
		}
		first, of := ids(b.Guilds(t.Context())), ids(b.GuildsOf(t.Context(), ada.ID))
		for range 5 {
			if !slices.Equal(first, ids(b.Guilds(t.Context()))) || !slices.Equal(of, ids(b.GuildsOf(t.Context(), ada.ID))) {
				t.Fatal("the list of guilds has another order each time")
			}
		}
	})
}
