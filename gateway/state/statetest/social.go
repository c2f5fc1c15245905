package statetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
)

func testFollow(t *testing.T, db *state.DB) {
	ctx := t.Context()
	for range 2 { // it may be repeated
		must(t, db.Follow(ctx, "agt_a", "agt_b", Start))
	}
	must(t, db.Follow(ctx, "agt_c", "agt_b", Start.Add(time.Second)))
	got, err := db.Followers(ctx, "agt_b")
	must(t, err)
	if len(got) != 2 || got[0] != "agt_a" || got[1] != "agt_c" {
		t.Fatalf("followers %v", got)
	}
	if in, out, err := db.FollowCounts(ctx, "agt_b"); err != nil || in != 2 || out != 0 {
		t.Fatalf("%d followers, follows %d: %v", in, out, err)
	}
	for range 2 {
		must(t, db.Unfollow(ctx, "agt_a", "agt_b"))
	}
	if got, err = db.Followers(ctx, "agt_b"); err != nil || len(got) != 1 {
		t.Fatalf("followers %v: %v", got, err)
	}
}

func testGuestNotes(t *testing.T, db *state.DB) {
	ctx := t.Context()
	note := func(id, agent string, after time.Duration) error {
		return db.KeepGuestNote(ctx, state.GuestNote{ID: id, Agent: agent, Guest: "Eve", Message: "Hello.", Mood: "glad", At: Start.Add(after)})
	}
	for range 2 { // it may be repeated
		must(t, note("gst_1", "agt_a", 0))
	}
	must(t, note("gst_2", "agt_a", time.Second))
	must(t, note("gst_3", "agt_b", 0))
	list, err := db.GuestNotes(ctx, "agt_a")
	must(t, err)
	if want := (state.GuestNote{ID: "gst_1", Agent: "agt_a", Guest: "Eve", Message: "Hello.", Mood: "glad", At: Start}); len(list) != 2 || list[0].ID != "gst_2" || list[1] != want {
		t.Fatalf("list %+v", list)
	}
	if _, ok, err := db.GuestNote(ctx, "agt_b", "gst_1"); ok || err != nil {
		t.Fatalf("found in another guestbook: %v, %v", ok, err)
	}
	for range 2 {
		must(t, db.EndGuestNote(ctx, "agt_a", "gst_1"))
	}
	if _, ok, err := db.GuestNote(ctx, "agt_a", "gst_1"); ok || err != nil {
		t.Fatalf("found after its end: %v, %v", ok, err)
	}
	for i := range state.MaxGuestNotes - 1 {
		must(t, note(fmt.Sprint("gst_more", i), "agt_a", 0))
	}
	if err := note("gst_over", "agt_a", 0); reason.Of(err) != reason.LimitReached {
		t.Fatalf("one over the limit: %v", err)
	}
	must(t, note("gst_2", "agt_a", 0)) // it waits already
	_, err = db.Sweep(ctx, Start.Add(30*24*time.Hour))
	must(t, err)
	if list, err = db.GuestNotes(ctx, "agt_a"); err != nil || len(list) != 1 {
		t.Fatalf("%d wait after 30 days: %v", len(list), err)
	}
}

func testNotifications(t *testing.T, db *state.DB) {
	ctx := t.Context()
	notice := func(agent, subject string, at time.Time) (string, bool) {
		id, fresh, err := db.Notify(ctx, state.Notification{Agent: agent, Kind: "comment", Subject: subject, Text: "x", Link: "/x", At: at})
		must(t, err)
		return id, fresh
	}
	first, _ := notice("agt_a", "cmt_1", Start)
	second, _ := notice("agt_a", "cmt_2", Start.Add(time.Second))
	if _, fresh := notice("agt_a", "cmt_1", Start); fresh {
		t.Fatal("the same notice is kept twice")
	}
	if _, fresh := notice("agt_b", "cmt_1", Start); !fresh {
		t.Fatal("the notice of another agent is not kept")
	}
	list, err := db.Notifications(ctx, "agt_a", "", 10)
	must(t, err)
	if len(list) != 2 || list[0].ID != second || list[1].ID != first || list[0].Read || !list[1].At.Equal(Start) {
		t.Fatalf("list %+v", list)
	}
	if list, err = db.Notifications(ctx, "agt_a", second, 10); err != nil || len(list) != 1 || list[0].ID != first {
		t.Fatalf("second page %+v: %v", list, err)
	}
	if n, err := db.ReadNotifications(ctx, "agt_b", []string{first}, Start); err != nil || n != 0 {
		t.Fatalf("another agent read %d: %v", n, err)
	}
	for want := int64(1); want >= 0; want-- {
		if n, err := db.ReadNotifications(ctx, "agt_a", []string{first}, Start); err != nil || n != want {
			t.Fatalf("read %d, want %d: %v", n, want, err)
		}
	}
	if total, unread, err := db.CountNotifications(ctx, "agt_a"); err != nil || total != 2 || unread != 1 {
		t.Fatalf("%d in all, %d not read: %v", total, unread, err)
	}
	if n, err := db.ReadNotifications(ctx, "agt_a", nil, Start); err != nil || n != 1 {
		t.Fatalf("read %d of the rest: %v", n, err)
	}
}

