package node_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/view"
)

// loud brings an entry of each of some fresh strangers, by their numbers.
func (b *box) loud(from, to int, at time.Time) (ids map[change.ID]bool) {
	b.t.Helper()
	ids = map[change.ID]bool{}
	for i := from; i < to; i++ {
		s := b.stranger(fmt.Sprint("Loud", i))
		c := s.entry(fmt.Sprintf("%s Marker %s.", lesson, word(i)), at.UnixMilli(), false)
		ids[c.ID] = true
		b.bring(s.record, c)
	}
	return ids
}

// TestOwnersCircleStandsBeforeAFlood: when strangers flood a domain, the feed and
// the ranking begin with those whom the owner has reason to listen to, and nothing
// is left out of them.
func TestOwnersCircleStandsBeforeAFlood(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newCluster(t, 1, nil).nodes[0]
		ada := b.agent("Ada")
		mine := b.contribute(ada, "A timer that is reset without draining its channel fires once more with the old deadline, so drain it first.")
		friend := b.stranger("Friend")
		theirs := friend.entry("Quaternions accumulate error when they are multiplied every frame; normalise them after each update of the pose.", bubbleNow().UnixMilli(), false)
		b.bring(friend.record, theirs)
		if _, err := b.Vote(t.Context(), ada.ID, theirs.ID, 1); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		spam := b.loud(0, 130, bubbleNow())
		next := 130
		time.Sleep(10 * time.Second) // a walk over who vouches for whom
		for _, sort := range []string{"", "top"} {
			q := view.EntryQuery{Limit: 10, Sort: sort}
			page, err := b.Entries(t.Context(), q)
			if err != nil || len(page.Entries) != 10 {
				t.Fatalf("%q: %d, %v", sort, len(page.Entries), err)
			}
			first := map[change.ID]bool{page.Entries[0].ID: true, page.Entries[1].ID: true}
			if !first[mine.ID] || !first[theirs.ID] {
				t.Errorf("%q begins with %v and %v", sort, page.Entries[0].Agent.Name, page.Entries[1].Agent.Name)
			}
			// Page by page, everything comes, and once.
			seen := map[change.ID]int{}
			for {
				for _, e := range page.Entries {
					seen[e.ID]++
				}
				if page.Next == nil {
					break
				}
				q.After = page.Next
				b.loud(next, next+1, bubbleNow()) // it goes on meanwhile
				next++
				if page, err = b.Entries(t.Context(), q); err != nil {
					t.Fatal(err)
				}
			}
			for id := range spam {
				if seen[id] != 1 {
					t.Fatalf("%q: an entry comes %d times", sort, seen[id])
				}
			}
		}
	})
}

// TestReadsRunNoDetectors: an entry that waits for the detectors is shown last, or
// blurred in its place, and a read does not judge it.
func TestReadsRunNoDetectors(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{config.UnjudgedLast, config.UnjudgedBlur} {
		synctest.Test(t, func(t *testing.T) {
			b := newCluster(t, 1, func(c *config.Config) { c.Moderation.Unjudged = setting }).nodes[0]
			ada := b.agent("Ada")
			mine := b.contribute(ada, "A timer that is reset without draining its channel fires once more with the old deadline, so drain it first.")
			time.Sleep(time.Second)
			late := b.stranger("Late")
			waits := late.entry(lesson, bubbleNow().UnixMilli(), false)
			secret := late.entry("The deploy key of the staging cluster is AKIAIOSFODNN7REALKEY and nobody has rotated it since.", bubbleNow().UnixMilli(), false)
			b.bring(late.record, waits, secret)
			synctest.Wait()
			if ids, hidden := b.feed(view.EntryQuery{Limit: 10}); !slices.Equal(ids, []change.ID{waits.ID, mine.ID}) || hidden != 1 {
				t.Fatalf("%s: %d entries, %d hidden", setting, len(ids), hidden)
			}
			b.ForgetVerdict(waits.ID)
			want := map[string][]change.ID{config.UnjudgedLast: {mine.ID, waits.ID}, config.UnjudgedBlur: {waits.ID, mine.ID}}[setting]
			for range 2 { // the first read judged nothing
				page, err := b.Entries(t.Context(), view.EntryQuery{Limit: 10})
				if err != nil || len(page.Entries) != 2 || page.Entries[0].ID != want[0] || page.Entries[1].ID != want[1] {
					t.Fatalf("%s: %d entries, %v", setting, len(page.Entries), err)
				}
				for _, e := range page.Entries {
					if e.Blurred != (e.ID == waits.ID && setting == config.UnjudgedBlur) {
						t.Errorf("%s: %s is blurred: %v", setting, e.Agent.Name, e.Blurred)
					}
				}
			}
		})
	}
}

// TestStrangersOverTheirRateStandBehind: strangers who write more than admission
// lets them stand behind the owner's circle, however much that writes itself.
func TestStrangersOverTheirRateStandBehind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newCluster(t, 1, func(c *config.Config) { c.Admission.StrangersPerMinute = 60 }).nodes[0]
		ada := b.agent("Ada")
		const own = 50 // more than a quarter of what the strangers write
		for i := range own {
			b.contribute(ada, retold(i))
		}
		time.Sleep(time.Second)
		for i := range 130 {
			s := b.stranger(fmt.Sprint("Loud", i))
			b.given("spammer", s.record, s.entry(retold(1, i), bubbleNow().UnixMilli(), false))
		}
		time.Sleep(10 * time.Second) // a walk over who vouches for whom
		page, err := b.Entries(t.Context(), view.EntryQuery{Limit: 100})
		if err != nil || len(page.Entries) <= own {
			t.Fatalf("%d entries, %v", len(page.Entries), err)
		}
		for i, e := range page.Entries[:own] {
			if e.Agent.ID != ada.ID {
				t.Fatalf("%s stands at place %d", e.Agent.Name, i)
			}
		}
	})
}
