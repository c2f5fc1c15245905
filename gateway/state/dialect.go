package state

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// engine is one SQL engine behind database/sql, and everything that differs
// between engines. The rest of the package keeps to their common ground:
// placeholders $1, $2…; ON CONFLICT and RETURNING; text, integers and bytes
// only; a row is locked by updating it to itself.
type engine struct {
	writer *sql.DB // transactions begin with the write lock
	reader *sql.DB // may be the writer
	goose  goose.Dialect
	lock   string // first statement of a transaction that writes; "": beginning it takes the lock
	shared bool   // other processes may have the database open
	// classify wraps an error of the driver with ErrBusy, ErrFull or ErrUnreachable
	// where that is what happened, and returns any other error as it is.
	classify func(error) error
}

func (e engine) close() error {
	if e.reader == e.writer {
		return e.writer.Close()
	}
	// The writer last: closing the last connection folds the write-ahead log
	// into the file, which a read-only connection cannot do.
	return errors.Join(e.reader.Close(), e.writer.Close())
}

//go:embed migrations/*.sql
var migrations embed.FS

// migrate applies the missing migrations. It refuses a schema it does not know
// before touching anything.
func migrate(ctx context.Context, e engine) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	// Numbers are given out when work begins, so a database may have a later
	// migration before an earlier one; each makes tables of its own.
	options := []goose.ProviderOption{goose.WithAllowOutofOrder(true)}
	if e.shared {
		one, err := migrationLock()
		if err != nil {
			return err
		}
		options = append(options, one)
	}
	p, err := goose.NewProvider(e.goose, e.writer, files, options...)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	have, err := p.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	sources := p.ListSources()
	if newest := sources[len(sources)-1].Version; have > newest {
		return fmt.Errorf("%w: schema %d, program %d", ErrNewer, have, newest)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// openSQLite opens the file with one writing connection, so that writers queue
// in the program instead of polling the file's lock, and a few readers that the
// write-ahead log lets pass. Every commit is synced: an issued key or a consumed
// nonce must survive a power cut.
func openSQLite(path string) (engine, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return engine{}, fmt.Errorf("resolve path: %w", err)
	}
	// SQLite would create the file readable by all; its log files inherit the
	// mode of the database.
	f, err := os.OpenFile(abs, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return engine{}, fmt.Errorf("create file: %w", err)
	}
	if err := f.Close(); err != nil {
		return engine{}, fmt.Errorf("create file: %w", err)
	}
	writer, err := sqlitePool(abs, 1)
	if err != nil {
		return engine{}, err
	}
	reader, err := sqlitePool(abs, readConns, "query_only(1)")
	if err != nil {
		return engine{}, errors.Join(err, writer.Close())
	}
	return engine{writer: writer, reader: reader, goose: goose.DialectSQLite3, classify: classifySQLite}, nil
}

func sqlitePool(abs string, conns int, pragmas ...string) (*sql.DB, error) {
	q := url.Values{"_txlock": {"immediate"}}
	q["_pragma"] = append([]string{
		fmt.Sprintf("busy_timeout(%d)", busyTimeoutMS), // first: the others may wait too
		"journal_mode(WAL)",
		"synchronous(FULL)",
		"foreign_keys(1)",
	}, pragmas...)
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, fmt.Errorf("open sqlite: %w", err)
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

func classifySQLite(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch code := e.Code(); {
	case code&0xff == sqlite3.SQLITE_BUSY, code&0xff == sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%w: %w", ErrBusy, err)
	case code&0xff == sqlite3.SQLITE_CORRUPT, code&0xff == sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case code == sqlite3.SQLITE_INTERRUPT: // nothing interrupts but a request that is given up
		return fmt.Errorf("%w: %w", context.Canceled, err)
	case code == sqlite3.SQLITE_FULL, code == sqlite3.SQLITE_IOERR_SHMSIZE:
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}
