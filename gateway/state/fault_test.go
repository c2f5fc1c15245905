package state

import (
	"bytes"
	"crypto/rand"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// openFaulty opens a database and runs a pragma on its one writing connection.
func openFaulty(t *testing.T, pragma string) (*DB, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state.db")
	db, err := Open(t.Context(), path, Config{Pepper: bytes.Repeat([]byte{7}, pepperSize), Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.engine.close() })
	if _, err := db.engine.writer.ExecContext(t.Context(), pragma); err != nil {
		t.Fatal(err)
	}
	return db, path
}

func TestLockedDatabaseIsBusy(t *testing.T) {
	t.Parallel()
	db, path := openFaulty(t, `PRAGMA busy_timeout = 1`)
	other, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	conn, err := other.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), `BEGIN IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	audit := func() error {
		_, err := db.AppendAudit(t.Context(), AuditEntry{At: time.UnixMilli(1)})
		return err
	}
	if err := audit(); !errors.Is(err, ErrBusy) {
		t.Fatalf("statement beside a writer: %v", err)
	}
	if err := db.ConfirmAgent(t.Context(), "agt_a"); !errors.Is(err, ErrBusy) {
		t.Fatalf("transaction beside a writer: %v", err)
	}
	if _, err := db.Agents(t.Context(), "", 1); err != nil {
		t.Fatalf("read beside a writer: %v", err)
	}
	if _, err := conn.ExecContext(t.Context(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	if err := audit(); err != nil {
		t.Fatalf("after the writer: %v", err)
	}
}

func TestFullDatabaseIsRecognised(t *testing.T) {
	t.Parallel()
	db, _ := openFaulty(t, `PRAGMA max_page_count = 1`) // that is: no page more than now
	detail := map[string]any{"x": strings.Repeat("x", 4000)}
	var err error
	for i := 0; err == nil && i < 100; i++ {
		_, err = db.AppendAudit(t.Context(), AuditEntry{At: time.UnixMilli(1), Detail: detail})
	}
	if !errors.Is(err, ErrFull) {
		t.Fatalf("write to a full database: %v", err)
	}
	if _, err := db.Audit(t.Context(), "", "", 1); err != nil {
		t.Fatalf("read from a full database: %v", err)
	}
}

func TestPendingUsesAreBounded(t *testing.T) {
	t.Parallel()
	var u useLog
	for i := range maxPending + 10 {
		u.note(time.UnixMilli(int64(i)).String(), time.UnixMilli(1))
	}
	known := time.UnixMilli(0).String()
	u.note(known, time.UnixMilli(2))
	if len(u.pending) != maxPending || !u.of(known).Equal(time.UnixMilli(2)) {
		t.Fatalf("%d pending uses, the known one at %v", len(u.pending), u.of(known))
	}
}

func TestFailedFlushKeepsUses(t *testing.T) {
	t.Parallel()
	db, _ := openFaulty(t, `PRAGMA query_only = 1`)
	db.uses.note("key_a", time.UnixMilli(1))
	if db.flushUses(t.Context()) == nil {
		t.Fatal("a read-only database was written")
	}
	if !db.uses.of("key_a").Equal(time.UnixMilli(1)) {
		t.Fatal("the use was lost")
	}
}
