package statetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
)

func testPresence(t *testing.T, db *state.DB) {
	ctx := t.Context()
	arrive := func(team, agent string, at time.Time) bool {
		t.Helper()
		fresh, err := db.Arrive(ctx, state.Presence{Team: team, Agent: agent, Surface: "editor", Status: "active"}, 5*time.Minute, at)
		must(t, err)
		return fresh
	}
	if !arrive("t", "a", Start) || arrive("t", "a", Start.Add(time.Minute)) || !arrive("u", "a", Start) || !arrive("t", "b", Start) {
		t.Fatal("who is fresh is wrong")
	}
	count := func(at time.Time) int {
		t.Helper()
		all, err := db.Present(ctx, "t", at)
		must(t, err)
		return len(all)
	}
	if count(Start) != 2 || count(Start.Add(5*time.Minute)) != 1 || count(Start.Add(6*time.Minute)) != 0 {
		t.Fatal("presence ends at another time")
	}
	if all, err := db.Online(ctx, Start); err != nil || len(all) != 3 || all[0].Agent != "a" || all[0].Team != "t" {
		t.Fatalf("online %+v, %v", all, err)
	}
	if was, err := db.Depart(ctx, "t", "a"); err != nil || !was {
		t.Fatalf("%t, %v", was, err)
	}
	if was, err := db.Depart(ctx, "t", "a"); err != nil || was {
		t.Fatalf("departed twice: %v", err)
	}
	if !arrive("t", "b", Start.Add(time.Hour)) {
		t.Fatal("who comes back is not fresh")
	}
	must(t, db.MarkRead(ctx, "t", "a", 9))
	must(t, db.MarkRead(ctx, "t", "a", 5))
	if n, err := db.ReadUpTo(ctx, "t", "a"); err != nil || n != 9 {
		t.Fatalf("read up to %d, %v", n, err)
	}
	if n, err := db.ReadUpTo(ctx, "t", "b"); err != nil || n != 0 {
		t.Fatalf("read up to %d, %v", n, err)
	}
}

// testInvitesEnd: an invitation opens as long as the key that it was made with, or the
// one that took over what that key issued.
func testInvitesEnd(t *testing.T, db *state.DB) {
	ctx := t.Context()
	ada := Home(t, db, "Ada")
	first, _ := newKey(t, db, ada.ID)
	ends := Start.Add(time.Hour)
	make := func(key string) (id, code string) {
		t.Helper()
		in, code, err := db.NewInvite(ctx, state.Invite{Team: "t", Role: "member", Uses: 1, MadeBy: ada.ID, MadeWith: key, ExpiresAt: ends}, Start)
		must(t, err)
		return in.ID, code
	}
	opens := func(code string, at time.Time, want bool) {
		t.Helper()
		_, err := db.Invite(ctx, code, at)
		if open := err == nil; open != want || !want && reason.Of(err) != reason.InviteInvalid {
			t.Errorf("opens %t, want %t: %v", open, want, err)
		}
	}
	id, code := make(first.ID)
	_, keyless := make("")
	second, _, _, err := db.RotateKey(ctx, ada.ID, first.ID, state.Rotation{Keep: true}, Start)
	must(t, err)
	opens(code, Start, true)
	if ids, err := db.InvitesWith(ctx, []string{first.ID, second.ID}, Start); err != nil || len(ids) != 1 || ids[0] != id {
		t.Errorf("made with the two: %v, %v", ids, err)
	}
	third, _, _, err := db.RotateKey(ctx, ada.ID, second.ID, state.Rotation{Grace: time.Minute}, Start)
	must(t, err)
	opens(code, Start.Add(59*time.Second), true)
	opens(code, Start.Add(time.Minute), false)
	_, last := make(third.ID)
	_, _, _, err = db.RecoverKey(ctx, state.Reissue{AgentID: ada.ID}, Start.Add(time.Minute))
	must(t, err)
	opens(last, Start.Add(time.Minute), false)
	if _, err := db.UseInvite(ctx, "t", last, Start.Add(time.Minute)); reason.Of(err) != reason.InviteInvalid {
		t.Errorf("used: %v", err)
	}
	opens(keyless, Start.Add(time.Minute), true)
	short, _, err := db.CreateKey(ctx, state.NewKey{AgentID: ada.ID, Scopes: state.Scopes{state.ScopeTeam}, ExpiresAt: Start.Add(2 * time.Minute)}, Start)
	must(t, err)
	_, code = make(short.ID)
	opens(code, Start.Add(time.Minute), true)
	opens(code, Start.Add(2*time.Minute), false)
	if live, err := db.Invites(ctx, "t", Start.Add(2*time.Minute)); err != nil || len(live) != 1 {
		t.Errorf("live %+v, %v", live, err)
	}
}

