package cluster

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"sync"

	"github.com/meshd/meshd/node/shared"
)

// keeper is the session that has the lock of the one gateway that does what has to be done
// once. The lock ends with the session.
type keeper struct {
	mu   sync.Mutex
	conn *sql.Conn // nil: no session
	has  bool
}

const keeperLock = `SELECT pg_try_advisory_lock(hashtextextended('meshd keeper ' || current_schema(), 0))`

// Keeps reports whether this gateway is the one; while there is none it becomes that.
func (db *DB) Keeps(ctx context.Context) bool {
	k := &db.keeper
	k.mu.Lock()
	defer k.mu.Unlock()
	var err error
	if k.conn == nil {
		if k.conn, err = db.reads.Conn(ctx); err != nil {
			k.conn = nil
			return false
		}
	}
	if k.has {
		err = k.conn.PingContext(ctx)
	} else {
		err = k.conn.QueryRowContext(ctx, keeperLock).Scan(&k.has)
	}
	if err != nil {
		k.drop()
	}
	return k.has
}

// drop gives up the session, and the lock with it.
func (k *keeper) drop() {
	if k.conn != nil {
		// A connection that goes back to its pool would keep the lock.
		_ = k.conn.Raw(func(any) error { return driver.ErrBadConn })
		_ = k.conn.Close()
	}
	k.conn, k.has = nil, false
}

var _ shared.Keeper = (*DB)(nil)
