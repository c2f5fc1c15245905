package v0

import (
	"container/list"
	"sync"

	"github.com/meshd/meshd/identity/ucan"
)

// signedToken is a token whose signature has been looked at.
type signedToken struct {
	*token
	verified bool
	meant    func() *Token // what a sound token means, made once
}

func newSigned(t *token) *signedToken {
	return &signedToken{t, t.validSignature(), sync.OnceValue(t.meaning)}
}

// Memo keeps parsed tokens and the verdicts on their signatures, which depend on
// nothing but their text; the least recently used goes first. A verification with
// one is faster and never different. It is safe for concurrent use. A nil *Memo
// keeps nothing.
type Memo struct {
	mu    sync.Mutex // guards what follows
	max   int
	known map[string]*list.Element // of *remembered, by the content id it was asked for
	used  *list.List               // most recent first
}

type remembered struct {
	cid string
	t   *signedToken
}

// NewMemo makes a Memo of at most n tokens, each of at most MaxToken bytes of
// text and about five times that in memory.
func NewMemo(n int) *Memo {
	return &Memo{max: max(n, 1), known: map[string]*list.Element{}, used: list.New()}
}

// Recall is what Parse makes of a text that a verification with m has seen and found to
// be a token; false for any other. The answer is shared: it must not be changed.
func (m *Memo) Recall(raw string) (*Token, bool) {
	if m == nil || len(raw) > MaxToken {
		return nil, false
	}
	t := m.recall(ucan.CID(raw), raw)
	if t == nil || len(t.syntax) != 0 {
		return nil, false
	}
	return t.meant(), true
}

// load reads a token, or remembers it.
func (m *Memo) load(raw string) *signedToken {
	if m == nil || len(raw) > MaxToken {
		return newSigned(read(raw))
	}
	if t := m.recall(ucan.CID(raw), raw); t != nil {
		return t
	}
	return m.signed(read(raw))
}

// signed looks at the signature of a token that has been read, or remembers it.
func (m *Memo) signed(t *token) *signedToken {
	if s := m.recall(t.cid, t.raw); s != nil {
		return s
	}
	s := newSigned(t)
	m.keep(t.cid, s)
	return s
}

// named is load for a text that must have a content id. What is remembered is
// compared with the text and not taken in its place: whether a proof is at hand
// must not depend on who asked before.
func (m *Memo) named(cid, raw string) (*signedToken, bool) {
	if len(raw) > MaxToken {
		return nil, false
	}
	if t := m.recall(cid, raw); t != nil {
		return t, true
	}
	if !ucan.Names(cid, raw) {
		return nil, false
	}
	t := newSigned(read(raw))
	m.keep(cid, t)
	return t, true
}

func (m *Memo) recall(cid, raw string) *signedToken {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.known[cid]
	if e == nil {
		return nil
	}
	t := e.Value.(remembered).t
	if t.raw != raw {
		return nil
	}
	m.used.MoveToFront(e)
	return t
}

func (m *Memo) keep(cid string, t *signedToken) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known[cid] != nil { // another was faster; both say the same
		return
	}
	m.known[cid] = m.used.PushFront(remembered{cid, t})
	if m.used.Len() > m.max {
		oldest := m.used.Back()
		m.used.Remove(oldest)
		delete(m.known, oldest.Value.(remembered).cid)
	}
}

// Len is how many tokens m keeps.
func (m *Memo) Len() int {
	if m == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used.Len()
}
