package effect

import "github.com/meshd/meshd/crdt/change"

// Touched is what a change may have changed in the effect of others: all of it,
// and perhaps more. The zero Touched is nothing.
type Touched struct {
	Agents  []*Agent    // whose record must be made again
	Rights  []*Right    // of which everything must be judged again, after Refresh
	Changes []change.ID // content changes that must be judged again, if they are here
	Grants  []change.ID // whose state must be asked again
	Guilds  []change.ID // whose state must be asked again

	seen  map[any]bool
	queue []*node
	lines []*Agent
}

// first reports whether x was not met before.
func (t *Touched) first(x any) bool {
	if t.seen[x] {
		return false
	}
	if t.seen == nil {
		t.seen = map[any]bool{}
	}
	t.seen[x] = true
	return true
}

// record is of an agent, whose record alone must be made again.
type record struct{ a *Agent }

func (t *Touched) agent(a *Agent) {
	if t.first(record{a}) {
		t.Agents = append(t.Agents, a)
	}
}

func (t *Touched) guild(r *realm) {
	if r != nil && r.agent == nil && t.first(r) {
		t.Guilds = append(t.Guilds, r.guild)
	}
}

// row is of a grant, whose state alone must be asked again.
type row struct{ g *node }

func (t *Touched) grant(g *node) {
	if t.first(row{g}) {
		t.Grants = append(t.Grants, g.id)
	}
}

// push notes that the effect of a control change may have changed.
func (t *Touched) push(n *node) {
	if t.first(n) {
		t.queue = append(t.queue, n)
	}
}

// line notes that an agent's line of keys must be computed again.
func (t *Touched) line(a *Agent) {
	if t.first(a) {
		t.lines = append(t.lines, a)
	}
}

// done is of an agent in a realm.
type done struct {
	a *Agent
	r *realm
}

// acts notes what was written for an agent in a realm.
func (t *Touched) acts(a *Agent, r *realm) {
	if len(r.acts[a]) == 0 || !t.first(done{a, r}) {
		return
	}
	for _, n := range r.acts[a] {
		t.push(n)
	}
}

// chain notes everything in a chain.
func (t *Touched) chain(ch *Chain) {
	if !t.first(ch) {
		return
	}
	for r := ch.uses; r != nil; r = r.next {
		t.right(r)
	}
	for _, n := range ch.nodes {
		t.push(n)
	}
	t.queue = append(t.queue, nil) // answers are void even where the chain has none of these
}

func (t *Touched) right(r *Right) {
	if t.first(r) {
		t.Rights = append(t.Rights, r)
	}
}

// spread follows what was noted to everything whose effect rests on it.
func (s *State) spread(t *Touched) {
	for len(t.queue) > 0 || len(t.lines) > 0 {
		s.gen++
		if n := len(t.lines); n > 0 {
			a := t.lines[n-1]
			t.lines = t.lines[:n-1]
			s.realign(a)
			s.spreadAgent(t, a)
			continue
		}
		n := t.queue[len(t.queue)-1]
		if t.queue = t.queue[:len(t.queue)-1]; n != nil {
			s.spreadNode(t, n)
		}
	}
}

func (s *State) spreadNode(t *Touched, n *node) {
	switch n.kind {
	case isBind:
		t.agent(n.agent)
	case isRotate:
		t.line(n.agent)
	case isOpen:
		r := s.realm(n.chain.Key.Space)
		t.guild(r)
		t.acts(n.agent, r)
		s.rightsFor(t, n.agent)
		for _, g := range r.grants {
			if g.grant.root == n {
				t.push(g)
			}
		}
	case isGrant:
		if n.grant != nil {
			s.spreadGrant(t, n)
		}
	case isEndorse:
		for _, id := range n.ids {
			if o := s.nodes[id]; o != nil {
				t.push(o)
			} else {
				t.Changes = append(t.Changes, id)
			}
		}
	}
	if n.ends != nil {
		t.push(n.ends.target)
	}
}

func (s *State) spreadGrant(t *Touched, n *node) {
	t.grant(n)
	g := n.grant
	for _, child := range g.children {
		t.push(child)
	}
	if a := g.realm.agent; a != nil {
		s.rightsBy(t, a, s.authors[g.Audience])
		for _, r := range a.acts {
			for _, act := range r.acts[a] {
				if act.chain.Key.Author == g.Audience {
					t.push(act)
				}
			}
		}
		return
	}
	for _, a := range s.holders(n) {
		s.rightsFor(t, a)
		t.acts(a, g.realm)
	}
}

// spreadAgent follows what rests on an agent's line of keys.
func (s *State) spreadAgent(t *Touched, a *Agent) {
	t.agent(a)
	s.rightsFor(t, a)
	for _, r := range a.acts {
		t.acts(a, r)
	}
	for k := range a.keys() {
		for _, g := range s.held[k] {
			t.grant(g)
		}
	}
}

// rightsFor notes the rights of everything written for an agent.
func (s *State) rightsFor(t *Touched, a *Agent) {
	for k := range a.keys() {
		s.rightsBy(t, a, s.authors[k])
	}
}

// rightsBy is rightsFor by one key, whose first chain is ch.
func (s *State) rightsBy(t *Touched, a *Agent, ch *Chain) {
	for ; ch != nil; ch = ch.next {
		for r := ch.uses; r != nil; r = r.next {
			if r.cited.agent == a {
				t.right(r)
			}
		}
	}
}
