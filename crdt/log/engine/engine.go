// Package engine contains the stores below a log: Pebble and LevelDB, which keep
// files, and one in memory. Each is a go-datastore whose batches are atomic and
// durable, and that distinguishes damage and a full disk from everything else.
//
// Open one with OpenPebble, OpenLevelDB or NewMemory. An engine knows nothing of what
// a log writes: keys are characters of "/", digits and lower case, and values bytes.
//
// Damage costs what is damaged and no more: ScanSound reads past it, and Raw reads the
// files of a store that does not open.
package engine

import (
	"context"
	"errors"
	"syscall"

	ds "github.com/ipfs/go-datastore"
)

// Engine is the store below a log: a go-datastore with batches that are atomic
// and durable, and with scans. It is safe for concurrent use.
//
// When Commit of a batch returns nil, the batch is fsynced. When it returns an
// error, it is open whether the batch is stored, now or a little later, but it
// is stored whole or not at all. Sync then settles that: once it returns nil,
// what was stored is readable and what was not never will be, and the engine
// takes new batches; until then its error is the one of Commit, and IsFull as
// long as the disk has no room. Reads work all the time.
//
// Put and Delete outside of a batch are durable too. Keys are ds.RawKey.
type Engine interface {
	ds.Batching

	// Scan calls visit with every pair with from ≤ key < to, in order of the
	// bytes of the keys, as they were when Scan was called. The value is only
	// lent to visit. It stops at visit's first error and returns it.
	Scan(ctx context.Context, from, to string, visit func(key string, value []byte) error) error

	// Erase rewrites the files that contain from ≤ key < to, so that values which
	// were overwritten or deleted are gone from the disk and not only hidden. The
	// old files go at once or a moment later.
	Erase(ctx context.Context, from, to string) error
}

// Headroom is an engine that knows how many bytes of disk it will take by itself,
// without any further write: for the logs that it opens ahead, for tables in memory
// that it has still to write, and for the tables that a compaction writes before it
// deletes those which it has read.
type Headroom interface{ Headroom() uint64 }

// ErrDamaged is wrapped by the errors of files that cannot be read, or not be opened.
var ErrDamaged = errors.New("stored bytes are damaged")

// ErrFull means that the disk has no room; see IsFull.
var ErrFull = errors.New("no space left on the disk")

// IsFull reports whether err comes from a disk (or quota) without room. Nothing
// is lost then, and the same call succeeds when there is room again.
func IsFull(err error) bool {
	return errors.Is(err, ErrFull) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
