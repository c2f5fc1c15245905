package schema

import (
	"bytes"
	"crypto/rand"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/meshd/meshd/gateway/state"
)

// TestKnown: the numbers are those of the files.
func TestKnown(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	var want []int64
	for _, file := range files {
		digits, _, _ := strings.Cut(filepath.Base(file), "_")
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, n)
	}
	if !slices.Equal(known, want) {
		t.Errorf("known are %v, the files are %v", known, want)
	}
}

// TestReadSQLite: what was read is what the database has, while it is open and after, and
// reading leaves nothing behind.
func TestReadSQLite(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	dir := t.TempDir()
	path := filepath.Join(dir, "state.db")
	if s, err := ReadSQLite(ctx, path); err != nil || s != (Survey{}) {
		t.Errorf("no database: %+v, %v", s, err)
	}
	newest := Newest()
	db, err := state.Open(ctx, path, state.Config{Pepper: bytes.Repeat([]byte{7}, 32), Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := ReadSQLite(ctx, path); err != nil || s != (Survey{Found: newest}) {
		t.Errorf("an open database: %+v, %v, want %d", s, err, newest)
	}
	if err := db.Close(ctx); err != nil {
		t.Fatal(err)
	}
	change, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := change.ExecContext(ctx, `DELETE FROM goose_db_version WHERE version_id IN (3, $1)`, newest); err != nil {
		t.Fatal(err)
	}
	if err := change.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := ReadSQLite(ctx, path); err != nil || s.Missing != 2 || s.Found == 0 || s.Found >= newest {
		t.Errorf("two migrations missing: %+v, %v", s, err)
	}
	after, err := os.ReadDir(dir)
	if err != nil || len(after) != len(before) {
		t.Errorf("%d files, %d before: %v", len(after), len(before), err)
	}
	if err := os.WriteFile(path, []byte("no database, but long enough for the header of one to be read from it at once"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadSQLite(ctx, path); err == nil {
		t.Error("a file that is no database was read")
	}
}
