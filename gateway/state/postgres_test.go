package state_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/state/pgtest"
	"github.com/meshd/meshd/gateway/state/statetest"
)

var postgres pgtest.Server

func TestMain(m *testing.M) {
	code := m.Run()
	postgres.Stop()
	os.Exit(code)
}

// openPostgres opens a database as the gateway home, until the test ends.
func openPostgres(t testing.TB, dsn, home string) *state.DB {
	t.Helper()
	db, err := state.OpenPostgres(t.Context(), dsn, state.Config{Pepper: pepper, Random: rand.Reader, Home: home})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return db
}

func openPostgresTemp(t testing.TB) *state.DB {
	t.Helper()
	return openPostgres(t, postgres.Database(t), "")
}

func TestPostgres(t *testing.T) { statetest.Suite(t, openPostgresTemp) }

func TestPostgresKeepsUsedTokens(t *testing.T) { statetest.ReplaySuite(t, openPostgresTemp) }

// TestGatewaysShareOneDatabase drives two gateways over one database.
func TestGatewaysShareOneDatabase(t *testing.T) {
	dsn := postgres.Database(t)
	a, b := openPostgres(t, dsn, "a"), openPostgres(t, dsn, "b")
	ctx, now := t.Context(), statetest.Start

	ada := statetest.Home(t, a, "Ada")
	key, secret, err := a.CreateKey(ctx, state.NewKey{AgentID: ada.ID, Scopes: state.RegistrationScopes()}, now)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := b.KeyBySecret(ctx, secret, now); err != nil || got.AgentID != ada.ID {
		t.Fatalf("key at the other gateway: %+v, %v", got, err)
	}
	if _, err := b.RevokeKey(ctx, ada.ID, key.ID, now); err != nil {
		t.Fatal(err)
	}
	if _, err := a.KeyBySecret(ctx, secret, now); reason.Of(err) != reason.KeyRevoked {
		t.Fatalf("a key that the other gateway revoked: %v", err)
	}

	req := state.Request{Principal: ada.ID, Method: "POST", Path: "/x", Key: "k"}
	run, _, err := a.Begin(ctx, req, now)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Begin(ctx, req, now); reason.Of(err) != reason.IdempotencyInProgress {
		t.Fatalf("a request that runs at the other gateway: %v", err)
	}
	// A gateway that starts must not end what runs at another.
	c := openPostgres(t, dsn, "c")
	if _, _, err := c.Begin(ctx, req, now); reason.Of(err) != reason.IdempotencyInProgress {
		t.Fatalf("after the start of a third gateway: %v", err)
	}
	if err := a.Finish(ctx, run, state.Reply{Status: 201, Body: []byte("done")}, now); err != nil {
		t.Fatal(err)
	}
	if _, reply, err := b.Begin(ctx, req, now); err != nil || reply == nil || string(reply.Body) != "done" {
		t.Fatalf("reply at the other gateway: %+v, %v", reply, err)
	}
	req.BodyHash[0] = 1
	if _, _, err := b.Begin(ctx, req, now); reason.Of(err) != reason.IdempotencyMismatch {
		t.Fatalf("another body at the other gateway: %v", err)
	}

	if err := a.UseToken(ctx, "token", now.Add(time.Hour), now); err != nil {
		t.Fatal(err)
	}
	if err := b.UseToken(ctx, "token", now.Add(time.Hour), now); reason.Of(err) != reason.TokenReplayed {
		t.Fatalf("a token used at the other gateway: %v", err)
	}
}

func TestChallengesOfSharedDatabase(t *testing.T) {
	dsn := postgres.Database(t)
	a, b := openPostgres(t, dsn, "a"), openPostgres(t, dsn, "b")
	ctx, now := t.Context(), statetest.Start
	put := func(nonce, actingKey string) state.Answer {
		t.Helper()
		c := state.Challenge{Nonce: nonce, Subject: "s", Purpose: state.Recovery, ActingKey: actingKey, ExpiresAt: now.Add(time.Minute)}
		if err := a.PutChallenge(ctx, c, now); err != nil {
			t.Fatal(err)
		}
		return state.Answer{Nonce: nonce, Subject: "s", Purpose: state.Recovery}
	}
	free := put("free", "")
	if _, err := b.TakeChallenge(ctx, free, now); err != nil {
		t.Fatalf("a nonce given out by the other gateway: %v", err)
	}
	if _, err := a.TakeChallenge(ctx, free, now); reason.Of(err) != reason.NonceInvalid {
		t.Fatalf("a nonce taken at the other gateway: %v", err)
	}
	bound := put("bound", "acting")
	if _, err := b.TakeChallenge(ctx, bound, now); reason.Of(err) != reason.NonceInvalid {
		t.Fatalf("a nonce whose key lies at the other gateway: %v", err)
	}
	if _, err := a.TakeChallenge(ctx, bound, now); err != nil {
		t.Fatalf("the same at its own gateway: %v", err)
	}
	put("left", "orphan")
	if swept, err := b.Sweep(ctx, now.Add(time.Hour)); err != nil || swept.Rows != 0 {
		t.Fatalf("the other gateway swept %+v, %v", swept, err)
	}
	if swept, err := a.Sweep(ctx, now.Add(time.Hour)); err != nil || len(swept.ActingKeys) != 1 {
		t.Fatalf("its own gateway swept %+v, %v", swept, err)
	}
	put("dead", "lost")
	if swept, err := b.Sweep(ctx, now.Add(25*time.Hour)); err != nil || swept.Rows != 1 || len(swept.ActingKeys) != 0 {
		t.Fatalf("of a gateway that is gone: %+v, %v", swept, err)
	}
}

