package state_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/state"
)

// ledgered is a database with some transfers in it.
func ledgered(t *testing.T) (*state.DB, string) {
	t.Helper()
	db, path := openTemp(t)
	for _, key := range []string{"a", "b", "c"} {
		_, _, err := db.Post(t.Context(), state.Transfer{Op: state.OpGrant, Key: key, Postings: []state.Posting{
			{Account: state.Grants, Amount: -5}, {Account: state.AgentAccount("agt_" + key), Amount: 5},
		}}, time.UnixMilli(1_800_000_000_000))
		if err != nil {
			t.Fatal(err)
		}
	}
	return db, path
}

// The ledger is added up: a posting that was changed, removed or made below the
// program is found.
func TestVerifyAddsTheLedgerUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ stmt, want string }{
		{`UPDATE postings SET amount = 6 WHERE account = 'agent:agt_a'`, "add up to 1, not to nothing"},
		{`DELETE FROM postings WHERE transfer IN (SELECT id FROM transfers WHERE key = 'b')`, "has no postings"},
		{`UPDATE postings SET amount = -amount WHERE transfer IN (SELECT id FROM transfers WHERE key = 'c')`, "the account agent:agt_c holds -"},
	} {
		db, _ := ledgered(t)
		if got, err := db.Verify(t.Context(), true); err != nil || len(got) > 0 {
			t.Fatalf("a sound database: %q, %v", got, err)
		}
		if err := state.Write(db, t.Context(), "tamper", func(tx *sql.Tx) error {
			_, err := tx.ExecContext(context.Background(), c.stmt)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if got, err := db.Verify(t.Context(), false); err != nil || len(got) == 0 || !strings.Contains(got[0], c.want) {
			t.Errorf("%s: %q, %v; want %q", c.stmt, got, err, c.want)
		}
	}
}

// Every page of the file that is lost is found, and a copy is whole while the
// database is written to.
func TestVerifyFindsLostPages(t *testing.T) {
	t.Parallel()
	db, _ := ledgered(t)
	whole := filepath.Join(t.TempDir(), "copy.db")
	if err := db.CopyTo(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	if got, err := state.CheckFile(t.Context(), whole); err != nil || len(got) > 0 {
		t.Fatalf("the copy: %q, %v", got, err)
	}
	b, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	if len(b)%page != 0 || len(b) < 10*page {
		t.Fatalf("%d bytes", len(b))
	}
	for i := 0; i < len(b); i += page {
		bad := append([]byte(nil), b...)
		clear(bad[i : i+page])
		path := filepath.Join(t.TempDir(), "bad.db")
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := state.CheckFile(t.Context(), path); len(got) == 0 && !errors.Is(err, state.ErrDamaged) {
			t.Errorf("page %d of %d: %q, %v", i/page, len(b)/page, got, err)
		}
	}
}
