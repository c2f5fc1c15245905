package fold

import (
	"slices"

	"github.com/meshd/meshd/crdt/change"
)

// maxSponsors bounds how far a tree of sponsors is climbed.
const maxSponsors = 16

// SameHands reports whether two agents look like one party: they are equal, share
// a proven wallet or key, or stand in one tree of sponsors. A gateway of the
// manifest sponsors whoever registers there, which makes nobody a relative.
func (v *agentQueries) SameHands(a, b change.AgentID) bool {
	v.mu.Lock() // answers about rights are kept when first asked for
	defer v.mu.Unlock()
	x, y := v.agents[a], v.agents[b]
	if a == b || x == nil || y == nil {
		return a == b
	}
	if slices.ContainsFunc(x.rec.Proven, func(p string) bool { return slices.Contains(y.rec.Proven, p) }) {
		return true
	}
	return v.rootOf(x) == v.rootOf(y)
}

// rootOf is the top of an agent's tree of sponsors: the text of a key that is no
// agent here, or the id of an agent that nobody sponsors.
func (v *agentFold) rootOf(a *agent) string {
	for range maxSponsors {
		if a.rec.Sponsor == nil || v.hostOf(*a.rec.Sponsor) != "" {
			break
		}
		id, ok := v.rights.Owner(*a.rec.Sponsor)
		if !ok || v.agents[id] == nil || v.agents[id] == a {
			return a.rec.Sponsor.String()
		}
		a = v.agents[id]
	}
	return a.id.String()
}
