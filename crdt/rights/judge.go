package rights

import (
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
)

// judgement is which changes have effect, with the answers that are kept.
type judgement struct {
	*registry
	*lines
	endings  map[change.ID][]*record  // revokes and closing grants, by grant
	readmits map[change.ID][]*record  // endorses, by the change they take back in
	memo     map[[2]change.ID]Verdict // of control changes under grants
	spoken   map[*record]bool         // endorses, whether their identity and place are valid
	judged   change.ID                // a content change, and what was said of it under grants
	here     map[change.ID]Verdict
	ended    map[change.ID][]ending // endings that count, by grant
}

func newJudgement(placed *registry, keys *lines) judgement {
	return judgement{
		registry: placed, lines: keys, endings: map[change.ID][]*record{}, readmits: map[change.ID][]*record{}, memo: map[[2]change.ID]Verdict{},
		spoken: map[*record]bool{}, here: map[change.ID]Verdict{}, ended: map[change.ID][]ending{},
	}
}

// Judge says whether a change has effect, as far as rights decide it. A genesis
// always has; whether a rotation is valid is asked of its agent's line.
func (s *judgement) Judge(u Use) Verdict {
	if r := s.records[u.ID]; r != nil {
		switch r.kind {
		case change.KindRotate:
			if a := s.agents[r.agent]; a != nil && find(s.settled(a), r) > 0 {
				return fine
			}
			return refuse(Replaced, change.ID{})
		case change.KindGrant:
			return s.stands(r)
		case change.KindEndorse:
			v := s.rights(&u)
			if v.OK && s.void(&u, v) {
				return refuse(Forked, change.ID{})
			}
			return v
		}
	}
	return s.rights(&u)
}

// rights judges a change by its identity and by the right it names.
func (s *judgement) rights(u *Use) Verdict {
	v := s.identity(u)
	if v.OK && !u.Right.IsZero() {
		v = v.and(s.right(u, u.Right))
	}
	return v
}

func (s *judgement) identity(u *Use) Verdict {
	if u.Identity.IsZero() {
		return fine
	}
	id := s.records[u.Identity]
	switch {
	case id == nil:
		return refuse(NoRight, u.Identity)
	case id.grant != nil:
		return s.under(u, id)
	}
	return s.byLine(u, id)
}

// right judges a change under one right of a guild: its opening by the founder,
// or a grant.
func (s *judgement) right(u *Use, id change.ID) Verdict {
	r := s.records[id]
	switch {
	case r == nil:
		return refuse(NoRight, id)
	case r.kind == change.KindGuildOpen:
		if !s.identity(&r.use).OK {
			return refuse(NoRight, id)
		}
		return fine // the founder is for good; its keys are judged by identity
	case r.grant == nil:
		return refuse(NoRight, id)
	}
	return s.under(u, r)
}

// under judges a change that was written with a grant: the grant stands, the
// change is inside every cut of it, and it is so along a path of parents.
func (s *judgement) under(u *Use, g *record) Verdict {
	key := [2]change.ID{u.ID, g.use.ID}
	control := s.records[u.ID] != nil
	if control {
		if v, ok := s.memo[key]; ok {
			return v
		}
	} else {
		// Grants with several parents may be reached in many ways.
		if s.judged != u.ID {
			s.judged = u.ID
			clear(s.here)
		}
		if v, ok := s.here[g.use.ID]; ok {
			return v
		}
	}
	v := s.stands(g)
	if v.OK {
		v.Held = false
		v = v.and(s.inside(u, g)).and(s.above(u, g))
	} else {
		v = refuse(NoRight, g.use.ID)
	}
	if control {
		s.memo[key] = v
	} else {
		s.here[g.use.ID] = v
	}
	return v
}

// above judges a change under a grant by the parents of the grant alone.
func (s *judgement) above(u *Use, g *record) Verdict {
	if len(g.grant.Parents) == 0 {
		return fine
	}
	return s.paths(g, func(p *record) Verdict { return s.under(u, p) })
}