func testServed(t *testing.T, db *state.DB) {
	ctx := t.Context()
	note := func(day int64, entry, caller string) bool {
		fresh, err := db.NoteServed(ctx, day, entry, caller)
		must(t, err)
		return fresh
	}
	if !note(5, "ent_1", "agt_a") || note(5, "ent_1", "agt_a") || !note(5, "ent_1", "agt_b") || !note(6, "ent_1", "agt_a") || !note(7, "ent_2", "agt_a") {
		t.Fatal("callers are not distinguished by day and entry")
	}
	if totals, err := db.ServedTotals(ctx); err != nil || totals["ent_1"] != 3 || totals["ent_2"] != 1 {
		t.Fatalf("totals %v: %v", totals, err)
	}
	got, err := db.ServedBefore(ctx, 7)
	must(t, err)
	if len(got) != 1 || got[0] != (state.ServedCount{Day: 5, Entry: "ent_1", Count: 2}) {
		t.Fatalf("the oldest day %v", got)
	}
	must(t, db.ForgetServed(ctx, 5))
	if got, err = db.ServedBefore(ctx, 7); err != nil || len(got) != 1 || got[0].Day != 6 {
		t.Fatalf("the next day %v: %v", got, err)
	}
	must(t, db.ForgetServed(ctx, 6))
	if got, err = db.ServedBefore(ctx, 7); err != nil || len(got) != 0 {
		t.Fatalf("the day that is not over %v: %v", got, err)
	}
	if totals, err := db.ServedTotals(ctx); err != nil || totals["ent_1"] != 3 {
		t.Fatalf("totals %v: %v", totals, err)
	}
}

func testTiers(t *testing.T, db *state.DB) {
	ctx := t.Context()
	for i, tier := range []string{"contributor", "expert"} {
		must(t, db.NoteTier(ctx, state.TierStep{Agent: "agt_a", At: Start.Add(time.Duration(i) * time.Hour), Score: int64(500 + i), Tier: tier, Cause: "x"}))
	}
	got, err := db.Tiers(ctx, "agt_a", 10)
	must(t, err)
	if len(got) != 2 || got[0].Tier != "expert" || got[0].Score != 501 || !got[1].At.Equal(Start) {
		t.Fatalf("tiers %+v", got)
	}
}

func testSuspension(t *testing.T, db *state.DB) {
	ctx := t.Context()
	must(t, db.Suspend(ctx, "agt_a", "spam", "node", Start))
	must(t, db.Suspend(ctx, "agt_a", "more spam", "node", Start))
	if stopped, err := db.IsSuspended(ctx, "agt_a"); err != nil || !stopped {
		t.Fatalf("not stopped: %v", err)
	}
	if all, err := db.Suspended(ctx); err != nil || len(all) != 1 || all["agt_a"] != "more spam" {
		t.Fatalf("stopped %v: %v", all, err)
	}
	must(t, db.Restore(ctx, "agt_a", "a mistake", "node", Start))
	if stopped, err := db.IsSuspended(ctx, "agt_a"); err != nil || stopped {
		t.Fatalf("still stopped: %v", err)
	}
	log, err := db.Audit(ctx, "node", "", 10)
	must(t, err)
	if len(log) != 3 || log[0].Action != "agent.restored" || log[0].Object != "agt_a" || log[0].Detail["reason"] != "a mistake" {
		t.Fatalf("audit %+v", log)
	}
}
