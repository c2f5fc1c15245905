// Package rights says which changes count (wire §7, §10, §11). A member that
// lies beyond a cut, that was written with a right its author does not have, or
// whose author was replaced stays a member and has no effect. The answer is a
// pure function of the set of changes: the order in which they came, clocks and
// the number of times one is asked change nothing.
//
// A State gets every member once: its place by Place, and what the control
// kinds say by Apply. It answers for agents (which key speaks), for grants and,
// by Judge, for any change.
//
// # How it is decided
//
// Four strata, each judged with those above it alone:
//
//  1. Rotations. For each agent a line of keys begins with the genesis key; of
//     the rotations of one key the highest rank wins, and where that leaves two
//     keys the line ends and what any of them cuts is cut.
//  2. Roots: the keys in an agent's line for its own space, the founder for a
//     guild.
//  3. Grants and what ends them, by role and within a role by depth. Who ends a
//     grant must have a right that lies strictly above it in this order, so no
//     two can undo each other.
//  4. Everything else.
//
// Within stratum 3 the grants of agents stand above those of guilds: whether a
// change has its identity never requires a right in a guild. So each question is a
// recursion that ascends, and ends. Answers about grants are kept until a control
// change may have changed them.
package rights

import (
	"maps"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// State is what control changes say together. Make it with New. It is for one
// goroutine at a time, and must not be copied, since its parts point to each other.
type State struct {
	registry
	lines
	judgement
}

// New makes the empty State of a network.
func New() *State {
	s := &State{registry: newRegistry()}
	s.lines = lines{&s.registry}
	s.judgement = newJudgement(&s.registry, &s.lines)
	return s
}

// A Cause says why a change has no effect.
type Cause uint8

// The causes. The change that Verdict names beside each is in brackets.
const (
	None      Cause = iota
	Revoked         // beyond the cut of a revocation [the revoke, or the grant that closes]
	Rotated         // beyond the cut of a rotation of its author's key [the rotate]
	Replaced        // its author's key is no key of the agent, since another rotation won
	Contested       // two rotations dispute its author's key, and they do not both keep it [one of them]
	Forked          // a grant or endorse on a forked chain, which no cut has settled
	NoRight         // a right in its proof has no effect itself [that right]
)

// String is the cause in one word.
func (c Cause) String() string {
	names := [...]string{"none", "revoked", "rotated", "replaced", "contested", "forked", "no_right"}
	if int(c) < len(names) {
		return names[c]
	}
	return "unknown"
}

// Verdict is what is said of one change.
type Verdict struct {
	OK   bool
	Held bool      // it lies inside a cut, which also settles a fork for it
	Why  Cause     // None when OK
	By   change.ID // the change that decided so, zero when none did
}

var fine = Verdict{OK: true}

func refuse(why Cause, by change.ID) Verdict { return Verdict{Why: why, By: by} }

// and is the verdict of two conditions that must both be met.
func (v Verdict) and(o Verdict) Verdict {
	if !v.OK {
		return v
	}
	if !o.OK {
		return o
	}
	o.Held = o.Held || v.Held
	return o
}

// Touched are the agents and guilds about whose changes something may be said
// now that was not before, and single changes beside them.
type Touched struct {
	Agents map[change.AgentID]bool
	Guilds map[change.ID]bool
	IDs    []change.ID
}

// Empty reports whether nothing has to be judged again.
func (t Touched) Empty() bool { return len(t.Agents) == 0 && len(t.Guilds) == 0 && len(t.IDs) == 0 }

func (t *Touched) agent(id change.AgentID) {
	if t.Agents == nil {
		t.Agents = map[change.AgentID]bool{}
	}
	t.Agents[id] = true
}

func (t *Touched) guild(id change.ID) {
	if t.Guilds == nil {
		t.Guilds = map[change.ID]bool{}
	}
	t.Guilds[id] = true
}

// Add takes in what something else touched.
func (t *Touched) Add(o Touched) {
	for a := range o.Agents {
		t.agent(a)
	}
	for g := range o.Guilds {
		t.guild(g)
	}
	t.IDs = append(t.IDs, o.IDs...)
}

// Use is a change as effect sees it: where it stands, and the rights it names.
type Use struct {
	ID       change.ID
	Chain    *Chain
	Seq      uint64
	Identity change.ID // proof[0], zero for a genesis
	Right    change.ID // proof[1] where the space is a guild's, else zero
}

func (u *Use) author() did.Key { return u.Chain.by.key }

// Place puts a member, with its body or without, into its chain, and says
// whether that forks the chain lower than before. Its prev must have been placed
// before. Placing a change twice changes nothing.
func (s *State) Place(h *change.Head, id change.ID) (ch *Chain, forked bool, t Touched) {
	by, at := s.authorOf(h.Author), spotOf(h.Chain())
	if ch = by.chain(at); ch == nil {
		ch = by.begin(at)
	}
	fresh, forked := ch.place(h.Seq, halfOf(id), halfOf(h.Prev))
	if fresh && len(s.marks) > 0 {
		if m := s.marks[id]; m != nil && m.chain == nil {
			m.settle(ch, h.Seq, halfOf(id))
			t.Add(m.scopes)
			for agent := range m.scopes.Agents { // also the guilds it came to after the cut did
				if a := s.agents[agent]; a != nil {
					s.touchAgent(&t, a)
				}
			}
			s.forget()
		}
	}
	if forked && at.lane == change.Control {
		s.forget()
		for _, a := range by.agents {
			s.touchAgent(&t, a)
		}
		if g, ok := at.space.Guild(); ok {
			t.guild(g)
		}
		for _, r := range s.records {
			if r.grant != nil && r.grant.Audience == by.key {
				s.touchScope(&t, r.space)
			}
		}
	}
	return ch, forked, t
}

// Use is a change in its place.
func (s *registry) Use(c *change.Change) Use {
	h := c.Head
	u := Use{ID: c.ID, Chain: s.Chain(h.Chain()), Seq: h.Seq}
	if len(h.Proof) > 0 {
		u.Identity = h.Proof[0]
	}
	if _, inGuild := h.Space.Guild(); inGuild && len(h.Proof) > 1 {
		u.Right = h.Proof[1]
	}
	return u
}

// Chains are the chains of an author, in no order.
func (s *registry) Chains(k did.Key) []change.Chain {
	var out []change.Chain
	if a := s.authors[k]; a != nil {
		for _, ch := range a.chains {
			out = append(out, ch.Key())
		}
	}
	return out
}

// AllChains calls yield for each chain that has members, in no order.
func (s *registry) AllChains(yield func(*Chain) bool) {
	for _, a := range s.authors {
		for _, ch := range a.chains {
			if !yield(ch) {
				return
			}
		}
	}
}

// Chain is a chain, or nil when it has no members.
func (s *registry) Chain(key change.Chain) *Chain { return s.authors[key.Author].chain(spotOf(key)) }

// forget drops kept answers: a control change may have made them wrong.
func (s *judgement) forget() {
	clear(s.memo)
	clear(s.ended)
	clear(s.spoken)
	clear(s.here)
	for _, a := range s.agents {
		if a.rotations != nil {
			a.line = nil
		}
	}
}

// touchAgent names what may change when an agent's line or grants do: what it
// writes, and the guilds in which it has or gave a right.
func (s *registry) touchAgent(t *Touched, a *Agent) {
	t.agent(a.ID)
	for g := range a.guilds {
		t.guild(g)
	}
}

func (s *registry) touchScope(t *Touched, space change.Space) {
	if g, ok := space.Guild(); ok {
		t.guild(g)
	}
	if id, ok := space.Agent(); ok {
		if a := s.agents[id]; a != nil {
			s.touchAgent(t, a)
		} else {
			t.agent(id)
		}
	}
}

// name registers the changes that a cut names, so that one that comes later is
// noticed.
func (s *registry) name(cut body.Cut, scopes Touched) {
	for _, id := range cut {
		m := s.marks[id]
		if m == nil {
			m = &mark{scopes: Touched{Agents: maps.Clone(scopes.Agents), Guilds: maps.Clone(scopes.Guilds)}}
			s.marks[id] = m
		} else {
			m.scopes.Add(scopes)
		}
	}
}

// keeps reports whether a cut of one author keeps a change.
func (s *registry) keeps(cut body.Cut, u *Use) bool {
	id, named := cut[body.ChainText(u.Chain.Key())]
	if !named {
		return false
	}
	m := s.marks[id]
	if m == nil {
		return false
	}
	if m.chain == nil {
		if seq, ok := u.Chain.find(halfOf(id)); ok {
			m.settle(u.Chain, seq, halfOf(id))
		}
	}
	return m.keeps(u.Chain, u.Seq, halfOf(u.ID))
}