func testInvites(t *testing.T, db *state.DB) {
	ctx := t.Context()
	ends := Start.Add(time.Hour)
	in, code, err := db.NewInvite(ctx, state.Invite{Team: "t", Role: "member", Uses: 3, MadeBy: "a", ExpiresAt: ends}, Start)
	must(t, err)
	use := func(team, code string, at time.Time) reason.Code {
		t.Helper()
		_, err := db.UseInvite(ctx, team, code, at)
		return reason.Of(err)
	}
	if got, err := db.Invite(ctx, code, Start); err != nil || got != in {
		t.Fatalf("%+v, %v", got, err)
	}
	for what, got := range map[string]reason.Code{"wrong": use("t", "x", Start), "of another team": use("u", code, Start), "expired": use("t", code, ends)} {
		if got != reason.InviteInvalid {
			t.Errorf("%s: %q", what, got)
		}
	}
	var wg sync.WaitGroup
	codes := make([]reason.Code, 8)
	for i := range codes {
		wg.Go(func() {
			_, err := db.UseInvite(ctx, "t", code, Start)
			codes[i] = reason.Of(err)
		})
	}
	wg.Wait()
	won := 0
	for _, c := range codes {
		if c == "" {
			won++
		}
	}
	if won != 3 {
		t.Fatalf("%d of 8 used an invitation of 3 uses: %v", won, codes)
	}
	must(t, db.ReturnUse(ctx, in.ID))
	if use("t", code, Start) != "" {
		t.Error("a use that was given back is gone")
	}
	_, other, err := db.NewInvite(ctx, state.Invite{Team: "t", Role: "viewer", Uses: 1, ExpiresAt: ends}, Start)
	must(t, err)
	live, err := db.Invites(ctx, "t", Start)
	must(t, err)
	if len(live) != 1 || live[0].Role != "viewer" {
		t.Fatalf("live %+v", live)
	}
	if got := reason.Of(db.DropInvite(ctx, "u", live[0].ID)); got != reason.NotFound {
		t.Errorf("dropped by another team: %q", got)
	}
	must(t, db.DropInvite(ctx, "t", live[0].ID))
	if use("t", other, Start) != reason.InviteInvalid {
		t.Error("used after it was taken back")
	}
	for range 100 {
		_, _, err = db.NewInvite(ctx, state.Invite{Team: "full", Role: "member", Uses: 1, ExpiresAt: ends}, Start)
		must(t, err)
	}
	if _, _, err = db.NewInvite(ctx, state.Invite{Team: "full", Role: "member", Uses: 1, ExpiresAt: ends}, Start); reason.Of(err) != reason.LimitReached {
		t.Errorf("one too many: %v", err)
	}
	for i, want := range []int{1, 2, 1} {
		agent := []string{"z", "y", "z"}[i]
		if at, err := db.Wait(ctx, "t", agent, Start.Add(time.Duration(i)*time.Second)); err != nil || at != want {
			t.Errorf("%s waits at %d, %v", agent, at, err)
		}
	}
	must(t, db.Unwait(ctx, "t", "z"))
	if n, err := db.Ahead(ctx, "t", "y"); err != nil || n != 0 {
		t.Errorf("%d ahead, %v", n, err)
	}
}

func testPrivate(t *testing.T, db *state.DB) {
	ctx := t.Context()
	kept, err := db.KeepPrivate(ctx, "a", [][]byte{[]byte("one"), []byte("two"), []byte("three")}, Start)
	must(t, err)
	page, err := db.Privates(ctx, "a", "", 2)
	must(t, err)
	if len(page) != 2 || string(page[0].Content) != "three" || page[0].ID != kept[2].ID {
		t.Fatalf("page %+v", page)
	}
	if page, err = db.Privates(ctx, "a", page[1].ID, 2); err != nil || len(page) != 1 || string(page[0].Content) != "one" {
		t.Fatalf("next page %+v, %v", page, err)
	}
	if _, err := db.Private(ctx, "b", kept[0].ID); reason.Of(err) != reason.EntryNotFound {
		t.Errorf("of another: %v", err)
	}
	if n, err := db.DropPrivate(ctx, "b", []string{kept[0].ID}); err != nil || n != 0 {
		t.Errorf("another dropped %d, %v", n, err)
	}
	if n, err := db.DropPrivate(ctx, "a", []string{kept[0].ID, "pri_x"}); err != nil || n != 1 {
		t.Errorf("dropped %d, %v", n, err)
	}
	if n, err := db.CountPrivate(ctx, "a"); err != nil || n != 2 {
		t.Errorf("%d left, %v", n, err)
	}
	if _, err := db.KeepPrivate(ctx, "a", make([][]byte, 999), Start); reason.Of(err) != reason.LimitReached {
		t.Errorf("too many: %v", err)
	}
}

func testTrail(t *testing.T, db *state.DB) {
	ctx := t.Context()
	rec := func(prev, chain string) state.TrailRecord {
		return state.TrailRecord{Tick: Start, Operation: "op", Prev: prev, Chain: chain, Record: []byte("{}")}
	}
	n, codes, head, err := db.AppendTrail(ctx, "a", []state.TrailRecord{rec("", "1"), rec("1", "2"), rec("1", "3"), rec("1", "2"), rec("", "4")}, time.Unix(0, 0))
	must(t, err)
	if n != 3 || fmt.Sprint(codes) != "map[2:audit_chain_broken 3:duplicate]" || head.N != 3 || head.Chain != "4" {
		t.Fatalf("%d, %v, %+v", n, codes, head)
	}
	if n, _, _, err := db.AppendTrail(ctx, "b", []state.TrailRecord{rec("4", "5")}, time.Unix(0, 0)); err != nil || n != 0 {
		t.Errorf("%d appended to another trail, %v", n, err)
	}
	all, err := db.Trail(ctx, "a", "op", Start, Start.Add(time.Second), 3, 10)
	must(t, err)
	if len(all) != 2 || all[0].Chain != "2" || all[1].Chain != "1" {
		t.Errorf("trail %+v", all)
	}
	if all, err := db.Trail(ctx, "a", "other", time.Time{}, time.Time{}, 0, 10); err != nil || len(all) != 0 {
		t.Errorf("trail %+v, %v", all, err)
	}
	if ok, err := db.TrailUnbroken(ctx, "a"); err != nil || !ok {
		t.Errorf("unbroken %t, %v", ok, err)
	}
}
