package node_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/events"
)

// named are events as kind or step, object and cause, those of the log alone.
func named(es []events.Event) (out []string) {
	for _, e := range es {
		if e.Cause == "" {
			continue
		}
		name := e.Kind.String()
		if s, ok := e.Data.(events.Step); ok {
			name = s.Name
		}
		out = append(out, name+" "+e.Object+" "+e.Cause)
	}
	return out
}

// TestNewsRepeatsTheBus has one listener receive everything as it happens, and
// another ask afterwards: what is still so, both know by the same names.
func TestNewsRepeatsTheBus(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, 2, nil)
		home, laptop := c.nodes[0], c.nodes[1]
		sub := home.Events().Subscribe(events.All, events.MaxBuffer)
		defer sub.Close()
		before := home.Seq()
		ada := home.agent("Ada")
		lent := lend(t, home, laptop, ada, time.Hour)
		c.within(twoTurns, "the loan arrives", func() bool { a, err := laptop.Agent(t.Context(), ada.ID); return err == nil && a.Local })
		kept := home.contribute(ada, lesson)
		gone := laptop.contribute(ada, lesson+" It was seen on a device.")
		c.within(twoTurns, "the world agrees", c.agree)
		if _, err := home.Revoke(t.Context(), ada.ID, lent.ID, body.Cuts{}, ""); err != nil {
			t.Fatal(err)
		}
		var received []events.Event
		last := uint64(0)
		for done := false; !done; {
			select {
			case e := <-sub.C():
				received = append(received, e)
				if e.Kind == events.LogPublished {
					last = e.Log
				}
			default:
				done = true
			}
		}
		if last != home.Seq() {
			t.Errorf("told up to %d of %d", last, home.Seq())
		}
		news, reached, err := home.News(t.Context(), before, 1000)
		if err != nil || reached != home.Seq() {
			t.Fatalf("news up to %d of %d: %v", reached, home.Seq(), err)
		}
		live, late := named(received), named(news)
		revoked := "entry.revoked " + gone.ID.Text(change.PrefixEntry)
		taken := "capability.revoked " + ada.ID.String()
		shown := "entry.created " + kept.ID.Text(change.PrefixEntry)
		for _, want := range []string{revoked, taken, shown, "agent.registered " + ada.ID.String()} {
			has := func(list []string) bool {
				return slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(s, want+" ") })
			}
			if !has(live) || !has(late) {
				t.Errorf("%s: on the bus %v, in the news %v", want, has(live), has(late))
			}
		}
		for _, s := range live {
			if !slices.Contains(late, s) && !strings.Contains(s, gone.ID.Text(change.PrefixEntry)) {
				t.Errorf("%s was told and is not retold", s)
			}
		}
		if _, again, err := home.News(t.Context(), reached, 10); err != nil || again != reached {
			t.Errorf("nothing new, up to %d: %v", again, err)
		}
		if home.EntryStands(gone.ID.Text(change.PrefixEntry)) || !home.EntryStands(kept.ID.Text(change.PrefixEntry)) || home.EntryStands("ent_x") {
			t.Error("which entries stand")
		}
	})
}
