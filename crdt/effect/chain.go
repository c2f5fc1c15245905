package effect

import (
	"slices"

	"github.com/meshd/meshd/crdt/change"
)

// half is the first half of an id, by which the places of a chain are told
// apart. Less would let an author grind two ids that look alike and fork unseen.
type half [16]byte

func halfOf(id change.ID) half { return half(id[:16]) }

// Chain is the members of one chain. A fork makes it a tree: the first branch
// that came is the trunk and the others hang off it, but no answer depends on
// which of them is which.
type Chain struct {
	Key    change.Chain
	at     []half        // the trunk, by place
	side   map[half]step // members off the trunk, nil for nearly all chains
	forked uint64        // lowest place at which two members stand, or 0
	uses   *Right        // the rights used in it, the last used first
	nodes  []*node       // the control changes in it, but for births
	next   *Chain        // of the same author
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
	chain *Chain // nil until the change is here
	trunk uint64
	side  map[half]bool
}

// mark returns the mark of a change that a cut names for a chain.
func (s *State) mark(id change.ID, key change.Chain) *mark {
	m := s.marks[id]
	if m == nil {
		m = &mark{}
		s.marks[id] = m
	}
	if ch := s.chains[key]; m.chain == nil && ch != nil {
		if seq, ok := ch.find(halfOf(id)); ok {
			m.settle(ch, seq, halfOf(id))
		}
	}
	return m
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

// limits are what a cut keeps, by chain.
type limits map[change.Chain]*mark

func (l limits) keeps(u *use) bool {
	return l[u.chain.Key].keeps(u.chain, u.seq, halfOf(u.id))
}

// Placed is what Place found.
type Placed struct {
	Chain   *Chain
	Forked  bool    // the chain is forked at a lower place than before, or for the first time
	Touched Touched // whose changes must be judged again
}

// Place puts a member, with its body or without, into its chain. Its prev must
// have been placed before. Placing a change twice changes nothing.
func (s *State) Place(h *change.Head, id change.ID) Placed {
	key := h.Chain()
	ch := s.chains[key]
	if ch == nil {
		ch = s.chain(key)
	}
	fresh, forked := ch.place(h.Seq, halfOf(id), halfOf(h.Prev))
	p := Placed{Chain: ch, Forked: forked}
	if len(s.marks) > 0 && fresh {
		if m := s.marks[id]; m != nil && m.chain == nil {
			m.settle(ch, h.Seq, halfOf(id))
			p.Touched.chain(ch)
			if a := s.agents[agentOf(key.Space)]; a != nil && len(a.rotations) > 0 {
				p.Touched.line(a) // the cut of a rotation may name a branch of the genesis
			}
		}
	}
	if forked && key.Lane == change.Control { // content keeps its effect on both branches
		p.Touched.chain(ch)
	}
	s.spread(&p.Touched)
	return p
}

// Chain returns a chain, or nil when it has no members.
func (s *State) Chain(key change.Chain) *Chain { return s.chains[key] }

// Chains calls yield for each chain that has members, in no order.
func (s *State) Chains(yield func(*Chain) bool) {
	for _, ch := range s.chains {
		if !yield(ch) {
			return
		}
	}
}

func (s *State) chain(key change.Chain) *Chain {
	ch := &Chain{Key: key, next: s.authors[key.Author]}
	s.chains[key], s.authors[key.Author] = ch, ch
	return ch
}

// agentOf is the agent whose space it is, or no agent.
func agentOf(space change.Space) change.AgentID {
	id, _ := space.Agent()
	return id
}
