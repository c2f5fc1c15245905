package effect

import "slices"

// answer is what is known of a question that is asked more than once.
type answer uint8

const (
	unknown answer = iota
	asked          // and not answered yet
	yes
	no
)

type pair struct{ by, grant *node }

// forget drops the answers of an older generation.
func (s *State) forget() {
	if s.kept != s.gen {
		clear(s.standing)
		clear(s.spoken)
		s.kept = s.gen
	}
}

// stands reports whether the author of n stands above the grant g, so that n ends
// it, or readmits what was written beyond its end. It rests on rights strictly
// above g alone.
func (s *State) stands(n, g *node) bool {
	s.forget()
	key := pair{n, g}
	switch s.standing[key] {
	case yes:
		return true
	case no:
		return false
	case asked:
		s.cycles++
		return false
	}
	s.standing[key] = asked
	v := s.look(n, g)
	s.standing[key] = no
	if v {
		s.standing[key] = yes
	}
	return v
}

// leaves reports whether n, which does not stand above g, ends it all the same
// because its author holds it. It rests on g and on what is above g, and not on
// how others end what they hold.
func (s *State) leaves(n, g *node) bool {
	if g.grant.realm.agent == nil {
		if !n.agent.has(g.grant.Audience) || !s.speaks(&n.use).OK {
			return false
		}
	} else if n.chain.Key.Author != g.grant.Audience {
		return false
	}
	p := pathing{s: s, u: &n.use}
	return p.toLeave(g).OK
}

// look is stands, asked for the first time. The cheap conditions come first; they
// also see to it that nothing at or below g is asked.
func (s *State) look(n, g *node) bool {
	if g.grant.realm.agent != nil {
		return s.lookInAgent(n, g)
	}
	if s.lookRealm(n.chain.Key.Space) != g.grant.realm {
		return false
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

// lookInAgent is look in an agent's own space, whose root is its line. A
// device stands above what it gave, and what was given from there.
func (s *State) lookInAgent(n, g *node) bool {
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
