package effect

import (
	"slices"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/role"
)

// GrantState is a grant with what became of it.
type GrantState struct {
	ID        change.ID
	Space     change.Space
	HLC       uint64
	Issuer    did.Key
	By        change.AgentID // for whom the issuer wrote
	Audience  did.Key
	Agent     change.AgentID // whose key the audience is; zero when no such agent is here
	Role      string         // "" when the rights are not those of a role
	Expires   *int64         // Unix seconds, included; nil is never. The reader's clock says what it means
	NotBefore *int64         // Unix seconds, included; nil is always
	Parents   []change.ID    // the grants it rests on; none when its issuer is the root

	Given bool      // the grant itself has effect
	Ended bool      // it was ended, or all that it rests on was
	EndBy change.ID // the change that ended it, zero when it was not
}

// Live reports whether the grant was given and not ended.
func (g GrantState) Live() bool { return g.Given && !g.Ended }

// Grant returns a grant; ok is false when there is none of that id.
func (s *State) Grant(id change.ID) (g GrantState, ok bool) {
	n := s.nodes[id]
	if n == nil || n.grant == nil {
		return g, false
	}
	return s.describe(n), true
}

func (s *State) describe(n *node) GrantState {
	g := GrantState{
		ID: n.id, Space: n.chain.Key.Space, HLC: n.hlc, Issuer: n.chain.Key.Author, By: n.agent.ID, Audience: n.grant.Audience,
		Role: n.grant.Role, Expires: n.grant.Expires, NotBefore: n.grant.NotBefore, Given: s.granted(n).OK,
	}
	for _, p := range n.grant.parents {
		g.Parents = append(g.Parents, p.id)
	}
	if own := n.grant.realm.agent; own != nil {
		g.Agent = own.ID
	} else if a := s.AgentOf(g.Audience); a != nil {
		g.Agent = a.ID
	}
	g.EndBy, g.Ended = s.closed(n)
	return g
}

// closed reports whether nothing can be written by a grant any more, and the
// change that ended it.
func (s *State) closed(n *node) (by change.ID, closed bool) {
	if list := s.above(n); len(list) > 0 {
		return list[0].by.id, true
	}
	if list := s.leaving(n); len(list) > 0 {
		return list[0].by.id, true
	}
	c := closing{s: s}
	return c.up(n)
}

// closing looks for endings in what a grant rests on.
type closing struct {
	s    *State
	seen map[*node]closedBy
}

type closedBy struct {
	by     change.ID
	closed bool
}

func (c *closing) up(n *node) (by change.ID, closed bool) {
	ps := n.grant.parents
	if len(ps) > 1 && c.seen == nil {
		c.seen = map[*node]closedBy{}
	}
	var first closedBy
	some, lost := false, false // one that is enough alone is open; one is closed
	for i, p := range ps {
		v, known := c.seen[p]
		if !known {
			v.by, v.closed = c.through(p)
			if c.seen != nil {
				c.seen[p] = v
			}
		}
		if v.closed && !first.closed {
			first = v
		}
		some = some || !v.closed && len(ps) > 1 && n.grant.alone[i]
		lost = lost || v.closed
	}
	if some || !lost {
		return change.ID{}, false
	}
	return first.by, true
}

func (c *closing) through(p *node) (by change.ID, closed bool) {
	if !c.s.granted(p).OK {
		return p.id, true
	}
	if list := c.s.above(p); len(list) > 0 {
		return list[0].by.id, true
	}
	return c.up(p)
}

// GrantsIn calls yield for the grants in a space and its twin, in no order.
func (s *State) GrantsIn(space change.Space, yield func(GrantState) bool) {
	r := s.lookRealm(space)
	if r == nil {
		return
	}
	for _, n := range r.grants {
		if !yield(s.describe(n)) {
			return
		}
	}
}

// GrantsTo calls yield for the grants whose audience is a key, in no order.
func (s *State) GrantsTo(k did.Key, yield func(GrantState) bool) {
	for _, n := range s.held[k] {
		if !yield(s.describe(n)) {
			return
		}
	}
}

// Grants calls yield for all grants, in no order.
func (s *State) Grants(yield func(GrantState) bool) {
	for _, list := range s.held {
		for _, n := range list {
			if !yield(s.describe(n)) {
				return
			}
		}
	}
}

