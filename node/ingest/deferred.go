package ingest

import (
	"container/list"
	"sync"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

// deferred keeps changes whose past is not here (wire §13): bounded, fair among
// senders, for ten minutes. What is dropped comes again by reconciliation.
type deferred struct {
	mu    sync.Mutex
	byID  map[change.ID]*list.Element
	wait  map[change.ID][]change.ID // missing id -> those that wait for it
	order *list.List                // of *waiting, oldest first
	from  map[string]int
	bytes int
}

type waiting struct {
	c       *change.Change
	from    string
	missing []change.ID
	until   time.Time
}

func newDeferred() *deferred {
	return &deferred{byID: map[change.ID]*list.Element{}, wait: map[change.ID][]change.ID{}, order: list.New(), from: map[string]int{}}
}

func size(c *change.Change) int { return len(c.RawHead) + len(c.Body) + 256 }

// put keeps c until one of the missing comes. When full, the sender with most
// waiting loses its oldest.
func (d *deferred) put(from string, c *change.Change, missing []change.ID, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expire(now)
	if old := d.byID[c.ID]; old != nil {
		d.drop(old)
	}
	if d.from[from] >= maxPerPeer {
		d.dropOldestOf(from)
	}
	for len(d.byID) >= maxDeferred || d.bytes+size(c) > maxDeferredBytes {
		if d.order.Len() == 0 {
			return
		}
		d.dropOldestOf(d.greediest())
	}
	d.byID[c.ID] = d.order.PushBack(&waiting{c, from, missing, now.Add(deferredFor)})
	for _, id := range missing {
		d.wait[id] = append(d.wait[id], c.ID)
	}
	d.from[from]++
	d.bytes += size(c)
}

// take removes and returns what waits for id.
func (d *deferred) take(id change.ID, now time.Time) []*waiting {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expire(now)
	var out []*waiting
	for _, w := range append([]change.ID(nil), d.wait[id]...) {
		if e := d.byID[w]; e != nil {
			out = append(out, e.Value.(*waiting))
			d.drop(e)
		}
	}
	return out
}

// forget drops a change that waits, if it does.
func (d *deferred) forget(id change.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e := d.byID[id]; e != nil {
		d.drop(e)
	}
}

// count is how many changes wait.
func (d *deferred) count(now time.Time) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expire(now)
	return len(d.byID)
}

func (d *deferred) expire(now time.Time) {
	for e := d.order.Front(); e != nil && now.After(e.Value.(*waiting).until); e = d.order.Front() {
		d.drop(e)
	}
}

func (d *deferred) greediest() (from string) {
	most := -1
	for f, n := range d.from {
		if n > most || n == most && f < from {
			from, most = f, n
		}
	}
	return from
}

func (d *deferred) dropOldestOf(from string) {
	for e := d.order.Front(); e != nil; e = e.Next() {
		if e.Value.(*waiting).from == from {
			d.drop(e)
			return
		}
	}
}

func (d *deferred) drop(e *list.Element) {
	w := e.Value.(*waiting)
	d.order.Remove(e)
	delete(d.byID, w.c.ID)
	d.bytes -= size(w.c)
	if d.from[w.from]--; d.from[w.from] == 0 {
		delete(d.from, w.from)
	}
	for _, id := range w.missing {
		left := d.wait[id][:0:0]
		for _, x := range d.wait[id] {
			if x != w.c.ID {
				left = append(left, x)
			}
		}
		if d.wait[id] = left; len(left) == 0 {
			delete(d.wait, id)
		}
	}
}

// Deferred is how many changes wait for their past.
func (in *Ingest) Deferred() int { return in.deferred.count(in.cfg.Now()) }

// refusedCache remembers refused bytes so that a repeated forgery costs a hash.
type refusedCache struct {
	mu    sync.Mutex
	codes map[[32]byte]*list.Element
	order *list.List // of *refusal, oldest first
}

type refusal struct {
	hash  [32]byte
	code  reason.Code
	until time.Time
}

func newRefusedCache() *refusedCache {
	return &refusedCache{codes: map[[32]byte]*list.Element{}, order: list.New()}
}

func (r *refusedCache) get(h [32]byte, now time.Time) reason.Code {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.codes[h]
	if e == nil || now.After(e.Value.(*refusal).until) {
		return ""
	}
	return e.Value.(*refusal).code
}

func (r *refusedCache) put(h [32]byte, code reason.Code, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.codes[h]; e != nil {
		e.Value.(*refusal).until = now.Add(refusedFor)
		r.order.MoveToBack(e)
		return
	}
	if len(r.codes) >= maxRefused {
		oldest := r.order.Front()
		delete(r.codes, r.order.Remove(oldest).(*refusal).hash)
	}
	r.codes[h] = r.order.PushBack(&refusal{h, code, now.Add(refusedFor)})
}
