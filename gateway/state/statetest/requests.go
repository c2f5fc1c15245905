package statetest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
)

func challenge(t testing.TB, db *state.DB) state.Challenge {
	t.Helper()
	nonce, err := db.NewNonce()
	must(t, err)
	return state.Challenge{
		Nonce: nonce, Subject: "did:key:zA", Purpose: state.Registration, Domain: "mesh.example.org", ActingKey: "acting-" + nonce,
		SIWE: "mesh.example.org wants you to sign in", Text: "Mesh registration\nnonce: " + nonce, ExpiresAt: Start.Add(state.ChallengeTTL),
	}
}

func answer(c state.Challenge) state.Answer {
	return state.Answer{Nonce: c.Nonce, Subject: c.Subject, Purpose: c.Purpose, Domain: c.Domain}
}

func testChallenge(t *testing.T, db *state.DB) {
	c := challenge(t, db)
	must(t, db.PutChallenge(t.Context(), c, Start))
	for name, edit := range map[string]func(*state.Answer){
		"unknown":       func(a *state.Answer) { a.Nonce = "no-such" },
		"other subject": func(a *state.Answer) { a.Subject = "did:key:zB" },
		"other purpose": func(a *state.Answer) { a.Purpose = state.Recovery },
		"other domain":  func(a *state.Answer) { a.Domain = "mesh.example.net" },
	} {
		a := answer(c)
		edit(&a)
		if _, err := db.TakeChallenge(t.Context(), a, Start); reason.Of(err) != reason.NonceInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := db.TakeChallenge(t.Context(), answer(c), c.ExpiresAt)
	refused(t, err, reason.NonceInvalid)
	got, err := db.TakeChallenge(t.Context(), answer(c), c.ExpiresAt.Add(-time.Millisecond))
	must(t, err)
	if got != c {
		t.Fatalf("got %+v, want %+v", got, c)
	}
	_, err = db.TakeChallenge(t.Context(), answer(c), Start)
	refused(t, err, reason.NonceInvalid)

	for _, end := range []time.Duration{0, state.ChallengeTTL + time.Millisecond} {
		c := challenge(t, db)
		c.ExpiresAt = Start.Add(end)
		if db.PutChallenge(t.Context(), c, Start) == nil {
			t.Errorf("a challenge of %v was stored", end)
		}
	}
}

func testChallengeRace(t *testing.T, db *state.DB) {
	c := challenge(t, db)
	must(t, db.PutChallenge(t.Context(), c, Start))
	codes := race(16, func(int) error {
		_, err := db.TakeChallenge(t.Context(), answer(c), Start)
		return err
	})
	if codes[""] != 1 || codes[reason.NonceInvalid] != 15 {
		t.Fatalf("codes %v", codes)
	}
}

func request(body string) state.Request {
	return state.Request{Principal: "agt_a", Method: "POST", Path: "/api/mesh/contribute", Key: "k-1", BodyHash: sha256.Sum256([]byte(body))}
}

func testReply(t *testing.T, db *state.DB) {
	for _, secret := range []bool{false, true} {
		req := request("body")
		req.Key = fmt.Sprint(secret)
		run, reply, err := db.Begin(t.Context(), req, Start)
		must(t, err)
		if run == nil || reply != nil {
			t.Fatalf("first begin: run %v, reply %v", run, reply)
		}
		want := state.Reply{Status: 201, Header: http.Header{"Location": {"/x"}}, Body: []byte(`{"api_key":"clear text"}`), Secret: secret}
		must(t, db.Finish(t.Context(), run, want, Start))
		if db.Finish(t.Context(), run, state.Reply{Status: 500}, Start) == nil {
			t.Error("a request was finished twice")
		}
		must(t, db.Abort(t.Context(), run)) // too late: nothing happens

		kept := 24 * time.Hour
		if secret {
			kept = 10 * time.Minute
		}
		for range 2 {
			run, reply, err = db.Begin(t.Context(), req, Start.Add(kept-time.Millisecond))
			must(t, err)
			if run != nil || reply == nil || !reflect.DeepEqual(*reply, want) {
				t.Fatalf("repeat: run %v, reply %+v", run, reply)
			}
		}
		other := req
		other.BodyHash[0]++
		_, _, err = db.Begin(t.Context(), other, Start)
		refused(t, err, reason.IdempotencyMismatch)
		for name, edit := range map[string]func(*state.Request){
			"principal": func(r *state.Request) { r.Principal = "agt_b" },
			"method":    func(r *state.Request) { r.Method = "PUT" },
			"path":      func(r *state.Request) { r.Path += "/x" },
			"key":       func(r *state.Request) { r.Key += "x" },
		} {
			elsewhere := req
			edit(&elsewhere)
			run, _, err := db.Begin(t.Context(), elsewhere, Start)
			must(t, err)
			if run == nil {
				t.Errorf("the reply was found under another %s", name)
			}
		}
		run, _, err = db.Begin(t.Context(), other, Start.Add(kept))
		must(t, err)
		if run == nil {
			t.Fatal("the reply outlived its memory")
		}
	}
	run, _, err := db.Begin(t.Context(), request("empty"), Start)
	must(t, err)
	must(t, db.Finish(t.Context(), run, state.Reply{Status: 204}, Start))
	_, reply, err := db.Begin(t.Context(), request("empty"), Start)
	must(t, err)
	if reply.Status != 204 || len(reply.Body) != 0 {
		t.Fatalf("empty reply %+v", reply)
	}
}

func testRunLease(t *testing.T, db *state.DB) {
	first, _, err := db.Begin(t.Context(), request("a"), Start)
	must(t, err)
	_, _, err = db.Begin(t.Context(), request("a"), Start.Add(149*time.Second))
	refused(t, err, reason.IdempotencyInProgress)
	_, _, err = db.Begin(t.Context(), request("b"), Start)
	refused(t, err, reason.IdempotencyMismatch)

	second, _, err := db.Begin(t.Context(), request("a"), Start.Add(150*time.Second))
	must(t, err)
	if second == nil {
		t.Fatal("a lapsed run still blocks")
	}
	if db.Finish(t.Context(), first, state.Reply{Status: 200}, Start) == nil {
		t.Error("the lapsed run overwrote its successor")
	}
	must(t, db.Abort(t.Context(), first)) // must not take the second's place away
	_, _, err = db.Begin(t.Context(), request("a"), Start.Add(150*time.Second))
	refused(t, err, reason.IdempotencyInProgress)
	must(t, db.Abort(t.Context(), second))
	third, _, err := db.Begin(t.Context(), request("b"), Start.Add(150*time.Second))
	must(t, err)
	if third == nil {
		t.Fatal("an aborted run still blocks")
	}
}

func testBeginRace(t *testing.T, db *state.DB) {
	codes := race(16, func(int) error {
		_, _, err := db.Begin(t.Context(), request("a"), Start)
		return err
	})
	if codes[""] != 1 || codes[reason.IdempotencyInProgress] != 15 {
		t.Fatalf("codes %v", codes)
	}
}

func testRequestRules(t *testing.T, db *state.DB) {
	for name, c := range map[string]struct {
		key  string
		want reason.Code
	}{
		"longest":      {strings.Repeat("~", 128), ""},
		"shortest":     {"!", ""},
		"empty":        {"", reason.InvalidParam},
		"too long":     {strings.Repeat("~", 129), reason.InvalidParam},
		"space":        {"a b", reason.InvalidParam},
		"control":      {"a\x7f", reason.InvalidParam},
		"letter above": {"ä", reason.InvalidParam},
	} {
		req := request(name)
		req.Key = c.key
		if _, _, err := db.Begin(t.Context(), req, Start); reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	long := request("long")
	long.Path = strings.Repeat("p", 2048)
	_, _, err := db.Begin(t.Context(), long, Start)
	refused(t, err, reason.InvalidParam)

	run, _, err := db.Begin(t.Context(), request("big"), Start)
	must(t, err)
	for name, reply := range map[string]state.Reply{
		"body":   {Status: 200, Body: bytes.Repeat([]byte("x"), 1<<20+1)},
		"header": {Status: 200, Header: http.Header{"X": {strings.Repeat("x", 8<<10)}}},
	} {
		if db.Finish(t.Context(), run, reply, Start) == nil {
			t.Errorf("a reply with too large a %s was stored", name)
		}
	}
}

func testAudit(t *testing.T, db *state.DB) {
	var want []state.AuditEntry
	for i := range 5 {
		e := state.AuditEntry{
			// The clock stands still, then steps back: order is that of appending.
			At: Start.Add(-time.Duration(i/3) * time.Second), Actor: fmt.Sprintf("agt_%d", i%2),
			Action: "key.recovered", Object: fmt.Sprint(i), Detail: map[string]any{"n": float64(i)},
		}
		id, err := db.AppendAudit(t.Context(), e)
		must(t, err)
		e.ID = id
		want = append([]state.AuditEntry{e}, want...)
	}
	list := func(actor string) []state.AuditEntry {
		var all []state.AuditEntry
		before := ""
		for {
			page, err := db.Audit(t.Context(), actor, before, 2)
			must(t, err)
			if len(page) == 0 {
				return all
			}
			all = append(all, page...)
			before = page[len(page)-1].ID
		}
	}
	if got := list(""); !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v\nwant %+v", got, want)
	}
	if got := list("agt_1"); !reflect.DeepEqual(got, []state.AuditEntry{want[1], want[3]}) {
		t.Fatalf("of one actor: %+v", got)
	}
	for name, e := range map[string]state.AuditEntry{
		"long action":  {Action: strings.Repeat("x", 257)},
		"large detail": {Detail: map[string]any{"x": strings.Repeat("x", 4<<10)}},
	} {
		if _, err := db.AppendAudit(t.Context(), e); err == nil {
			t.Errorf("%s was stored", name)
		}
	}
}

func testSweep(t *testing.T, db *state.DB) {
	a := Home(t, db, "Ada")
	taken, left := challenge(t, db), challenge(t, db)
	recovery := challenge(t, db)
	recovery.Purpose, recovery.ActingKey = state.Recovery, ""
	for _, c := range []state.Challenge{taken, left, recovery} {
		must(t, db.PutChallenge(t.Context(), c, Start))
	}
	_, err := db.TakeChallenge(t.Context(), answer(taken), Start)
	must(t, err)
	k, _ := newKey(t, db, a.ID)
	newKey(t, db, a.ID)
	must(t, last(db.RevokeKey(t.Context(), a.ID, k.ID, Start)))
	_, _, err = db.Begin(t.Context(), request("a"), Start)
	must(t, err)
	_, err = db.AppendAudit(t.Context(), state.AuditEntry{At: Start})
	must(t, err)
	must(t, db.ClaimName(t.Context(), agent("Bob"), Start))

	day := 24 * time.Hour
	for _, c := range []struct {
		after time.Duration
		keys  []string
		rows  int
	}{
		{0, nil, 0},
		{150 * time.Second, nil, 1}, // the lapsed run
		{300 * time.Second, []string{left.ActingKey}, 2},
		{30*day - time.Millisecond, nil, 0},
		{30 * day, nil, 1}, // the revoked key
		{400*day - time.Millisecond, nil, 0},
		{400 * day, nil, 4}, // the audit entry, and those of two keys made and one revoked
		{4000 * day, nil, 0},
	} {
		got, err := db.Sweep(t.Context(), Start.Add(c.after))
		must(t, err)
		if !reflect.DeepEqual(got, state.Swept{ActingKeys: c.keys, Rows: c.rows}) {
			t.Errorf("after %v: %+v", c.after, got)
		}
	}
	if keys, err := db.KeysOf(t.Context(), a.ID); err != nil || len(keys) != 1 {
		t.Errorf("keys left %+v, %v", keys, err)
	}
	if claims, err := db.Claims(t.Context()); err != nil || len(claims) != 1 {
		t.Errorf("claims left %+v, %v", claims, err)
	}
}
