package admission

import (
	"container/list"
	"time"
)

// table is token buckets of one kind by key, the most recently used ones. A
// bucket that had to go comes back full, which is never to its owner's harm.
type table struct {
	perSecond float64
	burst     float64
	max       int
	byKey     map[string]*list.Element
	used      *list.List // of *bucket, the most recently used first
}

type bucket struct {
	key    string
	share  float64 // of the table's rate: 1, or a part of it for a newborn
	tokens float64 // may be above the burst after an absence
	at     time.Time
}

func newTable(perSecond float64, burst time.Duration, max int) *table {
	return &table{perSecond: perSecond, burst: perSecond * burst.Seconds(), max: max, byKey: map[string]*list.Element{}, used: list.New()}
}

// bucket finds the bucket of key, filled up to now; credit is what a new one has
// besides its burst.
func (t *table) bucket(key string, share float64, now time.Time, credit time.Duration) *bucket {
	if e := t.byKey[key]; e != nil {
		t.used.MoveToFront(e)
		b := e.Value.(*bucket)
		b.share = share
		t.fill(b, now)
		return b
	}
	if t.used.Len() >= t.max {
		oldest := t.used.Back()
		delete(t.byKey, t.used.Remove(oldest).(*bucket).key)
	}
	b := &bucket{key: key, share: share, at: now}
	b.tokens = t.full(b) + t.perSecond*share*credit.Seconds()
	t.byKey[key] = t.used.PushFront(b)
	return b
}

// full is the burst of b: at least one, or nothing would ever pass.
func (t *table) full(b *bucket) float64 { return max(1, t.burst*b.share) }

func (t *table) fill(b *bucket, now time.Time) {
	gone := now.Sub(b.at).Seconds()
	b.at = now
	if full := t.full(b); gone > 0 && b.tokens < full {
		b.tokens = min(full, b.tokens+gone*t.perSecond*b.share)
	}
}

// credit gives every bucket what it would have had in an absence.
func (t *table) credit(away time.Duration) {
	for e := t.used.Front(); e != nil; e = e.Next() {
		b := e.Value.(*bucket)
		b.tokens += away.Seconds() * t.perSecond * b.share
	}
}

// set changes the rate of buckets that are there too.
func (t *table) set(perSecond float64, burst time.Duration) {
	t.perSecond, t.burst = perSecond, perSecond*burst.Seconds()
	for e := t.used.Front(); e != nil; e = e.Next() {
		b := e.Value.(*bucket)
		b.tokens = min(b.tokens, t.full(b))
	}
}
