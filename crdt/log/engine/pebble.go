package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
	ds "github.com/ipfs/go-datastore"
	pebbleds "github.com/ipfs/go-ds-pebble"
)

// Options tune OpenPebble. The zero value is sound.
type Options struct {
	// CacheBytes bounds the cache of blocks read from disk; 0 means 8 MiB.
	CacheBytes int64

	// OpenFiles bounds the files that are kept open; 0 means the engine's own bound,
	// 1000.
	OpenFiles int

	// FS replaces the file system of the machine, for tests of crashes and faults.
	FS vfs.FS

	// Damaged is called with what the engine finds damaged by itself, in the
	// background above all; nil: nobody asks. It must not block.
	Damaged func(error)
}

// pebbleEngine is Pebble behind go-ds-pebble. Batches are committed with
// pebble.Sync: the write-ahead log is fsynced before Commit returns.
//
// Pebble cannot survive a failed write to its own log: it calls Fatalf. So a
// full disk is kept away from it. The file system below it delays every write
// that finds no room until there is room, and meanwhile Commit and Sync answer
// ErrFull; the commit that was under way ends by itself later. Any other error
// of the log's files, a failed fsync above all, leaves the engine broken for
// good: it takes no more writes, and the process should be restarted.
type pebbleEngine struct {
	*pebbleds.Datastore
	cache *pebble.Cache
	fs    vfs.FS // without the guard against a full disk
	dir   string

	turn sync.Mutex // held by the one write that goes on, before mu

	mu      sync.Mutex
	full    chan struct{} // closed while the disk is full
	pending chan error    // the outcome of the write under way, or of one that nobody waited for; or nil
	broken  error         // set once; no writes after that
}

var _ Engine = (*pebbleEngine)(nil)

// OpenPebble opens or makes a Pebble store in dir, which one process at a time
// may have open. The store is closed by its Close; while the disk is full, Close
// leaves the files as they are, as a crash would, and says so. A store whose files
// are so damaged that it cannot be opened, or would lose more by it, is an
// ErrDamaged and stays as it is: see Salvage.
func OpenPebble(dir string, o Options) (Engine, error) {
	if o.FS == nil {
		o.FS = vfs.Default
	}
	if o.CacheBytes == 0 {
		o.CacheBytes = cacheDefault
	}
	if err := o.FS.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	if err := checkFiles(o.FS, dir); err != nil {
		return nil, err
	}
	if o.Damaged == nil {
		o.Damaged = func(error) {}
	}
	e := &pebbleEngine{cache: pebble.NewCache(o.CacheBytes), fs: o.FS, dir: dir, full: make(chan struct{})}
	compactions := newScheduler()
	opts := &pebble.Options{
		Cache:                       e.cache,
		FS:                          vfs.OnDiskFull(manifestFirst{o.FS}, e.waitForRoom),
		Logger:                      pebbleLogger{},
		Cleaner:                     cleaner{},
		MaxOpenFiles:                o.OpenFiles,
		MemTableSize:                memTable,
		MemTableStopWritesThreshold: 4,
		L0CompactionThreshold:       4,
		L0StopWritesThreshold:       stopWrites,
		// Without a listener of ours Pebble ends the process when it reads a
		// damaged block; we want the error of that read.
		EventListener: &pebble.EventListener{
			DataCorruption: func(i pebble.DataCorruptionInfo) { o.Damaged(fmt.Errorf("%s: %w", i.Path, i.Details)) },
			CompactionEnd:  func(i pebble.CompactionInfo) { compactions.ended(i.Err) },
			BackgroundError: func(err error) {
				if IsCorrupt(err) {
					o.Damaged(err)
				}
			},
		},
		// So that damage to the write-ahead log differs from the end that a crash leaves.
		FormatMajorVersion: pebble.FormatWALSyncChunks,
	}
	opts.Experimental.CompactionScheduler = compactions
	for i := range opts.Levels {
		opts.Levels[i].FilterPolicy = bloom.FilterPolicy(bloomBits)
	}
	err := guard(func() (err error) {
		e.Datastore, err = pebbleds.NewDatastore(dir, pebbleds.WithPebbleOpts(opts), pebbleds.WithPebbleWriteOptions(pebble.Sync))
		return err
	})
	if err != nil {
		e.cache.Unref()
		return nil, fmt.Errorf("open store: %w", openFault(err))
	}
	return e, nil
}

