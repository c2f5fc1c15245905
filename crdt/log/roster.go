package log

import (
	"slices"
	"sync"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/recon"
)

// roster is who is a member, as memory knows it: it follows the disk and never runs
// ahead of it.
type roster struct {
	mu      sync.RWMutex // guards what follows; together they are the log of one moment
	sets    map[string]*recon.Set
	state   state
	last    change.ID // the member of local sequence state.seq
	commits uint64    // batches begun since Open
	storing bool      // one is on its way: the engine may show it before we do
	adrift  uint64    // highest hlc of a member whose chain is lost with its head; 0: there is none
}

// state is what the log knows of itself; every batch stores it anew.
type state struct {
	seq    uint64
	counts Counts
}

// ensureSet returns the set of that name, a new one if need be. l.mu is held or
// l is not yet shared.
func (l *roster) ensureSet(name string) *recon.Set {
	s := l.sets[name]
	if s == nil {
		s = recon.NewSet()
		l.sets[name] = s
	}
	return s
}

// Follow returns the set of that name and begins it when there is none, so that
// it can be reconciled before the first of its members is here.
func (l *roster) Follow(name string) *recon.Set {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ensureSet(name)
}

// Sets returns the names of all sets in the order they are reconciled in: auth,
// the open ones, teams.
func (l *roster) Sets() []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	names := make([]string, 0, len(l.sets))
	for name := range l.sets {
		names = append(names, name)
	}
	slices.SortFunc(names, compareSets)
	return names
}

// Set returns the members of a set, nil when the log has no such set. It grows
// with the log and is for reading only.
func (l *roster) Set(name string) *recon.Set {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.sets[name]
}

// LastSeq is the local sequence of the newest member, 0 in an empty log.
func (l *roster) LastSeq() uint64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.state.seq
}

// Counts returns how many members there are, and in which states.
func (l *roster) Counts() Counts {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.state.counts
}

// has reports whether item is a member of set, by what memory knows. Readers go
// by it, so that what a failed batch left on disk is not yet seen.
func (l *roster) has(set string, item recon.Item) bool {
	s := l.Set(set)
	return s != nil && s.Has(item)
}

// hidesLater reports whether a member whose chain is not known may stand above t.
func (l *roster) hidesLater(t tip) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return (t.unsure || t.seq == 0) && l.adrift > t.hlc
}

// begins notes that a batch is on its way to the disk, or no more.
func (l *roster) begins(storing bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.storing = storing
	if storing {
		l.commits++
	}
}

// each calls visit with every member that memory knows of.
func (l *roster) each(visit func(set string, it recon.Item)) {
	for _, name := range l.Sets() {
		var last recon.Item
		for {
			items := l.Set(name).After(last, 4096)
			if len(items) == 0 {
				break
			}
			for _, it := range items {
				visit(name, it)
			}
			last = items[len(items)-1]
		}
	}
}

// BySet sorts ids of members by the set that they are of; others are left out. It
// looks at every member, and goes by memory alone.
func (l *roster) BySet(ids []change.ID) map[string][]change.ID {
	want := make(map[change.ID]bool, len(ids))
	for _, id := range ids {
		want[id] = true
	}
	out := map[string][]change.ID{}
	l.each(func(set string, it recon.Item) {
		if want[it.ID] {
			out[set] = append(out[set], it.ID)
		}
	})
	return out
}

// Among returns the members of a set whose id is one of ids, or begins with one,
// by memory alone. It looks at every member: for when the index of ids is damaged.
func (l *roster) Among(set string, ids [][]byte) []recon.Item {
	s := l.Set(set)
	if s == nil {
		return nil
	}
	short, whole := map[[16]byte]bool{}, map[[32]byte]bool{}
	for _, id := range ids {
		switch len(id) {
		case 16:
			short[[16]byte(id)] = true
		case 32:
			whole[[32]byte(id)] = true
		}
	}
	var out []recon.Item
	var last recon.Item
	for {
		items := s.After(last, 4096)
		if len(items) == 0 {
			return out
		}
		for _, it := range items {
			if whole[it.ID] || short[[16]byte(it.ID[:16])] {
				out = append(out, it)
			}
		}
		last = items[len(items)-1]
	}
}
