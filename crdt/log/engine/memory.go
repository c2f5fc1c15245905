package engine

import (
	"bytes"
	"context"
	"slices"
	"sync"

	ds "github.com/ipfs/go-datastore"
	"github.com/ipfs/go-datastore/query"
)

// memoryEngine keeps everything in a map: for tests and simulated nodes. Its
// Close does nothing, so a log can be opened on it again.
type memoryEngine struct {
	mu    sync.RWMutex // guards what follows
	store *ds.MapDatastore
	keys  []string // sorted; those deleted since may still be among them
	fresh []string // written since keys was sorted, in no order
}

var _ Engine = (*memoryEngine)(nil)

// NewMemory makes an empty store in memory.
func NewMemory() Engine { return &memoryEngine{store: ds.NewMapDatastore()} }

func (e *memoryEngine) Get(ctx context.Context, key ds.Key) ([]byte, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	v, err := e.store.Get(ctx, key)
	return bytes.Clone(v), err
}

func (e *memoryEngine) Has(ctx context.Context, key ds.Key) (bool, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.store.Has(ctx, key)
}

func (e *memoryEngine) GetSize(ctx context.Context, key ds.Key) (int, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.store.GetSize(ctx, key)
}

func (e *memoryEngine) Query(ctx context.Context, q query.Query) (query.Results, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.store.Query(ctx, q)
}

func (e *memoryEngine) Put(ctx context.Context, key ds.Key, value []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.put(ctx, key, bytes.Clone(value))
}

// put keeps value; it needs e.mu.
func (e *memoryEngine) put(ctx context.Context, key ds.Key, value []byte) error {
	if known, err := e.store.Has(ctx, key); err != nil {
		return err
	} else if !known {
		e.fresh = append(e.fresh, key.String())
	}
	return e.store.Put(ctx, key, value)
}

func (e *memoryEngine) Delete(ctx context.Context, key ds.Key) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.store.Delete(ctx, key)
}

func (e *memoryEngine) Sync(context.Context, ds.Key) error { return nil }

func (e *memoryEngine) Close() error { return nil }

func (e *memoryEngine) Erase(context.Context, string, string) error { return nil }

// Scan sorts what was written since the last Scan and calls visit unlocked.
func (e *memoryEngine) Scan(ctx context.Context, from, to string, visit func(key string, value []byte) error) error {
	e.mu.Lock()
	if len(e.fresh) > 0 {
		e.keys = append(e.keys, e.fresh...)
		slices.Sort(e.keys)
		e.keys = slices.Compact(e.keys)
		e.fresh = nil
	}
	i, _ := slices.BinarySearch(e.keys, from)
	j, _ := slices.BinarySearch(e.keys, to)
	var pairs []query.Entry
	for _, k := range e.keys[i:max(i, j)] {
		if v, err := e.store.Get(ctx, ds.RawKey(k)); err == nil {
			pairs = append(pairs, query.Entry{Key: k, Value: v})
		}
	}
	e.mu.Unlock()
	for _, p := range pairs {
		if err := visit(p.Key, p.Value); err != nil {
			return err
		}
	}
	return nil
}

// Batch begins a batch that other calls see whole or not at all.
func (e *memoryEngine) Batch(context.Context) (ds.Batch, error) { return &memoryBatch{engine: e}, nil }

type memoryBatch struct {
	engine *memoryEngine
	writes []memoryWrite
}

// memoryWrite is a put, or a delete when value is nil.
type memoryWrite struct {
	key   ds.Key
	value []byte
}

func (b *memoryBatch) Put(_ context.Context, key ds.Key, value []byte) error {
	b.writes = append(b.writes, memoryWrite{key, append([]byte{}, value...)})
	return nil
}

func (b *memoryBatch) Delete(_ context.Context, key ds.Key) error {
	b.writes = append(b.writes, memoryWrite{key: key})
	return nil
}

func (b *memoryBatch) Commit(ctx context.Context) error {
	b.engine.mu.Lock()
	defer b.engine.mu.Unlock()
	for _, w := range b.writes {
		var err error
		if w.value == nil {
			err = b.engine.store.Delete(ctx, w.key)
		} else {
			err = b.engine.put(ctx, w.key, w.value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
