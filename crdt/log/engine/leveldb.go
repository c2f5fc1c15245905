package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	ds "github.com/ipfs/go-datastore"
	"github.com/ipfs/go-datastore/query"
	leveldbds "github.com/ipfs/go-ds-leveldb"
	"github.com/syndtr/goleveldb/leveldb/iterator"
	"github.com/syndtr/goleveldb/leveldb/util"
)

// levelEngine is LevelDB behind go-ds-leveldb, whose batches are written with
// Sync: the journal is fsynced before Commit returns.
//
// A journal that failed once fails for ever, so after an error Sync closes the
// store and opens it again, when the disk has room. Once LevelDB meets damage while
// it moves tables together it takes no more writes: they are ErrDamaged until the
// store is salvaged.
type levelEngine struct {
	dir string

	mu    sync.RWMutex // held by readers of store, and for writing while it is replaced
	store *leveldbds.Datastore

	failure sync.Mutex // guards failed
	failed  error      // of a commit that Sync has not settled
}

var _ Engine = (*levelEngine)(nil)

var _ Headroom = (*levelEngine)(nil)

// Headroom is the most that this engine takes; it does not say how much it will.
func (e *levelEngine) Headroom() uint64 { return levelAhead }

// OpenLevelDB opens or makes a LevelDB store in dir, which one process at a time
// may have open. Damage is as with OpenPebble.
func OpenLevelDB(dir string) (Engine, error) {
	if err := checkLevelDB(dir); err != nil {
		return nil, err
	}
	store, err := leveldbds.NewDatastore(dir, nil)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", openFault(err))
	}
	return &levelEngine{dir: dir, store: store}, nil
}

// Sync settles the last commit; see Engine.
func (e *levelEngine) Sync(context.Context, ds.Key) error {
	e.failure.Lock()
	defer e.failure.Unlock()
	if e.failed == nil {
		return nil
	}
	if !probeDisk(e.dir) {
		return fmt.Errorf("%w: %w", ErrFull, e.failed)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.store.Close(); err != nil {
		return fmt.Errorf("close failed store: %w", err)
	}
	store, err := leveldbds.NewDatastore(e.dir, nil)
	if err != nil {
		return fmt.Errorf("reopen store: %w", err)
	}
	e.store, e.failed = store, nil
	return nil
}

// write runs one write and notes its failure.
func (e *levelEngine) write(f func() error) error {
	e.failure.Lock()
	defer e.failure.Unlock()
	if e.failed != nil {
		return e.failed
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	e.failed = f()
	return e.failed
}

// Batch begins an atomic batch.
func (e *levelEngine) Batch(ctx context.Context) (ds.Batch, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	b, err := e.store.Batch(ctx)
	if err != nil {
		return nil, err
	}
	return &levelBatch{Batch: b, engine: e}, nil
}

type levelBatch struct {
	ds.Batch
	engine *levelEngine
}

func (b *levelBatch) Commit(ctx context.Context) error {
	return b.engine.write(func() error { return b.Batch.Commit(ctx) })
}

func (e *levelEngine) Put(ctx context.Context, key ds.Key, value []byte) error {
	return e.write(func() error { return e.store.Put(ctx, key, value) })
}

func (e *levelEngine) Delete(ctx context.Context, key ds.Key) error {
	return e.write(func() error { return e.store.Delete(ctx, key) })
}

func (e *levelEngine) Get(ctx context.Context, key ds.Key) ([]byte, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.store.Get(ctx, key)
}

func (e *levelEngine) Has(ctx context.Context, key ds.Key) (bool, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.store.Has(ctx, key)
}

func (e *levelEngine) GetSize(ctx context.Context, key ds.Key) (int, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.store.GetSize(ctx, key)
}

func (e *levelEngine) Query(ctx context.Context, q query.Query) (query.Results, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.store.Query(ctx, q)
}

// Scan reads a snapshot.
func (e *levelEngine) Scan(_ context.Context, from, to string, visit func(key string, value []byte) error) error {
	e.mu.RLock()
	defer e.mu.RUnlock()
	var it iterator.Iterator
	if err := guarded(func() { it = e.store.DB.NewIterator(&util.Range{Start: []byte(from), Limit: []byte(to)}, nil) }); err != nil {
		return fmt.Errorf("scan: %w", err)
	}
	defer it.Release()
	for more := true; ; {
		if err := guarded(func() { more = it.Next() }); err != nil {
			return fmt.Errorf("scan: %w", err)
		}
		if !more {
			break
		}
		if err := visit(string(it.Key()), it.Value()); err != nil {
			return err
		}
	}
	if err := it.Error(); err != nil {
		return fmt.Errorf("scan: %w", err)
	}
	return nil
}

// guarded runs a step of LevelDB, which panics over some damaged tables.
func guarded(step func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, r)
		}
	}()
	step()
	return nil
}

// Erase compacts the tables that overlap the range.
func (e *levelEngine) Erase(_ context.Context, from, to string) error {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if err := e.store.DB.CompactRange(util.Range{Start: []byte(from), Limit: []byte(to)}); err != nil {
		return fmt.Errorf("erase: %w", err)
	}
	return nil
}

// Close closes the store.
func (e *levelEngine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.store.Close(); err != nil && !IsCorrupt(err) { // which the reader or writer got already
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}

// probeDisk reports whether a little more than nothing can be written to dir.
func probeDisk(dir string) bool {
	name := filepath.Join(dir, "probe")
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return false
	}
	_, err = f.Write(make([]byte, probeBytes))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(name)) == nil
}
