package log

import (
	"context"
	"fmt"
	"slices"

	ds "github.com/ipfs/go-datastore"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/crdt/rules"
)

// writer builds one batch and, when it is durable, updates the log's memory.
type writer struct {
	log   *Log
	state state   // as the batch leaves it
	added []place // new members
	ops   []op
	arena []byte // the values of ops
}

// op is a put, or a delete when value is nil.
type op struct {
	key   string
	value []byte
}

// begin starts a batch; l.writing is held.
func (l *Log) begin(ctx context.Context) (*writer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return &writer{log: l, state: l.state}, nil
}

// expect makes room for new changes in one piece: an arena that grows leaves all
// smaller ones behind, which values point into.
func (w *writer) expect(vs []rules.Verified) {
	const (
		records = 6   // of a change, most of which have all
		beside  = 200 // bytes of these beside head and body
	)
	size := 0
	for _, v := range vs {
		if c := v.Change(); c != nil {
			size += len(c.RawHead) + len(c.Body) + beside
		}
	}
	w.arena = make([]byte, 0, size)
	w.ops = make([]op, 0, records*len(vs))
}

// put takes what was appended to the arena since start as key's value.
func (w *writer) put(key string, start int) {
	w.ops = append(w.ops, op{key, w.arena[start:len(w.arena):len(w.arena)]})
}

func (w *writer) delete(key string) { w.ops = append(w.ops, op{key: key}) }

func (w *writer) putHead(set string, it recon.Item, h headRecord) {
	key, start := itemKey(prefixHead, set, it), len(w.arena)
	w.arena = appendHead(w.arena, key, h)
	w.put(key, start)
}

func (w *writer) putBody(set string, it recon.Item, b bodyRecord) {
	key, start := itemKey(prefixBody, set, it), len(w.arena)
	w.arena = appendBody(w.arena, key, b)
	w.put(key, start)
}

// putPlace writes the index by id and the one by local sequence.
func (w *writer) putPlace(p place) {
	for _, key := range []string{idKey(prefixID, p.item.ID), seqKey(p.seq)} {
		start := len(w.arena)
		w.arena = appendPlace(w.arena, key, p)
		w.put(key, start)
	}
}

func (w *writer) putTip(k chainKey, t tip) {
	key, start := k.tip(), len(w.arena)
	w.arena = appendTip(w.arena, key, t)
	w.put(key, start)
}

func (w *writer) putNote(key, text string) {
	start := len(w.arena)
	w.arena = appendNote(w.arena, key, text)
	w.put(key, start)
}

func (w *writer) putMark(m Mark) error {
	if len(m.Key) > maxMarkKey || len(m.Value) > MaxMark {
		return fmt.Errorf("mark with a key of %d and a value of %d bytes: %w", len(m.Key), len(m.Value), ErrTooMany)
	}
	w.putNote(markKey(m.Key), string(m.Value))
	return nil
}

// index moves id between the lists of wanted, held and purged ids, and the
// counts with it, as its body record goes from one to the other. The record of
// what is not yet a member is the zero one.
func (w *writer) index(id change.ID, from, to bodyRecord) {
	w.count(from, ^uint64(0))
	w.count(to, 1)
	w.list(prefixWant, id, from.state == Missing, to.state == Missing, "")
	w.list(prefixHeld, id, from.held != "", to.held != "", string(to.held))
	w.list(prefixPurge, id, from.state == Purged, to.state == Purged, string(to.reason))
}

func (w *writer) list(prefix string, id change.ID, was, is bool, text string) {
	switch {
	case is:
		w.putNote(idKey(prefix, id), text)
	case was:
		w.delete(idKey(prefix, id))
	}
}

func (w *writer) count(b bodyRecord, n uint64) { w.state.counts.count(b, n) }

// count adds n for a member with that body record; n may be -1.
func (c *Counts) count(b bodyRecord, n uint64) {
	switch b.state {
	case Missing:
		c.Missing += n
	case RowFailed:
		c.RowFailed += n
	case Purged:
		c.Purged += n
	case Present:
	}
	if b.held != "" {
		c.Held += n
	}
}

// commit makes the batch durable and then visible. An empty one is nothing.
func (w *writer) commit(ctx context.Context) error {
	if len(w.ops) == 0 {
		return nil
	}
	start := len(w.arena)
	w.arena = appendState(w.arena, w.log.shards, w.state)
	w.put(stateKey, start)
	w.log.begins(true)
	defer w.log.begins(false)
	if err := w.store(ctx); err != nil {
		w.log.unsure = true
		if engine.IsCorrupt(err) {
			err = w.log.damage(place{}, "files", err)
		}
		return fmt.Errorf("write batch: %w", err)
	}
	w.publish()
	return nil
}

func (w *writer) store(ctx context.Context) error {
	b, err := w.log.engine.Batch(ctx)
	if err != nil {
		return err
	}
	for _, o := range w.ops {
		if o.value == nil {
			err = b.Delete(ctx, ds.RawKey(o.key))
		} else {
			err = b.Put(ctx, ds.RawKey(o.key), o.value)
		}
		if err != nil {
			return err
		}
	}
	return b.Commit(ctx)
}

// publish takes a durable batch into memory.
func (w *writer) publish() {
	l := w.log
	l.mu.Lock()
	defer l.mu.Unlock()
	fresh := map[string][]recon.Item{}
	for _, p := range w.added {
		fresh[p.set] = append(fresh[p.set], p.item)
		l.last = p.item.ID
	}
	for set, items := range fresh {
		slices.SortFunc(items, recon.Item.Compare)
		l.ensureSet(set).InsertBatch(items)
	}
	l.state = w.state
}
