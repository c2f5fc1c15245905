package fold

import (
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
)

// ballot is the value of a vote: -1, 0 or 1.
type ballot int8

func (b ballot) pack(w *writer) { w.uint(uint64(b + 1)) }

func unpackVote(r *reader) said { return ballot(min(r.uint(), 2)) - 1 }

func readVote(c *change.Change) (change.ID, said, error) {
	b, err := body.ParseVote(c.Body, c.Head.Parents())
	return b.Target, ballot(b.Value), err
}

// Votes is how many agents are for a target and how many against it, by the last
// vote of each in (hlc, id) order. What was voted about the older entries that an
// entry replaced counts for it. Votes in another space, of the agent of the target
// itself and on forks that no cut has settled do not count.
func (v *Views) Votes(target change.ID) (up, down int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.votes(target)
}

func (v *Views) votes(target change.ID) (up, down int) {
	for _, value := range v.ballots(target) {
		switch {
		case value > 0:
			up++
		case value < 0:
			down++
		}
	}
	return up, down
}

// VoteOf is the vote of an agent about a target, 0 without one.
func (v *Views) VoteOf(target change.ID, id change.AgentID) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return int(v.ballots(target)[id])
}

// ballots are the votes about a target that count, one an agent.
func (v *Views) ballots(target change.ID) map[change.AgentID]ballot {
	var last map[change.AgentID]*act
	for _, id := range v.versionIDs(target) {
		space, by, ok := v.whose(id)
		if !ok {
			continue
		}
		v.on(id, change.KindVote, func(a *act) {
			if a.space != space || a.agent == by || a.retracted || v.describeAct(a).Forked {
				return
			}
			if last == nil {
				last = map[change.AgentID]*act{}
			}
			if old := last[a.agent.id]; old == nil || compareActs(old, a) < 0 {
				last[a.agent.id] = a
			}
		})
	}
	var out map[change.AgentID]ballot
	for id, a := range last {
		if out == nil {
			out = map[change.AgentID]ballot{}
		}
		out[id] = a.said.(ballot)
	}
	return out
}

// EntryCounts are figures that others made of an entry.
type EntryCounts struct {
	Up, Down int // votes
	Comments int // to be read
	Served   int // full reads, as the gateways of the manifest counted them
}

// EntryCounts returns those of each entry asked for.
func (v *Views) EntryCounts(ids ...change.ID) []EntryCounts {
	if out, ok := v.quietCounts(ids); ok {
		return out
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	out := make([]EntryCounts, len(ids))
	for i, id := range ids {
		out[i].Up, out[i].Down = v.votes(id)
		out[i].Comments, out[i].Served = v.commentCount(id), v.tally().served[id]
	}
	return out
}

// quietCounts are the counts of entries about which nothing was said, which most
// are: that is seen without holding up other readers.
func (v *Views) quietCounts(ids []change.ID) ([]EntryCounts, bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.sums == nil {
		return nil, false
	}
	out := make([]EntryCounts, len(ids))
	for i, id := range ids {
		if e := v.entries[id]; len(v.about[id]) > 0 || e != nil && e.supersedes != nil {
			return nil, false
		}
		out[i].Served = v.sums.served[id]
	}
	return out, true
}

// whose is where a change that can be spoken about lies, and who wrote it.
func (v *Views) whose(id change.ID) (change.Space, *agent, bool) {
	if e := v.entries[id]; e != nil {
		return e.place.space, e.agent, true
	}
	if a := v.acts[id]; a != nil {
		return a.space, a.agent, true
	}
	if d := v.edited[id]; d != nil {
		return d.key.space, d.uses[id].agent, true
	}
	return "", nil, false
}
