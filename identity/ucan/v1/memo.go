package v1

import (
	"crypto/sha256"
	"sync"
)

// Memo keeps what does not depend on the time or on revocations: the parsed form
// of tokens whose signature was good, by their hash. With it, reading a chain
// again costs one SHA-256 a token. It keeps a bounded number and forgets the
// oldest. The zero Memo is ready and safe for concurrent use; a nil one keeps
// nothing.
type Memo struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]parsed
	order [][sha256.Size]byte // a ring once it is full
	next  int
}

func (m *Memo) read(sealed []byte) (parsed, error) {
	if m == nil {
		return read(sealed)
	}
	key := sha256.Sum256(sealed)
	if t, ok := m.find(key); ok {
		return t, nil
	}
	t, err := read(sealed)
	if err == nil {
		m.keep(key, t)
	}
	return t, err
}

func (m *Memo) find(key [sha256.Size]byte) (parsed, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, ok := m.known[key]
	return t, ok
}

func (m *Memo) keep(key [sha256.Size]byte, t parsed) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.known[key]; ok {
		return
	}
	if m.known == nil {
		m.known = make(map[[sha256.Size]byte]parsed)
	}
	if len(m.order) < maxMemo {
		m.order = append(m.order, key)
	} else {
		delete(m.known, m.order[m.next])
		m.order[m.next] = key
		m.next = (m.next + 1) % maxMemo
	}
	m.known[key] = t
}

// Len is how many tokens m has.
func (m *Memo) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.known)
}
