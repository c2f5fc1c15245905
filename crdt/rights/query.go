package rights

import (
	"reflect"
	"slices"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// Standing is who speaks for an agent now.
type Standing struct {
	Key         did.Key   // the acting key in force
	Record      change.ID // the genesis or rotation that says so
	Keys        []did.Key // of its line, the first one first
	Controllers []string
	Next        []byte      // H of the recovery key, nil without one
	PQ          []byte      // ML-DSA-65 half of Key, as Record names it, nil without one
	Contested   bool        // rotations dispute the key: it writes nothing new
	Births      []change.ID // of a forked genesis the branches that the cut of a rotation keeps, if it keeps any
}

// Agent is who speaks for an agent; ok is false before its genesis.
func (s *lines) Agent(id change.AgentID) (st Standing, ok bool) {
	a := s.agents[id]
	if a == nil || len(a.geneses) == 0 {
		return st, false
	}
	line := s.settled(a)
	last := line[len(line)-1]
	st = Standing{Key: last.key, Record: lowest(a.geneses), Controllers: a.ctl, Next: a.next, Contested: last.contested}
	if len(line) > 1 {
		st.Record = slices.MinFunc(last.records, change.ID.Compare)
		st.PQ = s.records[st.Record].rotate.PQ
	} else {
		st.PQ = s.records[st.Record].birth.pq
	}
	for _, l := range line {
		st.Keys = append(st.Keys, l.key)
	}
	for _, g := range s.born(a) {
		st.Births = append(st.Births, g.use.ID)
	}
	return st, true
}

func lowest(rs []*record) change.ID {
	return slices.MinFunc(rs, func(a, b *record) int { return a.use.ID.Compare(b.use.ID) }).use.ID
}

// Owner is the agent in whose line a key is or was. Of several, which only a key
// does that is used twice, it is the one that the key was born as, else the one
// with the smallest id.
func (s *lines) Owner(k did.Key) (change.AgentID, bool) {
	by := s.authors[k]
	if by == nil {
		return change.AgentID{}, false
	}
	var best *Agent
	for _, a := range by.agents {
		if !s.has(a, k) {
			continue
		}
		if a.line[0].key == k {
			return a.ID, true
		}
		if best == nil || slices.Compare(a.ID[:], best.ID[:]) < 0 {
			best = a
		}
	}
	if best == nil {
		return change.AgentID{}, false
	}
	return best.ID, true
}

// has reports whether a key is or was in the line of an agent.
func (s *lines) has(a *Agent, k did.Key) bool {
	return slices.ContainsFunc(s.settled(a), func(l link) bool { return l.key == k })
}

// KeysOf are the keys that write or wrote for an agent: its line and the keys it
// has lent its voice to.
func (s *lines) KeysOf(id change.AgentID) []did.Key {
	a := s.agents[id]
	if a == nil {
		return nil
	}
	var out []did.Key
	for _, l := range s.settled(a) {
		out = append(out, l.key)
	}
	for _, g := range a.grants {
		if !slices.Contains(out, g.grant.Audience) {
			out = append(out, g.grant.Audience)
		}
	}
	return out
}

// GrantState says what became of a grant.
type GrantState struct {
	Stands  bool      // its own change has effect
	Active  bool      // and nothing has ended it or all it rests on
	EndedBy change.ID // what ended it, zero when its ground fell away
	Level   int       // rank of its role, bounded by those it rests on
}

// Grant is a grant and what became of it. Its term is the reader's to judge.
func (s *judgement) Grant(id change.ID) (g Grant, st GrantState, ok bool) {
	r := s.records[id]
	if r == nil || r.grant == nil {
		return g, st, false
	}
	return *r.grant, s.state(r), true
}

func (s *judgement) state(r *record) GrantState {
	st := GrantState{Stands: s.stands(r).OK, Level: r.grant.rank}
	ends := s.ends(r)
	if len(ends) > 0 {
		first := slices.MinFunc(ends, func(a, b ending) int { return a.by.Compare(b.by) })
		st.EndedBy = first.by
	}
	st.Active = st.Stands && len(ends) == 0
	if st.Active && len(r.grant.Parents) > 0 {
		st.Active = s.paths(r, func(p *record) Verdict {
			if s.state(p).Active {
				return fine
			}
			return refuse(NoRight, p.use.ID)
		}).OK
	}
	return st
}

// Guild is a guild; ok is false when no opening of that id has effect. Of several
// it is the first by (hlc, id); what rests on one gives no right over what rests on
// another.
func (s *judgement) Guild(id change.ID) (Guild, bool) {
	if g := s.guilds[id]; g != nil {
		for _, o := range g.opened {
			if s.identity(&o.by.use).OK {
				return o.Guild, true
			}
		}
	}
	return Guild{}, false
}

// Guilds are the ids of all guilds, in no order.
func (s *registry) Guilds() []change.ID {
	out := make([]change.ID, 0, len(s.guilds))
	for id := range s.guilds {
		out = append(out, id)
	}
	return out
}

// GrantsIn are the ids of the grants in a space's guild, or in an agent's space.
func (s *registry) GrantsIn(space change.Space) []change.ID {
	var rs []*record
	if id, ok := space.Guild(); ok && s.guilds[id] != nil {
		rs = s.guilds[id].grants
	}
	if id, ok := space.Agent(); ok && s.agents[id] != nil {
		rs = s.agents[id].grants
	}
	out := make([]change.ID, len(rs))
	for i, r := range rs {
		out[i] = r.use.ID
	}
	return out
}

// EachGrant calls yield for the id of every grant, in no order.
func (s *registry) EachGrant(yield func(change.ID) bool) {
	for id, r := range s.records {
		if r.grant != nil && !yield(id) {
			return
		}
	}
}

// narrower reports whether every caveat allows nothing that some other one
// forbids: it has all its fields, equal, or as a list with some of the items.
func narrower(caveats, than []map[string]any) bool {
	for _, c := range caveats {
		if !slices.ContainsFunc(than, func(p map[string]any) bool { return within(c, p) }) {
			return false
		}
	}
	return true
}

func within(c, p map[string]any) bool {
	for field, want := range p {
		have, ok := c[field]
		if !ok {
			return false
		}
		if reflect.DeepEqual(have, want) {
			continue
		}
		some, list1 := have.([]any)
		all, list2 := want.([]any)
		if !list1 || !list2 {
			return false
		}
		for _, x := range some {
			if !slices.ContainsFunc(all, func(y any) bool { return reflect.DeepEqual(x, y) }) {
				return false
			}
		}
	}
	return true
}

// Knows reports whether a control change was applied.
func (s *registry) Knows(id change.ID) bool { return s.records[id] != nil }
