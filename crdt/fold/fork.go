package fold

import "github.com/meshd/meshd/crdt/change"

// Forked reports whether two changes stand at one place of the chain, and the
// lowest such place.
func (v *rightQueries) Forked(key change.Chain) (seq uint64, forked bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if ch := v.rights.Chain(key); ch != nil && ch.Forked() != 0 {
		return ch.Forked(), true
	}
	return 0, false
}

// Forks are all forked chains with their lowest forked place, in no order.
func (v *rightQueries) Forks() map[change.Chain]uint64 {
	v.mu.RLock()
	defer v.mu.RUnlock()
	out := map[change.Chain]uint64{}
	for ch := range v.rights.AllChains {
		if ch.Forked() != 0 {
			out[ch.Key()] = ch.Forked()
		}
	}
	return out
}

// weightless reports whether an entry counts for nothing but content: it lies on a
// fork that no cut has settled (wire §11).
func (v *rightFold) weightless(e *entry) bool {
	forked := e.authority.chain.Forked()
	return forked != 0 && e.seq >= forked && !v.rights.Judge(e.authority.use(e.id, e.seq)).Held
}

// forkChanged makes counts that rest on a chain be counted anew.
func (v *reputationFold) forkChanged(key change.Chain) {
	if id, ok := v.rights.Owner(key.Author); ok && v.agents[id] != nil {
		v.agents[id].counted = unknownCount
	}
	v.recountAll() // a gateway's or labeler's counts may have lost their weight
}
