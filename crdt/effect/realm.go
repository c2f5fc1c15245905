package effect

import (
	"slices"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/role"
)

// realm is where rights are passed on from one root: a guild with its team,
// whose root is the founder, or an agent's own space, whose root is its line.
type realm struct {
	agent  *Agent    // of an agent's own space, nil for a guild
	guild  change.ID // of a guild
	opens  []*node   // openings, by (hlc, id)
	grants []*node
	acts   map[*Agent][]*node // control changes by for whom they were written
}

// grant is a grant in its realm.
type grant struct {
	Grant
	realm    *realm
	rights   *Rights
	root     *node   // the opening it rests on itself, or nil
	tops     []*node // the openings it rests on in the end
	parents  []*node // the grants it rests on; none with root nil is an agent's own
	alone    []bool  // of each parent, whether it would be enough
	children []*node
	endings  []*ending // by (hlc, id)
	level    level
	depth    int

	// Answers that hold as long as State.gen is gen.
	gen     uint64
	known   uint8 // which of the following are known
	granted Verdict
	above   []*ending // in force, by who stands above
	leaving []*ending // in force, by the holder alone
}

const (
	knownGranted = 1 << iota
	knownAbove
	knownLeaving
)

// level is the role whose stratum a grant is in: the one it names, and none of
// those it rests on may be lower.
type level int8

const levelFounder level = 5

func levelOf(name string) level {
	switch name {
	case role.Owner:
		return 4
	case role.Admin:
		return 3
	case role.Member:
		return 2
	case role.Viewer:
		return 1
	}
	return 0
}

// over reports whether g lies strictly above o in the order of judgement.
func (g *grant) over(o *grant) bool {
	return g.level > o.level || g.level == o.level && g.depth < o.depth
}

// realm returns the realm of a space, made when first asked for; nil where no
// rights are passed on.
func (s *State) realm(space change.Space) *realm {
	if id, ok := space.Agent(); ok {
		a := s.agent(id)
		if a.devices == nil {
			a.devices = &realm{agent: a}
		}
		return a.devices
	}
	id, ok := space.Guild()
	if !ok {
		return nil
	}
	r := s.guilds[id]
	if r == nil {
		r = &realm{guild: id}
		s.guilds[id] = r
	}
	return r
}

// act notes a control change with its realm.
func (r *realm) act(n *node) {
	if r == nil {
		return
	}
	if r.acts == nil {
		r.acts = map[*Agent][]*node{}
	}
	if r.acts[n.agent] == nil {
		n.agent.acts = append(n.agent.acts, r)
	}
	r.acts[n.agent] = append(r.acts[n.agent], n)
}

func (s *State) applyOpen(n *node, t *Touched) {
	r := s.realm(n.chain.Key.Space)
	if r == nil || r.agent != nil {
		return
	}
	at, _ := slices.BinarySearchFunc(r.opens, n, func(x, y *node) int {
		if before(x, y) {
			return -1
		}
		return 1
	})
	r.opens = slices.Insert(r.opens, at, n)
	r.act(n)
	t.guild(r)
}

func (s *State) applyGrant(n *node, g *Grant, t *Touched) {
	r := s.realm(n.chain.Key.Space)
	if r == nil {
		return
	}
	n.grant = &grant{Grant: *g, realm: r, rights: s.rightsOf(g.Rights)}
	n.grant.Rights = n.grant.rights.text
	n.grant.rest(n)
	r.grants = append(r.grants, n)
	r.act(n)
	s.held[g.Audience] = append(s.held[g.Audience], n)
	t.grant(n)
	// Whatever its holder did here before may count now.
	for _, a := range s.holders(n) {
		t.acts(a, r)
	}
	s.spread(t)
}

// rest finds what a grant rests on, and from that its place in the strata.
func (g *grant) rest(n *node) {
	rights := n.rights
	if g.realm.agent != nil {
		if rights = nil; n.record.kind == isGrant {
			rights = []*node{n.record}
		}
	}
	g.level, g.depth = levelOf(g.Role), 1
	for _, p := range rights {
		switch {
		case p.kind == isOpen:
			g.root = p
			g.tops = append(g.tops, p)
		case p.grant != nil && p.grant.realm == g.realm:
			g.parents = append(g.parents, p)
			p.grant.children = append(p.grant.children, n)
			g.level, g.depth = min(g.level, p.grant.level), max(g.depth, p.grant.depth+1)
			for _, top := range p.grant.tops {
				if !slices.Contains(g.tops, top) {
					g.tops = append(g.tops, top)
				}
			}
		}
	}
	if len(g.parents) > 1 {
		for _, p := range g.parents {
			g.alone = append(g.alone, p.grant.rights.covers(g.rights))
		}
	}
}

// holders are the agents in whose line the audience of a grant is.
func (s *State) holders(n *node) []*Agent {
	k := n.grant.Audience
	if n.grant.realm.agent != nil {
		return []*Agent{n.grant.realm.agent}
	}
	var out []*Agent
	if a := s.agents[change.DeriveAgent(s.net, k)]; a != nil {
		out = append(out, a)
	}
	for _, a := range s.seats[k] {
		if a.has(k) && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

func (s *State) applyEnd(n *node, e *End, t *Touched) {
	target := s.nodes[e.Grant]
	if target == nil || target.grant == nil || target.chain.Key.Space != n.chain.Key.Space {
		return // no member says so
	}
	n.ends = &ending{End: *e, by: n, target: target, cut: make(limits)}
	for author, cut := range e.Cut {
		for key, m := range s.limits(author, cut) {
			n.ends.cut[key] = m
		}
	}
	list := target.grant.endings
	at, _ := slices.BinarySearchFunc(list, n, func(e *ending, n *node) int {
		if before(e.by, n) {
			return -1
		}
		return 1
	})
	target.grant.endings = slices.Insert(list, at, n.ends)
	if n.kind == isRevoke { // a grant that closes another was noted before
		target.grant.realm.act(n)
	}
	t.push(target)
	s.spread(t)
}

func (s *State) applyEndorse(n *node, t *Touched) {
	if len(n.ids) == 0 {
		return
	}
	r := s.realm(n.chain.Key.Space)
	if r == nil {
		r = s.realm(n.agent.ID.Space())
	}
	r.act(n)
	for _, id := range n.ids {
		if !slices.Contains(s.readmit[id], n) {
			s.readmit[id] = append(s.readmit[id], n)
		}
	}
	t.push(n)
	s.spread(t)
}

// holds calls yield for the grants of a realm that an agent holds, by any key of
// its line, until yield returns false.
func (s *State) holds(a *Agent, r *realm, yield func(*node) bool) {
	try := func(k did.Key) bool {
		for _, g := range s.held[k] {
			if g.grant.realm == r && !yield(g) {
				return false
			}
		}
		return true
	}
	if a.line == nil {
		if len(a.births) > 0 {
			try(a.Key())
		}
		return
	}
	for _, at := range a.line {
		if !try(at.key) {
			return
		}
	}
}
