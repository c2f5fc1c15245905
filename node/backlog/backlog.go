// Package backlog follows a reader that trails a log: how old the oldest record
// is that it has not read, which of the unread ones this node wrote itself, and
// which of those to read ahead of their turn.
package backlog

import (
	"sync"
	"time"
)

// Mark is the least time between two remembered moments, and so how far an age may
// be off: never too old.
const Mark = 250 * time.Millisecond

// Backlog is what a reader has before it. It is safe for concurrent use.
type Backlog struct {
	mu    sync.Mutex
	at    uint64   // last sequence read
	last  uint64   // of the log
	came  []moment // how far the log had come, from the oldest not all read
	own   []uint64 // unread sequences of this node's writes, ascending
	early int      // how many of own, from the first, were returned by Ahead
}

// moment says that the log had come to a sequence, and since when what lies before
// it waits.
type moment struct {
	seq   uint64
	since time.Time
}

// New makes the backlog of a reader that has read up to a sequence.
func New(at uint64) *Backlog { return &Backlog{at: at, last: at} }

// At is the last sequence read.
func (b *Backlog) At() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.at
}

// Grew says that the log has come to last, and which new sequences, ascending, this
// node wrote.
func (b *Backlog) Grew(last uint64, own []uint64, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, seq := range own {
		if seq > b.at {
			b.own = append(b.own, seq)
		}
	}
	if last <= max(b.at, b.last) {
		return
	}
	b.last = last
	if n := len(b.came); n > 0 && now.Sub(b.came[n-1].since) < Mark {
		b.came[n-1].seq = last
		return
	}
	b.came = append(b.came, moment{last, now})
}

// Read says that everything up to a sequence was read.
func (b *Backlog) Read(at uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = at
	for len(b.came) > 0 && b.came[0].seq <= at {
		b.came = b.came[1:]
	}
	done := 0
	for done < len(b.own) && b.own[done] <= at {
		done++
	}
	b.own, b.early = b.own[done:], max(0, b.early-done)
}

// Age is how long the oldest unread record has waited, and Own how many of the
// unread ones this node wrote.
func (b *Backlog) Age(now time.Time) (age time.Duration, own int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.came) > 0 {
		age = max(0, now.Sub(b.came[0].since))
	}
	return age, len(b.own)
}

// Ahead are at most n sequences of this node's writes that are unread and more than
// n records away, so that it is worth reading them first. Each is given once.
func (b *Backlog) Ahead(n int) (seqs []uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.early < len(b.own) && len(seqs) < n {
		if seq := b.own[b.early]; seq > b.at+uint64(n) {
			seqs = append(seqs, seq)
		}
		b.early++
	}
	return seqs
}
