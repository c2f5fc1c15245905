package effect

import (
	"slices"

	"github.com/meshd/meshd/crdt/change"
)

// Right is what a writer cites in one chain: the proof that a run of changes has
// in common. States are asked about a change by its Right and its place.
type Right struct {
	Data any // for the caller; nothing here reads it

	chain *Chain
	proof []change.ID
	cited use
	next  *Right // used in the chain before
	free  bool   // nothing limits it: every change stands
}

// Agent is for whom the changes are written.
func (r *Right) Agent() *Agent { return r.cited.agent }

// Chain is where they lie.
func (r *Right) Chain() *Chain { return r.chain }

// Proof is what they cite. It must not be written to.
func (r *Right) Proof() []change.ID { return r.proof }

// Free reports whether nothing limits the right at present, so that everything
// written with it has effect.
func (r *Right) Free() bool { return r.free }

// Right returns the right of changes that cite proof in a chain, always the same
// for the same. It is nil when proof names no identity that is here.
func (s *State) Right(ch *Chain, proof []change.ID) *Right {
	var last *Right
	for r := ch.uses; r != nil; r = r.next {
		if slices.Equal(r.proof, proof) {
			if last != nil { // the one in use stays in front
				last.next, r.next, ch.uses = r.next, ch.uses, r
			}
			return r
		}
		last = r
	}
	r := &Right{chain: ch, proof: slices.Clone(proof), next: ch.uses}
	if !s.cite(&r.cited, proof) {
		return nil
	}
	r.cited.chain = ch
	ch.uses = r
	s.Refresh(r)
	return r
}

// Refresh looks again whether anything limits a right that was touched.
func (s *State) Refresh(r *Right) {
	r.free = s.unlimited(&r.cited)
}

// Stands reports whether the change at a place of a right's chain has effect, as
// far as rights decide that.
func (s *State) Stands(r *Right, seq uint64, id change.ID) bool {
	return r.free || s.Judge(r, seq, id).OK
}

// Weighs reports whether it counts for more than content: it has effect, and no
// fork, or one that a cut has settled (wire §11).
func (s *State) Weighs(r *Right, seq uint64, id change.ID) bool {
	if r.free {
		return r.chain.forked == 0 || seq < r.chain.forked
	}
	v := s.Judge(r, seq, id)
	return v.OK && (v.Held || r.chain.forked == 0 || seq < r.chain.forked)
}

// Judge says whether the change at a place of a right's chain has effect, and
// why not.
func (s *State) Judge(r *Right, seq uint64, id change.ID) Verdict {
	if r.free {
		return fine
	}
	u := r.cited
	u.seq, u.id = seq, id
	return s.allowed(&u)
}

// Control judges a control change; ok is false when it is none that was applied.
func (s *State) Control(id change.ID) (v Verdict, ok bool) {
	n := s.nodes[id]
	if n == nil {
		return v, false
	}
	switch n.kind {
	case isRotate:
		return s.rotated(n), true
	case isGrant:
		if n.grant != nil {
			return s.granted(n), true
		}
	case isRevoke:
		if n.ends != nil {
			return s.ended(n), true
		}
	case isEndorse:
		v = s.allowed(&n.use)
		if v.OK && n.forks() && !v.Held {
			v = refuse(Forked, change.ID{})
		}
		return v, true
	}
	return s.allowed(&n.use), true
}

func (s *State) rotated(n *node) Verdict {
	a := n.agent
	if a.seatOf(n) >= 0 {
		return fine
	}
	at := a.seatOf(n.rotate.from)
	if at < 0 {
		return refuse(Replaced, n.rotate.from.id)
	}
	ends := a.line[at].ends
	switch {
	case slices.Contains(ends, n):
		return Verdict{Why: Contested, By: other(ends, n)}
	case len(ends) > 0:
		return refuse(Replaced, ends[0].id)
	}
	return refuse(NoRight, n.rotate.from.id)
}

func other(ns []*node, n *node) change.ID {
	for _, o := range ns {
		if o != n {
			return o.id
		}
	}
	return n.id
}

