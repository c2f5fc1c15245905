package engine

import (
	"errors"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

const (
	firstRest = time.Second // after a compaction that failed
	lastRest  = time.Minute // twice as long after each further one, up to this
)

// scheduler lets as many compactions run as Pebble wants, and rests after one that
// failed: Pebble picks a damaged table of level 0 again at once, and would take a
// processor and write half of a table anew, for as long as the store is open.
type scheduler struct {
	mu       sync.Mutex
	calm     sync.Cond // granting has become false
	db       pebble.DBForCompaction
	running  int
	granting bool // the database is asked, without the lock
	refused  bool // TrySchedule found no room since the database was asked last
	closed   bool
	failed   int       // compactions in a row
	resume   time.Time // none begins before
	wake     *time.Timer
}

func newScheduler() *scheduler {
	s := &scheduler{}
	s.calm.L = &s.mu
	return s
}

// Register is called once, before everything else.
func (s *scheduler) Register(_ int, db pebble.DBForCompaction) { s.db = db }

// Unregister returns when the database is not asked any more.
func (s *scheduler) Unregister() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.wake != nil {
		s.wake.Stop()
	}
	for s.granting {
		s.calm.Wait()
	}
}

// TrySchedule is called with the lock of the database.
func (s *scheduler) TrySchedule() (bool, pebble.CompactionGrantHandle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.room() {
		s.refused = true
		return false, nil
	}
	s.running++
	return true, s
}

// room reports whether one more may run; it needs the lock.
func (s *scheduler) room() bool {
	return !s.closed && !time.Now().Before(s.resume) && s.running < s.db.GetAllowedWithoutPermission()
}

// UpdateGetAllowedWithoutPermission is called with the lock of the database.
func (s *scheduler) UpdateGetAllowedWithoutPermission() { go s.grant() }

// ended notes how a compaction went.
func (s *scheduler) ended(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil:
		s.failed = 0
		return
	case errors.Is(err, pebble.ErrCancelledCompaction):
		return
	}
	rest := min(firstRest<<min(s.failed, 10), lastRest)
	s.failed++
	s.resume = time.Now().Add(rest)
	if s.wake == nil {
		s.wake = time.AfterFunc(rest, s.grant)
	} else if !s.closed {
		s.wake.Reset(rest)
	}
}

// grant starts what waits, as far as there is room. While the database is asked a
// place is kept for its answer; what TrySchedule refused for that place alone is
// asked for again, because Pebble waits to be asked from then on.
func (s *scheduler) grant() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.granting {
		s.calm.Wait()
	}
	s.granting = true
	for again := true; again && s.room(); {
		s.running++
		s.refused = false
		s.mu.Unlock()
		began := false
		if waits, _ := s.db.GetWaitingCompaction(); waits {
			began = s.db.Schedule(s)
		}
		s.mu.Lock()
		if !began {
			s.running--
		}
		again = began || s.refused
	}
	s.granting = false
	s.calm.Broadcast()
}

// Done is called at the end of a compaction, without a lock of the database.
func (s *scheduler) Done() {
	s.mu.Lock()
	s.running--
	s.mu.Unlock()
	s.grant()
}

func (*scheduler) Started()                                          {}
func (*scheduler) MeasureCPU(pebble.CompactionGoroutineKind)         {}
func (*scheduler) CumulativeStats(pebble.CompactionGrantHandleStats) {}
