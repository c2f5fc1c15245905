// Package session keeps who is signed in: to the owner's console by one-use codes,
// which only the control socket makes, and to a gateway by a credential (Guests). All of
// it is in memory, so it ends with the process.
//
// A code is shown once and kept as a digest. A session of the owner has two secrets: one is a
// part of the path of every page, the other is a cookie of that path. Neither signs
// anybody in without the other. Start with New; a Store is safe for concurrent use.
package session

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// Purpose is what a code is good for.
type Purpose string

// The purposes of codes.
const (
	SignIn  Purpose = "sign-in" // opens a session
	Confirm Purpose = "confirm" // lets a session do one thing that asks for a fresh proof
)

// digest stands for a secret.
type digest [sha256.Size]byte

func digestOf(secret string) digest { return sha256.Sum256([]byte(secret)) }

// code is a code that was made, until it is forgotten.
type code struct {
	purpose Purpose
	until   time.Time
	used    bool
}

// Session is a signed-in browser as its owner sees it.
type Session struct {
	ID      string    // names it in a list; no secret
	Browser string    // what the browser says of itself
	Begun   time.Time // when it was opened
	Used    time.Time // the last request
	Until   time.Time // when it ends, whatever is done

	Fresh bool            // a code confirmed it a moment ago
	Ended <-chan struct{} // closed when it has ended
}

// record is a session as the store keeps it.
type record struct {
	id, browser        string
	cookie             digest
	begun, used, fresh time.Time // fresh: until when
	end                chan struct{}
}

// Store has the codes and the sessions of one node.
type Store struct {
	now func() time.Time

	mu       sync.Mutex // guards what follows
	codes    map[digest]*code
	sessions map[digest]*record // by the secret of the path
}

// New returns a Store with a clock.
func New(now func() time.Time) *Store {
	return &Store{now: now, codes: map[digest]*code{}, sessions: map[digest]*record{}}
}

// secret is 256 bits as text for URLs.
func secret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Code makes a code that works once within CodeLife. Only the control socket may
// return it.
func (s *Store) Code(p Purpose) (text string, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	for d, c := range s.codes {
		if now.Sub(c.until) >= codeMemory {
			delete(s.codes, d)
		}
	}
	for len(s.codes) >= maxCodes { // the eldest gives way
		var eldest digest
		first := true
		for d, c := range s.codes {
			if first || c.until.Before(s.codes[eldest].until) {
				eldest, first = d, false
			}
		}
		delete(s.codes, eldest)
	}
	text, until = secret(), now.Add(CodeLife)
	s.codes[digestOf(text)] = &code{purpose: p, until: until}
	return text, until
}

// spend uses a code up. The refusal is invalid_token for one that this process did
// not make or made for something else, token_replayed for a used one, token_expired
// for an old one.
func (s *Store) spend(text string, p Purpose) error {
	c := s.codes[digestOf(strings.TrimSpace(text))]
	switch {
	case c == nil || c.purpose != p:
		return hint(reason.Refuse(reason.InvalidToken, "this code is not one of this node, or the node was started anew since"))
	case c.used:
		return hint(reason.Refuse(reason.TokenReplayed, "this code was used already; each works once"))
	case !s.now().Before(c.until):
		return hint(reason.Refuse(reason.TokenExpired, "this code is too old; each works for %d seconds", int(CodeLife.Seconds())))
	}
	c.used = true
	return nil
}

func hint(r *reason.Refusal) error {
	r.Hint = "run meshd open for a new one"
	return r
}

// Open uses a sign-in code up for a session of one browser, and returns its two
// secrets: of the path, and of the cookie. They are kept nowhere.
func (s *Store) Open(codeText, browser string) (path, cookie string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.spend(codeText, SignIn); err != nil {
		return "", "", err
	}
	s.sweep()
	for len(s.sessions) >= MaxSessions { // the one that was used longest ago gives way
		var oldest digest
		first := true
		for d, h := range s.sessions {
			if first || h.used.Before(s.sessions[oldest].used) {
				oldest, first = d, false
			}
		}
		s.drop(oldest)
	}
	path, cookie = secret(), secret()
	var id [6]byte
	_, _ = rand.Read(id[:]) // never fails
	now := s.now()
	s.sessions[digestOf(path)] = &record{id: hex.EncodeToString(id[:]), browser: browser, cookie: digestOf(cookie), begun: now, used: now, end: make(chan struct{})}
	return path, cookie, nil
}

// Find returns the session of a path's secret, if one of the cookies is its own. It
// counts as a use of the session unless quiet.
func (s *Store) Find(path string, cookies []string, quiet bool) (Session, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	h := s.sessions[digestOf(path)]
	if h == nil {
		return Session{}, false
	}
	good := 0
	for _, c := range cookies {
		d := digestOf(c)
		good |= subtle.ConstantTimeCompare(d[:], h.cookie[:])
	}
	if good != 1 {
		return Session{}, false
	}
	if !quiet {
		h.used = s.now()
	}
	return s.shown(h), true
}

func (s *Store) shown(h *record) Session {
	until := h.begun.Add(Longest)
	if idle := h.used.Add(Idle); idle.Before(until) {
		until = idle
	}
	return Session{ID: h.id, Browser: h.browser, Begun: h.begun, Used: h.used, Until: until, Fresh: s.now().Before(h.fresh), Ended: h.end}
}

// sweep ends the sessions whose time is over.
func (s *Store) sweep() {
	now := s.now()
	for d, h := range s.sessions {
		if now.Sub(h.used) >= Idle || now.Sub(h.begun) >= Longest {
			s.drop(d)
		}
	}
}

func (s *Store) drop(d digest) {
	close(s.sessions[d].end)
	delete(s.sessions, d)
}

// List is the sessions there are, the latest used first.
func (s *Store) List() []Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	out := make([]Session, 0, len(s.sessions))
	for _, h := range s.sessions {
		out = append(out, s.shown(h))
	}
	slices.SortFunc(out, func(a, b Session) int {
		if c := b.Used.Compare(a.Used); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out
}

// End ends a session by the id in the list, and says whether there was one.
func (s *Store) End(id string) bool {
	return s.end(func(h *record) bool { return h.id == id }) > 0
}

// EndOthers ends every session but one, and says how many those were.
func (s *Store) EndOthers(id string) int {
	return s.end(func(h *record) bool { return h.id != id })
}

func (s *Store) end(which func(*record) bool) (ended int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for d, h := range s.sessions {
		if which(h) {
			s.drop(d)
			ended++
		}
	}
	return ended
}

// Refresh uses a confirming code up for a session, which is fresh for FreshLife then.
func (s *Store) Refresh(id, codeText string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.sessions {
		if h.id == id {
			if err := s.spend(codeText, Confirm); err != nil {
				return err
			}
			h.fresh = s.now().Add(FreshLife)
			return nil
		}
	}
	return reason.Refuse(reason.AuthRequired, "this session has ended")
}

// TakeFresh says whether a session is fresh, which it is not any more then: one code
// is good for one thing.
func (s *Store) TakeFresh(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.sessions {
		if h.id == id && s.now().Before(h.fresh) {
			h.fresh = time.Time{}
			return true
		}
	}
	return false
}
