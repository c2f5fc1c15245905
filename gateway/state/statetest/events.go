package statetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
)

// happenings are n events with ids from first on.
func happenings(first, n int, audience string) (es []state.Event) {
	for i := range n {
		es = append(es, state.Event{ID: fmt.Sprintf("evt_%d", first+i), At: Start, Kind: "entry.created", Audience: audience,
			Object: fmt.Sprintf("ent_%d", first+i), Agent: "agt_a", Cause: "chg_x", Domain: "go", Open: `{"id":1}`, Body: `{"id":1,"title":"x"}`})
	}
	return es
}

func publish(t testing.TB, db *state.DB, node string, mark uint64, es ...state.Event) []state.Event {
	t.Helper()
	stored, _, err := db.AppendEvents(t.Context(), node, es, mark, Start)
	must(t, err)
	return stored
}

func testEvents(t *testing.T, db *state.DB) {
	span, err := db.EventSpan(t.Context())
	must(t, err)
	if span != (state.EventSpan{}) {
		t.Fatalf("an empty stream spans %+v", span)
	}
	if _, ok, err := db.EventMark(t.Context(), "a"); ok || err != nil {
		t.Fatalf("an unknown node has a mark: %v", err)
	}
	first := publish(t, db, "a", 7, happenings(0, 3, "public")...)
	again := publish(t, db, "b", 9, append(happenings(2, 1, "public"), happenings(3, 2, "team:x")...)...)
	if len(first) != 3 || len(again) != 2 || again[0].Seq != first[0].Seq+3 || again[1].Seq != first[0].Seq+4 {
		t.Fatalf("stored %+v, then %+v", first, again)
	}
	all, err := db.EventsAfter(t.Context(), 0, nil, 10)
	must(t, err)
	if !slices.Equal(all, append(first, again...)) {
		t.Fatalf("kept %+v", all)
	}
	team, err := db.EventsAfter(t.Context(), first[0].Seq, []string{"team:x", "none"}, 1)
	must(t, err)
	if len(team) != 1 || team[0].ID != "evt_3" {
		t.Fatalf("of the team %+v", team)
	}
	newest, err := db.EventsBefore(t.Context(), first[2].Seq, []string{"public"}, 2)
	must(t, err)
	if !slices.Equal(newest, first[1:]) {
		t.Fatalf("newest %+v", newest)
	}
	for node, want := range map[string]uint64{"a": 7, "b": 9} {
		if mark, ok, err := db.EventMark(t.Context(), node); mark != want || !ok || err != nil {
			t.Errorf("mark of %s is %d, %v", node, mark, err)
		}
	}
	must(t, db.HideEvents(t.Context(), []string{"ent_1"}))
	titled, err := db.TitledEvents(t.Context(), "ent_")
	must(t, err)
	slices.Sort(titled)
	if !slices.Equal(titled, []string{"ent_0", "ent_2", "ent_3", "ent_4"}) {
		t.Errorf("titled %v", titled)
	}
}

func testEventsTrim(t *testing.T, db *state.DB) {
	first := publish(t, db, "a", 1, happenings(0, 10, "public")...)
	floor := first[0].Seq - 1
	trim := func(keep int, before time.Time) state.EventSpan {
		t.Helper()
		s, err := db.TrimEvents(t.Context(), keep, before, Start)
		must(t, err)
		return s
	}
	if s := trim(10, Start); s != (state.EventSpan{Floor: floor, Head: floor + 10}) {
		t.Fatalf("nothing to trim: %+v", s)
	}
	if s := trim(4, Start); s.Floor != floor+6 {
		t.Fatalf("four are kept: %+v", s)
	}
	if s := trim(10, Start.Add(time.Millisecond)); s.Floor != floor+10 || s.Head != floor+10 {
		t.Fatalf("old ones go: %+v", s)
	}
	next := publish(t, db, "a", 2, happenings(10, 1, "public")...)
	if next[0].Seq != floor+11 {
		t.Fatalf("places are used again: %d", next[0].Seq)
	}
	must(t, db.SkipEvents(t.Context(), Start))
	s, err := db.EventSpan(t.Context())
	must(t, err)
	if s != (state.EventSpan{Floor: floor + 12, Head: floor + 12}) {
		t.Fatalf("skipped to %+v", s)
	}
}

func testEventsRace(t *testing.T, db *state.DB) {
	race(8, func(i int) error {
		for k := range 5 {
			if _, _, err := db.AppendEvents(t.Context(), fmt.Sprint(i), happenings(100*i+10*k, 3, "public"), uint64(k), Start); err != nil {
				return err
			}
		}
		return nil
	})
	all, err := db.EventsAfter(t.Context(), 0, nil, 1000)
	must(t, err)
	if len(all) != 8*5*3 {
		t.Fatalf("%d events", len(all))
	}
	for i, e := range all {
		if e.Seq != all[0].Seq+uint64(i) {
			t.Fatalf("event %d is at %d, the first at %d", i, e.Seq, all[0].Seq)
		}
	}
}

func testTickets(t *testing.T, db *state.DB) {
	a := Home(t, db, "Ada")
	k, _ := newKey(t, db, a.ID)
	ticket, expires, err := db.NewTicket(t.Context(), k.ID, Start)
	must(t, err)
	if !expires.Equal(Start.Add(state.TicketTTL)) {
		t.Errorf("ends %v", expires)
	}
	for name, text := range map[string]string{"no ticket": "", "another": ticket[1:] + "A", "longer": ticket + "A"} {
		_, err := db.TakeTicket(t.Context(), text, Start)
		refused(t, err, reason.InvalidToken)
		if t.Failed() {
			t.Fatal(name)
		}
	}
	got, err := db.TakeTicket(t.Context(), ticket, Start)
	must(t, err)
	if got.ID != k.ID || got.AgentID != a.ID {
		t.Errorf("key %+v", got)
	}
	_, err = db.TakeTicket(t.Context(), ticket, Start)
	refused(t, err, reason.InvalidToken)
	late, _, err := db.NewTicket(t.Context(), k.ID, Start)
	must(t, err)
	_, err = db.TakeTicket(t.Context(), late, Start.Add(state.TicketTTL))
	refused(t, err, reason.InvalidToken)
	dead, _, err := db.NewTicket(t.Context(), k.ID, Start)
	must(t, err)
	must(t, last(db.RevokeKey(t.Context(), a.ID, k.ID, Start)))
	_, err = db.TakeTicket(t.Context(), dead, Start)
	refused(t, err, reason.KeyRevoked)
	_, err = db.LiveKey(t.Context(), "key_none", Start)
	refused(t, err, reason.InvalidToken)
	for range 19 { // one is expired but not yet swept, at Start it lives
		if _, _, err = db.NewTicket(t.Context(), k.ID, Start); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err = db.NewTicket(t.Context(), k.ID, Start)
	refused(t, err, reason.LimitReached)
	if _, _, err = db.NewTicket(t.Context(), k.ID, Start.Add(state.TicketTTL)); err != nil {
		t.Errorf("expired tickets count: %v", err)
	}
}
