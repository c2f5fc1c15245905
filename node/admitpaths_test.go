package node_test

import (
	"bytes"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/exchange"
	outside "github.com/meshd/meshd/p2p/stranger"
)

// entrance is a path by which changes come into a node. It is made once, before the
// flood, and then brings what it is given.
type entrance struct {
	name  string
	fresh bool // the node is a newcomer that has nothing yet: the past comes the same way
	open  func(s *siege) func(cs []*change.Change)
}

// shut serves peers that reconcile nothing but what is past.
func shut(past []*change.Change) func(*change.Change) *change.Change {
	return func(c *change.Change) *change.Change {
		for _, p := range past {
			if p.ID == c.ID {
				return c
			}
		}
		return nil
	}
}

// fetch reconciles until all is here.
func (s *siege) fetch(cs []*change.Change) {
	s.t.Helper()
	s.until("reconciliation brings it", func() bool {
		_, _, err := s.SyncNow(s.t.Context(), false)
		return err == nil && s.here(cs)
	})
}

var entrances = []entrance{
	{name: "gossip", open: func(s *siege) func([]*change.Change) {
		v := s.visitor(s.world.NewPlace(), true, shut(s.past))
		time.Sleep(10 * time.Second) // until the topics have grafted
		return func(cs []*change.Change) {
			for _, c := range cs {
				v.Say(s.t.Context(), c)
				time.Sleep(20 * time.Millisecond)
			}
		}
	}},
	{name: "the past of what is gossiped, fetched", open: func(s *siege) func([]*change.Change) {
		v := s.visitor(s.world.NewPlace(), true, nil)
		v.Offer(s.past...)
		v.Freeze() // whoever reconciles is shown nothing new, and who asks by id gets it
		time.Sleep(10 * time.Second)
		return func(cs []*change.Change) {
			v.Offer(cs...)
			had := map[change.ID]bool{{}: true}
			for i, c := range cs {
				// Each second change of a chain brings the first.
				last := true
				for _, later := range cs[i+1:] {
					last = last && later.Head.Prev != c.ID
				}
				if !had[c.Head.Prev] || last {
					v.Say(s.t.Context(), c)
					s.until("it comes with its past", func() bool { return s.here([]*change.Change{c}) })
					had[c.Head.Prev], had[c.ID] = true, true
				}
			}
		}
	}},
	{name: "reconciliation", open: func(s *siege) func([]*change.Change) {
		v := s.visitor(s.world.NewPlace(), false, nil)
		v.Offer(s.past...)
		return func(cs []*change.Change) { v.Offer(cs...); s.fetch(cs) }
	}},
	{name: "joining", fresh: true, open: func(s *siege) func([]*change.Change) {
		var v *outside.Peer
		return func(cs []*change.Change) {
			if v == nil {
				v = s.visitor(s.world.NewPlace(), false, nil)
				v.Offer(s.past...)
			}
			v.Offer(cs...)
			s.fetch(cs)
		}
	}},
	{name: "the changes endpoint", open: func(s *siege) func([]*change.Change) {
		return func(cs []*change.Change) {
			out, err := s.TakeIn(s.t.Context(), cs, anybody)
			for i, one := range out {
				if one.Code != "" || err != nil {
					s.t.Fatalf("change %d: %v, %v", i, one.Code, err)
				}
			}
		}
	}},
}

// bucket is a limit that all whom it counts share. scene returns where they write, and
// where somebody else does whom it does not count.
type bucket struct {
	name  string
	set   func(a *config.Admission)
	scene func(s *siege) (counted, other []place)
	burst int // shown at once; one a minute more
}

// authors are places of n authors in the commons.
func (s *siege) authors(n int, name string, by *outside.Author) (out []place) {
	for i := range n {
		out = append(out, s.commons(s.author(fmt.Sprint(name, " ", i), by)))
	}
	return out
}

