package effect

import (
	"slices"

	"github.com/meshd/meshd/crdt/change"
)

// Branch is a member of a chain off its trunk, by the first halves of ids.
type Branch struct {
	Seq      uint64
	ID, Prev [16]byte
}

// Members are the places of a chain: its trunk from 1 on, and what lies off it by
// (place, id). AddChain makes the same chain of them.
func (c *Chain) Members() (trunk [][16]byte, off []Branch) {
	trunk = make([][16]byte, len(c.at))
	for i, h := range c.at {
		trunk[i] = h
	}
	for id, st := range c.side {
		off = append(off, Branch{st.seq, id, st.prev})
	}
	slices.SortFunc(off, func(a, b Branch) int {
		if a.Seq != b.Seq {
			if a.Seq < b.Seq {
				return -1
			}
			return 1
		}
		return slices.Compare(a.ID[:], b.ID[:])
	})
	return trunk, off
}

// Rights calls yield for the rights used in the chain, in no order.
func (c *Chain) Rights(yield func(*Right) bool) {
	for r := c.uses; r != nil; r = r.next {
		if !yield(r) {
			return
		}
	}
}

// AddChain puts a whole chain in, of which no member was placed before, and before
// any change that refers to it is applied. It is nil when there is one already.
func (s *State) AddChain(key change.Chain, trunk [][16]byte, off []Branch) *Chain {
	if s.chains[key] != nil {
		return nil
	}
	ch := s.chain(key)
	ch.at = make([]half, len(trunk))
	for i, h := range trunk {
		ch.at[i] = h
	}
	for _, b := range off {
		ch.place(b.Seq, b.ID, b.Prev)
	}
	return ch
}

// Records are what was applied, by (hlc, id), which is an order in which it can be
// applied again. They share memory with the State and must not be written to.
func (s *State) Records() []Record {
	all := make([]*node, 0, len(s.nodes))
	for _, n := range s.nodes {
		all = append(all, n)
	}
	slices.SortFunc(all, func(a, b *node) int {
		if before(a, b) {
			return -1
		}
		return 1
	})
	out := make([]Record, len(all))
	for i, n := range all {
		r := Record{ID: n.id, Kind: kinds[n.kind], Chain: n.chain.Key, Seq: n.seq, HLC: n.hlc, Proof: n.proof, Birth: n.birth, Readmits: n.ids, Open: n.open}
		if n.rotate != nil {
			r.Rotate = &n.rotate.Rotate
		}
		if n.grant != nil {
			r.Grant = &n.grant.Grant
		}
		if n.ends != nil {
			r.End = &n.ends.End
		}
		out[i] = r
	}
	return out
}
