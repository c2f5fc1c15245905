package state_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/state/statetest"
)

var pepper = bytes.Repeat([]byte{7}, 32)

func open(t testing.TB, path string) *state.DB {
	t.Helper()
	db, err := state.Open(t.Context(), path, state.Config{Pepper: pepper, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func openTemp(t testing.TB) (*state.DB, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state.db")
	db := open(t, path)
	t.Cleanup(func() {
		// The test's own context has ended by now.
		if err := db.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return db, path
}

func TestSQLite(t *testing.T) {
	t.Parallel()
	statetest.Suite(t, func(t testing.TB) *state.DB {
		db, _ := openTemp(t)
		return db
	})
}

func TestReopenKeepsStateAndReleasesRuns(t *testing.T) {
	t.Parallel()
	// A path that would mean something else in a URI.
	path := filepath.Join(t.TempDir(), "a ?b#c%20.db")
	db := open(t, path)
	a := statetest.Home(t, db, "Ada")
	k, secret, err := db.CreateKey(t.Context(), state.NewKey{AgentID: a.ID, Scopes: state.RegistrationScopes()}, statetest.Start)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.KeyBySecret(t.Context(), secret, statetest.Start); err != nil {
		t.Fatal(err)
	}
	done, running := state.Request{Key: "done"}, state.Request{Key: "running"}
	run, _, err := db.Begin(t.Context(), done, statetest.Start)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Finish(t.Context(), run, state.Reply{Status: 201}, statetest.Start); err != nil {
		t.Fatal(err)
	}
	if _, _, err := db.Begin(t.Context(), running, statetest.Start); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("database lies elsewhere: %v", err)
	}

	db = open(t, path)
	defer db.Close(t.Context())
	keys, err := db.KeysOf(t.Context(), a.ID)
	if err != nil || len(keys) != 1 || keys[0].ID != k.ID || !keys[0].LastUsedAt.Equal(statetest.Start) {
		t.Fatalf("keys %+v, %v", keys, err)
	}
	if _, reply, err := db.Begin(t.Context(), done, statetest.Start); err != nil || reply == nil || reply.Status != 201 {
		t.Fatalf("reply %+v, %v", reply, err)
	}
	if run, _, err := db.Begin(t.Context(), running, statetest.Start); err != nil || run == nil {
		t.Fatalf("interrupted request: %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := filepath.Join(dir, "good.db")
	if err := open(t, good).Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	newer := filepath.Join(dir, "newer.db")
	if err := open(t, newer).Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	exec(t, newer, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)`)
	broken := filepath.Join(dir, "broken.db")
	if err := os.WriteFile(broken, bytes.Repeat([]byte("not a database"), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	config := state.Config{Pepper: pepper, Random: rand.Reader}
	cases := map[string]struct {
		path string
		cfg  state.Config
		want error
	}{
		"other pepper": {good, state.Config{Pepper: bytes.Repeat([]byte{8}, 32), Random: rand.Reader}, state.ErrPepper},
		"short pepper": {good, state.Config{Pepper: pepper[1:], Random: rand.Reader}, nil},
		"no random":    {good, state.Config{Pepper: pepper}, nil},
		"newer schema": {newer, config, state.ErrNewer},
		"not a file":   {dir, config, nil},
		"broken file":  {broken, config, nil},
	}
	for name, c := range cases {
		db, err := state.Open(t.Context(), c.path, c.cfg)
		if err == nil {
			t.Errorf("%s: opened", name)
			db.Close(t.Context())
		}
		if c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if err := open(t, good).Close(t.Context()); err != nil {
		t.Errorf("after the refusals: %v", err)
	}
}

func TestFileIsPrivateAndHoldsNoSecret(t *testing.T) {
	t.Parallel()
	db, path := openTemp(t)
	a := statetest.Home(t, db, "Ada")
	_, secret, err := db.CreateKey(t.Context(), state.NewKey{AgentID: a.ID, Scopes: state.RegistrationScopes()}, statetest.Start)
	if err != nil {
		t.Fatal(err)
	}
	run, _, err := db.Begin(t.Context(), state.Request{Key: "k"}, statetest.Start)
	if err != nil {
		t.Fatal(err)
	}
	body := []byte(`{"api_key":"` + secret.Reveal() + `"}`)
	if err := db.Finish(t.Context(), run, state.Reply{Status: 201, Body: body, Secret: true}, statetest.Start); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(path + "*")
	if err != nil || len(files) < 2 {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %o", filepath.Base(f), mode)
		}
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(raw, []byte(secret.Reveal()[16:])) || bytes.Contains(raw, pepper) {
			t.Errorf("%s holds a secret", filepath.Base(f))
		}
	}
}

func TestSealedReplyOpensInItsRowOnly(t *testing.T) {
	t.Parallel()
	db, path := openTemp(t)
	first, second := state.Request{Key: "first"}, state.Request{Key: "second"}
	for _, req := range []state.Request{first, second} {
		run, _, err := db.Begin(t.Context(), req, statetest.Start)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Finish(t.Context(), run, state.Reply{Status: 201, Body: []byte(req.Key), Secret: true}, statetest.Start); err != nil {
			t.Fatal(err)
		}
	}
	for _, stmt := range []string{
		`UPDATE idempotency SET body = (SELECT body FROM idempotency WHERE key = 'second') WHERE key = 'first'`,
		`UPDATE idempotency SET body = x'00' WHERE key = 'first'`,
	} {
		exec(t, path, stmt)
		if _, reply, err := db.Begin(t.Context(), first, statetest.Start); err == nil {
			t.Errorf("a foreign body was opened: %q", reply.Body)
		}
	}
	if _, reply, err := db.Begin(t.Context(), second, statetest.Start); err != nil || string(reply.Body) != "second" {
		t.Errorf("reply %+v, %v", reply, err)
	}
}

func TestChallengesAreBounded(t *testing.T) {
	t.Parallel()
	db, path := openTemp(t)
	exec(t, path, fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 10000)
		INSERT INTO challenges (nonce, subject, purpose, acting_key, text, expires_at)
		SELECT 'n' || i, '', 'recovery', '', '', %d FROM n`, statetest.Start.UnixMilli()+1))
	c := state.Challenge{Nonce: "x", Purpose: state.Recovery, ExpiresAt: statetest.Start.Add(state.ChallengeTTL)}
	if err := db.PutChallenge(t.Context(), c, statetest.Start); reason.Of(err) != reason.Overloaded {
		t.Fatalf("one too many: %v", err)
	}
	later := statetest.Start.Add(1e6)
	if err := db.PutChallenge(t.Context(), c, later); err != nil {
		t.Fatalf("when the others have expired: %v", err)
	}
	// More than one batch.
	if got, err := db.Sweep(t.Context(), later); err != nil || got.Rows != 10_000 {
		t.Fatalf("swept %+v, %v", got, err)
	}
}

func TestSecretNeverPrints(t *testing.T) {
	t.Parallel()
	text := state.NewSecret([state.RandomSize]byte{}).Reveal()
	s, err := state.ParseSecret(text)
	if err != nil || s.Reveal() != text {
		t.Fatalf("parse: %v", err)
	}
	if got := fmt.Sprint(s); got != "mesh_sk_[redacted]" {
		t.Errorf("printed as %q", got)
	}
	wrapped := struct {
		hidden state.Secret
		Shown  state.Secret
	}{s, s}
	var out strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%t", "%!"} {
		fmt.Fprintf(&out, verb+verb, s, wrapped)
	}
	fmt.Fprint(&out, []any{s, &s, wrapped})
	if err := json.NewEncoder(&out).Encode(wrapped); err != nil {
		t.Fatal(err)
	}
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "secret", s, "wrapped", wrapped)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "secret", s, "wrapped", wrapped)
	if strings.Contains(out.String(), "AAAA") || strings.Contains(out.String(), "41414141") {
		t.Fatalf("printed: %s", out.String())
	}
}

func TestParseSecret(t *testing.T) {
	t.Parallel()
	var random [state.RandomSize]byte
	for i := range random {
		random[i] = byte(255 - i)
	}
	key := state.NewSecret(random).Reveal()
	// The one published example: any program can check a key without the node.
	const example = "mesh_sk___79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5BMMSPw"
	if key != example {
		t.Fatalf("key %s, want %s", key, example)
	}
	for text, want := range map[string]reason.Code{
		key:                        "",
		key[:50] + "x":             reason.InvalidToken, // other bits behind the last byte
		key[:50] + "\n":            reason.InvalidToken,
		key[:50] + "=":             reason.InvalidToken,
		key[:50] + "+":             reason.InvalidToken,
		key[:50]:                   reason.InvalidToken,
		key + "A":                  reason.InvalidToken,
		"MESH_SK_" + key[8:]:       reason.InvalidToken,
		"mesh_pk_" + key[8:]:       reason.InvalidToken,
		"mesh_sk_" + key[9:] + "A": reason.InvalidToken,
		"":                         reason.InvalidToken,
	} {
		if _, err := state.ParseSecret(text); reason.Of(err) != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	// Every slip of one character and every swap of neighbours is found here.
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for i := len(state.SecretPrefix); i < len(key); i++ {
		for _, c := range letters {
			slip := key[:i] + string(c) + key[i+1:]
			if _, err := state.ParseSecret(slip); slip != key && err == nil {
				t.Errorf("%q passes for %q", slip, key)
			}
		}
		if swap := key[:i-1] + key[i:i+1] + key[i-1:i] + key[i+1:]; swap != key {
			if _, err := state.ParseSecret(swap); err == nil {
				t.Errorf("%q passes for %q", swap, key)
			}
		}
	}
}

func TestDecoyBelongsToItsSubjectAndPepper(t *testing.T) {
	t.Parallel()
	db, _ := openTemp(t)
	one, again, other := db.Decoy("did:key:zA"), db.Decoy("did:key:zA"), db.Decoy("did:key:zB")
	if one != again || one == other || one == [32]byte{} {
		t.Errorf("decoys %x %x %x", one, again, other)
	}
}

func TestParseScopes(t *testing.T) {
	t.Parallel()
	cases := []struct {
		in   string
		want string
		code reason.Code
	}{
		{"mesh:write mesh:read mesh:write", "mesh:read mesh:write", ""},
		{"* keys", "keys *", ""},
		{"", "", reason.InvalidParam},
		{"mesh:read root", "", reason.InvalidParam},
		{"MESH:READ", "", reason.InvalidParam},
	}
	for _, c := range cases {
		got, err := state.ParseScopes(strings.Fields(c.in))
		if strings.Join(got.Strings(), " ") != c.want || reason.Of(err) != c.code {
			t.Errorf("%q: %v, %v", c.in, got, err)
		}
	}
	all, some := state.Scopes{state.ScopeAll}, state.RegistrationScopes()
	if !all.Covers(some) || !all.Covers(all) || some.Covers(all) || !some.Covers(some[2:]) || some[2:].Covers(some) || !some.Covers(nil) {
		t.Error("covering is wrong")
	}
	if strings.Join(some.Strings(), " ") != "mesh:read mesh:write team bounty studio absorb pay keys" {
		t.Errorf("registration scopes %v", some)
	}
}

func FuzzParseSecret(f *testing.F) {
	for _, s := range []string{"", "mesh_sk_", state.NewSecret([state.RandomSize]byte{}).Reveal(), state.SecretPrefix + strings.Repeat("A", 43), state.SecretPrefix + strings.Repeat("A", 42) + "B",
		state.SecretPrefix + strings.Repeat("A", 41) + "\r\n", strings.Repeat("A", state.SecretLen)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := state.ParseSecret(text)
		if err != nil {
			if reason.Of(err) != reason.InvalidToken || len(text) > 8 && strings.Contains(err.Error(), text) {
				t.Fatalf("refusal of %q: %v", text, err)
			}
			return
		}
		if s.Reveal() != text || len(text) != state.SecretLen || strings.ContainsAny(text, "\r\n") {
			t.Fatalf("%q was read as %q", text, s.Reveal())
		}
	})
}

func BenchmarkKeyBySecret(b *testing.B) {
	db, _ := openTemp(b)
	a := statetest.Home(b, db, "Ada")
	_, s, err := db.CreateKey(b.Context(), state.NewKey{AgentID: a.ID, Scopes: state.RegistrationScopes()}, statetest.Start)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := db.KeyBySecret(b.Context(), s, statetest.Start); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBeginFinish(b *testing.B) {
	db, _ := openTemp(b)
	for i := 0; b.Loop(); i++ {
		run, _, err := db.Begin(b.Context(), state.Request{Key: fmt.Sprint(i)}, statetest.Start)
		if err != nil {
			b.Fatal(err)
		}
		if err := db.Finish(b.Context(), run, state.Reply{Status: 201, Body: make([]byte, 500)}, statetest.Start); err != nil {
			b.Fatal(err)
		}
	}
}

// exec runs a statement beside the package, as a test's own hand in the file.
func exec(t testing.TB, path, stmt string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), stmt); err != nil {
		t.Fatal(err)
	}
}

func TestEarlierMigrationMayComeLater(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	if err := open(t, path).Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	exec(t, path, `DROP TABLE used_tokens`)
	exec(t, path, `DELETE FROM goose_db_version WHERE version_id = 3`)
	db := open(t, path)
	defer db.Close(t.Context())
	if err := db.UseToken(t.Context(), "token", statetest.Start.Add(time.Hour), statetest.Start); err != nil {
		t.Error(err)
	}
}
