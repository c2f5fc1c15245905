package effect

import (
	"bytes"
	"iter"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// Agent is the line of keys of one agent.
type Agent struct {
	ID   change.AgentID
	Data any // for the caller; nothing here reads it

	births    []*node // every genesis: more than one is a fork
	rotations []*node
	line      []seat // nil as long as there are no rotations
	power     power  // at the end of the line
	contested bool
	devices   *realm   // grants in the agent's own space
	acts      []*realm // where control changes were written for it
}

// seat is one key in a line.
type seat struct {
	key     did.Key
	records []*node // what makes it the acting key: the births, or rotations that agree
	ends    []*node // the rotations that ended it
}

// power is what outranks an acting key: what every branch of a genesis names,
// and what only some do.
type power struct {
	controllers []string
	next        []byte
	disputed    []*Birth
}

func (s *State) agent(id change.AgentID) *Agent {
	a := s.agents[id]
	if a == nil {
		a = &Agent{ID: id}
		s.agents[id] = a
	}
	return a
}

func (s *State) applyBind(n *node, t *Touched) {
	if n.seq != 1 {
		t.agent(n.agent)
		return
	}
	a := n.agent
	a.births = append(a.births, n)
	slices.SortFunc(a.births, func(x, y *node) int {
		if before(x, y) {
			return -1
		}
		return 1
	})
	t.agent(a)
	if len(a.births) == 1 && len(a.rotations) == 0 && len(s.held[n.chain.Key.Author]) == 0 {
		a.power = powerOf(a.births)
		return
	}
	t.line(a)
	s.spread(t)
}

func (s *State) applyRotate(n *node, r *Rotate, t *Touched) {
	a, key := n.agent, n.chain.Key.Author
	n.rotate = &rotation{Rotate: *r, from: s.nodes[n.proof[0]].record, cut: s.limits(r.Old, r.Cut)}
	a.rotations = append(a.rotations, n)
	if !slices.Contains(s.seats[key], a) {
		s.seats[key] = append(s.seats[key], a)
	}
	t.line(a)
	s.spread(t)
}

// powerOf is what a genesis says of what outranks its key, in all its branches.
func powerOf(births []*node) power {
	none := &Birth{}
	said := func(n *node) *Birth {
		if n.birth == nil {
			return none
		}
		return n.birth
	}
	var p power
	for i, n := range births {
		b := said(n)
		if i == 0 {
			p.controllers, p.next = b.Controllers, b.Next
			continue
		}
		p.controllers = both(p.controllers, b.Controllers)
		if !bytes.Equal(p.next, b.Next) {
			p.next = nil
		}
	}
	if len(births) > 1 {
		for _, n := range births {
			p.disputed = append(p.disputed, said(n))
		}
	}
	return p
}

func both(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(c string) bool { return !slices.Contains(b, c) })
}

// Ranks of a rotation. They are those of its consent but for rankDisputed: a
// controller that only some branches of a forked genesis name may stop the key
// that signed them all, and may not take the agent over. So the thief of an
// acting key gains nothing by forking the genesis, neither to name a controller
// nor to unname one.
const (
	rankNone     = 2 * body.RankNone
	rankActing   = 2 * body.RankActing
	rankDisputed = 2*body.RankActing + 1
)

func (p *power) rank(r *rotation) int {
	v := body.Rotate{Old: r.Old}
	v.By.Key = r.By
	rank := v.Rank(p.controllers, p.next)
	if rank <= body.RankActing {
		for _, b := range p.disputed {
			if v.Rank(b.Controllers, b.Next) > body.RankActing {
				return rankDisputed
			}
		}
	}
	return 2 * rank
}

// after is the power that rotations leave which agree on the new key. Where they
// differ only what all of them say stands.
func (p power) after(rank int, rs []*node) power {
	var out power
	for i, n := range rs {
		q := p.afterOne(rank, n.rotate)
		if i == 0 {
			out = q
			continue
		}
		out.controllers = both(out.controllers, q.controllers)
		if !bytes.Equal(out.next, q.next) {
			out.next = nil
		}
		out.disputed = p.disputed
	}
	return out
}

func (p power) afterOne(rank int, r *rotation) power {
	highest := 2 * body.HighestRank(p.controllers, p.next)
	if r.HasControllers && rank >= highest {
		p.controllers = r.Controllers
		p.disputed = nil
	}
	switch {
	case r.Next != nil && (rank > rankActing || highest == rankActing):
		p.next = r.Next
	case rank == 2*body.RankRecovery:
		p.next = nil // it was used, and is used once
	}
	return p
}

// realign computes an agent's line of keys from its births and rotations.
func (s *State) realign(a *Agent) {
	s.gen++
	p := powerOf(a.births)
	a.line, a.contested, a.power = nil, false, p
	if len(a.rotations) == 0 || len(a.births) == 0 {
		return
	}
	at := seat{key: a.births[0].chain.Key.Author, records: a.births}
	for {
		winners, rank := a.winners(&at, &p)
		at.ends = winners
		a.line = append(a.line, at)
		if len(winners) == 0 {
			break
		}
		next := winners[0].chain.Key.Author
		if rank == rankDisputed || slices.ContainsFunc(winners, func(n *node) bool { return n.chain.Key.Author != next }) {
			a.contested = true
			break
		}
		if len(a.line) == 1 {
			if kept := a.kept(winners); len(kept) > 0 {
				p = powerOf(kept)
			}
		}
		p = p.after(rank, winners)
		at = seat{key: next, records: winners}
	}
	a.power = p
}