var _ Headroom = (*pebbleEngine)(nil)

// Headroom counts one more write-ahead log, tables in memory, and the compaction
// that is due.
func (e *pebbleEngine) Headroom() uint64 {
	m := e.DB.Metrics()
	return walAhead + m.MemTable.Size + min(m.Compact.EstimatedDebt, maxCompacted)
}

// manifestFirst makes the name of a new manifest durable at once. Pebble does so
// only together with the marker that points to it, and trusts the file system
// to keep the two in order; where a crash kept the marker alone, the store would
// not open any more.
type manifestFirst struct{ vfs.FS }

func (fs manifestFirst) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := fs.FS.Create(name, category)
	if err != nil || !strings.HasPrefix(fs.PathBase(name), "MANIFEST-") {
		return f, err
	}
	dir, err := fs.OpenDir(fs.PathDir(name))
	if err == nil {
		err = errors.Join(dir.Sync(), dir.Close())
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// cleaner deletes obsolete files. Pebble keeps old write-ahead logs for their
// space, with what was purged still in them, unless its cleaner claims to need
// the contents of files: only then is every one of them passed to it. The claim
// is a method of ArchiveCleaner, the deed that of DeleteCleaner, which lies less
// deep and so hides the other's.
type cleaner struct {
	pebble.DeleteCleaner
	claim
}

type claim struct{ pebble.ArchiveCleaner }

// fatalError is what Pebble gives up with.
type fatalError struct{ text string }

func (e fatalError) Error() string { return e.text }

// pebbleLogger drops messages. Fatalf must not return: on the goroutine of one of
// our calls guard turns it into an error, on one of Pebble's own it ends the
// process, before anything is written over a state that is not understood.
type pebbleLogger struct{}

func (pebbleLogger) Infof(string, ...any)  {}
func (pebbleLogger) Errorf(string, ...any) {}
func (pebbleLogger) Fatalf(format string, args ...any) {
	panic(fatalError{fmt.Sprintf(format, args...)})
}

// guard runs f and turns a fatal error of Pebble into an error.
func guard(f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case fatalError:
			err = r
		default:
			panic(r)
		}
	}()
	return f()
}

// waitForRoom is called by Pebble's file system when a write found no room;
// writes wait until it returns. It returns when a probe can be written.
func (e *pebbleEngine) waitForRoom() {
	e.mu.Lock()
	close(e.full)
	e.mu.Unlock()
	tick := time.NewTicker(probeEvery)
	defer tick.Stop()
	for !e.probe() {
		<-tick.C
	}
	e.mu.Lock()
	e.full = make(chan struct{})
	e.mu.Unlock()
}

// probe reports whether a little more than nothing can be written.
func (e *pebbleEngine) probe() bool {
	name := e.fs.PathJoin(e.dir, "probe")
	f, err := e.fs.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return false
	}
	_, err = f.Write(make([]byte, probeBytes))
	err = errors.Join(err, f.Sync(), f.Close(), e.fs.Remove(name))
	return err == nil
}

// isFull reports, without waiting, whether the disk is full.
func (e *pebbleEngine) isFull() bool {
	select {
	case <-e.full:
		return true
	default:
		return false
	}
}

// Sync settles the last commit; see Engine.
func (e *pebbleEngine) Sync(context.Context, ds.Key) error {
	e.turn.Lock()
	defer e.turn.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.settle()
}

