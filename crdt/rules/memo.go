package rules

import (
	"sync"

	"github.com/meshd/meshd/crdt/change"
)

// memoSize is how many answers a memo keeps at least; it keeps twice as many at
// most. An answer about a grant has some kilobytes, about a line of keys less.
const memoSize = 512

// memo keeps what follows from a change and its past, and so never changes. It
// forgets by halves: what was not asked for while memoSize others were. The zero
// memo is ready and safe for concurrent use.
type memo[V any] struct {
	mu           sync.Mutex
	fresh, stale map[change.ID]V
}

func (m *memo[V]) get(id change.ID) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.fresh[id]; ok {
		return v, true
	}
	v, ok := m.stale[id]
	if ok {
		m.store(id, v)
	}
	return v, ok
}

func (m *memo[V]) put(id change.ID, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.store(id, v)
}

func (m *memo[V]) store(id change.ID, v V) {
	if m.fresh == nil || len(m.fresh) >= memoSize {
		m.stale, m.fresh = m.fresh, make(map[change.ID]V)
	}
	m.fresh[id] = v
}