// ended judges a revoke: whether it ends its grant.
func (s *State) ended(n *node) Verdict {
	if s.stands(n, n.ends.target) || s.leaves(n, n.ends.target) {
		return fine
	}
	if v := s.allowed(&n.use); !v.OK {
		return v
	}
	return refuse(NoRight, n.ends.target.id)
}

// forks reports whether n lies on a fork.
func (n *node) forks() bool { return n.chain.forked != 0 && n.seq >= n.chain.forked }

// allowed judges a change by everything it cites.
func (s *State) allowed(u *use) Verdict {
	v := s.speaks(u)
	for _, n := range u.rights {
		if !v.OK {
			return v
		}
		v = v.and(s.with(u, n))
	}
	return v
}

// with judges a change by one right it cites.
func (s *State) with(u *use, n *node) Verdict {
	if n.kind == isOpen {
		return s.rooted(n)
	}
	if n.grant == nil {
		return refuse(NoRight, n.id)
	}
	return s.path(u, n)
}

// rooted judges what rests on the opening of a guild itself.
func (s *State) rooted(open *node) Verdict {
	if v := s.speaks(&open.use); !v.OK {
		return refuse(NoRight, open.id)
	}
	return fine
}

// speaks judges a change by its identity alone: whether its author speaks for
// the agent there.
func (s *State) speaks(u *use) Verdict {
	if u.record.kind == isGrant {
		return s.with(u, u.record)
	}
	a := u.agent
	if a.line == nil {
		return fine
	}
	at := a.seatOf(u.record)
	if at < 0 {
		return refuse(Replaced, u.record.id)
	}
	v := fine
	for _, end := range a.line[at].ends {
		switch {
		case end.rotate.cut.keeps(u):
			v.Held = true
		case s.takenBack(u, at):
		case a.contested && at == len(a.line)-1:
			return refuse(Contested, end.id)
		default:
			return refuse(Rotated, end.id)
		}
	}
	return v
}

// takenBack reports whether a later key of the line readmits a change.
func (s *State) takenBack(u *use, at int) bool {
	return slices.ContainsFunc(s.readmit[u.id], func(e *node) bool {
		if e.agent != u.agent || u.agent.seatOf(e.record) <= at {
			return false
		}
		s.forget()
		v, known := s.spoken[e] // without, endorses of endorses would double the work at each key
		if !known {
			v = s.speaks(&e.use)
			s.spoken[e] = v
		}
		return v.OK && (v.Held || !e.forks())
	})
}

// path judges a change by a grant: that the grant was given, that the change is
// inside its cuts, and the same of what the grant rests on.
func (s *State) path(u *use, g *node) Verdict {
	p := pathing{s: s, u: u}
	return p.through(g)
}

// pathing is the judgement of one change by what its rights rest on. Where grants
// have several parents it keeps what it found, since there may be many ways up.
type pathing struct {
	s    *State
	u    *use
	seen map[*node]Verdict
}

func (p *pathing) through(g *node) Verdict {
	if v, ok := p.seen[g]; ok {
		return v
	}
	v := p.toLeave(g)
	if v.OK {
		v = v.and(p.s.within(p.u, g, p.s.leaving(g), true))
	}
	if p.seen != nil {
		p.seen[g] = v
	}
	return v
}

// toLeave is through without the endings by who holds g: a holder who leaves twice
// is judged by those above alone.
func (p *pathing) toLeave(g *node) Verdict {
	if !p.s.granted(g).OK {
		return refuse(NoRight, g.id)
	}
	v := p.s.within(p.u, g, p.s.above(g), false)
	if !v.OK {
		return v
	}
	return v.and(p.up(g))
}

// up judges a change by what a grant of its path rests on.
func (p *pathing) up(g *node) Verdict {
	switch ps := g.grant.parents; len(ps) {
	case 0:
		if g.grant.root != nil {
			return p.s.rooted(g.grant.root)
		}
		if g.grant.realm.agent == nil {
			return refuse(NoRight, g.id) // rests on nothing: no member does
		}
		return fine
	case 1:
		return p.through(ps[0])
	default:
		if p.seen == nil {
			p.seen = map[*node]Verdict{}
		}
		return p.any(g)
	}
}

