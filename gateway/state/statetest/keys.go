package statetest

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
)

func newKey(t testing.TB, db *state.DB, agentID string) (state.Key, state.Secret) {
	t.Helper()
	k, s, err := db.CreateKey(t.Context(), state.NewKey{AgentID: agentID, Scopes: state.RegistrationScopes()}, Start)
	must(t, err)
	return k, s
}

func lookup(t testing.TB, db *state.DB, s state.Secret, now time.Time) reason.Code {
	t.Helper()
	_, err := db.KeyBySecret(t.Context(), s, now)
	return reason.Of(err)
}

func testKeyLookup(t *testing.T, db *state.DB) {
	a := Home(t, db, "Ada")
	ends := Start.Add(time.Hour)
	k, s, err := db.CreateKey(t.Context(), state.NewKey{
		AgentID: a.ID, Scopes: state.Scopes{state.ScopeRead, state.ScopeTeam}, Label: "böb", ExpiresAt: ends,
	}, Start)
	must(t, err)
	if _, err := state.ParseSecret(s.Reveal()); err != nil || len(k.Prefix) != 8 || s.Reveal()[8:16] != k.Prefix {
		t.Fatalf("key %q of prefix %q: %v", s.Reveal(), k.Prefix, err)
	}
	got, err := db.KeyBySecret(t.Context(), s, Start)
	must(t, err)
	want := k
	want.LastUsedAt = Start
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v\nwant %+v", got, want)
	}
	if !k.ExpiresAt.Equal(ends) || !k.AgentSince.Equal(a.CreatedAt) || k.Label != "böb" {
		t.Fatalf("key %+v", k)
	}
	list, err := db.KeysOf(t.Context(), a.ID)
	must(t, err)
	if len(list) != 1 || !reflect.DeepEqual(list[0], want) {
		t.Fatalf("list %+v", list)
	}

	_, other := newKey(t, db, a.ID)
	if other.Reveal() == s.Reveal() {
		t.Fatal("two keys are equal")
	}
	wrong := state.NewSecret([state.RandomSize]byte{1})
	if code := lookup(t, db, wrong, Start); code != reason.InvalidToken {
		t.Fatalf("wrong key: %q", code)
	}
	if code := lookup(t, db, state.Secret{}, Start); code != reason.InvalidToken {
		t.Fatalf("no key: %q", code)
	}
}

func testKeyDies(t *testing.T, db *state.DB) {
	a, b := Home(t, db, "Ada"), Home(t, db, "Bob")
	k, s := newKey(t, db, a.ID)
	refused(t, last(db.RevokeKey(t.Context(), b.ID, k.ID, Start)), reason.NotFound)
	if code := lookup(t, db, s, Start); code != "" {
		t.Fatalf("live key: %q", code)
	}
	must(t, last(db.RevokeKey(t.Context(), a.ID, k.ID, Start.Add(time.Second))))
	must(t, last(db.RevokeKey(t.Context(), a.ID, k.ID, Start.Add(time.Minute))))
	if code := lookup(t, db, s, Start.Add(time.Second)); code != reason.KeyRevoked {
		t.Fatalf("revoked key: %q", code)
	}
	list, err := db.KeysOf(t.Context(), a.ID)
	must(t, err)
	if !list[0].RevokedAt.Equal(Start.Add(time.Second)) {
		t.Fatalf("revoking again moved the time: %v", list[0].RevokedAt)
	}

	_, s, err = db.CreateKey(t.Context(), state.NewKey{
		AgentID: a.ID, Scopes: state.RegistrationScopes(), ExpiresAt: Start.Add(time.Hour)}, Start)
	must(t, err)
	if code := lookup(t, db, s, Start.Add(time.Hour-time.Millisecond)); code != "" {
		t.Fatalf("before its end: %q", code)
	}
	if code := lookup(t, db, s, Start.Add(time.Hour)); code != reason.TokenExpired {
		t.Fatalf("at its end: %q", code)
	}
}

