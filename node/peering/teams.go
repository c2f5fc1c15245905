package peering

import (
	"context"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/team"
)

// Proof is what the hello to a peer carries so that it may name private teams to
// this node: an invocation about one of the agents here, bound to both ends. A
// node whose agents are in several teams shows them in turn.
func (r Replica) Proof(_ context.Context, to peer.ID) []byte {
	n := r.Net.n
	agents := n.team.TeamAgents()
	responder, err := team.KeyOf(to)
	if len(agents) == 0 || err != nil {
		return nil
	}
	n.core.Followed.Mu.Lock()
	turn := n.core.Followed.Turns[to]
	if len(n.core.Followed.Turns) > core.MaxMet {
		clear(n.core.Followed.Turns)
	}
	n.core.Followed.Turns[to] = turn + 1
	n.core.Followed.Mu.Unlock()
	proof, err := n.team.ProofOf(agents[turn%len(agents)], responder)
	if err != nil {
		n.core.Opt.Log.Warn("no proof for a team", "err", err)
		return nil
	}
	return proof
}

// MaySee reports whether a peer may see a private team: an agent that it has
// proved to speak for is a member, by the fold of this node.
func (r Replica) MaySee(_ context.Context, p peer.ID, set string, proof []byte) bool {
	n := r.Net.n
	if proof != nil {
		n.team.Meet(p, proof)
	}
	guild, ok := change.Space(set).Guild()
	if !ok {
		return false
	}
	now := n.core.Opt.Now()
	n.core.Followed.Mu.Lock()
	var agents []did.Key
	for k, until := range n.core.Followed.Met[p] {
		if now.Before(until) {
			agents = append(agents, k)
		}
	}
	followed := n.core.Followed.Asked[guild]
	n.core.Followed.Mu.Unlock()
	for _, k := range agents {
		rec, ok := n.core.Views.AgentByKey(k)
		if ok && rec.Key == k && !rec.Contested && n.core.IsMember(guild, rec.ID) {
			return true
		}
	}
	// Who was asked to follow a team it does not know yet asks for it by name: of
	// peers that have proved to be somebody, and only while it knows no member.
	_, known := n.core.Views.Guild(guild)
	return followed && !known && len(agents) > 0
}
