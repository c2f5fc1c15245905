package sync

import (
	"context"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"
)

// slots counts sessions: one for each peer and direction, max in all, of which
// half may be our own, so that peers find a place too. A quarter is kept for peers
// that were useful before, and when all are taken, a newcomer gets that of a
// peer whose session moves nothing: strangers cannot occupy all. It is safe for
// concurrent use.
type slots struct {
	max int

	mu     sync.Mutex // guards what follows
	in     map[peer.ID]*place
	out    map[peer.ID]bool
	useful map[peer.ID]time.Time // when a pass with a peer was last complete
	freed  chan struct{}         // closed when a slot is given back
}

// place is a slot of a session that a peer opened.
type place struct {
	moved time.Time // when changes went over it last, or it began
	end   func()    // ends the session
}

const (
	patience  = 15 * time.Second // with a session that moves nothing while others wait
	usefulFor = time.Hour        // after a complete pass
	maxUseful = 1024             // peers remembered
)

func newSlots(max int) *slots {
	return &slots{max: max, in: make(map[peer.ID]*place), out: make(map[peer.ID]bool), useful: make(map[peer.ID]time.Time), freed: make(chan struct{})}
}

// waitIn takes a slot for a session that p opened; end ends it. When p still has
// one it waits for that until ctx ends, since the end of a session may be on its way
// when the next one comes, and so it does for one that is ended for it. Else, when
// there is none, it does not wait.
func (s *slots) waitIn(ctx context.Context, p peer.ID, end func()) bool {
	for {
		s.mu.Lock()
		taken, freed := s.in[p] != nil, s.freed
		room := s.room(p)
		if !taken && room {
			s.in[p] = &place{time.Now(), end}
		}
		waits := taken || !room && s.endIdlest()
		s.mu.Unlock()
		if !waits {
			return room
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return false
		}
	}
}

// room reports whether p may take one more slot now; it needs s.mu.
func (s *slots) room(p peer.ID) bool {
	most := s.max
	if time.Since(s.useful[p]) > usefulFor {
		most -= s.max / 4
	}
	return len(s.in)+len(s.out) < most
}

// endIdlest ends the session of a peer that moved nothing for longest, if that is
// longer than patience; it needs s.mu.
func (s *slots) endIdlest() bool {
	var idlest *place
	for _, l := range s.in {
		if idlest == nil || l.moved.Before(idlest.moved) {
			idlest = l
		}
	}
	if idlest == nil || time.Since(idlest.moved) < patience {
		return false
	}
	idlest.end()
	return true
}

// moved notes that changes went over the session that p opened.
func (s *slots) moved(p peer.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.in[p]; l != nil {
		l.moved = time.Now()
	}
}

// was notes that a pass with p was complete.
func (s *slots) was(p peer.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.useful) >= maxUseful {
		for old, at := range s.useful {
			if time.Since(at) > usefulFor {
				delete(s.useful, old)
			}
		}
	}
	if len(s.useful) < maxUseful {
		s.useful[p] = time.Now()
	}
}

// waitOut takes a slot for a session with p that we open; it waits for one
// until ctx ends.
func (s *slots) waitOut(ctx context.Context, p peer.ID) error {
	for {
		s.mu.Lock()
		if !s.out[p] && len(s.out) < max(1, s.max/2) && len(s.in)+len(s.out) < s.max {
			s.out[p] = true
			s.mu.Unlock()
			return nil
		}
		freed := s.freed
		s.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (s *slots) giveIn(p peer.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.in, p)
	s.announce()
}

func (s *slots) giveOut(p peer.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.out, p)
	s.announce()
}

// announce wakes those that wait; it needs s.mu.
func (s *slots) announce() {
	close(s.freed)
	s.freed = make(chan struct{})
}
