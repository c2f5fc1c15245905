// Package index is the one search engine of a node: segmented BM25F with exact
// filters, for code and for knowledge alike. It knows neither. It indexes documents
// with named fields inside a named space, and every call names the space, so that
// nothing of one space (a hit, a count, a statistic) can reach a search in another.
//
// # Why its own engine
//
// Two replicas that have the same documents must rank them alike. Ranking therefore
// never depends on the order of arrival, on how documents are spread over segments or
// on what was deleted before: collection statistics are integers over the live
// documents of a space, scores are compared after rounding to 1e-6, and ties break by
// key. The tests compare the engine with a linear scan that has no segments at all.
//
// # Data path
//
//	Put -> analyse -> memtable --Commit--> segment file + manifest --(eight alike)--> merged segment
//	Search: one pass over memtable and segments, 4,096 documents at a time
//
// A segment is immutable and checksummed. Inside it each space is a separate part:
// a sorted key table, a sorted term table, delta-coded postings with frequencies by
// field, and three columns (field lengths, prior, time). Nothing is unpacked when it is
// opened. Deletes and replacements are marks beside a segment, kept in the manifest.
//
// # How to start
//
//	ix, err := index.Open(dir, index.Config{})
//	if errors.Is(err, index.ErrCorrupt) || errors.Is(err, index.ErrStale) {
//		// derived data: index.Remove(dir), open again, feed from position 0
//	}
//	err = ix.Put("knowledge:net", index.Document{Key: id, Text: map[string]string{"title": "…"}})
//	err = ix.Commit(position) // durable up to here
//	res, err := ix.Search("knowledge:net", index.Query{Text: "parse query"})
//
// What was put after the last Commit is searchable at once and lost in a crash: the
// owner replays its log from [Index.Position]. Replaying a document twice is harmless.
//
// # What not to do
//
// Do not keep truth here; the index may be dropped at any time. Do not open one folder
// twice at the same moment. Do not filter hidden text out of results afterwards: name
// what the caller may see in [Query.FieldsOnly], which also keeps hidden text out of the
// statistics.
package index

import (
	"fmt"
	"runtime"
	"sync"
)

// Index is an open index. One writer at a time makes progress (Put, Delete, Commit and
// the other changing calls wait for each other); any number of Search calls run beside
// it. Search waits for a writer only while one document is being entered, never for the
// disk or for a merge.
type Index struct {
	cfg Config
	dir string // "" when nothing is written to disk

	// writer serialises every call that changes the index. While it is locked the fields
	// below change only under state, so its holder may read them without it.
	writer   sync.Mutex
	analyser *analyser // of the writer

	// state guards what a search reads. Lock order: writer, then state.
	state    sync.RWMutex
	mem      *memtable
	segments []*segment // in the order of their making
	position uint64
	next     uint64 // number of the next segment file, never used twice
	dirty    bool   // something changed since the manifest was written
	closed   bool
}

// Open opens the index in dir, making the folder when it is missing; an empty dir keeps
// everything in memory. Files that a crash left half made are removed.
//
// It returns [ErrCorrupt] when a file is damaged or missing, and [ErrStale] when the
// files were made by another analyser, format or set of fields. Both mean: [Remove] the
// folder, open again and feed everything.
func Open(dir string, cfg Config) (*Index, error) {
	cfg = cfg.withDefaults()
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("open index: %w", err)
	}
	ix := &Index{cfg: cfg, dir: dir, analyser: newAnalyser(), mem: newMemtable(len(cfg.Fields)), next: 1}
	if dir == "" {
		return ix, nil
	}
	if err := ix.load(); err != nil {
		return nil, fmt.Errorf("open index: %w", err)
	}
	return ix, nil
}

// Put enters documents into space, replacing those with the same key. It keeps no
// reference to docs. With [ErrInvalid] none is entered. A full memtable is written to
// disk first; when that fails, the documents before are entered and Put may be repeated.
func (ix *Index) Put(space string, docs ...Document) error {
	if err := validSpace(space); err != nil {
		return fmt.Errorf("put into index: %w", err)
	}
	for i := range docs {
		if err := docs[i].validate(ix.cfg); err != nil {
			return fmt.Errorf("put into index: document %d: %w", i, err)
		}
	}
	ix.writer.Lock()
	defer ix.writer.Unlock()
	if ix.closed {
		return ErrClosed
	}
	for i := range docs {
		runtime.Gosched() // searches go before many documents
		if ix.mem.bytes >= maxMemtable {
			if err := ix.seal(ix.position); err != nil {
				return fmt.Errorf("put into index: %w", err)
			}
		}
		d := ix.analyser.document(&docs[i], ix.cfg)
		ix.state.Lock()
		ix.kill(space, d.key)
		ix.mem.put(space, d)
		ix.dirty = true
		ix.state.Unlock()
	}
	return nil
}