// settle needs e.mu.
func (e *pebbleEngine) settle() error {
	if e.pending != nil {
		select {
		case err := <-e.pending:
			e.pending = nil
			e.finish(err)
		default:
		}
	}
	switch {
	case e.broken != nil:
		return e.broken
	case e.pending != nil || e.isFull():
		return ErrFull
	}
	return nil
}

// finish notes the outcome of a commit; it needs e.mu. A failed commit of Pebble
// leaves its pipeline unusable.
func (e *pebbleEngine) finish(err error) {
	if err != nil && e.broken == nil {
		e.broken = fmt.Errorf("the store takes no more writes: %w", err)
	}
}

// run does a write, and waits for it only as long as the disk has room.
func (e *pebbleEngine) run(write func() error) error {
	e.turn.Lock()
	defer e.turn.Unlock()
	e.mu.Lock()
	if err := e.settle(); err != nil {
		e.mu.Unlock()
		return err
	}
	full := e.full
	done := make(chan error, 1)
	e.pending = done
	e.mu.Unlock()
	go func() { done <- guard(write) }()

	var err error
	select {
	case err = <-done:
	case <-full:
		select {
		case err = <-done:
		default:
			return ErrFull // settle takes the outcome later
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.pending = nil
	e.finish(err)
	return err
}

// Batch begins an atomic batch.
func (e *pebbleEngine) Batch(ctx context.Context) (ds.Batch, error) {
	b, err := e.Datastore.Batch(ctx)
	if err != nil {
		return nil, err
	}
	return &pebbleBatch{Batch: b, engine: e}, nil
}

type pebbleBatch struct {
	ds.Batch
	engine *pebbleEngine
}

func (b *pebbleBatch) Commit(ctx context.Context) error {
	return b.engine.run(func() error { return b.Batch.Commit(ctx) })
}

func (e *pebbleEngine) Put(ctx context.Context, key ds.Key, value []byte) error {
	return e.run(func() error { return e.Datastore.Put(ctx, key, value) })
}

func (e *pebbleEngine) Delete(ctx context.Context, key ds.Key) error {
	return e.run(func() error { return e.Datastore.Delete(ctx, key) })
}

// Scan reads by an iterator of its own: the one of a ds query sends every pair
// through a channel.
func (e *pebbleEngine) Scan(ctx context.Context, from, to string, visit func(key string, value []byte) error) error {
	it, err := e.DB.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: []byte(from), UpperBound: []byte(to)})
	if err != nil {
		return fmt.Errorf("scan: %w", err)
	}
	for ok := it.First(); ok && err == nil; ok = it.Next() {
		var value []byte
		if value, err = it.ValueAndErr(); err == nil {
			err = visit(string(it.Key()), value)
		}
	}
	if err != nil {
		_ = it.Close()
		return err
	}
	if err := it.Close(); err != nil {
		return fmt.Errorf("scan: %w", err)
	}
	return nil
}

// Erase flushes the memtable and compacts the tables that overlap the range. On
// a full disk it waits, like all that Pebble does in the background, for room or
// for the end of ctx.
func (e *pebbleEngine) Erase(ctx context.Context, from, to string) error {
	if err := e.Sync(ctx, ds.NewKey("/")); err != nil {
		return err
	}
	if err := e.DB.Compact(ctx, []byte(from), []byte(to), false); err != nil {
		return fmt.Errorf("erase: %w", err)
	}
	return nil
}

// Close flushes and closes the store.
func (e *pebbleEngine) Close() error {
	e.turn.Lock()
	defer e.turn.Unlock()
	e.mu.Lock()
	err := e.settle()
	if e.pending == nil && err == nil {
		e.broken = errClosed
	}
	e.mu.Unlock()
	if errors.Is(err, errClosed) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("close store: left as it is: %w", err)
	}
	if err := guard(e.Datastore.Close); err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	e.cache.Unref()
	return nil
}

var errClosed = errors.New("the store is closed")
