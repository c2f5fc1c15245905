package node_test

import (
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// TestPageOfAGuildIsNews: changes of a guild's page are published, in
// the space of the guild or, of one that is not public, of its team. Its room has
// its own event.
func TestPageOfAGuildIsNews(t *testing.T) {
	t.Parallel()
	for visibility, area := range map[string]change.Area{body.Public: change.AreaGuild, body.Private: change.AreaTeam} {
		b := open(t, t.TempDir(), nil)
		ada := b.agent("Ada")
		g, err := b.OpenGuild(t.Context(), ada.ID, view.NewGuild{Name: "Night watch", Type: "dev", Visibility: visibility})
		if err != nil {
			t.Fatal(err)
		}
		sub := b.Events().Subscribe(events.GuildUpdated|events.TeamStep, 16)
		if _, err := b.EditTeamRoom(t.Context(), ada.ID, g.ID, []doc.Field{{Key: "objective", Value: "Rest"}}); err != nil {
			t.Fatal(err)
		}
		if e := published(t, sub); e.Kind != events.TeamStep {
			t.Errorf("%s: the room is told as %+v", visibility, e)
		}
		if _, err := b.EditTeamPage(t.Context(), ada.ID, g.ID, []doc.Field{{Key: "description", Value: "At night"}}, -1); err != nil {
			t.Fatal(err)
		}
		if e := published(t, sub); e.Kind != events.GuildUpdated || e.Object != g.ID.Text(change.PrefixGuild) || change.Space(e.Space).Area() != area {
			t.Errorf("%s: the page is told as %+v", visibility, e)
		}
		sub.Close()
		b.shut()
	}
}

// published is the next event.
func published(t *testing.T, sub *events.Sub) events.Event {
	t.Helper()
	select {
	case e := <-sub.C():
		return e
	case <-time.After(time.Minute):
		t.Fatal("nothing is published")
		return events.Event{}
	}
}
