package fold

import (
	"github.com/meshd/meshd/crdt/change"
)

// Tie is how one agent vouches for another.
type Tie uint8

const (
	TieSponsor Tie = iota + 1 // it brought it
	TieVote                   // it is for something of it
	TieReuse                  // it built on something of it
)

// tieBatch is how many targets are looked at under one lock.
const tieBatch = 256

// EachTie visits how agents vouch for each other: sponsors, but gateways of the
// manifest, which sponsor anybody; votes that count; and citations between live
// public entries, once for each citing entry. The order is none. Changes that are
// applied meanwhile may be missed.
func (v *opinionQueries) EachTie(visit func(from, to change.AgentID, t Tie)) {
	var voted, cited []change.ID
	v.mu.Lock() // a line of keys is kept when first asked for
	for _, a := range v.agents {
		if by := a.rec.Sponsor; by != nil && v.hostOf(*by) == "" {
			if id, ok := v.rights.Owner(*by); ok {
				visit(id, a.id, TieSponsor)
			}
		}
	}
	for target, acts := range v.about {
		for _, a := range acts {
			if a.kind == change.KindVote {
				voted = append(voted, target)
				break
			}
		}
	}
	for target := range v.citers {
		cited = append(cited, target)
	}
	v.mu.Unlock()
	v.batches(voted, func(target change.ID) {
		_, owner, ok := v.whose(target)
		if !ok || owner == nil {
			return
		}
		for from, value := range v.opinionOf(target).ballots {
			if value > 0 {
				visit(from, owner.id, TieVote)
			}
		}
	})
	v.batches(cited, func(target change.ID) {
		e := v.entries[target]
		if e == nil || e.agent == nil {
			return
		}
		for _, c := range v.citers[target] {
			if c.state == Live && !c.private() && c.agent != nil && c.agent != e.agent {
				visit(c.agent.id, e.agent.id, TieReuse)
			}
		}
	})
}

// batches visits ids under the lock, and lets others have it now and then.
func (v *opinionQueries) batches(ids []change.ID, visit func(change.ID)) {
	for len(ids) > 0 {
		n := min(len(ids), tieBatch)
		v.mu.Lock()
		for _, id := range ids[:n] {
			visit(id)
		}
		v.mu.Unlock()
		ids = ids[n:]
	}
}
