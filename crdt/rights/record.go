package rights

import (
	"cmp"
	"slices"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
)

// record is a control change that gives or takes rights.
type record struct {
	use    Use
	kind   string
	space  change.Space
	agent  change.AgentID // for whom its author writes
	birth  *birth         // of a genesis
	rotate *body.Rotate
	grant  *Grant
	cuts   body.Cuts // of a revoke or of what a grant closes
}

// birth is what a genesis says of who may speak for its agent later.
type birth struct {
	controllers []string
	next        []byte
	pq          []byte
}

// Grant is a grant as its token and its place say, without regard to what
// became of it.
type Grant struct {
	ID        change.ID
	Space     change.Space
	HLC       uint64
	CID       string
	Role      string         // "" when the token is not a role's bundle
	Issuer    did.Key        // its author
	Agent     change.AgentID // for whom the issuer writes
	Audience  did.Key
	Parents   []change.ID // grants that it rests on; none for an owner's
	Expires   *int64      // Unix seconds, nil is never
	NotBefore *int64
	caps      []v0.Cap
	rank      int
	depth     int
	proof     []change.ID // rights in the proof of its head, parents or the opening
	tops      []change.ID // the openings that it rests on in the end
}

// Guild is a guild as its opening says.
type Guild struct {
	ID         change.ID
	Opened     change.ID // the guild.open
	Space      change.Space
	HLC        uint64
	Name       string
	Type       string
	Visibility string
	Founder    change.AgentID
}

// guild is the openings of a guild, which only the key that founded it can make,
// and the grants in it.
type guild struct {
	opened []*opening // by (hlc, id)
	grants []*record
}

type opening struct {
	Guild
	by *record
}

// Agent is who speaks for an agent.
type Agent struct {
	ID        change.AgentID
	geneses   []*record
	rotations map[did.Key][]*record // by the key they replace; nil for most agents
	grants    []*record             // in its space
	guilds    map[change.ID]bool    // in which it has or gave a right
	line      []link                // nil when it has to be made anew
	ctl       []string
	next      []byte
}

// link is one key of a line.
type link struct {
	key       did.Key
	records   []change.ID // rotations to it that won; nil for the genesis key
	cuts      []*record   // rotations of it whose cuts are valid
	contested bool        // they lead to different keys
}

// registry is what was placed: who wrote where, and what control changes say, each by
// itself.
type registry struct {
	authors map[did.Key]*author
	agents  map[change.AgentID]*Agent
	records map[change.ID]*record
	guilds  map[change.ID]*guild
	marks   map[change.ID]*mark
}

func newRegistry() registry {
	return registry{
		authors: map[did.Key]*author{}, agents: map[change.AgentID]*Agent{}, records: map[change.ID]*record{}, guilds: map[change.ID]*guild{},
		marks: map[change.ID]*mark{},
	}
}

// Apply takes in a control change with its body. It must have been placed, and
// its proof applied. Applying a change twice changes nothing.
func (s *State) Apply(c *change.Change) (t Touched) {
	if s.records[c.ID] != nil || c.Body == nil {
		return t
	}
	r := &record{use: s.Use(c), kind: c.Head.Kind, space: c.Head.Space}
	if !r.use.Identity.IsZero() {
		if id := s.records[r.use.Identity]; id != nil {
			r.agent, _ = id.space.Agent()
			if guild, ok := c.Head.Space.Guild(); ok {
				s.takesPart(r.agent, guild)
			}
		}
	}
	switch c.Head.Kind {
	case change.KindBind:
		return s.applyBind(c, r)
	case change.KindRotate:
		return s.applyRotate(c, r)
	case change.KindGuildOpen:
		return s.applyOpen(c, r)
	case change.KindGrant:
		return s.applyGrant(c, r)
	case change.KindRevoke:
		return s.applyRevoke(c, r)
	case change.KindEndorse:
		return s.applyEndorse(c, r)
	}
	return t
}

func (s *registry) agentOf(id change.AgentID) *Agent {
	a := s.agents[id]
	if a == nil {
		a = &Agent{ID: id}
		s.agents[id] = a
	}
	return a
}

func (s *State) applyBind(c *change.Change, r *record) (t Touched) {
	id, _ := c.Head.Space.Agent()
	b, err := body.ParseBind(c.Body, c.Head.Seq == 1)
	if err != nil {
		return t
	}
	return s.Bind(id, r.use, b)
}

// Bind takes in a binding of an agent, its genesis when it stands first in its
// chain. Apply does so for a change; a checkpoint has no change.
func (s *State) Bind(id change.AgentID, u Use, b body.Bind) (t Touched) {
	if s.records[u.ID] != nil {
		return t
	}
	r := &record{use: u, kind: change.KindBind, space: u.Chain.spot.space, agent: id}
	s.records[u.ID] = r
	if u.Seq > 1 {
		return t
	}
	a := s.agentOf(id)
	r.birth = &birth{b.Controllers, b.Next, b.PQ}
	// By id, and not in the order of arrival: the order of controllers shows in rows.
	at, _ := slices.BinarySearchFunc(a.geneses, r, func(x, y *record) int { return x.use.ID.Compare(y.use.ID) })
	a.geneses = slices.Insert(a.geneses, at, r)
	a.line = nil
	s.claim(u.author(), a)
	if len(a.geneses) > 1 {
		s.forget()
		s.touchAgent(&t, a)
	}
	return t
}