// any is up where there are several parents: one that is enough alone, and stands,
// is enough; else all of them are needed.
func (p *pathing) any(g *node) Verdict {
	var one Verdict
	all, some := fine, false
	for i, parent := range g.grant.parents {
		v := p.through(parent)
		all = all.and(v)
		if g.grant.alone[i] {
			if !some {
				one, some = v, true
			} else {
				one = one.or(v)
			}
		}
	}
	if some && one.OK {
		return one
	}
	return all
}

// granted judges a grant as a change: whether it was given. Cuts of the grant
// itself do not matter here.
func (s *State) granted(n *node) Verdict {
	g := n.grant
	if s.fresh(g)&knownGranted == 0 {
		v := s.speaks(&n.use)
		if v.OK {
			p := pathing{s: s, u: &n.use}
			v = v.and(p.up(n))
		}
		if v.OK && n.forks() && !v.Held {
			v = refuse(Forked, change.ID{})
		}
		s.fresh(g)
		g.granted, g.known = v, g.known|knownGranted
	}
	return g.granted
}

// fresh forgets the answers of another generation and returns which are known.
func (s *State) fresh(g *grant) uint8 {
	if g.gen != s.gen {
		g.gen, g.known = s.gen, 0
	}
	return g.known
}

// above are the endings of a grant by who stands above it.
func (s *State) above(n *node) []*ending {
	g := n.grant
	if len(g.endings) == 0 {
		return nil
	}
	if s.fresh(g)&knownAbove == 0 {
		var list []*ending
		for _, e := range g.endings {
			if s.stands(e.by, n) {
				list = append(list, e)
			}
		}
		s.fresh(g)
		g.above, g.known = list, g.known|knownAbove
	}
	return g.above
}

// leaving are the endings of a grant by nobody but who holds it.
func (s *State) leaving(n *node) []*ending {
	g := n.grant
	if len(g.endings) == 0 {
		return nil
	}
	if s.fresh(g)&knownLeaving == 0 {
		var list []*ending
		for _, e := range g.endings {
			if !s.stands(e.by, n) && s.leaves(e.by, n) {
				list = append(list, e)
			}
		}
		s.fresh(g)
		g.leaving, g.known = list, g.known|knownLeaving
	}
	return g.leaving
}

// within judges a change by some endings of a grant in its path. Who leaves ends
// what is written for the leaver alone: what the leaver granted before stands.
func (s *State) within(u *use, g *node, endings []*ending, leaving bool) Verdict {
	v := fine
	for _, e := range endings {
		switch {
		case leaving && !concerns(e, u):
		case e.cut.keeps(u):
			v.Held = true
		case s.readmitted(u, g):
		default:
			return refuse(Revoked, e.by.id)
		}
	}
	return v
}

// concerns reports whether a change was written by who leaves with e.
func concerns(e *ending, u *use) bool {
	if e.target.grant.realm.agent != nil {
		return u.chain.Key.Author == e.target.grant.Audience
	}
	return u.agent == e.by.agent
}

// readmitted reports whether somebody who may end g readmits a change.
func (s *State) readmitted(u *use, g *node) bool {
	return slices.ContainsFunc(s.readmit[u.id], func(e *node) bool { return e.kind == isEndorse && s.stands(e, g) })
}

// unlimited reports whether everything stands that cites the same.
func (s *State) unlimited(u *use) bool {
	if u.record.kind == isGrant {
		if !s.open(u.record, u) {
			return false
		}
	} else if a := u.agent; a.line != nil {
		if at := a.seatOf(u.record); at < 0 || len(a.line[at].ends) > 0 {
			return false
		}
	}
	for _, n := range u.rights {
		if n.kind == isOpen {
			if !s.rooted(n).OK {
				return false
			}
		} else if n.grant == nil || !s.open(n, u) {
			return false
		}
	}
	return true
}

// open reports whether no ending limits who writes by g, nor by what it rests on.
func (s *State) open(g *node, u *use) bool {
	if len(s.above(g)) > 0 || slices.ContainsFunc(s.leaving(g), func(e *ending) bool { return concerns(e, u) }) || !s.granted(g).OK {
		return false
	}
	switch ps := g.grant.parents; len(ps) {
	case 0:
		return true
	case 1:
		return s.open(ps[0], u)
	}
	return false // several ways up: each change is judged
}
