package rights

import (
	"slices"

	"github.com/meshd/meshd/crdt/change"
)

// half is the first half of an id, by which the places of a chain are told
// apart. Less would let an author grind two ids that look alike and fork unseen.
type half = [16]byte

func halfOf(id change.ID) half { return half(id[:16]) }

// Chain is the members of one chain. A fork makes it a tree: the first branch
// that came is the trunk and the others hang off it, but no answer depends on
// which of them is which.
type Chain struct {
	Key    change.Chain
	at     []half        // the trunk, by place
	side   map[half]step // members off the trunk, nil for nearly all chains
	forked uint64        // lowest place at which two members stand, or 0
}

// step is a member off the trunk.
type step struct {
	seq  uint64
	prev half
}

// Forked is the lowest place at which two members stand, or 0.
func (c *Chain) Forked() uint64 { return c.forked }

// place puts a member in its place, and says whether it is new there and
// whether it forks the chain lower than it was forked before.
func (c *Chain) place(seq uint64, id, prev half) (fresh, forked bool) {
	n := uint64(len(c.at))
	if seq == n+1 && (n == 0 || c.at[n-1] == prev) {
		c.at = append(c.at, id)
		return true, false
	}
	if c.onTrunk(seq, id) {
		return false, false
	}
	if _, known := c.side[id]; known {
		return false, false
	}
	if c.side == nil {
		c.side = map[half]step{}
	}
	c.side[id] = step{seq, prev}
	if seq <= n && (c.forked == 0 || seq < c.forked) {
		c.forked = seq
		return true, true
	}
	return true, false
}

func (c *Chain) onTrunk(seq uint64, id half) bool {
	return seq >= 1 && seq <= uint64(len(c.at)) && c.at[seq-1] == id
}

// find is the place of a member; ok is false when it is not in the chain.
func (c *Chain) find(id half) (seq uint64, ok bool) {
	if s, off := c.side[id]; off {
		return s.seq, true
	}
	i := slices.Index(c.at, id)
	return uint64(i) + 1, i >= 0
}

// mark is a change that some cut names. It keeps that change and what lies
// below it in its chain: the trunk up to a place, and members off the trunk.
// While the change is not here it keeps nothing.
type mark struct {
	chain  *Chain // nil until the change is here
	trunk  uint64
	side   map[half]bool
	scopes Touched // whose changes the cuts that name it decide about
}

// settle finds what the mark keeps, which does not change any more: what lies
// below a member was here before it.
func (m *mark) settle(ch *Chain, seq uint64, id half) {
	m.chain = ch
	for !ch.onTrunk(seq, id) {
		st, ok := ch.side[id]
		if !ok {
			return // nothing of the trunk lies below it
		}
		if m.side == nil {
			m.side = map[half]bool{}
		}
		m.side[id] = true
		seq, id = st.seq-1, st.prev
	}
	m.trunk = seq
}

// keeps reports whether a member of a chain is at or below the mark.
func (m *mark) keeps(ch *Chain, seq uint64, id half) bool {
	switch {
	case m == nil || m.chain != ch:
		return false
	case ch.side == nil || ch.onTrunk(seq, id):
		return seq <= m.trunk
	}
	return m.side[id]
}

// Step is a member off the trunk of a forked chain, for a checkpoint.
type Step struct {
	ID, Prev [16]byte
	Seq      uint64
}

// Members are the members of a chain as Restore takes them back: the trunk by
// place, the others in no order. The slices must not be written to.
func (c *Chain) Members() (trunk [][16]byte, side []Step) {
	for id, st := range c.side {
		side = append(side, Step{id, st.prev, st.seq})
	}
	return c.at, side
}

// Restore puts a chain back as it was when Members told of it.
func (s *State) Restore(key change.Chain, trunk [][16]byte, side []Step, forked uint64) *Chain {
	ch := &Chain{Key: key, at: trunk, forked: forked}
	for _, st := range side {
		if ch.side == nil {
			ch.side = map[half]step{}
		}
		ch.side[st.ID] = step{st.Seq, st.Prev}
	}
	s.chains[key] = ch
	s.authors[key.Author] = append(s.authors[key.Author], ch)
	return ch
}