func testKeyRules(t *testing.T, db *state.DB) {
	a := Home(t, db, "Ada")
	claimed := agent("Bob")
	must(t, db.ClaimName(t.Context(), claimed, Start))
	good := state.NewKey{AgentID: a.ID, Scopes: state.RegistrationScopes(), Label: strings.Repeat("ä", 64)}
	cases := []struct {
		name string
		edit func(*state.NewKey)
		want reason.Code
	}{
		{"good", func(*state.NewKey) {}, ""},
		{"no scope", func(n *state.NewKey) { n.Scopes = nil }, reason.InvalidParam},
		{"long label", func(n *state.NewKey) { n.Label += "x" }, reason.InvalidParam},
		{"broken label", func(n *state.NewKey) { n.Label = "\xff" }, reason.InvalidParam},
		{"ended", func(n *state.NewKey) { n.ExpiresAt = Start }, reason.InvalidParam},
		{"no agent", func(n *state.NewKey) { n.AgentID = "agt_none" }, reason.AgentNotFound},
		{"unconfirmed agent", func(n *state.NewKey) { n.AgentID = claimed.ID }, reason.AgentNotFound},
	}
	for _, c := range cases {
		n := good
		c.edit(&n)
		_, _, err := db.CreateKey(t.Context(), n, Start)
		if got := reason.Of(err); got != c.want {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func testKeyLimit(t *testing.T, db *state.DB) {
	a := Home(t, db, "Ada")
	n := state.NewKey{AgentID: a.ID, Scopes: state.RegistrationScopes()}
	codes := race(25, func(int) error {
		_, _, err := db.CreateKey(t.Context(), n, Start)
		return err
	})
	if codes[""] != 20 || codes[reason.LimitReached] != 5 {
		t.Fatalf("codes %v", codes)
	}
	list, err := db.KeysOf(t.Context(), a.ID)
	must(t, err)
	// With a grace the old key still counts, without one it makes room.
	_, _, _, err = db.RotateKey(t.Context(), a.ID, list[0].ID, state.Rotation{Grace: time.Minute}, Start)
	refused(t, err, reason.LimitReached)
	_, _, _, err = db.RotateKey(t.Context(), a.ID, list[0].ID, state.Rotation{}, Start)
	must(t, err)
	must(t, last(db.RevokeKey(t.Context(), a.ID, list[1].ID, Start)))
	_, _, err = db.CreateKey(t.Context(), n, Start)
	must(t, err)
}

func testRotate(t *testing.T, db *state.DB) {
	a, b := Home(t, db, "Ada"), Home(t, db, "Bob")
	k, s, err := db.CreateKey(t.Context(), state.NewKey{AgentID: a.ID, Label: "ci",
		Scopes: state.Scopes{state.ScopeRead, state.ScopeKeys}, ExpiresAt: Start.Add(24 * time.Hour)}, Start)
	must(t, err)
	for name, c := range map[string]struct {
		agent, key string
		r          state.Rotation
		want       reason.Code
	}{
		"other agent":   {b.ID, k.ID, state.Rotation{}, reason.NotFound},
		"unknown key":   {a.ID, "key_none", state.Rotation{}, reason.NotFound},
		"wider":         {a.ID, k.ID, state.Rotation{Scopes: state.Scopes{state.ScopeAll}}, reason.ScopeMissing},
		"long grace":    {a.ID, k.ID, state.Rotation{Grace: time.Hour + 1}, reason.InvalidParam},
		"negative":      {a.ID, k.ID, state.Rotation{Grace: -1}, reason.InvalidParam},
		"after its end": {a.ID, k.ID, state.Rotation{ExpiresAt: Start}, reason.InvalidParam},
	} {
		_, _, _, err := db.RotateKey(t.Context(), c.agent, c.key, c.r, Start)
		if got := reason.Of(err); got != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	next, ns, _, err := db.RotateKey(t.Context(), a.ID, k.ID, state.Rotation{Grace: time.Minute}, Start)
	must(t, err)
	if next.RotatedFrom != k.ID || next.Label != "ci" || !next.ExpiresAt.Equal(k.ExpiresAt) || !reflect.DeepEqual(next.Scopes, k.Scopes) {
		t.Fatalf("rotated key %+v", next)
	}
	for _, c := range []struct {
		s    state.Secret
		at   time.Duration
		want reason.Code
	}{
		{s, time.Minute - time.Millisecond, ""},
		{s, time.Minute, reason.KeyRevoked},
		{ns, time.Minute, ""},
	} {
		if got := lookup(t, db, c.s, Start.Add(c.at)); got != c.want {
			t.Errorf("after %v: %q, want %q", c.at, got, c.want)
		}
	}
	_, _, _, err = db.RotateKey(t.Context(), a.ID, k.ID, state.Rotation{}, Start)
	refused(t, err, reason.KeyRevoked)
	narrow, _, _, err := db.RotateKey(t.Context(), a.ID, next.ID, state.Rotation{Scopes: state.Scopes{state.ScopeRead}, Label: "x"}, Start)
	must(t, err)
	if len(narrow.Scopes) != 1 || narrow.Label != "x" {
		t.Fatalf("narrowed key %+v", narrow)
	}
	// Revoking within the grace ends it.
	must(t, last(db.RevokeKey(t.Context(), a.ID, k.ID, Start.Add(time.Second))))
	if got := lookup(t, db, s, Start.Add(time.Second)); got != reason.KeyRevoked {
		t.Fatalf("revoked in its grace: %q", got)
	}
}

func testRotateRace(t *testing.T, db *state.DB) {
	a := Home(t, db, "Ada")
	k, _ := newKey(t, db, a.ID)
	codes := race(8, func(int) error {
		_, _, _, err := db.RotateKey(t.Context(), a.ID, k.ID, state.Rotation{Grace: time.Minute}, Start)
		return err
	})
	if codes[""] != 1 || codes[reason.KeyRevoked] != 7 {
		t.Fatalf("codes %v", codes)
	}
}

func testRecover(t *testing.T, db *state.DB) {
	a, b := Home(t, db, "Ada"), Home(t, db, "Bob")
	_, bobs := newKey(t, db, b.ID)
	var old []state.Secret
	for range 20 {
		_, s := newKey(t, db, a.ID)
		old = append(old, s)
	}
	_, fresh, n, err := db.RecoverKey(t.Context(), state.Reissue{AgentID: a.ID}, Start)
	must(t, err)
	if len(n) != 20 {
		t.Errorf("revoked %d keys, want 20", len(n))
	}
	for _, s := range old {
		if got := lookup(t, db, s, Start); got != reason.KeyRevoked {
			t.Fatalf("old key: %q", got)
		}
	}
	for _, s := range []state.Secret{fresh, bobs} {
		if got := lookup(t, db, s, Start); got != "" {
			t.Fatalf("live key: %q", got)
		}
	}
	_, more, n, err := db.RecoverKey(t.Context(), state.Reissue{AgentID: a.ID, KeepOthers: true}, Start)
	must(t, err)
	for _, s := range []state.Secret{fresh, more} {
		if got := lookup(t, db, s, Start); got != "" || len(n) != 0 {
			t.Fatalf("a key that was to be kept: %q, %d revoked", got, len(n))
		}
	}
	_, _, _, err = db.RecoverKey(t.Context(), state.Reissue{AgentID: "agt_none"}, Start)
	refused(t, err, reason.AgentNotFound)
}

// testBoundBy walks what a stolen key would try.
func testBoundBy(t *testing.T, db *state.DB) {
	a, b := Home(t, db, "Ada"), Home(t, db, "Bob")
	wide, _ := newKey(t, db, a.ID)
	bobs, _ := newKey(t, db, b.ID)
	create := func(n state.NewKey) (state.Key, error) {
		n.AgentID = a.ID
		k, _, err := db.CreateKey(t.Context(), n, Start)
		return k, err
	}
	narrow, err := create(state.NewKey{By: wide.ID, Scopes: state.Scopes{state.ScopeRead, state.ScopeKeys}, ExpiresAt: Start.Add(time.Hour)})
	must(t, err)
	grace, err := create(state.NewKey{Scopes: state.RegistrationScopes()})
	must(t, err)
	_, _, _, err = db.RotateKey(t.Context(), a.ID, grace.ID, state.Rotation{Grace: time.Hour}, Start)
	must(t, err)
	gone, err := create(state.NewKey{Scopes: state.RegistrationScopes()})
	must(t, err)
	must(t, last(db.RevokeKey(t.Context(), a.ID, gone.ID, Start)))
	read := state.Scopes{state.ScopeRead}
	for name, c := range map[string]struct {
		n    state.NewKey
		want reason.Code
	}{
		"more scopes":   {state.NewKey{By: narrow.ID, Scopes: state.Scopes{state.ScopeRead, state.ScopeWrite}}, reason.ScopeMissing},
		"every scope":   {state.NewKey{By: wide.ID, Scopes: state.Scopes{state.ScopeAll}}, reason.ScopeMissing},
		"longer life":   {state.NewKey{By: narrow.ID, Scopes: read, ExpiresAt: Start.Add(time.Hour + time.Millisecond)}, reason.InvalidParam},
		"in its grace":  {state.NewKey{By: grace.ID, Scopes: read}, reason.KeyRevoked},
		"when dead":     {state.NewKey{By: gone.ID, Scopes: read}, reason.KeyRevoked},
		"another agent": {state.NewKey{By: bobs.ID, Scopes: read}, reason.KeyRevoked},
	} {
		if _, err := create(c.n); reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	k, err := create(state.NewKey{By: narrow.ID, Scopes: read})
	must(t, err)
	if !k.ExpiresAt.Equal(narrow.ExpiresAt) {
		t.Errorf("a key outlives the one that made it: %v", k.ExpiresAt)
	}
	// The way around: rotate a key that has more.
	_, _, _, err = db.RotateKey(t.Context(), a.ID, wide.ID, state.Rotation{By: narrow.ID}, Start)
	refused(t, err, reason.ScopeMissing)
	_, _, _, err = db.RotateKey(t.Context(), a.ID, narrow.ID, state.Rotation{By: narrow.ID, ExpiresAt: Start.Add(2 * time.Hour)}, Start)
	refused(t, err, reason.InvalidParam)
	next, _, _, err := db.RotateKey(t.Context(), a.ID, narrow.ID, state.Rotation{By: narrow.ID}, Start)
	must(t, err)
	if !next.ExpiresAt.Equal(narrow.ExpiresAt) || len(next.Scopes) != 2 {
		t.Errorf("rotated key %+v", next)
	}
	// A recovery comes between authentication and the making of a key.
	_, _, _, err = db.RecoverKey(t.Context(), state.Reissue{AgentID: a.ID}, Start)
	must(t, err)
	if _, err := create(state.NewKey{By: wide.ID, Scopes: read}); reason.Of(err) != reason.KeyRevoked {
		t.Errorf("a key that recovery ended made another: %v", err)
	}
}

func testKeyAudit(t *testing.T, db *state.DB) {
	a := Home(t, db, "Ada")
	k, _ := newKey(t, db, a.ID)
	next, _, _, err := db.RotateKey(t.Context(), a.ID, k.ID, state.Rotation{By: k.ID}, Start)
	must(t, err)
	must(t, last(db.RevokeKey(t.Context(), a.ID, next.ID, Start)))
	must(t, last(db.RevokeKey(t.Context(), a.ID, next.ID, Start))) // changes nothing
	back, _, _, err := db.RecoverKey(t.Context(), state.Reissue{AgentID: a.ID}, Start)
	must(t, err)
	if _, _, err := db.CreateKey(t.Context(), state.NewKey{AgentID: a.ID}, Start); err == nil {
		t.Fatal("a key without scopes was made")
	}
	list, err := db.Audit(t.Context(), a.ID, "", 100)
	must(t, err)
	var got [][2]string
	for _, e := range list {
		got = append(got, [2]string{e.Action, e.Object})
	}
	want := [][2]string{{"key.recovered", back.ID}, {"key.revoked", next.ID}, {"key.rotated", next.ID}, {"key.created", k.ID}}
	if !reflect.DeepEqual(got, want) || list[2].Detail["by"] != k.ID || list[2].Detail["rotated_from"] != k.ID {
		t.Fatalf("audit %+v", list)
	}
}

func testLastUsed(t *testing.T, db *state.DB) {
	a := Home(t, db, "Ada")
	k, s := newKey(t, db, a.ID)
	used := func() time.Time {
		list, err := db.KeysOf(t.Context(), a.ID)
		must(t, err)
		return list[0].LastUsedAt
	}
	if !used().IsZero() {
		t.Fatalf("unused key was used at %v", used())
	}
	for _, c := range []struct{ at, want time.Duration }{
		{0, 0},
		{59 * time.Second, 0}, // within the minute: not noted
		{60 * time.Second, 60 * time.Second},
	} {
		if code := lookup(t, db, s, Start.Add(c.at)); code != "" {
			t.Fatalf("key %s: %q", k.ID, code)
		}
		for _, when := range []string{"before", "after"} {
			if got := used(); !got.Equal(Start.Add(c.want)) {
				t.Fatalf("use after %v: recorded at %v %s the sweep", c.at, got, when)
			}
			_, err := db.Sweep(t.Context(), Start.Add(c.at))
			must(t, err)
		}
	}
}

// last is the error of a call that also returns which keys ended.
func last(_ []string, err error) error { return err }