// paths asks of each parent of a grant, and is fine when those that are cover
// what the grant gives.
func (s *registry) paths(g *record, ask func(*record) Verdict) Verdict {
	out := fine
	var alive []*record
	var dead Verdict
	for _, id := range g.grant.Parents {
		p := s.records[id]
		if p == nil {
			dead = refuse(NoRight, id)
			continue
		}
		if v := ask(p); v.OK {
			alive = append(alive, p)
			out.Held = out.Held || v.Held
		} else if dead.Why == None {
			dead = v
		}
	}
	switch {
	case len(alive) == len(g.grant.Parents):
		return out
	case covered(g.grant.caps, alive):
		return out
	}
	return dead
}

// stands judges a grant as a change of its own.
func (s *judgement) stands(g *record) Verdict {
	key := [2]change.ID{g.use.ID, g.use.ID}
	if v, ok := s.memo[key]; ok {
		return v
	}
	u := &g.use
	v := s.identity(u)
	if v.OK && g.space.Area() != change.AreaAgent {
		if len(g.grant.Parents) > 0 {
			v = v.and(s.paths(g, func(p *record) Verdict { return s.under(u, p) }))
		} else if !u.Right.IsZero() {
			v = v.and(s.right(u, u.Right))
		}
	}
	if v.OK && s.void(u, v) {
		v = refuse(Forked, change.ID{})
	}
	s.memo[key] = v
	return v
}

// ending is what ends a grant, and counts.
type ending struct {
	by   change.ID
	cuts body.Cuts
}

// inside judges a change by the cuts of one grant.
func (s *judgement) inside(u *Use, g *record) Verdict {
	v := fine
	for _, e := range s.ends(g) {
		if s.keeps(e.cuts[u.author()], u) {
			v.Held = true
			continue
		}
		if s.readmitted(u, g) {
			continue
		}
		return refuse(Revoked, e.by)
	}
	return v
}

// ends are the endings of a grant that count.
func (s *judgement) ends(g *record) []ending {
	if len(s.endings[g.use.ID]) == 0 {
		return nil
	}
	if out, ok := s.ended[g.use.ID]; ok {
		return out
	}
	out := []ending{}
	for _, e := range s.endings[g.use.ID] {
		if s.mayEnd(e, g, true) {
			out = append(out, ending{e.use.ID, e.cuts})
		}
	}
	s.ended[g.use.ID] = out
	return out
}

// readmitted reports whether an endorse that has effect takes a change back into
// the cuts of a grant. For a grant of an agent only the identity of the endorse is
// asked, as for the cut of a rotation: a right in a guild lies below, and may rest
// on the very change that is taken back.
func (s *judgement) readmitted(u *Use, g *record) bool {
	_, own := g.space.Agent()
	for _, e := range s.readmits[u.ID] {
		if !s.mayEnd(e, g, false) {
			continue
		}
		v := s.identity(&e.use)
		if !own {
			v = s.rights(&e.use)
		}
		if s.counts(&e.use, v) {
			return true
		}
	}
	return false
}

