package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Schema compares the database of a home with what this program makes of one.
type Schema struct {
	Found   int64 // the last migration of the database, 0 for no database yet
	Missing int   // migrations that opening it will apply
}

// Newest is the last migration that this program knows.
func Newest() (int64, error) {
	known, err := known()
	if err != nil {
		return 0, err
	}
	newest := int64(0)
	for n := range known {
		newest = max(newest, n)
	}
	return newest, nil
}

// known are the numbers of the migrations of this program.
func known() (map[int64]bool, error) {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	out := map[int64]bool{}
	for _, file := range files {
		digits, _, _ := strings.Cut(filepath.Base(file), "_")
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("read migrations: %w", err)
		}
		out[n] = true
	}
	return out, nil
}

// SurveySQLite reads which migrations the database at path has. It changes nothing, and
// another process may have the database open.
func SurveySQLite(ctx context.Context, path string) (s Schema, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return Schema{}, nil
	}
	missing, err := known()
	if err != nil {
		return Schema{}, err
	}
	q := url.Values{"mode": {"ro"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTimeoutMS)}}
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		q.Set("immutable", "1") // nothing waits in a log, and none is made by looking
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return Schema{}, fmt.Errorf("read schema version: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryContext(ctx, `SELECT version_id FROM goose_db_version WHERE is_applied`)
	if err != nil {
		return Schema{}, fmt.Errorf("read schema version: %w", classifySQLite(err))
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return Schema{}, fmt.Errorf("read schema version: %w", err)
		}
		s.Found = max(s.Found, n)
		delete(missing, n)
	}
	s.Missing = len(missing)
	return s, rows.Err()
}
