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
// vote of each in (hlc, id) order. Votes in another space, of the agent of the
// target itself and on forks that no cut has settled do not count.
func (v *Views) Votes(target change.ID) (up, down int) {
	v.mu.Lock()
	defer v.mu.Unlock()
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
	space, by, ok := v.whose(target)
	if !ok {
		return nil
	}
	var out map[change.AgentID]ballot
	v.on(target, change.KindVote, func(a *act) {
		if a.space != space || a.agent == by || v.describeAct(a).Forked {
			return
		}
		if out == nil {
			out = map[change.AgentID]ballot{}
		}
		out[a.agent.id] = a.said.(ballot)
	})
	return out
}

// whose is where a change that can be spoken about lies, and who wrote it.
func (v *Views) whose(id change.ID) (change.Space, *agent, bool) {
	if e := v.entries[id]; e != nil {
		return e.place.space, e.agent, true
	}
	if a := v.acts[id]; a != nil {
		return a.space, a.agent, true
	}
	return "", nil, false
}