// mayEnd reports whether a revoke, a closing grant or an endorse stands above a
// grant and has effect (wire §10). It looks only at what lies above the grant in
// the order of strata. The holder may end its own, but not take itself back in.
func (s *judgement) mayEnd(e, g *record, leaving bool) bool {
	u := &e.use
	if e.grant != nil && slices.Contains(s.ancestors(e), g.use.ID) {
		return false // given under it: it would end itself
	}
	if leaving && s.isFor(e.agent, g) || leaving && u.Identity == g.use.ID {
		// Its own end: judged by what lies above it and by who else ends it, so that
		// who was removed does not take back what the removal has left.
		if !s.mayEnd(e, g, false) && !s.insideOthers(u, g) {
			return false
		}
		if u.Identity == g.use.ID {
			return s.above(u, g).OK
		}
		return s.identity(u).OK && s.stands(g).OK && s.above(u, g).OK && (u.Right.IsZero() || u.Right == g.use.ID || s.higher(u, e.agent, g))
	}
	if own, ok := g.space.Agent(); ok {
		id := s.records[u.Identity]
		switch {
		case e.agent != own || id == nil:
			return false
		case id.grant == nil:
			return s.byLine(u, id).OK
		}
		return slices.Contains(s.ancestors(g), u.Identity) && s.under(u, id).OK
	}
	if !s.identity(u).OK {
		return false
	}
	r := s.records[u.Right]
	if r == nil {
		return false
	}
	if r.kind == change.KindGuildOpen {
		return r.agent == e.agent && slices.Contains(g.grant.tops, u.Right) && s.right(u, u.Right).OK
	}
	// In a public space membership does not ask whose right a revoke or an endorse
	// names.
	if r.grant == nil || !s.isFor(e.agent, r) || !isAbove(r.grant, g.grant) || !s.under(u, r).OK {
		return false
	}
	return r.grant.rank > g.grant.rank || s.gave(e.agent, g)
}

// higher reports whether the right that a change of an agent names is the agent's,
// lies above a grant, and is valid.
func (s *judgement) higher(u *Use, agent change.AgentID, g *record) bool {
	r := s.records[u.Right]
	if r == nil || r.grant == nil {
		return r != nil && r.kind == change.KindGuildOpen && r.agent == agent && slices.Contains(g.grant.tops, u.Right)
	}
	return s.isFor(agent, r) && isAbove(r.grant, g.grant) && s.under(u, r).OK
}

// isAbove is the order of grants that rest on the same opening: by role, then by
// depth.
func isAbove(a, b *Grant) bool {
	for _, top := range b.tops {
		if !slices.Contains(a.tops, top) {
			return false
		}
	}
	return a.rank > b.rank || a.rank == b.rank && a.depth < b.depth
}

// gave reports whether an agent issued a grant or one that it rests on.
func (s *registry) gave(agent change.AgentID, g *record) bool {
	if g.grant.Agent == agent {
		return true
	}
	for _, id := range s.ancestors(g) {
		if p := s.records[id]; p != nil && p.grant.Agent == agent {
			return true
		}
	}
	return false
}

// ancestors are the grants that one rests on, all the way up.
func (s *registry) ancestors(g *record) []change.ID {
	var out []change.ID
	for queue := slices.Clone(g.grant.Parents); len(queue) > 0; queue = queue[1:] {
		id := queue[0]
		p := s.records[id]
		if slices.Contains(out, id) || p == nil || p.grant == nil {
			continue
		}
		out = append(out, id)
		queue = append(queue, p.grant.Parents...)
	}
	return out
}

// isFor reports whether a grant in a guild is for a key of an agent.
func (s *lines) isFor(agent change.AgentID, g *record) bool {
	if _, own := g.space.Agent(); own || agent.IsZero() {
		return false
	}
	a := s.agents[agent]
	return a != nil && s.has(a, g.grant.Audience)
}

// insideOthers judges who leaves by the cuts of those who end the same grant from
// above.
func (s *judgement) insideOthers(u *Use, g *record) bool {
	for _, e := range s.endings[g.use.ID] {
		if s.mayEnd(e, g, false) && !s.keeps(e.cuts[u.author()], u) && !s.readmitted(u, g) {
			return false
		}
	}
	return true
}

// covered reports whether some grants together give capabilities, each
// by one of them, with caveats that are no wider.
func covered(caps []v0.Cap, by []*record) bool {
	for _, c := range caps {
		held := slices.ContainsFunc(by, func(p *record) bool {
			return slices.ContainsFunc(p.grant.caps, func(q v0.Cap) bool {
				return ucan.Contains(q.With, c.With) && ucan.Covers(q.With, q.Can, c.Can) && narrower(c.Caveats, q.Caveats)
			})
		})
		if !held {
			return false
		}
	}
	return true
}
