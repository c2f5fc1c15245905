package session

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"time"
)

// Guest is a browser that somebody signed in to a gateway with, as its holder sees it.
// What it came in by is the store's user's business: T is kept as it is.
type Guest[T any] struct {
	ID      string // names it in a list; no secret
	Holder  string // whose it is: all sessions of one holder are in one list
	Browser string // what the browser says of itself
	Begun   time.Time
	Used    time.Time
	Until   time.Time // when it ends, whatever is done
	By      T
}

// guest is a Guest as the store keeps it.
type guest[T any] struct {
	Guest[T]
	ends time.Time // what it came in by does; zero: never
}

// Guests keeps the sessions of people who sign in to a gateway by a credential. A session
// is one cookie, kept as a digest; all is in memory, so it ends with the process. It is
// safe for concurrent use.
type Guests[T any] struct {
	now func() time.Time

	mu       sync.Mutex // guards what follows
	sessions map[digest]*guest[T]
}

// NewGuests returns an empty store with a clock.
func NewGuests[T any](now func() time.Time) *Guests[T] {
	return &Guests[T]{now: now, sessions: map[digest]*guest[T]{}}
}

// Admission is what a session begins with.
type Admission[T any] struct {
	Holder, Browser string
	Ends            time.Time // of what it came in by; zero: never
	By              T
}

// Open begins a session and returns the secret of its cookie, which is kept nowhere. It
// makes room by ending what was used longest ago, of the same holder before others.
func (s *Guests[T]) Open(a Admission[T]) (cookie string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	s.makeRoom(MaxSessions, func(g *guest[T]) bool { return g.Holder == a.Holder })
	s.makeRoom(MaxGuests, func(*guest[T]) bool { return true })
	cookie = secret()
	var id [6]byte
	_, _ = rand.Read(id[:]) // never fails
	now := s.now()
	s.sessions[digestOf(cookie)] = &guest[T]{ends: a.Ends, Guest: Guest[T]{ID: hex.EncodeToString(id[:]), Holder: a.Holder, Browser: a.Browser,
		Begun: now, Used: now, By: a.By}}
	return cookie
}

func (s *Guests[T]) makeRoom(most int, which func(*guest[T]) bool) {
	var mine []digest
	for d, g := range s.sessions {
		if which(g) {
			mine = append(mine, d)
		}
	}
	slices.SortFunc(mine, func(a, b digest) int { return s.sessions[a].Used.Compare(s.sessions[b].Used) })
	for len(mine) >= most {
		delete(s.sessions, mine[0])
		mine = mine[1:]
	}
}

// Find returns the session that one of the cookies is of, which is used by that unless
// quiet.
func (s *Guests[T]) Find(cookies []string, quiet bool) (Guest[T], bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range cookies {
		d := digestOf(c)
		g := s.sessions[d]
		if g == nil {
			continue
		}
		if !s.now().Before(g.until()) {
			delete(s.sessions, d)
			continue
		}
		if !quiet {
			g.Used = s.now()
		}
		return g.shown(), true
	}
	return Guest[T]{}, false
}

func (g *guest[T]) shown() Guest[T] {
	out := g.Guest
	out.Until = g.until()
	return out
}

// until is when a session ends if nothing more is done in it.
func (g *guest[T]) until() time.Time {
	until := g.Begun.Add(Longest)
	for _, t := range []time.Time{g.Used.Add(Idle), g.ends} {
		if !t.IsZero() && t.Before(until) {
			until = t
		}
	}
	return until
}

func (s *Guests[T]) sweep() {
	now := s.now()
	for d, g := range s.sessions {
		if !now.Before(g.until()) {
			delete(s.sessions, d)
		}
	}
}

// Of is the sessions of a holder, the latest used first.
func (s *Guests[T]) Of(holder string) []Guest[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	out := []Guest[T]{}
	for _, g := range s.sessions {
		if g.Holder == holder {
			out = append(out, g.shown())
		}
	}
	slices.SortFunc(out, func(a, b Guest[T]) int {
		if c := b.Used.Compare(a.Used); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out
}

// End ends the sessions of a holder that which names, and returns them.
func (s *Guests[T]) End(holder string, which func(id string) bool) (ended []Guest[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for d, g := range s.sessions {
		if g.Holder == holder && which(g.ID) {
			ended = append(ended, g.shown())
			delete(s.sessions, d)
		}
	}
	return ended
}
