package rights

import (
	"slices"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// half is the first half of an id, by which the places of a chain are
// distinguished. Less would let an author grind two ids that look alike and fork unseen.
type half = [16]byte

func halfOf(id change.ID) half { return half(id[:16]) }

// Chain is the members of one chain. A fork makes it a tree: the first branch
// that came is the trunk and the others hang off it, but no answer depends on
// which of them is which. There is one for each place that anybody ever wrote in,
// so it keeps no more than it must.
type Chain struct {
	by   *author
	spot spot
	at   []half // the trunk, by place
	fork *fork  // nil for nearly all chains
}

// spot is where an author writes.
type spot struct {
	space change.Space
	lane  change.Lane
}

func spotOf(c change.Chain) spot { return spot{c.Space, c.Lane} }

// fork is what hangs off the trunk of a chain.
type fork struct {
	side map[half]step // members off the trunk
	from uint64        // lowest place at which two members stand, or 0
}

// fewChains is how many chains of an author are looked through one by one; those of
// who has more have an index.
const fewChains = 8

// author is what is known of a key: its chains, and the agents in whose line it ever
// was or tried to be.
type author struct {
	key    did.Key
	chains []*Chain
	index  map[spot]*Chain // nil up to fewChains
	agents []*Agent
}

func (a *author) chain(at spot) *Chain {
	switch {
	case a == nil:
		return nil
	case a.index != nil:
		return a.index[at]
	}
	for _, ch := range a.chains {
		if ch.spot == at {
			return ch
		}
	}
	return nil
}

// begin adds a chain where the author has none.
func (a *author) begin(at spot) *Chain {
	ch := &Chain{by: a, spot: at}
	a.chains = append(a.chains, ch)
	switch {
	case a.index != nil:
		a.index[at] = ch
	case len(a.chains) > fewChains:
		a.index = make(map[spot]*Chain, 2*fewChains)
		for _, ch := range a.chains {
			a.index[ch.spot] = ch
		}
	}
	return ch
}

// authorOf is what is known of a key, from now on if nothing was.
func (s *registry) authorOf(k did.Key) *author {
	a := s.authors[k]
	if a == nil {
		a = &author{key: k}
		s.authors[k] = a
	}
	return a
}

// Key names the chain.
func (c *Chain) Key() change.Chain {
	return change.Chain{Author: c.by.key, Space: c.spot.space, Lane: c.spot.lane}
}

// step is a member off the trunk.
type step struct {
	seq  uint64
	prev half
}

// Forked is the lowest place at which two members stand, or 0.
func (c *Chain) Forked() uint64 {
	if c.fork == nil {
		return 0
	}
	return c.fork.from
}

// off finds a member off the trunk.
func (c *Chain) off(id half) (st step, ok bool) {
	if c.fork != nil {
		st, ok = c.fork.side[id]
	}
	return st, ok
}

// hang adds a member off the trunk.
func (c *Chain) hang(id half, st step) {
	if c.fork == nil {
		c.fork = &fork{side: map[half]step{}}
	}
	c.fork.side[id] = st
}

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
	if _, known := c.off(id); known {
		return false, false
	}
	c.hang(id, step{seq, prev})
	if seq <= n && (c.fork.from == 0 || seq < c.fork.from) {
		c.fork.from = seq
		return true, true
	}
	return true, false
}

func (c *Chain) onTrunk(seq uint64, id half) bool {
	return seq >= 1 && seq <= uint64(len(c.at)) && c.at[seq-1] == id
}

// find is the place of a member; ok is false when it is not in the chain.
func (c *Chain) find(id half) (seq uint64, ok bool) {
	if st, off := c.off(id); off {
		return st.seq, true
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
		st, ok := ch.off(id)
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
	case ch.fork == nil || ch.onTrunk(seq, id):
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
	if c.fork != nil {
		for id, st := range c.fork.side {
			side = append(side, Step{id, st.prev, st.seq})
		}
	}
	return c.at, side
}

// Restore puts a chain back as it was when Members listed it.
func (s *registry) Restore(key change.Chain, trunk [][16]byte, side []Step, forked uint64) *Chain {
	ch := s.authorOf(key.Author).begin(spotOf(key))
	ch.at = trunk
	if len(side) > 0 || forked != 0 {
		ch.fork = &fork{side: make(map[half]step, len(side)), from: forked}
	}
	for _, st := range side {
		ch.hang(st.ID, step{st.Seq, st.Prev})
	}
	return ch
}
