package peering

import (
	"maps"
	"slices"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/ingest"
)

// A team's set has no topic. The reconciliation that follows news draws a few peers
// (catchUp), among many seldom the node of another member. So what is new in it goes to the connected nodes of
// members at once, by a session with each, and every turn of reconciliation includes
// one of these nodes.

// teamPeers are the connected peers that have proved, at any time, to speak for a
// member of guild. It says whom to ask, never what they may see: MaySee decides that.
func (net *Network) teamPeers(guild change.ID) (out []peer.ID) {
	n := net.n
	for _, p := range net.Host.Direct() {
		n.core.Followed.Mu.Lock()
		agents := slices.Collect(maps.Keys(n.core.Followed.Met[p]))
		n.core.Followed.Mu.Unlock()
		for _, k := range agents {
			if a, ok := n.core.Views.AgentByKey(k); ok && n.core.IsMember(guild, a.ID) {
				out = append(out, p)
				break
			}
		}
	}
	return out
}

// Spread opens sessions with the nodes of members of every team in which a change is
// new, but for the node that gave it.
func (net *Network) Spread(changes []ingest.Arrival) {
	type news struct{ set, from string }
	var seen []news
	for _, c := range changes {
		s := news{c.Set, c.From}
		guild, ok := change.Space(c.Set).Guild()
		if !core.Private(c.Set) || !ok || slices.Contains(seen, s) {
			continue
		}
		seen = append(seen, s)
		for _, p := range net.teamPeers(guild) {
			if p.String() != c.From {
				net.Sync.Soon(p)
			}
		}
	}
}

// Teammates are connected peers of which a turn of reconciliation includes one each,
// drawn anew each time: one that speaks for a member of a team of this node, and one
// whose last proof was not valid. Where a clock was wrong and is right again, two
// members have never met otherwise, and would wait until a turn draws the other.
func (net *Network) Teammates() []peer.ID {
	n := net.n
	var known, unmet []peer.ID
	for _, set := range n.core.TeamSets() {
		if guild, ok := change.Space(set).Guild(); ok {
			known = append(known, net.teamPeers(guild)...)
		}
	}
	if len(n.team.TeamAgents()) > 0 {
		n.core.Followed.Mu.Lock()
		for _, p := range net.Host.Direct() {
			if n.core.Followed.Unmet[p] {
				unmet = append(unmet, p)
			}
		}
		n.core.Followed.Mu.Unlock()
	}
	return append(Shuffled(known)[:min(1, len(known))], Shuffled(unmet)[:min(1, len(unmet))]...)
}