func (s *State) applyRotate(c *change.Change, r *record) (t Touched) {
	v, err := body.ParseRotate(c.Body)
	id, ok := c.Head.Space.Agent()
	if err != nil || !ok {
		return t
	}
	a := s.agentOf(id)
	r.agent, r.rotate = id, &v
	s.records[c.ID] = r
	if a.rotations == nil {
		a.rotations = map[did.Key][]*record{}
	}
	a.rotations[v.Old] = append(a.rotations[v.Old], r)
	s.claim(c.Head.Author, a)
	s.touchAgent(&t, a)
	s.name(v.Cut, t)
	s.forget()
	return t
}

func (s *State) applyOpen(c *change.Change, r *record) (t Touched) {
	v, err := body.ParseGuildOpen(c.Body)
	id, ok := c.Head.Space.Guild()
	if err != nil || !ok {
		return t
	}
	s.records[c.ID] = r
	g := s.guilds[id]
	if g == nil {
		g = &guild{}
		s.guilds[id] = g
	}
	g.opened = append(g.opened, &opening{
		Guild{ID: id, Opened: c.ID, Space: c.Head.Space, HLC: c.Head.HLC, Name: v.Name, Type: v.Type, Visibility: v.Visibility, Founder: r.agent}, r,
	})
	slices.SortFunc(g.opened, func(a, b *opening) int {
		return cmp.Or(cmp.Compare(a.HLC, b.HLC), a.Opened.Compare(b.Opened))
	})
	t.guild(id)
	return t
}

// claim notes that a key is or tries to be in the line of an agent.
func (s *registry) claim(k did.Key, a *Agent) {
	if by := s.authorOf(k); !slices.Contains(by.agents, a) {
		by.agents = append(by.agents, a)
	}
}

func (s *registry) takesPart(agent change.AgentID, guild change.ID) {
	a := s.agentOf(agent)
	if a.guilds == nil {
		a.guilds = map[change.ID]bool{}
	}
	a.guilds[guild] = true
}

func (s *State) applyGrant(c *change.Change, r *record) (t Touched) {
	v, err := body.ParseGrant(c.Body)
	if err != nil {
		return t
	}
	token, _ := v0.Parse(v.Token)
	if token == nil {
		return t
	}
	aud, err := did.ParseKey(token.Audience)
	if err != nil {
		return t
	}
	g := &Grant{
		ID: c.ID, Space: c.Head.Space, HLC: c.Head.HLC, CID: ucan.CID(v.Token), Role: v.Role, Issuer: c.Head.Author, Agent: r.agent, Audience: aud,
		Expires: token.Expires, NotBefore: token.NotBefore, caps: token.Caps, rank: role.Rank(v.Role),
	}
	rights := c.Head.Proof[1:]
	if c.Head.Space.Area() == change.AreaAgent {
		if rights = nil; s.records[r.use.Identity] != nil && s.records[r.use.Identity].grant != nil {
			rights = c.Head.Proof[:1]
		}
	}
	g.proof = slices.Clone(rights)
	for _, id := range rights {
		if p := s.records[id]; p != nil && p.grant != nil {
			g.Parents = append(g.Parents, id)
			g.rank = min(g.rank, p.grant.rank)
			g.depth = max(g.depth, p.grant.depth+1)
			for _, top := range p.grant.tops {
				if !slices.Contains(g.tops, top) {
					g.tops = append(g.tops, top)
				}
			}
		} else if p != nil && p.kind == change.KindGuildOpen {
			g.tops = append(g.tops, id)
		}
	}
	r.grant = g
	s.records[c.ID] = r
	if guild, ok := c.Head.Space.Guild(); ok {
		if home := s.guilds[guild]; home != nil {
			home.grants = append(home.grants, r)
		}
		t.guild(guild)
	} else if id, ok := c.Head.Space.Agent(); ok {
		s.agentOf(id).grants = append(s.agentOf(id).grants, r)
	}
	if cl := v.Closes; cl != nil {
		r.cuts = cl.Cut
		s.end(cl.Grant, r, &t)
	}
	return t
}

// end registers what ends a grant.
func (s *State) end(grant change.ID, r *record, t *Touched) {
	s.endings[grant] = append(s.endings[grant], r)
	s.touchScope(t, r.space)
	for _, cut := range r.cuts {
		s.name(cut, *t)
	}
	s.forget()
}

func (s *State) applyRevoke(c *change.Change, r *record) (t Touched) {
	v, err := body.ParseRevoke(c.Body)
	if err != nil {
		return t
	}
	r.cuts = v.Cut
	s.records[c.ID] = r
	s.end(v.Grant, r, &t)
	return t
}

func (s *State) applyEndorse(c *change.Change, r *record) (t Touched) {
	v, err := body.ParseEndorse(c.Body)
	if err != nil {
		return t
	}
	s.records[c.ID] = r
	if v.As != body.Readmit {
		return t // it says something of content, and takes nothing back in
	}
	for _, id := range v.IDs {
		s.readmits[id] = append(s.readmits[id], r)
	}
	t.IDs = v.IDs
	s.touchScope(&t, r.space)
	if a := s.agents[r.agent]; a != nil {
		s.touchAgent(&t, a)
	}
	s.forget()
	return t
}