// Delete removes the document with key from space. Removing what is not there is no
// error.
func (ix *Index) Delete(space, key string) error {
	return ix.change(func() { ix.kill(space, key) })
}

// DeleteSpace removes every document of space.
func (ix *Index) DeleteSpace(space string) error {
	return ix.change(func() {
		for _, p := range ix.parts(space) {
			p.killAll()
		}
		ix.dirty = true
	})
}

// Commit makes everything entered so far durable and remembers position, the owner's own
// log position that this state stands for; it must not be lower than the last one. One
// Commit does at most one merge, of segments of 64 MiB together at most. After an error the index
// goes on working from memory and Commit may be tried again.
func (ix *Index) Commit(position uint64) error {
	ix.writer.Lock()
	defer ix.writer.Unlock()
	if ix.closed {
		return ErrClosed
	}
	if position < ix.position {
		return fmt.Errorf("commit index: %w: position %d is before %d", ErrInvalid, position, ix.position)
	}
	if err := ix.seal(position); err != nil {
		return fmt.Errorf("commit index: %w", err)
	}
	if err := ix.mergeOnce(); err != nil {
		return fmt.Errorf("commit index: %w", err)
	}
	return nil
}

// Position is the position of the last successful Commit, 0 in a new index. The owner
// replays everything after it.
func (ix *Index) Position() uint64 {
	ix.state.RLock()
	defer ix.state.RUnlock()
	return ix.position
}

// Drop removes every document and its files and sets the position to 0.
func (ix *Index) Drop() error {
	ix.writer.Lock()
	defer ix.writer.Unlock()
	if ix.closed {
		return ErrClosed
	}
	old := ix.segments
	if err := ix.install(nil, newMemtable(len(ix.cfg.Fields)), 0); err != nil {
		return fmt.Errorf("drop index: %w", err)
	}
	ix.discard(old)
	return nil
}

// Close releases the index without committing. Later calls return [ErrClosed]; a search
// in progress ends first.
func (ix *Index) Close() error {
	ix.writer.Lock()
	defer ix.writer.Unlock()
	ix.state.Lock()
	defer ix.state.Unlock()
	ix.closed = true
	ix.segments, ix.mem = nil, newMemtable(len(ix.cfg.Fields))
	return nil
}

// Stats describes an index for metrics and for the doctor.
type Stats struct {
	Documents int   // live documents, all spaces
	Deleted   int   // removed documents that still occupy room
	Segments  int   // sealed segments
	Bytes     int64 // size of the sealed segments
	Pending   int   // documents entered since the last segment was sealed
}

// Stats counts what the index contains.
func (ix *Index) Stats() Stats {
	ix.state.RLock()
	defer ix.state.RUnlock()
	st := Stats{Segments: len(ix.segments)}
	for _, s := range ix.segments {
		live, all := s.count()
		st.Documents += live
		st.Deleted += all - live
		st.Bytes += int64(s.size)
	}
	for _, p := range ix.mem.spaces {
		st.Documents += p.live
		st.Pending += p.live
		st.Deleted += p.docs() - p.live
	}
	return st
}

// Count is the number of live documents in space.
func (ix *Index) Count(space string) int {
	ix.state.RLock()
	defer ix.state.RUnlock()
	n := 0
	for _, p := range ix.parts(space) {
		n += p.live
	}
	return n
}

// change runs one small change under both locks.
func (ix *Index) change(do func()) error {
	ix.writer.Lock()
	defer ix.writer.Unlock()
	if ix.closed {
		return ErrClosed
	}
	ix.state.Lock()
	defer ix.state.Unlock()
	do()
	return nil
}

// kill marks the live document with key as removed, if there is one.
func (ix *Index) kill(space, key string) {
	for _, p := range ix.parts(space) {
		if doc, ok := p.find(key); ok && !p.dead.has(doc) {
			p.kill(doc)
			ix.dirty = true
			return // at most one live document has a key
		}
	}
}

// parts lists the parts of space, the memtable's first.
func (ix *Index) parts(space string) []*part {
	var out []*part
	if p := ix.mem.spaces[space]; p != nil {
		out = append(out, p)
	}
	for _, s := range ix.segments {
		if p := s.parts[space]; p != nil {
			out = append(out, p)
		}
	}
	return out
}