var buckets = []bucket{
	{"author", func(a *config.Admission) { a.AuthorPerMinute = 1 }, func(s *siege) (counted, other []place) {
		return s.authors(1, "loud", nil), s.authors(1, "quiet", nil)
	}, 10},
	{"tree", func(a *config.Admission) { a.TreePerMinute = 1 }, func(s *siege) (counted, other []place) {
		one, two := s.author("one root", nil), s.author("other root", nil)
		return s.authors(3, "brought", one), s.authors(3, "of another", two)
	}, 10},
	{"guild", func(a *config.Admission) { a.GuildPerMinute = 1 }, func(s *siege) (counted, other []place) {
		ada, bo, cy, dee := s.author("ada", nil), s.author("bo", nil), s.author("cy", nil), s.author("dee", nil)
		// Another guild, and what a member writes elsewhere.
		return s.guild(ada, bo, cy), append(s.guild(dee), s.commons(bo))
	}, 10},
	{"home", func(a *config.Admission) { a.HomePerMinute = 1 }, func(s *siege) (counted, other []place) {
		g := s.gateways("one.example", "other.example")
		return s.authors(3, "served", g[0]), s.authors(3, "served elsewhere", g[1])
	}, 10},
	{"strangers", func(a *config.Admission) { a.StrangersPerMinute = 1 }, func(s *siege) (counted, other []place) {
		for i := range 3 {
			counted = append(counted, s.commons(s.born(fmt.Sprint("fresh ", i), nil, bubbleNow().Add(-time.Minute))))
		}
		return counted, s.authors(1, "old", nil)
	}, 2}, // one a minute until it is a flood, and in the flood a first one
}

// Whatever way changes come, what is over the rate of a bucket is held with its
// body, counted by the status, a member like any other, and let go as the rate
// allows; who is not counted by that bucket notices nothing. In a file that its owner
// imports nothing is held: that is the owner's own choice.
func TestEveryBucketOnEveryPath(t *testing.T) {
	t.Parallel()
	for i, way := range entrances {
		for k, limit := range buckets {
			if testing.Short() && i != k { // each path and each bucket once
				continue
			}
			t.Run(way.name+"/"+limit.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { besieged(t, way, limit) })
			})
		}
	}
}

const flood, bystanders = 15, 4

func besieged(t *testing.T, way entrance, limit bucket) {
	s := besiege(t, limit.set)
	counted, other := limit.scene(s)
	if !way.fresh {
		s.settle()
	}
	bring := way.open(s)
	bad, good := s.entries(flood, counted...), s.entries(bystanders, other...)
	bring(bad)
	s.until("the flood arrives", func() bool { return s.here(bad) })
	if got, st := s.visible(bad), s.Status(); got != limit.burst || st.Held != flood-got || st.Stubbed != 0 {
		t.Errorf("of %d changes %d are shown, want %d; %d held, %d stubs", flood, got, limit.burst, st.Held, st.Stubbed)
	}
	bring(good)
	s.until("others arrive", func() bool { return s.here(good) })
	if got := s.visible(good); got != bystanders {
		t.Errorf("of %d changes of others %d are shown", bystanders, got)
	}
	twin := openWith(t, t.TempDir(), s.alike)
	all := append(append(append([]*change.Change{}, s.past...), bad...), good...)
	var file bytes.Buffer
	for _, c := range all {
		line, err := exchange.Append(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		file.Write(line)
	}
	rep, err := twin.Import(t.Context(), &file)
	want := twin.Status()
	twin.shut()
	if err != nil || rep.New != len(all) || want.Held != 0 {
		t.Fatalf("a twin imports: %+v, %v; %d held", rep, err, want.Held)
	}
	if got := s.Status(); fmt.Sprint(got.Sets) != fmt.Sprint(want.Sets) || got.View != want.View {
		t.Errorf("sets %v, view %v; without limits %v, %v", got.Sets, got.View, want.Sets, want.View)
	}
	before := s.visible(bad)
	time.Sleep(time.Minute + 2*time.Second)
	if got := s.visible(bad); limit.name != "strangers" && got != before+1 {
		t.Errorf("a minute later %d are shown, before %d", got, before)
	}
	time.Sleep(3 * time.Hour)
	if got, st := s.visible(bad), s.Status(); got != flood || st.Held != 0 {
		t.Errorf("in the end %d of %d are shown, %d held", got, flood, st.Held)
	}
}
