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
func (v *opinionQueries) Votes(target change.ID) (up, down int) {
	w := v.opinion(target)
	return w.up, w.down
}

// VoteOf is the vote of an agent about a target, 0 without one.
func (v *opinionQueries) VoteOf(target change.ID, id change.AgentID) int {
	return int(v.opinion(target).ballots[id])
}

// EntryCounts are figures that others made of an entry.
type EntryCounts struct {
	Up, Down int // votes
	Comments int // to be read
	Served   int // full reads, as the gateways of the manifest counted them
}

// EntryCounts returns those of each entry asked for.
func (v *opinionQueries) EntryCounts(ids ...change.ID) []EntryCounts {
	v.mu.RLock()
	out, ok := v.entryCounts(ids, v.sums, v.known)
	v.mu.RUnlock()
	if ok {
		return out
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	out, _ = v.entryCounts(ids, v.tally(), v.opinionOf)
	return out
}

// entryCounts says false when there are no sums, or not every opinion is at hand.
func (v *reputationFold) entryCounts(ids []change.ID, sums *tally, of func(change.ID) *opinion) ([]EntryCounts, bool) {
	if sums == nil {
		return nil, false
	}
	out := make([]EntryCounts, len(ids))
	for i, id := range ids {
		o := of(id)
		if o == nil {
			return nil, false
		}
		out[i] = EntryCounts{Up: o.up, Down: o.down, Comments: o.comments, Served: sums.served[id]}
	}
	return out, true
}

// whose is where a change that can be judged lies, and who wrote it.
func (v *opinionFold) whose(id change.ID) (change.Space, *agent, bool) {
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
