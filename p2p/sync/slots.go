package sync

import (
	"context"
	"sync"

	"github.com/libp2p/go-libp2p/core/peer"
)

// slots counts sessions: one for each peer and direction, max in all, of which
// half may be our own, so that peers find a place too. It is safe for
// concurrent use.
type slots struct {
	max int

	mu      sync.Mutex // guards what follows
	in, out map[peer.ID]bool
	freed   chan struct{} // closed when a slot is given back
}

func newSlots(max int) *slots {
	return &slots{max: max, in: make(map[peer.ID]bool), out: make(map[peer.ID]bool), freed: make(chan struct{})}
}

// waitIn takes a slot for a session that p opened. When p still has one it
// waits for that until ctx ends, since the end of a session may be on its way
// when the next one comes; when there is none it does not wait.
func (s *slots) waitIn(ctx context.Context, p peer.ID) bool {
	for {
		s.mu.Lock()
		taken, full, freed := s.in[p], len(s.in)+len(s.out) >= s.max, s.freed
		if !taken && !full {
			s.in[p] = true
		}
		s.mu.Unlock()
		if !taken {
			return !full
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return false
		}
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

func (s *slots) giveIn(p peer.ID)  { s.give(s.in, p) }
func (s *slots) giveOut(p peer.ID) { s.give(s.out, p) }

func (s *slots) give(m map[peer.ID]bool, p peer.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(m, p)
	close(s.freed)
	s.freed = make(chan struct{})
}
