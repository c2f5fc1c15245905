package effect

import "slices"

// ground is why a control change may end a grant, or readmit what was written
// beyond its end.
type ground uint8

const (
	groundNone    ground = iota
	groundAbove          // its author stands above the grant
	groundLeaving        // its author holds the grant, and may end it for itself alone
	groundBusy           // being looked for
)

type pair struct{ by, grant *node }

// forget drops the answers of an older generation.
func (s *State) forget() {
	if s.kept != s.gen {
		clear(s.grounds)
		clear(s.spoken)
		s.kept = s.gen
	}
}

// ground is the ground on which n ends the grant g or readmits. It rests on rights
// strictly above g alone, but for groundLeaving.
func (s *State) ground(n, g *node) ground {
	s.forget()
	key := pair{n, g}
	if v, known := s.grounds[key]; known {
		if v == groundBusy {
			s.cycles++
			return groundNone
		}
		return v
	}
	s.grounds[key] = groundBusy
	v := s.look(n, g)
	s.grounds[key] = v
	return v
}

func (s *State) look(n, g *node) ground {
	r := g.grant.realm
	switch {
	case s.stands(n, g):
		return groundAbove
	case n.kind == isEndorse:
		return groundNone
	case r.agent == nil && n.agent.has(g.grant.Audience) && s.speaks(&n.use).OK,
		r.agent != nil && n.chain.Key.Author == g.grant.Audience:
		p := pathing{s: s, u: &n.use}
		if p.toLeave(g).OK {
			return groundLeaving
		}
	}
	return groundNone
}

// stands reports whether the author of n stands above g. The cheap conditions
// come first; they also see to it that nothing at or below g is asked.
func (s *State) stands(n, g *node) bool {
	if g.grant.realm.agent != nil {
		return s.standsInAgent(n, g)
	}
	founder, issuer := false, false
	lineage(g, func(x *node) {
		issuer = issuer || x.agent == n.agent
		founder = founder || x.grant.root != nil && x.grant.root.agent == n.agent && s.rooted(x.grant.root).OK
	})
	if founder {
		v := s.speaks(&n.use)
		return v.OK && settled(n, v)
	}
	found := false
	s.holds(n.agent, g.grant.realm, func(h *node) bool {
		if h.grant.over(g.grant) && (issuer || h.grant.level > g.grant.level) && includes(h.grant.tops, g.grant.tops) {
			v := s.speaks(&n.use)
			if v.OK {
				v = v.and(s.path(&n.use, h))
			}
			found = v.OK && settled(n, v)
		}
		return !found
	})
	return found
}

// standsInAgent is stands in an agent's own space, whose root is its line. A
// device stands above what it gave, and what was given from there.
func (s *State) standsInAgent(n, g *node) bool {
	if n.agent != g.grant.realm.agent {
		return false
	}
	if d := n.record; d.kind == isGrant {
		issuer := false
		lineage(g, func(x *node) { issuer = issuer || x.chain.Key.Author == n.chain.Key.Author })
		if d.grant == nil || !issuer || !d.grant.over(g.grant) {
			return false
		}
	}
	v := s.speaks(&n.use)
	return v.OK && settled(n, v)
}

// settled reports whether n counts where its chain is forked: an endorse does not
// unless a cut has settled it, a revocation does, since it only takes away.
func settled(n *node, v Verdict) bool {
	return n.kind != isEndorse || v.Held || !n.forks()
}

// lineage visits a grant and all that it rests on, each once.
func lineage(g *node, visit func(*node)) {
	var seen map[*node]bool // made where ways part
	var walk func(g *node)
	walk = func(g *node) {
		if seen[g] {
			return
		}
		visit(g)
		if len(g.grant.parents) > 1 && seen == nil {
			seen = map[*node]bool{}
		}
		if seen != nil {
			seen[g] = true
		}
		for _, p := range g.grant.parents {
			walk(p)
		}
	}
	walk(g)
}

// includes reports whether all of b are in a.
func includes(a, b []*node) bool {
	return !slices.ContainsFunc(b, func(n *node) bool { return !slices.Contains(a, n) })
}
