package statetest

import (
	"slices"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
)

func testTokens(t *testing.T, db *state.DB) {
	ctx, end := t.Context(), Start.Add(time.Hour)
	token := func(cid, key, source string, age time.Duration) state.SessionToken {
		return state.SessionToken{CID: cid, Agent: "agt_a", Audience: "did:b", Token: "C" + cid, Source: source, KeyID: key, CreatedAt: Start.Add(-age), ExpiresAt: end}
	}
	one, two, made, again := token("one", "key_1", "", 4*time.Second), token("two", "", "", 3*time.Second), token("made", "key_2", "one", 2*time.Second), token("again", "", "made", time.Second)
	must(t, db.KeepTokens(ctx, []state.SessionToken{one, two}, Start))
	must(t, db.KeepTokens(ctx, []state.SessionToken{made, again}, Start))
	if err := db.KeepTokens(ctx, []state.SessionToken{token("three", "", "", 0), one}, Start); err == nil {
		t.Error("a token was kept twice")
	}
	for _, by := range [][2]string{{"agt_a", ""}, {"", "did:b"}} {
		got, err := db.SessionTokens(ctx, by[0], by[1])
		must(t, err)
		if want := []state.SessionToken{again, made, two, one}; !slices.Equal(got, want) {
			t.Errorf("of %v: %+v", by, got)
		}
	}
	// What was made from a revoked token ends with it, and what was made from that.
	r := state.TokenRevocation{CID: "one", Issuer: "did:a", Record: "{}", Expires: &end}
	ended, err := db.RevokeToken(ctx, r, Start)
	must(t, err)
	if !slices.Equal(ended, []string{"made", "again"}) {
		t.Errorf("with it ended %v", ended)
	}
	_, err = db.RevokeToken(ctx, r, Start)
	refused(t, err, reason.TokenReplayed)
	r.Issuer = "did:root"
	_, err = db.RevokeToken(ctx, r, Start)
	must(t, err)
	for cid, want := range map[string]bool{"one": true, "made": true, "again": true, "two": false, "none": false} {
		if got, err := db.TokenRevoked(ctx, cid); got != want || err != nil {
			t.Errorf("%s revoked: %v, %v", cid, got, err)
		}
	}
	if got, ok, err := db.SessionToken(ctx, "one"); !ok || !got.Revoked || err != nil {
		t.Errorf("%+v, %v, %v", got, ok, err)
	}
	if _, ok, err := db.SessionToken(ctx, "none"); ok || err != nil {
		t.Errorf("an unknown token: %v, %v", ok, err)
	}
	// A key takes with it what it issued, and no more.
	must(t, db.KeepTokens(ctx, []state.SessionToken{token("k1", "key_1", "", 0), token("k2", "key_2", "", 0), token("k3", "key_2", "", -time.Minute), token("u", "", "", 0)}, Start))
	for _, c := range []struct {
		keys        []string
		all, unkept bool
		upTo        time.Time
		want        []string
	}{
		{keys: []string{"key_1"}, want: []string{"k1"}},
		{keys: []string{"key_1"}},
		{all: true, upTo: Start, want: []string{"k2"}},
		{all: true, want: []string{"k3"}},
		{unkept: true, want: []string{"two", "u"}},
	} {
		got, err := db.EndTokens(ctx, "agt_a", c.keys, c.all, c.unkept, c.upTo, Start)
		must(t, err)
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%+v ended %v", c, got)
		}
	}
	// Both go when the token could not be used again anyway.
	_, err = db.Sweep(ctx, end.Add(30*24*time.Hour-time.Second))
	must(t, err)
	if got, err := db.SessionTokens(ctx, "agt_a", ""); len(got) != 8 || err != nil {
		t.Errorf("%d tokens, %v", len(got), err)
	}
	_, err = db.Sweep(ctx, end.Add(31*24*time.Hour))
	must(t, err)
	left, err := db.SessionTokens(ctx, "agt_a", "")
	must(t, err)
	if gone, err := db.TokenRevoked(ctx, "one"); len(left) != 0 || gone || err != nil {
		t.Errorf("%d tokens stay, revoked %v, %v", len(left), gone, err)
	}
}