// winners are the rotations of a key that have the highest rank, and that rank.
// They rest on what made it the acting key, and lead to no key that was one.
func (a *Agent) winners(at *seat, p *power) (winners []*node, rank int) {
	for _, n := range a.rotations {
		r := n.rotate
		if r.Old != at.key || !slices.Contains(at.records, r.from) || a.seat(n.chain.Key.Author) >= 0 || n.chain.Key.Author == at.key {
			continue
		}
		switch q := p.rank(r); {
		case q == rankNone || q < rank:
		case q > rank:
			winners, rank = []*node{n}, q
		default:
			winners = append(winners, n)
		}
	}
	slices.SortFunc(winners, func(x, y *node) int { return x.id.Compare(y.id) })
	return winners, rank
}

// kept are the births that the cuts of all of these rotations keep.
func (a *Agent) kept(rs []*node) []*node {
	var out []*node
	for _, b := range a.births {
		if !slices.ContainsFunc(rs, func(n *node) bool { return !n.rotate.cut.keeps(&b.use) }) {
			out = append(out, b)
		}
	}
	return out
}

// seat is the place of a key in the line, or -1.
func (a *Agent) seat(k did.Key) int {
	return slices.IndexFunc(a.line, func(s seat) bool { return s.key == k })
}

// seatOf is the place in the line of what made a key the acting key, or -1.
func (a *Agent) seatOf(record *node) int {
	return slices.IndexFunc(a.line, func(s seat) bool { return slices.Contains(s.records, record) })
}

// has reports whether a key is or was the acting key.
func (a *Agent) has(k did.Key) bool {
	if a.line == nil {
		return len(a.births) > 0 && a.births[0].chain.Key.Author == k
	}
	return a.seat(k) >= 0
}

// keys are all keys that may have written for the agent, some of them perhaps
// twice.
func (a *Agent) keys() iter.Seq[did.Key] {
	return func(yield func(did.Key) bool) {
		if len(a.births) > 0 && !yield(a.births[0].chain.Key.Author) {
			return
		}
		for _, r := range a.rotations {
			if !yield(r.chain.Key.Author) {
				return
			}
		}
		if a.devices == nil {
			return
		}
		for _, g := range a.devices.grants {
			if !yield(g.grant.Audience) {
				return
			}
		}
	}
}

// Key is the acting key in force: the end of the line.
func (a *Agent) Key() did.Key {
	if n := len(a.line); n > 0 {
		return a.line[n-1].key
	}
	if len(a.births) == 0 {
		return did.Key{}
	}
	return a.births[0].chain.Key.Author
}

// Identity is what the acting key names as its identity: the genesis, or the
// rotation that made it the acting key.
func (a *Agent) Identity() change.ID {
	if n := len(a.line); n > 0 {
		return a.line[n-1].records[0].id
	}
	if len(a.births) == 0 {
		return change.ID{}
	}
	return a.births[0].id
}

// Controllers are the DIDs that outrank the acting key, and Next is the hash of
// the recovery key, nil without one. They must not be written to.
func (a *Agent) Controllers() []string { return a.power.controllers }

// Next is the hash of the recovery key, nil without one.
func (a *Agent) Next() []byte { return a.power.next }

// Contested reports whether rotations dispute the acting key: it keeps only what
// all of them keep, until one of a higher rank decides.
func (a *Agent) Contested() bool { return a.contested }

// Seat is one key in an agent's line.
type Seat struct {
	Key    did.Key
	Record change.ID   // the genesis or the rotation that made it the acting key
	HLC    uint64      // of that change
	Ends   []change.ID // the rotations that ended it, none for the last key unless it is contested
}

// Line are the keys of an agent, the genesis key first, the acting key last.
func (a *Agent) Line() []Seat {
	line := a.line
	if line == nil && len(a.births) > 0 {
		line = []seat{{key: a.Key(), records: a.births}}
	}
	out := make([]Seat, len(line))
	for i, at := range line {
		out[i] = Seat{Key: at.key, Record: at.records[0].id, HLC: at.records[0].hlc}
		for _, e := range at.ends {
			out[i].Ends = append(out[i].Ends, e.id)
		}
	}
	return out
}

// Agent returns an agent whose genesis is here, or nil.
func (s *State) Agent(id change.AgentID) *Agent {
	if a := s.agents[id]; a != nil && len(a.births) > 0 {
		return a
	}
	return nil
}

// AgentOf is the agent that has a key in its line, or nil. Of several, which only
// a key does that one person uses twice, it is the one the key was born as, else
// the one with the smallest id.
func (s *State) AgentOf(k did.Key) *Agent {
	var best *Agent
	for _, a := range s.seats[k] {
		if a.has(k) && (best == nil || bytes.Compare(a.ID[:], best.ID[:]) < 0) {
			best = a
		}
	}
	if a := s.Agent(change.DeriveAgent(s.net, k)); a != nil {
		return a
	}
	return best
}
