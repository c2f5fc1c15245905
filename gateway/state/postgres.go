package state

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// OpenPostgres opens the database at a connection string (a URL or key=value
// pairs, with the variables PGHOST and so on behind it) and brings its schema up
// to date; gateways that start at once do so one after the other. Several may
// share it, each under its own Config.Home and all with one pepper, and then
// behave as one towards keys, nonces, used tokens and idempotent replies.
//
// A transaction that writes takes one lock for the whole schema first, as SQLite
// does, so that a statement written for one engine means the same in the other.
// A pool in front of the database must not assign connections by transaction:
// statements are prepared.
func OpenPostgres(ctx context.Context, dsn string, cfg Config) (*DB, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("open gateway state: %w", err)
	}
	e, err := openPostgres(dsn)
	if err != nil {
		return nil, fmt.Errorf("open gateway state: %w", err)
	}
	db, err := newDB(ctx, e, cfg)
	if err != nil {
		return nil, fmt.Errorf("open gateway state: %w", errors.Join(e.classify(err), e.close()))
	}
	return db, nil
}

func openPostgres(dsn string) (engine, error) {
	pool, err := PostgresPool(dsn, pgConns, map[string]string{
		// A gateway that hangs with a transaction open must not block the others.
		"idle_in_transaction_session_timeout": fmt.Sprint(pgAbandonedMS),
	}, false)
	if err != nil {
		return engine{}, err
	}
	return engine{
		writer: pool, reader: pool, goose: goose.DialectPostgres, classify: classifyPostgres, shared: true,
		// The key is the schema's, so that databases of several meshes side by side
		// do not wait for one another.
		lock: `SELECT pg_advisory_xact_lock(hashtextextended('meshd ' || current_schema(), 0))`,
	}, nil
}

// PostgresPool opens connections to a database, so many at most, with settings of their
// sessions. What the connection string sets wins, unless they are forced.
func PostgresPool(dsn string, conns int, settings map[string]string, force bool) (*sql.DB, error) {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		// The error of the parser may quote the string, which contains a password.
		return nil, errors.New("read connection string: want a URL such as postgres://user@host/database, or key=value pairs")
	}
	if cfg.ConnectTimeout == 0 || cfg.ConnectTimeout > pgConnectTime {
		cfg.ConnectTimeout = pgConnectTime
	}
	set := func(name, value string, force bool) {
		if _, chosen := cfg.RuntimeParams[name]; !chosen || force {
			cfg.RuntimeParams[name] = value
		}
	}
	for name, value := range settings {
		set(name, value, force)
	}
	set("application_name", "meshd", false)
	set("lock_timeout", fmt.Sprint(busyTimeoutMS), false) // as long as SQLite waits for its file
	pool := stdlib.OpenDB(*cfg)
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	pool.SetConnMaxIdleTime(pgIdleTime)
	return pool, nil
}

// Classify wraps an error of Postgres with ErrBusy, ErrFull or ErrUnreachable where that is
// what happened, and returns any other as it is.
func Classify(err error) error { return classifyPostgres(err) }

// PostgresPlace names the server and database of a connection string, without its
// secrets; "" when it cannot be read.
func PostgresPlace(dsn string) string {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		return ""
	}
	return net.JoinHostPort(cfg.Host, fmt.Sprint(cfg.Port)) + "/" + cfg.Database
}

// PingPostgres asks whether the database at a connection string answers, and
// changes nothing there. Its errors do not quote the string.
func PingPostgres(ctx context.Context, dsn string) error {
	e, err := openPostgres(dsn)
	if err != nil {
		return err
	}
	if err := e.reader.PingContext(ctx); err != nil {
		return errors.Join(e.classify(err), e.close())
	}
	return e.close()
}

// migrationLock lets one process at a time change the schema.
func migrationLock() (goose.ProviderOption, error) {
	l, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, fmt.Errorf("make migration lock: %w", err)
	}
	return goose.WithSessionLocker(l), nil
}

// classifyPostgres reads SQLSTATE (appendix A of the manual of Postgres), and the
// ways in which a connection breaks.
func classifyPostgres(err error) error {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		if brokenConnection(err) {
			return fmt.Errorf("%w: %w", ErrUnreachable, err)
		}
		return err
	}
	switch {
	case e.Code == "55P03", e.Code == "40001", e.Code == "40P01":
		return fmt.Errorf("%w: %w", ErrBusy, err) // lock not available, serialization failure, deadlock
	case e.Code == "53100", e.Code == "53200":
		return fmt.Errorf("%w: %w", ErrFull, err) // disk, memory
	case strings.HasPrefix(e.Code, "08"), e.Code == "53300", e.Code == "25P03", e.Code == "25006",
		e.Code == "57P01", e.Code == "57P02", e.Code == "57P03":
		return fmt.Errorf("%w: %w", ErrUnreachable, err) // connection, its number, its term, a standby, a stop
	}
	return err
}

func brokenConnection(err error) bool {
	var network *net.OpError
	var connecting *pgconn.ConnectError
	return errors.As(err, &network) || errors.As(err, &connecting) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		pgconn.SafeToRetry(err) // a connection found closed before anything was sent
}
