package admission

import "time"

// table is token buckets of one kind by key, the most recently used ones. A
// bucket that had to go comes back full, which is never to its owner's harm.
type table struct {
	perSecond float64
	burst     float64
	max       int
	byKey     map[string]*bucket
	used      bucket // between the most recently used one, its next, and the least, its last
}

type bucket struct {
	key        string
	share      float64 // of the table's rate: 1, or a part of it for a newborn
	tokens     float64 // may be above the burst after an absence
	at         int64   // in ns
	last, next *bucket // by use
}

// leave takes b out of the order of use.
func (b *bucket) leave() { b.last.next, b.next.last = b.next, b.last }

// use makes b the most recently used one.
func (t *table) use(b *bucket) {
	b.last, b.next = &t.used, t.used.next
	b.last.next, b.next.last = b, b
}

func newTable(perSecond float64, burst time.Duration, max int) *table {
	t := &table{perSecond: perSecond, burst: perSecond * burst.Seconds(), max: max, byKey: map[string]*bucket{}}
	t.used.last, t.used.next = &t.used, &t.used
	return t
}

// bucket finds the bucket of key, filled up to now; credit is what a new one has
// besides its burst.
func (t *table) bucket(key string, share float64, now time.Time, credit time.Duration) *bucket {
	if b := t.byKey[key]; b != nil {
		b.leave()
		t.use(b)
		b.share = share
		t.fill(b, now)
		return b
	}
	if len(t.byKey) >= t.max {
		oldest := t.used.last
		oldest.leave()
		delete(t.byKey, oldest.key)
	}
	b := &bucket{key: key, share: share, at: now.UnixNano()}
	b.tokens = t.full(b) + t.perSecond*share*credit.Seconds()
	t.byKey[key] = b
	t.use(b)
	return b
}

// full is the burst of b: at least one, or nothing would ever pass.
func (t *table) full(b *bucket) float64 { return max(1, t.burst*b.share) }

func (t *table) fill(b *bucket, now time.Time) {
	gone := time.Duration(now.UnixNano() - b.at).Seconds()
	b.at = now.UnixNano()
	if full := t.full(b); gone > 0 && b.tokens < full {
		b.tokens = min(full, b.tokens+gone*t.perSecond*b.share)
	}
}

// credit gives every bucket what it would have had in an absence.
func (t *table) credit(away time.Duration) {
	for b := t.used.next; b != &t.used; b = b.next {
		b.tokens += away.Seconds() * t.perSecond * b.share
	}
}

// set changes the rate of buckets that are there too.
func (t *table) set(perSecond float64, burst time.Duration) {
	t.perSecond, t.burst = perSecond, perSecond*burst.Seconds()
	for b := t.used.next; b != &t.used; b = b.next {
		b.tokens = min(b.tokens, t.full(b))
	}
}
