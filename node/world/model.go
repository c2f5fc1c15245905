package world

import (
	"slices"
	"sync"

	"github.com/meshd/meshd/crdt/change"
)

// model is what the people of a world know: what was acknowledged to them, what
// they never got an answer to, and what was refused. It is safe for concurrent use.
type model struct {
	mu       sync.Mutex // guards all below
	entries  map[change.ID]*entry
	order    []*entry // as they were acknowledged
	doubt    map[string]bool
	comments map[change.ID]*comment
	votes    map[ballot]*vote
	chains   map[change.AgentID]*tally
}

// entry is one that was acknowledged.
type entry struct {
	id        change.ID
	n         uint64
	domain    string
	agent     change.AgentID
	machine   int
	retracted state
}

type comment struct {
	id, target change.ID
	text       string
	agent      change.AgentID
}

type ballot struct {
	agent  change.AgentID
	target change.ID
}

type vote struct {
	value int
	sure  bool // false when a later one may or may not have come through
}

// state is how sure it is that something was done.
type state int

const (
	not state = iota
	perhaps
	done
)

// tally bounds how many changes an agent has written.
type tally struct{ sure, most int }

func newModel() *model {
	return &model{
		entries: map[change.ID]*entry{}, doubt: map[string]bool{}, comments: map[change.ID]*comment{},
		votes: map[ballot]*vote{}, chains: map[change.AgentID]*tally{},
	}
}

// wrote counts changes of an agent; sure is whether they were acknowledged. It
// needs m.mu.
func (m *model) wrote(agent change.AgentID, sure bool) {
	t := m.chains[agent]
	if t == nil {
		t = &tally{}
		m.chains[agent] = t
	}
	t.most++
	if sure {
		t.sure++
	}
}

// pick is an acknowledged entry that want accepts, chosen by n; nil: none.
func (m *model) pick(n uint64, want func(*entry) bool) *entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	var fit []*entry
	for _, e := range m.order {
		if want(e) {
			fit = append(fit, e)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	return fit[n%uint64(len(fit))]
}

// acknowledged are the entries in the order of their acknowledgement.
func (m *model) acknowledged() []*entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.order)
}
