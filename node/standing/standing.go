// Package standing computes which agents this node has reason to trust: those that
// a random walk reaches from the node's own agents, over ties that cost their
// maker something when they are wrong. It is the personalised PageRank
// of Page, Brin, Motwani and Winograd (1998) with all restarts at the seeds, so
// that a group of fresh keys that vouch for one another, and for which nobody
// reached vouches, has none whatever its size.
//
// It is one node's opinion. It is no part of membership, effect or the public
// reputation, and two nodes have different ones.
package standing

import "github.com/meshd/meshd/crdt/change"

const (
	// Least is the score from which on an agent has standing. A seed with a hundred
	// ties gives an agent two steps away some 70 times as much; a thousand agents that
	// one stranger with one tie of it vouches for get less.
	Least = 1e-5

	onward = 0.85 // goes on at a step; the rest begins again at a seed
	steps  = 20   // 0.85^20 is 4 %: what is left of a start
)

// Weights of ties, from one that needs trust to one that is given in passing.
const (
	Guild   = 4.0 // shared by the members of one guild
	Sponsor = 2.0
	Reuse   = 2.0
	Vote    = 1.0
)

// Ties are what agents have to do with each other. Not safe for concurrent use.
type Ties struct {
	of map[change.AgentID]map[change.AgentID]float64
}

// Add ties from to to; ties of a pair add up. An agent has none to itself.
func (t *Ties) Add(from, to change.AgentID, weight float64) {
	if from == to {
		return
	}
	if t.of == nil {
		t.of = map[change.AgentID]map[change.AgentID]float64{}
	}
	out := t.of[from]
	if out == nil {
		out = map[change.AgentID]float64{}
		t.of[from] = out
	}
	out[to] += weight
}

// AddGuild ties all members of a guild to each other.
func (t *Ties) AddGuild(members []change.AgentID) {
	if len(members) < 2 || len(members) > maxGuild {
		return
	}
	each := Guild / float64(len(members)-1)
	for _, a := range members {
		for _, b := range members {
			t.Add(a, b, each)
		}
	}
}

// maxGuild is the size of a guild beyond which sitting in it together says nothing.
const maxGuild = 150

// Walk returns the score of every agent that is reached; those of all sum to at
// most 1. Seeds are where each walk begins, with equal weight.
func (t *Ties) Walk(seeds []change.AgentID) map[change.AgentID]float64 {
	if len(seeds) == 0 {
		return nil
	}
	start := 1 / float64(len(seeds))
	now := map[change.AgentID]float64{}
	for _, s := range seeds {
		now[s] += start
	}
	sums := map[change.AgentID]float64{}
	for from, out := range t.of {
		for _, w := range out {
			sums[from] += w
		}
	}
	for range steps {
		next := make(map[change.AgentID]float64, len(now))
		for _, s := range seeds {
			next[s] += (1 - onward) * start
		}
		for from, have := range now {
			for to, w := range t.of[from] {
				if part := onward * have * w / sums[from]; part > Least/100 {
					next[to] += part
				}
			}
		}
		now = next
	}
	return now
}