func TestClaimsOfSharedDatabase(t *testing.T) {
	dsn := postgres.Database(t)
	a, b := openPostgres(t, dsn, "a"), openPostgres(t, dsn, "b")
	if err := a.ClaimName(t.Context(), state.Agent{ID: "agt_x", Name: "x", Custody: state.CustodyGateway}, statetest.Start); err != nil {
		t.Fatal(err)
	}
	if claims, err := b.Claims(t.Context()); err != nil || len(claims) != 0 {
		t.Fatalf("the other gateway would settle %v, %v", claims, err)
	}
	if claims, err := a.Claims(t.Context()); err != nil || len(claims) != 1 {
		t.Fatalf("its own claims: %v, %v", claims, err)
	}
}

// TestOneWriterAtATime reads, counts and writes at three gateways at once: a
// count is lost unless their transactions take turns.
func TestOneWriterAtATime(t *testing.T) {
	dsn := postgres.Database(t)
	gateways := []*state.DB{openPostgres(t, dsn, "a"), openPostgres(t, dsn, "b"), openPostgres(t, dsn, "c")}
	const rounds = 60
	count := func(tx *sql.Tx) error {
		var n []byte
		err := tx.QueryRowContext(t.Context(), `SELECT COALESCE((SELECT value FROM settings WHERE name = 'count'), '')`).Scan(&n)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(t.Context(), `INSERT INTO settings (name, value) VALUES ('count', $1)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`, append(n, 'x'))
		return err
	}
	var wg sync.WaitGroup
	for i := range rounds {
		wg.Go(func() {
			if err := state.Write(gateways[i%len(gateways)], t.Context(), "count", count); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	var n []byte
	if err := state.Write(gateways[0], t.Context(), "read", func(tx *sql.Tx) error {
		return tx.QueryRowContext(t.Context(), `SELECT value FROM settings WHERE name = 'count'`).Scan(&n)
	}); err != nil || len(n) != rounds {
		t.Errorf("%d of %d counts, %v", len(n), rounds, err)
	}
}

func TestMigrationsTakeTurns(t *testing.T) {
	dsn := postgres.Database(t)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			db, err := state.OpenPostgres(t.Context(), dsn, state.Config{Pepper: pepper, Random: rand.Reader, Home: fmt.Sprint(i)})
			if err != nil {
				t.Errorf("start %d: %v", i, err)
				return
			}
			if err := db.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestPostgresRefusesToOpen(t *testing.T) {
	dsn := postgres.Database(t)
	openPostgres(t, dsn, "")
	other := state.Config{Pepper: []byte(strings.Repeat("x", 32)), Random: rand.Reader}
	if _, err := state.OpenPostgres(t.Context(), dsn, other); !errors.Is(err, state.ErrPepper) {
		t.Errorf("another pepper: %v", err)
	}
	good := state.Config{Pepper: pepper, Random: rand.Reader}
	if _, err := state.OpenPostgres(t.Context(), "postgres:///x?host=/nowhere&user=meshd", good); !errors.Is(err, state.ErrUnreachable) {
		t.Errorf("no server: %v", err)
	}
	_, err := state.OpenPostgres(t.Context(), "postgres://ada:s3cret@host:port/x", good)
	if err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("a broken connection string: %v", err)
	}
}

// TestLostConnectionIsReportedAndRecovers needs a server of its own to crash.
func TestLostConnectionIsReportedAndRecovers(t *testing.T) {
	var own pgtest.Server
	t.Cleanup(own.Stop)
	db := openPostgres(t, own.Database(t), "")
	statetest.Home(t, db, "Ada")
	restart := own.Interrupt(t)
	for range 2 { // first on connections that were open, then on new ones
		if _, err := db.AgentByName(t.Context(), "ada"); !errors.Is(err, state.ErrUnreachable) {
			t.Errorf("read without a server: %v", err)
		}
		if err := db.ConfirmAgent(t.Context(), "agt_ada"); !errors.Is(err, state.ErrUnreachable) {
			t.Errorf("write without a server: %v", err)
		}
		if err := db.Ping(t.Context()); !errors.Is(err, state.ErrUnreachable) {
			t.Errorf("ping without a server: %v", err)
		}
	}
	restart()
	if _, err := db.AgentByName(t.Context(), "ada"); err != nil {
		t.Errorf("read after the return of the server: %v", err)
	}
	if err := db.ConfirmAgent(t.Context(), "agt_ada"); err != nil {
		t.Errorf("write after the return of the server: %v", err)
	}
}