// lookRealm is realm, and makes none.
func (s *State) lookRealm(space change.Space) *realm {
	if id, ok := space.Agent(); ok {
		if a := s.agents[id]; a != nil {
			return a.devices
		}
		return nil
	}
	id, _ := space.Guild()
	return s.guilds[id]
}

// Guild is a guild as its opening says.
type Guild struct {
	ID         change.ID
	Open       change.ID // the guild.open
	Space      change.Space
	HLC        uint64
	Founder    change.AgentID
	Name       string
	Type       string
	Visibility string
}

// Guild returns a guild whose opening has effect. Of several openings, which only
// the key that founded it can make, it shows the first by (hlc, id); what rests on
// one of them gives no right over what rests on another.
func (s *State) Guild(id change.ID) (g Guild, ok bool) {
	r := s.guilds[id]
	if r == nil {
		return g, false
	}
	for _, n := range r.opens {
		if s.rooted(n).OK {
			return Guild{id, n.id, n.chain.Key.Space, n.hlc, n.agent.ID, n.open.Name, n.open.Type, n.open.Visibility}, true
		}
	}
	return g, false
}

// Guilds calls yield for all guilds whose opening has effect, in no order.
func (s *State) Guilds(yield func(Guild) bool) {
	for id := range s.guilds {
		if g, ok := s.Guild(id); ok && !yield(g) {
			return
		}
	}
}

// Member is an agent's place in a guild.
type Member struct {
	Agent change.AgentID
	Role  string
	Right change.ID // the grant that gives it, or the opening for the founder
}

// Members are the agents with a role in a guild, each with its best, by agent id.
// Only grants in whose term the time at lies count, in Unix seconds; 0 takes all.
func (s *State) Members(id change.ID, at int64) []Member {
	g, ok := s.Guild(id)
	if !ok {
		return nil
	}
	best := map[change.AgentID]*node{}
	for _, n := range s.guilds[id].grants {
		if n.grant.Role == "" || !n.grant.inTerm(at) || !s.given(n) {
			continue
		}
		a := s.AgentOf(n.grant.Audience)
		if a == nil || a.ID == g.Founder {
			continue
		}
		if o := best[a.ID]; o == nil || better(n, o) {
			best[a.ID] = n
		}
	}
	out := []Member{{g.Founder, role.Owner, g.Open}}
	for a, n := range best {
		out = append(out, Member{a, n.grant.Role, n.id})
	}
	slices.SortFunc(out, func(a, b Member) int { return slices.Compare(a.Agent[:], b.Agent[:]) })
	return out
}

// Member is the place of one agent in a guild at a time, as Members has it; ok is
// false when it has no role.
func (s *State) Member(id change.ID, agent change.AgentID, at int64) (m Member, ok bool) {
	g, ok := s.Guild(id)
	a := s.Agent(agent)
	if !ok || a == nil {
		return m, false
	}
	if agent == g.Founder {
		return Member{agent, role.Owner, g.Open}, true
	}
	var best *node
	s.holds(a, s.guilds[id], func(n *node) bool {
		if n.grant.Role != "" && n.grant.inTerm(at) && s.AgentOf(n.grant.Audience) == a && s.given(n) && (best == nil || better(n, best)) {
			best = n
		}
		return true
	})
	if best == nil {
		return m, false
	}
	return Member{agent, best.grant.Role, best.id}, true
}

func (g *Grant) inTerm(at int64) bool {
	return at == 0 || (g.Expires == nil || at <= *g.Expires) && (g.NotBefore == nil || at >= *g.NotBefore)
}

func (s *State) given(n *node) bool {
	if !s.granted(n).OK {
		return false
	}
	_, closed := s.closed(n)
	return !closed
}

// better reports whether a says more for its holder than b: the higher role, then
// the longer term, then the later grant.
func better(a, b *node) bool {
	if x, y := levelOf(a.grant.Role), levelOf(b.grant.Role); x != y {
		return x > y
	}
	if x, y := a.grant.Expires, b.grant.Expires; (x == nil) != (y == nil) || x != nil && *x != *y {
		return x == nil || y != nil && *x > *y
	}
	return before(b, a)
}
