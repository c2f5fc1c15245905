// Package schema compares the database of a gateway's state with the migrations of this
// program, without opening it for use.
package schema

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	_ "modernc.org/sqlite" // the driver
)

// Survey compares the database of a home with what this program makes of one.
type Survey struct {
	Found   int64 // the last migration of the database, 0 for no database yet
	Missing int   // migrations that opening it will apply
}

// known are the migrations of gateway/state; a test compares them with its files.
var known = []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 18, 20, 22, 24}

// Newest is the last migration that this program knows.
func Newest() int64 { return slices.Max(known) }

// ReadSQLite reads which migrations the database at path has. It changes nothing, and
// another process may have the database open.
func ReadSQLite(ctx context.Context, path string) (s Survey, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return Survey{}, nil
	}
	missing := slices.Clone(known)
	q := url.Values{"mode": {"ro"}}
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		q.Set("immutable", "1") // nothing waits in a log, and none is made by looking
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return Survey{}, fmt.Errorf("read schema version: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryContext(ctx, `SELECT version_id FROM goose_db_version WHERE is_applied`)
	if err != nil {
		return Survey{}, fmt.Errorf("read schema version: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return Survey{}, fmt.Errorf("read schema version: %w", err)
		}
		s.Found = max(s.Found, n)
		missing = slices.DeleteFunc(missing, func(one int64) bool { return one == n })
	}
	s.Missing = len(missing)
	return s, rows.Err()
}
